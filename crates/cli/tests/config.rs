//! `caulk.toml` and the options over it.

mod common;

use common::{Folder, GOOD};

#[test]
fn init_writes_a_configuration_once() {
    let folder = Folder::new("init").file("good.c", GOOD);
    folder.run(&["init"]).exits(0).complains("caulk.toml written");
    folder.run(&["check", "good.c"]).exits(0);
    let folder = folder.file("caulk.toml", "# mine\n");
    folder.run(&["init"]).exits(2).complains("--force");
    assert_eq!(std::fs::read_to_string(folder.0.join("caulk.toml")).unwrap(), "# mine\n");
    folder.run(&["init", "--force"]).exits(0);
    assert!(std::fs::metadata(folder.0.join("caulk.toml")).unwrap().len() > 500);
}

#[test]
fn mistakes_are_told_before_anything_is_done() {
    let folder = Folder::new("config_mistakes").file("good.c", GOOD);
    let check = |text: &str, message: &str| {
        std::fs::write(folder.0.join("caulk.toml"), text).unwrap();
        let ran = folder.run(&["check", "good.c"]).exits(2).complains(message);
        assert_eq!(ran.out, "");
        folder.run(&["check", "--no-config", "good.c"]).exits(0);
    };
    check("\nmodel = []", "caulk.toml:2:1: unknown key `model`; did you mean `models`?");
    check("colours = true", "caulk.toml:1:1: unknown key `colours`; expected one of models");
    check("models = [", "caulk.toml:1:");
    check(
        "engine = \"magic\"",
        "caulk.toml:1:10: expected one of fastcheck, saber, smoke, sparrow, staged, symbolic",
    );
    check("machines = [\"gone.toml\"]", "caulk.toml:1:13: expected a file: ");
    check("\nmodels = [\"gone.toml\"]", "gone.toml: no such file");
    folder.run(&["check", "--config", "gone", "good.c"]).exits(2).complains("gone: no such file");
    folder.run(&["check", "--config", "a", "--no-config", "good.c"]).exits(2);
}

#[test]
fn the_configuration_is_found_above_within_the_repository() {
    let folder =
        Folder::new("config_above").file("caulk.toml", "wrong = 1").file("a/b/good.c", GOOD);
    let inside = |code| {
        let mut command = folder.command(&["check", "good.c"]);
        let output = command.current_dir(folder.0.join("a/b")).output().unwrap();
        common::Ran::of(output).exits(code)
    };
    std::fs::create_dir_all(folder.0.join(".git")).unwrap();
    inside(2).complains("caulk.toml:1:1: unknown key `wrong`");
    // The root of an inner repository ends the search.
    std::fs::create_dir_all(folder.0.join("a/.git")).unwrap();
    inside(0);
}

#[test]
fn choices_are_checked() {
    let folder = Folder::new("choices").file("good.c", GOOD);
    let args = ["check", "good.c", "--fail-on", "never", "--show", "low", "--show", "leak/at-exit"];
    folder.run(&args).exits(0);
    folder.run(&["check", "good.c", "--fail-on", "some"]).exits(2).complains("never");
    folder.run(&["check", "good.c", "--show", "some"]).exits(2).complains("leak/at-exit");
    folder.run(&["check", "good.c", "--engine", "magic"]).exits(2).complains("saber");
    folder.run(&["check", "good.c", "--memory-limit", "500"]).exits(0);
}

#[test]
fn changes_since_a_revision() {
    let folder = Folder::new("changed_since").file("good.c", GOOD);
    let changed = |revision: &str| folder.run(&["check", "good.c", "--changed-since", revision]);
    // The tests' own folder may be in a repository.
    let git = |words: &[&str]| folder.git(words);
    if !git(&["init", "-q"]) {
        eprintln!("skipped: there is no git");
        return;
    }
    // Before the first commit everything is new.
    changed("HEAD").exits(0);
    assert!(git(&["add", "good.c"]) && git(&["commit", "-qm", "first"]));
    changed("HEAD").exits(0);
    changed("no-such-branch").exits(2).complains("no-such-branch");
    changed("--output=x").exits(2);
    assert!(!folder.0.join("x").exists());
}

/// A pool that hands out parts of one block: by its bodies, nothing is ever made or released.
const POOL: &str = "\
static char room[64 * 16];
static unsigned taken;
void *pool_get(void) { return taken < 16 ? room + 64 * taken++ : 0; }
void pool_put(void *part) { if (part == room + 64 * (taken - 1)) taken--; }
int f(int n)
{
    char *part = pool_get();
    if (!part)
        return -1;
    if (n)
        return 1;
    pool_put(part);
    return 0;
}
";

/// What the user says of the program's own functions counts, and not their bodies.
#[test]
fn families_of_the_program_can_be_told() {
    let family = "[resources]\npart = [\"pool_put\"]\n[functions]\n\
        pool_get = { allocates = \"part\" }\npool_put = { frees = 1 }\n";
    let folder = Folder::new("config_family").file("pool.c", POOL).file("family.toml", family);
    folder.run(&["check", "pool.c"]).exits(0);
    let folder = folder.file("caulk.toml", "models = [\"family.toml\"]\n");
    for engine in ["staged", "smoke"] {
        let ran = folder.run(&["check", "pool.c", "--engine", engine]);
        ran.exits(1).says("pool.c:7:18").says("leak/some-path");
    }
    let ran = folder.run(&["check", "pool.c", "--engine", "saber", "--switch", "resources"]);
    ran.exits(1).says("leak/some-path");
}

const CORRELATED: &str = "\
#include <stdlib.h>
static char *kept;
int f(int c)
{
    char *p = malloc(8);
    kept = malloc(8);
    if (c)
        free(p);
    if (!c)
        free(p);
    return 0;
}
";

/// The value-flow engines are as their papers have them, unless switches say otherwise.
#[test]
fn switches_change_the_value_flow_engines() {
    let folder = Folder::new("config_switches").file("a.c", CORRELATED);
    let check =
        |args: &[&str]| folder.run(&[&["check", "a.c", "--engine", "saber"], args].concat());
    check(&["--show", "low"]).exits(1).says("a.c:5:15").says("with the switch `improved`");
    check(&["--show", "low", "--switch", "improved"]).exits(0);
    check(&["--show", "never-freed/not-local"]).exits(1).says("a.c:6:12").says("may live on");
    check(&["--switch", "loop=2"]).exits(2).complains("expected one of improved, loops");
    check(&["--switch", "loops=x"]).exits(2).complains("a number from 1 to 8");
    let folder = folder.file("caulk.toml", "switches = [\"improved\"]\nshow = [\"low\"]\n");
    folder.run(&["check", "a.c", "--engine", "saber"]).exits(0);
    folder.run(&["check", "a.c", "--verbose"]).says("does not use switches");
}
