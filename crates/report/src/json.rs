//! Everything that a run has to tell, for programs. The schema is in `docs/json.md`; its version
//! changes when a field goes or changes its meaning, not when one comes.

use std::path::Path;
use std::time::Duration;

use caulk_finding::{
    Finding, Given, Hidden, Incomplete, Kind, Location, Point, Results, Section, Site, Step,
    Subject, UnitRow, UnitState, When,
};
use serde_json::{Map, Value, json};

use crate::kinds::sentence;
use crate::{Tool, harm, replay};

const VERSION: u32 = 1;

/// How much is told of allocation sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sites {
    /// Their places and classes.
    Classes,
    /// Also the reasons, which would be most of the report of a large program.
    Stories,
}

/// One object, as text that ends with a newline.
#[must_use]
pub fn json(results: &Results, tool: &Tool<'_>, sites: Sites) -> String {
    lines(&json!({
        "schema": VERSION,
        "tool": { "name": tool.name, "version": tool.version },
        "run": run(results, tool),
        "findings": each(&results.findings, finding),
        "suppressed": each(&results.suppressed, |row| json!({
            "finding": finding(&row.finding),
            "reason": row.reason,
            "comment": location(&row.comment),
        })),
        "hidden": hidden(&results.hidden),
        "remarks": each(&results.remarks, |row| json!({
            "place": location(&row.place),
            "message": row.message,
        })),
        "sites": each(&results.sites, |row| site(row, sites)),
        "classes": each(&results.classes(), |(class, sites)| json!({ "class": class, "sites": sites })),
        "unknown_functions": each(&results.unknown, |(name, objects)| {
            json!({ "name": name, "objects": objects })
        }),
        "statistics": each(&results.statistics, section),
        "units": each(&results.units, unit),
        "skipped": each(&results.skipped, |row| json!({
            "reason": row.reason, "count": row.count, "examples": row.examples,
        })),
        "incomplete": each(&results.incomplete, incomplete),
        "notes": results.notes,
        "kinds": Kind::ALL.map(kind),
    }))
}

/// Each field of the object on a line, and each row of a list: short, and still to be compared and
/// searched line by line.
fn lines(object: &Value) -> String {
    let fields = object.as_object().into_iter().flatten().map(|(name, value)| match value {
        Value::Array(rows) if !rows.is_empty() => {
            let rows: Vec<String> = rows.iter().map(|row| format!("    {row}")).collect();
            format!("  {name:?}: [\n{}\n  ]", rows.join(",\n"))
        }
        value => format!("  {name:?}: {value}"),
    });
    format!("{{\n{}\n}}\n", fields.collect::<Vec<_>>().join(",\n"))
}

fn each<T>(rows: &[T], convert: impl Fn(&T) -> Value) -> Vec<Value> {
    rows.iter().map(convert).collect()
}

/// How the run went. Times and what came from a cache are all that differs from run to run.
fn run(results: &Results, tool: &Tool<'_>) -> Value {
    let stage = |stage: &caulk_finding::Stage| {
        json!({
            "name": stage.name, "seconds": seconds(stage.time),
        })
    };
    json!({
        "exit_code": tool.exit_code,
        "folder": tool.folder.map(shown),
        "interrupted": results.interrupted,
        "wall_seconds": seconds(results.wall),
        "units_from_cache": results.from_cache,
        "stages": each(&results.stages, stage),
        "repeated_commands": results.merged,
    })
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

fn kind(kind: Kind) -> Value {
    json!({ "id": kind.id(), "title": sentence(kind.title()), "leak": kind.is_leak() })
}

fn finding(finding: &Finding) -> Value {
    let suggestion = finding.suggestion.as_ref();
    json!({
        "fingerprint": finding.fingerprint,
        "kind": finding.kind.id(),
        "confidence": finding.confidence.id(),
        "reason": finding.reason,
        "harm": harm::id(finding.harm),
        "resource": finding.resource,
        "message": finding.message,
        "function": finding.function,
        "engine": finding.engine,
        "location": location(&finding.primary),
        "path": each(&finding.path, step),
        "suggestion": suggestion.map(|row| json!({
            "location": location(&row.location), "code": row.code,
        })),
        "replay": finding.replay.outcome.as_ref().map(replay::value),
        "when": finding.replay.when.as_ref().map(when),
    })
}

fn when(when: &When) -> Value {
    let input = |given: &Given| json!({ "name": given.name, "value": given.value });
    json!({ "text": when.text, "inputs": each(&when.inputs, input) })
}

fn step(step: &Step) -> Value {
    json!({
        "role": step.role.id(), "location": location(&step.location), "message": step.message,
    })
}

/// Columns count bytes, from 1; `end` is one past the last.
fn location(place: &Location) -> Value {
    let range = place.range;
    json!({
        "path": shown(&place.path),
        "start": range.map(|range| point(range.start)),
        "end": range.map(|range| point(range.end)),
        "in_macro": place.in_macro.as_ref().map(|(path, at)| json!({
            "path": shown(path), "line": at.line, "column": at.column,
        })),
    })
}

fn point(point: Point) -> Value {
    json!({ "line": point.line, "column": point.column })
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn hidden(hidden: &Hidden) -> Value {
    json!({
        "confidence": hidden.confidence,
        "at_exit": hidden.at_exit,
        "suppressed": hidden.suppressed,
        "baseline": hidden.baseline,
        "excluded": hidden.excluded,
        "unchanged": hidden.unchanged,
        "stale_baseline_entries": hidden.stale,
    })
}

fn site(site: &Site, told: Sites) -> Value {
    json!({
        "location": location(&site.location),
        "function": site.function,
        "callee": site.callee,
        "class": site.class,
        "story": (told == Sites::Stories).then_some(&site.story),
    })
}

fn section(section: &Section) -> Value {
    let rows: Map<String, Value> =
        section.rows.iter().map(|(name, number)| ((*name).to_owned(), json!(number))).collect();
    json!({ "title": section.title, "rows": rows })
}

fn unit(unit: &UnitRow) -> Value {
    let counts = &unit.counts;
    json!({
        "path": unit.path,
        "state": match unit.state {
            UnitState::Whole => "whole",
            UnitState::Partial => "partial",
            UnitState::Failed => "failed",
            UnitState::NotReached => "not-reached",
        },
        "functions": {
            "analysed": counts.lowered, "refused": counts.refused, "unused": counts.unused,
        },
        "blocks": counts.blocks,
        "instructions": counts.instructions,
        "allocation_calls": counts.allocations,
        "free_calls": counts.frees,
    })
}

fn incomplete(row: &Incomplete) -> Value {
    let (unit, function) = match &row.what {
        Subject::Input | Subject::Program => (None, None),
        Subject::Unit(unit) | Subject::Part { unit } => (Some(unit), None),
        Subject::Function { name, unit } | Subject::Search { name, unit } => {
            (Some(unit), Some(name))
        }
    };
    json!({
        "what": row.what.kind(),
        "unit": unit,
        "function": function,
        "location": row.place.as_ref().map(location),
        "why": row.why,
    })
}

#[cfg(test)]
mod tests {
    use caulk_finding::{Counts, Remark, SkippedCommands, Stage};

    use super::*;
    use crate::sample::{results, tool};

    fn parsed() -> Value {
        serde_json::from_str(&json(&full(), &tool(), Sites::Stories)).unwrap()
    }

    /// With a row in every list, and a value in every field.
    fn full() -> Results {
        let mut results = results();
        results.findings[0].primary.in_macro = Some(("a.h".into(), Point { line: 1, column: 2 }));
        results.findings[0].replay.outcome = Some(crate::sample::confirmed());
        let place = results.findings[0].primary.clone();
        results.remarks = vec![Remark { place, message: "unused".into() }];
        let (path, state, counts) = ("a.c".into(), UnitState::Partial, Counts::default());
        results.units = vec![UnitRow { path, state, counts }];
        let (reason, examples) = ("C++".into(), vec!["a.cc".into()]);
        results.skipped = vec![SkippedCommands { reason, count: 1, examples }];
        results.stages = vec![Stage { name: "reading", time: Duration::from_millis(500) }];
        results.statistics = vec![Section { title: "slices", rows: vec![("nodes", 7)] }];
        results
    }

    #[test]
    fn a_finding_has_all_that_is_known() {
        let value = parsed();
        let finding = &value["findings"][0];
        assert_eq!(value["schema"], 1);
        assert_eq!(finding["kind"], "leak/some-path");
        assert_eq!(finding["harm"], "per-call");
        assert_eq!(finding["path"][3]["role"], "loss");
        assert_eq!(finding["location"]["start"], json!({ "line": 5, "column": 15 }));
        assert_eq!(finding["suggestion"]["code"], "free (copy);");
        assert_eq!(finding["replay"]["verdict"], "confirmed");
        assert_eq!(finding["replay"]["inputs"][0], json!({ "name": "list->full", "value": "1" }));
    }

    #[test]
    fn a_row_is_a_line_and_reasons_are_asked_for() {
        let text = json(&full(), &tool(), Sites::Classes);
        assert!(text.lines().any(|line| line.starts_with("    {\"callee\":")), "{text}");
        assert_eq!(text.lines().next(), Some("{"));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["sites"][0]["story"], Value::Null);
        assert!(parsed()["sites"][0]["story"][0].is_string());
    }

    #[test]
    fn the_rest_is_told_too() {
        let value = parsed();
        assert_eq!(value["suppressed"][0]["reason"], "checked by hand");
        assert_eq!(value["classes"][0], json!({ "class": "released", "sites": 2 }));
        assert_eq!(value["unknown_functions"][0], json!({ "name": "add", "objects": 3 }));
        assert_eq!(value["incomplete"][0]["function"], "g");
        assert_eq!(value["run"]["folder"], "/project");
        assert_eq!(value["run"]["stages"][0]["seconds"], 0.5);
        assert_eq!(value["units"][0]["state"], "partial");
        assert_eq!(value["statistics"][0]["rows"]["nodes"], 7);
    }

    /// Whoever adds a field describes it.
    #[test]
    fn every_field_is_documented() {
        let page = include_str!("../../../docs/json.md");
        let mut missing = Vec::new();
        names(&parsed(), &mut missing);
        missing.retain(|name| name != "nodes" && !page.contains(&format!("`{name}`")));
        assert_eq!(missing, Vec::<String>::new());
    }

    fn names(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| {
                into.push(name.clone());
                names(value, into);
            }),
            Value::Array(rows) => rows.iter().for_each(|row| names(row, into)),
            _ => {}
        }
    }
}
