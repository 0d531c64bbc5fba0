//! Orders and differences of two terms.

use super::{Compare, TermId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Differ,
    BelowU,
    AtMostU,
    BelowS,
    AtMostS,
}

/// An order that holds from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub order: Order,
    pub left: TermId,
    pub right: TermId,
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;

/// The outcomes that a comparison of two terms can still have, as unsigned and as signed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes {
    unsigned: u8,
    signed: u8,
}

impl Outcomes {
    pub const ANY: Self = Self { unsigned: LESS | EQUAL | GREATER, signed: LESS | EQUAL | GREATER };

    pub fn is_empty(self) -> bool {
        self.unsigned == 0 || self.signed == 0
    }

    pub fn are_equal(self) -> bool {
        self.unsigned == EQUAL
    }

    pub fn restrict(&mut self, order: Order) {
        self.restrict_to(order, LESS);
    }

    /// By an order that holds from right to left.
    pub fn restrict_reverse(&mut self, order: Order) {
        self.restrict_to(order, GREATER);
    }

    pub fn restrict_equality(&mut self, equal: bool) {
        let left = if equal { EQUAL } else { LESS | GREATER };
        self.unsigned &= left;
        self.signed &= left;
    }

    /// Whether a comparison holds in all outcomes, or in none.
    pub fn decide(self, operator: Compare) -> Option<bool> {
        let (left, wanted) = match operator {
            Compare::Eq => (self.unsigned, EQUAL),
            Compare::LtU => (self.unsigned, LESS),
            Compare::LeU => (self.unsigned, LESS | EQUAL),
            Compare::LtS => (self.signed, LESS),
            Compare::LeS => (self.signed, LESS | EQUAL),
        };
        match (left & wanted, left & !wanted) {
            (0, _) => Some(false),
            (_, 0) => Some(true),
            _ => None,
        }
    }

    fn restrict_to(&mut self, order: Order, side: u8) {
        match order {
            Order::Differ => self.restrict_equality(false),
            Order::BelowU => self.unsigned &= side,
            Order::AtMostU => self.unsigned &= side | EQUAL,
            Order::BelowS => self.signed &= side,
            Order::AtMostS => self.signed &= side | EQUAL,
        }
        self.agree();
    }

    /// Equality is the same in both orders.
    fn agree(&mut self) {
        for _ in 0..2 {
            if self.unsigned & EQUAL == 0 {
                self.signed &= !EQUAL;
            }
            if self.unsigned == EQUAL {
                self.signed &= EQUAL;
            }
            std::mem::swap(&mut self.unsigned, &mut self.signed);
        }
    }
}
