//! Union-find with path halving; the smaller number stands for its class.

#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    parent: Vec<u32>,
}

impl Forest {
    pub(crate) fn new(len: usize) -> Self {
        let mut forest = Self::default();
        forest.grow(len);
        forest
    }

    pub(crate) fn grow(&mut self, len: usize) {
        let from = self.parent.len();
        self.parent.extend((from..len).map(|index| u32::try_from(index).unwrap_or(u32::MAX)));
    }

    pub(crate) fn find(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            let above = self.parent[self.parent[item as usize] as usize];
            self.parent[item as usize] = above;
            item = above;
        }
        item
    }

    pub(crate) fn peek(&self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            item = self.parent[item as usize];
        }
        item
    }

    /// Makes one class of two; what stands for it, and what no longer does.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> Option<(u32, u32)> {
        let (a, b) = (self.find(a), self.find(b));
        let (root, child) = (a.min(b), a.max(b));
        self.parent[child as usize] = root;
        (root != child).then_some((root, child))
    }
}
