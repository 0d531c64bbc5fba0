//! The engine, case by case: `suites/summary/*.md` holds prose, C, and what the engine says of it:
//! `summary` blocks hold summaries, `findings` blocks verdicts. A word behind the fence changes a
//! switch, as in `findings loops-run=off`. `CAULK_BLESS=1` writes the blocks anew.

use std::fmt::Write;

use caulk_finding::{Location, Verdicts};
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_summary::{Input, Options, check, print, summarise_all};
use caulk_testkit::suite::{self, Case};

fn options(words: &str) -> Options {
    let mut options = Options::default();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        let (name, value) = word.split_once('=').expect("a switch and its value");
        set(&mut options, name, value);
    }
    options
}

fn set(options: &mut Options, name: &str, value: &str) {
    let on = value == "on";
    match name {
        "one-global" => options.one_global = on,
        "some-path-escapes" => options.some_path_escapes = on,
        "explore" => options.explore = value.parse().expect("a number"),
        "allocating-exits" => options.allocating_exits = on,
        "tied-results" => options.tied_results = on,
        "exits-by-way" => options.exits_by_way = on,
        "loops-run" => options.loops_run = on,
        "names" => options.names = on,
        "free-all" => options.free_all = on,
        "members-only" => options.members_only = on,
        "input-stays-visible" => options.input_stays_visible = on,
        "confirm" => options.confirm = on,
        "counts-stay" => options.counts_stay = on,
        "null-means-failed" => options.null_means_failed = on,
        "steps" => options.budget.steps = value.parse().expect("a number"),
        _ => panic!("no switch is called {name}"),
    }
}

fn line(location: &Location) -> String {
    let line = location.range.map_or(0, |range| range.start.line);
    format!("{}:{line}", location.path.display())
}

fn shown(verdicts: &Verdicts) -> String {
    let mut text = String::new();
    for finding in &verdicts.findings {
        let (place, kind) = (line(&finding.primary), finding.kind.id());
        let confidence = finding.confidence.id();
        let _ = writeln!(text, "{place}: {kind} ({confidence}): {}", finding.message);
        for step in finding.path.iter().skip(1) {
            let place = line(&step.location);
            let _ = writeln!(text, "  {place} {}: {}", step.role.id(), step.message);
        }
    }
    for row in &verdicts.incomplete {
        let _ = writeln!(text, "incomplete: {row}");
    }
    if text.is_empty() {
        text.push_str("nothing\n");
    }
    text
}

fn said(case: &Case, fence: &str) -> String {
    let unit = |module| LinkUnit { module, target: None };
    let program = link(case.modules().into_iter().map(unit).collect());
    let externals = ExternalModels::new(&program, &Models::bundled());
    let calls = DirectCalls::new(&program);
    let input = Input {
        program: &program,
        externals: &externals,
        calls: &calls,
        entries: &Entries::new(&program, &calls),
        indirect: &indirect_targets(&program),
        store: None,
    };
    let (what, words) = fence.split_once(' ').unwrap_or((fence, ""));
    match what {
        "summary" => print(&program, &summarise_all(input, &options(words)), None),
        "findings" => shown(&check(input, &options(words))),
        _ => panic!("nothing is called {fence}"),
    }
}

#[test]
fn every_case_is_as_its_snapshot_says() {
    suite::check("summary", 27, said);
}

/// What a line of the C text says about the engine.
fn is_reported(text: &str) -> bool {
    let is_leak = text.contains("// leak") || text.contains("// double-free");
    if is_leak { !text.contains("FN(sparrow)") } else { text.contains("FP(sparrow)") }
}

#[test]
fn marks_agree_with_findings() {
    let mut wrong = String::new();
    for (file, case) in suite::cases("summary") {
        let told = said(&case, "findings");
        let places = told.lines().filter(|row| !row.starts_with([' ', 'i', 'n']));
        let mut places: Vec<&str> = places.filter_map(|row| row.split(": ").next()).collect();
        places.sort_unstable();
        places.dedup();
        let mut marked: Vec<String> = Vec::new();
        for (name, text) in &case.files {
            let rows = text.lines().enumerate().filter(|(_, row)| is_reported(row));
            marked.extend(rows.map(|(at, _)| format!("{name}:{}", at + 1)));
        }
        marked.sort();
        if places != marked {
            let _ =
                writeln!(wrong, "{file}: {}: reported {places:?}, marked {marked:?}", case.title);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
