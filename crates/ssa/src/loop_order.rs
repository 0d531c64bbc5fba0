//! An order for iteration: the nodes of a loop stand together, before what follows the loop.
//!
//! Reverse post order alone may put what follows a loop before its body, and whoever iterates to a
//! fixpoint would then go through all of the rest once for each turn. Here a loop is settled first:
//! the order is a weak topological one (Bourdoncle, "Efficient chaotic iteration strategies with
//! widenings", 1993), by natural loops.

use caulk_base::{Id, Table};

use crate::{Loops, Order};

#[derive(Clone, Debug)]
pub struct LoopOrder<N: Id> {
    nodes: Vec<N>,
    position: Table<N, Option<u32>>,
}

impl<N: Id> LoopOrder<N> {
    /// On each level a loop stands where its header does in reverse post order. A loop is entered
    /// by its header only, so each edge but the retreating ones leads onwards.
    #[must_use]
    pub fn new(order: &Order<N>, loops: &Loops<N>, count: usize) -> Self {
        let key = |node: N| {
            let mut headers: Vec<_> = loops.around(node).map(|id| loops.header(id)).collect();
            headers.reverse();
            headers.push(node);
            headers.into_iter().map(|it| order.position(it)).collect::<Vec<_>>()
        };
        let mut nodes = order.reverse_post_order().to_vec();
        if loops.count() > 0 {
            nodes.sort_by_cached_key(|&node| key(node));
        }
        let mut position = Table::filled(None, count);
        for (at, &node) in (0..).zip(&nodes) {
            position[node] = Some(at);
        }
        Self { nodes, position }
    }

    /// The reachable nodes.
    #[must_use]
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    #[must_use]
    pub fn position(&self, node: N) -> Option<usize> {
        self.position[node].map(|at| at as usize)
    }
}
