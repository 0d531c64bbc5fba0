//! How a run is steered: budgets, cancelling, progress.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use caulk_cfront::Limits;

#[derive(Clone, Debug)]
pub struct Options {
    pub threads: NonZeroUsize,
    /// What one unit may cost in the front end.
    pub limits: Limits,
    /// Wall time for one unit through all stages. A unit that takes longer is abandoned with its
    /// thread, and the others go on.
    pub unit_time: Duration,
    pub memory: Option<MemoryLimit>,
    pub attempt: Attempt,
    /// Keep functions that the verifier rejects, for a look at them.
    pub keep_broken: bool,
}

impl Options {
    #[must_use]
    pub fn new(threads: NonZeroUsize) -> Self {
        let limits = Limits::default();
        let unit_time = limits.time * 2;
        let attempt = Attempt::default();
        Self { threads, limits, unit_time, memory: None, attempt, keep_broken: false }
    }
}

/// How much memory the process may have while units are read, and how it knows what it has.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    pub bytes: u64,
    pub in_use: fn() -> Option<u64>,
}

/// What earlier attempts at the same run have taught. A unit that eats up memory cannot be
/// stopped inside its process, so the run starts again in a new one, and treats it with care.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// Indices of units that took too much memory all by themselves: not read again.
    pub given_up: Vec<usize>,
    /// Units that ran while memory went short: read last, one at a time.
    pub alone: Vec<usize>,
}

impl Attempt {
    /// What to try next, after `culprits` used up the memory.
    pub(crate) fn after(&self, culprits: &[usize]) -> Self {
        let mut next = self.clone();
        let is_sure = culprits.len() == 1;
        next.alone.retain(|unit| !culprits.contains(unit));
        if is_sure { &mut next.given_up } else { &mut next.alone }.extend(culprits);
        next
    }
}

/// Raised once, from any thread, to end a run early.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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

    #[test]
    fn suspects_are_tried_alone_before_they_are_given_up() {
        let first = Attempt::default().after(&[3, 7]);
        assert_eq!(first, Attempt { given_up: vec![], alone: vec![3, 7] });
        assert_eq!(first.after(&[7]), Attempt { given_up: vec![7], alone: vec![3] });
    }
}
