//! A command that does not end is ended with all its descendants, wherever they hide.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs a shell script below the measuring helper; returns the helper's figures.
fn run(folder: &Path, limits: &str, script: &str) -> serde_json::Value {
    let result = folder.join("figures.json");
    let mut helper = Command::new(env!("CARGO_BIN_EXE_xtask"));
    helper.arg("measure-child").arg(&result).args([limits, "sh", "-c", script]);
    helper.current_dir(folder).status().unwrap();
    serde_json::from_str(&std::fs::read_to_string(&result).unwrap()).unwrap()
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("caulk-limits-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Starts a process in a session of its own, for which nobody waits.
const HIDE: &str =
    "(setsid sh -c 'echo $$ >pid; exec sleep 60' &); while ! [ -s pid ]; do :; done;";

fn assert_hidden_is_gone(folder: &Path) {
    let hidden = std::fs::read_to_string(folder.join("pid")).unwrap();
    assert!(!Path::new("/proc").join(hidden.trim()).exists(), "{hidden} lives on");
}

#[test]
fn a_tree_that_works_ends_at_the_limit() {
    let folder = folder("work");
    let usage = run(&folder, "1000:0", &format!("{HIDE} while :; do :; done"));
    assert_eq!(usage["timed_out"], true, "{usage}");
    assert!(
        usage["user"]["secs"].as_u64().unwrap() + usage["system"]["secs"].as_u64().unwrap() < 3
    );
    assert_hidden_is_gone(&folder);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_tree_that_waits_ends_as_well() {
    let folder = folder("wait");
    let start = Instant::now();
    let usage = run(&folder, "400:0", &format!("{HIDE} sleep 60"));
    assert_eq!(usage["timed_out"], true, "{usage}");
    assert!(start.elapsed() < Duration::from_secs(50));
    assert_hidden_is_gone(&folder);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn within_the_limit_nothing_changes() {
    let folder = folder("within");
    let usage = run(&folder, "60000:0", "exit 3");
    assert_eq!((&usage["timed_out"], &usage["exit_code"]), (&false.into(), &3.into()));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn memory_is_limited() {
    let folder = folder("memory");
    let script = "dd if=/dev/zero of=out bs=512M count=1 2>/dev/null";
    assert_ne!(run(&folder, "60000:268435456", script)["exit_code"], 0);
    std::fs::remove_dir_all(folder).unwrap();
}
