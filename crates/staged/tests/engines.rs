//! Where any engine is right, staged is right: on every case of every engine's suite, line by line.
//! What it gets wrong all the same is listed in `suites/staged/exceptions.txt` with its reason, and
//! an exception that is none any more fails.
//!
//! The truth is in the comments of the C text: a line that says `leak…`, `double-free` or another
//! kind has a defect, any other line has none. What an engine believes only a little (`low`) counts
//! as not said, as it is not shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use caulk_driver::WholeProgram;
use caulk_finding::{Confidence, Finding, Kind};
use caulk_guarded_flow::Configuration;
use caulk_machines::Machines;
use caulk_models::Models;
use caulk_program::indirect_targets;
use caulk_replay::Player;
use caulk_testkit::suite::{Case, cases};
use rayon::prelude::*;

const SUITES: [&str; 4] = ["guarded_flow", "summary", "symbolic_heap", "use_flow"];

type Lines = BTreeSet<String>;

/// The lines at which the case says that something is wrong.
fn truth(case: &Case) -> Lines {
    let mut lines = Lines::new();
    for (file, text) in &case.files {
        for (line, text) in (1..).zip(text.lines()) {
            let comment = text.split_once("// ").map_or("", |(_, comment)| comment);
            if comment.split(';').any(|part| is_defect(part.trim())) {
                lines.insert(format!("{file}:{line}"));
            }
        }
    }
    lines
}

fn is_defect(told: &str) -> bool {
    let mut words = told.trim_start_matches("always ").split([' ', ':']);
    let word = words.next().unwrap_or_default();
    matches!(word, "leak" | "leaks") || Kind::of_id(word).is_some()
}

fn lines(findings: &[Finding]) -> Lines {
    let is_shown = |it: &&Finding| it.confidence > Confidence::Low;
    let place = |it: &Finding| {
        let line = it.primary.range.map_or(0, |range| range.start.line);
        format!("{}:{line}", it.primary.path.display())
    };
    findings.iter().filter(is_shown).map(place).collect()
}

/// What each single engine says, and what staged says.
fn judged(case: &Case) -> (BTreeMap<&'static str, Lines>, Lines) {
    let whole = WholeProgram::of(case.modules());
    let memory = whole.memory();
    let machines = Machines::bundled();
    let (program, externals, machines) = (&whole.program, &whole.externals, &machines);
    let (calls, entries) = (&whole.calls, &whole.entries);
    let indirect = &indirect_targets(program);
    let flow = |configuration| {
        let input = caulk_guarded_flow::Input {
            memory: &memory,
            wrappers: &whole.wrappers,
            calls: &whole.calls,
        };
        lines(&caulk_guarded_flow::check(input, &configuration).findings)
    };
    let paths = caulk_use_flow::Input { program, externals, machines, calls, entries, indirect };
    let store = None;
    let structures = caulk_summary::Input { program, externals, calls, entries, indirect, store };
    let heap = caulk_symbolic_heap::Input { program, externals, calls };
    let all = caulk_staged::Input { program, externals, machines, calls, entries, indirect, store };
    let single = BTreeMap::from([
        ("fastcheck", flow(Configuration::fastcheck())),
        ("saber", flow(Configuration::saber())),
        ("saber, improved", flow(Configuration::saber_improved())),
        ("smoke", lines(&caulk_use_flow::check(paths, &Default::default()).findings)),
        ("sparrow", lines(&caulk_summary::check(structures, &Default::default()).findings)),
        ("symbolic", lines(&caulk_symbolic_heap::check(heap, &Default::default()).findings)),
    ]);
    let verdicts = caulk_staged::check(all, &Default::default());
    let player = Player::new(case.modules(), &Models::bundled()).expect("a 64-bit program");
    (single, lines(&caulk_staged::run(verdicts, &player).findings))
}

#[test]
fn staged_is_right_on_its_own_cases() {
    let all = cases("staged");
    assert!(!all.is_empty());
    for (file, case) in all {
        let (_, staged) = judged(&case);
        assert_eq!(staged, truth(&case), "{file}.md, {}", case.title);
    }
}

/// The lines at which staged is wrong and another engine right, with the names of those.
fn mistakes(suite: &str, case: &Case) -> BTreeMap<String, String> {
    let truth = truth(case);
    let (single, staged) = judged(case);
    let mut rows = BTreeMap::new();
    for place in truth.symmetric_difference(&staged) {
        let is_right = |said: &Lines| said.contains(place) == truth.contains(place);
        let right = single.iter().filter(|(_, said)| is_right(said));
        let right: Vec<&str> = right.map(|(name, _)| *name).collect();
        if !right.is_empty() {
            let what = if truth.contains(place) { "missed" } else { "false" };
            let key = format!("{suite}: {} | {place} {what}", case.title);
            rows.insert(key, right.join(", "));
        }
    }
    rows
}

/// Mistake and reason, one on each line, parted by ` | `.
fn exceptions() -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/staged/exceptions.txt");
    let text = std::fs::read_to_string(file).expect("the list of exceptions");
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| {
        let (mistake, reason) = line.rsplit_once(" | ").expect("mistake | reason");
        assert!(!reason.trim().is_empty(), "{mistake}: no reason");
        (mistake.to_string(), reason.to_string())
    })
    .collect()
}

#[test]
fn staged_is_right_where_any_engine_is() {
    let mut known = exceptions();
    let all: Vec<(&str, Case)> = SUITES
        .into_iter()
        .flat_map(|suite| cases(suite).into_iter().map(move |(_, case)| (suite, case)))
        .collect();
    assert!(all.len() > 250, "only {} cases were found", all.len());
    let found: Vec<_> = all.par_iter().flat_map(|(suite, case)| mistakes(suite, case)).collect();
    let mut new = Vec::new();
    for (mistake, right) in found {
        if known.remove(&mistake).is_none() {
            new.push(format!("{mistake} | right: {right}"));
        }
    }
    assert!(new.is_empty(), "{} new mistakes:\n{}", new.len(), new.join("\n"));
    assert!(known.is_empty(), "right by now, to be removed: {:#?}", known.keys());
}
