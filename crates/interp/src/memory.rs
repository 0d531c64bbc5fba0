//! The memory of a running program.
//!
//! An object is a run of bytes at an address that no other object of its life time has. Heap
//! and global addresses are never used twice; stack addresses are, as on a real machine, since
//! a pointer is judged by its origin and not by its address. Beside its bytes an object keeps
//! two shadows, both made when first needed:
//!
//! - `defined`: a bit per byte, while some byte was never written (`undefined_bytes` > 0);
//! - `origins`: the origin of the pointer stored in each aligned word.
//!
//! A pointer whose origin was lost (copied byte by byte, kept in a misaligned place, mixed with
//! another) is looked up by address among the *exposed* objects: those whose address was seen
//! as a number.
//!
//! Records of dead objects wait in a queue before they are used again, so a stale pointer finds
//! the record of the dead object; should it come later than that, its address does not fit the
//! new object and it is out of bounds.

use std::collections::{BTreeMap, VecDeque};

use crate::fault::{Checked, Fault, FaultKind};
use crate::holders::Holders;
use crate::trace::Access;
use crate::value::{Origin, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Null,
    Global(u32),
    Literal,
    /// A slot of a function, by the numbers of both.
    Slot {
        function: u32,
        slot: u32,
    },
    Alloca,
    Heap,
    Function(u32),
    File(u32),
    /// The variable arguments of an activation.
    Arguments,
    /// Static storage of the library: `errno`, tables, `environ`.
    Library,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Live,
    Freed,
    OutOfScope,
    Unused,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub base: u64,
    /// Bytes that may be read, and written: 0 once dead.
    pub readable: u64,
    pub writable: u64,
    pub bytes: Vec<u8>,
    /// How many bytes were never written.
    pub undefined_bytes: u64,
    pub defined: Vec<u64>,
    pub origins: Vec<Origin>,
    pub size: u64,
    pub kind: ObjectKind,
    pub state: State,
    pub exposed: bool,
    /// The call stack that made it, and the one that freed it.
    pub made_at: u32,
    pub freed_at: u32,
}

/// Where the parts of the address space begin.
const GLOBALS: u64 = 0x5555_5555_8000;
const HEAP: u64 = 0x5555_5600_0000 + 0x2a0;
const STACK: u64 = 0x7fff_ffff_e000;
const FUNCTIONS: u64 = 0x4000_0000_0000;

/// A larger alignment is taken as this one: addresses must not run out.
const LARGEST_ALIGN: u64 = 1 << 30;
/// What a heap cell costs beside its bytes.
const CELL_OVERHEAD: u64 = size_of::<Object>() as u64;

const DEAD_SLOTS_KEPT: usize = 1 << 11;
const DEAD_CELLS_KEPT: usize = 1 << 18;
/// Buffers up to this size stay with their record for its next life.
const KEPT_BUFFER: usize = 512;

pub struct Memory {
    pub objects: Vec<Object>,
    dead_slots: VecDeque<Origin>,
    dead_cells: VecDeque<Origin>,
    exposed: BTreeMap<u64, Origin>,
    next_global: u64,
    next_heap: u64,
    next_function: u64,
    /// Grows downwards; frames save and restore it.
    pub stack_top: u64,
    pub used: u64,
    pub peak: u64,
    pub limit: u64,
    pub live_cells: u64,
    /// Bytes moved since the machine last looked.
    pub moved: u64,
    pub holders: Option<Box<Holders>>,
    /// Accesses since the machine last looked, in a traced run.
    pub trace: Option<Vec<Access>>,
    /// Whether bytes that were never written are told apart.
    pub track_undefined: bool,
}

impl Memory {
    pub fn new(limit: u64) -> Self {
        let mut memory = Self {
            objects: Vec::new(),
            dead_slots: VecDeque::new(),
            dead_cells: VecDeque::new(),
            exposed: BTreeMap::new(),
            next_global: GLOBALS,
            next_heap: HEAP,
            next_function: FUNCTIONS,
            stack_top: STACK,
            used: 0,
            peak: 0,
            limit,
            live_cells: 0,
            moved: 0,
            holders: None,
            trace: None,
            track_undefined: true,
        };
        memory.objects.push(blank(ObjectKind::Null));
        memory
    }

    pub fn object(&self, id: Origin) -> &Object {
        &self.objects[id as usize]
    }

    pub fn object_mut(&mut self, id: Origin) -> &mut Object {
        &mut self.objects[id as usize]
    }

    /// A pointer to the first byte.
    pub fn address(&self, id: Origin) -> Value {
        Value::pointer(self.objects[id as usize].base, id)
    }

    /// An object of static storage, all zero.
    pub fn add_global(&mut self, size: u64, align: u64, kind: ObjectKind) -> Origin {
        let base = self.next_global.next_multiple_of(align.clamp(16, LARGEST_ALIGN));
        self.next_global = base + size + 16;
        self.count(size);
        let id = self.objects.len() as Origin;
        self.objects.push(blank(kind));
        self.begin_life(id, base, size, false);
        id
    }

    /// A function: an address without bytes; `extent` covers its labels.
    pub fn add_function(&mut self, function: u32, extent: u64) -> Origin {
        let base = self.next_function;
        self.next_function = (base + extent + 16).next_multiple_of(16);
        let id = self.objects.len() as Origin;
        let mut object = blank(ObjectKind::Function(function));
        object.base = base;
        object.size = extent;
        object.state = State::Live;
        self.objects.push(object);
        id
    }

    pub fn add_cell(&mut self, size: u64, align: u64, zeroed: bool) -> Origin {
        let base = self.next_heap.next_multiple_of(align.clamp(16, LARGEST_ALIGN));
        self.next_heap = base + size.next_multiple_of(16) + 16;
        let id = self.record(ObjectKind::Heap, DEAD_CELLS_KEPT);
        self.begin_life(id, base, size, !zeroed);
        self.count(size + CELL_OVERHEAD);
        self.live_cells += 1;
        id
    }

    /// Memory of the current activation.
    #[inline]
    pub fn add_slot(&mut self, size: u64, align: u64, kind: ObjectKind) -> Origin {
        let align = align.clamp(8, LARGEST_ALIGN);
        let base = (self.stack_top - size.min(self.stack_top)) & !(align - 1);
        self.stack_top = base;
        let id = self.record(kind, DEAD_SLOTS_KEPT);
        self.begin_life(id, base, size, true);
        self.count(size);
        id
    }

    fn count(&mut self, size: u64) {
        self.used += size;
        self.peak = self.peak.max(self.used);
    }

    pub fn is_exhausted(&self, more: u64) -> bool {
        self.used.saturating_add(more) > self.limit
    }

    /// A record for a new object: an old one whose quarantine is over, or a fresh one.
    fn record(&mut self, kind: ObjectKind, kept: usize) -> Origin {
        let is_cell = kind == ObjectKind::Heap;
        let queue = if is_cell { &mut self.dead_cells } else { &mut self.dead_slots };
        if queue.len() > kept
            && let Some(id) = queue.pop_front()
        {
            self.objects[id as usize].kind = kind;
            return id;
        }
        self.objects.push(blank(kind));
        (self.objects.len() - 1) as Origin
    }

    /// Whether a cell lost its last holder since the machine last looked.
    pub fn has_fallen(&self) -> bool {
        self.holders.as_ref().is_some_and(|holders| !holders.fallen.is_empty())
    }

    #[inline]
    fn begin_life(&mut self, id: Origin, base: u64, size: u64, undefined: bool) {
        let undefined = undefined && self.track_undefined;
        let object = &mut self.objects[id as usize];
        object.base = base;
        object.size = size;
        object.readable = size;
        object.writable = size;
        // Fresh bytes come zeroed from the system: large tables that nobody looks at cost nothing.
        match object.bytes.capacity() {
            0 => object.bytes = vec![0; size as usize],
            _ => {
                object.bytes.clear();
                object.bytes.resize(size as usize, 0);
            }
        }
        object.origins.clear();
        object.defined.clear();
        object.undefined_bytes = 0;
        if undefined && size > 0 {
            object.undefined_bytes = size;
            object.defined.resize(size.div_ceil(64) as usize, 0);
        }
        object.state = State::Live;
        object.exposed = false;
        object.freed_at = 0;
    }

    /// Ends the life of a slot: a pointer to it dangles from now on.
    #[inline]
    pub fn end_slot(&mut self, id: Origin) {
        self.die(id, State::OutOfScope);
        self.dead_slots.push_back(id);
    }

    pub fn end_cell(&mut self, id: Origin, freed_at: u32) {
        self.die(id, State::Freed);
        self.used -= CELL_OVERHEAD.min(self.used);
        self.objects[id as usize].freed_at = freed_at;
        self.dead_cells.push_back(id);
        self.live_cells -= 1;
    }

    fn die(&mut self, id: Origin, state: State) {
        self.forget_contents(id);
        let object = &mut self.objects[id as usize];
        self.used -= object.size.min(self.used);
        object.readable = 0;
        object.writable = 0;
        object.state = state;
        if object.bytes.capacity() > KEPT_BUFFER {
            object.bytes = Vec::new();
            object.defined = Vec::new();
            object.origins = Vec::new();
        }
        if object.exposed {
            self.exposed.remove(&object.base);
        }
    }

    /// What the object's pointers pointed to loses a holder.
    fn forget_contents(&mut self, id: Origin) {
        if self.holders.is_none() || self.objects[id as usize].origins.is_empty() {
            return;
        }
        let held = std::mem::take(&mut self.objects[id as usize].origins);
        if let Some(holders) = &mut self.holders {
            for (word, &origin) in held.iter().enumerate() {
                holders.release_from_memory(origin, id, word as u64 * 8);
            }
        }
    }

    /// The object's address is known as a number from now on.
    pub fn expose(&mut self, id: Origin) {
        let object = &mut self.objects[id as usize];
        if id != 0 && !object.exposed && object.state == State::Live {
            object.exposed = true;
            self.exposed.insert(object.base, id);
        }
    }

    /// The exposed object at this address; one past its end counts.
    pub fn find(&self, address: u64) -> Option<Origin> {
        let (_, &id) = self.exposed.range(..=address).next_back()?;
        let object = self.object(id);
        (address.wrapping_sub(object.base) <= object.size).then_some(id)
    }

    pub fn exposed_cells(&self) -> bool {
        self.exposed.values().any(|&id| self.object(id).kind == ObjectKind::Heap)
    }

    /// A pointer made from an integer keeps its origin only where the address fits.
    pub fn pointer_from(&self, value: Value) -> Value {
        let origin = value.origin();
        if origin != 0 {
            let object = self.object(origin);
            if value.bits.wrapping_sub(object.base) <= object.size {
                return value;
            }
        }
        match self.find(value.bits) {
            Some(found) => {
                Value { bits: value.bits, meta: value.meta & !0xffff_ffff | u64::from(found) }
            }
            None => value,
        }
    }

    /// The object that a pointer points into, and how far; its life is not checked.
    pub fn locate(&self, pointer: Value) -> Option<(Origin, u64)> {
        let id = match pointer.origin() {
            0 => self.find(pointer.bits)?,
            known => known,
        };
        Some((id, pointer.bits.wrapping_sub(self.object(id).base)))
    }

    /// Why an access of `len` bytes is wrong.
    #[cold]
    pub fn explain(&self, pointer: Value, len: u64, write: bool) -> Box<Fault> {
        let verb = if write { "write" } else { "read" };
        if !pointer.is_defined() {
            return Fault::new(
                FaultKind::Uninitialised,
                format!("{verb} through an uninitialised pointer"),
            );
        }
        let Some((id, offset)) = self.locate(pointer) else {
            if pointer.bits < 4096 {
                let at = pointer.bits;
                return Fault::new(FaultKind::NullDereference, format!("{verb} at NULL + {at}"));
            }
            let at = pointer.bits;
            return Fault::new(
                FaultKind::WildPointer,
                format!("{verb} at {at:#x}, which is no object"),
            );
        };
        let object = self.object(id);
        let (size, offset) = (object.size, offset as i64);
        match object.state {
            State::Freed => {
                Fault::on(FaultKind::UseAfterFree, id, format!("{verb} of freed memory"))
            }
            State::OutOfScope | State::Unused => Fault::on(
                FaultKind::UseAfterScope,
                id,
                format!("{verb} of a variable that no longer exists"),
            ),
            State::Live if write && object.writable < object.readable => {
                Fault::on(FaultKind::WriteToConstant, id, "write to a constant".to_string())
            }
            State::Live => {
                let message = format!("{verb} of {len} bytes at offset {offset} of {size}");
                Fault::on(FaultKind::OutOfBounds, id, message)
            }
        }
    }

    /// The object and offset of `len` bytes that may be read, or written.
    #[inline]
    pub fn check(&self, pointer: Value, len: u64, write: bool) -> Checked<(Origin, usize)> {
        let mut id = pointer.origin();
        if id == 0 {
            id = self.find(pointer.bits).unwrap_or(0);
        }
        let object = &self.objects[id as usize];
        let offset = pointer.bits.wrapping_sub(object.base);
        let limit = if write { object.writable } else { object.readable };
        if offset > limit || limit - offset < len || !pointer.is_defined() || id == 0 {
            return Err(self.explain(pointer, len, write));
        }
        Ok((id, offset as usize))
    }
}

fn blank(kind: ObjectKind) -> Object {
    Object {
        base: 0,
        readable: 0,
        writable: 0,
        bytes: Vec::new(),
        undefined_bytes: 0,
        defined: Vec::new(),
        origins: Vec::new(),
        size: 0,
        kind,
        state: State::Unused,
        exposed: false,
        made_at: 0,
        freed_at: 0,
    }
}
