//! Verdicts, case by case: `suites/use_flow/*.md` holds prose and C that says in comments, on the
//! line of an allocation, what must be reported there.
//!
//! `// leak: KIND`, `// double-free`, `// use-after-free`, `// mismatched-release` and `// invalid-release` are findings,
//! `// ok` is an allocation without one; several on a line are parted by `;`. What nobody mentions
//! must not be reported. A known wrong answer is marked behind the expectation, with its reason:
//! `FN(smoke)` for a finding that is missing, `FP(smoke)` for one too many, `LOW(smoke)` for one that
//! is of low confidence and so not shown, `AS(smoke) KIND` for a leak told as another kind. A mark that is no longer true fails.
//!
//! `// taken: CONDITION` is a decision that the way of some finding takes on this line.
//!
//! `CAULK_SUITE=TEXT` runs only the files whose name has the text.

mod budgets;
mod remedies;
mod verdicts;

use std::collections::BTreeMap;
use std::fmt::Write;

use caulk_models::Models;
use caulk_testkit::suite::{Case, cases};
use verdicts::{Expected, Found, Mark, decisions, expectations, findings, lines_with};

const AT_LEAST: usize = 120;

/// The expectations of a file, and how many of them are marked as known to be wrong.
#[derive(Default)]
struct Tally {
    cases: usize,
    expectations: usize,
    false_positives: usize,
    false_negatives: usize,
    other_kinds: usize,
}

#[test]
fn every_case_is_judged_as_its_comments_say() {
    let only = std::env::var("CAULK_SUITE").unwrap_or_default();
    let models = Models::bundled();
    let mut failures = String::new();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (file, case) in cases("use_flow").into_iter().filter(|(file, _)| file.contains(&only)) {
        let tally = tallies.entry(file.clone()).or_default();
        tally.cases += 1;
        let wrong = judge(&case, &models, tally);
        if !wrong.is_empty() {
            let _ = writeln!(failures, "{file}.md: {}\n{wrong}", case.title);
        }
    }
    for (file, tally) in &tallies {
        println!(
            "{file}: {} cases, {} expectations, {} FP, {} FN, {} of another kind",
            tally.cases,
            tally.expectations,
            tally.false_positives,
            tally.false_negatives,
            tally.other_kinds,
        );
    }
    let count: usize = tallies.values().map(|tally| tally.cases).sum();
    println!("{count} cases");
    assert!(failures.is_empty(), "{failures}");
    assert!(!only.is_empty() || count >= AT_LEAST, "only {count} cases were found");
}

/// What is wrong with the verdicts on a case, one line each.
fn judge(case: &Case, models: &Models, tally: &mut Tally) -> String {
    let mut found = findings(case, models);
    let mut wrong = String::new();
    for it in decisions(case) {
        let tells = |found: &Found| found.steps.contains(&(it.line, it.text.clone()));
        if !found.iter().any(|found| found.file == it.file && tells(found)) {
            let _ = writeln!(wrong, "  {}:{}: no way has {}", it.file, it.line, it.text);
        }
    }
    for (file, line) in lines_with(case, "idle") {
        let decides = |(at, text): &(usize, String)| *at == line && text.starts_with("taken: ");
        if found.iter().any(|found| found.file == file && found.steps.iter().any(decides)) {
            let _ = writeln!(wrong, "  {file}:{line}: a way decides here");
        }
    }
    for (file, line) in lines_with(case, "medium") {
        let is_it = |it: &Found| it.is_medium && it.file == file && it.line == line;
        if !found.iter().any(is_it) {
            let _ = writeln!(wrong, "  {file}:{line}: nothing of medium confidence");
        }
    }
    for expected in expectations(case) {
        tally.expectations += 1;
        match &expected.mark {
            Some(Mark::Missing) => tally.false_negatives += 1,
            Some(Mark::TooMany) => tally.false_positives += 1,
            Some(Mark::Other(_)) => tally.other_kinds += 1,
            Some(Mark::Low) | None => {}
        }
        if let Some(text) = compare(&expected, &mut found) {
            let _ = writeln!(wrong, "  {}:{}: {text}", expected.file, expected.line);
        }
    }
    for it in found {
        let _ =
            writeln!(wrong, "  {}:{}: reported as {}: {}", it.file, it.line, it.kind, it.message);
        for (line, text) in it.steps {
            let _ = writeln!(wrong, "      {line}: {text}");
        }
    }
    wrong
}

/// Takes what the expectation accounts for out of the findings, and tells what differs.
fn compare(expected: &Expected, found: &mut Vec<Found>) -> Option<String> {
    let here = |it: &Found| it.file == expected.file && it.line == expected.line;
    let take = |kind: &str, found: &mut Vec<Found>| {
        let at = found.iter().position(|it| here(it) && it.kind == kind);
        at.map(|at| found.remove(at)).is_some()
    };
    match (&expected.mark, expected.kind.as_deref()) {
        (None, None) => None,
        (None, Some(kind)) => {
            if take(kind, found) {
                return None;
            }
            let is_leak = |it: &Found| here(it) && it.kind.starts_with("leak/");
            let other = found.iter().position(is_leak).filter(|_| kind.starts_with("leak/"));
            Some(match other.map(|at| found.remove(at)) {
                Some(other) => format!("{kind} is reported as {}", other.kind),
                None => format!("{kind} is not reported"),
            })
        }
        (Some(Mark::Missing), Some(kind)) => {
            take(kind, found).then(|| format!("{kind} is reported now: remove the mark FN"))
        }
        (Some(Mark::Other(other)), Some(kind)) => (!take(other, found))
            .then(|| format!("{kind} is not reported as {other}: correct the mark AS")),
        (Some(Mark::Low), None) => {
            let before = found.len();
            found.retain(|it| !(here(it) && it.is_low));
            (before == found.len()).then(|| "is not reported as low: correct the mark".to_string())
        }
        (Some(Mark::TooMany), None) => {
            let before = found.len();
            found.retain(|it| !here(it));
            (before == found.len())
                .then(|| "is not reported any more: remove the mark FP".to_string())
        }
        _ => Some("the mark does not fit the expectation".to_string()),
    }
}
