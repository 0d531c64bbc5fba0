//! Response files: an argument `@file` stands for the words in that file, which may again name
//! response files. As in gcc, an `@file` that cannot be read is kept as it is; here it is also a
//! problem, since flags that are not seen can change what is analysed.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::paths::{absolute, os};
use crate::sources::{SourceFiles, describe};
use crate::words::split_response;

/// Bounds loops and doubling chains alike; gcc stops at the same number.
const FILE_LIMIT: usize = 2000;
const WORD_LIMIT: usize = 1_000_000;

pub(crate) struct Expansion {
    pub words: Vec<OsString>,
    pub problems: Vec<String>,
}

pub(crate) fn expand(args: &[OsString], directory: &Path, files: &SourceFiles) -> Expansion {
    let mut expander = Expander {
        directory,
        files,
        opened: 0,
        out: Expansion { words: Vec::with_capacity(args.len()), problems: Vec::new() },
    };
    for arg in args {
        expander.add(arg.clone());
    }
    expander.out
}

struct Expander<'a> {
    directory: &'a Path,
    files: &'a SourceFiles,
    opened: usize,
    out: Expansion,
}

impl Expander<'_> {
    fn add(&mut self, arg: OsString) {
        match arg.as_bytes().strip_prefix(b"@") {
            Some(name) if !name.is_empty() => self.add_file(name),
            _ => self.out.words.push(arg),
        }
    }

    fn add_file(&mut self, name: &[u8]) {
        let path = absolute(self.directory, Path::new(&os(name)));
        if self.opened >= FILE_LIMIT || self.out.words.len() > WORD_LIMIT {
            self.report("too many response files; does one of them name itself?".to_owned());
            return;
        }
        self.opened += 1;
        match self.files.read(&path) {
            Ok(text) => {
                for word in split_response(&text) {
                    self.add(word);
                }
            }
            Err(error) => self.report(format!(
                "response file not read: {}; build the project so that it exists",
                describe(&path, &error)
            )),
        }
    }

    fn report(&mut self, text: String) {
        if !self.out.problems.contains(&text) {
            self.out.problems.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand_with(files: &[(&str, &str)], args: &[&str]) -> Expansion {
        let store = SourceFiles::new();
        for (path, text) in files {
            store.insert_virtual(Path::new(path), text.as_bytes());
        }
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        expand(&args, Path::new("/d"), &store)
    }

    #[test]
    fn nested_files_are_spliced_in_place() {
        let files = [("/d/a", "-DA @b -DC"), ("/d/b", "'-DB=x y'")];
        let done = expand_with(&files, &["cc", "@a", "x.c"]);
        assert_eq!(done.words, ["cc", "-DA", "-DB=x y", "-DC", "x.c"]);
        assert!(done.problems.is_empty());
    }

    #[test]
    fn a_file_that_names_itself_twice_ends() {
        let done = expand_with(&[("/d/a", "@a @a x")], &["@a"]);
        assert_eq!(done.problems.len(), 1);
        assert!(done.problems[0].contains("name itself"), "{}", done.problems[0]);
    }

    #[test]
    fn a_missing_file_is_a_problem() {
        let done = expand_with(&[], &["@no/such/folder", "@"]);
        assert_eq!(done.words, ["@"]);
        assert!(done.problems[0].contains("/d/no/such/folder"), "{}", done.problems[0]);
    }
}
