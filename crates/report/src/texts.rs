//! Source text by line, for every format. Each file is asked for once.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use caulk_base::FxHashMap;
use caulk_finding::{Location, Point, Range, Source};

/// The files that a report quotes.
pub struct Texts<'a> {
    source: Source<'a>,
    known: RefCell<FxHashMap<PathBuf, Option<Rc<Text>>>>,
}

/// One file.
pub(crate) struct Text {
    bytes: Arc<[u8]>,
    /// Where each line begins.
    starts: Vec<usize>,
    is_ascii: bool,
}

impl<'a> Texts<'a> {
    #[must_use]
    pub fn new(source: Source<'a>) -> Self {
        Self { source, known: RefCell::default() }
    }

    pub(crate) fn get(&self, path: &Path) -> Option<Rc<Text>> {
        if let Some(known) = self.known.borrow().get(path) {
            return known.clone();
        }
        let text = (self.source)(path).map(|bytes| Rc::new(Text::new(bytes)));
        self.known.borrow_mut().insert(path.to_path_buf(), text.clone());
        text
    }

    /// The same place with columns that count characters, for formats that know no others.
    /// Everywhere else a column counts bytes, as compilers do. Places in files that cannot be
    /// read stay as they are.
    pub(crate) fn in_characters(&self, place: &Location) -> Option<Range> {
        let range = place.range?;
        match self.get(&place.path) {
            Some(text) if !text.is_ascii => {
                Some(Range { start: text.characters(range.start), end: text.characters(range.end) })
            }
            _ => Some(range),
        }
    }
}

impl Text {
    fn new(bytes: Arc<[u8]>) -> Self {
        let ends = memchr::memchr_iter(b'\n', &bytes).map(|at| at + 1);
        let starts = [0].into_iter().chain(ends).collect();
        Self { is_ascii: bytes.is_ascii(), bytes, starts }
    }

    /// A line, counted from 1, without its end.
    pub(crate) fn line(&self, number: u32) -> Option<&[u8]> {
        let index = number.checked_sub(1)? as usize;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.bytes.len(), |&next| next - 1);
        let line = &self.bytes[start..end];
        // What follows the last end of line is no line, unless something is there.
        let is_line = !line.is_empty() || end < self.bytes.len();
        is_line.then(|| line.strip_suffix(b"\r").unwrap_or(line))
    }

    fn characters(&self, point: Point) -> Point {
        let line = self.line(point.line).unwrap_or_default();
        let before = point.column.saturating_sub(1) as usize;
        let bytes = &line[..before.min(line.len())];
        let extra = bytes.len() - String::from_utf8_lossy(bytes).chars().count();
        Point { column: u32::try_from(extra).map_or(1, |extra| point.column - extra), ..point }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The column in characters of a byte's column on line 2 of `text`.
    fn column(text: &[u8], column: u32) -> u32 {
        let source = |_: &Path| Some(text.into());
        let place = Location::point(Path::new("a.c"), 2, column);
        Texts::new(&source).in_characters(&place).unwrap().start.column
    }

    #[test]
    fn characters_are_counted() {
        assert_eq!(column("ä\n/* ä€ */ x\n".as_bytes(), 12), 9);
        assert_eq!(column(b"\n/* \xe4\xfc */ x\n", 10), 10);
        assert_eq!(column(b"\nabc\n", 3), 3);
    }

    #[test]
    fn places_beyond_the_text_do_no_harm() {
        assert_eq!(column("\nä\n".as_bytes(), 9), 8);
        assert_eq!(column("ä".as_bytes(), 9), 9);
        assert_eq!(column("\nä".as_bytes(), 0), 0);
    }

    #[test]
    fn unknown_files_stay_as_they_are() {
        let place = Location::point(Path::new("a.c"), 1, 7);
        assert_eq!(Texts::new(&|_| None).in_characters(&place), place.range);
        assert_eq!(Texts::new(&|_| None).in_characters(&Location::file(Path::new("a.c"))), None);
    }

    #[test]
    fn lines_have_no_ends() {
        let text = Text::new(b"one\r\n\ntwo"[..].into());
        let lines: Vec<_> = (0..5).map(|number| text.line(number)).collect();
        let some = |line: &'static str| Some(line.as_bytes());
        assert_eq!(lines, [None, some("one"), some(""), some("two"), None]);
        assert_eq!(Text::new(b"one\n"[..].into()).line(2), None);
        assert_eq!(Text::new(b""[..].into()).line(1), None);
    }

    #[test]
    fn each_file_is_read_once() {
        let reads = Cell::new(0);
        let source = |_: &Path| {
            reads.set(reads.get() + 1);
            None
        };
        let texts = Texts::new(&source);
        (0..3).for_each(|_| assert!(texts.get(Path::new("a.c")).is_none()));
        assert_eq!(reads.get(), 1);
    }
}
