//! Compiler answers on disk, one JSON file each, named by a hash of everything they depend on.
//!
//! An entry is written to a temporary file and renamed, so readers see all of it or none. It
//! carries its whole key and a checksum: an entry that does not fit is as good as absent.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::facts::Answers;
use crate::sources::read_once;

/// Raised whenever the question put to compilers or the form of an entry changes.
const FORMAT: u32 = 1;
const ENTRY_LIMIT: u64 = 16 << 20;

/// Environment variables that change a compiler's answers.
const VARIABLES: [&str; 7] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "GCC_EXEC_PREFIX",
    "COMPILER_PATH",
    "SDKROOT",
    "CCC_OVERRIDE_OPTIONS",
    "SOURCE_DATE_EPOCH",
];

#[derive(Serialize, Deserialize)]
struct Entry {
    format: u32,
    key: String,
    checksum: String,
    answers: Answers,
}

/// Everything the answers depend on, as a hash. None if the compiler cannot be looked at.
pub(crate) fn key(compiler: &Path, flags: &[OsString]) -> Option<String> {
    let data = fs::metadata(compiler).ok()?;
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(&FORMAT.to_le_bytes());
    part(compiler.as_os_str().as_bytes());
    for number in [data.mtime(), data.mtime_nsec(), data.size().cast_signed()] {
        part(&number.to_le_bytes());
    }
    for name in VARIABLES {
        part(std::env::var_os(name).unwrap_or_default().as_bytes());
    }
    for flag in flags {
        part(flag.as_bytes());
    }
    Some(hasher.finalize().to_hex().to_string())
}

pub(crate) fn load(folder: &Path, key: &str) -> Option<Answers> {
    let bytes = read_once(&entry_path(folder, key), ENTRY_LIMIT).ok()?;
    let entry: Entry = serde_json::from_slice(&bytes).ok()?;
    let fits =
        entry.format == FORMAT && entry.key == key && entry.checksum == checksum(&entry.answers)?;
    (fits && entry.answers.plausible()).then_some(entry.answers)
}

pub(crate) fn store(folder: &Path, key: &str, answers: &Answers) -> io::Result<()> {
    // Folders that are not UTF-8 have no JSON form: such answers are asked anew each run.
    let Some(checksum) = checksum(answers) else { return Ok(()) };
    let entry = Entry { format: FORMAT, key: key.to_owned(), checksum, answers: answers.clone() };
    let path = entry_path(folder, key);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    write_atomically(&path, &serde_json::to_vec(&entry)?)
}

fn checksum(answers: &Answers) -> Option<String> {
    let bytes = serde_json::to_vec(answers).ok()?;
    Some(blake3::hash(&bytes).to_hex().to_string())
}

fn entry_path(folder: &Path, key: &str) -> PathBuf {
    folder.join("compilers").join(format!("{key}.json"))
}

pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Two threads may write the same entry: each writes a file of its own.
    let thread = format!("{:?}", std::thread::current().id());
    let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
    let temporary = path.with_extension(format!("{}-{thread}.tmp", std::process::id()));
    let written = fs::File::create_new(&temporary)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
