//! Instructions that caulk executes, counted by callgrind: the same on a noisy machine.

use crate::tools::Scratch;
use std::path::Path;
use std::process::{Command, Stdio};

/// caulk works in a second process, so that children are counted; compilers are not.
const OPTIONS: &[&str] =
    &["--tool=callgrind", "--trace-children=yes", "--trace-children-skip=*cc*,*clang*"];

pub fn count(caulk: &Path, database: &Path, options: &[&str]) -> Result<u64, String> {
    let scratch = Scratch::new("lab-callgrind")?;
    let counts = scratch.file("counts");
    std::fs::create_dir_all(&counts).map_err(|e| e.to_string())?;
    let mut file = std::ffi::OsString::from("--callgrind-out-file=");
    file.push(counts.join("%p"));
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(OPTIONS)
        .arg(file)
        .arg(caulk)
        .args(["check", "--no-cache", "-p"])
        .arg(database)
        .args(options);
    valgrind.stdin(Stdio::null()).stdout(Stdio::null());
    let output = valgrind
        .output()
        .map_err(|e| format!("cannot run valgrind: {e} (apt-get install valgrind)"))?;
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_string());
    }
    let files = std::fs::read_dir(&counts).map_err(|e| e.to_string())?.flatten();
    let totals = files.filter_map(|file| total(&std::fs::read_to_string(file.path()).ok()?));
    let sum: u64 = totals.sum();
    Some(sum).filter(|&sum| sum > 0).ok_or("callgrind wrote no totals".into())
}

fn total(text: &str) -> Option<u64> {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("totals: "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_total_is_read() {
        let text = "version: 1\nevents: Ir\nfn=(1)\n3 4\n\ntotals: 123456\n";
        assert_eq!(super::total(text), Some(123_456));
        assert_eq!(super::total("events: Ir\n"), None);
    }
}
