//! Loads and stores of scalars. The first lines of each are the common case: a live object, in
//! bounds, every byte defined, no pointers inside.

use crate::fault::Checked;
use crate::memory::{Memory, Object};
use crate::value::{Origin, Value};

const WORD: usize = 8;

impl Memory {
    /// Reads `N` bytes, 8 at most.
    #[inline(always)]
    pub fn load<const N: usize>(&mut self, pointer: Value) -> Checked<Value> {
        let object = &self.objects[pointer.origin() as usize];
        let at = pointer.bits.wrapping_sub(object.base);
        if at >= object.readable
            || object.readable - at < N as u64
            || pointer.meta >> 32 != 0
            || object.undefined_bytes != 0
        {
            return self.load_slowly(pointer, N);
        }
        let at = at as usize;
        let bits = read_word::<N>(&object.bytes, at);
        if object.origins.is_empty() {
            return Ok(Value::int(bits));
        }
        if N == WORD && at.is_multiple_of(WORD) {
            return Ok(Value::pointer(bits, object.origins[at / WORD]));
        }
        self.load_slowly(pointer, N)
    }

    #[inline(never)]
    fn load_slowly(&mut self, pointer: Value, len: usize) -> Checked<Value> {
        let (id, at) = self.check(pointer, len as u64, false)?;
        let object = self.object(id);
        let mut bytes = [0; WORD];
        bytes[..len].copy_from_slice(&object.bytes[at..at + len]);
        let undefined = object.undefined_mask(at, len);
        let mut origin = 0;
        if !object.origins.is_empty() {
            if len == WORD && at.is_multiple_of(WORD) {
                origin = object.origins[at / WORD];
            } else {
                self.expose_words(id, at, len);
            }
        }
        Ok(Value::pointer(u64::from_le_bytes(bytes), origin).with_undefined(undefined))
    }

    #[inline(always)]
    pub fn store<const N: usize>(&mut self, pointer: Value, value: Value) -> Checked<()> {
        let object = &mut self.objects[pointer.origin() as usize];
        let at = pointer.bits.wrapping_sub(object.base);
        if at >= object.writable
            || object.writable - at < N as u64
            || pointer.meta >> 32 != 0
            || object.undefined_bytes != 0
            || !object.origins.is_empty()
            || value.meta != 0
        {
            return self.store_slowly(pointer, value, N);
        }
        write_word::<N>(&mut object.bytes, at as usize, value.bits);
        Ok(())
    }

    #[inline(never)]
    fn store_slowly(&mut self, pointer: Value, value: Value, len: usize) -> Checked<()> {
        let (id, at) = self.check(pointer, len as u64, true)?;
        let object = &mut self.objects[id as usize];
        object.bytes[at..at + len].copy_from_slice(&value.bits.to_le_bytes()[..len]);
        object.set_defined_mask(at, len, value.undefined());
        if value.origin() != 0 || !object.origins.is_empty() {
            self.store_origin(id, at, len, value.origin());
        }
        Ok(())
    }

    /// Notes the origin of what was stored; one that no aligned word can hold is exposed.
    fn store_origin(&mut self, id: Origin, at: usize, len: usize, origin: Origin) {
        if len != WORD || !at.is_multiple_of(WORD) {
            self.expose(origin);
            self.expose_words(id, at, len);
            self.clear_origins(id, at, len);
            return;
        }
        let object = &mut self.objects[id as usize];
        if object.origins.is_empty() {
            object.origins.resize(object.bytes.len().div_ceil(WORD), 0);
        }
        let old = std::mem::replace(&mut object.origins[at / WORD], origin);
        if let Some(holders) = &mut self.holders {
            holders.hold_in_memory(origin);
            holders.release_from_memory(old, id, at as u64);
        }
    }

    /// Parts of these words are read or written alone: their objects are found by address.
    fn expose_words(&mut self, id: Origin, at: usize, len: usize) {
        for word in at / WORD..(at + len).div_ceil(WORD) {
            let origin = self.object(id).origins.get(word).copied().unwrap_or(0);
            self.expose(origin);
        }
    }

    /// No pointer is stored in these bytes any more.
    pub fn clear_origins(&mut self, id: Origin, at: usize, len: usize) {
        let words = at / WORD..(at + len).div_ceil(WORD);
        let object = &mut self.objects[id as usize];
        if object.origins.is_empty() || len == 0 {
            return;
        }
        let Some(holders) = &mut self.holders else {
            object.origins[words].fill(0);
            return;
        };
        for word in words {
            let old = std::mem::replace(&mut object.origins[word], 0);
            holders.release_from_memory(old, id, word as u64 * 8);
        }
    }

    /// Reads a scalar wider than a register: low half first.
    pub fn load_wide(&mut self, pointer: Value, len: usize) -> Checked<(Value, Value)> {
        let low = self.load::<8>(pointer)?;
        let high = match len {
            10 => self.load::<2>(pointer.moved(8))?,
            _ => self.load::<8>(pointer.moved(8))?,
        };
        Ok((low, high))
    }

    pub fn store_wide(
        &mut self,
        pointer: Value,
        low: Value,
        high: Value,
        len: usize,
    ) -> Checked<()> {
        self.check(pointer, len as u64, true)?;
        self.store::<8>(pointer, low)?;
        match len {
            10 => self.store::<2>(pointer.moved(8), high),
            _ => self.store::<8>(pointer.moved(8), high),
        }
    }

    /// A scalar of 1, 2, 4 or 8 bytes.
    pub fn load_sized(&mut self, pointer: Value, len: usize) -> Checked<Value> {
        match len {
            1 => self.load::<1>(pointer),
            2 => self.load::<2>(pointer),
            4 => self.load::<4>(pointer),
            _ => self.load::<8>(pointer),
        }
    }

    pub fn store_sized(&mut self, pointer: Value, value: Value, len: usize) -> Checked<()> {
        match len {
            1 => self.store::<1>(pointer, value),
            2 => self.store::<2>(pointer, value),
            4 => self.store::<4>(pointer, value),
            _ => self.store::<8>(pointer, value),
        }
    }
}

#[inline(always)]
fn read_word<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; WORD];
    word[..N].copy_from_slice(&bytes[at..at + N]);
    u64::from_le_bytes(word)
}

#[inline(always)]
fn write_word<const N: usize>(bytes: &mut [u8], at: usize, bits: u64) {
    bytes[at..at + N].copy_from_slice(&bits.to_le_bytes()[..N]);
}

impl Object {
    /// One bit per undefined byte of a scalar.
    pub fn undefined_mask(&self, at: usize, len: usize) -> u8 {
        if self.undefined_bytes == 0 {
            return 0;
        }
        !(self.defined_bits(at)) as u8 & ((1_u16 << len) - 1) as u8
    }

    /// The defined bits of the 8 bytes from `at`; past the end they read as 0.
    fn defined_bits(&self, at: usize) -> u64 {
        let (word, bit) = (at / 64, at % 64);
        let low = self.defined[word] >> bit;
        let high = match self.defined.get(word + 1) {
            Some(next) if bit > 0 => next << (64 - bit),
            _ => 0,
        };
        low | high
    }

    fn set_defined_mask(&mut self, at: usize, len: usize, undefined: u8) {
        if undefined == 0 {
            return self.define(at, len);
        }
        for offset in 0..len {
            if undefined >> offset & 1 == 1 {
                self.undefine(at + offset, 1);
            } else {
                self.define(at + offset, 1);
            }
        }
    }

    /// These bytes were written.
    pub fn define(&mut self, at: usize, len: usize) {
        if self.undefined_bytes == 0 || len == 0 {
            return;
        }
        let mut fresh = 0;
        each_word(at, len, |word, mask| {
            fresh += u64::from((mask & !self.defined[word]).count_ones());
            self.defined[word] |= mask;
        });
        self.undefined_bytes -= fresh;
        if self.undefined_bytes == 0 {
            self.defined.clear();
        }
    }

    /// These bytes have no value any more.
    pub fn undefine(&mut self, at: usize, len: usize) {
        if len == 0 {
            return;
        }
        if self.undefined_bytes == 0 {
            self.defined.clear();
            self.defined.resize(self.bytes.len().div_ceil(64), 0);
            let size = self.bytes.len();
            each_word(0, size, |word, mask| self.defined[word] |= mask);
        }
        let mut lost = 0;
        each_word(at, len, |word, mask| {
            lost += u64::from((mask & self.defined[word]).count_ones());
            self.defined[word] &= !mask;
        });
        self.undefined_bytes += lost;
    }

    pub fn is_defined(&self, at: usize) -> bool {
        self.undefined_bytes == 0 || self.defined[at / 64] >> (at % 64) & 1 == 1
    }

    /// The first undefined byte of a range.
    pub fn first_undefined(&self, at: usize, len: usize) -> Option<usize> {
        if self.undefined_bytes == 0 {
            return None;
        }
        (at..at + len).find(|&byte| !self.is_defined(byte))
    }
}

/// Calls `visit` with each 64-bit word of a bitmap that the range touches, and its bits there.
fn each_word(at: usize, len: usize, mut visit: impl FnMut(usize, u64)) {
    let (mut next, end) = (at, at + len);
    while next < end {
        let (word, bit) = (next / 64, next % 64);
        let count = (64 - bit).min(end - next);
        let mask = if count == 64 { u64::MAX } else { ((1 << count) - 1) << bit };
        visit(word, mask);
        next += count;
    }
}
