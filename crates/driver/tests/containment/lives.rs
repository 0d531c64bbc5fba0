//! The objects of a run: which abstract objects they are, and who last wrote each byte.

use caulk_base::Id;
use caulk_interp::Span;
use caulk_ir::{InstId, ObjectId};
use caulk_pointer::ObjId;
use caulk_program::{ModuleId, Program, StaticId};

pub struct Life {
    /// The abstract objects that it may be; none for what the library owns.
    pub objects: Vec<ObjId>,
    pub size: u64,
    /// How many activations there had been.
    pub born: u32,
    /// Names that begin inside of it.
    inside: Vec<(ObjId, i64)>,
    /// Static storage has a value before anything is written.
    pub has_initial: bool,
    pub is_arguments: bool,
    pub is_function: bool,
    /// A mark per byte, once something was written.
    marks: Vec<u64>,
}

/// Who wrote what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    Store {
        activation: u32,
        inst: InstId,
    },
    /// The initial value of static storage.
    Initial,
    /// The read begins inside a scalar that was written as a whole.
    Piece,
    Nobody,
}

/// The place of a byte in the scalar that was written; bytes of what is no scalar have none.
const BULK: u64 = 0xff;

impl Life {
    pub fn new(objects: Vec<ObjId>, size: u64, has_initial: bool) -> Self {
        let inside = Vec::new();
        Self {
            objects,
            size,
            inside,
            born: 0,
            has_initial,
            is_arguments: false,
            is_function: false,
            marks: Vec::new(),
        }
    }

    /// The memory from `offset` on has another name too.
    pub fn name(&mut self, name: ObjId, offset: i64) {
        if offset != 0 && !self.inside.contains(&(name, offset)) {
            self.inside.push((name, offset));
        }
        if !self.objects.contains(&name) {
            self.objects.push(name);
        }
    }

    /// Where a place of the memory lies in an object of this name.
    pub fn offsets(&self, name: ObjId, offset: i64) -> Vec<i64> {
        let inside = self.inside.iter().filter(|&&(other, _)| other == name);
        std::iter::once(offset).chain(inside.map(|(_, start)| offset - start)).collect()
    }

    /// Tells objects apart in sets of what was compared.
    pub fn key(&self) -> u32 {
        self.objects.last().map_or(u32::MAX, |object| object.0)
    }

    /// The writers of a read, by offset. A scalar has the writer of its first byte: the others
    /// are pieces of the same, or the read mixes several.
    pub fn writers_of(&self, at: Span, is_scalar: bool) -> Vec<(u64, Writer)> {
        let (start, end) = (at.offset as usize, (at.offset + at.size) as usize);
        let mut all = vec![(at.offset, self.writer(start, true))];
        if !is_scalar {
            for byte in start + 1..end.min(self.marks.len()) {
                let writer = self.writer(byte, false);
                if writer != Writer::Piece {
                    all.push((byte as u64, writer));
                }
            }
        }
        all
    }

    fn writer(&self, byte: usize, is_first: bool) -> Writer {
        let mark = self.marks.get(byte).copied().unwrap_or(0);
        let place = mark & 0xff;
        match mark >> 32 {
            0 if self.has_initial && is_first => Writer::Initial,
            0 => Writer::Nobody,
            _ if place != 0 && place != BULK => Writer::Piece,
            activation => {
                let inst = InstId((mark >> 8 & 0xff_ffff) as u32);
                Writer::Store { activation: activation as u32 - 1, inst }
            }
        }
    }
}

#[derive(Default)]
pub struct Lives {
    rows: Vec<Option<Life>>,
}

impl Lives {
    pub fn begin(&mut self, object: u32, life: Life) {
        let index = object as usize;
        if self.rows.len() <= index {
            self.rows.resize_with(index + 1, || None);
        }
        self.rows[index] = Some(life);
    }

    pub fn get(&self, object: u32) -> Option<&Life> {
        self.rows.get(object as usize)?.as_ref()
    }

    /// What was written in `from` counts as written in `to`, which has the names of both now.
    pub fn move_bytes(&mut self, from: Span, to: Span) {
        let Some(old) = self.get(from.object) else { return };
        let (marks, names) = (old.marks.clone(), old.objects.clone());
        let Some(Some(life)) = self.rows.get_mut(to.object as usize) else { return };
        life.marks = marks;
        life.marks.resize(life.size as usize, 0);
        for name in names {
            if !life.objects.contains(&name) {
                life.objects.push(name);
            }
        }
    }

    pub fn get_mut(&mut self, object: u32) -> Option<&mut Life> {
        self.rows.get_mut(object as usize)?.as_mut()
    }

    pub fn write(&mut self, at: Span, activation: u32, inst: InstId, is_scalar: bool) {
        let Some(Some(life)) = self.rows.get_mut(at.object as usize) else { return };
        if life.marks.is_empty() {
            life.marks.resize(life.size as usize, 0);
        }
        let mark = (u64::from(activation) + 1) << 32 | u64::from(inst.0 & 0xff_ffff) << 8;
        let (start, end) = (at.offset as usize, (at.offset + at.size) as usize);
        let Some(bytes) = life.marks.get_mut(start..end) else { return };
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = mark | if is_scalar { place as u64 } else { BULK };
        }
    }
}

pub fn static_of(program: &Program, &(module, id): &(usize, ObjectId)) -> StaticId {
    program.static_of(ModuleId::from_index(module), id)
}
