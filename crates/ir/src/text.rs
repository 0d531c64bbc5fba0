//! How the text form spells names and bytes; the printer writes and the lexer reads it.

use std::fmt::{self, Display, Formatter, Write};

/// Whether a name is written without quotes. A lone `_` stands for "no name".
#[must_use]
pub fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(starts_word) && bytes.all(continues_word) && name != "_"
}

#[must_use]
pub fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

#[must_use]
pub fn continues_word(byte: u8) -> bool {
    starts_word(byte) || byte.is_ascii_digit()
}

/// A name, quoted when it has to be.
pub fn name(text: &str) -> impl Display + '_ {
    fmt::from_fn(
        move |f| if is_plain(text) { f.write_str(text) } else { quoted_to(f, text.as_bytes()) },
    )
}

/// Any bytes between quotes.
pub fn quoted(bytes: &[u8]) -> impl Display + '_ {
    fmt::from_fn(move |f| quoted_to(f, bytes))
}

/// Any bytes as hexadecimal digits between quotes.
pub fn hex(bytes: &[u8]) -> impl Display + '_ {
    fmt::from_fn(move |f| {
        f.write_char('"')?;
        bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_char('"')
    })
}

fn quoted_to(f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_char('"')?;
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().try_for_each(|ch| character(f, ch))?;
        escapes(f, chunk.invalid())?;
    }
    f.write_char('"')
}

fn character(f: &mut Formatter<'_>, ch: char) -> fmt::Result {
    match ch {
        '"' | '\\' => write!(f, "\\{ch}"),
        '\n' => f.write_str("\\n"),
        '\t' => f.write_str("\\t"),
        '\0' => f.write_str("\\0"),
        ' '..='~' => f.write_char(ch),
        _ if !ch.is_ascii() && ch.is_alphanumeric() => f.write_char(ch),
        _ => escapes(f, ch.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

fn escapes(f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))
}
