//! What a command costs: user and system CPU, wall time, peak memory.
//!
//! The kernel sums the CPU of all finished descendants of a process and keeps the largest memory
//! peak among them, but it never resets these figures. So a measured command runs below a helper
//! process of its own (this same binary, as `measure-child`), whose figures begin at zero; the
//! helper is small, so that the memory a child shares with its parent before it starts does not
//! show.
//!
//! Deliberately absent: the sum of the memory of processes that run at the same time. The peak is
//! that of the largest process.

use crate::process_tree::{self, Limits};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::Signal;
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

/// The command that `main` hands to [`child`].
pub const CHILD: &str = "measure-child";
pub const USAGE: &str = "\
cargo xtask measure COMMAND…          run it, then tell its CPU, wall time and peak memory";

/// What a command and its descendants used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub user: Duration,
    pub system: Duration,
    pub wall: Duration,
    /// In bytes.
    pub peak_memory: u64,
    /// As a shell tells it: 128 and the number of the signal, if one ended the command.
    pub exit_code: u8,
    /// Whether the command was ended at its time limit.
    #[serde(default)]
    pub timed_out: bool,
}

impl Usage {
    /// User and system, in seconds.
    pub fn cpu_seconds(&self) -> f64 {
        (self.user + self.system).as_secs_f64()
    }
}

/// A command to be measured.
pub struct Measurement {
    /// To be completed with arguments, folder and redirections, as any command.
    pub command: Command,
    result: PathBuf,
}

impl Measurement {
    /// Measures `program`; `result` names a file to be used for handing over the figures.
    pub fn of(program: impl AsRef<OsStr>, result: PathBuf) -> std::io::Result<Measurement> {
        Self::within(Limits::NONE, program, result)
    }

    /// Measures `program` and ends it with all its descendants at the limit.
    pub fn within(
        limits: Limits,
        program: impl AsRef<OsStr>,
        result: PathBuf,
    ) -> std::io::Result<Measurement> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(CHILD).arg(&result).arg(limits.to_word()).arg(program);
        Ok(Measurement { command, result })
    }

    /// Runs the command to its end. That it fails is no error here: see [`Usage::exit_code`].
    pub fn run(mut self) -> Result<Usage, String> {
        let told = |e: &dyn std::fmt::Display| format!("no figures from the command: {e}");
        self.command.status().map_err(|e| told(&e))?;
        let text = std::fs::read_to_string(&self.result).map_err(|e| told(&e))?;
        let _ = std::fs::remove_file(&self.result);
        serde_json::from_str(&text).map_err(|e| told(&e))
    }
}

/// Runs `cargo xtask measure` with these further arguments.
pub fn main(arguments: &[String]) -> Result<ExitCode, String> {
    let (program, rest) = arguments.split_first().ok_or(format!("usage:\n{USAGE}"))?;
    let result = std::env::temp_dir().join(format!("caulk-measure-{}.json", std::process::id()));
    let mut measurement = Measurement::of(program, result).map_err(|e| e.to_string())?;
    measurement.command.args(rest);
    let usage = measurement.run()?;
    eprintln!("{}", describe(&usage));
    Ok(ExitCode::from(usage.exit_code))
}

fn describe(usage: &Usage) -> String {
    let Usage { user, system, wall, peak_memory, .. } = usage;
    let mebibytes = *peak_memory as f64 / f64::from(1 << 20);
    let [user, system, wall] = [user, system, wall].map(Duration::as_secs_f64);
    format!("user {user:.2} s, system {system:.2} s, wall {wall:.2} s, peak {mebibytes:.1} MiB")
}

/// The helper: runs the command `[result, limits, program, arguments…]` and writes its figures to
/// `result`.
pub fn child(arguments: &[String]) -> Result<ExitCode, String> {
    let [result, limits, program, rest @ ..] = arguments else {
        return Err(format!("{CHILD} is not to be called by hand"));
    };
    let limits = Limits::from_word(limits).ok_or(format!("no limits: {limits}"))?;
    let start = Instant::now();
    let ended = process_tree::run(Command::new(program).args(rest), limits);
    let ended = ended.map_err(|e| format!("cannot run {program}: {e}"))?;
    let mut usage = usage_of_children(start.elapsed(), ended.status).map_err(|e| e.to_string())?;
    usage.timed_out = ended.timed_out || is_out_of_time(&usage, limits);
    write(Path::new(result), &usage)?;
    Ok(ExitCode::from(usage.exit_code))
}

/// Whether a process of a failed command had no time left. A compiler's driver tells this as an
/// error of its own, so the time decides; the count that the kernel limits and the one that it
/// tells differ by some hundredths, hence the slack.
fn is_out_of_time(usage: &Usage, limits: Limits) -> bool {
    let used = (usage.user + usage.system).mul_f64(1.15);
    let was_told = usage.exit_code == 128 + Signal::SIGXCPU as u8;
    limits.time.is_some_and(|time| was_told || usage.exit_code != 0 && used >= time)
}

fn write(result: &Path, usage: &Usage) -> Result<(), String> {
    let text = serde_json::to_string(usage).map_err(|e| e.to_string())?;
    std::fs::write(result, text).map_err(|e| format!("{}: {e}", result.display()))
}

/// The figures of all children that this process waited for.
fn usage_of_children(wall: Duration, status: ExitStatus) -> nix::Result<Usage> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = |t: nix::sys::time::TimeVal| Duration::from_micros(t.num_microseconds() as u64);
    Ok(Usage {
        user: time(usage.user_time()),
        system: time(usage.system_time()),
        wall,
        peak_memory: usage.max_rss() as u64 * 1024,
        exit_code: exit_code(status),
        timed_out: false,
    })
}

fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or(status.signal().map(|s| 128 + s)).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_and_codes_are_told_as_a_shell_does() {
        assert_eq!(exit_code(ExitStatus::from_raw(3 << 8)), 3);
        assert_eq!(exit_code(ExitStatus::from_raw(9)), 137);
    }

    const SECOND: Duration = Duration::from_secs(1);

    fn usage(exit_code: u8) -> Usage {
        let (user, system, wall) = (SECOND, SECOND / 2, 2 * SECOND);
        Usage { user, system, wall, peak_memory: 3 << 19, exit_code, timed_out: false }
    }

    #[test]
    fn a_failure_without_time_left_is_no_failure_of_the_command() {
        let limits = |seconds| Limits { time: Some(Duration::from_secs(seconds)), memory: None };
        assert!(is_out_of_time(&usage(1), limits(1)));
        assert!(is_out_of_time(&usage(152), limits(9)));
        assert!(!is_out_of_time(&usage(1), limits(2)));
        assert!(!is_out_of_time(&usage(0), limits(1)));
        assert!(!is_out_of_time(&usage(1), Limits::NONE));
    }

    #[test]
    fn the_description_has_units() {
        assert_eq!(describe(&usage(0)), "user 1.00 s, system 0.50 s, wall 2.00 s, peak 1.5 MiB");
    }
}
