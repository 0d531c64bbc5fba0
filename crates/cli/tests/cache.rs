//! Units that are kept between runs: the same results, from a cache of any age and state.

mod common;

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Folder, GOOD, LEAK, Ran};

fn project(test: &str) -> Folder {
    let mut folder = Folder::new(test).file("x.h", "#define SIZE 8\n");
    let mut names = vec!["bad.c".to_owned()];
    folder = folder.file("bad.c", "int f(void) { return }\n");
    folder = folder.file("leak.c", LEAK);
    names.push("leak.c".to_owned());
    for n in 0..11 {
        let name = format!("unit{n}.c");
        let more = format!("#include \"x.h\"\nstatic char a{n}[SIZE];\nchar *g{n}(void)");
        let text = GOOD.replace("main", &format!("main{n}"));
        folder = folder.file(&name, format!("{text}{more} {{ return a{n} + sizeof a{n}; }}\n"));
        names.push(name);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    folder.database(&names)
}

fn place(folder: &Folder) -> PathBuf {
    folder.0.join("cache")
}

fn command(folder: &Folder, args: &[&str]) -> Command {
    let mut command = folder.command(args);
    command.env("XDG_CACHE_HOME", place(folder));
    command
}

fn run(folder: &Folder, args: &[&str]) -> Ran {
    Ran::of(command(folder, args).output().unwrap())
}

/// The facts of the whole program, which tell any difference.
const ALL: [&str; 6] = ["dump", "--stage", "points-to", "--format", "json", "-j2"];

fn facts(folder: &Folder) -> String {
    let found = run(folder, &["check"]).exits(3).says("leak/some-path").untimed();
    run(folder, &ALL).exits(3).out + &found.out
}

fn facts_without(folder: &Folder) -> String {
    let args = [&ALL[..], &["--no-cache"]].concat();
    run(folder, &args).exits(3).out + &run(folder, &["check", "--no-cache"]).exits(3).untimed().out
}

fn entries(folder: &Folder) -> usize {
    fs::read_dir(place(folder).join("caulk/units")).map_or(0, Iterator::count)
}

#[test]
fn the_results_are_the_same() {
    let folder = project("cache_same");
    let without = facts_without(&folder);
    assert_eq!(entries(&folder), 0);
    assert_eq!(facts(&folder), without);
    assert_eq!(entries(&folder), 12);
    assert_eq!(facts(&folder), without);
    // The verdicts, and the summaries of the one unit that the default engine asks about.
    run(&folder, &["cache", "stats"]).exits(0).says("12 units, 2 results, 0 of 2048 MiB");
    // Verdicts and summaries of every unit, all by other options.
    run(&folder, &["check", "--engine", "sparrow"]).exits(3);
    run(&folder, &["cache", "stats"]).exits(0).says("12 units, 15 results, 0 of 2048 MiB");
    run(&folder, &["cache", "clear"]).exits(0);
    assert_eq!(entries(&folder), 0);
    run(&folder, &["cache", "stats"]).exits(0).says("0 units");
}

/// What an engine said is kept as well: it is asked again only if something changed that it sees.
#[test]
fn an_unchanged_program_is_not_judged_again() {
    let folder = project("cache_verdicts");
    let judged = |args: &[&str]| {
        let args = [&["check", "--verbose"], args].concat();
        let ran = run(&folder, &args).exits(3);
        let is_judged = ran.err.contains("linking");
        (is_judged, run(&folder, &args).untimed().out)
    };
    let (first, again) = (judged(&[]), judged(&[]));
    assert!(first.0 && !again.0 && first.1 == again.1, "{first:?} {again:?}");
    assert!(judged(&["--policy", "unknown-call=ignore"]).0);
    assert!(judged(&["--engine", "smoke"]).0);
    assert!(judged(&["--no-cache"]).0);
    fs::write(folder.0.join("leak.c"), format!("{LEAK}/* the end */\n")).unwrap();
    assert!(!judged(&[]).0, "the same program in the same places");
    fs::write(folder.0.join("leak.c"), format!("\n{LEAK}")).unwrap();
    assert!(judged(&[]).0, "other places");
}

/// After an edit of one function no other unit is read; the one that is wrong is read every time.
#[test]
fn only_what_was_edited_is_read_again() {
    let folder = project("cache_edit");
    let from_cache = || {
        let ran = run(&folder, &["check", "--format", "json", "-q"]).exits(3);
        let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        told["run"]["units_from_cache"].as_u64().unwrap()
    };
    assert_eq!([from_cache(), from_cache()], [0, 12]);
    fs::write(folder.0.join("leak.c"), LEAK.replace("malloc(8)", "malloc(9)")).unwrap();
    assert_eq!([from_cache(), from_cache()], [11, 12]);
}

/// A wrapper in a unit of its own, whose callers are told of it.
const WRAPPER: &str = "#include <stdlib.h>\nvoid *get(int n) { return malloc(n); }\n";
const CALLER: &str =
    "void *get(int); int use(int n) { char *p = get(n); if (!p) return 1; return p[0]; }\n";

/// What an engine says with what earlier runs kept, and without it.
fn both(folder: &Folder, engine: &str) -> (String, String) {
    let args = ["check", "--engine", engine, "--show", "low", "-j2"];
    let without = run(folder, &[&args[..], &["--no-cache"]].concat());
    (run(folder, &args).untimed().out, without.untimed().out)
}

#[test]
fn kept_summaries_change_nothing() {
    for engine in ["sparrow", "staged"] {
        let mut folder = project(&format!("cache_summaries_{engine}"))
            .file("unit0.c", WRAPPER)
            .file("unit1.c", CALLER);
        let edits = [
            ("unit2.c", "int changed;\n".to_owned()),
            ("unit0.c", format!("\n\n{WRAPPER}")),
            ("unit1.c", CALLER.replace("return p[0]", "int c = p[0]; return c")),
            ("unit0.c", WRAPPER.replace("malloc(n)", "n > 3 ? malloc(n) : 0")),
            ("unit0.c", WRAPPER.replace("malloc(n)", "0")),
            ("unit0.c", WRAPPER.to_owned()),
        ];
        let (first, without) = both(&folder, engine);
        assert!(first.contains("unit1.c:1:") && first == without, "{first}");
        for (name, text) in edits {
            folder = folder.file(name, &text);
            let (kept, without) = both(&folder, engine);
            assert_eq!(kept, without, "{engine}: {name} is {text}");
        }
    }
}

#[test]
fn summaries_of_a_run_that_was_killed_or_not_alone() {
    let folder = project("cache_summaries_killed").file("unit0.c", WRAPPER).file("unit1.c", CALLER);
    let args = ["check", "--engine", "sparrow", "--show", "low", "-j2"];
    let without = both(&folder, "sparrow").1;
    let start = || {
        let mut command = command(&folder, &args);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    for moment in 0..12 {
        let _ = fs::remove_dir_all(place(&folder).join("caulk/results"));
        let (mut one, mut other) = (start(), start());
        std::thread::sleep(Duration::from_millis(moment * 5));
        let _ = one.kill();
        one.wait().unwrap();
        other.wait().unwrap();
        assert_eq!(run(&folder, &args).untimed().out, without, "after {} ms", moment * 5);
    }
}

#[test]
fn changes_are_seen() {
    let folder = project("cache_changes");
    facts(&folder);
    let folder = folder.file("x.h", "#define SIZE 9\n");
    assert_eq!(facts(&folder), facts_without(&folder));
    // A header that comes before the one that was read.
    fs::create_dir_all(folder.0.join("first")).unwrap();
    let rows = fs::read_to_string(folder.0.join("compile_commands.json")).unwrap();
    let folder = folder.file("compile_commands.json", rows.replace("gcc -c", "gcc -Ifirst -c"));
    facts(&folder);
    let folder = folder.file("first/stdlib.h", "void *malloc(int); void free(void *);\n");
    assert_eq!(facts(&folder), facts_without(&folder));
    let folder = folder.file("unit3.c", "int changed;\n");
    assert_eq!(facts(&folder), facts_without(&folder));
}

#[test]
fn two_runs_at_once() {
    let folder = project("cache_two");
    let without = facts_without(&folder);
    let start = || {
        let mut command = command(&folder, &ALL);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for _ in 0..3 {
        let runs = [start(), start(), start()];
        for run in runs {
            let ran = Ran::of(run.wait_with_output().unwrap()).exits(3);
            assert!(without.starts_with(&ran.out));
        }
        assert_eq!(facts(&folder), without);
        fs::remove_dir_all(place(&folder).join("caulk/units")).unwrap();
    }
}

#[test]
fn a_run_that_is_killed_leaves_a_cache_that_is_right() {
    let folder = project("cache_killed");
    let without = facts_without(&folder);
    for _ in 0..20 {
        let moment = random_moment();
        let _ = fs::remove_dir_all(place(&folder).join("caulk/units"));
        let mut command = command(&folder, &["check", "-j2"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(moment);
        // The process that does the work ends with the one that watches it.
        let _ = child.kill();
        child.wait().unwrap();
        let facts = facts(&folder);
        assert_eq!(facts, without, "killed after {moment:?}");
    }
}

/// Up to the time that a run takes; another one in each run of the test.
fn random_moment() -> Duration {
    let seed = RandomState::new().build_hasher().finish();
    Duration::from_micros(seed % 140_000)
}

/// A cache that cannot be written or read is as good as none.
#[test]
fn a_cache_in_the_way() {
    let folder = project("cache_in_the_way").file("cache", "no folder");
    run(&folder, &["check"]).exits(3).says("13 units: 12 analysed");
    let mut command = folder.command(&["check"]);
    let output = command.env_remove("XDG_CACHE_HOME").env_remove("HOME").output().unwrap();
    Ran::of(output).exits(3).says("13 units: 12 analysed");
}
