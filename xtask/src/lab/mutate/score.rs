//! Findings on mutants: what a tool says about a mutant and not about the program is either about
//! the planted defect or false.

use super::confirm::is_meant;
use super::mutant::{Mutant, Plant};
use crate::lab::findings::Finding;
use crate::lab::runnable::score::Report;
use serde::Serialize;
use std::collections::BTreeMap;

/// Mutants found of all that the tool reported on, and new findings that are about something else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub found: usize,
    pub of: usize,
    pub elsewhere: usize,
}

/// By tool, and by whether a run confirmed the mutant.
pub type Tallies = BTreeMap<(String, bool), Tally>;

/// A report names a mutant by its id, or the program as it was.
pub fn score(mutants: &[Mutant], reports: &[Report]) -> Tallies {
    let mut tallies = Tallies::new();
    let all: Vec<&Report> = reports.iter().collect();
    for report in reports {
        let Some(mutant) = mutants.iter().find(|mutant| mutant.id == report.program) else {
            continue;
        };
        let Tally { found, of, elsewhere } = one(mutant, report, &all);
        let key = (report.tool.clone(), mutant.confirmed == Some(true));
        let tally = tallies.entry(key).or_default();
        tally.of += of;
        tally.found += found;
        tally.elsewhere += elsewhere;
    }
    tallies
}

/// One tool on one mutant; what it says about the program as it was is among all reports.
pub fn one(mutant: &Mutant, report: &Report, all: &[&Report]) -> Tally {
    let is_before = |other: &&&Report| other.tool == report.tool && other.program == mutant.program;
    let before = all.iter().find(is_before).map_or(&[][..], |other| &other.findings);
    let (right, wrong) = new_findings(mutant, before, &report.findings);
    Tally { found: usize::from(!right.is_empty()), of: 1, elsewhere: wrong.len() }
}

/// What is said about the mutant and not about the program: about the plant, and about others.
pub fn new_findings<'a>(
    mutant: &Mutant,
    before: &[Finding],
    after: &'a [Finding],
) -> (Vec<&'a Finding>, Vec<&'a Finding>) {
    let is_new = |row: &&Finding| !before.iter().any(|old| is_same(old, row));
    after.iter().filter(is_new).partition(|row| is_about(mutant, row))
}

/// Mutants keep the lines of the program.
fn is_same(one: &Finding, other: &Finding) -> bool {
    let key = |f: &Finding| (f.kind, f.file.clone(), f.line, f.allocation_line);
    key(one) == key(other)
}

/// At an allocation that a run lost, in the function that was changed, or at the release that was
/// planted; at its line, where nobody tells the allocation. A run shows one way of many: what it
/// lost after a reallocation, a tool may report from the first allocation on.
fn is_about(mutant: &Mutant, finding: &Finding) -> bool {
    if !is_meant(mutant.plant, finding.kind) {
        return false;
    }
    let is_file = |file: &str| file.ends_with(&finding.file) || finding.file.ends_with(file);
    let line = finding.allocation_line.unwrap_or(finding.line);
    let is_at = mutant.allocations.iter().any(|row| is_file(&row.file) && row.line == line);
    let is_inside = finding.function.as_ref() == Some(&mutant.function);
    let must_be_at = mutant.confirmed == Some(true) && finding.allocation_line.is_some();
    let is_line = finding.line == mutant.line;
    let is_planted = is_line && (mutant.plant == Plant::Duplicated || !must_be_at);
    is_at || (is_file(&mutant.file) && (is_inside || is_planted))
}

pub fn table(tallies: &Tallies) -> String {
    let head = "| tool | mutants | found | of | new findings elsewhere |\n|---|---|---|---|---|\n";
    let row = |((tool, is_confirmed), tally): (&(String, bool), &Tally)| {
        let which = if *is_confirmed { "confirmed" } else { "unconfirmed" };
        format!("| {tool} | {which} | {} | {} | {} |\n", tally.found, tally.of, tally.elsewhere)
    };
    head.to_string() + &tallies.iter().map(row).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::findings::Kind;
    use crate::lab::findings::tests::finding;
    use crate::lab::mutate::mutant::Allocation;
    use crate::lab::mutate::mutant::tests::mutant;

    fn report(program: &str, findings: Vec<Finding>) -> Report {
        Report { tool: "t".into(), program: program.into(), findings }
    }

    fn confirmed() -> Mutant {
        let allocation = Allocation { file: "p.c".into(), function: "g".into(), line: 20 };
        Mutant { confirmed: Some(true), allocations: vec![allocation], ..mutant(Vec::new()) }
    }

    fn tally(mutant: Mutant, before: Vec<Finding>, after: Vec<Finding>) -> Tally {
        let reports = [report("p", before), report("p#1", after)];
        let is_confirmed = mutant.confirmed == Some(true);
        score(&[mutant], &reports)[&("t".to_string(), is_confirmed)]
    }

    fn leak(line: u32, allocation_line: Option<u32>) -> Finding {
        Finding { allocation_line, ..finding("p.c", line, Kind::Leak) }
    }

    #[test]
    fn the_right_allocation_counts() {
        let found = tally(confirmed(), vec![], vec![leak(3, Some(20))]);
        assert_eq!(found, Tally { found: 1, of: 1, elsewhere: 0 });
        let other = tally(confirmed(), vec![], vec![leak(3, Some(8))]);
        assert_eq!(other, Tally { found: 0, of: 1, elsewhere: 1 });
        let inside = Finding { function: Some("f".into()), ..leak(9, Some(8)) };
        assert_eq!(tally(confirmed(), vec![], vec![inside]).found, 1);
    }

    #[test]
    fn the_planted_release_counts() {
        let planted = || Mutant { plant: Plant::Duplicated, ..confirmed() };
        let twice = |line, allocation| Finding {
            allocation_line: Some(allocation),
            ..finding("p.c", line, Kind::DoubleFree)
        };
        let found = tally(planted(), vec![], vec![twice(3, 2)]);
        assert_eq!(found, Tally { found: 1, of: 1, elsewhere: 0 });
        let lost = vec![leak(3, Some(2)), twice(4, 2)];
        assert_eq!(tally(planted(), vec![], lost), Tally { found: 0, of: 1, elsewhere: 2 });
        let elsewhere = Finding { file: "q.c".into(), ..twice(3, 2) };
        assert_eq!(tally(planted(), vec![], vec![elsewhere]).found, 0);
    }

    #[test]
    fn old_findings_are_nothing() {
        let same = vec![leak(3, Some(20)), leak(90, None)];
        let tally = tally(confirmed(), same.clone(), same);
        assert_eq!(tally, Tally { found: 0, of: 1, elsewhere: 0 });
    }

    #[test]
    fn unconfirmed_mutants_are_found_near_the_change() {
        let near = Finding { function: Some("f".into()), ..leak(9, Some(7)) };
        assert_eq!(tally(mutant(vec![]), vec![], vec![near]).found, 1);
        assert_eq!(tally(mutant(vec![]), vec![], vec![leak(9, Some(7))]).found, 0);
        let double = finding("p.c", 3, Kind::DoubleFree);
        assert_eq!(tally(mutant(vec![]), vec![], vec![double]).elsewhere, 1);
    }
}
