//! The webs of a slice: cycles of joins inside one procedure. See [`crate::guards_web`].

use std::sync::Arc;

use caulk_base::{FxHashMap, Id};
use caulk_ssa::{Graph, SccId, Sccs};

use crate::NodeId;
use crate::graph::Flow;
use crate::guards_flow::{phi_edges, step};
use crate::guards_web::{Join, MEMBERS, Make, Member, Web};
use crate::node::{Cross, FlowEdge, Node, Point, Rule};
use crate::slice::{Slice, SliceEdge};
use crate::value_guards::Step;

pub(crate) struct Webs {
    /// The web of each node that is in one.
    of: FxHashMap<NodeId, usize>,
    webs: Vec<Vec<NodeId>>,
}

impl Webs {
    pub fn new(slice: &Slice) -> Self {
        let pairs: Vec<(NodeId, NodeId)> =
            slice.all_edges().map(|edge| (edge.from, edge.to)).collect();
        // Nobody asks this graph for its entry.
        let graph = Graph::new(slice.nodes().len(), NodeId(0), &pairs);
        let components = Sccs::new(&graph);
        let mut webs = Self { of: FxHashMap::default(), webs: Vec::new() };
        for id in components.ids().filter(|&id| components.is_cyclic(id)) {
            let members = components.members(id);
            if is_web(slice, &components, id, members) {
                webs.add(slice, members);
            }
        }
        webs
    }

    /// One loop after the other: a web that leads straight into others is one with them.
    /// Components come successors first.
    fn add(&mut self, slice: &Slice, members: &[NodeId]) {
        let after = members.iter().flat_map(|&node| slice.edges(node));
        let mut merged: Vec<usize> =
            after.filter_map(|edge| self.of.get(&edge.to).copied()).collect();
        merged.sort_unstable();
        merged.dedup();
        let mut all = members.to_vec();
        for &web in &merged {
            all.append(&mut self.webs[web]);
        }
        let number = self.webs.len();
        for &node in &all {
            self.of.insert(node, number);
        }
        self.webs.push(all);
    }

    pub fn is_inside(&self, node: NodeId) -> bool {
        self.of.get(&node).is_some_and(|&web| self.webs[web].len() < MEMBERS)
    }

    /// From a node into webs, and out of them.
    pub fn through(&self, flow: &Flow<'_, '_>, slice: &Slice, from: NodeId) -> Vec<(usize, Step)> {
        let into = slice.edges(from).iter().filter(|edge| self.is_inside(edge.to));
        let mut entered: Vec<usize> = into.map(|edge| self.of[&edge.to]).collect();
        entered.sort_unstable();
        entered.dedup();
        let mut steps = Vec::new();
        for web in entered {
            let maker = Maker { flow, slice, from, members: &self.webs[web] };
            let edges = self.webs[web].iter().flat_map(|&member| slice.edges(member));
            for edge in edges.filter(|edge| self.of.get(&edge.to) != Some(&web)) {
                steps.push((edge.to.index(), maker.step(*edge)));
            }
        }
        steps
    }
}

/// Joins and what lies between them, in one procedure, entered by nothing but nodes of it.
fn is_web(slice: &Slice, components: &Sccs<NodeId>, id: SccId, members: &[NodeId]) -> bool {
    let inside = |node: NodeId| components.component(node) == id;
    let instance = slice.nodes()[members[0]].instance();
    let is_plain = |node: &NodeId| match slice.nodes()[*node] {
        Node::Value(at, _) | Node::Memory(at, ..) => at == instance,
        Node::Passed(..) | Node::End(..) => false,
    };
    let stays = |edge: &SliceEdge| {
        edge.cross == Cross::None && slice.nodes()[edge.from].instance() == instance
    };
    members.iter().all(is_plain)
        && !slice.sources.iter().any(|&source| inside(source))
        && slice.all_edges().filter(|edge| inside(edge.to)).all(|edge| stays(&edge))
}

/// One way into a web.
struct Maker<'a, 'm, 'p> {
    flow: &'a Flow<'m, 'p>,
    slice: &'a Slice,
    from: NodeId,
    members: &'a [NodeId],
}

impl Maker<'_, '_, '_> {
    fn member(&self, node: NodeId) -> Option<Member> {
        if node == self.from {
            return Some(0);
        }
        self.members.iter().position(|&it| it == node).map(|at| at + 1)
    }

    fn step(&self, leaving: SliceEdge) -> Step {
        let node = |id: NodeId| self.slice.nodes()[id];
        let edge = FlowEdge { to: node(leaving.to), cross: leaving.cross, rule: leaving.rule };
        let proc = self.flow.memory.input().instances.proc(node(self.from).instance());
        let to = match step(self.flow, node(leaving.from), &edge) {
            Step::Reach { to, .. } => to,
            // At the point already: to have come there is enough.
            Step::Always | Step::Through { .. } => {
                crate::guards::Target::Point(self.flow.point(node(leaving.from)))
            }
        };
        let user = self.member(leaving.from).unwrap_or(0);
        let (joins, makes) = self.shape();
        let start = self.flow.point(node(self.from));
        Step::Through { proc, web: Arc::new(Web { start, joins, makes, user, to }) }
    }

    fn shape(&self) -> (Vec<Join>, Vec<Make>) {
        let (mut joins, mut makes) = (Vec::new(), Vec::new());
        for &id in self.members {
            let member = self.member(id).unwrap_or(0);
            let into: Vec<SliceEdge> =
                self.slice.all_edges().filter(|edge| edge.to == id).collect();
            match self.flow.point(self.slice.nodes()[id]) {
                Point::Start(block) => {
                    let passed = into.iter().flat_map(|edge| self.passed(edge)).collect();
                    joins.push(Join { block, member, passed });
                }
                Point::Inst(inst) => {
                    let from = into.iter().filter_map(|edge| self.member(edge.from)).collect();
                    makes.push((inst, member, from));
                }
                Point::Entry | Point::Terminator(_) => {}
            }
        }
        makes.sort_unstable();
        (joins, makes)
    }

    fn passed(&self, edge: &SliceEdge) -> Vec<(caulk_ir::BlockId, u32, Member)> {
        let Some(from) = self.member(edge.from).filter(|_| edge.rule == Rule::Phi) else {
            return Vec::new();
        };
        let nodes = self.slice.nodes();
        let edges = phi_edges(self.flow, nodes[edge.from], nodes[edge.to]);
        edges.into_iter().map(|(block, slot)| (block, slot, from)).collect()
    }
}
