//! Arithmetic of the search.

use caulk_guard::bits::{Binary, Compare, TermId, Unary};
use caulk_ir::{BinaryOp, CompareOp, ConvertOp, Scalar, UnaryOp};

use crate::search::Seeker;
use crate::state::State;
use crate::value::{Value, width};

/// Objects lie at multiples of this.
const ALIGNED: i64 = 16;
/// A higher term is given up.
const HIGHEST: u32 = 150;

impl Seeker<'_> {
    pub fn unary(&mut self, op: UnaryOp, value: Value) -> Value {
        let Value::Term(term) = value else { return Value::Opaque };
        match op {
            UnaryOp::Neg | UnaryOp::NegS => Value::Term(self.space.terms.unary(Unary::Neg, term)),
            UnaryOp::Not => Value::Term(self.space.terms.unary(Unary::Not, term)),
            UnaryOp::AbsS => {
                let zero = self.space.number(0, self.space.terms.width(term));
                let is_negative = self.space.terms.compare(Compare::LtS, term, zero);
                let negative = self.space.terms.unary(Unary::Neg, term);
                Value::Term(self.space.terms.select(is_negative, negative, term))
            }
            _ => Value::Opaque,
        }
    }

    pub fn binary(&mut self, state: &State, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let (lhs, rhs) = (self.addressed(state, lhs, rhs), self.addressed(state, rhs, lhs));
        let value = match (lhs, rhs) {
            (Value::Term(a), Value::Term(b)) => self.numbers(op, a, b),
            (Value::Pointer { object, offset }, Value::Term(by)) => {
                self.pointer_and_number(op, object, offset, by)
            }
            (Value::Term(by), Value::Pointer { object, offset })
                if matches!(op, BinaryOp::Add | BinaryOp::AddS) =>
            {
                self.moved_by(Binary::Add, object, offset, by)
            }
            (Value::Pointer { object, offset: a }, Value::Pointer { object: other, offset: b })
                if object == other
                    && matches!(op, BinaryOp::Sub | BinaryOp::SubS | BinaryOp::PtrDiff) =>
            {
                Value::Term(self.space.terms.binary(Binary::Sub, a, b))
            }
            _ => Value::Opaque,
        };
        match value {
            Value::Term(term) if self.space.terms.height(term) > HIGHEST => Value::Opaque,
            value => value,
        }
    }

    /// A pointer from outside beside the address of an object is an address, too.
    fn addressed(&mut self, state: &State, value: Value, beside: Value) -> Value {
        match beside {
            Value::Pointer { .. } => self.known(state, value),
            _ => value,
        }
    }

    fn numbers(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Value {
        let op = match op {
            BinaryOp::Add | BinaryOp::AddS => Binary::Add,
            BinaryOp::Sub | BinaryOp::SubS | BinaryOp::PtrDiff => Binary::Sub,
            BinaryOp::Mul | BinaryOp::MulS => Binary::Mul,
            BinaryOp::DivS => Binary::DivS,
            BinaryOp::DivU => Binary::DivU,
            BinaryOp::RemS => Binary::RemS,
            BinaryOp::RemU => Binary::RemU,
            BinaryOp::And => Binary::And,
            BinaryOp::Or => Binary::Or,
            BinaryOp::Xor => Binary::Xor,
            BinaryOp::Shl | BinaryOp::ShlS => Binary::Shl,
            BinaryOp::ShrS => Binary::ShrS,
            BinaryOp::ShrU => Binary::ShrU,
            _ => return Value::Opaque,
        };
        if self.space.terms.width(a) != self.space.terms.width(b) {
            return Value::Opaque;
        }
        Value::Term(self.space.terms.binary(op, a, b))
    }

    fn pointer_and_number(
        &mut self,
        op: BinaryOp,
        object: u32,
        offset: TermId,
        by: TermId,
    ) -> Value {
        match op {
            BinaryOp::Add | BinaryOp::AddS => self.moved_by(Binary::Add, object, offset, by),
            BinaryOp::Sub | BinaryOp::SubS => self.moved_by(Binary::Sub, object, offset, by),
            BinaryOp::And
                if self.space.constant(by).is_some_and(|it| (0..ALIGNED).contains(&it)) =>
            {
                Value::Term(self.space.terms.binary(Binary::And, offset, by))
            }
            _ => Value::Opaque,
        }
    }

    fn moved_by(&mut self, op: Binary, object: u32, offset: TermId, by: TermId) -> Value {
        if self.space.terms.width(by) != 64 {
            return Value::Opaque;
        }
        Value::Pointer { object, offset: self.space.terms.binary(op, offset, by) }
    }

    /// `base + index * stride`.
    pub fn indexed(&mut self, base: Value, index: Value, stride: i64) -> Value {
        let Value::Term(index) = index else { return Value::Opaque };
        let index = match self.space.terms.width(index) {
            64 => index,
            narrow if narrow < 64 => self.space.terms.extend_s(index, 64),
            _ => return Value::Opaque,
        };
        let stride = self.space.offset(stride);
        let by = self.space.terms.binary(Binary::Mul, index, stride);
        match base {
            Value::Pointer { object, offset } => self.moved_by(Binary::Add, object, offset, by),
            Value::Term(base) if self.space.terms.width(base) == 64 => {
                Value::Term(self.space.terms.binary(Binary::Add, base, by))
            }
            _ => Value::Opaque,
        }
    }

    pub fn compare(&mut self, state: &State, op: CompareOp, lhs: Value, rhs: Value) -> Value {
        let (lhs, rhs) = (self.addressed(state, lhs, rhs), self.addressed(state, rhs, lhs));
        match (lhs, rhs) {
            (Value::Term(a), Value::Term(b)) => self.compare_numbers(op, a, b),
            (Value::Pointer { object, offset: a }, Value::Pointer { object: other, offset: b })
                if object == other =>
            {
                self.compare_numbers(op, a, b)
            }
            (Value::Function(a), Value::Function(b)) => self.equality(op, a == b),
            (Value::Opaque, _) | (_, Value::Opaque) => Value::Opaque,
            // Different objects, NULL and numbers: no two are the same.
            _ => self.equality(op, false),
        }
    }

    fn equality(&mut self, op: CompareOp, equal: bool) -> Value {
        match op {
            CompareOp::Eq => Value::Term(self.space.terms.truth(equal)),
            CompareOp::Ne => Value::Term(self.space.terms.truth(!equal)),
            _ => Value::Opaque,
        }
    }

    fn compare_numbers(&mut self, op: CompareOp, a: TermId, b: TermId) -> Value {
        if self.space.terms.width(a) != self.space.terms.width(b) {
            return Value::Opaque;
        }
        let (op, left, right, negated) = match op {
            CompareOp::Eq => (Compare::Eq, a, b, false),
            CompareOp::Ne => (Compare::Eq, a, b, true),
            CompareOp::LtS => (Compare::LtS, a, b, false),
            CompareOp::LeS => (Compare::LeS, a, b, false),
            CompareOp::GtS => (Compare::LtS, b, a, false),
            CompareOp::GeS => (Compare::LeS, b, a, false),
            CompareOp::LtU => (Compare::LtU, a, b, false),
            CompareOp::LeU => (Compare::LeU, a, b, false),
            CompareOp::GtU => (Compare::LtU, b, a, false),
            CompareOp::GeU => (Compare::LeU, b, a, false),
            _ => return Value::Opaque,
        };
        let term = self.space.terms.compare(op, left, right);
        Value::Term(if negated { self.space.terms.not(term) } else { term })
    }

    pub fn convert(&mut self, op: ConvertOp, value: Value, to: Scalar) -> Value {
        let Some(to) = width(to) else { return Value::Opaque };
        let term = match value {
            Value::Term(term) => term,
            // Addresses go through integers of their size.
            Value::Pointer { .. } | Value::Function(_) if to == 64 => return value,
            _ => return Value::Opaque,
        };
        let from = self.space.terms.width(term);
        let term = match op {
            _ if from == to && !is_float(op) => term,
            ConvertOp::SignExtend if from < to => self.space.terms.extend_s(term, to),
            ConvertOp::ZeroExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr if from < to => {
                self.space.terms.extend_u(term, to)
            }
            ConvertOp::Trunc | ConvertOp::PtrToInt | ConvertOp::IntToPtr if from > to => {
                self.space.terms.truncate(term, to)
            }
            _ => return Value::Opaque,
        };
        Value::Term(term)
    }
}

fn is_float(op: ConvertOp) -> bool {
    matches!(
        op,
        ConvertOp::Float
            | ConvertOp::FloatToSigned
            | ConvertOp::FloatToUnsigned
            | ConvertOp::SignedToFloat
            | ConvertOp::UnsignedToFloat
    )
}
