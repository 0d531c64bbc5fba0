//! Findings as results.

use caulk_finding::{Confidence, Finding, Harm, Kind, Location, Role, Step, Suppressed};
use serde_json::{Value, json};

use super::limits::Cuts;
use super::place::{Places, location};
use super::rules::level;
use super::text;
use crate::{harm, replay};

pub fn result(finding: &Finding, places: &Places<'_>, cuts: &mut Cuts) -> Value {
    let mut place = location(&finding.primary, places);
    place["logicalLocations"] = json!([{ "name": finding.function, "kind": "function" }]);
    let mut value = json!({
        "ruleId": finding.kind.id(),
        "ruleIndex": Kind::ALL.iter().position(|&kind| kind == finding.kind),
        "level": level(finding.confidence),
        "kind": "fail",
        "rank": rank(finding),
        "message": text(&finding.message),
        "locations": [place],
        "partialFingerprints": { "caulk/v1": finding.fingerprint },
        "properties": {
            "confidence": finding.confidence.id(),
            "reason": finding.reason,
            "harm": harm::id(finding.harm),
            "resource": finding.resource,
            "engine": finding.engine,
        },
    });
    if let Some(outcome) = &finding.replay.outcome {
        value["properties"]["replay"] = replay::value(outcome);
    }
    if !finding.path.is_empty() {
        let steps = cuts.steps(&finding.path);
        let steps: Vec<Value> = steps.into_iter().map(|row| station(row, places)).collect();
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    let related = related(finding, places);
    if !related.is_empty() {
        value["relatedLocations"] = related.into();
    }
    value
}

/// The same, with the words of whoever allowed it.
pub fn suppressed(row: &Suppressed, places: &Places<'_>, cuts: &mut Cuts) -> Value {
    let mut value = result(&row.finding, places, cuts);
    value["suppressions"] = json!([{
        "kind": "inSource",
        "status": "accepted",
        "justification": row.reason,
        "location": location(&row.comment, places),
    }]);
    value
}

/// The order of the report, as a number up to 100.
fn rank(finding: &Finding) -> f64 {
    let harm = match finding.harm {
        Harm::PerIteration => 60.0,
        Harm::PerCall => 30.0,
        Harm::PerProcess => 0.0,
    };
    let confidence = match finding.confidence {
        Confidence::High => 30.0,
        Confidence::Medium => 20.0,
        Confidence::Low => 10.0,
    };
    harm + confidence
}

/// One station of the code flow. Decisions and flow are nested, so that a viewer can fold them.
fn station((number, step): (usize, &Step), places: &Places<'_>) -> Value {
    let (kinds, importance, nesting) = match step.role {
        Role::Allocation => (&["acquire", "resource"][..], "essential", 0),
        Role::Flow => (&["value"][..], "unimportant", 1),
        Role::Decision => (&["branch"][..], "important", 1),
        Role::Release => (&["release", "resource"][..], "essential", 0),
        Role::Loss => (&["danger", "resource"][..], "essential", 0),
        Role::Along => (&["acquire", "resource"][..], "important", 1),
    };
    json!({
        "location": said(&step.location, &step.message, places),
        "kinds": kinds,
        "importance": importance,
        "nestingLevel": nesting,
        "executionOrder": number,
    })
}

fn said(place: &Location, message: &str, places: &Places<'_>) -> Value {
    let mut value = location(place, places);
    value["message"] = text(message);
    value
}

/// Where the object is released or lost, and where its release is missing: what a viewer without
/// code flows should show.
fn related(finding: &Finding, places: &Places<'_>) -> Vec<Value> {
    let is_end = |step: &&Step| matches!(step.role, Role::Release | Role::Loss | Role::Along);
    let ends = finding.path.iter().filter(is_end);
    let ends = ends.map(|step| said(&step.location, &step.message, places));
    let missing = finding.suggestion.iter().map(|row| {
        let message = format!("the release is missing before this: {}", row.code);
        said(&row.location, &message, places)
    });
    let made_by_macro = finding.primary.in_macro.iter().map(|(path, at)| {
        let place = Location::point(path, at.line, at.column);
        said(&place, "the allocation is spelled in this macro", places)
    });
    let mut rows: Vec<Value> = ends.chain(missing).chain(made_by_macro).take(LOCATIONS).collect();
    (1..).zip(&mut rows).for_each(|(id, row)| row["id"] = json!(id));
    rows
}

/// As many as GitHub shows.
const LOCATIONS: usize = 100;
