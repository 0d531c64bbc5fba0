//! Finding the compiler in a command line.
//!
//! A command may start with variable settings, launchers (`ccache`, `distcc`, `env`), libtool, or
//! a wrapper caulk has never heard of. A `command` string may also be several shell commands
//! joined by `&&` or `;`, of which one compiles.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::paths::{absolute, file_name};
use crate::words::Word;

/// A compiler with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    pub compiler: Option<OsString>,
    /// The compiler takes `.c` files for C++, as `g++` does.
    pub cpp_driver: bool,
    pub args: Vec<OsString>,
    pub directory: PathBuf,
}

/// How far from the start a compiler may stand behind an unknown wrapper.
const WRAPPER_REACH: usize = 6;

/// The words of `arguments`.
pub(crate) fn find_compiler(words: &[OsString], directory: &Path) -> Invocation {
    let start = skip_launchers(words);
    let rest = &words[start..];
    let reach = rest.iter().take(WRAPPER_REACH);
    let at = reach.take_while(|word| !is_source_like(word)).position(|word| is_compiler(word));
    let rest = &rest[at.unwrap_or(0)..];
    let (compiler, args) = match rest.split_first() {
        Some((compiler, args)) => (Some(compiler.clone()), args.to_vec()),
        None => (None, Vec::new()),
    };
    let cpp_driver = compiler.as_deref().is_some_and(is_cpp_driver);
    Invocation { compiler, cpp_driver, args, directory: directory.to_path_buf() }
}

/// The words of a `command` string: the first of its simple commands that names a compiler.
pub(crate) fn find_compiler_in_shell(words: &[Word], directory: &Path) -> Invocation {
    let mut directory = directory.to_path_buf();
    let mut first = None;
    for command in words.split(is_separator) {
        let command = without_redirections(command);
        match command.as_slice() {
            [cd, to] if cd == "cd" => directory = absolute(&directory, Path::new(to)),
            _ => {
                let invocation = find_compiler(&command, &directory);
                if invocation.compiler.as_deref().is_some_and(is_compiler) {
                    return invocation;
                }
                first.get_or_insert(invocation);
            }
        }
    }
    first.unwrap_or_else(|| find_compiler(&[], &directory))
}

fn is_separator(word: &Word) -> bool {
    word.plain && matches!(word.text.as_bytes(), b"&&" | b"||" | b";" | b"|" | b"&")
}

fn without_redirections(words: &[Word]) -> Vec<OsString> {
    let mut out = Vec::with_capacity(words.len());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.text.as_bytes() {
            b">" | b">>" | b"<" | b"2>" | b"1>" | b"2>>" | b"&>" if word.plain => {
                words.next();
            }
            b"2>&1" | b"1>&2" | b">&2" if word.plain => {}
            _ => out.push(word.text.clone()),
        }
    }
    out
}

fn skip_launchers(words: &[OsString]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let after_shell = words.get(at + 1).is_some_and(|next| is_libtool(next));
        if is_libtool(word) || (is_shell(word) && after_shell) {
            at += 1 + usize::from(!is_libtool(word));
            at += count_flags(&words[at..]);
        } else if is_launcher(word) {
            at += 1;
            at += count_flags(&words[at..]);
        } else if is_assignment(word) {
            at += 1;
        } else {
            break;
        }
    }
    at.min(words.len())
}

/// Flags of a launcher; `-u NAME` of `env` and `-n N` of `nice` have a value.
fn count_flags(words: &[OsString]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.as_bytes().starts_with(b"-")) {
        at += if matches!(word.as_bytes(), b"-u" | b"-n" | b"-C") { 2 } else { 1 };
    }
    at.min(words.len())
}

/// Programs that run the command after them unchanged.
pub(crate) fn is_launcher(word: &OsStr) -> bool {
    matches!(
        file_name(word),
        b"ccache"
            | b"distcc"
            | b"sccache"
            | b"icecc"
            | b"buildcache"
            | b"env"
            | b"nice"
            | b"time"
            | b"nohup"
            | b"ionice"
            | b"gomacc"
            | b"goma"
            | b"recc"
            | b"rewrapper"
            | b"fastbuild"
            | b"firebuild"
            | b"colorgcc"
            | b"compiler_wrapper"
            | b"cachecc1"
            | b"exec"
            | b"command"
    )
}

fn is_libtool(word: &OsStr) -> bool {
    matches!(file_name(word), b"libtool" | b"glibtool") || file_name(word).ends_with(b"-libtool")
}

fn is_shell(word: &OsStr) -> bool {
    matches!(file_name(word), b"sh" | b"bash" | b"dash" | b"ksh" | b"zsh")
}

/// `NAME=value`, as a shell, `env` and ccache take it.
fn is_assignment(word: &OsStr) -> bool {
    let bytes = word.as_bytes();
    let Some(at) = bytes.iter().position(|byte| *byte == b'=') else { return false };
    let name = &bytes[..at];
    !name.is_empty()
        && !name[0].is_ascii_digit()
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn is_source_like(word: &OsStr) -> bool {
    matches!(crate::paths::extension(word), b"c" | b"i" | b"o" | b"cpp" | b"cc" | b"S" | b"s")
}

/// Does it take the flags of gcc? By name: `clang`, `cc`, `gcc-12`, `aarch64-linux-gnu-gcc`,
/// `musl-gcc`, and the C++ drivers of the same families.
pub(crate) fn is_compiler(word: &OsStr) -> bool {
    let stem = compiler_stem(word);
    let names = ["cc", "c89", "c99", "c11", "gcc", "clang", "icx", "c++", "g++", "clang++"];
    let ends = |name: &str| stem == name || stem.ends_with(&format!("-{name}"));
    names.into_iter().any(ends)
        || stem.starts_with("clang-")
        || ["emcc", "mpicc", "diet-gcc", "hipcc", "armclang", "afl-clang-fast", "afl-clang-lto"]
            .contains(&stem.as_str())
}

fn is_cpp_driver(word: &OsStr) -> bool {
    compiler_stem(word).ends_with("++")
}

/// The file name without `.exe` and without a version: `gcc` for `/usr/bin/gcc-12.2`.
fn compiler_stem(word: &OsStr) -> String {
    if word.as_bytes().starts_with(b"-") {
        return String::new();
    }
    let name = String::from_utf8_lossy(file_name(word)).into_owned();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match bare.strip_suffix('-') {
        Some(bare) => bare.to_owned(),
        // `gcc12` of the BSDs, but `c99` is a name.
        None if bare.ends_with("gcc") || bare.ends_with("clang") => bare.to_owned(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::split_shell;

    fn check(command: &str, expected: &str) {
        let found = find_compiler_in_shell(&split_shell(command.as_bytes()), Path::new("/d"));
        let compiler = found.compiler.unwrap_or_default();
        let words: Vec<_> =
            std::iter::once(&compiler).chain(&found.args).map(|w| w.to_str().unwrap()).collect();
        assert_eq!(words.join(" "), expected, "{command}");
    }

    #[test]
    fn launchers_are_skipped() {
        check("gcc -c a.c", "gcc -c a.c");
        check("ccache /usr/bin/gcc-12 -c a.c", "/usr/bin/gcc-12 -c a.c");
        check("ccache distcc cc a.c", "cc a.c");
        check("env -u X A=b LC_ALL=C clang a.c", "clang a.c");
        check("A=1 cc a.c", "cc a.c");
        check("/bin/sh ../libtool --tag=CC --mode=compile gcc -c a.c", "gcc -c a.c");
        check("libtool --silent --mode=compile cc a.c", "cc a.c");
        check("some-wrapper --fast x86_64-linux-musl-cc a.c", "x86_64-linux-musl-cc a.c");
        check("tcc -c a.c", "tcc -c a.c");
        check("ccache", "");
        check("", "");
    }

    #[test]
    fn shell_lists_are_searched() {
        check(": && gcc -c a.c && true", "gcc -c a.c");
        check("cc -c a.c > log 2>&1 ; rm x", "cc -c a.c");
        check("cc '-DX=&&' a.c", "cc -DX=&& a.c");
        let words = split_shell(b"cd sub && gcc -c a.c");
        assert_eq!(find_compiler_in_shell(&words, Path::new("/d")).directory, Path::new("/d/sub"));
    }

    #[test]
    fn compilers_are_known_by_name() {
        let names = "cc gcc gcc-12 gcc12 clang clang-19 aarch64-linux-gnu-gcc-13.2 musl-gcc c99 g++ \
            clang++ /opt/x/bin/arm-none-eabi-gcc gcc.exe mpicc afl-gcc";
        for name in names.split_whitespace() {
            assert!(is_compiler(OsStr::new(name)), "{name}");
        }
        for name in ["tcc", "nvcc", "ld", "ar", "", "-cc", "rustc", "ccache", "clang/", "libcc.c"] {
            assert_eq!(is_compiler(OsStr::new(name)), name == "clang/", "{name}");
        }
        assert!(find_compiler(&["g++-12".into()], Path::new("/")).cpp_driver);
    }
}
