//! What [`Facts`] tell of a term: by what is recorded, and by the shape of the term.

use super::bounds::{self, Known};
use super::facts::Facts;
use super::range::Range;
use super::relation::{Order, Outcomes, Relation};
use super::{Binary, Compare, Term, TermId, Terms};

/// How deep a term is looked into for its range or its truth.
const DEPTH: u32 = 4;

/// The facts, for terms of one arena, down to a depth.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    facts: &'a Facts,
    terms: &'a Terms,
    depth: u32,
}

impl<'a> View<'a> {
    pub fn new(facts: &'a Facts, terms: &'a Terms) -> Self {
        Self { facts, terms, depth: DEPTH }
    }

    fn deeper(self) -> Option<Self> {
        Some(Self { depth: self.depth.checked_sub(1)?, ..self })
    }

    pub fn decide(self, condition: TermId) -> Option<bool> {
        if let Some(value) = self.terms.as_constant(condition) {
            return Some(value == 1);
        }
        if self.facts.conditions.contains(condition) {
            return Some(true);
        }
        let negation = self.terms.negation(condition);
        if negation.is_some_and(|negation| self.facts.conditions.contains(negation)) {
            return Some(false);
        }
        self.decide_by_shape(condition)
    }

    fn decide_by_shape(self, condition: TermId) -> Option<bool> {
        match *self.terms.get(condition) {
            Term::Compare(operator, left, right) => self.decide_compare(operator, left, right),
            Term::Unary(_, of) => Some(!self.deeper()?.decide(of)?),
            Term::Binary(operator @ (Binary::And | Binary::Or), ..) => {
                self.deeper()?.decide_chain(operator, condition)
            }
            Term::Binary(Binary::Xor, left, right) => {
                let deeper = self.deeper()?;
                Some(deeper.decide(left)? != deeper.decide(right)?)
            }
            Term::Select { condition, yes, no } => {
                let deeper = self.deeper()?;
                match deeper.decide(condition) {
                    Some(true) => deeper.decide(yes),
                    Some(false) => deeper.decide(no),
                    None => deeper.decide(yes).filter(|&yes| deeper.decide(no) == Some(yes)),
                }
            }
            Term::Truncate { of, .. } => {
                self.deeper()?.range(of).value().map(|value| value & 1 == 1)
            }
            _ => None,
        }
    }

    fn decide_chain(self, operator: Binary, chain: TermId) -> Option<bool> {
        let absorbing = operator == Binary::Or;
        let mut all = true;
        for part in parts(self.terms, operator, chain) {
            match self.decide(part) {
                Some(truth) if truth == absorbing => return Some(absorbing),
                Some(_) => {}
                None => all = false,
            }
        }
        all.then_some(!absorbing)
    }

    fn decide_compare(self, operator: Compare, left: TermId, right: TermId) -> Option<bool> {
        // Most conditions are tests of one term, and those of two terms say nothing of constants.
        if let (Compare::Eq, Some(value)) = (operator, self.terms.as_constant(right)) {
            return self.decide_equal(left, value);
        }
        self.outcomes(left, right)
            .decide(operator)
            .or_else(|| Range::compare(operator, &self.range(left), &self.range(right)))
    }

    /// Whether a term has a value.
    fn decide_equal(self, id: TermId, value: u64) -> Option<bool> {
        if let Term::Symbol { width: 2.., .. } = self.terms.get(id) {
            let place = self.facts.classes.base(id);
            match self.facts.of_root(place.root) {
                [] => return None,
                [(at, range)] if at.offset == place.offset => return range.decide_equal(value),
                _ => {}
            }
        }
        self.range(id).decide_equal(value)
    }

    pub fn implies(self, relation: Relation) -> bool {
        let Relation { order, left, right } = relation;
        let decide = |operator| self.decide_compare(operator, left, right);
        match order {
            Order::Differ => decide(Compare::Eq) == Some(false),
            Order::BelowU => decide(Compare::LtU) == Some(true),
            Order::AtMostU => decide(Compare::LeU) == Some(true),
            Order::BelowS => decide(Compare::LtS) == Some(true),
            Order::AtMostS => decide(Compare::LeS) == Some(true),
        }
    }

    /// What equalities and relations leave of the outcomes of a comparison.
    pub fn outcomes(self, left: TermId, right: TermId) -> Outcomes {
        let mut outcomes = Outcomes::ANY;
        let place = |id| self.facts.classes.find(self.terms, id);
        let (left, right) = (place(left), place(right));
        if left.root == right.root {
            outcomes.restrict_equality(left.offset == right.offset);
        }
        for relation in &self.facts.relations {
            let (a, b) = (place(relation.left), place(relation.right));
            if (a, b) == (left, right) {
                outcomes.restrict(relation.order);
            } else if (b, a) == (left, right) {
                outcomes.restrict_reverse(relation.order);
            }
        }
        outcomes
    }

    pub fn range(self, id: TermId) -> Range {
        let width = self.terms.width(id);
        if width == 1 {
            let truth = self.decide(id);
            return truth.map_or(Range::full(1), |truth| Range::point(truth.into(), 1));
        }
        let term = self.terms.get(id);
        // No class has a constant in it, and no range is recorded of one.
        if let Term::Constant { value, .. } = *term {
            return Range::point(value, width);
        }
        let stored = self.facts.stored(self.facts.classes.find(self.terms, id), width);
        if let Term::Symbol { .. } | Term::Apply { .. } = term {
            return stored.unwrap_or_else(|| Range::full(width));
        }
        if stored.is_none() && self.is_sum_with_symbol(term) {
            return Range::full(width);
        }
        let shape = self.shape(id);
        stored.map_or(shape, |stored| stored.meet(&shape).unwrap_or(stored))
    }

    /// Whether a term is a symbol and a constant. All that is known of the sum is known of the symbol.
    fn is_sum_with_symbol(self, term: &Term) -> bool {
        match *term {
            Term::Binary(Binary::Add, front, last) => {
                matches!(self.terms.get(front), Term::Symbol { .. })
                    && self.terms.as_constant(last).is_some()
            }
            _ => false,
        }
    }

    /// The range that the shape of a term tells.
    pub fn shape(self, id: TermId) -> Range {
        if let Some(value) = self.terms.as_constant(id) {
            return Range::point(value, self.terms.width(id));
        }
        match self.deeper() {
            Some(deeper) => bounds::range_of(self.terms, id, &deeper),
            None => Range::full(self.terms.width(id)),
        }
    }
}

impl Known for View<'_> {
    fn range(&self, id: TermId) -> Range {
        View::range(*self, id)
    }

    fn truth(&self, condition: TermId) -> Option<bool> {
        self.decide(condition)
    }
}

/// The operands of a chain.
pub(super) fn parts(
    terms: &Terms,
    operator: Binary,
    chain: TermId,
) -> impl Iterator<Item = TermId> + '_ {
    let mut rest = Some(chain);
    std::iter::from_fn(move || {
        let id = rest?;
        match *terms.get(id) {
            Term::Binary(kind, front, last) if kind == operator => {
                rest = Some(front);
                Some(last)
            }
            _ => rest.take(),
        }
    })
}
