//! `cargo xtask lab mutate compare`: engines and peers on mutants, and how they did.

use super::mutant::{self, Mutant, Plant};
use super::score::{self, Tallies, Tally};
use super::target::Target;
use super::tree::Tree;
use crate::lab::findings::write_record;
use crate::lab::options::Options;
use crate::lab::peers::{self, Examined, Peer};
use crate::lab::runnable::score::Report;
use crate::lab::runnable::{self, write_scores};
use crate::process_tree::Limits;
use crate::show;
use crate::tools::{commit, today};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// The name of all planted defects together, in scores.
const SUITE: &str = "planted";

/// What is kept of a mutant: all but the text, which belongs to the program. The same seed and
/// count give the same mutants.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    file: &'a str,
    function: &'a str,
    line: u32,
    plant: Plant,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
    /// Per tool, whether it was found, and new findings elsewhere.
    tools: BTreeMap<&'a str, Outcome>,
}

#[derive(Serialize)]
struct Outcome {
    found: bool,
    elsewhere: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_answer: bool,
}

/// Runs `cargo xtask lab mutate compare FILE…` with these further arguments.
pub fn run(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let options = Options::parse(arguments, &["engine", "peer", "seconds", "jobs"])?;
    let mut mutants = Vec::new();
    for file in &options.names {
        mutants.extend(mutant::read(Path::new(file))?);
    }
    if mutants.is_empty() {
        return Err(super::usage());
    }
    let tools = peers::tools(checkout, &options)?;
    let (limits, _) = peers::limits(&options)?;
    let mut reports = Vec::new();
    for name in programs(&mutants) {
        let of_program: Vec<&Mutant> = mutants.iter().filter(|m| m.program == name).collect();
        let told = looked_at(checkout, &of_program, &tools, limits)?;
        record(checkout, name, &of_program, &told)?;
        reports.extend(told.into_iter().map(|(report, _)| report));
    }
    let tallies = score::score(&mutants, &reports);
    show(&score::table(&tallies));
    write_scores(checkout, SUITE, &rows(checkout, &mutants, &reports))?;
    Ok(ExitCode::SUCCESS)
}

/// Each once, in order.
fn programs(mutants: &[Mutant]) -> Vec<&str> {
    let mut names: Vec<&str> = mutants.iter().map(|mutant| mutant.program.as_str()).collect();
    names.dedup();
    names
}

/// A report, and whether the tool came to an end.
type Told = (Report, bool);

/// What each tool that is there says about a program and about each of its mutants.
fn looked_at(
    checkout: &Path,
    mutants: &[&Mutant],
    tools: &[Box<dyn Peer>],
    limits: Limits,
) -> Result<Vec<Told>, String> {
    let Some(first) = mutants.first() else { return Ok(Vec::new()) };
    let target = Target::open(checkout, &first.program)?;
    let mut tree = Tree::new(checkout, &target, limits)?;
    let mut told = Vec::new();
    let mut there: Vec<&dyn Peer> = Vec::new();
    for tool in tools {
        match tool.version() {
            Ok(_) => there.push(tool.as_ref()),
            Err(reason) => eprintln!("{} is missing: {reason}", tool.name()),
        }
    }
    for tool in &there {
        told.push(report(*tool, &first.program, tree.before(*tool, mutants)?));
    }
    for mutant in mutants {
        eprintln!("{} {} …", mutant.id, mutant.plant.name());
        tree.with(mutant, |tree| {
            for tool in &there {
                let examined = tree.examine(*tool, &[&mutant.file])?;
                told.push(report(*tool, &mutant.id, examined));
            }
            Ok(())
        })?;
    }
    Ok(told)
}

fn report(tool: &dyn Peer, program: &str, examined: Examined) -> Told {
    let is_answer = examined.timed_out + examined.failed == 0;
    let (tool, program) = (tool.name().to_string(), program.to_string());
    (Report { tool, program, findings: examined.findings }, is_answer)
}

/// Writes `lab/results/planted/PROGRAM.json`.
fn record(checkout: &Path, name: &str, mutants: &[&Mutant], told: &[Told]) -> Result<(), String> {
    let rows: Vec<Row> = mutants.iter().map(|mutant| row(mutant, told)).collect();
    let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|e| e.to_string())?.join(",\n");
    let head = format!("\"commit\":{:?},\"date\":{:?}", commit(checkout)?, today()?);
    let text = format!("{{{head},\"mutants\":[\n{lines}\n]}}\n");
    write_record(checkout, &format!("{SUITE}/{name}.json"), &text)
}

fn row<'a>(mutant: &'a Mutant, told: &'a [Told]) -> Row<'a> {
    let reports: Vec<&Report> = told.iter().map(|(report, _)| report).collect();
    let of_mutant = told.iter().filter(|(report, _)| report.program == mutant.id);
    let outcome = |(report, is_answer): &'a Told| {
        let Tally { found, elsewhere, .. } = score::one(mutant, report, &reports);
        let outcome = Outcome { found: found > 0, elsewhere, no_answer: !is_answer };
        (report.tool.as_str(), outcome)
    };
    Row {
        id: &mutant.id,
        file: &mutant.file,
        function: &mutant.function,
        line: mutant.line,
        plant: mutant.plant,
        confirmed: mutant.confirmed,
        tools: of_mutant.map(outcome).collect(),
    }
}

/// The rows of the page: all programs together, and each; those of `suites/lab` are one.
fn rows(checkout: &Path, mutants: &[Mutant], reports: &[Report]) -> Vec<Value> {
    let folder = runnable::folder(checkout);
    let group = |mutant: &Mutant| match folder.join(format!("{}.c", mutant.program)).is_file() {
        true => runnable::SUITE.to_string(),
        false => mutant.program.clone(),
    };
    let mut groups: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants {
        groups.entry(group(mutant)).or_default().push(mutant.clone());
    }
    let mut rows = score_rows("all", &score::score(mutants, reports));
    for (name, of_group) in &groups {
        rows.extend(score_rows(name, &score::score(of_group, reports)));
    }
    rows
}

/// Records that the page of the lab reads.
pub fn score_rows(program: &str, tallies: &Tallies) -> Vec<Value> {
    let row = |((tool, is_confirmed), tally): (&(String, bool), &Tally)| {
        let which = if *is_confirmed { "confirmed" } else { "unconfirmed" };
        let suite = format!("{SUITE}, {which}");
        let Tally { found, of, elsewhere } = tally;
        serde_json::json!({ "suite": suite, "tool": tool, "program": program, "defects": of,
            "found": found, "false": elsewhere })
    };
    tallies.iter().map(row).collect()
}
