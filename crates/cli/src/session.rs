//! What every run of the driver needs from the process: Ctrl-C, threads, memory, a panic hook that
//! keeps quiet.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use caulk_driver::{CancelFlag, Inputs, MemoryLimit, Options, Run, UnitVisitor};
use caulk_project::{Diverted, Event, Journal, describe, memory_in_use, memory_of_machine};

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::progress::ProgressLine;
use crate::{cache, input, lesson};

/// How the caller wants its run.
pub struct Wishes {
    pub quiet: bool,
    pub keep_broken: bool,
    /// Units may come from an earlier run, as modules without trees.
    pub cache: bool,
}

/// All units, read.
pub struct Session<T> {
    pub inputs: Inputs,
    pub run: Run<T>,
    /// Still raised by Ctrl-C and by the time limit, for what comes after.
    pub cancel: CancelFlag,
}

/// Loads the project of the command line and takes all its units to the visitor.
pub fn run<V: UnitVisitor>(
    args: &InputArgs,
    visitor: V,
    wishes: &Wishes,
) -> Result<Session<V::Output>, Failure> {
    let cancel = cancel_on_interrupt();
    if let Some(limit) = args.time_limit {
        cancel_after(limit, cancel.clone());
    }
    silence_workers();
    let inputs = Inputs::new(input::load(args)?);
    let cache = if wishes.cache && !args.no_cache { cache::units() } else { None };
    let cache = cache.map(Arc::new);
    let options = Options { keep_broken: wishes.keep_broken, cache, ..options(args)? };
    let journal = options.journal.as_deref();
    let progress = ProgressLine::new(wishes.quiet);
    let diverted = journal.map(Diverted::to);
    let run = caulk_driver::run(&inputs, &options, visitor, &cancel, &progress);
    drop((diverted, progress));
    if let Some(cache) = &options.cache {
        cache.trim();
    }
    if let Some(journal) = journal {
        close(journal, &run);
    }
    Ok(Session { inputs, run, cancel })
}

/// Leaves the rest to another attempt if this one cannot do it. Without another, the report tells
/// what was not reached.
fn close<T>(journal: &Journal, run: &Run<T>) {
    if let (Some(culprits), false) = (&run.culprits, run.stopped.is_some())
        && journal.write(&Event::Failed(culprits.clone())).is_ok()
    {
        std::process::exit(i32::from(Exit::Incomplete.code()));
    }
    // Without this line, a crash from here on is taken for one of a unit.
    let _ = journal.write(&Event::Reporting);
}

/// One Ctrl-C may come twice: from the terminal, and from the process that watches over this one.
const AT_ONCE: Duration = Duration::from_millis(500);

/// Raised by the first Ctrl-C; a later one ends the process at once.
fn cancel_on_interrupt() -> CancelFlag {
    let flag = CancelFlag::new();
    let raised = flag.clone();
    let mut first: Option<Instant> = None;
    // Without a handler Ctrl-C still ends the process, only less politely.
    let _ = ctrlc::set_handler(move || match first {
        Some(time) if time.elapsed() > AT_ONCE => {
            std::process::exit(i32::from(Exit::Interrupted.code()))
        }
        Some(_) => {}
        None => {
            first = Some(Instant::now());
            raised.cancel();
        }
    });
    flag
}

/// Without a thread there is no limit, as without the option.
fn cancel_after(limit: Duration, flag: CancelFlag) {
    // A thread may come late, and no time at all is over before anything begins.
    if limit.is_zero() {
        return flag.out_of_time();
    }
    let _ = thread::Builder::new().name("time-limit".to_owned()).spawn(move || {
        thread::sleep(limit);
        flag.out_of_time();
    });
}

fn options(args: &InputArgs) -> Result<Options, Failure> {
    let bytes = args.memory.map_or_else(default_memory, |mebibytes| mebibytes << 20);
    let mut options = Options::new(args.jobs.unwrap_or_else(processors));
    // Whoever judges the units needs some, too.
    options.memory = Some(MemoryLimit { bytes, kept: bytes / 4 * 3, in_use: memory_in_use });
    if let Some(mebibytes) = args.stack {
        options.stack_bytes = mebibytes << 20;
    }
    if let Some(path) = &args.journal {
        let problem = |error| Failure::usage(format!("--journal: {}", describe(path, &error)));
        let journal = Journal::open(path).map_err(problem)?;
        options.attempt = lesson::read(&journal.read().map_err(problem)?.events);
        options.journal = Some(Arc::new(journal));
    }
    Ok(options)
}

/// Many times what a project needs, but less than what hurts.
fn default_memory() -> u64 {
    let plenty = 4 << 30;
    memory_of_machine().map_or(plenty, |bytes| plenty.min(bytes / 2))
}

/// A panic on a worker thread is told in the report as the unit's failure.
fn silence_workers() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !thread::current().name().is_some_and(|name| name.starts_with("unit-")) {
            default(info);
        }
    }));
}

/// What there is, when nobody says how many threads are wanted.
pub fn processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
