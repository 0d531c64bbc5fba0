//! What all sites share: the graph, the searches, the atoms. Nothing in it depends on the order
//! in which sites are looked at.

use std::sync::OnceLock;

use caulk_base::FxHashMap;
use caulk_flow::{Atoms, Flow, Precision, Reach, Reachability, Sources};
use caulk_guard::AtomId;
use caulk_ir::{BlockId, InstId};
use caulk_memory::Memory;
use caulk_program::{DirectCalls, InstanceId, ProcId};

use crate::configuration::Configuration;
use crate::endless::Endless;
use crate::needs::Needs;
use crate::owners::{Entries, Owners};
use crate::places::Places;

/// Their summaries are the same for every look at a site, and are made once.
pub(crate) struct Searches<'f, 'm, 'p> {
    /// Values in locals alone: FastCheck's, and how allocators are found (F8).
    pub locals: Reachability<'f, 'm, 'p>,
    /// Through memory: SABER's, and where references die.
    pub full: Reachability<'f, 'm, 'p>,
}

impl<'f, 'm, 'p> Searches<'f, 'm, 'p> {
    pub fn new(flow: &'f Flow<'m, 'p>, limit: usize) -> Self {
        let search = |precision| Reachability::new(flow, precision, limit);
        Self { locals: search(Precision::Locals), full: search(Precision::Full) }
    }
}

pub(crate) struct World<'f, 'm, 'p> {
    pub configuration: &'f Configuration,
    pub flow: &'f Flow<'m, 'p>,
    pub calls: &'f DirectCalls,
    pub sources: &'f Sources,
    pub atoms: &'f Atoms,
    pub searches: &'f Searches<'f, 'm, 'p>,
    pub endless: Endless<'f>,
    pub owners: Owners,
    /// The calls that make what functions return.
    pub made_in: FxHashMap<InstanceId, Vec<InstId>>,
    pub needs: Needs,
    /// Made when the first finding asks.
    entries: OnceLock<Entries>,
}

impl<'f, 'm, 'p> World<'f, 'm, 'p> {
    pub fn new(
        configuration: &'f Configuration,
        (flow, calls): (&'f Flow<'m, 'p>, &'f DirectCalls),
        sources: &'f Sources,
        atoms: &'f Atoms,
        searches: &'f Searches<'f, 'm, 'p>,
    ) -> Self {
        Self {
            configuration,
            flow,
            calls,
            sources,
            atoms,
            searches,
            endless: Endless::new(flow.memory, calls, configuration.endless),
            owners: match configuration.owners {
                true => Owners::new(flow.memory),
                false => Owners::none(flow.memory),
            },
            made_in: FxHashMap::default(),
            needs: Needs::new(flow.memory.input().program.procs.len()),
            entries: OnceLock::new(),
        }
    }

    /// Of the configuration's precision.
    pub fn reachability(&self) -> &'f Reachability<'f, 'm, 'p> {
        match self.configuration.precision {
            Precision::Locals => &self.searches.locals,
            Precision::Full => &self.searches.full,
        }
    }

    /// Whether the object is held by a node of a list, or an entry of a table.
    pub fn is_in_entry(&self, reach: &Reach) -> bool {
        let entries = self.entries.get_or_init(|| Entries::new(self.memory()));
        reach.nodes.iter().any(|&node| entries.contain(self.memory(), node))
    }

    pub fn memory(&self) -> &'m Memory<'p> {
        self.flow.memory
    }

    pub fn places(&self) -> Places<'m, 'p> {
        Places { memory: self.flow.memory }
    }

    /// That the branch of a block goes its first way, or the other, as the value of an atom.
    pub fn outcome(&self, proc: ProcId, block: BlockId, truth: bool) -> Option<(AtomId, bool)> {
        let (atom, taken) = self.atoms.edge(proc, block, 0)?;
        Some((atom, truth == taken))
    }
}
