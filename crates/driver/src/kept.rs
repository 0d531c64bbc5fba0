//! What is kept of an earlier run: its verdicts, so that a program that has not changed is not judged
//! again, and its summaries, so that only what an edit changed is.
//!
//! Verdicts are named by all that an engine sees: the text form of every unit, which round-trips and
//! has the places in it, or the hash that the cache has of it, the engine, its knowledge; the cache adds
//! what caulk itself is. Times are not kept.

use std::iter::once;
use std::path::PathBuf;

use caulk_finding::Verdicts;
use caulk_ir::{Module, print};
use caulk_models::Models;
use caulk_program::LinkUnit;
use caulk_project::{UnitCache, digest};

use crate::engines::{Engine, Knowledge};
use crate::modelled::link_modelled;

/// Where the verdicts of one engine about some units are kept.
pub struct KeptVerdicts {
    cache: UnitCache,
    name: [u8; 32],
}

impl KeptVerdicts {
    /// `prints` are those of the units that the cache keeps.
    #[must_use]
    pub fn new(
        cache: UnitCache,
        engine: Engine,
        knowledge: &Knowledge,
        units: &[LinkUnit],
        prints: &[Option<String>],
    ) -> Self {
        let about = format!("verdicts of {} by {knowledge:?}", engine.id());
        let texts = units
            .iter()
            .zip(prints)
            .map(|(unit, known)| known.clone().unwrap_or_else(|| print::module(&unit.module)));
        Self { cache, name: digest(once(about).chain(texts)) }
    }

    #[must_use]
    pub fn load(&self) -> Option<Verdicts> {
        serde_json::from_slice(&self.cache.load_named(&self.name)?).ok()
    }

    /// The next run is slower if they cannot be kept, and not different.
    pub fn store(&self, verdicts: &Verdicts) {
        if let Ok(bytes) = serde_json::to_vec(verdicts) {
            let _ = self.cache.store_named(&self.name, &bytes);
        }
    }
}

/// Where the summary engine keeps what it found out about the units of a project.
#[derive(Debug)]
pub struct KeptSummaries {
    cache: UnitCache,
    /// Names of units are relative to it.
    folder: PathBuf,
}

impl KeptSummaries {
    #[must_use]
    pub fn new(cache: UnitCache, folder: PathBuf) -> Self {
        Self { cache, folder }
    }

    fn name(&self, name: &str) -> [u8; 32] {
        digest([format!("summaries of {name}"), self.folder.display().to_string()])
    }
}

impl caulk_summary::Store for KeptSummaries {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        self.cache.load_named(&self.name(name))
    }

    fn store(&self, name: &str, bytes: &[u8]) {
        let _ = self.cache.store_named(&self.name(name), bytes);
    }
}

/// The units as an engine hands them back: findings name their blocks.
#[must_use]
pub fn linked(units: Vec<LinkUnit>, models: &Models) -> Vec<Module> {
    link_modelled(units, models).modules.into_rows()
}
