//! `cargo xtask coverage`: how much of the corpus `caulk check --coverage` can analyse.
//!
//! Every unit that gcc accepts must be lowered; fewer than one function in 10,000 may be refused,
//! over all programs.

mod page;
mod run;
mod text;

use crate::tools::{build_caulk, write_result};
use crate::{corpus, show};
use run::{Row, cover};
use std::path::Path;
use std::process::ExitCode;

pub const USAGE: &str = "\
cargo xtask coverage [NAME…|--all]    functions lowered and refused; all also writes the page";

/// Runs `cargo xtask coverage` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let choice = corpus::choose(checkout, arguments)?;
    let caulk = build_caulk(checkout)?;
    let mut rows = Vec::new();
    for program in &choice.programs {
        eprintln!("{}: {} units …", program.name, program.units.len());
        rows.push(cover(&caulk, program)?);
    }
    show(&page::body(&rows));
    if choice.is_all {
        write_result(checkout, "coverage.md", &page::page(checkout, &rows)?)?;
    }
    Ok(if is_met(&rows) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether no accepted unit has an error, and refusals are rare enough.
fn is_met(rows: &[Row]) -> bool {
    rows.iter().all(|row| row.unexplained().is_empty()) && refusals_are_rare(rows)
}

/// Fewer than one in 10,000 of the functions that are needed, or none at all.
fn refusals_are_rare(rows: &[Row]) -> bool {
    let refused: usize = rows.iter().map(|row| row.coverage.refused).sum();
    let lowered: usize = rows.iter().map(|row| row.coverage.lowered).sum();
    refused == 0 || refused * 10_000 < lowered + refused
}

#[cfg(test)]
mod tests {
    use super::text::Coverage;
    use super::*;

    fn row(lowered: usize, refused: usize, errors: &[&str], rejected: &[&str]) -> Row {
        let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        let coverage = Coverage { lowered, refused, errors: owned(errors), ..Coverage::default() };
        Row { name: "p".into(), coverage, rejected: owned(rejected), remaining: Vec::new() }
    }

    #[test]
    fn the_bars_are_those_of_the_issue() {
        assert!(is_met(&[row(1, 0, &[], &[])]));
        assert!(!is_met(&[row(1, 0, &["a.c: no"], &[])]));
        assert!(is_met(&[row(1, 0, &["a.c: no"], &["a.c"])]));
        assert!(!is_met(&[row(9_999, 1, &[], &[])]));
        assert!(is_met(&[row(9_999, 1, &[], &[]), row(2, 0, &[], &[])]));
    }
}
