//! Where a thing stands in the source, as a person would point at it.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::{Table, define_id};

define_id!(pub FileId, "file", "A source file or header.");
define_id!(pub SpanId, "at", "A source range, with the macro it came from.");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// As the compile command or the `#include` (or a `#line`) names it.
    pub path: PathBuf,
    /// Found in a system include folder: its bodies are not the user's code.
    pub system: bool,
}

pub type Files = Table<FileId, File>;

/// A position; `line` and `column` count from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

/// A range of source text. `start..end` is where a person would look: for text that came out of
/// a macro, the outermost use. `in_macro` is then where the text itself is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: Place,
    /// One past the last byte; always in the file of `start`.
    pub end_line: u32,
    pub end_column: u32,
    pub in_macro: Option<Place>,
}

impl Span {
    #[must_use]
    pub fn at(place: Place) -> Self {
        Self { start: place, end_line: place.line, end_column: place.column, in_macro: None }
    }
}

/// The spans of one module. Row 0 is reserved for "nowhere".
#[derive(Clone, Debug)]
pub struct Spans {
    rows: Table<SpanId, Span>,
    ids: FxHashMap<Span, SpanId>,
}

impl SpanId {
    /// The span of what no source text stands for.
    pub const NOWHERE: SpanId = SpanId(0);
}

impl Spans {
    #[must_use]
    pub fn new() -> Self {
        let nowhere = Span::at(Place { file: FileId(u32::MAX), line: 0, column: 0 });
        let mut rows = Table::new();
        rows.push(nowhere);
        Self { rows, ids: FxHashMap::default() }
    }

    pub fn add(&mut self, span: Span) -> SpanId {
        *self.ids.entry(span).or_insert_with(|| self.rows.push(span))
    }

    /// Adds a span that the caller knows to be new, or does not mind having twice.
    pub fn push(&mut self, span: Span) -> SpanId {
        self.rows.push(span)
    }

    /// The span, unless it is nowhere.
    #[must_use]
    pub fn get(&self, id: SpanId) -> Option<Span> {
        if id == SpanId::NOWHERE { None } else { self.rows.get(id).copied() }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }

    pub fn iter(&self) -> impl Iterator<Item = (SpanId, Span)> + '_ {
        self.rows.iter().skip(1).map(|(id, &span)| (id, span))
    }

    /// Drops the index used by `add`; adding again rebuilds nothing and may duplicate rows.
    pub fn freeze(&mut self) {
        self.ids = FxHashMap::default();
        self.rows.shrink_to_fit();
    }
}

impl Default for Spans {
    fn default() -> Self {
        Self::new()
    }
}
