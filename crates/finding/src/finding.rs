//! One thing that is wrong with the program, with the way that leads to it.

use serde::{Deserialize, Serialize};

use crate::{Location, Replay, names};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// No path releases it.
    NeverFreed,
    /// Some paths release it, some lose it.
    SomePath,
    /// Its last reference is replaced by something else.
    Overwritten,
    /// The object that holds its last reference is released or lost.
    LostWithOwner,
    /// Lost on a path that only another allocation's failure opens.
    SecondFailure,
    /// Never released, but lost only when the process ends.
    AtExit,
    DoubleFree,
    UseAfterFree,
    /// Released by a function of another family: `popen` and `fclose`.
    MismatchedRelease,
    /// Released, but not acquired: a variable, or a place inside of what was.
    InvalidRelease,
    /// Acquired again while it is held: a lock that waits for itself.
    DoubleAcquire,
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::NeverFreed,
        Kind::SomePath,
        Kind::Overwritten,
        Kind::LostWithOwner,
        Kind::SecondFailure,
        Kind::AtExit,
        Kind::DoubleFree,
        Kind::UseAfterFree,
        Kind::MismatchedRelease,
        Kind::InvalidRelease,
        Kind::DoubleAcquire,
    ];

    /// The name that suppressions, baselines and formats use; it never changes.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Kind::NeverFreed => "leak/never-freed",
            Kind::SomePath => "leak/some-path",
            Kind::Overwritten => "leak/overwritten",
            Kind::LostWithOwner => "leak/lost-with-owner",
            Kind::SecondFailure => "leak/second-failure",
            Kind::AtExit => "leak/at-exit",
            Kind::DoubleFree => "double-free",
            Kind::UseAfterFree => "use-after-free",
            Kind::MismatchedRelease => "mismatched-release",
            Kind::InvalidRelease => "invalid-release",
            Kind::DoubleAcquire => "double-acquire",
        }
    }

    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Kind::NeverFreed => "a resource is acquired and never released",
            Kind::SomePath => "a resource is lost on some path",
            Kind::Overwritten => "the last reference to a resource is overwritten",
            Kind::LostWithOwner => "a resource is lost together with the object that holds it",
            Kind::SecondFailure => "a resource is lost when another allocation fails",
            Kind::AtExit => "a resource is still held when the process ends",
            Kind::DoubleFree => "a resource is released twice",
            Kind::UseAfterFree => "a resource is used after its release",
            Kind::MismatchedRelease => "a resource is released by the wrong function",
            Kind::InvalidRelease => "something is released that was not acquired",
            Kind::DoubleAcquire => "a resource is acquired again while it is held",
        }
    }

    /// Whether something is lost, rather than released once too often.
    #[must_use]
    pub fn is_leak(self) -> bool {
        !matches!(
            self,
            Kind::DoubleFree
                | Kind::UseAfterFree
                | Kind::MismatchedRelease
                | Kind::InvalidRelease
                | Kind::DoubleAcquire
        )
    }

    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    pub const ALL: [Confidence; 3] = [Confidence::Low, Confidence::Medium, Confidence::High];

    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|confidence| confidence.id() == id)
    }

    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

/// How often the harm is done. The worst comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Harm {
    /// Again in every turn of a loop.
    PerIteration,
    PerCall,
    /// In `main`, or in what runs once.
    PerProcess,
}

/// What happens at a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    Allocation,
    /// The value moves on: stored, passed, returned.
    Flow,
    /// A branch goes this way.
    Decision,
    Release,
    Loss,
    /// Something else that is lost with the object.
    Along,
}

impl Role {
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Role::Allocation => "allocation",
            Role::Flow => "flow",
            Role::Decision => "decision",
            Role::Release => "release",
            Role::Loss => "loss",
            Role::Along => "along",
        }
    }
}

/// One station on the way from the allocation to the loss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub role: Role,
    pub location: Location,
    pub message: String,
}

/// Who shares a doubt, so that it is not dispelled by what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sharing {
    /// Another engine that says the same is believed.
    #[default]
    Nobody,
    /// Another engine is not, a run is.
    Engines,
    /// Neither is, and runs of the function alone are not tried.
    Everybody,
}

/// In messages: the object is inside another that the same call makes.
pub const A_PART: &str = "(a part of what it makes)";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub kind: Kind,
    pub confidence: Confidence,
    /// Why the confidence is what it is, in words.
    pub reason: String,
    /// Who knows no better what makes the confidence low.
    pub shared_doubt: Sharing,
    pub harm: Harm,
    /// What is lost, as in "a file": `memory`, `file`, `descriptor`, ….
    pub resource: String,
    pub message: String,
    /// Where a programmer would look first: the allocation.
    pub primary: Location,
    /// In the order of execution, from the allocation to the loss.
    pub path: Vec<Step>,
    /// Where the release is missing, and what it would be.
    pub suggestion: Option<Suggestion>,
    /// The function that `primary` is in.
    pub function: String,
    /// The user's name of the engine that says so.
    #[serde(deserialize_with = "names::name")]
    pub engine: names::Name,
    /// The same for the same finding after unrelated edits. Engines leave it empty; see
    /// `fingerprint::assign`.
    pub fingerprint: String,
    pub replay: Replay,
}

/// A place for the missing release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// The release goes before what stands here.
    pub location: Location,
    /// `free (buffer);`
    pub code: String,
}
