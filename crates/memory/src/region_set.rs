//! A set of regions as sorted 64-bit blocks: mod-ref sets are large, and clustered by object.

use crate::regions::RegionId;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionSet {
    blocks: Vec<(u32, u64)>,
}

impl RegionSet {
    #[must_use]
    pub fn contains(&self, region: RegionId) -> bool {
        let block = region.0 / 64;
        self.blocks
            .binary_search_by_key(&block, |&(number, _)| number)
            .is_ok_and(|at| self.blocks[at].1 >> (region.0 % 64) & 1 == 1)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|(_, bits)| bits.count_ones() as usize).sum()
    }

    /// The members in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.blocks.iter().flat_map(|&(number, bits)| {
            std::iter::successors(Some(bits), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| RegionId(number * 64 + rest.trailing_zeros()))
        })
    }

    /// Work in proportion to what is taken out, not to the set.
    pub fn remove(&mut self, regions: &[RegionId]) {
        let mut emptied = false;
        for region in regions {
            let block = region.0 / 64;
            if let Ok(at) = self.blocks.binary_search_by_key(&block, |&(number, _)| number) {
                self.blocks[at].1 &= !(1 << (region.0 % 64));
                emptied |= self.blocks[at].1 == 0;
            }
        }
        if emptied {
            self.blocks.retain(|&(_, bits)| bits != 0);
        }
    }

    /// In place: most unions of mod-ref sets add little.
    pub fn union_with(&mut self, other: &RegionSet) {
        let mut added = Vec::new();
        let mut at = 0;
        for &(number, bits) in &other.blocks {
            while at < self.blocks.len() && self.blocks[at].0 < number {
                at += 1;
            }
            match self.blocks.get_mut(at) {
                Some((mine, known)) if *mine == number => *known |= bits,
                _ => added.push((number, bits)),
            }
        }
        self.merge(&added);
    }

    /// Puts blocks in that are not there, from the back, so that none moves twice.
    fn merge(&mut self, added: &[(u32, u64)]) {
        let mut read = self.blocks.len();
        self.blocks.resize(read + added.len(), (0, 0));
        let mut write = self.blocks.len();
        for &block in added.iter().rev() {
            while read > 0 && self.blocks[read - 1].0 > block.0 {
                (read, write) = (read - 1, write - 1);
                self.blocks[write] = self.blocks[read];
            }
            write -= 1;
            self.blocks[write] = block;
        }
    }
}

impl FromIterator<RegionId> for RegionSet {
    fn from_iter<R: IntoIterator<Item = RegionId>>(regions: R) -> Self {
        let mut sorted: Vec<RegionId> = regions.into_iter().collect();
        sorted.sort_unstable();
        let mut blocks: Vec<(u32, u64)> = Vec::new();
        for region in sorted {
            let (number, bit) = (region.0 / 64, 1 << (region.0 % 64));
            match blocks.last_mut() {
                Some((last, bits)) if *last == number => *bits |= bit,
                _ => blocks.push((number, bit)),
            }
        }
        Self { blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ids: &[u32]) -> RegionSet {
        ids.iter().map(|&id| RegionId(id)).collect()
    }

    #[test]
    fn a_union_has_the_members_of_both() {
        for (a, b) in
            [(&[1, 64, 300][..], &[2, 65, 128][..]), (&[], &[7]), (&[7], &[]), (&[5], &[5])]
        {
            let mut union = set(a);
            union.union_with(&set(b));
            let mut expected = [a, b].concat();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(union.iter().map(|id| id.0).collect::<Vec<_>>(), expected);
            assert!(expected.iter().all(|&id| union.contains(RegionId(id))));
            assert_eq!(union.len(), expected.len());
            assert!(!union.contains(RegionId(999)));
        }
    }

    #[test]
    fn what_is_removed_leaves_no_trace() {
        let mut some = set(&[1, 2, 64, 300]);
        some.remove(&[RegionId(2), RegionId(3), RegionId(64), RegionId(999)]);
        assert_eq!(some, set(&[1, 300]));
        some.remove(&[RegionId(1), RegionId(300)]);
        assert_eq!(some, RegionSet::default());
    }
}
