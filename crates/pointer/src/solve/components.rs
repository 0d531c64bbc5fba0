//! Strongly connected components of the copy graph (Tarjan 1972), on adjacency slices.

const UNSEEN: u32 = u32::MAX;

/// Per node the component, numbered in reverse topological order, and how many there are.
pub(crate) struct Components {
    pub of: Vec<u32>,
    pub count: u32,
}

pub(crate) fn components<'g>(count: usize, successors: impl Fn(u32) -> &'g [u32]) -> Components {
    let mut search = Search {
        successors,
        seen: 0,
        found: 0,
        number: vec![UNSEEN; count],
        low: vec![0; count],
        of: vec![UNSEEN; count],
        open: Vec::new(),
        path: Vec::new(),
    };
    for root in 0..count {
        search.start(root as u32);
    }
    Components { of: search.of, count: search.found }
}

struct Search<F> {
    successors: F,
    seen: u32,
    found: u32,
    number: Vec<u32>,
    low: Vec<u32>,
    of: Vec<u32>,
    open: Vec<u32>,
    path: Vec<(u32, u32)>,
}

impl<'g, F: Fn(u32) -> &'g [u32]> Search<F> {
    fn start(&mut self, root: u32) {
        if self.number[root as usize] != UNSEEN {
            return;
        }
        self.enter(root);
        while let Some((node, next)) = self.path.last_mut() {
            let node = *node;
            let target = (self.successors)(node).get(*next as usize).copied();
            *next += 1;
            match target {
                Some(target) => self.follow(node, target),
                None => self.leave(node),
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.number[node as usize] = self.seen;
        self.low[node as usize] = self.seen;
        self.seen += 1;
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn follow(&mut self, node: u32, target: u32) {
        if self.number[target as usize] == UNSEEN {
            self.enter(target);
        } else if self.of[target as usize] == UNSEEN {
            self.low[node as usize] = self.low[node as usize].min(self.number[target as usize]);
        }
    }

    fn leave(&mut self, node: u32) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(above, _)) = self.path.last() {
            self.low[above as usize] = self.low[above as usize].min(low);
        }
        if low == self.number[node as usize] {
            self.close(node);
        }
    }

    fn close(&mut self, root: u32) {
        while let Some(node) = self.open.pop() {
            self.of[node as usize] = self.found;
            if node == root {
                break;
            }
        }
        self.found += 1;
    }
}
