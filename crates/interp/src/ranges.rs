//! Whole ranges of memory: copies, fills, and what library functions read and write.

use std::ops::Range;

use crate::fault::{Checked, Fault, FaultKind};
use crate::memory::Memory;
use crate::value::{Origin, Value};

const WORD: usize = 8;

impl Memory {
    /// Copies bytes with their shadows; the ranges may overlap.
    pub fn copy(&mut self, to: Value, from: Value, len: u64) -> Checked<()> {
        if len == 0 {
            return Ok(());
        }
        let (source, start) = self.check(from, len, false)?;
        let (target, at) = self.check(to, len, true)?;
        self.moved += len;
        let len = len as usize;
        let origins = self.copied_origins(source, start, at, len);
        self.copy_bytes(source, start, target, at, len);
        self.clear_origins(target, at, len);
        self.note(false, from, len as u64);
        self.put_origins(target, at, origins);
        self.note(true, to, len as u64);
        Ok(())
    }

    fn copy_bytes(&mut self, source: Origin, start: usize, target: Origin, at: usize, len: usize) {
        if source == target {
            let object = self.object_mut(source);
            let holes = object.holes(start, len);
            object.bytes.copy_within(start..start + len, at);
            object.define(at, len);
            holes.iter().for_each(|run| object.undefine(at + run.start, run.len()));
            return;
        }
        let holes = self.object(source).holes(start, len);
        let [from, into] = self.two(source, target);
        into.bytes[at..at + len].copy_from_slice(&from.bytes[start..start + len]);
        into.define(at, len);
        holes.iter().for_each(|run| into.undefine(at + run.start, run.len()));
    }

    fn two(&mut self, first: Origin, second: Origin) -> [&mut crate::memory::Object; 2] {
        self.objects
            .get_disjoint_mut([first as usize, second as usize])
            .expect("two different objects of the table")
    }

    /// The pointers inside the range, as distance and origin. Where the two ranges are not
    /// aligned alike, pointers are exposed instead.
    fn copied_origins(
        &mut self,
        source: Origin,
        start: usize,
        at: usize,
        len: usize,
    ) -> Vec<(usize, Origin)> {
        let origins = &self.object(source).origins;
        if origins.is_empty() {
            return Vec::new();
        }
        let words = start / WORD..(start + len).div_ceil(WORD);
        let held: Vec<(usize, Origin)> = words
            .filter(|&word| origins[word] != 0)
            .map(|word| (word * WORD, origins[word]))
            .collect();
        let aligned = start % WORD == at % WORD;
        let mut whole = Vec::with_capacity(held.len());
        for (place, origin) in held {
            if aligned && place >= start && place + WORD <= start + len {
                whole.push((place - start, origin));
            } else {
                self.expose(origin);
            }
        }
        whole
    }

    fn put_origins(&mut self, target: Origin, at: usize, origins: Vec<(usize, Origin)>) {
        if origins.is_empty() {
            return;
        }
        let object = self.object_mut(target);
        if object.origins.is_empty() {
            object.origins.resize(object.bytes.len().div_ceil(WORD), 0);
        }
        for &(distance, origin) in &origins {
            object.origins[(at + distance) / WORD] = origin;
        }
        if let Some(holders) = &mut self.holders {
            origins.iter().for_each(|&(_, origin)| holders.hold_in_memory(origin));
        }
    }

    pub fn fill(&mut self, to: Value, byte: Value, len: u64) -> Checked<()> {
        if len == 0 {
            return Ok(());
        }
        let (id, at) = self.check(to, len, true)?;
        self.moved += len;
        let len = len as usize;
        self.clear_origins(id, at, len);
        let object = self.object_mut(id);
        object.bytes[at..at + len].fill(byte.bits as u8);
        if byte.undefined() & 1 == 0 {
            object.define(at, len);
        } else {
            object.undefine(at, len);
        }
        self.note(true, to, len as u64);
        Ok(())
    }

    /// The bytes a library function reads; they must be defined.
    pub fn read(&mut self, from: Value, len: u64) -> Checked<&[u8]> {
        if len == 0 {
            return Ok(&[]);
        }
        let (id, at) = self.check(from, len, false)?;
        self.moved += len;
        let len = len as usize;
        if let Some(hole) = self.object(id).first_undefined(at, len) {
            return Err(undefined_byte(id, hole));
        }
        self.note(false, from, len as u64);
        Ok(&self.object(id).bytes[at..at + len])
    }

    /// The bytes, defined or not: `memcmp` and copies look at padding too.
    pub fn read_raw(&self, from: Value, len: u64) -> Checked<&[u8]> {
        if len == 0 {
            return Ok(&[]);
        }
        let (id, at) = self.check(from, len, false)?;
        Ok(&self.object(id).bytes[at..at + len as usize])
    }

    pub fn write(&mut self, to: Value, bytes: &[u8]) -> Checked<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (id, at) = self.check(to, bytes.len() as u64, true)?;
        self.moved += bytes.len() as u64;
        self.clear_origins(id, at, bytes.len());
        let object = self.object_mut(id);
        object.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        object.define(at, bytes.len());
        self.note(true, to, bytes.len() as u64);
        Ok(())
    }

    /// A terminated string, without its terminator, of at most `limit` bytes.
    pub fn string_up_to(&mut self, from: Value, limit: u64) -> Checked<&[u8]> {
        if limit == 0 {
            return Ok(&[]);
        }
        let (id, at) = self.check(from, 1, false)?;
        let object = self.object(id);
        let available = object.bytes.len().min(object.readable as usize) - at;
        let window = available.min(usize::try_from(limit).unwrap_or(usize::MAX));
        let bytes = &object.bytes[at..at + window];
        let Some(len) = bytes.iter().position(|&byte| byte == 0) else {
            if (window as u64) < limit {
                return Err(self.explain(from.moved(window as i64), 1, false));
            }
            return self.read(from, window as u64);
        };
        if let Some(hole) = object.first_undefined(at, len + 1) {
            return Err(undefined_byte(id, hole));
        }
        self.moved += len as u64;
        self.note(false, from, len as u64 + 1);
        Ok(&self.object(id).bytes[at..at + len])
    }

    pub fn string(&mut self, from: Value) -> Checked<&[u8]> {
        self.string_up_to(from, u64::MAX)
    }

    pub fn string_vec(&mut self, from: Value) -> Checked<Vec<u8>> {
        self.string(from).map(<[u8]>::to_vec)
    }

    /// Bytes and a terminator.
    pub fn write_string(&mut self, to: Value, text: &[u8]) -> Checked<()> {
        self.check(to, text.len() as u64 + 1, true)?;
        self.write(to, text)?;
        self.put::<1>(to.moved(text.len() as i64), Value::int(0))
    }
}

#[cold]
fn undefined_byte(id: Origin, at: usize) -> Box<Fault> {
    Fault::on(FaultKind::Uninitialised, id, format!("the byte at offset {at} was never written"))
}

impl crate::memory::Object {
    /// The runs of undefined bytes in a range, counted from its start.
    fn holes(&self, at: usize, len: usize) -> Vec<Range<usize>> {
        if self.undefined_bytes == 0 {
            return Vec::new();
        }
        let mut runs: Vec<Range<usize>> = Vec::new();
        for offset in (0..len).filter(|&offset| !self.is_defined(at + offset)) {
            match runs.last_mut() {
                Some(run) if run.end == offset => run.end += 1,
                _ => runs.push(offset..offset + 1),
            }
        }
        runs
    }
}
