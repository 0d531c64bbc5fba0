//! Files named one by one, and the store of source files.

mod common;

use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use caulk_project::{SkipReason, SourceFiles, describe, from_files};
use common::{TempDir, displays};

fn flags(list: &[&str]) -> Vec<String> {
    list.iter().map(|flag| (*flag).to_owned()).collect()
}

#[test]
fn files_with_flags() {
    let dir = TempDir::new();
    for name in ["a.c", "b.i", "c.h", "d.cpp", "e.txt"] {
        dir.write(name, "");
    }
    let files = ["a.c", "b.i", "c.h", "d.cpp", "e.txt", "gone.c", "./a.c"].map(Into::into);
    let project = from_files(&files, &flags(&["-DX", "stray"]), &dir.options_without_compiler());
    assert_eq!(displays(&project), ["a.c", "b.i", "c.h"]);
    let preprocessed: Vec<_> = project.units.iter().map(|unit| unit.options.preprocessed).collect();
    assert_eq!(preprocessed, [false, true, false]);
    assert_eq!(project.skipped[0].reason, SkipReason::Cpp);
    assert_eq!(project.merged, 1);
    let problems: Vec<_> = project.problems.iter().map(ToString::to_string).collect();
    assert!(problems[0].starts_with("e.txt: not known as C"), "{problems:?}");
    assert!(problems[1].contains("gone.c: no such file"), "{problems:?}");
    assert!(
        project.notes.iter().any(|note| note.contains("argument stray")),
        "{:?}",
        project.notes
    );
}

#[test]
fn x_makes_any_file_c() {
    let dir = TempDir::new();
    dir.write("e.txt", "");
    let options = dir.options_without_compiler();
    let project = from_files(&["e.txt".into()], &flags(&["-x", "c"]), &options);
    assert_eq!(displays(&project), ["e.txt"]);
    let project = from_files(&["e.txt".into()], &flags(&["-xcpp-output"]), &options);
    assert!(project.units[0].options.preprocessed);
}

#[test]
fn two_spellings_share_one_reading() {
    let dir = TempDir::new();
    let file = dir.write("real/a.h", "text");
    std::os::unix::fs::symlink(dir.join("real"), dir.join("link")).unwrap();
    let files = SourceFiles::new();
    let first = files.read(&file).unwrap();
    let second = files.read(&dir.join("link/a.h")).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(files.identity(&dir.join("link/a.h")), file);
    assert_eq!(files.identity(&dir.join("link")), dir.join("real"));
    let counts = files.counts();
    assert_eq!((counts.asks, counts.reads, counts.misses, counts.bytes), (2, 1, 1, 4));
}

#[test]
fn a_pipe_does_not_block() {
    let dir = TempDir::new();
    let pipe = dir.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let error = SourceFiles::new().read(&pipe).unwrap_err();
    assert_eq!(error.to_string(), "is a pipe, not a regular file");
}

#[test]
fn large_files_are_refused() {
    let dir = TempDir::new();
    let file = dir.write("big.c", "123456789");
    assert_eq!(SourceFiles::with_limit(9).read(&file).unwrap().len(), 9);
    let error = SourceFiles::with_limit(8).read(&file).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    assert!(describe(&file, &error).ends_with("is larger than 8 bytes, the limit for one file"));
}

#[test]
fn a_virtual_file_hides_a_real_one() {
    let dir = TempDir::new();
    let file = dir.write("a.h", "real");
    let files = SourceFiles::new();
    assert_eq!(&*files.read(&file).unwrap(), b"real");
    files.insert_virtual(&file, *b"virtual");
    assert_eq!(&*files.read(&file).unwrap(), b"virtual");
}

#[test]
fn threads_read_each_file_once() {
    let dir = TempDir::new();
    let paths: Vec<_> = (0..20).map(|n| dir.write(&format!("{n}.h"), format!("{n}"))).collect();
    let files = SourceFiles::new();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for (n, path) in paths.iter().enumerate() {
                    assert_eq!(&*files.read(path).unwrap(), n.to_string().as_bytes());
                    assert!(files.read(Path::new("/no/such")).is_err());
                }
            });
        }
    });
    let counts = files.counts();
    assert_eq!((counts.asks, counts.reads, counts.misses), (320, 20, 1));
}
