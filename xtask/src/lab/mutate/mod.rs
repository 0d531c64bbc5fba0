//! `cargo xtask lab mutate`: programs with exactly one planted defect each.
//!
//! A release that the ir shows to be a statement of its own is removed, moved under a branch,
//! skipped by an early return, robbed of its pointer, or done twice. Every mutant compiles; where
//! something runs the program, a run tells whether the defect shows.

mod compare;
mod confirm;
mod driven;
pub mod mutant;
mod plant;
mod releases;
mod sample;
mod score;
mod source;
mod target;
mod tree;

use super::options::Options;
use super::runnable;
use crate::show;
use crate::tools::Scratch;
use confirm::Confirmer;
use mutant::{Mutant, Plant};
pub use score::new_findings;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use target::Target;

pub const USAGE: &str = "\
cargo xtask lab mutate PROGRAM… [--count N] [--from N] [--seed S] [--out FILE]
                                      mutants with one planted defect each, confirmed by running;
                                      a sample of many in pieces: those from a number on
cargo xtask lab mutate apply FILE ID FOLDER
                                      writes the mutated source of one of them
cargo xtask lab mutate compare FILE… [--engine E]… [--peer P]… [--seconds N]
                                      engines and peers on these mutants: found, and false
cargo xtask lab mutate score FILE FINDINGS…
                                      findings on mutants (program = id) and on the programs";

const COUNT: usize = 20;
const SEED: u64 = 1;

/// Runs `cargo xtask lab mutate` with these further arguments.
pub fn run(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["apply", file, id, folder] => apply(checkout, Path::new(file), id, Path::new(folder)),
        ["compare", ..] => compare::run(checkout, &arguments[1..]),
        ["score", file, _, ..] => score(checkout, Path::new(file), &arguments[2..]),
        _ => make(checkout, arguments),
    }
}

fn usage() -> String {
    format!("usage:\n{USAGE}")
}

fn make(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let options = Options::parse(arguments, &["count", "from", "seed", "out"])?;
    let count = options.number("count")?.unwrap_or(COUNT);
    let from = options.number("from")?.unwrap_or(1);
    let seed = options.number("seed")?.unwrap_or(SEED);
    if options.names.is_empty() {
        return Err(usage());
    }
    let mut all = Vec::new();
    for name in &options.names {
        all.extend(mutants(checkout, name, from..=count, seed)?);
    }
    let out = options.text("out").map_or_else(|| default_file(&options.names), PathBuf::from);
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .map_err(|e| format!("{}: {e}", out.display()))?;
    std::fs::write(&out, mutant::text(&all)?).map_err(|e| format!("{}: {e}", out.display()))?;
    show(&summary(&all));
    eprintln!("wrote {}", out.display());
    Ok(ExitCode::SUCCESS)
}

/// Outside the repository.
fn default_file(names: &[String]) -> PathBuf {
    let name = if let [name] = names { name } else { "several" };
    std::env::temp_dir().join("caulk-lab").join(format!("{name}.mutants.json"))
}

/// The mutants of a program with these numbers, run where something can run them. A larger sample
/// begins with all of a smaller one.
pub fn mutants(
    checkout: &Path,
    name: &str,
    numbers: RangeInclusive<usize>,
    seed: u64,
) -> Result<Vec<Mutant>, String> {
    let target = Target::open(checkout, name)?;
    let scratch = Scratch::new(&format!("mutate-{name}"))?;
    let made = sample::sample(&target, &scratch, *numbers.end(), seed)?;
    let confirmer = Confirmer::new(checkout, &target, &scratch)?;
    let mut confirmed = Vec::new();
    for row in made.into_iter().skip(numbers.start().saturating_sub(1)) {
        let mut mutant = row.mutant;
        confirmer.confirm(&mut mutant, &row.text)?;
        eprintln!("{} {} {:?}", mutant.id, mutant.plant.name(), mutant.confirmed);
        confirmed.push(mutant);
    }
    Ok(confirmed)
}

/// The recorded sample: each mutant must still fit, compile, and do what was recorded.
pub fn check(checkout: &Path) -> Result<ExitCode, String> {
    let recorded = mutant::read(&runnable::folder(checkout).join("mutants.json"))?;
    let mut differing = 0;
    for old in &recorded {
        let now = again(checkout, old)?;
        if now.as_ref() != Some(old) {
            differing += 1;
            show(&format!("{}: recorded {old:?}\n  is now {now:?}\n", old.id));
        }
    }
    show(&format!("{} mutants, {differing} differ from mutants.json\n", recorded.len()));
    Ok(if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The same mutant, run again; none if it does not compile any more.
fn again(checkout: &Path, mutant: &Mutant) -> Result<Option<Mutant>, String> {
    let target = Target::open(checkout, &mutant.program)?;
    let scratch = Scratch::new(&format!("again-{}", mutant.program))?;
    let source = target.root.join(&mutant.file);
    let text =
        std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    let text = mutant.apply(&text)?;
    if !target.compiles(&source, &text, &scratch)? {
        return Ok(None);
    }
    let mut now = Mutant { confirmed: None, allocations: Vec::new(), ..mutant.clone() };
    Confirmer::new(checkout, &target, &scratch)?.confirm(&mut now, &text)?;
    Ok(Some(now))
}

fn summary(mutants: &[Mutant]) -> String {
    let mut text = String::from(
        "| plant | mutants | confirmed | not confirmed | not run |\n|---|---|---|---|---|\n",
    );
    for plant in Plant::ALL {
        let of = |confirmed: Option<bool>| {
            mutants.iter().filter(|m| m.plant == plant && m.confirmed == confirmed).count()
        };
        let [yes, no, unknown] = [Some(true), Some(false), None].map(of);
        let all = yes + no + unknown;
        text += &format!("| {} | {all} | {yes} | {no} | {unknown} |\n", plant.name());
    }
    text
}

fn apply(checkout: &Path, file: &Path, id: &str, folder: &Path) -> Result<ExitCode, String> {
    let mutants = mutant::read(file)?;
    let found = mutants.iter().find(|mutant| mutant.id == id);
    let mutant = found.ok_or(format!("no mutant {id} in {}", file.display()))?;
    let target = Target::open(checkout, &mutant.program)?;
    let source = target.root.join(&mutant.file);
    let told = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let text = std::fs::read_to_string(&source).map_err(|e| told(&source, e))?;
    let to = folder.join(source.file_name().unwrap_or_default());
    std::fs::create_dir_all(folder).map_err(|e| told(folder, e))?;
    std::fs::write(&to, mutant.apply(&text)?).map_err(|e| told(&to, e))?;
    Ok(ExitCode::SUCCESS)
}

fn score(checkout: &Path, file: &Path, findings: &[String]) -> Result<ExitCode, String> {
    let mutants = mutant::read(file)?;
    let mut reports = Vec::new();
    for name in findings {
        reports.extend(runnable::score::read(Path::new(name))?);
    }
    let tallies = score::score(&mutants, &reports);
    show(&score::table(&tallies));
    runnable::write_scores(checkout, "planted", &compare::score_rows("all", &tallies))?;
    Ok(ExitCode::SUCCESS)
}
