//! What it takes to go along an edge of the value-flow graph, as a step of Figure 5.
//!
//! The graph has no nodes for actual arguments and returns, which in FastCheck carry the condition
//! of reaching them; so an edge into a callee asks for its call, and an edge to a caller for the
//! returns that hand the value back. A φ gets the value along its own edges only.

use caulk_base::{FxHashMap, Id};
use caulk_guard::{AtomId, GuardId};
use caulk_ir::{BlockId, Body, Inst, Terminator, ValueId, ValueKind};
use caulk_memory::{Use, Version};
use caulk_program::{InstanceId, ProcId};

use crate::NodeId;
use crate::graph::Flow;
use crate::guards::{Guards, Target};
use crate::guards_atoms::Atoms;
use crate::guards_decided::{Decisions, Held, decided_tests};
use crate::node::{Cross, FlowEdge, Node, Point, Rule};
use crate::slice::Slice;
use crate::value_guards::{Step, ValueGraph, vguards};
use crate::webs::Webs;

/// G of every node of a slice, by its number.
pub fn slice_guards(
    guards: &mut Guards<'_>,
    flow: &Flow<'_, '_>,
    slice: &Slice,
    decisions: &Decisions,
) -> Vec<GuardId> {
    let sources: Vec<usize> = slice.sources.iter().map(|source| source.index()).collect();
    let guarded = Guarded { flow, slice, webs: Webs::new(slice) };
    vguards(guards, &guarded, &sources, decisions)
}

struct Guarded<'a, 'm, 'p> {
    flow: &'a Flow<'m, 'p>,
    slice: &'a Slice,
    webs: Webs,
}

impl ValueGraph for Guarded<'_, '_, '_> {
    fn node_count(&self) -> usize {
        self.slice.nodes().len()
    }

    /// The nodes of a web have no edges: those into it lead to where it is left.
    fn edges(&self, node: usize) -> Vec<(usize, Step)> {
        let from = NodeId::from_index(node);
        if self.webs.is_inside(from) {
            return Vec::new();
        }
        let mut edges: Vec<(usize, Step)> = Vec::new();
        for edge in self.slice.edges(from) {
            if self.webs.is_inside(edge.to) {
                continue;
            }
            let to = self.slice.nodes()[edge.to];
            let flow_edge = FlowEdge { to, cross: edge.cross, rule: edge.rule };
            let step = step(self.flow, self.slice.nodes()[from], &flow_edge);
            edges.push((edge.to.index(), step));
        }
        edges.extend(self.webs.through(self.flow, self.slice, from));
        edges
    }
}

/// Which values of a forward slice are taken to hold the cell, beside parameters and the results
/// of calls: the path in question came through them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// Loads. While the cell lies in memory its other names are in use too, and a test of the
    /// loaded pointer then decides for them as well.
    pub loads: bool,
    /// Joins of a variable that has the cell on some of the ways into them. On the other ways the
    /// variable was given another value, so that the cell is not there to be asked about. A join
    /// that control passes before the cell is made is left out: it is tested before it has it.
    pub joins: bool,
}

/// The tests that are decided while the cell of a *forward* slice is followed (F9).
///
/// A procedure may be in the slice as several copies: the one that the cell is made in decides, or
/// all of them alike.
#[must_use]
pub fn slice_decisions(
    flow: &Flow<'_, '_>,
    atoms: &Atoms,
    forward: &Slice,
    roots: Roots,
) -> Decisions {
    let mut holders: FxHashMap<InstanceId, Vec<ValueId>> = FxHashMap::default();
    for node in forward.nodes().rows() {
        if let Node::Value(instance, value) = *node {
            holders.entry(instance).or_default().push(value);
        }
    }
    let starts = start_blocks(flow, forward);
    let own: Vec<InstanceId> =
        forward.sources.iter().map(|&id| forward.nodes()[id].instance()).collect();
    let mut procs: FxHashMap<ProcId, Vec<OfCopy>> = FxHashMap::default();
    for (instance, mut values) in holders {
        values.sort_unstable();
        let proc = flow.memory.input().instances.proc(instance);
        let starts = starts.get(&instance).map_or(&[][..], Vec::as_slice);
        let decided =
            InstanceTests { flow, atoms, instance, values: &values, starts }.decide(roots);
        procs.entry(proc).or_default().push((own.contains(&instance), decided));
    }
    Decisions::new(procs.into_values().flat_map(in_all))
}

/// The tests of one instance, with the values that the cell comes into and the blocks in which it
/// comes in.
struct InstanceTests<'a, 'm, 'p> {
    flow: &'a Flow<'m, 'p>,
    atoms: &'a Atoms,
    instance: InstanceId,
    /// Sorted.
    values: &'a [ValueId],
    starts: &'a [BlockId],
}

impl InstanceTests<'_, '_, '_> {
    fn decide(&self, wanted: Roots) -> Vec<(AtomId, bool)> {
        let body = self.flow.body(self.instance);
        let is_root = |value: &ValueId| match body.values[*value].kind {
            ValueKind::BlockParam(block, _) => {
                wanted.joins && self.is_joined(*value) && !self.is_passed_before(block)
            }
            _ => is_root(body, *value, wanted.loads),
        };
        let mut roots: Vec<ValueId> = self.values.iter().copied().filter(is_root).collect();
        let mut decided = self.tests(&roots);
        for &value in self.values.iter().filter(|_| wanted.joins) {
            let ValueKind::BlockParam(join, _) = body.values[value].kind else { continue };
            if self.is_joined(value) && self.is_passed_before(join) {
                roots.push(value);
                decided.extend(
                    self.tests(&roots)
                        .into_iter()
                        .filter(|&(test, _)| !self.is_reached_around(test, join)),
                );
                roots.pop();
            }
        }
        decided.sort_unstable();
        decided.dedup();
        let proc = self.flow.memory.input().instances.proc(self.instance);
        let atom = |(block, value)| Some((self.atoms.edge(proc, block, 0)?, value));
        decided
            .into_iter()
            .filter_map(atom)
            .map(|((atom, taken), value)| (atom, value == taken))
            .collect()
    }

    fn tests(&self, roots: &[ValueId]) -> Vec<(BlockId, bool)> {
        let may_hold = |value: ValueId| self.values.binary_search(&value).is_ok();
        decided_tests(self.flow.body(self.instance), &Held { roots, may_hold: &may_hold })
    }

    /// Whether a block's parameter is a variable that holds the cell before the join, too.
    fn is_joined(&self, param: ValueId) -> bool {
        let body = self.flow.body(self.instance);
        let ValueKind::BlockParam(block, index) = body.values[param].kind else { return false };
        let Some(var) = body.values[param].var else { return false };
        let edges = body.blocks.rows().iter().flat_map(|row| row.terminator.edges());
        let mut args = edges.filter(|edge| edge.to == block).map(|edge| edge.args[index as usize]);
        // A value without a name is that of an expression, which nobody else has.
        let is_same = |arg: ValueId| body.values[arg].var.is_none_or(|it| it == var);
        args.any(|arg| self.values.binary_search(&arg).is_ok() && is_same(arg))
    }

    /// Whether control may pass the join before the cell is there.
    fn is_passed_before(&self, join: BlockId) -> bool {
        let dominators = self.flow.memory.facts(self.instance).cfg().dominators();
        self.starts.iter().any(|&start| dominators.dominates(join, start))
    }

    /// Whether control may come from where the cell is made to the test without the join.
    fn is_reached_around(&self, test: BlockId, join: BlockId) -> bool {
        let graph = self.flow.memory.facts(self.instance).cfg().graph();
        let mut seen = self.starts.to_vec();
        let mut next = 0;
        while let Some(&block) = seen.get(next) {
            next += 1;
            if block == test {
                return true;
            }
            for &after in graph.successors(block) {
                if after != join && !seen.contains(&after) {
                    seen.push(after);
                }
            }
        }
        false
    }
}

/// The blocks in which the cell comes into each instance.
fn start_blocks(flow: &Flow<'_, '_>, forward: &Slice) -> FxHashMap<InstanceId, Vec<BlockId>> {
    let crossed = forward.all_edges().filter(|edge| edge.cross != Cross::None).map(|edge| edge.to);
    let mut starts: FxHashMap<InstanceId, Vec<BlockId>> = FxHashMap::default();
    for id in forward.sources.iter().copied().chain(crossed) {
        let node = forward.nodes()[id];
        let block = match flow.point(node) {
            Point::Entry => BlockId::ENTRY,
            Point::Start(block) | Point::Terminator(block) => block,
            Point::Inst(inst) => flow.memory.facts(node.instance()).block_of(inst),
        };
        starts.entry(node.instance()).or_default().push(block);
    }
    starts
}

/// Whether the cell is made in the copy, and the tests that are decided in it.
type OfCopy = (bool, Vec<(AtomId, bool)>);

/// What the copy says in which the cell is made, or what all copies say.
fn in_all(mut lists: Vec<OfCopy>) -> Vec<(AtomId, bool)> {
    if lists.iter().any(|list| list.0) {
        lists.retain(|list| list.0);
    }
    let mut first = lists.pop().map(|list| list.1).unwrap_or_default();
    first.retain(|entry| lists.iter().all(|list| list.1.contains(entry)));
    first
}

fn is_root(body: &Body, value: ValueId, loads: bool) -> bool {
    match body.values[value].kind {
        ValueKind::Param(_) => true,
        ValueKind::Inst(inst) => match body.insts[inst] {
            Inst::Call(_) => true,
            Inst::Load { .. } => loads,
            _ => false,
        },
        _ => false,
    }
}

/// The condition of an edge that leaves `from`.
#[must_use]
pub fn step(flow: &Flow<'_, '_>, from: Node, edge: &FlowEdge) -> Step {
    let to = match edge.cross {
        // A pseudo parameter is at its call already.
        Cross::Call(_) if matches!(from, Node::Passed(..)) => return Step::Always,
        Cross::Call(site) => Target::Point(Point::Inst(site.inst)),
        Cross::Return(_) => match returns(flow, from) {
            Some(points) => Target::AnyOf(points),
            None => return Step::Always,
        },
        Cross::None if edge.rule == Rule::Phi => Target::Along(phi_edges(flow, from, edge.to)),
        Cross::None => Target::Point(flow.point(edge.to)),
    };
    let proc = flow.memory.input().instances.proc(from.instance());
    Step::Reach { proc, from: flow.point(from), to }
}

/// Where a function returns with the value, or with the version of memory.
fn returns(flow: &Flow<'_, '_>, from: Node) -> Option<Vec<Point>> {
    match from {
        Node::Value(instance, value) => {
            let blocks = flow.body(instance).blocks.iter();
            let returning = blocks.filter(|(_, block)| match block.terminator {
                Terminator::Return(returned) => returned == Some(value),
                _ => false,
            });
            let points: Vec<Point> = returning.map(|(block, _)| Point::Terminator(block)).collect();
            (!points.is_empty()).then_some(points)
        }
        Node::Memory(instance, region, view, version) => {
            let chain = flow.memory.chain(instance, region, view);
            let returns = chain.uses(version).iter().filter_map(|used| match used {
                Use::Return(block) => Some(Point::Terminator(*block)),
                _ => None,
            });
            let points: Vec<Point> = returns.collect();
            (!points.is_empty()).then_some(points)
        }
        Node::Passed(..) | Node::End(..) => None,
    }
}

pub(crate) fn phi_edges(flow: &Flow<'_, '_>, from: Node, to: Node) -> Vec<(BlockId, u32)> {
    match (from, to) {
        (Node::Value(instance, value), Node::Value(_, param)) => {
            passing_edges(flow.body(instance), value, param)
        }
        (Node::Memory(instance, region, view, version), Node::Memory(.., joined)) => {
            let chain = flow.memory.chain(instance, region, view);
            match &chain.versions()[joined] {
                Version::Joined { operands, .. } => {
                    let passes = operands.iter().filter(|operand| operand.1 == version);
                    passes.map(|operand| edge_place(flow, instance, operand.0)).collect()
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn edge_place(
    flow: &Flow<'_, '_>,
    instance: InstanceId,
    edge: caulk_ssa::EdgeId,
) -> (BlockId, u32) {
    let graph = flow.memory.facts(instance).cfg().graph();
    (graph.source(edge), graph.slot(edge) as u32)
}

/// The edges that pass a value to a block's parameter.
#[must_use]
pub fn passing_edges(body: &Body, value: ValueId, param: ValueId) -> Vec<(BlockId, u32)> {
    let ValueKind::BlockParam(target, index) = body.values[param].kind else { return Vec::new() };
    let mut found = Vec::new();
    for (block, row) in body.blocks.iter() {
        for (slot, edge) in row.terminator.edges().enumerate() {
            if edge.to == target && edge.args.get(index as usize) == Some(&value) {
                found.push((block, slot as u32));
            }
        }
    }
    found
}
