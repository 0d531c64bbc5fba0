//! Assignment, compound assignment, increment and decrement.

use caulk_cfront::tree::{BinaryOp, ExprId, Span, TypeId, UnaryOp};
use caulk_ir::{CompareOp, Inst, Scalar, ValueId};

use crate::function::FunctionLowering;
use crate::place::Place;
use crate::types::Signed;
use crate::unit::Lowered;

impl FunctionLowering<'_, '_> {
    /// The value of an assignment is what the left side holds afterwards.
    pub fn assign(
        &mut self,
        op: Option<BinaryOp>,
        computation: TypeId,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Lowered<ValueId> {
        let place = self.place(lhs)?;
        let value = self.assigned(op, computation, place, lhs, rhs, span)?;
        self.store_result(place, value, self.type_of(lhs), span)
    }

    /// An assignment whose value nobody uses.
    pub fn assign_only(
        &mut self,
        op: Option<BinaryOp>,
        computation: TypeId,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(lhs)?;
        let value = self.assigned(op, computation, place, lhs, rhs, span)?;
        self.write(place, value);
        Ok(())
    }

    fn assigned(
        &mut self,
        op: Option<BinaryOp>,
        computation: TypeId,
        place: Place,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Lowered<ValueId> {
        if let Some(op) = op {
            return self.compound(op, computation, place, self.type_of(lhs), rhs, span);
        }
        let value = self.value(rhs)?;
        self.at(span);
        Ok(value)
    }

    fn store_result(
        &mut self,
        place: Place,
        value: ValueId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        self.write(place, value);
        match place {
            Place::Bits { .. } => self.read(place, ty, span),
            _ => Ok(value),
        }
    }

    /// What `lhs op= rhs` stores: computed in the type that the operands meet in.
    fn compound(
        &mut self,
        op: BinaryOp,
        computation: TypeId,
        place: Place,
        ty: TypeId,
        rhs: ExprId,
        span: Span,
    ) -> Lowered<ValueId> {
        if let Some(to) = self.unit.pointee(ty) {
            let base = self.read(place, ty, span)?;
            return self.step(base, rhs, to, op == BinaryOp::Sub, span);
        }
        let (declared, meeting) = (self.signed_of(ty, span)?, self.signed_of(computation, span)?);
        let right = self.value(rhs)?;
        self.at(span);
        let right_type = self.signed_of(self.type_of(rhs), span)?;
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let right = if is_shift { right } else { self.convert(right, right_type, meeting, span)? };
        let old = self.read(place, ty, span)?;
        let left = self.convert(old, declared, meeting, span)?;
        let result = self.operate(op, left, right, computation, span)?;
        let value = self.convert(result, meeting, declared, span)?;
        Ok(self.wrapped(value, ty))
    }

    pub fn assign_aggregate(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> Lowered<ValueId> {
        let into = self.address_of(lhs)?;
        let from = self.aggregate(rhs)?;
        self.at(span);
        self.copy(into, from, self.type_of(lhs), span)?;
        Ok(into)
    }

    /// `++` and `--`.
    pub fn step_in_place(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Lowered<ValueId> {
        let ty = self.type_of(operand);
        let place = self.place(operand)?;
        self.at(span);
        let old = self.read(place, ty, span)?;
        let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
        let new = self.next(old, ty, up, span)?;
        let stored = self.store_result(place, new, ty, span)?;
        Ok(if matches!(op, UnaryOp::PostInc | UnaryOp::PostDec) { old } else { stored })
    }

    fn next(&mut self, old: ValueId, ty: TypeId, up: bool, span: Span) -> Lowered<ValueId> {
        if let Some(to) = self.unit.pointee(ty) {
            let one = self.b.int(Scalar::I64, 1);
            return self.step_by(old, one, true, to, !up, span);
        }
        let declared = self.signed_of(ty, span)?;
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        match declared.scalar {
            // `++` sets a truth value, `--` flips it.
            Scalar::I1 if up => Ok(self.b.int(Scalar::I1, 1)),
            Scalar::I1 => Ok(self.compare_with_zero(CompareOp::Eq, old)),
            scalar if scalar.is_float() => {
                let one = self.one(scalar)?;
                self.operate(op, old, one, ty, span)
            }
            scalar => self.next_int(old, declared, scalar, op, ty, span),
        }
    }

    /// Narrow integers are promoted first, so that their step cannot overflow.
    fn next_int(
        &mut self,
        old: ValueId,
        declared: Signed,
        scalar: Scalar,
        op: BinaryOp,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        if !matches!(scalar, Scalar::I8 | Scalar::I16) {
            let one = self.b.int(scalar, 1);
            return self.operate(op, old, one, ty, span);
        }
        let int = self.unit.tree.types.int(caulk_cfront::tree::IntKind::Int);
        let wide = self.resize(old, Scalar::I32, declared.signed);
        let one = self.b.int(Scalar::I32, 1);
        let sum = self.operate(op, wide, one, int, span)?;
        Ok(self.resize(sum, scalar, true))
    }

    /// The number 1 as a float.
    fn one(&mut self, scalar: Scalar) -> Lowered<ValueId> {
        let one = self.b.int(Scalar::I32, 1);
        let op = caulk_ir::ConvertOp::SignedToFloat;
        Ok(self.b.define(scalar, Inst::Convert { op, value: one, to: scalar }))
    }
}
