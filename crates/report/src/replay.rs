//! What a run of a finding showed, in words.

use caulk_finding::{Finding, Outcome};
use serde_json::{Value, json};

use crate::style::printable;

/// Activations of a stack that people read.
const SHOWN: usize = 6;

/// `confirmed: a run of `f` shows it`, then the inputs and the stack, a line each.
pub fn lines(finding: &Finding) -> Vec<String> {
    let seen = if finding.kind.is_leak() { "lost in" } else { "seen in" };
    finding.replay.outcome.iter().flat_map(|outcome| told(outcome, seen)).collect()
}

fn told(outcome: &Outcome, seen: &str) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", outcome.proof.words(), printable(&outcome.why))];
    let inputs = inputs(outcome);
    if !inputs.is_empty() {
        lines.push(format!("with {}", inputs.join(", ")));
    }
    let stack: Vec<String> = outcome
        .stack
        .iter()
        .take(SHOWN)
        .map(|row| format!("`{}` ({})", printable(&row.function), printable(&row.place)))
        .collect();
    if !stack.is_empty() {
        lines.push(format!("{seen} {}", stack.join(", called by ")));
    }
    lines
}

/// `n = 3`, `malloc in line 12 fails`.
fn inputs(outcome: &Outcome) -> Vec<String> {
    let spelled = |name: &str, value: &str| match value {
        "fails" => format!("{name} failing"),
        _ => format!("{name} = {value}"),
    };
    outcome.inputs.iter().map(|row| printable(&spelled(&row.name, &row.value))).collect()
}

/// For programs.
pub fn value(outcome: &Outcome) -> Value {
    let inputs = outcome.inputs.iter();
    let stack = outcome.stack.iter();
    json!({
        "verdict": outcome.proof.id(),
        "why": outcome.why,
        "inputs": inputs
            .map(|row| json!({ "name": row.name, "value": row.value }))
            .collect::<Vec<_>>(),
        "stack": stack
            .map(|row| json!({ "function": row.function, "place": row.place }))
            .collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use caulk_finding::Proof;

    use super::*;
    use crate::sample::confirmed;

    #[test]
    fn inputs_and_the_stack_are_told() {
        assert_eq!(
            told(&confirmed(), "lost in"),
            [
                "confirmed: a run of `add` shows it",
                "with list->full = 1, malloc in line 12 failing",
                "lost in `push` (list.c:9:3), called by `add` (list.c:20:1)",
            ]
        );
    }

    #[test]
    fn a_reason_is_enough_for_the_others() {
        let outcome = Outcome {
            proof: Proof::Refuted,
            why: "no input takes this path".into(),
            inputs: Vec::new(),
            stack: Vec::new(),
        };
        assert_eq!(told(&outcome, "lost in"), ["refuted: no input takes this path"]);
        assert_eq!(value(&outcome)["verdict"], "refuted");
    }
}
