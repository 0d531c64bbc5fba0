//! What the script of the page needs to know.

use caulk_finding::{Finding, Kind, Location, Results, Step, Suppressed};
use serde_json::{Map, Value, json};

use super::excerpt::excerpts;
use crate::kinds::{explanation, sentence};
use crate::style::printable;
use crate::totals::hidden;
use crate::{Texts, harm, model_stub, replay};

/// Rows of what was not analysed; the terminal and JSON have all.
const SHOWN: usize = 500;
/// Functions in the stub of models.
const STUBS: usize = 30;

pub fn data(results: &Results, texts: &Texts<'_>) -> Value {
    let shown = results.findings.iter().map(|row| finding(row, texts));
    let allowed = results.suppressed.iter().map(|row| suppressed(row, texts));
    let classes: Vec<Value> =
        results.classes().into_iter().map(|(class, sites)| json!([class, sites])).collect();
    let unknown = &results.unknown[..results.unknown.len().min(STUBS)];
    json!({
        "findings": shown.chain(allowed).collect::<Vec<_>>(),
        "kinds": kinds(results),
        "classes": classes,
        "unknown": unknown,
        "stub": if unknown.is_empty() { String::new() } else { model_stub(unknown) },
        "hidden": hidden(&results.hidden).trim_end(),
        "missing": texts_of(results.incomplete.iter().map(ToString::to_string)),
        "missing_count": results.incomplete.len(),
        "remarks": texts_of(
            results.remarks.iter().map(|row| format!("{}: {}", row.place, row.message)),
        ),
    })
}

fn texts_of(rows: impl Iterator<Item = String>) -> Vec<String> {
    rows.take(SHOWN).map(|row| printable(&row)).collect()
}

fn finding(finding: &Finding, texts: &Texts<'_>) -> Value {
    json!({
        "kind": finding.kind.id(),
        "confidence": finding.confidence.id(),
        "reason": printable(&finding.reason),
        "harm": harm::words(finding.harm),
        "resource": finding.resource,
        "message": printable(&finding.message),
        "function": printable(&finding.function),
        "engine": finding.engine,
        "fingerprint": finding.fingerprint,
        "file": finding.primary.path.to_string_lossy(),
        "place": printable(&finding.primary.to_string()),
        "steps": finding.path.iter().map(step).collect::<Vec<_>>(),
        "suggestion": finding.suggestion.as_ref().map(|row| json!({
            "place": printable(&row.location.to_string()), "code": printable(&row.code),
        })),
        "replay": finding.replay.outcome.as_ref().map(|outcome| json!({
            "verdict": outcome.proof.id(), "lines": replay::lines(finding),
        })),
        "excerpts": excerpts(finding, texts),
        "suppressed": Value::Null,
    })
}

fn suppressed(row: &Suppressed, texts: &Texts<'_>) -> Value {
    let mut value = finding(&row.finding, texts);
    let comment = printable(&row.comment.to_string());
    value["suppressed"] = json!({ "reason": row.reason, "comment": comment });
    value
}

fn step(step: &Step) -> Value {
    json!({
        "role": step.role.id(),
        "message": printable(&step.message),
        "file": step.location.path.to_string_lossy(),
        "line": step.location.range.map(|range| range.start.line),
        "place": printable(&step.location.to_string()),
        "macro": macro_of(&step.location),
    })
}

fn macro_of(place: &Location) -> Option<String> {
    let (path, at) = place.in_macro.as_ref()?;
    Some(printable(&Location::point(path, at.line, at.column).to_string()))
}

/// The explanations of the kinds that occur.
fn kinds(results: &Results) -> Map<String, Value> {
    let suppressed = results.suppressed.iter().map(|row| row.finding.kind);
    let occurring: Vec<Kind> =
        results.findings.iter().map(|row| row.kind).chain(suppressed).collect();
    let kind = |kind: &Kind| {
        let text = explanation(*kind);
        let value = json!({
            "title": sentence(kind.title()),
            "meaning": text.meaning,
            "example": text.example,
            "reason": text.reason,
            "fix": text.fix,
            "fixed": text.fixed,
        });
        (kind.id().to_owned(), value)
    };
    Kind::ALL.iter().filter(|kind| occurring.contains(kind)).map(kind).collect()
}
