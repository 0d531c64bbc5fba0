//! Points-to sets: what every pointer of the program may point to.
//!
//! Inclusion-based (Andersen), field-sensitive by byte offsets, flow-insensitive, one answer per
//! *instance* (a copy of an allocator for each of its calls), with the call graph built on the
//! fly (S1). `rules` turns the program into the constraints of `constraint`, which two solvers
//! understand: [`inclusion`], and [`naive`], its oracle. `world` has the objects and locations
//! that both make while they work; [`PointsTo`] is what they return, and it does not depend on
//! the solver. [`unification`] is the coarser analysis of FastCheck (F3).
//!
//! Knows nothing of leaks. Deliberately absent: pointers in pieces (bytes, bit-fields, vectors).

mod constraint;
mod heap_type;
mod layout;
mod location;
mod naive;
mod nodes;
mod object;
mod params;
mod points_to;
mod print;
mod print_formats;
mod print_out;
mod reach;
mod rules;
mod solve;
mod statistics;
mod unify;
mod wild;
mod world;

use caulk_program::{DirectCalls, Entries, ExternalModels, Instances, Program, Wrappers};

pub use location::{Loc, LocId, Locations};
pub use naive::naive;
pub use object::{Obj, ObjId, ObjKind};
pub use points_to::{PointsTo, SetId, Target};
pub use print::{Names, print};
pub use print_formats::{print_dot, print_json};
pub use print_out::{Items, printed};
pub use solve::inclusion;
pub use statistics::Statistics;
pub use unify::{RegionId, Unification, unification};

#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub program: &'a Program,
    pub calls: &'a DirectCalls,
    pub entries: &'a Entries,
    pub instances: &'a Instances,
    pub wrappers: &'a Wrappers,
    pub externals: &'a ExternalModels,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// An object of no known type with more locations than this becomes one location.
    pub locations: usize,
    /// How deep memory from outside is told apart.
    pub deref_depth: usize,
    /// With more entries than this, the entries of a library, parameters share the memory that
    /// they bring: one object for the first parameter of a type in each function, one for the
    /// second. What one function stores there another finds.
    pub entries: usize,
    /// A pointer to more objects than this is wild: see `wild`.
    pub wild: usize,
    /// Elements that may be handed on before the solver gives up.
    pub work: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { locations: 32, deref_depth: 3, entries: 40, wild: 200, work: 150_000_000 }
    }
}
