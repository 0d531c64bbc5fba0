//! Who touches the world: files and processes, the terminal, global state.

use super::layers::is_within;
use super::rust::{Rust, imports, line_at, lines_with, positions};
use super::{Violation, crate_of, is_test_file};

/// Modules that do input and output.
const IO_MODULES: &[&str] = &[
    "std::fs",
    "std::process",
    "std::net",
    "std::env",
    "std::os::fd",
    "std::os::unix::fs",
    "std::os::unix::net",
    "std::os::unix::process",
    "tokio",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
];

/// Calls that reach files without naming such a module.
const IO_CALLS: &[&str] = &[
    "File::open",
    "File::create",
    ".canonicalize(",
    ".read_dir(",
    ".try_exists(",
    ".symlink_metadata(",
    ".is_file(",
    ".is_dir(",
    "io::stdin",
    "io::stdout",
    "io::stderr",
];

/// What the programs may use beside `project`: the terminal, their arguments, their exit code.
const IO_OF_PROGRAMS: &[&str] =
    &["std::env", "std::process::ExitCode", "std::process::exit", "std::io", "io::"];

const PROGRAMS: &[&str] = &["cli", "lsp"];

/// Only a dev-dependency: it reads and blesses the suites.
const TEST_SUPPORT: &str = "testkit";

/// The part of a file under `crates/` that is library code, with the crate's name.
fn library<'a>(path: &'a str, rust: &'a Rust) -> Option<(&'a str, &'a str)> {
    let (name, within) = crate_of(path)?;
    (!is_test_file(within) && name != TEST_SUPPORT).then_some((name, rust.library.as_str()))
}

/// Only `project` touches files, processes, the network and the environment.
pub fn input_and_output(path: &str, rust: &Rust) -> Vec<Violation> {
    let Some((name, code)) = library(path, rust) else { return Vec::new() };
    if name == "project" {
        return Vec::new();
    }
    let is_allowed = |what: &str| {
        PROGRAMS.contains(&name) && IO_OF_PROGRAMS.iter().any(|allowed| what.starts_with(allowed))
    };
    let mut found: Vec<(usize, String)> = io_imports(code);
    found.extend(io_paths(code));
    found.extend(io_calls(code));
    found.retain(|(_, what)| !is_allowed(what));
    found.sort();
    found.dedup_by_key(|(line, _)| *line);
    let message = |what: &str| format!("{what} outside project: let project do it, pass the value");
    found.into_iter().map(|(line, what)| Violation::new(path, line, message(&what))).collect()
}

fn io_imports(code: &str) -> Vec<(usize, String)> {
    let is_io = |path: &str| IO_MODULES.iter().any(|module| is_within(path, module));
    imports(code).into_iter().filter(|(_, path)| is_io(path)).collect()
}

/// Paths written out in full, with the segment that follows the module.
fn io_paths(code: &str) -> Vec<(usize, String)> {
    let path_at = |at: usize| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let end = code[at..].find(|c| !is_part(c)).map_or(code.len(), |length| at + length);
        code[at..end].trim_end_matches(':').to_string()
    };
    let all = IO_MODULES.iter().flat_map(|module| positions(code, module));
    all.map(|at| (line_at(code, at), path_at(at))).collect()
}

fn io_calls(code: &str) -> Vec<(usize, String)> {
    let lines = |call: &'static str| {
        let told = call.trim_start_matches('.').trim_end_matches('(');
        lines_with(code, call).into_iter().map(move |line| (line, told.to_string()))
    };
    IO_CALLS.iter().flat_map(|call| lines(call)).collect()
}

/// Libraries return values and never print; nobody leaves a `dbg!` behind.
pub fn printing(path: &str, rust: &Rust) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut forbid = |code: &str, word: &str, what_to_do: &str| {
        let message = format!("{word}: {what_to_do}");
        let lines = lines_with(code, word).into_iter();
        found.extend(lines.map(|line| Violation::new(path, line, message.clone())));
    };
    forbid(&rust.all, "dbg!", "remove it");
    if let Some((name, code)) = library(path, rust)
        && !PROGRAMS.contains(&name)
    {
        for word in ["println!", "eprintln!", "print!", "eprint!"] {
            forbid(code, word, "a library does not print: return the value");
        }
    }
    found
}

/// Types whose value can change behind a shared reference. Not `LazyLock`: a constant that is
/// computed at its first use is no state.
const CELLS: &[&str] =
    &["Mutex", "RwLock", "Atomic", "OnceLock", "OnceCell", "RefCell", "Cell", "UnsafeCell"];

/// Options and results travel as values: no global that changes, except in `cli`.
pub fn global_state(path: &str, rust: &Rust) -> Vec<Violation> {
    let advice = "no global state: pass the value along";
    let mut found = Vec::new();
    for word in ["static mut", "thread_local!", "lazy_static!", "lazy_static", "once_cell"] {
        let lines = lines_with(&rust.library, word).into_iter();
        found.extend(lines.map(|line| Violation::new(path, line, format!("{word}: {advice}"))));
    }
    if crate_of(path).is_none_or(|(name, within)| name != "cli" && !is_test_file(within)) {
        found.extend(changing_statics(&rust.library).into_iter().map(|(line, cell)| {
            Violation::new(path, line, format!("static with {cell}: {advice}"))
        }));
    }
    found.sort();
    found.dedup_by_key(|v| v.line);
    found
}

/// The statics whose type has a cell in it.
fn changing_statics(code: &str) -> Vec<(usize, &'static str)> {
    let cell_at = |at: usize| {
        let is_lifetime = code[..at].ends_with('\'');
        let declared = code[at..].split(['=', ';']).next().unwrap_or_default();
        let mut words = declared.split(|c: char| !c.is_alphanumeric());
        let is_cell =
            |word: &str, cell: &str| word == cell || cell == "Atomic" && word.starts_with(cell);
        let cell = words.find_map(|word| CELLS.iter().find(|cell| is_cell(word, cell)));
        cell.filter(|_| !is_lifetime && declared.contains(':')).map(|c| (line_at(code, at), *c))
    };
    positions(code, "static").into_iter().filter_map(cell_at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Check = fn(&str, &Rust) -> Vec<Violation>;

    fn lines(check: Check, path: &str, text: &str) -> Vec<usize> {
        check(path, &Rust::new(text)).into_iter().map(|v| v.line).collect()
    }

    #[test]
    fn files_belong_to_project() {
        let io = |path, text| lines(input_and_output, path, text);
        let lib = "crates/flow/src/lib.rs";
        assert_eq!(io(lib, "\nuse std::{fs, path::Path};"), [2]);
        assert_eq!(io(lib, "fn f() { std::process::Command::new(x); }"), [1]);
        assert_eq!(io(lib, "fn f(p: &Path) { p.is_file(); }"), [1]);
        assert_eq!(io(lib, "let v = std::env::var(x);"), [1]);
        assert!(io(lib, "// std::fs\nuse std::path::Path;\nuse std::io::Write;").is_empty());
        assert!(io(lib, "#[cfg(test)]\nmod tests { use std::fs; }").is_empty());
        assert!(io("crates/flow/tests/a.rs", "use std::fs;").is_empty());
        assert!(io("crates/project/src/lib.rs", "use std::fs;").is_empty());
        assert!(io("xtask/src/main.rs", "use std::fs;").is_empty());
    }

    #[test]
    fn programs_may_use_the_terminal_and_their_exit_code() {
        let io = |text| lines(input_and_output, "crates/cli/src/main.rs", text);
        assert!(io("use std::process::ExitCode;\nfn f() { std::io::stdout(); }").is_empty());
        assert_eq!(io("use std::process::{Command, ExitCode};"), [1]);
        assert_eq!(io("use std::fs;"), [1]);
    }

    #[test]
    fn libraries_do_not_print() {
        let print = |path, text| lines(printing, path, text);
        assert_eq!(print("crates/ir/src/lib.rs", "fn f() {\n println!() }"), [2]);
        assert!(print("crates/ir/src/lib.rs", "/// println!()\nfn f() { writeln!() }").is_empty());
        assert!(print("crates/cli/src/main.rs", "fn f() { println!() }").is_empty());
        assert_eq!(print("crates/cli/src/main.rs", "fn f() { dbg!(x) }"), [1]);
        assert!(print("crates/ir/tests/a.rs", "fn f() { println!() }").is_empty());
    }

    #[test]
    fn there_is_no_global_state() {
        let state = |path, text| lines(global_state, path, text);
        let lib = "crates/ir/src/lib.rs";
        assert_eq!(state(lib, "static mut X: u8 = 0;"), [1]);
        assert_eq!(state(lib, "\nstatic X: AtomicUsize = a;"), [2]);
        assert_eq!(state(lib, "static X: LazyLock<Mutex<u8>> = a;"), [1]);
        assert_eq!(state(lib, "thread_local! { }"), [1]);
        assert!(state(lib, "static X: &[&str] = a;\nfn f(x: &'static Mutex<u8>) {}").is_empty());
        assert!(state(lib, "fn f() { let x: Mutex<u8> = a; }").is_empty());
        assert!(state("crates/cli/src/main.rs", "static X: AtomicBool = a;").is_empty());
    }
}
