//! Conditions that are asked twice.
//!
//! `flags & MODE` and `strcmp(name, "-")` have no interval that would remember their outcome.
//! While an object is in focus, a state keeps what branches said of such computations, and the
//! same computation later gives the same: a mask of one value or memory location, a call of a
//! function that is a function of its arguments.

use caulk_base::define_id;
use caulk_ir::{BinaryOp, BitRange, CallId, Callee, Constant, Inst, InstId, ValueId};
use caulk_program::{Binding, ExternalId};

use crate::exec::Exec;
use crate::location::LocId;
use crate::numbers::Numbers;
use crate::prune::Branch;
use crate::state::State;

define_id!(pub FactId, "fact", "A computation whose outcome is remembered.");

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    Masked(Operand, i64),
    /// A bit-field.
    Bits(Operand, BitRange),
    Call(ExternalId, Vec<Operand>),
}

/// What a computation depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Value(ValueId),
    Cell(LocId),
    Constant(Constant),
    /// A literal, by its bytes.
    Text(Vec<u8>),
}

impl Fact {
    fn operands(&self) -> &[Operand] {
        match self {
            Fact::Masked(operand, _) | Fact::Bits(operand, _) => std::slice::from_ref(operand),
            Fact::Call(_, operands) => operands,
        }
    }
}

impl Exec<'_> {
    /// The result of an instruction, if a branch has told of the same computation before.
    pub fn recall(&mut self, at: InstId, state: &State) {
        let Some(result) = self.body.results[at].filter(|_| self.focus.is_some()) else { return };
        let Some(fact) = self.fact(at, state) else { return };
        let next = self.told.next_id();
        let id = *self.told_ids.entry(fact.clone()).or_insert(next);
        if id == next {
            self.told.push(fact);
        }
        self.told_of.insert(result, id);
        if let Some(numbers) = state.facts.get(id) {
            let mut value = self.value(result);
            value.numbers = value.numbers.meet(numbers);
            if !value.is_none() {
                self.values.insert(result, value);
            }
        }
    }

    pub fn learn(&self, branch: &mut Branch, value: ValueId, numbers: &Numbers) {
        if let Some(&id) = self.told_of.get(&value) {
            branch.state.facts.insert(id, *numbers);
        }
    }

    /// The location changes.
    pub fn forget_cell(&self, state: &mut State, cell: LocId) {
        let object = self.locations.object(cell);
        let changes = |it: &Operand| match *it {
            Operand::Cell(other) => self.locations.object(other) == object,
            _ => false,
        };
        self.forget(state, changes);
    }

    /// The values are set anew: a loop comes around.
    pub fn forget_values(&self, state: &mut State, values: &[ValueId]) {
        self.forget(state, |it| matches!(it, Operand::Value(value) if values.contains(value)));
    }

    pub fn forget(&self, state: &mut State, changes: impl Fn(&Operand) -> bool) {
        if !state.facts.is_empty() {
            state.facts.retain(|id, _| !self.told[id].operands().iter().any(&changes));
        }
    }

    fn fact(&mut self, at: InstId, state: &State) -> Option<Fact> {
        match self.body.insts[at] {
            Inst::Binary { op: BinaryOp::And, lhs, rhs } => match self.body.constant(rhs)? {
                Constant::Int(mask) => Some(Fact::Masked(self.masked(lhs, state), mask)),
                _ => None,
            },
            Inst::LoadBits { from, bits, .. } => {
                let cell = self.only_cell(from, state)?;
                Some(Fact::Bits(Operand::Cell(cell), bits))
            }
            Inst::Call(id) => self.pure_call(id),
            _ => None,
        }
    }

    /// The location that a value was read from, seen through widening, or the value.
    fn masked(&mut self, value: ValueId, state: &State) -> Operand {
        match self.body.definition(value).map(|at| self.body.insts[at]) {
            Some(Inst::Convert { value: inner, .. }) => self.masked(inner, state),
            Some(Inst::Load { from, .. }) => {
                self.only_cell(from, state).map_or(Operand::Value(value), Operand::Cell)
            }
            _ => Operand::Value(value),
        }
    }

    /// The one location that an address is.
    fn only_cell(&mut self, address: ValueId, state: &State) -> Option<LocId> {
        let address = self.value(address);
        let [cell] = address.addresses()[..] else { return None };
        (!self.is_summary(state, cell)).then_some(cell)
    }

    fn pure_call(&self, id: CallId) -> Option<Fact> {
        let call = &self.body.calls[id];
        let Callee::Function(function) = call.callee else { return None };
        let Binding::External(external) = self.context.program.binding(self.module_id, function)
        else {
            return None;
        };
        self.context.externals.of(*external).filter(|model| model.pure)?;
        let operands = call.args.iter().map(|argument| self.operand(argument.value)).collect();
        Some(Fact::Call(*external, operands))
    }

    fn operand(&self, value: ValueId) -> Operand {
        match self.body.constant(value) {
            Some(Constant::Object(object)) => {
                let row = &self.module.objects[object];
                match &row.init {
                    Some(init) if row.name.is_none() => Operand::Text(init.bytes.clone()),
                    _ => Operand::Constant(Constant::Object(object)),
                }
            }
            Some(constant) => Operand::Constant(constant),
            None => Operand::Value(value),
        }
    }
}
