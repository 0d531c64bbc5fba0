//! Scores of tools on programs whose truth is known: `lab/results/scores/*.json`, each a list.

use crate::lab::findings::{read_records, results};
use crate::table::Table;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One tool on one suite, or on a part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// For instance `planted, confirmed` or `runnable`.
    pub suite: String,
    pub tool: String,
    /// `all` for a whole suite.
    pub program: String,
    /// How many defects there are.
    pub defects: usize,
    /// How many of them were found at the right allocation.
    pub found: usize,
    /// Findings that are no defect.
    #[serde(rename = "false")]
    pub false_: usize,
}

pub fn read_all(checkout: &Path) -> Result<Vec<Score>, String> {
    Ok(read_records::<Vec<Score>>(&results(checkout).join("scores"))?.concat())
}

impl Score {
    pub fn share(&self) -> f64 {
        self.found as f64 / (self.defects as f64).max(1.0)
    }
}

pub fn table(scores: &[Score]) -> String {
    let mut table =
        Table::new(["suite", "program", "tool", "defects", "found", "share", "false findings"]);
    for score in scores {
        table.row(vec![
            score.suite.clone(),
            score.program.clone(),
            score.tool.clone(),
            score.defects.to_string(),
            score.found.to_string(),
            format!("{:.0} %", 100.0 * score.share()),
            score.false_.to_string(),
        ]);
    }
    table.text()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn score(tool: &str, found: usize) -> Score {
        let (suite, program) = ("planted".into(), "all".into());
        Score { suite, tool: tool.into(), program, defects: 10, found, false_: 2 }
    }

    #[test]
    fn shares_are_of_the_defects() {
        let text = table(&[score("gcc", 4)]);
        assert!(text.contains("|   40 % |") || text.contains("|  40 % |"), "{text}");
        assert_eq!(Score { defects: 0, ..score("gcc", 0) }.share(), 0.0);
        let json = serde_json::to_string(&score("gcc", 4)).unwrap();
        assert!(json.contains("\"false\":2"), "{json}");
    }
}
