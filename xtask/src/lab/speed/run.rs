//! Measures one program: compiler and caulk by turns, then caulk on parts of the units.

use super::{Growth, Speed, instructions};
use crate::bench::record::Figures;
use crate::bench::run::{check, compile_all, to_object};
use crate::bench::stages::Stage;
use crate::corpus::{Entry, Ready, write_database};
use crate::lab::peers::caulk::Caulk;
use crate::syntax_only::SyntaxOnly;
use crate::tools::Scratch;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PERCENTS: [usize; 3] = [25, 50, 100];
/// Programs of at most so many units, and so many seconds, are also run under callgrind, which
/// takes fifty times as long.
const SMALL: usize = 20;
const SHORT: f64 = 1.0;

/// Commit, date and compiler are left to whoever records.
pub fn measure(caulk: &Caulk, program: &Ready, rounds: usize) -> Result<Speed, String> {
    let run = Run { caulk, program, scratch: Scratch::new("lab-speed")? };
    // The compilers' facts are asked for once and kept, as for every user.
    run.caulk(&program.folder, &["-j1"])?;
    let mut best = run.round(0, rounds)?;
    for number in 1..rounds {
        best = least(best, run.round(number, rounds)?);
    }
    best.growth = run.growth(rounds)?;
    if program.units.len() <= SMALL && best.one_thread.user < SHORT {
        eprintln!("{}: counting instructions …", program.name);
        let options = run.options(&["-j1"])?;
        best.instructions = instructions::count(&caulk.program, &program.folder, &options)
            .inspect_err(|reason| eprintln!("{}: no instructions: {reason}", program.name))
            .ok();
    }
    Ok(best)
}

struct Run<'a> {
    caulk: &'a Caulk,
    program: &'a Ready,
    scratch: Scratch,
}

impl Run<'_> {
    /// The compiler goes first in even rounds, caulk in odd ones.
    fn round(&self, number: usize, rounds: usize) -> Result<Speed, String> {
        let Ready { name, version, folder, units } = self.program;
        eprintln!("{name}: {} units, round {} of {rounds} …", units.len(), number + 1);
        let first = if number.is_multiple_of(2) { Some(self.compilers()?) } else { None };
        let (one_thread, stages) = self.caulk(folder, &["-j1"])?;
        let (all_threads, _) = self.caulk(folder, &[])?;
        let (syntax_only, compilation) = first.map_or_else(|| self.compilers(), Ok)?;
        let engine = &self.caulk.engine;
        Ok(Speed {
            engine: engine.clone(),
            program: name.clone(),
            program_version: version.clone(),
            commit: String::new(),
            date: String::new(),
            command: format!("cargo xtask lab speed {name} --engine {engine} --rounds {rounds}"),
            gcc: String::new(),
            processors: std::thread::available_parallelism().map_or(1, |n| n.get()),
            rounds,
            units: units.len(),
            lines: Some(lines(units)),
            syntax_only,
            compilation,
            one_thread,
            all_threads,
            stages,
            growth: Vec::new(),
            instructions: None,
        })
    }

    /// `-fsyntax-only`, then `-O0 -c`.
    fn compilers(&self) -> Result<(Figures, Figures), String> {
        let units = &self.program.units;
        let syntax = |unit: &Entry| SyntaxOnly::of(unit).arguments;
        let (syntax_only, _) = compile_all(units, &self.scratch, syntax)?;
        let object = self.scratch.file("unit.o");
        let (compilation, _) = compile_all(units, &self.scratch, |unit| to_object(unit, &object))?;
        Ok((syntax_only, compilation))
    }

    fn caulk(&self, database: &Path, options: &[&str]) -> Result<(Figures, Vec<Stage>), String> {
        let options = self.options(options)?;
        let (usage, stages) = check(&self.caulk.program, database, &options, &self.scratch)?;
        Ok((Figures::from(&usage), stages))
    }

    fn options<'b>(&'b self, options: &[&'b str]) -> Result<Vec<&'b str>, String> {
        Ok([options, &self.caulk.choice()?].concat())
    }

    fn growth(&self, rounds: usize) -> Result<Vec<Growth>, String> {
        let mut growth: Vec<Growth> = Vec::new();
        for percent in PERCENTS {
            let units = self.program.spread((self.program.units.len() * percent / 100).max(1));
            if growth.last().is_none_or(|last| last.units < units.len()) {
                growth.push(self.part(percent, &units, rounds)?);
            }
        }
        Ok(growth)
    }

    fn part(&self, percent: usize, units: &[Entry], rounds: usize) -> Result<Growth, String> {
        let database = self.scratch.file("compile_commands.json");
        write_database(&database, units)?;
        let (mut figures, _) = self.caulk(&database, &["-j1"])?;
        for _ in 1..rounds {
            figures = figures.least(self.caulk(&database, &["-j1"])?.0);
        }
        Ok(Growth { percent, units: units.len(), figures })
    }
}

/// Each source once, whatever it is compiled to.
fn lines(units: &[Entry]) -> usize {
    let files: BTreeSet<PathBuf> =
        units.iter().map(|unit| Path::new(&unit.directory).join(&unit.file)).collect();
    let breaks = |file: &PathBuf| {
        let bytes = std::fs::read(file).unwrap_or_default();
        bytes.iter().filter(|&&byte| byte == b'\n').count()
    };
    files.iter().map(breaks).sum()
}

/// The least of two rounds; the stages are those of the faster one.
fn least(one: Speed, other: Speed) -> Speed {
    let is_faster = other.one_thread.user < one.one_thread.user;
    Speed {
        syntax_only: one.syntax_only.least(other.syntax_only),
        compilation: one.compilation.least(other.compilation),
        one_thread: one.one_thread.least(other.one_thread),
        all_threads: one.all_threads.least(other.all_threads),
        stages: if is_faster { other.stages } else { one.stages },
        ..one
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::speed;
    use super::*;

    #[test]
    fn each_figure_is_the_least_of_the_rounds() {
        let mut slow = speed("zlib", 3.0);
        slow.compilation.user = 1.0;
        let best = least(slow, speed("zlib", 2.0));
        assert_eq!((best.one_thread.user, best.compilation.user), (2.0, 1.0));
        assert_eq!(best.stages[0].seconds, 2.0);
    }

    #[test]
    fn a_unit_is_compiled_without_optimisation() {
        let arguments = ["cc", "-O2", "-c", "a.c", "-o", "a.o"].map(String::from).to_vec();
        let unit = Entry { file: "a.c".into(), directory: "/d".into(), arguments, output: None };
        let line = to_object(&unit, Path::new("x.o"));
        assert_eq!(line, ["-O2", "a.c", "-O0", "-w", "-c", "-o", "x.o"]);
    }
}
