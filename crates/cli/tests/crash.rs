//! A unit that ends the process costs itself: the work is done by a second process, which is
//! started again without it.

mod common;

use std::path::PathBuf;

use common::{Folder, GOOD, Ran};

/// A sum within the limits of nesting, which a small stack cannot take.
fn deep() -> String {
    format!("int f(int a) {{ return a{}; }}\n", "+1".repeat(16_000))
}

const SMALL_STACK: [&str; 2] = ["--stack", "1"];

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test).file("deep.c", deep()).file("good.c", GOOD);
    std::fs::create_dir(temporary(&folder)).unwrap();
    folder
}

fn temporary(folder: &Folder) -> PathBuf {
    folder.0.join("tmp")
}

/// Runs with an empty folder for temporary files, which must be empty again at the end.
#[track_caller]
fn run(folder: &Folder, args: &[&str]) -> Ran {
    let path = temporary(folder);
    let ran = Ran::of(folder.command(args).env("TMPDIR", &path).output().unwrap()).untimed();
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
    ran
}

#[test]
fn a_deep_unit_is_fine_with_the_usual_stack() {
    run(&folder("crash_not"), &["check", "deep.c", "good.c"]).exits(0).says("2 analysed");
}

#[test]
fn a_crash_costs_its_unit_only() {
    let folder = folder("crash");
    let check = |jobs: &str| {
        let args = [&["check", "deep.c", "good.c", "-j", jobs][..], &SMALL_STACK].concat();
        let ran = run(&folder, &args).exits(3);
        assert_eq!(ran.err, "");
        ran.out
    };
    let out = check("1");
    assert!(out.contains("2 units: 1 analysed, 1 not at all\n"), "{out}");
    assert!(out.contains("\n1 allocation call site, 1 free call site\n"), "{out}");
    let row = "\n  deep.c: reading this unit crashed caulk (signal 6: stack overflow); please";
    assert!(out.contains(row), "{out}");
    assert_eq!(check("2"), out);
}

#[test]
fn every_unit_that_crashes_is_found() {
    let mut folder = folder("crashes");
    for name in ["deep2.c", "deep3.c", "deep4.c", "deep5.c"] {
        folder = folder.file(name, deep());
    }
    let names = ["deep.c", "deep2.c", "deep3.c", "good.c", "deep4.c", "deep5.c"];
    let check = |jobs| run(&folder, &[&["check", "-j", jobs][..], &SMALL_STACK, &names].concat());
    let one = check("1").exits(3).says("6 units: 1 analysed, 5 not at all\n");
    assert_eq!(check("3").exits(3).out, one.out);
}

#[test]
fn a_dump_shows_the_rest() {
    let folder = folder("crash_dump");
    let args = [&["dump", "--stage", "ir", "deep.c", "good.c"][..], &SMALL_STACK].concat();
    let ran = run(&folder, &args).exits(3).says("define f0:main");
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    ran.complains("caulk: deep.c: reading this unit crashed caulk (signal 6");
}

/// One process with its own journal, two processes, and one process for want of a journal.
#[test]
fn a_usual_run_is_the_same_with_and_without_another_process() {
    let folder = folder("crash_same").file("bad.c", "int f(void) { return }\n");
    for format in ["text", "sarif"] {
        let args = ["check", "--format", format, "bad.c", "good.c"];
        let two = run(&folder, &args).exits(3);
        let journal = folder.0.join("journal");
        std::fs::write(&journal, "").unwrap();
        let one = folder.run(&[&args[..], &["--journal", "journal"]].concat()).exits(3).untimed();
        assert!(!journal.exists());
        let nowhere = folder.command(&args).env("TMPDIR", "/no/such/folder").output().unwrap();
        let nowhere = Ran::of(nowhere).exits(3).untimed();
        assert_eq!((&two.out, &two.err), (&one.out, &one.err));
        assert_eq!((&two.out, &two.err), (&nowhere.out, &nowhere.err));
    }
}

#[test]
fn exit_codes_are_passed_on() {
    let folder = folder("crash_codes");
    run(&folder, &["check", "good.c"]).exits(0);
    run(&folder, &["check", "-p", "nowhere"]).exits(2).complains("nowhere");
    run(&folder, &["check", "nosuch.c"]).exits(3);
    run(&folder, &["check", "good.c", "--journal", "nosuch"]).exits(2).complains("--journal");
}
