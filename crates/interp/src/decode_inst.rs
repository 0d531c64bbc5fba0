//! One instruction into operations.

use caulk_ir::{BinaryOp, CompareOp, ConvertOp, Inst, InstId, Scalar, ValueId};

use crate::decode::{Decoder, is_wide};
use crate::op::{Op, Reg, Special, Test};

impl Decoder<'_> {
    pub fn inst(&mut self, id: InstId) {
        match self.body.insts[id] {
            Inst::Load { from, scalar, .. } => self.load(id, from, scalar),
            Inst::Store { to, value, .. } => self.store(to, value),
            Inst::LoadBits { from, scalar, bits } => {
                let (dst, base) = (self.result(id), self.reg(from));
                self.special(Special::LoadBits { dst, base, bits, scalar });
            }
            Inst::StoreBits { to, value, bits } => {
                let (base, scalar) = (self.reg(to), self.scalar(value));
                let value = self.reg(value);
                self.special(Special::StoreBits { base, value, bits, scalar });
            }
            Inst::Unary { op, value } => {
                let (dst, scalar) = (self.result(id), self.scalar(value));
                let value = self.reg(value);
                self.emit(Op::Unary { op, scalar, dst, value });
            }
            Inst::Binary { op, lhs, rhs } => self.binary(id, op, lhs, rhs),
            Inst::Compare { op, lhs, rhs } => self.compare(id, op, lhs, rhs),
            Inst::Convert { op, value, to } => self.convert(id, op, value, to),
            Inst::Overflow { op, part, lhs, rhs, scalar, signs } => {
                let scalars = [self.scalar(lhs), self.scalar(rhs), scalar];
                let (dst, lhs, rhs) = (self.result(id), self.reg(lhs), self.reg(rhs));
                self.special(Special::Overflow { op, part, dst, lhs, rhs, scalars, signs });
            }
            Inst::Field { offset, .. } => self.field(id, offset),
            Inst::Index { base, index, stride } => self.index(id, base, index, stride),
            Inst::Call(call) => self.call(id, call),
            Inst::Fence | Inst::VaEnd { .. } => {}
            Inst::ScopeBegin(scope) | Inst::ScopeEnd(scope) => self.scope(id, scope.0),
            Inst::Set { var, value } => {
                if self.is_watched() {
                    let value = self.reg(value);
                    self.special(Special::Set { var: var.0, value });
                }
            }
            other => self.rare(id, other),
        }
    }

    fn rare(&mut self, id: InstId, inst: Inst) {
        let special = match inst {
            Inst::Copy { to, from, size, .. } => {
                Special::Copy { to: self.reg(to), from: self.reg(from), size: self.reg(size) }
            }
            Inst::Fill { to, byte, size } => {
                Special::Fill { to: self.reg(to), byte: self.reg(byte), size: self.reg(size) }
            }
            Inst::HavocMemory { to, size } => {
                Special::HavocMemory { to: self.reg(to), size: self.reg(size) }
            }
            Inst::Havoc { scalar } => Special::Havoc { dst: self.result(id), scalar },
            Inst::Alloca { size, align, scope } => {
                let scope = scope.map(|scope| scope.0);
                Special::Alloca { dst: self.result(id), size: self.reg(size), align, scope }
            }
            Inst::VaStart { list } => Special::VaStart { list: self.reg(list) },
            Inst::VaCopy { to, from } => Special::VaCopy { to: self.reg(to), from: self.reg(from) },
            Inst::VaArg { list, ty, scalar, into } => {
                let dst = self.body.results[id].map(|value| self.reg(value));
                let into = into.map(|into| self.reg(into));
                Special::VaArg { list: self.reg(list), dst, scalar, into, ty }
            }
            Inst::AtomicRmw { op, to, value } => {
                let scalar = self.scalar(value);
                let (dst, to) = (self.result(id), self.reg(to));
                Special::Rmw { op, dst, to, value: self.reg(value), scalar }
            }
            Inst::CompareExchange { to, expected, desired } => {
                let scalar = self.scalar(desired);
                let (dst, to) = (self.result(id), self.reg(to));
                let (expected, desired) = (self.reg(expected), self.reg(desired));
                Special::CompareExchange { dst, to, expected, desired, scalar }
            }
            Inst::Asm(asm) => Special::Asm { asm: self.assembly(asm) },
            _ => return,
        };
        self.special(special);
    }

    fn assembly(&mut self, asm: caulk_ir::AsmId) -> u32 {
        let row = &self.body.asms[asm];
        // An empty template leaves what it reads as it is: a barrier for the optimiser.
        let empty = row.template.trim().is_empty();
        let rows = row
            .outputs
            .iter()
            .filter(|output| !(empty && output.read))
            .map(|output| (self.reg(output.address), self.type_size(output.ty).unwrap_or(0)))
            .collect();
        self.code.asm_outputs.push(rows);
        (self.code.asm_outputs.len() - 1) as u32
    }

    fn scope(&mut self, id: InstId, scope: u32) {
        let vars = self.is_watched() && !self.code.scope_vars[scope as usize].is_empty();
        if self.code.scope_slots[scope as usize].is_empty() && !vars && !self.has_alloca() {
            return;
        }
        self.special(match self.body.insts[id] {
            Inst::ScopeBegin(_) => Special::ScopeBegin { scope },
            _ => Special::ScopeEnd { scope },
        });
    }

    fn load(&mut self, id: InstId, from: ValueId, scalar: Scalar) {
        let dst = self.result(id);
        if !is_wide(scalar)
            && scalar != Scalar::I1
            && let Some((base, index, stride)) = self.element(from)
        {
            let len = scalar.bytes(8) as u8;
            return self.emit(Op::LoadAt { dst, base, index, stride, len });
        }
        let (base, offset) = self.place(from);
        self.emit(match scalar {
            Scalar::I1 => Op::LoadBool { dst, base, offset },
            wide if is_wide(wide) => Op::LoadWide { dst, base, offset, len: wide.bytes(8) as u8 },
            plain => match plain.bytes(8) {
                1 => Op::Load8 { dst, base, offset },
                2 => Op::Load16 { dst, base, offset },
                4 => Op::Load32 { dst, base, offset },
                _ => Op::Load64 { dst, base, offset },
            },
        });
    }

    fn store(&mut self, to: ValueId, value: ValueId) {
        let scalar = self.scalar(value);
        let source = self.reg(value);
        if !is_wide(scalar)
            && scalar != Scalar::I1
            && let Some((base, index, stride)) = self.element(to)
        {
            let len = scalar.bytes(8) as u8;
            return self.emit(Op::StoreAt { value: source, base, index, stride, len });
        }
        let (base, offset) = self.place(to);
        let value = source;
        self.emit(match scalar.bytes(8) {
            _ if is_wide(scalar) => {
                Op::StoreWide { base, value, offset, len: scalar.bytes(8) as u8 }
            }
            1 => Op::Store8 { base, value, offset },
            2 => Op::Store16 { base, value, offset },
            4 => Op::Store32 { base, value, offset },
            _ => Op::Store64 { base, value, offset },
        });
    }

    fn field(&mut self, id: InstId, offset: i64) {
        let Inst::Field { base, .. } = self.body.insts[id] else { return };
        if self.is_absorbed(id) && i32::try_from(offset).is_ok() && self.absorbs_fully(id) {
            return;
        }
        let dst = self.result(id);
        let (root, before) = self.place(base);
        match i32::try_from(offset.wrapping_add(i64::from(before))) {
            Ok(offset) => self.emit(Op::Field { dst, base: root, offset }),
            Err(_) => {
                self.code.far.push(offset.wrapping_add(i64::from(before)));
                let far = (self.code.far.len() - 1) as u32;
                self.emit(Op::FieldFar { dst, base: root, far });
            }
        }
    }

    /// Whether every chain of members through this one stays within an immediate offset. Deep
    /// chains are rare, so the sum of all offsets in the body is bound enough.
    pub fn absorbs_fully(&self, id: InstId) -> bool {
        let mut total = 0_i64;
        let mut at = Some(id);
        while let Some(id) = at
            && let Inst::Field { base, offset, .. } = self.body.insts[id]
        {
            total = total.saturating_add(offset.saturating_abs());
            at = self.body.definition(base);
        }
        total < 1 << 24
    }

    fn index(&mut self, id: InstId, base: ValueId, index: ValueId, stride: i64) {
        if self.is_melted_index(id) {
            return;
        }
        let dst = self.result(id);
        if let Some(imm) = self.small(index)
            && let Some(offset) = i64::from(imm).checked_mul(stride)
            && let Ok(offset) = i32::try_from(offset)
        {
            let base = self.reg(base);
            return self.emit(Op::Field { dst, base, offset });
        }
        let (base, index) = (self.reg(base), self.reg(index));
        match i16::try_from(stride) {
            Ok(stride) => self.emit(Op::Index { dst, base, index, stride }),
            Err(_) => {
                self.code.far.push(stride);
                let far = (self.code.far.len() - 1) as u16;
                self.emit(Op::IndexFar { dst, base, index, far });
            }
        }
    }

    fn binary(&mut self, id: InstId, op: BinaryOp, lhs: ValueId, rhs: ValueId) {
        let (scalar, dst) = (self.scalar(lhs), self.result(id));
        let left = self.reg(lhs);
        if let Some(op) = self.small(rhs).and_then(|imm| immediate(op, scalar, dst, left, imm)) {
            return self.emit(op);
        }
        let right = self.reg(rhs);
        self.emit(registers(op, scalar, dst, left, right));
    }

    fn compare(&mut self, id: InstId, op: CompareOp, lhs: ValueId, rhs: ValueId) {
        let scalar = self.scalar(lhs);
        let test = test(op, scalar);
        if test.is_some() && self.melts_into_branch(id) {
            return;
        }
        let (dst, left) = (self.result(id), self.reg(lhs));
        let Some(test) = test else {
            let rhs = self.reg(rhs);
            return self.emit(Op::Compare { op, scalar, dst, lhs: left, rhs });
        };
        match self.small(rhs).filter(|&imm| test_takes(test, imm)) {
            Some(imm) => self.emit(Op::TestImm { test, dst, lhs: left, imm }),
            None => {
                let rhs = self.reg(rhs);
                self.emit(Op::Test { test, dst, lhs: left, rhs });
            }
        }
    }

    fn convert(&mut self, id: InstId, op: ConvertOp, value: ValueId, to: Scalar) {
        let (from, dst) = (self.scalar(value), self.result(id));
        let value = self.reg(value);
        let narrow = to.int_bits().is_some_and(|bits| matches!(bits, 8 | 16 | 32));
        self.emit(match op {
            ConvertOp::SignExtend if (from, to) == (Scalar::I32, Scalar::I64) => {
                Op::SignExtend32 { dst, value }
            }
            ConvertOp::Trunc if narrow && !is_wide(from) => {
                Op::Low { dst, value, width: to.int_bits().unwrap_or(32) as u8 }
            }
            ConvertOp::ZeroExtend if !is_wide(to) => Op::Move { dst, value },
            _ => Op::Convert { op, from, to, dst, value },
        });
    }

    /// Whether some scope of the function owns variable length arrays.
    fn has_alloca(&self) -> bool {
        self.body
            .insts
            .rows()
            .iter()
            .any(|inst| matches!(inst, Inst::Alloca { scope: Some(_), .. }))
    }
}

fn immediate(op: BinaryOp, scalar: Scalar, dst: Reg, lhs: Reg, imm: i32) -> Option<Op> {
    use BinaryOp::{Add, AddS, And, Shl, ShlS, ShrS, ShrU, Sub, SubS};
    let in_width =
        scalar.int_bits().is_some_and(|bits| bits <= 64 && (0..bits as i32).contains(&imm));
    Some(match (op, scalar) {
        (Add | AddS, Scalar::I32) => Op::Add32Imm { dst, lhs, imm },
        (Add | AddS, Scalar::I64) => Op::Add64Imm { dst, lhs, imm },
        (Sub | SubS, Scalar::I32) => Op::Add32Imm { dst, lhs, imm: imm.wrapping_neg() },
        (Sub | SubS, Scalar::I64) => Op::Add64Imm { dst, lhs, imm: imm.checked_neg()? },
        (And, int) if int.is_int() && !is_wide(int) && imm >= 0 => Op::AndImm { dst, lhs, imm },
        (Shl | ShlS, Scalar::I32) if in_width => Op::Shl32Imm { dst, lhs, imm },
        (Shl | ShlS, Scalar::I64) if in_width => Op::Shl64Imm { dst, lhs, imm },
        (ShrU, int) if in_width && !is_wide(int) => Op::ShrUImm { dst, lhs, imm },
        (ShrS, Scalar::I32) if in_width => Op::ShrS32Imm { dst, lhs, imm },
        (ShrS, Scalar::I64) if in_width => Op::ShrS64Imm { dst, lhs, imm },
        _ => return None,
    })
}

fn registers(op: BinaryOp, scalar: Scalar, dst: Reg, lhs: Reg, rhs: Reg) -> Op {
    use BinaryOp::{Add, AddS, And, FAdd, FDiv, FMul, FSub, Mul, MulS, Or, Sub, SubS, Xor};
    match (op, scalar) {
        (Add | AddS, Scalar::I32) => Op::Add32 { dst, lhs, rhs },
        (Add | AddS, Scalar::I64) => Op::Add64 { dst, lhs, rhs },
        (Sub | SubS, Scalar::I32) => Op::Sub32 { dst, lhs, rhs },
        (Sub | SubS, Scalar::I64) => Op::Sub64 { dst, lhs, rhs },
        (Mul | MulS, Scalar::I32) => Op::Mul32 { dst, lhs, rhs },
        (Mul | MulS, Scalar::I64) => Op::Mul64 { dst, lhs, rhs },
        (And, int) if !is_wide(int) => Op::And { dst, lhs, rhs },
        (Or, int) if !is_wide(int) => Op::Or { dst, lhs, rhs },
        (Xor, int) if !is_wide(int) => Op::Xor { dst, lhs, rhs },
        (FAdd, Scalar::F64) => Op::FAdd64 { dst, lhs, rhs },
        (FSub, Scalar::F64) => Op::FSub64 { dst, lhs, rhs },
        (FMul, Scalar::F64) => Op::FMul64 { dst, lhs, rhs },
        (FDiv, Scalar::F64) => Op::FDiv64 { dst, lhs, rhs },
        _ => Op::Binary { op, scalar, dst, lhs, rhs },
    }
}

/// The quick form of a comparison, where there is one.
pub fn test(op: CompareOp, scalar: Scalar) -> Option<Test> {
    if is_wide(scalar) || scalar.is_float() {
        return None;
    }
    let wide = matches!(scalar, Scalar::I64 | Scalar::Ptr);
    let narrow = scalar == Scalar::I32;
    Some(match op {
        CompareOp::Eq => Test::Eq,
        CompareOp::Ne => Test::Ne,
        CompareOp::LtU => Test::LtU,
        CompareOp::LeU => Test::LeU,
        CompareOp::GtU => Test::GtU,
        CompareOp::GeU => Test::GeU,
        CompareOp::LtS if narrow => Test::LtS32,
        CompareOp::LeS if narrow => Test::LeS32,
        CompareOp::GtS if narrow => Test::GtS32,
        CompareOp::GeS if narrow => Test::GeS32,
        CompareOp::LtS if wide => Test::LtS64,
        CompareOp::LeS if wide => Test::LeS64,
        CompareOp::GtS if wide => Test::GtS64,
        CompareOp::GeS if wide => Test::GeS64,
        _ => return None,
    })
}

/// Whether the immediate, sign-extended to 64 bits, is what the register would hold.
pub fn test_takes(test: Test, imm: i32) -> bool {
    let unsigned =
        matches!(test, Test::Eq | Test::Ne | Test::LtU | Test::LeU | Test::GtU | Test::GeU);
    !unsigned || imm >= 0
}
