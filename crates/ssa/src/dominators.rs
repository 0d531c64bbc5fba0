//! Dominators: `a` dominates `b` if every path from the entry to `b` passes `a`.
//!
//! The algorithm is the simple variant of Lengauer and Tarjan, "A fast algorithm for finding
//! dominators in a flowgraph" (1979): O(m log n) in the worst case, which the iterative algorithm
//! of Cooper, Harvey and Kennedy does not promise (it is quadratic on ladders and on some
//! irreducible graphs). Nodes are named by their depth-first number inside this module.
//!
//! An unreachable node has no dominator, dominates nothing, and is not dominated, not even by
//! itself: on no path is it passed.

use caulk_base::{Id, Table};

use crate::{Forest, Graph, Order};

#[derive(Clone, Debug)]
pub struct Dominators<N: Id> {
    tree: Forest<N>,
}

impl<N: Id> Dominators<N> {
    #[must_use]
    pub fn new(graph: &Graph<N>, order: &Order<N>) -> Self {
        Self { tree: dominator_tree(graph, order) }
    }

    /// The closest strict dominator; none for the entry and for unreachable nodes.
    #[must_use]
    pub fn immediate(&self, node: N) -> Option<N> {
        self.tree.parent(node)
    }

    #[must_use]
    pub fn dominates(&self, above: N, below: N) -> bool {
        self.tree.encloses(above, below)
    }

    #[must_use]
    pub fn strictly_dominates(&self, above: N, below: N) -> bool {
        above != below && self.dominates(above, below)
    }

    #[must_use]
    pub fn children(&self, node: N) -> &[N] {
        self.tree.children(node)
    }

    #[must_use]
    pub fn is_reachable(&self, node: N) -> bool {
        self.tree.contains(node)
    }

    #[must_use]
    pub fn tree(&self) -> &Forest<N> {
        &self.tree
    }
}

/// The tree of immediate dominators of the nodes that the graph's entry reaches.
pub(crate) fn dominator_tree<N: Id>(graph: &Graph<N>, order: &Order<N>) -> Forest<N> {
    let immediate = Search::new(order).immediate_dominators(graph, order);
    let mut parent = Table::filled(None, graph.node_count());
    for (number, &node) in order.preorder().iter().enumerate().skip(1) {
        parent[node] = Some(order.preorder()[immediate[number] as usize]);
    }
    Forest::new(parent, order.preorder())
}

const NONE: u32 = u32::MAX;

/// The arrays of the paper, indexed by depth-first number.
struct Search {
    parent: Vec<u32>,
    semi: Vec<u32>,
    /// The forest of `LINK` and `EVAL`: nodes already processed hang below their parent.
    ancestor: Vec<u32>,
    /// The node of least semidominator on the compressed path above a node.
    label: Vec<u32>,
    /// The paper's buckets as linked lists: nodes that wait for their semidominator's child.
    first_waiting: Vec<u32>,
    next_waiting: Vec<u32>,
    immediate: Vec<u32>,
    path: Vec<u32>,
}

impl Search {
    fn new<N: Id>(order: &Order<N>) -> Self {
        let count = order.preorder().len();
        let numbers: Vec<u32> = (0..count as u32).collect();
        let number_of_parent = |&node: &N| {
            order.tree_parent(node).and_then(|parent| number(order, parent)).unwrap_or(NONE)
        };
        Self {
            parent: order.preorder().iter().map(number_of_parent).collect(),
            semi: numbers.clone(),
            ancestor: vec![NONE; count],
            label: numbers,
            first_waiting: vec![NONE; count],
            next_waiting: vec![NONE; count],
            immediate: vec![NONE; count],
            path: Vec::new(),
        }
    }

    fn immediate_dominators<N: Id>(mut self, graph: &Graph<N>, order: &Order<N>) -> Vec<u32> {
        for node in (1..self.semi.len() as u32).rev() {
            self.find_semidominator(node, graph, order);
            let semi = self.semi[node as usize];
            self.wait_for(semi, node);
            self.ancestor[node as usize] = self.parent[node as usize];
            self.settle_waiting(self.parent[node as usize]);
        }
        for node in 1..self.semi.len() {
            if self.immediate[node] != self.semi[node] {
                self.immediate[node] = self.immediate[self.immediate[node] as usize];
            }
        }
        self.immediate
    }

    /// Step 2 of the paper, by its theorem 4. Unreachable predecessors have no number.
    fn find_semidominator<N: Id>(&mut self, node: u32, graph: &Graph<N>, order: &Order<N>) {
        for predecessor in graph.predecessors(order.preorder()[node as usize]) {
            let Some(predecessor) = number(order, predecessor) else { continue };
            let best = self.least_above(predecessor);
            let semi = self.semi[best as usize];
            self.semi[node as usize] = self.semi[node as usize].min(semi);
        }
    }

    fn wait_for(&mut self, semidominator: u32, node: u32) {
        self.next_waiting[node as usize] = self.first_waiting[semidominator as usize];
        self.first_waiting[semidominator as usize] = node;
    }

    /// Step 3, by corollary 1: the immediate dominator of a node is its semidominator, or that of
    /// a node of smaller number, to be looked up once all are known.
    fn settle_waiting(&mut self, semidominator: u32) {
        let mut waiting = std::mem::replace(&mut self.first_waiting[semidominator as usize], NONE);
        while waiting != NONE {
            let best = self.least_above(waiting);
            let lower = self.semi[best as usize] < self.semi[waiting as usize];
            self.immediate[waiting as usize] = if lower { best } else { semidominator };
            waiting = self.next_waiting[waiting as usize];
        }
    }

    /// `EVAL`: the node of least semidominator between `node` and its root, the root excluded.
    fn least_above(&mut self, node: u32) -> u32 {
        if self.ancestor[node as usize] == NONE {
            return node;
        }
        self.compress(node);
        self.label[node as usize]
    }

    /// `COMPRESS`, with the recursion unrolled into an explicit path from `node` upwards.
    fn compress(&mut self, node: u32) {
        let mut at = node;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(at) = self.path.pop() {
            let at = at as usize;
            let above = self.ancestor[at] as usize;
            if self.semi_of_label(above) < self.semi_of_label(at) {
                self.label[at] = self.label[above];
            }
            self.ancestor[at] = self.ancestor[above];
        }
    }

    fn semi_of_label(&self, node: usize) -> u32 {
        self.semi[self.label[node] as usize]
    }
}

fn number<N: Id>(order: &Order<N>, node: N) -> Option<u32> {
    order.pre_position(node).map(|number| number as u32)
}
