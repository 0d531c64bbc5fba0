//! Tests of the object's own contents in a function that releases it (switch `may_free`):
//! `if (buf->refcount > 0) return; free (buf);`. What the count is was decided by whoever took
//! references; a caller that gives up its own has done its part. Such a test is taken to go the
//! way that leads to the release, if only one way does.

use caulk_base::BitSet;
use caulk_flow::{Cross, End, Node, NodeId, Point, Slice};
use caulk_guard::AtomId;
use caulk_ir::{BlockId, Body, Inst, Terminator, ValueId};
use caulk_program::InstanceId;
use caulk_ssa::Graph;

use crate::world::World;

pub(crate) fn own_state_decisions(world: &World, forward: &Slice) -> Vec<(AtomId, bool)> {
    let mut entered: Vec<(InstanceId, ValueId)> = forward
        .all_edges()
        .filter(|edge| matches!(edge.cross, Cross::Call(_)))
        .filter_map(|edge| match forward.nodes()[edge.to] {
            Node::Value(instance, value) => Some((instance, value)),
            _ => None,
        })
        .collect();
    entered.sort_unstable();
    entered.dedup();
    let releasing = forward.backward(|node| matches!(node, Node::End(_, _, End::Released)));
    let decided = |&(instance, object): &_| tests(world, (forward, &releasing), instance, object);
    entered.iter().flat_map(decided).collect()
}

fn tests(
    world: &World,
    forward: (&Slice, &BitSet<NodeId>),
    instance: InstanceId,
    object: ValueId,
) -> Vec<(AtomId, bool)> {
    let facts = world.memory().facts(instance);
    let body = facts.body();
    let proc = world.memory().input().instances.proc(instance);
    let releases = leads_on(world, forward, instance);
    if releases.is_empty() {
        return Vec::new();
    }
    let reaching = backwards(facts.cfg().graph(), &releases);
    let decided = |(block, row): (BlockId, &caulk_ir::Block)| {
        let Terminator::Branch { cond, ref then, ref otherwise } = row.terminator else {
            return None;
        };
        let (yes, no) = (reaching.contains(then.to), reaching.contains(otherwise.to));
        let is_own = yes != no && reads(body, cond, object, DEPTH);
        world.outcome(proc, block, yes).filter(|_| is_own)
    };
    body.blocks.iter().filter_map(decided).collect()
}

/// The blocks in which the object is released, or handed to where it is.
fn leads_on(
    world: &World,
    (forward, releasing): (&Slice, &BitSet<NodeId>),
    instance: InstanceId,
) -> Vec<BlockId> {
    let facts = world.memory().facts(instance);
    let ends = forward.nodes().rows().iter().filter_map(|node| match *node {
        Node::End(at, Point::Inst(inst), End::Released) if at == instance => Some(inst),
        _ => None,
    });
    let calls = forward.all_edges().filter_map(|edge| match edge.cross {
        Cross::Call(at) if at.caller == instance && releasing.contains(edge.to) => Some(at.inst),
        _ => None,
    });
    ends.chain(calls).map(|inst| facts.block_of(inst)).collect()
}

fn backwards(graph: &Graph<BlockId>, to: &[BlockId]) -> BitSet<BlockId> {
    let mut found = BitSet::new(graph.node_count());
    let mut work = to.to_vec();
    while let Some(block) = work.pop() {
        if found.insert(block) {
            work.extend(graph.predecessors(block));
        }
    }
    found
}

/// How far a condition is followed.
const DEPTH: u32 = 6;

/// Whether a value comes from a load out of the object, or from a function that looks at it.
fn reads(body: &Body, value: ValueId, object: ValueId, depth: u32) -> bool {
    let (Some(inst), Some(depth)) = (body.definition(value), depth.checked_sub(1)) else {
        return false;
    };
    match body.insts[inst] {
        Inst::Load { from, .. } | Inst::LoadBits { from, .. } => is_inside(body, from, object),
        Inst::Compare { lhs, rhs, .. } | Inst::Binary { lhs, rhs, .. } => {
            reads(body, lhs, object, depth) || reads(body, rhs, object, depth)
        }
        Inst::Convert { value, .. } | Inst::Unary { value, .. } => {
            reads(body, value, object, depth)
        }
        Inst::Call(call) => body.calls[call].args.iter().any(|arg| arg.value == object),
        _ => false,
    }
}

/// Whether an address lies in the object.
fn is_inside(body: &Body, mut address: ValueId, object: ValueId) -> bool {
    while address != object {
        let Some(inst) = body.definition(address) else { return false };
        match body.insts[inst] {
            Inst::Field { base, .. } | Inst::Index { base, .. } => address = base,
            Inst::Convert { value, .. } => address = value,
            _ => return false,
        }
    }
    true
}
