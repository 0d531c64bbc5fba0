//! Lowered units on disk, so that a unit that has not changed is not read again.
//!
//! An entry is named by all that is known before the unit is read: caulk itself, the source's
//! name, its folder, its options, its compiler's facts. Inside, it lists what reading it depended
//! on: each file that was read with a hash of its bytes, and each name that was looked for in vain.
//! An entry counts only if all of that still holds.
//!
//! Entries are written to a file of their own and renamed, so two runs at once, or a run that is
//! killed, leave whole entries or none; a checksum tells whether the disk kept its word. There is
//! one entry for a name, so an edited unit replaces its old one. `trim` bounds the size.
//!
//! Beside them are results of whole runs, under names that tell all that they depend on.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::facts_cache::write_atomically;
use crate::options::{Unit, UnitOptions};
use crate::sources::{SourceFiles, read_once};

/// Raised whenever the form of an entry changes.
const FORMAT: u32 = 2;
const ENTRY_LIMIT: u64 = 1 << 30;
/// What all entries may take together, in bytes.
pub const DEFAULT_CACHE_BYTES: u64 = 2 << 30;
/// A unit's last use is known to a day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// In hexadecimal digits.
type Hash = Arc<str>;

/// What reading a unit depended on; absolute paths.
#[derive(Clone, Copy, Debug)]
pub struct Dependencies<'a> {
    pub read: &'a [PathBuf],
    pub absent: &'a [PathBuf],
}

/// How much is in a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStatistics {
    pub units: usize,
    pub results: usize,
    pub bytes: u64,
}

#[derive(Debug)]
pub struct UnitCache {
    units: PathBuf,
    results: PathBuf,
    /// Hashes of what this program is.
    version: Vec<u8>,
    limit: u64,
    /// Each file is hashed once in a run; None for what is not there.
    hashes: Mutex<FxHashMap<OsString, Option<Hash>>>,
}

/// What is kept of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptUnit {
    pub content: Vec<u8>,
    /// See [`print_of`].
    pub print: String,
}

/// The second line of an entry; the first is a checksum of it, and the rest is the content.
#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
    print: String,
    read: Vec<(PathBuf, String)>,
    absent: Vec<PathBuf>,
}

/// A hash of a unit's content, which stands for it in other names.
#[must_use]
pub fn print_of(content: &[u8]) -> String {
    blake3::hash(content).to_hex().to_string()
}

impl UnitCache {
    /// A cache in `folder`, which need not exist. `limit` is in bytes.
    #[must_use]
    pub fn new(folder: &Path, limit: u64) -> Self {
        let (units, results) = (folder.join("units"), folder.join("results"));
        Self { units, results, version: version(), limit, hashes: Mutex::default() }
    }

    /// What was stored for the unit, if it would be stored again now.
    #[must_use]
    pub fn load(&self, unit: &Unit, files: &SourceFiles) -> Option<KeptUnit> {
        let path = self.path(unit);
        let mut bytes = read_once(&path, ENTRY_LIMIT).ok()?;
        let (checksum, rest) = split_line(&bytes)?;
        let (head, content) = split_line(rest)?;
        if blake3::hash(head).to_hex().as_bytes() != checksum {
            return None;
        }
        let head: Head = serde_json::from_slice(head).ok()?;
        let is_hashed = |(path, hash): &(PathBuf, String)| {
            self.hash(path, files).is_some_and(|now| *now == **hash)
        };
        let same = head.format == FORMAT
            && head.print == print_of(content)
            && head.read.iter().all(is_hashed)
            && head.absent.iter().all(|path| self.hash(path, files).is_none());
        if !same {
            return None;
        }
        mark_used(&path);
        bytes.drain(..bytes.len() - content.len());
        Some(KeptUnit { content: bytes, print: head.print })
    }

    /// Keeps `content` for the unit. A failure costs time in the next run, and nothing else.
    pub fn store(
        &self,
        unit: &Unit,
        dependencies: Dependencies<'_>,
        content: &[u8],
        files: &SourceFiles,
    ) -> io::Result<()> {
        let hashed = |path: &PathBuf| Some((path.clone(), String::from(&*self.hash(path, files)?)));
        let read: Option<Vec<_>> = dependencies.read.iter().map(hashed).collect();
        // A file that was there a moment ago: the next run will know better.
        let Some(read) = read else { return Ok(()) };
        let (print, absent) = (print_of(content), dependencies.absent.to_vec());
        let head = Head { format: FORMAT, print, read, absent };
        // Paths that are not UTF-8 have no JSON form: such units are read anew each run.
        let Ok(head) = serde_json::to_vec(&head) else { return Ok(()) };
        let checksum = blake3::hash(&head).to_hex();
        fs::create_dir_all(&self.units)?;
        let entry = [checksum.as_bytes(), b"\n", &head, b"\n", content].concat();
        write_atomically(&self.path(unit), &entry)
    }

    /// What was kept under a name that tells all that it depends on.
    #[must_use]
    pub fn load_named(&self, name: &[u8]) -> Option<Vec<u8>> {
        let path = self.named(name);
        let bytes = read_once(&path, ENTRY_LIMIT).ok()?;
        let (checksum, content) = split_line(&bytes)?;
        if blake3::hash(content).to_hex().as_bytes() != checksum {
            return None;
        }
        mark_used(&path);
        Some(content.to_vec())
    }

    /// Keeps `content` under the name. A failure costs time in the next run, and nothing else.
    pub fn store_named(&self, name: &[u8], content: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.results)?;
        let entry = [blake3::hash(content).to_hex().as_bytes(), b"\n", content].concat();
        write_atomically(&self.named(name), &entry)
    }

    fn named(&self, name: &[u8]) -> PathBuf {
        let mut hasher = blake3::Hasher::new();
        part(&mut hasher, &self.version);
        part(&mut hasher, name);
        self.results.join(hasher.finalize().to_hex().as_str())
    }

    /// Of the file's bytes and of who it is: a link that leads elsewhere is another file.
    fn hash(&self, path: &Path, files: &SourceFiles) -> Option<Hash> {
        let known = || self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = known().get(path.as_os_str()) {
            return hash.clone();
        }
        let hash = files.read(path).ok().map(|bytes| {
            let mut hasher = blake3::Hasher::new();
            part(&mut hasher, files.identity(path).as_os_str().as_bytes());
            part(&mut hasher, &bytes);
            Arc::from(hasher.finalize().to_hex().as_str())
        });
        known().insert(path.into(), hash.clone());
        hash
    }

    fn path(&self, unit: &Unit) -> PathBuf {
        let mut hasher = blake3::Hasher::new();
        part(&mut hasher, &self.version);
        for path in [&unit.source, &unit.display, &unit.directory] {
            part(&mut hasher, path.as_os_str().as_bytes());
        }
        let facts = &unit.options.facts;
        part(&mut hasher, &facts.predefined);
        let others = (&facts.system_includes, facts.default_standard, &facts.target, facts.gnuc);
        part(&mut hasher, format!("{others:?} {}", facts.is_clang).as_bytes());
        let options = UnitOptions { facts: Default::default(), ..unit.options.clone() };
        part(&mut hasher, format!("{options:?}").as_bytes());
        self.units.join(hasher.finalize().to_hex().as_str())
    }

    #[must_use]
    pub fn statistics(&self) -> CacheStatistics {
        let mut total = CacheStatistics::default();
        for entry in self.entries() {
            match entry.path.starts_with(&self.units) {
                true => total.units += 1,
                false => total.results += 1,
            }
            total.bytes += entry.bytes;
        }
        total
    }

    pub fn clear(&self) -> io::Result<()> {
        for folder in [&self.units, &self.results] {
            match fs::remove_dir_all(folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes away what was not used for longest, until there is room again. What another run does
    /// at the same time may make it too much or too little, never wrong.
    pub fn trim(&self) {
        let mut entries: Vec<Entry> = self.entries().collect();
        let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
        if total <= self.limit {
            return;
        }
        entries.sort_by_key(|entry| entry.used);
        for entry in entries {
            if total <= self.limit / 5 * 4 {
                break;
            }
            if fs::remove_file(&entry.path).is_ok() {
                total -= entry.bytes;
            }
        }
    }

    fn entries(&self) -> impl Iterator<Item = Entry> {
        let folders = [&self.units, &self.results].map(fs::read_dir).into_iter().flatten();
        let files = folders.flatten().flatten();
        files.filter_map(|file| {
            let data = file.metadata().ok()?;
            let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some(Entry { path: file.path(), bytes: data.len(), used })
        })
    }
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn mark_used(path: &Path) {
    let Ok(file) = fs::File::open(path) else { return };
    let age = file.metadata().and_then(|data| data.modified()).ok().map(|time| time.elapsed());
    if let Some(Ok(age)) = age
        && age > DAY
    {
        let _ = file.set_modified(SystemTime::now());
    }
}

fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// With its length, so that parts cannot run into each other.
fn part(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// A name for what depends on all of the texts.
#[must_use]
pub fn digest(texts: impl IntoIterator<Item = String>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    texts.into_iter().for_each(|text| part(&mut hasher, text.as_bytes()));
    *hasher.finalize().as_bytes()
}

/// The release, and the very file: two builds of one release may lower differently.
fn version() -> Vec<u8> {
    let file = std::env::current_exe().and_then(fs::metadata);
    let told = file.and_then(|data| Ok((data.len(), data.modified()?))).ok();
    format!("{FORMAT} {} {told:?}", env!("CARGO_PKG_VERSION")).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("caulk-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn unit(folder: &Path) -> Unit {
        let source = folder.join("a.c");
        let options = UnitOptions::default();
        Unit { display: source.clone(), source, directory: folder.to_path_buf(), options }
    }

    fn load(folder: &Path, unit: &Unit) -> Option<Vec<u8>> {
        let kept = UnitCache::new(folder, u64::MAX).load(unit, &SourceFiles::new());
        kept.map(|kept| {
            assert_eq!(kept.print, print_of(&kept.content));
            kept.content
        })
    }

    /// Stores a unit that read `a.c` and looked for `b.h`.
    fn store(folder: &Path, content: &[u8]) -> Unit {
        fs::write(folder.join("a.c"), "1").unwrap();
        let unit = unit(folder);
        let (read, absent) = ([folder.join("a.c")], [folder.join("b.h")]);
        let dependencies = Dependencies { read: &read, absent: &absent };
        let cache = UnitCache::new(folder, u64::MAX);
        cache.store(&unit, dependencies, content, &SourceFiles::new()).unwrap();
        unit
    }

    #[test]
    fn an_entry_counts_while_nothing_changed() {
        let folder = folder("cache-changes");
        let unit = store(&folder, b"some\ncontent");
        assert_eq!(load(&folder, &unit).unwrap(), b"some\ncontent");
        let mut other = unit.clone();
        other.options.optimize = true;
        assert_eq!(load(&folder, &other), None);
        fs::write(folder.join("b.h"), "").unwrap();
        assert_eq!(load(&folder, &unit), None);
        fs::remove_file(folder.join("b.h")).unwrap();
        assert!(load(&folder, &unit).is_some());
        fs::write(folder.join("a.c"), "2").unwrap();
        assert_eq!(load(&folder, &unit), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_named_is_kept_until_it_is_damaged() {
        let folder = folder("cache-named");
        let cache = UnitCache::new(&folder, u64::MAX);
        assert_eq!(cache.load_named(b"one"), None);
        cache.store_named(b"one", b"some\ncontent").unwrap();
        assert_eq!(cache.load_named(b"one").unwrap(), b"some\ncontent");
        assert_eq!(cache.load_named(b"other"), None);
        assert_eq!(cache.statistics().results, 1);
        let path = cache.named(b"one");
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(cache.load_named(b"one"), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_damaged_entry_is_none() {
        let folder = folder("cache-damage");
        let unit = store(&folder, b"some content");
        let path = UnitCache::new(&folder, 0).path(&unit);
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert_eq!(load(&folder, &unit), None, "{end}");
            let mut flipped = whole.clone();
            flipped[end] ^= 1;
            fs::write(&path, &flipped).unwrap();
            assert_eq!(load(&folder, &unit), None, "{end}");
        }
        fs::write(&path, &whole).unwrap();
        assert!(load(&folder, &unit).is_some());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_size_is_bounded() {
        let folder = folder("cache-size");
        let unit = store(&folder, &[b'x'; 1000]);
        let cache = UnitCache::new(&folder, 3000);
        let old = SystemTime::now() - DAY * 9;
        for n in 0..3 {
            let path = cache.units.join(format!("old{n}"));
            fs::write(&path, [0; 1000]).unwrap();
            fs::File::open(path).unwrap().set_modified(old).unwrap();
        }
        assert_eq!(cache.statistics().units, 4);
        cache.trim();
        assert_eq!(cache.statistics().units, 2);
        assert!(cache.load(&unit, &SourceFiles::new()).is_some());
        cache.clear().unwrap();
        assert_eq!(cache.statistics(), CacheStatistics::default());
        cache.clear().unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
