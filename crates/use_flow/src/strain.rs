//! What a path asks its reader to believe, step by step.
//!
//! A condition tells what must hold, not whether it ever does. Callers mean their pointers to point
//! somewhere, a value of an enumeration to be one of those that it names, lists to have members and
//! calls to succeed. None of that is certain: it orders paths that lose the same object, and only what
//! rests on a value without a name is doubted.

use caulk_ir::{
    BlockId, CompareOp, Constant, EnumType, Inst, Scalar, SwitchCase, Terminator, Type, TypeId,
    ValueId, ValueKind,
};

use crate::paths::Stop;
use crate::step::Exec;

/// A pointer that was there before is NULL.
const RARE: u32 = 2;
/// A call says no, or a loop has no turn.
const UNUSUAL: u32 = 1;

impl Exec<'_> {
    /// How much it asks to leave the last block of a path by a way, of several.
    pub fn strain(&self, path: &[Stop], slot: usize) -> u32 {
        let Some(last) = path.last() else { return 0 };
        let Terminator::Branch { cond, then, otherwise } = &self.body.blocks[last.block].terminator
        else {
            return 0;
        };
        let to = if slot == 0 { then.to } else { otherwise.to };
        if self.leaves_loop(last.block, to) {
            let comes_first = || path.iter().filter(|it| it.block == last.block).count() == 1;
            return UNUSUAL * u32::from(self.is_header(last.block) && comes_first());
        }
        self.strain_of_condition(*cond, slot == 0)
    }

    fn leaves_loop(&self, from: BlockId, to: BlockId) -> bool {
        let loops = self.facts.cfg().loops();
        loops.innermost(from).is_some_and(|it| !loops.contains(it, to))
    }

    fn is_header(&self, block: BlockId) -> bool {
        let loops = self.facts.cfg().loops();
        loops.innermost(block).is_some_and(|it| loops.header(it) == block)
    }

    fn strain_of_condition(&self, condition: ValueId, holds: bool) -> u32 {
        let Some(Inst::Compare { op, lhs, rhs }) = self.made_by(condition) else { return 0 };
        let Some(Constant::Int(number)) = self.body.constant(rhs) else { return 0 };
        let is_equal = match op {
            CompareOp::Eq => holds,
            CompareOp::Ne => !holds,
            CompareOp::LtS | CompareOp::GeS => {
                let is_negative = number == 0 && (op == CompareOp::LtS) == holds;
                return UNUSUAL * u32::from(is_negative && self.is_result(lhs));
            }
            _ => return 0,
        };
        match number {
            0 if is_equal && self.is_pointer(lhs) => self.strain_of_null(lhs),
            -1 if is_equal && self.is_result(lhs) => UNUSUAL,
            _ => 0,
        }
    }

    fn strain_of_null(&self, pointer: ValueId) -> u32 {
        if self.is_result(pointer) {
            UNUSUAL
        } else if self.is_from_outside(pointer) {
            RARE
        } else {
            0
        }
    }

    fn is_pointer(&self, value: ValueId) -> bool {
        self.body.values[value].scalar == Scalar::Ptr
    }

    /// Whether a call returned it.
    fn is_result(&self, value: ValueId) -> bool {
        match self.made_by(value) {
            Some(Inst::Convert { value, .. }) => self.is_result(value),
            made_by => matches!(made_by, Some(Inst::Call(_))),
        }
    }

    /// Whether it was passed, or is in memory that is not the function's own.
    fn is_from_outside(&self, pointer: ValueId) -> bool {
        match self.made_by(pointer) {
            Some(Inst::Load { from, .. }) => !self.is_local(from),
            made_by => made_by.is_none() && self.is_parameter(pointer),
        }
    }

    fn is_parameter(&self, value: ValueId) -> bool {
        matches!(self.body.values[value].kind, ValueKind::Param(_))
    }

    /// Whether an address is in a variable.
    fn is_local(&self, address: ValueId) -> bool {
        match self.made_by(address) {
            Some(Inst::Field { base, .. } | Inst::Index { base, .. }) => self.is_local(base),
            _ => matches!(self.body.constant(address), Some(Constant::Slot(_))),
        }
    }

    fn made_by(&self, value: ValueId) -> Option<Inst> {
        self.body.definition(value).map(|inst| self.body.insts[inst])
    }

    /// Whether a path goes where a value of an enumeration is none of those that have names, though it
    /// could go elsewhere.
    pub fn needs_nameless(&self, path: &[Stop]) -> bool {
        path.iter().any(|stop| !stop.forced && self.is_nameless(stop))
    }

    fn is_nameless(&self, stop: &Stop) -> bool {
        match &self.body.blocks[stop.block].terminator {
            Terminator::Switch { value, cases, .. } if stop.slot == Some(cases.len()) => {
                self.enumeration(*value).is_some_and(|it| names_all(cases, it))
            }
            _ => false,
        }
    }

    /// Whether a path goes where a number is larger than an `int` can be, though it could go elsewhere:
    /// programs test for that before they convert, and few ever see such a length.
    pub fn needs_huge(&self, path: &[Stop]) -> bool {
        path.iter().any(|stop| !stop.forced && self.is_huge(stop))
    }

    fn is_huge(&self, stop: &Stop) -> bool {
        let Terminator::Branch { cond, .. } = self.body.blocks[stop.block].terminator else {
            return false;
        };
        let Some(Inst::Compare { op, lhs, rhs }) = self.made_by(cond) else { return false };
        // What is no wider than an `int` may well have its highest bit.
        if !self.is_long(lhs) || !self.is_long(rhs) {
            return false;
        }
        // Numbers without a sign that have the highest bit are below zero here.
        let is_unsigned =
            matches!(op, CompareOp::LtU | CompareOp::LeU | CompareOp::GtU | CompareOp::GeU);
        let is_bound = |value| match self.body.constant(value) {
            Some(Constant::Int(number)) => {
                number >= i64::from(i32::MAX) || is_unsigned && number < 0
            }
            _ => false,
        };
        let holds = stop.slot == Some(0);
        match op {
            CompareOp::LtS | CompareOp::LtU | CompareOp::LeS | CompareOp::LeU => {
                holds && is_bound(lhs) || !holds && is_bound(rhs)
            }
            CompareOp::GtS | CompareOp::GtU | CompareOp::GeS | CompareOp::GeU => {
                holds && is_bound(rhs) || !holds && is_bound(lhs)
            }
            _ => false,
        }
    }

    fn is_long(&self, value: ValueId) -> bool {
        match self.made_by(value) {
            Some(Inst::Convert { value, .. }) => self.is_long(value),
            _ => self.body.values[value].scalar == Scalar::I64,
        }
    }

    /// What a value is one of, as far as it is written where it comes from.
    fn enumeration(&self, value: ValueId) -> Option<&EnumType> {
        let types = &self.module.types;
        match types.types[self.declared(value)?] {
            Type::Enum(id) => types.enums.get(id),
            _ => None,
        }
    }

    fn declared(&self, value: ValueId) -> Option<TypeId> {
        let body = self.body;
        if let Some(var) = body.values[value].var {
            return Some(body.vars[var].ty);
        }
        match self.made_by(value)? {
            Inst::Load { from, .. } | Inst::LoadBits { from, .. } => self.declared_at(from),
            Inst::Call(id) => Some(self.module.types.signatures[body.calls[id].signature].result),
            _ => None,
        }
    }

    /// The type of what is at an address.
    fn declared_at(&self, address: ValueId) -> Option<TypeId> {
        match self.made_by(address) {
            Some(Inst::Field { field, .. }) => {
                let (record, number) = field?;
                let record = self.module.types.records.get(record)?;
                record.fields.get(number as usize).map(|it| it.ty)
            }
            Some(_) => None,
            None => match self.body.constant(address)? {
                Constant::Slot(slot) => Some(self.body.slots[slot].ty),
                _ => None,
            },
        }
    }
}

/// Whether each value with a name has a case. Bits that are put together have no name, and are meant.
fn names_all(cases: &[SwitchCase], row: &EnumType) -> bool {
    let values: Vec<i128> = row.enumerators.iter().map(|it| it.value).collect();
    let has_case = |value: &i128| cases.iter().any(|it| (it.low..=it.high).contains(value));
    values.iter().all(has_case) && !are_bits(&values)
}

fn are_bits(values: &[i128]) -> bool {
    let is_bit = |&value: &i128| value == 0 || value > 0 && value.count_ones() == 1;
    values.iter().all(is_bit) && values.iter().any(|&value| value > 2)
}

#[cfg(test)]
mod tests {
    use super::are_bits;

    #[test]
    fn bits_and_numbers_are_told_apart() {
        assert!(!are_bits(&[0, 1, 2]));
        assert!(!are_bits(&[0, 1, 2, 3, 4]));
        assert!(!are_bits(&[-1, 4]));
        assert!(are_bits(&[1, 2, 4]));
        assert!(are_bits(&[0, 16, 32]));
    }
}
