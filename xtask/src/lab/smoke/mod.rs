//! `cargo xtask lab smoke`: the part of the lab that runs on every change. Ten programs must have
//! the truth that is recorded, five recorded mutants must still fit, compile and be confirmed, the
//! engine must do on all of them at least as well as recorded, and a program out of a crate must be
//! analysed without error.

mod engine;
mod outcome;

use super::mutate;
use super::runnable;
use super::runnable::measure::Lab;
use std::path::Path;
use std::process::ExitCode;

pub const USAGE: &str = "\
cargo xtask lab smoke                 ten programs and five mutants, measured again; the engine on
                                      them, and on a program out of a crate
cargo xtask lab smoke --record        … records how the engine does, in suites/lab/engine.json";

/// One of each subject.
const PROGRAMS: &[&str] = &[
    "cleanup_attribute",
    "csv_column",
    "double_free_status",
    "expression_tree",
    "goto_fail_labels",
    "hash_replace",
    "matrix_power",
    "owner_registry",
    "refcount_lookup",
    "string_builder",
];

/// Runs `cargo xtask lab smoke` with these further arguments.
pub fn run(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let names: Vec<String> = PROGRAMS.iter().map(|name| name.to_string()).collect();
    match arguments {
        [] => {}
        [word] if word == "--record" => return engine::record(checkout, &names),
        _ => return Err(format!("usage:\n{USAGE}")),
    }
    // valgrind costs most of the time, and none of these programs needs it.
    let lab = Lab { has_valgrind: false, ..Lab::open(checkout)? };
    let programs = runnable::check(lab, checkout, &names)?;
    let mutants = mutate::check(checkout)?;
    let engine = engine::check(checkout, &names)?;
    let is_good = [programs, mutants, engine].iter().all(|code| *code == ExitCode::SUCCESS);
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
