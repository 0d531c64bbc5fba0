//! `cargo xtask facts`: the facts of whole programs, examined.

mod contained;
mod points_to;
mod solvers;

use std::path::Path;
use std::process::ExitCode;

pub const USAGE: &str = "\
cargo xtask facts contained [NAME…]   what runs of real programs do is among what the facts allow
cargo xtask facts points-to [NAME…]   the fast solver equals the naive one, unification contains both
cargo xtask facts solvers NAME…       SAT and BDD agree on all that fastcheck and saber ask";

/// Runs `cargo xtask facts` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    match arguments.split_first() {
        Some((word, rest)) if word == "contained" => contained::main(checkout, rest),
        Some((word, rest)) if word == "points-to" => points_to::main(checkout, rest),
        Some((word, rest)) if word == "solvers" => solvers::main(checkout, rest),
        _ => Err(format!("usage:\n{USAGE}")),
    }
}
