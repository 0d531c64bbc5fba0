//! Measures one program: gcc and caulk by turns, so that a change of the machine's load meets both.

use super::record::{Figures, Program};
use super::stages::{self, Stage};
use crate::corpus::{Entry, Ready};
use crate::measure::{Measurement, Usage};
use crate::syntax_only::{SyntaxOnly, without_outputs};
use crate::tools::Scratch;
use std::ffi::OsString;
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

    fn gcc(&self) -> Result<(Figures, usize), String> {
        compile_all(&self.program.units, &self.scratch, |unit| SyntaxOnly::of(unit).arguments)
    }

    fn caulk(&self, options: &[&str]) -> Result<(Usage, Vec<Stage>), String> {
        // The front end alone: a table of functions needs no engine.
        let options = [&["--coverage"], options].concat();
        check(self.caulk, &self.program.folder, &options, &self.scratch)
    }
}

/// The units' own compilers, one unit after the other, and how many they reject.
pub fn compile_all(
    units: &[Entry],
    scratch: &Scratch,
    arguments: impl Fn(&Entry) -> Vec<OsString>,
) -> Result<(Figures, usize), String> {
    let (mut total, mut rejected) = (Figures::default(), 0);
    for unit in units {
        let compiler = unit.arguments.first().map(Path::new).unwrap_or(Path::new("cc"));
        let mut measurement = measurement(compiler, scratch)?;
        measurement.command.args(arguments(unit)).current_dir(&unit.directory);
        measurement.command.stderr(Stdio::null());
        let usage = measurement.run()?;
        total = total.then(Figures::from(&usage));
        rejected += usize::from(usage.exit_code != 0);
    }
    Ok((total, rejected))
}

/// `-O0 -c` with the unit's own flags.
pub fn to_object(unit: &Entry, object: &Path) -> Vec<OsString> {
    let mut arguments = without_outputs(unit, Path::new(&unit.file));
    arguments.extend(["-O0", "-w", "-c", "-o"].map(OsString::from));
    arguments.push(object.into());
    arguments
}

/// `caulk check` on a compile database, or on the folder with one.
pub fn check(
    caulk: &Path,
    database: &Path,
    options: &[&str],
    scratch: &Scratch,
) -> Result<(Usage, Vec<Stage>), String> {
    let told = scratch.file("told");
    let file = File::create(&told).map_err(|e| format!("{}: {e}", told.display()))?;
    let mut measurement = measurement(caulk, scratch)?;
    let command = &mut measurement.command;
    command.args(["check", "--no-cache", "--verbose", "-p"]).arg(database).args(options);
    command.stdout(Stdio::null()).stderr(file);
    let usage = measurement.run()?;
    let text = std::fs::read_to_string(&told).unwrap_or_default();
    match usage.exit_code {
        0 | 1 | 3 => Ok((usage, stages::parse(&text))),
        code => Err(format!("{}: caulk ended with {code}:\n{text}", database.display())),
    }
}

fn measurement(program: &Path, scratch: &Scratch) -> Result<Measurement, String> {
    Measurement::of(program, scratch.file("figures.json")).map_err(|e| e.to_string())
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
