//! Following a build with ptrace.
//!
//! Tracees stop where they start a process or a program and where a signal reaches them, and
//! nowhere else; between those, the build runs at full speed. A process that a compilation starts
//! is part of it: the compiler behind `ccache`, the passes behind a driver. So a mark travels from
//! parent to child, and what happens below a mark is not recorded again.
//!
//! Tracees are seized, not attached: new children then stop in a way that cannot be mistaken for a
//! signal. They are let go, unharmed, when this process ends before them.
//!
//! Absent: `PTRACE_LISTEN`, so a process that stops itself is continued at once; and real-time
//! signals, which `nix` cannot name: they are counted and lost.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::process::Command;
use std::rc::Rc;

use nix::errno::Errno;
use nix::sys::ptrace::{self, Event, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use rustc_hash::{FxHashMap, FxHashSet};

use super::signals::Signals;
use super::{Collector, NotWatched, RecordOptions, Started, Watched};
use crate::paths::{file_name, os};
use crate::worker::Ended;

pub(super) fn run(
    options: &RecordOptions,
    collector: &mut Collector,
) -> Result<Watched, NotWatched> {
    let build = held(options)?;
    let follow = Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEEXEC;
    if let Err(error) = ptrace::seize(build, follow) {
        let _ = kill(build, Signal::SIGKILL);
        let _ = waitpid(build, None);
        return Err(NotWatched::Refused(format!("tracing is not allowed here ({error})")));
    }
    let signals = Signals::pass_on_to(build)?;
    kill(build, Signal::SIGCONT).map_err(io::Error::from)?;
    let mut tracer = Tracer::new(build, collector);
    let ended = tracer.run()?;
    let lost_signals = tracer.lost_signals;
    Ok(Watched { ended, interrupted: signals.seen(), lost_signals })
}

/// The build as a process that has not begun.
fn held(options: &RecordOptions) -> Result<Pid, NotWatched> {
    let Some((program, words)) = options.holder.split_first() else {
        return Err(NotWatched::Refused("there is no program to start the build".to_owned()));
    };
    let child = Command::new(program).args(words).args(&options.command).spawn()?;
    let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    match waitpid(pid, Some(WaitPidFlag::WUNTRACED)).map_err(io::Error::from)? {
        WaitStatus::Stopped(..) => Ok(pid),
        other => Err(io::Error::other(format!("the build did not start: {other:?}")).into()),
    }
}

#[derive(Clone, Default)]
struct Process {
    /// It belongs to a compilation that is recorded.
    compiles: bool,
    /// What it runs, which it may have from its parent.
    command: Option<Rc<Started>>,
}

struct Tracer<'a> {
    build: Pid,
    collector: &'a mut Collector,
    processes: FxHashMap<Pid, Process>,
    /// Children that stopped before their parents told of them.
    early: FxHashSet<Pid>,
    lost_signals: usize,
}

impl<'a> Tracer<'a> {
    fn new(build: Pid, collector: &'a mut Collector) -> Self {
        let processes = FxHashMap::from_iter([(build, Process::default())]);
        Self { build, collector, processes, early: FxHashSet::default(), lost_signals: 0 }
    }

    fn run(&mut self) -> io::Result<Ended> {
        loop {
            match waitpid(None, Some(WaitPidFlag::__WALL)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == self.build => {
                    return Ok(Ended::Exit(u8::try_from(code).unwrap_or(u8::MAX)));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == self.build => {
                    return Ok(Ended::Signal(signal as u8));
                }
                Ok(status) => self.take(status),
                Err(Errno::EINTR) => {}
                // The stop of a real-time signal, without a word of who it was.
                Err(Errno::EINVAL) => self.release_stopped(),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn take(&mut self, status: WaitStatus) {
        match status {
            WaitStatus::Exited(pid, _) | WaitStatus::Signaled(pid, ..) => {
                self.processes.remove(&pid);
                self.early.remove(&pid);
            }
            WaitStatus::Stopped(pid, signal) => go_on(pid, Some(signal)),
            WaitStatus::PtraceEvent(pid, _, event) => self.event(pid, event),
            _ => {}
        }
    }

    fn event(&mut self, pid: Pid, event: i32) {
        const EXEC: i32 = Event::PTRACE_EVENT_EXEC as i32;
        const FORK: i32 = Event::PTRACE_EVENT_FORK as i32;
        const VFORK: i32 = Event::PTRACE_EVENT_VFORK as i32;
        const CLONE: i32 = Event::PTRACE_EVENT_CLONE as i32;
        match event {
            EXEC => self.executes(pid),
            FORK | VFORK | CLONE => self.forks(pid),
            // A first stop. The parent tells more; without it, nobody knows what the child is in.
            _ if !self.processes.contains_key(&pid) => {
                self.early.insert(pid);
                return;
            }
            _ => {}
        }
        go_on(pid, None);
    }

    fn forks(&mut self, parent: Pid) {
        let Ok(child) = ptrace::getevent(parent) else { return };
        let Ok(child) = i32::try_from(child) else { return };
        let child = Pid::from_raw(child);
        let process = self.processes.get(&parent).cloned().unwrap_or_default();
        self.processes.insert(child, process);
        if self.early.remove(&child) {
            go_on(child, None);
        }
    }

    fn executes(&mut self, pid: Pid) {
        let Some(started) = started(pid) else { return };
        let process = self.processes.entry(pid).or_default();
        if process.compiles {
            return;
        }
        // A driver with a name that tells nothing is known by what it starts.
        let is_pass = started.words.first().is_some_and(|name| file_name(name) == b"cc1");
        process.compiles = match &process.command {
            Some(driver) if is_pass => self.collector.add(driver, false),
            _ => self.collector.add(&started, true),
        };
        process.command = Some(Rc::new(started));
    }

    /// All tracees that wait for somebody to let them go on.
    fn release_stopped(&mut self) {
        for pid in self.processes.keys().filter(|pid| !self.early.contains(pid)) {
            // Only a stop for a signal has information; others are still to be waited for.
            if let Ok(info) = ptrace::getsiginfo(*pid)
                && Signal::try_from(info.si_signo).is_err()
            {
                self.lost_signals += 1;
                go_on(*pid, None);
            }
        }
    }
}

/// A tracee that was killed meanwhile tells so at the next wait.
fn go_on(pid: Pid, signal: Option<Signal>) {
    let _ = ptrace::cont(pid, signal);
}

/// What a process has just begun to run.
fn started(pid: Pid) -> Option<Started> {
    let folder = format!("/proc/{pid}");
    let words = fs::read(format!("{folder}/cmdline")).ok()?;
    let words = words.strip_suffix(b"\0").unwrap_or(&words);
    let words: Vec<OsString> = words.split(|byte| *byte == 0).map(os).collect();
    let directory = fs::read_link(format!("{folder}/cwd")).ok()?;
    let program = fs::read_link(format!("{folder}/exe")).ok();
    Some(Started { words, program, directory })
}
