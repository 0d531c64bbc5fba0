//! The value of a term under given values of its symbols.

use caulk_base::{BitSet, Id};

use super::{Term, TermId, Terms, arithmetic};

/// Terms up to this height are evaluated part by part, without a note of what was seen.
const LOW: u32 = 4;

/// What a term's free parts stand for.
pub trait Valuation {
    fn symbol(&self, number: u32) -> u64;

    /// The result of an uninterpreted function; equal arguments have to give an equal result.
    fn apply(&self, function: u32, arguments: &[u64]) -> u64;
}

impl Terms {
    /// The value of a term.
    #[must_use]
    pub fn evaluate(&self, id: TermId, valuation: &dyn Valuation) -> u64 {
        if self.height(id) <= LOW {
            return self.value_of_low(id, valuation);
        }
        let ids = self.below(&[id]);
        let mut values: Vec<u64> = Vec::with_capacity(ids.len());
        for &id in &ids {
            let known = |of: &TermId| values[ids.partition_point(|it| it < of)];
            let value = self.value_from(id, &known, valuation);
            values.push(value);
        }
        values.last().copied().unwrap_or(0)
    }

    /// Parts that are shared are computed again: there are few of them.
    fn value_of_low(&self, id: TermId, valuation: &dyn Valuation) -> u64 {
        self.value_from(id, &|of| self.value_of_low(*of, valuation), valuation)
    }

    /// The terms that these are made of, themselves included, operands first.
    #[must_use]
    pub fn below(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: Vec<TermId> = Vec::new();
        let most = roots.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        let mut known = BitSet::new(most);
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            if known.insert(id) {
                seen.push(id);
                open.extend(self.get(id).operands());
            }
        }
        seen.sort_unstable();
        seen
    }

    /// The value of a term by those of its operands.
    fn value_from(
        &self,
        id: TermId,
        known: &dyn Fn(&TermId) -> u64,
        valuation: &dyn Valuation,
    ) -> u64 {
        let width = self.width(id);
        let value = match self.get(id) {
            Term::Constant { value, .. } => *value,
            Term::Symbol { number, .. } => valuation.symbol(*number),
            Term::Unary(operator, of) => arithmetic::unary(*operator, known(of), width),
            Term::Binary(operator, left, right) => {
                arithmetic::binary(*operator, known(left), known(right), width)
            }
            Term::Compare(operator, left, right) => {
                let width = self.width(*left);
                arithmetic::compare(*operator, known(left), known(right), width).into()
            }
            Term::Select { condition, yes, no } => {
                if known(condition) == 1 {
                    known(yes)
                } else {
                    known(no)
                }
            }
            Term::ExtendU { of, .. } | Term::Truncate { of, .. } => known(of),
            Term::ExtendS { of, .. } => {
                arithmetic::signed(known(of), self.width(*of)).cast_unsigned()
            }
            Term::Apply { function, arguments, .. } => {
                let arguments: Vec<u64> = arguments.iter().map(known).collect();
                valuation.apply(*function, &arguments)
            }
        };
        value & arithmetic::mask(width)
    }
}
