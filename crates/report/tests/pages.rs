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
