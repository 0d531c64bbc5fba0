//! The meaning of the representation's arithmetic over symbolic expressions.

use caulk_ir::{BinaryOp, CompareOp, ConvertOp, Scalar, UnaryOp};

use crate::condition::Relation;
use crate::space::{Cond, Expr, Operator};
use crate::state::{Context, Evaluator};

impl Evaluator<'_> {
    /// The condition that a truth value stands for.
    pub fn condition_of(&mut self, expr: Expr) -> Cond {
        self.space.is(Relation::NonZero, expr)
    }

    /// 0 or 1.
    pub fn truth_of(&mut self, condition: Cond) -> Expr {
        let (one, zero) = (self.space.constant(1), self.space.constant(0));
        self.space.select(condition, one, zero)
    }

    pub fn unary(&mut self, op: UnaryOp, value: Expr, scalar: Scalar) -> Expr {
        match op {
            UnaryOp::Neg | UnaryOp::NegS => self.space.scale(value, -1),
            UnaryOp::Not if scalar == Scalar::I1 => {
                let condition = self.space.is_zero(value);
                self.truth_of(condition)
            }
            UnaryOp::Not => {
                let negative = self.space.scale(value, -1);
                self.space.offset(negative, -1)
            }
            UnaryOp::AbsS => {
                let negative = self.space.scale(value, -1);
                self.space.maximum(value, negative)
            }
            _ => self.unknown(false),
        }
    }

    pub fn binary(
        &mut self,
        context: &mut Context,
        op: BinaryOp,
        (left, right): (Expr, Expr),
        scalar: Scalar,
    ) -> Expr {
        if scalar == Scalar::I1 {
            return self.logic(op, left, right);
        }
        match op {
            BinaryOp::AddS => self.space.add(left, right),
            BinaryOp::SubS | BinaryOp::PtrDiff => self.space.subtract(left, right),
            BinaryOp::MulS => self.space.multiply(left, right),
            BinaryOp::Add => {
                let sum = self.space.add(left, right);
                self.does_not_wrap(context, sum, scalar)
            }
            BinaryOp::Sub => {
                let difference = self.space.subtract(left, right);
                self.does_not_wrap(context, difference, scalar)
            }
            BinaryOp::Mul => {
                let product = self.space.multiply(left, right);
                self.does_not_wrap(context, product, scalar)
            }
            BinaryOp::DivS => self.divide(left, right),
            BinaryOp::RemS => self.space.apply(Operator::Remainder, &[left, right]),
            BinaryOp::DivU => {
                self.rely_on_natural(context, &[left, right]);
                self.divide(left, right)
            }
            BinaryOp::RemU => {
                self.rely_on_natural(context, &[left, right]);
                self.space.apply(Operator::Remainder, &[left, right])
            }
            BinaryOp::And => self.space.apply(Operator::And, &[left, right]),
            BinaryOp::Or => self.space.apply(Operator::Or, &[left, right]),
            BinaryOp::Xor => self.space.apply(Operator::Xor, &[left, right]),
            BinaryOp::Shl | BinaryOp::ShlS => match self.space.as_constant(right) {
                Some(by @ 0..=62) => self.space.scale(left, 1 << by),
                _ => self.space.apply(Operator::ShiftLeft, &[left, right]),
            },
            BinaryOp::ShrU => {
                self.rely_on_natural(context, &[left]);
                self.space.apply(Operator::ShiftRight, &[left, right])
            }
            BinaryOp::ShrS => self.space.apply(Operator::ShiftRight, &[left, right]),
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::CopySign => self.unknown(false),
        }
    }

    fn logic(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let (a, b) = (self.condition_of(left), self.condition_of(right));
        let condition = match op {
            BinaryOp::And => self.space.and(a, b),
            BinaryOp::Or => self.space.or(a, b),
            BinaryOp::Xor => {
                let (not_a, not_b) = (self.space.not(a), self.space.not(b));
                let (one, other) = (self.space.and(a, not_b), self.space.and(not_a, b));
                self.space.or(one, other)
            }
            _ => return self.unknown(false),
        };
        self.truth_of(condition)
    }

    /// Exact where every coefficient can be divided.
    fn divide(&mut self, left: Expr, right: Expr) -> Expr {
        let poly = self.space.poly(left);
        match self.space.as_constant(right) {
            Some(by)
                if by != 0
                    && poly.divisor == 1
                    && poly.terms.iter().all(|term| term.1 % by == 0) =>
            {
                self.space.divide_exactly(left, by)
            }
            _ => self.space.apply(Operator::Divide, &[left, right]),
        }
    }

    /// Unsigned arithmetic is taken over the integers, under the condition that it does not wrap.
    fn does_not_wrap(&mut self, context: &mut Context, value: Expr, scalar: Scalar) -> Expr {
        if self.space.as_constant(value).is_none()
            && let Some(bits) = scalar.int_bits()
        {
            let top = self.space.constant(1 << bits.min(64));
            let condition = self.space.in_range(value, top);
            context.rely_on(condition);
        }
        value
    }

    fn rely_on_natural(&mut self, context: &mut Context, values: &[Expr]) {
        let zero = self.space.constant(0);
        for &value in values {
            let condition = self.space.at_least(value, zero);
            context.rely_on(condition);
        }
    }

    pub fn compare(
        &mut self,
        context: &mut Context,
        op: CompareOp,
        (left, right): (Expr, Expr),
        scalar: Scalar,
    ) -> Expr {
        let (left, right) = match op {
            CompareOp::LtU | CompareOp::LeU | CompareOp::GtU | CompareOp::GeU
                if scalar != Scalar::Ptr =>
            {
                let bits = scalar.int_bits().unwrap_or(64).min(64);
                (self.unsigned(context, left, bits), self.unsigned(context, right, bits))
            }
            _ => (left, right),
        };
        let condition = match op {
            CompareOp::Eq => self.space.equal(left, right),
            CompareOp::Ne => {
                let equal = self.space.equal(left, right);
                self.space.not(equal)
            }
            CompareOp::LtS | CompareOp::LtU => self.space.less(left, right),
            CompareOp::LeS | CompareOp::LeU => self.space.at_least(right, left),
            CompareOp::GtS | CompareOp::GtU => self.space.less(right, left),
            CompareOp::GeS | CompareOp::GeU => self.space.at_least(left, right),
            _ => {
                let unknown = self.unknown(false);
                self.space.is(Relation::NonZero, unknown)
            }
        };
        self.truth_of(condition)
    }

    /// A number as unsigned: constants are known, the others are relied on not to be negative.
    fn unsigned(&mut self, context: &mut Context, value: Expr, bits: u32) -> Expr {
        match self.space.as_constant(value) {
            Some(number) if number < 0 => self.space.constant(number + (1 << bits)),
            Some(_) => value,
            None => {
                self.rely_on_natural(context, &[value]);
                value
            }
        }
    }

    pub fn convert(
        &mut self,
        context: &mut Context,
        op: ConvertOp,
        value: Expr,
        (from, to): (Scalar, Scalar),
    ) -> Expr {
        match op {
            ConvertOp::Trunc => self.truncate(context, value, to),
            ConvertOp::SignExtend if from == Scalar::I1 => self.space.scale(value, -1),
            ConvertOp::SignExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr => value,
            ConvertOp::ZeroExtend => self.zero_extend(context, value, from),
            ConvertOp::Bits if !from.is_float() && !to.is_float() => value,
            _ => self.unknown(false),
        }
    }

    fn truncate(&mut self, context: &mut Context, value: Expr, to: Scalar) -> Expr {
        let bits = to.int_bits().unwrap_or(64).min(64) as u8;
        if self.space.as_constant(value).is_some() || bits == 16 || bits == 8 {
            return self.wrap(context, Operator::WrapSigned(bits), value);
        }
        if bits == 1 {
            let one = self.space.constant(1);
            return self.space.apply(Operator::And, &[value, one]);
        }
        let half = 1_i128 << (bits - 1);
        let (low, high) = (self.space.constant(-half), self.space.constant(2 * half));
        let (least, most) = (self.space.at_least(value, low), self.space.less(value, high));
        context.rely_on(least);
        context.rely_on(most);
        value
    }

    fn zero_extend(&mut self, context: &mut Context, value: Expr, from: Scalar) -> Expr {
        let bits = from.int_bits().unwrap_or(64).min(64) as u8;
        if bits == 1 {
            return value;
        }
        if bits <= 16 || self.space.as_constant(value).is_some() {
            return self.wrap(context, Operator::WrapUnsigned(bits), value);
        }
        self.rely_on_natural(context, &[value]);
        value
    }

    /// Wrapped to a width, unless it is known to fit.
    fn wrap(&mut self, context: &Context, operator: Operator, value: Expr) -> Expr {
        let (low, high) = match operator {
            Operator::WrapSigned(bits) => (-(1_i128 << (bits - 1)), 1_i128 << (bits - 1)),
            Operator::WrapUnsigned(bits) => (0, 1_i128 << bits),
            _ => return value,
        };
        let (low, high) = (self.space.constant(low), self.space.constant(high));
        let (least, below) = (self.space.at_least(value, low), self.space.less(value, high));
        let fits = self.space.and(least, below);
        if self.space.decide(&context.facts, fits) == Some(true) {
            return value;
        }
        self.space.apply(operator, &[value])
    }
}
