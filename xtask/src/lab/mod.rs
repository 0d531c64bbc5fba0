//! `cargo xtask lab`: where caulk stands beside its peers, in figures that anybody can repeat.
//!
//! Every command but `report` measures something and records it as JSON in `lab/results`; the page
//! `docs/results/index.md` is made from these records alone. What the words on the page mean is
//! told in `docs/lab.md`.

mod findings;
mod mutate;
mod options;
mod peers;
mod replay;
mod report;
mod review;
mod runnable;
mod sarif;
mod smoke;
mod speed;
mod subject;

use crate::corpus;
use std::path::Path;
use std::process::ExitCode;

pub const USAGE: &str = "\
cargo xtask lab fetch NAME…|--all     as `corpus fetch`
cargo xtask lab peers PROGRAM… [--peer gcc|clang|cppcheck|svf]… [--jobs N] [--seconds N] [--units N]
                                      what other analysers find, and what it costs them
cargo xtask lab peers install svf     puts SVF's saber beside the corpus
cargo xtask lab engine E PROGRAM… [--jobs N] [--seconds N] [--units N]
                                      what an engine of caulk finds, and what it costs
                                      (for both, `runnable` is a program: all of suites/lab)
cargo xtask lab speed PROGRAM… [--engine E] [--rounds N]
                                      caulk's time and memory beside gcc's, growth, instructions
cargo xtask lab replay E PROGRAM…      what running an engine's findings shows
cargo xtask lab sample --engine E --seed S --count N [--half tuning|test] [--high N] [--most N]
                                      draws findings to be reviewed: docs/results/review-E.md
cargo xtask lab blind E FILE          writes the review without verdicts, for a second reader
cargo xtask lab merge E FILE          takes the second reader's verdicts over
cargo xtask lab precision             shares of true findings, from all reviews
cargo xtask lab report                writes docs/results/index.md from lab/results";

/// Runs `cargo xtask lab` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let (command, rest) = arguments.split_first().ok_or_else(usage)?;
    match command.as_str() {
        "fetch" => corpus::main(checkout, arguments),
        "peers" => peers::main(checkout, rest),
        "engine" => peers::engine(checkout, rest),
        "speed" => speed::main(checkout, rest),
        "replay" => replay::main(checkout, rest),
        "sample" => review::sample(checkout, rest),
        "blind" => review::blind(checkout, rest),
        "merge" => review::merge(checkout, rest),
        "precision" => review::precision(checkout, rest),
        "report" => report::main(checkout, rest),
        "runnable" => runnable::run(checkout, rest),
        "mutate" => mutate::run(checkout, rest),
        "smoke" => smoke::run(checkout, rest),
        _ => Err(usage()),
    }
}

fn usage() -> String {
    let usages = [USAGE, runnable::USAGE, mutate::USAGE, smoke::USAGE];
    format!("usage:\n{}", usages.join("\n"))
}
