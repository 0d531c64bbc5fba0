//! Asking compilers, the cache, and doing without.

mod common;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use caulk_project::{BuiltInTarget, FactsSource, LoadOptions, Project, from_database, from_files};
use common::TempDir;

fn load_with(dir: &TempDir, options: &LoadOptions, commands: &[&str]) -> Project {
    dir.write("a.c", "");
    let entries: Vec<_> =
        commands.iter().map(|text| format!(r#"{{"file":"a.c","command":"{text} a.c"}}"#)).collect();
    dir.write("compile_commands.json", format!("[{}]", entries.join(",")));
    from_database(dir.path(), options).unwrap()
}

fn cached(dir: &TempDir) -> LoadOptions {
    LoadOptions { cache_dir: Some(dir.join("cache")), ..dir.options() }
}

fn entries(dir: &TempDir) -> Vec<std::path::PathBuf> {
    let folder = fs::read_dir(dir.join("cache/compilers")).unwrap();
    folder.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn the_named_compiler_is_asked_once_per_relevant_flags() {
    let dir = TempDir::new();
    dir.fake_compiler("bin/my-gcc", "");
    let commands = ["bin/my-gcc", "bin/my-gcc -DX -Wall", "bin/my-gcc -DY -m32"];
    let project = load_with(&dir, &dir.options(), &commands);
    assert_eq!(dir.asked(), ["-v -dM -E -x c /dev/null", "-m32 -v -dM -E -x c /dev/null"]);
    let facts = &project.units[0].options.facts;
    assert_eq!(facts.system_includes, [Path::new("/fake/include")]);
    assert_eq!(facts.default_standard.to_string(), "gnu11");
    assert_eq!(facts.target.triple, "fake-linux-gnu");
    assert_eq!((facts.target.pointer_bits, facts.gnuc.0), (32, 9));
    assert_eq!(facts.source, FactsSource::Asked { compiler: dir.join("bin/my-gcc") });
    assert!(Arc::ptr_eq(facts, &project.units[1].options.facts));
    assert!(project.notes.is_empty(), "{:?}", project.notes);
}

#[test]
fn answers_are_kept_on_disk() {
    let dir = TempDir::new();
    dir.fake_compiler("my-gcc", "");
    let first = load_with(&dir, &cached(&dir), &["./my-gcc"]);
    let second = load_with(&dir, &cached(&dir), &["./my-gcc"]);
    assert_eq!(dir.asked().len(), 1);
    assert_eq!(first.units, second.units);
    load_with(&dir, &cached(&dir), &["./my-gcc -O2"]);
    assert_eq!(dir.asked().len(), 2);
    dir.fake_compiler("my-gcc", "# another compiler now");
    load_with(&dir, &cached(&dir), &["./my-gcc"]);
    assert_eq!(dir.asked().len(), 3);
    assert!(entries(&dir).iter().all(|path| path.extension().is_some_and(|end| end == "json")));
}

#[test]
fn spoilt_entries_are_ignored_and_replaced() {
    let dir = TempDir::new();
    dir.fake_compiler("my-gcc", "");
    let good = load_with(&dir, &cached(&dir), &["./my-gcc"]);
    let path = entries(&dir).pop().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let spoilt = [
        "".to_owned(),
        "{}".to_owned(),
        text.replace("201112L", "199901L"),
        text[..text.len() / 2].to_owned(),
    ];
    for (n, text) in spoilt.iter().enumerate() {
        fs::write(&path, text).unwrap();
        assert_eq!(load_with(&dir, &cached(&dir), &["./my-gcc"]).units, good.units);
        assert_eq!(dir.asked().len(), n + 2, "{text}");
    }
    load_with(&dir, &cached(&dir), &["./my-gcc"]);
    assert_eq!(dir.asked().len(), spoilt.len() + 1);
}

#[test]
fn a_cache_that_cannot_be_written_is_a_note() {
    let dir = TempDir::new();
    dir.fake_compiler("my-gcc", "");
    let cache_dir = Some(dir.write("file", ""));
    let project = load_with(&dir, &LoadOptions { cache_dir, ..dir.options() }, &["./my-gcc"]);
    assert_eq!(project.units.len(), 1);
    assert!(project.notes[0].contains("could not be kept"), "{:?}", project.notes);
}

#[test]
fn a_missing_compiler_leaves_built_in_facts() {
    let dir = TempDir::new();
    let commands = ["./aarch64-linux-gnu-gcc -std=c99", "./aarch64-linux-gnu-gcc -DX -std=c99"];
    let project = load_with(&dir, &dir.options(), &commands);
    let facts = &project.units[0].options.facts;
    let FactsSource::BuiltIn { target, .. } = &facts.source else { panic!("{:?}", facts.source) };
    assert_eq!(*target, BuiltInTarget::Aarch64Linux);
    assert_eq!(facts.default_standard.to_string(), "c99");
    assert!(!facts.target.char_signed);
    assert_eq!(project.notes.len(), 1);
    assert!(project.notes[0].contains("was not found") && project.notes[0].ends_with("(2 units)"));
}

#[test]
fn a_compiler_that_fails_is_asked_again_with_fewer_flags() {
    let dir = TempDir::new();
    let refuse = "case \"$*\" in *-mweird*) echo 'cc: error: no -mweird' >&2; exit 1;; esac";
    dir.fake_compiler("my-gcc", refuse);
    let project = load_with(&dir, &dir.options(), &["./my-gcc -std=gnu11 -mweird"]);
    assert_eq!(dir.asked()[1], "-std=gnu11 -v -dM -E -x c /dev/null");
    assert!(matches!(project.units[0].options.facts.source, FactsSource::Asked { .. }));
    assert!(project.notes[0].contains("no -mweird"), "{:?}", project.notes);
}

#[test]
fn a_compiler_that_only_fails_leaves_built_in_facts() {
    let dir = TempDir::new();
    dir.fake_compiler("my-gcc", "exit 1");
    let options =
        LoadOptions { target_without_compiler: BuiltInTarget::Aarch64Linux, ..dir.options() };
    let project = load_with(&dir, &options, &["./my-gcc"]);
    let source = &project.units[0].options.facts.source;
    assert!(matches!(source, FactsSource::BuiltIn { target: BuiltInTarget::Aarch64Linux, .. }));
    assert!(project.notes[0].contains("failed"), "{:?}", project.notes);
}

#[test]
fn a_compiler_that_cannot_be_run_leaves_built_in_facts() {
    let dir = TempDir::new();
    dir.fake_compiler("my-gcc", "");
    let text = fs::read_to_string(dir.join("my-gcc")).unwrap();
    dir.write("my-gcc", text.replace("#!/bin/sh", "#!/no/such/shell"));
    let project = load_with(&dir, &dir.options(), &["./my-gcc", "./my-gcc -O2"]);
    assert_eq!(project.units.len(), 2);
    assert!(project.notes[0].contains("could not be run"), "{:?}", project.notes);
    assert!(project.notes[0].ends_with("(2 units)"), "{:?}", project.notes);
}

#[test]
fn a_link_to_a_launcher_is_not_asked_itself() {
    let dir = TempDir::new();
    let launcher = dir.fake_compiler("bin/ccache", "");
    std::os::unix::fs::symlink(launcher, dir.join("bin/no-such-gcc")).unwrap();
    let project = load_with(&dir, &dir.options(), &["bin/no-such-gcc"]);
    assert!(project.notes[0].contains("was not found"), "{:?}", project.notes);
    assert_eq!(dir.asked().len(), 0);
}

#[test]
fn an_option_names_the_compiler_for_all() {
    let dir = TempDir::new();
    let compiler = Some(dir.fake_compiler("other-cc", ""));
    let project = load_with(&dir, &LoadOptions { compiler, ..dir.options() }, &["no-such-gcc"]);
    assert_eq!(project.units[0].options.facts.gnuc.0, 9);
}

#[test]
fn flags_may_start_with_a_compiler() {
    let dir = TempDir::new();
    dir.fake_compiler("my-gcc", "");
    let file = dir.write("a.c", "");
    let project = from_files(&[file], &["./my-gcc".to_owned(), "-DX".to_owned()], &dir.options());
    assert_eq!(project.units[0].options.facts.gnuc.0, 9);
    assert_eq!(project.units[0].options.macros.len(), 1);
}

/// With the system's own compiler, where there is one.
#[test]
fn the_real_compiler_answers() {
    let dir = TempDir::new();
    let file = dir.write("a.c", "");
    let project = from_files(&[file], &["-std=c99".to_owned(), "-O2".to_owned()], &dir.options());
    let facts = &project.units[0].options.facts;
    assert_eq!(facts.default_standard.to_string(), "c99");
    let text = String::from_utf8_lossy(&facts.predefined).into_owned();
    assert!(
        text.contains("#define __OPTIMIZE__ 1\n") && text.contains("#define __STRICT_ANSI__ 1\n")
    );
    assert!(!facts.system_includes.is_empty() || project.notes[0].contains("built-in"));
}
