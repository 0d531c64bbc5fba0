//! Where something stands in the source, with an owned path.

use std::fmt;
use std::path::{Path, PathBuf};

use caulk_base::{Files, Place, Span};
use serde::{Deserialize, Serialize};

/// `line` and `column` count from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Point {
    pub line: u32,
    pub column: u32,
}

/// `end` is one past the last byte; equal to `start` where only a point is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Range {
    pub start: Point,
    pub end: Point,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    /// As shown to people.
    pub path: PathBuf,
    /// None for the file as a whole.
    pub range: Option<Range>,
    /// For text that came out of a macro: where the macro spells it.
    pub in_macro: Option<(PathBuf, Point)>,
}

impl Location {
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self { path: path.to_path_buf(), range: None, in_macro: None }
    }

    #[must_use]
    pub fn point(path: &Path, line: u32, column: u32) -> Self {
        let start = Point { line, column };
        Self { range: Some(Range { start, end: start }), ..Self::file(path) }
    }

    /// The place of a span, unless it is in no known file.
    #[must_use]
    pub fn of_span(span: &Span, files: &Files) -> Option<Self> {
        let path = &files.get(span.start.file)?.path;
        let end = Point { line: span.end_line, column: span.end_column };
        let range = Range { start: point(span.start), end };
        let spelled = |place: Place| Some((files.get(place.file)?.path.clone(), point(place)));
        let in_macro = span.in_macro.and_then(spelled);
        Some(Self { path: path.clone(), range: Some(range), in_macro })
    }
}

fn point(place: Place) -> Point {
    Point { line: place.line, column: place.column }
}

/// `src/a.c:12:5`, or the file alone.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        match self.range {
            Some(Range { start, .. }) => write!(f, ":{}:{}", start.line, start.column),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use caulk_base::{File, FileId};

    use super::*;

    #[test]
    fn locations_print_as_compilers_do() {
        assert_eq!(Location::point(Path::new("a.c"), 3, 7).to_string(), "a.c:3:7");
        assert_eq!(Location::file(Path::new("a.c")).to_string(), "a.c");
    }

    #[test]
    fn a_span_keeps_both_ends_of_a_macro() {
        let mut files = Files::new();
        let file = files.push(File { path: "a.c".into(), system: false });
        let header = files.push(File { path: "a.h".into(), system: false });
        let place = |file, line, column| Place { file, line, column };
        let in_macro = Some(place(header, 1, 9));
        let span = Span { start: place(file, 4, 2), end_line: 4, end_column: 8, in_macro };
        let location = Location::of_span(&span, &files).unwrap();
        assert_eq!(location.to_string(), "a.c:4:2");
        assert_eq!(location.range.unwrap().end, Point { line: 4, column: 8 });
        assert_eq!(location.in_macro, Some(("a.h".into(), Point { line: 1, column: 9 })));
        assert_eq!(Location::of_span(&Span::at(place(FileId(9), 1, 1)), &files), None);
    }
}
