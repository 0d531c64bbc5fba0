//! Pointers to too much.
//!
//! In every large program some pointers may point to almost everything: what a container of
//! `void *` holds, what an interpreter's registers hold. Their sets are large, nearly equal, and
//! tell nothing, and all work would go into them. So a pointer to more objects than a limit is
//! *wild*, and one rule says what that means:
//!
//! | rule | |
//! |---|---|
//! | all wild pointers are one | `x` wild `⟹ x = Wild` |
//! | what they point to has no places | `l ∈ Wild ⟹` the object of `l` collapses |
//! | what is read through one | `l ∈ Wild ⟹ ⟦l⟧ ⊆ Read` |
//! | what is written through one | `l ∈ Wild ⟹ Written ⊆ ⟦l⟧` |
//!
//! A load through a wild pointer has `Read`, a store goes to `Written`, a step leads to a wild
//! pointer, a copy of memory reads and writes and forgets places, and a call may enter every
//! function of `Wild`, with what any such call passes. The work grows with the program
//! then, and not with the product of its pointers and objects. The rule is monotone, so the answer
//! does not depend on the order of work: objects are counted by what they lie behind, a number
//! that does not shrink when an object collapses.

use caulk_base::FxHashSet;

use crate::location::LocId;
use crate::nodes::{NodeId, Nodes};
use crate::object::{ObjId, ObjKind};
use crate::world::World;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Wild {
    pub all: NodeId,
    pub read: NodeId,
    pub written: NodeId,
}

impl Wild {
    pub(crate) fn new(nodes: &mut Nodes) -> Self {
        Self { all: nodes.fresh(), read: nodes.fresh(), written: nodes.fresh() }
    }
}

impl World<'_> {
    /// Whether these are more objects than a pointer can tell apart.
    pub(crate) fn are_too_many(&self, locs: impl Iterator<Item = LocId>) -> bool {
        let mut seen: FxHashSet<ObjId> = FxHashSet::default();
        for loc in locs {
            seen.insert(self.outermost(self.locations.object(loc)));
            if seen.len() > self.options.wild {
                return true;
            }
        }
        false
    }

    /// The object that an object lies behind, through any number of steps.
    fn outermost(&self, mut object: ObjId) -> ObjId {
        while let ObjKind::Deref { of } = self.objects[object].kind {
            object = self.locations.object(of);
        }
        object
    }
}
