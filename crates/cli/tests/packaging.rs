//! What a job and a hook run: the very lines of `action.yml` and `.pre-commit-hooks.yaml`.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Folder, LEAK, Ran};

fn checkout(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(path).unwrap()
}

/// The script of the action's last step.
fn script() -> String {
    let action = checkout("action.yml");
    let (_, script) = action.rsplit_once("run: |\n").unwrap();
    let lines = script.lines().take_while(|line| line.is_empty() || line.starts_with("        "));
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

/// A folder with `bin/caulk`, as the action and a hook expect one.
fn install(folder: &Folder) -> PathBuf {
    let root = folder.0.join("installed");
    fs::create_dir_all(root.join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_caulk"), root.join("bin/caulk")).unwrap();
    root
}

/// The step, with the inputs that differ from the action's defaults; and what it hands on.
fn step(folder: &Folder, root: &Path, inputs: &[(&str, &str)]) -> (Ran, String) {
    let outputs = folder.0.join("outputs");
    fs::write(&outputs, "").unwrap();
    let defaults = [
        ("BUILD", ""),
        ("PROJECT", ""),
        ("FAIL_ON", "medium"),
        ("CHANGED_SINCE", ""),
        ("ALLOW_INCOMPLETE", "false"),
        ("ARGS", ""),
        ("SARIF", "caulk.sarif"),
    ];
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script()]);
    command.current_dir(&folder.0).env("ROOT", root).env("GITHUB_OUTPUT", &outputs);
    command.envs(defaults).envs(inputs.iter().copied());
    let ran = Ran::of(command.output().unwrap());
    (ran, fs::read_to_string(outputs).unwrap())
}

#[test]
fn the_action_builds_checks_and_hands_the_log_on() {
    let folder = Folder::new("action").file("leak.c", LEAK).file("Makefile", "all: leak.o\n");
    let folder = folder.file("broken.c", "int f(void) { return }\n");
    let root = install(&folder);
    let (ran, outputs) = step(&folder, &root, &[("BUILD", "make")]);
    ran.exits(1).says("leak.c:4:15: ");
    let log = folder.0.canonicalize().unwrap().join("caulk.sarif");
    assert_eq!(outputs, format!("sarif={}\n", log.display()));
    // A log elsewhere, by its whole path; options by their spaces.
    let other = folder.0.join("other.sarif").canonicalize().unwrap_or(folder.0.join("other.sarif"));
    let sarif = other.to_str().unwrap();
    let inputs = [("SARIF", sarif), ("FAIL_ON", "never"), ("ARGS", "--show all --quiet")];
    let (ran, outputs) = step(&folder, &root, &inputs);
    ran.exits(0);
    assert!(outputs.ends_with("/other.sarif\n") && !outputs.contains("//"), "{outputs}");
    // What cannot be analysed fails the job unless that is allowed; an old log is none of this run.
    let broken = ("ARGS", "broken.c");
    step(&folder, &root, &[broken]).0.exits(3);
    let (ran, outputs) = step(&folder, &root, &[broken, ("ALLOW_INCOMPLETE", "true")]);
    ran.exits(0).says("::warning::");
    assert!(outputs.contains("caulk.sarif"), "{outputs}");
    let (ran, outputs) = step(&folder, &root, &[("PROJECT", "nowhere")]);
    ran.exits(2);
    assert_eq!(outputs, "");
}

#[test]
fn the_hook_finds_what_a_change_touches() {
    let folder = Folder::new("hook").file("leak.c", LEAK).database(&["leak.c"]);
    let root = install(&folder);
    let git = |words: &[&str]| folder.git(words);
    if !git(&["init", "-q"]) {
        eprintln!("skipped: there is no git");
        return;
    }
    let hooks = checkout(".pre-commit-hooks.yaml");
    let entries: Vec<&str> =
        hooks.lines().filter_map(|line| line.strip_prefix("  entry: ")).collect();
    let path = format!("{}/bin:{}", root.display(), std::env::var("PATH").unwrap_or_default());
    let hook = |entry: &str| {
        let mut command = Command::new("sh");
        let command = command.args(["-c", entry]).env("PATH", &path).current_dir(&folder.0);
        Ran::of(command.output().unwrap())
    };
    assert_eq!(entries.len(), 2);
    assert!(git(&["add", "leak.c"]));
    // Before the first commit, and after it.
    hook(entries[0]).exits(1).says("leak.c:4:15: ");
    assert!(git(&["commit", "-qm", "first"]));
    hook(entries[0]).exits(0);
    hook(entries[1]).exits(1).says("leak.c:4:15: ");
}
