//! Which variables have something new, by their places in the order of the sweeps: a sweep costs
//! what it does, however many variables there are.

/// A variable may be listed that has nothing new any more; one that has is always listed.
#[derive(Default)]
pub(crate) struct Pending {
    /// By variable. One that was made after the order has its number as its place.
    places: Vec<u32>,
    /// A bit for each place.
    words: Vec<u64>,
}

impl Pending {
    /// Nothing is pending in the new order.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        self.places.clear();
        self.places.resize(order.len(), 0);
        for (place, &variable) in order.iter().enumerate() {
            self.places[variable as usize] = u32::try_from(place).unwrap_or(u32::MAX);
        }
        self.words.clear();
    }

    pub(crate) fn add(&mut self, variable: u32) {
        let place = self.places.get(variable as usize).copied().unwrap_or(variable) as usize;
        let word = place / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (place % 64);
    }

    /// Takes the first place from `start` on, if it comes before `end`.
    pub(crate) fn take(&mut self, start: usize, end: usize) -> Option<usize> {
        let mut word = start / 64;
        let mut wanted = u64::MAX << (start % 64);
        while word * 64 < end {
            let bits = *self.words.get(word)? & wanted;
            if bits != 0 {
                let place = word * 64 + bits.trailing_zeros() as usize;
                if place >= end {
                    return None;
                }
                self.words[word] &= !(bits & bits.wrapping_neg());
                return Some(place);
            }
            wanted = u64::MAX;
            word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_in_order_and_once() {
        let mut pending = Pending::default();
        pending.reorder(&[2, 0, 1]);
        for variable in [0, 200, 2, 3] {
            pending.add(variable);
        }
        let mut taken = Vec::new();
        while let Some(place) = pending.take(taken.last().map_or(0, |last| last + 1), 200) {
            taken.push(place);
        }
        assert_eq!(taken, [0, 1, 3]);
        assert_eq!(pending.take(0, 200), None);
        assert_eq!(pending.take(0, 201), Some(200));
        pending.add(1);
        assert_eq!(pending.take(2, 3), Some(2));
    }
}
