//! Running a compiler with a question: no input, a fixed locale, a time limit, bounded output.
//!
//! The child leads a process group of its own, and a late answer ends the whole group: wrapper
//! scripts must not leave the real compiler behind. The pipes are read by threads that are not
//! joined, so that a grandchild which keeps a pipe open cannot hold up the run.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const OUTPUT_LIMIT: u64 = 16 << 20;

#[derive(Debug)]
pub(crate) struct Output {
    pub success: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Why there is no output at all.
#[derive(Debug)]
pub(crate) enum RunError {
    NotStarted(io::Error),
    TooLate(Duration),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::NotStarted(error) => write!(f, "could not be run: {error}"),
            RunError::TooLate(limit) => {
                write!(f, "gave no answer within {} seconds", limit.as_secs_f32())
            }
        }
    }
}

/// Runs to the end or to the time limit.
pub(crate) fn run(program: &Path, args: &[OsString], limit: Duration) -> Result<Output, RunError> {
    let deadline = Instant::now() + limit;
    let mut child = spawn(program, args).map_err(RunError::NotStarted)?;
    let output = collect(&mut child, deadline);
    if output.is_none() {
        end_group(&mut child);
    }
    output.ok_or(RunError::TooLate(limit))
}

fn spawn(program: &Path, args: &[OsString]) -> io::Result<Child> {
    let mut tries = 0;
    loop {
        let child = Command::new(program)
            .args(args)
            .env("LC_ALL", "C")
            .env_remove("LANGUAGE")
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn();
        match child {
            // Another process still holds a freshly written program open for writing.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < 20 => {
                tries += 1;
                thread::sleep(Duration::from_millis(10));
            }
            child => return child,
        }
    }
}

fn collect(child: &mut Child, deadline: Instant) -> Option<Output> {
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let stdout = stdout.recv_timeout(left(deadline)).ok()?;
    let stderr = stderr.recv_timeout(left(deadline)).ok()?;
    let success = wait(child, deadline)?;
    Some(Output { success, stdout, stderr })
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    let read = move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before an error still stands; the exit status tells the rest.
            let _ = pipe.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    };
    // Without a thread the sender is dropped, which the receiver sees at once.
    let _ = thread::Builder::new().spawn(read);
    receiver
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// The pipes are closed by now, so the child is about to end or has ended.
fn wait(child: &mut Child, deadline: Instant) -> Option<bool> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Err(_) => return Some(false),
            Ok(None) if left(deadline).is_zero() => return None,
            Ok(None) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn end_group(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Result<Output, RunError> {
        run(Path::new("/bin/sh"), &["-c".into(), script.into()], limit)
    }

    #[test]
    fn both_streams_and_the_status_are_kept() {
        let output = shell("echo out; echo err >&2; exit 3", Duration::from_secs(10)).unwrap();
        assert_eq!((output.stdout, output.stderr), (b"out\n".to_vec(), b"err\n".to_vec()));
        assert!(!output.success);
    }

    #[test]
    fn stdin_is_empty_and_the_locale_is_c() {
        let output = shell("cat; echo $LC_ALL", Duration::from_secs(10)).unwrap();
        assert_eq!(output.stdout, b"C\n");
        assert!(output.success);
    }

    #[test]
    fn a_late_program_is_ended_with_its_children() {
        let start = Instant::now();
        let error = shell("sleep 20 & sleep 20", Duration::from_millis(200)).unwrap_err();
        assert_eq!(error.to_string(), "gave no answer within 0.2 seconds");
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let error = run(Path::new("/no/such"), &[], Duration::from_secs(1)).unwrap_err();
        assert!(error.to_string().starts_with("could not be run"), "{error}");
    }
}
