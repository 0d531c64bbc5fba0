//! Places as SARIF has them.

use std::path::{Component, Path, PathBuf};

use caulk_finding::Location;
use serde_json::{Map, Value, json};

use crate::Texts;
use crate::uri::uri;

/// The name of the folder that relative paths start from; GitHub knows it too.
pub const ROOT: &str = "%SRCROOT%";

/// What places are told with.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    pub texts: &'a Texts<'a>,
    /// What relative paths start from.
    pub folder: Option<&'a Path>,
    /// What they start from in the log: a host that shows it knows the repository, not the folder.
    pub root: Option<&'a Path>,
}

pub fn location(place: &Location, places: &Places<'_>) -> Value {
    let mut physical = Map::new();
    physical.insert("artifactLocation".into(), places.artifact(&place.path));
    if let Some(range) = places.texts.in_characters(place) {
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

impl Places<'_> {
    fn artifact(&self, path: &Path) -> Value {
        let path = self.way_to(path);
        match path.is_absolute() {
            true => json!({ "uri": uri(&path) }),
            false => json!({ "uri": uri(&path), "uriBaseId": ROOT }),
        }
    }

    /// The way from the root to what is below it, and the whole way to everything else.
    fn way_to(&self, path: &Path) -> PathBuf {
        let (Some(folder), Some(root)) = (self.folder, self.root) else {
            return path.to_path_buf();
        };
        let whole = without_dots(&folder.join(path));
        whole.strip_prefix(root).map(Path::to_path_buf).unwrap_or(whole)
    }
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}
