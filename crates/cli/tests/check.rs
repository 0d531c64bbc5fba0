//! `caulk check`: what it says, how it ends, where it writes.

mod common;

use std::process::Stdio;

use common::{Folder, GOOD, LEAK, Ran};
use serde_json::Value;

/// Units of different sizes, one of them with errors.
fn project(test: &str) -> Folder {
    let mut folder = Folder::new(test).file("bad.c", "int f(void) { return }\n");
    let mut names = vec!["bad.c".to_owned()];
    for n in 0..9 {
        let name = format!("unit{n}.c");
        let mut text = GOOD.to_owned();
        for m in 0..n * 7 % 5 {
            text += &format!("static int f{n}_{m}(int x) {{ return x + {m}; }}\n");
            text += &format!("int g{n}_{m}(int x) {{ return f{n}_{m}(x); }}\n");
        }
        folder = folder.file(&name, text);
        names.push(name);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    folder.database(&names)
}

#[test]
fn a_good_file() {
    let folder = Folder::new("good_file").file("good.c", GOOD);
    let ran = folder.run(&["check", "good.c"]).exits(0).says("1 unit: 1 analysed\n");
    assert_eq!(ran.err, "");
    ran.says("1 function: 1 analysed").says("1 allocation call site, 1 free call site\n");
}

#[test]
fn attributes_make_sites() {
    let text = "\
void give(void *) __attribute__((ownership_takes(x, 1)));
void drop(void *);
void *take(void) __attribute__((malloc, malloc(drop, 1)));
void f(void) { give(take()); drop(take()); }
";
    let folder = Folder::new("attributes").file("a.c", text);
    let ran = folder.run(&["check", "a.c"]).exits(1);
    // What `take` gives is for `drop`, which `give` is not.
    ran.says("2 allocation call sites, 2 free call sites")
        .says("a.c:4:21: a resource is released by the wrong function [mismatched-release]")
        .says("1 finding: 1 high");
}

#[test]
fn flags_after_two_dashes() {
    let text = "#include \"x.h\"\nint f(void) { return VALUE + X; }\n";
    let folder = Folder::new("flags").file("a.c", text).file("include/x.h", "#define X 1\n");
    folder.run(&["check", "a.c", "--", "-Iinclude", "-DVALUE=3"]).exits(0);
    folder.run(&["check", "a.c"]).exits(3);
    folder.run(&["check", "-p", ".", "--", "-DX"]).exits(2).complains("leave out one of the two");
    folder.run(&["check", "--", "-DX"]).exits(2).complains("files");
}

#[test]
fn files_of_a_database() {
    let folder = project("files_of_database");
    folder.run(&["check", "-p", ".", "unit1.c"]).exits(0).says("1 unit: 1 analysed");
    folder.run(&["check", "-p", ".", "other.c"]).exits(2).complains("compiles other.c");
}

#[test]
fn the_output_is_the_same_for_every_number_of_threads() {
    let folder = project("determinism").file("unit4.c", LEAK);
    let formats = [&["--coverage"][..], &["--format", "sarif"], &["--format", "json"], &[]];
    for format in formats {
        let run = |jobs: &str| {
            folder.run(&[&["check", "-j", jobs][..], format].concat()).exits(3).untimed().out
        };
        let one = run("1");
        assert!(one.contains("bad.c"));
        assert_eq!(one.contains("leak/some-path"), !format.contains(&"--coverage"), "{one}");
        assert_eq!(one, run("2"));
        assert_eq!(one, run("7"));
    }
}

#[test]
fn coverage_adds_up() {
    let ran = project("coverage").run(&["check", "--coverage"]).exits(3);
    let number = |name: &str| -> usize {
        let line = ran.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().replace(',', "").parse().unwrap()
    };
    assert_eq!(number("defined"), number("unused") + number("lowered") + number("refused"));
    assert_eq!(number("refused"), 1);
    ran.says("Reasons for refusing").says("bad.c:1:5: function `f`: its source has an error");
}

#[test]
fn sarif_parses() {
    let folder = project("sarif").file(".git", "");
    let ran = folder.run(&["check", "--format", "sarif"]).exits(3).complains("1 function");
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(run["results"], Value::Array(Vec::new()));
    assert_eq!(run["invocations"][0]["exitCode"], 3);
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
    let place = &notification["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "bad.c");
    assert_eq!(place["region"]["startLine"], 1);
}

#[test]
fn sarif_counts_characters() {
    let folder = Folder::new("sarif_columns").file("a.c", "/* äöü */ int f(void) { return }\n");
    let ran = folder.run(&["check", "--format", "sarif", "a.c"]).exits(3);
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    let row = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(row["locations"][0]["physicalLocation"]["region"]["startColumn"], 32);
    folder.run(&["check", "a.c"]).exits(3).says("a.c:1:35: ");
}

#[test]
fn the_report_goes_to_a_file() {
    let folder = Folder::new("output").file("good.c", GOOD);
    let ran = folder.run(&["check", "good.c", "-o", "report.txt"]).exits(0).complains("0 findings");
    assert_eq!(ran.out, "");
    assert!(std::fs::read_to_string(folder.0.join("report.txt")).unwrap().contains("1 unit"));
    folder.run(&["check", "good.c", "-o", "no/folder"]).exits(2).complains("no/folder");
    folder.run(&["check", "good.c", "-o", "."]).exits(2).complains("cannot write");
    folder.run(&["check", "good.c", "-o", "/dev/full"]).exits(2).complains("/dev/full");
}

#[test]
fn several_reports_at_once() {
    // A repository of its own, wherever the tests run.
    let folder = project("several_reports").file(".git", "");
    let args = ["check", "--format", "sarif", "-o", "a.sarif", "--format", "html", "--output"];
    let ran = folder.run(&[&args[..], &["a.html", "--format", "gcc"]].concat()).exits(3);
    let gcc = ran.complains("0 findings").says("bad.c:1:22: note: not analysed: ");
    assert!(gcc.out.lines().all(|line| line.contains(": note: ")), "{}", gcc.out);
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).unwrap();
    assert!(read("a.html").starts_with("<!DOCTYPE html>"));
    let log: Value = serde_json::from_str(&read("a.sarif")).unwrap();
    let root = &log["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"];
    assert!(root.as_str().unwrap().ends_with("/several_reports/"), "{root}");
    folder.run(&["check", "--format", "json", "--format", "gcc"]).exits(2).complains("only one");
    // One that cannot be written does not cost the others.
    let args = ["check", "--format", "json", "-o", "no/a", "--format", "sarif", "-o", "b.sarif"];
    folder.run(&args).exits(2).complains("no/a");
    assert!(read("b.sarif").contains("2.1.0"));
}

#[test]
fn baselines_are_read_with_care() {
    let folder = Folder::new("baseline").file("good.c", GOOD).file("bad.txt", "\nxyz\n");
    let folder = folder.file("empty.txt", "# caulk baseline 1\n");
    let run = |more: &[&str]| folder.run(&[&["check", "good.c"], more].concat());
    run(&["--baseline", "empty.txt", "--new-only"]).exits(0);
    run(&["--baseline", "bad.txt"]).exits(2).complains("bad.txt:2: expected a fingerprint");
    run(&["--baseline", "absent.txt"]).exits(2).complains("absent.txt");
    run(&["--new-only"]).exits(2).complains("--baseline");
}

#[test]
fn suppressions_that_do_nothing_are_told() {
    let text = format!("// caulk: allow(all) old\n{GOOD}// caulk: allow(leek) x\n");
    let folder = Folder::new("suppressions").file("good.c", text);
    let ran = folder.run(&["check", "good.c"]).exits(0);
    ran.says("good.c:1:1: warning: this suppression is not used").says("unknown kind `leek`");
}

#[test]
fn the_stub_of_models_is_a_model_file() {
    let stub = caulk_report::model_stub(&[("mystery".into(), 3), ("odd name".into(), 1)]);
    let folder = Folder::new("model_stub").file("good.c", GOOD).file("stub.toml", stub);
    folder.run(&["stats", "good.c", "--models", "stub.toml"]).exits(0);
}

#[test]
fn standard_output_may_be_closed_or_full() {
    let folder = Folder::new("broken_pipe").file("good.c", GOOD);
    let mut child = folder.command(&["check", "good.c"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::of(child.wait_with_output().unwrap()).exits(0);
    assert_eq!(ran.err, "");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(&["check", "good.c"]).stdout(full).output().unwrap();
    Ran::of(output).exits(2).complains("standard output");
}

#[test]
fn quiet_and_verbose() {
    let folder = project("quiet");
    let ran = folder.run(&["check", "--quiet"]).exits(3).complains("not analysed");
    assert_eq!(ran.out, "");
    folder.run(&["check", "--verbose"]).exits(3).complains("lowering").says("10 units");
    folder.run(&["check", "-q", "-v"]).exits(2);
}

#[test]
fn colours_only_if_wanted() {
    let folder = project("colours");
    assert!(!folder.run(&["check"]).out.contains('\x1b'));
    let output = folder.command(&["check"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(Ran::of(output).out.contains("\x1b["));
}

#[test]
fn unknown_flags_are_a_note() {
    let folder = Folder::new("notes").file("good.c", GOOD);
    let args = ["check", "good.c", "--", "-fbrand-new-flag"];
    folder.run(&args).exits(0).says("1 note; --verbose shows them");
    let args = ["check", "-v", "good.c", "--", "-fbrand-new-flag"];
    folder.run(&args).exits(0).says("note: flag -fbrand-new-flag");
}

#[test]
fn help_teaches() {
    let folder = Folder::new("help");
    let ran = folder.run(&["check", "--help"]).exits(0);
    ran.says("compile_commands.json")
        .says("caulk check a.c b.c -- -Iinclude")
        .says("Exit codes")
        .says("130  interrupted")
        .says("meson setup")
        .says("released twice")
        .says("leaks");
    folder.run(&["--help"]).exits(0).says("check").says("dump").says("Exit codes");
    folder.run(&["dump", "--help"]).exits(0).says("--stage").says("dot -Tsvg");
    folder.run(&[]).exits(2);
    folder.run(&["check", "--nonsense"]).exits(2).complains("--nonsense");
    folder.run(&["check", "-j", "0"]).exits(2).complains("-j");
    folder.run(&["--version"]).exits(0).says("caulk ");
}

/// The run would take seconds; what is known by then is reported.
#[test]
fn a_signal_ends_the_run_with_a_report() {
    ["-INT", "-TERM"].into_iter().for_each(signalled);
}

fn signalled(signal: &str) {
    let cases: String = (0..200_000).map(|n| format!("case {n}: a++;")).collect();
    let text = format!("int f(int a) {{ switch (a) {{ {cases} }} return a; }}\n");
    let folder = Folder::new(&format!("interrupt{signal}")).file("slow.c", text);
    let mut command = folder.command(&["check", "slow.c"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let ran = Ran::of(child.wait_with_output().unwrap()).exits(130);
    ran.says("1 unit: 0 analysed, 1 not reached").says("Stopped before all units were analysed");
}

#[test]
fn completions_and_manual() {
    let folder = Folder::new("completions");
    for (shell, text) in [("bash", "complete -F"), ("zsh", "#compdef caulk"), ("fish", "complete")]
    {
        folder.run(&["completions", shell]).exits(0).says(text).says("changed-since");
    }
    folder.run(&["completions", "nosuch"]).exits(2).complains("bash");
    folder.run(&["manual"]).exits(0).says(".TH caulk 1").says("caulk\\-record(1)");
    folder.run(&["manual", "check"]).exits(0).says(".TH caulk-check 1").says("Exit codes");
    folder.run(&["manual", "nosuch"]).exits(2).complains("nosuch");
}

/// Each test doubles the paths, and which of them lose the memory is only seen at their end.
#[test]
fn searches_that_end_early_are_told_and_are_no_failure() {
    let mut text = "void *malloc(unsigned long);\nvoid free(void *);\nint test(int);\n\
        void f(void)\n{\n    char *p = malloc(8);\n    int n = 0;\n    if (!p)\n        return;\n"
        .to_owned();
    for number in 0..14 {
        text += &format!("    if (test({number}))\n        n++;\n");
    }
    text += "    if (n >= 0)\n        free(p);\n}\n";
    let folder = Folder::new("cut_short").file("a.c", text);
    let ran = folder.run(&["check", "a.c"]);
    let ran = ran.says("Not analysed: 1 search cut short\n");
    assert!(!ran.out.contains("followed in part only"), "{}", ran.out);
    let ran = folder.run(&["check", "a.c", "--verbose"]).exits(0);
    ran.says("a.c:6:15: function `f`: what `malloc` makes is followed in part only: ");
    let ran = folder.run(&["check", "a.c", "--format", "json"]).exits(0);
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(value["incomplete"][0]["what"], "search");
}
