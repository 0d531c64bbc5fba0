//! What every run of the driver needs from the process: Ctrl-C, threads, memory, a panic hook that
//! keeps quiet.

use std::num::NonZeroUsize;
use std::thread;

use caulk_driver::{CancelFlag, Inputs, MemoryLimit, Options, Run, UnitVisitor};
use caulk_project::{memory_in_use, memory_of_machine};

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::progress::ProgressLine;
use crate::{input, retry};

/// How the caller wants its run.
pub struct Wishes {
    pub quiet: bool,
    pub keep_broken: bool,
}

/// Loads the project of the command line and takes all its units to the visitor.
pub fn run<V: UnitVisitor>(
    args: &InputArgs,
    visitor: V,
    wishes: &Wishes,
) -> Result<(Inputs, Run<V::Output>), Failure> {
    let cancel = cancel_on_interrupt();
    silence_workers();
    let inputs = Inputs::new(input::load(args)?);
    let options = Options { keep_broken: wishes.keep_broken, ..options(args) };
    let progress = ProgressLine::new(wishes.quiet);
    let run = caulk_driver::run(&inputs, &options, visitor, &cancel, &progress);
    drop(progress);
    if let Some(next) = &run.retry {
        retry::start_again(next);
    }
    Ok((inputs, run))
}

/// Raised by the first Ctrl-C; the second one ends the process at once.
fn cancel_on_interrupt() -> CancelFlag {
    let flag = CancelFlag::new();
    let raised = flag.clone();
    // Without a handler Ctrl-C still ends the process, only less politely.
    let _ = ctrlc::set_handler(move || {
        if raised.is_cancelled() {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        raised.cancel();
    });
    flag
}

fn options(args: &InputArgs) -> Options {
    let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let bytes = args.memory.map_or_else(default_memory, |mebibytes| mebibytes << 20);
    Options {
        memory: Some(MemoryLimit { bytes, in_use: memory_in_use }),
        attempt: args.retry.clone().unwrap_or_default().0,
        ..Options::new(args.jobs.unwrap_or_else(processors))
    }
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
