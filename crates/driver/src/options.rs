//! How a run is steered: budgets, cancelling, progress.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use caulk_cfront::Limits;
use caulk_project::{Culprits, Journal, UnitCache};

#[derive(Clone, Debug)]
pub struct Options {
    pub threads: NonZeroUsize,
    /// What one unit may cost in the front end.
    pub limits: Limits,
    /// The stack of each thread; `limits` rely on it.
    pub stack_bytes: usize,
    /// Wall time for one unit through all stages. A unit that takes longer is abandoned with its
    /// thread, and the others go on.
    pub unit_time: Duration,
    pub memory: Option<MemoryLimit>,
    pub attempt: Attempt,
    /// Told which units are being read, for when the process does not survive it.
    pub journal: Option<Arc<Journal>>,
    /// Keep functions that the verifier rejects, for a look at them.
    pub keep_broken: bool,
    /// Where units are kept between runs. Visitors do not see the trees of units that come from
    /// there.
    pub cache: Option<Arc<UnitCache>>,
}

impl Options {
    #[must_use]
    pub fn new(threads: NonZeroUsize) -> Self {
        let limits = Limits::default();
        Self {
            threads,
            stack_bytes: limits.stack_bytes,
            unit_time: limits.time * 2,
            limits,
            memory: None,
            attempt: Attempt::default(),
            journal: None,
            keep_broken: false,
            cache: None,
        }
    }
}

/// How much memory the process may have while units are read, and how it knows what it has.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    pub bytes: u64,
    /// What the units that are done may hold. When they have more, the rest is not read: no single
    /// unit is to blame, and whoever judges them needs memory, too.
    pub kept: u64,
    pub in_use: fn() -> Option<u64>,
}

/// What earlier attempts at the same run have taught. A unit that eats up memory or crashes cannot
/// be stopped inside its process, so the run starts again in a new one, and treats it with care.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// Units that are not read again, with what they did all by themselves.
    pub given_up: Vec<(usize, String)>,
    /// Units that were read when it happened: read last, one at a time.
    pub alone: Vec<usize>,
}

impl Attempt {
    /// What to try next. Each step makes one of the two lists grow, so steps come to an end.
    #[must_use]
    pub fn after(&self, culprits: &Culprits) -> Self {
        let mut next = self.clone();
        let is_new = |unit: &&usize| !self.alone.contains(unit);
        let suspects: Vec<usize> = culprits.units.iter().filter(is_new).copied().collect();
        match culprits.units.last() {
            Some(&unit) if culprits.units.len() == 1 || suspects.is_empty() => {
                next.alone.retain(|&other| other != unit);
                next.given_up.push((unit, culprits.why.clone()));
            }
            _ => next.alone.extend(suspects),
        }
        next
    }
}

/// Why a run ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Interrupted,
    OutOfTime,
    OutOfMemory,
}

/// Raised once, from any thread, to end a run early. The first reason counts.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag {
    reason: Arc<OnceLock<Stop>>,
    raised: Arc<AtomicBool>,
}

impl CancelFlag {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self) {
        self.raise(Stop::Interrupted);
    }

    pub fn out_of_time(&self) {
        self.raise(Stop::OutOfTime);
    }

    pub fn out_of_memory(&self) {
        self.raise(Stop::OutOfMemory);
    }

    fn raise(&self, stop: Stop) {
        let _ = self.reason.set(stop);
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Raised together with this one, for those who need not know the reason.
    #[must_use]
    pub fn raised(&self) -> Arc<AtomicBool> {
        self.raised.clone()
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.reason.get().is_some()
    }

    #[must_use]
    pub fn reason(&self) -> Option<Stop> {
        self.reason.get().copied()
    }
}

/// Told how far a run is, on the thread that started it, several times a second.
pub trait Progress {
    fn units(&self, done: usize, total: usize);
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {
    fn units(&self, _: usize, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(attempt: &Attempt, units: &[usize]) -> Attempt {
        attempt.after(&Culprits { units: units.to_vec(), why: "no".into() })
    }

    #[test]
    fn suspects_are_tried_alone_before_they_are_given_up() {
        let first = after(&Attempt::default(), &[3, 7]);
        assert_eq!(first, Attempt { given_up: vec![], alone: vec![3, 7] });
        let second = after(&first, &[7]);
        assert_eq!(second, Attempt { given_up: vec![(7, "no".into())], alone: vec![3] });
    }

    #[test]
    fn a_suspect_that_hangs_does_not_hide_the_next() {
        let attempt = Attempt { given_up: vec![], alone: vec![3, 7] };
        assert_eq!(after(&attempt, &[3, 7]).given_up, [(7, "no".into())]);
        assert_eq!(after(&attempt, &[3, 9]).alone, [3, 7, 9]);
    }
}
