//! Does a program that was started compile C?

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::Started;
use crate::command::is_compiler;
use crate::flags::{FlagTable, parse};
use crate::language::Language;
use crate::load::sources_of;
use crate::paths::{absolute, file_name, find_program, os};
use crate::response::expand;
use crate::sources::SourceFiles;

/// One source file, compiled once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Compilation {
    pub directory: PathBuf,
    /// As the command spells it.
    pub file: OsString,
    pub output: Option<OsString>,
    /// The compiler and its arguments, without other sources.
    pub arguments: Vec<OsString>,
}

impl Compilation {
    pub(crate) fn source(&self) -> PathBuf {
        absolute(&self.directory, Path::new(&self.file))
    }
}

/// What is compiled; nothing for all other programs. Without `by_name` the program is taken for a
/// compiler whatever it is called.
pub(crate) fn compilations(
    started: &Started,
    table: &FlagTable,
    by_name: bool,
) -> Vec<Compilation> {
    let words = without_cache(&started.words);
    let Some((name, args)) = words.split_first() else { return Vec::new() };
    let is_driver = !by_name || is_compiler(name) || is_other_compiler(name);
    if !is_driver || args.first().is_some_and(|arg| is_inner(arg)) {
        return Vec::new();
    }
    // Now or never: builds remove their response files.
    let expanded = expand(args, &started.directory, &SourceFiles::new()).words;
    let parsed = parse(table, &expanded, &started.directory);
    if parsed.preprocess_only || expanded.iter().any(|word| word == "-###") {
        return Vec::new();
    }
    let is_cpp = file_name(name).ends_with(b"++");
    let sources = sources_of(&parsed.inputs, is_cpp);
    let is_c = |language| matches!(language, Language::C | Language::PreprocessedC);
    let c = sources.iter().filter(|(file, language)| is_c(*language) && is_regular(file));
    let compiler = compiler(name, started);
    let names: Vec<&OsStr> = sources.iter().map(|(file, _)| file.as_os_str()).collect();
    let compilation = |(file, _): &(OsString, Language)| Compilation {
        directory: started.directory.clone(),
        file: file.clone(),
        output: output(&expanded, file),
        arguments: std::iter::once(compiler.clone())
            .chain(without_others(&expanded, &names, file))
            .collect(),
    };
    c.map(compilation).collect()
}

/// Caches and distributors may answer without starting the compiler that they name.
fn without_cache(words: &[OsString]) -> &[OsString] {
    const CACHES: [&[u8]; 9] = [
        b"ccache",
        b"sccache",
        b"distcc",
        b"icecc",
        b"buildcache",
        b"gomacc",
        b"recc",
        b"rewrapper",
        b"cachecc1",
    ];
    let is_cache = |word: &OsString| CACHES.contains(&file_name(word));
    let is_setting = |word: &OsString| {
        word.as_bytes().starts_with(b"-") || (word.as_bytes().contains(&b'=') && !is_compiler(word))
    };
    let mut rest = words;
    while rest.first().is_some_and(is_cache) {
        let settings = rest[1..].iter().take_while(|word| is_setting(word)).count();
        rest = &rest[1 + settings..];
    }
    rest
}

/// Compilers that take gcc's flags well enough, beside those that are asked for facts.
fn is_other_compiler(name: &OsStr) -> bool {
    matches!(file_name(name), b"tcc" | b"icc" | b"pcc" | b"kencc" | b"chibicc" | b"cproc")
}

/// What a driver starts itself to do the work.
fn is_inner(arg: &OsStr) -> bool {
    matches!(arg.as_bytes(), b"-cc1" | b"-cc1as" | b"-cc1gen-reproducer")
}

/// Not standard input, and not `/dev/null`, which configuration scripts compile.
fn is_regular(file: &OsStr) -> bool {
    file != "-" && !file.as_bytes().starts_with(b"/dev/")
}

/// The name as it was called, unless it would lead elsewhere from here: a build may have a `PATH`
/// of its own.
fn compiler(name: &OsStr, started: &Started) -> OsString {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let here = find_program(name, &started.directory, &search, |_| false);
    let real = |path: PathBuf| path.canonicalize().ok();
    match &started.program {
        Some(program)
            if is_compiler(program.as_os_str())
                && here.and_then(real).as_ref() != Some(program) =>
        {
            program.clone().into_os_string()
        }
        _ => name.to_os_string(),
    }
}

/// What `-o` names, or what `-c` and `-S` make without it.
fn output(args: &[OsString], file: &OsStr) -> Option<OsString> {
    let mut named = None;
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_bytes() {
            b"-o" => named = words.next().cloned(),
            bytes => {
                if let Some(joined) = bytes.strip_prefix(b"-o").filter(|rest| !rest.is_empty()) {
                    named = Some(os(joined));
                }
            }
        }
    }
    let has = |flag: &str| args.iter().any(|word| word == flag);
    let made = |extension: &str| {
        let name = PathBuf::from(os(file_name(file)));
        has("-c").then(|| name.with_extension(extension).into_os_string())
    };
    let made = if has("-S") {
        Some(PathBuf::from(os(file_name(file))).with_extension("s").into_os_string())
    } else {
        made("o")
    };
    named.or(made)
}

/// Flags whose value is the next word, which may look like a source.
const WITH_FILE: [&[u8]; 7] = [b"-include", b"-imacros", b"-o", b"-MF", b"-MT", b"-MQ", b"-x"];

/// The arguments of a command with several sources as they are for one of them.
fn without_others(args: &[OsString], sources: &[&OsStr], file: &OsStr) -> Vec<OsString> {
    let is_value = |at: usize| {
        at.checked_sub(1).is_some_and(|before| WITH_FILE.contains(&args[before].as_bytes()))
    };
    let is_other = |at: usize, word: &OsString| {
        word != file && !is_value(at) && sources.contains(&word.as_os_str())
    };
    let kept = args.iter().enumerate().filter(|(at, word)| !is_other(*at, word));
    kept.map(|(_, word)| word.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &str, expected: &[&str]) {
        let words = command.split(' ').map(OsString::from).collect();
        let started = Started { words, program: None, directory: "/d".into() };
        let found = compilations(&started, &FlagTable::new(), true);
        let text = |row: &Compilation| {
            let args: Vec<_> = row.arguments.iter().map(|word| word.to_str().unwrap()).collect();
            let output = row.output.as_deref().and_then(OsStr::to_str).unwrap_or("-");
            format!("{} > {output}: {}", row.file.to_str().unwrap(), args.join(" "))
        };
        let found: Vec<String> = found.iter().map(text).collect();
        assert_eq!(found, expected, "{command}");
    }

    #[test]
    fn compilers_of_c_are_known() {
        check("gcc -c a.c", &["a.c > a.o: gcc -c a.c"]);
        check("/opt/x-gcc-12 -c -o b.o x/a.c", &["x/a.c > b.o: /opt/x-gcc-12 -c -o b.o x/a.c"]);
        check("clang -ob.o -S a.c", &["a.c > b.o: clang -ob.o -S a.c"]);
        check("tcc -S x/a.c", &["x/a.c > a.s: tcc -S x/a.c"]);
        check("ccache gcc -c a.c", &["a.c > a.o: gcc -c a.c"]);
        check("ccache max=1 distcc cc -c a.c", &["a.c > a.o: cc -c a.c"]);
        check("cc -MD a.c b.o -lm", &["a.c > -: cc -MD a.c b.o -lm"]);
    }

    #[test]
    fn each_source_has_a_row_of_its_own() {
        let rows = ["a.c > p: cc -include b.c a.c -o p", "b.c > p: cc -include b.c b.c -o p"];
        check("cc -include b.c a.c b.c -o p", &rows);
        check("cc -c a.c b.S", &["a.c > a.o: cc -c a.c"]);
    }

    #[test]
    fn all_else_is_left_out() {
        for other in [
            "gcc a.o -o p",
            "gcc -E a.c",
            "gcc -M a.c",
            "gcc -### -c a.c",
            "g++ -c a.c",
            "gcc -c a.cc b.S",
            "clang -cc1 a.c",
            "cc1 a.c",
            "as a.s",
            "sh gcc a.c",
            "gcc -c -x c -",
            "gcc -c /dev/null",
            "ccache --version",
            "ccache",
        ] {
            check(other, &[]);
        }
    }
}
