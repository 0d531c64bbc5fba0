//! What lies between a branch and the place where its ways meet again, ways on which the process ends
//! aside.

use caulk_base::BitSet;
use caulk_flow::Point;
use caulk_ir::{BlockId, Body, Terminator};
use caulk_program::InstanceId;
use caulk_ssa::{Cfg, Graph};

use crate::world::World;

pub(crate) struct Meetings {
    /// Without the blocks from which control does not come back.
    cfg: Cfg<BlockId>,
}

impl Meetings {
    pub fn new(world: &World, instance: InstanceId) -> Self {
        let body = world.memory().body(instance);
        let ending = ending(world, instance);
        let edges = body.blocks.iter().flat_map(|(from, row)| {
            row.terminator.edges().map(move |edge| (from, edge.to)).collect::<Vec<_>>()
        });
        let stays = |it: &(BlockId, BlockId)| !ending.contains(it.0) && !ending.contains(it.1);
        let edges: Vec<(BlockId, BlockId)> = edges.filter(stays).collect();
        Self { cfg: Cfg::new(Graph::new(body.blocks.len(), BlockId::ENTRY, &edges)) }
    }

    /// Nothing, if all ways but one end the process.
    pub fn between(&self, block: BlockId) -> BitSet<BlockId> {
        let graph = self.cfg.graph();
        let mut seen = BitSet::new(graph.node_count());
        let ways = graph.successors(block);
        if ways.iter().all(|&way| way == ways[0]) {
            return seen;
        }
        let meeting = self.cfg.postdominators().immediate(block);
        let mut work: Vec<BlockId> = ways.to_vec();
        while let Some(block) = work.pop() {
            if Some(block) != meeting && seen.insert(block) {
                work.extend(graph.successors(block));
            }
        }
        seen
    }
}

/// The blocks from which all ways end the process.
pub(crate) fn ending(world: &World, instance: InstanceId) -> BitSet<BlockId> {
    let memory = world.memory();
    let (body, graph) = (memory.body(instance), memory.facts(instance).cfg().graph());
    let mut ending = BitSet::new(body.blocks.len());
    let mut work: Vec<BlockId> = last_blocks(world, instance, body);
    while let Some(block) = work.pop() {
        if ending.insert(block) {
            let all_end =
                |from: &BlockId| graph.successors(*from).iter().all(|&it| ending.contains(it));
            work.extend(graph.predecessors(block).filter(all_end));
        }
    }
    ending
}

/// The blocks that end the process themselves.
fn last_blocks(world: &World, instance: InstanceId, body: &Body) -> Vec<BlockId> {
    let proc = world.memory().input().instances.proc(instance);
    let calls = world.endless.points(world.memory(), proc).iter();
    let calls = calls.filter_map(|&point| match point {
        Point::Inst(_) => world.places().block(instance, point),
        _ => None,
    });
    let ends =
        body.blocks.iter().filter(|it| matches!(it.1.terminator, Terminator::Unreachable(_)));
    calls.chain(ends.map(|it| it.0)).collect()
}
