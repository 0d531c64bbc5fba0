//! Strongly connected components: Tarjan, "Depth-first search and linear graph algorithms"
//! (1972), with an explicit path. Linear time.
//!
//! Components are numbered in reverse topological order: an edge between two components goes from
//! the larger number to the smaller. All nodes are covered, whether the entry reaches them or not.
//! Searches start at the nodes in the order of their ids, so the numbering depends on the graph
//! alone; members are listed in the order of their ids.

use caulk_base::{Id, Table, define_id};

use crate::{EdgeId, Graph, Lists};

define_id!(pub SccId, "scc", "A strongly connected component.");

#[derive(Clone, Debug)]
pub struct Sccs<N: Id> {
    component: Table<N, SccId>,
    members: Lists<SccId, N>,
    cyclic: Table<SccId, bool>,
}

impl<N: Id> Sccs<N> {
    #[must_use]
    pub fn new(graph: &Graph<N>) -> Self {
        Self::of_subgraph(graph, |_| true)
    }

    /// The components of all nodes and those edges that `keep` accepts.
    #[must_use]
    pub fn of_subgraph(graph: &Graph<N>, keep: impl Fn(EdgeId) -> bool) -> Self {
        let mut search = Search::new(graph, keep);
        for node in graph.nodes() {
            search.start(node);
        }
        let (component, keep) = (search.component, search.keep);
        let pairs: Vec<(SccId, N)> = component.iter().map(|(node, &scc)| (scc, node)).collect();
        let members = Lists::from_pairs(search.found, &pairs);
        let mut cyclic = Table::filled(false, search.found);
        for edge in graph.edges().filter(|&edge| keep(edge)) {
            let (source, target) = (component[graph.source(edge)], component[graph.target(edge)]);
            cyclic[source] |= source == target;
        }
        Self { component, members, cyclic }
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.cyclic.len()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = SccId> + ExactSizeIterator + use<N> {
        self.cyclic.ids()
    }

    #[must_use]
    pub fn component(&self, node: N) -> SccId {
        self.component[node]
    }

    #[must_use]
    pub fn members(&self, scc: SccId) -> &[N] {
        &self.members[scc]
    }

    /// Whether some edge stays inside: several members, or one with a loop on itself.
    #[must_use]
    pub fn is_cyclic(&self, scc: SccId) -> bool {
        self.cyclic[scc]
    }
}

const UNSEEN: u32 = u32::MAX;
const OPEN: SccId = SccId(u32::MAX);

struct Search<'g, N: Id, Keep> {
    graph: &'g Graph<N>,
    keep: Keep,
    seen: u32,
    found: usize,
    number: Table<N, u32>,
    /// The least number known to be reachable inside the component.
    low: Table<N, u32>,
    /// `OPEN` until the node's component is complete.
    component: Table<N, SccId>,
    open: Vec<N>,
    path: Vec<(N, usize)>,
}

impl<'g, N: Id, Keep: Fn(EdgeId) -> bool> Search<'g, N, Keep> {
    fn new(graph: &'g Graph<N>, keep: Keep) -> Self {
        let count = graph.node_count();
        Self {
            graph,
            keep,
            seen: 0,
            found: 0,
            number: Table::filled(UNSEEN, count),
            low: Table::filled(UNSEEN, count),
            component: Table::filled(OPEN, count),
            open: Vec::new(),
            path: Vec::new(),
        }
    }

    fn start(&mut self, root: N) {
        if self.number[root] != UNSEEN {
            return;
        }
        self.enter(root);
        while let Some((node, slot)) = self.path.last_mut() {
            let (node, edge) = (*node, self.graph.out_edges(*node).nth(*slot));
            *slot += 1;
            match edge {
                Some(edge) if (self.keep)(edge) => self.follow(node, self.graph.target(edge)),
                Some(_) => {}
                None => self.leave(node),
            }
        }
    }

    fn enter(&mut self, node: N) {
        self.number[node] = self.seen;
        self.low[node] = self.seen;
        self.seen += 1;
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn follow(&mut self, node: N, target: N) {
        if self.number[target] == UNSEEN {
            self.enter(target);
        } else if self.component[target] == OPEN {
            self.low[node] = self.low[node].min(self.number[target]);
        }
    }

    fn leave(&mut self, node: N) {
        self.path.pop();
        if let Some(&(parent, _)) = self.path.last() {
            self.low[parent] = self.low[parent].min(self.low[node]);
        }
        if self.low[node] == self.number[node] {
            self.close(node);
        }
    }

    /// `root` was entered first of its component: all that is still open above it belongs to it.
    fn close(&mut self, root: N) {
        let scc = SccId::from_index(self.found);
        self.found += 1;
        while let Some(node) = self.open.pop() {
            self.component[node] = scc;
            if node == root {
                break;
            }
        }
    }
}
