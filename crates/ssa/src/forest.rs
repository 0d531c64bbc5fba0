//! Rooted trees over ids, numbered so that "is an ancestor of" takes two comparisons: the nodes
//! of a subtree have consecutive places in preorder (Dietz, "Maintaining order in a linked list",
//! 1982). Dominators, post-dominators and the nesting of loops are such trees.

use caulk_base::{Id, Table};

use crate::Lists;

const ABSENT: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Forest<N: Id> {
    parent: Table<N, Option<N>>,
    children: Lists<N, N>,
    depth: Table<N, u32>,
    /// The subtree of a node is `preorder[enter..leave]`; both are `ABSENT` outside the forest.
    enter: Table<N, u32>,
    leave: Table<N, u32>,
    preorder: Vec<N>,
}

impl<N: Id> Forest<N> {
    /// The forest of the nodes in `members`, where a parent comes before its children. Siblings
    /// keep the order of `members`. Ids that are no members are in no tree.
    #[must_use]
    pub fn new(parent: Table<N, Option<N>>, members: &[N]) -> Self {
        let links: Vec<(N, N)> =
            members.iter().filter_map(|&node| Some((parent[node]?, node))).collect();
        let mut forest = Self {
            children: Lists::from_pairs(parent.len(), &links),
            depth: Table::filled(0, parent.len()),
            enter: Table::filled(ABSENT, parent.len()),
            leave: Table::filled(ABSENT, parent.len()),
            preorder: members.to_vec(),
            parent,
        };
        forest.number(members);
        forest
    }

    /// Each node takes the next free stretch of its parent's, as long as its own subtree.
    fn number(&mut self, members: &[N]) {
        let sizes = self.subtree_sizes(members);
        let mut next_free = Table::filled(0, self.parent.len());
        let mut next_root = 0;
        for &node in members {
            let free = match self.parent[node] {
                Some(parent) => {
                    self.depth[node] = self.depth[parent] + 1;
                    &mut next_free[parent]
                }
                None => &mut next_root,
            };
            let enter = *free;
            *free += sizes[node];
            next_free[node] = enter + 1;
            self.enter[node] = enter;
            self.leave[node] = enter + sizes[node];
            self.preorder[enter as usize] = node;
        }
    }

    fn subtree_sizes(&self, members: &[N]) -> Table<N, u32> {
        let mut sizes = Table::filled(1, self.parent.len());
        for &node in members.iter().rev() {
            if let Some(parent) = self.parent[node] {
                sizes[parent] += sizes[node];
            }
        }
        sizes
    }

    #[must_use]
    pub fn contains(&self, node: N) -> bool {
        self.enter[node] != ABSENT
    }

    #[must_use]
    pub fn parent(&self, node: N) -> Option<N> {
        self.parent[node]
    }

    #[must_use]
    pub fn children(&self, node: N) -> &[N] {
        &self.children[node]
    }

    /// The number of proper ancestors; 0 for a root and outside the forest.
    #[must_use]
    pub fn depth(&self, node: N) -> usize {
        self.depth[node] as usize
    }

    /// Whether `inner` is `outer` or below it. False if either is outside the forest.
    #[must_use]
    pub fn encloses(&self, outer: N, inner: N) -> bool {
        self.enter[outer] <= self.enter[inner] && self.enter[inner] < self.leave[outer]
    }

    /// All members, parents first.
    #[must_use]
    pub fn preorder(&self) -> &[N] {
        &self.preorder
    }

    /// The places of a subtree in [`Forest::preorder`]; empty outside the forest.
    #[must_use]
    pub fn places(&self, node: N) -> std::ops::Range<usize> {
        if self.contains(node) {
            self.enter[node] as usize..self.leave[node] as usize
        } else {
            0..0
        }
    }

    /// `node` and all below it, parents first; empty outside the forest.
    #[must_use]
    pub fn subtree(&self, node: N) -> &[N] {
        &self.preorder[self.places(node)]
    }

    /// `node`, its parent, and so on to the root; empty outside the forest.
    pub fn ancestors(&self, node: N) -> impl Iterator<Item = N> {
        let first = Some(node).filter(|&node| self.contains(node));
        std::iter::successors(first, |&node| self.parent(node))
    }

    /// The deepest node that encloses both.
    #[must_use]
    pub fn nearest_common(&self, left: N, right: N) -> Option<N> {
        self.ancestors(left).find(|&ancestor| self.encloses(ancestor, right))
    }
}
