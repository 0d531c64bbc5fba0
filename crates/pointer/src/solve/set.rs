//! A set of locations: 64 neighbouring ones to a word, the words that have members in order.
//! Locations of one object and of neighbouring objects have neighbouring ids, so most sets are a
//! word or two, and a union is a merge of words. A single word lies in the set itself.

use crate::location::LocId;

#[derive(Clone, Copy, Debug)]
struct Block {
    index: u32,
    bits: u64,
}

#[derive(Clone, Debug)]
enum Blocks {
    One(Block),
    Many(Vec<Block>),
}

#[derive(Clone, Debug)]
pub(crate) struct Set {
    blocks: Blocks,
}

impl Default for Set {
    fn default() -> Self {
        Set { blocks: Blocks::Many(Vec::new()) }
    }
}

impl Set {
    fn blocks(&self) -> &[Block] {
        match &self.blocks {
            Blocks::One(block) => std::slice::from_ref(block),
            Blocks::Many(blocks) => blocks,
        }
    }

    fn blocks_mut(&mut self) -> &mut [Block] {
        match &mut self.blocks {
            Blocks::One(block) => std::slice::from_mut(block),
            Blocks::Many(blocks) => blocks,
        }
    }

    fn vec_mut(&mut self) -> &mut Vec<Block> {
        if let Blocks::One(block) = self.blocks {
            self.blocks = Blocks::Many(vec![block]);
        }
        match &mut self.blocks {
            Blocks::Many(blocks) => blocks,
            Blocks::One(_) => unreachable!("it was replaced"),
        }
    }

    /// A block past all others.
    fn push(&mut self, block: Block) {
        if self.is_empty() {
            self.blocks = Blocks::One(block);
        } else {
            self.vec_mut().push(block);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks().is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = LocId> + '_ {
        self.blocks().iter().flat_map(|block| {
            let mut bits = block.bits;
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.checked_sub(1)?;
                Some(LocId(block.index * 64 + bit))
            })
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks().iter().map(|block| block.bits.count_ones() as usize).sum()
    }

    pub(crate) fn insert(&mut self, loc: LocId) -> bool {
        let (index, bits) = (loc.0 / 64, 1 << (loc.0 % 64));
        match self.blocks().binary_search_by_key(&index, |block| block.index) {
            Ok(at) => {
                let block = &mut self.blocks_mut()[at];
                let before = block.bits;
                block.bits |= bits;
                before & bits == 0
            }
            Err(at) if at == self.blocks().len() => {
                self.push(Block { index, bits });
                true
            }
            Err(at) => {
                self.vec_mut().insert(at, Block { index, bits });
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

    /// Whether a member is marked, in words of 64 locations.
    pub(crate) fn meets(&self, marked: &[u64]) -> bool {
        self.blocks()
            .iter()
            .any(|block| marked.get(block.index as usize).is_some_and(|it| it & block.bits != 0))
    }

    /// Marks its members.
    pub(crate) fn mark(&self, marked: &mut Vec<u64>) {
        for block in self.blocks() {
            let index = block.index as usize;
            marked.resize(marked.len().max(index + 1), 0);
            marked[index] |= block.bits;
        }
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
        let mine = self.blocks();
        let mut missing = Set::default();
        let mut at = 0;
        for block in other.blocks() {
            at = seek(mine, at, block.index);
            let known = mine.get(at).filter(|mine| mine.index == block.index);
            let bits = block.bits & !known.map_or(0, |known| known.bits);
            if bits != 0 {
                missing.push(Block { index: block.index, bits });
            }
        }
        missing
    }

    pub(crate) fn unite(&mut self, other: &Set) {
        if self.is_empty() {
            *self = other.clone();
            return;
        }
        let mine = self.blocks_mut();
        let (mut at, mut added) = (0, 0);
        for block in other.blocks() {
            at = seek(mine, at, block.index);
            match mine.get_mut(at) {
                Some(known) if known.index == block.index => known.bits |= block.bits,
                _ => added += 1,
            }
        }
        if added > 0 {
            self.add_blocks(other.blocks(), added);
        }
    }

    /// Puts in those of the blocks that are not there, from the back, so that no block moves twice.
    fn add_blocks(&mut self, theirs: &[Block], added: usize) {
        let blocks = self.vec_mut();
        let mut read = blocks.len();
        blocks.resize(read + added, Block { index: 0, bits: 0 });
        let mut write = blocks.len();
        for &block in theirs.iter().rev() {
            while read > 0 && blocks[read - 1].index > block.index {
                (read, write) = (read - 1, write - 1);
                blocks[write] = blocks[read];
            }
            if read == 0 || blocks[read - 1].index != block.index {
                write -= 1;
                blocks[write] = block;
            }
            if read == write {
                return;
            }
        }
    }
}

/// The first block from `at` on that is not before `index`. Doubles its steps, because one set may
/// be much smaller than the other.
fn seek(blocks: &[Block], at: usize, index: u32) -> usize {
    let rest = &blocks[at..];
    let mut step = 1;
    while step < rest.len() && rest[step - 1].index < index {
        step *= 2;
    }
    let near = &rest[step / 2..step.min(rest.len())];
    at + step / 2 + near.partition_point(|block| block.index < index)
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
                (0..n).map(|_| next() % 1600).collect()
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
            let mut marked = Vec::new();
            theirs.mark(&mut marked);
            let alone = set(&a.iter().copied().collect::<Vec<_>>());
            assert_eq!(alone.meets(&marked), !a.is_disjoint(&b));
            let both = a.intersection(&b).copied().collect::<Vec<_>>();
            assert_eq!(read(&alone.common(&theirs)), both);
        }
    }
}
