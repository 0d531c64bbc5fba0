//! Bytes of kept entries: numbers in as few bytes as they need, texts with their lengths.

use crate::kept::Stable;

#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Small ones of either sign are short.
    pub fn signed(&mut self, value: i64) {
        self.number(((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    pub fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    pub fn flag(&mut self, value: bool) {
        self.0.push(u8::from(value));
    }

    pub fn stable(&mut self, value: Stable) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn block(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.extend(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.block(text.as_bytes());
    }

    pub fn all<T>(&mut self, rows: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.length(rows.len());
        rows.iter().for_each(|row| one(self, row));
    }

    pub fn option<T>(&mut self, row: Option<&T>, one: impl FnOnce(&mut Self, &T)) {
        self.flag(row.is_some());
        if let Some(row) = row {
            one(self, row);
        }
    }
}

/// None wherever the bytes are not what a [`Writer`] wrote.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub fn signed(&mut self) -> Option<i64> {
        let value = self.number()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    pub fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub fn stable(&mut self) -> Option<Stable> {
        Some(Stable::from_le_bytes(self.take(16)?.try_into().ok()?))
    }

    pub fn block(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(usize::try_from(length).ok()?)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        str::from_utf8(self.block()?).ok()
    }

    pub fn all<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| one(self)).collect()
    }

    pub fn option<T>(&mut self, one: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { one(self).map(Some) } else { Some(None) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for value in [0, 1, -1, 63, -64, 64, i64::MAX, i64::MIN, 1 << 40] {
            let mut writer = Writer::default();
            writer.signed(value);
            let mut reader = Reader(&writer.0);
            assert_eq!(reader.signed(), Some(value));
            assert!(reader.0.is_empty());
        }
    }

    #[test]
    fn what_is_cut_off_is_none() {
        let mut writer = Writer::default();
        writer.all(&["one", "two"], |writer, text| writer.text(text));
        for end in 0..writer.0.len() {
            assert_eq!(Reader(&writer.0[..end]).all(|it| it.text().map(str::to_string)), None);
        }
        assert_eq!(Reader(&[0xff; 40]).all(Reader::flag), None);
    }
}
