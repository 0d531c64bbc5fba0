//! Liveness: a variable is live at a point if some path from there reads it before writing it.
//!
//! The sets are found per variable, by walking backwards from the blocks that read it to those
//! that write it (Boissinot, Brandner, Darte, de Dinechin, Rastello, "Computing liveness sets for
//! SSA-form programs", 2011). That takes time and space proportional to the result, where bit sets
//! per block would take blocks × variables whatever the result. It does not need SSA: a block that
//! writes a variable stops the walk wherever it is. [`LiveRange`] answers for one variable alone.

use caulk_base::{Id, Table};

use crate::{Graph, Lists};

/// What blocks read and write, as much as liveness needs to know.
#[derive(Clone, Debug)]
pub struct UseDef<N: Id, V: Id> {
    /// The blocks that read a variable before they write it.
    uses: Vec<(V, N)>,
    defs: Vec<(V, N)>,
    last_writer: Table<V, Option<N>>,
}

impl<N: Id, V: Id> UseDef<N, V> {
    #[must_use]
    pub fn new(variable_count: usize) -> Self {
        let last_writer = Table::filled(None, variable_count);
        Self { uses: Vec::new(), defs: Vec::new(), last_writer }
    }

    /// Records a read. The reads and writes of one block must be recorded in the order of
    /// execution, and not be mixed with those of another block.
    pub fn read(&mut self, block: N, variable: V) {
        if self.last_writer[variable] != Some(block) {
            self.uses.push((variable, block));
        }
    }

    pub fn write(&mut self, block: N, variable: V) {
        if self.last_writer[variable].replace(block) != Some(block) {
            self.defs.push((variable, block));
        }
    }

    #[must_use]
    pub fn variable_count(&self) -> usize {
        self.last_writer.len()
    }
}

/// The blocks at whose start, and at whose end, one variable is live.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveRange<N: Id> {
    pub at_start: Vec<N>,
    pub at_end: Vec<N>,
}

impl<N: Id> LiveRange<N> {
    /// The range of a variable, given the blocks that read it before they write it and the blocks
    /// that write it.
    #[must_use]
    pub fn new(graph: &Graph<N>, uses: &[N], defs: &[N]) -> Self {
        let mut walk = Walk::new(graph);
        walk.follow(uses, defs);
        walk.range
    }
}

/// The variables live at the start and at the end of each block.
#[derive(Clone, Debug)]
pub struct Liveness<N: Id, V: Id> {
    at_start: Lists<N, V>,
    at_end: Lists<N, V>,
}

impl<N: Id, V: Id> Liveness<N, V> {
    #[must_use]
    pub fn new(graph: &Graph<N>, facts: &UseDef<N, V>) -> Self {
        let uses = Lists::from_pairs(facts.variable_count(), &facts.uses);
        let defs = Lists::from_pairs(facts.variable_count(), &facts.defs);
        let (mut at_start, mut at_end) = (Vec::new(), Vec::new());
        let mut walk = Walk::new(graph);
        for (variable, uses) in uses.iter() {
            walk.follow(uses, &defs[variable]);
            at_start.extend(walk.range.at_start.drain(..).map(|block| (block, variable)));
            at_end.extend(walk.range.at_end.drain(..).map(|block| (block, variable)));
        }
        Self {
            at_start: Lists::from_pairs(graph.node_count(), &at_start),
            at_end: Lists::from_pairs(graph.node_count(), &at_end),
        }
    }

    /// In increasing order.
    #[must_use]
    pub fn at_start(&self, block: N) -> &[V] {
        &self.at_start[block]
    }

    /// In increasing order.
    #[must_use]
    pub fn at_end(&self, block: N) -> &[V] {
        &self.at_end[block]
    }

    #[must_use]
    pub fn is_live_at_start(&self, block: N, variable: V) -> bool {
        self.at_start(block).binary_search(&variable).is_ok()
    }

    #[must_use]
    pub fn is_live_at_end(&self, block: N, variable: V) -> bool {
        self.at_end(block).binary_search(&variable).is_ok()
    }
}

/// The marks of a block hold the number of the last walk that set them, so that a new walk need
/// not clear them.
struct Walk<'g, N: Id> {
    graph: &'g Graph<N>,
    number: u32,
    written: Table<N, u32>,
    live_at_start: Table<N, u32>,
    live_at_end: Table<N, u32>,
    /// `at_start` is also the queue of the walk.
    range: LiveRange<N>,
}

impl<'g, N: Id> Walk<'g, N> {
    fn new(graph: &'g Graph<N>) -> Self {
        let unmarked = || Table::filled(0, graph.node_count());
        let range = LiveRange { at_start: Vec::new(), at_end: Vec::new() };
        Self {
            graph,
            number: 0,
            written: unmarked(),
            live_at_start: unmarked(),
            live_at_end: unmarked(),
            range,
        }
    }

    fn follow(&mut self, uses: &[N], defs: &[N]) {
        self.number += 1;
        for &block in defs {
            self.written[block] = self.number;
        }
        for &block in uses {
            self.reach_start(block);
        }
        let mut next = 0;
        while let Some(&block) = self.range.at_start.get(next) {
            next += 1;
            for predecessor in self.graph.predecessors(block) {
                self.reach_end(predecessor);
            }
        }
    }

    fn reach_start(&mut self, block: N) {
        if mark(&mut self.live_at_start[block], self.number) {
            self.range.at_start.push(block);
        }
    }

    fn reach_end(&mut self, block: N) {
        if mark(&mut self.live_at_end[block], self.number) {
            self.range.at_end.push(block);
            if self.written[block] != self.number {
                self.reach_start(block);
            }
        }
    }
}

/// Whether the mark is new.
fn mark(mark: &mut u32, number: u32) -> bool {
    std::mem::replace(mark, number) != number
}
