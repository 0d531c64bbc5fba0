//! What can leak: classes of things that one function hands out and another takes back.

use std::fmt;
use std::sync::Arc;

/// A class of resources by its name: `memory`, `file`, `descriptor`, or one that a user named.
/// Two functions work on the same resource when the names are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource(Arc<str>);

impl Resource {
    pub const MEMORY: &'static str = "memory";

    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// What `malloc` hands out.
    #[must_use]
    pub fn memory() -> Self {
        Self::new(Self::MEMORY)
    }

    #[must_use]
    pub fn is_memory(&self) -> bool {
        self.name() == Self::MEMORY
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
