//! The files of a run. Every file is asked of the system once, for all units and threads: its
//! bytes, its absence, and its canonical identity are remembered.
//!
//! Two spellings of one file (`a/../x.h`, a symbolic link) share one copy of the bytes. Maps are
//! sharded by a hash of the path; the system is called outside the shard's lock, under a cell of
//! the path's own, so threads wait only for the very file that another is reading.

use std::borrow::Cow;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};

use crate::paths::normalise;

const SHARDS: usize = 32;
const DEFAULT_LIMIT: u64 = 64 << 20;

pub struct SourceFiles {
    shards: Vec<Mutex<Shard>>,
    limit: u64,
    counters: Counters,
}

#[derive(Default)]
struct Counters {
    asks: AtomicU64,
    reads: AtomicU64,
    misses: AtomicU64,
    bytes: AtomicU64,
}

/// What the store has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Calls of `read`.
    pub asks: u64,
    /// Files read from the system.
    pub reads: u64,
    /// Distinct paths that could not be read.
    pub misses: u64,
    /// Bytes read from the system.
    pub bytes: u64,
}

/// Paths are kept as bytes: hashing a `Path` walks its components, which is far slower.
type Key = Box<[u8]>;

/// Filled by the first thread that asks; the others wait for it alone.
type Cells<T> = FxHashMap<Key, Arc<OnceLock<T>>>;

#[derive(Default)]
struct Shard {
    /// Per spelling.
    names: Cells<Outcome>,
    /// Per canonical path.
    bodies: Cells<Result<Arc<[u8]>, Failure>>,
    /// Files whose names are not UTF-8, by what is shown of these; nothing where two look alike.
    shown: FxHashMap<Key, Option<Found>>,
    /// Identities of paths without readable bytes, folders above all.
    others: Cells<PathBuf>,
}

#[derive(Clone)]
struct Found {
    bytes: Arc<[u8]>,
    identity: Arc<Path>,
}

type Outcome = Result<Found, Failure>;

/// An `io::Error` that can be given out many times.
#[derive(Clone)]
struct Failure {
    kind: io::ErrorKind,
    message: Arc<str>,
}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> Self {
        io::Error::new(failure.kind, failure.message.as_ref())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self { kind: error.kind(), message: error.to_string().into() }
    }
}

impl SourceFiles {
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(DEFAULT_LIMIT)
    }

    /// A store that refuses files of more than `limit` bytes.
    #[must_use]
    pub fn with_limit(limit: u64) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, limit, counters: Counters::default() }
    }

    /// The bytes of a file. Errors name no path; see [`describe`].
    pub fn read(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        add(&self.counters.asks, 1);
        Ok(self.find(path)?.bytes)
    }

    /// The same for a path as reports have it: a file that was read under a name that is not UTF-8
    /// is found by the text that stands for that name, unless two files look alike.
    #[must_use]
    pub fn read_shown(&self, path: &Path) -> Option<Arc<[u8]>> {
        let found = self.find(path).ok().or_else(|| self.by_shown_name(path));
        found.map(|found| found.bytes)
    }

    /// Who the file really is, symbolic links resolved; a lexically normalised `path` where there
    /// is no such file.
    #[must_use]
    pub fn identity(&self, path: &Path) -> PathBuf {
        match self.find(path) {
            Ok(found) => found.identity.to_path_buf(),
            Err(_) => self.identity_without_bytes(path),
        }
    }

    fn identity_without_bytes(&self, path: &Path) -> PathBuf {
        let cell = cell_of(&mut self.shard(path).others, path);
        cell.get_or_init(|| fs::canonicalize(path).unwrap_or_else(|_| normalise(path))).clone()
    }

    /// Puts a file into the store that need not exist, or hides one that does.
    pub fn insert_virtual(&self, path: &Path, bytes: impl Into<Arc<[u8]>>) {
        let found = Found { bytes: bytes.into(), identity: normalise(path).into() };
        for spelling in [path, &found.identity] {
            let cell = Arc::new(OnceLock::from(Ok(found.clone())));
            self.shard(spelling).names.insert(key(spelling), cell);
        }
    }

    #[must_use]
    pub fn counts(&self) -> SourceCounts {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        SourceCounts {
            asks: get(&self.counters.asks),
            reads: get(&self.counters.reads),
            misses: get(&self.counters.misses),
            bytes: get(&self.counters.bytes),
        }
    }

    fn find(&self, path: &Path) -> Outcome {
        let cell = cell_of(&mut self.shard(path).names, path);
        cell.get_or_init(|| self.look(path)).clone()
    }

    fn look(&self, path: &Path) -> Outcome {
        let outcome = self.look_up_body(path);
        match &outcome {
            Ok(found) => self.keep_shown_name(path, found),
            Err(_) => add(&self.counters.misses, 1),
        }
        outcome
    }

    /// Places are text, in which a name that is not UTF-8 has lost bytes.
    fn keep_shown_name(&self, path: &Path, found: &Found) {
        let Cow::Owned(shown) = path.to_string_lossy() else { return };
        let shown = Path::new(&shown);
        let mut shard = self.shard(shown);
        let known = shard.shown.entry(key(shown)).or_insert_with(|| Some(found.clone()));
        if known.as_ref().is_some_and(|other| other.identity != found.identity) {
            *known = None;
        }
    }

    fn by_shown_name(&self, path: &Path) -> Option<Found> {
        // Units are read by their whole path, and shown from the current folder.
        let whole = normalise(&std::path::absolute(path).ok()?);
        let known = |path: &Path| self.shard(path).shown.get(path.as_os_str().as_bytes()).cloned();
        known(path).or_else(|| known(&whole)).flatten()
    }

    fn look_up_body(&self, path: &Path) -> Outcome {
        // Asked before opening: opening a FIFO would block, and most misses end here.
        let size = check_kind(path, self.limit)?;
        let identity: Arc<Path> = fs::canonicalize(path)?.into();
        let body = cell_of(&mut self.shard(&identity).bodies, &identity);
        let bytes = body.get_or_init(|| self.load(&identity, size)).clone()?;
        Ok(Found { bytes, identity })
    }

    fn load(&self, path: &Path, size: u64) -> Result<Arc<[u8]>, Failure> {
        let bytes = read_limited(path, size, self.limit)?;
        add(&self.counters.reads, 1);
        add(&self.counters.bytes, bytes.len() as u64);
        Ok(bytes.into())
    }

    fn shard(&self, path: &Path) -> MutexGuard<'_, Shard> {
        let mut hasher = FxHasher::default();
        path.as_os_str().as_bytes().hash(&mut hasher);
        let index = (hasher.finish() >> 32) as usize % SHARDS;
        // A map is never left half changed, so a panic elsewhere does not spoil it.
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for SourceFiles {
    fn default() -> Self {
        Self::new()
    }
}

/// `path: what went wrong`, for messages.
#[must_use]
pub fn describe(path: &Path, error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    };
    format!("{}: {text}", path.display())
}

/// One file outside the store, with the store's rules.
pub(crate) fn read_once(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let size = check_kind(path, limit)?;
    read_limited(path, size, limit)
}

/// The size of a regular file (or of `/dev/null`), or why it cannot be source text.
pub(crate) fn check_kind(path: &Path, limit: u64) -> io::Result<u64> {
    let data = fs::metadata(path)?;
    let kind = data.file_type();
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    if path == Path::new("/dev/null") {
        return Ok(0);
    }
    if !kind.is_file() {
        let what = if kind.is_fifo() {
            "is a pipe"
        } else if kind.is_socket() {
            "is a socket"
        } else {
            "is a device"
        };
        let text = format!("{what}, not a regular file");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    if data.len() > limit {
        return Err(too_large(limit));
    }
    Ok(data.len())
}

fn read_limited(path: &Path, size: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    fs::File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> io::Error {
    let text = format!("is larger than {limit} bytes, the limit for one file");
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

fn key(path: &Path) -> Key {
    path.as_os_str().as_bytes().into()
}

fn cell_of<T>(map: &mut Cells<T>, path: &Path) -> Arc<OnceLock<T>> {
    match map.get(path.as_os_str().as_bytes()) {
        Some(cell) => cell.clone(),
        None => map.entry(key(path)).or_default().clone(),
    }
}

fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_files_are_found_under_both_spellings() {
        let files = SourceFiles::new();
        files.insert_virtual(Path::new("/v/./a.h"), *b"text");
        assert_eq!(&*files.read(Path::new("/v/a.h")).unwrap(), b"text");
        assert_eq!(&*files.read(Path::new("/v/./a.h")).unwrap(), b"text");
        assert_eq!(files.identity(Path::new("/v/./a.h")), Path::new("/v/a.h"));
        assert_eq!(files.counts(), SourceCounts { asks: 2, reads: 0, misses: 0, bytes: 0 });
    }

    #[test]
    fn misses_are_remembered() {
        let files = SourceFiles::new();
        for _ in 0..3 {
            let error = files.read(Path::new("/no/such/file")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
        }
        assert_eq!(files.counts(), SourceCounts { asks: 3, reads: 0, misses: 1, bytes: 0 });
        assert_eq!(files.identity(Path::new("/no/such/../file")), Path::new("/no/file"));
    }

    #[test]
    fn folders_and_devices_are_errors_with_a_reason() {
        let files = SourceFiles::new();
        let text =
            |path: &str| describe(Path::new(path), &files.read(Path::new(path)).unwrap_err());
        assert_eq!(text("/"), "/: is a directory");
        assert_eq!(text("/dev/zero"), "/dev/zero: is a device, not a regular file");
        assert_eq!(text("/no"), "/no: no such file");
        assert_eq!(&*files.read(Path::new("/dev/null")).unwrap(), b"");
    }
}
