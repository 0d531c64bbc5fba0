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

/// How a term is evaluated: its parts in order.
#[derive(Clone, Debug)]
pub struct Plan {
    id: TermId,
    /// Operands come first; each with the end of its own among all. None of a low term.
    parts: Vec<(TermId, usize)>,
    /// With their places among the parts.
    operands: Vec<(TermId, usize)>,
}

impl Terms {
    /// The value of a term.
    #[must_use]
    pub fn evaluate(&self, id: TermId, valuation: &dyn Valuation) -> u64 {
        if self.height(id) <= LOW {
            return self.value_of_low(id, valuation);
        }
        self.evaluate_planned(&self.plan(id), valuation)
    }

    /// How to evaluate a term, for one that is evaluated often.
    #[must_use]
    pub fn plan(&self, id: TermId) -> Plan {
        let is_low = self.height(id) <= LOW;
        let ids = if is_low { Vec::new() } else { self.below(&[id]) };
        let (mut parts, mut operands) = (Vec::with_capacity(ids.len()), Vec::new());
        for &id in &ids {
            let own = self.get(id).operands();
            operands.extend(own.map(|of| (of, ids.partition_point(|it| *it < of))));
            parts.push((id, operands.len()));
        }
        Plan { id, parts, operands }
    }

    /// The value of the term that the plan is for.
    #[must_use]
    pub fn evaluate_planned(&self, plan: &Plan, valuation: &dyn Valuation) -> u64 {
        if plan.parts.is_empty() {
            return self.value_of_low(plan.id, valuation);
        }
        let mut values: Vec<u64> = Vec::with_capacity(plan.parts.len());
        let mut start = 0;
        for &(id, end) in &plan.parts {
            let own = &plan.operands[start..end];
            let known = |of: &TermId| {
                own.iter().find(|operand| operand.0 == *of).map_or(0, |operand| values[operand.1])
            };
            let value = self.value_from(id, &known, valuation);
            values.push(value);
            start = end;
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
    pub(super) fn value_from(
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
