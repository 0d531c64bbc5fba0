//! Comparisons.
//!
//! An order against a constant is a `<=`, or an equality at the ends of the range. Extensions of
//! both sides, or of one side against a constant, are taken off: `(int)c == 65` is `c == 65`.

use super::arithmetic::{self, mask, signed, signed_range};
use super::{Binary, Compare, Term, TermId, Terms};

/// The numbers that bits stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Unsigned,
    Signed,
}

impl Sign {
    fn at_most(self) -> Compare {
        match self {
            Sign::Unsigned => Compare::LeU,
            Sign::Signed => Compare::LeS,
        }
    }

    fn number(self, value: u64, width: u8) -> i128 {
        match self {
            Sign::Unsigned => value.into(),
            Sign::Signed => signed(value, width).into(),
        }
    }

    fn range(self, width: u8) -> (i128, i128) {
        match self {
            Sign::Unsigned => (0, mask(width).into()),
            Sign::Signed => {
                let (least, greatest) = signed_range(width);
                (least.into(), greatest.into())
            }
        }
    }
}

/// The bits of a number that fits a width of at most 64.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn bits(number: i128, width: u8) -> u64 {
    (number as u64) & mask(width)
}

impl Terms {
    /// A comparison of terms of one width.
    pub fn compare(&mut self, operator: Compare, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        debug_assert_eq!(width, self.width(right), "operands of {operator:?}");
        let constants = (self.as_constant(left), self.as_constant(right));
        if let (Some(a), Some(b)) = constants {
            return self.truth(arithmetic::compare(operator, a, b, width));
        }
        if left == right {
            return self.truth(!matches!(operator, Compare::LtU | Compare::LtS));
        }
        if width == 1 {
            return self.compare_bits(operator, left, right);
        }
        if let Some(chosen) = self.compare_choice(operator, left, right) {
            return chosen;
        }
        match operator {
            Compare::Eq => self.equal(left, right),
            Compare::LtU => self.below_than(Sign::Unsigned, left, right),
            Compare::LtS => self.below_than(Sign::Signed, left, right),
            Compare::LeU => self.at_most(Sign::Unsigned, left, right),
            Compare::LeS => self.at_most(Sign::Signed, left, right),
        }
    }

    pub fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(Compare::Eq, left, right)
    }

    /// Whether a term is zero: the commonest question, so the answer is kept with the term.
    pub fn is_zero(&mut self, id: TermId) -> TermId {
        if let Some(known) = self.rows[id].is_zero {
            return known;
        }
        let zero = self.constant(0, self.width(id));
        let is_zero = self.eq(id, zero);
        self.rows[id].is_zero = Some(is_zero);
        is_zero
    }

    /// As a signed number, a single set bit is -1.
    fn compare_bits(&mut self, operator: Compare, left: TermId, right: TermId) -> TermId {
        let (low, high) = match operator {
            Compare::Eq => {
                let differ = self.exclusive_or(left, right);
                return self.not(differ);
            }
            Compare::LtU | Compare::LeU => (left, right),
            Compare::LtS | Compare::LeS => (right, left),
        };
        let low = self.not(low);
        match operator {
            Compare::LtU | Compare::LtS => self.and(low, high),
            _ => self.or(low, high),
        }
    }

    /// A choice with a constant arm, against a constant.
    fn compare_choice(&mut self, operator: Compare, left: TermId, right: TermId) -> Option<TermId> {
        let (choice, on_left) = match (self.as_constant(left), self.as_constant(right)) {
            (None, Some(_)) => (left, true),
            (Some(_), None) => (right, false),
            _ => return None,
        };
        let Term::Select { condition, yes, no } = *self.get(choice) else {
            return None;
        };
        let constant_arm = self.as_constant(yes).or(self.as_constant(no)).is_some();
        if !constant_arm || !self.is_shallow(choice) {
            return None;
        }
        let mut arm = |arm| match on_left {
            true => self.compare(operator, arm, right),
            false => self.compare(operator, left, arm),
        };
        let (yes, no) = (arm(yes), arm(no));
        Some(self.select(condition, yes, no))
    }

    fn equal(&mut self, left: TermId, right: TermId) -> TermId {
        // The commonest case by far, and balanced as it is.
        if let (Term::Symbol { .. }, Some(_)) = (self.get(left), self.as_constant(right)) {
            return self.equality(left, right);
        }
        let (left, right) = match self.balance(left, right) {
            Ok(truth) => return self.truth(truth),
            Err(sides) => sides,
        };
        match self.as_constant(right) {
            Some(value) => self.equal_constant(left, value),
            None => self.equal_terms(left, right),
        }
    }

    fn equal_constant(&mut self, id: TermId, value: u64) -> TermId {
        let width = self.width(id);
        let constant = self.constant(value, width);
        match *self.get(id) {
            Term::Select { .. } => {
                let chosen = self.compare_choice(Compare::Eq, id, constant);
                chosen.unwrap_or_else(|| self.equality(id, constant))
            }
            Term::ExtendU { of, .. } => self.equal_extended(of, value, value),
            Term::ExtendS { of, .. } => {
                let narrow = self.width(of);
                let back = signed(value & mask(narrow), narrow).cast_unsigned() & mask(width);
                self.equal_extended(of, value, value ^ back)
            }
            Term::Binary(operator, front, last) => {
                let rule = self.equal_binary(operator, (front, last), id, value);
                rule.unwrap_or_else(|| self.equality(id, constant))
            }
            _ => self.equality(id, constant),
        }
    }

    /// `of` against the low bits of a value; `excess` is zero on the bits of no extension.
    fn equal_extended(&mut self, of: TermId, value: u64, excess: u64) -> TermId {
        let narrow = self.width(of);
        if excess & !mask(narrow) != 0 {
            return TermId::FALSE;
        }
        let value = self.constant(value, narrow);
        self.eq(of, value)
    }

    fn equal_binary(
        &mut self,
        operator: Binary,
        (front, last): (TermId, TermId),
        whole: TermId,
        value: u64,
    ) -> Option<TermId> {
        let width = self.width(whole);
        match (operator, self.as_constant(last)) {
            (Binary::And, Some(low)) if value & !low != 0 => Some(TermId::FALSE),
            (Binary::And, Some(bit)) if bit.is_power_of_two() && value == bit => {
                let zero = self.constant(0, width);
                let unset = self.equality(whole, zero);
                Some(self.not(unset))
            }
            (Binary::Or, Some(set)) if set & !value != 0 => Some(TermId::FALSE),
            (Binary::Or, _) if value == 0 && self.is_shallow(whole) => {
                let zero = self.constant(0, width);
                let (front, last) = (self.eq(front, zero), self.eq(last, zero));
                Some(self.and(front, last))
            }
            (Binary::Xor, Some(flipped)) => {
                let value = self.constant(value ^ flipped, width);
                Some(self.eq(front, value))
            }
            (Binary::Xor, None) if value == 0 => Some(self.eq(front, last)),
            _ => None,
        }
    }

    fn equal_terms(&mut self, left: TermId, right: TermId) -> TermId {
        match self.same_extension(left, right) {
            Some((a, b, _)) => self.eq(a, b),
            None => self.equality(left, right),
        }
    }

    /// Two terms extended in the same way, in the greater of their own widths, and whether their
    /// signs were extended.
    fn same_extension(&mut self, left: TermId, right: TermId) -> Option<(TermId, TermId, Sign)> {
        match (self.get(left), self.get(right)) {
            (&Term::ExtendU { of: a, .. }, &Term::ExtendU { of: b, .. }) => {
                let width = self.width(a).max(self.width(b));
                Some((self.extend_u(a, width), self.extend_u(b, width), Sign::Unsigned))
            }
            (&Term::ExtendS { of: a, .. }, &Term::ExtendS { of: b, .. }) => {
                let width = self.width(a).max(self.width(b));
                Some((self.extend_s(a, width), self.extend_s(b, width), Sign::Signed))
            }
            _ => None,
        }
    }

    fn below_than(&mut self, sign: Sign, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        let (least, greatest) = sign.range(width);
        if let Some(value) = self.as_constant(right) {
            let number = sign.number(value, width);
            return if number == least {
                TermId::FALSE
            } else {
                self.at_most_constant(sign, left, number - 1)
            };
        }
        if let Some(value) = self.as_constant(left) {
            let number = sign.number(value, width);
            return if number == greatest {
                TermId::FALSE
            } else {
                self.at_least_constant(sign, right, number + 1)
            };
        }
        let strict = if sign == Sign::Signed { Compare::LtS } else { Compare::LtU };
        self.ordered(strict, left, right)
    }

    fn at_most(&mut self, sign: Sign, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        if let Some(value) = self.as_constant(right) {
            return self.at_most_constant(sign, left, sign.number(value, width));
        }
        if let Some(value) = self.as_constant(left) {
            return self.at_least_constant(sign, right, sign.number(value, width));
        }
        self.ordered(sign.at_most(), left, right)
    }

    fn ordered(&mut self, operator: Compare, left: TermId, right: TermId) -> TermId {
        let Some((a, b, extension)) = self.same_extension(left, right) else {
            return self.intern(Term::Compare(operator, left, right));
        };
        let operator = match (operator, extension) {
            (Compare::LtS, Sign::Unsigned) => Compare::LtU,
            (Compare::LeS, Sign::Unsigned) => Compare::LeU,
            _ => operator,
        };
        self.compare(operator, a, b)
    }

    fn at_most_constant(&mut self, sign: Sign, id: TermId, bound: i128) -> TermId {
        let width = self.width(id);
        if let Some((of, inner, (least, greatest))) = self.extended_range(sign, id) {
            return match bound {
                _ if bound >= greatest => TermId::TRUE,
                _ if bound < least => TermId::FALSE,
                _ => self.at_most_constant(inner, of, bound),
            };
        }
        let (least, greatest) = sign.range(width);
        if bound == greatest {
            return TermId::TRUE;
        }
        if bound == least || bound == greatest - 1 {
            return self.at_end(id, bound == least, if bound == least { least } else { greatest });
        }
        let bound = self.constant(bits(bound, width), width);
        self.intern(Term::Compare(sign.at_most(), id, bound))
    }

    fn at_least_constant(&mut self, sign: Sign, id: TermId, bound: i128) -> TermId {
        let width = self.width(id);
        if let Some((of, inner, (least, greatest))) = self.extended_range(sign, id) {
            return match bound {
                _ if bound <= least => TermId::TRUE,
                _ if bound > greatest => TermId::FALSE,
                _ => self.at_least_constant(inner, of, bound),
            };
        }
        let (least, greatest) = sign.range(width);
        if bound == least {
            return TermId::TRUE;
        }
        if bound == greatest || bound == least + 1 {
            let end = if bound == greatest { greatest } else { least };
            return self.at_end(id, bound == greatest, end);
        }
        let bound = self.constant(bits(bound, width), width);
        self.intern(Term::Compare(sign.at_most(), bound, id))
    }

    /// Whether a term is, or is not, the number at an end of its range.
    fn at_end(&mut self, id: TermId, is: bool, end: i128) -> TermId {
        let width = self.width(id);
        let end = self.constant(bits(end, width), width);
        let equal = self.eq(id, end);
        if is { equal } else { self.not(equal) }
    }

    /// What an extended term extends, if the order of the extended term is an order of it: then
    /// which, and the range.
    fn extended_range(&self, sign: Sign, id: TermId) -> Option<(TermId, Sign, (i128, i128))> {
        let (of, inner) = match *self.get(id) {
            Term::ExtendU { of, .. } => (of, Sign::Unsigned),
            Term::ExtendS { of, .. } if sign == Sign::Signed => (of, Sign::Signed),
            _ => return None,
        };
        Some((of, inner, inner.range(self.width(of))))
    }
}
