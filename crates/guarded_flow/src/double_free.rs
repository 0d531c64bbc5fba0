//! F_DF of FastCheck 5.4: two different releases of one object on one path (F7).
//!
//! Not asked about: a release that may leave the object alone. `realloc` releases its argument when
//! it succeeds, and releasing it afterwards is what the failing branch is for.

use caulk_flow::{Cross, End, Node, Point, Slice};
use caulk_guard::{Answer, Assignment, GuardId};
use caulk_ir::InstId;
use caulk_models::{Effect, When};
use caulk_pointer::Target;
use caulk_program::InstanceId;

use crate::freed::Freed;
use crate::judge::Judge;
use crate::sites::Site;
use crate::world::World;

/// A release: the call in the instance.
pub(crate) type Sink = (InstanceId, InstId);

pub(crate) struct Double {
    pub first: Sink,
    /// Equal to the first for a release in a loop.
    pub second: Sink,
    pub assignment: Assignment,
    /// One of them is in a function that a library calls back, and perhaps does not.
    pub is_called_back: bool,
}

/// Pairs of one site that are asked about; more are a sign of a value that is everywhere.
const PAIRS: usize = 100;

pub(crate) fn double_frees(judge: &mut Judge, site: &Site, freed: &Freed) -> Vec<Double> {
    if !judge.world.configuration.double_frees {
        return Vec::new();
    }
    let sinks: Vec<(Sink, GuardId)> = freed
        .sinks
        .iter()
        .filter_map(|&(node, guard)| Some((release(judge.world, node)?, guard)))
        .collect();
    let mut found = Vec::new();
    let mut pairs = 0;
    for (at, &(first, one)) in sinks.iter().enumerate() {
        for &(second, other) in &sinks[at + 1..] {
            if are_alternatives(&freed.slice, first, second) {
                continue;
            }
            pairs += 1;
            if pairs > PAIRS {
                return found;
            }
            judge.pairs += 1;
            let both = judge.guards.formulas.and(one, other);
            if let Answer::Sat(assignment) = judge.solver.satisfiable(&judge.guards.formulas, both)
            {
                let back = |sink| is_called_back(judge.world, &freed.slice, sink);
                let is_called_back = back(first) || back(second);
                found.push(Double { first, second, assignment, is_called_back });
            }
        }
    }
    found.extend(in_loops(judge, site, &sinks));
    found
}

/// Whether one call enters one or the other: a function pointer, or a name that has several
/// definitions.
fn are_alternatives(slice: &Slice, first: Sink, second: Sink) -> bool {
    let enters = |sink: Sink| {
        slice.all_edges().filter_map(move |edge| match edge.cross {
            Cross::Call(at) if slice.nodes()[edge.to].instance() == sink.0 => Some(at),
            _ => None,
        })
    };
    first.0 != second.0 && enters(first).any(|at| enters(second).any(|other| other == at))
}

/// Whether a library's function is called where the object comes to the release's function.
fn is_called_back(world: &World, slice: &Slice, sink: Sink) -> bool {
    let points_to = world.memory().input().points_to;
    slice.all_edges().any(|edge| match edge.cross {
        Cross::Call(at) if slice.nodes()[edge.to].instance() == sink.0 => {
            !points_to.callees(at.caller, at.call).contains(&Target::Instance(sink.0))
        }
        _ => false,
    })
}

/// A release in a loop that does not allocate: the next turn releases again.
fn in_loops(judge: &mut Judge, site: &Site, sinks: &[(Sink, GuardId)]) -> Vec<Double> {
    let world = judge.world;
    if !world.configuration.double_frees_in_loops {
        return Vec::new();
    }
    let facts = world.memory().facts(site.instance);
    let loops = facts.cfg().loops();
    let mut found = Vec::new();
    for &((instance, inst), guard) in sinks {
        let again = instance == site.instance
            && loops.around(facts.block_of(inst)).any(|id| {
                !loops.contains(id, facts.block_of(site.inst))
                    && comes_again(world, instance, inst, id)
            });
        if again
            && let Answer::Sat(assignment) = judge.solver.satisfiable(&judge.guards.formulas, guard)
        {
            let (first, is_called_back) = ((instance, inst), false);
            found.push(Double { first, second: first, assignment, is_called_back });
        }
    }
    found
}

/// Whether control may go from the release round the loop to it.
fn comes_again(world: &World, instance: InstanceId, inst: InstId, id: caulk_ssa::LoopId) -> bool {
    let facts = world.memory().facts(instance);
    let (graph, loops) = (facts.cfg().graph(), facts.cfg().loops());
    let start = facts.block_of(inst);
    let mut seen = vec![start];
    let mut next = 0;
    while let Some(&block) = seen.get(next) {
        next += 1;
        for to in graph.successors(block).iter().copied().filter(|&to| loops.contains(id, to)) {
            if to == start {
                return true;
            }
            if !seen.contains(&to) {
                seen.push(to);
            }
        }
    }
    false
}

/// The call of a sink that surely releases.
fn release(world: &World, node: Node) -> Option<Sink> {
    let Node::End(instance, Point::Inst(inst), End::Released) = node else { return None };
    let caulk_ir::Inst::Call(call) = world.memory().body(instance).insts[inst] else { return None };
    let input = world.memory().input();
    let targets = input.points_to.callees(instance, call);
    let surely = |target: &Target| match *target {
        Target::External(external) => input.externals.of(external).is_some_and(|model| {
            model.effects.iter().any(|it| matches!(it, Effect::Frees { when: When::Always, .. }))
        }),
        _ => false,
    };
    targets.iter().all(surely).then_some((instance, inst))
}
