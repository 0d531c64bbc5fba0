//! Execution is the front end's proof: the programs of `suites/run` do the same natively and in
//! the interpreter, and leak what the sanitizer says.
//!
//! `exceptions.txt` in each folder lists the programs that differ, each with its reason; a listed
//! program that no longer differs fails the test, so that the list stays true.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::Folder;

/// Seeds of random programs in an ordinary test run; `CAULK_RANDOM_PROGRAMS` asks for more.
const RANDOM_PROGRAMS: usize = 20;

#[test]
fn programs_do_the_same_natively_and_interpreted() {
    let programs = sources(&suite());
    assert!(programs.len() >= 300, "only {} programs in {}", programs.len(), suite().display());
    let folder = Folder::new("execution");
    let differences = on_all(&programs, |program| difference(program, &folder.0));
    assert_only_exceptions(&suite(), differences);
}

#[test]
fn random_programs_do_the_same_natively_and_interpreted() {
    let folder = Folder::new("random-execution");
    let count = std::env::var("CAULK_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let programs: Vec<PathBuf> =
        (1..=count.unwrap_or(RANDOM_PROGRAMS)).map(|seed| generated(seed, &folder.0)).collect();
    let differences = on_all(&programs, |program| difference(program, &folder.0));
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn leaks_are_those_that_the_sanitizer_finds() {
    let programs = sources(&suite().join("leaks"));
    assert!(programs.len() >= 60, "only {} programs", programs.len());
    let differences = on_all(&programs, |program| {
        let (expected, found) = (expected_leaks(program), found_leaks(program));
        (expected != found).then(|| format!("expected {expected:?}, found {found:?}"))
    });
    assert_only_exceptions(&suite().join("leaks"), differences);
}

/// What differs is what the folder's list says, no more and no less.
fn assert_only_exceptions(folder: &Path, differences: BTreeMap<PathBuf, String>) {
    let exceptions = exceptions(folder);
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let found: BTreeMap<String, String> =
        differences.into_iter().map(|(path, why)| (name(&path), why)).collect();
    let is_new = |name: &str| !exceptions.contains_key(name);
    let unexpected: Vec<_> = found.iter().filter(|(name, _)| is_new(name)).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    let mended: Vec<_> = exceptions.keys().filter(|name| !found.contains_key(*name)).collect();
    assert!(mended.is_empty(), "no longer exceptions, take them off the list: {mended:?}");
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/run")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "c")).collect();
    files.sort();
    files
}

/// `NAME: reason` lines.
fn exceptions(folder: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder.join("exceptions.txt")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    rows.map(|row| {
        let (name, why) = row.split_once(": ").unwrap_or_else(|| panic!("no reason: {row}"));
        (name.to_owned(), why.to_owned())
    })
    .collect()
}

/// Asks about every program, two at a time; those with an answer, in order.
fn on_all(
    programs: &[PathBuf],
    ask: impl Fn(&Path) -> Option<String> + Sync,
) -> BTreeMap<PathBuf, String> {
    let (next, answers) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(answer) = ask(program) {
                        answers.lock().unwrap().insert(program.clone(), answer);
                    }
                }
            });
        }
    });
    answers.into_inner().unwrap()
}

fn generated(seed: usize, folder: &Path) -> PathBuf {
    let script = suite().join("generate.py");
    let made = Command::new("python3").arg(script).arg(seed.to_string()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let path = folder.join(format!("random{seed}.c"));
    fs::write(&path, made.stdout).unwrap();
    path
}

/// How the two runs of a program differ.
fn difference(program: &Path, folder: &Path) -> Option<String> {
    let input = program.with_extension("stdin");
    let native = natively(program, &input, folder);
    let interpreted = interpreted(program, &input);
    let (wanted, got) = (shell_code(&native), interpreted.status.code().unwrap_or(-1));
    if wanted != got {
        let why = String::from_utf8_lossy(&interpreted.stderr);
        return Some(format!("status {wanted} natively, {got} interpreted: {why}"));
    }
    (native.stdout != interpreted.stdout || native.stderr != interpreted.stderr)
        .then(|| "the output differs".to_owned())
}

fn natively(program: &Path, input: &Path, folder: &Path) -> Output {
    let binary = folder.join(program.file_stem().unwrap());
    let built = Command::new("cc")
        .args(["-std=gnu17", "-O0", "-w", "-o"])
        .arg(&binary)
        .arg(program)
        .arg("-lm")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Command::new(&binary).stdin(stdin_of(input)).current_dir(folder).output().unwrap()
}

fn stdin_of(input: &Path) -> Stdio {
    fs::File::open(input).map_or_else(|_| Stdio::null(), Stdio::from)
}

fn interpreted(program: &Path, input: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caulk"));
    command.arg("run").arg(program).arg("--cflag=-std=gnu17");
    if input.exists() {
        command.arg("--stdin").arg(input);
    }
    command.output().unwrap()
}

fn shell_code(output: &Output) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    let status = output.status;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// The lines in `// leaks: 12 17`.
fn expected_leaks(program: &Path) -> Vec<u32> {
    let text = fs::read_to_string(program).unwrap();
    let line = text.lines().next().unwrap_or_default();
    let list = line.strip_prefix("// leaks: ").unwrap_or_else(|| panic!("{}", program.display()));
    list.split_whitespace()
        .filter(|word| *word != "none")
        .map(|word| word.parse().unwrap())
        .collect()
}

/// The lines of the allocating calls that the interpreter tells.
fn found_leaks(program: &Path) -> Vec<u32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caulk"));
    let output = command.arg("run").arg(program).arg("--leaks").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    let mut lines: Vec<u32> = text
        .split("leaked, allocated in\n")
        .skip(1)
        .map(|rest| line_of(rest.lines().next().unwrap_or_default()))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The line in `    function at file:line:column`.
fn line_of(position: &str) -> u32 {
    let mut parts = position.rsplit(':');
    parts.nth(1).and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("{position}"))
}
