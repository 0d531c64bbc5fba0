//! `cargo xtask bench product`: what writing all formats adds to a run of the default engine, and
//! what a second run over unchanged files costs beside the first.

use crate::corpus::{self, Ready};
use crate::measure::Measurement;
use crate::show;
use crate::table::Table;
use crate::tools::{Scratch, build_caulk};
use std::ffi::OsString;
use std::path::Path;
use std::process::{ExitCode, Stdio};

const FORMATS: [&str; 5] = ["text", "gcc", "json", "sarif", "html"];

/// User CPU in seconds, the least of all rounds.
struct Row {
    name: String,
    plain: f64,
    all_formats: f64,
    first: f64,
    again: f64,
}

pub fn main(checkout: &Path, names: &[String], rounds: usize) -> Result<ExitCode, String> {
    let programs = corpus::choose(checkout, names)?.programs;
    let caulk = build_caulk(checkout)?;
    let rows: Result<Vec<Row>, String> =
        programs.iter().map(|program| measure(&caulk, program, rounds)).collect();
    show(&table(&rows?));
    Ok(ExitCode::SUCCESS)
}

fn measure(caulk: &Path, program: &Ready, rounds: usize) -> Result<Row, String> {
    let name = program.name.clone();
    let most = f64::INFINITY;
    let mut row = Row { name, plain: most, all_formats: most, first: most, again: most };
    for round in 0..rounds.max(1) {
        eprintln!("{}: round {} …", program.name, round + 1);
        let scratch = Scratch::new("bench-product")?;
        let timed = |options: &[OsString]| run(caulk, program, options, &scratch);
        let uncached = [OsString::from("--no-cache")];
        row.plain = row.plain.min(timed(&uncached)?);
        let formats = [&uncached[..], &all_formats(&scratch)].concat();
        row.all_formats = row.all_formats.min(timed(&formats)?);
        row.first = row.first.min(timed(&[])?);
        row.again = row.again.min(timed(&[])?);
    }
    Ok(row)
}

fn all_formats(scratch: &Scratch) -> Vec<OsString> {
    let pair = |format: &str| {
        let file = scratch.file(&format!("report.{format}")).into_os_string();
        ["--format".into(), format.into(), "--output".into(), file]
    };
    FORMATS.into_iter().flat_map(pair).collect()
}

/// With a cache of its own, empty in the first run of a round.
fn run(
    caulk: &Path,
    program: &Ready,
    options: &[OsString],
    scratch: &Scratch,
) -> Result<f64, String> {
    let figures = scratch.file("figures.json");
    let mut measurement = Measurement::of(caulk, figures).map_err(|e| e.to_string())?;
    let database = program.folder.join("compile_commands.json");
    let command = &mut measurement.command;
    command.args(["check", "--no-config", "-j1", "-p"]).arg(database).args(options);
    command.env("XDG_CACHE_HOME", scratch.file("cache"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let usage = measurement.run()?;
    match usage.exit_code {
        0 | 1 | 3 => Ok(usage.user.as_secs_f64()),
        code => Err(format!("{}: caulk ended with {code}", program.name)),
    }
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new([
        "program",
        "no cache, s",
        "all formats, s",
        "ratio",
        "first with cache, s",
        "again, s",
        "ratio",
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
        table.row(std::iter::once(row.name.clone()).chain(cells).collect());
    }
    table.text()
}
