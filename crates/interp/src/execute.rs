//! The inner loop: runs one activation until it calls, returns, or needs the machine.

use crate::arithmetic;
use crate::code::{Code, SwitchCode};
use crate::decode::is_wide;
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::meta::{and_meta, or_meta, plain_meta, shift_meta, sub_meta, sum_meta, xor_meta};
use crate::op::{NO_EDGE, Op, Reg, Test};
use crate::value::{Value, mask, signed};

/// Why the loop was left; the program counter is past the operation.
pub enum Leave {
    Call(u32),
    Return(Value, Value),
    Special(u32),
    /// An edge was taken, in an observed run.
    Edge(u32),
    /// Memory changed, in an observed run.
    Observe,
    Fault(Box<Fault>),
    /// An undefined value decides a branch or switch: the operation was not done.
    Undefined,
    OutOfSteps,
}

/// The state of one activation in the loop.
pub struct Activation<'m> {
    pub code: &'m Code,
    pub regs: &'m mut [Value],
    pub memory: &'m mut Memory,
    pub pc: usize,
    pub steps: u64,
    pub limit: u64,
    /// Undefined values may decide: it was reported.
    pub blind: bool,
}

macro_rules! tri {
    ($state:ident, $result:expr) => {
        match $result {
            Ok(value) => value,
            Err(fault) => return Leave::Fault(fault),
        }
    };
}

impl Activation<'_> {
    #[inline(always)]
    fn get(&self, reg: Reg) -> Value {
        self.regs[reg as usize]
    }

    #[inline(always)]
    fn set(&mut self, reg: Reg, value: Value) {
        self.regs[reg as usize] = value;
    }

    #[inline(always)]
    fn wide(&self, reg: Reg, wide: bool) -> (Value, Value) {
        (self.get(reg), if wide { self.get(reg + 1) } else { Value::int(0) })
    }

    fn set_wide(&mut self, reg: Reg, value: (Value, Value), wide: bool) {
        self.set(reg, value.0);
        if wide {
            self.set(reg + 1, value.1);
        }
    }

    #[inline(always)]
    fn at(&self, base: Reg, offset: i32) -> Value {
        self.get(base).moved(i64::from(offset))
    }

    #[inline(always)]
    fn element(&self, base: Reg, index: Reg, stride: i16) -> Value {
        let (base, index) = (self.get(base), self.get(index));
        indexed(base, index, i64::from(stride))
    }

    /// Takes an edge; false when the steps are used up.
    #[inline(always)]
    fn take(&mut self, edge: u32) -> bool {
        let row = self.code.edges[edge as usize];
        for &(to, from) in &self.code.moves[row.first_move as usize..row.end_move as usize] {
            self.regs[to as usize] = self.regs[from as usize];
        }
        self.pc = row.pc as usize;
        self.steps += u64::from(row.weight);
        self.steps <= self.limit
    }

    /// Runs until something leaves the loop. An observed run leaves at every edge and store too.
    pub fn run<const OBSERVED: bool>(&mut self) -> Leave {
        macro_rules! jump {
            ($edge:expr) => {{
                let edge = $edge;
                if !self.take(edge) {
                    return Leave::OutOfSteps;
                }
                if OBSERVED {
                    return Leave::Edge(edge);
                }
            }};
        }
        macro_rules! observe {
            ($store:expr, $at:expr, $len:expr, $value:expr) => {
                if OBSERVED {
                    self.note($store, $at, u32::from($len as u8), $value);
                    if $store && self.memory.has_fallen() {
                        return Leave::Observe;
                    }
                }
            };
        }
        loop {
            let op = self.code.ops[self.pc];
            self.pc += 1;
            match op {
                Op::Load8 { dst, base, offset } => {
                    let at = self.at(base, offset);
                    let value = tri!(self, self.memory.load::<1>(at));
                    observe!(false, at, 1, value);
                    self.set(dst, value);
                }
                Op::Load16 { dst, base, offset } => {
                    let at = self.at(base, offset);
                    let value = tri!(self, self.memory.load::<2>(at));
                    observe!(false, at, 2, value);
                    self.set(dst, value);
                }
                Op::Load32 { dst, base, offset } => {
                    let at = self.at(base, offset);
                    let value = tri!(self, self.memory.load::<4>(at));
                    observe!(false, at, 4, value);
                    self.set(dst, value);
                }
                Op::Load64 { dst, base, offset } => {
                    let at = self.at(base, offset);
                    let value = tri!(self, self.memory.load::<8>(at));
                    observe!(false, at, 8, value);
                    self.set(dst, value);
                }
                Op::LoadBool { dst, base, offset } => {
                    let at = self.at(base, offset);
                    let value = tri!(self, self.memory.load::<1>(at));
                    observe!(false, at, 1, value);
                    self.set(dst, Value { bits: u64::from(value.bits != 0), meta: value.meta });
                }
                Op::LoadWide { dst, base, offset, len } => {
                    let at = self.at(base, offset);
                    let value = tri!(self, self.memory.load_wide(at, usize::from(len)));
                    observe!(false, at, len, value.0);
                    self.set_wide(dst, value, true);
                }
                Op::Store8 { base, value, offset } => {
                    let at = self.at(base, offset);
                    tri!(self, self.memory.store::<1>(at, self.get(value)));
                    observe!(true, at, 1, Value::default());
                }
                Op::Store16 { base, value, offset } => {
                    let at = self.at(base, offset);
                    tri!(self, self.memory.store::<2>(at, self.get(value)));
                    observe!(true, at, 2, Value::default());
                }
                Op::Store32 { base, value, offset } => {
                    let at = self.at(base, offset);
                    tri!(self, self.memory.store::<4>(at, self.get(value)));
                    observe!(true, at, 4, Value::default());
                }
                Op::Store64 { base, value, offset } => {
                    let at = self.at(base, offset);
                    tri!(self, self.memory.store::<8>(at, self.get(value)));
                    observe!(true, at, 8, Value::default());
                }
                Op::StoreWide { base, value, offset, len } => {
                    let (low, high) = self.wide(value, true);
                    let at = self.at(base, offset);
                    tri!(self, self.memory.store_wide(at, low, high, usize::from(len)));
                    observe!(true, at, len, Value::default());
                }
                Op::LoadAt { dst, base, index, stride, len } => {
                    let at = self.element(base, index, stride);
                    let value = tri!(self, self.memory.load_sized(at, usize::from(len)));
                    observe!(false, at, len, value);
                    self.set(dst, value);
                }
                Op::StoreAt { value, base, index, stride, len } => {
                    let at = self.element(base, index, stride);
                    let value = self.get(value);
                    tri!(self, self.memory.store_sized(at, value, usize::from(len)));
                    observe!(true, at, len, Value::default());
                }
                Op::Add32 { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    let bits = u64::from((a.bits as u32).wrapping_add(b.bits as u32));
                    self.set(dst, Value { bits, meta: sum_meta(a, b) });
                }
                Op::Add64 { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    self.set(
                        dst,
                        Value { bits: a.bits.wrapping_add(b.bits), meta: sum_meta(a, b) },
                    );
                }
                Op::Sub32 { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    let bits = u64::from((a.bits as u32).wrapping_sub(b.bits as u32));
                    self.set(dst, Value { bits, meta: sub_meta(a, b) });
                }
                Op::Sub64 { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    self.set(
                        dst,
                        Value { bits: a.bits.wrapping_sub(b.bits), meta: sub_meta(a, b) },
                    );
                }
                Op::Mul32 { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    let bits = u64::from((a.bits as u32).wrapping_mul(b.bits as u32));
                    self.set(dst, Value { bits, meta: plain_meta(a, b) });
                }
                Op::Mul64 { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    self.set(
                        dst,
                        Value { bits: a.bits.wrapping_mul(b.bits), meta: plain_meta(a, b) },
                    );
                }
                Op::And { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    self.set(dst, Value { bits: a.bits & b.bits, meta: and_meta(a, b) });
                }
                Op::Or { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    self.set(dst, Value { bits: a.bits | b.bits, meta: or_meta(a, b) });
                }
                Op::Xor { dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    self.set(dst, Value { bits: a.bits ^ b.bits, meta: xor_meta(a, b) });
                }
                Op::Add32Imm { dst, lhs, imm } => {
                    let a = self.get(lhs);
                    let bits = u64::from((a.bits as u32).wrapping_add(imm as u32));
                    self.set(dst, Value { bits, meta: sum_meta(a, Value::int(0)) });
                }
                Op::Add64Imm { dst, lhs, imm } => {
                    let a = self.get(lhs);
                    let bits = a.bits.wrapping_add(i64::from(imm) as u64);
                    self.set(dst, Value { bits, meta: sum_meta(a, Value::int(0)) });
                }
                Op::AndImm { dst, lhs, imm } => {
                    let (a, b) = (self.get(lhs), Value::int(imm as u64));
                    self.set(dst, Value { bits: a.bits & b.bits, meta: and_meta(a, b) });
                }
                Op::Shl32Imm { dst, lhs, imm } => {
                    let a = self.get(lhs);
                    let bits = u64::from((a.bits as u32) << imm);
                    self.set(dst, Value { bits, meta: plain_meta(a, Value::int(0)) });
                }
                Op::Shl64Imm { dst, lhs, imm } => {
                    let a = self.get(lhs);
                    self.set(
                        dst,
                        Value { bits: a.bits << imm, meta: plain_meta(a, Value::int(0)) },
                    );
                }
                Op::ShrUImm { dst, lhs, imm } => {
                    let a = self.get(lhs);
                    self.set(dst, Value { bits: a.bits >> imm, meta: shift_meta(a, imm) });
                }
                Op::ShrS32Imm { dst, lhs, imm } => {
                    let a = self.get(lhs);
                    let bits = u64::from((a.as_i32() >> imm) as u32);
                    self.set(dst, Value { bits, meta: plain_meta(a, Value::int(0)) });
                }
                Op::ShrS64Imm { dst, lhs, imm } => {
                    let a = self.get(lhs);
                    let bits = (a.as_i64() >> imm) as u64;
                    self.set(dst, Value { bits, meta: plain_meta(a, Value::int(0)) });
                }
                Op::FAdd64 { dst, lhs, rhs } => self.float(dst, lhs, rhs, |a, b| a + b),
                Op::FSub64 { dst, lhs, rhs } => self.float(dst, lhs, rhs, |a, b| a - b),
                Op::FMul64 { dst, lhs, rhs } => self.float(dst, lhs, rhs, |a, b| a * b),
                Op::FDiv64 { dst, lhs, rhs } => self.float(dst, lhs, rhs, |a, b| a / b),
                Op::Binary { op, scalar, dst, lhs, rhs } => {
                    let wide = is_wide(scalar);
                    let (a, b) = (self.wide(lhs, wide), self.wide(rhs, wide));
                    let value = tri!(self, arithmetic::binary(op, scalar, a, b));
                    self.set_wide(dst, value, wide);
                }
                Op::Unary { op, scalar, dst, value } => {
                    let wide = is_wide(scalar);
                    let value = arithmetic::unary(op, scalar, self.wide(value, wide));
                    self.set_wide(dst, value, wide && op != caulk_ir::UnaryOp::SignBit);
                }
                Op::Compare { op, scalar, dst, lhs, rhs } => {
                    let wide = is_wide(scalar);
                    let (a, b) = (self.wide(lhs, wide), self.wide(rhs, wide));
                    self.set(dst, arithmetic::compare(op, scalar, a, b));
                }
                Op::Test { test, dst, lhs, rhs } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    let meta = if (a.meta | b.meta) >> 32 == 0 { 0 } else { test_meta(test, a, b) };
                    self.set(dst, Value { bits: u64::from(holds(test, a.bits, b.bits)), meta });
                }
                Op::TestImm { test, dst, lhs, imm } => {
                    let (a, b) = (self.get(lhs), Value::int(i64::from(imm) as u64));
                    let meta = if a.meta >> 32 == 0 { 0 } else { test_meta(test, a, b) };
                    self.set(dst, Value { bits: u64::from(holds(test, a.bits, b.bits)), meta });
                }
                Op::SignExtend32 { dst, value } => {
                    let a = self.get(value);
                    let bits = i64::from(a.as_i32()) as u64;
                    let meta = if a.meta >> 32 == 0 { a.meta } else { Value::UNDEF.meta };
                    self.set(dst, Value { bits, meta });
                }
                Op::Low { dst, value, width } => {
                    let a = self.get(value);
                    let kept = Value { bits: a.bits & mask(u32::from(width)), meta: a.meta };
                    let kept = if a.meta >> 32 == 0 {
                        kept
                    } else {
                        kept.with_undefined(a.undefined() & mask(u32::from(width) / 8) as u8)
                    };
                    self.set(dst, kept);
                }
                Op::Move { dst, value } => {
                    let value = self.get(value);
                    self.set(dst, value);
                }
                Op::Convert { op, from, to, dst, value } => {
                    let value = arithmetic::convert(op, from, to, self.wide(value, is_wide(from)));
                    let value = self.converted(op, value);
                    self.set_wide(dst, value, is_wide(to));
                }
                Op::Field { dst, base, offset } => {
                    let value = self.at(base, offset);
                    self.set(dst, value);
                }
                Op::FieldFar { dst, base, far } => {
                    let value = self.get(base).moved(self.code.far[far as usize]);
                    self.set(dst, value);
                }
                Op::Index { dst, base, index, stride } => {
                    let value = self.element(base, index, stride);
                    self.set(dst, value);
                }
                Op::IndexFar { dst, base, index, far } => {
                    let stride = self.code.far[usize::from(far)];
                    let value = indexed(self.get(base), self.get(index), stride);
                    self.set(dst, value);
                }
                Op::Jump { edge } => jump!(edge),
                Op::Branch { cond, edge } => {
                    let cond = self.get(cond);
                    if !cond.is_defined() && !self.blind {
                        return Leave::Undefined;
                    }
                    jump!(edge + u32::from(cond.bits & 1 == 0));
                }
                Op::BranchIf { test, lhs, rhs, edge } => {
                    let (a, b) = (self.get(lhs), self.get(rhs));
                    if (a.meta | b.meta) >> 32 != 0 && test_meta(test, a, b) != 0 && !self.blind {
                        return Leave::Undefined;
                    }
                    jump!(edge + u32::from(!holds(test, a.bits, b.bits)));
                }
                Op::BranchIfImm { test, lhs, imm, edge } => {
                    let (a, b) = (self.get(lhs), Value::int(i64::from(imm) as u64));
                    if a.meta >> 32 != 0 && test_meta(test, a, b) != 0 && !self.blind {
                        return Leave::Undefined;
                    }
                    jump!(edge + u32::from(!holds(test, a.bits, b.bits)));
                }
                Op::Switch { value, table } => {
                    if !self.get(value).is_defined() && !self.blind {
                        return Leave::Undefined;
                    }
                    jump!(self.case(value, table));
                }
                Op::Goto { target, table } => {
                    let (first, edges) = &self.code.gotos[table as usize];
                    let at = self.get(target).bits.wrapping_sub(*first) as usize;
                    match edges.get(at) {
                        Some(&edge) if edge != NO_EDGE => jump!(edge),
                        _ => return bad_jump(),
                    }
                }
                Op::Return => return Leave::Return(Value::UNDEF, Value::UNDEF),
                Op::ReturnValue { value } => return Leave::Return(self.get(value), Value::int(0)),
                Op::ReturnWide { value } => {
                    return Leave::Return(self.get(value), self.get(value + 1));
                }
                Op::Call { call } => return Leave::Call(call),
                Op::Special { special } => return Leave::Special(special),
            }
        }
    }

    /// Writes down an access for the trace.
    fn note(&mut self, store: bool, at: Value, size: u32, value: Value) {
        if self.memory.trace.is_some() {
            let value = if store { Value::default() } else { value };
            self.memory.note_access(Some(self.pc as u32), store, at, u64::from(size), value);
        }
    }

    #[inline(always)]
    fn float(&mut self, dst: Reg, lhs: Reg, rhs: Reg, op: impl Fn(f64, f64) -> f64) {
        let (a, b) = (self.get(lhs), self.get(rhs));
        let bits = op(a.as_f64(), b.as_f64()).to_bits();
        self.set(dst, Value { bits, meta: plain_meta(a, b) });
    }

    /// Addresses that become numbers are exposed; numbers that become addresses find their
    /// object.
    fn converted(&mut self, op: caulk_ir::ConvertOp, value: (Value, Value)) -> (Value, Value) {
        match op {
            caulk_ir::ConvertOp::PtrToInt => {
                self.memory.expose(value.0.origin());
                value
            }
            caulk_ir::ConvertOp::IntToPtr => (self.memory.pointer_from(value.0), value.1),
            _ => value,
        }
    }

    fn case(&self, value: Reg, table: u32) -> u32 {
        let switch: &SwitchCode = &self.code.switches[table as usize];
        let wide = self.wide(value, is_wide(switch.scalar));
        let width = switch.scalar.int_bits().unwrap_or(64);
        if let Some((low, edges)) = &switch.dense {
            let number =
                if switch.signed { signed(wide.0.bits, width) } else { wide.0.bits as i64 };
            let at = number.wrapping_sub(*low) as u64;
            return edges.get(at as usize).copied().unwrap_or(switch.default);
        }
        let number = match (switch.signed, width) {
            (true, _) => arithmetic::signed_wide(wide, switch.scalar),
            (false, 128) => arithmetic::join(wide) as i128,
            (false, _) => i128::from(wide.0.bits),
        };
        let at = switch.cases.partition_point(|&(_, high, _)| high < number);
        match switch.cases.get(at) {
            Some(&(low, _, edge)) if low <= number => edge,
            _ => switch.default,
        }
    }
}

#[inline(always)]
fn indexed(base: Value, index: Value, stride: i64) -> Value {
    let bits = base.bits.wrapping_add((index.as_i64().wrapping_mul(stride)) as u64);
    let undefined = if index.meta >> 32 == 0 { 0 } else { Value::UNDEF.meta };
    Value { bits, meta: base.meta | undefined }
}

#[cold]
fn bad_jump() -> Leave {
    Leave::Fault(Fault::new(FaultKind::BadJump, "a computed jump to no label"))
}

#[inline(always)]
fn holds(test: Test, a: u64, b: u64) -> bool {
    match test {
        Test::Eq => a == b,
        Test::Ne => a != b,
        Test::LtU => a < b,
        Test::LeU => a <= b,
        Test::GtU => a > b,
        Test::GeU => a >= b,
        Test::LtS32 => (a as i32) < b as i32,
        Test::LeS32 => a as i32 <= b as i32,
        Test::GtS32 => a as i32 > b as i32,
        Test::GeS32 => a as i32 >= b as i32,
        Test::LtS64 => (a as i64) < b as i64,
        Test::LeS64 => a as i64 <= b as i64,
        Test::GtS64 => a as i64 > b as i64,
        Test::GeS64 => a as i64 >= b as i64,
    }
}

/// Whether a comparison with undefined bytes is undefined: bytes that are defined may already
/// tell two numbers apart.
#[cold]
fn test_meta(test: Test, a: Value, b: Value) -> u64 {
    let unknown = a.undefined() | b.undefined();
    if matches!(test, Test::Eq | Test::Ne) {
        let differ = (a.bits ^ b.bits).to_le_bytes();
        if (0..8).any(|at| unknown >> at & 1 == 0 && differ[at] != 0) {
            return 0;
        }
    }
    Value::UNDEF.meta
}
