//! When two pointers are equal, and what follows for objects.

use caulk_guard::bits::{Binary, Compare, Term, TermId};
use caulk_ir::InstId;

use crate::space::Home;
use crate::state::{Phase, State};
use crate::step::Exec;

impl<'a> Exec<'a> {
    /// Equality of numbers, and of addresses: no object is at NULL, and an object that nobody else
    /// has is at no address that came from elsewhere.
    pub fn equal(&mut self, state: &State, lhs: TermId, rhs: TermId) -> TermId {
        let plain = self.space.terms.compare(Compare::Eq, lhs, rhs);
        let is_number = self.space.address(lhs).is_none_or(|it| !self.space.is_pointer(it.base));
        if is_number && self.space.is_zero(rhs) && self.space.is_some_more(lhs) {
            return TermId::FALSE;
        }
        if !self.space.is_pointer_wide(lhs) {
            return plain;
        }
        if self.space.is_named_and_low(lhs, rhs) || self.space.are_two_functions(lhs, rhs) {
            return TermId::FALSE;
        }
        let zero = self.space.terms.constant(0, self.space.terms.width(lhs));
        let mut is_null = |term| self.space.terms.is_zero(term);
        let (left, right) = (is_null(lhs), is_null(rhs));
        let own = |base: TermId| match self.space.home(base) {
            Home::Local | Home::Static => Some(false),
            // Also after its release: what it is compared with was there before.
            Home::Made if state.phase(base) != Phase::Kept => Some(true),
            _ => None,
        };
        let known = |term| self.space.address(term).filter(|it| it.offset.is_some());
        let inside = self.space.address(lhs).filter(|it| it.offset.is_none());
        let inside =
            inside.filter(|_| !self.space.is_anywhere(lhs) && !self.space.is_low_bits(lhs));
        if let Some(place) = inside.filter(|it| rhs == zero && own(it.base) != Some(false)) {
            // Somewhere inside: arithmetic does not lead from an object to NULL.
            return self.space.terms.is_zero(place.base);
        }
        match (known(lhs), known(rhs)) {
            (Some(place), None) if rhs == zero => match own(place.base) {
                Some(false) => self.space.terms.constant(0, 1),
                Some(true) => self.space.terms.is_zero(place.base),
                None if self.space.is_pointer(place.base) && place.offset != Some(0) => {
                    TermId::FALSE
                }
                None => plain,
            },
            (Some(a), Some(b)) if a.base != b.base => match (own(a.base), own(b.base)) {
                (Some(false), Some(_)) | (Some(_), Some(false)) => self.space.terms.constant(0, 1),
                (Some(true), _) | (_, Some(true))
                    if self.is_settled(a.base, b.base)
                        || self.is_private(state, lhs, rhs)
                        || self.is_private(state, rhs, lhs) =>
                {
                    self.space.terms.binary(Binary::And, left, right)
                }
                _ => plain,
            },
            _ => plain,
        }
    }

    /// Whether the left is an object that nobody else has heard of, and the right is no way to it.
    fn is_private(&self, state: &State, left: TermId, right: TermId) -> bool {
        let space = &self.space;
        let Some(place) = space.address(left).filter(|it| space.home(it.base) == Home::Made) else {
            return false;
        };
        !space.carries(right, place.base)
            && state.phase(place.base) == Phase::Live
            && state.memory.iter().all(|cell| {
                space.home(cell.base) == Home::Local || !space.carries(cell.value, place.base)
            })
    }

    /// Whether both come from one place each: a choice may be any of its candidates.
    fn is_settled(&self, left: TermId, right: TermId) -> bool {
        [left, right].iter().all(|&base| matches!(self.space.home(base), Home::Made | Home::Caller))
    }

    /// A descriptor that equals a number of the caller's is the caller's, and an object that a
    /// pointer from elsewhere equals is where that came from.
    pub fn keep_equal(&mut self, state: &mut State, condition: TermId) {
        let Term::Compare(Compare::Eq, left, right) = *self.space.terms.get(condition) else {
            return;
        };
        for (own, other) in [(left, right), (right, left)] {
            if let Some(object) = self.equal_to_other(state, own, other) {
                self.keep(InstId(u32::MAX), state, object, true);
            }
        }
    }

    /// The object that a value leads to, if the other value is no way to it by itself.
    fn equal_to_other(&self, state: &State, own: TermId, other: TermId) -> Option<TermId> {
        let space = &self.space;
        let base = space.address(own).map(|it| it.base)?;
        let object = match state.focus {
            Some(focus) => focus,
            None => base,
        };
        let place = space.address(other)?;
        // A block that stays where it was is no reference that somebody else has; a number is in use
        // again, as who closed it wants.
        let moved = state.phase(place.base) == Phase::Released && space.is_pointer_wide(place.base);
        let is_it = base == object && space.home(object) == Home::Made;
        (is_it && !moved && !space.carries(other, object)).then_some(object)
    }
}
