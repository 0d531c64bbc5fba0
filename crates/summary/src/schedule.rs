//! The order of summarisation: callees before callers, a cycle of calls as one (P1).

use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use caulk_base::{FxHashMap, Table};
use caulk_program::{DirectCalls, IndirectTargets, ProcId, Program};
use caulk_ssa::{Graph, SccId, Sccs};

use crate::asked::{Asked, Question};
use crate::exec::Known;
use crate::handed::handed_to_externals;
use crate::kept::Stable;
use crate::options::Budget;
use crate::summary::Summary;

/// The summaries that are known so far, and who waits for whom. Calls through pointers wait for
/// their callees as others do, and so do calls of external functions for whom they are handed.
pub struct Schedule {
    rows: Table<ProcId, RwLock<Option<Arc<Printed>>>>,
    /// What people read of a summary, once for all sites that tell it.
    texts: Table<ProcId, RwLock<Option<Arc<str>>>>,
    sccs: Sccs<ProcId>,
    /// How many calls are below a component at most: those of one level do not know each other.
    levels: Table<SccId, u32>,
    /// Inside a component: who calls whom, by callee.
    callers: FxHashMap<ProcId, Vec<ProcId>>,
    /// Those with a procedure that is asked about, and those below them.
    needed: Table<SccId, bool>,
    pub asked: Asked,
}

impl Schedule {
    pub fn new(
        program: &Program,
        calls: &DirectCalls,
        indirect: &IndirectTargets,
        question: Question<'_>,
        budget: &Budget,
    ) -> Self {
        let direct = |caller: ProcId| calls.of(caller).iter().map(move |&(_, to)| (caller, to));
        let mut edges: Vec<(ProcId, ProcId)> = program.procs.ids().flat_map(direct).collect();
        for (&(caller, _), targets) in &indirect.procs {
            edges.extend(targets.iter().map(|&callee| (caller, callee)));
        }
        for caller in program.procs.ids() {
            let handed = handed_to_externals(program, caller);
            edges.extend(handed.into_iter().map(|callee| (caller, callee)));
        }
        edges.sort_unstable();
        edges.dedup();
        let sccs = Sccs::new(&Graph::new(program.procs.len(), ProcId(0), &edges));
        let levels = levels(&sccs, &edges);
        let rows = program.procs.ids().map(|_| RwLock::new(None)).collect();
        let texts = program.procs.ids().map(|_| RwLock::new(None)).collect();
        let mut callers: FxHashMap<ProcId, Vec<ProcId>> = FxHashMap::default();
        for &(caller, callee) in &edges {
            if sccs.component(caller) == sccs.component(callee) {
                callers.entry(callee).or_default().push(caller);
            }
        }
        let asked = Asked::new(program, &edges, question, budget);
        let needed = needed(&sccs, &edges, program.procs.ids().filter(|&it| asked.is_asked(it)));
        Self { rows, texts, sccs, levels, callers, needed, asked }
    }

    /// The needed components of each level, the lowest first.
    pub fn waves(&self) -> Vec<Vec<SccId>> {
        let count = self.levels.rows().iter().max().map_or(0, |&most| most as usize + 1);
        let mut waves = vec![Vec::new(); count];
        for (scc, &level) in self.levels.iter().filter(|&(scc, _)| self.needed[scc]) {
            waves[level as usize].push(scc);
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

    pub fn is_cyclic(&self, scc: SccId) -> bool {
        self.sccs.is_cyclic(scc)
    }

    pub fn are_in_cycle(&self, one: ProcId, other: ProcId) -> bool {
        self.sccs.component(one) == self.sccs.component(other)
    }

    /// The answer does not depend on what other threads have finished.
    pub fn get(&self, proc: ProcId, asker: ProcId) -> Known {
        let (own, other) = (self.sccs.component(asker), self.sccs.component(proc));
        if own != other && self.levels[other] >= self.levels[own] {
            return Known::Later;
        }
        self.of(proc).map_or(Known::NotYet, Known::Summary)
    }

    pub fn of(&self, proc: ProcId) -> Option<Arc<Printed>> {
        self.rows[proc].read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set(&self, proc: ProcId, summary: Printed) {
        let row = Some(Arc::new(summary));
        *self.rows[proc].write().unwrap_or_else(PoisonError::into_inner) = row;
        *self.texts[proc].write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// What is told of the summary of a procedure, empty if that is nothing.
    pub fn text(&self, proc: ProcId, tell: impl FnOnce(&Summary) -> String) -> Arc<str> {
        let row = &self.texts[proc];
        if let Some(known) = &*row.read().unwrap_or_else(PoisonError::into_inner) {
            return Arc::clone(known);
        }
        let told: Arc<str> = self.of(proc).map_or_else(String::new, |it| tell(&it)).into();
        *row.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&told));
        told
    }
}

/// A summary with a hash of its serialised form; 0 where summaries are not kept.
#[derive(Debug, Default)]
pub struct Printed {
    pub print: Stable,
    pub summary: Summary,
}

impl Deref for Printed {
    type Target = Summary;

    fn deref(&self) -> &Summary {
        &self.summary
    }
}

/// Components are numbered bottom up, so callees are done before their callers.
fn levels(sccs: &Sccs<ProcId>, edges: &[(ProcId, ProcId)]) -> Table<SccId, u32> {
    let mut levels: Table<SccId, u32> = Table::filled(0, sccs.count());
    let components = edges.iter().map(|&(from, to)| (sccs.component(from), sccs.component(to)));
    let mut pairs: Vec<(SccId, SccId)> = components.filter(|(from, to)| from != to).collect();
    pairs.sort_unstable();
    pairs.dedup();
    for (from, to) in pairs {
        levels[from] = levels[from].max(levels[to] + 1);
    }
    levels
}

/// Components are numbered bottom up: who is above a component is known before it.
fn needed(
    sccs: &Sccs<ProcId>,
    edges: &[(ProcId, ProcId)],
    asked: impl Iterator<Item = ProcId>,
) -> Table<SccId, bool> {
    let mut needed: Table<SccId, bool> = Table::filled(false, sccs.count());
    asked.for_each(|proc| needed[sccs.component(proc)] = true);
    let mut pairs: Vec<(SccId, SccId)> =
        edges.iter().map(|&(from, to)| (sccs.component(from), sccs.component(to))).collect();
    pairs.sort_unstable();
    for (from, to) in pairs.into_iter().rev() {
        needed[to] |= needed[from];
    }
    needed
}
