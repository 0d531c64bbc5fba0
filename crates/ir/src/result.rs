//! What an instruction's result is. Shared by the parser, which infers it, the printer, which
//! omits what can be inferred, and the verifier, which checks it.

use crate::body::{Body, CallId, ValueId};
use crate::inst::{BinaryOp, Inst, OverflowPart, UnaryOp};
use crate::module::{Module, Target};
use crate::types::{Scalar, Type, TypeId, Types};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultRule {
    /// The instruction defines no value.
    Nothing,
    Is(Scalar),
    /// The scalar of this operand.
    SameAs(ValueId),
}

impl Target {
    /// The integer as wide as a pointer.
    #[must_use]
    pub fn word(&self) -> Option<Scalar> {
        Scalar::int(self.pointer_bytes.checked_mul(8)?)
    }
}

impl Types {
    /// The scalar that stands for a value of the type in SSA: its own, or the address of an
    /// aggregate. None for `void`, functions and types that do not exist.
    #[must_use]
    pub fn passed_as(&self, ty: TypeId) -> Option<Scalar> {
        match *self.types.get(ty)? {
            Type::Void | Type::Function(_) => None,
            Type::Scalar { scalar, .. } => Some(scalar),
            Type::Enum(id) => self.enums.get(id).map(|row| row.scalar),
            Type::Pointer { .. }
            | Type::Record(_)
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Opaque { .. } => Some(Scalar::Ptr),
        }
    }

    /// What a function with this result type returns as a value; aggregates return nothing.
    fn returned_as(&self, ty: TypeId) -> Option<Scalar> {
        self.types.get(ty)?;
        if self.is_aggregate(ty) { None } else { self.passed_as(ty) }
    }
}

impl Inst {
    /// What the instruction defines. Never panics, also not on ids that are out of range.
    #[must_use]
    pub fn result(&self, module: &Module, body: &Body) -> ResultRule {
        match *self {
            Inst::Load { scalar, .. } | Inst::LoadBits { scalar, .. } | Inst::Havoc { scalar } => {
                ResultRule::Is(scalar)
            }
            Inst::Unary { op: UnaryOp::SignBit, .. } | Inst::Compare { .. } => {
                ResultRule::Is(Scalar::I1)
            }
            Inst::Unary { value, .. } | Inst::AtomicRmw { value, .. } => ResultRule::SameAs(value),
            Inst::CompareExchange { expected, .. } => ResultRule::SameAs(expected),
            Inst::Binary { op: BinaryOp::PtrDiff, .. } => maybe(module.target.word()),
            Inst::Binary { lhs, .. } => ResultRule::SameAs(lhs),
            Inst::Convert { to, .. } => ResultRule::Is(to),
            Inst::Overflow { part: OverflowPart::Flag, .. } => ResultRule::Is(Scalar::I1),
            Inst::Overflow { scalar, .. } => ResultRule::Is(scalar),
            Inst::Field { .. } | Inst::Index { .. } | Inst::Alloca { .. } => {
                ResultRule::Is(Scalar::Ptr)
            }
            Inst::Call(id) => maybe(call_result(module, body, id)),
            Inst::VaArg { scalar, .. } => maybe(scalar),
            Inst::Store { .. }
            | Inst::StoreBits { .. }
            | Inst::Copy { .. }
            | Inst::Fill { .. }
            | Inst::HavocMemory { .. }
            | Inst::VaStart { .. }
            | Inst::VaEnd { .. }
            | Inst::VaCopy { .. }
            | Inst::Fence
            | Inst::Asm(_)
            | Inst::ScopeBegin(_)
            | Inst::ScopeEnd(_)
            | Inst::Set { .. } => ResultRule::Nothing,
        }
    }

    /// The scalar of the result, where its operands exist.
    #[must_use]
    pub fn result_scalar(&self, module: &Module, body: &Body) -> Option<Scalar> {
        match self.result(module, body) {
            ResultRule::Nothing => None,
            ResultRule::Is(scalar) => Some(scalar),
            ResultRule::SameAs(value) => body.values.get(value).map(|row| row.scalar),
        }
    }
}

fn maybe(scalar: Option<Scalar>) -> ResultRule {
    scalar.map_or(ResultRule::Nothing, ResultRule::Is)
}

fn call_result(module: &Module, body: &Body, id: CallId) -> Option<Scalar> {
    let signature = module.types.signatures.get(body.calls.get(id)?.signature)?;
    module.types.returned_as(signature.result)
}
