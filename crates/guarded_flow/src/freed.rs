//! When the object of a site is released: FREED(src) of SABER 4.4, the disjunction of the guards
//! G_k of FastCheck 5.4, and the slice that it is read from.
//!
//! Counted with the releases: to hand the object to a caller that is not part of the program, to
//! return it from an allocator (F8), to give it to a library function that keeps it or that
//! nothing is known of, and to end the process while it is held.

use caulk_base::{BitSet, Id};
use caulk_flow::{Cross, Decisions, End, Guards, Node, NodeId, Reach, Slice, Target, slice_guards};
use caulk_guard::GuardId;

use crate::sites::{Scope, Site};
use crate::world::World;

pub(crate) struct Freed {
    /// B_src, and the source.
    pub slice: Slice,
    /// The sinks among its nodes, each with its guard.
    pub sinks: Vec<(Node, GuardId)>,
    pub freed: GuardId,
}

/// The nodes that may end in a sink; the sources are among them.
pub(crate) fn relevant(world: &World, forward: &Slice) -> BitSet<NodeId> {
    let kept = |node| world.owners.keeps(world.memory(), node);
    let mut keep = forward.backward(|node| matches!(node, Node::End(..)) || kept(node));
    for &source in &forward.sources {
        keep.insert(source);
    }
    keep
}

pub(crate) fn freed(
    world: &World,
    guards: &mut Guards<'_>,
    slice: Slice,
    decisions: &Decisions,
) -> Freed {
    let all = slice_guards(guards, world.flow, &slice, decisions);
    let at = |id: NodeId| all[id.index()];
    let nodes = slice.nodes().iter();
    let is_end = |node: &Node| matches!(node, Node::End(..));
    let sinks: Vec<(Node, GuardId)> =
        nodes.filter(|(_, node)| is_end(node)).map(|(id, &node)| (node, at(id))).collect();
    let mut ways: Vec<GuardId> = sinks.iter().map(|sink| sink.1).collect();
    for (id, &node) in slice.nodes().iter() {
        if world.owners.keeps(world.memory(), node) {
            ways.push(at(id));
        }
        if is_start(&slice, id) {
            ways.push(ended(world, guards, (node, at(id)), decisions));
        }
    }
    let freed = any(guards, ways);
    Freed { slice, sinks, freed }
}

/// One way that is certain settles it, whatever became of the others.
fn any(guards: &mut Guards<'_>, ways: Vec<GuardId>) -> GuardId {
    match ways.contains(&GuardId::TRUE) {
        true => GuardId::TRUE,
        false => guards.formulas.or_all(ways),
    }
}

/// Whether the value comes into the procedure here.
fn is_start(slice: &Slice, id: NodeId) -> bool {
    let crosses = |edge: caulk_flow::SliceEdge| edge.to == id && edge.cross != Cross::None;
    slice.sources.contains(&id) || slice.all_edges().any(crosses)
}

/// When control, having come to the node, leaves for good.
fn ended(
    world: &World,
    guards: &mut Guards<'_>,
    (node, guard): (Node, GuardId),
    decisions: &Decisions,
) -> GuardId {
    if guard == GuardId::FALSE {
        return GuardId::FALSE;
    }
    let proc = world.memory().input().instances.proc(node.instance());
    let from = world.flow.point(node);
    let mut ends = guards.exits(proc, from, decisions);
    let calls = world.endless.points(world.memory(), proc);
    if !calls.is_empty() {
        let there = guards.cguard(proc, from, &Target::AnyOf(calls.to_vec()), decisions);
        ends = guards.formulas.or_all([ends, there]);
    }
    guards.formulas.and(guard, ends)
}

/// How the flow of a site ends, before guards are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    pub released: bool,
    pub to_caller: bool,
    pub kept: bool,
    pub unknown: bool,
    /// In an object that lives on.
    pub owned: bool,
}

impl Ends {
    pub fn of(world: &World, site: &Site, reach: &Reach) -> Self {
        let mut ends = Self { to_caller: site.scope == Scope::Inside, ..Self::default() };
        ends.owned = reach.nodes.iter().any(|&it| world.owners.keeps(world.memory(), it));
        for (_, _, end) in reach.ends() {
            match end {
                End::Released => ends.released = true,
                End::Caller => ends.to_caller = true,
                End::Kept(_) => ends.kept = true,
                End::Unknown(_) => ends.unknown = true,
            }
        }
        ends
    }

    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}
