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

    pub fn union_with(&mut self, other: &RegionSet) {
        if other.blocks.is_empty() {
            return;
        }
        let mine = std::mem::take(&mut self.blocks);
        self.blocks.reserve(mine.len().max(other.blocks.len()));
        let (mut left, mut right) = (mine.into_iter().peekable(), other.blocks.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(&(a, bits)), Some(&&(b, more))) if a == b => {
                    left.next();
                    right.next();
                    (a, bits | more)
                }
                (Some(&(a, bits)), Some(&&(b, _))) if a < b => {
                    left.next();
                    (a, bits)
                }
                (Some(&block), None) => {
                    left.next();
                    block
                }
                (_, Some(&&block)) => {
                    right.next();
                    block
                }
                (None, None) => break,
            };
            self.blocks.push(next);
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
}
