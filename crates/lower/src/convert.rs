//! Conversions, those the language makes and those the program writes.

use caulk_cfront::tree::{Conversion, DeclKind, ExprId, ExprKind, Span, TypeId, UnaryOp};
use caulk_ir::{CompareOp, Constant, ConvertOp, Inst, Scalar, ValueId};

use crate::function::FunctionLowering;
use crate::types::Signed;
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    pub fn conversion(
        &mut self,
        kind: Conversion,
        operand: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ValueId> {
        match kind {
            Conversion::Lvalue => {
                let place = self.place(operand)?;
                self.at(span);
                self.read(place, ty, span)
            }
            Conversion::ArrayDecay => self.address_of(operand),
            Conversion::FunctionDecay => self.function_address(operand, span),
            Conversion::Bool => self.truth(operand),
            Conversion::NullPointer => {
                self.discard(operand)?;
                Ok(self.b.null())
            }
            Conversion::Arithmetic | Conversion::Pointer => self.cast(operand, ty, span),
            Conversion::Void => refuse("the value of a void expression is used", span),
            Conversion::Broadcast | Conversion::Hardbool => {
                refuse("a conversion is not supported", span)
            }
        }
    }

    /// The address of a function that an expression designates.
    pub fn function_address(&mut self, expr: ExprId, span: Span) -> Lowered<ValueId> {
        let tast = &self.unit.tree.tast;
        match tast[expr].kind {
            ExprKind::Decl(decl) if tast[decl].kind == DeclKind::Function => {
                let function = self.unit.function(decl);
                Ok(self.b.constant(Scalar::Ptr, Constant::Function(function)))
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => self.value(operand),
            ExprKind::Convert { kind: Conversion::FunctionDecay, operand } => {
                self.function_address(operand, span)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs)?;
                self.function_address(rhs, span)
            }
            ExprKind::Cond { .. } | ExprKind::Call { .. } | ExprKind::StmtExpr(_) => {
                self.value(expr)
            }
            _ => refuse("a function is designated in a way that is not supported", span),
        }
    }

    /// A scalar as another scalar type.
    pub fn cast(&mut self, operand: ExprId, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let from_ty = self.type_of(operand);
        if self.unit.is_aggregate(from_ty) {
            return self.bits_of_aggregate(operand, ty, span);
        }
        let to = self.signed_of(ty, span)?;
        if to.scalar == Scalar::I1 {
            return self.truth(operand);
        }
        let from = self.signed_of(from_ty, span)?;
        let value = self.value(operand)?;
        self.at(span);
        let value = self.convert(value, from, to, span)?;
        Ok(self.wrapped(value, ty))
    }

    /// A small vector read as a number of its size.
    fn bits_of_aggregate(&mut self, operand: ExprId, ty: TypeId, span: Span) -> Lowered<ValueId> {
        let size = |ty| self.unit.layout(ty).map(|layout| layout.size);
        let from = self.type_of(operand);
        if size(from) != size(ty) {
            return refuse(format!("it converts {}", self.type_text(from)), span);
        }
        let scalar = self.scalar_of(ty, span)?;
        let address = self.aggregate(operand)?;
        self.at(span);
        Ok(self.b.define(scalar, Inst::Load { from: address, scalar, volatile: false }))
    }

    pub fn convert(
        &mut self,
        value: ValueId,
        from: Signed,
        to: Signed,
        span: Span,
    ) -> Lowered<ValueId> {
        let (old, new) = (from.scalar, to.scalar);
        if old == new {
            return Ok(value);
        }
        if new == Scalar::I1 {
            return Ok(self.compare_with_zero(CompareOp::Ne, value));
        }
        if old.is_int() && new.is_int() {
            return Ok(self.resize(value, new, from.signed));
        }
        let op = match (old, new) {
            (Scalar::Ptr, _) if new.is_int() => return Ok(self.pointer_to_int(value, new)),
            (_, Scalar::Ptr) if old.is_int() => {
                return Ok(self.int_to_pointer(value, from.signed));
            }
            (Scalar::Ptr, _) | (_, Scalar::Ptr) => {
                return refuse("a pointer is converted to or from a float", span);
            }
            _ if old.is_float() && new.is_float() => ConvertOp::Float,
            _ if old.is_float() && to.signed => ConvertOp::FloatToSigned,
            _ if old.is_float() => ConvertOp::FloatToUnsigned,
            _ if new.is_float() && from.signed => ConvertOp::SignedToFloat,
            _ if new.is_float() => ConvertOp::UnsignedToFloat,
            _ => return refuse("a conversion is not supported", span),
        };
        Ok(self.b.define(new, Inst::Convert { op, value, to: new }))
    }

    fn word(&self) -> Scalar {
        Scalar::int(self.unit.module.target.pointer_bytes * 8).unwrap_or(Scalar::I64)
    }

    fn pointer_to_int(&mut self, value: ValueId, to: Scalar) -> ValueId {
        let word = self.word();
        if let Some(Constant::Int(known)) = self.b.body.constant(value) {
            return self.b.int(to, i128::from(known));
        }
        let op = ConvertOp::PtrToInt;
        let bits = self.b.define(word, Inst::Convert { op, value, to: word });
        self.resize(bits, to, false)
    }

    fn int_to_pointer(&mut self, value: ValueId, signed: bool) -> ValueId {
        let word = self.word();
        let bits = self.resize(value, word, signed);
        if let Some(Constant::Int(known)) = self.b.body.constant(bits) {
            return self.b.int(Scalar::Ptr, i128::from(known));
        }
        let (op, to) = (ConvertOp::IntToPtr, Scalar::Ptr);
        self.b.define(to, Inst::Convert { op, value: bits, to })
    }
}
