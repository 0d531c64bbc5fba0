//! `ARCHITECTURE.md` describes every crate in its table of stages.

use super::{File, Violation, crate_of};

const PAGE: &str = "ARCHITECTURE.md";

/// Every crate has a row in the table of stages, whatever else the tables hold.
pub fn every_crate_is_described(files: &[File]) -> Vec<Violation> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![Violation::new(PAGE, 1, "missing: write it, with a table of the crates")];
    };
    let described = described_crates(&page.text);
    let crates = files.iter().filter_map(|file| crate_of(&file.path));
    let names = crates.filter(|(_, within)| *within == "Cargo.toml").map(|(name, _)| name);
    let missing = names.filter(|name| !described.contains(name));
    let message = |name| format!("no row for the crate `{name}` in the table of stages: add it");
    missing.map(|name| Violation::new(PAGE, 1, message(name))).collect()
}

/// The names in backticks in the first cells of the page's tables.
fn described_crates(text: &str) -> Vec<&str> {
    let first_cells = text.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: Option<&str>) -> Vec<String> {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into() };
        let mut files = vec![file("crates/ir/Cargo.toml", ""), file("crates/lsp/Cargo.toml", "")];
        files.extend(page.map(|text| file(PAGE, text)));
        every_crate_is_described(&files).into_iter().map(|v| v.message).collect()
    }

    #[test]
    fn crates_without_a_row_are_found() {
        assert!(check(None)[0].contains("missing"));
        let found = check(Some("| crate | makes |\n|---|---|\n| `ir` | the representation |\n"));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("`lsp`"));
        assert!(check(Some("| `ir` | x |\n| `cli`, `lsp` | y |\n")).is_empty());
    }
}
