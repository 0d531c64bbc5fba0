//! What was decided on every way to the allocation (switch `correlated`).
//!
//! The branches that lead to it, and that are not met again after it, went the way they went: a
//! later branch that asks the same goes that way, too, and a variable that was found equal to a
//! constant is not equal to another. A branch that a loop meets again goes the same way if it asks
//! about what no loop changes.

use caulk_base::BitSet;
use caulk_guard::AtomId;
use caulk_ir::{BlockId, Body, CompareOp, Constant, Inst, Terminator, ValueId, ValueKind};
use caulk_ssa::FunctionFacts;

use crate::sites::Site;
use crate::texts::{compared, other_texts};
use crate::world::World;

#[derive(Default)]
pub(crate) struct Before {
    pub atoms: Vec<(AtomId, bool)>,
    /// Values that are known to be a number.
    pub equal: Vec<(ValueId, i64)>,
}

pub(crate) fn before(world: &World, site: &Site) -> Before {
    let mut before = Before::default();
    if !world.configuration.correlated {
        return before;
    }
    let facts = world.memory().facts(site.instance);
    let (graph, dominators) = (facts.cfg().graph(), facts.cfg().dominators());
    let proc = world.memory().input().instances.proc(site.instance);
    let at = facts.block_of(site.inst);
    let after = reached(facts.body(), at);
    let mut texts = Vec::new();
    for (block, row) in facts.body().blocks.iter() {
        let Terminator::Branch { cond, .. } = row.terminator else { continue };
        if after.contains(block) && !is_fixed(facts, block, cond) {
            continue;
        }
        for (slot, edge) in row.terminator.edges().enumerate() {
            let only = graph.in_edges(edge.to).len() == 1;
            if only && dominators.dominates(edge.to, at) {
                before.atoms.extend(world.atoms.edge(proc, block, slot));
                before.equal.extend(equal(facts.body(), cond, slot == 0));
                let equal = compared(world, site.instance, cond).filter(|it| it.1 == (slot == 0));
                texts.extend(equal.map(|it| it.0));
            }
        }
    }
    before.atoms.extend(other_texts(world, site.instance, &texts));
    before
}

/// Whether a condition compares what no loop around it changes.
fn is_fixed(facts: &FunctionFacts, block: BlockId, cond: ValueId) -> bool {
    let (body, loops) = (facts.body(), facts.cfg().loops());
    let Some(inst) = body.definition(cond) else { return false };
    let Inst::Compare { lhs, rhs, .. } = body.insts[inst] else { return false };
    let is_outside = |made: BlockId| loops.around(block).all(|id| !loops.contains(id, made));
    let is_given = |value: ValueId| match body.values[value].kind {
        ValueKind::Param(_) | ValueKind::Const(_) => true,
        ValueKind::Inst(inst) => is_outside(facts.block_of(inst)),
        ValueKind::BlockParam(block, _) => is_outside(block),
    };
    is_given(lhs) && is_given(rhs)
}

/// The blocks that control may come to after a block.
fn reached(body: &Body, from: BlockId) -> BitSet<BlockId> {
    let mut seen = BitSet::new(body.blocks.len());
    let mut work: Vec<BlockId> = body.blocks[from].terminator.edges().map(|it| it.to).collect();
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            work.extend(body.blocks[block].terminator.edges().map(|it| it.to));
        }
    }
    seen
}

/// The value that a comparison found equal to a number.
pub(crate) fn equal(body: &Body, cond: ValueId, holds: bool) -> Option<(ValueId, i64)> {
    let Inst::Compare { op, lhs, rhs } = body.insts[body.definition(cond)?] else { return None };
    let Some(Constant::Int(number)) = body.constant(rhs) else { return None };
    matches!((op, holds), (CompareOp::Eq, true) | (CompareOp::Ne, false)).then_some((lhs, number))
}
