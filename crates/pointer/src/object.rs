//! Abstract objects: everything that a pointer can point to.
//!
//! A Deref object stands for what an *outside* location holds: memory that the program did not
//! make, such as what a parameter of an entry points to. It is made when the location is first
//! loaded, nested up to a depth; the deepest one stands for all that lies behind it.
//!
//! Outside stands for whatever unknown code knows. A set with Outside in it may contain every
//! object that escaped, without listing them: what unknown code keeps, and all that is reachable
//! from there, escapes; what is loaded through Outside is Outside; what escapes may hold Outside.

use caulk_base::define_id;
use caulk_ir::{CallId, InstId, SlotId, TypeId};
use caulk_program::{ExternalId, InstanceId, ModuleId, ProcId, StaticId};

use crate::location::LocId;

define_id!(pub ObjId, "o", "An abstract object.");

/// The order of the variants is the order of ids in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjKind {
    /// Everything that unknown code keeps.
    Outside,
    Static(StaticId),
    Procedure(ProcId),
    External(ExternalId),
    Slot {
        instance: InstanceId,
        slot: SlotId,
    },
    Alloca {
        instance: InstanceId,
        inst: InstId,
    },
    /// The callee's own copy of an aggregate parameter.
    Copy {
        instance: InstanceId,
        param: u32,
    },
    /// The variable arguments of a procedure: scalars at 0, addresses of aggregates at 8.
    VarArgs(InstanceId),
    /// What a call of an allocating external function returns.
    Heap {
        instance: InstanceId,
        call: CallId,
    },
    /// What such a call leaves in memory: `nth` element of what `arg` points to, or, for
    /// [`ObjKind::ELEMENTS`], all elements of the array that `*arg` points to.
    HeapOut {
        instance: InstanceId,
        call: CallId,
        arg: u32,
        nth: u32,
    },
    /// Storage that a library function owns: `getenv`, `localtime`.
    Library(ExternalId),
    /// Memory that a parameter of an entry brings from outside; the hidden result pointer is
    /// [`ObjKind::RESULT`].
    Param {
        proc: ProcId,
        index: u32,
    },
    /// What an outside location holds.
    Deref {
        of: LocId,
    },
}

impl ObjKind {
    pub const ELEMENTS: u32 = u32::MAX;
    pub const RESULT: u32 = u32::MAX;

    #[must_use]
    pub fn is_heap(self) -> bool {
        matches!(self, ObjKind::Heap { .. } | ObjKind::HeapOut { .. })
    }

    #[must_use]
    pub fn is_function(self) -> bool {
        matches!(self, ObjKind::Procedure(_) | ObjKind::External(_))
    }

    /// The activation that it dies with.
    #[must_use]
    pub fn local_to(self) -> Option<InstanceId> {
        match self {
            ObjKind::Slot { instance, .. }
            | ObjKind::Alloca { instance, .. }
            | ObjKind::Copy { instance, .. }
            | ObjKind::VarArgs(instance) => Some(instance),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obj {
    pub kind: ObjKind,
    /// In bytes, where the program tells.
    pub size: Option<u64>,
    pub ty: Option<(ModuleId, TypeId)>,
    /// Not made by the program: its locations hold more than what the program stores there.
    pub outside: bool,
    /// How many Deref steps it is from the object that came from outside.
    pub depth: u8,
    /// All of its locations became one, for there were too many.
    pub collapsed: bool,
}
