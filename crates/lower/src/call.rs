//! Calls and variable arguments.

use caulk_cfront::tree::{Conversion, DeclKind, ExprId, ExprKind, ExprList, Span, TypeId, UnaryOp};
use caulk_ir::{Call, CallArg, Callee, Constant, Inst, Unreachable, ValueId};

use crate::function::FunctionLowering;
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    /// A call; the result is a scalar, the memory of an aggregate, or nothing.
    pub fn call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: ExprList,
    ) -> Lowered<Option<ValueId>> {
        let tree = self.unit.tree;
        let span = tree.tast.expr_span(expr);
        let Some((types, signature)) = self.unit.signature_of(self.type_of(callee)) else {
            return refuse("what is called is not a function", span);
        };
        let result = tree.types.signature(types).ret;
        let target = self.callee(callee)?;
        let args = self.arguments(&tree.tast[args])?;
        let result_into =
            if self.unit.is_aggregate(result) { Some(self.temporary(result, span)?) } else { None };
        self.at(span);
        let noreturn = match target {
            Callee::Function(function) => self.unit.is_noreturn(function),
            Callee::Pointer(_) => false,
        };
        let call = Call { callee: target, signature, args, result_into, noreturn };
        let id = self.b.body.calls.push(call);
        let value = match self.unit.scalar(result) {
            Some(signed) => Some(self.b.define(signed.scalar, Inst::Call(id))),
            None => {
                self.b.effect(Inst::Call(id));
                result_into
            }
        };
        if noreturn {
            self.stop(span, Unreachable::Noreturn);
            // What follows is not reached, but still needs a value to name.
            return Ok(value.map(|value| {
                let scalar = self.b.scalar(value);
                self.b.constant(scalar, Constant::Undef)
            }));
        }
        Ok(value)
    }

    fn callee(&mut self, expr: ExprId) -> Lowered<Callee> {
        let tast = &self.unit.tree.tast;
        let mut designator = expr;
        loop {
            match tast[designator].kind {
                ExprKind::Convert {
                    kind: Conversion::FunctionDecay | Conversion::Pointer,
                    operand,
                } => designator = operand,
                ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, operand }
                    if self.unit.is_function_type(self.type_of(operand)) =>
                {
                    designator = operand;
                }
                ExprKind::Decl(decl) if tast[decl].kind == DeclKind::Function => {
                    return Ok(Callee::Function(self.unit.function(decl)));
                }
                _ => break,
            }
        }
        let pointer = self.value(expr)?;
        Ok(match self.b.body.constant(pointer) {
            Some(Constant::Function(function)) => Callee::Function(function),
            _ => Callee::Pointer(pointer),
        })
    }

    /// Arguments are evaluated last to first, as gcc does; C leaves the order open.
    fn arguments(&mut self, args: &[ExprId]) -> Lowered<Vec<CallArg>> {
        let mut lowered = Vec::with_capacity(args.len());
        for &arg in args.iter().rev() {
            lowered.push(self.argument(arg)?);
        }
        lowered.reverse();
        Ok(lowered)
    }

    fn argument(&mut self, arg: ExprId) -> Lowered<CallArg> {
        let (ty, span) = (self.type_of(arg), self.span_of(arg));
        let value = if self.unit.is_aggregate(ty) {
            let from = self.aggregate(arg)?;
            let copy = self.temporary(ty, span)?;
            self.copy(copy, from, ty, span)?;
            copy
        } else {
            self.value(arg)?
        };
        Ok(CallArg { value, ty: self.unit.ty(ty) })
    }

    /// A call that the source does not write as one, of a library function; its result, if it
    /// has one.
    pub fn library_call(
        &mut self,
        name: &str,
        args: &[ExprId],
        result: TypeId,
    ) -> Lowered<Option<ValueId>> {
        let args = self.arguments(args)?;
        let row = caulk_ir::Signature {
            result: self.unit.ty(result),
            params: args.iter().map(|arg| arg.ty).collect(),
            variadic: false,
            prototyped: true,
        };
        let signature = self.unit.module.types.signatures.push(row);
        let callee = Callee::Function(self.unit.library_function(name, signature));
        let call = Call { callee, signature, args, result_into: None, noreturn: false };
        let id = self.b.body.calls.push(call);
        Ok(match self.unit.scalar(result) {
            Some(signed) => Some(self.b.define(signed.scalar, Inst::Call(id))),
            None => {
                self.b.effect(Inst::Call(id));
                None
            }
        })
    }

    pub fn va_arg(
        &mut self,
        list: ExprId,
        ty: TypeId,
        into: Option<ValueId>,
        span: Span,
    ) -> Lowered<Option<ValueId>> {
        let list = self.va_list(list)?;
        self.at(span);
        let scalar = self.unit.scalar(ty).map(|signed| signed.scalar);
        let ty = self.unit.ty(ty);
        let inst = Inst::VaArg { list, ty, scalar, into };
        Ok(match scalar {
            Some(scalar) => Some(self.b.define(scalar, inst)),
            None => {
                self.b.effect(inst);
                into
            }
        })
    }

    /// The address of a `va_list`.
    pub fn va_list(&mut self, list: ExprId) -> Lowered<ValueId> {
        if self.unit.pointee(self.type_of(list)).is_some() {
            return self.value(list);
        }
        self.address_of(list)
    }
}
