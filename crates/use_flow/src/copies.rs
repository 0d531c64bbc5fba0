//! Memory that is copied or filled as a whole, with the pointers in it.

use caulk_guard::bits::{Binary, TermId};
use caulk_ir::{Constant, Inst, InstId, Module, Scalar, Type, TypeId};

use crate::memory::Cell;
use crate::space::{Address, Home, Origin};
use crate::state::{Loss, State};
use crate::step::Exec;

impl<'a> Exec<'a> {
    /// Bytes with the pointers in them.
    pub fn copy(
        &mut self,
        at: InstId,
        state: &mut State,
        to: TermId,
        from: TermId,
        bytes: Option<i64>,
        members: &[(i64, Scalar)],
    ) {
        let (Some(target), Some(source)) = (self.space.address(to), self.space.address(from))
        else {
            if let Some(source) = self.space.address(from) {
                self.keep_contents(at, state, source.base);
            }
            return;
        };
        self.note_copy(state, target, source);
        let mut moved = self.moved_cells(state, source, bytes);
        moved.extend(self.unread_members(state, source, from, members, &moved));
        let elements = self.moved_elements(state, source.base, to, from);
        let zeroed = state.memory.zeroed.contains(source.base);
        match bytes {
            // A write to an unknown element leaves the others.
            Some(_) if target.offset.is_none() => {}
            Some(bytes) => state.memory.clear(target, bytes),
            // Up to some element of a member: the pointers beside it stay.
            None => state.memory.dirty(&mut self.space, target.base),
        }
        if zeroed && target.offset == Some(0) {
            state.memory.zeroed.insert(target.base, ());
        } else {
            state.memory.zeroed.remove(target.base);
        }
        for (offset, cell) in moved {
            let address = self.space.offset(to, offset);
            self.store(at, state, address, cell.value);
        }
        for (address, value) in elements {
            self.store(at, state, address, value);
        }
    }

    /// The elements of which it is not known which they are, at the same distance from the new start.
    fn moved_elements(
        &mut self,
        state: &State,
        source: TermId,
        to: TermId,
        from: TermId,
    ) -> Vec<(TermId, TermId)> {
        let cells = state.memory.of(source).iter().filter(|cell| cell.offset.is_none());
        let cells: Vec<Cell> = cells.copied().collect();
        let mut moved = Vec::with_capacity(cells.len());
        for cell in cells {
            let distance = self.space.terms.binary(Binary::Sub, cell.address, from);
            moved.push((self.space.terms.binary(Binary::Add, to, distance), cell.value));
        }
        moved
    }

    /// Somebody has what the caller's object holds: callers are told.
    pub fn note_contents_kept(&self, state: &mut State, base: TermId) {
        if self.is_told_to_callers(base) {
            state.note_move(None, base);
        }
    }

    fn is_told_to_callers(&self, base: TermId) -> bool {
        self.space.is_nameable(base) && self.space.load_depth(base) <= 1
    }

    /// What the caller's object held is somewhere else too.
    fn note_copy(&mut self, state: &mut State, target: Address, source: Address) {
        if !self.is_told_to_callers(source.base) {
            return;
        }
        match self.space.home(target.base) {
            Home::Local => {}
            Home::Made if target.offset == Some(0) => {
                state.note_move(Some(target.base), source.base);
            }
            _ => state.note_move(None, source.base),
        }
    }

    /// The members in the caller's memory that nobody looked at yet: they are moved, too.
    fn unread_members(
        &mut self,
        state: &mut State,
        source: Address,
        from: TermId,
        members: &[(i64, Scalar)],
        known: &[(i64, Cell)],
    ) -> Vec<(i64, Cell)> {
        if self.space.home(source.base) != Home::Caller || state.memory.zeroed.contains(source.base)
        {
            return Vec::new();
        }
        let mut cells = Vec::new();
        for &(at, scalar) in members {
            let end = at + i64::from(self.space.width(scalar) / 8);
            if known.iter().any(|row| row.0 < end && at < row.0 + i64::from(row.1.bytes)) {
                continue;
            }
            let address = self.space.offset(from, at);
            let value = self.load(state, address, scalar);
            cells.push((at, Cell::new(&self.space, address, value)));
        }
        cells
    }

    /// The known cells of a range, by their distance from its start.
    fn moved_cells(&self, state: &State, source: Address, bytes: Option<i64>) -> Vec<(i64, Cell)> {
        let Some(start) = source.offset else { return Vec::new() };
        let cells = state.memory.of(source.base).iter().filter_map(|&cell| {
            let distance = cell.offset?.checked_sub(start)?;
            let ghost = distance >= crate::space::GHOST;
            let inside = distance >= 0 && bytes.is_none_or(|bytes| distance < bytes || ghost);
            inside.then_some((distance, cell))
        });
        cells.collect()
    }

    /// What `memset` does. Where it is not known how much is written, what was there may still be.
    pub fn fill_known(
        &mut self,
        at: InstId,
        state: &mut State,
        to: TermId,
        byte: TermId,
        bytes: TermId,
    ) {
        let place = self.space.address(to).filter(|it| it.offset.is_some());
        let (Some(place), Some(size)) = (place, self.space.constant(bytes)) else {
            self.havoc(at, state, to);
            return;
        };
        let holds = |cell: &Cell| {
            cell.overlaps(place.offset, size)
                && state.focus.is_some_and(|focus| self.space.carries(cell.value, focus))
        };
        let had = state.memory.of(place.base).iter().any(holds);
        state.memory.clear(place, size);
        state.memory.renew(&mut self.space, place.base);
        if had {
            self.note_loss(state, at, Loss::Overwritten);
        }
        if self.space.is_zero(byte) && self.is_whole(place, size) {
            state.memory.zeroed.insert(place.base, ());
        } else {
            state.memory.zeroed.remove(place.base);
            if self.space.is_zero(byte) {
                self.clear_member(state, place, size);
            }
        }
        if let Some(Origin::Static(id)) = self.space.origin(place.base) {
            self.note_written(id);
        }
    }

    /// Zeros in a part of what a parameter points to: callers are told of each.
    fn clear_member(&mut self, state: &mut State, place: Address, size: i64) {
        let Some(Origin::Param(number)) = self.space.origin(place.base) else { return };
        let Some((ty, offset)) = self.pointee(number as usize).zip(place.offset) else { return };
        let mut members = Vec::new();
        if let Some(member) = member_at(self.module, ty, offset, size) {
            push_members(self.module, member, offset, &mut members);
        }
        for (offset, scalar) in members {
            let address = self.space.offset(place.base, offset);
            let width = self.space.width(scalar);
            let zero = self.space.terms.constant(0, width);
            state.memory.store(&mut self.space, address, zero);
        }
    }

    /// Whether so many bytes are all of an object, as far as its type tells.
    fn is_whole(&self, place: Address, size: i64) -> bool {
        let types = &self.module.types;
        let known = match self.space.origin(place.base) {
            Some(Origin::Slot(slot)) => Some(self.body.slots[slot].size),
            Some(Origin::Param(number)) => {
                match self.pointee(number as usize).map(|ty| types.types[ty]) {
                    Some(Type::Record(id)) => Some(types.records[id].size),
                    _ => None,
                }
            }
            // Programs clear all of what they make, unless they say otherwise.
            Some(Origin::Made { call, .. }) => Some(self.least_number(call).unwrap_or(0)),
            _ => None,
        };
        let is_enough = |known: u64| u64::try_from(size).is_ok_and(|size| size >= known);
        place.offset == Some(0) && known.is_some_and(is_enough)
    }

    /// The least of the numbers that a call gets, where all are known: the size of what it makes is one of
    /// them, or their product, and so no less.
    fn least_number(&self, call: InstId) -> Option<u64> {
        let Inst::Call(id) = self.body.insts[call] else { return None };
        let args = self.body.calls[id].args.iter().map(|arg| arg.value);
        let numbers = args.filter(|&arg| self.body.values[arg].scalar != Scalar::Ptr);
        let known = numbers.map(|arg| match self.body.constant(arg)? {
            Constant::Int(number) => u64::try_from(number).ok(),
            _ => None,
        });
        known.collect::<Option<Vec<u64>>>()?.into_iter().min()
    }

    pub fn fill(&mut self, state: &mut State, to: TermId, zero: bool, size: TermId) {
        let Some(place) = self.space.address(to) else { return };
        let bytes = self.space.constant(size);
        match bytes {
            Some(bytes) if place.offset.is_some() => state.memory.clear(place, bytes),
            _ if place.offset == Some(0) => state.memory.forget(&mut self.space, place.base),
            _ => state.memory.dirty(&mut self.space, place.base),
        }
        if zero && place.offset == Some(0) {
            state.memory.zeroed.insert(place.base, ());
        } else if !zero {
            state.memory.zeroed.remove(place.base);
        }
    }
}

/// The record at an offset within another that so many bytes are all of.
fn member_at(module: &Module, ty: TypeId, offset: i64, size: i64) -> Option<TypeId> {
    let Type::Record(id) = module.types.types[ty] else { return None };
    let record = &module.types.records[id];
    if offset == 0 && i64::try_from(record.size) == Ok(size) {
        return Some(ty);
    }
    let inner = record.fields.iter().filter(|it| it.bits.is_none()).filter_map(|it| {
        let within = offset - i64::try_from(it.offset).ok()?;
        Some((it.ty, within)).filter(|_| within >= 0)
    });
    inner.rev().find_map(|(ty, within)| member_at(module, ty, within, size))
}

/// The numbers and pointers of a type, by their offsets, up to a bound. Arrays and bit-fields are
/// left out.
pub fn push_members(module: &Module, ty: TypeId, offset: i64, members: &mut Vec<(i64, Scalar)>) {
    const MOST: usize = 16;
    if members.len() >= MOST {
        return;
    }
    match module.types.types[ty] {
        Type::Record(id) => {
            for field in module.types.records[id].fields.iter().filter(|it| it.bits.is_none()) {
                push_members(module, field.ty, offset + field.offset as i64, members);
            }
        }
        Type::Scalar { .. } | Type::Enum(_) | Type::Pointer { .. } => {
            members.extend(module.types.passed_as(ty).map(|scalar| (offset, scalar)));
        }
        _ => {}
    }
}
