//! How long each stage took.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use caulk_finding::Stage;

/// Of one unit, or of all units summed: then it is processor time over all threads, as long as
/// there are no more threads than processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Preprocessing.
    pub reading: Duration,
    pub parsing: Duration,
    pub checking: Duration,
    pub lowering: Duration,
    pub verifying: Duration,
    /// Counting, and what the visitor does.
    pub visiting: Duration,
    /// Giving memory back.
    pub releasing: Duration,
}

impl StageTimes {
    /// In the order of the stages.
    #[must_use]
    pub fn rows(&self) -> Vec<Stage> {
        let row = |name, time| Stage { name, time };
        vec![
            row("reading", self.reading),
            row("parsing", self.parsing),
            row("checking", self.checking),
            row("lowering", self.lowering),
            row("verifying", self.verifying),
            row("counting", self.visiting),
            row("releasing", self.releasing),
        ]
    }
}

impl AddAssign for StageTimes {
    fn add_assign(&mut self, other: Self) {
        self.reading += other.reading;
        self.parsing += other.parsing;
        self.checking += other.checking;
        self.lowering += other.lowering;
        self.verifying += other.verifying;
        self.visiting += other.visiting;
        self.releasing += other.releasing;
    }
}

/// The time of one step, added to `total`.
pub(crate) fn timed<T>(total: &mut Duration, step: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = step();
    *total += start.elapsed();
    result
}
