//! The use-flow graph of one object in one instance (K2): where its state can change, in the order
//! of control flow.
//!
//! A vertex is the object at a point where
//! - it is made, released or reallocated, or kept by a library function;
//! - a value or memory that may hold it is passed to a call, or a callee makes it;
//! - the function is entered, if it comes in by a parameter or by memory;
//! - a reference to it dies or leaves the activation (its end of scope, from `holders`);
//! - the function returns;
//! - paths from such points meet: their iterated dominance frontier.
//!
//! An edge leads from a vertex to the next one on some path with no vertex between. As every
//! meeting of two vertices is a vertex, a block without one at its start is reached by exactly one:
//! the last of the nearest dominating block that has any. The construction is therefore that of
//! SSA, linear in vertices and joins, and follows no paths. A call's vertex names the instances
//! whose own graphs it enters and comes back from.

use std::collections::BTreeMap;

use caulk_base::{Table, define_id};
use caulk_ir::{BlockId, Inst, InstId, Terminator};
use caulk_memory::VersionId;
use caulk_models::Effect;
use caulk_pointer::Target;
use caulk_program::{ExternalId, InstanceId};
use caulk_ssa::{FunctionFacts, Lists};

use crate::graph::Flow;
use crate::holders::{DeathKind, Holder, Holders};
use crate::holders_tracked::Tracked;
use crate::node::{End, Node, Point};

define_id!(pub UseId, "u", "A vertex of a use-flow graph.");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// It comes into the function.
    Entry,
    Allocated,
    /// A callee may make it.
    MadeByCallee,
    Released,
    /// Released if the call succeeds.
    Reallocated,
    /// Handed to a procedure.
    Passed,
    Kept(Option<ExternalId>),
    /// A reference dies, or leaves the activation.
    Dies(DeathKind, Holder),
    Join,
    Return,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseVertex {
    pub point: Point,
    /// Sorted.
    pub uses: Vec<Use>,
    /// The instances that the call enters with it, or that make it.
    pub callees: Vec<InstanceId>,
}

#[derive(Clone, Debug)]
pub struct UseFlow {
    pub instance: InstanceId,
    /// In the order of blocks and instructions.
    pub vertices: Table<UseId, UseVertex>,
    edges: Lists<UseId, UseId>,
}

impl UseFlow {
    #[must_use]
    pub fn new(flow: &Flow, tracked: &Tracked, instance: InstanceId) -> Self {
        let mut points = Points { flow, tracked, instance, rows: BTreeMap::new() };
        points.collect();
        points.add_joins();
        let vertices: Table<UseId, UseVertex> = points.rows.into_values().collect();
        let facts = flow.memory.facts(instance);
        let edges = edges(facts, &vertices);
        Self { instance, edges: Lists::from_pairs(vertices.len(), &edges), vertices }
    }

    #[must_use]
    pub fn successors(&self, vertex: UseId) -> &[UseId] {
        &self.edges[vertex]
    }
}

/// A point as a block and a place in it.
type Position = (BlockId, u8, InstId);

struct Points<'a, 'm, 'p> {
    flow: &'a Flow<'m, 'p>,
    tracked: &'a Tracked,
    instance: InstanceId,
    rows: BTreeMap<Position, UseVertex>,
}

impl Points<'_, '_, '_> {
    fn collect(&mut self) {
        let (flow, tracked, instance) = (self.flow, self.tracked, self.instance);
        if comes_in(flow, tracked, instance) {
            self.add(Point::Entry, Use::Entry);
        }
        if tracked.maker.0 == instance {
            self.add(Point::Inst(tracked.maker.1), Use::Allocated);
        }
        for node in tracked.nodes_of(instance) {
            if let Node::End(_, point, end) = node {
                self.end(point, end);
            }
        }
        for &(inst, call) in &flow.memory.accesses(instance).calls {
            self.call(inst, call);
        }
        for death in Holders::new(flow, tracked, instance).deaths() {
            self.add(death.point, Use::Dies(death.kind, death.holder));
        }
        for (block, row) in flow.body(instance).blocks.iter() {
            if matches!(row.terminator, Terminator::Return(_)) {
                self.add(Point::Terminator(block), Use::Return);
            }
        }
        let cfg = flow.memory.facts(instance).cfg();
        self.rows.retain(|(block, ..), _| cfg.is_reachable(*block));
    }

    fn end(&mut self, point: Point, end: End) {
        let used = match end {
            End::Released if self.is_realloc(point) => Use::Reallocated,
            End::Released => Use::Released,
            End::Kept(external) => Use::Kept(Some(external)),
            End::Unknown(external) => Use::Kept(external),
            End::Caller => return,
        };
        self.add(point, used);
    }

    fn is_realloc(&self, point: Point) -> bool {
        let Point::Inst(inst) = point else { return false };
        let Inst::Call(call) = self.flow.body(self.instance).insts[inst] else { return false };
        let input = self.flow.memory.input();
        let reallocates = |target: &Target| match *target {
            Target::External(external) => input.externals.of(external).is_some_and(|model| {
                model.effects.iter().any(|it| matches!(it, Effect::Reallocates { .. }))
            }),
            _ => false,
        };
        input.points_to.callees(self.instance, call).iter().any(reallocates)
    }

    /// Where procedures get it from, or make it.
    fn call(&mut self, inst: InstId, call: caulk_ir::CallId) {
        let (flow, tracked, instance) = (self.flow, self.tracked, self.instance);
        let args = &flow.body(instance).calls[call].args;
        let by_value = args.iter().any(|arg| tracked.holds(Node::Value(instance, arg.value)));
        let by_memory =
            tracked.regions.iter().any(|&it| tracked.holds(Node::Passed(instance, inst, it)));
        let callees: Vec<InstanceId> = flow.memory.callees(instance, call).collect();
        let makes = callees.iter().any(|&callee| tracked.is_made_in(callee));
        let passes =
            by_value || by_memory || callees.iter().any(|&it| tracked.overwrites(flow, it));
        if callees.is_empty() || !(passes || makes) {
            return;
        }
        if passes {
            self.add(Point::Inst(inst), Use::Passed);
        }
        if makes {
            self.add(Point::Inst(inst), Use::MadeByCallee);
        }
        self.vertex(Point::Inst(inst)).callees = callees;
    }

    fn add(&mut self, point: Point, used: Use) {
        let uses = &mut self.vertex(point).uses;
        if let Err(at) = uses.binary_search(&used) {
            uses.insert(at, used);
        }
    }

    fn vertex(&mut self, point: Point) -> &mut UseVertex {
        let position = self.position(point);
        let fresh = || UseVertex { point, uses: Vec::new(), callees: Vec::new() };
        self.rows.entry(position).or_insert_with(fresh)
    }

    fn position(&self, point: Point) -> Position {
        match point {
            Point::Entry => (BlockId::ENTRY, 0, InstId(0)),
            Point::Start(block) => (block, 1, InstId(0)),
            Point::Inst(inst) => (self.flow.memory.facts(self.instance).block_of(inst), 2, inst),
            Point::Terminator(block) => (block, 3, InstId(0)),
        }
    }

    fn add_joins(&mut self) {
        let mut blocks: Vec<BlockId> = self.rows.keys().map(|&(block, ..)| block).collect();
        blocks.dedup();
        let cfg = self.flow.memory.facts(self.instance).cfg();
        for block in cfg.iterated_frontier(&blocks) {
            self.add(Point::Start(block), Use::Join);
        }
    }
}

fn comes_in(flow: &Flow, tracked: &Tracked, instance: InstanceId) -> bool {
    let by_parameter =
        flow.body(instance).params.iter().any(|&it| tracked.holds(Node::Value(instance, it)));
    let by_memory = |node: Node| matches!(node, Node::Memory(_, _, _, VersionId::ENTRY));
    by_parameter || tracked.nodes_of(instance).any(by_memory) || tracked.overwrites(flow, instance)
}

/// The first and the last vertex of each block that has any.
fn spans(facts: &FunctionFacts, vertices: &Table<UseId, UseVertex>) -> Table<BlockId, Span> {
    let mut spans = Table::filled(None, facts.body().blocks.len());
    for (id, vertex) in vertices.iter() {
        let block = match vertex.point {
            Point::Entry => BlockId::ENTRY,
            Point::Start(block) | Point::Terminator(block) => block,
            Point::Inst(inst) => facts.block_of(inst),
        };
        let span: &mut Span = &mut spans[block];
        *span = Some(span.map_or((id, id), |(first, _)| (first, id)));
    }
    spans
}

type Span = Option<(UseId, UseId)>;

fn edges(facts: &FunctionFacts, vertices: &Table<UseId, UseVertex>) -> Vec<(UseId, UseId)> {
    let spans = spans(facts, vertices);
    let dominators = facts.cfg().dominators();
    let above = |block: BlockId| {
        std::iter::successors(dominators.immediate(block), |&up| dominators.immediate(up))
            .find_map(|up| spans[up].map(|(_, last)| last))
    };
    let mut edges = Vec::new();
    for (block, span) in spans.iter() {
        let &Some((first, last)) = span else { continue };
        edges.extend((first.0..last.0).map(|id| (UseId(id), UseId(id + 1))));
        if matches!(vertices[first].point, Point::Start(_)) {
            let graph = facts.cfg().graph();
            let sources = graph.predecessors(block).filter(|&it| dominators.is_reachable(it));
            let leaving = |source| spans[source].map_or_else(|| above(source), |(_, it)| Some(it));
            edges.extend(sources.filter_map(leaving).map(|from| (from, first)));
        } else {
            edges.extend(above(block).map(|from| (from, first)));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}
