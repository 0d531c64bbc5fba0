//! The budgets of one unit.

use std::time::Duration;

/// What one unit may cost before it is refused. The caller runs `read_unit` on a thread whose
/// stack has at least `stack_bytes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub stack_bytes: usize,
    /// Tokens after macro expansion.
    pub max_tokens: usize,
    pub max_include_depth: u32,
    /// Wall time; looked at whenever a file is asked for and between the stages.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            stack_bytes: 256 << 20,
            max_tokens: 50_000_000,
            max_include_depth: 200,
            time: Duration::from_secs(60),
        }
    }
}

/// Stack that one level of nesting may take. The dependency's stages were measured to take up to
/// 2 KiB per counted level; the rest is for the passes that walk the tree after them, whose
/// unoptimised frames are larger.
const STACK_PER_LEVEL: usize = 16 << 10;

/// Levels of round brackets in text that is yet to be preprocessed. Nested macro calls cost the
/// preprocessor the square of their depth in memory: 1,000 levels take 100 MB, 20,000 never end.
/// The parser itself gives up at 256.
pub(crate) const MAX_BRACKETS: usize = 1000;

/// Elements that the ranges of all initialisers may stand for, as in `[0 ... 255] = x`. The
/// checker keeps 32 bytes for each, twice for a while.
pub(crate) const MAX_RANGE_ELEMENTS: u64 = 1 << 22;

impl Limits {
    /// How deep expressions and statements may nest.
    #[must_use]
    pub fn max_levels(&self) -> usize {
        self.stack_bytes / STACK_PER_LEVEL
    }
}
