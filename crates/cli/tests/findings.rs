//! What `caulk check` finds, and how people live with it: choices, baselines, `caulk why`.

mod common;

use common::{Folder, GOOD, LEAK, Ran};

const OTHER: &str = "\
#include <stdlib.h>
int other(int n)
{
    char *q = malloc(9);
    if (n > 4)
        return -1;
    free(q);
    return 0;
}
";

#[test]
fn a_leak_is_found_and_decides_the_exit_code() {
    let folder = Folder::new("leak").file("a.c", LEAK).file("good.c", GOOD);
    let check = |more: &[&str]| folder.run(&[&["check", "a.c", "good.c"], more].concat());
    let ran = check(&[]).exits(1).says("a.c:4:15: ").says("[leak/some-path] (high)");
    ran.says("free(p);").says("1 finding: 1 high (1 leak/some-path)");
    check(&["--fail-on", "high"]).exits(1);
    check(&["--fail-on", "never"]).exits(0).says("1 finding");
    check(&["--engine", "smoke"]).exits(1);
    check(&["--quiet"]).exits(1).says("leak/some-path");
    // The table of functions needs no engine.
    let ran = check(&["--coverage"]).exits(0);
    assert!(!ran.out.contains("leak"), "{}", ran.out);
    check(&["--coverage", "--format", "gcc"]).exits(1).says("a.c:4:15: warning: ");
}

#[test]
fn every_engine_finds_the_leak_under_its_name() {
    let folder = Folder::new("engines").file("a.c", LEAK);
    for engine in ["staged", "smoke", "saber", "fastcheck", "sparrow", "symbolic"] {
        let ran = folder.run(&["check", "a.c", "--engine", engine, "--verbose"]).exits(1);
        ran.says("a.c:4:15").says(&format!("found by {engine}"));
        folder.run(&["stats", "a.c", "--engine", engine]).exits(0);
    }
    folder.run(&["check", "a.c", "--engine", "other"]).exits(2);
}

#[test]
fn what_is_off_is_counted_and_can_be_shown() {
    let text = "#include <stdlib.h>\nint main(void)\n{\n    char *p = malloc(8);\n    \
        return p ? p[0] = 0, 0 : 1;\n}\n";
    let folder = Folder::new("at_exit").file("a.c", text);
    let ran = folder.run(&["check", "a.c"]).exits(0).says("0 findings");
    ran.says("hidden: 1 at exit only (--show leak/at-exit)");
    folder.run(&["check", "a.c", "--show", "leak/at-exit"]).exits(1).says("[leak/at-exit]");
    folder.run(&["check", "a.c", "--show", "all"]).exits(1).says("[leak/at-exit]");
}

#[test]
fn excluded_files_are_analysed_and_not_shown() {
    let folder = Folder::new("excluded").file("lib/a.c", LEAK).file("b.c", OTHER);
    let folder = folder.file("caulk.toml", "exclude = [\"lib/\"]\n");
    let ran = folder.run(&["check", "-v", "lib/a.c", "b.c"]).exits(1).says("b.c:4:15: ");
    let ran = ran.says("hidden: 1 in excluded files (exclude in caulk.toml)");
    assert!(!ran.out.contains("lib/a.c:4"), "{}", ran.out);
    folder.run(&["check", "lib/a.c"]).exits(0).says("0 findings");
    folder.run(&["baseline", "lib/a.c", "b.c"]).exits(0).complains("findings in it: 1");
    let ran = folder.run(&["why", "lib/a.c:4", "lib/a.c"]).exits(0).says("[leak/some-path]");
    ran.says("does not show it: its file is excluded");
}

#[test]
fn models_of_the_user_make_findings() {
    let text = "void *take_one(void);\nvoid put_one(void *);\nint f(int n)\n{\n    \
        void *p = take_one();\n    if (n)\n        return -1;\n    put_one(p);\n    return 0;\n}\n";
    let models = "[functions.take_one]\nallocates = \"memory\"\n\n[functions.put_one]\nfrees = 1\n";
    let folder = Folder::new("check_models").file("a.c", text).file("m.toml", models);
    folder.run(&["check", "a.c"]).exits(0).says("0 findings");
    folder.run(&["check", "a.c", "--models", "m.toml"]).exits(1).says("a.c:5:15: ");
    std::fs::write(folder.0.join("caulk.toml"), "models = [\"m.toml\"]").unwrap();
    folder.run(&["check", "a.c"]).exits(1).says("a.c:5:15: ");
    folder.run(&["check", "a.c", "--models", "gone"]).exits(2).complains("gone: no such file");
}

#[test]
fn a_baseline_hides_what_was_there() {
    let folder = Folder::new("baseline_written").file("a.c", LEAK).file("good.c", GOOD);
    let ran = folder.run(&["baseline", "a.c", "good.c"]).exits(0);
    assert_eq!(ran.complains("caulk.baseline written; findings in it: 1").out, "");
    let new = |files: &[&str]| {
        let options = ["--baseline", "caulk.baseline", "--new-only"];
        folder.run(&[&["check"][..], files, &options].concat())
    };
    new(&["a.c"]).exits(0).says("hidden: 1 in the baseline (leave out --new-only)");
    // Lines above change nothing.
    std::fs::write(folder.0.join("a.c"), format!("\n\n{LEAK}")).unwrap();
    std::fs::write(folder.0.join("b.c"), OTHER).unwrap();
    let ran = new(&["a.c", "b.c"]).exits(1).says("b.c:4:15: ").says("1 finding: ");
    assert!(!ran.out.contains("a.c:6"), "{}", ran.out);
    new(&["good.c"]).exits(0).says("1 entry of the baseline matches nothing any more");
    folder.run(&["check", "a.c", "--baseline", "caulk.baseline"]).exits(1);
    let ran = folder.run(&["baseline", "a.c", "-o", "/dev/stdout", "-q"]).exits(0);
    assert_eq!(ran.says("leak/some-path leak a.c").err, "");
    folder.run(&["baseline", "a.c", "-o", "no/folder"]).exits(2).complains("no/folder");
    folder.run(&["baseline", "a.c", "gone.c"]).exits(3).complains("gone.c: no such file");
}

/// A list of nothing would make every finding new.
#[test]
fn a_run_that_ends_early_leaves_the_baseline() {
    let folder = Folder::new("baseline_early").file("a.c", LEAK).file("caulk.baseline", "mine");
    let args = ["baseline", "a.c", "--no-cache", "--time-limit", "0"];
    folder.run(&args).exits(3).complains("caulk.baseline is not written");
    assert_eq!(std::fs::read_to_string(folder.0.join("caulk.baseline")).unwrap(), "mine");
}

#[test]
fn only_what_changes_touch() {
    let folder = Folder::new("changed_findings").file("a.c", LEAK).file("b.c", OTHER);
    let git = |words: &[&str]| folder.git(words);
    if !git(&["init", "-q"]) {
        eprintln!("skipped: there is no git");
        return;
    }
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "first"]));
    let check = || folder.run(&["check", "a.c", "b.c", "--changed-since", "HEAD"]);
    check().exits(0).says("hidden: 2 touched by no change (leave out --changed-since)");
    std::fs::write(folder.0.join("b.c"), OTHER.replace("n > 4", "n > 5")).unwrap();
    check().exits(1).says("b.c:4:15: ").says("hidden: 1 touched by no change");
    // A comment that is of use is not told to be of none because of what is shown.
    let allowed = LEAK.replace("malloc(8);", "malloc(8); // caulk: allow(leak) meant");
    std::fs::write(folder.0.join("a.c"), allowed).unwrap();
    assert!(git(&["commit", "-qam", "second"]));
    let ran = check().exits(0).says("1 suppressed by comments").says("1 touched by no change");
    assert!(!ran.out.contains("is not used"), "{}", ran.out);
    // A new file is in no database yet, and nobody should think that it was checked.
    let folder = folder.database(&["a.c", "b.c"]).file("new.c", LEAK);
    let ran = folder.run(&["check", "--changed-since", "HEAD"]).exits(0);
    ran.complains("a changed file is not in the compile database, so not checked: new.c;");
}

/// As many as got there, however often the search came by.
#[test]
fn unknown_functions_are_told_by_the_objects_that_ended_there() {
    let text = "#include <stdlib.h>
void takes(char *p, int n);
void rounds(int n);
void f(int n)
{
    char *p = malloc(8), *q = malloc(9);
    rounds(n);
    if (n > 3)
        rounds(n);
    takes(p, n);
    takes(q, n);
}
";
    let folder = Folder::new("unknown_functions").file("a.c", text);
    let ran = folder.run(&["check", "a.c"]).exits(0).says("  takes = { }  # 2 objects\n");
    assert!(!ran.out.contains("rounds"), "{}", ran.out);
}

/// Decisions, releases and the loss stand as they happen, and what comes after a loss does not count.
#[test]
fn steps_are_told_in_their_order() {
    let text = "#include <stdlib.h>
int lost(int n, int m)
{
    char *p = malloc(8);
    if (n > 3)
        p = malloc(9);
    if (m > 2)
        m = n;
    free(p);
    return m;
}
void twice(int n, int m)
{
    char *p = malloc(8);
    if (n > 3)
        free(p);
    if (m > 2)
        free(p);
}
";
    let folder = Folder::new("step_order").file("a.c", text);
    let ran = folder.run(&["check", "a.c", "--format", "gcc"]).exits(1);
    let out = &ran.out;
    let lines_of = |kind: &str| -> Vec<&str> {
        let lines = out.lines().skip_while(|line| !line.contains(kind)).skip(1);
        let notes = lines.take_while(|line| line.contains(": note: ("));
        notes.map(|line| line.split(':').nth(1).unwrap_or_default()).collect()
    };
    assert_eq!(lines_of("leak/overwritten"), ["4", "5", "6"], "{out}");
    assert_eq!(lines_of("double-free"), ["14", "15", "16", "17", "18"], "{out}");
    ran.says("a.c:6:9: note: the release is missing before this: free(p);");
}

fn why(folder: &Folder, words: &[&str]) -> Ran {
    folder.run(&[&["why"], words].concat())
}

#[test]
fn why_tells_what_became_of_an_allocation() {
    let make = "#include <stdlib.h>\nchar *make(void)\n{\n    return malloc(3);\n}\n\
        void use(void)\n{\n    char *p = make();\n    free(p);\n}\n";
    let folder = Folder::new("why").file("a.c", LEAK).file("make.c", make);
    let ran = why(&folder, &["a.c:4"]).exits(0);
    let ran = ran.says("a.c:4:15: call of malloc in leak: reported\n").says("[leak/some-path]");
    assert!(!ran.out.contains("does not show it"), "{}", ran.out);
    why(&folder, &["a.c:4:15", "a.c", "make.c"]).exits(0).says("[leak/some-path]");
    let ran = why(&folder, &["make.c:8"]).exits(0);
    let ran = ran.says("make.c:8:15: call of make in use: safe\n").says("held by `p`\n");
    ran.says("  decided by the search of paths (smoke): ").says("released by `free` in line 9\n");
    let ran = why(&folder, &["make.c:6"]).exits(0);
    let ran = ran.says("make.c:6: no allocation on this line; the nearest are\n");
    ran.says("make.c:4:12: call of malloc in make: ").says("make.c:8:15: call of make in use");
    why(&folder, &["make.c:6", "a.c"]).exits(0).says("make.c: no allocation in this file");
    why(&folder, &["make.c"]).exits(2).complains("as in src/list.c:12");
    why(&folder, &["gone.c:3"]).exits(3);
    let text = LEAK.replace("malloc(8);", "malloc(8); // caulk: allow(leak) meant");
    let folder = folder.file("a.c", text).database(&["a.c"]);
    let ran = why(&folder, &["a.c:4"]).exits(0).says("[leak/some-path]");
    ran.says("`caulk check` does not show it: a.c:4:1 allows it: meant");
}

/// Which releases are reached, and on which condition; where it goes before.
#[test]
fn why_tells_ways_and_their_conditions() {
    let text = "#include <stdlib.h>\n#include <string.h>\nstruct s { char *name; };\n\
        int f(struct s *s, const char *from, int keep)\n{\n    char *p = malloc(9);\n\
        \x20   if (!p)\n        return -1;\n    strncpy(p, from, 9);\n    if (!keep) {\n\
        \x20       free(p);\n        return 0;\n    }\n    s->name = p;\n    return 1;\n}\n";
    let folder = Folder::new("why_conditions").file("a.c", text);
    let ran = why(&folder, &["a.c:6"]).exits(0).says("call of malloc in f: safe\n");
    let ran = ran.says("held by `p`").says("passed to `strncpy` in line 9");
    let ran = ran.says("stored in `s->name` in line 14");
    let ran = ran.says("released by `free` in line 11, when `p != NULL` and `keep == 0`\n");
    ran.says("`p != NULL` and `keep != 0`\n");
}

#[test]
fn the_readme_shows_what_caulk_says() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let folder = Folder::new("readme");
    let mut command = folder.command(&["check", "--quiet", "examples/names.c"]);
    let ran = Ran::of(command.current_dir(&root).output().unwrap()).exits(1);
    assert!(readme.contains(&ran.out), "README.md lacks:\n{}", ran.out);
}

/// Where the value goes, which releases it reaches, where the analysis loses sight of it.
#[test]
fn why_tells_the_story_of_an_allocation() {
    let text = "\
#include <stdlib.h>
static char *kept;
void odd(char *);
char *f(int n)
{
    char *p = malloc(8);
    if (n == 1) {
        free(p);
        return NULL;
    }
    if (n == 2)
        odd(p);
    if (n == 3)
        kept = p;
    return n == 4 ? p : NULL;
}
";
    let folder = Folder::new("story").file("a.c", text);
    let ran = folder.run(&["why", "a.c:6"]).exits(0).says("released by `free` in line 8");
    let ran = ran.says("in line 12: `odd` keeps or perhaps releases it");
    ran.says("nobody has it at the return in line 15");
    let handed = "#include <stdlib.h>\nchar *g(void)\n{\n    return malloc(3);\n}\n";
    let folder = folder.file("b.c", handed);
    let ran = folder.run(&["why", "b.c:4"]).exits(0);
    ran.says("the caller or static storage has it at the return in line 4");
}

#[test]
fn why_does_not_call_safe_what_it_did_not_see_to_the_end() {
    let step = |n: u32| format!("    if (other(x + {n}))\n        x = x * 3 + other({n});\n");
    let steps: String = (0..1200).map(step).collect();
    let text = format!(
        "#include <stdlib.h>\nint other(int);\nint f(int x)\n{{\n    char *p = malloc(8);\n    \
         if (p == NULL)\n        return 1;\n{steps}    free(p);\n    return x;\n}}\n"
    );
    let folder = Folder::new("large").file("a.c", text);
    let ran = folder.run(&["why", "a.c:5"]).exits(0);
    ran.says("call of malloc in f: out of budget").says("not decided: ");
}

#[test]
fn the_call_that_fails_is_told_in_the_turn_in_which_it_does() {
    let text = "#include <stdlib.h>\nint f(int n)\n{\n    char *x = NULL;\n    for (int i = 0; i < n; i++) {\n        \
        x = realloc(x, 10 * i + 10);\n        if (x == NULL)\n            return -1;\n        \
        x[i] = 0;\n    }\n    free(x);\n    return 0;\n}\n";
    let folder = Folder::new("turns").file("a.c", text);
    let ran = folder.run(&["check", "a.c", "--format", "gcc"]).exits(1).says("second-failure");
    let notes: Vec<&str> = ran.out.lines().filter(|line| line.contains(" note: ")).collect();
    let at = |text: &str| notes.iter().position(|line| line.contains(text));
    let order = ["from `realloc`", "`x != NULL`", "`i < n`", "`realloc` fails", "lost: "].map(at);
    assert!(order.is_sorted() && order[0].is_some(), "{notes:?}");
}

#[test]
fn what_is_lost_with_an_object_is_told_with_it() {
    let text = "#include <stdlib.h>\nstruct pair {\n    struct pair *other;\n};\nint main(void)\n{\n    \
        struct pair *one = malloc(sizeof *one);\n    struct pair *two = malloc(sizeof *two);\n    \
        one->other = two;\n    two->other = one;\n    one = NULL;\n    two = NULL;\n    \
        return one == two;\n}\n";
    let folder = Folder::new("along").file("a.c", text);
    let ran = folder.run(&["check", "a.c", "--show", "all", "--format", "json"]).exits(1);
    ran.says("\"role\":\"along\"").says("lost with it: memory from `malloc`");
}

#[test]
fn what_is_lost_with_an_object_is_told_where_two_are_made_alike() {
    let suites = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/lab");
    let text = std::fs::read(suites.join("expression_tree.c")).unwrap();
    let folder = Folder::new("alike").file("a.c", String::from_utf8(text).unwrap());
    let ran = folder.run(&["check", "a.c", "--format", "gcc"]).exits(1);
    ran.says("a.c:57:30: note: (6) lost with it: memory from `term`");
}

#[test]
fn functions_of_a_library_that_are_not_run_are_told() {
    let function = |number: u32| format!("int f{number}(int n) {{ return n + {number}; }}\n");
    let text = |count: u32| (0..count).map(function).collect::<String>();
    let folder = Folder::new("many").file("a.c", text(103)).file("b.c", text(100));
    let ran = folder.run(&["check", "a.c", "--verbose"]).exits(0);
    ran.says("100 are run, and not this one and 2 others");
    let ran = folder.run(&["check", "b.c", "--verbose"]).exits(0);
    assert!(!ran.out.contains("are run"), "{}", ran.out);
}
