//! This program as a second process: one does the work, the other watches over it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::{env, fs};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, dup2_stderr};

use crate::journal::{Event, Journal, Record};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Exit(u8),
    Signal(u8),
}

/// The process that does the work, seen from the one that watches.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    journal: Journal,
    path: PathBuf,
}

impl Worker {
    /// Starts this program again with the same streams. `arguments` makes its arguments from the
    /// name of its journal, which begins with `lesson`.
    pub fn start(
        lesson: &[Event],
        arguments: impl FnOnce(OsString) -> Vec<OsString>,
    ) -> io::Result<Self> {
        let (journal, path) = Journal::create(lesson)?;
        let words = arguments(path.clone().into_os_string());
        let child =
            env::current_exe().and_then(|program| Command::new(program).args(words).spawn());
        match child {
            Ok(child) => Ok(Self { child, journal, path }),
            Err(error) => {
                let _ = fs::remove_file(path);
                Err(error)
            }
        }
    }

    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end, and tells what was in the journal by then.
    pub fn wait(mut self) -> io::Result<(Ended, Record)> {
        let status = self.child.wait();
        // It may have ended before it could take the name away.
        let _ = fs::remove_file(&self.path);
        Ok((ended(status?), self.journal.read()?))
    }
}

pub(crate) fn ended(status: ExitStatus) -> Ended {
    // Both are small numbers on every system.
    let byte = |number: i32| u8::try_from(number).unwrap_or(u8::MAX);
    match status.signal() {
        Some(signal) => Ended::Signal(byte(signal)),
        None => Ended::Exit(byte(status.code().unwrap_or_default())),
    }
}

/// Passes an interrupt on.
pub fn interrupt(process: u32) {
    if let Ok(process) = i32::try_from(process) {
        // Whoever has ended needs no interrupt.
        let _ = kill(Pid::from_raw(process), Signal::SIGINT);
    }
}

/// Nobody would read what this process writes after the one that watches it is gone.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
}

/// Standard error as a stream of its own, which stays what it is when the other is diverted.
pub fn standard_error() -> io::Result<impl Write> {
    io::stderr().as_fd().try_clone_to_owned().map(File::from)
}

/// Sends what is printed to standard error to the journal until it is dropped: a dying program
/// speaks its own language to people who did not ask.
#[derive(Debug)]
pub struct Diverted(OwnedFd);

impl Diverted {
    pub fn to(journal: &Journal) -> io::Result<Self> {
        let kept = io::stderr().as_fd().try_clone_to_owned()?;
        dup2_stderr(journal.file())?;
        Ok(Self(kept))
    }
}

impl Drop for Diverted {
    fn drop(&mut self) {
        let _ = dup2_stderr(&self.0);
    }
}
