//! The files of one unit, as the preprocessor asks for them.
//!
//! Relative names are seen from the unit's directory, so that `__FILE__` and messages say what
//! the compile command says. Files that exist only in memory (the compiler's macros, those of the
//! command line) have names that no real file has.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_project::SourceFiles;
use rucc_diag::SourceBytes;
use rucc_session::FileSystem;

use crate::depth;
use crate::encoding::{from_latin1, from_utf16};
use crate::error::{FrontError, Position};
use crate::limits::MAX_BRACKETS;

/// The macros of the compiler that the compile command names.
pub(crate) const COMPILER_MACROS: &str = "/<built-in>";
/// `-D` and `-U`, in order.
pub(crate) const COMMAND_MACROS: &str = "/<command-line>";

pub(crate) struct Disk<'a> {
    files: &'a SourceFiles,
    directory: &'a Path,
    memory: Vec<(&'static str, SourceBytes)>,
    latin1: FxHashSet<PathBuf>,
    deadline: Instant,
    seen: Mutex<Seen>,
}

/// What the preprocessor asked for. Guarded headers are asked for again and again.
#[derive(Default)]
struct Seen {
    /// By the bytes of the path; None where no such file is.
    asked: FxHashMap<OsString, Option<SourceBytes>>,
    identities: FxHashMap<OsString, PathBuf>,
    bytes: usize,
    /// Why the unit cannot go on.
    refusal: Option<FrontError>,
}

struct Shared(Arc<[u8]>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<'a> Disk<'a> {
    pub(crate) fn new(files: &'a SourceFiles, directory: &'a Path, deadline: Instant) -> Self {
        let (memory, latin1) = (Vec::new(), FxHashSet::default());
        Self { files, directory, memory, latin1, deadline, seen: Mutex::default() }
    }

    pub(crate) fn add_memory(&mut self, name: &'static str, text: impl Into<Vec<u8>>) {
        self.memory.push((name, SourceBytes::new(text.into())));
    }

    /// From now on `path` (as an include names it) is read as Latin-1.
    pub(crate) fn read_as_latin1(&mut self, path: PathBuf) {
        self.seen().asked.remove(path.as_os_str());
        self.latin1.insert(path);
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn bytes_read(&self) -> usize {
        self.seen().bytes
    }

    /// The files that were read, or those asked for in vain, sorted.
    pub(crate) fn asked(&self, there: bool) -> Vec<PathBuf> {
        let seen = self.seen();
        let chosen = seen.asked.iter().filter(|(_, bytes)| bytes.is_some() == there);
        let mut paths: Vec<PathBuf> = chosen.map(|(path, _)| self.directory.join(path)).collect();
        paths.sort();
        paths
    }

    fn in_memory(&self, path: &Path) -> Option<SourceBytes> {
        let name = path.to_str().filter(|name| name.starts_with("/<"))?;
        self.memory.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.clone())
    }

    fn on_disk(&self, path: &Path) -> io::Result<SourceBytes> {
        if Instant::now() > self.deadline {
            return Err(self.refuse(FrontError::error("the time for this unit is over", None)));
        }
        let bytes = self.files.read(&self.directory.join(path))?;
        if let Some(line) = depth::deep_line(&bytes, MAX_BRACKETS) {
            let at = Position { file: path.to_path_buf(), line, column: 1 };
            let message = "brackets are nested too deeply to be read";
            return Err(self.refuse(FrontError::error(message, Some(at))));
        }
        Ok(self.decode(path, bytes))
    }

    fn decode(&self, path: &Path, bytes: Arc<[u8]>) -> SourceBytes {
        if self.latin1.contains(path) {
            return SourceBytes::new(from_latin1(&bytes));
        }
        match from_utf16(&bytes) {
            std::borrow::Cow::Owned(text) => SourceBytes::new(text),
            std::borrow::Cow::Borrowed(_) => SourceBytes::new(Shared(bytes)),
        }
    }

    /// The reason, if the unit must not go on.
    pub(crate) fn refusal(&self) -> Result<(), FrontError> {
        self.seen().refusal.clone().map_or(Ok(()), Err)
    }

    fn refuse(&self, refusal: FrontError) -> io::Error {
        self.seen().refusal.get_or_insert(refusal);
        io::Error::other("refused")
    }
}

impl FileSystem for Disk<'_> {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Some(bytes) = self.in_memory(path) {
            return Ok(bytes);
        }
        if let Some(known) = self.seen().asked.get(path.as_os_str()) {
            return known.clone().ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        let outcome = self.on_disk(path);
        let mut seen = self.seen();
        seen.bytes += outcome.as_ref().map_or(0, |bytes| bytes.len());
        seen.asked.insert(path.as_os_str().to_owned(), outcome.as_ref().ok().cloned());
        outcome
    }

    fn identity(&self, path: &Path) -> PathBuf {
        if path.as_os_str().as_encoded_bytes().starts_with(b"/<") {
            return path.to_path_buf();
        }
        if let Some(known) = self.seen().identities.get(path.as_os_str()) {
            return known.clone();
        }
        let identity = self.files.identity(&self.directory.join(path));
        self.seen().identities.insert(path.as_os_str().to_owned(), identity.clone());
        identity
    }
}

impl std::fmt::Debug for Disk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Disk").field("directory", &self.directory).finish_non_exhaustive()
    }
}
