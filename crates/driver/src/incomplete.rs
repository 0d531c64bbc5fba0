//! What the stages could not do, as values for the user.

use caulk_cfront::{FrontError, FrontUnit, Severity};
use caulk_finding::{Incomplete, Location, Subject};
use caulk_ir::{FunctionBody, Module};
use caulk_project::{Problem, Unit};

pub(crate) fn shown(unit: &Unit) -> String {
    unit.display.to_string_lossy().into_owned()
}

pub(crate) fn unit_failed(unit: &Unit, why: impl Into<String>) -> Incomplete {
    let place = Some(Location::file(&unit.display));
    Incomplete { what: Subject::Unit(shown(unit)), place, why: why.into() }
}

/// A command or file that did not become a unit.
pub(crate) fn of_problem(problem: &Problem) -> Incomplete {
    let file = problem.file.as_deref();
    let place = file.map(|file| match problem.line {
        Some(line) => Location::point(file, line, problem.column.unwrap_or(1)),
        None => Location::file(file),
    });
    Incomplete { what: Subject::Input, place, why: problem.message.clone() }
}

/// The errors of the front end. Without a tree they are about the whole unit.
pub(crate) fn errors_of(unit: &Unit, front: &FrontUnit) -> Vec<Incomplete> {
    let what = match front.tree {
        Some(_) => Subject::Part { unit: shown(unit) },
        None => Subject::Unit(shown(unit)),
    };
    let errors = front.errors.iter().filter(|error| error.severity == Severity::Error);
    let incomplete = |error: &FrontError| Incomplete {
        what: what.clone(),
        place: Some(place_of(unit, error)),
        why: error.message.clone(),
    };
    let mut all: Vec<Incomplete> = errors.map(incomplete).collect();
    if front.more_errors > 0 {
        all.insert(0, many_errors(unit, what.clone(), all.len(), front.more_errors));
    }
    if front.tree.is_none() && all.is_empty() {
        all.push(unit_failed(unit, "internal error: the front end gave no tree and no reason"));
    }
    all
}

/// Stands first, where it is not cut off.
fn many_errors(unit: &Unit, what: Subject, listed: usize, more: usize) -> Incomplete {
    let why = format!("{} errors in this unit; the first {listed} are listed", listed + more);
    Incomplete { what, place: Some(Location::file(&unit.display)), why }
}

fn place_of(unit: &Unit, error: &FrontError) -> Location {
    match &error.position {
        Some(at) if at.file == unit.source => Location::point(&unit.display, at.line, at.column),
        Some(at) => Location::point(&at.file, at.line, at.column),
        None => Location::file(&unit.display),
    }
}

pub(crate) fn notes_of(front: &FrontUnit) -> Vec<String> {
    let notes = front.errors.iter().filter(|error| error.severity == Severity::Note);
    notes.map(|note| note.message.clone()).collect()
}

/// The functions that could not be lowered.
pub(crate) fn refusals_of(unit: &Unit, module: &Module) -> Vec<Incomplete> {
    let refused = module.functions.rows().iter().filter_map(|function| match &function.body {
        FunctionBody::Refused(refusal) => Some((function, refusal)),
        _ => None,
    });
    let incomplete = |(function, refusal): (&caulk_ir::Function, &caulk_ir::Refusal)| {
        let span = module.spans.get(refusal.span).or_else(|| module.spans.get(function.span));
        let name = module.names.text(function.name).to_owned();
        Incomplete {
            what: Subject::Function { name, unit: shown(unit) },
            place: span.and_then(|span| Location::of_span(&span, &module.files)),
            why: refusal.reason.clone(),
        }
    };
    refused.map(incomplete).collect()
}
