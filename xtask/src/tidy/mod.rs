//! `cargo xtask tidy`: the invariants of the design, checked on the text of the workspace.
//!
//! Each check is a function from a file, or from all of them, to violations, and says in each what
//! to do. The files are those that git tracks or would track.

mod effects;
mod layers;
mod lines;
mod links;
mod page;
mod rust;

use crate::show;
use rust::Rust;
use std::fmt;
use std::path::Path;
use std::process::{Command, ExitCode};

pub const USAGE: &str = "\
cargo xtask tidy                      check the invariants of the design";

/// A file of the workspace.
pub struct File {
    /// Relative to the checkout, with `/`.
    pub path: String,
    pub text: String,
}

/// A line that breaks an invariant, and what to do about it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    pub path: String,
    pub line: usize,
    pub message: String,
}

impl Violation {
    pub fn new(path: &str, line: usize, message: impl Into<String>) -> Violation {
        Violation { path: path.into(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// What looks at a Rust source.
const RUST_CHECKS: &[fn(&str, &Rust) -> Vec<Violation>] = &[
    layers::foreign_front_end,
    effects::input_and_output,
    effects::printing,
    effects::global_state,
    lines::unfinished,
];

/// What looks at the raw text of any file.
const TEXT_CHECKS: &[fn(&str, &str) -> Vec<Violation>] =
    &[layers::dependencies, lines::machine_names, lines::conflicts, lines::length];

/// Runs `cargo xtask tidy`.
pub fn main(checkout: &Path) -> Result<ExitCode, String> {
    let files = tracked_files(checkout)?;
    let mut violations = check(&files);
    violations.sort();
    for violation in &violations {
        show(&format!("{violation}\n"));
    }
    eprintln!("tidy: {} files, {} violations", files.len(), violations.len());
    Ok(if violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All violations in these files.
fn check(files: &[File]) -> Vec<Violation> {
    let mut violations = page::every_crate_is_described(files);
    violations.extend(links::links_lead_somewhere(files));
    violations.extend(links::every_page_is_listed(files));
    for File { path, text } in files {
        violations.extend(TEXT_CHECKS.iter().flat_map(|check| check(path, text)));
        if path.ends_with(".rs") {
            let rust = Rust::new(text);
            violations.extend(RUST_CHECKS.iter().flat_map(|check| check(path, &rust)));
        }
    }
    violations
}

/// The text files that git tracks or would track, as they are on disk.
fn tracked_files(checkout: &Path) -> Result<Vec<File>, String> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"])
        .current_dir(checkout)
        .output()
        .map_err(|e| format!("cannot run git: {e}"))?;
    if !listing.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&listing.stderr).trim()));
    }
    let names = String::from_utf8_lossy(&listing.stdout).into_owned();
    let file = |path: &str| {
        let text = std::fs::read_to_string(checkout.join(path)).ok()?;
        Some(File { path: path.into(), text })
    };
    Ok(names.split_terminator('\0').filter_map(file).collect())
}

/// The crate under `crates/` that a file belongs to, and the file's path within it.
fn crate_of(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("crates/")?.split_once('/')
}

/// Whether a file within a crate holds tests or benchmarks only.
fn is_test_file(within: &str) -> bool {
    ["tests/", "benches/", "examples/"].iter().any(|folder| within.starts_with(folder))
        || within.ends_with("/tests.rs")
        || within.contains("/tests/")
}
