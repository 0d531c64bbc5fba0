//! Compile databases over real folders.

mod common;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use caulk_project::{IncludeKind, MacroFlag, SkipReason, from_database};
use common::{TempDir, displays};

#[test]
fn command_and_arguments_with_relative_paths() {
    let dir = TempDir::new();
    dir.write("src/a.c", "");
    dir.write("src/b c.c", "");
    let project = dir.load(
        r#"[{"directory":"src","file":"a.c","command":"gcc -DX=\\\"y\\ z\\\" -I../inc -c ./a.c -o a.o"},
            {"directory":"src","file":"b c.c","arguments":["ccache","gcc","-c","b c.c"]}]"#,
    );
    assert_eq!(displays(&project), ["src/a.c", "src/b c.c"]);
    assert!(project.problems.is_empty(), "{:?}", project.problems);
    let unit = &project.units[0];
    assert_eq!(unit.source, dir.join("src/a.c"));
    assert_eq!(unit.directory, dir.join("src"));
    let body = MacroFlag::Define { name_and_params: "X".into(), body: "\"y z\"".into() };
    assert_eq!(unit.options.macros, [body]);
    assert_eq!(unit.options.includes[0].path, dir.join("inc"));
    assert_eq!(unit.options.includes[0].kind, IncludeKind::Bracket);
}

#[test]
fn equal_commands_merge_and_different_ones_do_not() {
    let dir = TempDir::new();
    dir.write("a.c", "");
    let project = dir.load(
        r#"[{"directory":".","file":"a.c","command":"cc -c a.c -o 1.o -Wall"},
            {"directory":".","file":"a.c","command":"cc -c a.c -o 2.o"},
            {"directory":".","file":"a.c","command":"cc -DB -c a.c"}]"#,
    );
    assert_eq!(displays(&project), ["a.c", "a.c"]);
    assert_eq!(project.merged, 1);
}

#[test]
fn what_is_not_c_is_counted() {
    let dir = TempDir::new();
    for name in ["a.c", "b.cpp", "c.S", "d.h", "e.c", "f.m"] {
        dir.write(name, "");
    }
    let project = dir.load(
        r#"[{"file":"a.c","command":"cc -c a.c"},
            {"file":"b.cpp","command":"g++ -c b.cpp"},
            {"file":"a.c","command":"g++ -c a.c"},
            {"file":"c.S","command":"cc -c c.S"},
            {"file":"d.h","command":"cc d.h"},
            {"file":"f.m","command":"cc f.m"},
            {"file":"e.c","command":"cc -M e.c"},
            {"file":"e.c","command":"cc -x c++ e.c"},
            {"file":"a.o","command":"cc a.o -lm -o prog"}]"#,
    );
    assert_eq!(displays(&project), ["a.c"]);
    let rows: Vec<_> = project.skipped.iter().map(|row| (row.reason, row.count)).collect();
    let expected = [
        (SkipReason::Cpp, 3),
        (SkipReason::Assembly, 1),
        (SkipReason::OtherLanguage, 1),
        (SkipReason::Header, 1),
        (SkipReason::PreprocessOnly, 1),
        (SkipReason::NoSource, 1),
    ];
    assert_eq!(rows, expected);
    assert!(project.problems.is_empty(), "{:?}", project.problems);
}

#[test]
fn missing_sources_are_problems_with_a_place() {
    let dir = TempDir::new();
    dir.write("a.c", "");
    let project = dir.load(
        "[{\"file\":\"gone.c\",\"command\":\"cc gone.c\"},\n {\"file\":\"a.c\",\"command\":\"cc a.c\"},\n\
          {\"file\":\"x.c\"}, {\"file\":3}]",
    );
    assert_eq!(displays(&project), ["a.c"]);
    let texts: Vec<_> = project.problems.iter().map(ToString::to_string).collect();
    assert!(texts[0].starts_with("compile_commands.json:3:"), "{texts:?}");
    assert!(
        texts[1].starts_with("compile_commands.json:1:2: source file gone.c: no such file;"),
        "{texts:?}"
    );
    assert!(texts[2].contains("neither"), "{texts:?}");
    assert_eq!(texts.len(), 3);
}

#[test]
fn several_sources_and_the_source_left_out() {
    let dir = TempDir::new();
    for name in ["a.c", "b.c", "odd.txt"] {
        dir.write(name, "");
    }
    let project = dir.load(
        r#"[{"file":"a.c","command":"cc a.c b.c -o prog"},
            {"file":"a.c","command":"cc -DX"},
            {"file":"odd.txt","command":"cc -x c odd.txt"}]"#,
    );
    assert_eq!(displays(&project), ["a.c", "b.c", "a.c", "odd.txt"]);
}

#[test]
fn response_files_are_opened_where_the_command_runs() {
    let dir = TempDir::new();
    dir.write("sub/a.c", "");
    dir.write("sub/flags", "-DA @more");
    dir.write("sub/more", "-DB a.c");
    let project = dir.load(r#"[{"directory":"sub","file":"a.c","command":"cc @flags @gone"}]"#);
    assert_eq!(displays(&project), ["sub/a.c"]);
    assert_eq!(project.units[0].options.macros.len(), 2);
    assert!(
        project.problems[0].message.contains("sub/gone: no such file"),
        "{:?}",
        project.problems
    );
}

#[test]
fn preincludes_are_found_near_the_command_or_left_to_the_search() {
    let dir = TempDir::new();
    dir.write("a.c", "");
    dir.write("near.h", "");
    let project = dir.load(r#"[{"file":"a.c","command":"cc -include near.h -include far.h a.c"}]"#);
    let paths: Vec<_> =
        project.units[0].options.preincludes.iter().map(|p| p.path.clone()).collect();
    assert_eq!(paths, [dir.join("near.h"), PathBuf::from("far.h")]);
}

#[test]
fn unknown_flags_are_noted_once() {
    let dir = TempDir::new();
    dir.write("a.c", "");
    dir.write("b.c", "");
    let project = dir.load(
        r#"[{"file":"a.c","command":"cc -fwhatever -fwhatever=2 a.c"},
            {"file":"b.c","command":"cc -fwhatever -Wall -fno-plt b.c"}]"#,
    );
    let notes: Vec<_> = project.notes.iter().filter(|note| note.contains("flag")).collect();
    assert_eq!(notes, ["flag -fwhatever is not known to caulk and was ignored (2 units)"]);
}

#[test]
fn no_database_and_wrong_json() {
    let dir = TempDir::new();
    let options = dir.options_without_compiler();
    let problem = from_database(dir.path(), &options).unwrap_err();
    assert!(problem.message.contains("caulk record -- make"), "{problem}");
    dir.write("compile_commands.json", "[\n {\"file\": oops}]");
    let problem = from_database(Path::new("compile_commands.json"), &options).unwrap_err();
    assert!(problem.to_string().starts_with("compile_commands.json:2:11: "), "{problem}");
}

#[test]
fn file_names_need_not_be_utf8() {
    let dir = TempDir::new();
    let name = OsStr::from_bytes(b"caf\xe9.c");
    std::fs::write(dir.path().join(name), "").unwrap();
    let project = dir.load(b"[{\"file\":\"caf\xe9.c\",\"command\":\"cc caf\xe9.c\"}]");
    assert_eq!(project.units[0].display, Path::new(name));
}

#[test]
fn a_folder_is_no_source() {
    let dir = TempDir::new();
    dir.write("x.c/inner", "");
    let project = dir.load(r#"[{"file":"x.c","command":"cc x.c"}]"#);
    assert!(project.problems[0].message.contains("is a directory"), "{:?}", project.problems);
}
