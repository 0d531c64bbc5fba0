//! What a path knows of terms: the numbers that they may be. Comparisons are decided by it, and
//! branches add to it.

use caulk_base::FxHashMap;
use caulk_ir::{BinaryOp, CompareOp, ConvertOp};

use super::differences::Differences;
use super::value::{Base, Term, Terms, Val};

#[derive(Clone, Debug)]
pub(super) struct Range {
    low: i64,
    high: i64,
    not: Vec<i64>,
}

impl Default for Range {
    fn default() -> Self {
        Self { low: i64::MIN, high: i64::MAX, not: Vec::new() }
    }
}

impl Range {
    fn is_empty(&self) -> bool {
        self.low > self.high || self.low == self.high && self.not.contains(&self.low)
    }

    fn may_be(&self, number: i64) -> bool {
        self.low <= number && number <= self.high && !self.not.contains(&number)
    }
}

/// Contradictory.
#[derive(Debug)]
pub(super) struct Impossible;

#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    ranges: FxHashMap<u32, Range>,
    differences: Differences,
}

/// How far terms are looked into.
const DEPTH: u32 = 6;

impl Facts {
    fn range(&self, term: u32) -> Range {
        self.ranges.get(&term).cloned().unwrap_or_default()
    }

    /// The number that a value is, if it is known.
    pub fn number(&self, val: Val) -> Option<i64> {
        match val.base {
            Base::Number => Some(val.offset),
            Base::Term(term) => {
                let range = self.ranges.get(&term)?;
                (range.low == range.high).then(|| range.low.wrapping_add(val.offset))
            }
            _ => None,
        }
    }

    pub fn is_not_null(&self, terms: &Terms, val: Val) -> bool {
        match val.base {
            Base::Number => val.offset != 0,
            Base::Object | Base::Slot(..) | Base::Static(_) => true,
            Base::Term(id) => match terms.get(id) {
                Term::Code(..) => true,
                Term::Element(base, ..) if self.is_not_null(terms, base) => true,
                _ => !self.range(id).may_be(val.offset.wrapping_neg()),
            },
        }
    }

    /// Takes over what is known of a term for a value that it turns out to be.
    pub fn substitute(&mut self, terms: &Terms, old: u32, new: Val) -> Result<(), Impossible> {
        let Some(range) = self.ranges.remove(&old) else { return Ok(()) };
        for &number in &range.not {
            self.refine(terms, CompareOp::Ne, new, number)?;
        }
        if range.low > i64::MIN {
            self.refine(terms, CompareOp::GeS, new, range.low)?;
        }
        if range.high < i64::MAX {
            self.refine(terms, CompareOp::LeS, new, range.high)?;
        }
        Ok(())
    }

    /// The outcome of a comparison, where it is known.
    pub fn compared(&self, terms: &Terms, op: CompareOp, lhs: Val, rhs: Val) -> Option<bool> {
        use CompareOp::{Eq, GeS, GeU, GtS, GtU, LeS, LeU, LtS, LtU, Ne};
        match op {
            Ne => return self.compared(terms, Eq, lhs, rhs).map(|it| !it),
            GtS => return self.compared(terms, LtS, rhs, lhs),
            GtU => return self.compared(terms, LtU, rhs, lhs),
            LeS => return self.compared(terms, LtS, rhs, lhs).map(|it| !it),
            LeU => return self.compared(terms, LtU, rhs, lhs).map(|it| !it),
            GeS => return self.compared(terms, LtS, lhs, rhs).map(|it| !it),
            GeU => return self.compared(terms, LtU, lhs, rhs).map(|it| !it),
            Eq | LtS | LtU => {}
            _ => return None,
        }
        let (left, right) = (self.number(lhs), self.number(rhs));
        if let (Some(left), Some(right)) = (left, right) {
            return Some(match op {
                Eq => left == right,
                LtS => left < right,
                _ => (left as u64) < (right as u64),
            });
        }
        if lhs.base == rhs.base {
            return Some(match op {
                Eq => lhs.offset == rhs.offset,
                _ => lhs.offset < rhs.offset,
            });
        }
        if let Some((one, other)) = unscaled(terms, lhs, rhs) {
            return self.compared(terms, op, one, other);
        }
        let known = match op {
            Eq => self.equal(terms, lhs, rhs, left, right),
            _ => self.less(op, lhs, rhs, left, right),
        };
        known.or_else(|| self.differences.compared(op, lhs, rhs))
    }

    fn equal(
        &self,
        terms: &Terms,
        lhs: Val,
        rhs: Val,
        left: Option<i64>,
        right: Option<i64>,
    ) -> Option<bool> {
        let is_place =
            |val: Val| matches!(val.base, Base::Object | Base::Slot(..) | Base::Static(_));
        match (left, right) {
            (_, Some(0)) if self.is_not_null(terms, lhs) => Some(false),
            (Some(0), _) if self.is_not_null(terms, rhs) => Some(false),
            (_, Some(number)) => self.is_number(terms, lhs, number),
            (Some(number), _) => self.is_number(terms, rhs, number),
            _ if is_place(lhs) && is_place(rhs) => Some(false),
            _ => None,
        }
    }

    fn is_number(&self, terms: &Terms, val: Val, number: i64) -> Option<bool> {
        let Base::Term(term) = val.base else { return Some(false) };
        let wanted = number.wrapping_sub(val.offset);
        if matches!(terms.get(term), Term::Compare(..)) && !(0..=1).contains(&wanted) {
            return Some(false);
        }
        (!self.range(term).may_be(wanted)).then_some(false)
    }

    fn less(
        &self,
        op: CompareOp,
        lhs: Val,
        rhs: Val,
        left: Option<i64>,
        right: Option<i64>,
    ) -> Option<bool> {
        let signed = op == CompareOp::LtS;
        match (left, right) {
            (_, Some(number)) => {
                if !signed && number == 0 {
                    return Some(false);
                }
                let Base::Term(term) = lhs.base else { return None };
                let range = self.shifted(term, lhs.offset, signed)?;
                if !signed && number < 0 {
                    return Some(true);
                }
                if range.1 < number {
                    return Some(true);
                }
                (range.0 >= number).then_some(false)
            }
            (Some(number), _) => {
                if !signed && number == -1 {
                    return Some(false);
                }
                let Base::Term(term) = rhs.base else { return None };
                let range = self.shifted(term, rhs.offset, signed)?;
                if !signed && number < 0 {
                    return Some(false);
                }
                if range.0 > number {
                    return Some(true);
                }
                (range.1 <= number).then_some(false)
            }
            _ => None,
        }
    }

    /// The bounds of a term plus an offset; of unsigned ones only if they are not negative.
    fn shifted(&self, term: u32, offset: i64, signed: bool) -> Option<(i64, i64)> {
        let range = self.range(term);
        let low = range.low.saturating_add(offset);
        let high = range.high.saturating_add(offset);
        (signed || low >= 0).then_some((low, high))
    }

    /// From now on the comparison holds.
    pub fn refine(
        &mut self,
        terms: &Terms,
        op: CompareOp,
        val: Val,
        number: i64,
    ) -> Result<(), Impossible> {
        if self.compared(terms, op, val, Val::number(number)) == Some(false) {
            return Err(Impossible);
        }
        let Base::Term(term) = val.base else { return Ok(()) };
        let number = number.wrapping_sub(val.offset);
        let range = self.ranges.entry(term).or_default();
        match op {
            CompareOp::Eq => (range.low, range.high) = (number, number),
            CompareOp::Ne => range.not.push(number),
            CompareOp::LtS => range.high = range.high.min(number.saturating_sub(1)),
            CompareOp::LeS => range.high = range.high.min(number),
            CompareOp::GtS => range.low = range.low.max(number.saturating_add(1)),
            CompareOp::GeS => range.low = range.low.max(number),
            CompareOp::LtU | CompareOp::LeU if number >= 0 && val.offset == 0 => {
                let last = if op == CompareOp::LtU { number - 1 } else { number };
                range.low = range.low.max(0);
                range.high = range.high.min(last);
            }
            CompareOp::GtU if number == 0 && val.offset == 0 => range.not.push(0),
            _ => {}
        }
        while range.not.contains(&range.low) && range.low < range.high {
            range.low += 1;
        }
        while range.not.contains(&range.high) && range.low < range.high {
            range.high -= 1;
        }
        if range.is_empty() { Err(Impossible) } else { Ok(()) }
    }

    /// From now on the condition is so.
    pub fn assume(&mut self, terms: &Terms, cond: Val, truth: bool) -> Result<(), Impossible> {
        self.assume_within(terms, cond, i64::from(truth), DEPTH)
    }

    fn assume_within(
        &mut self,
        terms: &Terms,
        cond: Val,
        number: i64,
        depth: u32,
    ) -> Result<(), Impossible> {
        self.refine(terms, CompareOp::Eq, cond, number)?;
        let (Base::Term(id), Some(depth)) = (cond.base, depth.checked_sub(1)) else {
            return Ok(());
        };
        let number = number.wrapping_sub(cond.offset);
        match terms.get(id) {
            Term::Compare(op, lhs, rhs) => {
                self.assume_compared(terms, (op, lhs, rhs), number, depth)
            }
            Term::Convert(ConvertOp::ZeroExtend, _, inner) if (0..128).contains(&number) => {
                self.assume_within(terms, inner, number, depth)
            }
            _ => Ok(()),
        }
    }

    fn assume_compared(
        &mut self,
        terms: &Terms,
        (op, lhs, rhs): (CompareOp, Val, Val),
        truth: i64,
        depth: u32,
    ) -> Result<(), Impossible> {
        let op = match (op, truth != 0) {
            (CompareOp::Eq, false) => CompareOp::Ne,
            (CompareOp::LtS, false) => CompareOp::GeS,
            (CompareOp::LtU, false) => CompareOp::GeU,
            (op, true) => op,
            _ => return Ok(()),
        };
        let turned = match op {
            CompareOp::LtS => CompareOp::GtS,
            CompareOp::GeS => CompareOp::LeS,
            CompareOp::LtU => CompareOp::GtU,
            CompareOp::GeU => CompareOp::LeU,
            same => same,
        };
        if self.compared(terms, op, lhs, rhs) == Some(false) {
            return Err(Impossible);
        }
        if let Some(number) = self.number(rhs) {
            self.one_of_two(terms, (op, lhs, number), depth)
        } else if let Some(number) = self.number(lhs) {
            self.one_of_two(terms, (turned, rhs, number), depth)
        } else {
            self.differences.note(op, lhs, rhs);
            Ok(())
        }
    }

    /// A truth value that is not the one is the other.
    fn one_of_two(
        &mut self,
        terms: &Terms,
        (op, val, number): (CompareOp, Val, i64),
        depth: u32,
    ) -> Result<(), Impossible> {
        let is_truth = match val.base {
            Base::Term(id) => val.offset == 0 && matches!(terms.get(id), Term::Compare(..)),
            _ => false,
        };
        match op {
            CompareOp::Eq => self.assume_within(terms, val, number, depth),
            CompareOp::Ne if is_truth && (0..=1).contains(&number) => {
                self.assume_within(terms, val, 1 - number, depth)
            }
            _ => self.refine(terms, op, val, number),
        }
    }
}

/// Two products by the same number compare like what is multiplied: sizes do not overflow.
fn unscaled(terms: &Terms, lhs: Val, rhs: Val) -> Option<(Val, Val)> {
    let product = |val: Val| match val {
        Val { base: Base::Term(id), offset: 0 } => match terms.get(id) {
            Term::Binary(BinaryOp::Mul | BinaryOp::MulS, one, by) => Some((one, by.as_number()?)),
            _ => None,
        },
        _ => None,
    };
    let ((one, by), (other, also)) = (product(lhs)?, product(rhs)?);
    (by == also && by > 0).then_some((one, other))
}

/// A comparison as a value: known, or the term for it. Few comparisons are told apart from their
/// contraries, so that one decides the other.
pub(super) fn compare(terms: &mut Terms, facts: &Facts, op: CompareOp, lhs: Val, rhs: Val) -> Val {
    if let Some(truth) = facts.compared(terms, op, lhs, rhs) {
        return Val::number(i64::from(truth));
    }
    use CompareOp::{Eq, GeS, GeU, GtS, GtU, LeS, LeU, LtS, LtU, Ne};
    let (op, lhs, rhs, holds) = match op {
        Ne => (Eq, lhs, rhs, false),
        GtS => (LtS, rhs, lhs, true),
        GtU => (LtU, rhs, lhs, true),
        LeS => (LtS, rhs, lhs, false),
        LeU => (LtU, rhs, lhs, false),
        GeS => (LtS, lhs, rhs, false),
        GeU => (LtU, lhs, rhs, false),
        same => (same, lhs, rhs, true),
    };
    // `truth == 0` is the contrary of the truth, and `truth != 0` the truth itself.
    if let (Eq, Base::Term(id), Some(0), 0) = (op, lhs.base, rhs.as_number(), lhs.offset)
        && matches!(terms.get(id), Term::Compare(..))
        && !holds
    {
        return lhs;
    }
    let (lhs, rhs) = if op == Eq && lhs > rhs { (rhs, lhs) } else { (lhs, rhs) };
    let positive = terms.intern(Term::Compare(op, lhs, rhs));
    match (holds, facts.number(positive)) {
        (_, Some(number)) => Val::number(i64::from((number != 0) == holds)),
        (true, None) => positive,
        (false, None) => terms.intern(Term::Compare(Eq, Val::number(0), positive)),
    }
}
