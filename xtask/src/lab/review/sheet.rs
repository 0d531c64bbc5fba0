//! The page that readers fill in: `docs/results/review-ENGINE.md`, a row for each finding.

use super::verdict::Verdict;
use crate::lab::findings::{Finding, Kind};
use std::path::Path;

const INTRODUCTION: &str = "\
Verdicts are `true`, `true: second failure`, `true: at exit`, `true: intentional` or `false`, as
`docs/lab.md` defines them. The second reader decides without sight of the first verdicts
(`cargo xtask lab blind`). A reason is one sentence.
";
const COLUMNS: [&str; 11] = [
    "program",
    "file",
    "line",
    "kind",
    "allocated",
    "confidence",
    "message",
    "first",
    "first reason",
    "second",
    "second reason",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub engine: String,
    pub commit: String,
    pub seed: u64,
    pub half: String,
    pub date: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    pub head: Head,
    pub rows: Vec<Row>,
}

/// A finding and what was decided. The order is that of places.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub program: String,
    pub file: String,
    pub line: u32,
    pub kind: Kind,
    pub allocation_line: Option<u32>,
    /// Empty where the engine tells none.
    pub confidence: String,
    pub message: String,
    /// Verdict and reason of the first and the second reader.
    pub readers: [Opinion; 2],
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opinion {
    verdict: String,
    reason: String,
}

impl Opinion {
    pub fn verdict(&self) -> Result<Option<Verdict>, String> {
        Verdict::parse(&self.verdict)
    }
}

impl Row {
    pub fn new(program: &str, finding: &Finding) -> Row {
        Row {
            program: program.into(),
            file: finding.file.clone(),
            line: finding.line,
            kind: finding.kind,
            allocation_line: finding.allocation_line,
            confidence: finding.confidence.clone().unwrap_or_default(),
            message: cell(&finding.message),
            readers: Default::default(),
        }
    }

    /// Whether a tool still reports this.
    pub fn is(&self, program: &str, finding: &Finding) -> bool {
        let other = Row::new(program, finding);
        Row { readers: Default::default(), ..self.clone() } == other
    }

    fn text(&self) -> String {
        let allocated = self.allocation_line.map_or(String::new(), |line| line.to_string());
        let [first, second] = &self.readers;
        let cells = [
            &self.program,
            &self.file,
            &self.line.to_string(),
            self.kind.name(),
            &allocated,
            &self.confidence,
            &self.message,
            &first.verdict,
            &first.reason,
            &second.verdict,
            &second.reason,
        ];
        line(&cells)
    }

    fn parse(text: &str) -> Option<Row> {
        let inner = text.trim().strip_prefix('|')?.strip_suffix('|')?;
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        let [program, file, line, kind, allocated, confidence, message, readers @ ..] =
            cells.as_slice()
        else {
            return None;
        };
        let &[verdict, reason, second, second_reason] = readers else { return None };
        let opinion = |verdict: &str, reason: &str| Opinion {
            verdict: verdict.trim_matches('`').into(),
            reason: reason.into(),
        };
        Some(Row {
            program: program.to_string(),
            file: file.to_string(),
            line: line.parse().ok()?,
            kind: Kind::parse(kind)?,
            allocation_line: allocated.parse().ok(),
            confidence: confidence.to_string(),
            message: message.to_string(),
            readers: [opinion(verdict, reason), opinion(second, second_reason)],
        })
    }
}

/// What a table's cell can hold.
fn cell(text: &str) -> String {
    text.replace('|', "/").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

impl Sheet {
    pub fn new(head: Head, rows: Vec<Row>) -> Sheet {
        Sheet { head, rows }
    }

    pub fn text(&self) -> String {
        let Head { engine, commit, seed, half, date } = &self.head;
        let rule = line(&COLUMNS.map(|_| "---"));
        let rows: String = self.rows.iter().map(Row::text).collect();
        format!(
            "# Review of {engine}\n\nengine {engine}, commit {commit}, seed {seed}, {half}, drawn \
             {date}\n\n{INTRODUCTION}\n{}{rule}{rows}",
            line(&COLUMNS)
        )
    }

    pub fn read(file: &Path) -> Result<Sheet, String> {
        let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
        let text = std::fs::read_to_string(file).map_err(|e| told(&e))?;
        Sheet::parse(&text).map_err(|e| told(&e))
    }

    fn parse(text: &str) -> Result<Sheet, String> {
        let head = text.lines().find_map(head).ok_or("no line `engine …, commit …, seed …`")?;
        let table = text.lines().filter(|line| line.starts_with('|')).skip(2);
        let row = |line: &str| Row::parse(line).ok_or(format!("not a row of a review: {line}"));
        Ok(Sheet { head, rows: table.map(row).collect::<Result<_, _>>()? })
    }

    pub fn without_verdicts(&self) -> Sheet {
        let blank = |row: &Row| Row { readers: Default::default(), ..row.clone() };
        Sheet { head: self.head.clone(), rows: self.rows.iter().map(blank).collect() }
    }

    /// A second reader writes into the first columns of a blank sheet, or into the second.
    pub fn with_second(&self, other: &Sheet) -> Result<Sheet, String> {
        if self.without_verdicts() != other.without_verdicts() {
            return Err("the sheets are not of the same findings".into());
        }
        let merge = |(row, other): (&Row, &Row)| {
            let [first, second] = other.readers.clone();
            let second = if second == Opinion::default() { first } else { second };
            Row { readers: [row.readers[0].clone(), second], ..row.clone() }
        };
        let rows = self.rows.iter().zip(&other.rows).map(merge).collect();
        Ok(Sheet { head: self.head.clone(), rows })
    }
}

/// The line `engine E, commit C, seed S, HALF, drawn DATE`.
fn head(line: &str) -> Option<Head> {
    let mut parts = line.split(", ");
    let mut after = |word: &str| parts.next()?.strip_prefix(word).map(str::to_string);
    let (engine, commit) = (after("engine ")?, after("commit ")?);
    let seed = after("seed ")?.parse().ok()?;
    let half = after("")?;
    Some(Head { engine, commit, seed, half, date: after("drawn ")? })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::lab::findings::tests::finding;

    pub fn sheet(rows: &[(&str, u32, &str, &str)]) -> Sheet {
        let text = String::from;
        let (engine, commit, half) = (text("saber"), text("abc"), text("half test"));
        let head = Head { engine, commit, seed: 7, half, date: text("2026-11-30") };
        let row = |&(program, line, first, second): &(&str, u32, &str, &str)| {
            let opinion = |word: &str| Opinion { verdict: word.into(), reason: "r".into() };
            let row = Row::new(program, &finding("a.c", line, Kind::Leak));
            Row { readers: [opinion(first), opinion(second)], ..row }
        };
        Sheet::new(head, rows.iter().map(row).collect())
    }

    #[test]
    fn a_sheet_round_trips() {
        let sheet = sheet(&[("tar", 1, "true", "false"), ("tar", 2, "", "")]);
        assert_eq!(Sheet::parse(&sheet.text()).unwrap(), sheet);
        let odd = Finding { message: "a | b\nc".into(), ..finding("a.c", 1, Kind::Leak) };
        let row = Row::new("tar", &odd);
        assert_eq!(Row::parse(&row.text()).unwrap(), row);
        assert!(row.is("tar", &odd) && !row.is("git", &odd));
    }

    #[test]
    fn a_broken_row_is_an_error() {
        let text = sheet(&[("tar", 1, "true", "false")]).text() + "| tar | a.c | x |\n";
        assert!(Sheet::parse(&text).unwrap_err().contains("not a row"));
        assert!(Sheet::parse("# Review\n").is_err());
    }

    #[test]
    fn the_second_reader_sees_nothing_and_is_merged() {
        let first = sheet(&[("tar", 1, "true", "")]);
        let blind = first.without_verdicts();
        assert!(!blind.text().contains("| true |"));
        let second = sheet(&[("tar", 1, "false", "")]);
        let merged = first.with_second(&Sheet {
            rows: second
                .rows
                .iter()
                .map(|row| Row {
                    readers: [row.readers[0].clone(), Opinion::default()],
                    ..row.clone()
                })
                .collect(),
            ..second
        });
        let verdicts = merged.unwrap().rows[0].readers.clone().map(|opinion| opinion.verdict);
        assert_eq!(verdicts, ["true", "false"]);
        assert!(first.with_second(&sheet(&[("tar", 2, "false", "")])).is_err());
    }
}
