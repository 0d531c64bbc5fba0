//! `caulk stats`.

use std::sync::Arc;

use caulk_driver::{Measured, Setting, Slices, Stages, statistics};
use caulk_finding::{Section, Verdicts};
use caulk_report::{printable, statistics_json, wrappers};

use crate::args::{FailOn, StatsArgs, StatsFormat};
use crate::config::Config;
use crate::exit::{Exit, Failure};
use crate::judging::Run;
use crate::output;
use crate::program;
use crate::session::processors;
use crate::terminal::complain;

pub fn stats(args: &StatsArgs) -> Result<Exit, Failure> {
    let judge = args.engine.map(caulk_driver::Engine::judge);
    let knowledge = Arc::new(Config::of(&args.config)?.knowledge(&args.knowledge)?);
    let read = program::read(&args.input, args.quiet, None)?;
    let mut results = read.results;
    let judged = judge.and_then(|judge| {
        let threads = args.input.jobs.unwrap_or_else(processors);
        let memory = args.input.memory.map(|mebibytes| mebibytes << 20);
        let setting =
            Setting { meter: program::METER, cancel: read.cancel.clone(), summaries: None };
        let run = Run { judge, setting: &setting, quiet: args.quiet, threads, memory };
        run.over(read.units.clone(), knowledge.clone(), &mut results)
    });
    let mut whole = program::facts(read.units, &knowledge.models, read.front_end);
    let rows = std::mem::take(&mut whole.stages);
    let mut stages = Stages { meter: program::METER, rows };
    let memory = stages.run("memory", || whole.memory());
    let slices = stages.run("flow", || Slices::new(&memory));
    program::tell_give_ups(&whole);
    // The engine links for itself; its own stage and the parts of it are its last.
    let known = |name| stages.rows.iter().any(|row| row.name == name);
    let engine = judged.iter().flat_map(|judged| &judged.stages);
    let engine: Vec<Measured> = engine.filter(|row| !known(row.name)).cloned().collect();
    stages.rows.extend(engine);
    let mut numbers = statistics(&whole, &memory, &slices, &stages.rows);
    numbers.sections.extend(judged.into_iter().flat_map(|judged| sections(judged.verdicts)));
    let text = match (args.format, args.wrappers) {
        (StatsFormat::Json, _) => statistics_json(&numbers),
        (StatsFormat::Text, true) => wrappers(&numbers.wrappers),
        (StatsFormat::Text, false) => caulk_report::statistics(&numbers),
    };
    output::write(args.output.as_deref(), &text)?;
    if !args.quiet {
        for row in results.incomplete.iter().filter(|row| row.what.is_input()) {
            complain(&format!("caulk: {}", printable(&row.to_string())));
        }
    }
    Ok(Exit::of(&results, FailOn::Low))
}

/// The sites by class, and the tables of the engine's paper.
fn sections(verdicts: Verdicts) -> Vec<Section> {
    let results = caulk_finding::Results { sites: verdicts.sites, ..Default::default() };
    let rows = results.classes().into_iter();
    let rows = rows.map(|(class, sites)| (class, u64::try_from(sites).unwrap_or(u64::MAX)));
    let classes = Section { title: "Allocation sites by class", rows: rows.collect() };
    let classes = Some(classes).filter(|section| !section.rows.is_empty());
    classes.into_iter().chain(verdicts.statistics).collect()
}
