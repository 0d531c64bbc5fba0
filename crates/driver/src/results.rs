//! From the outcomes of all units to one value for the report.

use std::path::Path;

use caulk_base::FxHashSet;
use caulk_finding::{Incomplete, Results, SkippedCommands, UnitRow, UnitState};
use caulk_project::{Project, Skipped, Unit};

use crate::incomplete::{of_problem, shown, unit_failed};
use crate::options::Stop;
use crate::run::Run;
use crate::unit::UnitOutcome;

/// Everything the run has to tell. The order is that of the project.
#[must_use]
pub fn summarise<T>(project: &Project, run: &Run<T>) -> Results {
    let pairs = || project.units.iter().zip(&run.outcomes);
    let problems = project.problems.iter().map(of_problem);
    let of_units = pairs().flat_map(|(unit, outcome)| incomplete_of(unit, outcome, run.stopped));
    Results {
        incomplete: problems.chain(of_units).collect(),
        units: pairs().map(|(unit, outcome)| row(unit, outcome)).collect(),
        from_cache: run.outcomes.iter().filter(|outcome| outcome.from_cache).count(),
        skipped: project.skipped.iter().map(skipped).collect(),
        merged: project.merged,
        notes: notes(project, &run.outcomes),
        stages: run.times().rows(),
        wall: run.wall,
        interrupted: run.stopped == Some(Stop::Interrupted),
        ..Results::default()
    }
}

fn incomplete_of<T>(
    unit: &Unit,
    outcome: &UnitOutcome<T>,
    stopped: Option<Stop>,
) -> Vec<Incomplete> {
    let why = match stopped {
        Some(Stop::OutOfTime) => "the time limit was reached before it was done",
        Some(Stop::OutOfMemory) => {
            "the memory limit was reached before it was done; a higher --memory-limit reads more"
        }
        _ => "the run was stopped before it was done",
    };
    match outcome.state {
        UnitState::NotReached => vec![unit_failed(unit, why)],
        _ => outcome.incomplete.clone(),
    }
}

fn row<T>(unit: &Unit, outcome: &UnitOutcome<T>) -> UnitRow {
    UnitRow { path: shown(unit), state: outcome.state, counts: outcome.counts }
}

fn skipped(row: &Skipped) -> SkippedCommands {
    let text = |path: &std::path::PathBuf| Path::display(path).to_string();
    SkippedCommands {
        reason: row.reason.to_string(),
        count: row.count,
        examples: row.examples.iter().map(text).collect(),
    }
}

/// Each once: many units read the same header.
fn notes<T>(project: &Project, outcomes: &[UnitOutcome<T>]) -> Vec<String> {
    let all = project.notes.iter().chain(outcomes.iter().flat_map(|outcome| &outcome.notes));
    let mut seen = FxHashSet::default();
    all.filter(|note| seen.insert(note.as_str())).cloned().collect()
}
