//! What readers decided on findings, over all reviews, for whoever meets such a finding again.

use super::sheet::{Row, Sheet};
use super::verdict::{Judgement, judge};
use crate::lab::findings::Finding;
use std::path::{Path, PathBuf};

/// Findings that two readers have decided on, the latest review first.
#[derive(Debug, Default)]
pub struct Reviewed {
    rows: Vec<(Row, Judgement)>,
}

impl Reviewed {
    pub fn read(checkout: &Path) -> Result<Reviewed, String> {
        let files = super::pages(&checkout.join("docs/results"), &["review-", "earlier-"]);
        let sheets: Result<Vec<Sheet>, String> =
            files.iter().map(|file: &PathBuf| Sheet::read(file)).collect();
        Reviewed::of(sheets?)
    }

    fn of(mut sheets: Vec<Sheet>) -> Result<Reviewed, String> {
        sheets.sort_by_key(|sheet| (sheet.head.date.clone(), sheet.head.seed));
        let mut rows = Vec::new();
        for row in sheets.into_iter().rev().flat_map(|sheet| sheet.rows) {
            let [first, second] = &row.readers;
            let judgement = judge(first.verdict()?, second.verdict()?);
            if judgement != Judgement::Open {
                rows.push((row, judgement));
            }
        }
        Ok(Reviewed { rows })
    }

    /// `true`, `false` or `disputed`; none for what nobody has read. A finding is known by the call
    /// that allocates, since engines differ in where they see the loss; of several read at one call,
    /// the one with the same line of loss counts.
    pub fn word(&self, program: &str, finding: &Finding) -> Option<&'static str> {
        let is_it = |row: &Row| {
            row.program == program
                && row.file == finding.file
                && row.kind == finding.kind
                && row.allocation_line == finding.allocation_line
        };
        let known: Vec<&(Row, Judgement)> = self.rows.iter().filter(|it| is_it(&it.0)).collect();
        let same = known.iter().find(|it| it.0.line == finding.line);
        let (_, judgement) = same.or(known.first())?;
        Some(match judgement {
            Judgement::True | Judgement::Marked => "true",
            Judgement::False => "false",
            Judgement::Disputed | Judgement::Open => "disputed",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::tests::sheet;
    use super::*;
    use crate::lab::findings::Kind;
    use crate::lab::findings::tests::finding;

    #[test]
    fn the_latest_review_counts() {
        let earlier = sheet(&[("tar", 1, "true", "true"), ("tar", 2, "false", "true")]);
        let mut later = sheet(&[("tar", 1, "false", "false"), ("tar", 3, "true", "")]);
        later.head.seed += 1;
        let reviewed = Reviewed::of(vec![later, earlier]).unwrap();
        let word = |program, line| reviewed.word(program, &finding("a.c", line, Kind::Leak));
        assert_eq!(word("tar", 1), Some("false"));
        assert_eq!(word("tar", 2), Some("disputed"));
        assert_eq!(word("git", 1), None);
    }

    #[test]
    fn a_finding_is_known_by_its_allocation() {
        let mut sheet = sheet(&[("tar", 1, "true", "true"), ("tar", 2, "false", "false")]);
        sheet.rows.iter_mut().for_each(|row| row.allocation_line = Some(9));
        let reviewed = Reviewed::of(vec![sheet]).unwrap();
        let at = |line, allocated| Finding {
            allocation_line: Some(allocated),
            ..finding("a.c", line, Kind::Leak)
        };
        assert_eq!(reviewed.word("tar", &at(2, 9)), Some("false"));
        assert_eq!(reviewed.word("tar", &at(7, 9)), Some("true"));
        assert_eq!(reviewed.word("tar", &at(1, 8)), None);
    }
}
