//! The meaning of instructions on abstract states.

use std::sync::Arc;

use caulk_ir::{
    BinaryOp, CompareOp, ConvertOp, Inst, InstId, OverflowPart, RecordId, RmwOp, Scalar, ScopeId,
    Type, TypeId, UnaryOp, ValueId,
};

use crate::exec::{Exec, Point};
use crate::fills::Extent;
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::{Background, State};
use crate::value::Value;

/// Members that a copied record is copied by; the rest only as far as it is known.
const MOST_LEAVES: usize = 48;

impl Exec<'_> {
    /// False when control does not come past it.
    pub fn step(&mut self, at: InstId, state: &mut State) -> bool {
        self.steps += 1;
        let point = Point::Inst(at);
        match self.body.insts[at] {
            Inst::Call(id) => {
                let comes_back = self.call(at, id, state);
                self.recall(at, state);
                return comes_back;
            }
            Inst::Load { from, scalar, .. } => {
                let from = self.value(from);
                let value = self.load(state, &from, scalar == Scalar::Ptr, point);
                self.set(at, value);
            }
            Inst::Store { to, value, .. } => {
                let is_pointer = self.body.values[value].scalar == Scalar::Ptr;
                let (to, value) = (self.value(to), self.value(value));
                self.note_pointer(&to, is_pointer);
                self.store(state, &to, &value, point);
            }
            Inst::StoreBits { to, .. } => {
                let to = self.value(to);
                self.store(state, &to, &Value::any_number(), point);
            }
            Inst::Copy { to, from, ty, .. } => self.copy(at, to, from, ty, state),
            Inst::Fill { to, byte, size } => {
                let (to, byte, size) = (self.value(to), self.value(byte), self.value(size));
                // What is not filled is read by nobody.
                self.fill(state, &to, &byte, Extent::of(&size), Background::Zero);
            }
            Inst::HavocMemory { to, size } => {
                let (to, size) = (self.value(to), self.value(size));
                self.overwrite(state, &to, Extent::of(&size));
            }
            Inst::AtomicRmw { op, to, value } => self.exchange(at, op, to, value, state),
            Inst::CompareExchange { to, desired, .. } => {
                self.exchange(at, RmwOp::Nand, to, desired, state);
            }
            Inst::VaArg { scalar, into, .. } => {
                if let Some(into) = into {
                    let into = self.value(into);
                    self.scramble(state, &into);
                }
                let value = self.outside(scalar == Some(Scalar::Ptr));
                self.set(at, value);
            }
            Inst::Asm(id) => {
                for output in self.body.asms[id].outputs.clone() {
                    let to = self.value(output.address);
                    let value = self.outside(true);
                    self.store(state, &to, &value, point);
                }
            }
            Inst::ScopeBegin(scope) | Inst::ScopeEnd(scope) => self.renew_slots(scope, state),
            Inst::Set { var, value } => {
                let value = self.value(value);
                self.note_holder(&value, crate::story::Holder::Var(var));
            }
            Inst::Fence | Inst::VaStart { .. } | Inst::VaEnd { .. } | Inst::VaCopy { .. } => {}
            _ => {
                let value = self.computed(at);
                self.set(at, value);
                self.recall(at, state);
            }
        }
        true
    }

    /// A location that a pointer is written to holds a pointer, also before.
    fn note_pointer(&mut self, to: &Value, is_pointer: bool) {
        for &cell in to.addresses().iter().filter(|_| is_pointer) {
            self.locations.mark_pointer(cell);
        }
    }

    /// What depends on values alone.
    fn computed(&mut self, at: InstId) -> Value {
        match self.body.insts[at] {
            Inst::Unary { op: UnaryOp::Neg | UnaryOp::NegS, value } => {
                Value::of_numbers(self.value(value).numbers.negate())
            }
            Inst::Binary { op, lhs, rhs } => {
                let (left, right) = (self.value(lhs), self.value(rhs));
                let mut value = self.binary(op, &left, &right);
                if op == BinaryOp::Add && is_small(&right.numbers) {
                    value.numbers = self.counted_up(lhs, &left.numbers, &value.numbers);
                }
                if let BinaryOp::AddS | BinaryOp::SubS | BinaryOp::MulS = op {
                    // Defined programs do not overflow here.
                    let bits = self.body.values[lhs].scalar.int_bits().unwrap_or(64);
                    value.numbers = value.numbers.meet(&Numbers::room(bits));
                }
                value
            }
            Inst::Compare { op, lhs, rhs } => {
                let (left, right) = (self.value(lhs), self.value(rhs));
                self.compared(op, &left, &right)
            }
            Inst::Convert { op, value, to } => self.converted(op, value, to),
            Inst::Overflow { part: OverflowPart::Flag, .. } => Value::of_numbers(Numbers::TRUTH),
            Inst::Field { base, offset, field } => {
                let base = self.value(base);
                let numbers = match offset {
                    0 => base.numbers,
                    _ if !base.addresses().is_empty() => Numbers::NONE,
                    _ => base.numbers.add(&Numbers::constant(offset)),
                };
                let value = base.map_addresses(numbers, |it| self.locations.field(it, offset));
                self.name_field(&value, field);
                value
            }
            Inst::Index { base, index, .. } => {
                let (base, index) = (self.value(base), self.value(index));
                if index.numbers == Numbers::ZERO {
                    return base;
                }
                let is_number = base.addresses().is_empty();
                let numbers = if is_number { Numbers::ALL } else { Numbers::NONE };
                base.map_addresses(numbers, |it| self.locations.element(it))
            }
            Inst::Alloca { .. } => Value::address(self.locations.intern(Loc::Alloca(at))),
            _ => Value::any_number(),
        }
    }

    /// A count that a few are added to at a time does not come around to zero.
    fn counted_up(&self, lhs: ValueId, before: &Numbers, after: &Numbers) -> Numbers {
        let bits = self.body.values[lhs].scalar.int_bits().unwrap_or(64);
        let is_count = before.low().is_some_and(|low| low >= 0);
        if is_count && self.options().counts_stay {
            after.meet(&Numbers::room(bits))
        } else {
            *after
        }
    }

    /// Names the member at each address.
    fn name_field(&mut self, value: &Value, field: Option<(RecordId, u32)>) {
        let Some((record, number)) = field else { return };
        let field = self.module.types.records[record].fields.get(number as usize);
        let Some(name) = field.and_then(|field| field.name) else { return };
        for &address in value.addresses() {
            if self.locations.name(address).is_none() {
                let text = Arc::from(self.module.names.text(name));
                self.locations.name_member(address, &text);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Value {
        if op == BinaryOp::PtrDiff {
            return Value::any_number();
        }
        if !left.addresses().is_empty() || !right.addresses().is_empty() {
            let mut both = left.map_addresses(Numbers::ALL, |it| self.locations.element(it));
            both.join(&right.map_addresses(Numbers::ALL, |it| self.locations.element(it)));
            return both;
        }
        let (a, b) = (&left.numbers, &right.numbers);
        Value::of_numbers(match op {
            BinaryOp::Add | BinaryOp::AddS => a.add(b),
            BinaryOp::Sub | BinaryOp::SubS => a.subtract(b),
            BinaryOp::Mul | BinaryOp::MulS => a.multiply(b),
            BinaryOp::And => match (a.as_constant(), b.as_constant()) {
                (Some(x), Some(y)) => Numbers::constant(x & y),
                (_, Some(mask)) | (Some(mask), _) if mask >= 0 => Numbers::range(0, mask),
                _ => Numbers::ALL,
            },
            BinaryOp::Or => match (a.as_constant(), b.as_constant()) {
                (Some(x), Some(y)) => Numbers::constant(x | y),
                _ => Numbers::ALL,
            },
            BinaryOp::Xor => match (a.as_constant(), b.as_constant()) {
                (Some(x), Some(y)) => Numbers::constant(x ^ y),
                _ => Numbers::ALL,
            },
            _ => Numbers::ALL,
        })
    }

    /// Decided where one of the two outcomes is impossible.
    fn compared(&self, op: CompareOp, left: &Value, right: &Value) -> Value {
        let possible = |truth| {
            let op = if truth { Some(op) } else { crate::prune::negated(op) };
            op.is_none_or(|op| {
                !self.restricted(left, op, right).is_none()
                    && crate::prune::mirrored(op)
                        .is_none_or(|op| !self.restricted(right, op, left).is_none())
            })
        };
        Value::of_numbers(match (possible(true), possible(false)) {
            (true, false) => Numbers::constant(1),
            (false, true) => Numbers::ZERO,
            _ => Numbers::TRUTH,
        })
    }

    fn converted(&mut self, op: ConvertOp, of: ValueId, to: Scalar) -> Value {
        let from = self.body.values[of].scalar;
        let value = self.value(of);
        match op {
            ConvertOp::SignExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr => value,
            ConvertOp::Trunc => {
                let bits = to.int_bits().unwrap_or(64);
                value.with_numbers(value.numbers.fit(bits))
            }
            ConvertOp::ZeroExtend => {
                let bits = from.int_bits().unwrap_or(64);
                value.with_numbers(value.numbers.zero_extended(bits))
            }
            ConvertOp::Bits => value.with_numbers(Numbers::ALL),
            _ => Value::any_number(),
        }
    }

    fn exchange(&mut self, at: InstId, op: RmwOp, to: ValueId, value: ValueId, state: &mut State) {
        let is_pointer = self.body.values[value].scalar == Scalar::Ptr;
        let (to, value) = (self.value(to), self.value(value));
        let old = self.load(state, &to, is_pointer, Point::Inst(at));
        let new = match op {
            RmwOp::Exchange => value,
            _ => {
                let mut both = old.clone();
                both.join(&value);
                both.numbers = Numbers::ALL;
                both
            }
        };
        self.store(state, &to, &new, Point::Inst(at));
        self.set(at, old);
    }

    /// Member by member, so that what is not known yet of the source is looked at.
    fn copy(&mut self, at: InstId, to: ValueId, from: ValueId, ty: TypeId, state: &mut State) {
        let (to, from) = (self.value(to), self.value(from));
        let mut leaves = Vec::new();
        self.leaves(ty, 0, None, &mut leaves);
        let point = Point::Inst(at);
        let mut stores = Vec::new();
        for leaf in leaves {
            let source = self.leaf_address(&from, leaf);
            let value = self.load(state, &source, leaf.scalar == Scalar::Ptr, point);
            stores.push((self.leaf_address(&to, leaf), value));
        }
        self.copy_known(state, &to, &from, Extent::ALL, point);
        for (target, value) in stores {
            self.store(state, &target, &value, point);
        }
    }

    fn leaf_address(&mut self, base: &Value, leaf: Leaf) -> Value {
        let mut step = |it: LocId| match leaf.array {
            Some(array) => {
                let array = self.locations.field(it, array);
                let element = self.locations.element(array);
                self.locations.field(element, leaf.offset - leaf_start(leaf))
            }
            None => self.locations.field(it, leaf.offset),
        };
        base.map_addresses(Numbers::NONE, &mut step)
    }

    fn leaves(&self, ty: TypeId, offset: i64, array: Option<i64>, leaves: &mut Vec<Leaf>) {
        if leaves.len() >= MOST_LEAVES {
            return;
        }
        let types = &self.module.types;
        match types.types[ty] {
            Type::Record(id) => {
                for field in &types.records[id].fields {
                    let at = offset + i64::try_from(field.offset).unwrap_or(0);
                    if field.bits.is_none() {
                        self.leaves(field.ty, at, array, leaves);
                    }
                }
            }
            Type::Array { element, .. } => {
                self.leaves(element, offset, array, leaves);
                self.leaves(element, offset, array.or(Some(offset)), leaves);
            }
            _ => {
                if let Some(scalar) = types.scalar(ty) {
                    leaves.push(Leaf { offset, array, scalar });
                }
            }
        }
    }

    fn renew_slots(&mut self, scope: ScopeId, state: &mut State) {
        let Some(slots) = self.slots_of.get(&scope) else { return };
        let ids: Vec<LocId> =
            slots.iter().map(|&slot| self.locations.intern(Loc::Slot(slot))).collect();
        let locations = &self.locations;
        state.memory.retain(|cell, _| !ids.contains(&locations.object(cell)));
        state.background.retain(|object, _| !ids.contains(&object));
    }
}

fn is_small(numbers: &Numbers) -> bool {
    numbers.as_constant().is_some_and(|number| (1..=4096).contains(&number))
}

/// A scalar inside a record: where, and where the array around it begins.
#[derive(Clone, Copy)]
struct Leaf {
    offset: i64,
    array: Option<i64>,
    scalar: Scalar,
}

fn leaf_start(leaf: Leaf) -> i64 {
    leaf.array.unwrap_or(0)
}
