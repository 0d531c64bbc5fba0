//! The stations of a finding: how the value moves on, and which way branches go.

use caulk_base::{FxHashSet, Id};
use caulk_finding::{Role, Step};
use caulk_flow::{Cross, Node, NodeId, Point, Rule, Slice, SliceEdge, condition};
use caulk_guard::{Assignment, AtomId, Decision};
use caulk_program::InstanceId;

use crate::paths::Taken;
use crate::world::World;

/// Stations of value flow that one finding tells.
const FLOWS: usize = 8;

/// The moves from the sources into an instance, by the shortest way.
pub(crate) fn flow_steps(world: &World, forward: &Slice, into: InstanceId) -> Vec<Step> {
    let steps = way(forward, into).into_iter().filter_map(|edge| flow_step(world, forward, edge));
    steps.take(FLOWS).collect()
}

/// Breadth first; empty if the sources are there already.
fn way(forward: &Slice, into: InstanceId) -> Vec<SliceEdge> {
    let is_there = |id: NodeId| forward.nodes()[id].instance() == into;
    let mut came: Vec<Option<SliceEdge>> = vec![None; forward.nodes().len()];
    let mut work: Vec<NodeId> = forward.sources.clone();
    let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
    let mut next = 0;
    while let Some(&at) = work.get(next) {
        next += 1;
        if is_there(at) {
            return back_from(&came, at);
        }
        for &edge in forward.edges(at) {
            if seen.insert(edge.to) {
                came[edge.to.index()] = Some(edge);
                work.push(edge.to);
            }
        }
    }
    Vec::new()
}

fn back_from(came: &[Option<SliceEdge>], mut at: NodeId) -> Vec<SliceEdge> {
    let mut edges = Vec::new();
    while let Some(edge) = came[at.index()] {
        edges.push(edge);
        at = edge.from;
    }
    edges.reverse();
    edges
}

/// Copies and joins are not worth a station.
fn flow_step(world: &World, forward: &Slice, edge: SliceEdge) -> Option<Step> {
    let places = world.places();
    let (from, to) = (forward.nodes()[edge.from], forward.nodes()[edge.to]);
    let (instance, point, message) = match edge.cross {
        Cross::Call(at) => {
            let message = format!("passed to `{}`", places.function(to.instance()));
            (at.caller, Point::Inst(at.inst), message)
        }
        Cross::Return(at) => {
            let (how, callee) = (returned_how(from), places.function(from.instance()));
            (at.caller, Point::Inst(at.inst), format!("{how} `{callee}`"))
        }
        Cross::None if edge.rule == Rule::Chi && matches!(from, Node::Value(..)) => {
            (to.instance(), world.flow.point(to), "stored in memory".to_string())
        }
        Cross::None => return None,
    };
    let location = places.location(instance, point);
    Some(Step { role: Role::Flow, location, message })
}

fn returned_how(from: Node) -> &'static str {
    match from {
        Node::Value(..) => "returned by",
        _ => "left in memory by",
    }
}

/// The branches that the assignment decides, in the order of the program.
pub(crate) fn decision_steps(world: &World, assignment: &Assignment) -> Vec<Step> {
    assignment.decisions().iter().map(|decision| decision_step(world, decision)).collect()
}

fn decision_step(world: &World, decision: &Decision) -> Step {
    let (atom, texts) = match decision {
        Decision::Branch { atom, taken } => (*atom, vec![text(world, *atom, *taken)]),
        Decision::Switch { edges, .. } => {
            (edges[0], edges.iter().map(|&edge| text(world, edge, true)).collect())
        }
    };
    let branch = world.atoms.branch(atom);
    let instance = world.memory().input().instances.base(branch.proc);
    let location = world.places().location(instance, Point::Terminator(branch.block));
    let texts: Vec<String> = texts.into_iter().take(3).map(|it| format!("`{it}`")).collect();
    let message = format!("taking the branch where {}", texts.join(" or "));
    Step { role: Role::Decision, location, message }
}

/// The branches of a path, in its order.
pub(crate) fn branch_steps(world: &World, branches: &[Taken]) -> Vec<Step> {
    branches.iter().filter_map(|taken| branch_step(world, taken)).collect()
}

fn branch_step(world: &World, taken: &Taken) -> Option<Step> {
    let condition = branch_text(world, taken)?;
    let location = world.places().location(taken.instance, Point::Terminator(taken.block));
    let message = format!("taking the branch where `{condition}`");
    Some(Step { role: Role::Decision, location, message })
}

fn branch_text(world: &World, taken: &Taken) -> Option<String> {
    let proc = world.memory().input().instances.proc(taken.instance);
    let (atom, holds) = world.atoms.edge(proc, taken.block, taken.slot)?;
    Some(text(world, atom, holds))
}

/// The condition of a path with one branch that nothing decided, for the message.
pub(crate) fn first_branch(world: &World, branches: &[Taken]) -> Option<String> {
    let mut open = branches.iter().filter(|it| !it.is_known);
    match (open.next(), open.next()) {
        (Some(taken), None) => branch_text(world, taken),
        _ => None,
    }
}

fn text(world: &World, atom: AtomId, holds: bool) -> String {
    condition(world.memory().input().program, world.atoms, atom, holds).text
}

/// The first condition of an assignment, for the message.
pub(crate) fn first_condition(world: &World, assignment: &Assignment) -> Option<String> {
    match assignment.decisions() {
        [Decision::Branch { atom, taken }] => Some(text(world, *atom, *taken)),
        [Decision::Switch { edges, .. }] if edges.len() == 1 => Some(text(world, edges[0], true)),
        _ => None,
    }
}
