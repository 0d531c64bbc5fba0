//! How many of the reviewed findings are true, for an engine and for each program, and which of
//! them are no longer what was reviewed.

use super::sheet::{Row, Sheet};
use super::verdict::{Judgement, judge};
use crate::lab::findings::Findings;
use crate::table::Table;
use serde::{Deserialize, Serialize};

/// What a review tells about an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Precision {
    pub engine: String,
    pub commit: String,
    pub seed: u64,
    pub half: String,
    pub date: String,
    pub all: Shares,
    pub programs: Vec<(String, Shares)>,
    /// By confidence, where the engine told one.
    #[serde(default)]
    pub levels: Vec<(String, Shares)>,
    /// Reviewed findings that the engine reports no more, or otherwise, as `program file:line`.
    pub changed: Vec<String>,
}

/// Counts of reviewed findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shares {
    pub all: usize,
    pub true_: usize,
    /// True, but only when a second allocation fails, at exit, or on purpose.
    pub marked: usize,
    pub false_: usize,
    /// Counts as false.
    pub disputed: usize,
    /// Not decided by both readers: counts as nothing.
    pub open: usize,
}

impl Shares {
    fn add(&mut self, judgement: Judgement) {
        self.all += 1;
        *match judgement {
            Judgement::True => &mut self.true_,
            Judgement::Marked => &mut self.marked,
            Judgement::False => &mut self.false_,
            Judgement::Disputed => &mut self.disputed,
            Judgement::Open => &mut self.open,
        } += 1;
    }

    /// The share of true findings, marked ones included, among those that are decided.
    pub fn precision(&self) -> Option<f64> {
        let decided = self.all - self.open;
        (decided > 0).then(|| (self.true_ + self.marked) as f64 / decided as f64)
    }
}

pub fn precision(sheet: &Sheet, current: &[&Findings]) -> Result<Precision, String> {
    let mut all = Shares::default();
    let mut programs: Vec<(String, Shares)> = Vec::new();
    let mut levels: Vec<(String, Shares)> = Vec::new();
    let mut changed = Vec::new();
    for row in &sheet.rows {
        let place = format!("{} {}:{}", row.program, row.file, row.line);
        let [first, second] = &row.readers;
        let told = |e| format!("{place}: {e}");
        let judgement = judge(first.verdict().map_err(told)?, second.verdict().map_err(told)?);
        all.add(judgement);
        add(&mut programs, &row.program, judgement);
        if !row.confidence.is_empty() {
            add(&mut levels, &row.confidence, judgement);
        }
        changed.extend((!is_current(row, current)).then_some(place));
    }
    let head = sheet.head.clone();
    let (engine, commit, seed) = (head.engine, head.commit, head.seed);
    let (half, date) = (head.half, head.date);
    Ok(Precision { engine, commit, seed, half, date, all, programs, levels, changed })
}

fn add(groups: &mut Vec<(String, Shares)>, name: &str, judgement: Judgement) {
    let known = groups.iter().position(|(group, _)| group == name);
    let place = known.unwrap_or_else(|| {
        groups.push((name.into(), Shares::default()));
        groups.len() - 1
    });
    groups[place].1.add(judgement);
}

fn is_current(row: &Row, current: &[&Findings]) -> bool {
    let mut of_program = current.iter().filter(|record| record.program == row.program);
    of_program.any(|record| record.findings.iter().any(|f| row.is(&record.program, f)))
}

pub const HEADS: [&str; 8] =
    ["engine", "program", "reviewed", "true", "marked", "false", "disputed", "precision"];

/// A line for each program, and one for all, of each engine.
pub fn table(all: &[Precision]) -> String {
    let mut table = Table::new(HEADS);
    for precision in all {
        for (program, shares) in &precision.programs {
            table.row(cells(&precision.engine, program, shares));
        }
        for (level, shares) in &precision.levels {
            table.row(cells(&precision.engine, &format!("all, {level}"), shares));
        }
        table.row(cells(&precision.engine, "all", &precision.all));
    }
    table.text()
}

fn cells(engine: &str, program: &str, shares: &Shares) -> Vec<String> {
    let precision = shares.precision().map(|share| format!("{:.0} %", 100.0 * share));
    let counts = [shares.all, shares.true_, shares.marked, shares.false_, shares.disputed];
    let mut cells = vec![engine.to_string(), program.to_string()];
    cells.extend(counts.iter().map(usize::to_string));
    cells.push(precision.unwrap_or("open".into()));
    cells
}

pub fn text(all: &[Precision]) -> String {
    if all.is_empty() {
        return "no review in docs/results\n".into();
    }
    let mut text = table(all);
    for Precision { engine, changed, .. } in all {
        for place in changed {
            text += &format!("{engine}: changed since the review: {place}\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::sheet::tests::sheet;
    use super::*;
    use crate::lab::findings::Kind;
    use crate::lab::findings::tests::{finding, findings};

    fn reviewed() -> Precision {
        let sheet = sheet(&[
            ("git", 1, "true", "true"),
            ("git", 2, "true", "false"),
            ("git", 3, "true: at exit", "true"),
            ("tar", 4, "false", "false"),
            ("tar", 5, "true", ""),
        ]);
        let lines = |lines: &[u32]| lines.iter().map(|&l| finding("a.c", l, Kind::Leak)).collect();
        let git = findings("caulk-saber", "git", lines(&[1, 2, 3]));
        let tar = findings("caulk-saber", "tar", lines(&[4]));
        precision(&sheet, &[&git, &tar]).unwrap()
    }

    #[test]
    fn disputed_findings_count_as_false_and_open_ones_as_nothing() {
        let Precision { all, programs, .. } = reviewed();
        assert_eq!((all.true_, all.marked, all.false_, all.disputed, all.open), (1, 1, 1, 1, 1));
        assert_eq!(all.precision(), Some(0.5));
        let shares: Vec<_> = programs.iter().map(|(n, s)| (n.as_str(), s.precision())).collect();
        assert_eq!(shares, [("git", Some(2.0 / 3.0)), ("tar", Some(0.0))]);
        assert_eq!(Shares::default().precision(), None);
    }

    #[test]
    fn changed_findings_are_flagged() {
        let precision = reviewed();
        assert_eq!(precision.changed, ["tar a.c:5"]);
        assert!(text(&[precision]).contains("saber: changed since the review: tar a.c:5\n"));
        assert!(text(&[]).starts_with("no review"));
    }

    #[test]
    fn a_wrong_word_is_told_with_its_place() {
        let told = precision(&sheet(&[("tar", 9, "maybe", "true")]), &[]).unwrap_err();
        assert!(told.starts_with("tar a.c:9: no verdict"), "{told}");
    }
}
