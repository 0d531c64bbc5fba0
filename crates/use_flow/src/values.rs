//! What a value is in a state: constants, memory that nobody writes, pointers that are followed.

use caulk_guard::bits::{Binary, TermId};
use caulk_ir::{Constant, FunctionId, Inst, InstId, Scalar, ValueId, ValueKind};
use caulk_program::{Binding, StaticId};

use crate::space::{Address, Epoch, Home, Origin};
use crate::state::State;
use crate::step::Exec;

impl<'a> Exec<'a> {
    pub fn value(&mut self, state: &State, id: ValueId) -> TermId {
        let row = self.body.values[id];
        match row.kind {
            ValueKind::Const(constant) => {
                if let Some(known) = self.named.get(&id) {
                    return *known;
                }
                let term = self.constant(constant, row.scalar);
                let is_fixed =
                    !matches!(constant, Constant::Wide(_) | Constant::Label(_) | Constant::Undef);
                if is_fixed {
                    self.named.insert(id, term);
                }
                term
            }
            _ => state.values.get(id).copied().unwrap_or_else(|| self.space.unknown(row.scalar)),
        }
    }

    pub fn constant(&mut self, constant: Constant, scalar: Scalar) -> TermId {
        let bits = self.space.width(scalar);
        match constant {
            Constant::Int(value) => self.space.terms.constant(value as u64, bits),
            Constant::Float(value) => self.space.terms.constant(value, bits),
            Constant::Slot(slot) => self.space.symbol(Origin::Slot(slot), bits, true),
            Constant::Object(object) => {
                let module = self.context.program.procs[self.proc].module;
                let id = self.context.program.static_of(module, object);
                let id = self.context.constants.representative(id);
                let term = self.space.symbol(Origin::Static(id), bits, true);
                self.note_constant(id, term);
                term
            }
            Constant::Function(function) => self.function(function),
            Constant::Wide(_) | Constant::Label(_) | Constant::Undef => self.space.unknown(scalar),
        }
    }

    /// What another unit defines as a constant, nobody changes.
    fn note_constant(&mut self, id: StaticId, term: TermId) {
        let program = self.context.program;
        let is_constant = !program.statics[id].defined && program.object(id).1.constant;
        if is_constant && !self.fixed.contains(&term) {
            self.fixed.push(term);
        }
    }

    pub fn function(&mut self, function: FunctionId) -> TermId {
        let module = self.context.program.procs[self.proc].module;
        let origin = match self.context.program.binding(module, function) {
            Binding::Procs(procs) if procs.len() == 1 => Origin::Proc(procs[0]),
            _ => Origin::Function(function),
        };
        self.space.symbol(origin, self.space.pointer_bits, true)
    }

    /// Terms share their parts, and walks over them do not see that: a tall one (a hash computed
    /// in a row) is given up for a symbol, of which only the object it leads into is known.
    pub fn bounded(&mut self, term: TermId, scalar: Scalar) -> TermId {
        const TALLEST: u32 = 10;
        if self.space.terms.height(term) <= TALLEST {
            return term;
        }
        let unknown = self.space.unknown(scalar);
        let base = self.space.address(term).map(|place| place.base);
        match base.filter(|&it| self.space.is_pointer(it) && self.space.is_pointer_wide(unknown)) {
            Some(base) => {
                let distance = self.space.unknown(Scalar::I64);
                let same = self.space.terms.width(distance) == self.space.terms.width(base);
                if same { self.space.terms.binary(Binary::Add, base, distance) } else { base }
            }
            None => unknown,
        }
    }

    /// A parameter or cursor that is read through is not NULL.
    pub fn note_there(&mut self, state: &mut State, address: TermId) {
        let Some(Address { base, offset }) = self.space.address(address) else { return };
        let origin = self.space.origin(base);
        if matches!(
            origin,
            Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Outcome(_) | Origin::Param(_))
        ) {
            self.assume_there(state, base);
            if offset.is_none() {
                self.assume_there(state, address);
            }
        }
    }

    /// The address of an element is not NULL, wherever the index came from: `&copy[found - text]`.
    pub fn note_element(&mut self, state: &mut State, element: TermId) {
        let base = self.space.address(element).map(|place| place.base);
        let is_made = base.is_some_and(|base| self.space.home(base) == Home::Made);
        if is_made && self.space.is_anywhere(element) {
            self.assume_there(state, element);
        }
    }

    /// Unless it is known to be NULL: the path goes on, for whoever handles the fault.
    pub fn assume_there(&mut self, state: &mut State, pointer: TermId) {
        let is_null = self.space.terms.is_zero(pointer);
        if state.facts.decide(&self.space.terms, is_null).is_none() {
            let is_there = self.space.terms.not(is_null);
            let _ = state.assume(&mut self.space, is_there);
        }
    }

    /// Whether the path ends here: memory is read or written through a pointer that is NULL.
    pub fn follows_null(&mut self, inst: InstId, state: &State) -> bool {
        let address = match self.body.insts[inst] {
            Inst::Load { from, .. } | Inst::LoadBits { from, .. } => from,
            Inst::Store { to, .. } | Inst::StoreBits { to, .. } => to,
            _ => return false,
        };
        let address = self.value(state, address);
        let base = self.space.address(address).map_or(address, |place| place.base);
        let is_null = self.space.terms.is_zero(base);
        state.facts.decide(&self.space.terms, is_null) == Some(true)
    }

    pub fn load(&mut self, state: &mut State, address: TermId, scalar: Scalar) -> TermId {
        let place = self.space.address(address);
        if let Some(Address { base, offset: Some(offset) }) = place
            && let Some(Origin::Static(id)) = self.space.origin(base)
        {
            let bits = self.space.width(scalar);
            let module = self.context.program.procs[self.proc].module;
            if let Some(function) = self.context.constants.function(id, offset, module) {
                return self.function(function);
            }
            if let Some(value) = self.context.constants.value(id, offset, scalar) {
                return self.space.terms.constant(value as u64, bits);
            }
        }
        let term = state.memory.load(&mut self.space, address, scalar);
        self.before_main(term, scalar).unwrap_or(term)
    }

    /// When `main` starts, statics have what their initialisers say.
    fn before_main(&mut self, term: TermId, scalar: Scalar) -> Option<TermId> {
        let Some(Origin::Initial { address, epoch: Epoch::Start, .. }) = self.space.origin(term)
        else {
            return None;
        };
        let place = self.space.address(address)?;
        let Some(Origin::Static(id)) = self.space.origin(place.base) else { return None };
        let offset =
            place.offset.filter(|_| self.context.program.procs[self.proc].name == "main")?;
        let value = crate::constants::initial(self.context.program, id, offset, scalar)?;
        Some(self.space.terms.constant(value as u64, self.space.width(scalar)))
    }
}
