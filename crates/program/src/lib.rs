//! One linked program, made of modules: which definition a name stands for, who may be called
//! from outside, who allocates and releases for others, and which copies of them are kept apart.
//!
//! `link` binds names, with `twins` where several programs have one; `entries` finds where control may come in from outside; `calls` lists the
//! direct calls; `endings` tells which of them never come back; `function_pointers` guesses the
//! others; `wrappers` finds allocators and releasers by their effect; `instances` gives each call
//! of an allocator a copy of its own. Knows nothing of memory.

mod calls;
mod endings;
mod entries;
mod external;
mod function_pointers;
mod instances;
mod link;
mod origins;
mod program;
mod returned;
mod twins;
mod wrappers;

pub use calls::DirectCalls;
pub use endings::Endings;
pub use entries::{Entries, Entry, EntryReason};
pub use external::ExternalModels;
pub use function_pointers::indirect_targets;
pub use instances::{CopyBudget, Instance, InstanceId, Instances};
pub use link::{LinkUnit, link};
pub use program::{
    Binding, External, ExternalId, ModuleId, Proc, ProcId, Program, StaticId, StaticObject,
};
pub use wrappers::{IndirectTargets, ParamMask, Wrapper, Wrappers};
