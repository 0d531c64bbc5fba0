//! Locations: an object and a byte offset in it, after folding of arrays.

use caulk_base::{FxHashMap, Table, define_id};

use crate::object::ObjId;

define_id!(pub LocId, "l", "A byte offset in an object.");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loc {
    pub object: ObjId,
    pub offset: i64,
}

#[derive(Clone, Debug, Default)]
pub struct Locations {
    rows: Table<LocId, Loc>,
    ids: FxHashMap<Loc, LocId>,
    /// In the order in which they were made, and in a result by offset.
    of_object: Table<ObjId, Vec<LocId>>,
}

impl Locations {
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LocId> + ExactSizeIterator + use<> {
        self.rows.ids()
    }

    #[must_use]
    pub fn get(&self, id: LocId) -> Loc {
        self.rows[id]
    }

    #[must_use]
    pub fn object(&self, id: LocId) -> ObjId {
        self.rows[id].object
    }

    #[must_use]
    pub fn offset(&self, id: LocId) -> i64 {
        self.rows[id].offset
    }

    /// The location, if the program ever computes its address.
    #[must_use]
    pub fn find(&self, object: ObjId, offset: i64) -> Option<LocId> {
        self.ids.get(&Loc { object, offset }).copied()
    }

    #[must_use]
    pub fn of_object(&self, object: ObjId) -> &[LocId] {
        self.of_object.get(object).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn intern(&mut self, loc: Loc) -> LocId {
        if let Some(&known) = self.ids.get(&loc) {
            return known;
        }
        let id = self.rows.push(loc);
        self.ids.insert(loc, id);
        while self.of_object.len() <= loc.object.0 as usize {
            self.of_object.push(Vec::new());
        }
        self.of_object[loc.object].push(id);
        id
    }
}
