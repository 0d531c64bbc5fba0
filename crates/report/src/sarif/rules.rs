//! The tool: a rule for each kind of finding, a name for each kind of notification.

use caulk_finding::{Confidence, Kind};
use serde_json::{Value, json};

use super::{Tool, text};
use crate::kinds::{explanation, help, sentence};

/// What an incomplete part is called, with a text for people.
const NOTIFICATIONS: [(&str, &str); 8] = [
    ("input", "An input did not become a unit."),
    ("unit", "A unit was not analysed."),
    ("part", "Source text with an error was not analysed."),
    ("function", "A function was not analysed."),
    ("search", "The search for a finding was cut short."),
    ("program", "What all units together would tell was not analysed."),
    ("suppression", "A suppression is not used, or not understood."),
    ("limit", "Something was left out to keep within limits."),
];

pub fn driver(tool: &Tool<'_>) -> Value {
    let notification =
        |(id, title): (&str, &str)| json!({ "id": id, "shortDescription": text(title) });
    json!({
        "name": tool.name,
        "version": tool.version,
        "semanticVersion": tool.version,
        "rules": Kind::ALL.map(rule),
        "notifications": NOTIFICATIONS.map(notification),
    })
}

fn rule(kind: Kind) -> Value {
    let explanation = explanation(kind);
    let title = format!("{}.", sentence(kind.title()));
    let full = format!("{title} {}", explanation.meaning.replace('\n', " "));
    let help = help(kind);
    json!({
        "id": kind.id(),
        "name": name(kind),
        "shortDescription": text(&title),
        "fullDescription": text(&full),
        "help": { "text": help, "markdown": help },
        "defaultConfiguration": { "level": "warning" },
        "properties": {
            "tags": tags(kind, explanation.cwe),
            "precision": "high",
            "problem.severity": if kind.is_leak() { "warning" } else { "error" },
        },
    })
}

/// `LeakSomePath`, as rules are named.
fn name(kind: Kind) -> String {
    kind.id().split(['/', '-']).map(sentence).collect()
}

fn tags(kind: Kind, cwe: u32) -> Vec<String> {
    let class = if kind.is_leak() { "resource-leak" } else { "memory-safety" };
    vec!["reliability".into(), class.into(), format!("external/cwe/cwe-{cwe}")]
}

pub fn level(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "error",
        Confidence::Medium => "warning",
        Confidence::Low => "note",
    }
}
