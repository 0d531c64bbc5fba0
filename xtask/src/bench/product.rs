//! `cargo xtask bench product`: what writing all formats adds to a run of the default engine, what a
//! second run over unchanged files costs beside the first, how many units are read after an edit, and
//! what such a run costs the engine that keeps summaries.

use super::edited::Copied;
use crate::corpus::{self, Ready};
use crate::measure::Measurement;
use crate::show;
use crate::table::Table;
use crate::tools::{Scratch, build_caulk, commit, today, write_result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const FORMATS: [&str; 5] = ["text", "gcc", "json", "sarif", "html"];
const RECORD: &str = "product.json";
const PAGE: &str = "product.md";
/// What all formats may add, and what a second run may cost of the first.
const MOST_FOR_FORMATS: f64 = 1.05;
const MOST_FOR_AGAIN: f64 = 0.30;
/// What a run with kept summaries may cost of the first, after a function was edited.
const MOST_FOR_EDIT: f64 = 0.15;
/// The engine that keeps summaries and has no other work.
const SUMMARIES: [&str; 2] = ["--engine", "sparrow"];

const HEAD: &str = "\
# Formats and cache

What people wait for beside the search itself: user CPU of `caulk check -j1` with the default engine, the
least of all rounds. The figures are in `product.json`.

- *all formats*: text, gcc, JSON, SARIF and HTML, each to a file. At most 5 % more than the run without.
- *again*: a second run over unchanged files, with the cache that the first one filled. At most 30 % of it.
- *read after an edit*: in a copy of the program, a function is added to one unit; the units that the next
  run reads for it. That one alone.
- *read every time*: units in which something is to be told, which no run keeps.
";

const OF_SUMMARIES: &str = "\
## Summaries

User CPU of `caulk check -j1 --engine sparrow` in a copy of the program: the first run, and one after an
edit, a statement more in the function in the middle of the largest unit, on a line of its own, so that
all that follows in the file moves. At most 15 % of the first; the least of all rounds.
";

/// User CPU in seconds, the least of all rounds.
#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    date: String,
    /// Of caulk; ends in a plus if sources differed from it.
    commit: String,
    rounds: usize,
    units: usize,
    plain: f64,
    all_formats: f64,
    first: f64,
    again: f64,
    /// Units that a run reads after a function was added to one of them, and after none was.
    read_after_edit: usize,
    read_again: usize,
    /// With summaries alone: the first run, and one after an edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edited: Option<Edited>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Edited {
    /// The unit, and the line that was put into one of its functions.
    unit: String,
    line: usize,
    first: f64,
    after: f64,
}

pub fn main(checkout: &Path, names: &[String], rounds: usize) -> Result<ExitCode, String> {
    let programs = corpus::choose(checkout, names)?.programs;
    let caulk = build_caulk(checkout)?;
    let commit = commit(checkout)?;
    let mut rows = Vec::new();
    for program in &programs {
        let row = measure(&caulk, program, rounds)?;
        rows.push(Row { commit: commit.clone(), date: today()?, ..row });
    }
    show(&(table(&rows) + &edits(&rows)));
    let is_met = rows.iter().all(Row::is_met);
    let all = with_recorded(checkout, rows);
    let json = serde_json::to_string_pretty(&all).map_err(|e| e.to_string())?;
    write_result(checkout, RECORD, &(json + "\n"))?;
    write_result(checkout, PAGE, &page(&all))?;
    Ok(if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Rows of other programs stay as they are.
fn with_recorded(checkout: &Path, rows: Vec<Row>) -> Vec<Row> {
    let text = std::fs::read_to_string(checkout.join("docs/results").join(RECORD));
    let old: Vec<Row> =
        text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let is_kept = |row: &Row| rows.iter().all(|new| new.name != row.name);
    let mut all: Vec<Row> = old.into_iter().filter(is_kept).collect();
    all.extend(rows);
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn measure(caulk: &Path, program: &Ready, rounds: usize) -> Result<Row, String> {
    let most = f64::INFINITY;
    let mut row = Row {
        name: program.name.clone(),
        date: String::new(),
        commit: String::new(),
        rounds: rounds.max(1),
        units: program.units.len(),
        plain: most,
        all_formats: most,
        first: most,
        again: most,
        read_after_edit: 0,
        read_again: 0,
        edited: None,
    };
    for round in 0..rounds.max(1) {
        eprintln!("{}: round {} …", program.name, round + 1);
        let scratch = Scratch::new("bench-product")?;
        let database = program.folder.join("compile_commands.json");
        let run = Run { caulk, database, scratch: &scratch };
        let uncached = [OsString::from("--no-cache")];
        row.plain = row.plain.min(run.user(&uncached)?);
        let formats = [&uncached[..], &all_formats(&scratch)].concat();
        row.all_formats = row.all_formats.min(run.user(&formats)?);
        row.first = row.first.min(run.user(&[])?);
        row.again = row.again.min(run.user(&[])?);
        row.edited = Some(with_summaries(caulk, program, row.edited.take())?);
    }
    (row.read_after_edit, row.read_again) = after_edit(caulk, program)?;
    Ok(row)
}

fn all_formats(scratch: &Scratch) -> Vec<OsString> {
    let pair = |format: &str| {
        let file = scratch.file(&format!("report.{format}")).into_os_string();
        ["--format".into(), format.into(), "--output".into(), file]
    };
    FORMATS.into_iter().flat_map(pair).collect()
}

/// Runs with a cache of their own, which is empty at first.
struct Run<'a> {
    caulk: &'a Path,
    database: PathBuf,
    scratch: &'a Scratch,
}

impl Run<'_> {
    fn prepare(&self, command: &mut Command, options: &[OsString]) {
        command.args(["check", "--no-config", "-j1", "-p"]).arg(&self.database).args(options);
        command.env("XDG_CACHE_HOME", self.scratch.file("cache"));
        command.stdin(Stdio::null()).stderr(Stdio::null());
    }

    fn user(&self, options: &[OsString]) -> Result<f64, String> {
        let figures = self.scratch.file("figures.json");
        let mut measurement = Measurement::of(self.caulk, figures).map_err(|e| e.to_string())?;
        self.prepare(&mut measurement.command, options);
        measurement.command.stdout(Stdio::null());
        let usage = measurement.run()?;
        match usage.exit_code {
            0 | 1 | 3 => Ok(usage.user.as_secs_f64()),
            code => Err(format!("{}: caulk ended with {code}", self.database.display())),
        }
    }

    /// How many units were read, and not taken from the cache.
    fn units_read(&self) -> Result<usize, String> {
        let mut command = Command::new(self.caulk);
        self.prepare(&mut command, &["--format".into(), "json".into()]);
        let output = command.output().map_err(|e| format!("cannot run caulk: {e}"))?;
        let told: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
        let kept = told["run"]["units_from_cache"].as_u64().ok_or("caulk tells no count")?;
        let all = told["units"].as_array().map_or(0, Vec::len);
        Ok(all.saturating_sub(usize::try_from(kept).unwrap_or(0)))
    }
}

/// On a copy of the program: a run, a function more in the first unit, a second run, and a third.
fn after_edit(caulk: &Path, program: &Ready) -> Result<(usize, usize), String> {
    let copied = Copied::new(program)?;
    let run = Run { caulk, database: copied.database(), scratch: &copied.scratch };
    run.units_read()?;
    copied.add_function()?;
    Ok((run.units_read()?, run.units_read()?))
}

/// On a copy of the program: a run with summaries alone, and one after an edit.
fn with_summaries(caulk: &Path, program: &Ready, best: Option<Edited>) -> Result<Edited, String> {
    let copied = Copied::new(program)?;
    let run = Run { caulk, database: copied.database(), scratch: &copied.scratch };
    let options = SUMMARIES.map(OsString::from);
    let first = run.user(&options)?;
    let (unit, line) = copied.edit_function()?;
    let after = run.user(&options)?;
    let least = |one: f64, other: fn(&Edited) -> f64| best.as_ref().map_or(one, other).min(one);
    Ok(Edited {
        unit,
        line,
        first: least(first, |it| it.first),
        after: least(after, |it| it.after),
    })
}

impl Row {
    /// Units with errors or notes are read every time.
    fn read_for_the_edit(&self) -> usize {
        self.read_after_edit.saturating_sub(self.read_again)
    }

    fn is_met(&self) -> bool {
        self.all_formats / self.plain <= MOST_FOR_FORMATS
            && self.again / self.first <= MOST_FOR_AGAIN
            && self.read_for_the_edit() <= 1
            && self.edited.as_ref().is_none_or(|it| it.after / it.first <= MOST_FOR_EDIT)
    }
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new([
        "program",
        "units",
        "no cache, s",
        "all formats, s",
        "ratio",
        "first with cache, s",
        "again, s",
        "ratio",
        "read after an edit",
        "read every time",
    ]);
    for row in rows {
        let figures = [
            row.plain,
            row.all_formats,
            row.all_formats / row.plain,
            row.first,
            row.again,
            row.again / row.first,
        ];
        let cells = figures.map(|figure| format!("{figure:.2}"));
        let first = [row.name.clone(), row.units.to_string()];
        let last = [row.read_for_the_edit(), row.read_again].map(|count| count.to_string());
        table.row(first.into_iter().chain(cells).chain(last).collect());
    }
    table.text()
}

fn page(rows: &[Row]) -> String {
    let source = |row: &Row| {
        let Row { name, date, commit, rounds, .. } = row;
        format!("- {date}, caulk {commit}: `cargo xtask bench product --rounds {rounds} {name}`\n")
    };
    let sources: String = rows.iter().map(source).collect();
    format!("{HEAD}\n{}\n{OF_SUMMARIES}\n{}\n{sources}", table(rows), edits(rows))
}

fn edits(rows: &[Row]) -> String {
    let mut table = Table::new(["program", "edited", "first, s", "after the edit, s", "ratio"]);
    for row in rows {
        let Some(Edited { unit, line, first, after }) = &row.edited else { continue };
        table.row(vec![
            row.name.clone(),
            format!("{unit}:{line}"),
            format!("{first:.2}"),
            format!("{after:.2}"),
            format!("{:.3}", after / first),
        ]);
    }
    table.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(all_formats: f64, again: f64, read_after_edit: usize) -> Row {
        let [name, date, commit] = ["gzip", "2026-11-15", "0"].map(String::from);
        let (plain, first, read_again) = (1.0, 1.0, 2);
        Row {
            name,
            date,
            commit,
            rounds: 1,
            units: 64,
            plain,
            all_formats,
            first,
            again,
            read_after_edit,
            read_again,
            edited: None,
        }
    }

    #[test]
    fn every_bar_counts() {
        assert!(row(1.04, 0.3, 3).is_met());
        assert!(!row(1.06, 0.3, 3).is_met());
        assert!(!row(1.0, 0.31, 3).is_met());
        assert!(!row(1.0, 0.1, 4).is_met());
        let edited = |after| {
            let unit = "a.c".to_string();
            Row { edited: Some(Edited { unit, line: 1, first: 1.0, after }), ..row(1.0, 0.1, 3) }
        };
        assert!(edited(0.14).is_met());
        assert!(!edited(0.16).is_met());
    }
}
