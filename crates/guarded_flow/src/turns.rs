//! Leaks that need another turn of a loop (switch `turns`).
//!
//! All turns of a loop share the atoms of its branches (F6), and a path goes round once. So a path
//! that allocates in one turn and goes on in the next may take branches that no run takes in both,
//! and one that only goes round seems never to come to the release after the loop. Such a leak
//! is believed if no turn lets the object through to the next; otherwise it is of low confidence.

use caulk_base::BitSet;
use caulk_flow::{Decisions, Node, NodeId, Point, Slice};
use caulk_guard::{Answer, AtomId};
use caulk_ir::{BlockId, Terminator};

use crate::freed::{freed, relevant};
use crate::judge::{Judge, Judgement, Leak};
use crate::world::World;

/// Whether the leak is there only if the loop around the allocation goes on, which need not lose the
/// object.
pub(crate) fn needs_another_turn(judge: &mut Judge, judgement: &Judgement, leak: &Leak) -> bool {
    let world = judge.world;
    let leaves = leaving(world, judgement);
    if leaves.is_empty() || !survives_a_turn(world, judgement, &leak.forward) {
        return false;
    }
    let others = leak.decisions.iter().filter(|it| leaves.iter().all(|left| left.0 != it.0));
    let decisions = Decisions::new(others.chain(leaves.iter().copied()));
    let slice = leak.forward.restricted(&relevant(world, &leak.forward));
    let freed = freed(world, &mut judge.guards, slice, &decisions).freed;
    let lost = judge.guards.formulas.not(freed);
    matches!(judge.solver.satisfiable(&judge.guards.formulas, lost), Answer::Unsat)
}

/// That the loops around the allocation end: the tests for it that each turn passes before it.
fn leaving(world: &World, judgement: &Judgement) -> Vec<(AtomId, bool)> {
    let site = &judgement.site;
    let facts = world.memory().facts(site.instance);
    let (loops, dominators) = (facts.cfg().loops(), facts.cfg().dominators());
    let at = facts.block_of(site.inst);
    let proc = world.memory().input().instances.proc(site.instance);
    let mut leaves = Vec::new();
    for id in loops.around(at) {
        let before = loops.body(id).iter().copied().filter(|&it| dominators.dominates(it, at));
        for block in before {
            let Terminator::Branch { then, otherwise, .. } = &facts.body().blocks[block].terminator
            else {
                continue;
            };
            let stays = |to: BlockId| loops.contains(id, to);
            if stays(then.to) != stays(otherwise.to) {
                leaves.extend(world.outcome(proc, block, !stays(then.to)));
            }
        }
    }
    leaves
}

/// Whether something has the object from one turn of a loop to the next: a variable or memory that is
/// joined where the loop begins gets it from itself.
fn survives_a_turn(world: &World, judgement: &Judgement, forward: &Slice) -> bool {
    let site = &judgement.site;
    let facts = world.memory().facts(site.instance);
    let loops = facts.cfg().loops();
    let headers = loops.around(facts.block_of(site.inst)).map(|id| loops.header(id));
    let starts: Vec<Point> = headers.map(Point::Start).collect();
    let is_start =
        |node: Node| node.instance() == site.instance && starts.contains(&world.flow.point(node));
    let joins = forward.nodes().iter().filter(|(_, node)| is_start(**node));
    joins.into_iter().any(|(id, _)| comes_back(forward, id))
}

fn comes_back(forward: &Slice, start: NodeId) -> bool {
    let mut seen = BitSet::new(forward.nodes().len());
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        for edge in forward.edges(node) {
            if edge.to == start {
                return true;
            }
            if seen.insert(edge.to) {
                work.push(edge.to);
            }
        }
    }
    false
}
