//! One thing that is wrong with the program, with the way that leads to it.

use crate::Location;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// No path frees it.
    NeverFreed,
    /// Some paths free it, some lose it.
    SomePath,
    DoubleFree,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::NeverFreed, Kind::SomePath, Kind::DoubleFree];

    /// The name that suppressions, baselines and formats use; it never changes.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Kind::NeverFreed => "leak/never-freed",
            Kind::SomePath => "leak/some-path",
            Kind::DoubleFree => "double-free",
        }
    }

    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Kind::NeverFreed => "memory is allocated and never freed",
            Kind::SomePath => "memory is lost on some path",
            Kind::DoubleFree => "memory is freed twice",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    Low,
    Medium,
    High,
}

/// One station on the way from the allocation to the loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub location: Location,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: Kind,
    pub confidence: Confidence,
    pub message: String,
    /// Where a programmer would fix it.
    pub primary: Location,
    pub path: Vec<Step>,
    /// The function that `primary` is in.
    pub function: String,
    /// The same for the same finding after unrelated edits.
    pub fingerprint: String,
}
