//! Many short lists in two arrays: the compressed rows of a sparse matrix.

use std::marker::PhantomData;
use std::ops::{Index, Range};

use caulk_base::Id;

/// One list of `V` for each id `K` below a fixed number.
#[derive(Clone, PartialEq, Eq)]
pub struct Lists<K, V> {
    /// `starts[k]..starts[k + 1]` is where the list of `k` lies in `items`.
    starts: Vec<u32>,
    items: Vec<V>,
    keys: PhantomData<fn(K)>,
}

impl<K: Id, V: Copy> Lists<K, V> {
    /// Groups the pairs by key; a list keeps the order in which its pairs are given.
    #[must_use]
    pub fn from_pairs(key_count: usize, pairs: &[(K, V)]) -> Self {
        let starts = starts(key_count, pairs.iter().map(|pair| pair.0));
        let mut next = starts.clone();
        let mut items = match pairs.first() {
            Some(&(_, first)) => vec![first; pairs.len()],
            None => Vec::new(),
        };
        for &(key, item) in pairs {
            let slot = &mut next[key.index()];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Self { starts, items, keys: PhantomData }
    }
}

impl<K: Id, V> Lists<K, V> {
    /// Where the list of `key` lies in [`Lists::items`].
    #[must_use]
    pub fn range(&self, key: K) -> Range<usize> {
        self.starts[key.index()] as usize..self.starts[key.index() + 1] as usize
    }

    /// All lists, one after the other in the order of their keys.
    #[must_use]
    pub fn items(&self) -> &[V] {
        &self.items
    }

    #[must_use]
    pub fn key_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (K, &[V])> {
        (0..self.key_count()).map(K::from_index).map(|key| (key, &self[key]))
    }
}

/// Counts the keys and adds the counts up.
fn starts<K: Id>(key_count: usize, keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut starts = vec![0; key_count + 1];
    for key in keys {
        starts[key.index() + 1] += 1;
    }
    for key in 0..key_count {
        starts[key + 1] += starts[key];
    }
    starts
}

impl<K: Id, V> Index<K> for Lists<K, V> {
    type Output = [V];

    fn index(&self, key: K) -> &[V] {
        &self.items[self.range(key)]
    }
}

impl<K: Id, V: std::fmt::Debug> std::fmt::Debug for Lists<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
