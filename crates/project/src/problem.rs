//! What went wrong or was left out while a project was read, as values.
//!
//! A `Problem` means that input a person asked for will not be analysed; its text ends with what
//! to do next. A `Skipped` row counts commands that are simply not C compilations.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where in a file something was said; `line` and `column` count from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    pub file: Option<PathBuf>,
    pub line: Option<u32>,
    pub column: Option<u32>,
}

impl Problem {
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), file: None, line: None, column: None }
    }

    #[must_use]
    pub fn in_file(mut self, file: &Path) -> Self {
        self.file = Some(file.to_path_buf());
        self
    }

    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.line = Some(position.line);
        self.column = Some(position.column);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            for number in [self.line, self.column].into_iter().flatten() {
                write!(f, "{number}:")?;
            }
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Problem {}

/// Why a command is not a C compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    Cpp,
    Assembly,
    /// Objective-C, Fortran, CUDA, …
    OtherLanguage,
    /// A header compiled on its own, usually into a precompiled header.
    Header,
    /// `-E`, `-M` or `-MM`: the command makes no code.
    PreprocessOnly,
    /// No source among the arguments: a link, an archive, a query.
    NoSource,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SkipReason::Cpp => "C++",
            SkipReason::Assembly => "assembly",
            SkipReason::OtherLanguage => "a language other than C",
            SkipReason::Header => "a header on its own",
            SkipReason::PreprocessOnly => "preprocessing only",
            SkipReason::NoSource => "no source file in the command",
        })
    }
}

/// All commands that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub reason: SkipReason,
    pub count: usize,
    /// The first few files, for a message.
    pub examples: Vec<PathBuf>,
}

const EXAMPLES: usize = 3;

/// Counts one more skipped command. Rows stay in the order of `SkipReason`.
pub(crate) fn count_skipped(rows: &mut Vec<Skipped>, reason: SkipReason, file: &Path) {
    let at = rows.partition_point(|row| row.reason < reason);
    if rows.get(at).is_none_or(|row| row.reason != reason) {
        rows.insert(at, Skipped { reason, count: 0, examples: Vec::new() });
    }
    let row = &mut rows[at];
    row.count += 1;
    if row.examples.len() < EXAMPLES {
        row.examples.push(file.to_path_buf());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_prints_as_compilers_do() {
        let problem = Problem::new("wrong");
        assert_eq!(problem.to_string(), "wrong");
        let problem = problem.in_file(Path::new("db.json")).at(Position { line: 3, column: 7 });
        assert_eq!(problem.to_string(), "db.json:3:7: wrong");
    }

    #[test]
    fn skipped_rows_are_counted_in_order() {
        let mut rows = Vec::new();
        count_skipped(&mut rows, SkipReason::NoSource, Path::new("x"));
        for n in 0..5 {
            count_skipped(&mut rows, SkipReason::Cpp, Path::new(&n.to_string()));
        }
        let counts: Vec<_> = rows.iter().map(|row| (row.reason, row.count)).collect();
        assert_eq!(counts, [(SkipReason::Cpp, 5), (SkipReason::NoSource, 1)]);
        assert_eq!(rows[0].examples.len(), 3);
    }
}
