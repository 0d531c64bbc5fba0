//! Places as SARIF has them.

use std::path::Path;

use caulk_finding::Location;
use serde_json::{Map, Value, json};

use crate::Texts;
use crate::uri::uri;

/// The name of the folder that relative paths start from; GitHub knows it too.
pub const ROOT: &str = "%SRCROOT%";

pub fn location(place: &Location, texts: &Texts<'_>) -> Value {
    let mut physical = Map::new();
    physical.insert("artifactLocation".into(), artifact(&place.path));
    if let Some(range) = texts.in_characters(place) {
        // The format knows no line or column 0, which stand for "somewhere".
        let mut region = json!({
            "startLine": range.start.line.max(1),
            "startColumn": range.start.column.max(1),
        });
        if range.end > range.start {
            region["endLine"] = range.end.line.max(1).into();
            region["endColumn"] = range.end.column.max(1).into();
        }
        physical.insert("region".into(), region);
    }
    json!({ "physicalLocation": physical })
}

fn artifact(path: &Path) -> Value {
    match path.is_absolute() {
        true => json!({ "uri": uri(path) }),
        false => json!({ "uri": uri(path), "uriBaseId": ROOT }),
    }
}
