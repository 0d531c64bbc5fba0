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
    /// Keep functions that the verifier rejects, for a look at them.
    pub keep_broken: bool,
}

impl Options {
    #[must_use]
    pub fn new(threads: NonZeroUsize) -> Self {
        let limits = Limits::default();
        let unit_time = limits.time * 2;
        Self { threads, limits, unit_time, keep_broken: false }
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
