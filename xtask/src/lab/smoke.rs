//! `cargo xtask lab smoke`: the part of the lab that runs on every change. Ten programs must have
//! the truth that is recorded, and five recorded mutants must still fit, compile and be confirmed.

use super::mutate;
use super::runnable;
use super::runnable::measure::Lab;
use std::path::Path;
use std::process::ExitCode;

pub const USAGE: &str = "\
cargo xtask lab smoke                 ten programs and five mutants, measured again";

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

/// Runs `cargo xtask lab smoke`.
pub fn run(checkout: &Path, _: &[String]) -> Result<ExitCode, String> {
    let names: Vec<String> = PROGRAMS.iter().map(|name| name.to_string()).collect();
    // valgrind costs most of the time, and none of these programs needs it.
    let lab = Lab { has_valgrind: false, ..Lab::open(checkout)? };
    let programs = runnable::check(lab, checkout, &names)?;
    let mutants = mutate::check(checkout)?;
    let is_good = programs == ExitCode::SUCCESS && mutants == ExitCode::SUCCESS;
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
