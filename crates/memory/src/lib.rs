//! Mod-ref, regions, μ and χ, and memory SSA over every object.
//!
//! `accesses` says what each instruction touches, as `footprint`s: sets of locations, each kept
//! once. `regions` is the coarsest partition of the locations that loses nothing. `modref` adds
//! the effects of callees up. All of that is done once for the program. `chain`, the memory SSA
//! of one region in one function, is built when somebody asks, so that the work follows what
//! allocation sites reach (SABER 4.3) and not the product of functions and regions. `refine` is
//! what memory SSA tells about the function's own pointers (S2), before its chains are handed out.
//!
//! Knows nothing of leaks.

mod accesses;
mod call_accesses;
mod calls;
mod chain;
mod coarse;
mod footprint;
mod memory;
mod modref;
mod print;
mod print_calls;
mod refine;
mod region_set;
mod regions;
mod single;
mod steps;
mod strong;

pub use accesses::{Access, Accesses, Overwrites};
pub use calls::{CallSite, Calls};
pub use chain::{Chain, Touch, Use, Version, VersionId, Write};
pub use coarse::{CoarseKind, CoarseRegion};
pub use footprint::{Extent, FootprintId, Footprints};
pub use memory::{Input, Memory, View, root};
pub use modref::{Effects, ModRef};
pub use print::Printer;
pub use print_calls::CallGraph;
pub use refine::Refined;
pub use region_set::RegionSet;
pub use regions::{RegionId, Regions};
