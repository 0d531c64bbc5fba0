//! The values that a term can have: an interval of unsigned numbers, one of signed numbers, and a
//! few values that are left out. A value is in a range if it is in both intervals and no hole.

use super::Compare;
use super::arithmetic::{mask, sign_bit, signed, signed_range};

/// The most values that are left out of the middle. More are forgotten.
const HOLES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    width: u8,
    low: u64,
    high: u64,
    least: i64,
    greatest: i64,
    /// The first `count`, ascending; the rest are zero.
    holes: [u64; HOLES],
    count: u8,
}

impl Range {
    #[must_use]
    pub fn full(width: u8) -> Self {
        let (least, greatest) = signed_range(width);
        Self { width, low: 0, high: mask(width), least, greatest, holes: [0; HOLES], count: 0 }
    }

    #[must_use]
    pub fn point(value: u64, width: u8) -> Self {
        let number = signed(value, width);
        Self { low: value, high: value, least: number, greatest: number, ..Self::full(width) }
    }

    /// The unsigned numbers from `low` to `high`; nothing if there are none.
    #[must_use]
    pub fn unsigned(low: u64, high: u64, width: u8) -> Option<Self> {
        Self { low, high: high.min(mask(width)), ..Self::full(width) }.normal()
    }

    /// The signed numbers from `least` to `greatest`; nothing if there are none.
    #[must_use]
    pub fn signed(least: i64, greatest: i64, width: u8) -> Option<Self> {
        let (first, last) = signed_range(width);
        let (least, greatest) = (least.max(first), greatest.min(last));
        Self { least, greatest, ..Self::full(width) }.normal()
    }

    #[must_use]
    pub fn width(&self) -> u8 {
        self.width
    }

    #[must_use]
    pub fn low(&self) -> u64 {
        self.low
    }

    #[must_use]
    pub fn high(&self) -> u64 {
        self.high
    }

    #[must_use]
    pub fn least(&self) -> i64 {
        self.least
    }

    #[must_use]
    pub fn greatest(&self) -> i64 {
        self.greatest
    }

    /// The only value, if there is one.
    #[must_use]
    pub fn value(&self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    #[must_use]
    pub fn contains(&self, value: u64) -> bool {
        let number = signed(value, self.width);
        (self.low..=self.high).contains(&value)
            && (self.least..=self.greatest).contains(&number)
            && !self.holes().contains(&value)
    }

    /// Whether all values are this one, or none is.
    pub(super) fn decide_equal(&self, value: u64) -> Option<bool> {
        match self.value() {
            Some(only) => Some(only == value),
            None => (!self.contains(value)).then_some(false),
        }
    }

    #[must_use]
    pub fn is_full(&self) -> bool {
        self.count == 0
            && (self.low, self.high) == (0, mask(self.width))
            && (self.least, self.greatest) == signed_range(self.width)
    }

    /// The values in both; nothing if there are none.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Option<Self> {
        if other.is_full() || self == other {
            return Some(*self);
        }
        let mut both = Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
            ..*self
        };
        other.holes().iter().for_each(|&hole| both.add_hole(hole));
        both.normal()
    }

    /// A range with the values of both, and others if need be.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let mut either = Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            ..Self::full(self.width)
        };
        for &hole in self.holes().iter().chain(other.holes()) {
            if !self.contains(hole) && !other.contains(hole) {
                either.add_hole(hole);
            }
        }
        either.normal().unwrap_or(either)
    }

    /// Without a value; nothing if that leaves none.
    #[must_use]
    pub fn without(mut self, value: u64) -> Option<Self> {
        if !self.contains(value) {
            return Some(self);
        }
        if value == self.low && value == self.high {
            return None;
        }
        // At an end the interval shrinks, and no hole is needed.
        if value == self.low {
            self.low += 1;
        } else if value == self.high {
            self.high -= 1;
        } else if signed(value, self.width) == self.least {
            self.least += 1;
        } else if signed(value, self.width) == self.greatest {
            self.greatest -= 1;
        } else {
            self.add_hole(value);
        }
        self.normal()
    }

    /// Every value with `by` added. An interval that would wrap around in its midst is given up,
    /// unless it leaves out but a few values.
    #[must_use]
    pub fn shifted(&self, by: u64) -> Self {
        if by == 0 {
            return *self;
        }
        let all = mask(self.width);
        let shift = |value: u64| value.wrapping_add(by) & all;
        let number = |value: i64| signed(shift(value.cast_unsigned()), self.width);
        let mut result = Self::full(self.width);
        let (low, high) = (shift(self.low), shift(self.high));
        if low <= high {
            (result.low, result.high) = (low, high);
        } else {
            result.add_holes_between(high, low);
        }
        let (least, greatest) = (number(self.least), number(self.greatest));
        if least <= greatest {
            (result.least, result.greatest) = (least, greatest);
        } else {
            result.add_holes_between(greatest.cast_unsigned(), least.cast_unsigned());
        }
        self.holes().iter().for_each(|&hole| result.add_hole(shift(hole)));
        result.normal().unwrap_or(result)
    }

    /// Whether a comparison holds for all values of two ranges, or for none.
    #[must_use]
    pub fn compare(operator: Compare, left: &Self, right: &Self) -> Option<bool> {
        let (always, never) = match operator {
            Compare::Eq => {
                let same = left.value().is_some() && left.value() == right.value();
                (same, left.meet(right).is_none())
            }
            Compare::LtU => (left.high < right.low, left.low >= right.high),
            Compare::LeU => (left.high <= right.low, left.low > right.high),
            Compare::LtS => (left.greatest < right.least, left.least >= right.greatest),
            Compare::LeS => (left.greatest <= right.least, left.least > right.greatest),
        };
        match (always, never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    fn holes(&self) -> &[u64] {
        &self.holes[..usize::from(self.count)]
    }

    fn add_hole(&mut self, value: u64) {
        let count = usize::from(self.count);
        if let Err(place) = self.holes().binary_search(&value)
            && count < HOLES
        {
            self.holes.copy_within(place..count, place + 1);
            self.holes[place] = value;
            self.count += 1;
        }
    }

    fn add_holes_between(&mut self, below: u64, above: u64) {
        let count = above.wrapping_sub(below);
        if count <= HOLES as u64 {
            let all = mask(self.width);
            (1..count).for_each(|step| self.add_hole(below.wrapping_add(step) & all));
        }
    }

    /// With ends that are values, the intervals fitted to each other, and no hole but between
    /// ends; nothing if no value is left. Each round takes a hole away or is the last but one.
    fn normal(mut self) -> Option<Self> {
        if self.count == 0 {
            return self.fitted();
        }
        loop {
            let before = self;
            self.fit();
            self.trim();
            if self.low > self.high || self.least > self.greatest {
                return None;
            }
            if self == before {
                return Some(self);
            }
        }
    }

    /// The same without holes, as most ranges are.
    fn fitted(mut self) -> Option<Self> {
        loop {
            let before = (self.low, self.high, self.least, self.greatest);
            self.fit();
            if self.low > self.high || self.least > self.greatest {
                return None;
            }
            if before == (self.low, self.high, self.least, self.greatest) {
                return Some(self);
            }
        }
    }

    /// Takes over the bounds of one interval into the other where both orders agree.
    fn fit(&mut self) {
        let sign = sign_bit(self.width);
        if self.low <= self.high && (self.low & sign) == (self.high & sign) {
            self.least = self.least.max(signed(self.low, self.width));
            self.greatest = self.greatest.min(signed(self.high, self.width));
        }
        if self.least <= self.greatest && (self.least < 0) == (self.greatest < 0) {
            let all = mask(self.width);
            self.low = self.low.max(self.least.cast_unsigned() & all);
            self.high = self.high.min(self.greatest.cast_unsigned() & all);
        }
    }

    /// Moves ends over holes, and drops holes that are outside then.
    fn trim(&mut self) {
        let holes = self.holes;
        let holes = &holes[..usize::from(self.count)];
        if self.low < self.high {
            self.low += u64::from(holes.contains(&self.low));
            self.high -= u64::from(holes.contains(&self.high));
        } else if self.low == self.high && holes.contains(&self.low) {
            (self.low, self.high) = (1, 0);
            return;
        }
        if self.least < self.greatest {
            let is_hole =
                |number: i64| holes.contains(&(number.cast_unsigned() & mask(self.width)));
            self.least += i64::from(is_hole(self.least));
            self.greatest -= i64::from(is_hole(self.greatest));
        }
        let outside = |hole: &u64| {
            !(self.low..=self.high).contains(hole)
                || !(self.least..=self.greatest).contains(&signed(*hole, self.width))
        };
        if holes.iter().any(outside) {
            let inside: Vec<u64> = holes.iter().copied().filter(|hole| !outside(hole)).collect();
            (self.holes, self.count) = ([0; HOLES], 0);
            inside.into_iter().for_each(|hole| self.add_hole(hole));
        }
    }
}
