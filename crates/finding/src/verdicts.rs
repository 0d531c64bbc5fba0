//! What an engine has to say about a program.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Finding, Incomplete, Location, Section, names};

/// All that an engine returns. Plain values; the order does not depend on threads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Verdicts {
    pub findings: Vec<Finding>,
    /// Functions and sites that the engine gave up on.
    pub incomplete: Vec<Incomplete>,
    /// What became of every allocation site.
    pub sites: Vec<Site>,
    /// Functions that nothing is known of and that ended the search for some object, by how many
    /// objects they took, most first.
    pub unknown: Vec<(String, u64)>,
    /// The tables of the engine's paper.
    pub statistics: Vec<Section>,
    /// The engine's stages, by the processor time they took over all threads.
    #[serde(skip)]
    pub times: Vec<(&'static str, Duration)>,
}

/// One allocation site, or one call of a function that allocates for its caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    pub location: Location,
    pub function: String,
    /// Who is called there.
    pub callee: String,
    /// The engine's name of the class that the site is in.
    #[serde(deserialize_with = "names::name")]
    pub class: names::Name,
    /// Why it is or is not reported, a line each.
    pub story: Vec<String>,
}
