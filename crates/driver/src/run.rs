//! All units of a project, in parallel.

use std::sync::Arc;
use std::time::{Duration, Instant};

use caulk_project::{Culprits, Event, Journal, Project, SourceFiles, Unit};

use crate::incomplete::unit_failed;
use crate::options::{Attempt, CancelFlag, Options, Progress, Stop};
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
    /// Why not all units were reached.
    pub stopped: Option<Stop>,
    /// Units that used up the memory and ended the run early. Another process should do it again,
    /// with what its attempt learns from them.
    pub culprits: Option<Culprits>,
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
    let Pooled { outcomes, culprits, is_full } = pooled(inputs, options, cancel, progress, &job);
    let finish = |(unit, outcome)| finish(unit, outcome, options);
    Run {
        outcomes: units.iter().zip(outcomes).map(finish).collect(),
        wall: start.elapsed(),
        stopped: cancel.reason().or(is_full.then_some(Stop::OutOfMemory)),
        culprits: (!culprits.is_empty())
            .then(|| Culprits { units: culprits, why: over_memory(options) }),
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
    let is_given_up = |unit: &usize| given_up.iter().any(|(other, _)| other == unit);
    order.retain(|unit| !is_given_up(unit) && !alone.contains(unit));
    let mut pool = PoolOptions {
        threads: options.threads.get(),
        stack_bytes: options.stack_bytes,
        job_time: options.unit_time,
        memory: options.memory,
    };
    let mut all = run_jobs(&pool, units.len(), order, cancel, progress, job);
    pool.threads = 1;
    // The project may have shrunk since the attempt that taught this.
    let alone: Vec<usize> = alone.iter().copied().filter(|&unit| unit < units.len()).collect();
    if all.culprits.is_empty() && !all.is_full && !alone.is_empty() {
        let careful = run_jobs(&pool, units.len(), alone, cancel, progress, job);
        let pairs = all.outcomes.iter_mut().zip(careful.outcomes);
        pairs.for_each(|(row, outcome)| *row = row.take().or(outcome));
        (all.culprits, all.is_full) = (careful.culprits, careful.is_full);
    }
    for (unit, why) in given_up {
        if let Some(row) = all.outcomes.get_mut(*unit) {
            *row = Some(Outcome::GivenUp(why.clone()));
        }
    }
    all
}

fn job<V: UnitVisitor>(
    inputs: Inputs,
    options: Options,
    visitor: V,
) -> impl Fn(usize) -> UnitOutcome<V::Output> + Send + Sync + 'static {
    move |index| {
        let _entry = options.journal.as_deref().map(|journal| Entry::new(journal, index));
        analyse(&inputs.project.units[index], &inputs.files, &options, &visitor)
    }
}

/// The journal says that a unit is being read, for as long as this lives. A journal that cannot
/// be written makes a crash harder to explain, and nothing worse.
struct Entry<'a>(&'a Journal, usize);

impl<'a> Entry<'a> {
    fn new(journal: &'a Journal, unit: usize) -> Self {
        let _ = journal.write(&Event::Started(unit));
        Self(journal, unit)
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let _ = self.0.write(&Event::Finished(self.1));
    }
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
        Some(Outcome::OverMemory) => over_memory(options),
        Some(Outcome::GivenUp(why)) => why,
        Some(Outcome::NoThread(text)) => {
            format!("the system gives no thread to work on it: {text}")
        }
    };
    UnitOutcome::failed(unit_failed(unit, why))
}

fn over_memory(options: &Options) -> String {
    let mebibytes = options.memory.map_or(0, |limit| limit.bytes >> 20);
    format!("needs more than {mebibytes} MiB of memory and was given up")
}
