//! SARIF 2.1.0, the format that code hosts and editors read.
//!
//! Findings become results, and what could not be analysed becomes notifications of the
//! invocation, so that a consumer can tell "nothing wrong" from "not looked at". Relative paths
//! stay relative references, to be resolved against the root of the repository, as code hosts do.

mod limits;
mod place;
mod result;
mod rules;
#[cfg(test)]
mod schema_test;
#[cfg(test)]
mod tests;

use std::path::Path;

use caulk_finding::{Incomplete, Results, Subject};
use serde_json::{Value, json};

use self::limits::{Cuts, Limits};
use self::place::{Places, ROOT, location};
use self::result::{result, suppressed};
use crate::Texts;
use crate::uri::folder_uri;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Who made the report, and how its run ended.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    pub name: &'a str,
    pub version: &'a str,
    pub exit_code: u8,
    /// What relative paths start from.
    pub folder: Option<&'a Path>,
    /// The repository around the folder, or the folder itself: what paths in SARIF start from.
    pub root: Option<&'a Path>,
}

/// The report as JSON text, ending with a newline. SARIF knows only columns that count characters,
/// hence the texts.
#[must_use]
pub fn sarif(results: &Results, tool: &Tool<'_>, texts: &Texts<'_>) -> String {
    format!("{}\n", log(results, tool, texts, limits::GITHUB))
}

fn log(results: &Results, tool: &Tool<'_>, texts: &Texts<'_>, limits: Limits) -> Value {
    let mut cuts = Cuts::new(limits);
    let places = Places { texts, folder: tool.folder, root: tool.root };
    let shown = results.findings.iter().take(limits.results);
    let mut rows: Vec<Value> = shown.map(|row| result(row, &places, &mut cuts)).collect();
    let room = limits.results - rows.len();
    let allowed = results.suppressed.iter().take(room);
    rows.extend(allowed.map(|row| suppressed(row, &places, &mut cuts)));
    cuts.results = results.findings.len() + results.suppressed.len() - rows.len();
    let mut run = json!({
        "tool": { "driver": rules::driver(tool) },
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation(results, tool, &places, &cuts)],
        "results": rows,
    });
    if let Some(root) = tool.root {
        let description = text("the repository, or the folder that caulk ran in");
        run["originalUriBaseIds"] =
            json!({ ROOT: { "uri": folder_uri(root), "description": description } });
    }
    json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
}

fn invocation(results: &Results, tool: &Tool<'_>, places: &Places<'_>, cuts: &Cuts) -> Value {
    let missing = results.incomplete.iter().map(|row| notification(row, places));
    let remarks = results.remarks.iter().map(|row| {
        let mut value = told("note", "suppression", &row.message);
        value["locations"] = json!([location(&row.place, places)]);
        value
    });
    let cut = cuts.notifications();
    json!({
        "executionSuccessful": !results.interrupted,
        "exitCode": tool.exit_code,
        "toolExecutionNotifications": missing.chain(remarks).chain(cut).collect::<Vec<_>>(),
    })
}

fn notification(row: &Incomplete, places: &Places<'_>) -> Value {
    let message = match &row.what {
        Subject::Function { name, .. } | Subject::Search { name, .. } => {
            format!("function `{name}`: {}", row.why)
        }
        _ => row.why.clone(),
    };
    let level = if row.what.is_input() { "error" } else { "note" };
    let mut value = told(level, row.what.kind(), &message);
    if let Some(place) = &row.place {
        value["locations"] = json!([location(place, places)]);
    }
    value
}

fn told(level: &str, id: &str, message: &str) -> Value {
    json!({ "level": level, "descriptor": { "id": id }, "message": text(message) })
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}
