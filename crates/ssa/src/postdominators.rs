//! Post-dominators: `a` post-dominates `b` if every path from `b` to the virtual exit passes `a`.
//! They are the dominators of the reversed graph, entered at the virtual exit.
//!
//! What leads to the virtual exit:
//! - every node without successors, be it a return or the end of a path that does not return;
//! - one node of each endless region, that is of each cyclic strongly connected component that no
//!   edge leaves: its first node in reverse post order (the head of the loop, in a program), or
//!   the one of least id if the entry reaches none of them.
//!
//! From every node some path ends in one of the two, so every node has post-dominators, the
//! unreachable ones included. What this claims, and what it does not: post-dominance speaks of
//! paths that end. For an ordinary loop it ignores the executions that never leave the loop, and
//! for an endless region it ignores those that visit its chosen node only finitely often. A client
//! that needs "will surely be executed" must ask for termination elsewhere;
//! [`PostDominators::endless`] lists the chosen nodes.

use caulk_base::Id;

use crate::dominators::dominator_tree;
use crate::{Forest, Graph, Order, SccId, Sccs};

#[derive(Clone, Debug)]
pub struct PostDominators<N: Id> {
    /// Over the nodes and, as the root, one id more: the virtual exit.
    tree: Forest<N>,
    exits: Vec<N>,
    endless: Vec<N>,
}

impl<N: Id> PostDominators<N> {
    #[must_use]
    pub fn new(graph: &Graph<N>, order: &Order<N>, sccs: &Sccs<N>) -> Self {
        let exits: Vec<N> = graph.nodes().filter(|&n| graph.successors(n).is_empty()).collect();
        let endless = endless_nodes(graph, order, sccs);
        let last = exits.iter().chain(&endless).copied();
        let reversed = reversed_from_exit(graph, last);
        let tree = dominator_tree(&reversed, &Order::new(&reversed));
        Self { tree, exits, endless }
    }

    /// The closest strict post-dominator; none if that is the virtual exit.
    #[must_use]
    pub fn immediate(&self, node: N) -> Option<N> {
        self.tree.parent(node).filter(|&parent| parent != self.virtual_exit())
    }

    #[must_use]
    pub fn postdominates(&self, after: N, before: N) -> bool {
        self.tree.encloses(after, before)
    }

    #[must_use]
    pub fn strictly_postdominates(&self, after: N, before: N) -> bool {
        after != before && self.postdominates(after, before)
    }

    /// The nodes without successors.
    #[must_use]
    pub fn exits(&self) -> &[N] {
        &self.exits
    }

    /// The chosen node of each endless region, in increasing order.
    #[must_use]
    pub fn endless(&self) -> &[N] {
        &self.endless
    }

    /// The id after the last node: the root of [`PostDominators::tree`].
    #[must_use]
    pub fn virtual_exit(&self) -> N {
        self.tree.preorder()[0]
    }

    /// The tree with the virtual exit.
    #[must_use]
    pub fn tree(&self) -> &Forest<N> {
        &self.tree
    }
}

fn endless_nodes<N: Id>(graph: &Graph<N>, order: &Order<N>, sccs: &Sccs<N>) -> Vec<N> {
    let mut left = vec![false; sccs.count()];
    for (source, target) in graph.pairs() {
        left[sccs.component(source).index()] |= sccs.component(source) != sccs.component(target);
    }
    let endless = |scc: &SccId| sccs.is_cyclic(*scc) && !left[scc.index()];
    let first = |&node: &N| (order.position(node).unwrap_or(usize::MAX), node);
    let chosen = |scc| sccs.members(scc).iter().copied().min_by_key(first);
    let mut nodes: Vec<N> = sccs.ids().filter(endless).filter_map(chosen).collect();
    nodes.sort_unstable();
    nodes
}

fn reversed_from_exit<N: Id>(graph: &Graph<N>, last: impl Iterator<Item = N>) -> Graph<N> {
    let exit = N::from_index(graph.node_count());
    let mut edges: Vec<(N, N)> = graph.pairs().map(|(source, target)| (target, source)).collect();
    edges.extend(last.map(|node| (exit, node)));
    Graph::new(graph.node_count() + 1, exit, &edges)
}
