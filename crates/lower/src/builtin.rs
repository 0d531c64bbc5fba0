//! Builtins that are nodes of the tree and not calls.

use caulk_cfront::tree::{
    BitCount, Classify, ExprId, ExprKind, ExprList, JumpAsk, OverflowOp, Sign, Span, TypeId,
};
use caulk_ir::{
    BinaryOp, CompareOp, Inst, OverflowOp as IrOverflow, OverflowPart, Scalar, UnaryOp,
    Unreachable, ValueId,
};

use crate::function::FunctionLowering;
use crate::place::Place;
use crate::types::Signed;
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    /// A builtin with a scalar value. A declaration in the source gives the node its type, and
    /// that need not be the type of what the builtin computes.
    pub fn builtin(&mut self, expr: ExprId, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let value = self.builtin_value(expr, ty, span)?;
        if self.b.scalar(value) != self.scalar_of(ty, span)? {
            return refuse("a builtin is declared with another type", span);
        }
        Ok(value)
    }

    fn builtin_value(&mut self, expr: ExprId, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let kind = self.unit.tree.tast[expr].kind;
        match kind {
            ExprKind::VaArg { list } => match self.va_arg(list, ty, None, span)? {
                Some(value) => Ok(value),
                None => refuse("an argument of this type is not supported", span),
            },
            ExprKind::Classify { op, lhs, rhs } => self.classify(op, lhs, rhs, ty, span),
            ExprKind::FpClassify { value, answers } => self.fpclassify(value, answers, ty, span),
            ExprKind::Sign { op, lhs, rhs } => self.sign(op, lhs, rhs, span),
            ExprKind::Abs { operand } => self.unary_builtin(UnaryOp::AbsS, operand, ty, span),
            ExprKind::ByteSwap { operand } => {
                self.unary_builtin(UnaryOp::ByteSwap, operand, ty, span)
            }
            ExprKind::BitCount { operand, count } => self.bit_count(count, operand, ty, span),
            ExprKind::Overflow { op, args, stores, .. } => {
                self.overflow(op, args, stores, ty, span)
            }
            ExprKind::Atomic { op, args, .. } => match self.atomic(op, args, ty, span)? {
                Some(value) => Ok(value),
                None => refuse("the value of an atomic store is used", span),
            },
            ExprKind::Expect { value, hint, .. } => {
                self.discard(hint)?;
                self.value(value)
            }
            ExprKind::ConstantP { .. } => {
                let scalar = self.scalar_of(ty, span)?;
                Ok(self.b.int(scalar, 0))
            }
            ExprKind::ObjectSize { kind, .. } => {
                // Unknown: the largest size for the kinds that ask for a maximum.
                let scalar = self.scalar_of(ty, span)?;
                Ok(self.b.int(scalar, if kind & 2 == 0 { -1 } else { 0 }))
            }
            ExprKind::Alloca { size } => self.alloca(size, span),
            ExprKind::Jump { ask: JumpAsk::Save, buffer } => {
                match self.library_call("__builtin_setjmp", &[buffer], ty)? {
                    Some(value) => Ok(value),
                    None => self.unknown(ty, span),
                }
            }
            ExprKind::Elementwise { .. }
            | ExprKind::FrameAddress { .. }
            | ExprKind::ThreadPointer
            | ExprKind::SpEntry
            | ExprKind::TimeStamp { .. }
            | ExprKind::Eflags { .. }
            | ExprKind::CpuModel { .. } => {
                self.discard_operands(expr)?;
                self.unknown(ty, span)
            }
            _ => refuse("an expression is not supported", span),
        }
    }

    /// A builtin without a value.
    pub fn builtin_effect(&mut self, expr: ExprId) -> Lowered<()> {
        let (ty, span) = (self.type_of(expr), self.span_of(expr));
        match self.unit.tree.tast[expr].kind {
            ExprKind::VaStart { list } => self.va_effect(list, span, |list| Inst::VaStart { list }),
            ExprKind::VaEnd { list } => self.va_effect(list, span, |list| Inst::VaEnd { list }),
            ExprKind::VaCopy { dst, src } => {
                let (to, from) = (self.va_list(dst)?, self.va_list(src)?);
                self.at(span);
                self.b.effect(Inst::VaCopy { to, from });
                Ok(())
            }
            ExprKind::Atomic { op, args, .. } => self.atomic(op, args, ty, span).map(drop),
            ExprKind::Jump { ask: JumpAsk::Restore, buffer } => {
                self.library_call("__builtin_longjmp", &[buffer], ty)?;
                self.stop(span, Unreachable::Noreturn);
                Ok(())
            }
            ExprKind::Prefetch { .. } | ExprKind::Eflags { .. } => self.discard_operands(expr),
            ExprKind::XState { address, mask, .. } => {
                self.library_call("__builtin_ia32_xstate", &[address, mask], ty).map(drop)
            }
            ExprKind::StmtExpr(_) | ExprKind::Comma { .. } | ExprKind::Cond { .. } => {
                self.discard(expr)
            }
            _ => refuse("an expression is not supported", span),
        }
    }

    fn va_effect(
        &mut self,
        list: ExprId,
        span: Span,
        make: impl FnOnce(ValueId) -> Inst,
    ) -> Lowered<()> {
        let list = self.va_list(list)?;
        self.at(span);
        self.b.effect(make(list));
        Ok(())
    }

    /// A value that nothing is known of: frame addresses, time stamps, processor features.
    fn unknown(&mut self, ty: TypeId, span: Span) -> Lowered<ValueId> {
        self.at(span);
        let scalar = self.scalar_of(ty, span)?;
        Ok(self.b.define(scalar, Inst::Havoc { scalar }))
    }

    /// Evaluates what an unmodelled operation computes with.
    pub fn discard_operands(&mut self, expr: ExprId) -> Lowered<()> {
        let mut operands = Vec::new();
        let kind = self.unit.tree.tast[expr].kind;
        crate::scan::each_child(self.unit, kind, |child| operands.push(child));
        operands.into_iter().try_for_each(|operand| self.discard(operand))
    }

    fn unary_builtin(
        &mut self,
        op: UnaryOp,
        operand: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        self.integer_of(operand, span)?;
        let value = self.value(operand)?;
        self.at(span);
        let scalar = self.scalar_of(ty, span)?;
        Ok(self.b.define(scalar, Inst::Unary { op, value }))
    }

    fn bit_count(
        &mut self,
        count: BitCount,
        operand: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        self.integer_of(operand, span)?;
        let value = self.value(operand)?;
        self.at(span);
        let width = self.b.scalar(value);
        let op = match count {
            BitCount::Leading => UnaryOp::LeadingZeros,
            BitCount::Trailing => UnaryOp::TrailingZeros,
            BitCount::Ones | BitCount::Parity => UnaryOp::Ones,
            BitCount::FirstSet => UnaryOp::FirstSet,
            BitCount::RedundantSign => UnaryOp::RedundantSign,
        };
        let mut answer = self.b.define(width, Inst::Unary { op, value });
        if count == BitCount::Parity {
            let one = self.b.int(width, 1);
            let op = BinaryOp::And;
            answer = self.b.define(width, Inst::Binary { op, lhs: answer, rhs: one });
        }
        let scalar = self.scalar_of(ty, span)?;
        Ok(self.resize(answer, scalar, false))
    }

    fn sign(&mut self, op: Sign, lhs: ExprId, rhs: Option<ExprId>, span: Span) -> Lowered<ValueId> {
        let lhs = self.value(lhs)?;
        let scalar = self.b.scalar(lhs);
        match (op, rhs) {
            (Sign::Of, Some(rhs)) => {
                let rhs = self.value(rhs)?;
                self.at(span);
                let op = BinaryOp::CopySign;
                Ok(self.b.define(scalar, Inst::Binary { op, lhs, rhs }))
            }
            _ => {
                self.at(span);
                Ok(self.b.define(scalar, Inst::Unary { op: UnaryOp::FAbs, value: lhs }))
            }
        }
    }

    /// Exact arithmetic: the wrapped result goes through the third operand, the value tells
    /// whether it wrapped.
    fn overflow(
        &mut self,
        op: OverflowOp,
        args: ExprList,
        stores: bool,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        let &[lhs, rhs, into] = &self.unit.tree.tast[args] else {
            return refuse("an overflow builtin has too few operands", span);
        };
        let result = self.overflow_result(self.type_of(into), stores, span)?;
        let left_signed = self.integer_of(lhs, span)?;
        let right_signed = self.integer_of(rhs, span)?;
        let (lhs, rhs) = (self.value(lhs)?, self.value(rhs)?);
        let to = if stores { Some(self.value(into)?) } else { None };
        self.at(span);
        let make = |part| Inst::Overflow {
            op: overflow_op(op),
            part,
            lhs,
            rhs,
            scalar: result.scalar,
            signs: [left_signed, right_signed, result.signed],
        };
        let flag = self.b.define(Scalar::I1, make(OverflowPart::Flag));
        if let Some(to) = to {
            let value = self.b.define(result.scalar, make(OverflowPart::Result));
            self.write(Place::memory(to), value);
        }
        let scalar = self.scalar_of(ty, span)?;
        Ok(self.widen_truth(flag, scalar))
    }

    /// What exact arithmetic wraps to: the third operand's type, or what it points to.
    fn overflow_result(&self, into: TypeId, stores: bool, span: Span) -> Lowered<Signed> {
        let ty = if stores { self.unit.pointee(into) } else { Some(into) };
        match ty.and_then(|ty| self.unit.scalar(ty)) {
            Some(signed) if signed.scalar.is_int() => Ok(signed),
            _ => refuse("exact arithmetic does not give an integer", span),
        }
    }

    fn alloca(&mut self, size: ExprId, span: Span) -> Lowered<ValueId> {
        let signed = self.integer_of(size, span)?;
        let size = self.value(size)?;
        self.at(span);
        let size = self.resize(size, Scalar::I64, signed);
        Ok(self.b.define(Scalar::Ptr, Inst::Alloca { size, align: 16, scope: None }))
    }

    /// Questions about a float, each as comparisons with its limits.
    fn classify(
        &mut self,
        op: Classify,
        lhs: ExprId,
        rhs: Option<ExprId>,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        let left = self.value(lhs)?;
        let right = rhs.map(|rhs| self.value(rhs)).transpose()?;
        self.at(span);
        let result = self.scalar_of(ty, span)?;
        let truth = match op {
            Classify::Unordered => self.float_compare(CompareOp::FUnordered, left, right),
            Classify::LessGreater => {
                let less = self.float_compare(CompareOp::FLt, left, right);
                let more = self.float_compare(CompareOp::FGt, left, right);
                let op = BinaryOp::Or;
                self.b.define(Scalar::I1, Inst::Binary { op, lhs: less, rhs: more })
            }
            Classify::Nan => self.float_compare(CompareOp::FUnordered, left, None),
            Classify::Infinite => self.compare_magnitude(CompareOp::FEq, left),
            Classify::Finite => self.compare_magnitude(CompareOp::FLt, left),
            Classify::SignBit => {
                self.b.define(Scalar::I1, Inst::Unary { op: UnaryOp::SignBit, value: left })
            }
            Classify::Normal => self.is_normal(left),
            Classify::InfiniteSign => return Ok(self.infinite_sign(left, result)),
        };
        Ok(self.widen_truth(truth, result))
    }

    fn float_compare(&mut self, op: CompareOp, lhs: ValueId, rhs: Option<ValueId>) -> ValueId {
        self.b.define(Scalar::I1, Inst::Compare { op, lhs, rhs: rhs.unwrap_or(lhs) })
    }

    /// Compares the magnitude with infinity.
    fn compare_magnitude(&mut self, op: CompareOp, value: ValueId) -> ValueId {
        let scalar = self.b.scalar(value);
        let magnitude = self.b.define(scalar, Inst::Unary { op: UnaryOp::FAbs, value });
        let infinity = self.b.float(scalar, infinity_bits(scalar));
        self.float_compare(op, magnitude, Some(infinity))
    }

    fn is_normal(&mut self, value: ValueId) -> ValueId {
        let scalar = self.b.scalar(value);
        let finite = self.compare_magnitude(CompareOp::FLt, value);
        let magnitude = self.b.define(scalar, Inst::Unary { op: UnaryOp::FAbs, value });
        let least = self.b.float(scalar, smallest_normal_bits(scalar));
        let large = self.float_compare(CompareOp::FGe, magnitude, Some(least));
        let op = BinaryOp::And;
        self.b.define(Scalar::I1, Inst::Binary { op, lhs: finite, rhs: large })
    }

    /// 1 or -1 for an infinity, 0 otherwise.
    fn infinite_sign(&mut self, value: ValueId, result: Scalar) -> ValueId {
        let scalar = self.b.scalar(value);
        let plus = self.b.float(scalar, infinity_bits(scalar));
        let positive = self.float_compare(CompareOp::FEq, value, Some(plus));
        let negated = self.b.define(scalar, Inst::Unary { op: UnaryOp::FNeg, value });
        let negative = self.float_compare(CompareOp::FEq, negated, Some(plus));
        let lhs = self.widen_truth(positive, result);
        let rhs = self.widen_truth(negative, result);
        self.b.define(result, Inst::Binary { op: BinaryOp::SubS, lhs, rhs })
    }

    /// The five answers in order: not a number, infinite, normal, subnormal, zero.
    fn fpclassify(
        &mut self,
        value: ExprId,
        answers: ExprList,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        let &[nan, infinite, normal, subnormal, zero] = &self.unit.tree.tast[answers] else {
            return refuse("a classification has too few answers", span);
        };
        let value = self.value(value)?;
        let key = self.b.new_key(self.scalar_of(ty, span)?, None);
        let join = self.b.new_block();
        self.at(span);
        let is_nan = self.float_compare(CompareOp::FUnordered, value, None);
        self.answer_if(is_nan, nan, key, join)?;
        let is_infinite = self.compare_magnitude(CompareOp::FEq, value);
        self.answer_if(is_infinite, infinite, key, join)?;
        let is_normal = self.is_normal(value);
        self.answer_if(is_normal, normal, key, join)?;
        let is_zero = self.compare_with_zero(CompareOp::Eq, value);
        self.answer_if(is_zero, zero, key, join)?;
        let last = self.value(subnormal)?;
        self.b.write(key, last);
        self.b.jump(join);
        self.continue_in(join);
        Ok(self.b.read(key))
    }

    fn answer_if(
        &mut self,
        cond: ValueId,
        answer: ExprId,
        key: crate::builder::Key,
        join: caulk_ir::BlockId,
    ) -> Lowered<()> {
        let (yes, no) = (self.b.new_block(), self.b.new_block());
        self.b.branch(cond, yes, no);
        self.continue_in(yes);
        let value = self.value(answer)?;
        self.b.write(key, value);
        self.b.jump(join);
        self.continue_in(no);
        Ok(())
    }
}

fn overflow_op(op: OverflowOp) -> IrOverflow {
    match op {
        OverflowOp::Add => IrOverflow::Add,
        OverflowOp::Sub => IrOverflow::Sub,
        OverflowOp::Mul => IrOverflow::Mul,
    }
}

/// The bits of positive infinity.
fn infinity_bits(scalar: Scalar) -> u128 {
    match scalar {
        Scalar::F16 => 0x7c00,
        Scalar::F32 => 0x7f80_0000,
        Scalar::F80 => 0x7fff_8000_0000_0000_0000,
        Scalar::F128 => 0x7fff << 112,
        _ => 0x7ff0_0000_0000_0000,
    }
}

/// The bits of the smallest positive normal number.
fn smallest_normal_bits(scalar: Scalar) -> u128 {
    match scalar {
        Scalar::F16 => 0x0400,
        Scalar::F32 => 0x0080_0000,
        Scalar::F80 => 0x0001_8000_0000_0000_0000,
        Scalar::F128 => 1 << 112,
        _ => 0x0010_0000_0000_0000,
    }
}
