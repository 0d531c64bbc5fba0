//! How an engine did on programs and mutants: what is recorded, and what has become worse.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// On one program or mutant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub found: BTreeSet<String>,
    /// Findings that are wrong; of a mutant, new ones that are about something else.
    #[serde(rename = "false")]
    pub wrong: BTreeSet<String>,
}

/// By program and mutant.
pub type Outcomes = BTreeMap<String, Outcome>;

/// What was found and is not any more, and what is wrong and was not.
pub fn worse(old: &Outcomes, new: &Outcomes) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, new) in new {
        let Some(old) = old.get(name) else {
            lines.push(format!("{name}: nothing is recorded"));
            continue;
        };
        let lost = old.found.difference(&new.found);
        lines.extend(lost.map(|what| format!("{name}: no longer found: {what}")));
        let wrong = new.wrong.difference(&old.wrong);
        lines.extend(wrong.map(|what| format!("{name}: new and wrong: {what}")));
    }
    lines
}

/// One program a line, so that a change shows as such.
pub fn text(outcomes: &Outcomes) -> Result<String, String> {
    let line = |(name, outcome): (&String, &Outcome)| {
        Ok(format!("{name:?}: {}", serde_json::to_string(outcome).map_err(|e| e.to_string())?))
    };
    let lines: Result<Vec<String>, String> = outcomes.iter().map(line).collect();
    Ok(format!("{{\n{}\n}}\n", lines?.join(",\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(found: &[&str], wrong: &[&str]) -> Outcomes {
        let set = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        [("p".to_string(), Outcome { found: set(found), wrong: set(wrong) })].into()
    }

    #[test]
    fn less_found_and_more_wrong_is_worse() {
        let old = outcomes(&["a", "b"], &["x"]);
        assert_eq!(worse(&old, &old), [""; 0]);
        assert_eq!(worse(&old, &outcomes(&["a", "b", "c"], &[])), [""; 0]);
        let now = outcomes(&["a"], &["x", "y"]);
        assert_eq!(worse(&old, &now), ["p: no longer found: b", "p: new and wrong: y"]);
        assert_eq!(worse(&Outcomes::new(), &old), ["p: nothing is recorded"]);
    }

    #[test]
    fn records_round_trip() {
        let old = outcomes(&["a"], &["x"]);
        let written = text(&old).unwrap();
        assert_eq!(serde_json::from_str::<Outcomes>(&written).unwrap(), old);
        assert_eq!(written.lines().count(), 3);
    }
}
