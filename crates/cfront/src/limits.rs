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

/// Stack that one level of nesting may take in any stage, measured (see the tests of nesting),
/// with as much again left for the passes that walk the tree afterwards.
const STACK_PER_LEVEL: usize = 4096;

impl Limits {
    /// How deep expressions and statements may nest.
    #[must_use]
    pub fn max_levels(&self) -> usize {
        self.stack_bytes / STACK_PER_LEVEL
    }

    /// How deep round brackets may nest in a file that is yet to be preprocessed.
    pub(crate) fn max_brackets(&self) -> usize {
        self.stack_bytes / STACK_PER_LEVEL
    }
}
