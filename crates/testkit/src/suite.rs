//! Markdown suites: under each `## title` prose, one or more C blocks, and blocks that hold what
//! an analysis says of them.
//!
//! A C block is fenced with "```c", or with "```c name.c" when a case has several files. Every
//! other block is a snapshot, named by its fence. With `CAULK_BLESS` set the snapshots are
//! written anew; read the difference.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use caulk_ir::Module;

pub struct Case {
    pub title: String,
    /// Name and text of each C block.
    pub files: Vec<(String, String)>,
    /// Fence and text of each snapshot.
    pub snapshots: Vec<(String, String)>,
}

impl Case {
    #[must_use]
    pub fn modules(&self) -> Vec<Module> {
        self.files.iter().map(|(name, text)| crate::module(name, text)).collect()
    }
}

/// Checks every snapshot of every `.md` file in `suites/FOLDER` against what `produce` makes of
/// the case for that fence.
///
/// # Panics
/// If a snapshot differs, or fewer than `at_least` cases are found.
pub fn check(folder: &str, at_least: usize, produce: impl Fn(&Case, &str) -> String) {
    let mut failures = String::new();
    let files = files_of(folder);
    let count: usize = files.iter().map(|file| check_file(file, &produce, &mut failures)).sum();
    assert!(count >= at_least, "only {count} cases were found in suites/{folder}");
    assert!(failures.is_empty(), "{failures}");
}

/// Every case in `suites/FOLDER`, by the name of its file, for suites that say in the C text what
/// they expect.
///
/// # Panics
/// If there is no such folder.
#[must_use]
pub fn cases(folder: &str) -> Vec<(String, Case)> {
    let mut rows = Vec::new();
    for file in files_of(folder) {
        let text = std::fs::read_to_string(&file).expect("a readable suite");
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let sections = split_sections(&text);
        rows.extend(sections.iter().skip(1).map(|section| (name.clone(), read_case(section))));
    }
    rows
}

fn files_of(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files
}

fn check_file(
    file: &Path,
    produce: &impl Fn(&Case, &str) -> String,
    failures: &mut String,
) -> usize {
    let text = std::fs::read_to_string(file).expect("a readable suite");
    let mut blessed = String::new();
    let mut count = 0;
    for (index, section) in split_sections(&text).into_iter().enumerate() {
        if index == 0 {
            blessed.push_str(section);
            continue;
        }
        count += 1;
        blessed.push_str(&check_case(file, section, produce, failures));
    }
    if std::env::var_os("CAULK_BLESS").is_some() {
        if blessed != text {
            std::fs::write(file, blessed).expect("a writable suite");
        }
        failures.clear();
    }
    count
}

/// The text before the first `## title`, then one piece for each title.
fn split_sections(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    starts.extend(text.match_indices("\n## ").map(|(at, _)| at + 1));
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// The section as it should be.
fn check_case(
    file: &Path,
    section: &str,
    produce: &impl Fn(&Case, &str) -> String,
    failures: &mut String,
) -> String {
    let case = read_case(section);
    let mut right = section.to_string();
    for (fence, expected) in &case.snapshots {
        let actual = produce(&case, fence);
        if actual != *expected {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let _ = writeln!(
                failures,
                "{name}: {} ({fence})\nexpected:\n{expected}\nactual:\n{actual}",
                case.title
            );
            let (old, new) = (fenced(fence, expected), fenced(fence, &actual));
            right = right.replacen(&old, &new, 1);
        }
    }
    right
}

fn fenced(fence: &str, text: &str) -> String {
    format!("```{fence}\n{text}```")
}

fn read_case(section: &str) -> Case {
    let title = section.lines().next().unwrap_or_default().trim_start_matches("## ").to_string();
    let mut case = Case { title, files: Vec::new(), snapshots: Vec::new() };
    let mut rest = section;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (fence, after) = after.split_once('\n').unwrap_or((after, ""));
        let (inside, after) = split_at_fence(after);
        match fence.strip_prefix("c ").or((fence == "c").then_some("case.c")) {
            Some(name) => case.files.push((name.to_string(), inside.to_string())),
            None => case.snapshots.push((fence.to_string(), inside.to_string())),
        }
        rest = after;
    }
    assert!(!case.files.is_empty(), "{}: no C block", case.title);
    case
}

/// What stands before a closing fence, and what after; a block may be empty.
fn split_at_fence(text: &str) -> (&str, &str) {
    if let Some(after) = text.strip_prefix("```") {
        return ("", after);
    }
    match text.find("\n```") {
        Some(at) => (&text[..at + 1], &text[at + 4..]),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_has_files_and_snapshots() {
        let case = read_case(
            "## two\n\ntext\n\n```c a.c\nint x;\n```\n\n```ir\nold\n```\n\n```uses\n```\n",
        );
        assert_eq!(case.title, "two");
        assert_eq!(case.files, [("a.c".into(), "int x;\n".into())]);
        let snapshots = [("ir".to_string(), "old\n".to_string()), ("uses".into(), String::new())];
        assert_eq!(case.snapshots, snapshots);
    }

    #[test]
    fn a_wrong_snapshot_fails_and_is_corrected() {
        let mut failures = String::new();
        let section = "## one\n\n```c\nint x;\n```\n\n```ir\nold\n```\n";
        let right = check_case(Path::new("s.md"), section, &|_, _| "new\n".into(), &mut failures);
        assert_eq!(right, section.replace("old", "new"));
        assert!(failures.contains("s.md: one (ir)"));
    }
}
