//! Events of a run, for tests of analyses: what each instruction did to memory, exactly.
//!
//! Facts (see `trace`) are for people; events name instructions and objects by the ids that the
//! analyses use. An event tells how many activations there are, so that a listener can keep a
//! call stack: [`EventKind::Enter`] adds one, and the next event with a smaller depth ends those
//! above it, whether by return or by `longjmp`.

use caulk_ir::{BlockId, InstId};

use crate::machine::Machine;
use crate::memory::Memory;
use crate::trace::Access;
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Activations, the one in which it happens included; 0 before the program starts.
    pub depth: usize,
    /// The instruction of that activation: what a library function does is done by its call.
    pub inst: InstId,
    pub kind: EventKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// An object begins to live; its number may have been that of a dead one.
    Born {
        object: u32,
        size: u64,
        birth: Birth,
    },
    /// A function of the program, by number, begins to run.
    Enter {
        function: u32,
    },
    /// The activation goes on with a block of its function.
    Block {
        block: BlockId,
    },
    /// A call is about to enter a function of the program or the library.
    Call {
        function: u32,
    },
    /// The activation returns `value`, if it is an address, else the bits of a number that is
    /// defined as a whole.
    Return {
        value: Option<Place>,
        bits: Option<u64>,
    },
    /// `value` is what was read, if it is an address.
    Read {
        at: Span,
        value: Option<Place>,
    },
    Write {
        at: Span,
    },
    /// At a sampled block: what holds a heap cell.
    Held {
        cell: u32,
        by: Keeper,
    },
}

/// What holds a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// A source variable of the activation at this depth.
    Variable { depth: usize, var: u32 },
    /// A word of an object.
    Word { object: u32, offset: u64 },
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Birth {
    /// Static storage of the program, by number.
    Static(u32),
    Function(u32),
    /// A slot of the activation, by number.
    Slot(u32),
    Alloca,
    /// The variable arguments of the activation.
    Arguments,
    /// Made by a library function, which the instruction calls.
    Heap,
    /// Told once more, of a cell in which the library goes on with what it had in another.
    InsteadOf(u32),
}

/// A byte of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub object: u32,
    pub offset: i64,
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub object: u32,
    pub offset: u64,
    pub size: u64,
}

/// Who listens to the events of a run.
pub type Listener<'a> = &'a mut dyn FnMut(&Event);

impl Memory {
    /// Writes down what the running operation did, in an observed run.
    pub(crate) fn note(&mut self, store: bool, at: Value, size: u64) {
        if self.trace.is_some() {
            let is_word = !store && size == 8;
            let value = if is_word { self.word_at(at) } else { Value::default() };
            self.note_access(None, store, at, size, value);
        }
    }

    fn word_at(&self, at: Value) -> Value {
        let Some((id, offset)) = self.locate(at) else { return Value::default() };
        let origins = &self.object(id).origins;
        let bytes = &self.object(id).bytes;
        let start = offset as usize;
        let (Some(&origin), Some(word)) = (origins.get(start / 8), bytes.get(start..start + 8))
        else {
            return Value::default();
        };
        let bits = word.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        if start.is_multiple_of(8) { Value::pointer(bits, origin) } else { Value::default() }
    }

    pub(crate) fn note_access(
        &mut self,
        pc: Option<u32>,
        store: bool,
        at: Value,
        size: u64,
        value: Value,
    ) {
        let Some((object, offset)) = self.locate(at) else { return };
        let pointee = self.pointee(value);
        if let Some(trace) = &mut self.trace {
            trace.push(Access { store, object, offset: offset as i64, size, pc, pointee });
        }
    }

    pub(crate) fn pointee(&self, value: Value) -> Option<Place> {
        let object = Some(value.origin()).filter(|&origin| origin != 0)?;
        let offset = value.bits.wrapping_sub(self.object(object).base) as i64;
        Some(Place { object, offset })
    }

    /// Stores a scalar for a library function.
    pub(crate) fn put<const N: usize>(
        &mut self,
        at: Value,
        value: Value,
    ) -> crate::fault::Checked<()> {
        self.store::<N>(at, value)?;
        self.note(true, at, N as u64);
        Ok(())
    }
}

impl Machine<'_> {
    /// Everything that lives when the program starts.
    pub(crate) fn tell_statics(&mut self) {
        if self.events.is_none() {
            return;
        }
        let objects = self.addresses.objects.iter().enumerate();
        let functions = self.addresses.functions.iter().enumerate();
        let births: Vec<(u32, Birth)> = objects
            .map(|(number, address)| (address.origin(), Birth::Static(number as u32)))
            .chain(functions.map(|(n, address)| (address.origin(), Birth::Function(n as u32))))
            .filter(|&(origin, _)| origin != 0)
            .collect();
        births.into_iter().for_each(|(object, birth)| self.tell_birth(object, birth));
    }

    pub(crate) fn tell_birth(&mut self, object: u32, birth: Birth) {
        if self.events.is_some() {
            let size = self.memory.object(object).size;
            self.tell_event(EventKind::Born { object, size, birth });
        }
    }

    /// Tells of the operation that is running, after what it did before.
    pub(crate) fn tell_event(&mut self, kind: EventKind) {
        if self.events.is_some() {
            self.flush_trace();
            let inst = self.inst_before(None);
            self.send(inst, kind);
        }
    }

    pub(crate) fn tell_return(&mut self, value: Value) {
        if self.events.is_some() {
            let is_number = value.origin() == 0 && value.is_defined();
            let bits = is_number.then_some(value.bits);
            let value = self.memory.pointee(value);
            self.tell_event(EventKind::Return { value, bits });
        }
    }

    /// The instruction of the operation before `pc`, or before the one that runs next.
    fn inst_before(&self, pc: Option<u32>) -> InstId {
        let Some(frame) = self.frames.last() else { return InstId(0) };
        let pc = pc.map_or(frame.pc, |pc| pc as usize);
        frame.code.insts.get(pc.saturating_sub(1)).copied().unwrap_or(InstId(0))
    }

    pub(crate) fn tell_access(&mut self, access: &Access) {
        let span = Span { object: access.object, offset: access.offset as u64, size: access.size };
        let kind = match access.store {
            true => EventKind::Write { at: span },
            false => EventKind::Read { at: span, value: access.pointee },
        };
        let inst = self.inst_before(access.pc);
        self.send(inst, kind);
    }

    fn send(&mut self, inst: InstId, kind: EventKind) {
        let depth = self.frames.len();
        if let Some(listener) = &mut self.events {
            listener(&Event { depth, inst, kind });
        }
    }
}
