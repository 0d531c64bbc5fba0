//! Atomic accesses. The ordering is not kept: no analysis here reasons about it. The front end
//! has converted every value to the type of the object it goes into.

use caulk_cfront::tree::{AtomicOp, ExprId, ExprList, Rmw, Span, TypeId};
use caulk_ir::{BinaryOp, CompareOp, Inst, RmwOp, Scalar, UnaryOp, ValueId};

use crate::function::FunctionLowering;
use crate::place::Place;
use crate::types::Signed;
use crate::unit::{Lowered, refuse};

impl FunctionLowering<'_, '_> {
    /// An atomic builtin; none for those without a value.
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        args: ExprList,
        ty: TypeId,
        span: Span,
    ) -> Lowered<Option<ValueId>> {
        let args = &self.unit.tree.tast[args];
        match (op, args) {
            (AtomicOp::Fence | AtomicOp::SignalFence, _) => {
                self.at(span);
                self.b.effect(Inst::Fence);
                Ok(None)
            }
            (AtomicOp::Load, &[from, ..]) => {
                let address = self.value(from)?;
                self.at(span);
                self.read(Place::memory(address), ty, span).map(Some)
            }
            (AtomicOp::Store, &[to, value, ..]) => {
                let (to, value) = (self.value(to)?, self.value(value)?);
                self.at(span);
                self.write(Place::memory(to), value);
                Ok(None)
            }
            (AtomicOp::LoadInto, &[from, into, ..]) => self.copy_through(from, into, span),
            (AtomicOp::TestAndSet, &[to, value, ..]) => {
                let old = self.read_modify_write(RmwOp::Exchange, to, value, span)?;
                let truth = self.compare_with_zero(CompareOp::Ne, old);
                self.truth_as(truth, ty, span)
            }
            (AtomicOp::Exchange, &[to, value, ..]) => {
                self.read_modify_write(RmwOp::Exchange, to, value, span).map(Some)
            }
            (AtomicOp::ExchangeInto, &[to, value, into, ..]) => {
                let old = self.read_modify_write(RmwOp::Exchange, to, value, span)?;
                let into = self.value(into)?;
                self.write(Place::memory(into), old);
                Ok(None)
            }
            (AtomicOp::Fetch(rmw), &[to, value, ..]) if self.is_pointer(value) => {
                self.move_pointer(rmw, to, value, span).map(|(old, _)| Some(old))
            }
            (AtomicOp::Update(rmw), &[to, value, ..]) if self.is_pointer(value) => {
                self.move_pointer(rmw, to, value, span).map(|(_, new)| Some(new))
            }
            (AtomicOp::Fetch(rmw), &[to, value, ..]) => {
                self.read_modify_write(rmw_op(rmw), to, value, span).map(Some)
            }
            (AtomicOp::Update(rmw), &[to, value, ..]) => {
                self.update(rmw, to, value, span).map(Some)
            }
            (AtomicOp::CompareExchange, &[to, expected, desired, ..]) => {
                self.compare_exchange(to, expected, desired, ty, span)
            }
            (AtomicOp::SwapBool | AtomicOp::SwapValue, &[to, expected, desired, ..]) => {
                self.swap(op, to, expected, desired, ty, span)
            }
            _ => refuse("an atomic access has too few operands", span),
        }
    }

    fn truth_as(&mut self, truth: ValueId, ty: TypeId, span: Span) -> Lowered<Option<ValueId>> {
        let scalar = self.scalar_of(ty, span)?;
        Ok(Some(self.widen_truth(truth, scalar)))
    }

    fn copy_through(&mut self, from: ExprId, into: ExprId, span: Span) -> Lowered<Option<ValueId>> {
        let Some(ty) = self.unit.pointee(self.type_of(from)) else {
            return refuse("an atomic access is not through a pointer", span);
        };
        let (from, into) = (self.value(from)?, self.value(into)?);
        self.at(span);
        if self.unit.scalar(ty).is_some() {
            let value = self.read(Place::memory(from), ty, span)?;
            self.write(Place::memory(into), value);
        } else {
            self.copy(into, from, ty, span)?;
        }
        Ok(None)
    }

    fn read_modify_write(
        &mut self,
        op: RmwOp,
        to: ExprId,
        value: ExprId,
        span: Span,
    ) -> Lowered<ValueId> {
        let scalar = match self.unit.scalar(self.type_of(value)) {
            None => return refuse("an atomic access is to an aggregate", span),
            Some(Signed { scalar, .. }) if op != RmwOp::Exchange && !scalar.is_int() => {
                return refuse(format!("an atomic operation is on {scalar}"), span);
            }
            Some(Signed { scalar, .. }) => scalar,
        };
        let (to, value) = (self.value(to)?, self.value(value)?);
        self.at(span);
        Ok(self.b.define(scalar, Inst::AtomicRmw { op, to, value }))
    }

    /// The value after the operation.
    fn update(&mut self, rmw: Rmw, to: ExprId, value: ExprId, span: Span) -> Lowered<ValueId> {
        self.integer_of(value, span)?;
        let (to, value) = (self.value(to)?, self.value(value)?);
        self.at(span);
        let (op, scalar) = (rmw_op(rmw), self.b.scalar(value));
        let old = self.b.define(scalar, Inst::AtomicRmw { op, to, value });
        let op = match rmw {
            Rmw::Add => BinaryOp::Add,
            Rmw::Sub => BinaryOp::Sub,
            Rmw::And | Rmw::Nand => BinaryOp::And,
            Rmw::Or => BinaryOp::Or,
            Rmw::Xor => BinaryOp::Xor,
        };
        let new = self.b.define(scalar, Inst::Binary { op, lhs: old, rhs: value });
        Ok(match rmw {
            Rmw::Nand => self.b.define(scalar, Inst::Unary { op: UnaryOp::Not, value: new }),
            _ => new,
        })
    }

    fn is_pointer(&self, value: ExprId) -> bool {
        self.unit.pointee(self.type_of(value)).is_some()
    }

    /// Arithmetic on an atomic pointer, which counts bytes; the pointer before and after.
    fn move_pointer(
        &mut self,
        rmw: Rmw,
        to: ExprId,
        value: ExprId,
        span: Span,
    ) -> Lowered<(ValueId, ValueId)> {
        if !matches!(rmw, Rmw::Add | Rmw::Sub) {
            return refuse("the bits of an atomic pointer are changed", span);
        }
        let (ty, to, by) = (self.type_of(value), self.value(to)?, self.value(value)?);
        self.at(span);
        let (word, pointer) =
            (Signed { scalar: Scalar::I64, signed: true }, self.signed_of(ty, span)?);
        let index = self.convert(by, pointer, word, span)?;
        let stride = if rmw == Rmw::Sub { -1 } else { 1 };
        let old = self.read(Place::memory(to), ty, span)?;
        let new = self.b.define(Scalar::Ptr, Inst::Index { base: old, index, stride });
        self.write(Place::memory(to), new);
        Ok((old, new))
    }

    /// `__atomic_compare_exchange`: what was found goes back to where the expected value was.
    fn compare_exchange(
        &mut self,
        to: ExprId,
        expected: ExprId,
        desired: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<Option<ValueId>> {
        let object = self.type_of(desired);
        if self.unit.scalar(object).is_none() {
            return refuse("an atomic access is to an aggregate", span);
        }
        let (to, expected_at) = (self.value(to)?, self.value(expected)?);
        let desired = self.value(desired)?;
        self.at(span);
        let expected = self.read(Place::memory(expected_at), object, span)?;
        let inst = Inst::CompareExchange { to, expected, desired };
        let found = self.b.define(self.b.scalar(desired), inst);
        let same = self.same(found, expected);
        self.write(Place::memory(expected_at), found);
        self.truth_as(same, ty, span)
    }

    fn same(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
        let is_float = self.b.scalar(lhs).is_float();
        let op = if is_float { CompareOp::FEq } else { CompareOp::Eq };
        self.b.define(Scalar::I1, Inst::Compare { op, lhs, rhs })
    }

    fn swap(
        &mut self,
        op: AtomicOp,
        to: ExprId,
        expected: ExprId,
        desired: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<Option<ValueId>> {
        let to = self.value(to)?;
        let (expected, desired) = (self.value(expected)?, self.value(desired)?);
        self.at(span);
        let inst = Inst::CompareExchange { to, expected, desired };
        let found = self.b.define(self.b.scalar(desired), inst);
        if op == AtomicOp::SwapValue {
            return Ok(Some(found));
        }
        let same = self.same(found, expected);
        self.truth_as(same, ty, span)
    }
}

fn rmw_op(rmw: Rmw) -> RmwOp {
    match rmw {
        Rmw::Add => RmwOp::Add,
        Rmw::Sub => RmwOp::Sub,
        Rmw::And => RmwOp::And,
        Rmw::Nand => RmwOp::Nand,
        Rmw::Or => RmwOp::Or,
        Rmw::Xor => RmwOp::Xor,
    }
}
