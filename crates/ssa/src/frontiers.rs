//! Dominance frontiers, their mirror image, and their iterated form.
//!
//! `b` is in the frontier of `a` if `a` dominates a predecessor of `b` but does not strictly
//! dominate `b`: it is where what holds because of `a` meets other paths. The post-dominance
//! frontier of `a` holds the branches that decide whether `a` is executed (Cytron, Ferrante,
//! Rosen, Wegman, Zadeck, "Efficiently computing static single assignment form and the control
//! dependence graph", 1991).
//!
//! [`Frontiers`] lists them all, in time and space proportional to the edges and the output, by
//! walking from each predecessor up to the immediate dominator (Cooper, Harvey, Kennedy, "A simple,
//! fast dominance algorithm", 2001). Deeply nested loops make that output quadratic, so the
//! iterated frontiers of a set do not use it: they take O(m + n log n) for any set, by the method
//! of Sreedhar and Gao, "A linear time algorithm for placing φ-nodes" (1995).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use caulk_base::{BitSet, Id, Table};

use crate::{Dominators, Forest, Graph, Lists, PostDominators};

#[derive(Clone, Debug)]
pub struct Frontiers<N: Id> {
    lists: Lists<N, N>,
}

impl<N: Id> Frontiers<N> {
    /// Dominance frontiers; empty for unreachable nodes.
    #[must_use]
    pub fn dominance(graph: &Graph<N>, dominators: &Dominators<N>) -> Self {
        let mut walk = Walk::new(dominators.tree(), graph.node_count());
        for join in graph.nodes().filter(|&node| dominators.is_reachable(node)) {
            for predecessor in graph.predecessors(join) {
                walk.climb(predecessor, join);
            }
        }
        walk.finish()
    }

    /// Post-dominance frontiers. They tell of unreachable branches too, which
    /// [`crate::ControlDependence`] leaves out.
    #[must_use]
    pub fn postdominance(graph: &Graph<N>, postdominators: &PostDominators<N>) -> Self {
        let mut walk = Walk::new(postdominators.tree(), graph.node_count());
        for branch in graph.nodes() {
            for &successor in graph.successors(branch) {
                walk.climb(successor, branch);
            }
        }
        walk.finish()
    }

    /// The frontier of a node, in increasing order.
    #[must_use]
    pub fn of(&self, node: N) -> &[N] {
        &self.lists[node]
    }

    #[must_use]
    pub fn lists(&self) -> &Lists<N, N> {
        &self.lists
    }
}

struct Walk<'t, N: Id> {
    tree: &'t Forest<N>,
    /// The last join that was added to a node's frontier. A second climb to the same join may stop
    /// there, since the first went on from there.
    last: Table<N, Option<N>>,
    pairs: Vec<(N, N)>,
}

impl<'t, N: Id> Walk<'t, N> {
    fn new(tree: &'t Forest<N>, node_count: usize) -> Self {
        Self { tree, last: Table::filled(None, node_count), pairs: Vec::new() }
    }

    fn climb(&mut self, from: N, join: N) {
        let stop = self.tree.parent(join);
        for node in self.tree.ancestors(from).take_while(|&node| Some(node) != stop) {
            if self.last[node].replace(join) == Some(join) {
                break;
            }
            self.pairs.push((node, join));
        }
    }

    fn finish(self) -> Frontiers<N> {
        Frontiers { lists: Lists::from_pairs(self.last.len(), &self.pairs) }
    }
}

/// The least set that holds the frontier of each node of `set` and of its own members, in
/// increasing order: the blocks where a variable assigned in `set` needs a φ.
#[must_use]
pub fn iterated_dominance_frontier<N: Id>(
    graph: &Graph<N>,
    dominators: &Dominators<N>,
    set: &[N],
) -> Vec<N> {
    let mut search = Search::new(dominators.tree(), set);
    while let Some(root) = search.next_root() {
        search.visit(root, |node| graph.successors(node).iter().copied());
    }
    search.frontier.iter().collect()
}

/// The same for post-dominance: the branches on which the execution of `set` depends, those
/// on which these depend, and so on, unreachable ones included, in increasing order.
#[must_use]
pub fn iterated_postdominance_frontier<N: Id>(
    graph: &Graph<N>,
    postdominators: &PostDominators<N>,
    set: &[N],
) -> Vec<N> {
    let mut search = Search::new(postdominators.tree(), set);
    while let Some(root) = search.next_root() {
        search.visit(root, |node| graph.predecessors(node));
    }
    search.frontier.iter().collect()
}

/// Roots are taken deepest first, and what a root finds is no deeper than itself. Each visits only
/// the part of its subtree that no earlier root visited: from the rest, the earlier and deeper
/// root has already followed every edge to a node as high as the current root.
struct Search<'t, N: Id> {
    tree: &'t Forest<N>,
    roots: BinaryHeap<(usize, Reverse<N>)>,
    queued: BitSet<N>,
    visited: BitSet<N>,
    frontier: BitSet<N>,
    pending: Vec<N>,
}

impl<'t, N: Id> Search<'t, N> {
    fn new(tree: &'t Forest<N>, set: &[N]) -> Self {
        let mut search = Self {
            tree,
            roots: BinaryHeap::new(),
            queued: BitSet::new(0),
            visited: BitSet::new(0),
            frontier: BitSet::new(0),
            pending: Vec::new(),
        };
        for &node in set.iter().filter(|&&node| tree.contains(node)) {
            search.queue(node);
        }
        search
    }

    fn queue(&mut self, node: N) {
        if self.queued.insert(node) {
            self.roots.push((self.tree.depth(node), Reverse(node)));
        }
    }

    fn next_root(&mut self) -> Option<N> {
        self.roots.pop().map(|(_, Reverse(node))| node)
    }

    fn visit<Next: Iterator<Item = N>>(&mut self, root: N, next: impl Fn(N) -> Next) {
        let depth = self.tree.depth(root);
        self.pending.push(root);
        while let Some(node) = self.pending.pop() {
            if !self.visited.insert(node) {
                continue;
            }
            for target in next(node) {
                if self.tree.depth(target) <= depth {
                    self.frontier.insert(target);
                    self.queue(target);
                }
            }
            self.pending.extend(self.tree.children(node));
        }
    }
}
