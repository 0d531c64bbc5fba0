//! Natural loops and how they nest.
//!
//! A back edge is an edge whose target dominates its source. The natural loop of a header is the
//! header with all nodes that reach the source of a back edge to it without passing the header
//! (Aho, Sethi, Ullman, "Compilers", 1986, §10.4); back edges to one header share a loop. Two
//! loops are disjoint or one contains the other. Cycles that are no natural loops are the subject
//! of [`crate::irreducible`].
//!
//! Inner loops are found first. A search backwards from the back edges jumps over loops that are
//! already known to the predecessors of their headers, and a union-find structure leads from a
//! node to its outermost known loop (Tarjan, "Testing flow graph reducibility", 1974), so all
//! loops together take near-linear time.

use caulk_base::{Id, Table, define_id};

use crate::{Dominators, EdgeId, Forest, Graph, Lists};

define_id!(pub LoopId, "l", "A natural loop. An outer loop has a smaller id than those in it.");

#[derive(Clone, Debug)]
pub struct Loops<N: Id> {
    headers: Table<LoopId, N>,
    nesting: Forest<LoopId>,
    innermost: Table<N, Option<LoopId>>,
    back_edges: Lists<LoopId, EdgeId>,
    exits: Lists<LoopId, EdgeId>,
    /// The nodes whose innermost loop it is, by the loop's place in the preorder of `nesting`:
    /// the body of a loop, inner loops included, is one stretch.
    own_nodes: Lists<LoopId, N>,
}

impl<N: Id> Loops<N> {
    #[must_use]
    pub fn new(graph: &Graph<N>, dominators: &Dominators<N>) -> Self {
        let (headers, back_edges) = find_headers(graph, dominators);
        let mut search = Search::new(graph, dominators, headers.len());
        for (id, &header) in headers.iter().rev() {
            search.find(id, header, &back_edges[id], &headers);
        }
        let Search { innermost, parent, .. } = search;
        let ids: Vec<LoopId> = headers.ids().collect();
        let nesting = Forest::new(parent, &ids);
        let own_nodes = own_nodes(dominators, &nesting, &innermost);
        let exits = exits(graph, &nesting, &innermost);
        Self { headers, nesting, innermost, back_edges, exits, own_nodes }
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.headers.len()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LoopId> + ExactSizeIterator + use<N> {
        self.headers.ids()
    }

    #[must_use]
    pub fn header(&self, id: LoopId) -> N {
        self.headers[id]
    }

    /// All nodes of a loop, inner loops included, its header first.
    #[must_use]
    pub fn body(&self, id: LoopId) -> &[N] {
        let places = self.nesting.places(id);
        let first = self.own_nodes.range(LoopId::from_index(places.start));
        let last = self.own_nodes.range(LoopId::from_index(places.end - 1));
        &self.own_nodes.items()[first.start..last.end]
    }

    /// The edges from the body to the header.
    #[must_use]
    pub fn back_edges(&self, id: LoopId) -> &[EdgeId] {
        &self.back_edges[id]
    }

    /// The edges from the body to other nodes.
    #[must_use]
    pub fn exits(&self, id: LoopId) -> &[EdgeId] {
        &self.exits[id]
    }

    /// The smallest loop around a node.
    #[must_use]
    pub fn innermost(&self, node: N) -> Option<LoopId> {
        self.innermost[node]
    }

    /// The loops around a node, innermost first.
    pub fn around(&self, node: N) -> impl Iterator<Item = LoopId> {
        self.innermost[node].into_iter().flat_map(|id| self.nesting.ancestors(id))
    }

    #[must_use]
    pub fn contains(&self, id: LoopId, node: N) -> bool {
        self.innermost[node].is_some_and(|inner| self.nesting.encloses(id, inner))
    }

    /// How many loops are around a node.
    #[must_use]
    pub fn depth(&self, node: N) -> usize {
        self.innermost[node].map_or(0, |id| self.nesting.depth(id) + 1)
    }

    #[must_use]
    pub fn nesting(&self) -> &Forest<LoopId> {
        &self.nesting
    }
}

/// Whether an edge goes back to a dominator of its source.
pub fn is_back_edge<N: Id>(graph: &Graph<N>, dominators: &Dominators<N>, edge: EdgeId) -> bool {
    dominators.dominates(graph.target(edge), graph.source(edge))
}

/// Headers in preorder of the dominator tree, which puts those of outer loops first.
fn find_headers<N: Id>(
    graph: &Graph<N>,
    dominators: &Dominators<N>,
) -> (Table<LoopId, N>, Lists<LoopId, EdgeId>) {
    let mut headers = Table::new();
    let mut pairs = Vec::new();
    for &node in dominators.tree().preorder() {
        let id = headers.next_id();
        let before = pairs.len();
        let edges = graph.in_edges(node).iter().copied();
        pairs.extend(
            edges.filter(|&edge| is_back_edge(graph, dominators, edge)).map(|edge| (id, edge)),
        );
        if pairs.len() > before {
            headers.push(node);
        }
    }
    let back_edges = Lists::from_pairs(headers.len(), &pairs);
    (headers, back_edges)
}

struct Search<'g, N: Id> {
    graph: &'g Graph<N>,
    dominators: &'g Dominators<N>,
    innermost: Table<N, Option<LoopId>>,
    parent: Table<LoopId, Option<LoopId>>,
    /// Union-find: leads to the outermost loop known so far.
    outer: Table<LoopId, LoopId>,
    pending: Vec<N>,
}

impl<'g, N: Id> Search<'g, N> {
    fn new(graph: &'g Graph<N>, dominators: &'g Dominators<N>, count: usize) -> Self {
        Self {
            graph,
            dominators,
            innermost: Table::filled(None, graph.node_count()),
            parent: Table::filled(None, count),
            outer: (0..count).map(LoopId::from_index).collect(),
            pending: Vec::new(),
        }
    }

    fn find(&mut self, id: LoopId, header: N, back: &[EdgeId], headers: &Table<LoopId, N>) {
        self.innermost[header] = Some(id);
        self.pending.extend(back.iter().map(|&edge| self.graph.source(edge)));
        while let Some(node) = self.pending.pop() {
            match self.innermost[node].map(|inner| self.outermost(inner)) {
                Some(inner) if inner == id => {}
                Some(inner) => {
                    self.parent[inner] = Some(id);
                    self.outer[inner] = id;
                    self.push_predecessors(headers[inner]);
                }
                None => {
                    self.innermost[node] = Some(id);
                    self.push_predecessors(node);
                }
            }
        }
    }

    fn push_predecessors(&mut self, node: N) {
        let reachable = |&node: &N| self.dominators.is_reachable(node);
        self.pending.extend(self.graph.predecessors(node).filter(reachable));
    }

    fn outermost(&mut self, mut id: LoopId) -> LoopId {
        while self.outer[id] != id {
            self.outer[id] = self.outer[self.outer[id]];
            id = self.outer[id];
        }
        id
    }
}

/// Taking the nodes in preorder of the dominator tree puts each header first in its loop.
fn own_nodes<N: Id>(
    dominators: &Dominators<N>,
    nesting: &Forest<LoopId>,
    innermost: &Table<N, Option<LoopId>>,
) -> Lists<LoopId, N> {
    let place = |id| LoopId::from_index(nesting.places(id).start);
    let nodes = dominators.tree().preorder().iter();
    let pairs: Vec<(LoopId, N)> =
        nodes.filter_map(|&node| Some((place(innermost[node]?), node))).collect();
    Lists::from_pairs(nesting.preorder().len(), &pairs)
}

fn exits<N: Id>(
    graph: &Graph<N>,
    nesting: &Forest<LoopId>,
    innermost: &Table<N, Option<LoopId>>,
) -> Lists<LoopId, EdgeId> {
    let mut pairs = Vec::new();
    for edge in graph.edges() {
        let target = innermost[graph.target(edge)];
        let stays = |id| target.is_some_and(|target| nesting.encloses(id, target));
        let around = innermost[graph.source(edge)].into_iter().flat_map(|id| nesting.ancestors(id));
        pairs.extend(around.take_while(|&id| !stays(id)).map(|id| (id, edge)));
    }
    Lists::from_pairs(nesting.preorder().len(), &pairs)
}
