//! How fast Lua runs in the interpreter, and in how much memory.
//!
//! Speed: the instructions of `fib` by the user CPU they need. Reading and lowering Lua's sources
//! takes CPU too, so a run with a trivial argument is subtracted from one with a large argument.
//!
//! Memory: the growth of the interpreter's peak resident memory, by the growth of the native
//! program's, from one heap of small objects to a three times larger one. Both heaps exceed what the
//! front end needed before, so that this does not hide anything.

use super::build::Built;
use super::run::{Counts, Runner, take_counts};
use crate::measure::{Measurement, Usage};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program that this is about.
pub const LUA: &str = "lua5.4";
/// Arguments of fib.lua: nothing to do, and one or two seconds.
const FIB: [&str; 2] = ["1", "28"];
/// Numbers of objects for memory.lua.
const OBJECTS: [&str; 2] = ["100000", "300000"];
/// Runs of each, of which the least CPU counts: other work on the machine only adds to it.
const RUNS: usize = 3;

/// What the issue asks for: instructions per second, and times the program's own memory.
pub const LEAST_SPEED: f64 = 30e6;
pub const MOST_MEMORY: f64 = 8.0;

/// What was measured; each pair is for the small argument and for the large one.
pub struct Figures {
    pub instructions: [u64; 2],
    /// User CPU in seconds.
    pub seconds: [f64; 2],
    /// Peak resident bytes.
    pub native_memory: [u64; 2],
    pub interpreter_memory: [u64; 2],
    /// The most that counted against the interpreter's memory budget at once.
    pub held: [u64; 2],
}

impl Figures {
    /// Instructions per second of user CPU.
    pub fn speed(&self) -> f64 {
        growth(self.instructions) / (self.seconds[1] - self.seconds[0]).max(1e-3)
    }

    /// Bytes that the interpreter needs for a byte of the native program.
    pub fn memory(&self) -> f64 {
        growth(self.interpreter_memory) / growth(self.native_memory).max(1.0)
    }

    pub fn is_met(&self) -> bool {
        self.speed() >= LEAST_SPEED && self.memory() <= MOST_MEMORY
    }
}

fn growth([small, large]: [u64; 2]) -> f64 {
    large as f64 - small as f64
}

pub fn measure(built: &Built, runner: &Runner) -> Result<Figures, String> {
    eprintln!("{LUA}: speed and memory …");
    let lua = Lua { built, runner };
    let [(fast, small), (slow, large)] = lua.each(FIB, |n| lua.fastest(n))?;
    let [(few, some), (many, more)] = lua.each(OBJECTS, |n| lua.interpreted(MEMORY_SCRIPT, n))?;
    let natively = lua.each(OBJECTS, |n| lua.natively(MEMORY_SCRIPT, n))?;
    Ok(Figures {
        instructions: [small.instructions, large.instructions],
        seconds: [fast, slow].map(|usage: Usage| usage.user.as_secs_f64()),
        native_memory: natively.map(|usage| usage.peak_memory),
        interpreter_memory: [few, many].map(|usage| usage.peak_memory),
        held: [some, more].map(|counts: Counts| counts.peak_memory),
    })
}

const FIB_SCRIPT: &str = "lua/fib.lua";
const MEMORY_SCRIPT: &str = "lua/memory.lua";

struct Lua<'a> {
    built: &'a Built,
    runner: &'a Runner<'a>,
}

impl Lua<'_> {
    fn each<T>(
        &self,
        [small, large]: [&str; 2],
        run: impl Fn(&str) -> Result<T, String>,
    ) -> Result<[T; 2], String> {
        Ok([run(small)?, run(large)?])
    }

    fn fastest(&self, argument: &str) -> Result<(Usage, Counts), String> {
        let runs: Result<Vec<_>, String> =
            (0..RUNS).map(|_| self.interpreted(FIB_SCRIPT, argument)).collect();
        let least = runs?.into_iter().min_by_key(|(usage, _)| usage.user);
        least.ok_or_else(|| "no runs".into())
    }

    fn interpreted(&self, script: &str, argument: &str) -> Result<(Usage, Counts), String> {
        let errors = self.runner.folder.join("measured.err");
        let mut measurement = self.measurement(self.runner.caulk)?;
        let command = &mut measurement.command;
        command.args(["run", "--verbose", "-p"]).arg(&self.built.database);
        command.arg(format!("--file={script}")).args(["--", script, argument]);
        let file = File::create(&errors).map_err(|e| format!("{}: {e}", errors.display()))?;
        command.stderr(file);
        let usage = succeeded(measurement)?;
        let mut text = std::fs::read(&errors).unwrap_or_default();
        let counts = take_counts(&mut text).ok_or("caulk run told no counts")?;
        Ok((usage, counts))
    }

    fn natively(&self, script: &str, argument: &str) -> Result<Usage, String> {
        let mut measurement = self.measurement(&self.built.native)?;
        measurement.command.args([script, argument]);
        succeeded(measurement)
    }

    fn measurement(&self, program: &Path) -> Result<Measurement, String> {
        let result = self.runner.folder.join("measured.json");
        let mut measurement = Measurement::of(program, result).map_err(|e| e.to_string())?;
        let command: &mut Command = &mut measurement.command;
        command.current_dir(&self.runner.folder).stdin(Stdio::null()).stdout(Stdio::null());
        Ok(measurement)
    }
}

fn succeeded(measurement: Measurement) -> Result<Usage, String> {
    let usage = measurement.run()?;
    let code = usage.exit_code;
    (code == 0).then_some(usage).ok_or_else(|| format!("a measured run of Lua ended with {code}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_differences() {
        let figures = Figures {
            instructions: [1_000_000, 101_000_000],
            seconds: [1.0, 3.0],
            native_memory: [10, 20],
            interpreter_memory: [100, 150],
            held: [5, 10],
        };
        assert!((figures.speed() - 50e6).abs() < 1.0);
        assert!((figures.memory() - 5.0).abs() < 1e-9);
        assert!(figures.is_met());
    }
}
