//! From the shim's log to `compile_commands.json`.
//!
//! One entry per source, in the order in which they sort, so that two builds with different
//! interleaving give the same file. Left out are sources that the build has deleted again, and
//! repetitions that differ only in the files they write.

use super::command_line::{Compilation, is_c};
use super::run::Outcome;
use super::shim::Record;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// One entry of a compile database, in the `arguments` form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    pub file: String,
    pub directory: String,
    pub arguments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

impl Entry {
    pub fn is_c(&self) -> bool {
        is_c(&self.file)
    }
}

/// The database of a log; `exists(directory, file)` tells whether a source is still there.
pub fn from_log(
    log: &str,
    exists: impl Fn(&str, &str) -> bool,
) -> Result<Vec<Entry>, serde_json::Error> {
    let mut entries = BTreeSet::new();
    for line in log.lines() {
        let record: Record = serde_json::from_str(line)?;
        entries.extend(entries_of(&record).into_iter().filter(|e| exists(&e.directory, &e.file)));
    }
    let mut seen = BTreeSet::new();
    let is_new = |entry: &Entry| seen.insert(without_outputs(entry));
    Ok(entries.into_iter().filter(is_new).collect())
}

/// What decides the meaning of an entry: its folder, and its arguments but for the files written.
fn without_outputs(entry: &Entry) -> Vec<String> {
    let mut is_output = false;
    let is_meaning = |argument: &&String| {
        let skipped = std::mem::take(&mut is_output);
        is_output = ["-o", "-MF", "-MT", "-MQ"].contains(&argument.as_str());
        !skipped && !is_output
    };
    let meaning = entry.arguments.iter().filter(is_meaning);
    std::iter::once(&entry.directory).chain(meaning).cloned().collect()
}

/// An entry for each source of a command; the command's other sources are removed from it.
fn entries_of(record: &Record) -> Vec<Entry> {
    let Some((compiler, rest)) = record.arguments.split_first() else { return Vec::new() };
    let Some(compilation) = Compilation::of(rest) else { return Vec::new() };
    let entry = |&source: &usize| {
        let kept = |i: &usize| *i == source || !compilation.sources.contains(i);
        let others = (0..rest.len()).filter(kept).map(|i| rest[i].clone());
        Entry {
            file: rest[source].clone(),
            directory: record.directory.clone(),
            arguments: std::iter::once(compiler.clone()).chain(others).collect(),
            output: compilation.object.map(|o| rest[o].clone()),
        }
    };
    compilation.sources.iter().map(entry).collect()
}

/// The database of the log in a file, without the sources that are gone. A build that never called
/// the shim has no log, hence an empty database.
pub fn read_log(log: &Path) -> Result<Vec<Entry>, String> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let exists = |directory: &str, file: &str| Path::new(directory).join(file).is_file();
    from_log(&text, exists).map_err(|e| format!("{}: {e}", log.display()))
}

/// Writes the database.
pub fn write(database: &Path, entries: &[Entry]) -> Outcome {
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", database.display());
    let json = serde_json::to_string_pretty(entries).map_err(|e| told(&e))?;
    std::fs::write(database, json + "\n").map_err(|e| told(&e))
}

/// Reads a database that `write` made; `None` if there is none.
pub fn read(database: &Path) -> Option<Vec<Entry>> {
    serde_json::from_str(&std::fs::read_to_string(database).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(arguments: &str) -> String {
        let arguments = arguments.split_whitespace().map(String::from).collect();
        let record = Record { directory: "/d".into(), arguments };
        serde_json::to_string(&record).unwrap() + "\n"
    }

    fn files(entries: &[Entry]) -> Vec<&str> {
        entries.iter().map(|e| e.file.as_str()).collect()
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let (a, b) = (line("gcc -c a.c -o a.o"), line("gcc -c b.c"));
        let one = from_log(&format!("{a}{b}{a}"), |_, _| true).unwrap();
        let other_object = line("gcc -c a.c -o z.o");
        assert_eq!(from_log(&format!("{a}{b}{other_object}"), |_, _| true).unwrap(), one);
        let two = from_log(&format!("{b}{a}"), |_, _| true).unwrap();
        assert_eq!(one, two);
        assert_eq!(files(&one), ["a.c", "b.c"]);
        assert_eq!(one[0].output.as_deref(), Some("a.o"));
    }

    #[test]
    fn a_command_with_two_sources_gives_two_entries() {
        let entries = from_log(&line("gcc -g a.c b.c -o p"), |_, _| true).unwrap();
        assert_eq!(files(&entries), ["a.c", "b.c"]);
        assert_eq!(entries[1].arguments, ["gcc", "-g", "b.c", "-o", "p"]);
    }

    #[test]
    fn vanished_sources_are_left_out() {
        let log = line("gcc -c conftest.c") + &line("gcc -c a.c");
        let entries = from_log(&log, |_, file| file != "conftest.c").unwrap();
        assert_eq!(files(&entries), ["a.c"]);
    }

    #[test]
    fn a_broken_log_is_an_error() {
        assert!(from_log("{", |_, _| true).is_err());
    }
}
