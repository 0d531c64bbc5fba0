//! Summaries and reports of an earlier run, so that a procedure is not looked at again while neither
//! it nor what it calls has changed.
//!
//! What is kept is one look at a procedure, under a key of all that it reads (`key`): its ir without
//! places, layouts, models, options, and the summaries of its callees as they are then. So an edit
//! costs the procedure itself and, as long as summaries change, its callers; a cycle of calls, which
//! is looked at in rounds, costs the looks that differ. Places are in findings and sites only; an
//! entry that has some counts while those places are the same.
//!
//! Bytes come from and go to a [`Store`]; the engine itself touches no file.

mod bytes;
mod entry;
mod form;
mod key;
mod names;
mod pack;
mod reading;

use caulk_program::{Entries, ProcId};

use crate::check::Report;
use crate::exec::Context;
use crate::kept::entry::Entry;
use crate::kept::key::Keys;
use crate::kept::names::Digest;
use crate::kept::pack::Packs;
use crate::schedule::Printed;
use crate::summary::Summary;

pub use names::{Names, Stable};

/// Where bytes are kept between runs. What is stored replaces what had the name before; it may be
/// lost, but never comes back changed.
pub trait Store: Sync {
    fn load(&self, name: &str) -> Option<Vec<u8>>;

    fn store(&self, name: &str, bytes: &[u8]);
}

pub struct Kept<'a> {
    context: Context<'a>,
    names: &'a Names,
    keys: Keys<'a>,
    packs: Packs<'a>,
}

impl<'a> Kept<'a> {
    pub fn new(
        context: Context<'a>,
        entries: &'a Entries,
        names: &'a Names,
        store: &'a dyn Store,
    ) -> Self {
        let modules = context.program.modules.rows().iter().map(|module| module.name.as_str());
        // Engines with other options do not take each other's place.
        let packs = Packs::new(store, format!("{:?}", context.options), modules);
        Self { context, names, keys: Keys::new(context, entries, names), packs }
    }

    /// What an earlier run saw in the procedure, or what `look` sees.
    pub fn procedure(&self, proc: ProcId, look: impl FnOnce() -> (Summary, Report)) -> Looked {
        let key = self.keys.of(proc);
        let unit = &self.context.program.module_of(proc).name;
        if let Some(known) = self.packs.load(unit, key, |bytes| self.read(proc, bytes)) {
            return known;
        }
        let (summary, report) = look();
        let bytes = form::write(&summary, self.names);
        let places = self.places(proc, &report);
        self.packs.keep(unit, key, entry::write(places, &bytes, &report, self.names));
        (Printed { print: Digest::of_bytes(&bytes), summary }, report)
    }

    pub fn printed(&self, summary: Summary) -> Printed {
        Printed { print: Digest::of_bytes(&form::write(&summary, self.names)), summary }
    }

    pub fn save(self) {
        self.packs.save();
    }

    fn read(&self, proc: ProcId, bytes: &[u8]) -> Option<Looked> {
        let entry = Entry::read(bytes, self.names)?;
        if entry.places != self.places(proc, &entry.report) {
            return None;
        }
        let summary = form::read(entry.summary, self.names)?;
        Some((Printed { print: Digest::of_bytes(entry.summary), summary }, entry.report))
    }

    /// Where all that a report tells of stands.
    fn places(&self, proc: ProcId, report: &Report) -> Option<Stable> {
        let tells = !report.findings.is_empty() || !report.sites.is_empty();
        tells.then(|| self.keys.places(proc, &report.origins))
    }
}

/// What a look at a procedure says.
pub type Looked = (Printed, Report);
