//! A unit's compile command, as the peers want it.

use crate::corpus::Entry;
use crate::syntax_only::without_outputs;
use std::ffi::OsString;
use std::path::Path;

/// The unit's arguments without outputs and without its choice of warnings: only what the peer is
/// asked for is to be told, and nothing is to be an error because of it.
pub fn bare(entry: &Entry, source: &Path) -> Vec<OsString> {
    let is_warning = |word: &OsString| {
        let word = word.to_string_lossy();
        let is_passed_on = ["-Wp,", "-Wa,", "-Wl,"].iter().any(|prefix| word.starts_with(prefix));
        word == "-w" || word.starts_with("-pedantic") || word.starts_with("-W") && !is_passed_on
    };
    let mut arguments = without_outputs(entry, source);
    arguments.retain(|word| !is_warning(word));
    arguments
}

/// As `bare`, without what clang does not know.
pub fn for_clang(entry: &Entry, source: &Path) -> Vec<OsString> {
    let is_foreign = |word: &OsString| {
        let word = word.to_string_lossy();
        FOREIGN.iter().any(|option| word.starts_with(option))
    };
    let mut arguments = bare(entry, source);
    arguments.retain(|word| !is_foreign(word));
    arguments.extend(["-w", "-Qunused-arguments"].map(OsString::from));
    arguments
}

/// Beginnings of options that clang-19 rejects.
const FOREIGN: &[&str] = &[
    "-fno-tree-",
    "-ftree-",
    "-fipa",
    "-fno-ipa",
    "-fno-aggressive-loop",
    "-fno-reorder",
    "-fno-var-tracking",
    "-fconserve-stack",
    "-fno-allow-store",
    "-fno-code-hoisting",
    "-fno-thread-jumps",
    "-mpreferred-stack-boundary",
    "-fno-canonical",
    "-fno-guess-branch",
    "-flto",
    "-fno-lto",
    "-ffat-lto-objects",
    "-fanalyzer",
    "-fexcess-precision",
];

/// The preprocessor's options: search folders, macros and headers that are always read.
pub fn preprocessing(entry: &Entry) -> Vec<(String, String)> {
    const OPTIONS: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-I", "-D", "-U"];
    let mut found = Vec::new();
    let mut words = entry.arguments.iter().skip(1);
    while let Some(word) = words.next() {
        let Some(option) = OPTIONS.iter().find(|option| word.starts_with(**option)) else {
            continue;
        };
        let value = match &word[option.len()..] {
            "" => words.next().cloned().unwrap_or_default(),
            joined => joined.to_string(),
        };
        found.push((option.to_string(), value));
    }
    found
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn entry(line: &str) -> Entry {
        let arguments: Vec<String> = line.split(' ').map(String::from).collect();
        let file = arguments.iter().find(|word| word.ends_with(".c")).unwrap().clone();
        Entry { file, directory: "/d".into(), arguments, output: None }
    }

    #[test]
    fn warnings_are_left_out() {
        let entry = entry("gcc -Wall -Wp,-DX -Werror=x -w -O2 -flto -c a.c -o a.o");
        assert_eq!(bare(&entry, Path::new("a.c")), ["-Wp,-DX", "-O2", "-flto", "a.c"]);
        let clang = for_clang(&entry, Path::new("a.c"));
        assert_eq!(clang, ["-Wp,-DX", "-O2", "a.c", "-w", "-Qunused-arguments"]);
    }

    #[test]
    fn options_of_the_preprocessor_are_found() {
        let entry = entry("gcc -I. -I inc -DA=1 -O2 -isystem s -include c.h -c a.c");
        let found = preprocessing(&entry);
        let found: Vec<String> = found.iter().map(|(o, v)| format!("{o}={v}")).collect();
        assert_eq!(found, ["-I=.", "-I=inc", "-D=A=1", "-isystem=s", "-include=c.h"]);
    }
}
