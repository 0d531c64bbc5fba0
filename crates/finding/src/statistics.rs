//! Numbers about a program, as the papers' tables have them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::names;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub sections: Vec<Section>,
    pub stages: Vec<StageCost>,
    pub wrappers: Vec<WrapperRow>,
    /// Functions that nothing is known of, by how many calls go to them, most first.
    pub unknown: Vec<(String, u64)>,
}

/// Rows under a title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    #[serde(deserialize_with = "names::name")]
    pub title: names::Name,
    #[serde(deserialize_with = "names::rows")]
    pub rows: Vec<(&'static str, u64)>,
}

/// What a stage cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageCost {
    pub name: &'static str,
    pub processor: Duration,
    /// Bytes that the process had when the stage ended.
    pub memory: Option<u64>,
}

/// A function that allocates or releases for its callers, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrapperRow {
    pub name: String,
    /// `path:line`, where it is known.
    pub place: Option<String>,
    pub effects: Vec<String>,
}
