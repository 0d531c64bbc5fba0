//! Reference counts inside objects: whoever gives a reference up and sees that others are left,
//! leaves the object to them. A count that is known all the way needs none of this.

use caulk_guard::bits::{Binary, Term, TermId, Unary};
use caulk_ir::InstId;

use crate::space::Home;
use crate::state::State;
use crate::step::Exec;

/// The numbers that a count is compared with: none left, or one before it is given up.
const LAST: u64 = 1;

impl Exec<'_> {
    /// After a decision on a count that was taken down before it: `if (--o->references == 0)`.
    pub fn leave_to_others(&mut self, state: &mut State, condition: TermId) {
        let Some(tested) = self.tested_count(condition) else { return };
        // One less than a number is no symbol.
        let computed = state.memory.iter().filter(|it| self.space.terms.height(it.value) > 0);
        let cells: Vec<(TermId, TermId)> = computed.map(|cell| (cell.base, cell.value)).collect();
        for (base, value) in cells {
            let before = self.before_giving_up(value);
            if before.is_some_and(|before| before == tested || value == tested)
                && !self.is_none_left(state, value)
            {
                self.leave_alone(state, base);
            }
        }
    }

    /// After a count was taken down that is known not to be zero by then:
    /// `if (o->references > 1) o->references--`.
    pub fn leave_if_others_are_known(&mut self, state: &mut State, base: TermId, value: TermId) {
        if self.before_giving_up(value).is_none() {
            return;
        }
        let is_zero = self.space.terms.is_zero(value);
        if state.facts.decide(&self.space.terms, is_zero) == Some(false) {
            self.leave_alone(state, base);
        }
    }

    /// For objects of the caller the summary tells releases that may happen instead.
    fn leave_alone(&mut self, state: &mut State, base: TermId) {
        if self.space.home(base) == Home::Made {
            self.keep(InstId(u32::MAX), state, base, true);
        }
    }

    /// The number that a condition compares with that of a last reference.
    fn tested_count(&self, condition: TermId) -> Option<TermId> {
        let compared = match *self.space.terms.get(condition) {
            Term::Unary(Unary::Not, of) => of,
            _ => condition,
        };
        let Term::Compare(_, left, right) = *self.space.terms.get(compared) else { return None };
        let is_last = |term| self.space.terms.as_constant(term).is_some_and(|it| it <= LAST);
        match (is_last(left), is_last(right)) {
            (false, true) => Some(left),
            (true, false) => Some(right),
            _ => None,
        }
    }

    /// The number of which this is one less.
    fn before_giving_up(&mut self, value: TermId) -> Option<TermId> {
        let terms = &mut self.space.terms;
        if terms.as_constant(value).is_some() || terms.height(value) == 0 {
            return None;
        }
        let one = terms.constant(1, terms.width(value));
        let before = terms.binary(Binary::Add, value, one);
        (terms.height(before) < terms.height(value)).then_some(before)
    }

    fn is_none_left(&mut self, state: &State, value: TermId) -> bool {
        let is_zero = self.space.terms.is_zero(value);
        state.facts.decide(&self.space.terms, is_zero) == Some(true)
    }
}
