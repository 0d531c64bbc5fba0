//! A set of locations: 64 neighbouring ones to a word, the words that have members in a sorted
//! vector. Locations of one object and of neighbouring objects have neighbouring ids, so most
//! sets are a word or two, and a union is a merge of words.

use crate::location::LocId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    index: u32,
    bits: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set {
    blocks: Vec<Block>,
}

impl Set {
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = LocId> + '_ {
        self.blocks.iter().flat_map(|block| {
            let mut bits = block.bits;
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.checked_sub(1)?;
                Some(LocId(block.index * 64 + bit))
            })
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.bits.count_ones() as usize).sum()
    }

    pub(crate) fn insert(&mut self, loc: LocId) -> bool {
        let (index, bit) = (loc.0 / 64, 1 << (loc.0 % 64));
        match self.blocks.binary_search_by_key(&index, |block| block.index) {
            Ok(at) => {
                let before = self.blocks[at].bits;
                self.blocks[at].bits |= bit;
                before & bit == 0
            }
            Err(at) => {
                self.blocks.insert(at, Block { index, bits: bit });
                true
            }
        }
    }

    /// Adds all of `other`; what was not there goes to `new` as well. True if anything did.
    pub(crate) fn absorb(&mut self, other: &Set, new: &mut Set) -> bool {
        let fresh = self.missing(other);
        if fresh.is_empty() {
            return false;
        }
        self.unite(&fresh);
        if new.is_empty() {
            *new = fresh;
        } else {
            new.unite(&fresh);
        }
        true
    }

    pub(crate) fn common(&self, other: &Set) -> Set {
        let lacking = other.missing(self);
        lacking.missing(self)
    }

    pub(crate) fn remove(&mut self, other: &Set) {
        if !other.is_empty() && !self.is_empty() {
            *self = other.missing(self);
        }
    }

    /// What `other` has and this one lacks.
    fn missing(&self, other: &Set) -> Set {
        let mut blocks = Vec::new();
        let mut at = 0;
        for block in &other.blocks {
            while at < self.blocks.len() && self.blocks[at].index < block.index {
                at += 1;
            }
            let mine = self.blocks.get(at).filter(|mine| mine.index == block.index);
            let bits = block.bits & !mine.map_or(0, |mine| mine.bits);
            if bits != 0 {
                blocks.push(Block { index: block.index, bits });
            }
        }
        Set { blocks }
    }

    /// In place, from the back, so that no block moves twice.
    pub(crate) fn unite(&mut self, other: &Set) {
        let added = self.new_blocks(other);
        let mut read = self.blocks.len();
        self.blocks.resize(read + added, Block { index: 0, bits: 0 });
        let mut write = self.blocks.len();
        let mut theirs = other.blocks.len();
        while theirs > 0 {
            let block = other.blocks[theirs - 1];
            write -= 1;
            if read > 0 && self.blocks[read - 1].index >= block.index {
                read -= 1;
                self.blocks[write] = self.blocks[read];
                if self.blocks[write].index == block.index {
                    self.blocks[write].bits |= block.bits;
                    theirs -= 1;
                }
            } else {
                self.blocks[write] = block;
                theirs -= 1;
            }
        }
    }

    fn new_blocks(&self, other: &Set) -> usize {
        let mut at = 0;
        let mut count = 0;
        for block in &other.blocks {
            while at < self.blocks.len() && self.blocks[at].index < block.index {
                at += 1;
            }
            count += usize::from(self.blocks.get(at).is_none_or(|mine| mine.index != block.index));
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn set(locs: &[u32]) -> Set {
        let mut set = Set::default();
        locs.iter().for_each(|&loc| {
            set.insert(LocId(loc));
        });
        set
    }

    #[test]
    fn behaves_like_a_tree_set() {
        let mut seed = 7u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        for _ in 0..2000 {
            let draw = |n: u32, next: &mut dyn FnMut() -> u32| -> Vec<u32> {
                (0..n).map(|_| next() % 400).collect()
            };
            let (n, m) = (next() % 20, next() % 20);
            let (a, b) = (draw(n, &mut next), draw(m, &mut next));
            let (mut mine, theirs, mut new) = (set(&a), set(&b), Set::default());
            let changed = mine.absorb(&theirs, &mut new);
            let (a, b): (BTreeSet<u32>, BTreeSet<u32>) =
                (a.into_iter().collect(), b.into_iter().collect());
            let read = |set: &Set| set.iter().map(|loc| loc.0).collect::<Vec<_>>();
            assert_eq!(read(&mine), a.union(&b).copied().collect::<Vec<_>>());
            assert_eq!(read(&new), b.difference(&a).copied().collect::<Vec<_>>());
            assert_eq!(changed, !new.is_empty());
            let both = a.intersection(&b).copied().collect::<Vec<_>>();
            assert_eq!(read(&set(&a.iter().copied().collect::<Vec<_>>()).common(&theirs)), both);
        }
    }
}
