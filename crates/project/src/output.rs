//! What the programs ask of the system beside source text.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::load::DATABASE_NAME;

/// Writes a report; replaces what was there.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)
}

/// Writes a file that must not be there yet.
pub fn create_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::File::create_new(path).and_then(|mut file| file.write_all(bytes))
}

/// The folder the program was started in.
pub fn current_dir() -> io::Result<PathBuf> {
    env::current_dir()
}

/// Where build tools put a compile database.
const USUAL_FOLDERS: [&str; 3] = ["", "build", "out"];

/// The compile database of the project in `folder`, if it is in a usual place.
#[must_use]
pub fn find_database(folder: &Path) -> Option<PathBuf> {
    let mut places = USUAL_FOLDERS.iter().map(|usual| folder.join(usual).join(DATABASE_NAME));
    places.find(|path| path.is_file())
}

/// Bytes of memory that this process has made for itself; pages of its executable do not count.
#[must_use]
pub fn memory_in_use() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    kibibytes(&status, "RssAnon:").or_else(|| kibibytes(&status, "VmRSS:"))
}

/// Processor time that this process has used for itself, over all its threads. What the system does
/// for it does not count: how long that takes to find pages differs by a factor of five from run to
/// run, and compilers, which caulk is measured by, are counted without it, too.
#[must_use]
pub fn processor_time() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Duration::ZERO };
    Duration::from_micros(u64::try_from(usage.user_time().num_microseconds()).unwrap_or(0))
}

/// Processor time of the calling thread.
#[must_use]
pub fn thread_time() -> Duration {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID)
        .map(Duration::from)
        .unwrap_or_default()
}

/// Bytes of memory that the machine has.
#[must_use]
pub fn memory_of_machine() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The row `NAME   123 kB` of a file of the kernel, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let row = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = row.split_whitespace().next()?.parse().ok()?;
    Some(number << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_tells_about_memory() {
        assert_eq!(kibibytes("A: 1 kB\nVmRSS:\t  20 kB\n", "VmRSS:"), Some(20 << 10));
        assert_eq!(kibibytes("A: 1 kB\n", "VmRSS:"), None);
        assert!(memory_in_use().unwrap() < memory_of_machine().unwrap());
    }
}
