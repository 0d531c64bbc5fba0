//! `cargo xtask bench front-end`: what caulk's reading, checking and lowering costs, beside
//! `gcc -fsyntax-only` on the same units in the same run.
//!
//! `run` measures, `record` is what was measured, `page` tells it. The page is made from the
//! record alone, so that it can be written anew without measuring again.

mod edited;
mod facts;
mod page;
mod product;
pub mod record;
pub mod run;
pub mod stages;
mod symbolic;

use crate::tools::{build_caulk, commit, compiler_version, today, write_result};
use crate::{corpus, show};
use record::Record;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub const USAGE: &str = "\
cargo xtask bench front-end [--rounds N] [NAME…]
                                      caulk beside gcc; without names, records the result
cargo xtask bench facts [--rounds N] [NAME…]
                                      facts of whole programs beside gcc -O0 -c; without names,
                                      records the result
cargo xtask bench product [--rounds N] NAME…
                                      what all formats add to a run, what a second run costs and
                                      reads; records the result
cargo xtask bench symbolic            growth of the symbolic engine with loops and branches, recorded
cargo xtask bench page                writes docs/results/front-end.md from the record anew";

/// Rounds unless told otherwise; each figure is the least of its rounds.
const ROUNDS: usize = 2;
const RECORD: &str = "front-end.json";
const PAGE: &str = "front-end.md";

/// Runs `cargo xtask bench` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["front-end", "--rounds", rounds, ..] => {
            let rounds = rounds.parse().map_err(|_| format!("no number of rounds: {rounds}"))?;
            front_end(checkout, &arguments[3..], rounds)
        }
        ["front-end", ..] => front_end(checkout, &arguments[1..], ROUNDS),
        ["facts", "--rounds", rounds, ..] => {
            let rounds = rounds.parse().map_err(|_| format!("no number of rounds: {rounds}"))?;
            facts::main(checkout, &arguments[3..], rounds)
        }
        ["facts", ..] => facts::main(checkout, &arguments[1..], ROUNDS),
        ["product", "--rounds", rounds, ..] => {
            let rounds = rounds.parse().map_err(|_| format!("no number of rounds: {rounds}"))?;
            product::main(checkout, &arguments[3..], rounds)
        }
        ["product", ..] => product::main(checkout, &arguments[1..], ROUNDS),
        ["symbolic"] => symbolic::main(checkout),
        ["page"] => rewrite_page(checkout),
        _ => Err(format!("usage:\n{USAGE}")),
    }
}

fn front_end(checkout: &Path, names: &[String], rounds: usize) -> Result<ExitCode, String> {
    let choice = corpus::choose(checkout, names)?;
    let caulk = build_caulk(checkout)?;
    let mut record = Record {
        date: today()?,
        commit: commit(checkout)?,
        gcc: compiler_version("gcc")?,
        processors: std::thread::available_parallelism().map_or(1, |n| n.get()),
        rounds: rounds.max(1),
        programs: Vec::new(),
    };
    for program in &choice.programs {
        record.programs.push(run::measure(&caulk, program, record.rounds)?);
    }
    show(&page::body(&record));
    if choice.is_all {
        let json = serde_json::to_string_pretty(&record).map_err(|e| e.to_string())?;
        write_result(checkout, RECORD, &(json + "\n"))?;
        write_result(checkout, PAGE, &page::page(&record))?;
    }
    Ok(if page::all_met(&record) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn rewrite_page(checkout: &Path) -> Result<ExitCode, String> {
    let file: PathBuf = checkout.join("docs/results").join(RECORD);
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(&file).map_err(|e| told(&e))?;
    let record: Record = serde_json::from_str(&text).map_err(|e| told(&e))?;
    write_result(checkout, PAGE, &page::page(&record))?;
    Ok(ExitCode::SUCCESS)
}
