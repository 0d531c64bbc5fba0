//! What running a finding showed: whether the loss happens when the function is executed.

use crate::Location;
use serde::{Deserialize, Serialize};

/// How a finding can be run, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The blocks of the finding's function from its entry to the loss, where the engine followed
    /// a single path: numbers of the run that made the finding. Empty where it did not.
    pub route: Vec<u32>,
    /// The call that makes the object, where the engine knows it to be inside of what the primary place
    /// calls: other objects of that call are not meant.
    pub made_at: Option<Location>,
    /// When it happens, where the engine computed a condition over the function's inputs.
    pub when: Option<When>,
    /// None until somebody ran it.
    pub outcome: Option<Outcome>,
}

/// A condition over the inputs of a function, as people read it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct When {
    /// `leaks when n >= 2: every cell but the last`.
    pub text: String,
    /// Inputs that fulfil it; empty where none were found.
    pub inputs: Vec<Given>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub proof: Proof,
    /// What happened, in words.
    pub why: String,
    /// What the function was given, by the names of the source.
    pub inputs: Vec<Given>,
    /// Where it happened, innermost first; empty unless a run showed it.
    pub stack: Vec<Station>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Proof {
    /// A run did what the finding says.
    Confirmed,
    /// A run did, but it needs pointers in memory that may never be like this.
    Conditional,
    /// No run along the finding's path does.
    Refuted,
    /// It could not be run, or not to its end.
    NotReplayable,
}

impl Proof {
    pub const ALL: [Proof; 4] =
        [Proof::Confirmed, Proof::Conditional, Proof::Refuted, Proof::NotReplayable];

    /// The name that formats use; it never changes.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Proof::Confirmed => "confirmed",
            Proof::Conditional => "conditional",
            Proof::Refuted => "refuted",
            Proof::NotReplayable => "not-replayable",
        }
    }

    /// As people say it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Proof::NotReplayable => "not replayable",
            other => other.id(),
        }
    }
}

/// One input of a run: `n` is `3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    pub name: String,
    pub value: String,
}

/// One activation of a call stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Station {
    pub function: String,
    /// `src/a.c:12:5`.
    pub place: String,
}

impl Replay {
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        self.outcome.as_ref().map(|outcome| outcome.proof)
    }
}
