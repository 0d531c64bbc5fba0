//! What a procedure does to memory, in terms that each of its calls can fill in: a graph over
//! access paths, from which the eight categories are read.

use std::sync::Arc;

use caulk_base::{Table, define_id};
use caulk_program::StaticId;

use crate::exec::Made;
use crate::numbers::Numbers;
use crate::state::Background;

define_id!(pub NodeId, "n", "A symbolic address of a summary.");

/// A node comes after the one it is found from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// The stack cell of a parameter; `u32::MAX` is where an aggregate result goes.
    Arg(u32),
    /// What the procedure makes: an index into [`Summary::fresh`].
    Fresh(u32),
    Global,
    Static(StaticId),
    Field(NodeId, i64),
    Element(NodeId),
    /// Any location from there on.
    Contents(NodeId),
    /// What the location pointed to before the call.
    Explore(NodeId),
}

/// A value at the exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub numbers: Numbers,
    pub nodes: Vec<NodeId>,
}

/// A heap cell that the procedure makes and leaves to its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    pub made: Made,
    pub background: Background,
    /// What was given up for it, and whose contents it has.
    pub moved_from: Vec<NodeId>,
    /// Stands for several.
    pub multiple: bool,
    /// Where it is made, if some exits do not leave it.
    pub status: Option<Status>,
    /// Some exits do not leave it, and what is returned does not tell which.
    pub is_doubtful: bool,
    /// What parameters must be for it to be made.
    pub needs: Vec<(u32, Status)>,
}

/// What happens at exits of one class of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitEffects {
    pub result: Option<Held>,
    pub frees: Vec<NodeId>,
    pub escapes: Vec<NodeId>,
    /// Makes something that the caller sees.
    pub allocates: bool,
}

/// The result of the exits that leave a fresh cell, where others do not; or what a parameter is
/// where it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub numbers: Numbers,
    pub is_address: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub nodes: Table<NodeId, Node>,
    /// Members, by what the source calls them.
    pub names: Table<NodeId, Option<Arc<str>>>,
    pub fresh: Vec<Fresh>,
    /// Memory at the exit: of what is fresh, and of the caller's where it was written.
    pub cells: Vec<(NodeId, Held)>,
    /// What is freed, and whether on all paths.
    pub frees: Vec<(NodeId, bool)>,
    /// What globals reach at the exit, of the caller's.
    pub escapes: Vec<NodeId>,
    pub result: Option<Held>,
    pub exits: Vec<ExitEffects>,
    /// Statics that are written, in order; none when they are too many.
    pub written: Option<Vec<StaticId>>,
    /// Somebody is called who may write any static.
    pub writes_more: bool,
    /// False when no call comes back.
    pub returns: bool,
    /// Nothing was found out: arguments are given away, the result comes from anywhere.
    pub coarse: bool,
    /// Takes unnamed arguments one by one, itself or by who gets the list.
    pub takes_more: bool,
    /// It may do more than is told: elements of arrays, bounded paths, unknown callees.
    pub is_rough: bool,
}

impl Summary {
    /// Numbers that moved since the last round of a cycle of calls go on moving (P1, P2).
    pub(crate) fn widen(&mut self, before: &Summary) {
        let pairs = self.cells.iter_mut().zip(&before.cells);
        let in_cells = pairs.filter(|(now, before)| now.0 == before.0);
        let in_cells = in_cells.map(|(now, before)| (&mut now.1, &before.1));
        let exits = self.exits.iter_mut().zip(&before.exits);
        let of_exits =
            exits.filter_map(|(now, before)| now.result.as_mut().zip(before.result.as_ref()));
        let result = self.result.as_mut().zip(before.result.as_ref());
        for (now, before) in in_cells.chain(of_exits).chain(result) {
            now.numbers = before.numbers.widen(&now.numbers);
        }
    }

    /// The static that a node was found from.
    pub(crate) fn static_of(&self, node: NodeId) -> Option<StaticId> {
        match self.nodes[node] {
            Node::Static(id) => Some(id),
            Node::Field(of, _) | Node::Element(of) | Node::Contents(of) | Node::Explore(of) => {
                self.static_of(of)
            }
            Node::Arg(_) | Node::Fresh(_) | Node::Global => None,
        }
    }

    /// What is known of a procedure that exceeds its budget.
    #[must_use]
    pub fn coarse() -> Self {
        Self {
            returns: true,
            coarse: true,
            takes_more: true,
            is_rough: true,
            writes_more: true,
            ..Self::default()
        }
    }
}
