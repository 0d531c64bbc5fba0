//! What no line may hold, whoever wrote it: names of one machine, unfinished work, too many lines.

use super::Violation;
use super::rust::{Rust, lines_with};

/// Folders of one machine. Split, so that this file passes its own check.
const FOLDERS: &[&str] = &[concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/")];

/// Hosts that packages are downloaded from, which each machine chooses for itself.
const HOSTS: &[&str] = &[
    concat!("deb.", "debian.org"),
    concat!("snapshot.", "debian.org"),
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("://", "crates.io"),
];

/// A longer file has more than one subject.
const LONGEST: usize = 1200;

/// No path of a machine and no host of a registry. `Cargo.lock` is cargo's.
pub fn machine_names(path: &str, text: &str) -> Vec<Violation> {
    if path == "Cargo.lock" {
        return Vec::new();
    }
    let judge = |(number, line): (usize, &str)| {
        let folder = FOLDERS.iter().find(|folder| has_absolute(line, folder));
        let message = match (folder, HOSTS.iter().find(|host| line.contains(**host))) {
            (Some(folder), _) => format!("{folder} is a path of one machine: make it relative"),
            (_, Some(host)) => format!("{host} is a registry host: ask the machine for its own"),
            _ => return None,
        };
        Some(Violation::new(path, number, message))
    };
    (1..).zip(text.lines()).filter_map(judge).collect()
}

/// Whether an absolute path begins with `folder` somewhere in the line.
fn has_absolute(line: &str, folder: &str) -> bool {
    let continues_path = |c: char| c.is_alphanumeric() || "_.-/~}*)".contains(c);
    line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(continues_path))
}

/// Unfinished code and sleeping tests stay out of the tree: known wrong answers stay visible.
pub fn unfinished(path: &str, rust: &Rust) -> Vec<Violation> {
    let rules = [
        ("todo!", "finish it, or return an error that says what is missing"),
        ("unimplemented!", "finish it, or return an error that says what is missing"),
        ("#[ignore", "let the test run, and mark the wrong answer as expected"),
    ];
    let found = |(word, advice): (&str, &str)| {
        let message = format!("{word}: {advice}");
        let lines = lines_with(&rust.all, word).into_iter();
        lines.map(|line| Violation::new(path, line, message.clone())).collect::<Vec<_>>()
    };
    rules.into_iter().flat_map(found).collect()
}

/// What a merge that nobody finished leaves behind.
pub fn conflicts(path: &str, text: &str) -> Vec<Violation> {
    let marks = ["<", ">"].map(|mark| mark.repeat(7) + " ");
    let is_mark = |line: &str| marks.iter().any(|mark| line.starts_with(mark.as_str()));
    let found = (1..).zip(text.lines()).filter(|(_, line)| is_mark(line));
    found.map(|(number, _)| Violation::new(path, number, "a merge that is not finished")).collect()
}

/// Sources are short enough to be read as a whole.
pub fn length(path: &str, text: &str) -> Vec<Violation> {
    let count = text.lines().count();
    if !path.ends_with(".rs") || count <= LONGEST {
        return Vec::new();
    }
    let message = format!("{count} lines, more than {LONGEST}: split the file by subject");
    vec![Violation::new(path, LONGEST + 1, message)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(found: Vec<Violation>) -> Vec<usize> {
        found.into_iter().map(|v| v.line).collect()
    }

    #[test]
    fn machine_paths_and_hosts_are_found() {
        for name in FOLDERS.iter().chain(HOSTS) {
            let text = format!("a\nsee \"{name}x\"\n");
            assert_eq!(lines(machine_names("README.md", &text)), [2], "{name}");
            assert!(machine_names("Cargo.lock", &text).is_empty());
        }
        let clean = "../work/x, $ROOT/home/y, https://docs.rs/z, /usr/include\n";
        assert!(machine_names("README.md", clean).is_empty());
    }

    #[test]
    fn unfinished_code_is_found() {
        let text = "fn f() { todo!() }\n// todo!()\n#[test]\n#[ignore = \"slow\"]\nfn g() {}\n";
        assert_eq!(lines(unfinished("a.rs", &Rust::new(text))), [1, 4]);
        assert!(unfinished("a.rs", &Rust::new("fn f() {}")).is_empty());
    }

    #[test]
    fn unfinished_merges_are_found() {
        let (first, last) = ("<".repeat(7), ">".repeat(7));
        let text = format!("a\n{first} HEAD\nb\nc\n{last} other\n");
        assert_eq!(lines(conflicts("a.md", &text)), [2, 5]);
        assert!(conflicts("a.md", "a <<<<<<< b\n=======\n").is_empty());
    }

    #[test]
    fn long_files_are_found() {
        assert_eq!(lines(length("a.rs", &"\n".repeat(1201))), [1201]);
        assert!(length("a.rs", &"\n".repeat(1200)).is_empty());
        assert!(length("a.md", &"\n".repeat(1201)).is_empty());
    }
}
