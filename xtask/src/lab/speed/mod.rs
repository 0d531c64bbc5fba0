//! `cargo xtask lab speed`: what caulk costs on a program, beside its own compiler in the same run.
//!
//! An engine is named by `--engine`. `run` measures, `plot` draws the growth. Records of the front
//! end are from the time before there were engines.

mod instructions;
pub mod plot;
mod run;

use super::findings::{read_records, results, write_record};
use super::options::Options;
use super::peers::caulk::{Caulk, DEFAULT};
use crate::bench::record::Figures;
use crate::bench::stages::Stage;
use crate::table::{Table, grouped};
use crate::tools::{build_caulk, commit, compiler_version, today};
use crate::{corpus, show};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::ExitCode;

/// What `caulk check` was without an engine.
pub const FRONT_END: &str = "front-end";
const ROUNDS: usize = 2;

/// One engine on one program, as kept in `lab/results/speed/ENGINE/PROGRAM.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    pub engine: String,
    pub program: String,
    pub program_version: String,
    pub commit: String,
    pub date: String,
    pub command: String,
    pub gcc: String,
    pub processors: usize,
    pub rounds: usize,
    pub units: usize,
    /// Of the compiled sources, each once, without headers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// `gcc -fsyntax-only`, one unit after the other.
    pub syntax_only: Figures,
    /// `gcc -O0 -c`, one unit after the other.
    pub compilation: Figures,
    /// `caulk check -j1`.
    pub one_thread: Figures,
    /// `caulk check`.
    pub all_threads: Figures,
    /// Of `caulk check -j1`.
    pub stages: Vec<Stage>,
    pub growth: Vec<Growth>,
    /// Of `caulk check -j1`, for small programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
}

/// `caulk check -j1` on a part of the units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    pub percent: usize,
    pub units: usize,
    pub figures: Figures,
}

impl Speed {
    pub fn to_syntax_only(&self) -> f64 {
        self.one_thread.user / self.syntax_only.user.max(1e-9)
    }

    pub fn to_compilation(&self) -> f64 {
        self.one_thread.user / self.compilation.user.max(1e-9)
    }

    /// What comes after the front end, facts included; none in records without the engine's stage.
    pub fn engine_to_compilation(&self) -> Option<f64> {
        let position = |wanted: fn(&str) -> bool| {
            self.stages.iter().position(|stage| wanted(stage.name.as_str()))
        };
        let engine = position(|name| name.ends_with(" engine"))?;
        let first = position(|name| name == "linking").filter(|&first| first <= engine)?;
        // Its parts are counted with it; what `staged` runs in the end is not.
        let runs = self.stages[engine..].iter().filter(|stage| stage.name == "runs");
        let own = self.stages[first..=engine].iter().chain(runs);
        Some(own.map(|stage| stage.seconds).sum::<f64>() / self.compilation.user.max(1e-9))
    }

    /// Lines that are analysed in a second of user CPU, front end included.
    pub fn lines_per_second(&self) -> Option<f64> {
        self.lines.map(|lines| lines as f64 / self.one_thread.user.max(1e-9))
    }

    /// The exponent of growth from the smallest part to the whole: 1 is linear.
    pub fn exponent(&self) -> Option<f64> {
        let (first, last) = (self.growth.first()?, self.growth.last()?);
        let times = (last.figures.user / first.figures.user.max(1e-9)).ln();
        let units = (last.units as f64 / first.units as f64).ln();
        (units > 0.0 && times.is_finite()).then(|| times / units)
    }
}

/// Runs `cargo xtask lab speed` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let options = Options::parse(arguments, &["rounds", "engine"])?;
    if options.names.is_empty() {
        return Err(super::usage());
    }
    let engine = options.text("engine").unwrap_or(DEFAULT);
    let rounds = options.number("rounds")?.unwrap_or(ROUNDS).max(1);
    let caulk = Caulk::new(&build_caulk(checkout)?, engine)?;
    let mut table = Table::new(HEADS);
    for program in &corpus::choose(checkout, &options.names)?.programs {
        let measured = run::measure(&caulk, program, rounds)?;
        let speed = Speed {
            commit: commit(checkout)?,
            date: today()?,
            gcc: compiler_version("gcc")?,
            ..measured
        };
        let json = serde_json::to_string(&speed).map_err(|e| e.to_string())?;
        write_record(checkout, &format!("speed/{engine}/{}.json", program.name), &(json + "\n"))?;
        table.row(row(&speed));
    }
    show(&table.text());
    Ok(ExitCode::SUCCESS)
}

/// All records of all engines.
pub fn read_all(checkout: &Path) -> Result<Vec<Speed>, String> {
    let folder = results(checkout).join("speed");
    let engines = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut engines: Vec<_> = engines.map(|entry| entry.path()).collect();
    engines.sort();
    let mut records = Vec::new();
    for engine in engines {
        records.extend(read_records::<Speed>(&engine)?);
    }
    Ok(records)
}

pub const HEADS: [&str; 11] = [
    "program",
    "units",
    "gcc -fsyntax-only, s",
    "gcc -O0 -c, s",
    "caulk -j1, s",
    "to syntax",
    "to -O0",
    "engine to -O0",
    "elapsed, s",
    "peak, MiB",
    "instructions, M",
];

pub fn row(speed: &Speed) -> Vec<String> {
    let instructions = speed.instructions.map(|count| grouped((count / 1_000_000) as usize));
    vec![
        speed.program.clone(),
        grouped(speed.units),
        format!("{:.2}", speed.syntax_only.user),
        format!("{:.2}", speed.compilation.user),
        format!("{:.2}", speed.one_thread.user),
        format!("{:.2}", speed.to_syntax_only()),
        format!("{:.2}", speed.to_compilation()),
        speed.engine_to_compilation().map_or("–".into(), |share| format!("{share:.2}")),
        format!("{:.2}", speed.all_threads.wall),
        grouped((speed.all_threads.peak_memory >> 20) as usize),
        instructions.unwrap_or("–".into()),
    ]
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn speed(program: &str, seconds: f64) -> Speed {
        let figures = |user| Figures { user, system: 0.0, wall: user, peak_memory: 64 << 20 };
        let growth = |percent, units, user| Growth { percent, units, figures: figures(user) };
        Speed {
            engine: FRONT_END.into(),
            program: program.into(),
            program_version: "1".into(),
            commit: "abc".into(),
            date: "2026-11-30".into(),
            command: "cargo xtask lab speed".into(),
            gcc: "gcc 12".into(),
            processors: 2,
            rounds: 1,
            units: 8,
            lines: Some(4000),
            syntax_only: figures(2.0),
            compilation: figures(4.0),
            one_thread: figures(seconds),
            all_threads: figures(seconds),
            stages: vec![Stage { name: "reading".into(), seconds }],
            growth: vec![growth(25, 2, seconds / 4.0), growth(100, 8, seconds)],
            instructions: Some(12_000_000),
        }
    }

    #[test]
    fn ratios_are_to_the_compiler() {
        let speed = speed("zlib", 1.0);
        assert_eq!((speed.to_syntax_only(), speed.to_compilation()), (0.5, 0.25));
        assert_eq!(speed.lines_per_second(), Some(4000.0));
        assert_eq!(row(&speed)[5..], ["0.50", "0.25", "–", "1.00", "64", "12"]);
    }

    #[test]
    fn an_engine_counts_with_its_facts_and_its_parts_once() {
        let mut speed = speed("zlib", 1.0);
        let stage = |(name, seconds): (&str, f64)| Stage { name: name.into(), seconds };
        let rows = [("linking", 0.5), ("memory", 0.5), ("staged engine", 1.0), ("solver", 0.7)];
        speed.stages.extend(rows.map(stage));
        assert_eq!(speed.engine_to_compilation(), Some(0.5));
        speed.stages.push(stage(("runs", 1.0)));
        assert_eq!(speed.engine_to_compilation(), Some(0.75));
    }

    #[test]
    fn linear_growth_has_the_exponent_one() {
        let mut speed = speed("zlib", 1.0);
        assert!((speed.exponent().unwrap() - 1.0).abs() < 1e-9);
        speed.growth[1].figures.user = 4.0;
        assert!((speed.exponent().unwrap() - 2.0).abs() < 1e-9);
        speed.growth.clear();
        assert_eq!(speed.exponent(), None);
    }
}
