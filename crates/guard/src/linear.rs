//! The linear-time contradiction filter (K6).
//!
//! It keeps the decisions that a growing conjunction forces, positive and negative, and stops at
//! `a ∧ ¬a`. Of a disjunction it keeps what all operands force. An open conjunction may still be
//! unsatisfiable, and is left to a solver; a contradiction is final.
//!
//! A search that extends and abandons paths takes a [`Mark`] before a step and undoes it after.

use std::collections::hash_map::Entry;

use caulk_base::FxHashMap;

use crate::formula::{Form, Formulas, GuardId};
use crate::switch::{AtomId, EdgeSet, SwitchId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Contradiction,
    Open,
}

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Branch(AtomId),
    Switch(SwitchId),
}

/// How it is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    Taken(bool),
    /// One of these edges.
    Edges(EdgeSet),
}

impl Fact {
    /// Both facts; nothing if they contradict each other.
    fn meet(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Fact::Edges(mine), Fact::Edges(theirs)) => {
                let both = mine.intersection(theirs);
                (!both.is_empty()).then_some(Fact::Edges(both))
            }
            _ => (self == other).then(|| self.clone()),
        }
    }

    /// Either fact; nothing if that leaves all open.
    fn join(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Fact::Edges(mine), Fact::Edges(theirs)) => {
                let either = mine.union(theirs);
                (!either.is_full()).then_some(Fact::Edges(either))
            }
            _ => (self == other).then(|| self.clone()),
        }
    }
}

type Facts = FxHashMap<Subject, Fact>;

/// A state of [`Linear`] to return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    changes: usize,
    contradiction: bool,
}

/// A conjunction, as far as it is decided.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    facts: Facts,
    /// What each change replaced.
    changes: Vec<(Subject, Option<Fact>)>,
    contradiction: bool,
}

impl Linear {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn contradicts(&self) -> bool {
        self.contradiction
    }

    /// Adds a conjunct.
    pub fn assume(&mut self, formulas: &Formulas, guard: GuardId) -> Verdict {
        self.contradiction |= !self.add(formulas, guard);
        if self.contradiction { Verdict::Contradiction } else { Verdict::Open }
    }

    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark { changes: self.changes.len(), contradiction: self.contradiction }
    }

    /// Forgets what was assumed since the mark. Marks are undone in the opposite order of their
    /// taking.
    pub fn undo(&mut self, mark: Mark) {
        while self.changes.len() > mark.changes {
            match self.changes.pop() {
                Some((subject, Some(fact))) => drop(self.facts.insert(subject, fact)),
                Some((subject, None)) => drop(self.facts.remove(&subject)),
                None => break,
            }
        }
        self.contradiction = mark.contradiction;
    }

    /// False at a contradiction.
    fn add(&mut self, formulas: &Formulas, guard: GuardId) -> bool {
        match formulas.form(guard) {
            Form::True | Form::TooLarge => true,
            Form::False => false,
            Form::Atom(atom, taken) => self.learn(Subject::Branch(atom), Fact::Taken(taken)),
            Form::OneOf(switch, edges) => {
                self.learn(Subject::Switch(switch), Fact::Edges(edges.clone()))
            }
            Form::And(operands) => operands.iter().all(|&operand| self.add(formulas, operand)),
            Form::Or(operands) => match forced_by_all(formulas, operands) {
                None => false,
                Some(facts) => facts.into_iter().all(|(subject, fact)| self.learn(subject, fact)),
            },
        }
    }

    fn learn(&mut self, subject: Subject, fact: Fact) -> bool {
        let (before, now) = match self.facts.entry(subject) {
            Entry::Vacant(entry) => {
                entry.insert(fact);
                (None, true)
            }
            Entry::Occupied(mut entry) => match entry.get().meet(&fact) {
                None => return false,
                Some(both) if both == *entry.get() => return true,
                Some(both) => (Some(entry.insert(both)), true),
            },
        };
        self.changes.push((subject, before));
        now
    }
}

/// Whether a single guard contradicts itself in plain sight.
#[must_use]
pub fn check(formulas: &Formulas, guard: GuardId) -> Verdict {
    Linear::new().assume(formulas, guard)
}

/// What each operand forces that does not contradict itself; nothing if all do.
fn forced_by_all(formulas: &Formulas, operands: &[GuardId]) -> Option<Facts> {
    let mut forced: Option<Facts> = None;
    for &operand in operands {
        if forced.as_ref().is_some_and(|facts| facts.is_empty()) {
            break;
        }
        let mut linear = Linear::new();
        if linear.assume(formulas, operand) == Verdict::Open {
            forced = Some(match forced {
                None => linear.facts,
                Some(facts) => join(facts, &linear.facts),
            });
        }
    }
    forced
}

fn join(mut left: Facts, right: &Facts) -> Facts {
    left.retain(|subject, fact| match right.get(subject).and_then(|other| fact.join(other)) {
        None => false,
        Some(either) => {
            *fact = either;
            true
        }
    });
    left
}
