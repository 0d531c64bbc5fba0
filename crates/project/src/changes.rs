//! What git says has changed.

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths::os;

/// A file with the lines of it that are new or different, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Absolute.
    pub path: PathBuf,
    pub lines: Vec<RangeInclusive<u32>>,
}

/// All that differs between a revision and the files in the work tree around `folder`, files that
/// git does not know yet included. The error is for people.
pub fn changed_since(folder: &Path, revision: &str) -> Result<Vec<ChangedFile>, String> {
    if revision.starts_with('-') {
        return Err(format!("`{revision}` is no revision"));
    }
    let top = git(folder, &["rev-parse", "--show-toplevel"])?;
    let top = PathBuf::from(os(top.strip_suffix(b"\n").unwrap_or(&top)));
    let options =
        ["--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/"];
    let nothing = if revision == "HEAD" { before_the_first_commit(&top)? } else { None };
    let mut words = vec!["-c", "core.quotePath=false", "diff"];
    words.extend(options);
    words.extend(["--dst-prefix=b/", nothing.as_deref().unwrap_or(revision), "--"]);
    let mut files = parse(&git(&top, &words)?, &top);
    let new = git(&top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = new.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let whole = |name| ChangedFile { path: top.join(os(name)), lines: vec![1..=u32::MAX] };
    files.extend(names.map(whole));
    Ok(files)
}

/// The empty tree, where `HEAD` names nothing yet: a hook runs before the first commit, too.
fn before_the_first_commit(top: &Path) -> Result<Option<String>, String> {
    if git(top, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_ok() {
        return Ok(None);
    }
    let tree = git(top, &["hash-object", "-t", "tree", "/dev/null"])?;
    Ok(Some(String::from_utf8_lossy(&tree).trim().to_owned()))
}

fn git(folder: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("git").arg("-C").arg(folder).args(words).output();
    let output = output.map_err(|error| format!("git could not be run: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(format!("git: {}", text.lines().next().unwrap_or("failed without a reason")))
}

/// A diff without context.
fn parse(diff: &[u8], top: &Path) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    let mut left = 0_u64;
    for line in diff.split(|byte| *byte == b'\n') {
        // Lines of a hunk may look like headers.
        if left > 0 && matches!(line.first(), Some(b'-' | b'+')) {
            left -= 1;
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            let name = unquoted(name);
            // A removed file is `/dev/null` now, and has no lines that a finding could be in.
            let path = name.as_bytes().strip_prefix(b"b/").map(|name| top.join(os(name)));
            files.extend(path.map(|path| ChangedFile { path, lines: Vec::new() }));
        } else if let Some(hunk) = hunk(line) {
            left = u64::from(hunk.removed) + u64::from(hunk.added);
            if let (1.., Some(file)) = (hunk.added, files.last_mut()) {
                file.lines.push(hunk.start..=hunk.start.saturating_add(hunk.added - 1));
            }
        }
    }
    files
}

struct Hunk {
    removed: u32,
    start: u32,
    added: u32,
}

/// `@@ -12,3 +14,2 @@ context`
fn hunk(line: &[u8]) -> Option<Hunk> {
    let text = std::str::from_utf8(line.get(..line.len().min(80))?)
        .unwrap_or_else(|error| std::str::from_utf8(&line[..error.valid_up_to()]).unwrap_or(""));
    let mut words = text.strip_prefix("@@ ")?.split(' ');
    let (_, removed) = numbers(words.next()?.strip_prefix('-')?)?;
    let (start, added) = numbers(words.next()?.strip_prefix('+')?)?;
    Some(Hunk { removed, start, added })
}

/// `14,2`, or `14` for one line.
fn numbers(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// Git quotes names with odd characters as C does, and ends names with spaces by a tab.
fn unquoted(name: &[u8]) -> OsString {
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let Some(inside) = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) else {
        return OsStr::from_bytes(name).to_os_string();
    };
    let mut out = Vec::new();
    let mut rest = inside;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', after @ ..]) => {
                out.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = after;
            }
            (b'\\', [letter, after @ ..]) => {
                out.push(match letter {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'a' => 7,
                    b'b' => 8,
                    b'v' => 11,
                    b'f' => 12,
                    other => *other,
                });
                rest = after;
            }
            _ => out.push(byte),
        }
    }
    OsString::from_vec(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_become_ranges() {
        let diff =
            b"diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1 +1,2 @@ int f\n-x\n+++ b/y\n\
            +z\n@@ -9,2 +11,0 @@\n-a\n--- a/q\n@@ -20,0 +21 @@ \xff\n+b\n\
            diff --git a/gone.c b/gone.c\n--- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
            +++ \"b/\\303\\244 \\\"q.c\"\n@@ -0,0 +1,3 @@\n+1\n+2\n+3\n";
        let files = parse(diff, Path::new("/t"));
        let file = |path: &str, lines: Vec<_>| ChangedFile { path: path.into(), lines };
        let expected = [file("/t/a.c", vec![1..=2, 21..=21]), file("/t/\u{e4} \"q.c", vec![1..=3])];
        assert_eq!(files, expected);
    }
}
