//! `cargo xtask execution`: real programs do the same natively and in the interpreter.
//!
//! `suites/programs/programs.toml` lists the programs, which are those of the corpus, and the cases
//! to run. Every difference must stand in `suites/programs/exceptions.txt`, and every line there
//! must be true. Beside that, each allocation of some cases fails once, and Lua measures speed and
//! memory.

pub mod build;
mod failures;
pub mod inputs;
mod page;
mod run;
mod speed;
pub mod suite;

use crate::tools::{Scratch, build_caulk, write_result};
use crate::{corpus, show};
use build::Built;
use failures::Injection;
use run::{Comparison, Runner};
use speed::{Figures, LUA};
use std::path::Path;
use std::process::ExitCode;
use suite::{Program, Suite};

pub const USAGE: &str = "\
cargo xtask execution [NAME…|--all]   real programs, natively and interpreted; all writes the page";

/// What was found out about one program.
struct Row {
    name: String,
    version: String,
    comparisons: Vec<Comparison>,
    injections: Vec<Injection>,
    figures: Option<Figures>,
}

/// Runs `cargo xtask execution` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let suite = Suite::read(&checkout.join("suites/programs"))?;
    let chosen = suite.choose(arguments)?;
    let names: Vec<String> = chosen.iter().map(|program| program.name.clone()).collect();
    let sources = corpus::choose(checkout, &names)?.programs;
    let caulk = build_caulk(checkout)?;
    let scratch = Scratch::new("execution")?;
    let runner = Runner { caulk: &caulk, folder: inputs::prepare(&suite.folder, &scratch)? };
    let mut rows = Vec::new();
    for program in chosen {
        let source = sources.iter().find(|source| source.name == program.name);
        let source = source.ok_or(format!("{} is not in the corpus", program.name))?;
        let built = build::build(program, source, &suite.folder, &scratch)?;
        rows.push(examine(program, &built, &runner)?);
    }
    let page = page::body(&rows, &suite.exceptions);
    show(&page.text);
    if chosen_all(arguments) {
        write_result(checkout, "execution.md", &page::page(checkout, &page)?)?;
    }
    Ok(if page.is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn chosen_all(arguments: &[String]) -> bool {
    arguments.iter().all(|word| word == "--all")
}

fn examine(program: &Program, built: &Built, runner: &Runner) -> Result<Row, String> {
    let comparisons = run::compare_all(program, built, runner)?;
    let injections = failures::inject_all(program, built, runner)?;
    let figures = match program.name == LUA {
        true => Some(speed::measure(built, runner)?),
        false => None,
    };
    let (name, version) = (program.name.clone(), built.version.clone());
    Ok(Row { name, version, comparisons, injections, figures })
}
