//! Slices: the nodes that matter for one source, numbered, with the edges between them.
//!
//! The forward slice F_src is what a source reaches. The backward slice is the part of it from
//! which a sink can be reached; it does not match calls again, because realizable paths were
//! sorted out on the way forward (FastCheck 5.3, SABER 4.4).

use caulk_base::{BitSet, FxHashSet, Id, Table};
use caulk_ir::Terminator;
use caulk_program::InstanceId;
use caulk_ssa::Lists;

use crate::NodeId;
use crate::graph::Numbers;
use crate::locals::Graph;
use crate::node::{Cross, End, FlowEdge, Node, Point, Rule};
use crate::reach::Reach;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SliceEdge {
    pub from: NodeId,
    pub to: NodeId,
    pub cross: Cross,
    pub rule: Rule,
}

#[derive(Clone, Debug)]
pub struct Slice {
    pub sources: Vec<NodeId>,
    numbers: Numbers,
    edges: Lists<NodeId, SliceEdge>,
}

impl Slice {
    /// F_src, numbered breadth first from the sources.
    #[must_use]
    pub fn forward(graph: Graph, reach: &Reach) -> Self {
        let instances: FxHashSet<InstanceId> =
            reach.nodes.iter().map(|node| node.instance()).collect();
        Self::explore(&reach.sources, |node| {
            let mut edges = graph.edges(node, |caller| instances.contains(&caller));
            edges.retain(|edge| reach.contains(edge.to));
            edges
        })
    }

    /// The nodes that searches reached from the sources, and the edges between them.
    #[must_use]
    pub(crate) fn between(graph: Graph, sources: &[Node], reached: &FxHashSet<Node>) -> Self {
        let instances: FxHashSet<InstanceId> = reached.iter().map(|node| node.instance()).collect();
        Self::explore(sources, |node| {
            let mut edges = graph.edges(node, |caller| instances.contains(&caller));
            edges.retain(|edge| reached.contains(&edge.to));
            edges
        })
    }

    /// The graph as far as it is built from the sources (SABER 4.3), calls unmatched.
    #[must_use]
    pub fn whole(graph: Graph, sources: &[Node]) -> Self {
        Self::explore(sources, |node| graph.edges(node, |_| true))
    }

    fn explore(sources: &[Node], successors: impl Fn(Node) -> Vec<FlowEdge>) -> Self {
        let mut numbers = Numbers::default();
        let sources = sources.iter().map(|&source| numbers.number(source)).collect();
        let mut edges = Vec::new();
        let mut next = 0;
        while next < numbers.nodes().len() {
            let from = NodeId::from_index(next);
            next += 1;
            for FlowEdge { to, cross, rule } in successors(numbers.nodes()[from]) {
                let to = numbers.number(to);
                edges.push((from, SliceEdge { from, to, cross, rule }));
            }
        }
        let edges = Lists::from_pairs(numbers.nodes().len(), &edges);
        Self { sources, numbers, edges }
    }

    /// With an end for each return of the instance that hands a value of the slice to a caller:
    /// for what happens inside an allocator that is not entered from outside (F8).
    #[must_use]
    pub fn with_returns(&self, flow: &crate::Flow, instance: InstanceId) -> Self {
        let mut numbers = self.numbers.clone();
        let mut edges: Vec<(NodeId, SliceEdge)> =
            self.all_edges().map(|edge| (edge.from, edge)).collect();
        for (from, &node) in self.nodes().iter() {
            let Node::Value(at, value) = node else { continue };
            for &used in flow.uses_of(at, value) {
                if let (true, crate::ValueUse::Terminator(block)) = (at == instance, used)
                    && matches!(flow.body(at).blocks[block].terminator, Terminator::Return(_))
                {
                    let end = Node::End(at, Point::Terminator(block), End::Caller);
                    let to = numbers.number(end);
                    let (cross, rule) = (Cross::None, Rule::Copy);
                    edges.push((from, SliceEdge { from, to, cross, rule }));
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let edges = Lists::from_pairs(numbers.nodes().len(), &edges);
        Self { sources: self.sources.clone(), numbers, edges }
    }

    #[must_use]
    pub fn nodes(&self) -> &Table<NodeId, Node> {
        self.numbers.nodes()
    }

    #[must_use]
    pub fn find(&self, node: Node) -> Option<NodeId> {
        self.numbers.find(node)
    }

    #[must_use]
    pub fn edges(&self, from: NodeId) -> &[SliceEdge] {
        &self.edges[from]
    }

    pub fn all_edges(&self) -> impl Iterator<Item = SliceEdge> + '_ {
        self.edges.items().iter().copied()
    }

    /// The nodes from which one that `is_target` can be reached.
    #[must_use]
    pub fn backward(&self, is_target: impl Fn(Node) -> bool) -> BitSet<NodeId> {
        let back: Vec<(NodeId, NodeId)> =
            self.all_edges().map(|edge| (edge.to, edge.from)).collect();
        let back = Lists::from_pairs(self.nodes().len(), &back);
        let mut found = BitSet::new(self.nodes().len());
        let targets = self.nodes().iter().filter(|(_, node)| is_target(**node));
        let mut work: Vec<NodeId> = targets.map(|(id, _)| id).collect();
        while let Some(node) = work.pop() {
            if found.insert(node) {
                work.extend_from_slice(&back[node]);
            }
        }
        found
    }

    /// The nodes to keep, in their order, with the edges between them.
    #[must_use]
    pub fn restricted(&self, keep: &BitSet<NodeId>) -> Self {
        self.renumbered(keep.iter())
    }

    /// The given nodes, numbered anew in the given order, with the edges between them.
    pub(crate) fn renumbered(&self, order: impl Iterator<Item = NodeId>) -> Self {
        let mut numbers = Numbers::default();
        for id in order {
            numbers.number(self.nodes()[id]);
        }
        let renumbered = |id: NodeId| numbers.find(self.nodes()[id]);
        let mut edges: Vec<(NodeId, SliceEdge)> = self
            .all_edges()
            .filter_map(|edge| {
                let (from, to) = (renumbered(edge.from)?, renumbered(edge.to)?);
                Some((from, SliceEdge { from, to, ..edge }))
            })
            .collect();
        edges.sort_unstable();
        let sources = self.sources.iter().filter_map(|&source| renumbered(source)).collect();
        Self { sources, edges: Lists::from_pairs(numbers.nodes().len(), &edges), numbers }
    }

    /// B_src: what lies on the way to a release.
    #[must_use]
    pub fn to_sinks(&self) -> Self {
        let keep = self.backward(|node| matches!(node, Node::End(_, _, End::Released)));
        self.restricted(&keep)
    }
}
