//! Operators on scalars, and arithmetic on pointers.

use caulk_cfront::tree::{BinaryOp, ExprId, Span, TypeId, TypeKind, UnaryOp};
use caulk_ir::{
    BinaryOp as IrBinary, CompareOp, ConvertOp, Inst, Scalar, UnaryOp as IrUnary, ValueId,
};

use crate::expression::is_comparison;
use crate::function::FunctionLowering;
use crate::types::Signed;
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    pub fn unary(
        &mut self,
        op: UnaryOp,
        operand: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        match op {
            UnaryOp::Plus => self.value(operand),
            UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.value(operand)?;
                self.at(span);
                let signed = self.signed_of(ty, span)?;
                let op = negation(op, signed);
                let value = self.b.define(signed.scalar, Inst::Unary { op, value });
                Ok(self.wrapped(value, ty))
            }
            UnaryOp::Not => {
                let truth = self.falsehood(operand, span)?;
                let scalar = self.scalar_of(ty, span)?;
                Ok(self.widen_truth(truth, scalar))
            }
            UnaryOp::Deref => {
                let address = self.value(operand)?;
                self.at(span);
                if self.unit.is_function_type(ty) {
                    return Ok(address);
                }
                let volatile = self.unit.is_volatile(ty);
                self.read(crate::place::Place::Memory { address, volatile }, ty, span)
            }
            UnaryOp::AddrOf => {
                if self.unit.is_function_type(self.type_of(operand)) {
                    return self.function_address(operand, span);
                }
                self.address_of(operand)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.step_in_place(op, operand, span)
            }
            UnaryOp::Real | UnaryOp::Imag => refuse("it computes with complex numbers", span),
        }
    }

    pub fn signed_of(&self, ty: TypeId, span: Span) -> Lowered<Signed> {
        match self.unit.scalar(ty) {
            Some(signed) => Ok(signed),
            None => refuse("a value of this type is not supported", span),
        }
    }

    /// Whether an integer expression is signed.
    pub fn integer_of(&self, expr: ExprId, span: Span) -> Lowered<bool> {
        match self.signed_of(self.type_of(expr), span)? {
            Signed { scalar, signed } if scalar.is_int() => Ok(signed),
            _ => refuse("a number is not an integer", span),
        }
    }

    /// An `i1` as a C integer.
    pub fn widen_truth(&mut self, truth: ValueId, scalar: Scalar) -> ValueId {
        if scalar == Scalar::I1 {
            return truth;
        }
        if let Some(caulk_ir::Constant::Int(known)) = self.b.body.constant(truth) {
            return self.b.int(scalar, i128::from(known));
        }
        self.b.define(scalar, Inst::Convert { op: ConvertOp::ZeroExtend, value: truth, to: scalar })
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        if is_comparison(op) {
            let truth = self.comparison(op, lhs, rhs, span)?;
            let scalar = self.scalar_of(ty, span)?;
            return Ok(self.widen_truth(truth, scalar));
        }
        match op {
            BinaryOp::LogAnd | BinaryOp::LogOr => self.logical(op, lhs, rhs, ty, span),
            BinaryOp::Add | BinaryOp::Sub => self.sum(op, lhs, rhs, ty, span),
            _ => {
                let left = self.value(lhs)?;
                let right = self.value(rhs)?;
                self.at(span);
                self.operate(op, left, right, ty, span)
            }
        }
    }

    fn logical(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        let (right, decided, join) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        let key = self.b.new_key(Scalar::I1, None);
        match op {
            BinaryOp::LogAnd => self.condition(lhs, right, decided)?,
            _ => self.condition(lhs, decided, right)?,
        }
        self.continue_in(decided);
        let known = self.b.int(Scalar::I1, i128::from(op == BinaryOp::LogOr));
        self.b.write(key, known);
        self.b.jump(join);
        self.continue_in(right);
        let truth = self.truth(rhs)?;
        self.b.write(key, truth);
        self.b.jump(join);
        self.continue_in(join);
        self.at(span);
        let truth = self.b.read(key);
        let scalar = self.scalar_of(ty, span)?;
        Ok(self.widen_truth(truth, scalar))
    }

    /// `+` and `-`, on numbers or with a pointer.
    fn sum(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        let pointer = |it: &Self, expr| it.unit.pointee(it.type_of(expr));
        match (pointer(self, lhs), pointer(self, rhs)) {
            (Some(to), Some(_)) => self.distance(lhs, rhs, to, ty, span),
            (Some(to), None) => {
                let base = self.value(lhs)?;
                self.step(base, rhs, to, op == BinaryOp::Sub, span)
            }
            (None, Some(to)) => {
                let index = self.value(lhs)?;
                let signed = self.integer_of(lhs, span)?;
                let base = self.value(rhs)?;
                self.at(span);
                self.step_by(base, index, signed, to, false, span)
            }
            (None, None) => {
                let left = self.value(lhs)?;
                let right = self.value(rhs)?;
                self.at(span);
                self.operate(op, left, right, ty, span)
            }
        }
    }

    /// An operator on two numbers of the type `ty` (shifts: the left one).
    pub fn operate(
        &mut self,
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        let Signed { scalar, signed } = self.signed_of(ty, span)?;
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let rhs = if is_shift { self.resize(rhs, scalar, false) } else { rhs };
        let Some(op) = operator(op, scalar, signed) else {
            return refuse("an operator does not fit its operands", span);
        };
        let value = self.b.define(scalar, Inst::Binary { op, lhs, rhs });
        Ok(self.wrapped(value, ty))
    }

    /// Wraps a value to the width of its type, where that is not the width of a scalar.
    pub fn wrapped(&mut self, value: ValueId, ty: TypeId) -> ValueId {
        let Some(width) = self.unit.odd_width(ty) else { return value };
        let scalar = self.b.scalar(value);
        let Some(bits) = scalar.int_bits() else { return value };
        let signed = self.unit.scalar(ty).is_some_and(|scalar| scalar.signed);
        let rhs = self.b.int(scalar, i128::from(bits - width));
        let high = self.b.define(scalar, Inst::Binary { op: IrBinary::Shl, lhs: value, rhs });
        let op = if signed { IrBinary::ShrS } else { IrBinary::ShrU };
        self.b.define(scalar, Inst::Binary { op, lhs: high, rhs })
    }

    pub fn comparison(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Lowered<ValueId> {
        let signed = self.signed_of(self.type_of(lhs), span)?;
        let left = self.value(lhs)?;
        let right = self.value(rhs)?;
        self.at(span);
        let right = self.alike(right, signed.scalar);
        let op = comparison(op, signed);
        Ok(self.b.define(Scalar::I1, Inst::Compare { op, lhs: left, rhs: right }))
    }

    /// A pointer compared with a number that C lets through with a warning.
    fn alike(&mut self, value: ValueId, scalar: Scalar) -> ValueId {
        match (self.b.scalar(value), scalar) {
            (from, to) if from == to => value,
            (Scalar::Ptr, to) => {
                self.b.define(to, Inst::Convert { op: ConvertOp::PtrToInt, value, to })
            }
            (from, Scalar::Ptr) if from.is_int() => {
                let to = Scalar::Ptr;
                self.b.define(to, Inst::Convert { op: ConvertOp::IntToPtr, value, to })
            }
            _ => value,
        }
    }

    /// `base + index` (or minus) in elements of the type `to`.
    pub fn step(
        &mut self,
        base: ValueId,
        index: ExprId,
        to: TypeId,
        back: bool,
        span: Span,
    ) -> Lowered<ValueId> {
        let signed = self.integer_of(index, span)?;
        let index = self.value(index)?;
        self.at(span);
        self.step_by(base, index, signed, to, back, span)
    }

    pub fn step_by(
        &mut self,
        base: ValueId,
        index: ValueId,
        signed: bool,
        to: TypeId,
        back: bool,
        span: Span,
    ) -> Lowered<ValueId> {
        let mut index = self.resize(index, Scalar::I64, signed);
        let mut stride = if back { -1 } else { 1 };
        match self.element_size(to) {
            Some(size) => stride *= size,
            None => {
                let size = self.size_of(to, span)?;
                let op = IrBinary::MulS;
                index = self.b.define(Scalar::I64, Inst::Binary { op, lhs: index, rhs: size });
            }
        }
        if let Some(caulk_ir::Constant::Int(0)) = self.b.body.constant(index) {
            return Ok(base);
        }
        Ok(self.b.define(Scalar::Ptr, Inst::Index { base, index, stride }))
    }

    /// The size that pointer arithmetic steps by: GNU C lets `void` and functions count as 1.
    fn element_size(&self, ty: TypeId) -> Option<i64> {
        match self.unit.bare(ty) {
            TypeKind::Void | TypeKind::Function(_) => Some(1),
            _ => self.unit.layout(ty).map(|layout| layout.size as i64),
        }
    }

    /// The difference of two pointers, in elements.
    fn distance(
        &mut self,
        lhs: ExprId,
        rhs: ExprId,
        to: TypeId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        let left = self.value(lhs)?;
        let right = self.value(rhs)?;
        self.at(span);
        let scalar = self.scalar_of(ty, span)?;
        let op = IrBinary::PtrDiff;
        let bytes = self.b.define(scalar, Inst::Binary { op, lhs: left, rhs: right });
        let size = match self.element_size(to) {
            Some(0 | 1) => return Ok(bytes),
            Some(size) => self.b.int(scalar, i128::from(size)),
            None => {
                let size = self.size_of(to, span)?;
                self.resize(size, scalar, true)
            }
        };
        let op = IrBinary::DivS;
        Ok(self.b.define(scalar, Inst::Binary { op, lhs: bytes, rhs: size }))
    }

    /// An integer of another width; pointers count as unsigned words.
    pub fn resize(&mut self, value: ValueId, to: Scalar, signed: bool) -> ValueId {
        let from = self.b.scalar(value);
        let (Some(old), Some(new)) = (from.int_bits(), to.int_bits()) else { return value };
        if old == new {
            return value;
        }
        if let Some(caulk_ir::Constant::Int(known)) = self.b.body.constant(value) {
            let mask = if old >= 64 { u64::MAX } else { (1 << old) - 1 };
            let known = if signed || old == 1 {
                i128::from(known)
            } else {
                i128::from(known as u64 & mask)
            };
            return self.b.int(to, known);
        }
        let op = match (new < old, signed && old > 1) {
            (true, _) => ConvertOp::Trunc,
            (false, true) => ConvertOp::SignExtend,
            (false, false) => ConvertOp::ZeroExtend,
        };
        self.b.define(to, Inst::Convert { op, value, to })
    }
}

fn negation(op: UnaryOp, Signed { scalar, signed }: Signed) -> IrUnary {
    match op {
        UnaryOp::BitNot => IrUnary::Not,
        _ if scalar.is_float() => IrUnary::FNeg,
        _ if signed => IrUnary::NegS,
        _ => IrUnary::Neg,
    }
}

fn operator(op: BinaryOp, scalar: Scalar, signed: bool) -> Option<IrBinary> {
    if scalar.is_float() {
        return match op {
            BinaryOp::Add => Some(IrBinary::FAdd),
            BinaryOp::Sub => Some(IrBinary::FSub),
            BinaryOp::Mul => Some(IrBinary::FMul),
            BinaryOp::Div => Some(IrBinary::FDiv),
            _ => None,
        };
    }
    Some(match (op, signed) {
        (BinaryOp::Add, true) => IrBinary::AddS,
        (BinaryOp::Add, false) => IrBinary::Add,
        (BinaryOp::Sub, true) => IrBinary::SubS,
        (BinaryOp::Sub, false) => IrBinary::Sub,
        (BinaryOp::Mul, true) => IrBinary::MulS,
        (BinaryOp::Mul, false) => IrBinary::Mul,
        (BinaryOp::Div, true) => IrBinary::DivS,
        (BinaryOp::Div, false) => IrBinary::DivU,
        (BinaryOp::Rem, true) => IrBinary::RemS,
        (BinaryOp::Rem, false) => IrBinary::RemU,
        (BinaryOp::Shl, true) => IrBinary::ShlS,
        (BinaryOp::Shl, false) => IrBinary::Shl,
        (BinaryOp::Shr, true) => IrBinary::ShrS,
        (BinaryOp::Shr, false) => IrBinary::ShrU,
        (BinaryOp::BitAnd, _) => IrBinary::And,
        (BinaryOp::BitOr, _) => IrBinary::Or,
        (BinaryOp::BitXor, _) => IrBinary::Xor,
        _ => return None,
    })
}

fn comparison(op: BinaryOp, Signed { scalar, signed }: Signed) -> CompareOp {
    if scalar.is_float() {
        return match op {
            BinaryOp::Eq => CompareOp::FEq,
            BinaryOp::Ne => CompareOp::FNe,
            BinaryOp::Lt => CompareOp::FLt,
            BinaryOp::Le => CompareOp::FLe,
            BinaryOp::Gt => CompareOp::FGt,
            _ => CompareOp::FGe,
        };
    }
    match (op, signed) {
        (BinaryOp::Eq, _) => CompareOp::Eq,
        (BinaryOp::Ne, _) => CompareOp::Ne,
        (BinaryOp::Lt, true) => CompareOp::LtS,
        (BinaryOp::Le, true) => CompareOp::LeS,
        (BinaryOp::Gt, true) => CompareOp::GtS,
        (_, true) => CompareOp::GeS,
        (BinaryOp::Lt, false) => CompareOp::LtU,
        (BinaryOp::Le, false) => CompareOp::LeU,
        (BinaryOp::Gt, false) => CompareOp::GtU,
        (_, false) => CompareOp::GeU,
    }
}
