//! `caulk.toml` and the options over it.

mod common;

use std::process::Command;

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
    check("machines = [\"gone.toml\"]", "gone.toml: no such file");
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
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words);
        command.current_dir(&folder.0).output().is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) {
        eprintln!("skipped: there is no git");
        return;
    }
    changed("HEAD").exits(2).complains("--changed-since HEAD: git: ");
    assert!(git(&["add", "good.c"]) && git(&["commit", "-qm", "first"]));
    changed("HEAD").exits(0);
    changed("no-such-branch").exits(2).complains("no-such-branch");
    changed("--output=x").exits(2);
    assert!(!folder.0.join("x").exists());
}
