//! Allocators, reallocators and releasers, found by what they do, nested to any depth.
//!
//! Bottom up over the direct calls, each procedure is summarised: whether a fresh object may be
//! its result or is stored through a parameter, which parameters it releases, and which it hands
//! back. Within a procedure the values are marked with where they come from (`origins`); memory
//! is followed only through the procedure's own slots, so the answer is a cheap under-estimate
//! that decides what is worth a copy (F8), never what leaks.

use caulk_base::{FxHashMap, Table};
use caulk_ir::CallId;
use caulk_ssa::Lists;

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
    /// These parameters may be stored where they outlive the call.
    pub keeps: ParamMask,
    /// Pointers may be stored into the memory that these parameters reach.
    pub fills: ParamMask,
    /// The fresh result may also be stored where it outlives the call.
    pub keeps_result: bool,
    /// Pointers may be stored into the fresh result.
    pub fills_result: bool,
    /// The result may be a global, or a fresh object that its maker filled or kept.
    pub returns_other: bool,
}

impl Wrapper {
    #[must_use]
    pub fn allocates(&self) -> bool {
        self.returns_fresh || self.stores_fresh != 0
    }

    /// The result is fresh memory and nothing else knows it: a call is as good as one of `malloc`.
    /// Memory that such a function takes from a pool of its own counts as fresh: it is a new
    /// object to the caller. Other fresh objects, like the text of an error, do not matter.
    #[must_use]
    pub fn is_plain_allocator(&self) -> bool {
        let is_shared = self.keeps_result || self.fills_result || self.returns_other;
        self.returns_fresh && !is_shared && self.returns_param == 0
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

/// Passes over the program for allocators that are called through pointers; nesting beyond that
/// many tables of functions is not followed.
const INDIRECT_ROUNDS: usize = 3;

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
        let summarise =
            |wrappers: &Self, proc| summarise(program, externals, indirect, wrappers, proc);
        let mut pending = Pending::new(calls, indirect, program.procs.len());
        // A callee through a pointer may stand above its caller in the graph of direct calls.
        for _ in 0..=INDIRECT_ROUNDS {
            let changed = wrappers.bottom_up(calls, &mut pending, &summarise);
            if indirect.procs.is_empty() || !changed {
                break;
            }
        }
        wrappers
    }

    /// True if a summary changed.
    fn bottom_up(
        &mut self,
        calls: &DirectCalls,
        pending: &mut Pending,
        summarise: &impl Fn(&Self, ProcId) -> Wrapper,
    ) -> bool {
        let mut any = false;
        for scc in calls.sccs().ids() {
            // Summaries only grow, and a bit is set once: the rounds are bounded by the bits.
            loop {
                let mut changed = false;
                for &proc in calls.sccs().members(scc) {
                    changed |= pending.take(proc) && self.update(proc, pending, summarise);
                }
                any |= changed;
                if !changed || !calls.sccs().is_cyclic(scc) {
                    break;
                }
            }
        }
        any
    }

    /// True if the summary changed; who calls the procedure is pending then.
    fn update(
        &mut self,
        proc: ProcId,
        pending: &mut Pending,
        summarise: &impl Fn(&Self, ProcId) -> Wrapper,
    ) -> bool {
        let new = summarise(self, proc);
        let changed = new != std::mem::replace(&mut self.rows[proc], new);
        if changed {
            pending.add_callers(proc);
        }
        changed
    }

    #[must_use]
    pub fn of(&self, proc: ProcId) -> &Wrapper {
        &self.rows[proc]
    }

    pub fn iter(&self) -> impl Iterator<Item = (ProcId, &Wrapper)> {
        self.rows.iter()
    }
}

/// The procedures with a callee whose summary has changed since theirs was made: a summary depends
/// on nothing else, so the others need no second look.
struct Pending {
    callers: Lists<ProcId, ProcId>,
    procs: Table<ProcId, bool>,
}

impl Pending {
    /// At first all of them.
    fn new(calls: &DirectCalls, indirect: &IndirectTargets, count: usize) -> Self {
        let procs = Table::filled(true, count);
        let of = |caller: ProcId| calls.of(caller).iter().map(move |&(_, callee)| (callee, caller));
        let mut pairs: Vec<(ProcId, ProcId)> = procs.ids().flat_map(of).collect();
        for ((caller, _), callees) in &indirect.procs {
            pairs.extend(callees.iter().map(|&callee| (callee, *caller)));
        }
        Self { callers: Lists::from_pairs(count, &pairs), procs }
    }

    fn take(&mut self, proc: ProcId) -> bool {
        std::mem::take(&mut self.procs[proc])
    }

    fn add_callers(&mut self, proc: ProcId) {
        self.callers[proc].iter().for_each(|&caller| self.procs[caller] = true);
    }
}
