//! A directed graph with an entry, stored compactly: per edge its two ends, per node the slice of
//! edges that leave it and the slice of edges that reach it.
//!
//! Edges have ids, because a branch's two edges to the same block are two facts: a `switch` with
//! five cases on one label has five edges to it. The edges of one source are numbered without
//! gaps in the order in which they were given, so the edge of a terminator's k-th target is
//! `out_edges(block).nth(k)`, and `slot` goes the other way.

use caulk_base::{Id, Table, define_id};

use crate::Lists;

define_id!(pub EdgeId, "e", "An edge of a graph.");

#[derive(Clone, Debug)]
pub struct Graph<N: Id> {
    entry: N,
    targets: Lists<N, N>,
    sources: Table<EdgeId, N>,
    in_edges: Lists<N, EdgeId>,
}

impl<N: Id> Graph<N> {
    /// A graph of the nodes below `node_count`. The entry and the ends of all edges must be such
    /// nodes; only a graph without nodes has no entry.
    #[must_use]
    pub fn new(node_count: usize, entry: N, edges: &[(N, N)]) -> Self {
        assert!(node_count == 0 || entry.index() < node_count, "{entry} is not a node");
        let targets = Lists::from_pairs(node_count, edges);
        let sources: Table<EdgeId, N> = targets
            .iter()
            .flat_map(|(source, targets): (N, &[N])| targets.iter().map(move |_| source))
            .collect();
        let arrivals: Vec<(N, EdgeId)> =
            sources.ids().map(|edge| (targets.items()[edge.index()], edge)).collect();
        let in_edges = Lists::from_pairs(node_count, &arrivals);
        Self { entry, targets, sources, in_edges }
    }

    #[must_use]
    pub fn node_count(&self) -> usize {
        self.targets.key_count()
    }

    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.sources.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.node_count() == 0
    }

    #[must_use]
    pub fn entry(&self) -> N {
        self.entry
    }

    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = N> + ExactSizeIterator + use<N> {
        (0..self.node_count()).map(N::from_index)
    }

    pub fn edges(&self) -> impl DoubleEndedIterator<Item = EdgeId> + ExactSizeIterator + use<N> {
        self.sources.ids()
    }

    #[must_use]
    pub fn source(&self, edge: EdgeId) -> N {
        self.sources[edge]
    }

    #[must_use]
    pub fn target(&self, edge: EdgeId) -> N {
        self.targets.items()[edge.index()]
    }

    /// The place of an edge among the edges of its source, from 0.
    #[must_use]
    pub fn slot(&self, edge: EdgeId) -> usize {
        edge.index() - self.targets.range(self.source(edge)).start
    }

    pub fn out_edges(
        &self,
        node: N,
    ) -> impl DoubleEndedIterator<Item = EdgeId> + ExactSizeIterator + use<N> {
        self.targets.range(node).map(EdgeId::from_index)
    }

    /// The edges that reach a node, in increasing order.
    #[must_use]
    pub fn in_edges(&self, node: N) -> &[EdgeId] {
        &self.in_edges[node]
    }

    /// The targets of the edges of a node: a target of two edges is there twice.
    #[must_use]
    pub fn successors(&self, node: N) -> &[N] {
        &self.targets[node]
    }

    /// The sources of the edges that reach a node, repeated like [`Graph::successors`].
    pub fn predecessors(&self, node: N) -> impl DoubleEndedIterator<Item = N> + ExactSizeIterator {
        self.in_edges(node).iter().map(|&edge| self.source(edge))
    }

    /// All edges as pairs, in the order of their ids.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (N, N)> {
        self.edges().map(|edge| (self.source(edge), self.target(edge)))
    }
}
