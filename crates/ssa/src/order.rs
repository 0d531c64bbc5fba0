//! Depth-first order from the entry: preorder with its spanning tree, reverse post order, and
//! hence the reachable nodes. Successors are visited in the order of their edges, so the result
//! depends on the graph alone (Tarjan, "Depth-first search and linear graph algorithms", 1972).

use caulk_base::{Id, Table};

use crate::Graph;

const UNREACHED: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Order<N: Id> {
    preorder: Vec<N>,
    reverse_post: Vec<N>,
    /// The parent of a node in the spanning tree; the root is its own.
    tree_parent: Table<N, N>,
    pre_position: Table<N, u32>,
    post_position: Table<N, u32>,
}

impl<N: Id> Order<N> {
    #[must_use]
    pub fn new(graph: &Graph<N>) -> Self {
        let count = graph.node_count();
        let mut order = Self {
            preorder: Vec::new(),
            reverse_post: Vec::new(),
            tree_parent: graph.nodes().collect(),
            pre_position: Table::filled(UNREACHED, count),
            post_position: Table::filled(UNREACHED, count),
        };
        order.walk(graph);
        order.reverse_post.reverse();
        for (position, &node) in order.reverse_post.iter().enumerate() {
            order.post_position[node] = position as u32;
        }
        order
    }

    fn walk(&mut self, graph: &Graph<N>) {
        if graph.is_empty() {
            return;
        }
        self.enter(graph.entry());
        let mut path = vec![(graph.entry(), 0)];
        while let Some((node, slot)) = path.last_mut() {
            let node = *node;
            let Some(&next) = graph.successors(node).get(*slot) else {
                self.reverse_post.push(node);
                path.pop();
                continue;
            };
            *slot += 1;
            if self.pre_position[next] == UNREACHED {
                self.tree_parent[next] = node;
                self.enter(next);
                path.push((next, 0));
            }
        }
    }

    fn enter(&mut self, node: N) {
        self.pre_position[node] = self.preorder.len() as u32;
        self.preorder.push(node);
    }

    /// The reachable nodes, each before those first found through it.
    #[must_use]
    pub fn preorder(&self) -> &[N] {
        &self.preorder
    }

    /// The reachable nodes, each before its successors but for retreating edges.
    #[must_use]
    pub fn reverse_post_order(&self) -> &[N] {
        &self.reverse_post
    }

    /// The node through which `node` was found first; none for the entry and unreachable nodes.
    #[must_use]
    pub fn tree_parent(&self, node: N) -> Option<N> {
        Some(self.tree_parent[node]).filter(|&parent| parent != node)
    }

    #[must_use]
    pub fn pre_position(&self, node: N) -> Option<usize> {
        Some(self.pre_position[node]).filter(|&at| at != UNREACHED).map(|at| at as usize)
    }

    /// The place of a node in reverse post order.
    #[must_use]
    pub fn position(&self, node: N) -> Option<usize> {
        Some(self.post_position[node]).filter(|&at| at != UNREACHED).map(|at| at as usize)
    }

    #[must_use]
    pub fn is_reachable(&self, node: N) -> bool {
        self.pre_position[node] != UNREACHED
    }
}
