//! What every run of the driver needs from the process: Ctrl-C, threads, a quiet panic hook.

use std::num::NonZeroUsize;
use std::thread;

use caulk_driver::{CancelFlag, Options};

use crate::exit::Exit;

/// Raised by the first Ctrl-C; the second one ends the process at once.
pub fn cancel_on_interrupt() -> CancelFlag {
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

pub fn options(jobs: Option<NonZeroUsize>) -> Options {
    let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Options::new(jobs.unwrap_or_else(processors))
}

/// A panic on a worker thread is told in the report as the unit's failure.
pub fn silence_workers() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !thread::current().name().is_some_and(|name| name.starts_with("unit-")) {
            default(info);
        }
    }));
}
