//! The constraint language that both solvers understand.
//!
//! Writing `x` for the set of a node and `⟦l⟧` for the contents of a location:
//!
//! | constraint | meaning |
//! |---|---|
//! | Address | `l ∈ to` |
//! | Copy | `from ⊆ to` |
//! | Offset | `l ∈ from ⟹ l + by ∈ to` |
//! | Load | `l ∈ from ⟹ ⟦l⟧ ⊆ to`; `Outside ∈ from ⟹ Outside ∈ to` instead |
//! | Store | `l ∈ to ⟹ from ⊆ ⟦l⟧` |
//! | CopyMemory | `a ∈ to, b ∈ from, 0 ≤ d < size ⟹ ⟦b + d⟧ ⊆ ⟦a + d⟧` |
//! | Reach | `l ∈ from, l ≠ Outside, m in the object of l ⟹ ⟦m⟧ ⊆ to` |
//! | Overwrite | `l ∈ through, m in the object of l` can hold a pointer `⟹ Outside ∈ ⟦m⟧` |
//! | Indirect | `l ∈ callee ⟹` the rules of a call of `l` at the site |
//! | Escape | `l ∈ callee ⟹` unknown code may call `l` |

use caulk_base::define_id;
use caulk_ir::{CallId, TypeId};
use caulk_program::{InstanceId, ModuleId};

use crate::location::LocId;
use crate::nodes::NodeId;

define_id!(pub(crate) SiteId, "site", "A call whose callees points-to finds.");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Constraint {
    Address { to: NodeId, loc: LocId },
    Copy { to: NodeId, from: NodeId },
    Offset { to: NodeId, from: NodeId, by: i64 },
    Load { to: NodeId, from: NodeId },
    Store { to: NodeId, from: NodeId },
    CopyMemory { to: NodeId, from: NodeId, size: Option<u64> },
    Reach { to: NodeId, from: NodeId },
    Overwrite { through: NodeId },
    Indirect { callee: NodeId, site: SiteId },
    Escape { callee: NodeId },
}

/// A call as its callee sees it.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The call in the program; for a callback the call that hands it to the library.
    pub instance: InstanceId,
    pub call: CallId,
    pub module: ModuleId,
    pub args: Vec<Arg>,
    pub result: Option<NodeId>,
    /// The result is a pointer by type, and not merely as wide as one.
    pub result_is_pointer: bool,
    pub result_into: Option<NodeId>,
    pub callback: Option<Callback>,
}

/// Set for calls that a library function makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callback {
    /// Runs after the call has returned, or beside it.
    pub entry: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Arg {
    pub node: Option<NodeId>,
    /// The parameter's type, or the argument's where there is no prototype.
    pub ty: Option<TypeId>,
    /// The bytes of an aggregate, whose address the node is.
    pub aggregate: Option<Option<u64>>,
    pub constant: Option<i64>,
}
