//! The entries of one unit, kept together: thousands of small files would cost more than they save.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use caulk_base::FxHashMap;

use crate::kept::Store;
use crate::kept::bytes::{Reader, Writer};
use crate::kept::names::Stable;

/// The packs of a program, read when one of their entries is asked for.
pub struct Packs<'a> {
    store: &'a dyn Store,
    /// What all of them have in common.
    about: String,
    /// By the unit's name.
    rows: FxHashMap<&'a str, Pack>,
}

#[derive(Default)]
struct Pack {
    before: OnceLock<Before>,
    /// Entries that this run used or made.
    now: Mutex<Now>,
}

/// What was kept by an earlier run.
#[derive(Default)]
struct Before {
    bytes: Vec<u8>,
    entries: FxHashMap<Stable, Range<usize>>,
}

#[derive(Default)]
struct Now {
    used: Vec<Stable>,
    made: Vec<(Stable, Vec<u8>)>,
}

impl<'a> Packs<'a> {
    pub fn new(store: &'a dyn Store, about: String, units: impl Iterator<Item = &'a str>) -> Self {
        Self { store, about, rows: units.map(|unit| (unit, Pack::default())).collect() }
    }

    fn name(&self, unit: &str) -> String {
        format!("{unit} {}", self.about)
    }

    /// What `read` makes of the entry.
    pub fn load<T>(
        &self,
        unit: &str,
        key: Stable,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Option<T> {
        let pack = self.rows.get(unit)?;
        let read_before = || Before::new(self.store.load(&self.name(unit)));
        let before = pack.before.get_or_init(read_before);
        let known = read(&before.bytes[before.entries.get(&key)?.clone()])?;
        pack.now.lock().unwrap_or_else(PoisonError::into_inner).used.push(key);
        Some(known)
    }

    pub fn keep(&self, unit: &str, key: Stable, entry: Vec<u8>) {
        let Some(pack) = self.rows.get(unit) else { return };
        pack.now.lock().unwrap_or_else(PoisonError::into_inner).made.push((key, entry));
    }

    /// Packs with something new are written; what this run did not use is dropped from them.
    pub fn save(self) {
        for (unit, pack) in &self.rows {
            let now = pack.now.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(before) = pack.before.get().filter(|_| !now.made.is_empty()) {
                self.store.store(&self.name(unit), &before.followed_by(&now));
            }
        }
    }
}

impl Before {
    /// Of bytes that are no pack, nothing is known.
    fn new(bytes: Option<Vec<u8>>) -> Self {
        let bytes = bytes.unwrap_or_default();
        let entries = entries(&bytes).unwrap_or_default();
        Self { bytes, entries }
    }

    fn followed_by(&self, now: &Now) -> Vec<u8> {
        let mut rows: Vec<(Stable, &[u8])> =
            now.made.iter().map(|(key, entry)| (*key, entry.as_slice())).collect();
        rows.extend(now.used.iter().map(|key| (*key, &self.bytes[self.entries[key].clone()])));
        rows.sort_unstable();
        rows.dedup_by_key(|row| row.0);
        let mut to = Writer::default();
        for (key, entry) in rows {
            to.stable(key);
            to.block(entry);
        }
        to.0
    }
}

fn entries(bytes: &[u8]) -> Option<FxHashMap<Stable, Range<usize>>> {
    let mut from = Reader(bytes);
    let mut entries = FxHashMap::default();
    while !from.0.is_empty() {
        let key = from.stable()?;
        let length = from.block()?.len();
        let end = bytes.len() - from.0.len();
        entries.insert(key, end - length..end);
    }
    Some(entries)
}
