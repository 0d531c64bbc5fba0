//! The engine of caulk on programs and mutants whose truth is recorded, and on a crate.

use super::outcome::{self, Outcome, Outcomes};
use crate::corpus;
use crate::lab::findings::Finding;
use crate::lab::mutate::mutant::{self, Mutant};
use crate::lab::mutate::new_findings;
use crate::lab::peers::caulk::{Caulk, DEFAULT};
use crate::lab::runnable::{self, score, truth};
use crate::show;
use crate::tools::{Scratch, build_caulk_for_tests};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The program out of a crate, the folder of its sources, those that work on streams (the others
/// would take a build for tests most of a minute), and how they are compiled.
const CRATE: &str = "libz-sys";
const SOURCES: &str = "src/zlib";
const UNITS: &[&str] = &["compress", "gzclose", "gzlib", "gzread", "gzwrite", "uncompr", "zutil"];
const FLAGS: &[&str] = &["-DSTDC", "-D_LARGEFILE64_SOURCE", "-DHAVE_UNISTD_H"];
const FLAGS_OF_SUITE: &[&str] = &["-std=gnu17"];

fn file(checkout: &Path) -> PathBuf {
    runnable::folder(checkout).join("engine.json")
}

/// Writes how the engine does now.
pub fn record(checkout: &Path, names: &[String]) -> Result<ExitCode, String> {
    let outcomes = outcomes(&caulk(checkout)?, checkout, names)?;
    let file = file(checkout);
    std::fs::write(&file, outcome::text(&outcomes)?)
        .map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Tells what has become worse.
pub fn check(checkout: &Path, names: &[String]) -> Result<ExitCode, String> {
    let file = file(checkout);
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(&file).map_err(|e| told(&e))?;
    let old: Outcomes = serde_json::from_str(&text).map_err(|e| told(&e))?;
    let caulk = caulk(checkout)?;
    let new = outcomes(&caulk, checkout, names)?;
    let worse = outcome::worse(&old, &new);
    worse.iter().for_each(|line| show(&format!("{line}\n")));
    show(&format!("the engine on {} programs and mutants: {} worse\n", new.len(), worse.len()));
    if worse.is_empty() && old != new {
        show("… and better elsewhere: `cargo xtask lab smoke --record`\n");
    }
    analyse_crate(&caulk, checkout)?;
    Ok(if worse.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn caulk(checkout: &Path) -> Result<Caulk, String> {
    Caulk::new(&build_caulk_for_tests(checkout)?, DEFAULT)
}

fn outcomes(caulk: &Caulk, checkout: &Path, names: &[String]) -> Result<Outcomes, String> {
    let folder = runnable::folder(checkout);
    let truths = truth::read(&runnable::truth_file(checkout))?;
    let mut outcomes = Outcomes::new();
    for name in names {
        let findings = on_program(caulk, &folder.join(format!("{name}.c")))?;
        let truth = truths.get(name).ok_or(format!("{name} has no truth"))?;
        let (found, wrong) = score::outcome(truth, &findings);
        outcomes.insert(name.clone(), Outcome { found, wrong });
    }
    for mutant in mutant::read(&folder.join("mutants.json"))? {
        outcomes.insert(mutant.id.clone(), on_mutant(caulk, &folder, &mutant)?);
    }
    Ok(outcomes)
}

fn on_program(caulk: &Caulk, source: &Path) -> Result<Vec<Finding>, String> {
    caulk.check(&[source], FLAGS_OF_SUITE)
}

fn on_mutant(caulk: &Caulk, folder: &Path, mutant: &Mutant) -> Result<Outcome, String> {
    let scratch = Scratch::new("smoke-mutant")?;
    let (old, new) = (folder.join(&mutant.file), scratch.file(&mutant.file));
    let text = std::fs::read_to_string(&old).map_err(|e| format!("{}: {e}", old.display()))?;
    std::fs::write(&new, mutant.apply(&text)?).map_err(|e| format!("{}: {e}", new.display()))?;
    let before = on_program(caulk, &old)?;
    let after = on_program(caulk, &new)?;
    let (right, wrong) = new_findings(mutant, &before, &after);
    let words = |findings: Vec<&Finding>| findings.into_iter().map(score::words).collect();
    Ok(Outcome { found: words(right), wrong: words(wrong) })
}

/// Its findings are not judged: that it comes to an end, and that all of it is read, is.
fn analyse_crate(caulk: &Caulk, checkout: &Path) -> Result<(), String> {
    let scratch = Scratch::new("smoke-crate")?;
    let source = corpus::download_crate(checkout, CRATE, &scratch.file(CRATE))?.join(SOURCES);
    let files: Vec<PathBuf> = UNITS.iter().map(|unit| source.join(format!("{unit}.c"))).collect();
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let findings = caulk.check(&paths, FLAGS)?;
    show(&format!("{CRATE}: {} units, {} findings\n", files.len(), findings.len()));
    Ok(())
}
