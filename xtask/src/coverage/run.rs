//! One program through `caulk check --coverage`. Where there are errors, gcc is asked which units
//! it rejects itself, and caulk is run again without those.

use super::text::{Coverage, parse};
use crate::corpus::{Entry, Ready, write_database};
use crate::syntax_only::SyntaxOnly;
use crate::tools::Scratch;
use crate::workers;
use std::path::Path;
use std::process::{Command, Stdio};

/// What is known of one program.
pub struct Row {
    pub name: String,
    pub coverage: Coverage,
    /// Sources that gcc rejects as well.
    pub rejected: Vec<String>,
    /// Errors that remain without those.
    pub remaining: Vec<String>,
}

impl Row {
    /// Errors in units that gcc accepts.
    pub fn unexplained(&self) -> &[String] {
        if self.rejected.is_empty() { &self.coverage.errors } else { &self.remaining }
    }
}

pub fn cover(caulk: &Path, program: &Ready) -> Result<Row, String> {
    let coverage = check(caulk, &program.folder, &program.folder)?;
    let mut row =
        Row { name: program.name.clone(), coverage, rejected: Vec::new(), remaining: Vec::new() };
    if !row.coverage.errors.is_empty() {
        let accepted = workers::map(&program.units, is_accepted)?;
        let judged = || program.units.iter().zip(&accepted);
        row.rejected =
            judged().filter(|(_, ok)| !**ok).map(|(unit, _)| unit.file.clone()).collect();
        let accepted: Vec<Entry> =
            judged().filter(|(_, ok)| **ok).map(|(unit, _)| unit.clone()).collect();
        if !row.rejected.is_empty() {
            row.remaining = check_units(caulk, program, &accepted)?.errors;
        }
    }
    Ok(row)
}

/// Runs caulk in the program's folder, so that paths are shown relative to it.
fn check(caulk: &Path, folder: &Path, database: &Path) -> Result<Coverage, String> {
    let output = Command::new(caulk)
        .args(["check", "--no-cache", "--coverage", "--verbose", "-p"])
        .arg(database)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot run {}: {e}", caulk.display()))?;
    match output.status.code() {
        Some(0 | 1 | 3) => parse(&String::from_utf8_lossy(&output.stdout)),
        _ => {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(format!("{}: caulk: {}: {errors}", folder.display(), output.status))
        }
    }
}

fn check_units(caulk: &Path, program: &Ready, units: &[Entry]) -> Result<Coverage, String> {
    let scratch = Scratch::new("coverage")?;
    let database = scratch.file("compile_commands.json");
    write_database(&database, units)?;
    check(caulk, &program.folder, &database)
}

fn is_accepted(entry: &Entry) -> bool {
    let SyntaxOnly { compiler, arguments, folder } = SyntaxOnly::of(entry);
    let mut command = Command::new(compiler);
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}
