//! Objects of the search: cells that were written or read, and what the rest of them is.

use std::collections::BTreeMap;
use std::rc::Rc;

use caulk_ir::{InstId, ObjectId};
use caulk_models::Resource;

use crate::value::{TypeRef, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Slot,
    /// By its number in the program.
    Static(u32),
    /// It was there before the function was called.
    Outside,
    Heap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Live,
    Freed,
    /// A slot whose scope has ended.
    Over,
}

/// Who wrote bytes that the search has not chosen yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Author {
    /// The number of the reply, from 1; 0 for what was there before.
    pub event: u32,
    /// The argument that the reply writes through, and where it points to in the object.
    pub arg: usize,
    pub base: i64,
}

/// What bytes are that no cell tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Undefined,
    Zero,
    Input(Author),
    /// The initial bytes of static storage.
    Initial {
        module: usize,
        object: ObjectId,
        /// All but the addresses in it may have changed since.
        changed: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub bytes: u32,
    pub value: Value,
}

/// How an object came about.
#[derive(Debug, PartialEq, Eq)]
pub struct Made {
    /// The call of every activation, outermost first.
    pub stack: Vec<(u32, InstId)>,
    pub resource: Resource,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Kind,
    pub life: Life,
    /// How the source names it: an expression that points to it, or the object itself.
    pub name: String,
    pub is_named_by_pointer: bool,
    pub ty: Option<TypeRef>,
    pub cells: BTreeMap<i64, Cell>,
    /// From, to, and what is there: the last that holds a byte tells.
    pub rests: Vec<(i64, i64, Rest)>,
    /// Made by the call that the finding speaks of.
    pub is_wanted: bool,
    /// Its bytes are defined from the start, where the model tells so.
    pub is_zeroed: bool,
    /// The calls that made it, for what was made on the way.
    pub made: Option<Rc<Made>>,
    /// The world outside holds it.
    pub is_kept: bool,
    /// The least and the greatest byte that was touched.
    pub extent: (i64, i64),
}

const WIDEST: i64 = 16;

impl Object {
    pub fn new(kind: Kind, rest: Rest) -> Self {
        Self {
            kind,
            life: Life::Live,
            name: String::new(),
            is_named_by_pointer: false,
            ty: None,
            cells: BTreeMap::new(),
            rests: vec![(i64::MIN, i64::MAX, rest)],
            is_wanted: false,
            is_zeroed: false,
            made: None,
            is_kept: false,
            extent: (0, 0),
        }
    }

    pub fn touch(&mut self, at: i64, bytes: i64) {
        self.extent.0 = self.extent.0.min(at);
        self.extent.1 = self.extent.1.max(at.saturating_add(bytes));
    }

    /// Where the cells are that share a byte with the range.
    pub fn overlapping(&self, at: i64, bytes: i64) -> Vec<i64> {
        let end = at.saturating_add(bytes);
        let cells = self.cells.range(at.saturating_sub(WIDEST)..end);
        let shares = |(start, cell): &(&i64, &Cell)| **start + i64::from(cell.bytes) > at;
        cells.filter(shares).map(|(start, _)| *start).collect()
    }

    pub fn rest(&self, at: i64) -> Rest {
        let holds = |row: &&(i64, i64, Rest)| row.0 <= at && at < row.1;
        self.rests.iter().rev().find(holds).map_or(Rest::Undefined, |row| row.2)
    }

    /// Forgets what is in a range: from now on it is `rest`.
    pub fn replace(&mut self, from: i64, to: i64, rest: Rest) {
        self.forget(from, to);
        self.rests.push((from, to, rest));
    }

    /// Removes the cells that share a byte with a range.
    pub fn forget(&mut self, from: i64, to: i64) {
        for at in self.overlapping(from, to.saturating_sub(from)) {
            self.cells.remove(&at);
        }
    }

    /// The objects that pointers in it lead to.
    pub fn pointees(&self) -> impl Iterator<Item = u32> + '_ {
        self.cells.values().filter_map(|cell| match cell.value {
            Value::Pointer { object, .. } => Some(object),
            _ => None,
        })
    }
}
