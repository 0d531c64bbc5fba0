//! Branch conditions prune values (P2): `n != 0` yields two intervals, `p == NULL` no address.

use caulk_ir::{BinaryOp, CompareOp, ConvertOp, Inst, SwitchCase, ValueId};

use crate::exec::{Exec, Tie};
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::State;
use crate::value::Value;

/// A way out of a block: its state, and what its condition says of values.
pub struct Branch {
    pub state: State,
    pub refined: Vec<(ValueId, Value)>,
}

/// Addresses of memory, as numbers: the first page holds nothing.
const LOWEST_ADDRESS: i64 = 4096;
/// How far conditions are taken apart.
const DEPTH: u32 = 8;

impl Exec<'_> {
    /// False when the condition cannot have this value.
    pub fn assume(&mut self, branch: &mut Branch, condition: ValueId, truth: bool) -> bool {
        self.assume_within(branch, condition, truth, DEPTH)
    }

    fn assume_within(
        &mut self,
        branch: &mut Branch,
        condition: ValueId,
        truth: bool,
        depth: u32,
    ) -> bool {
        let value = self.refined(branch, condition);
        let wanted =
            if truth { value.numbers.without(0) } else { value.numbers.meet(&Numbers::ZERO) };
        if wanted.is_none() && (!truth || value.addresses().is_empty()) {
            return false;
        }
        if value.addresses().is_empty() && wanted != value.numbers {
            branch.refined.push((condition, Value::of_numbers(wanted)));
            self.learn(branch, condition, &wanted);
        }
        let Some(at) = self.body.definition(condition).filter(|_| depth > 0) else { return true };
        match self.body.insts[at] {
            Inst::Compare { op, lhs, rhs } => {
                let op = if truth { Some(op) } else { negated(op) };
                op.is_none_or(|op| self.assume_compare(branch, op, lhs, rhs, depth))
            }
            Inst::Convert { op: ConvertOp::ZeroExtend | ConvertOp::SignExtend, value, .. } => {
                self.assume_within(branch, value, truth, depth - 1)
            }
            Inst::Binary { op: BinaryOp::And, lhs, rhs } if truth && self.are_truths(lhs, rhs) => {
                self.assume_within(branch, lhs, true, depth - 1)
                    && self.assume_within(branch, rhs, true, depth - 1)
            }
            Inst::Binary { op: BinaryOp::Or, lhs, rhs } if !truth => {
                self.assume_within(branch, lhs, false, depth - 1)
                    && self.assume_within(branch, rhs, false, depth - 1)
            }
            _ => true,
        }
    }

    fn are_truths(&mut self, left: ValueId, right: ValueId) -> bool {
        let is_truth = |value: Value| value.numbers.meet(&Numbers::TRUTH) == value.numbers;
        is_truth(self.value(left)) && is_truth(self.value(right))
    }

    fn assume_compare(
        &mut self,
        branch: &mut Branch,
        op: CompareOp,
        left: ValueId,
        right: ValueId,
        depth: u32,
    ) -> bool {
        let (a, b) = (self.refined(branch, left), self.refined(branch, right));
        let is_zero =
            |value: &Value| value.numbers == Numbers::ZERO && value.addresses().is_empty();
        if is_zero(&b)
            && self.is_condition(left)
            && let CompareOp::Eq | CompareOp::Ne = op
            && !self.assume_within(branch, left, op == CompareOp::Ne, depth - 1)
        {
            return false;
        }
        let new = self.restricted_in(&branch.state, &a, op, &b);
        if new.is_none() {
            return false;
        }
        self.refine(branch, left, &a, new);
        let Some(op) = mirrored(op) else { return true };
        let new = self.restricted_in(&branch.state, &b, op, &a);
        if new.is_none() {
            return false;
        }
        self.refine(branch, right, &b, new);
        true
    }

    /// A truth value that was made of conditions, and widened perhaps.
    fn is_condition(&self, value: ValueId) -> bool {
        let Some(at) = self.body.definition(value) else { return false };
        match self.body.insts[at] {
            Inst::Compare { .. } => true,
            Inst::Convert { op: ConvertOp::ZeroExtend | ConvertOp::SignExtend, value, .. } => {
                self.is_condition(value)
            }
            Inst::Binary { op: BinaryOp::And | BinaryOp::Or, lhs, rhs } => {
                self.is_condition(lhs) && self.is_condition(rhs)
            }
            _ => false,
        }
    }

    pub fn assume_case(
        &mut self,
        branch: &mut Branch,
        value: ValueId,
        case: Option<&SwitchCase>,
        others: &[SwitchCase],
    ) -> bool {
        let old = self.refined(branch, value);
        let mut new = old.clone();
        match case {
            Some(case) => {
                new.numbers = new.numbers.meet(&Numbers::range(clamp(case.low), clamp(case.high)));
            }
            None => {
                for other in others.iter().filter(|other| other.low == other.high) {
                    new.numbers = new.numbers.without(clamp(other.low));
                }
            }
        }
        if new.is_none() {
            return false;
        }
        self.refine(branch, value, &old, new);
        true
    }

    pub fn refined(&mut self, branch: &Branch, value: ValueId) -> Value {
        let known = branch.refined.iter().rev().find(|row| row.0 == value);
        known.map(|row| row.1.clone()).unwrap_or_else(|| self.value(value))
    }

    fn refine(&mut self, branch: &mut Branch, id: ValueId, old: &Value, new: Value) {
        if new == *old || self.body.constant(id).is_some() {
            return;
        }
        self.failed_allocations(branch, id, old, &new);
        if let Some(at) = self.body.definition(id) {
            match self.body.insts[at] {
                Inst::Load { from, volatile, .. } => {
                    self.refine_memory(branch, (id, from, volatile), old, &new);
                }
                Inst::Convert { op: ConvertOp::ZeroExtend, value, .. } => {
                    self.refine_narrower(branch, value, old, &new);
                }
                Inst::Convert {
                    op: ConvertOp::SignExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr,
                    value,
                    ..
                } => {
                    let inner = self.refined(branch, value);
                    if inner == *old {
                        self.refine(branch, value, &inner, new.clone());
                    }
                }
                _ => {}
            }
        }
        self.learn(branch, id, &new.numbers);
        branch.refined.push((id, new));
    }

    /// What is said of a value that was widened without its sign, said of the value itself.
    fn refine_narrower(&mut self, branch: &mut Branch, inner: ValueId, old: &Value, new: &Value) {
        let Some(bits) = self.body.values[inner].scalar.int_bits().filter(|&bits| bits < 63) else {
            return;
        };
        let before = self.refined(branch, inner);
        if before.addresses().is_empty() && before.numbers.zero_extended(bits) == old.numbers {
            let numbers = before.numbers.meet(&new.numbers.signed(bits));
            self.refine(branch, inner, &before, Value::of_numbers(numbers));
        }
    }

    /// The location that the value was read from says the same while it holds the same: memory
    /// knows numbers that the type of the value has no room for.
    fn refine_memory(
        &mut self,
        branch: &mut Branch,
        (value, from, volatile): (ValueId, ValueId, bool),
        old: &Value,
        new: &Value,
    ) {
        let from = self.value(from);
        let [cell] = from.addresses()[..] else { return };
        let Some(held) = branch.state.memory.get(cell) else { return };
        let is_same = held == old || self.limited(value, held.clone()) == *old;
        // A signal may change it at any time.
        let is_flag = volatile && matches!(self.locations.root(cell), Loc::Static(_));
        if is_same && !is_flag && !self.is_summary(&branch.state, cell) {
            branch.state.memory.insert(cell, new.clone());
        }
    }

    fn failed_allocations(&mut self, branch: &mut Branch, id: ValueId, old: &Value, new: &Value) {
        if self.options().tied_results {
            for tie in self.ties_of(id, old) {
                if !tie.allows(new) {
                    let regions = tie.regions.iter();
                    regions.for_each(|&region| self.unmake_all(&mut branch.state, region));
                }
            }
        }
        if !self.options().null_means_failed {
            return;
        }
        for &address in old.addresses().iter().filter(|it| !new.addresses().contains(it)) {
            let object = self.locations.object(address);
            let is_null = new.addresses().is_empty();
            if is_null || self.is_only_value(&branch.state, object, old) {
                self.unmake_all(&mut branch.state, object);
            }
        }
    }

    /// What a value says about allocations: as the result of a call, or as an equal pointer that
    /// was read from memory.
    fn ties_of(&self, id: ValueId, value: &Value) -> Vec<Tie> {
        if let Some(ties) = self.ties.get(&id) {
            return ties.clone();
        }
        let objects = value.addresses().iter().map(|&it| self.locations.object(it));
        let calls = objects.filter_map(|it| match self.locations.get(it) {
            Loc::Region { at, .. } => self.body.results[at],
            _ => None,
        });
        let ties = calls.filter_map(|result| self.ties.get(&result)).flatten();
        ties.filter(|tie| tie.result == *value).cloned().collect()
    }

    /// Nothing else leads to the object.
    fn is_only_value(&self, state: &State, object: LocId, value: &Value) -> bool {
        let holds = |it: &Value| {
            it.addresses().iter().any(|&address| self.locations.object(address) == object)
        };
        self.values.values().all(|other| other == value || !holds(other))
            && state.memory.iter().all(|(_, other)| other == value || !holds(other))
    }

    /// The address is one at run time: in a variable, or in what a parameter points to.
    fn is_one_place(&self, address: LocId) -> bool {
        let object = self.locations.object(address);
        let is_parameter = |cell| matches!(self.locations.get(cell), Loc::Arg(_));
        let is_one = match self.locations.get(object) {
            Loc::Slot(_) | Loc::Static(_) => true,
            Loc::Explore(cell) => is_parameter(cell) && !self.bounded.contains(&object),
            _ => false,
        };
        is_one && !self.locations.is_element(address)
    }

    /// A heap cell made here is equal to no address that it is not.
    fn restricted_by_address(&self, value: &Value, op: CompareOp, other: &Value) -> Value {
        let mut new = value.clone();
        if op == CompareOp::Eq && !other.addresses().contains(&self.global) {
            let object = |it: LocId| self.locations.object(it);
            let others: Vec<LocId> = other.addresses().iter().map(|&it| object(it)).collect();
            new.retain_addresses(|it| !self.is_made_here(it) || others.contains(&object(it)));
        }
        if op == CompareOp::Ne
            && let [only] = other.addresses()[..]
            && self.is_one_place(only)
        {
            new.retain_addresses(|it| it != only);
        }
        new
    }

    /// As `restricted`; and what nobody outside knows is equal to no address from outside.
    fn restricted_in(
        &mut self,
        state: &State,
        value: &Value,
        op: CompareOp,
        other: &Value,
    ) -> Value {
        let is_outside = other.addresses().contains(&self.global);
        let has_made = value.addresses().iter().any(|&it| self.is_made_here(it));
        if op != CompareOp::Eq || !is_outside || !has_made {
            return self.restricted(value, op, other);
        }
        let known = self.reach_of_globals(state);
        let object = |it: LocId| self.locations.object(it);
        let others: Vec<LocId> = other.addresses().iter().map(|&it| object(it)).collect();
        let mut new = value.clone();
        new.retain_addresses(|it| {
            !self.is_made_here(it) || known.contains(object(it)) || others.contains(&object(it))
        });
        new
    }

    fn is_made_here(&self, address: LocId) -> bool {
        matches!(self.locations.get(self.locations.object(address)), Loc::Region { .. })
    }

    /// What is left of a value that compares so with another.
    pub fn restricted(&self, value: &Value, op: CompareOp, other: &Value) -> Value {
        if !other.addresses().is_empty() {
            return self.restricted_by_address(value, op, other);
        }
        let mut new = value.clone();
        new.numbers = restrict(&value.numbers, op, &other.numbers);
        let addresses = Numbers::range(LOWEST_ADDRESS, i64::MAX);
        if restrict(&addresses, op, &other.numbers).is_none() {
            new.retain_addresses(|_| false);
        }
        new
    }
}

fn clamp(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

fn restrict(value: &Numbers, op: CompareOp, other: &Numbers) -> Numbers {
    let (Some(low), Some(high)) = (other.low(), other.high()) else { return *value };
    let up_to = |most: i64| Numbers::range(i64::MIN, most);
    let from = |least: i64| Numbers::range(least, i64::MAX);
    let below = |bound: i64| if bound == i64::MAX { bound } else { bound.saturating_sub(1) };
    let above = |bound: i64| if bound == i64::MIN { bound } else { bound.saturating_add(1) };
    let negative = Numbers::range(i64::MIN, -1);
    match op {
        CompareOp::Eq => value.meet(other),
        CompareOp::Ne => other.as_constant().map_or(*value, |it| value.without(it)),
        CompareOp::LtS => value.meet(&up_to(below(high))),
        CompareOp::LeS => value.meet(&up_to(high)),
        CompareOp::GtS => value.meet(&from(above(low))),
        CompareOp::GeS => value.meet(&from(low)),
        // Unsigned: what is negative here is larger than all that is not.
        CompareOp::LtU if low >= 0 => value.meet(&Numbers::range(0, below(high))),
        CompareOp::LeU if low >= 0 => value.meet(&Numbers::range(0, high)),
        CompareOp::GtU if low >= 0 => value.meet(&from(above(low)).join(&negative)),
        CompareOp::GeU if low >= 0 => value.meet(&from(low).join(&negative)),
        _ => *value,
    }
}

/// None for floats, where not less is not greater or equal.
pub fn negated(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::LtS => CompareOp::GeS,
        CompareOp::LeS => CompareOp::GtS,
        CompareOp::GtS => CompareOp::LeS,
        CompareOp::GeS => CompareOp::LtS,
        CompareOp::LtU => CompareOp::GeU,
        CompareOp::LeU => CompareOp::GtU,
        CompareOp::GtU => CompareOp::LeU,
        CompareOp::GeU => CompareOp::LtU,
        _ => return None,
    })
}

pub fn mirrored(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Eq | CompareOp::Ne => op,
        CompareOp::LtS => CompareOp::GtS,
        CompareOp::LeS => CompareOp::GeS,
        CompareOp::GtS => CompareOp::LtS,
        CompareOp::GeS => CompareOp::LeS,
        CompareOp::LtU => CompareOp::GtU,
        CompareOp::LeU => CompareOp::GeU,
        CompareOp::GtU => CompareOp::LtU,
        CompareOp::GeU => CompareOp::LeU,
        _ => return None,
    })
}
