//! A program with one planted defect, as a patch of one file. No edit adds or removes a line, so
//! that findings on the program and on its mutants can be compared by their lines.

use serde::{Deserialize, Serialize};

/// How a release is spoilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plant {
    Removed,
    UnderBranch,
    EarlyReturn,
    Overwritten,
    Duplicated,
}

impl Plant {
    pub const ALL: [Plant; 5] = [
        Plant::Removed,
        Plant::UnderBranch,
        Plant::EarlyReturn,
        Plant::Overwritten,
        Plant::Duplicated,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Plant::Removed => "removed",
            Plant::UnderBranch => "under-branch",
            Plant::EarlyReturn => "early-return",
            Plant::Overwritten => "overwritten",
            Plant::Duplicated => "duplicated",
        }
    }
}

/// At this byte, this text is replaced by that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    pub at: usize,
    pub old: String,
    pub new: String,
}

/// A line that a defect of the mutant was allocated through.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Allocation {
    pub file: String,
    pub function: String,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// `PROGRAM#NUMBER`.
    pub id: String,
    pub program: String,
    /// Relative to the sources of the program.
    pub file: String,
    pub function: String,
    /// Of the release.
    pub line: u32,
    pub plant: Plant,
    pub edits: Vec<Edit>,
    /// Whether a run shows the defect; none if nobody tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<bool>,
    /// The allocations, with their callers, that a run lost or freed twice because of the defect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allocations: Vec<Allocation>,
}

impl Mutant {
    /// The mutated text; fails if the text is not that of the program.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        let mut result = text.to_string();
        let mut edits: Vec<&Edit> = self.edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.at));
        for edit in edits {
            let range = edit.at..edit.at + edit.old.len();
            if result.get(range.clone()) != Some(&edit.old) {
                return Err(format!("{}: the patch does not fit {}", self.id, self.file));
            }
            result.replace_range(range, &edit.new);
        }
        Ok(result)
    }
}

/// The mutants in a file.
pub fn read(file: &std::path::Path) -> Result<Vec<Mutant>, String> {
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(file).map_err(|e| told(&e))?;
    serde_json::from_str(&text).map_err(|e| told(&e))
}

/// One mutant a line.
pub fn text(mutants: &[Mutant]) -> Result<String, String> {
    let rows: Result<Vec<String>, _> = mutants.iter().map(serde_json::to_string).collect();
    Ok(format!("[\n{}\n]\n", rows.map_err(|e| e.to_string())?.join(",\n")))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn mutant(edits: Vec<Edit>) -> Mutant {
        Mutant {
            id: "p#1".into(),
            program: "p".into(),
            file: "p.c".into(),
            function: "f".into(),
            line: 3,
            plant: Plant::Removed,
            edits,
            confirmed: None,
            allocations: Vec::new(),
        }
    }

    #[test]
    fn edits_apply_together() {
        let edit = |at, old: &str, new: &str| Edit { at, old: old.into(), new: new.into() };
        let both = mutant(vec![edit(0, "", "x"), edit(2, "c", "CC")]);
        assert_eq!(both.apply("abcd").unwrap(), "xabCCd");
        assert!(both.apply("ab").is_err());
        assert!(mutant(vec![edit(1, "z", "")]).apply("abc").is_err());
    }

    #[test]
    fn files_round_trip() {
        let two = vec![mutant(Vec::new()), mutant(Vec::new())];
        let written = text(&two).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Mutant>>(&written).unwrap(), two);
        assert_eq!(written.lines().count(), 4);
    }
}
