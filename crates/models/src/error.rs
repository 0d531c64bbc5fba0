//! A model file that cannot be understood.

use std::fmt;

/// The first mistake in a model file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl ModelError {
    /// An error at a byte of the text.
    pub(crate) fn at(file: &str, text: &str, byte: usize, message: String) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { file: file.to_string(), line: number(line), column: number(column), message }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for ModelError {}
