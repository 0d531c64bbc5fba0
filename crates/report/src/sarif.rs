//! SARIF 2.1.0, the format that code hosts and editors read.
//!
//! Findings become results, and what could not be analysed becomes notifications of the
//! invocation, so that a consumer can tell "nothing wrong" from "not looked at". Relative paths
//! stay relative references, to be resolved against the folder that caulk ran in.
//!
//! SARIF knows only columns that count characters: see `columns`.

use caulk_finding::{Confidence, Finding, Incomplete, Kind, Location, Results, Step};
use serde_json::{Map, Value, json};

use crate::uri::uri;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Who made the report, and how its run ended.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    pub name: &'a str,
    pub version: &'a str,
    pub exit_code: u8,
}

/// What an incomplete part is called, with a text for people.
const NOTIFICATIONS: [(&str, &str); 4] = [
    ("input", "An input did not become a unit."),
    ("unit", "A unit was not analysed."),
    ("part", "Source text with an error was not analysed."),
    ("function", "A function was not analysed."),
];

/// The report as JSON text, ending with a newline. Columns are taken as they are; `in_characters`
/// makes them what the format wants.
#[must_use]
pub fn sarif(results: &Results, tool: &Tool<'_>) -> String {
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(tool) },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(results, tool)],
            "results": results.findings.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    format!("{log:#}\n")
}

fn driver(tool: &Tool<'_>) -> Value {
    let rule = |kind: Kind| json!({ "id": kind.id(), "shortDescription": text(kind.title()) });
    let notification =
        |(id, title): (&str, &str)| json!({ "id": id, "shortDescription": text(title) });
    json!({
        "name": tool.name,
        "version": tool.version,
        "rules": Kind::ALL.map(rule),
        "notifications": NOTIFICATIONS.map(notification),
    })
}

fn invocation(results: &Results, tool: &Tool<'_>) -> Value {
    let notifications: Vec<Value> = results.incomplete.iter().map(notification).collect();
    json!({
        "executionSuccessful": !results.interrupted,
        "exitCode": tool.exit_code,
        "toolExecutionNotifications": notifications,
    })
}

fn notification(incomplete: &Incomplete) -> Value {
    let kind = incomplete.what.kind();
    let message = match &incomplete.what {
        caulk_finding::Subject::Function { name, .. } => {
            format!("function `{name}`: {}", incomplete.why)
        }
        _ => incomplete.why.clone(),
    };
    let mut value = json!({
        "level": "error",
        "descriptor": { "id": kind },
        "message": text(&message),
    });
    if let Some(place) = &incomplete.place {
        value["locations"] = json!([location(place)]);
    }
    value
}

fn result(finding: &Finding) -> Value {
    let mut place = location(&finding.primary);
    place["logicalLocations"] = json!([{ "name": finding.function, "kind": "function" }]);
    let mut value = json!({
        "ruleId": finding.kind.id(),
        "ruleIndex": Kind::ALL.iter().position(|&kind| kind == finding.kind),
        "level": level(finding.confidence),
        "message": text(&finding.message),
        "locations": [place],
        "partialFingerprints": { "caulk/v1": finding.fingerprint },
    });
    if !finding.path.is_empty() {
        let steps: Vec<Value> = finding.path.iter().map(step).collect();
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    value
}

fn level(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "error",
        Confidence::Medium => "warning",
        Confidence::Low => "note",
    }
}

fn step(step: &Step) -> Value {
    let mut place = location(&step.location);
    place["message"] = text(&step.message);
    json!({ "location": place })
}

fn location(place: &Location) -> Value {
    let mut physical = Map::new();
    physical.insert("artifactLocation".into(), json!({ "uri": uri(&place.path) }));
    if let Some(range) = place.range {
        let mut region = json!({
            "startLine": range.start.line,
            "startColumn": range.start.column,
        });
        if range.end > range.start {
            region["endLine"] = range.end.line.into();
            region["endColumn"] = range.end.column.into();
        }
        physical.insert("region".into(), region);
    }
    json!({ "physicalLocation": physical })
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use caulk_finding::{Harm, Point, Range, Role, Subject};

    use super::*;

    const TOOL: Tool<'static> = Tool { name: "caulk", version: "0.0.0", exit_code: 3 };

    fn parsed(results: &Results) -> Value {
        serde_json::from_str(&sarif(results, &TOOL)).unwrap()
    }

    fn finding() -> Finding {
        let start = Point { line: 4, column: 9 };
        let end = Point { line: 4, column: 15 };
        let primary =
            Location { range: Some(Range { start, end }), ..Location::file(Path::new("a b.c")) };
        Finding {
            kind: Kind::SomePath,
            confidence: Confidence::High,
            reason: "all of it is known".into(),
            harm: Harm::PerCall,
            resource: "memory".into(),
            message: "lost".into(),
            path: vec![Step {
                role: Role::Allocation,
                location: primary.clone(),
                message: "allocated here".into(),
            }],
            primary,
            suggestion: None,
            function: "f".into(),
            engine: "saber",
            fingerprint: "0123".into(),
        }
    }

    #[test]
    fn an_empty_run_is_a_valid_log() {
        let log = parsed(&Results::default());
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(log["runs"][0]["tool"]["driver"]["name"], "caulk");
        assert_eq!(log["runs"][0]["results"], json!([]));
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
        assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 3);
    }

    #[test]
    fn a_finding_becomes_a_result_of_a_known_rule() {
        let log = parsed(&Results { findings: vec![finding()], ..Results::default() });
        let run = &log["runs"][0];
        let result = &run["results"][0];
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "a%20b.c");
        let region = json!({ "startLine": 4, "startColumn": 9, "endLine": 4, "endColumn": 15 });
        assert_eq!(physical["region"], region);
        let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"][0]["location"];
        assert_eq!(flow["message"]["text"], "allocated here");
    }

    #[test]
    fn what_is_missing_becomes_a_notification() {
        let what = Subject::Function { name: "f".into(), unit: "a.c".into() };
        let place = Some(Location::point(Path::new("a.c"), 2, 5));
        let row = Incomplete { what, place, why: "too hard".into() };
        let bare = Incomplete { what: Subject::Input, place: None, why: "absent".into() };
        let log = parsed(&Results { incomplete: vec![row, bare], ..Results::default() });
        let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notifications[0]["message"]["text"], "function `f`: too hard");
        assert_eq!(notifications[0]["descriptor"]["id"], "function");
        let physical = &notifications[0]["locations"][0]["physicalLocation"];
        assert_eq!(physical["region"], json!({ "startLine": 2, "startColumn": 5 }));
        assert_eq!(notifications[1]["locations"], Value::Null);
    }
}
