//! Who holds each heap cell, in watch mode.
//!
//! A cell's count is the number of aligned words in memory and of source variables that hold a
//! pointer to it. When it falls to zero, the place is remembered as the cell's last death: a
//! pointer may still be on its way in a register (a result being returned), and then a later
//! hold cancels the death. Cells that hold each other keep each other's counts up; those are
//! found by the mark at exit.

use caulk_base::FxHashMap;

use crate::value::Origin;

/// What let go of a cell, while the object is at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldBy {
    /// A source variable: function and variable numbers of the program.
    Variable { function: u32, var: u32 },
    /// A word of an object.
    Memory { object: Origin, offset: u64 },
}

/// What held a cell before its last reference died, in numbers of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    Variable {
        function: u32,
        var: u32,
    },
    Slot {
        function: u32,
        slot: u32,
        offset: u64,
    },
    Global {
        global: u32,
        offset: u64,
    },
    /// A heap cell, by the stack that made it.
    Cell {
        made_at: u32,
        offset: u64,
    },
    Other,
}

/// When the last reference went: the call stack then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    pub holder: Holder,
    pub stack: u32,
}

#[derive(Default)]
pub struct Holders {
    counts: FxHashMap<Origin, i64>,
    pub deaths: FxHashMap<Origin, Death>,
    /// Cells whose count fell to zero since the machine last looked.
    pub fallen: Vec<(Origin, HeldBy)>,
}

impl Holders {
    pub fn watch(&mut self, cell: Origin) {
        self.counts.insert(cell, 0);
        self.deaths.remove(&cell);
    }

    pub fn freed(&mut self, cell: Origin) {
        self.counts.remove(&cell);
        self.deaths.remove(&cell);
    }

    pub fn hold_in_memory(&mut self, cell: Origin) {
        if let Some(count) = self.counts.get_mut(&cell) {
            *count += 1;
            self.deaths.remove(&cell);
        }
    }

    pub fn release_from_memory(&mut self, cell: Origin, object: Origin, offset: u64) {
        self.release(cell, HeldBy::Memory { object, offset });
    }

    pub fn hold_in_variable(&mut self, cell: Origin) {
        self.hold_in_memory(cell);
    }

    pub fn release(&mut self, cell: Origin, held_by: HeldBy) {
        let Some(count) = self.counts.get_mut(&cell) else { return };
        *count -= 1;
        if *count == 0 {
            self.fallen.push((cell, held_by));
        }
    }

    pub fn count(&self, cell: Origin) -> i64 {
        self.counts.get(&cell).copied().unwrap_or(0)
    }
}
