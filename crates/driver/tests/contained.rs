//! What runs of the programs in `suites/run` saw is contained in the facts about them.
//!
//! `cargo xtask facts contained` compares larger programs, and all of these. The test takes every
//! few of the programs.

mod containment;
mod source;

use std::path::{Path, PathBuf};

use caulk_driver::{FactOptions, Meter, WholeProgram};
use caulk_flow::{DEFAULT_LIMIT, Flow, Precision, Reachability};
use caulk_interp::{Budgets, RunOptions, Uninitialised, Unknown};
use caulk_models::Models;
use caulk_program::LinkUnit;
use containment::{Checker, Claims, Report};
use source::module;

/// Instructions of each run.
const STEPS: u64 = 20_000;
/// Every so many programs; `CAULK_CONTAINED=all` takes them all, `=NAME` those of that name.
const EVERY: usize = 3;
/// Blocks from one look at the holders to the next.
const SAMPLE: u64 = 7;
const EXCEPTIONS: &str = include_str!("containment/exceptions.txt");

#[test]
fn runs_are_contained() {
    let mut report = Report::default();
    for file in programs() {
        report.merge(check(&file));
    }
    println!("{report}");
    let is_known = |text: &&String| !exceptions().any(|(start, _)| text.contains(start));
    let unexpected: Vec<&String> = report.violations.iter().filter(is_known).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    for (start, reason) in exceptions() {
        let needed = report.violations.iter().any(|text| text.contains(start));
        assert!(needed || !is_everything_run(), "{start} agrees now: remove it ({reason})");
    }
    assert!(*report.count("accesses") > 2_000, "too little was compared");
}

/// `START: reason` lines, and comments.
fn exceptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = EXCEPTIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(" | ").expect("a place, a bar and a reason"))
}

fn is_everything_run() -> bool {
    std::env::var_os("CAULK_CONTAINED").is_some_and(|it| it == "all")
}

fn programs() -> Vec<PathBuf> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/run");
    let mut files = Vec::new();
    for folder in [suite.clone(), suite.join("leaks")] {
        let entries = std::fs::read_dir(folder).expect("a readable folder");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.extension().is_some_and(|it| it == "c"));
    files.sort();
    match std::env::var("CAULK_CONTAINED").as_deref() {
        Err(_) => files.into_iter().step_by(EVERY).collect(),
        Ok("all") => files,
        Ok(name) => {
            files.retain(|path| path.to_string_lossy().contains(name));
            files
        }
    }
}

fn check(file: &Path) -> Report {
    let Some(module) = module(file) else { return Report::default() };
    let modules = vec![module];
    let stdin = std::fs::read(file.with_extension("stdin")).unwrap_or_default();
    let options = RunOptions {
        stdin,
        budgets: Budgets {
            steps: if is_everything_run() { 20 * STEPS } else { STEPS },
            ..Budgets::default()
        },
        unknown: Unknown::Havoc,
        uninitialised: Uninitialised::Report,
        ..RunOptions::default()
    };
    let run = caulk_interp::Program::link(modules.clone()).expect("programs of the suite link");
    let unit = |module| LinkUnit { module, target: None };
    let units = modules.into_iter().map(unit).collect();
    let meter = Meter::NONE;
    let whole = WholeProgram::new(units, &Models::bundled(), &FactOptions::default(), meter);
    let memory = whole.memory();
    let flow = Flow::new(&memory);
    let reachability = Reachability::new(&flow, Precision::Full, DEFAULT_LIMIT);
    let claims = Claims::new(&flow, &reachability);
    let mut checker = Checker::new(&run, &whole, &memory, Some(claims));
    let mut see = |event: &caulk_interp::Event| checker.see(event);
    let options =
        RunOptions { events: Some(&mut see), watch_heap: true, sample: Some(SAMPLE), ..options };
    caulk_interp::run(&run, options);
    checker.report
}
