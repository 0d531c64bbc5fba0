//! `cargo xtask bench facts`: what the facts of whole linked programs cost, beside
//! `gcc -O0 -c` on the same units in the same run.

use super::record::Figures;
use super::run::{compile_all, to_object};
use crate::corpus::{self, Entry, Ready, write_database};
use crate::measure::Measurement;
use crate::show;
use crate::table::{Table, grouped};
use crate::tools::{Scratch, build_caulk, commit, compiler_version, today, write_result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::process::{ExitCode, Stdio};

const RECORD: &str = "facts.json";
const PAGE: &str = "facts.md";
/// The programs of the page. OpenSSL's library is a part of the units of `openssl`.
const PROGRAMS: [&str; 4] = ["bash", "git", "sqlite3", LIBCRYPTO];
const LIBCRYPTO: &str = "libcrypto";
/// Programs on which growth is measured.
const GROWN: [&str; 2] = ["git", LIBCRYPTO];
const PERCENTS: [usize; 3] = [25, 50, 100];
/// How often each part is measured. The least counts: other work on the machine only adds.
const GROWTH_ROUNDS: usize = 5;
const MOST_OF_ONE: f64 = 0.4;
const MOST_OF_ALL: f64 = 0.3;
const MOST_EXPONENT: f64 = 1.3;
const MOST_MEMORY: u64 = 2 << 30;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    pub date: String,
    pub commit: String,
    pub gcc: String,
    pub rounds: usize,
    pub programs: Vec<Program>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Program {
    pub name: String,
    pub units: usize,
    /// User CPU of `gcc -O0 -c`, in seconds.
    pub compilation: f64,
    /// Stage by stage; the first is the front end.
    pub stages: Vec<(String, f64)>,
    pub peak_memory: u64,
    pub counts: Vec<(String, u64)>,
    /// What points-to has a set for.
    #[serde(default)]
    pub variables: u64,
    pub growth: Vec<Part>,
}

/// Some of a program's units, evenly from all of them.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Part {
    pub units: usize,
    /// What points-to has a set for: it grows faster than the units, because a part of a program
    /// lacks what it calls, and constructors of which there is no body are not copied.
    pub variables: u64,
    /// Of all facts.
    pub seconds: f64,
}

impl Program {
    fn facts(&self) -> f64 {
        self.stages.iter().skip(1).map(|(_, seconds)| seconds).sum()
    }

    fn ratio(&self) -> f64 {
        self.facts() / self.compilation.max(1e-9)
    }

    /// 1 is linear.
    fn exponent(&self) -> Option<f64> {
        let (first, last) = (self.growth.first()?, self.growth.last()?);
        let units = (last.units as f64 / first.units as f64).ln();
        let is_growth = units > 0.0 && first.seconds > 0.0;
        is_growth.then(|| (last.seconds / first.seconds).ln() / units)
    }
}

pub fn main(checkout: &Path, names: &[String], rounds: usize) -> Result<ExitCode, String> {
    let chosen: Vec<&str> = match names.is_empty() {
        true => PROGRAMS.to_vec(),
        false => names.iter().map(String::as_str).collect(),
    };
    let caulk = build_caulk(checkout)?;
    let mut record = Record {
        date: today()?,
        commit: commit(checkout)?,
        gcc: compiler_version("gcc")?,
        rounds,
        programs: Vec::new(),
    };
    for name in chosen {
        let program = ready(checkout, name)?;
        record.programs.push(measure(&caulk, &program, rounds)?);
    }
    show(&body(&record));
    if names.is_empty() {
        let json = serde_json::to_string_pretty(&record).map_err(|e| e.to_string())?;
        write_result(checkout, RECORD, &(json + "\n"))?;
        write_result(checkout, PAGE, &page(&record))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn ready(checkout: &Path, name: &str) -> Result<Ready, String> {
    let folder = if name == LIBCRYPTO { "openssl" } else { name };
    let mut chosen = corpus::choose(checkout, &[folder.to_string()])?.programs;
    let mut program = chosen.pop().ok_or_else(|| format!("no program {folder}"))?;
    if name == LIBCRYPTO {
        program.name = name.to_string();
        program.units.retain(in_libcrypto);
    }
    Ok(program)
}

fn in_libcrypto(unit: &Entry) -> bool {
    let is_in =
        |folder: &str| unit.file.starts_with(folder) || unit.file.contains(&format!("/{folder}"));
    is_in("crypto/") || is_in("providers/")
}

fn measure(caulk: &Path, program: &Ready, rounds: usize) -> Result<Program, String> {
    let scratch = Scratch::new("bench-facts")?;
    let object = scratch.file("unit.o");
    let mut best: Option<Program> = None;
    for round in 0..rounds.max(1) {
        eprintln!("{}: {} units, round {} …", program.name, program.units.len(), round + 1);
        let (gcc, _) = compile_all(&program.units, &scratch, |unit| to_object(unit, &object))?;
        let next = facts(caulk, &program.name, &program.units, gcc, Reading::Anew, &scratch)?;
        best = Some(match best {
            Some(best) if best.ratio() <= next.ratio() => best,
            _ => next,
        });
    }
    let mut best = best.ok_or("no round was run")?;
    if GROWN.contains(&program.name.as_str()) {
        best.growth = growth(caulk, program, &scratch)?;
    }
    Ok(best)
}

fn growth(caulk: &Path, program: &Ready, scratch: &Scratch) -> Result<Vec<Part>, String> {
    let mut best: Vec<Option<Part>> = vec![None; PERCENTS.len()];
    for round in 0..GROWTH_ROUNDS {
        eprintln!("{}: growth, round {} …", program.name, round + 1);
        for (percent, best) in PERCENTS.iter().zip(&mut best) {
            let units = program.spread((program.units.len() * percent / 100).max(1));
            let gcc = Figures::default();
            let run = facts(caulk, &program.name, &units, gcc, Reading::Kept, scratch)?;
            let known = best.map_or(f64::INFINITY, |part| part.seconds);
            let seconds = run.facts().min(known);
            *best = Some(Part { units: units.len(), variables: run.variables, seconds });
        }
    }
    Ok(best.into_iter().flatten().collect())
}

/// Where the units come from, which is no part of the facts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Anew,
    /// From a cache of this run, if they are there.
    Kept,
}

/// `caulk stats` on some units.
fn facts(
    caulk: &Path,
    name: &str,
    units: &[Entry],
    gcc: Figures,
    reading: Reading,
    scratch: &Scratch,
) -> Result<Program, String> {
    let (database, out) = (scratch.file("compile_commands.json"), scratch.file("stats.json"));
    write_database(&database, units)?;
    let mut measurement =
        Measurement::of(caulk, scratch.file("figures.json")).map_err(|e| e.to_string())?;
    let command = &mut measurement.command;
    command.args(["stats", "--quiet", "--format", "json", "-p"]).arg(&database);
    match reading {
        Reading::Anew => command.arg("--no-cache"),
        Reading::Kept => command.env("XDG_CACHE_HOME", scratch.file("cache")),
    };
    command.arg("-o").arg(&out).stdout(Stdio::null()).stderr(Stdio::null());
    let usage = measurement.run()?;
    if !matches!(usage.exit_code, 0 | 3) {
        return Err(format!("{name}: caulk stats ended with {}", usage.exit_code));
    }
    let text = std::fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| format!("{name}: {e}"))?;
    Ok(Program {
        name: name.to_string(),
        units: units.len(),
        compilation: gcc.user,
        stages: stages(&value),
        peak_memory: usage.peak_memory,
        counts: counts(&value),
        variables: value["counts"]["Points-to"]["variables"].as_u64().unwrap_or(0),
        growth: Vec::new(),
    })
}

fn stages(value: &Value) -> Vec<(String, f64)> {
    let rows = value["stages"].as_array().into_iter().flatten();
    rows.filter_map(|row| {
        Some((row["name"].as_str()?.to_string(), row["processor_seconds"].as_f64()?))
    })
    .collect()
}

/// The rows of the papers' tables.
fn counts(value: &Value) -> Vec<(String, u64)> {
    const WANTED: [(&str, &str); 9] = [
        ("Code", "functions"),
        ("Code", "pointers"),
        ("Code", "loads"),
        ("Code", "stores"),
        ("Heap and resources", "allocation sites"),
        ("Heap and resources", "release sites"),
        ("Wrappers", "allocators"),
        ("Wrappers", "releasers"),
        ("Memory", "regions"),
    ];
    let find = |&(section, row): &(&str, &str)| {
        Some((row.to_string(), value["counts"][section][row].as_u64()?))
    };
    WANTED.iter().filter_map(find).collect()
}

fn page(record: &Record) -> String {
    format!(
        "# Facts of whole programs\n\n\
         Linking, models, wrappers, points-to, memory and the forward slices of all allocation \
         sites, of whole linked programs, beside `{gcc}` with `-O0 -c` on the same units in the \
         same run, both in user CPU; best of {rounds} rounds. caulk {commit}, {date}. Again with \
         `cargo xtask bench facts`.\n\n{body}",
        gcc = record.gcc,
        rounds = record.rounds,
        commit = record.commit,
        date = record.date,
        body = body(record),
    )
}

fn body(record: &Record) -> String {
    let mut text = cost(record) + "\n";
    text += &verdicts(record);
    text += &format!("\n## Stages, seconds of user CPU\n\n{}", stage_table(record));
    text += &format!("\n## What is in the programs\n\n{}", count_table(record));
    text + &format!(
        "\n## Growth\n\nOf a quarter, a half and all of the units, evenly from the whole program; the \
         least of {GROWTH_ROUNDS} rounds. *Variables* are what points-to has a set for: their number \
         grows faster than that of the units, because a part of a program lacks much of what it \
         calls.\n\n{}",
        growth_table(record)
    )
}

fn cost(record: &Record) -> String {
    let mut table =
        Table::new(["program", "units", "gcc -O0 -c, s", "facts, s", "ratio", "peak MiB"]);
    for program in &record.programs {
        table.row(vec![
            program.name.clone(),
            grouped(program.units),
            format!("{:.2}", program.compilation),
            format!("{:.2}", program.facts()),
            format!("{:.2}", program.ratio()),
            grouped((program.peak_memory >> 20) as usize),
        ]);
    }
    table.text()
}

fn overall(record: &Record) -> f64 {
    let facts: f64 = record.programs.iter().map(Program::facts).sum();
    let gcc: f64 = record.programs.iter().map(|program| program.compilation).sum();
    facts / gcc.max(1e-9)
}

fn verdicts(record: &Record) -> String {
    let worst = |of: fn(&Program) -> f64| record.programs.iter().map(of).fold(0.0, f64::max);
    let memory = record.programs.iter().map(|it| it.peak_memory).max().unwrap_or(0);
    let exponent = worst(|it| it.exponent().unwrap_or(0.0));
    let row =
        |what: String, met: bool| format!("- {what}: {}\n", if met { "met" } else { "not met" });
    let (ratio, all) = (worst(Program::ratio), overall(record));
    row(format!("each at most {MOST_OF_ONE} × (worst {ratio:.2})"), ratio <= MOST_OF_ONE)
        + &row(format!("all together at most {MOST_OF_ALL} × ({all:.2})"), all <= MOST_OF_ALL)
        + &row(format!("at most 2 GiB ({} MiB)", memory >> 20), memory <= MOST_MEMORY)
        + &row(
            format!("growth below exponent {MOST_EXPONENT} (worst {exponent:.2})"),
            exponent < MOST_EXPONENT,
        )
}

fn stage_table(record: &Record) -> String {
    let names: Vec<String> = record.programs.first().map_or_else(Vec::new, |program| {
        program.stages.iter().map(|(name, _)| name.clone()).collect()
    });
    let heads = std::iter::once("stage").chain(record.programs.iter().map(|it| it.name.as_str()));
    let mut table = Table::of(heads);
    for (index, name) in names.iter().enumerate() {
        let cell = |program: &Program| {
            program.stages.get(index).map_or(String::new(), |(_, seconds)| format!("{seconds:.3}"))
        };
        let cells = record.programs.iter().map(cell);
        table.row(std::iter::once(name.clone()).chain(cells).collect());
    }
    table.text()
}

fn count_table(record: &Record) -> String {
    let heads =
        std::iter::once("number of").chain(record.programs.iter().map(|it| it.name.as_str()));
    let mut table = Table::of(heads);
    let names: Vec<&String> = record
        .programs
        .first()
        .map_or_else(Vec::new, |program| program.counts.iter().map(|(name, _)| name).collect());
    for (index, name) in names.into_iter().enumerate() {
        let cell = |program: &Program| {
            program.counts.get(index).map_or(String::new(), |(_, number)| grouped(*number as usize))
        };
        let cells = record.programs.iter().map(cell);
        table.row(std::iter::once(name.clone()).chain(cells).collect());
    }
    table.text()
}

fn growth_table(record: &Record) -> String {
    let mut table =
        Table::new(["program", "units", "variables", "facts, s", "exponent from the first"]);
    for program in record.programs.iter().filter(|program| !program.growth.is_empty()) {
        for (index, part) in program.growth.iter().enumerate() {
            let exponent = match index + 1 == program.growth.len() {
                true => program.exponent().map_or(String::new(), |it| format!("{it:.2}")),
                false => String::new(),
            };
            table.row(vec![
                program.name.clone(),
                grouped(part.units),
                grouped(part.variables as usize),
                format!("{:.2}", part.seconds),
                exponent,
            ]);
        }
    }
    table.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(units: usize) -> Part {
        Part { units, variables: 50, seconds: units as f64 / 10.0 }
    }

    fn program(compilation: f64, points_to: f64) -> Program {
        Program {
            name: "p".into(),
            units: 4,
            compilation,
            stages: vec![("reading".into(), 9.0), ("points-to".into(), points_to)],
            peak_memory: 1 << 30,
            counts: vec![("functions".into(), 1234)],
            variables: 100,
            growth: [10, 20, 40].map(part).to_vec(),
        }
    }

    #[test]
    fn the_front_end_is_not_part_of_the_facts() {
        assert!((program(10.0, 3.0).ratio() - 0.3).abs() < 1e-9);
        assert!((program(10.0, 3.0).exponent().unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_missed_limit_is_told() {
        let record = |points_to| Record {
            date: "d".into(),
            commit: "c".into(),
            gcc: "gcc".into(),
            rounds: 1,
            programs: vec![program(10.0, points_to)],
        };
        assert!(!page(&record(2.0)).contains("not met"));
        let slow = page(&record(5.0));
        assert!(slow.contains("each at most 0.4 × (worst 0.50): not met"), "{slow}");
        assert!(slow.contains("1,234"), "{slow}");
    }

    #[test]
    fn libcrypto_is_a_part_of_openssl() {
        let unit = |file: &str| Entry {
            file: file.into(),
            directory: String::new(),
            arguments: Vec::new(),
            output: None,
        };
        assert!(in_libcrypto(&unit("crypto/bn/bn_add.c")));
        assert!(in_libcrypto(&unit("/x/openssl/providers/a.c")));
        assert!(!in_libcrypto(&unit("apps/ca.c")));
    }
}
