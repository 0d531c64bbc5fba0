//! Watching over the process that does the work.
//!
//! A stack overflow or a lack of memory ends a process, whatever it does against it. So this
//! process starts itself a second time with the hidden option `--journal=FILE`, and that one does
//! the work. When it dies, its journal names the units that it was reading; the next one reads
//! them alone, or not at all (`lesson`). Nothing is shown before all units are done, so nobody
//! sees the difference.

use std::env;
use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use caulk_driver::Attempt;
use caulk_project::{Ended, Record, Worker, interrupt};

use crate::exit::{Exit, Failure};
use crate::lesson::{self, Next};
use crate::progress;
use crate::terminal::complain;

/// A program that crashes more often is of no use, and the user wants to know.
const MOST_RESTARTS: usize = 40;

/// Does the work in another process and tells its exit code. None if there can be no such
/// process: then the work is to be done here.
pub fn run() -> Option<Result<u8, Failure>> {
    start(&Attempt::default()).ok().map(supervise)
}

fn supervise(mut worker: Worker) -> Result<u8, Failure> {
    let interrupts = Interrupts::listen();
    let mut attempt = Attempt::default();
    let mut restarts = 0..MOST_RESTARTS;
    loop {
        let (ended, record) = interrupts.wait(worker)?;
        attempt = match lesson::learn(ended, &record, &attempt) {
            Next::Again(_) if interrupts.seen() => return Ok(Exit::Interrupted.code()),
            Next::Again(next) => next,
            Next::Over(outcome) => {
                complain_of(&record);
                return outcome;
            }
        };
        if restarts.next().is_none() {
            let message = format!("caulk crashed {MOST_RESTARTS} times; please report it");
            return Err(Failure::usage(message));
        }
        progress::clear();
        worker = start(&attempt).map_err(|error| failed("starting it again", &error))?;
    }
}

fn failed(what: &str, error: &io::Error) -> Failure {
    Failure::usage(format!("the process that does the work ended, and {what} failed: {error}"))
}

fn start(attempt: &Attempt) -> io::Result<Worker> {
    let words = env::args_os().skip(1).collect();
    Worker::start(&lesson::write(attempt), |journal| arguments(words, journal))
}

/// The option stands right behind the command, so that it cannot end up among compiler flags.
fn arguments(mut words: Vec<OsString>, journal: OsString) -> Vec<OsString> {
    let mut option = OsString::from("--journal=");
    option.push(journal);
    words.insert(1.min(words.len()), option);
    words
}

/// What was printed while the units were read: no usual run prints anything.
fn complain_of(record: &Record) {
    if !record.text.is_empty() {
        complain(record.text.trim_end());
    }
}

/// Ctrl-C is for the process that does the work: it reports what it has, and this one waits.
struct Interrupts {
    /// The process to tell; 0 if there is none.
    worker: Arc<AtomicU32>,
    seen: Arc<AtomicBool>,
}

impl Interrupts {
    fn listen() -> Self {
        let (worker, seen) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let interrupts = Self { worker: worker.clone(), seen: seen.clone() };
        // Without a handler Ctrl-C still ends both processes, only less politely.
        let _ = ctrlc::set_handler(move || {
            seen.store(true, Ordering::SeqCst);
            pass_on(&worker);
        });
        interrupts
    }

    fn seen(&self) -> bool {
        self.seen.load(Ordering::SeqCst)
    }

    fn wait(&self, worker: Worker) -> Result<(Ended, Record), Failure> {
        self.worker.store(worker.process(), Ordering::SeqCst);
        if self.seen() {
            pass_on(&self.worker);
        }
        let ended = worker.wait();
        self.worker.store(0, Ordering::SeqCst);
        ended.map_err(|error| failed("asking how", &error))
    }
}

fn pass_on(worker: &AtomicU32) {
    match worker.load(Ordering::SeqCst) {
        0 => {}
        process => interrupt(process),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_named_before_anything_else() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let given = arguments(words("check a.c -- -DX"), "j".into());
        assert_eq!(given, words("check --journal=j a.c -- -DX"));
    }
}
