//! Jobs on threads with large stacks, watched by the thread that waits for them.
//!
//! The queue is an index into an order of jobs, and results are stored by job, so they do not
//! depend on the number of threads. A job that panics costs itself. A job that overruns its time
//! is abandoned together with its thread, which another one replaces: threads are detached and
//! own all they touch, so nobody has to wait for one that hangs. Its memory cannot be taken back
//! that way: when the process has too much, all jobs end, and the caller hears whose fault it is.
//! When it has nearly too much, jobs go on one at a time: what several need at once may not fit.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::options::{CancelFlag, MemoryLimit, Progress};

/// How often the watching thread looks up.
const TICK: Duration = Duration::from_millis(50);

pub(crate) struct PoolOptions {
    pub threads: usize,
    pub stack_bytes: usize,
    pub job_time: Duration,
    pub memory: Option<MemoryLimit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome<T> {
    Done(T),
    Panicked(String),
    OverTime,
    OverMemory,
    /// Not even tried.
    GivenUp(String),
    /// The system gives no thread to run it on.
    NoThread(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pooled<T> {
    /// Row `n` is job `n`; None if it was not reached, or is not in the order.
    pub outcomes: Vec<Option<Outcome<T>>>,
    /// The jobs that ran when memory was used up, and ended the others.
    pub culprits: Vec<usize>,
    /// What was done holds all that it may: the rest was not tried.
    pub is_full: bool,
}

struct Queue<F> {
    order: Vec<usize>,
    next: AtomicUsize,
    cancel: CancelFlag,
    job: Arc<F>,
}

impl<F> Queue<F> {
    fn take(&self) -> Option<usize> {
        if self.cancel.is_cancelled() {
            return None;
        }
        self.order.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

enum Message<T> {
    Started { job: usize, worker: usize },
    Ended { job: usize, outcome: Outcome<T> },
}

struct Worker {
    thread: JoinHandle<()>,
    /// It may finish its job, but takes no other.
    dismissed: Arc<AtomicBool>,
}

/// Runs those of `total` jobs that `order` names, in that order.
pub(crate) fn run_jobs<T, F>(
    options: &PoolOptions,
    total: usize,
    order: Vec<usize>,
    cancel: &CancelFlag,
    progress: &dyn Progress,
    job: &Arc<F>,
) -> Pooled<T>
where
    T: Send + 'static,
    F: Fn(usize) -> T + Send + Sync + 'static,
{
    let wanted = order.len();
    let next = AtomicUsize::new(0);
    let queue = Arc::new(Queue { order, next, cancel: cancel.clone(), job: job.clone() });
    let (sender, receiver) = channel();
    let mut watch = Watch {
        options,
        queue,
        sender,
        workers: Vec::new(),
        running: Vec::new(),
        late: Vec::new(),
        culprits: Vec::new(),
        is_careful: false,
        is_full: false,
        outcomes: (0..total).map(|_| None).collect(),
        wanted,
        done: 0,
        looked: Instant::now(),
    };
    watch.hire_all();
    watch.wait(&receiver, progress);
    watch.finish()
}

/// What the watching thread knows.
struct Watch<'a, T, F> {
    options: &'a PoolOptions,
    queue: Arc<Queue<F>>,
    sender: Sender<Message<T>>,
    workers: Vec<Worker>,
    running: Vec<Running>,
    /// Abandoned.
    late: Vec<Running>,
    culprits: Vec<usize>,
    /// One job at a time from now on.
    is_careful: bool,
    is_full: bool,
    outcomes: Vec<Option<Outcome<T>>>,
    wanted: usize,
    done: usize,
    /// When memory was looked at.
    looked: Instant,
}

struct Running {
    job: usize,
    worker: usize,
    since: Instant,
    /// What the process had when it began.
    memory: u64,
    /// No other job ran then, so none of that will be given back.
    began_alone: bool,
}

impl<T, F> Watch<'_, T, F>
where
    T: Send + 'static,
    F: Fn(usize) -> T + Send + Sync + 'static,
{
    fn hire_all(&mut self) {
        let threads = self.options.threads.min(self.wanted);
        let failure = (0..threads).find_map(|_| self.hire().err());
        if let (true, Some(error)) = (self.workers.is_empty(), failure) {
            self.give_up(&error.to_string());
        }
    }

    fn hire(&mut self) -> std::io::Result<()> {
        let (queue, sender) = (self.queue.clone(), self.sender.clone());
        let dismissed = Arc::new(AtomicBool::new(false));
        let (flag, number) = (dismissed.clone(), self.workers.len());
        let thread = Builder::new()
            .name(format!("unit-{number}"))
            .stack_size(self.options.stack_bytes)
            .spawn(move || work(&queue, &sender, &flag, number))?;
        self.workers.push(Worker { thread, dismissed });
        Ok(())
    }

    fn give_up(&mut self, why: &str) {
        for index in 0..self.wanted {
            self.store(self.queue.order[index], Outcome::NoThread(why.to_owned()));
        }
    }

    fn wait(&mut self, receiver: &Receiver<Message<T>>, progress: &dyn Progress) {
        while self.done < self.wanted
            && self.culprits.is_empty()
            && !self.is_full
            && !self.queue.cancel.is_cancelled()
        {
            if let Ok(message) = receiver.recv_timeout(TICK) {
                self.receive(message);
            }
            self.abandon_late();
            self.watch_memory();
            progress.units(self.done, self.wanted);
        }
        // What was done before the run was cancelled still counts.
        receiver.try_iter().for_each(|message| self.receive(message));
    }

    fn receive(&mut self, message: Message<T>) {
        match message {
            Message::Started { job, worker } => {
                let (since, memory) = (Instant::now(), self.memory_in_use());
                let one_at_a_time = self.is_careful || self.options.threads == 1;
                let began_alone = one_at_a_time && self.running.is_empty();
                self.running.push(Running { job, worker, since, memory, began_alone });
            }
            Message::Ended { job, outcome } => {
                self.running.retain(|running| running.job != job);
                self.store(job, outcome);
            }
        }
    }

    /// The first outcome counts: one that comes after its job was given up does not.
    fn store(&mut self, job: usize, outcome: Outcome<T>) {
        if self.outcomes[job].is_none() {
            self.outcomes[job] = Some(outcome);
            self.done += 1;
        }
    }

    fn abandon_late(&mut self) {
        let limit = self.options.job_time;
        let (late, running) =
            std::mem::take(&mut self.running).into_iter().partition(|r| r.since.elapsed() > limit);
        self.running = running;
        let late: Vec<Running> = late;
        for overrun in late {
            self.workers[overrun.worker].dismissed.store(true, Ordering::Relaxed);
            self.store(overrun.job, Outcome::OverTime);
            self.late.push(overrun);
            if let Err(error) = self.hire()
                && self.running.is_empty()
            {
                self.give_up(&error.to_string());
            }
        }
    }

    fn watch_memory(&mut self) {
        let Some(limit) = &self.options.memory else { return };
        if self.looked.elapsed() < TICK {
            return;
        }
        self.looked = Instant::now();
        if self.held_by_others() > limit.kept {
            self.is_full = true;
            self.dismiss(0);
        } else if self.memory_in_use() > limit.bytes {
            self.find_culprits();
        } else if self.memory_in_use() > limit.kept && !self.is_careful {
            self.is_careful = true;
            self.dismiss(1);
        }
    }

    /// All workers but so many, each after its job.
    fn dismiss(&self, kept: usize) {
        let workers = self.workers.iter().map(|worker| &worker.dismissed);
        let working = workers.filter(|dismissed| !dismissed.load(Ordering::Relaxed));
        working.skip(kept).for_each(|dismissed| dismissed.store(true, Ordering::Relaxed));
    }

    fn memory_in_use(&self) -> u64 {
        self.options.memory.and_then(|limit| (limit.in_use)()).unwrap_or(0)
    }

    /// What none of the running jobs can be blamed for.
    fn held_by_others(&self) -> u64 {
        let late = self.late.iter();
        let all = self.running.iter().filter(|running| running.began_alone).chain(late);
        all.min_by_key(|running| running.since).map_or(0, |oldest| oldest.memory)
    }

    /// A job that overran its time and still runs is the likeliest; else it is one of those that
    /// run now.
    fn find_culprits(&mut self) {
        let workers = &self.workers;
        let alive = |running: &&Running| !workers[running.worker].thread.is_finished();
        let mut jobs: Vec<usize> = self.late.iter().filter(alive).map(|it| it.job).collect();
        if jobs.is_empty() {
            jobs = self.running.iter().map(|running| running.job).collect();
        }
        jobs.sort_unstable();
        jobs.iter().for_each(|&job| self.outcomes[job] = Some(Outcome::OverMemory));
        self.culprits = jobs;
    }

    /// Waits for the threads only if each is known to be at its end.
    fn finish(self) -> Pooled<T> {
        if self.running.is_empty() && self.done == self.wanted {
            let idle = |worker: &Worker| !worker.dismissed.load(Ordering::Relaxed);
            self.workers.into_iter().filter(idle).for_each(|worker| drop(worker.thread.join()));
        }
        Pooled { outcomes: self.outcomes, culprits: self.culprits, is_full: self.is_full }
    }
}

fn work<T, F>(queue: &Queue<F>, sender: &Sender<Message<T>>, dismissed: &AtomicBool, worker: usize)
where
    F: Fn(usize) -> T,
{
    while !dismissed.load(Ordering::Relaxed)
        && let Some(job) = queue.take()
    {
        // Nobody listens any more after a run is cancelled.
        let _ = sender.send(Message::Started { job, worker });
        let outcome = match catch_unwind(AssertUnwindSafe(|| (queue.job)(job))) {
            Ok(result) => Outcome::Done(result),
            Err(payload) => Outcome::Panicked(panic_text(&*payload).to_owned()),
        };
        let _ = sender.send(Message::Ended { job, outcome });
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown reason")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Silent;

    fn options(threads: usize) -> PoolOptions {
        let job_time = Duration::from_secs(20);
        PoolOptions { threads, stack_bytes: 1 << 20, job_time, memory: None }
    }

    fn run<F>(options: &PoolOptions, order: &[usize], job: F) -> Pooled<usize>
    where
        F: Fn(usize) -> usize + Send + Sync + 'static,
    {
        let (order, job) = (order.to_vec(), Arc::new(job));
        run_jobs(options, order.len(), order, &CancelFlag::new(), &Silent, &job)
    }

    fn hang() {
        std::thread::sleep(Duration::from_secs(600));
    }

    fn done(result: usize) -> Option<Outcome<usize>> {
        Some(Outcome::Done(result))
    }

    #[test]
    fn outcomes_stand_in_the_order_of_jobs() {
        let order: Vec<usize> = (0..20).rev().collect();
        let squares: Vec<_> = (0..20).map(|n| done(n * n)).collect();
        for threads in [1, 2, 5] {
            assert_eq!(run(&options(threads), &order, |n| n * n).outcomes, squares);
        }
    }

    #[test]
    fn a_panic_costs_its_job_only() {
        let job = |n: usize| if n == 1 { std::panic::resume_unwind(Box::new("oh")) } else { n };
        let oh = Some(Outcome::Panicked("oh".into()));
        assert_eq!(run(&options(1), &[0, 1, 2], job).outcomes, [done(0), oh, done(2)]);
    }

    #[test]
    fn a_job_that_hangs_is_abandoned_and_the_others_go_on() {
        let options = PoolOptions { job_time: Duration::from_millis(100), ..options(1) };
        let job = |n: usize| {
            if n == 0 {
                hang();
            }
            n
        };
        let outcomes = run(&options, &[0, 1, 2], job).outcomes;
        assert_eq!(outcomes, [Some(Outcome::OverTime), done(1), done(2)]);
    }

    #[test]
    fn cancelling_ends_the_run_at_once() {
        let cancel = CancelFlag::new();
        let inner = cancel.clone();
        let job = Arc::new(move |n: usize| {
            if n == 1 {
                inner.cancel();
                hang();
            }
            n
        });
        let pooled = run_jobs(&options(1), 3, vec![0, 1, 2], &cancel, &Silent, &job);
        assert_eq!(pooled.outcomes, [done(0), None, None]);
    }

    #[test]
    fn too_much_memory_ends_the_run_and_names_the_job() {
        let memory = Some(MemoryLimit { bytes: 10, kept: 11, in_use: || Some(11) });
        let options = PoolOptions { memory, ..options(1) };
        let job = |n: usize| {
            if n == 1 {
                hang();
            }
            n
        };
        let pooled = run(&options, &[0, 1, 2], job);
        assert_eq!(pooled.culprits, [1]);
        assert_eq!(pooled.outcomes, [done(0), Some(Outcome::OverMemory), None]);
    }

    /// No job is to blame when those before it left so much.
    #[test]
    fn too_much_that_is_kept_ends_the_run_without_a_culprit() {
        let memory = Some(MemoryLimit { bytes: 10, kept: 5, in_use: || Some(11) });
        let options = PoolOptions { memory, ..options(1) };
        let job = |n: usize| {
            if n == 1 {
                hang();
            }
            n
        };
        let pooled = run(&options, &[0, 1, 2], job);
        assert!(pooled.is_full && pooled.culprits.is_empty());
        assert_eq!(pooled.outcomes, [done(0), None, None]);
    }

    /// Two at once leave too little room, one does not: none is given up for that.
    #[test]
    fn where_memory_is_short_jobs_go_one_at_a_time() {
        static USED: AtomicUsize = AtomicUsize::new(0);
        let in_use = || Some(USED.load(Ordering::SeqCst) as u64);
        let memory = Some(MemoryLimit { bytes: 10, kept: 5, in_use });
        let job = |_: usize| {
            let before = USED.fetch_add(4, Ordering::SeqCst);
            std::thread::sleep(TICK * 4);
            USED.fetch_sub(4, Ordering::SeqCst);
            before
        };
        let pooled = run(&PoolOptions { memory, ..options(2) }, &[0, 1, 2, 3, 4, 5], job);
        assert!(!pooled.is_full && pooled.culprits.is_empty());
        assert_eq!(pooled.outcomes[3..], [done(0), done(0), done(0)]);
    }
}
