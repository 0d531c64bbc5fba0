//! Reviews: findings drawn by lot, judged by two readers, and the share that is true.
//!
//! `docs/lab.md` says what is true. `draw` draws, `sheet` is the page that readers fill in,
//! `verdict` reads what they wrote, `share` counts, `reviewed` tells what is known of a finding.

mod draw;
mod reviewed;
mod share;
mod sheet;
mod verdict;

use super::findings::{Findings, read_all, write_record};
use super::options::{Options, required};
use crate::corpus::{Half, parse_catalogue};
use crate::show;
use crate::tools::{today, write_result};
use draw::Wanted;
pub use reviewed::Reviewed;
pub use share::{Precision, table as precision_table};
use sheet::{Head, Sheet};
use std::path::Path;
use std::process::ExitCode;

/// The tool that an engine is recorded as.
fn tool_of(engine: &str) -> String {
    format!("caulk-{engine}")
}

fn page_of(engine: &str) -> String {
    format!("review-{engine}.md")
}

/// Runs `cargo xtask lab sample` with these further arguments.
pub fn sample(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let options =
        Options::parse(arguments, &["engine", "seed", "count", "half", "commit", "high", "most"])?;
    let engine = required("engine", options.text("engine"))?;
    let seed: u64 = required("seed", options.number("seed")?)?;
    let wanted = Wanted {
        count: required("count", options.number("count")?)?,
        high: options.number("high")?.unwrap_or(0),
        most: options.number("most")?.unwrap_or(usize::MAX),
    };
    let half = options.text("half").map(Half::parse).transpose()?;
    let records = recorded(checkout, engine, half, options.text("commit"))?;
    let commit = one_commit(&records)?;
    let page = page_of(engine);
    if checkout.join("docs/results").join(&page).exists() {
        return Err(format!("docs/results/{page} exists: verdicts are not overwritten, move it"));
    }
    let half = half.map_or("both halves".to_string(), |half| format!("half {half}"));
    let head = Head { engine: engine.into(), commit, seed, half, date: today()? };
    let sheet = Sheet::new(head, draw::draw(&records, seed, wanted));
    write_result(checkout, &page, &sheet.text())?;
    eprintln!("{} of {} findings", sheet.rows.len(), draw::total(&records));
    Ok(ExitCode::SUCCESS)
}

/// What the engine found on the programs that reviews are drawn from.
fn recorded(
    checkout: &Path,
    engine: &str,
    half: Option<Half>,
    commit: Option<&str>,
) -> Result<Vec<Findings>, String> {
    let catalogue = checkout.join("lab/corpus.toml");
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", catalogue.display());
    let text = std::fs::read_to_string(&catalogue).map_err(|e| told(&e))?;
    let mut programs = parse_catalogue(&text)?;
    programs.retain(|program| program.reviews && half.is_none_or(|half| program.half == half));
    let mut records = read_all(checkout)?;
    records.retain(|record| {
        record.tool == tool_of(engine)
            && commit.is_none_or(|commit| record.commit == commit)
            && programs.iter().any(|program| program.name == record.program)
    });
    if records.is_empty() {
        return Err(format!("lab/results has no findings of {} to draw from", tool_of(engine)));
    }
    Ok(records)
}

/// A sample is about one state of the engine.
fn one_commit(records: &[Findings]) -> Result<String, String> {
    let first = records.first().map(|record| record.commit.clone()).unwrap_or_default();
    match records.iter().find(|record| record.commit != first) {
        None => Ok(first),
        Some(other) => Err(format!(
            "findings are of {first} and of {}: record all anew, or choose by --commit",
            other.commit
        )),
    }
}

/// Runs `cargo xtask lab blind ENGINE FILE`.
pub fn blind(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let [engine, file] = arguments else { return Err(super::usage()) };
    let sheet = Sheet::read(&review_file(checkout, engine))?;
    std::fs::write(file, sheet.without_verdicts().text()).map_err(|e| format!("{file}: {e}"))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `cargo xtask lab merge ENGINE FILE`.
pub fn merge(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let [engine, file] = arguments else { return Err(super::usage()) };
    let sheet = Sheet::read(&review_file(checkout, engine))?;
    let merged = sheet.with_second(&Sheet::read(Path::new(file))?)?;
    write_result(checkout, &page_of(engine), &merged.text())?;
    Ok(ExitCode::SUCCESS)
}

fn review_file(checkout: &Path, engine: &str) -> std::path::PathBuf {
    checkout.join("docs/results").join(page_of(engine))
}

/// Runs `cargo xtask lab precision`.
pub fn precision(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    if !arguments.is_empty() {
        return Err(super::usage());
    }
    let findings = read_all(checkout)?;
    let mut all = Vec::new();
    for file in pages(&checkout.join("docs/results"), &["review-"]) {
        let sheet = Sheet::read(&file)?;
        let tool = tool_of(&sheet.head.engine);
        let current: Vec<&Findings> = findings.iter().filter(|f| f.tool == tool).collect();
        all.push(share::precision(&sheet, &current)?);
    }
    let json = serde_json::to_string_pretty(&all).map_err(|e| e.to_string())?;
    write_record(checkout, "precision.json", &(json + "\n"))?;
    show(&share::text(&all));
    Ok(ExitCode::SUCCESS)
}

/// The pages of reviews whose names begin with one of these words, in order.
fn pages(folder: &Path, words: &[&str]) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_review =
        |name: &str| words.iter().any(|word| name.starts_with(word)) && name.ends_with(".md");
    let mut files: Vec<_> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(is_review))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

/// What `lab precision` recorded, if it did.
pub fn recorded_precision(checkout: &Path) -> Result<Vec<Precision>, String> {
    let file = super::findings::results(checkout).join("precision.json");
    match std::fs::read_to_string(&file) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display())),
        Err(_) => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::findings::tests::findings;
    use super::*;

    #[test]
    fn a_sample_is_of_one_commit() {
        let one = findings("caulk-saber", "tar", Vec::new());
        let other = Findings { commit: "def".into(), ..one.clone() };
        assert_eq!(one_commit(&[one.clone(), one.clone()]).as_deref(), Ok("abc"));
        assert!(one_commit(&[one, other]).unwrap_err().contains("--commit"));
    }
}
