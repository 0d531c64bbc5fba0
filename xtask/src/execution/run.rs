//! One case, natively and interpreted, and how the two differ.

use super::build::Built;
use super::suite::{Case, Program};
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What programs are told to be called, so that messages are the same.
const NAME: &str = "program";
/// Far more than any case needs; a program that never ends is a difference.
const MOST_STEPS: &str = "20000000000";
/// The whole environment of a program. Without a home, SQLite asks the native system for one.
const HOME: [&str; 2] = ["HOME", "."];
/// How a shell tells that signal.
const SEGMENTATION_FAULT: i32 = 128 + 11;
/// The case's standard input is what that other case wrote.
const OUTPUT_OF: &str = "output of ";

/// How to run things.
pub struct Runner<'a> {
    pub caulk: &'a Path,
    /// Where programs find their files.
    pub folder: PathBuf,
}

/// A finished run.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// As a shell tells it.
    pub code: i32,
}

/// What `caulk run --verbose` tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub instructions: u64,
    pub allocations: u64,
    pub peak_memory: u64,
}

/// A case that ran both ways.
pub struct Comparison {
    /// `PROGRAM/CASE`.
    pub key: String,
    pub difference: Option<String>,
    pub counts: Counts,
    /// Why memory that was never set reads as zero, if so.
    pub reads_unset: Option<String>,
}

/// Runs all cases in their order, keeping what each wrote for those that read it.
pub fn compare_all(
    program: &Program,
    built: &Built,
    runner: &Runner,
) -> Result<Vec<Comparison>, String> {
    let compare = |case: &Case| {
        let key = format!("{}/{}", program.name, case.name);
        eprintln!("{key} …");
        let native = runner.native(&built.native, case, None)?;
        let (interpreted, counts) = runner.interpreted(built, case, None)?;
        keep(&native.stdout, &runner.folder.join(output_of(&case.name)))?;
        let difference =
            difference(&native, &interpreted).or_else(|| runner.unexpected(&native, case));
        Ok(Comparison { key, difference, counts, reads_unset: case.reads_unset.clone() })
    };
    program.cases.iter().map(compare).collect()
}

impl Runner<'_> {
    /// Runs the native build; `failing` is for a build with `failing_malloc.c`.
    pub fn native(&self, binary: &Path, case: &Case, failing: Option<u64>) -> Result<Ran, String> {
        let mut command = Command::new(binary);
        command.arg0(NAME).args(&case.args).env_clear().env(HOME[0], HOME[1]);
        command.envs(failing.map(|number| ("FAIL_ALLOC", number.to_string())));
        command.stdin(match self.stdin(case) {
            Some(file) => Stdio::from(File::open(&file).map_err(|e| told(&file, &e))?),
            None => Stdio::null(),
        });
        self.finish(command)
    }

    /// Runs the interpreter, with this allocation failing.
    pub fn interpreted(
        &self,
        built: &Built,
        case: &Case,
        failing: Option<u64>,
    ) -> Result<(Ran, Counts), String> {
        let mut command = self.caulk(built, case);
        command.args(failing.map(|number| format!("--fail-alloc={number}")));
        command.arg("--").args(&case.args);
        let mut ran = self.finish(command)?;
        let counts = take_counts(&mut ran.stderr).unwrap_or_default();
        Ok((ran, counts))
    }

    /// `caulk run`, but for the arguments of the program.
    fn caulk(&self, built: &Built, case: &Case) -> Command {
        let mut command = Command::new(self.caulk);
        command.args(["run", "--verbose", "--steps", MOST_STEPS]);
        command.args(case.reads_unset.as_ref().map(|_| "--uninitialised=ignore"));
        command.arg("-p").arg(&built.database).arg("--env").arg(HOME.join("="));
        command.args(case.files.iter().map(|file| format!("--file={file}")));
        if let Some(file) = self.stdin(case) {
            command.arg("--stdin").arg(file);
        }
        command.stdin(Stdio::null());
        command
    }

    /// What is wrong with a run that is to write the bytes of a certain file.
    fn unexpected(&self, ran: &Ran, case: &Case) -> Option<String> {
        let name = case.writes.as_ref()?;
        let is_same = std::fs::read(self.folder.join(name)).is_ok_and(|bytes| bytes == ran.stdout);
        (!is_same).then(|| format!("standard output is not {name}"))
    }

    fn stdin(&self, case: &Case) -> Option<PathBuf> {
        let name = case.stdin.as_deref()?;
        Some(self.folder.join(name.strip_prefix(OUTPUT_OF).map_or(name.into(), output_of)))
    }

    fn finish(&self, mut command: Command) -> Result<Ran, String> {
        let output = command.current_dir(&self.folder).output();
        let output = output.map_err(|e| told(command.get_program().as_ref(), &e))?;
        let status = output.status;
        let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(-1);
        Ok(Ran { stdout: output.stdout, stderr: output.stderr, code })
    }
}

fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn output_of(case: &str) -> String {
    format!("{case}.out")
}

fn keep(bytes: &[u8], file: &Path) -> Result<(), String> {
    std::fs::write(file, bytes).map_err(|e| told(file, &e))
}

/// Removes the line of `--verbose` from the end of what was written to standard error.
pub fn take_counts(stderr: &mut Vec<u8>) -> Option<Counts> {
    let text = stderr.strip_suffix(b"\n")?;
    let start = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = std::str::from_utf8(&text[start..]).ok()?.strip_prefix("caulk: ")?.to_string();
    let mut numbers = line.split(' ').filter_map(|word| word.parse::<u64>().ok());
    let mut next = || numbers.next();
    let counts = Counts { instructions: next()?, allocations: next()?, peak_memory: next()? };
    stderr.truncate(start);
    Some(counts)
}

/// Whether both ended at a NULL pointer: the native run by a signal, which also loses what it had
/// not yet flushed, the interpreted one with a report.
pub fn both_crashed(native: &Ran, interpreted: &Ran) -> bool {
    let complaint = last_line(&interpreted.stderr);
    native.code == SEGMENTATION_FAULT && complaint.starts_with("caulk: null-dereference: ")
}

/// The first thing that differs, if anything does.
pub fn difference(native: &Ran, interpreted: &Ran) -> Option<String> {
    if both_crashed(native, interpreted) {
        return None;
    }
    if native.code != interpreted.code {
        let (native, code) = (native.code, interpreted.code);
        let last = last_line(&interpreted.stderr);
        return Some(format!("status {native} natively, {code} interpreted: {last}"));
    }
    let streams = [
        ("stdout", &native.stdout, &interpreted.stdout),
        ("stderr", &native.stderr, &interpreted.stderr),
    ];
    streams.into_iter().find_map(|(name, native, other)| differing(name, native, other))
}

fn differing(name: &str, native: &[u8], interpreted: &[u8]) -> Option<String> {
    if native == interpreted {
        return None;
    }
    let [native, interpreted] = [native, interpreted].map(String::from_utf8_lossy);
    let lines = native.lines().map(Some).chain(std::iter::repeat(None));
    let others = interpreted.lines().map(Some).chain(std::iter::repeat(None));
    let count = native.lines().count().max(interpreted.lines().count());
    let mut pairs = (1..=count).zip(lines.zip(others));
    let (number, (a, b)) = pairs.find(|(_, (a, b))| a != b)?;
    let [a, b] = [a, b].map(|line| line.unwrap_or("nothing"));
    Some(format!("line {number} of {name}: `{a}` natively, `{b}` interpreted"))
}

/// What caulk complained about, or the last words of the program.
fn last_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let complaint = text.lines().rev().find(|line| line.starts_with("caulk: "));
    complaint.or(text.lines().last()).unwrap_or("no message").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_the_same_in_either_form() {
        let stderr = b"caulk: null-dereference: write at NULL + 0, in\n    a.c:1".to_vec();
        let reported = Ran { stdout: b"buffered".to_vec(), stderr, code: 125 };
        assert_eq!(difference(&ran("", SEGMENTATION_FAULT), &reported), None);
        assert!(difference(&ran("", 0), &reported).is_some());
        assert!(difference(&ran("", SEGMENTATION_FAULT), &ran("", 125)).is_some());
    }

    fn ran(stdout: &str, code: i32) -> Ran {
        Ran { stdout: stdout.into(), stderr: Vec::new(), code }
    }

    #[test]
    fn counts_are_taken_off() {
        let line = "caulk: 12 instructions, 3 allocations, at most 45 bytes of memory at once\n";
        let mut stderr = format!("first\n{line}").into_bytes();
        let counts = Counts { instructions: 12, allocations: 3, peak_memory: 45 };
        assert_eq!(take_counts(&mut stderr), Some(counts));
        assert_eq!(stderr, b"first\n");
        assert_eq!(take_counts(&mut stderr), None);
    }

    #[test]
    fn differences_are_told() {
        assert_eq!(difference(&ran("a\n", 0), &ran("a\n", 0)), None);
        let status = difference(&ran("", 1), &ran("", 125)).unwrap();
        assert!(status.starts_with("status 1 natively, 125 interpreted"));
        let line = difference(&ran("a\nb\n", 0), &ran("a\nc\n", 0)).unwrap();
        assert_eq!(line, "line 2 of stdout: `b` natively, `c` interpreted");
        let short = difference(&ran("a\nb\n", 0), &ran("a\n", 0)).unwrap();
        assert_eq!(short, "line 2 of stdout: `b` natively, `nothing` interpreted");
    }
}
