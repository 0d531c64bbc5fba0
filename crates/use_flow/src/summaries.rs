//! The summaries of all functions, callees before callers.

use std::sync::{Arc, PoisonError, RwLock};

use caulk_base::{BitSet, FxHashMap, Table};
use caulk_program::{DirectCalls, IndirectTargets, ProcId, Program};
use caulk_ssa::{Graph, SccId, Sccs};

use crate::demand::Demand;
use crate::specialise::Passed;
use crate::summary::Summary;

/// What is known of a callee.
pub enum Known {
    Summary(Arc<Summary>),
    /// Part of the recursion that is being looked at, and not known to return yet.
    NotYet,
    /// Comes later in the order: only a pointer leads to it.
    Later,
}

/// What functions do with some constants for arguments; none where a look takes too long.
#[derive(Default)]
pub struct FinerSummaries(RwLock<FxHashMap<Asked, Option<Arc<Summary>>>>);

/// A function, and the constants that it gets.
type Asked = (ProcId, Vec<Passed>);

impl FinerSummaries {
    pub fn get(&self, key: &Asked) -> Option<Option<Arc<Summary>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// What is told of a key does not depend on who asks, so it does not matter who comes first.
    pub fn set(&self, key: Asked, summary: Option<Arc<Summary>>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key, summary);
    }
}

pub struct Summaries {
    finer: FinerSummaries,
    rows: Table<ProcId, RwLock<Option<Arc<Summary>>>>,
    sccs: Sccs<ProcId>,
    /// How many calls are below a component at most: those of one level do not know each other.
    levels: Table<SccId, u32>,
    /// Inside a component: who calls whom, by callee.
    callers: FxHashMap<ProcId, Vec<ProcId>>,
    /// Those that somebody asks for.
    wanted: BitSet<ProcId>,
    /// How many calls may enter each.
    entering: Table<ProcId, u32>,
}

impl Summaries {
    pub fn new(
        program: &Program,
        calls: &DirectCalls,
        indirect: &IndirectTargets,
        demand: Demand<'_>,
    ) -> Self {
        let mut edges: Vec<(ProcId, ProcId)> = Vec::new();
        for caller in program.procs.ids() {
            edges.extend(calls.of(caller).iter().map(|&(_, callee)| (caller, callee)));
        }
        let pointed = indirect.procs.iter();
        edges.extend(
            pointed.flat_map(|(&(caller, _), to)| to.iter().map(move |&callee| (caller, callee))),
        );
        edges.sort_unstable();
        edges.dedup();
        let graph = Graph::new(program.procs.len(), ProcId(0), &edges);
        let sccs = Sccs::new(&graph);
        let levels = levels(&sccs, &edges);
        let rows = program.procs.ids().map(|_| RwLock::new(None)).collect();
        let mut callers: FxHashMap<ProcId, Vec<ProcId>> = FxHashMap::default();
        let wanted = demand.wanted(program, calls, indirect, &graph);
        let mut entering: Table<ProcId, u32> = Table::filled(0, program.procs.len());
        for caller in program.procs.ids() {
            calls.of(caller).iter().for_each(|&(_, callee)| entering[callee] += 1);
        }
        indirect.procs.values().flatten().for_each(|&callee| entering[callee] += 1);
        for &(caller, callee) in &edges {
            if sccs.component(caller) == sccs.component(callee) {
                callers.entry(callee).or_default().push(caller);
            }
        }
        Self { finer: FinerSummaries::default(), rows, sccs, levels, callers, wanted, entering }
    }

    pub fn finer(&self) -> &FinerSummaries {
        &self.finer
    }

    /// The components of each level, the lowest first.
    pub fn waves(&self) -> Vec<Vec<SccId>> {
        let mut waves: Vec<Vec<SccId>> = Vec::new();
        for (scc, &level) in self.levels.iter() {
            let level = level as usize;
            if waves.len() <= level {
                waves.resize(level + 1, Vec::new());
            }
            waves[level].push(scc);
        }
        waves
    }

    pub fn members(&self, scc: SccId) -> &[ProcId] {
        self.sccs.members(scc)
    }

    /// Those of the same component that call it.
    pub fn callers(&self, proc: ProcId) -> &[ProcId] {
        self.callers.get(&proc).map_or(&[], Vec::as_slice)
    }

    /// Whether the summary can be asked for.
    pub fn is_wanted(&self, proc: ProcId) -> bool {
        self.wanted.contains(proc)
    }

    /// Whether at most one call may enter a function.
    pub fn is_rare(&self, proc: ProcId) -> bool {
        self.entering[proc] <= 1
    }

    pub fn is_cyclic(&self, scc: SccId) -> bool {
        self.sccs.is_cyclic(scc)
    }

    pub fn is_recursive(&self, proc: ProcId) -> bool {
        self.is_cyclic(self.sccs.component(proc))
    }

    /// Whether two functions call each other, perhaps by way of others, or are one that calls itself.
    pub fn is_one_recursion(&self, proc: ProcId, other: ProcId) -> bool {
        let scc = self.sccs.component(proc);
        scc == self.sccs.component(other) && self.is_cyclic(scc)
    }

    /// The answer does not depend on what other threads have finished.
    pub fn get(&self, proc: ProcId, asker: ProcId, all: bool) -> Known {
        let (own, other) = (self.sccs.component(asker), self.sccs.component(proc));
        if !all && own != other && self.levels[other] >= self.levels[own] {
            return Known::Later;
        }
        let row = self.rows[proc].read().unwrap_or_else(PoisonError::into_inner);
        row.clone().map_or(Known::NotYet, Known::Summary)
    }

    pub fn of(&self, proc: ProcId) -> Option<Arc<Summary>> {
        self.rows[proc].read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set(&self, proc: ProcId, summary: Arc<Summary>) {
        *self.rows[proc].write().unwrap_or_else(PoisonError::into_inner) = Some(summary);
    }
}

/// Components are numbered bottom up, so callees are done before their callers.
fn levels(sccs: &Sccs<ProcId>, edges: &[(ProcId, ProcId)]) -> Table<SccId, u32> {
    let mut levels: Table<SccId, u32> = Table::filled(0, sccs.count());
    let mut pairs: Vec<(SccId, SccId)> =
        edges.iter().map(|&(from, to)| (sccs.component(from), sccs.component(to))).collect();
    pairs.retain(|(from, to)| from != to);
    pairs.sort_unstable();
    pairs.dedup();
    for (from, to) in pairs {
        levels[from] = levels[from].max(levels[to] + 1);
    }
    levels
}
