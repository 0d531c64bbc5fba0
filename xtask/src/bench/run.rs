//! Measures one program: gcc and caulk by turns, so that a change of the machine's load meets both.

use super::record::{Figures, Program};
use super::stages::{self, Stage};
use crate::corpus::{Entry, Ready};
use crate::measure::{Measurement, Usage};
use crate::syntax_only::SyntaxOnly;
use crate::tools::Scratch;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;

/// Every figure is the least of several rounds.
pub fn measure(caulk: &Path, program: &Ready, rounds: usize) -> Result<Program, String> {
    let bench = Bench { caulk, program, scratch: Scratch::new("bench")? };
    let mut best = bench.round(0)?;
    for number in 1..rounds {
        best = least(best, bench.round(number)?);
    }
    Ok(best)
}

struct Bench<'a> {
    caulk: &'a Path,
    program: &'a Ready,
    scratch: Scratch,
}

impl Bench<'_> {
    /// gcc first in even rounds, caulk first in odd ones.
    fn round(&self, number: usize) -> Result<Program, String> {
        let Ready { name, units, .. } = self.program;
        eprintln!("{name}: {} units, round {} …", units.len(), number + 1);
        let gcc_first = match number % 2 {
            0 => Some(self.gcc()?),
            _ => None,
        };
        let (one_thread, stages) = self.caulk(&["-j1"])?;
        let (all_threads, _) = self.caulk(&[])?;
        let (gcc, rejected_by_gcc) = gcc_first.map_or_else(|| self.gcc(), Ok)?;
        let codes = [one_thread.exit_code, all_threads.exit_code];
        Ok(Program {
            name: name.clone(),
            units: units.len(),
            rejected_by_gcc,
            gcc,
            one_thread: Figures::from(&one_thread),
            all_threads: Figures::from(&all_threads),
            exit_codes: codes.into_iter().filter(|&code| code != 0).collect(),
            stages,
        })
    }

    /// All units, and how many of them are rejected.
    fn gcc(&self) -> Result<(Figures, usize), String> {
        let (mut total, mut rejected) = (Figures::default(), 0);
        for entry in &self.program.units {
            let usage = self.gcc_on(entry)?;
            total = total.then(Figures::from(&usage));
            rejected += usize::from(usage.exit_code != 0);
        }
        Ok((total, rejected))
    }

    fn gcc_on(&self, entry: &Entry) -> Result<Usage, String> {
        let SyntaxOnly { compiler, arguments, folder } = SyntaxOnly::of(entry);
        let mut measurement = self.measurement(compiler.as_ref())?;
        measurement.command.args(arguments).current_dir(folder).stderr(Stdio::null());
        measurement.run()
    }

    fn caulk(&self, options: &[&str]) -> Result<(Usage, Vec<Stage>), String> {
        let told = self.scratch.file("told");
        let file = File::create(&told).map_err(|e| format!("{}: {e}", told.display()))?;
        let mut measurement = self.measurement(self.caulk)?;
        let command = &mut measurement.command;
        command.args(["check", "--verbose", "-p"]).arg(&self.program.folder).args(options);
        command.stdout(Stdio::null()).stderr(file);
        let usage = measurement.run()?;
        let text = std::fs::read_to_string(&told).unwrap_or_default();
        match usage.exit_code {
            0 | 1 | 3 => Ok((usage, stages::parse(&text))),
            code => Err(format!("{}: caulk ended with {code}:\n{text}", self.program.name)),
        }
    }

    fn measurement(&self, program: &Path) -> Result<Measurement, String> {
        Measurement::of(program, self.scratch.file("figures.json")).map_err(|e| e.to_string())
    }
}

/// The least of two rounds; the stages are those of the faster one.
fn least(one: Program, other: Program) -> Program {
    let is_faster = other.one_thread.user < one.one_thread.user;
    Program {
        gcc: one.gcc.least(other.gcc),
        one_thread: one.one_thread.least(other.one_thread),
        all_threads: one.all_threads.least(other.all_threads),
        stages: if is_faster { other.stages } else { one.stages },
        exit_codes: [one.exit_codes, other.exit_codes].concat(),
        ..one
    }
}
