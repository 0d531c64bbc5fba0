//! A build, watched: which C compilations happen while it runs.
//!
//! The road of an exec: `trace` follows the build with ptrace (or `shims` stand in for the
//! compilers where that is refused) and tells of each program that is started; `compilation`
//! judges whether it compiles C; `entries` makes rows of a compile database. The build itself sees
//! no difference: its streams, its environment, its exit code and its signals are its own.

mod compilation;
mod entries;
mod shims;
mod signals;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(not(target_os = "linux"))]
#[path = "no_trace.rs"]
mod trace;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use nix::sys::signal::{Signal, raise};

use crate::flags::FlagTable;
use crate::worker::Ended;
use compilation::{Compilation, compilations};

pub use entries::{Compilations, write_database};
pub use shims::{ShimCall, called_as_shim};

/// How a build is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// Every program that the build starts is seen.
    Trace,
    /// Compilers that the build finds on `PATH` are seen.
    Shims,
}

#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// The build command, program first.
    pub command: Vec<OsString>,
    /// A program that calls `hold_and_become` with the words that follow it.
    pub holder: Vec<OsString>,
    /// None tries to trace, and takes shims if that is refused.
    pub mechanism: Option<Mechanism>,
}

/// What is known when the build is over.
#[derive(Debug)]
pub struct Recording {
    pub compilations: Compilations,
    pub ended: Ended,
    /// Somebody stopped the build.
    pub interrupted: bool,
    pub mechanism: Mechanism,
    /// Why it was not traced.
    pub refused: Option<String>,
    /// Real-time signals that tracing could not hand to the build.
    pub lost_signals: usize,
}

/// A program that the build has started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    /// Its arguments, its own name first.
    pub words: Vec<OsString>,
    /// The file that is run, where it is known.
    pub program: Option<PathBuf>,
    pub directory: PathBuf,
}

/// What watching leaves behind.
pub(crate) struct Watched {
    pub ended: Ended,
    pub interrupted: bool,
    pub lost_signals: usize,
}

/// Why a build was not watched.
pub(crate) enum NotWatched {
    /// The mechanism is not allowed here; nothing was run.
    Refused(String),
    Failed(io::Error),
}

impl From<io::Error> for NotWatched {
    fn from(error: io::Error) -> Self {
        NotWatched::Failed(error)
    }
}

/// Collects compilations from programs that are started.
pub(crate) struct Collector {
    table: FlagTable,
    found: Vec<Compilation>,
}

impl Collector {
    fn new() -> Self {
        Self { table: FlagTable::new(), found: Vec::new() }
    }

    /// Whether this program compiles C. `by_name` asks for a compiler's name.
    fn add(&mut self, started: &Started, by_name: bool) -> bool {
        let found = compilations(started, &self.table, by_name);
        let some = !found.is_empty();
        self.found.extend(found);
        some
    }
}

/// Runs the build and waits for its end.
pub fn record(options: &RecordOptions) -> io::Result<Recording> {
    let mut collector = Collector::new();
    let mut refused = None;
    let mut mechanism = Mechanism::Trace;
    let traced = match options.mechanism {
        Some(Mechanism::Shims) => None,
        _ => match trace::run(options, &mut collector) {
            Ok(watched) => Some(watched),
            Err(NotWatched::Failed(error)) => return Err(error),
            Err(NotWatched::Refused(why)) if options.mechanism.is_none() => {
                refused = Some(why);
                None
            }
            Err(NotWatched::Refused(why)) => return Err(io::Error::other(why)),
        },
    };
    let watched = match traced {
        Some(watched) => watched,
        None => {
            mechanism = Mechanism::Shims;
            shims::run(&options.command, &mut collector)?
        }
    };
    let Watched { ended, interrupted, lost_signals } = watched;
    let compilations = Compilations::new(collector.found);
    Ok(Recording { compilations, ended, interrupted, mechanism, refused, lost_signals })
}

/// Stops this process, so that another can begin to trace it, and turns it into `command` when it
/// goes on. Returns only if that fails.
pub fn hold_and_become(command: &[OsString]) -> io::Error {
    let Some((program, args)) = command.split_first() else {
        return io::Error::new(io::ErrorKind::InvalidInput, "no command");
    };
    match raise(Signal::SIGSTOP) {
        Ok(()) => Command::new(program).args(args).exec(),
        Err(error) => error.into(),
    }
}

/// Runs this program once more, with other arguments, and waits for it. Signals are for that
/// process; the second value tells whether one came.
pub fn run_again(words: &[OsString]) -> io::Result<(Ended, bool)> {
    let mut child = Command::new(std::env::current_exe()?).args(words).spawn()?;
    let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
    let signals = signals::Signals::pass_on_to(nix::unistd::Pid::from_raw(pid))?;
    let status = child.wait()?;
    Ok((crate::worker::ended(status), signals.seen()))
}
