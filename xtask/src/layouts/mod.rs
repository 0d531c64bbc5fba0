//! `cargo xtask layouts`: a compiler's judgement on the layouts that caulk computes.
//!
//! For each unit, every size, alignment, offset and enumerator that caulk knows is written as a
//! `_Static_assert`, put after the unit's own text, and compiled by the unit's own command
//! (`unit`). gcc's errors tell what is wrong and what the end of the file cannot see (`judge`).

mod judge;
mod unit;

use crate::corpus::{self, Ready};
use crate::table::{Table, grouped};
use crate::tools::Scratch;
use crate::{show, workers};
use caulk_project::SourceFiles;
use std::path::Path;
use std::process::ExitCode;
use unit::{Check, Report};

pub const USAGE: &str = "\
cargo xtask layouts [NAME…|--all]     sizes, offsets and enumerators against gcc";

/// Runs `cargo xtask layouts` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let choice = corpus::choose(checkout, arguments)?;
    let mut table = Table::new(["program", "units", "assertions", "not visible", "mismatches"]);
    let mut wrong = Vec::new();
    let mut all = Total::default();
    for program in &choice.programs {
        eprintln!("{}: {} units …", program.name, program.units.len());
        let (total, complaints) = check(program)?;
        table.row(total.row(&program.name));
        all.add(&total);
        wrong.extend(complaints);
    }
    table.row(all.row("all"));
    show(&table.text());
    wrong.iter().for_each(|complaint| show(&format!("{complaint}\n")));
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks all units of a program; what is wrong comes as sentences.
fn check(program: &Ready) -> Result<(Total, Vec<String>), String> {
    let scratch = Scratch::new("layouts")?;
    let files = SourceFiles::new();
    let numbered: Vec<_> = program.units.iter().enumerate().collect();
    let reports = workers::map(&numbered, |&(number, entry)| {
        Check { entry, files: &files, file: scratch.file(&format!("{number}.c")) }.run()
    });
    let mut total = Total::default();
    let mut wrong = Vec::new();
    for (entry, report) in program.units.iter().zip(reports?) {
        let (sums, complaints) = summarise(report);
        total.add(&sums);
        wrong.extend(complaints.iter().map(|c| format!("{}: {}: {c}", program.name, entry.file)));
    }
    Ok((total, wrong))
}

fn summarise(report: Result<Report, String>) -> (Total, Vec<String>) {
    let Report { assertions, verdict } = match report {
        Ok(report) => report,
        Err(reason) => return (Total { units: 1, ..Total::default() }, vec![reason]),
    };
    let total = Total {
        units: 1,
        assertions,
        not_visible: verdict.not_visible,
        mismatches: verdict.mismatches.len(),
    };
    let mismatch = |assertion: &String| format!("gcc disagrees: {assertion}");
    let wrong = verdict.mismatches.iter().map(mismatch).chain(verdict.unclear).collect();
    (total, wrong)
}

#[derive(Default)]
struct Total {
    units: usize,
    assertions: usize,
    not_visible: usize,
    mismatches: usize,
}

impl Total {
    fn add(&mut self, other: &Total) {
        self.units += other.units;
        self.assertions += other.assertions;
        self.not_visible += other.not_visible;
        self.mismatches += other.mismatches;
    }

    fn row(&self, name: &str) -> Vec<String> {
        let numbers = [self.units, self.assertions, self.not_visible, self.mismatches];
        std::iter::once(name.to_string()).chain(numbers.map(grouped)).collect()
    }
}
