//! Operations that need more than registers and memory.

use std::rc::Rc;

use caulk_ir::{BitRange, OverflowPart, RmwOp, Scalar, TypeId};

use crate::arithmetic;
use crate::code::Code;
use crate::decode::{is_wide, type_size};
use crate::event::Birth;
use crate::fault::{Budget, Checked, Fault, FaultKind, Step, Stop};
use crate::holders::HeldBy;
use crate::machine::{Frame, Machine};
use crate::memory::ObjectKind;
use crate::op::{Reg, Special};
use crate::value::{Value, mask};

/// The bytes that the widest bit-field can touch.
const BIT_BYTES: usize = 17;

/// Bytes that each variable argument takes.
pub const ARGUMENT: u64 = 16;

impl Machine<'_> {
    fn get(&self, reg: Reg) -> Value {
        self.regs[self.base() + reg as usize]
    }

    fn set(&mut self, reg: Reg, value: Value) {
        let at = self.base() + reg as usize;
        self.regs[at] = value;
    }

    fn base(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base)
    }

    fn get_wide(&self, reg: Reg, scalar: Scalar) -> (Value, Value) {
        (self.get(reg), if is_wide(scalar) { self.get(reg + 1) } else { Value::int(0) })
    }

    fn set_wide(&mut self, reg: Reg, value: (Value, Value), scalar: Scalar) {
        self.set(reg, value.0);
        if is_wide(scalar) {
            self.set(reg + 1, value.1);
        }
    }

    fn current_code(&self) -> Rc<Code> {
        self.frames.last().map(|frame| frame.code.clone()).unwrap_or_default()
    }

    pub fn special(&mut self, special: u32) -> Step<()> {
        let code = self.current_code();
        match code.specials[special as usize] {
            Special::LoadBits { dst, base, bits, scalar } => {
                self.load_bits(dst, base, bits, scalar)?
            }
            Special::StoreBits { base, value, bits, scalar } => {
                self.store_bits(base, value, bits, scalar)?;
            }
            Special::Overflow { op, part, dst, lhs, rhs, scalars, signs } => {
                let (lhs, rhs) = (self.get_wide(lhs, scalars[0]), self.get_wide(rhs, scalars[1]));
                let (result, flag) = arithmetic::overflow(op, lhs, rhs, scalars, signs);
                match part {
                    OverflowPart::Result => self.set_wide(dst, result, scalars[2]),
                    OverflowPart::Flag => self.set(dst, Value::int(u64::from(flag))),
                }
            }
            Special::Copy { to, from, size } => {
                let len = self.get(size).bits;
                self.memory.copy(self.get(to), self.get(from), len)?;
                self.spend_on_memory()?;
            }
            Special::Fill { to, byte, size } => {
                let len = self.get(size).bits;
                self.memory.fill(self.get(to), self.get(byte), len)?;
                self.spend_on_memory()?;
            }
            Special::HavocMemory { to, size } => {
                let len = self.get(size).bits;
                self.memory.fill(self.get(to), Value::int(0), len)?;
                self.spend_on_memory()?;
            }
            Special::Havoc { dst, scalar } => {
                self.set_wide(dst, (Value::int(0), Value::int(0)), scalar);
            }
            Special::Alloca { dst, size, align, scope } => self.alloca(dst, size, align, scope)?,
            Special::VaStart { list } => self.va_start(self.get(list))?,
            Special::VaCopy { to, from } => {
                let next = self.memory.load::<8>(self.get(from))?;
                self.memory.note(false, self.get(from), 8);
                self.memory.put::<8>(self.get(to), next)?;
            }
            Special::VaArg { list, dst, scalar, into, ty } => {
                self.va_arg(list, dst, scalar, into, ty)?
            }
            Special::Rmw { op, dst, to, value, scalar } => self.rmw(op, dst, to, value, scalar)?,
            Special::CompareExchange { dst, to, expected, desired, scalar } => {
                self.compare_exchange(dst, to, [expected, desired], scalar)?;
            }
            Special::Asm { asm } => {
                for &(address, size) in &code.asm_outputs[asm as usize] {
                    self.memory.fill(self.get(address), Value::int(0), size)?;
                }
            }
            Special::ScopeBegin { scope } => self.begin_scope(&code, scope)?,
            Special::ScopeEnd { scope } => self.end_scope(&code, scope),
            Special::Set { var, value } => self.set_variable(var, self.get(value)),
            Special::Trap => return Err(Fault::new(FaultKind::Trap, "a trap was reached").into()),
            Special::Promised => {
                let message = "control reached what the program promised it never does";
                return Err(Fault::new(FaultKind::Trap, message).into());
            }
            Special::Returned => {
                let message = "a function that must not return did";
                return Err(Fault::new(FaultKind::Trap, message).into());
            }
        }
        Ok(())
    }

    fn load_bits(&mut self, dst: Reg, base: Reg, bits: BitRange, scalar: Scalar) -> Checked<()> {
        let (bytes, undefined) = self.bit_bytes(self.get(base), bits)?;
        // Up to the top of 128 bits and back down, which extends the sign.
        let above = 128 - u32::from(bits.width);
        let raw = field_of(&bytes, bits.first) << above;
        let number = if bits.signed { (raw as i128 >> above) as u128 } else { raw >> above };
        let low = number as u64 & mask(scalar.int_bits().unwrap_or(64).min(64));
        let meta = if undefined { Value::UNDEF.meta } else { 0 };
        let high = (number >> 64) as u64;
        self.set_wide(dst, (Value { bits: low, meta }, Value { bits: high, meta }), scalar);
        Ok(())
    }

    /// The bytes that a bit-field touches, and whether one is undefined.
    fn bit_bytes(&mut self, at: Value, bits: BitRange) -> Checked<([u8; BIT_BYTES], bool)> {
        let len = bit_len(bits);
        let (id, offset) = self.memory.check(at, len as u64, false)?;
        let object = self.memory.object(id);
        let undefined = object.first_undefined(offset, len).is_some();
        let mut bytes = [0; BIT_BYTES];
        bytes[..len].copy_from_slice(&object.bytes[offset..offset + len]);
        self.memory.note(false, at, len as u64);
        Ok((bytes, undefined))
    }

    fn store_bits(&mut self, base: Reg, value: Reg, bits: BitRange, scalar: Scalar) -> Checked<()> {
        let at = self.get(base);
        let (mut bytes, _) = self.bit_bytes(at, bits)?;
        let new = arithmetic::join(self.get_wide(value, scalar));
        for bit in 0..usize::from(bits.width) {
            let place = bit + usize::from(bits.first);
            let one = 1 << (place % 8);
            bytes[place / 8] &= !one;
            bytes[place / 8] |= if new >> bit & 1 == 1 { one } else { 0 };
        }
        self.memory.write(at, &bytes[..bit_len(bits)])
    }

    fn alloca(&mut self, dst: Reg, size: Reg, align: u32, scope: Option<u32>) -> Step<()> {
        let size = self.get(size).bits;
        if self.memory.is_exhausted(size) || size > self.budgets.memory {
            return Err(Box::new(Stop::OutOfBudget(Budget::Memory)));
        }
        let id = self.memory.add_slot(size, u64::from(align), ObjectKind::Alloca);
        self.tell_birth(id, Birth::Alloca);
        let address = self.memory.address(id);
        self.set(dst, address);
        if let Some(frame) = self.frames.last_mut() {
            frame.allocas.push((id, scope));
        }
        Ok(())
    }

    /// Puts the caller's extra arguments into an object and points the list at it.
    fn va_start(&mut self, list: Value) -> Step<()> {
        let known = self.frames.last().and_then(|frame| frame.arguments);
        let id = match known {
            Some(id) => id,
            None => self.make_arguments()?,
        };
        let address = self.memory.address(id);
        self.memory.put::<8>(list, address)?;
        Ok(())
    }

    fn make_arguments(&mut self) -> Step<u32> {
        let extra = self.extra_arguments();
        let id = self.memory.add_slot(extra.len() as u64 * ARGUMENT, 16, ObjectKind::Arguments);
        self.tell_birth(id, Birth::Arguments);
        let address = self.memory.address(id);
        for (index, (low, high)) in extra.into_iter().enumerate() {
            let at = address.moved(index as i64 * ARGUMENT as i64);
            self.memory.put::<8>(at, low)?;
            self.memory.put::<8>(at.moved(8), high)?;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.arguments = Some(id);
        }
        Ok(id)
    }

    fn extra_arguments(&self) -> Vec<(Value, Value)> {
        let [.., caller, own] = &self.frames[..] else { return Vec::new() };
        let Some(call) = own.call else { return Vec::new() };
        let row = &caller.code.calls[call as usize];
        let extra = row.args.get(own.code.params.len()..).unwrap_or(&[]);
        let value = |reg: Reg| self.regs[caller.base + reg as usize];
        extra
            .iter()
            .map(|arg| {
                let high = if is_wide(arg.scalar) { value(arg.reg + 1) } else { Value::int(0) };
                (value(arg.reg), high)
            })
            .collect()
    }

    /// The address of the next variable argument; the list moves on.
    pub fn next_argument(&mut self, list: Value) -> Checked<Value> {
        let at = self.memory.load::<8>(list)?;
        self.memory.note(false, list, 8);
        self.memory.put::<8>(list, at.moved(ARGUMENT as i64))?;
        Ok(at)
    }

    fn va_arg(
        &mut self,
        list: Reg,
        dst: Option<Reg>,
        scalar: Option<Scalar>,
        into: Option<Reg>,
        ty: TypeId,
    ) -> Step<()> {
        let at = self.next_argument(self.get(list))?;
        let low = self.memory.load::<8>(at)?;
        self.memory.note(false, at, 8);
        if let (Some(dst), Some(scalar)) = (dst, scalar) {
            let high = if is_wide(scalar) { self.memory.load::<8>(at.moved(8))? } else { low };
            let bits = scalar.int_bits().map_or(u64::MAX, mask);
            self.set_wide(dst, (Value { bits: low.bits & bits, meta: low.meta }, high), scalar);
        }
        if let Some(into) = into {
            let function = self.frames.last().map_or(0, |frame| frame.function);
            let size = type_size(self.program.module_of(function), ty).unwrap_or(0);
            self.memory.copy(self.get(into), low, size)?;
        }
        Ok(())
    }

    fn rmw(&mut self, op: RmwOp, dst: Reg, to: Reg, value: Reg, scalar: Scalar) -> Step<()> {
        let (at, value) = (self.get(to), self.get_wide(value, scalar));
        let old = self.load_scalar(at, scalar)?;
        let new = match op {
            RmwOp::Exchange => value,
            RmwOp::Nand => {
                let both = arithmetic::binary(caulk_ir::BinaryOp::And, scalar, old, value)?;
                arithmetic::unary(caulk_ir::UnaryOp::Not, scalar, both)
            }
            _ => arithmetic::binary(rmw_binary(op, scalar), scalar, old, value)?,
        };
        self.store_scalar(at, new, scalar)?;
        self.set_wide(dst, old, scalar);
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        dst: Reg,
        to: Reg,
        values: [Reg; 2],
        scalar: Scalar,
    ) -> Step<()> {
        let at = self.get(to);
        let [expected, desired] = values.map(|reg| self.get_wide(reg, scalar));
        let old = self.load_scalar(at, scalar)?;
        let same =
            old.0.bits == expected.0.bits && (!is_wide(scalar) || old.1.bits == expected.1.bits);
        if same {
            self.store_scalar(at, desired, scalar)?;
        }
        self.set_wide(dst, old, scalar);
        Ok(())
    }

    pub fn load_scalar(&mut self, at: Value, scalar: Scalar) -> Checked<(Value, Value)> {
        let len = scalar.bytes(8) as usize;
        self.memory.note(false, at, len as u64);
        if is_wide(scalar) {
            return self.memory.load_wide(at, len);
        }
        Ok((self.memory.load_sized(at, len)?, Value::int(0)))
    }

    pub fn store_scalar(
        &mut self,
        at: Value,
        value: (Value, Value),
        scalar: Scalar,
    ) -> Checked<()> {
        let len = scalar.bytes(8) as usize;
        self.memory.note(true, at, len as u64);
        if is_wide(scalar) {
            return self.memory.store_wide(at, value.0, value.1, len);
        }
        self.memory.store_sized(at, value.0, len)
    }

    fn begin_scope(&mut self, code: &Code, scope: u32) -> Step<()> {
        let (function, base) = match self.frames.last() {
            Some(frame) => (frame.function, frame.base),
            None => return Ok(()),
        };
        for &slot in &code.scope_slots[scope as usize] {
            self.end_slot(base, code.slots[slot as usize].reg);
            self.make_slot(function, code, base, slot)?;
        }
        Ok(())
    }

    fn end_slot(&mut self, base: usize, reg: Reg) {
        let id = self.regs[base + reg as usize].origin();
        if id != 0 {
            self.memory.end_slot(id);
            self.regs[base + reg as usize] = Value::int(0);
        }
    }

    fn end_scope(&mut self, code: &Code, scope: u32) {
        let base = self.base();
        for &slot in &code.scope_slots[scope as usize] {
            self.end_slot(base, code.slots[slot as usize].reg);
        }
        if let Some(frame) = self.frames.last_mut()
            && !frame.allocas.is_empty()
        {
            let (gone, kept) = frame.allocas.iter().partition(|(_, owner)| *owner == Some(scope));
            frame.allocas = kept;
            let gone: Vec<_> = gone;
            gone.into_iter().for_each(|(id, _)| self.memory.end_slot(id));
        }
        if self.watch {
            code.scope_vars[scope as usize].iter().for_each(|&var| self.hold(var, 0));
        }
    }

    pub fn set_variable(&mut self, var: u32, value: Value) {
        if self.watch {
            self.hold(var, value.origin());
        }
    }

    /// The variable points to this object now, and no longer to what it did.
    pub fn hold(&mut self, var: u32, origin: u32) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(place) = frame.held.get_mut(var as usize) else { return };
        let old = std::mem::replace(place, origin);
        let function = frame.function;
        if let Some(holders) = &mut self.memory.holders {
            holders.hold_in_variable(origin);
            holders.release(old, HeldBy::Variable { function, var });
        }
    }

    /// The activation ends with all its variables.
    pub fn release_variables(&mut self, frame: &Frame) {
        let Some(holders) = &mut self.memory.holders else { return };
        for (var, &origin) in frame.held.iter().enumerate() {
            holders.release(origin, HeldBy::Variable { function: frame.function, var: var as u32 });
        }
    }
}

/// How many bytes a bit-field touches.
fn bit_len(bits: BitRange) -> usize {
    (usize::from(bits.first) + usize::from(bits.width)).div_ceil(8)
}

/// The 128 bits from bit `first` on.
fn field_of(bytes: &[u8; BIT_BYTES], first: u8) -> u128 {
    let low = bytes[..16].iter().rev().fold(0_u128, |sum, &byte| sum << 8 | u128::from(byte));
    let high = u128::from(bytes[16]).checked_shl(128 - u32::from(first)).unwrap_or(0);
    low >> first | high
}

fn rmw_binary(op: RmwOp, scalar: Scalar) -> caulk_ir::BinaryOp {
    use caulk_ir::BinaryOp;
    match op {
        RmwOp::Add if scalar.is_float() => BinaryOp::FAdd,
        RmwOp::Sub if scalar.is_float() => BinaryOp::FSub,
        RmwOp::Add => BinaryOp::Add,
        RmwOp::Sub => BinaryOp::Sub,
        RmwOp::Or => BinaryOp::Or,
        RmwOp::Xor => BinaryOp::Xor,
        _ => BinaryOp::And,
    }
}
