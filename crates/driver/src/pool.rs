//! Jobs on threads with large stacks, watched by the thread that waits for them.
//!
//! The queue is an index into an order of jobs, and results are stored by job, so they do not
//! depend on the number of threads. A job that panics costs itself. A job that overruns its time
//! is abandoned together with its thread, which another one replaces: threads are detached and
//! own all they touch, so nobody has to wait for one that hangs.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::options::{CancelFlag, Progress};

/// How often the watching thread looks up.
const TICK: Duration = Duration::from_millis(50);

pub(crate) struct PoolOptions {
    pub threads: usize,
    pub stack_bytes: usize,
    pub job_time: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome<T> {
    Done(T),
    Panicked(String),
    OverTime,
    /// The run was cancelled first.
    NotReached,
    /// The system gives no thread to run it on.
    NoThread(String),
}

struct Queue<F> {
    order: Vec<usize>,
    next: AtomicUsize,
    cancel: CancelFlag,
    job: F,
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

/// Runs the jobs `order` names, in that order. The outcome of job `n` is row `n`.
pub(crate) fn run_jobs<T, F>(
    options: &PoolOptions,
    order: Vec<usize>,
    cancel: &CancelFlag,
    progress: &dyn Progress,
    job: F,
) -> Vec<Outcome<T>>
where
    T: Send + 'static,
    F: Fn(usize) -> T + Send + Sync + 'static,
{
    let total = order.len();
    let next = AtomicUsize::new(0);
    let queue = Arc::new(Queue { order, next, cancel: cancel.clone(), job });
    let (sender, receiver) = channel();
    let mut watch = Watch {
        options,
        queue,
        sender,
        workers: Vec::new(),
        running: Vec::new(),
        outcomes: (0..total).map(|_| None).collect(),
        done: 0,
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
    outcomes: Vec<Option<Outcome<T>>>,
    done: usize,
}

struct Running {
    job: usize,
    worker: usize,
    since: Instant,
}

impl<T, F> Watch<'_, T, F>
where
    T: Send + 'static,
    F: Fn(usize) -> T + Send + Sync + 'static,
{
    fn hire_all(&mut self) {
        let wanted = self.options.threads.min(self.outcomes.len());
        let failure = (0..wanted).find_map(|_| self.hire().err());
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
        for outcome in self.outcomes.iter_mut().filter(|outcome| outcome.is_none()) {
            *outcome = Some(Outcome::NoThread(why.to_owned()));
            self.done += 1;
        }
    }

    fn wait(&mut self, receiver: &Receiver<Message<T>>, progress: &dyn Progress) {
        while self.done < self.outcomes.len() && !self.queue.cancel.is_cancelled() {
            if let Ok(message) = receiver.recv_timeout(TICK) {
                self.receive(message);
            }
            self.abandon_late();
            progress.units(self.done, self.outcomes.len());
        }
        // What was done before the run was cancelled still counts.
        receiver.try_iter().for_each(|message| self.receive(message));
    }

    fn receive(&mut self, message: Message<T>) {
        match message {
            Message::Started { job, worker } => {
                self.running.push(Running { job, worker, since: Instant::now() });
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
        for Running { job, worker, .. } in late {
            self.workers[worker].dismissed.store(true, Ordering::Relaxed);
            self.store(job, Outcome::OverTime);
            if let Err(error) = self.hire()
                && self.running.is_empty()
            {
                self.give_up(&error.to_string());
            }
        }
    }

    /// Waits for the threads only if each is known to be at its end.
    fn finish(self) -> Vec<Outcome<T>> {
        if self.running.is_empty() && !self.queue.cancel.is_cancelled() {
            let idle = |worker: &Worker| !worker.dismissed.load(Ordering::Relaxed);
            self.workers.into_iter().filter(idle).for_each(|worker| drop(worker.thread.join()));
        }
        self.outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::NotReached)).collect()
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
        PoolOptions { threads, stack_bytes: 1 << 20, job_time: Duration::from_secs(20) }
    }

    #[test]
    fn outcomes_stand_in_the_order_of_jobs() {
        for threads in [1, 2, 5] {
            let order = (0..20).rev().collect();
            let job = |n: usize| n * n;
            let outcomes = run_jobs(&options(threads), order, &CancelFlag::new(), &Silent, job);
            let squares: Vec<_> = (0..20).map(|n| Outcome::Done(n * n)).collect();
            assert_eq!(outcomes, squares);
        }
    }

    #[test]
    fn a_panic_costs_its_job_only() {
        let job = |n: usize| if n == 1 { std::panic::resume_unwind(Box::new("oh")) } else { n };
        let outcomes = run_jobs(&options(1), vec![0, 1, 2], &CancelFlag::new(), &Silent, job);
        let oh = Outcome::Panicked("oh".into());
        assert_eq!(outcomes, [Outcome::Done(0), oh, Outcome::Done(2)]);
    }

    #[test]
    fn a_job_that_hangs_is_abandoned_and_the_others_go_on() {
        let options = PoolOptions { job_time: Duration::from_millis(100), ..options(1) };
        let job = |n: usize| {
            if n == 0 {
                std::thread::sleep(Duration::from_secs(600));
            }
            n
        };
        let outcomes = run_jobs(&options, vec![0, 1, 2], &CancelFlag::new(), &Silent, job);
        assert_eq!(outcomes, [Outcome::OverTime, Outcome::Done(1), Outcome::Done(2)]);
    }

    #[test]
    fn cancelling_ends_the_run_at_once() {
        let cancel = CancelFlag::new();
        let inner = cancel.clone();
        let job = move |n: usize| {
            if n == 1 {
                inner.cancel();
                std::thread::sleep(Duration::from_secs(600));
            }
            n
        };
        let outcomes = run_jobs(&options(1), vec![0, 1, 2], &cancel, &Silent, job);
        assert_eq!(outcomes, [Outcome::Done(0), Outcome::NotReached, Outcome::NotReached]);
    }
}
