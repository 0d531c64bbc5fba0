//! Memory at one point of a procedure (M̂emory of Table 4): contents of locations, the allocation
//! set and the freed set.

use caulk_ir::{InstId, ValueId};

use crate::facts::FactId;
use crate::location::LocId;
use crate::numbers::Numbers;
use crate::sorted::{Map, Set};
use crate::value::Value;

/// What the locations of an object hold that nobody wrote to. A later one covers the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Background {
    Uninitialised,
    Zero,
    /// What the caller put there: explore-addresses.
    Initial,
    Unknown,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// SSA values that are live, at the ends of blocks only.
    pub values: Map<ValueId, Value>,
    pub memory: Map<LocId, Value>,
    /// Where it is not what the kind of the object says.
    pub background: Map<LocId, Background>,
    /// ÂL: heap cells that are allocated on some path.
    pub allocated: Set<LocId>,
    /// Those of them that are allocated on all paths; one that is not allocated any more counts for
    /// nothing.
    pub surely: Set<LocId>,
    /// F̂R: heap cells and explore-addresses that are freed on some path.
    pub freed: Set<LocId>,
    /// Those that are freed on all paths, and where first.
    pub freed_always: Map<LocId, InstId>,
    /// Heap cells that were put into elements of arrays.
    pub in_arrays: Set<LocId>,
    /// Heap cells that stand for several at run time.
    pub multiple: Set<LocId>,
    /// Locations of the caller that were written.
    pub written: Set<LocId>,
    /// What a reallocation gave up for a cell: it is back where that failed.
    pub replaced: Map<LocId, Value>,
    /// What branches said of computations, while an object is in focus.
    pub facts: Map<FactId, Numbers>,
    /// An allocation that failed on every path to here.
    pub failed: Option<InstId>,
    /// At the head of a loop: it was entered, and has not come around yet.
    pub is_first_round: bool,
}

impl State {
    /// The sets of two ways that meet; contents are the business of who knows the locations.
    pub fn join_sets(&mut self, other: &State) {
        let is_there =
            |state: &State, it| state.surely.contains(it) && state.allocated.contains(it);
        let parted: Vec<LocId> =
            self.surely.iter().filter(|&it| !is_there(self, it) || !is_there(other, it)).collect();
        for object in parted {
            self.surely.remove(object);
        }
        self.allocated.union(&other.allocated);
        self.freed.union(&other.freed);
        self.freed_always.retain(|object, _| other.freed_always.get(object).is_some());
        self.in_arrays.union(&other.in_arrays);
        self.multiple.union(&other.multiple);
        self.written.union(&other.written);
        if !self.facts.is_same(&other.facts) {
            self.facts = self.facts.merged(&other.facts, |_, a, b| Some(a?.join(b?)));
        }
        if !self.replaced.is_same(&other.replaced) {
            self.replaced = self.replaced.merged(&other.replaced, |_, a, b| {
                let mut all = a.or(b)?.clone();
                b.iter().for_each(|b| all.join(b));
                Some(all)
            });
        }
        if self.failed != other.failed {
            self.failed = None;
        }
    }
}
