//! What becomes of memory that is written as bytes, with no name for what is written: `memset`,
//! `memcpy`, `fread`.

use caulk_ir::InstId;

use crate::exec::{Exec, Point};
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::{Background, State};
use crate::value::Value;

impl Exec<'_> {
    /// The bytes of an object may be anything, its pointers as they were.
    pub fn scramble(&mut self, state: &mut State, value: &Value) {
        for &address in value.addresses() {
            let object = self.locations.object(address);
            if matches!(self.locations.get(object), Loc::Function(_) | Loc::Global) {
                continue;
            }
            self.forget_cell(state, object);
            for cell in self.locations.inside(object).to_vec() {
                if let Some(held) = state.memory.get(cell) {
                    let mut held = held.clone();
                    held.numbers = Numbers::ALL;
                    state.memory.insert(cell, held);
                }
            }
            if self.background(state, object) < Background::Initial {
                state.background.insert(object, Background::Unknown);
            }
            self.note_bytes(state, address);
        }
    }

    /// All bytes of the object are zero.
    pub fn clear(&mut self, state: &mut State, to: &Value) {
        let single = to.addresses().len() == 1;
        for &address in to.addresses() {
            let object = self.locations.object(address);
            let zero = Value::of_numbers(Numbers::ZERO);
            for cell in self.locations.inside(object).to_vec() {
                if state.memory.get(cell).is_some() {
                    self.store_cell(state, cell, &zero, single, Point::Inst(InstId(0)));
                }
            }
            let strong = single && !self.is_summary(state, object) && object == address;
            if strong && self.background(state, object) <= Background::Zero {
                state.background.insert(object, Background::Zero);
            }
            self.note_bytes(state, address);
        }
    }

    /// The caller hears that bytes from there on are others, whichever: its members may hold any
    /// number now. Statics are told by name.
    fn note_bytes(&mut self, state: &mut State, address: LocId) {
        let object = self.locations.object(address);
        let is_named = match self.locations.root(object) {
            Loc::Static(id) => {
                self.write_static(id);
                !self.options().one_global
            }
            Loc::Arg(_) => true,
            _ => false,
        };
        if is_named && !self.options().members_only {
            // An element may be any, also one before the others.
            let start = if self.locations.is_element(address) { object } else { address };
            let bytes = self.locations.contents(start);
            let any = Value::any_number();
            self.store_cell(state, bytes, &any, false, Point::Inst(InstId(0)));
        }
    }
}
