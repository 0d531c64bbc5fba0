//! What can happen to a resource, and what can be wrong with it then.

use caulk_finding::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// Acquired again: a descriptor reopened, a lock taken anew.
    Acquire,
    Release,
    /// Released by a function of another resource.
    WrongRelease,
    /// By an address that nobody handed out: of a variable, or inside of what was made.
    StrayRelease,
    Use,
    /// Its last reference is replaced by something else.
    Overwrite,
    /// Its last reference ends.
    ScopeEnd,
    /// Somebody else has it now: a global, the caller, an unknown function.
    Escape,
}

impl Event {
    pub const ALL: [Event; 8] = [
        Event::Acquire,
        Event::Release,
        Event::WrongRelease,
        Event::StrayRelease,
        Event::Use,
        Event::Overwrite,
        Event::ScopeEnd,
        Event::Escape,
    ];

    /// The key in machine files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Event::Acquire => "acquire",
            Event::Release => "release",
            Event::WrongRelease => "wrong-release",
            Event::StrayRelease => "stray-release",
            Event::Use => "use",
            Event::Overwrite => "overwrite",
            Event::ScopeEnd => "scope-end",
            Event::Escape => "escape",
        }
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// What is wrong in an error state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    Leak,
    DoubleFree,
    UseAfterFree,
    MismatchedRelease,
    /// What is released was not acquired.
    InvalidRelease,
    /// Acquired again by who has it: a lock that waits for itself.
    DoubleAcquire,
}

impl Fault {
    pub const ALL: [Fault; 6] = [
        Fault::Leak,
        Fault::DoubleFree,
        Fault::UseAfterFree,
        Fault::MismatchedRelease,
        Fault::InvalidRelease,
        Fault::DoubleAcquire,
    ];

    /// The word in machine files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fault::Leak => "leak",
            Fault::DoubleFree => "double-free",
            Fault::UseAfterFree => "use-after-free",
            Fault::MismatchedRelease => "mismatched-release",
            Fault::InvalidRelease => "invalid-release",
            Fault::DoubleAcquire => "double-acquire",
        }
    }

    /// The kind of finding. Which of the leaks it is, a machine cannot know.
    #[must_use]
    pub fn kind(self) -> Option<Kind> {
        match self {
            Fault::Leak => None,
            Fault::DoubleFree => Some(Kind::DoubleFree),
            Fault::UseAfterFree => Some(Kind::UseAfterFree),
            Fault::MismatchedRelease => Some(Kind::MismatchedRelease),
            Fault::InvalidRelease => Some(Kind::InvalidRelease),
            Fault::DoubleAcquire => Some(Kind::DoubleAcquire),
        }
    }
}
