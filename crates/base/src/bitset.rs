//! A dense set of ids.

use std::marker::PhantomData;

use crate::Id;

const BITS: usize = u64::BITS as usize;

#[derive(Clone, PartialEq, Eq)]
pub struct BitSet<I> {
    words: Vec<u64>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id> BitSet<I> {
    /// An empty set for ids below `len`; inserting a larger id grows it.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(BITS)], ids: PhantomData }
    }

    /// Adds `id`; true if it was not there.
    pub fn insert(&mut self, id: I) -> bool {
        let (word, bit) = (id.index() / BITS, id.index() % BITS);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let before = self.words[word];
        self.words[word] = before | 1 << bit;
        self.words[word] != before
    }

    /// Removes `id`; true if it was there.
    pub fn remove(&mut self, id: I) -> bool {
        let (word, bit) = (id.index() / BITS, id.index() % BITS);
        let Some(slot) = self.words.get_mut(word) else { return false };
        let before = *slot;
        *slot = before & !(1 << bit);
        *slot != before
    }

    #[must_use]
    pub fn contains(&self, id: I) -> bool {
        self.words.get(id.index() / BITS).is_some_and(|word| word >> (id.index() % BITS) & 1 == 1)
    }

    /// Adds all of `other`; true if that changed the set.
    pub fn union_with(&mut self, other: &Self) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            let before = *mine;
            *mine |= theirs;
            changed |= *mine != before;
        }
        changed
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The members in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| I::from_index(index * BITS + rest.trailing_zeros() as usize))
        })
    }
}

impl<I: Id> std::fmt::Debug for BitSet<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    #[test]
    fn members_come_out_in_order_across_words() {
        let mut set = BitSet::new(10);
        for index in [130, 3, 64, 63] {
            assert!(set.insert(FileId(index)));
        }
        assert!(!set.insert(FileId(64)));
        let members: Vec<u32> = set.iter().map(|id| id.0).collect();
        assert_eq!(members, [3, 63, 64, 130]);
        assert!(set.remove(FileId(63)) && !set.contains(FileId(63)));
        assert_eq!(set.len(), 3);
    }

    #[test]
    fn union_tells_whether_it_changed() {
        let (mut left, mut right) = (BitSet::new(4), BitSet::new(200));
        left.insert(FileId(1));
        right.insert(FileId(150));
        assert!(left.union_with(&right));
        assert!(!left.union_with(&right));
        assert!(left.contains(FileId(150)));
    }
}
