//! Allocators, reallocators and releasers, found by what they do, nested to any depth.
//!
//! Bottom up over the direct calls, each procedure is summarised: whether a fresh object may be
//! its result or is stored through a parameter, which parameters it releases, and which it hands
//! back. Within a procedure the values are marked with where they come from (`origins`); memory
//! is followed only through the procedure's own slots, so the answer is a cheap under-estimate
//! that decides what is worth a copy (F8), never what leaks.

use caulk_base::{FxHashMap, Table};
use caulk_ir::CallId;

use crate::calls::DirectCalls;
use crate::external::ExternalModels;
use crate::origins::summarise;
use crate::program::{ExternalId, ProcId, Program};

/// A set of parameters; those past the 64th are not followed.
pub type ParamMask = u64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrapper {
    /// A fresh object may be the result.
    pub returns_fresh: bool,
    /// A fresh object may be stored into the memory that these parameters reach.
    pub stores_fresh: ParamMask,
    /// A fresh object may be stored into another fresh one: members are built.
    pub builds_members: bool,
    pub frees: ParamMask,
    /// Something in the memory that these parameters reach is released.
    pub frees_inside: ParamMask,
    /// The old block comes in by these parameters, and a new one is handed back.
    pub reallocates: ParamMask,
    /// The result may be one of these parameters, or point into what it points to.
    pub returns_param: ParamMask,
}

impl Wrapper {
    #[must_use]
    pub fn allocates(&self) -> bool {
        self.returns_fresh || self.stores_fresh != 0
    }

    #[must_use]
    pub fn releases(&self) -> bool {
        self.frees | self.frees_inside != 0
    }
}

/// Whom an indirect call may reach, as far as an earlier analysis knows.
#[derive(Clone, Debug, Default)]
pub struct IndirectTargets {
    pub procs: FxHashMap<(ProcId, CallId), Vec<ProcId>>,
    pub externals: FxHashMap<(ProcId, CallId), Vec<ExternalId>>,
}

#[derive(Clone, Debug)]
pub struct Wrappers {
    rows: Table<ProcId, Wrapper>,
}

impl Wrappers {
    #[must_use]
    pub fn new(
        program: &Program,
        calls: &DirectCalls,
        externals: &ExternalModels,
        indirect: &IndirectTargets,
    ) -> Self {
        let mut wrappers = Self { rows: Table::filled(Wrapper::default(), program.procs.len()) };
        for scc in calls.sccs().ids() {
            let members = calls.sccs().members(scc);
            // Summaries only grow, and a bit is set once: the rounds are bounded by the bits.
            loop {
                let mut changed = false;
                for &proc in members {
                    let new = summarise(program, externals, indirect, &wrappers, proc);
                    changed |= new != wrappers.rows[proc];
                    wrappers.rows[proc] = new;
                }
                if !changed || !calls.sccs().is_cyclic(scc) {
                    break;
                }
            }
        }
        wrappers
    }

    #[must_use]
    pub fn of(&self, proc: ProcId) -> &Wrapper {
        &self.rows[proc]
    }

    pub fn iter(&self) -> impl Iterator<Item = (ProcId, &Wrapper)> {
        self.rows.iter()
    }
}
