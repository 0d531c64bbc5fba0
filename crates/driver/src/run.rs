//! All units of a project, in parallel.

use std::sync::Arc;
use std::time::{Duration, Instant};

use caulk_project::{Project, SourceFiles, Unit};

use crate::incomplete::unit_failed;
use crate::options::{Attempt, CancelFlag, Options, Progress};
use crate::pool::{Outcome, PoolOptions, Pooled, run_jobs};
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
    /// Memory was used up and the run ended early. Another process should do it again, with this
    /// in its options.
    pub retry: Option<Attempt>,
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
    let job = Arc::new(job(inputs.clone(), options.clone(), visitor));
    let units = &inputs.project.units;
    let Pooled { outcomes, culprits } = pooled(inputs, options, cancel, progress, &job);
    let finish = |(unit, outcome)| finish(unit, outcome, options);
    Run {
        outcomes: units.iter().zip(outcomes).map(finish).collect(),
        wall: start.elapsed(),
        interrupted: cancel.is_cancelled(),
        retry: (!culprits.is_empty()).then(|| options.attempt.after(&culprits)),
    }
}

/// All units at once, then those that need care.
fn pooled<T, F>(
    inputs: &Inputs,
    options: &Options,
    cancel: &CancelFlag,
    progress: &dyn Progress,
    job: &Arc<F>,
) -> Pooled<T>
where
    T: Send + 'static,
    F: Fn(usize) -> T + Send + Sync + 'static,
{
    let Attempt { given_up, alone } = &options.attempt;
    let units = &inputs.project.units;
    let mut order = biggest_first(units, &inputs.files);
    order.retain(|unit| !given_up.contains(unit) && !alone.contains(unit));
    let mut pool = PoolOptions {
        threads: options.threads.get(),
        stack_bytes: options.limits.stack_bytes,
        job_time: options.unit_time,
        memory: options.memory,
    };
    let mut all = run_jobs(&pool, units.len(), order, cancel, progress, job);
    pool.threads = 1;
    if all.culprits.is_empty() && !alone.is_empty() {
        let careful = run_jobs(&pool, units.len(), alone.clone(), cancel, progress, job);
        let pairs = all.outcomes.iter_mut().zip(careful.outcomes);
        pairs.for_each(|(row, outcome)| *row = row.take().or(outcome));
        all.culprits = careful.culprits;
    }
    given_up.iter().for_each(|&unit| all.outcomes[unit] = Some(Outcome::OverMemory));
    all
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

fn finish<T>(
    unit: &Unit,
    outcome: Option<Outcome<UnitOutcome<T>>>,
    options: &Options,
) -> UnitOutcome<T> {
    let why = match outcome {
        Some(Outcome::Done(done)) => return done,
        None => return UnitOutcome::empty(),
        Some(Outcome::Panicked(text)) => format!("internal error: {text}"),
        Some(Outcome::OverTime) => {
            format!("took more than {} seconds and was given up", options.unit_time.as_secs())
        }
        Some(Outcome::OverMemory) => {
            let mebibytes = options.memory.map_or(0, |limit| limit.bytes >> 20);
            format!("needs more than {mebibytes} MiB of memory and was given up")
        }
        Some(Outcome::NoThread(text)) => {
            format!("the system gives no thread to work on it: {text}")
        }
    };
    UnitOutcome::failed(unit_failed(unit, why))
}
