//! On every case of the path search's suites, staged tells what the path search tells, and shows
//! nothing else: what others say alone against it is of low confidence.

use std::collections::BTreeMap;

use caulk_finding::{Confidence, Finding, Kind, Verdicts, cause};
use caulk_machines::Machines;
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_testkit::suite::{Case, cases};

/// The verdicts of the path search alone, and of all stages.
fn judge(case: &Case, models: &Models) -> (Verdicts, Verdicts) {
    let unit = |module| LinkUnit { module, target: None };
    let program = link(case.modules().into_iter().map(unit).collect());
    let externals = ExternalModels::new(&program, models);
    let calls = DirectCalls::new(&program);
    let (entries, indirect) = (Entries::new(&program, &calls), indirect_targets(&program));
    let machines = Machines::bundled();
    let (program, externals, machines) = (&program, &externals, &machines);
    let (calls, entries, indirect) = (&calls, &entries, &indirect);
    let paths = caulk_use_flow::Input { program, externals, machines, calls, entries, indirect };
    let store = None;
    let all = caulk_staged::Input { program, externals, machines, calls, entries, indirect, store };
    let alone = caulk_use_flow::check(paths, &caulk_use_flow::Options::default());
    (alone, caulk_staged::check(all, &caulk_staged::Options::default()))
}

fn by_cause(findings: &[Finding]) -> BTreeMap<String, &Finding> {
    let key = |it: &Finding| format!("{:?} {}", cause(it), it.message);
    findings.iter().map(|it| (key(it), it)).collect()
}

/// What is low until a run shows it, and none is made here: memory that nobody else calls lost.
fn is_unconfirmed(finding: &Finding) -> bool {
    finding.confidence == Confidence::Low
        && finding.resource == "memory"
        && matches!(finding.kind, Kind::SomePath | Kind::NeverFreed)
        && finding.reason.ends_with("; no second engine says so")
}

#[test]
fn staged_tells_what_the_path_search_tells() {
    let models = Models::bundled();
    let (mut count, mut raised, mut lowered) = (0, 0, 0);
    for (file, case) in cases("use_flow") {
        let (alone, staged) = judge(&case, &models);
        let (alone, staged) = (by_cause(&alone.findings), by_cause(&staged.findings));
        for (key, before) in &alone {
            let now = staged.get(key).map(|it| it.confidence);
            // What no second engine says is not certain, and shown all the same.
            let least = Confidence::Medium.min(before.confidence);
            let is_hidden = staged.get(key).is_some_and(|it| is_unconfirmed(it));
            let place = format!("{file}.md, {}", case.title);
            assert!(now >= Some(least) || is_hidden, "{place}: {key} is {now:?}");
            raised += usize::from(now > Some(before.confidence));
            lowered += usize::from(is_hidden);
        }
        for (key, new) in staged.iter().filter(|it| !alone.contains_key(it.0)) {
            assert_eq!(new.confidence, Confidence::Low, "{file}.md, {}: {key} is new", case.title);
        }
        count += alone.len();
    }
    assert!(count > 150 && raised > 0, "{count} findings, {raised} raised");
    assert!(lowered * 3 < count, "{lowered} of {count} are hidden");
}

/// The rows of the table of hard patterns: a suite's file, and the titles of its cases.
fn hard_patterns() -> Vec<(String, Vec<String>)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/hard-patterns.md")).expect("the page");
    let row = |line: &str| -> Option<(String, Vec<String>)> {
        let mut cells = line.strip_prefix("| ")?.split(" | ").skip(1);
        let (file, titles) = (cells.next()?, cells.next()?);
        let titles = titles.trim_end_matches('|').split(';').map(|it| it.trim().to_owned());
        Some((file.trim().to_owned(), titles.collect()))
    };
    page.lines().skip_while(|line| !line.starts_with("| ---")).skip(1).filter_map(row).collect()
}

#[test]
fn every_hard_pattern_is_a_case() {
    let known: std::collections::BTreeSet<(String, String)> =
        cases("use_flow").into_iter().map(|(file, case)| (file, case.title)).collect();
    let patterns = hard_patterns();
    for (file, titles) in &patterns {
        for title in titles {
            let case = (file.clone(), title.clone());
            assert!(known.contains(&case), "{file}.md has no case \"{title}\"");
        }
    }
    assert!(patterns.len() > 30, "{} rows", patterns.len());
}
