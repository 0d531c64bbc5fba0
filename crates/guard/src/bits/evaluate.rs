//! The value of a term under given values of its symbols.

use caulk_base::FxHashMap;

use super::{Term, TermId, Terms, arithmetic};

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
        let mut values = FxHashMap::default();
        for id in self.below(&[id]) {
            let value = self.value_from(id, &values, valuation);
            values.insert(id, value);
        }
        values[&id]
    }

    /// The terms that these are made of, themselves included, operands first.
    #[must_use]
    pub fn below(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: Vec<TermId> = Vec::new();
        let mut known = caulk_base::FxHashSet::default();
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

    fn value_from(
        &self,
        id: TermId,
        values: &FxHashMap<TermId, u64>,
        valuation: &dyn Valuation,
    ) -> u64 {
        let width = self.width(id);
        let value = match self.get(id) {
            Term::Constant { value, .. } => *value,
            Term::Symbol { number, .. } => valuation.symbol(*number),
            Term::Unary(operator, of) => arithmetic::unary(*operator, values[of], width),
            Term::Binary(operator, left, right) => {
                arithmetic::binary(*operator, values[left], values[right], width)
            }
            Term::Compare(operator, left, right) => {
                let width = self.width(*left);
                arithmetic::compare(*operator, values[left], values[right], width).into()
            }
            Term::Select { condition, yes, no } => {
                if values[condition] == 1 {
                    values[yes]
                } else {
                    values[no]
                }
            }
            Term::ExtendU { of, .. } | Term::Truncate { of, .. } => values[of],
            Term::ExtendS { of, .. } => {
                arithmetic::signed(values[of], self.width(*of)).cast_unsigned()
            }
            Term::Apply { function, arguments, .. } => {
                let arguments: Vec<u64> = arguments.iter().map(|a| values[a]).collect();
                valuation.apply(*function, &arguments)
            }
        };
        value & arithmetic::mask(width)
    }
}
