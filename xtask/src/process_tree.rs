//! A command and all its descendants, ended together at a limit of time.
//!
//! Time is CPU time, which the kernel limits for each process, so that a busy machine changes
//! nothing; a tree that waits instead of working is ended after `PATIENCE` times as long.
//!
//! This process becomes the one that orphans are handed to. So a process whose parent was ended
//! turns up as a child of ours: once there are no children left, the whole tree is gone, and the
//! kernel has counted what each of its processes used.
//!
//! The tree stays in our process group, so that an interrupt from the terminal reaches all of it.

use nix::errno::Errno;
use nix::sys::prctl::set_child_subreaper;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// How much longer than its CPU time a command may take.
const PATIENCE: u32 = 5;

/// What a command may use; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// CPU of each process; the kernel counts whole seconds.
    pub time: Option<Duration>,
    /// Address space of each process, in bytes.
    pub memory: Option<u64>,
}

impl Limits {
    pub const NONE: Limits = Limits { time: None, memory: None };

    /// `milliseconds:bytes`, 0 for none: how limits are handed to another process.
    pub fn to_word(self) -> String {
        let milliseconds = self.time.map_or(0, |time| time.as_millis());
        format!("{milliseconds}:{}", self.memory.unwrap_or(0))
    }

    pub fn from_word(word: &str) -> Option<Limits> {
        let (time, memory) = word.split_once(':')?;
        let (time, memory): (u64, u64) = (time.parse().ok()?, memory.parse().ok()?);
        let given = |number: u64| Some(number).filter(|&number| number > 0);
        Some(Limits { time: given(time).map(Duration::from_millis), memory: given(memory) })
    }
}

/// How a command ended.
pub struct Ended {
    pub status: ExitStatus,
    pub timed_out: bool,
}

/// Runs to the end or to the limit. For processes that do nothing else: the limit of memory and
/// the care for orphans stay.
pub fn run(command: &mut Command, limits: Limits) -> std::io::Result<Ended> {
    if let Some(bytes) = limits.memory {
        setrlimit(Resource::RLIMIT_AS, bytes, bytes)?;
    }
    let Some(time) = limits.time else {
        return Ok(Ended { status: command.status()?, timed_out: false });
    };
    let seconds = time.as_secs_f64().ceil() as u64;
    setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
    set_child_subreaper(true)?;
    let mut child = command.spawn()?;
    let ended = wait(&mut child, Instant::now() + PATIENCE * time)?;
    end_descendants();
    Ok(ended)
}

fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<Ended> {
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended { status, timed_out: false });
        }
        if Instant::now() >= deadline {
            kill_descendants();
            return Ok(Ended { status: child.wait()?, timed_out: true });
        }
        std::thread::sleep(pause.min(deadline.saturating_duration_since(Instant::now())));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Until there is no child left, also not one that was handed to us meanwhile.
fn end_descendants() {
    loop {
        kill_descendants();
        match waitpid(None::<Pid>, None) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
    }
}

fn kill_descendants() {
    for process in descendants(std::process::id(), &parents()) {
        let _ = kill(Pid::from_raw(process as i32), Signal::SIGKILL);
    }
}

/// Every process with its parent.
fn parents() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pair = |entry: std::fs::DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((process, parent(&stat)?))
    };
    entries.filter_map(pair).collect()
}

/// The fourth field; the second one is a name in parentheses that may hold anything.
fn parent(stat: &str) -> Option<u32> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(1)?.parse().ok()
}

fn descendants(root: u32, parents: &[(u32, u32)]) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut open = vec![root];
    while let Some(process) = open.pop() {
        let children = parents.iter().filter(|(_, parent)| *parent == process);
        open.extend(children.map(|&(child, _)| child).filter(|&child| found.insert(child)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_travel_as_a_word() {
        let limits = Limits { time: Some(Duration::from_millis(1500)), memory: Some(1 << 30) };
        assert_eq!(Limits::from_word(&limits.to_word()), Some(limits));
        assert_eq!(Limits::from_word(&Limits::NONE.to_word()), Some(Limits::NONE));
        assert_eq!(Limits::from_word("soon"), None);
    }

    #[test]
    fn the_parent_is_found_behind_any_name() {
        assert_eq!(parent("12 (a) b) S 7 12 12 0"), Some(7));
        assert_eq!(parent("12"), None);
    }

    #[test]
    fn descendants_are_found_at_any_depth() {
        let parents = [(2, 1), (3, 2), (4, 3), (5, 9), (9, 0)];
        assert_eq!(descendants(2, &parents), BTreeSet::from([3, 4]));
    }
}
