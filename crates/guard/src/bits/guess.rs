//! Values that satisfy conditions, found by trying.
//!
//! Most conditions of a path ask little of few symbols, and values for them are found long before a
//! circuit is built. As long as a condition does not hold it is mended by a value for one symbol or
//! result of a function, which is computed backwards from what is wanted; that may break another
//! one, which is mended next. Values that satisfy all conditions are an answer. To find none says
//! nothing.

use caulk_base::FxHashMap;

use super::arithmetic::{inverse, mask, signed, signed_range};
use super::solve::Model;
use super::{Binary, Compare, Term, TermId, Terms, Unary};

/// How often a condition may be mended, on average, before the search is given up.
const TRIES: usize = 4;

/// Values under which all conditions hold, if they are found.
pub fn guess(terms: &Terms, conditions: &[TermId]) -> Option<Model> {
    let mut trial = Trial {
        terms,
        below: terms.below(conditions),
        values: FxHashMap::default(),
        model: Model::default(),
    };
    let mut tries = vec![0; conditions.len()];
    let mut next = 0;
    for _ in 0..=TRIES * conditions.len() {
        trial.evaluate();
        // Each has its turn: two that cannot hold yet would keep each other busy.
        let mut order = (next..conditions.len()).chain(0..next);
        let broken = order.find(|&at| trial.value(conditions[at]) == 0);
        let Some(at) = broken else { return Some(trial.model) };
        trial.mend(conditions[at], 1, Side::first(tries[at]))?;
        tries[at] += 1;
        next = at + 1;
    }
    None
}

struct Trial<'t> {
    terms: &'t Terms,
    /// All terms of the conditions, operands first.
    below: Vec<TermId>,
    values: FxHashMap<TermId, u64>,
    model: Model,
}

/// The operand to change first. The other one has its turn when the same condition is broken again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn first(tries: usize) -> Self {
        if tries.is_multiple_of(2) { Side::Left } else { Side::Right }
    }

    fn other(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// An operand that is to change, and the one that stays.
#[derive(Clone, Copy)]
struct Operand {
    id: TermId,
    side: Side,
    other: TermId,
}

impl Trial<'_> {
    fn evaluate(&mut self) {
        for &id in &self.below {
            let known = |of: &TermId| self.values.get(of).copied().unwrap_or(0);
            let value = self.terms.value_from(id, &known, &self.model);
            self.values.insert(id, value);
        }
    }

    fn value(&self, id: TermId) -> u64 {
        self.values.get(&id).copied().unwrap_or(0)
    }

    /// Makes a term have a value; none if there is no simple way.
    fn mend(&mut self, id: TermId, wanted: u64, side: Side) -> Option<()> {
        if self.value(id) == wanted {
            return Some(());
        }
        let terms = self.terms;
        let width = terms.width(id);
        match terms.get(id) {
            Term::Constant { .. } => None,
            Term::Symbol { number, .. } => {
                self.model.set_symbol(*number, wanted);
                Some(())
            }
            // A second use of the function wants another result: other arguments may have that, the last
            // ones first, which tell what memory held.
            Term::Apply { arguments, .. } if side == Side::Right && !arguments.is_empty() => {
                arguments.iter().rev().find_map(|&it| {
                    let other = self.unlike(it, self.value(it)) & mask(terms.width(it));
                    self.mend(it, other, side)
                })
            }
            Term::Apply { function, arguments, .. } => {
                let arguments = arguments.iter().map(|&it| self.value(it)).collect();
                self.model.set_result(*function, arguments, wanted);
                Some(())
            }
            Term::Unary(Unary::Not, of) => self.mend(*of, !wanted & mask(width), side),
            Term::Unary(Unary::Neg, of) => {
                self.mend(*of, wanted.wrapping_neg() & mask(width), side)
            }
            Term::Compare(operator, left, right) => {
                let relation = Relation::new(*operator, wanted == 1);
                self.either(*left, *right, side, |trial, operand| {
                    let wanted = trial.related(relation, operand)?;
                    trial.mend(operand.id, wanted, side)
                })
            }
            Term::Binary(operator, left, right) => {
                self.either(*left, *right, side, |trial, operand| {
                    trial.mend_operand(*operator, operand, wanted, side)
                })
            }
            Term::Select { condition, yes, no } => {
                let chosen = if self.value(*condition) == 1 { *yes } else { *no };
                self.mend(chosen, wanted, side)
            }
            Term::ExtendU { of, .. } => {
                let fits = wanted <= mask(terms.width(*of));
                fits.then(|| self.mend(*of, wanted, side))?
            }
            Term::ExtendS { of, .. } => {
                let narrow = terms.width(*of);
                let fits = signed(wanted, narrow) == signed(wanted, width);
                fits.then(|| self.mend(*of, wanted & mask(narrow), side))?
            }
            Term::Truncate { of, .. } => {
                let rest = self.value(*of) & !mask(width);
                self.mend(*of, rest | wanted, side)
            }
        }
    }

    /// Changes one of two operands, the other one if that does not work.
    fn either(
        &mut self,
        left: TermId,
        right: TermId,
        first: Side,
        mut change: impl FnMut(&mut Self, Operand) -> Option<()>,
    ) -> Option<()> {
        let operand = |side| match side {
            Side::Left => Operand { id: left, side, other: right },
            Side::Right => Operand { id: right, side, other: left },
        };
        change(self, operand(first)).or_else(|| change(self, operand(first.other())))
    }

    /// What an operand of a comparison has to be.
    fn related(&self, relation: Relation, operand: Operand) -> Option<u64> {
        let width = self.terms.width(operand.id);
        let other = self.value(operand.other);
        let (least, greatest) = match relation.signed {
            true => {
                let (least, greatest) = signed_range(width);
                (least.cast_unsigned() & mask(width), greatest.cast_unsigned())
            }
            false => (0, mask(width)),
        };
        // The left one of `a < b` is to be less, unless the operands are exchanged.
        let is_less = (operand.side == Side::Left) != relation.exchanged;
        let wanted = match (relation.order, is_less) {
            (Order::Equal | Order::AtMost, _) => other,
            (Order::Unequal, _) => self.unlike(operand.id, other),
            (Order::Below, true) => Some(other).filter(|&it| it != least)?.wrapping_sub(1),
            (Order::Below, false) => Some(other).filter(|&it| it != greatest)?.wrapping_add(1),
        };
        Some(wanted & mask(width))
    }

    /// A value other than the given one that a term may have.
    fn unlike(&self, id: TermId, value: u64) -> u64 {
        let step = self.step(id);
        match self.terms.get(id) {
            Term::Binary(Binary::And, ..) => value ^ step,
            _ => value.wrapping_add(step),
        }
    }

    /// The least difference between two values of a term, as far as its constants tell.
    fn step(&self, id: TermId) -> u64 {
        match *self.terms.get(id) {
            Term::Binary(operator @ (Binary::And | Binary::Mul), left, right) => {
                let constant = |of| self.terms.as_constant(of).filter(|&it| it != 0);
                match (constant(left), constant(right)) {
                    (Some(bits), _) | (_, Some(bits)) if operator == Binary::And => {
                        bits & bits.wrapping_neg()
                    }
                    (Some(factor), None) => factor.wrapping_mul(self.step(right)),
                    (None, Some(factor)) => factor.wrapping_mul(self.step(left)),
                    _ => 1,
                }
            }
            Term::ExtendU { of, .. } | Term::ExtendS { of, .. } | Term::Truncate { of, .. } => {
                self.step(of)
            }
            _ => 1,
        }
    }

    fn mend_operand(
        &mut self,
        operator: Binary,
        operand: Operand,
        wanted: u64,
        side: Side,
    ) -> Option<()> {
        let width = self.terms.width(operand.id);
        let (own, other) = (self.value(operand.id), self.value(operand.other));
        let needed = match operator {
            Binary::Add => wanted.wrapping_sub(other),
            Binary::Sub if operand.side == Side::Left => wanted.wrapping_add(other),
            Binary::Sub => other.wrapping_sub(wanted),
            Binary::Xor => wanted ^ other,
            Binary::And => {
                self.mend(operand.other, other | wanted, side)?;
                own & !other | wanted
            }
            Binary::Or => {
                self.mend(operand.other, other & wanted, side)?;
                own & other & wanted | wanted & !other
            }
            Binary::Mul if other & 1 == 1 => wanted.wrapping_mul(inverse(other)),
            Binary::Mul if other != 0 && wanted.is_multiple_of(other) => wanted / other,
            Binary::RemU if operand.side == Side::Left && wanted < other => wanted,
            Binary::DivU if operand.side == Side::Left && other != 0 => {
                wanted.checked_mul(other).filter(|&it| it <= mask(width))?
            }
            Binary::ShrU if operand.side == Side::Left && other < u64::from(width) => {
                let moved = wanted << other & mask(width);
                Some(moved).filter(|it| it >> other == wanted)?
            }
            _ => return None,
        };
        self.mend(operand.id, needed & mask(width), side)
    }
}

/// What two operands are to be to each other.
#[derive(Clone, Copy)]
struct Relation {
    order: Order,
    signed: bool,
    /// The right one is what the order says of the left one.
    exchanged: bool,
}

#[derive(Clone, Copy)]
enum Order {
    Equal,
    Unequal,
    Below,
    AtMost,
}

impl Relation {
    /// Not to be below is to be at least: the other way round, at most.
    fn new(operator: Compare, holds: bool) -> Self {
        let order = match (operator, holds) {
            (Compare::Eq, true) => Order::Equal,
            (Compare::Eq, false) => Order::Unequal,
            (Compare::LtU | Compare::LtS, true) | (Compare::LeU | Compare::LeS, false) => {
                Order::Below
            }
            (Compare::LeU | Compare::LeS, true) | (Compare::LtU | Compare::LtS, false) => {
                Order::AtMost
            }
        };
        let signed = matches!(operator, Compare::LtS | Compare::LeS);
        Self { order, signed, exchanged: !holds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(terms: &Terms, conditions: &[TermId]) -> bool {
        let Some(model) = guess(terms, conditions) else { return false };
        conditions.iter().all(|&it| terms.evaluate(it, &model) == 1)
    }

    #[test]
    fn bounds_and_differences_are_met() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol(0, 32), terms.symbol(1, 32));
        let five = terms.constant(5, 32);
        let above = terms.compare(Compare::LtS, five, x);
        let less = terms.compare(Compare::LtS, x, y);
        let equal = terms.compare(Compare::Eq, y, five);
        let unequal = terms.not(equal);
        assert!(holds(&terms, &[above, less, unequal]));
    }

    #[test]
    fn sums_masks_and_extensions_are_undone() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol(0, 8), terms.symbol(1, 32));
        let wide = terms.extend_s(x, 32);
        let sum = terms.binary(Binary::Add, wide, y);
        let seven = terms.constant(7, 32);
        let is_seven = terms.compare(Compare::Eq, sum, seven);
        let flag = terms.constant(64, 32);
        let masked = terms.binary(Binary::And, y, flag);
        let is_unset = terms.is_zero(masked);
        let is_set = terms.not(is_unset);
        assert!(holds(&terms, &[is_seven, is_set]));
    }

    #[test]
    fn equal_arguments_have_equal_results() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol(0, 32), terms.symbol(1, 32));
        let (of_x, of_y) = (terms.apply(3, &[x], 32), terms.apply(3, &[y], 32));
        let zero = terms.is_zero(of_x);
        let other = terms.is_zero(of_y);
        let not_zero = terms.not(other);
        let same = terms.compare(Compare::Eq, x, y);
        assert!(!holds(&terms, &[zero, not_zero, same]));
        let apart = terms.not(same);
        assert!(holds(&terms, &[zero, not_zero, apart]));
    }

    #[test]
    fn what_cannot_be_is_not_found() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol(0, 32), terms.symbol(1, 32));
        let one = terms.compare(Compare::LtU, x, y);
        let two = terms.compare(Compare::LtU, y, x);
        assert!(guess(&terms, &[one, two]).is_none());
    }
}
