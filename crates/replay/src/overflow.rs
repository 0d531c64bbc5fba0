//! Arithmetic that tells whether its result fits: `__builtin_add_overflow` and its kin.

use caulk_guard::bits::{Binary, Compare, TermId};
use caulk_ir::{OverflowOp, OverflowPart, Scalar};

use crate::search::Seeker;
use crate::value::{Value, width};

impl Seeker<'_> {
    /// Followed where operands and result have one type.
    pub fn overflow(
        &mut self,
        (op, part): (OverflowOp, OverflowPart),
        operands: [Value; 2],
        scalar: Scalar,
        signs: [bool; 3],
    ) -> Value {
        let ([Value::Term(a), Value::Term(b)], Some(wide)) = (operands, width(scalar)) else {
            return Value::Opaque;
        };
        let terms = &self.space.terms;
        let is_plain = terms.width(a) == wide && terms.width(b) == wide;
        let is_signed = match signs {
            [true, true, true] => true,
            [false, false, false] => false,
            _ => return Value::Opaque,
        };
        if !is_plain {
            return Value::Opaque;
        }
        let flag = match (part, is_signed) {
            (OverflowPart::Result, _) => Some(self.wrapped(op, a, b)),
            (OverflowPart::Flag, true) => self.leaves_signed(op, a, b),
            (OverflowPart::Flag, false) => Some(self.leaves_unsigned(op, a, b)),
        };
        flag.map_or(Value::Opaque, Value::Term)
    }

    fn wrapped(&mut self, op: OverflowOp, a: TermId, b: TermId) -> TermId {
        let op = match op {
            OverflowOp::Add => Binary::Add,
            OverflowOp::Sub => Binary::Sub,
            OverflowOp::Mul => Binary::Mul,
        };
        self.space.terms.binary(op, a, b)
    }

    fn leaves_unsigned(&mut self, op: OverflowOp, a: TermId, b: TermId) -> TermId {
        match op {
            OverflowOp::Add => {
                let sum = self.wrapped(op, a, b);
                self.space.terms.compare(Compare::LtU, sum, a)
            }
            OverflowOp::Sub => self.space.terms.compare(Compare::LtU, a, b),
            OverflowOp::Mul => self.product_leaves(a, b),
        }
    }

    /// `a > MAX / b`, unless `b` is zero; the division is done beforehand where it can be.
    fn product_leaves(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.space.terms.as_constant(a).is_some() { (b, a) } else { (a, b) };
        let width = self.space.terms.width(a);
        let (most, zero) = (self.space.number(-1, width), self.space.number(0, width));
        let limit = self.space.terms.binary(Binary::DivU, most, b);
        let is_above = self.space.terms.compare(Compare::LtU, limit, a);
        let is_zero = self.space.terms.eq(b, zero);
        let is_some = self.space.terms.not(is_zero);
        self.space.terms.and(is_some, is_above)
    }

    /// A sum has left the range if its sign is neither operand's, a difference if it is not that of
    /// the first of two operands with different signs.
    fn leaves_signed(&mut self, op: OverflowOp, a: TermId, b: TermId) -> Option<TermId> {
        let result = self.wrapped(op, a, b);
        let terms = &mut self.space.terms;
        let first = terms.binary(Binary::Xor, a, result);
        let second = match op {
            OverflowOp::Add => terms.binary(Binary::Xor, b, result),
            OverflowOp::Sub => terms.binary(Binary::Xor, a, b),
            OverflowOp::Mul => return None,
        };
        let signs = terms.binary(Binary::And, first, second);
        let width = terms.width(a);
        let zero = self.space.number(0, width);
        Some(self.space.terms.compare(Compare::LtS, signs, zero))
    }
}
