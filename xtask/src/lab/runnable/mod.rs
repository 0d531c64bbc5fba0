//! `cargo xtask lab runnable`: small programs whose truth is measured by running them.
//!
//! `suites/lab/*.c` say nothing about their defects. What leaks is the union, over the inputs in
//! each header, of what LeakSanitizer, valgrind and caulk's interpreter see; gcov tells which lines
//! no input reached, and those are not scored. `suites/lab/truth.json` keeps the result.

mod coverage;
pub mod frames;
pub mod interpreted;
pub mod measure;
pub mod native;
pub mod program;
pub mod score;
pub mod truth;

use crate::lab::findings::{Findings, read_all, write_record};
use crate::tools::Scratch;
use crate::{show, workers};
use measure::Lab;
use program::Program;
use score::Report;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use truth::{Kind, Truth, Truths};

pub const USAGE: &str = "\
cargo xtask lab runnable --truth [NAME…]   run the programs of suites/lab, write truth.json
cargo xtask lab runnable --check [NAME…]   the same, but compare with truth.json
cargo xtask lab runnable --score [FILE…]   findings against the truth, per tool; without files those
                                           recorded by `lab engine E runnable`, `lab peers runnable`
cargo xtask lab runnable --list TOOL       what the recorded tool missed, and what it says wrongly";

/// The name of all programs together, in findings and scores.
pub const SUITE: &str = "runnable";

/// Runs `cargo xtask lab runnable` with these further arguments.
pub fn run(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    match arguments.split_first() {
        Some((word, names)) if word == "--truth" => write_truth(checkout, names),
        Some((word, names)) if word == "--check" => check(Lab::open(checkout)?, checkout, names),
        Some((word, files)) if word == "--score" => score(checkout, files),
        Some((word, [tool])) if word == "--list" => list(checkout, tool),
        _ => Err(format!("usage:\n{USAGE}")),
    }
}

pub fn folder(checkout: &Path) -> PathBuf {
    checkout.join("suites/lab")
}

pub fn truth_file(checkout: &Path) -> PathBuf {
    folder(checkout).join("truth.json")
}

/// Named programs replace what the file says about them; without names all of it is new.
fn write_truth(checkout: &Path, names: &[String]) -> Result<ExitCode, String> {
    let measured = measure_all(&Lab::open(checkout)?, checkout, names)?;
    let file = truth_file(checkout);
    let mut truths = if names.is_empty() { Truths::new() } else { truth::read(&file)? };
    truths.extend(measured);
    let written = std::fs::write(&file, truth::text(&truths)?);
    written.map_err(|e| format!("{}: {e}", file.display()))?;
    show(&summary(&truths));
    Ok(ExitCode::SUCCESS)
}

/// Recomputes, and tells what differs from the file.
pub fn check(lab: Lab, checkout: &Path, names: &[String]) -> Result<ExitCode, String> {
    let recorded = truth::read(&truth_file(checkout))?;
    let measured = measure_all(&lab, checkout, names)?;
    let empty = Truth::default();
    let differ = |(name, new): (&String, &Truth)| {
        let old = recorded.get(name).unwrap_or(&empty);
        (facts(old) != facts(new))
            .then(|| format!("{name}: {:?}\n  is now {:?}\n", facts(old), facts(new)))
    };
    let differences: Vec<String> = measured.iter().filter_map(differ).collect();
    show(&differences.concat());
    show(&format!("{} programs, {} differ from truth.json\n", measured.len(), differences.len()));
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is true whichever of the tools are here, except for valgrind's own resources.
fn facts(truth: &Truth) -> Vec<(Kind, String)> {
    let defects = truth.defects.iter().filter(|defect| defect.kind != Kind::ResourceLeak);
    let spelled = |chain: &frames::Chain| {
        chain.iter().map(|frame| frame.to_string()).collect::<Vec<_>>().join(" < ")
    };
    defects.map(|defect| (defect.kind, spelled(&defect.chain))).collect()
}

fn measure_all(lab: &Lab, checkout: &Path, names: &[String]) -> Result<Truths, String> {
    let programs = program::read_all(&folder(checkout), names)?;
    let scratch = Scratch::new("runnable")?;
    let measure = |program: &Program| {
        eprintln!("{} …", program.name);
        let truth = lab.measure(program, &scratch.file(&program.name));
        truth.map(|truth| (program.name.clone(), truth))
    };
    workers::map(&programs, measure)?.into_iter().collect()
}

fn summary(truths: &Truths) -> String {
    let count = |test: &dyn Fn(&Truth) -> usize| truths.values().map(test).sum::<usize>();
    let of_kind = |kind: Kind, only_on_failure: bool| {
        count(&|truth| {
            let is_it = |d: &&truth::Defect| d.kind == kind && d.only_on_failure == only_on_failure;
            truth.defects.iter().filter(is_it).count()
        })
    };
    let is_clean = |truth: &Truth| truth.defects.iter().all(|defect| defect.only_on_failure);
    format!(
        "{} programs, {} without a defect; {} runs\n\
         sites: {} leak, {} double free, {} resource, {} kept at exit, {} clean; {} only if an \
         allocation fails\n{} lines not executed, {} with a branch not taken; {} disagreements\n",
        truths.len(),
        count(&|truth| usize::from(is_clean(truth))),
        count(&|truth| truth.runs),
        of_kind(Kind::Leak, false),
        of_kind(Kind::DoubleFree, false),
        of_kind(Kind::ResourceLeak, false),
        count(&|truth| truth.kept.len()),
        count(&|truth| truth.clean.len()),
        of_kind(Kind::Leak, true)
            + of_kind(Kind::DoubleFree, true)
            + of_kind(Kind::ResourceLeak, true),
        count(&|truth| truth.uncovered.len()),
        count(&|truth| truth.untaken.len()),
        count(&|truth| truth.disagreements.len()),
    )
}

fn score(checkout: &Path, files: &[String]) -> Result<ExitCode, String> {
    let truths = truth::read(&truth_file(checkout))?;
    let mut reports = if files.is_empty() { recorded(checkout)? } else { Vec::new() };
    for file in files {
        reports.extend(score::read(Path::new(file))?);
    }
    let scores = score::score(&truths, &reports);
    show(&score::table(&scores));
    write_scores(checkout, SUITE, &score::rows(&scores))?;
    Ok(ExitCode::SUCCESS)
}

/// What tools that are there said about the suite.
fn recorded(checkout: &Path) -> Result<Vec<Report>, String> {
    let mut records = read_all(checkout)?;
    records.retain(|record| record.program == SUITE && record.missing.is_none());
    let report = |r: Findings| Report { tool: r.tool, program: r.program, findings: r.findings };
    Ok(records.into_iter().map(report).collect())
}

fn list(checkout: &Path, tool: &str) -> Result<ExitCode, String> {
    let truths = truth::read(&truth_file(checkout))?;
    let reports = recorded(checkout)?;
    let report = reports.iter().find(|report| report.tool == tool);
    let report = report.ok_or(format!("lab/results has nothing of {tool} on {SUITE}"))?;
    show(&score::list(&truths, report));
    Ok(ExitCode::SUCCESS)
}

/// Records scores for the page of the lab.
pub fn write_scores(checkout: &Path, suite: &str, rows: &[Value]) -> Result<(), String> {
    let text = serde_json::to_string_pretty(rows).map_err(|e| e.to_string())?;
    write_record(checkout, &format!("scores/{suite}.json"), &(text + "\n"))
}
