//! `docs/kinds` holds the pages that the formats show. `CAULK_BLESS=1` writes them anew.

use std::fs;
use std::path::Path;

use caulk_finding::Kind;
use caulk_report::{page, page_name};

#[test]
fn every_kind_has_its_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kinds");
    for kind in Kind::ALL {
        let path = folder.join(page_name(kind));
        if std::env::var_os("CAULK_BLESS").is_some() {
            fs::write(&path, page(kind)).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == page(kind), "{}: run again with CAULK_BLESS=1", path.display());
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), Kind::ALL.len(), "pages of no kind");
}

/// `docs/SUMMARY.md` is the book's list: every page is in it, and every entry is a page.
#[test]
fn the_book_has_every_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let mut listed: Vec<String> = links.map(|(path, _)| path.to_owned()).collect();
    let mut pages = pages_below(&docs, "");
    pages.retain(|page| page != "SUMMARY.md");
    listed.sort();
    pages.sort();
    assert_eq!(listed, pages);
}

fn pages_below(folder: &Path, prefix: &str) -> Vec<String> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            pages.extend(pages_below(&entry.path(), &format!("{name}/")));
        } else if name.ends_with(".md") {
            pages.push(name);
        }
    }
    pages
}
