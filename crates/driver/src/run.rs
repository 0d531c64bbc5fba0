//! All units of a project, in parallel.

use std::sync::Arc;
use std::time::{Duration, Instant};

use caulk_project::{Project, SourceFiles, Unit};

use crate::incomplete::unit_failed;
use crate::options::{CancelFlag, Options, Progress};
use crate::pool::{Outcome, PoolOptions, run_jobs};
use crate::times::StageTimes;
use crate::unit::{UnitOutcome, UnitVisitor, analyse};

/// What is analysed. Shared with the worker threads, one of which may outlive the run.
#[derive(Clone)]
pub struct Inputs {
    pub project: Arc<Project>,
    pub files: Arc<SourceFiles>,
}

impl Inputs {
    #[must_use]
    pub fn new(project: Project) -> Self {
        Self { project: Arc::new(project), files: Arc::new(SourceFiles::new()) }
    }
}

pub struct Run<T> {
    /// In the order of the project's units.
    pub outcomes: Vec<UnitOutcome<T>>,
    pub wall: Duration,
    pub interrupted: bool,
}

impl<T> Run<T> {
    /// Summed over all units.
    #[must_use]
    pub fn times(&self) -> StageTimes {
        let mut total = StageTimes::default();
        self.outcomes.iter().for_each(|outcome| total += outcome.times);
        total
    }
}

/// Takes every unit through all stages and hands it to the visitor.
pub fn run<V: UnitVisitor>(
    inputs: &Inputs,
    options: &Options,
    visitor: V,
    cancel: &CancelFlag,
    progress: &dyn Progress,
) -> Run<V::Output> {
    let start = Instant::now();
    let pool = PoolOptions {
        threads: options.threads.get(),
        stack_bytes: options.limits.stack_bytes,
        job_time: options.unit_time,
    };
    let order = biggest_first(&inputs.project.units, &inputs.files);
    let job = job(inputs.clone(), options.clone(), visitor);
    let outcomes = run_jobs(&pool, order, cancel, progress, job);
    let finish = |(unit, outcome)| finish(unit, outcome, options);
    let outcomes = inputs.project.units.iter().zip(outcomes).map(finish).collect();
    Run { outcomes, wall: start.elapsed(), interrupted: cancel.is_cancelled() }
}

fn job<V: UnitVisitor>(
    inputs: Inputs,
    options: Options,
    visitor: V,
) -> impl Fn(usize) -> UnitOutcome<V::Output> + Send + Sync + 'static {
    move |index| analyse(&inputs.project.units[index], &inputs.files, &options, &visitor)
}

/// So that no thread is left with a big unit at the end.
fn biggest_first(units: &[Unit], files: &SourceFiles) -> Vec<usize> {
    let size = |unit: &Unit| files.read(&unit.source).map_or(0, |bytes| bytes.len());
    let mut order: Vec<(usize, usize)> = units.iter().map(size).enumerate().collect();
    order.sort_by_key(|&(index, size)| (std::cmp::Reverse(size), index));
    order.into_iter().map(|(index, _)| index).collect()
}

fn finish<T>(unit: &Unit, outcome: Outcome<UnitOutcome<T>>, options: &Options) -> UnitOutcome<T> {
    let why = match outcome {
        Outcome::Done(done) => return done,
        Outcome::NotReached => return UnitOutcome::empty(),
        Outcome::Panicked(text) => format!("internal error: {text}"),
        Outcome::OverTime => {
            format!("took more than {} seconds and was given up", options.unit_time.as_secs())
        }
        Outcome::NoThread(text) => format!("the system gives no thread to work on it: {text}"),
    };
    UnitOutcome::failed(unit_failed(unit, why))
}
