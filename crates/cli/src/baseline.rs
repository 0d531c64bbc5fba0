//! The file of known findings: `caulk baseline` writes it, `caulk check --baseline` reads it.

use std::path::{Path, PathBuf};

use caulk_finding::baseline::{Baseline, parse};
use caulk_finding::{Finding, triage};
use caulk_project::{SourceFiles, describe};
use caulk_report::printable;

use crate::args::{BaselineArgs, FailOn};
use crate::choices::Basis;
use crate::exit::{Exit, Failure};
use crate::judging::{self, Judgement};
use crate::output;
use crate::terminal::complain;

pub fn baseline(args: &BaselineArgs) -> Result<Exit, Failure> {
    let basis = Basis::of(&args.engine)?;
    let Judgement { results, verdicts, is_partial, files, .. } =
        judging::judge(&args.input, &basis, args.quiet)?;
    for row in &results.incomplete {
        complain(&format!("caulk: not analysed: {}", printable(&row.to_string())));
    }
    let exit = Exit::of(&results, FailOn::Never);
    let Some(verdicts) = verdicts.filter(|_| !is_partial) else {
        complain(&format!("caulk: {} is not written", args.output.display()));
        return Ok(exit);
    };
    let findings: Vec<Finding> =
        verdicts.findings.into_iter().filter(|finding| !basis.is_excluded(finding)).collect();
    let units: Vec<PathBuf> = results.units.iter().map(|unit| unit.path.clone().into()).collect();
    let text = triage::baseline(findings, &units, &|path| files.read_shown(path));
    output::write(Some(&args.output), &text)?;
    if !args.quiet {
        let number = text.lines().filter(|line| !line.starts_with('#')).count();
        complain(&format!("caulk: {} written; findings in it: {number}", args.output.display()));
    }
    Ok(exit)
}

/// Reads a baseline; a mistake in it is told with its place.
pub fn load(path: &Path) -> Result<Baseline, Failure> {
    let bytes = SourceFiles::new()
        .read(path)
        .map_err(|error| Failure::usage(format!("--baseline: {}", describe(path, &error))))?;
    parse(&String::from_utf8_lossy(&bytes))
        .map_err(|error| Failure::usage(format!("--baseline: {}:{error}", path.display())))
}
