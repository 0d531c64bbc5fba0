//! Memory SSA of one region in one function: which write a read may see.
//!
//! Built only for the pairs of function and region that somebody asks about, from the few
//! instructions of the function that touch the region: writes become versions (χ), joins of
//! different versions at the iterated dominance frontier become φ versions, and every read (μ)
//! names the version that reaches it. The cost follows the touches, not the size of the function.
//!
//! Version 0 is what the region holds at the function's entry. A write that may leave the old
//! contents in place keeps its `previous` version; a strong update has none.

use caulk_base::{FxHashMap, Table, define_id};
use caulk_ir::{BlockId, InstId};
use caulk_ssa::{EdgeId, FunctionFacts};

define_id!(pub VersionId, "ver", "A version of a region's contents in a function.");

/// How an instruction touches the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    pub inst: InstId,
    pub reads: bool,
    pub write: Write,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    None,
    /// The old contents may remain.
    Weak,
    /// The old contents are gone.
    Strong,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    Entry,
    /// χ: written by the instruction; `previous` is what it may leave in place.
    Written {
        inst: InstId,
        previous: Option<VersionId>,
    },
    /// φ at the start of the block; one operand for each edge into it from a reachable block.
    Joined {
        block: BlockId,
        operands: Vec<(EdgeId, VersionId)>,
    },
}

/// Who sees a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// μ: the instruction may read it; a call hands it to its callees.
    Read(InstId),
    /// A weak update that may leave it in place.
    Kept(VersionId),
    Joined(VersionId),
    /// μ at the end of the block, which returns.
    Return(BlockId),
}

#[derive(Clone, Debug)]
pub struct Chain {
    versions: Table<VersionId, Version>,
    uses: Table<VersionId, Vec<Use>>,
    /// Sorted.
    reads: Vec<(InstId, VersionId)>,
    /// Sorted.
    written: Vec<(InstId, VersionId)>,
    returns: Vec<(BlockId, VersionId)>,
    last_in: FxHashMap<BlockId, VersionId>,
    first_in: FxHashMap<BlockId, VersionId>,
}

impl VersionId {
    pub const ENTRY: VersionId = VersionId(0);
}

impl Chain {
    /// `touches` in the order of instructions, each of them at most once.
    #[must_use]
    pub fn new(facts: &FunctionFacts, touches: &[Touch]) -> Self {
        let mut chain = Self::empty();
        let touches = reachable(facts, touches);
        chain.place_joins(facts, &touches);
        chain.number(facts, &touches);
        chain.fill_joins(facts);
        chain.end(facts);
        chain.collect_uses();
        chain
    }

    fn empty() -> Self {
        let mut versions = Table::new();
        versions.push(Version::Entry);
        Self {
            versions,
            uses: Table::new(),
            reads: Vec::new(),
            written: Vec::new(),
            returns: Vec::new(),
            last_in: FxHashMap::default(),
            first_in: FxHashMap::default(),
        }
    }

    #[must_use]
    pub fn versions(&self) -> &Table<VersionId, Version> {
        &self.versions
    }

    #[must_use]
    pub fn uses(&self, version: VersionId) -> &[Use] {
        &self.uses[version]
    }

    /// The version that an instruction which reads the region sees.
    #[must_use]
    pub fn read_at(&self, inst: InstId) -> Option<VersionId> {
        find(&self.reads, inst)
    }

    #[must_use]
    pub fn written_at(&self, inst: InstId) -> Option<VersionId> {
        find(&self.written, inst)
    }

    /// The instructions that write the region, in order.
    pub fn writes(&self) -> impl Iterator<Item = InstId> + '_ {
        self.written.iter().map(|row| row.0)
    }

    /// What the region holds where control returns.
    #[must_use]
    pub fn returns(&self) -> &[(BlockId, VersionId)] {
        &self.returns
    }

    /// What the region holds just before an instruction.
    #[must_use]
    pub fn before(&self, facts: &FunctionFacts, inst: InstId) -> VersionId {
        if self.versions.len() == 1 {
            return VersionId::ENTRY;
        }
        let block = facts.block_of(inst);
        let inside = facts.body().blocks[block]
            .insts()
            .rev()
            .skip_while(|&other| other >= inst)
            .find_map(|other| self.written_at(other));
        inside.unwrap_or_else(|| self.at_start(facts, block))
    }

    #[must_use]
    pub fn at_start(&self, facts: &FunctionFacts, block: BlockId) -> VersionId {
        self.first_in.get(&block).copied().unwrap_or_else(|| self.above(facts, block))
    }

    #[must_use]
    pub fn at_end(&self, facts: &FunctionFacts, block: BlockId) -> VersionId {
        self.last_in.get(&block).copied().unwrap_or_else(|| self.above(facts, block))
    }

    /// What comes down the dominator tree: at a block without a join, the version that left its
    /// immediate dominator is the only one that reaches it.
    fn above(&self, facts: &FunctionFacts, block: BlockId) -> VersionId {
        if self.last_in.is_empty() {
            return VersionId::ENTRY;
        }
        let dominators = facts.cfg().dominators();
        std::iter::successors(dominators.immediate(block), |&up| dominators.immediate(up))
            .find_map(|up| self.last_in.get(&up).copied())
            .unwrap_or(VersionId::ENTRY)
    }

    fn place_joins(&mut self, facts: &FunctionFacts, touches: &[(BlockId, Touch)]) {
        let mut blocks: Vec<BlockId> = touches
            .iter()
            .filter(|(_, touch)| touch.write != Write::None)
            .map(|&(block, _)| block)
            .collect();
        blocks.dedup();
        if blocks.is_empty() {
            return;
        }
        for block in facts.cfg().iterated_frontier(&blocks) {
            let id = self.versions.push(Version::Joined { block, operands: Vec::new() });
            self.first_in.insert(block, id);
            self.last_in.insert(block, id);
        }
    }

    fn number(&mut self, facts: &FunctionFacts, touches: &[(BlockId, Touch)]) {
        // Writes first, so that the versions that leave dominating blocks are all known.
        let mut pending = Vec::new();
        for (block, touch) in touches.iter().filter(|(_, touch)| touch.write != Write::None) {
            let id = self.versions.push(Version::Written { inst: touch.inst, previous: None });
            self.written.push((touch.inst, id));
            if touch.write == Write::Weak {
                pending.push((id, self.last_in.get(block).copied(), *block));
            }
            self.last_in.insert(*block, id);
        }
        for (id, inside, block) in pending {
            let seen = inside.unwrap_or_else(|| self.above(facts, block));
            if let Version::Written { previous, .. } = &mut self.versions[id] {
                *previous = Some(seen);
            }
        }
        self.number_reads(facts, touches);
    }

    fn number_reads(&mut self, facts: &FunctionFacts, touches: &[(BlockId, Touch)]) {
        let mut current: Option<(BlockId, VersionId)> = None;
        for &(block, touch) in touches {
            let here = match current {
                Some((same, version)) if same == block => version,
                _ => self.at_start(facts, block),
            };
            if touch.reads {
                self.reads.push((touch.inst, here));
            }
            current = Some((block, self.written_at(touch.inst).unwrap_or(here)));
        }
    }

    fn fill_joins(&mut self, facts: &FunctionFacts) {
        let graph = facts.cfg().graph();
        let joins: Vec<(BlockId, VersionId)> = self
            .versions
            .iter()
            .filter_map(|(id, version)| match version {
                Version::Joined { block, .. } => Some((*block, id)),
                _ => None,
            })
            .collect();
        for (block, id) in joins {
            let filled = graph
                .in_edges(block)
                .iter()
                .filter(|&&edge| facts.cfg().is_reachable(graph.source(edge)))
                .map(|&edge| (edge, self.at_end(facts, graph.source(edge))))
                .collect();
            if let Version::Joined { operands, .. } = &mut self.versions[id] {
                *operands = filled;
            }
        }
    }

    fn end(&mut self, facts: &FunctionFacts) {
        let returns = facts.returns().iter();
        self.returns = returns.map(|&block| (block, self.at_end(facts, block))).collect();
    }

    fn collect_uses(&mut self) {
        self.uses = Table::filled(Vec::new(), self.versions.len());
        for &(inst, version) in &self.reads {
            self.uses[version].push(Use::Read(inst));
        }
        for (id, version) in self.versions.iter() {
            match version {
                Version::Written { previous: Some(previous), .. } => {
                    self.uses[*previous].push(Use::Kept(id));
                }
                Version::Joined { operands, .. } => {
                    for &(_, operand) in operands {
                        self.uses[operand].push(Use::Joined(id));
                    }
                }
                Version::Entry | Version::Written { previous: None, .. } => {}
            }
        }
        for &(block, version) in &self.returns {
            self.uses[version].push(Use::Return(block));
        }
        for (_, uses) in self.uses.iter_mut() {
            uses.sort_unstable();
            uses.dedup();
        }
    }
}

fn find(rows: &[(InstId, VersionId)], inst: InstId) -> Option<VersionId> {
    rows.binary_search_by_key(&inst, |row| row.0).ok().map(|at| rows[at].1)
}

fn reachable(facts: &FunctionFacts, touches: &[Touch]) -> Vec<(BlockId, Touch)> {
    touches
        .iter()
        .map(|&touch| (facts.block_of(touch.inst), touch))
        .filter(|&(block, _)| facts.cfg().is_reachable(block))
        .collect()
}
