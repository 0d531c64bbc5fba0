//! The result of a check as text for people.

use std::time::Duration;

use caulk_finding::{Results, Section, SkippedCommands, Stage, UnitState};

use crate::incomplete::section;
use crate::numbers::{count, grouped};
use crate::statistics::section as table;
use crate::style::printable;
use crate::totals::{hidden, one_line};
use crate::{Style, View, terminal};

/// The whole report: findings, what was looked at, what could not be, and the sum of it last,
/// where a terminal leaves the eye.
#[must_use]
pub fn check(results: &Results, view: &View<'_>) -> String {
    let style = &view.style;
    let mut text = terminal::findings(results, view);
    text += &terminal::remarks(&results.remarks, view);
    text += &format!("{}\n{}\n{}\n", units(results), functions(results), sites(results));
    results.skipped.iter().for_each(|row| text += &format!("{}\n", skipped(row)));
    text += &notes(&results.notes, style);
    text += &section(&results.incomplete, style);
    if style.all {
        text += &tables(results);
    }
    text += &terminal::unknown_section(&results.unknown, style);
    if results.interrupted {
        let missing = results.units_in(UnitState::NotReached) > 0;
        let before =
            if missing { "all units were analysed" } else { "the search for leaks was done" };
        text += &format!("\n{}\n", style.warning(&format!("Stopped before {before}.")));
    }
    let hidden = hidden(&results.hidden);
    text + &format!("\n{}\n{hidden}", style.heading(&one_line(results)))
}

/// What the engine counted: sites by class, and the tables of its paper.
fn tables(results: &Results) -> String {
    let number = |sites: usize| u64::try_from(sites).unwrap_or(u64::MAX);
    let rows = results.classes().into_iter().map(|(class, sites)| (class, number(sites)));
    let classes = Section { title: "Allocation sites by class", rows: rows.collect() };
    let classes = (!classes.rows.is_empty()).then_some(&classes);
    let tables: String = classes.into_iter().chain(&results.statistics).map(table).collect();
    if tables.is_empty() { tables } else { format!("\n{}", tables.trim_end_matches('\n')) + "\n" }
}

/// `34 units: 32 analysed, 1 in part, 1 not at all`.
fn units(results: &Results) -> String {
    let mut text = count(results.units.len(), "unit", "units");
    let number = |state| results.units_in(state);
    let (whole, partial) = (number(UnitState::Whole), number(UnitState::Partial));
    let rows = [
        (whole, "analysed", whole > 0 || partial == 0),
        (partial, if whole > 0 { "in part" } else { "analysed in part" }, partial > 0),
        (number(UnitState::Failed), "not at all", number(UnitState::Failed) > 0),
        (number(UnitState::NotReached), "not reached", number(UnitState::NotReached) > 0),
    ];
    let rows = rows.iter().filter(|(_, _, shown)| *shown);
    let parts: Vec<String> = rows.map(|(number, name, _)| format!("{number} {name}")).collect();
    text += &format!(": {}", parts.join(", "));
    if results.merged > 0 {
        let merged = count(results.merged, "command repeats", "commands repeat");
        text += &format!(" ({merged} an earlier one)");
    }
    text
}

/// `1,200 functions: 1,199 analysed, 1 refused`, and those that nobody needs.
fn functions(results: &Results) -> String {
    let counts = results.counts();
    let needed = count(counts.lowered + counts.refused, "function", "functions");
    let mut text = format!("{needed}: {} analysed", grouped(counts.lowered));
    if counts.refused > 0 {
        text += &format!(", {} refused", grouped(counts.refused));
    }
    if counts.unused > 0 {
        let unused = count(counts.unused, "unused inline function", "unused inline functions");
        text += &format!("; {unused} of headers left out");
    }
    text
}

fn sites(results: &Results) -> String {
    let counts = results.counts();
    let allocations = count(counts.allocations, "allocation call site", "allocation call sites");
    format!("{allocations}, {}", count(counts.frees, "free call site", "free call sites"))
}

fn skipped(row: &SkippedCommands) -> String {
    let more = if row.count > row.examples.len() { ", …" } else { "" };
    let number = count(row.count, "command", "commands");
    format!("{number} skipped: {} ({}{more})", row.reason, row.examples.join(", "))
}

fn notes(notes: &[String], style: &Style) -> String {
    match (notes.len(), style.all) {
        (0, _) => String::new(),
        (number, false) => format!("{}; --verbose shows them\n", count(number, "note", "notes")),
        (_, true) => notes.iter().map(|note| format!("note: {}\n", printable(note))).collect(),
    }
}

/// Where the time went, as a table.
#[must_use]
pub fn stages(stages: &[Stage], wall: Duration) -> String {
    let total: Duration = stages.iter().map(|stage| stage.time).sum();
    let share = |time: Duration| 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
    let row = |stage: &Stage| {
        let (seconds, share) = (stage.time.as_secs_f64(), share(stage.time));
        format!("{:<10} {seconds:8.3} s {share:5.1} %\n", stage.name)
    };
    let rows: String = stages.iter().map(row).collect();
    let (sum, wall) = (total.as_secs_f64(), wall.as_secs_f64());
    format!("{rows}{:<10} {sum:8.3} s over all threads, {wall:.3} s elapsed\n", "total")
}

#[cfg(test)]
mod tests {
    use caulk_finding::{Counts, UnitRow};

    use super::*;
    use crate::Texts;

    fn shown(results: &Results) -> String {
        let texts = Texts::new(&|_| None);
        check(results, &View { style: Style::default(), texts: &texts, links: None })
    }

    fn results() -> Results {
        let counts =
            Counts { lowered: 1200, unused: 34, allocations: 5, frees: 1, ..Counts::default() };
        let unit = |state| UnitRow { path: "a.c".into(), state, counts };
        let units = vec![unit(UnitState::Whole), unit(UnitState::Failed)];
        Results { units, notes: vec!["one".into()], ..Results::default() }
    }

    #[test]
    fn a_summary_is_short() {
        let text = shown(&results());
        assert_eq!(
            text,
            "2 units: 1 analysed, 1 not at all\n\
             2,400 functions: 2,400 analysed; 68 unused inline functions of headers left out\n\
             10 allocation call sites, 2 free call sites\n\
             1 note; --verbose shows them\n\n\
             0 findings\n"
        );
    }

    #[test]
    fn one_damaged_unit_is_said_to_be_analysed_in_part() {
        let counts = Counts { lowered: 3, refused: 1, ..Counts::default() };
        let unit = UnitRow { path: "a.c".into(), state: UnitState::Partial, counts };
        let text = shown(&Results { units: vec![unit], ..Results::default() });
        let first = "1 unit: 1 analysed in part\n4 functions: 3 analysed, 1 refused\n";
        assert!(text.starts_with(first), "{text}");
    }

    #[test]
    fn the_tables_of_the_engine_are_for_those_who_ask() {
        let row = |class, sites| format!("  {class:<34}{sites:>14}\n");
        let tables = tables(&crate::sample::results());
        let title = "\nAllocation sites by class\n";
        assert_eq!(tables, format!("{title}{}{}", row("released", 2), row("some path", 1)));
        assert!(!shown(&crate::sample::results()).contains(title));
        assert_eq!(super::tables(&Results::default()), "");
    }

    #[test]
    fn skipped_commands_are_counted() {
        let examples = vec!["a.cc".into(), "b.cc".into()];
        let row = SkippedCommands { reason: "C++".into(), count: 5, examples };
        assert_eq!(skipped(&row), "5 commands skipped: C++ (a.cc, b.cc, …)");
    }

    #[test]
    fn the_table_of_stages_has_shares() {
        let stage = |name, millis| Stage { name, time: Duration::from_millis(millis) };
        let text = stages(&[stage("reading", 750), stage("lowering", 250)], Duration::from_secs(1));
        assert!(text.contains("reading       0.750 s  75.0 %\n"), "{text}");
        assert!(
            text.ends_with("total         1.000 s over all threads, 1.000 s elapsed\n"),
            "{text}"
        );
    }
}
