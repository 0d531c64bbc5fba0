//! Reading `compile_commands.json`: an array of entries, each with its place in the file.
//!
//! Text that is not JSON, or not an array, fails as a whole, with line and column; an entry of the
//! wrong shape costs that entry. Strings are taken as bytes, since databases of projects with old
//! file names are not always UTF-8.

use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, IgnoredAny, Visitor};

use crate::problem::{Position, Problem};

#[derive(Debug, Default)]
pub(crate) struct Database {
    pub entries: Vec<(Position, Entry)>,
    /// Where in the text each of `entries` stands.
    pub texts: Vec<Range<usize>>,
    /// Entries of the wrong shape.
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Entry {
    pub directory: Option<Text>,
    pub file: Option<Text>,
    pub command: Option<Text>,
    pub arguments: Option<Vec<Text>>,
}

/// A JSON string, UTF-8 or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text(pub OsString);

pub(crate) fn read(bytes: &[u8]) -> Result<Database, Problem> {
    let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let lines = LineCounter { at: 0, line: 1, line_start: 0 };
    let mut reader = Reader { bytes, at, lines, out: Database::default() };
    reader.entries()?;
    reader.skip_blank();
    if reader.at < bytes.len() {
        return Err(reader.problem("text after the end of the array"));
    }
    Ok(reader.out)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    lines: LineCounter,
    out: Database,
}

impl Reader<'_> {
    fn entries(&mut self) -> Result<(), Problem> {
        if !self.eat(b'[') {
            return Err(self.problem("expected `[`, for it is an array of entries"));
        }
        if self.eat(b']') {
            return Ok(());
        }
        loop {
            self.skip_blank();
            self.entry()?;
            if self.eat(b']') {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.problem("expected `,` or `]` after an entry"));
            }
        }
    }

    fn entry(&mut self) -> Result<(), Problem> {
        let position = self.lines.position(self.bytes, self.at);
        let rest = &self.bytes[self.at..];
        match value::<Entry>(rest) {
            Ok((entry, length)) => {
                self.out.entries.push((position, entry));
                self.out.texts.push(self.at..self.at + length);
                self.at += length;
            }
            Err(error) => {
                let skipped = value::<IgnoredAny>(rest);
                let (_, length) = skipped.map_err(|error| not_a_database(&error, position))?;
                self.out.problems.push(wrong_entry(&error, position));
                self.at += length;
            }
        }
        Ok(())
    }

    fn skip_blank(&mut self) {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.bytes[self.at..].iter().take_while(blank).count();
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.skip_blank();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn problem(&mut self, message: &str) -> Problem {
        Problem::new(wrong_json(message)).at(self.lines.position(self.bytes, self.at))
    }
}

/// The JSON value at the start of `bytes`, and its length.
fn value<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), serde_json::Error> {
    let mut stream = serde_json::Deserializer::from_slice(bytes).into_iter();
    match stream.next() {
        Some(value) => Ok((value?, stream.byte_offset())),
        None => Err(serde::de::Error::custom("the file ends within the array")),
    }
}

fn not_a_database(error: &serde_json::Error, start: Position) -> Problem {
    Problem::new(wrong_json(&text_of(error))).at(position_of(error, start))
}

fn wrong_entry(error: &serde_json::Error, start: Position) -> Problem {
    let text = format!("entry left out: {}; correct it or make the database again", text_of(error));
    Problem::new(text).at(position_of(error, start))
}

/// serde_json counts from the start of the entry.
fn position_of(error: &serde_json::Error, start: Position) -> Position {
    let (line, column) = (to_u32(error.line()), to_u32(error.column()));
    match line {
        0 | 1 => Position {
            line: start.line,
            column: start.column.saturating_add(column.saturating_sub(1)),
        },
        line => Position { line: start.line.saturating_add(line - 1), column },
    }
}

fn text_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

fn wrong_json(what: &str) -> String {
    format!(
        "this is not a compile database: {what}; make it again with the build system or `caulk record`"
    )
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Counts lines once over the whole file: positions are asked in rising order.
struct LineCounter {
    at: usize,
    line: u32,
    line_start: usize,
}

impl LineCounter {
    fn position(&mut self, bytes: &[u8], at: usize) -> Position {
        for (offset, byte) in bytes[self.at..at].iter().enumerate() {
            if *byte == b'\n' {
                self.line = self.line.saturating_add(1);
                self.line_start = self.at + offset + 1;
            }
        }
        self.at = at;
        Position { line: self.line, column: to_u32(at - self.line_start + 1) }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(Text(OsString::from_vec(bytes.to_vec())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<Text> {
        Some(Text(text.into()))
    }

    fn error(json: &str) -> String {
        read(json.as_bytes()).unwrap_err().in_file("f".as_ref()).to_string()
    }

    #[test]
    fn entries_come_with_their_place() {
        let json = br#"[ {"directory":"/d","file":"a.c","command":"cc a.c","output":{"x":[1]}},
            {"arguments":["cc","b c.c"],"file":null}
        ]"#;
        let read = read(json).unwrap();
        assert!(read.problems.is_empty());
        let [(first, a), (second, b)] = &read.entries[..] else { panic!("{read:?}") };
        assert_eq!((first.line, first.column), (1, 3));
        assert_eq!((second.line, second.column), (2, 13));
        assert_eq!((&a.directory, &a.command), (&text("/d"), &text("cc a.c")));
        assert_eq!(b.arguments, Some(vec![Text("cc".into()), Text("b c.c".into())]));
        assert_eq!(b.file, None);
    }

    #[test]
    fn a_wrong_entry_costs_that_entry() {
        let read = read(b"[{\"file\":\n 3}, 7, {\"file\":\"a.c\"}]").unwrap();
        assert_eq!(read.entries.len(), 1);
        let places: Vec<_> = read.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(places, [Some(2), Some(2)]);
        assert!(read.problems[0].message.contains("expected a string"), "{:?}", read.problems);
    }

    #[test]
    fn wrong_json_names_line_and_column() {
        assert!(error("").starts_with("f:1:1: "), "{}", error(""));
        assert!(error("{}").starts_with("f:1:1: "), "{}", error("{}"));
        assert!(error("[\n{},\n  {\"file\": }]").starts_with("f:3:12: "));
        assert!(error("[{} {}]").starts_with("f:1:5: "));
        assert!(error("[{}").starts_with("f:1:4: "));
        assert!(error("[{},").starts_with("f:1:5: "));
        assert!(error("[]\nx").starts_with("f:2:1: "));
    }

    #[test]
    fn odd_but_readable() {
        assert!(read(b"\xef\xbb\xbf []").unwrap().entries.is_empty());
        let read = read(b"[{\"file\":\"\xe9.c\"}]").unwrap();
        let name = read.entries[0].1.file.clone().unwrap().0.into_vec();
        assert_eq!(name, b"\xe9.c");
    }
}
