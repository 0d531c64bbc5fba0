//! Literals over the same sum that say more or less than each other: a disjunction keeps the weakest.

use crate::condition::{Condition, Relation};
use crate::poly::{Monomial, Poly};
use crate::space::{Cond, Expr, Space};

/// Disjunctions of more parts are left as they are.
const MOST_PARTS: usize = 8;

impl Space {
    /// `a || !a && b` is `a || b`; a part from which another one follows is left out.
    pub(crate) fn keep_weakest(&mut self, parts: &mut Vec<Cond>) {
        if parts.len() > MOST_PARTS || !parts.iter().any(|&part| self.is_literal(part)) {
            return;
        }
        let literals: Vec<Cond> = parts.iter().copied().filter(|&it| self.is_literal(it)).collect();
        let opposites: Vec<Cond> = literals.iter().map(|&it| self.not(it)).collect();
        for part in parts.iter_mut() {
            if let Condition::All(inner) = self.condition(*part).clone() {
                let is_open = |it: &Cond| !opposites.iter().any(|&known| self.implies(known, *it));
                let open: Vec<Cond> = inner.iter().copied().filter(is_open).collect();
                *part = self.all(open);
            }
        }
        if parts.contains(&Cond::TRUE) {
            *parts = vec![Cond::TRUE];
            return;
        }
        let all = std::mem::take(parts);
        for (at, &part) in all.iter().enumerate() {
            let is_covered = |(other_at, &other): (usize, &Cond)| {
                let is_equal = part == other || self.implies(other, part);
                other_at != at && self.follows(part, other) && (!is_equal || other_at < at)
            };
            if !all.iter().enumerate().any(is_covered) {
                parts.push(part);
            }
        }
        parts.sort_unstable();
    }

    fn is_literal(&self, id: Cond) -> bool {
        matches!(self.condition(id), Condition::Is(..))
    }

    /// Whether a literal follows from a part, plainly.
    fn follows(&self, part: Cond, literal: Cond) -> bool {
        match self.condition(part) {
            Condition::All(inner) => inner.iter().any(|&it| self.implies(it, literal)),
            _ => self.implies(part, literal),
        }
    }

    /// Whether one literal says all that another does.
    fn implies(&self, one: Cond, other: Cond) -> bool {
        if one == other {
            return true;
        }
        let (&Condition::Is(from, left), &Condition::Is(to, right)) =
            (self.condition(one), self.condition(other))
        else {
            return false;
        };
        let Some((sign, more)) = apart(self.poly(left), self.poly(right)) else { return false };
        match (from, to) {
            (Relation::NotNegative, Relation::NotNegative) => sign == 1 && more >= 0,
            // The other sum is zero where this one is `-sign·more`.
            (Relation::NotNegative, Relation::NonZero) => -sign * more < 0,
            (Relation::Zero, Relation::NotNegative) => more >= 0,
            (Relation::Zero, Relation::NonZero) => more != 0,
            (Relation::Zero, Relation::Zero) | (Relation::NonZero, Relation::NonZero) => more == 0,
            _ => false,
        }
    }

    /// `e ≥ 0` and `e ≠ 0` are `e ≥ 1`: the literals without the second kind, as far as it goes.
    pub(crate) fn tightened(&mut self, literals: &mut Vec<Cond>) {
        for at in 0..literals.len() {
            let Condition::Is(Relation::NotNegative, expr) = *self.condition(literals[at]) else {
                continue;
            };
            let is_its = |it: &Cond| self.excludes_zero(*it, expr);
            if let Some(other) = literals.iter().position(is_its) {
                let less = self.offset(expr, -1);
                literals[at] = self.is(Relation::NotNegative, less);
                literals.remove(other);
                return self.tightened(literals);
            }
        }
    }

    fn excludes_zero(&self, literal: Cond, expr: Expr) -> bool {
        let &Condition::Is(Relation::NonZero, other) = self.condition(literal) else {
            return false;
        };
        apart(self.poly(expr), self.poly(other)).is_some_and(|(_, more)| more == 0)
    }
}

/// A sign and a number with which the right sum is the left one times the sign, and the number more.
fn apart(left: &Poly, right: &Poly) -> Option<(i128, i128)> {
    if left.divisor != 1 || right.divisor != 1 {
        return None;
    }
    let (a, b) = (varying(left), varying(right));
    if a.len() != b.len() || a.is_empty() {
        return None;
    }
    let same = |sign: i128| {
        let mut pairs = a.iter().zip(b);
        pairs.all(|(a, b)| a.0 == b.0 && sign * a.1 == b.1)
    };
    let sign = [1, -1].into_iter().find(|&sign| same(sign))?;
    Some((sign, right.constant_part() - sign * left.constant_part()))
}

/// The terms that are not a number; that one comes first.
fn varying(poly: &Poly) -> &[(Monomial, i128)] {
    match poly.terms.split_first() {
        Some((first, rest)) if first.0.is_empty() => rest,
        _ => &poly.terms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{SymbolInfo, SymbolKind};

    fn number(space: &mut Space) -> Expr {
        let (name, kind) = (String::from("n"), SymbolKind::Input(0));
        let info = SymbolInfo { name, low: None, high: None, pointer: false, kind };
        let symbol = space.new_symbol(info);
        space.symbol(symbol)
    }

    /// `n <= most` and `n >= least`.
    fn at_most(space: &mut Space, n: Expr, most: i128) -> Cond {
        let most = space.constant(most);
        space.at_least(most, n)
    }

    fn above(space: &mut Space, n: Expr, least: i128) -> Cond {
        let least = space.constant(least);
        space.at_least(n, least)
    }

    #[test]
    fn ranges_that_touch_are_one() {
        let mut space = Space::new();
        let n = number(&mut space);
        let none = at_most(&mut space, n, 0);
        let (some, few) = (above(&mut space, n, 1), at_most(&mut space, n, 3));
        let range = space.and(some, few);
        assert_eq!(space.or(none, range), few);
        let many = above(&mut space, n, 4);
        assert_eq!(space.any(vec![none, many, range]), Cond::TRUE);
    }

    #[test]
    fn what_another_part_says_is_left_out() {
        let mut space = Space::new();
        let n = number(&mut space);
        let (none, few) = (at_most(&mut space, n, 0), at_most(&mut space, n, 3));
        assert_eq!(space.or(none, few), few);
        let three = space.constant(3);
        let is_three = space.equal(n, three);
        let other = space.not(is_three);
        assert_eq!(space.or(none, other), other);
        assert_eq!(space.or(few, is_three), few);
        assert_ne!(space.or(few, other), other);
    }

    #[test]
    fn a_bound_that_is_not_met_is_the_next_one() {
        let mut space = Space::new();
        let n = number(&mut space);
        let few = at_most(&mut space, n, 3);
        let three = space.constant(3);
        let is_three = space.equal(n, three);
        let mut literals = vec![few, space.not(is_three)];
        space.tightened(&mut literals);
        assert_eq!(literals, [at_most(&mut space, n, 2)]);
    }
}
