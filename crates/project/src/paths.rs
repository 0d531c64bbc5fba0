//! Paths as text: joining, normalising, showing, and finding programs.
//!
//! Normalising is lexical: `a/../b` becomes `b` even where `a` is a symbolic link. That is what a
//! person reading the path expects; `SourceFiles::identity` answers who a file really is.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// Removes `.` and, where something stands before it, `..`.
#[must_use]
pub fn normalise(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => pop_or_climb(&mut out),
            part => out.push(part),
        }
    }
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out }
}

fn pop_or_climb(out: &mut PathBuf) {
    match out.components().next_back() {
        Some(Component::Normal(_)) => {
            out.pop();
        }
        Some(Component::RootDir) => {}
        _ => out.push(".."),
    }
}

/// `path` as seen from `directory`, normalised.
pub(crate) fn absolute(directory: &Path, path: &Path) -> PathBuf {
    normalise(&directory.join(path))
}

/// Relative to the folder a person stands in, where the file is below it.
pub(crate) fn for_display(current_dir: &Path, path: &Path) -> PathBuf {
    match path.strip_prefix(current_dir) {
        Ok(inside) if !inside.as_os_str().is_empty() => inside.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

pub(crate) fn extension(path: &OsStr) -> &[u8] {
    Path::new(path).extension().map_or(&[], OsStr::as_bytes)
}

pub(crate) fn file_name(path: &OsStr) -> &[u8] {
    Path::new(path).file_name().map_or(&[], OsStr::as_bytes)
}

pub(crate) fn os(bytes: &[u8]) -> OsString {
    OsStr::from_bytes(bytes).to_os_string()
}

/// The program a shell would run for `name` in `directory`. Candidates that `reject` refuses are
/// passed over, as a compiler launcher does when it looks for the real compiler.
pub(crate) fn find_program(
    name: &OsStr,
    directory: &Path,
    search: &OsStr,
    reject: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let runnable = |path: &PathBuf| is_executable(path) && !reject(path);
    if name.as_bytes().contains(&b'/') {
        return Some(absolute(directory, Path::new(name))).filter(runnable);
    }
    if name.is_empty() {
        return None;
    }
    std::env::split_paths(search)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(runnable)
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalising_is_lexical() {
        let check = |from: &str, to: &str| assert_eq!(normalise(Path::new(from)), Path::new(to));
        check("/a/./b/../c", "/a/c");
        check("/..", "/");
        check("/../a", "/a");
        check("../../a/..", "../..");
        check("a/..", ".");
        check("a//b/", "a/b");
    }

    #[test]
    fn display_is_relative_only_below_the_current_folder() {
        let show = |path: &str| for_display(Path::new("/w/p"), Path::new(path));
        assert_eq!(show("/w/p/src/a.c"), Path::new("src/a.c"));
        assert_eq!(show("/w/q/a.c"), Path::new("/w/q/a.c"));
        assert_eq!(show("/w/p"), Path::new("/w/p"));
    }

    #[test]
    fn programs_are_found_as_a_shell_does() {
        let find = |name: &str, path: &str| {
            find_program(OsStr::new(name), Path::new("/"), OsStr::new(path), |_| false)
        };
        assert_eq!(find("sh", "/nowhere:/bin"), Some(PathBuf::from("/bin/sh")));
        assert_eq!(find("bin/sh", "/nowhere"), Some(PathBuf::from("/bin/sh")));
        assert_eq!(find("sh", "/nowhere"), None);
        assert_eq!(find("", "/bin"), None);
        let none = find_program(OsStr::new("sh"), Path::new("/"), OsStr::new("/bin"), |_| true);
        assert_eq!(none, None);
    }
}
