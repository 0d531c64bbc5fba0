//! Extension, truncation and choice.

use super::arithmetic::{mask, signed};
use super::{Binary, Term, TermId, Terms};

impl Terms {
    pub fn extend_u(&mut self, of: TermId, width: u8) -> TermId {
        let narrow = self.width(of);
        if width <= narrow {
            return self.truncate(of, width);
        }
        match *self.get(of) {
            Term::Constant { value, .. } => self.constant(value, width),
            Term::ExtendU { of, .. } => self.intern(Term::ExtendU { of, width }),
            Term::Select { condition, yes, no } if self.are_constant(yes, no) => {
                let (yes, no) = (self.extend_u(yes, width), self.extend_u(no, width));
                self.select(condition, yes, no)
            }
            _ => self.intern(Term::ExtendU { of, width }),
        }
    }

    pub fn extend_s(&mut self, of: TermId, width: u8) -> TermId {
        let narrow = self.width(of);
        if width <= narrow {
            return self.truncate(of, width);
        }
        match *self.get(of) {
            Term::Constant { value, .. } => {
                self.constant(signed(value, narrow).cast_unsigned(), width)
            }
            Term::ExtendS { of, .. } => self.intern(Term::ExtendS { of, width }),
            Term::ExtendU { of, .. } => self.intern(Term::ExtendU { of, width }),
            Term::Select { condition, yes, no } if self.are_constant(yes, no) => {
                let (yes, no) = (self.extend_s(yes, width), self.extend_s(no, width));
                self.select(condition, yes, no)
            }
            _ => self.intern(Term::ExtendS { of, width }),
        }
    }

    pub fn truncate(&mut self, of: TermId, width: u8) -> TermId {
        debug_assert!(width <= self.width(of), "a truncation to {width} bits");
        if width >= self.width(of) {
            return of;
        }
        match *self.get(of) {
            Term::Constant { value, .. } => self.constant(value, width),
            Term::Truncate { of, .. } => self.intern(Term::Truncate { of, width }),
            Term::ExtendU { of, .. } => self.extend_u(of, width),
            Term::ExtendS { of, .. } => self.extend_s(of, width),
            Term::Select { condition, yes, no } if self.are_constant(yes, no) => {
                let (yes, no) = (self.truncate(yes, width), self.truncate(no, width));
                self.select(condition, yes, no)
            }
            Term::Binary(operator @ (Binary::And | Binary::Or | Binary::Xor), front, last)
                if self.as_constant(last).is_some_and(|c| c & mask(width) == 0) =>
            {
                match operator {
                    Binary::And => self.constant(0, width),
                    _ => self.truncate(front, width),
                }
            }
            _ => self.intern(Term::Truncate { of, width }),
        }
    }

    /// `condition ? yes : no`.
    pub fn select(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        debug_assert_eq!(self.width(condition), 1, "the condition of a choice");
        debug_assert_eq!(self.width(yes), self.width(no), "the arms of a choice");
        if yes == no {
            return yes;
        }
        match self.as_constant(condition) {
            Some(1) => return yes,
            Some(_) => return no,
            None => {}
        }
        if self.width(yes) == 1 {
            return self.select_bit(condition, yes, no);
        }
        match (self.as_constant(yes), self.as_constant(no)) {
            (Some(1), Some(0)) => self.extend_u(condition, self.width(yes)),
            (Some(0), Some(1)) => {
                let negation = self.not(condition);
                self.extend_u(negation, self.width(yes))
            }
            _ => self.choice(condition, yes, no),
        }
    }

    /// A choice of one bit is a conjunction or a disjunction if an arm is constant.
    fn select_bit(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        let negation = self.not(condition);
        match (self.as_constant(yes), self.as_constant(no)) {
            (Some(1), _) => self.or(condition, no),
            (Some(_), _) => self.and(negation, no),
            (_, Some(1)) => self.or(negation, yes),
            (_, Some(_)) => self.and(condition, yes),
            _ if self.not(yes) == no => {
                let differ = self.exclusive_or(condition, yes);
                self.not(differ)
            }
            _ => self.choice(condition, yes, no),
        }
    }

    fn choice(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        let (condition, flipped) = self.positive(condition);
        let (yes, no) = if flipped { (no, yes) } else { (yes, no) };
        self.intern(Term::Select { condition, yes, no })
    }

    fn are_constant(&self, yes: TermId, no: TermId) -> bool {
        self.as_constant(yes).is_some() && self.as_constant(no).is_some()
    }
}
