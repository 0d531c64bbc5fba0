//! `cargo xtask lab replay`: what running an engine's findings shows, by `caulk check --confirm`.
//!
//! On the runnable programs each finding is true or false by their truth; on others by the reviews,
//! as far as it was read. For the symbolic engine the functions that it decided are counted, too.

use super::findings::{Finding, read_records, results, write_record};
use super::options::Options;
use super::peers::caulk;
use super::review::Reviewed;
use super::runnable::score::{Report, Score, score};
use super::runnable::truth::{self, Truths};
use super::runnable::{SUITE, truth_file};
use super::subject::{self, Subject};
use crate::corpus::run::captured;
use crate::corpus::{Entry, write_database};
use crate::show;
use crate::table::Table;
use crate::tools::{build_caulk, commit, today};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// How many findings came to each verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shares {
    pub confirmed: usize,
    pub conditional: usize,
    pub refuted: usize,
    pub not_replayable: usize,
    /// Why, of those that are not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, usize>,
}

/// The functions that the symbolic engine evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub evaluated: u64,
    pub completely: u64,
    pub given_up: u64,
}

/// One engine on one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    pub engine: String,
    pub program: String,
    pub date: String,
    pub commit: String,
    /// By what the findings are: `true`, `false`, `misplaced`, `disputed`, or `unread` where nobody has judged
    /// them.
    pub findings: BTreeMap<String, Shares>,
    /// Where findings are that are false, and confirmed all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<String>,
    pub decided: Option<Decided>,
}

/// Runs `cargo xtask lab replay` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let options = Options::parse(arguments, &[])?;
    let [engine, names @ ..] = options.names.as_slice() else { return Err(super::usage()) };
    if names.is_empty() {
        return Err(super::usage());
    }
    let reviewed = Reviewed::read(checkout)?;
    let run = Run { caulk: build_caulk(checkout)?, engine, checkout, reviewed };
    let mut records = Vec::new();
    for subject in &subject::choose(checkout, names)? {
        let record = run.record(subject)?;
        let text = serde_json::to_string_pretty(&record).map_err(|e| e.to_string())? + "\n";
        write_record(checkout, &format!("replay/{engine}-{}.json", record.program), &text)?;
        records.push(record);
    }
    show(&table(&records));
    Ok(ExitCode::SUCCESS)
}

pub fn read_all(checkout: &Path) -> Result<Vec<Replayed>, String> {
    read_records(&results(checkout).join("replay"))
}

struct Run<'a> {
    caulk: PathBuf,
    engine: &'a str,
    checkout: &'a Path,
    reviewed: Reviewed,
}

impl Run<'_> {
    fn record(&self, subject: &Subject) -> Result<Replayed, String> {
        let Subject { program, is_apart } = subject;
        let source = program.folder.join("source");
        let truths = match is_apart {
            true => Some(truth::read(&truth_file(self.checkout))?),
            false => None,
        };
        let parts: Vec<&[Entry]> = match is_apart {
            true => program.units.chunks(1).collect(),
            false => vec![&program.units],
        };
        let mut findings: BTreeMap<String, Shares> = BTreeMap::new();
        let mut contradictions = Vec::new();
        let mut decided = (self.engine == "symbolic").then_some([0; 3]);
        for units in parts {
            let database = program.folder.join("replay.json");
            write_database(&database, units)?;
            let show = if *is_apart { "all" } else { "leak/at-exit" };
            for found in self.confirmed(&database, &source, show)? {
                let name = match &truths {
                    Some(truths) => judged(truths, &found, &source),
                    None => self.read(&program.name, &found, &source),
                };
                findings.entry(name.to_owned()).or_default().count(&found);
                if name == "false" && found["replay"]["verdict"] == "confirmed" {
                    contradictions.extend(told(&found, &source).first().map(place));
                }
            }
            if let Some(counts) = &mut decided {
                self.add_decided(&database, &source, counts)?;
            }
            std::fs::remove_file(&database).map_err(|e| e.to_string())?;
        }
        Ok(Replayed {
            engine: self.engine.to_owned(),
            program: program.name.clone(),
            date: today()?,
            commit: commit(self.checkout)?,
            findings,
            contradictions,
            decided: decided.map(|[evaluated, completely, given_up]| Decided {
                evaluated,
                completely,
                given_up,
            }),
        })
    }

    /// What readers decided on one finding.
    fn read(&self, program: &str, found: &Value, source: &Path) -> &'static str {
        let findings = told(found, source);
        let word = findings.first().and_then(|it| self.reviewed.word(program, it));
        word.unwrap_or("unread")
    }

    /// The findings of one program, each with its verdict.
    fn confirmed(&self, database: &Path, source: &Path, show: &str) -> Result<Vec<Value>, String> {
        let mut caulk = Command::new(&self.caulk);
        let fixed = ["check", "--no-cache", "--no-config", "--quiet", "--confirm"];
        caulk.args(fixed).args(["--show", show, "--format", "json", "--engine", self.engine]);
        caulk.arg("-p").arg(database).current_dir(source).stdin(Stdio::null());
        let output = caulk.output().map_err(|e| format!("cannot run caulk: {e}"))?;
        let told: Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| format!("caulk: {e}: {}", String::from_utf8_lossy(&output.stderr)))?;
        Ok(told["findings"].as_array().cloned().unwrap_or_default())
    }

    fn add_decided(
        &self,
        database: &Path,
        source: &Path,
        counts: &mut [u64; 3],
    ) -> Result<(), String> {
        let mut caulk = Command::new(&self.caulk);
        caulk.args(["stats", "--engine", self.engine, "-p"]).arg(database);
        let told = captured(caulk.current_dir(source))?;
        let [all, nothing, completely, given_up] = STATISTICS.map(|name| statistic(&told, name));
        counts[0] += all.saturating_sub(nothing);
        counts[1] += completely;
        counts[2] += given_up;
        Ok(())
    }
}

/// Rows of the engine's statistics.
const STATISTICS: [&str; 4] = [
    "functions",
    "functions that make nothing",
    "functions decided completely",
    "functions given up",
];

/// The number in the last row of this name.
fn statistic(told: &str, name: &str) -> u64 {
    let number = |line: &str| {
        let rest = line.trim().strip_prefix(name)?.trim();
        rest.replace([',', ' '], "").parse().ok()
    };
    told.lines().filter_map(number).next_back().unwrap_or(0)
}

impl Shares {
    fn count(&mut self, found: &Value) {
        let counter = match found["replay"]["verdict"].as_str() {
            Some("confirmed") => &mut self.confirmed,
            Some("conditional") => &mut self.conditional,
            Some("refuted") => &mut self.refuted,
            _ => {
                let why = found["replay"]["why"].as_str().unwrap_or("it was not run");
                *self.reasons.entry(plain(why)).or_default() += 1;
                &mut self.not_replayable
            }
        };
        *counter += 1;
    }

    fn add(&mut self, other: &Shares) {
        self.confirmed += other.confirmed;
        self.conditional += other.conditional;
        self.refuted += other.refuted;
        self.not_replayable += other.not_replayable;
        for (why, count) in &other.reasons {
            *self.reasons.entry(why.clone()).or_default() += count;
        }
    }

    /// The verdicts, with what they are of all.
    fn cells(&self) -> impl Iterator<Item = String> + use<> {
        let all = self.all();
        let counts = [self.confirmed, self.conditional, self.refuted, self.not_replayable];
        let share = move |count: usize| format!("{count} ({} %)", 100 * count / all.max(1));
        [all.to_string()].into_iter().chain(counts.into_iter().map(share))
    }

    fn all(&self) -> usize {
        self.confirmed + self.conditional + self.refuted + self.not_replayable
    }
}

/// A reason without the place and the values of one run.
fn plain(why: &str) -> String {
    let end = if why.starts_with("the run ") { why.find(':') } else { None };
    why[..end.unwrap_or(why.len())].to_owned()
}

fn place(finding: &Finding) -> String {
    format!("{}:{}", finding.file, finding.line)
}

fn told(found: &Value, source: &Path) -> Vec<Finding> {
    caulk::parse(&json!({ "findings": [found] }).to_string(), source)
}

/// Whether what the finding speaks of goes wrong, but elsewhere than it says.
fn is_misplaced(truths: &Truths, report: &Report) -> bool {
    let defects = truths.get(&report.program).map_or(&[][..], |truth| &truth.defects);
    report.findings.iter().any(|finding| {
        let line = finding.allocation_line.unwrap_or(finding.line);
        defects.iter().any(|defect| defect.kind == finding.kind && defect.distance(line).is_some())
    })
}

/// What the truth says of one finding.
fn judged(truths: &Truths, found: &Value, source: &Path) -> &'static str {
    let findings = told(found, source);
    let file = findings.first().map(|it| Path::new(&it.file).with_extension(""));
    let Some(program) = file else { return "other" };
    let program = program.to_string_lossy().into_owned();
    let report = Report { tool: String::new(), program, findings };
    let scores = score(truths, std::slice::from_ref(&report));
    match scores.values().next() {
        Some(row) if row.wrong > 0 && is_misplaced(truths, &report) => "misplaced",
        Some(row) if row.wrong > 0 => "false",
        Some(row) if Score::total(&row.found) + row.on_failure[0] > 0 => "true",
        _ => "other",
    }
}

const HEADS: [&str; 8] = [
    "engine",
    "program",
    "findings",
    "number",
    "confirmed",
    "conditional",
    "refuted",
    "not replayable",
];

const ENGINES: [&str; 7] =
    ["engine", "programs", "findings", "confirmed", "conditional", "refuted", "not replayable"];
const DECIDED: [&str; 4] = ["program", "functions", "decided completely", "given up"];

/// What readers call a finding.
const READ: [&str; 3] = ["true", "false", "disputed"];
const REVIEWED: [&str; 7] =
    ["engine", "reviewed as", "number", "confirmed", "conditional", "refuted", "not replayable"];

pub fn table(records: &[Replayed]) -> String {
    let mut table = Table::new(HEADS);
    for record in records {
        for (name, shares) in &record.findings {
            let first = [&record.engine, &record.program, name].map(String::clone);
            table.row(first.into_iter().chain(shares.cells()).collect());
        }
    }
    format!("{}\n{}{}", table.text(), contradictions(records), decided(records))
}

/// The findings of each engine over all programs but the runnable ones.
pub fn engines(records: &[Replayed]) -> String {
    let mut engines: BTreeMap<&str, (usize, Shares)> = BTreeMap::new();
    for record in records.iter().filter(|record| record.program != SUITE) {
        let (programs, all) = engines.entry(&record.engine).or_default();
        *programs += 1;
        record.findings.values().for_each(|shares| all.add(shares));
    }
    let mut table = Table::new(ENGINES);
    for (engine, (programs, shares)) in engines {
        let first = [engine.to_owned(), programs.to_string()];
        table.row(first.into_iter().chain(shares.cells()).collect());
    }
    table.text()
}

fn contradictions(records: &[Replayed]) -> String {
    let row = |record: &Replayed| match record.contradictions.as_slice() {
        [] => String::new(),
        places => format!(
            "False, and confirmed all the same, of {} on {}: {}.\n",
            record.engine,
            record.program,
            places.join(", ")
        ),
    };
    let rows: String = records.iter().map(row).collect();
    if rows.is_empty() { "No finding that is false is confirmed.\n".into() } else { rows }
}

/// The functions that the symbolic engine decides.
fn decided(records: &[Replayed]) -> String {
    let mut table = Table::new(DECIDED);
    let mut is_empty = true;
    for record in records {
        let Some(Decided { evaluated, completely, given_up }) = &record.decided else { continue };
        let share = |count: &u64| format!("{count} ({} %)", 100 * count / (*evaluated).max(1));
        let cells = [evaluated.to_string(), share(completely), share(given_up)];
        table.row([record.program.clone()].into_iter().chain(cells).collect());
        is_empty = false;
    }
    match is_empty {
        true => String::new(),
        false => {
            format!("\nFunctions that make something, by symbolic evaluation:\n\n{}", table.text())
        }
    }
}

/// The reviewed findings of each engine over all programs, and why the true ones could not be run.
pub fn reviewed(records: &[Replayed]) -> String {
    let mut engines: BTreeMap<(&str, &str), Shares> = BTreeMap::new();
    for record in records.iter().filter(|record| record.program != SUITE) {
        for (name, shares) in record.findings.iter().filter(|row| READ.contains(&row.0.as_str())) {
            engines.entry((&record.engine, name)).or_default().add(shares);
        }
    }
    let mut table = Table::new(REVIEWED);
    let mut reasons = Vec::new();
    for ((engine, name), shares) in engines {
        let first = [engine, name].map(String::from);
        table.row(first.into_iter().chain(shares.cells()).collect());
        if name == "true" {
            reasons.extend(shares.reasons.iter().map(|(why, count)| (engine, *count, why.clone())));
        }
    }
    reasons.sort_by(|a, b| (a.0, b.1, &a.2).cmp(&(b.0, a.1, &b.2)));
    let mut why = Table::new(["why true findings are not replayable", "engine", "number"]);
    reasons.into_iter().for_each(|it| why.row(vec![it.2, it.0.into(), it.1.to_string()]));
    format!("{}\n{}", table.text(), why.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted() {
        let mut shares = Shares::default();
        for verdict in ["confirmed", "refuted", "not-replayable", "confirmed"] {
            shares.count(&json!({ "replay": { "verdict": verdict } }));
        }
        assert_eq!((shares.confirmed, shares.refuted, shares.not_replayable), (2, 1, 1));
        let record = Replayed {
            engine: "symbolic".into(),
            program: "zlib".into(),
            date: String::new(),
            commit: String::new(),
            findings: BTreeMap::from([("unread".to_owned(), shares)]),
            contradictions: vec!["a.c:3".into()],
            decided: Some(Decided { evaluated: 10, completely: 7, given_up: 1 }),
        };
        let text = table(&[record]);
        assert!(text.contains("2 (50 %)") && text.contains("7 (70 %)"), "{text}");
        assert!(text.contains("of symbolic on zlib: a.c:3."), "{text}");
    }

    #[test]
    fn reviewed_findings_are_added_up() {
        let one = |program: &str, name: &str, why: &str| {
            let mut shares = Shares::default();
            shares.count(&json!({ "replay": { "verdict": "confirmed" } }));
            shares.count(&json!({ "replay": { "verdict": "not-replayable", "why": why } }));
            Replayed {
                engine: "staged".into(),
                program: program.into(),
                date: String::new(),
                commit: String::new(),
                findings: BTreeMap::from([(name.to_owned(), shares)]),
                contradictions: Vec::new(),
                decided: None,
            }
        };
        let text = reviewed(&[
            one("tar", "true", "the run came to an error first: a in b"),
            one("git", "true", "the run came to an error first: c in d"),
            one("git", "unread", "no"),
            one(SUITE, "true", "no"),
        ]);
        assert!(text.contains("2 (50 %)") && !text.contains("unread"), "{text}");
        assert!(text.contains("the run came to an error first "), "{text}");
    }

    #[test]
    fn programs_of_an_engine_are_added_up() {
        let one = |engine: &str, program: &str| {
            let shares = Shares { confirmed: 1, not_replayable: 3, ..Shares::default() };
            Replayed {
                engine: engine.into(),
                program: program.into(),
                date: String::new(),
                commit: String::new(),
                findings: BTreeMap::from([("unread".to_owned(), shares)]),
                contradictions: Vec::new(),
                decided: None,
            }
        };
        let text = engines(&[one("saber", "tar"), one("saber", "jq"), one("saber", SUITE)]);
        let words: Vec<&str> = text.lines().last().unwrap_or_default().split('|').collect();
        let words: Vec<&str> = words.iter().map(|word| word.trim()).collect();
        assert_eq!(words[1..5], ["saber", "2", "8", "2 (25 %)"], "{text}");
    }

    #[test]
    fn an_object_that_is_lost_elsewhere_is_misplaced() {
        let defect = json!({ "kind": "leak", "tools": ["interp"],
            "chain": ["make:3", "f:5"] });
        let truth = json!({ "a": { "runs": 1, "defects": [defect], "kept": [], "clean": [],
            "uncovered": [], "untaken": [], "disagreements": [] } });
        let truths: Truths = serde_json::from_value(truth).unwrap();
        let is_misplaced = |line: u32| {
            let finding = json!({ "file": "a.c", "line": 9, "kind": "leak", "message": "",
                "allocation_line": line });
            let findings = vec![serde_json::from_value(finding).unwrap()];
            super::is_misplaced(
                &truths,
                &Report { tool: String::new(), program: "a".into(), findings },
            )
        };
        assert!(is_misplaced(5) && !is_misplaced(6));
    }

    #[test]
    fn statistics_are_read() {
        let told = "functions   3\n  functions decided completely   1,204\n  functions  40\n";
        assert_eq!(statistic(told, "functions"), 40);
        assert_eq!(statistic(told, "functions decided completely"), 1204);
    }
}
