//! Which values of a procedure may become its result: backwards from the returns, through copies,
//! the procedure's own slots, and calls that hand an argument back.

use caulk_base::Table;
use caulk_ir::{Body, CallId, Inst, InstId, SlotId, Terminator, ValueId};

use crate::origins::slot_of;
use crate::wrappers::ParamMask;

pub(crate) struct Returned {
    values: Table<ValueId, bool>,
    slots: Table<SlotId, bool>,
    changed: bool,
}

impl Returned {
    /// `handed_back` tells which arguments a call may return.
    pub(crate) fn new(body: &Body, handed_back: impl Fn(CallId) -> ParamMask) -> Self {
        let mut returned = Self {
            values: Table::filled(false, body.values.len()),
            slots: Table::filled(false, body.slots.len()),
            changed: false,
        };
        for block in body.blocks.rows() {
            if let Terminator::Return(Some(value)) = block.terminator {
                returned.add(value);
            }
        }
        while std::mem::take(&mut returned.changed) {
            returned.pass(body, &handed_back);
        }
        returned
    }

    pub(crate) fn value(&self, value: ValueId) -> bool {
        self.values[value]
    }

    pub(crate) fn slot(&self, slot: SlotId) -> bool {
        self.slots[slot]
    }

    fn add(&mut self, value: ValueId) {
        self.changed |= !std::mem::replace(&mut self.values[value], true);
    }

    fn add_slot(&mut self, body: &Body, address: ValueId) {
        if let Some(slot) = slot_of(body, address) {
            self.changed |= !std::mem::replace(&mut self.slots[slot], true);
        }
    }

    fn pass(&mut self, body: &Body, handed_back: &impl Fn(CallId) -> ParamMask) {
        for block in body.blocks.rows().iter().rev() {
            for edge in block.terminator.edges() {
                let params = &body.blocks[edge.to].params;
                for (&param, &arg) in params.iter().zip(&edge.args) {
                    if self.values[param] {
                        self.add(arg);
                    }
                }
            }
            block.insts().rev().for_each(|inst| self.inst(body, inst, handed_back));
        }
    }

    fn inst(&mut self, body: &Body, id: InstId, handed_back: &impl Fn(CallId) -> ParamMask) {
        let is_returned = body.results[id].is_some_and(|result| self.values[result]);
        let receives = |to| slot_of(body, to).is_some_and(|slot| self.slots[slot]);
        match body.insts[id] {
            Inst::Store { to, value, .. } if receives(to) => self.add(value),
            Inst::Copy { to, from, .. } if receives(to) => self.add_slot(body, from),
            _ if !is_returned => {}
            Inst::Field { base, .. } | Inst::Index { base, .. } => self.add(base),
            Inst::Convert { value, .. } => self.add(value),
            Inst::Load { from, .. } => self.add_slot(body, from),
            Inst::Call(call) => {
                let mask = handed_back(call);
                for (index, arg) in body.calls[call].args.iter().enumerate().take(64) {
                    if mask >> index & 1 == 1 {
                        self.add(arg.value);
                    }
                }
            }
            _ => {}
        }
    }
}
