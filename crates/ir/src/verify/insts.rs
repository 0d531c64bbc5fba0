//! Instructions and terminators: results, and the scalars of operands.

use super::BodyCheck;
use crate::body::{SwitchCase, Terminator, ValueId, VarHome};
use crate::inst::{
    BinaryOp, BitRange, CompareOp, ConvertOp, Inst, InstId, OverflowPart, RmwOp, UnaryOp,
};
use crate::types::{Scalar, TypeId};

impl BodyCheck<'_> {
    pub(super) fn instructions(&mut self) {
        self.each_step(|check, block, inst| match inst {
            Some(inst) => check.inst(inst),
            None => check.terminator(&check.body.blocks[block].terminator),
        });
    }

    fn inst(&mut self, id: InstId) {
        let inst = &self.body.insts[id];
        self.result(id, inst);
        match *inst {
            Inst::Call(call) => self.call(&self.body.calls[call]),
            Inst::Asm(asm) => self.assembly(&self.body.asms[asm]),
            Inst::Unary { op, value } => self.unary(op, value),
            Inst::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs),
            Inst::Compare { op, lhs, rhs } => self.compare(op, lhs, rhs),
            Inst::Convert { op, value, to } => self.convert(op, value, to),
            Inst::Overflow { part, lhs, rhs, scalar, .. } => {
                self.overflow(part, [lhs, rhs], scalar);
            }
            Inst::Set { var, value } => {
                let var = &self.body.vars[var];
                let fits = var.home == VarHome::Values
                    && self.module.types.scalar(var.ty) == Some(self.scalar(value));
                self.require(fits, format_args!("the variable cannot hold {value}"));
            }
            _ => self.memory(inst),
        }
    }

    fn result(&mut self, id: InstId, inst: &Inst) {
        let wanted = inst.result_scalar(self.module, self.body);
        let has = self.body.results[id].map(|value| self.scalar(value));
        match (has, wanted) {
            (Some(has), Some(wanted)) => {
                self.require(has == wanted, format_args!("the result is {has}, not {wanted}"));
            }
            (None, Some(wanted)) => self.report(format_args!("no result, but it gives {wanted}")),
            (Some(_), None) => self.report(format_args!("a result that it does not give")),
            (None, None) => {}
        }
    }

    fn memory(&mut self, inst: &Inst) {
        match *inst {
            Inst::Load { from, .. } => self.pointer(from),
            Inst::Store { to, .. } => self.pointer(to),
            Inst::LoadBits { from, scalar, bits } => {
                self.pointer(from);
                self.bits(bits, scalar);
            }
            Inst::StoreBits { to, value, bits } => {
                self.pointer(to);
                self.bits(bits, self.scalar(value));
            }
            Inst::Field { base, .. } => self.pointer(base),
            Inst::Index { base, index, .. } => {
                self.pointer(base);
                self.has_scalar("the index", index, Scalar::I64);
            }
            Inst::Copy { to, from, size, .. } => {
                self.pointer(to);
                self.pointer(from);
                self.size(size);
            }
            Inst::Fill { to, byte, size } => {
                self.pointer(to);
                self.has_scalar("the byte", byte, Scalar::I8);
                self.size(size);
            }
            Inst::HavocMemory { to, size } => {
                self.pointer(to);
                self.size(size);
            }
            _ => self.stack_and_atomics(inst),
        }
    }

    fn stack_and_atomics(&mut self, inst: &Inst) {
        match *inst {
            Inst::Alloca { size, align, .. } => {
                self.size(size);
                let fine = align.is_power_of_two();
                self.require(fine, format_args!("alignment {align} is not a power of two"));
            }
            Inst::VaStart { list } | Inst::VaEnd { list } => self.pointer(list),
            Inst::VaCopy { to, from } => {
                self.pointer(to);
                self.pointer(from);
            }
            Inst::VaArg { list, ty, scalar, into } => self.va_arg(list, ty, scalar, into),
            Inst::AtomicRmw { op, to, value } => {
                self.pointer(to);
                let fits = op == RmwOp::Exchange || self.scalar(value).is_int();
                self.require(fits, format_args!("{} needs an integer", op.name()));
            }
            Inst::CompareExchange { to, expected, desired } => {
                self.pointer(to);
                self.same_scalars(expected, desired);
            }
            _ => {}
        }
    }

    pub(super) fn pointer(&mut self, value: ValueId) {
        self.has_scalar("the address", value, Scalar::Ptr);
    }

    fn size(&mut self, value: ValueId) {
        self.has_scalar("the size", value, Scalar::I64);
    }

    fn same_scalars(&mut self, lhs: ValueId, rhs: ValueId) {
        let (left, right) = (self.scalar(lhs), self.scalar(rhs));
        self.require(left == right, format_args!("operands of {left} and {right}"));
    }

    fn bits(&mut self, bits: BitRange, scalar: Scalar) {
        let room = scalar.int_bits().unwrap_or(0);
        let fits = bits.first < 8 && bits.width > 0 && u32::from(bits.width) <= room;
        self.require(fits, format_args!("the bits do not fit {scalar}"));
    }

    fn va_arg(&mut self, list: ValueId, ty: TypeId, scalar: Option<Scalar>, into: Option<ValueId>) {
        self.pointer(list);
        into.into_iter().for_each(|into| self.pointer(into));
        let types = &self.module.types;
        let fits = match types.scalar(ty) {
            Some(wanted) => scalar == Some(wanted) && into.is_none(),
            None => types.is_aggregate(ty) && scalar.is_none() && into.is_some(),
        };
        self.require(fits, format_args!("{ty} is not fetched like this"));
    }

    fn unary(&mut self, op: UnaryOp, value: ValueId) {
        let scalar = self.scalar(value);
        let fits = match op {
            UnaryOp::FNeg | UnaryOp::FAbs | UnaryOp::SignBit => scalar.is_float(),
            _ => scalar.is_int(),
        };
        self.require(fits, format_args!("{} of {scalar}", op.name()));
    }

    fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) {
        let scalar = self.scalar(lhs);
        self.same_scalars(lhs, rhs);
        let fits = match op {
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::CopySign => scalar.is_float(),
            BinaryOp::PtrDiff => scalar == Scalar::Ptr,
            _ => scalar.is_int(),
        };
        self.require(fits, format_args!("{} of {scalar}", op.name()));
    }

    fn compare(&mut self, op: CompareOp, lhs: ValueId, rhs: ValueId) {
        use CompareOp as C;
        let scalar = self.scalar(lhs);
        self.same_scalars(lhs, rhs);
        let fits = match op {
            C::Eq | C::Ne | C::LtU | C::LeU | C::GtU | C::GeU => !scalar.is_float(),
            C::LtS | C::LeS | C::GtS | C::GeS => scalar.is_int(),
            C::FEq | C::FNe | C::FLt | C::FLe | C::FGt | C::FGe | C::FUnordered => {
                scalar.is_float()
            }
        };
        self.require(fits, format_args!("{} of {scalar}", op.name()));
    }

    fn convert(&mut self, op: ConvertOp, value: ValueId, to: Scalar) {
        let from = self.scalar(value);
        let widths = from.int_bits().zip(to.int_bits());
        let pointer = self.module.target.pointer_bytes;
        let fits = match op {
            ConvertOp::Trunc => widths.is_some_and(|(from, to)| from > to),
            ConvertOp::SignExtend | ConvertOp::ZeroExtend => {
                widths.is_some_and(|(from, to)| from < to)
            }
            ConvertOp::Float => from.is_float() && to.is_float() && from != to,
            ConvertOp::FloatToSigned | ConvertOp::FloatToUnsigned => from.is_float() && to.is_int(),
            ConvertOp::SignedToFloat | ConvertOp::UnsignedToFloat => from.is_int() && to.is_float(),
            ConvertOp::PtrToInt => from == Scalar::Ptr && to.is_int(),
            ConvertOp::IntToPtr => from.is_int() && to == Scalar::Ptr,
            ConvertOp::Bits => from != to && from.bytes(pointer) == to.bytes(pointer),
        };
        self.require(fits, format_args!("{} of {from} to {to}", op.name()));
    }

    fn overflow(&mut self, part: OverflowPart, operands: [ValueId; 2], scalar: Scalar) {
        let fits = operands.iter().all(|&operand| self.scalar(operand).is_int()) && scalar.is_int();
        self.require(fits, format_args!("{part:?} of overflow in other than integers"));
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { cond, .. } => {
                self.has_scalar("the condition", *cond, Scalar::I1);
            }
            Terminator::Switch { value, signed, cases, .. } => {
                self.switch(self.scalar(*value), *signed, cases);
            }
            Terminator::Indirect { target, .. } => self.pointer(*target),
            Terminator::Return(value) => self.returned(*value),
            Terminator::Jump(_) | Terminator::Unreachable(_) => {}
        }
    }

    fn switch(&mut self, scalar: Scalar, signed: bool, cases: &[SwitchCase]) {
        let Some(bits) = scalar.int_bits() else {
            return self.report(format_args!("a switch over {scalar}"));
        };
        let (min, max) = bounds(bits, signed);
        let mut ranges: Vec<(i128, i128)> =
            cases.iter().map(|case| (case.low, case.high)).collect();
        for &(low, high) in &ranges {
            let fits = min <= low && low <= high && high <= max;
            self.require(fits, format_args!("the case {low}..{high} is empty or beyond {scalar}"));
        }
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            let message = format_args!("two cases hold {}", after.0);
            self.require(before.1 < after.0, message);
        }
    }
}

/// The least and the greatest integer of this width; unsigned 128 bits end where `i128` does.
fn bounds(bits: u32, signed: bool) -> (i128, i128) {
    match (bits, signed) {
        (128, true) => (i128::MIN, i128::MAX),
        (128, false) => (0, i128::MAX),
        (_, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (_, false) => (0, (1 << bits) - 1),
    }
}
