//! Pages: links between files lead somewhere, and the book has every page.

use super::{File, Violation};
use std::collections::BTreeSet;

const CONTENTS: &str = "docs/SUMMARY.md";

pub fn links_lead_somewhere(files: &[File]) -> Vec<Violation> {
    let known: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let leads = |target: &str| {
        let folder = format!("{target}/");
        known.contains(target) || known.iter().any(|path| path.starts_with(&folder))
    };
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| is_page(&file.path)) {
        for (line, link) in links(&file.text) {
            if !leads(&resolved(&file.path, &link)) {
                let message = format!("`{link}` leads nowhere: name a file that is there");
                violations.push(Violation::new(&file.path, line, message));
            }
        }
    }
    violations
}

pub fn every_page_is_listed(files: &[File]) -> Vec<Violation> {
    let Some(contents) = files.iter().find(|file| file.path == CONTENTS) else {
        return Vec::new();
    };
    let listed: BTreeSet<String> =
        links(&contents.text).map(|(_, link)| resolved(CONTENTS, &link)).collect();
    let pages = files.iter().filter(|file| is_page(&file.path) && file.path.starts_with("docs/"));
    let missing = pages.filter(|file| file.path != CONTENTS && !listed.contains(&file.path));
    let told = |file: &File| Violation::new(&file.path, 1, format!("list it in {CONTENTS}"));
    missing.map(told).collect()
}

/// Suites hold C programs and no links.
fn is_page(path: &str) -> bool {
    path.ends_with(".md") && !path.starts_with("suites/")
}

/// The files that links name, each with its line; neither addresses nor anchors, and no code.
fn links(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut is_code = false;
    let lines = text.lines().enumerate().filter(move |(_, line)| {
        is_code ^= line.starts_with("```");
        !is_code
    });
    lines.flat_map(|(at, line)| {
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let files = targets.map(|(target, _)| target.split('#').next().unwrap_or_default());
        let files = files.filter(|file| !file.is_empty() && !file.contains(':'));
        files.map(move |file| (at + 1, file.to_owned())).collect::<Vec<_>>()
    })
}

/// A path relative to a page, from the checkout.
fn resolved(page: &str, link: &str) -> String {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(rows: &[(&str, &str)]) -> Vec<File> {
        let file =
            |(path, text): &(&str, &str)| File { path: (*path).into(), text: (*text).into() };
        rows.iter().map(file).collect()
    }

    #[test]
    fn links_are_followed_from_their_page() {
        let text = "[a](b.md#x) [b](../README.md) [c](https://x.y/z) [d](#here) [e](kinds)\n\
            ```\n[f](no.md)\n```\nsee [g](no.md)\n";
        let rows =
            [("docs/a.md", text), ("docs/b.md", ""), ("README.md", ""), ("docs/kinds/x.md", "")];
        let found = links_lead_somewhere(&files(&rows));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, found[0].path.as_str()), (5, "docs/a.md"));
    }

    #[test]
    fn a_page_that_the_book_lacks_is_told() {
        let rows = [("docs/SUMMARY.md", "- [a](a.md)"), ("docs/a.md", ""), ("docs/k/b.md", "")];
        let found = every_page_is_listed(&files(&rows));
        assert_eq!(found, [Violation::new("docs/k/b.md", 1, "list it in docs/SUMMARY.md")]);
    }
}
