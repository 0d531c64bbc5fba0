//! What went wrong while a unit was read, as values.

use std::path::PathBuf;

/// How many errors of one unit are kept; the rest are only counted.
pub(crate) const KEPT_ERRORS: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The unit is whole, but something about it should be known (say, its encoding was guessed).
    Note,
    /// Part of the unit, or all of it, could not be checked.
    Error,
}

/// A place as a message prints it: `#line` is followed, columns count bytes from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub file: PathBuf,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontError {
    pub severity: Severity,
    pub message: String,
    pub position: Option<Position>,
}

impl FrontError {
    #[must_use]
    pub fn error(message: impl Into<String>, position: Option<Position>) -> Self {
        Self { severity: Severity::Error, message: message.into(), position }
    }

    #[must_use]
    pub fn note(message: impl Into<String>, position: Option<Position>) -> Self {
        Self { severity: Severity::Note, message: message.into(), position }
    }
}

impl std::fmt::Display for FrontError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(at) = &self.position {
            write!(f, "{}:{}:{}: ", at.file.display(), at.line, at.column)?;
        }
        let kind = if self.severity == Severity::Error { "error" } else { "note" };
        write!(f, "{kind}: {}", self.message)
    }
}

/// The errors of one unit: the first `KEPT_ERRORS`, and how many there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Errors {
    kept: Vec<FrontError>,
    dropped: usize,
}

impl Errors {
    pub(crate) fn push(&mut self, error: FrontError) {
        if self.kept.len() < KEPT_ERRORS {
            self.kept.push(error);
        } else {
            self.dropped += 1;
        }
    }

    /// Puts `first` before the others.
    pub(crate) fn prepend(&mut self, first: Vec<FrontError>) {
        for error in std::mem::replace(&mut self.kept, first) {
            self.push(error);
        }
    }

    /// The errors, and how many more there were.
    pub(crate) fn into_parts(self) -> (Vec<FrontError>, usize) {
        (self.kept, self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_errors_are_kept() {
        let mut errors = Errors::default();
        for index in 0..KEPT_ERRORS + 7 {
            errors.push(FrontError::error(index.to_string(), None));
        }
        let (kept, more) = errors.into_parts();
        assert_eq!((kept.len(), more), (KEPT_ERRORS, 7));
        assert_eq!(kept[0].message, "0");
    }
}
