//! Sources that are not UTF-8.
//!
//! The front end passes foreign bytes in comments, strings and character constants through. Only
//! when it trips over them elsewhere is the file read again as Latin-1: every byte becomes the
//! character of that number. No line moves; columns after such a byte on its line grow.

use std::borrow::Cow;

/// UTF-8 text for bytes in Latin-1 (and, near enough for reading, its 8-bit relatives).
pub(crate) fn from_latin1(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
}

/// Bytes with a UTF-16 byte order mark as UTF-8; all others as they are.
pub(crate) fn from_utf16(bytes: &[u8]) -> Cow<'_, [u8]> {
    let decode: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(bytes),
    };
    let units: Vec<u16> =
        bytes[2..].chunks_exact(2).map(|pair| decode([pair[0], pair[1]])).collect();
    Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin1_keeps_its_lines() {
        assert_eq!(from_latin1(b"a\xe9\nb"), "aé\nb".as_bytes());
    }

    #[test]
    fn utf16_needs_its_mark() {
        assert_eq!(*from_utf16(b"\xff\xfei\0\n\0"), *b"i\n");
        assert_eq!(*from_utf16(b"\xfe\xff\0i\0\n"), *b"i\n");
        assert_eq!(*from_utf16(b"i\0"), *b"i\0");
    }
}
