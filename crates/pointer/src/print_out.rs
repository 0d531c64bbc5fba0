//! Output that is written while it is made: a dump of a large program is larger than what made it.

use std::fmt::{self, Write};

/// What a printer writes, as one text.
///
/// # Panics
/// Never: nothing can go wrong with text in memory.
#[must_use]
pub fn printed(print: impl FnOnce(&mut dyn Write) -> fmt::Result) -> String {
    let mut text = String::new();
    print(&mut text).expect("text takes everything");
    text
}

/// A list of JSON, an item on a line.
pub struct Items<'a> {
    out: &'a mut dyn Write,
    is_first: bool,
}

impl<'a> Items<'a> {
    /// # Errors
    /// Those of the writer, here and below.
    pub fn begin(out: &'a mut dyn Write) -> Result<Self, fmt::Error> {
        out.write_str("[")?;
        Ok(Self { out, is_first: true })
    }

    /// # Errors
    /// See [`Items::begin`].
    pub fn add(&mut self, item: &str) -> fmt::Result {
        self.out.write_str(if self.is_first { "\n" } else { ",\n" })?;
        self.is_first = false;
        self.out.write_str(item)
    }

    /// # Errors
    /// See [`Items::begin`].
    pub fn end(self) -> fmt::Result {
        self.out.write_str(if self.is_first { "]" } else { "\n]" })
    }

    /// Of a list that is all there is.
    ///
    /// # Errors
    /// See [`Items::begin`].
    pub fn end_line(self) -> fmt::Result {
        self.out.write_str(if self.is_first { "]\n" } else { "\n]\n" })
    }
}
