//! `cargo xtask facts solvers`: SAT and BDD answer the same to all questions of the value-flow
//! engines about real programs: each allocation site has the same class, each finding the same
//! place and kind, and as many questions have each answer.

use crate::corpus::{self, Ready};
use crate::show;
use crate::tools::build_caulk;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitCode};

const ENGINES: [&str; 2] = ["fastcheck", "saber"];

pub fn main(checkout: &Path, names: &[String]) -> Result<ExitCode, String> {
    let programs = corpus::choose(checkout, names)?.programs;
    let caulk = build_caulk(checkout)?;
    let mut agree = true;
    for program in &programs {
        for engine in ENGINES {
            let said = |solver| said(&caulk, program, engine, solver);
            let (sat, bdd) = (said("solver=sat")?, said("solver=bdd")?);
            let same = sat == bdd;
            agree &= same;
            let verdict = if same { "agree" } else { "DIFFER" };
            let name = &program.name;
            show(&format!(
                "{name}, {engine}: SAT and BDD {verdict} on {} sites\n",
                sat.sites.len()
            ));
        }
    }
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(PartialEq, Eq)]
struct Said {
    sites: Vec<Value>,
    findings: Vec<[Value; 2]>,
}

fn said(caulk: &Path, program: &Ready, engine: &str, solver: &str) -> Result<Said, String> {
    let mut command = Command::new(caulk);
    command.args(["check", "--no-config", "--show", "all", "--format", "json", "-p"]);
    command.arg(program.folder.join("compile_commands.json"));
    command.args(["--engine", engine, "--switch", solver]);
    let output = command.output().map_err(|e| format!("{}: {e}", caulk.display()))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("{}, {engine}: no report: {e}", program.name))?;
    let rows = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let finding = |row: &Value| [row["location"].clone(), row["kind"].clone()];
    Ok(Said { sites: rows("sites"), findings: rows("findings").iter().map(finding).collect() })
}
