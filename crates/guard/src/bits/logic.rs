//! Conjunction, disjunction, exclusive or, and the negation of conditions.
//!
//! A chain is written to the left, its operands in the order of their ids and a constant last. On
//! one bit a chain and its negation are dual, operand by operand; on more bits the rules are the
//! same but for the constant, which can be a mask.

use super::arithmetic::{binary, mask};
use super::{Binary, Compare, Term, TermId, Terms, Unary};

/// The most operands of one chain. A longer chain is an operand itself.
const LONGEST: usize = 32;

/// The operands of a chain, and its constant.
struct Chain {
    operands: Vec<TermId>,
    constant: u64,
}

impl Terms {
    /// The negation of a condition: `!(a < b)` is `b <= a`.
    pub fn not(&mut self, condition: TermId) -> TermId {
        debug_assert_eq!(self.width(condition), 1, "a condition");
        if let Some(known) = self.negation(condition) {
            return known;
        }
        let negation = self.negate(condition);
        self.rows[condition].negation = Some(negation);
        self.rows[negation].negation = Some(condition);
        negation
    }

    fn negate(&mut self, condition: TermId) -> TermId {
        let shallow = self.is_shallow(condition);
        match *self.get(condition) {
            Term::Constant { value, .. } => self.truth(value == 0),
            Term::Unary(Unary::Not, of) => of,
            Term::Compare(Compare::LtU, a, b) => self.compare(Compare::LeU, b, a),
            Term::Compare(Compare::LeU, a, b) => self.compare(Compare::LtU, b, a),
            Term::Compare(Compare::LtS, a, b) => self.compare(Compare::LeS, b, a),
            Term::Compare(Compare::LeS, a, b) => self.compare(Compare::LtS, b, a),
            Term::Binary(Binary::And, a, b) if shallow => {
                let (a, b) = (self.not(a), self.not(b));
                self.or(a, b)
            }
            Term::Binary(Binary::Or, a, b) if shallow => {
                let (a, b) = (self.not(a), self.not(b));
                self.and(a, b)
            }
            Term::Select { condition, yes, no } if shallow => {
                let (yes, no) = (self.not(yes), self.not(no));
                self.select(condition, yes, no)
            }
            _ => self.intern(Term::Unary(Unary::Not, condition)),
        }
    }

    pub fn and(&mut self, left: TermId, right: TermId) -> TermId {
        let all = mask(self.width(left));
        match self.lattice(Binary::And, left, right, all) {
            Ok(result) => result,
            Err((rest, constant)) => self.masked(rest, constant),
        }
    }

    pub fn or(&mut self, left: TermId, right: TermId) -> TermId {
        match self.lattice(Binary::Or, left, right, 0) {
            Ok(result) => result,
            Err((rest, constant)) => self.with_constant(Binary::Or, rest, constant),
        }
    }

    pub(super) fn exclusive_or(&mut self, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        let mut chain = self.chain(Binary::Xor, left, right, 0);
        for index in 0..chain.operands.len() {
            let (positive, flips) = self.positive(chain.operands[index]);
            chain.operands[index] = positive;
            chain.constant ^= if flips { mask(width) } else { 0 };
        }
        chain.operands.sort_unstable();
        let operands = without_pairs(&chain.operands);
        let rest = self.link(Binary::Xor, &operands, width, 0);
        if chain.constant == mask(width) {
            self.unary(Unary::Not, rest)
        } else {
            self.with_constant(Binary::Xor, rest, chain.constant)
        }
    }

    /// A chain of `&` or `|`: the result, or what has to be combined with a constant that is
    /// neither neutral nor absorbing.
    fn lattice(
        &mut self,
        operator: Binary,
        left: TermId,
        right: TermId,
        neutral: u64,
    ) -> Result<TermId, (TermId, u64)> {
        let width = self.width(left);
        let absorbing = neutral ^ mask(width);
        let mut chain = self.chain(operator, left, right, neutral);
        chain.operands.sort_unstable();
        chain.operands.dedup();
        if chain.constant == absorbing || self.has_complements(&chain.operands) {
            return Ok(self.constant(absorbing, width));
        }
        let rest = self.link(operator, &chain.operands, width, neutral);
        if chain.constant == neutral { Ok(rest) } else { Err((rest, chain.constant)) }
    }

    /// `rest & constant`. A mask of the low bits is an extended truncation.
    fn masked(&mut self, rest: TermId, constant: u64) -> TermId {
        let width = self.width(rest);
        if let Term::ExtendU { of, .. } = *self.get(rest) {
            let narrow = self.width(of);
            let low = constant & mask(narrow);
            if let Term::Truncate { of: whole, .. } = *self.get(of)
                && self.width(whole) == width
                && low != mask(narrow)
            {
                let low = self.constant(low, width);
                return self.and(whole, low);
            }
            let low = self.constant(low, narrow);
            let inner = self.and(of, low);
            return self.extend_u(inner, width);
        }
        if (constant + 1).is_power_of_two() {
            let low = u8::try_from(constant.count_ones()).unwrap_or(width);
            let inner = self.truncate(rest, low);
            return self.extend_u(inner, width);
        }
        self.with_constant(Binary::And, rest, constant)
    }

    fn with_constant(&mut self, operator: Binary, rest: TermId, constant: u64) -> TermId {
        let width = self.width(rest);
        if let Some(known) = self.as_constant(rest) {
            return self.constant(binary(operator, known, constant, width), width);
        }
        if constant == 0 && operator != Binary::And {
            return rest;
        }
        let constant = self.constant(constant, width);
        self.intern(Term::Binary(operator, rest, constant))
    }

    fn chain(&self, operator: Binary, left: TermId, right: TermId, neutral: u64) -> Chain {
        let mut chain = Chain { operands: Vec::new(), constant: neutral };
        self.unlink(operator, left, &mut chain);
        self.unlink(operator, right, &mut chain);
        chain
    }

    fn unlink(&self, operator: Binary, id: TermId, chain: &mut Chain) {
        let mut rest = id;
        let end = chain.operands.len() + LONGEST;
        while let Term::Binary(kind, front, last) = *self.get(rest)
            && kind == operator
            && chain.operands.len() + 1 < end
        {
            self.operand(operator, last, chain);
            rest = front;
        }
        self.operand(operator, rest, chain);
    }

    fn operand(&self, operator: Binary, id: TermId, chain: &mut Chain) {
        match self.as_constant(id) {
            Some(value) => chain.constant = binary(operator, chain.constant, value, 64),
            None => chain.operands.push(id),
        }
    }

    fn link(&mut self, operator: Binary, operands: &[TermId], width: u8, neutral: u64) -> TermId {
        let mut operands = operands.iter().copied();
        match operands.next() {
            None => self.constant(neutral, width),
            Some(first) => {
                operands.fold(first, |front, last| self.intern(Term::Binary(operator, front, last)))
            }
        }
    }

    /// Whether a sorted list has a term and its complement.
    fn has_complements(&mut self, operands: &[TermId]) -> bool {
        operands.iter().any(|&operand| {
            let complement = match *self.get(operand) {
                Term::Unary(Unary::Not, of) => of,
                _ if self.width(operand) == 1 => self.not(operand),
                _ => return false,
            };
            operands.binary_search(&complement).is_ok()
        })
    }

    /// The older of a term and its complement, and whether that is the complement.
    pub(super) fn positive(&mut self, id: TermId) -> (TermId, bool) {
        match *self.get(id) {
            Term::Unary(Unary::Not, of) => (of, true),
            _ if self.width(id) == 1 => {
                let negation = self.not(id);
                (id.min(negation), negation < id)
            }
            _ => (id, false),
        }
    }
}

/// Of a sorted list, the terms that occur an odd number of times.
fn without_pairs(sorted: &[TermId]) -> Vec<TermId> {
    let odd = sorted.chunk_by(|a, b| a == b).filter(|run| run.len() % 2 == 1);
    odd.map(|run| run[0]).collect()
}
