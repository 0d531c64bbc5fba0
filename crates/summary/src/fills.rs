//! What becomes of memory that is written as bytes, with no name for what is written: `memset`,
//! `memcpy`, `fread`.

use caulk_ir::InstId;

use crate::exec::{Exec, Point};
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::{Background, State};
use crate::value::Value;

/// The widest scalar.
const WIDEST: i64 = 16;
/// The widest that holds an address, or a number that is followed.
const WORD: i64 = 8;

/// How many bytes from an address on.
#[derive(Clone, Copy)]
pub struct Extent {
    least: i64,
    most: i64,
}

/// Whether a location is among these bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Among {
    Never,
    Perhaps,
    Always,
}

impl Extent {
    pub const UNKNOWN: Self = Self { least: 0, most: i64::MAX };
    /// All that there is.
    pub const ALL: Self = Self { least: i64::MAX, most: i64::MAX };

    pub fn of(size: &Value) -> Self {
        let plain = size.numbers.low().zip(size.numbers.high());
        match plain.filter(|_| size.addresses().is_empty()) {
            Some((least, most)) if least >= 0 => Self { least, most },
            _ => Self::UNKNOWN,
        }
    }

    /// By how far behind the address the location begins.
    pub fn covers(self, distance: Option<i64>) -> Among {
        match distance {
            Some(at) if at <= -WIDEST || at >= self.most => Among::Never,
            Some(at) if at >= 0 && at <= self.least.saturating_sub(width(at)) => Among::Always,
            _ => Among::Perhaps,
        }
    }
}

/// The most bytes of a scalar that begins so far behind an aligned address.
fn width(at: i64) -> i64 {
    1 << at.trailing_zeros().min(WORD.trailing_zeros())
}

impl Exec<'_> {
    /// The bytes of an object may be anything, its pointers as they were.
    pub fn scramble(&mut self, state: &mut State, value: &Value) {
        for &address in value.addresses() {
            let object = self.locations.object(address);
            self.overwrite_some(state, object, |_| true);
        }
    }

    /// The same of the bytes from there on.
    pub fn overwrite(&mut self, state: &mut State, to: &Value, extent: Extent) {
        for &address in to.addresses() {
            self.overwrite_some(state, address, |at| extent.covers(at) != Among::Never);
        }
    }

    fn overwrite_some(
        &mut self,
        state: &mut State,
        address: LocId,
        is_written: impl Fn(Option<i64>) -> bool,
    ) {
        let object = self.locations.object(address);
        if self.is_outside_memory(object) {
            return;
        }
        self.forget_cell(state, object);
        for cell in self.locations.inside(object).to_vec() {
            if is_written(self.locations.distance(address, cell)) {
                self.scramble_cell(state, cell);
            }
        }
        if self.background(state, object) < Background::Initial {
            state.background.insert(object, Background::Unknown);
        }
        self.note_bytes(state, address);
    }

    fn scramble_cell(&self, state: &mut State, cell: LocId) {
        if let Some(held) = state.memory.get(cell) {
            let held = held.with_numbers(Numbers::ALL);
            state.memory.insert(cell, held);
        }
    }

    fn is_outside_memory(&self, object: LocId) -> bool {
        matches!(self.locations.get(object), Loc::Function(_) | Loc::Global)
    }

    /// All of the bytes become one. What was not written before is `rest` then, where it is zero.
    pub fn fill(
        &mut self,
        state: &mut State,
        to: &Value,
        byte: &Value,
        extent: Extent,
        rest: Background,
    ) {
        if !byte.addresses().is_empty() || byte.numbers != Numbers::ZERO {
            return self.overwrite(state, to, extent);
        }
        let single = to.addresses().len() == 1;
        for &address in to.addresses() {
            self.clear(state, address, single, extent);
            let object = self.locations.object(address);
            if self.background(state, object) <= rest.min(Background::Zero) {
                state.background.insert(object, rest);
            }
        }
    }

    /// Known locations are zero from there on.
    fn clear(&mut self, state: &mut State, address: LocId, single: bool, extent: Extent) {
        let object = self.locations.object(address);
        if self.is_outside_memory(object) {
            return;
        }
        self.forget_cell(state, object);
        let is_whole = single && self.is_whole_slot(address, extent);
        let zero = Value::of_numbers(Numbers::ZERO);
        for cell in self.locations.inside(object).to_vec() {
            if state.memory.get(cell).is_none() {
                continue;
            }
            match extent.covers(self.locations.distance(address, cell)) {
                _ if is_whole => {
                    state.memory.insert(cell, zero.clone());
                }
                Among::Always => {
                    self.store_cell(state, cell, &zero, single, Point::Inst(InstId(0)));
                }
                Among::Perhaps => self.scramble_cell(state, cell),
                Among::Never => {}
            }
        }
        self.note_bytes(state, address);
    }

    fn is_whole_slot(&self, address: LocId, extent: Extent) -> bool {
        let Loc::Slot(slot) = self.locations.get(address) else { return false };
        i64::try_from(self.body.slots[slot].size).is_ok_and(|size| size <= extent.least)
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
