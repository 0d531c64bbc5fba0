//! Rows of a compile database, and their text.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::compilation::Compilation;
use crate::database::{self, Text};
use crate::paths::absolute;

/// What was compiled, each once, in an order that does not depend on how busy the machine was.
#[derive(Debug, Default)]
pub struct Compilations {
    rows: Vec<Compilation>,
    /// How many have no source any more: tests of configuration scripts, generated files.
    pub gone: usize,
}

impl Compilations {
    pub(crate) fn new(mut found: Vec<Compilation>) -> Self {
        found.sort_by_cached_key(|row| (row.source(), row.clone()));
        found.dedup();
        let all = found.len();
        found.retain(|row| row.source().is_file());
        Self { gone: all - found.len(), rows: found }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Writes the database. `kept` is the text of an older one: its rows for files that were not
/// compiled now are still true. Tells how many of those there are.
pub fn write_database(
    file: &Path,
    compilations: &Compilations,
    kept: Option<&[u8]>,
) -> io::Result<usize> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let old = kept.map_or(Ok(Vec::new()), |text| kept_rows(text, folder, compilations))?;
    let mut text = Vec::new();
    let rows = compilations.rows.iter().map(entry);
    for (at, row) in old.iter().cloned().chain(rows).enumerate() {
        text.extend_from_slice(if at == 0 { b"[\n" } else { b",\n" });
        text.extend_from_slice(&row);
    }
    text.extend_from_slice(if text.is_empty() { b"[]\n" } else { b"\n]\n" });
    crate::write_file(file, &text)?;
    Ok(old.len())
}

/// The text of the rows whose files are there and were not compiled now.
fn kept_rows(text: &[u8], folder: &Path, new: &Compilations) -> io::Result<Vec<Vec<u8>>> {
    let old = database::read(text).map_err(|problem| io::Error::other(problem.to_string()))?;
    let compiled: FxHashSet<PathBuf> = new.rows.iter().map(Compilation::source).collect();
    let source = |entry: &database::Entry| {
        let Text(file) = entry.file.as_ref()?;
        let directory = entry.directory.as_ref().map_or(Path::new(""), |Text(dir)| Path::new(dir));
        Some(absolute(&absolute(folder, directory), Path::new(file)))
    };
    let stays = |entry: &database::Entry| {
        source(entry).is_some_and(|path| !compiled.contains(&path) && path.is_file())
    };
    let rows = old.entries.iter().zip(old.texts).filter(|((_, entry), _)| stays(entry));
    Ok(rows.map(|(_, range)| text[range].to_vec()).collect())
}

fn entry(row: &Compilation) -> Vec<u8> {
    let mut out = Vec::new();
    field(&mut out, b"{\"directory\": ", row.directory.as_os_str());
    field(&mut out, b", \"file\": ", &row.file);
    if let Some(output) = &row.output {
        field(&mut out, b", \"output\": ", output);
    }
    out.extend_from_slice(b", \"arguments\": ");
    words(&mut out, &row.arguments);
    out.push(b'}');
    out
}

fn field(out: &mut Vec<u8>, name: &[u8], value: &OsStr) {
    out.extend_from_slice(name);
    string(out, value);
}

pub(super) fn words(out: &mut Vec<u8>, words: &[std::ffi::OsString]) {
    out.push(b'[');
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(b", ");
        }
        string(out, word);
    }
    out.push(b']');
}

/// A JSON string. Bytes that are not UTF-8 stay as they are, as file names have them.
pub(super) fn string(out: &mut Vec<u8>, text: &OsStr) {
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn any_word_reads_back() {
        let odd = OsString::from_vec(b"a \"b\"\\ \n\t\x01 \xff.c".to_vec());
        let row = Compilation {
            directory: "/d".into(),
            file: odd.clone(),
            output: None,
            arguments: vec!["cc".into(), odd.clone()],
        };
        let text = [&b"["[..], &entry(&row), b"]"].concat();
        let read = database::read(&text).unwrap();
        assert_eq!(read.entries[0].1.file, Some(Text(odd.clone())));
        assert_eq!(read.entries[0].1.arguments, Some(vec![Text("cc".into()), Text(odd)]));
    }
}
