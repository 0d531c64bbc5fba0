//! Numbers as pairs of intervals (Table 4 of the paper): enough for "not zero", "negative or
//! positive", and the two sides of a comparison.

use std::fmt;

use smallvec::SmallVec;

/// A range of numbers; the extreme bounds stand for infinity. Empty when `low > high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    low: i64,
    high: i64,
}

impl Interval {
    const EMPTY: Interval = Interval { low: i64::MAX, high: i64::MIN };

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    fn meet(self, other: Interval) -> Interval {
        let met = Interval { low: self.low.max(other.low), high: self.high.min(other.high) };
        if met.is_empty() { Interval::EMPTY } else { met }
    }

    fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// A bound is infinite.
    fn is_open(self) -> bool {
        self.low == i64::MIN || self.high == i64::MAX
    }

    fn negated(self) -> Interval {
        let flip = |bound: i64| match bound {
            i64::MIN => i64::MAX,
            i64::MAX => i64::MIN,
            bound => -bound,
        };
        Interval { low: flip(self.high), high: flip(self.low) }
    }

    /// None when a finite bound overflows.
    fn sum(self, other: Interval) -> Option<Interval> {
        let is_low = |bound| bound == i64::MIN;
        let is_high = |bound| bound == i64::MAX;
        let low = match (self.low, other.low) {
            (a, b) if is_low(a) || is_low(b) => i64::MIN,
            (a, b) => a.checked_add(b)?,
        };
        let high = match (self.high, other.high) {
            (a, b) if is_high(a) || is_high(b) => i64::MAX,
            (a, b) => a.checked_add(b)?,
        };
        Some(Interval { low, high })
    }

    /// Whether nothing lies between the two.
    fn touches(self, later: Interval) -> bool {
        self.high == i64::MAX || later.low <= self.high + 1
    }
}

/// As many as two sets of numbers give.
type Few = SmallVec<[Interval; 4]>;

/// A set of numbers: at most two intervals, in order and apart from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    first: Interval,
    second: Interval,
}

impl Numbers {
    pub const NONE: Numbers = Numbers { first: Interval::EMPTY, second: Interval::EMPTY };
    pub const ALL: Numbers =
        Numbers { first: Interval { low: i64::MIN, high: i64::MAX }, second: Interval::EMPTY };
    pub const ZERO: Numbers =
        Numbers { first: Interval { low: 0, high: 0 }, second: Interval::EMPTY };
    pub const TRUTH: Numbers =
        Numbers { first: Interval { low: 0, high: 1 }, second: Interval::EMPTY };

    /// As [`Numbers::of_bounds`] takes them.
    #[must_use]
    pub fn bounds(&self) -> [i64; 4] {
        [self.first.low, self.first.high, self.second.low, self.second.high]
    }

    /// Numbers that had these bounds.
    #[must_use]
    pub fn of_bounds(bounds: [i64; 4]) -> Numbers {
        let [low, high, then_low, then_high] = bounds;
        Numbers {
            first: Interval { low, high },
            second: Interval { low: then_low, high: then_high },
        }
    }

    #[must_use]
    pub fn constant(value: i64) -> Self {
        Self::range(value, value)
    }

    #[must_use]
    pub fn range(low: i64, high: i64) -> Self {
        let first = Interval { low, high };
        Self { first: if first.is_empty() { Interval::EMPTY } else { first }, ..Self::NONE }
    }

    #[must_use]
    pub fn is_none(&self) -> bool {
        self.first.is_empty()
    }

    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        let single = self.second.is_empty() && self.first.low == self.first.high;
        single.then_some(self.first.low)
    }

    #[must_use]
    pub fn low(&self) -> Option<i64> {
        (!self.is_none()).then_some(self.first.low)
    }

    #[must_use]
    pub fn high(&self) -> Option<i64> {
        let last = if self.second.is_empty() { self.first } else { self.second };
        (!last.is_empty()).then_some(last.high)
    }

    #[must_use]
    pub fn contains(&self, value: i64) -> bool {
        self.parts().any(|part| part.low <= value && value <= part.high)
    }

    #[must_use]
    pub fn join(&self, other: &Numbers) -> Numbers {
        if self == other || self.is_all() || other.is_none() {
            return *self;
        }
        if other.is_all() || self.is_none() {
            return *other;
        }
        Self::of_parts(self.parts().chain(other.parts()))
    }

    #[must_use]
    pub fn meet(&self, other: &Numbers) -> Numbers {
        if self.is_all() || other.is_none() {
            return *other;
        }
        if other.is_all() || self.is_none() {
            return *self;
        }
        let pairs = self.parts().flat_map(|a| other.parts().map(move |b| a.meet(b)));
        Self::of_parts(pairs)
    }

    /// Without one number: splits an interval in two where there is room for it.
    #[must_use]
    pub fn without(&self, value: i64) -> Numbers {
        let below = value.checked_sub(1).map_or(Self::NONE, |high| Self::range(i64::MIN, high));
        let above = value.checked_add(1).map_or(Self::NONE, |low| Self::range(low, i64::MAX));
        self.meet(&below.join(&above))
    }

    /// Bounds that still move go to infinity, a gap that moves is closed (P2).
    #[must_use]
    pub fn widen(&self, next: &Numbers) -> Numbers {
        if self.is_none() || next.is_none() || self == next {
            return self.join(next);
        }
        let all = self.join(next);
        let (low, high) = (self.first.low, self.hull().high);
        let hull = all.hull();
        let low = if hull.low < low { i64::MIN } else { low };
        let high = if hull.high > high { i64::MAX } else { high };
        let keeps_gap = !self.second.is_empty()
            && !all.second.is_empty()
            && all.first.high == self.first.high
            && all.second.low == self.second.low;
        if keeps_gap {
            let first = Interval { low, ..self.first };
            return Self { first, second: Interval { high, ..self.second } };
        }
        Self::range(low, high)
    }

    fn hull(&self) -> Interval {
        if self.second.is_empty() { self.first } else { self.first.hull(self.second) }
    }

    fn parts(&self) -> impl Iterator<Item = Interval> + Clone + use<> {
        [self.first, self.second].into_iter().filter(|part| !part.is_empty())
    }

    /// Of more than two, those with the smallest gap between them become one.
    fn of_parts(parts: impl Iterator<Item = Interval>) -> Numbers {
        let mut sorted: Few = parts.filter(|part| !part.is_empty()).collect();
        sorted.sort_unstable_by_key(|part| part.low);
        let mut merged = Few::new();
        for part in sorted {
            match merged.last_mut() {
                Some(last) if last.touches(part) => *last = last.hull(part),
                _ => merged.push(part),
            }
        }
        while merged.len() > 2 {
            let gap = |at: &usize| merged[at + 1].low.saturating_sub(merged[*at].high);
            let at = (0..merged.len() - 1).min_by_key(gap).unwrap_or(0);
            let later = merged.remove(at + 1);
            merged[at] = merged[at].hull(later);
        }
        let mut parts = merged.into_iter();
        let mut next = || parts.next().unwrap_or(Interval::EMPTY);
        Self { first: next(), second: next() }
    }

    /// Infinite bounds stay; where a finite one overflows, nothing is known.
    #[must_use]
    pub fn add(&self, other: &Numbers) -> Numbers {
        let sums = self.parts().flat_map(|a| other.parts().map(move |b| a.sum(b)));
        sums.collect::<Option<Vec<Interval>>>()
            .map_or(Self::ALL, |sums| Self::of_parts(sums.into_iter()))
    }

    #[must_use]
    pub fn negate(&self) -> Numbers {
        Self::of_parts(self.parts().map(Interval::negated))
    }

    /// All but these; of three gaps, two become one.
    #[must_use]
    pub fn outside(&self) -> Numbers {
        let below = |part: Interval| part.low.checked_sub(1).map(|high| (i64::MIN, high));
        let above = |part: Interval| part.high.checked_add(1).map(|low| (low, i64::MAX));
        let side = |bounds: Option<(i64, i64)>| {
            bounds.map_or(Self::NONE, |(low, high)| Self::range(low, high))
        };
        let mut all = Self::ALL;
        for part in self.parts() {
            all = all.meet(&side(below(part)).join(&side(above(part))));
        }
        all
    }

    #[must_use]
    pub fn subtract(&self, other: &Numbers) -> Numbers {
        self.add(&other.negate())
    }

    #[must_use]
    pub fn multiply(&self, other: &Numbers) -> Numbers {
        self.combine(other, i64::checked_mul)
    }

    fn combine(&self, other: &Numbers, op: impl Fn(i64, i64) -> Option<i64>) -> Numbers {
        let mut parts = Vec::new();
        for a in self.parts() {
            for b in other.parts() {
                if a.is_open() || b.is_open() {
                    return Self::ALL;
                }
                let corners =
                    [op(a.low, b.low), op(a.low, b.high), op(a.high, b.low), op(a.high, b.high)];
                let Some(corners) = corners.into_iter().collect::<Option<Vec<i64>>>() else {
                    return Self::ALL;
                };
                let low = corners.iter().copied().min().unwrap_or(i64::MIN);
                let high = corners.iter().copied().max().unwrap_or(i64::MAX);
                parts.push(Interval { low, high });
            }
        }
        Self::of_parts(parts.into_iter())
    }

    /// The same bits of an integer of this many, taken as unsigned.
    #[must_use]
    pub fn zero_extended(&self, bits: u32) -> Numbers {
        let is_positive = self.low().is_none_or(|low| low >= 0);
        match 1i64.checked_shl(bits).filter(|_| bits < 63) {
            _ if is_positive => *self,
            Some(count) if self.low().is_some_and(|low| low < -count) => Self::range(0, count - 1),
            Some(count) => {
                let negative = self.meet(&Self::range(i64::MIN, -1));
                let positive = self.meet(&Self::range(0, i64::MAX));
                positive.join(&negative.add(&Self::constant(count)))
            }
            None => Self::ALL,
        }
    }

    /// Numbers of `zero_extended`, taken as signed again.
    #[must_use]
    pub fn signed(&self, bits: u32) -> Numbers {
        let half = 1i64.checked_shl(bits.saturating_sub(1)).filter(|_| bits < 63);
        let Some(half) = half else { return *self };
        let low = self.meet(&Self::range(0, half - 1));
        let high = self.meet(&Self::range(half, i64::MAX));
        low.join(&high.add(&Self::constant(-2 * half)))
    }

    /// All that an integer of this many bits can be, taken as signed.
    #[must_use]
    pub fn room(bits: u32) -> Numbers {
        match bits {
            1 => Numbers::TRUTH,
            2..=63 => {
                let most = (1i64 << (bits - 1)) - 1;
                Numbers::range(-most - 1, most)
            }
            _ => Numbers::ALL,
        }
    }

    /// What is left when it must fit an integer of this many bits: all, if it may wrap.
    #[must_use]
    pub fn fit(&self, bits: u32) -> Numbers {
        let room = Self::room(bits);
        let inside = self.low().is_none_or(|low| room.contains(low))
            && self.high().is_none_or(|high| room.contains(high));
        if inside { *self } else { room }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |value: i64| match value {
            i64::MIN => "-inf".to_string(),
            i64::MAX => "inf".to_string(),
            value => value.to_string(),
        };
        let texts: Vec<String> = self
            .parts()
            .map(|part| format!("[{}, {}]", bound(part.low), bound(part.high)))
            .collect();
        f.write_str(if texts.is_empty() { "none" } else { "" })?;
        f.write_str(&texts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_zero_is_a_pair() {
        let not_zero = Numbers::ALL.without(0);
        assert_eq!(not_zero.to_string(), "[-inf, -1] [1, inf]");
        assert!(!not_zero.contains(0) && not_zero.contains(7));
        assert_eq!(not_zero.join(&Numbers::ZERO), Numbers::ALL);
        assert!(Numbers::ZERO.without(0).is_none());
    }

    #[test]
    fn a_third_interval_closes_the_smallest_gap() {
        let two = Numbers::constant(0).join(&Numbers::constant(100));
        assert_eq!(two.join(&Numbers::constant(103)).to_string(), "[0, 0] [100, 103]");
        assert_eq!(
            two.join(&Numbers::constant(50)).join(&Numbers::constant(1)).to_string(),
            "[0, 50] [100, 100]"
        );
    }

    #[test]
    fn widening_ends() {
        let widened = Numbers::range(0, 1).widen(&Numbers::range(0, 2));
        assert_eq!(widened.to_string(), "[0, inf]");
        assert_eq!(widened.widen(&Numbers::range(0, 9)), widened);
        let pair = Numbers::ALL.without(0);
        assert_eq!(pair.widen(&pair), pair);
    }

    #[test]
    fn arithmetic_covers_all_results() {
        let sum = Numbers::range(-2, 3).add(&Numbers::range(10, 20));
        assert_eq!(sum.to_string(), "[8, 23]");
        assert_eq!(Numbers::range(-2, 3).multiply(&Numbers::constant(-4)).to_string(), "[-12, 8]");
        assert_eq!(Numbers::constant(300).fit(8).to_string(), "[-128, 127]");
        assert_eq!(Numbers::range(0, i64::MAX).add(&Numbers::constant(1)).to_string(), "[1, inf]");
        assert_eq!(Numbers::range(3, 4).outside().to_string(), "[-inf, 2] [5, inf]");
        assert_eq!(Numbers::range(1, i64::MAX).negate().to_string(), "[-inf, -1]");
        assert!(Numbers::range(i64::MAX - 1, i64::MAX - 1).add(&Numbers::constant(9)).is_all());
    }
}
