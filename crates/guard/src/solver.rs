//! Questions to a solver, and its answers (F7).
//!
//! The consistency of switches is part of every question. For one guard all solvers give the same
//! answer and the same assignment: that of the least model, false first in the order of atoms,
//! without the decisions that the guard does not need.

use std::fmt;

use crate::assignment::Assignment;
use crate::formula::{Formulas, GuardId};

pub trait Solver {
    /// Whether some decisions make the guard hold.
    fn satisfiable(&mut self, formulas: &Formulas, guard: GuardId) -> Answer;

    fn statistics(&self) -> &Statistics;

    /// Whether the guard holds whatever the decisions; nothing if the solver gave up.
    fn valid(&mut self, formulas: &Formulas, guard: GuardId) -> Option<bool> {
        match self.satisfiable(formulas, formulas.not(guard)) {
            Answer::Sat(_) => Some(false),
            Answer::Unsat => Some(true),
            Answer::GaveUp(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat(Assignment),
    Unsat,
    GaveUp(Reason),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The formula was past its bounds when it was built.
    TooLarge,
    /// The search met more conflicts than allowed.
    Conflicts,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::TooLarge => "the formula is too large",
            Reason::Conflicts => "the search met too many conflicts",
        })
    }
}

/// What a solver was asked, and how it went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub queries: u64,
    pub satisfiable: u64,
    pub unsatisfiable: u64,
    pub gave_up: u64,
    /// Queries that the BDD back end left to SAT.
    pub fallbacks: u64,
    /// The most nodes of one BDD.
    pub peak_nodes: usize,
}

impl Statistics {
    /// Adds what another solver did.
    pub fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.satisfiable += other.satisfiable;
        self.unsatisfiable += other.unsatisfiable;
        self.gave_up += other.gave_up;
        self.fallbacks += other.fallbacks;
        self.peak_nodes = self.peak_nodes.max(other.peak_nodes);
    }

    pub(crate) fn count(&mut self, answer: &Answer) {
        self.queries += 1;
        match answer {
            Answer::Sat(_) => self.satisfiable += 1,
            Answer::Unsat => self.unsatisfiable += 1,
            Answer::GaveUp(_) => self.gave_up += 1,
        }
    }
}

/// The answer for a constant or a formula past its bounds.
pub(crate) fn answer_at_once(guard: GuardId) -> Option<Answer> {
    match guard {
        GuardId::TRUE => Some(Answer::Sat(Assignment::default())),
        GuardId::FALSE => Some(Answer::Unsat),
        GuardId::TOO_LARGE => Some(Answer::GaveUp(Reason::TooLarge)),
        _ => None,
    }
}
