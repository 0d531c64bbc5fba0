//! A unit's own compiler, asked to check it and to write nothing.

use crate::corpus::Entry;
use std::ffi::OsString;
use std::path::Path;

/// The command of a unit without its outputs, and the folder it runs in.
#[derive(Debug, PartialEq, Eq)]
pub struct SyntaxOnly {
    pub compiler: String,
    pub arguments: Vec<OsString>,
    pub folder: String,
}

/// Outputs with a value of their own.
const WITH_VALUE: &[&str] = &["-o", "-MF", "-MT", "-MQ"];

impl SyntaxOnly {
    pub fn of(entry: &Entry) -> SyntaxOnly {
        Self::on(entry, Path::new(&entry.file))
    }

    /// As if `source` stood in place of the unit's own.
    pub fn on(entry: &Entry, source: &Path) -> SyntaxOnly {
        let compiler = entry.arguments.first().cloned().unwrap_or_default();
        let mut arguments = without_outputs(entry, source);
        arguments.extend(["-fsyntax-only", "-w"].map(OsString::from));
        SyntaxOnly { compiler, arguments, folder: entry.directory.clone() }
    }
}

/// The arguments of a unit's command on `source`, without the compiler and without anything that
/// asks for a file.
pub fn without_outputs(entry: &Entry, source: &Path) -> Vec<OsString> {
    let mut words = entry.arguments.iter().skip(1);
    let mut arguments = Vec::new();
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            words.next();
        } else if *word == entry.file {
            arguments.push(source.into());
        } else if !is_output(word) {
            arguments.push(word.into());
        }
    }
    arguments
}

/// Whether the word alone asks for an object or a list of dependencies.
fn is_output(word: &str) -> bool {
    ["-c", "-MD", "-MMD", "-MP", "-MG"].contains(&word)
        || WITH_VALUE.iter().any(|option| word.starts_with(option))
        || ["-Wp,-MD", "-Wp,-MMD", "-Wp,-MF", "-Wp,-MT"].iter().any(|o| word.starts_with(o))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_left_out() {
        let line = "gcc -DX -c a/b.c -o b.o -MD -MP -MF x.d -Wp,-MMD,y.d -O2";
        let entry = Entry {
            file: "a/b.c".into(),
            directory: "/d".into(),
            arguments: line.split(' ').map(String::from).collect(),
            output: None,
        };
        let command = SyntaxOnly::on(&entry, Path::new("/t/x.c"));
        assert_eq!(command.arguments, ["-DX", "/t/x.c", "-O2", "-fsyntax-only", "-w"]);
        assert_eq!((command.compiler.as_str(), command.folder.as_str()), ("gcc", "/d"));
        assert_eq!(SyntaxOnly::of(&entry).arguments[1], "a/b.c");
    }
}
