//! `cargo xtask full`: everything that is too slow for each submission, one step after the other.
//!
//! Each step is a process of its own, so that none can take the others down, and all are run
//! whatever becomes of one.

use crate::show;
use crate::table::Table;
use crate::tools::cargo;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

pub const USAGE: &str = "\
cargo xtask full [--fuzz-seconds N]   everything slow: corpus, coverage, layouts, long fuzzing";

/// For each fuzz target, unless told otherwise.
const FUZZ_SECONDS: u64 = 60;

/// A step and the command that does it, relative to the checkout.
struct Step {
    name: String,
    command: Command,
}

/// Everything, in order.
fn steps(fuzz_seconds: u64) -> Result<Vec<Step>, String> {
    Ok(vec![
        own(&["corpus", "fetch", "--all"])?,
        own(&["coverage", "--all"])?,
        own(&["layouts", "--all"])?,
        fuzz("caulk-project", fuzz_seconds),
        fuzz("caulk-ir", fuzz_seconds),
        fuzz("caulk-lower", fuzz_seconds),
        fuzz("caulk-interp", fuzz_seconds),
        random_programs(),
        points_to_solvers(fuzz_seconds),
        second_solver(),
        own(&["facts", "points-to"])?,
        own(&["facts", "contained"])?,
        own(&["execution", "--all"])?,
    ])
}

/// Many random programs, natively and in the interpreter.
fn random_programs() -> Step {
    let mut command = cargo();
    command.args(["test", "--release", "--package", "caulk-cli", "--test", "execution"]);
    command.env("CAULK_RANDOM_PROGRAMS", "500");
    Step { name: "execution of small and random programs".to_owned(), command }
}

/// The fast and the naive points-to solver on random programs.
fn points_to_solvers(seconds: u64) -> Step {
    let mut command = cargo();
    command.args(["test", "--release", "--package", "caulk-pointer", "--test", "random", "--"]);
    command.arg("--nocapture").env("CAULK_FUZZ_SECONDS", seconds.to_string());
    Step { name: format!("both points-to solvers on random programs, {seconds} s"), command }
}

/// Z3 and the bit-blaster on every query of the suites; needs Debian's libz3-dev.
fn second_solver() -> Step {
    let mut command = cargo();
    command.args(["test", "--release", "--package", "caulk-oracle", "--features", "z3"]);
    command.args(["--test", "agreement", "--", "--nocapture"]);
    Step { name: "both solvers on the suites".to_owned(), command }
}

/// A command of xtask itself.
fn own(arguments: &[&str]) -> Result<Step, String> {
    let mut command = Command::new(std::env::current_exe().map_err(|e| e.to_string())?);
    command.args(arguments);
    Ok(Step { name: arguments.join(" "), command })
}

/// The fuzz test of a crate.
fn fuzz(package: &str, seconds: u64) -> Step {
    let mut command = cargo();
    command.args(["test", "--release", "--package", package, "--test", "fuzz", "--"]);
    command.arg("--nocapture").env("CAULK_FUZZ_SECONDS", seconds.to_string());
    Step { name: format!("fuzz {package}, {seconds} s"), command }
}

/// Runs `cargo xtask full` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let steps = steps(fuzz_seconds(arguments)?)?;
    let count = steps.len();
    let mut summary = Table::new(["step", "outcome", "seconds"]);
    let mut failures = 0;
    for (number, mut step) in (1..).zip(steps) {
        eprintln!("── {number} of {count}: {} ──", step.name);
        let start = Instant::now();
        let outcome = run(step.command.current_dir(checkout));
        failures += usize::from(outcome != PASSED);
        let seconds = format!("{:.0}", start.elapsed().as_secs_f64());
        eprintln!("── {}: {outcome}, {seconds} s ──", step.name);
        summary.row(vec![step.name, outcome, seconds]);
    }
    show(&format!("\n{}", summary.text()));
    eprintln!("{} of {count} steps passed", count - failures);
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const PASSED: &str = "passed";

fn run(command: &mut Command) -> String {
    match command.status() {
        Ok(status) if status.success() => PASSED.into(),
        Ok(status) => format!("failed: {status}"),
        Err(error) => format!("failed: {error}"),
    }
}

fn fuzz_seconds(arguments: &[String]) -> Result<u64, String> {
    match arguments {
        [] => Ok(FUZZ_SECONDS),
        [option, value] if option == "--fuzz-seconds" => {
            value.parse().map_err(|_| format!("no number of seconds: {value}"))
        }
        _ => Err(format!("usage:\n{USAGE}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        assert_eq!(fuzz_seconds(&[]), Ok(FUZZ_SECONDS));
        assert_eq!(fuzz_seconds(&words("--fuzz-seconds 3600")), Ok(3600));
        assert!(fuzz_seconds(&words("--fuzz-seconds many")).is_err());
        assert!(fuzz_seconds(&words("more")).is_err());
    }

    #[test]
    fn outcomes_are_told() {
        assert_eq!(run(&mut Command::new("true")), PASSED);
        assert_eq!(run(&mut Command::new("false")), "failed: exit status: 1");
        assert!(run(&mut Command::new("no-such-program-here")).starts_with("failed: "));
    }
}
