//! The engine, case by case: `suites/guarded_flow/*.md` holds prose, C, and what each
//! configuration says: `fastcheck`, `saber`, `improved`; a word with a switch in it, as in
//! `saber loops=2`, changes that switch. `CAULK_BLESS=1` writes them anew.
//!
//! Marks are comments in the C text, at the allocation: `leak` and `double-free` where there is
//! one, `FP(saber)` where an engine reports what is none, and `FN(fastcheck)` where it misses one.
//! An engine that errs without a mark fails, and so does a mark without an error.

use std::cell::RefCell;
use std::fmt::Write;

use caulk_driver::WholeProgram;
use caulk_finding::{Location, Verdicts};
use caulk_guarded_flow::{Class, Configuration, Input, Solving, check};
use caulk_ir::Module;
use caulk_testkit::suite::{self, Case};

fn verdicts(modules: Vec<Module>, configuration: &Configuration) -> Verdicts {
    let whole = WholeProgram::of(modules);
    let memory = whole.memory();
    let input = Input { memory: &memory, wrappers: &whole.wrappers, calls: &whole.calls };
    check(input, configuration)
}

fn configuration(fence: &str) -> Configuration {
    let mut words = fence.split(' ');
    let mut configuration = match words.next() {
        Some("fastcheck") => Configuration::fastcheck(),
        Some("saber") => Configuration::saber(),
        Some("improved") => Configuration::saber_improved(),
        _ => panic!("nothing is called {fence}"),
    };
    for word in words {
        set(&mut configuration, word);
    }
    configuration
}

fn set(configuration: &mut Configuration, word: &str) {
    match word.split_once('=') {
        Some(("show", class)) => configuration.show.extend(Class::of_id(class)),
        _ => configuration.set(word).expect("a switch"),
    }
}

fn line(location: &Location) -> String {
    let line = location.range.map_or(0, |range| range.start.line);
    format!("{}:{line}", location.path.display())
}

fn shown(verdicts: &Verdicts) -> String {
    let mut text = String::new();
    for site in &verdicts.sites {
        let place = line(&site.location);
        let _ = writeln!(text, "{place} {} in {}: {}", site.callee, site.function, site.class);
    }
    for finding in &verdicts.findings {
        let (place, kind) = (line(&finding.primary), finding.kind.id());
        let confidence = finding.confidence.id();
        let _ = writeln!(text, "{place}: {kind} ({confidence}): {}", finding.message);
        for step in finding.path.iter().skip(1) {
            let place = line(&step.location);
            let _ = writeln!(text, "  {place} {}: {}", step.role.id(), step.message);
        }
    }
    text
}

#[test]
fn every_case_is_judged_as_its_snapshot_says() {
    suite::check("guarded_flow", 30, |case, fence| {
        shown(&verdicts(case.modules(), &configuration(fence)))
    });
}

/// What a line of the C text says about an engine.
fn is_reported(text: &str, engine: &str) -> bool {
    let has = |mark: &str| text.contains(mark);
    let errs = |mark: &str| has(&format!("{mark}({engine})"));
    let is_leak = has("// leak") || has("// double-free");
    if is_leak { !errs("FN") } else { errs("FP") }
}

#[test]
fn marks_agree_with_findings() {
    let wrong = RefCell::new(String::new());
    for_each_case(|case| {
        for engine in ["fastcheck", "saber", "improved"] {
            let found = verdicts(case.modules(), &configuration(engine));
            let mut places: Vec<String> =
                found.findings.iter().map(|finding| line(&finding.primary)).collect();
            places.sort();
            places.dedup();
            let mut marked: Vec<String> = Vec::new();
            for (name, text) in &case.files {
                let rows = text.lines().enumerate().filter(|(_, row)| is_reported(row, engine));
                marked.extend(rows.map(|(at, _)| format!("{name}:{}", at + 1)));
            }
            marked.sort();
            if places != marked {
                let _ = writeln!(
                    wrong.borrow_mut(),
                    "{}: {engine} reports {places:?}, marked {marked:?}",
                    case.title
                );
            }
        }
    });
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "{wrong}");
}

fn for_each_case(visit: impl Fn(&Case)) {
    let visited = |case: &Case, fence: &str| {
        if case.snapshots.first().is_some_and(|it| it.0 == fence) {
            visit(case);
        }
        let same = case.snapshots.iter().find(|it| it.0 == fence);
        same.map(|it| it.1.clone()).unwrap_or_default()
    };
    suite::check("guarded_flow", 30, visited);
}

/// SAT and BDD: the same classes, findings and witnesses, for every configuration.
#[test]
fn solvers_agree_on_every_query() {
    for_each_case(|case| {
        for engine in ["fastcheck", "saber", "improved"] {
            let with = |solving| {
                let configuration = Configuration { solving, ..configuration(engine) };
                shown(&verdicts(case.modules(), &configuration))
            };
            assert_eq!(with(Solving::Sat), with(Solving::Bdd), "{}", case.title);
        }
    });
}

#[test]
fn threads_and_the_order_of_files_do_not_matter() {
    for_each_case(|case| {
        for engine in ["fastcheck", "improved"] {
            let alone = shown(&verdicts(case.modules(), &configuration(engine)));
            let configuration = Configuration { threads: 4, ..configuration(engine) };
            let mut modules = case.modules();
            modules.reverse();
            assert_eq!(alone, shown(&verdicts(modules, &configuration)), "{}", case.title);
        }
    });
}
