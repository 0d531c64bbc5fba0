//! `cargo xtask measure` on commands whose cost is known.

use std::process::{Command, Output};

fn measure(command: &[&str]) -> (Output, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_xtask")).arg("measure").args(command).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, told)
}

/// The number after `word` in the description.
fn figure(told: &str, word: &str) -> f64 {
    let mut words = told.split_whitespace();
    words.find(|w| *w == word).unwrap();
    words.next().unwrap().parse().unwrap()
}

#[test]
fn a_sleeper_takes_wall_time_only() {
    let (output, told) = measure(&["sleep", "0.3"]);
    assert!(output.status.success());
    assert!(figure(&told, "wall") >= 0.3, "{told}");
    assert!(figure(&told, "user") < 0.2, "{told}");
}

#[test]
fn a_grandchild_counts() {
    let loop_for_a_while = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let nested = format!("sh -c '{loop_for_a_while}'; true");
    let (_, told) = measure(&["sh", "-c", &nested]);
    assert!(figure(&told, "user") >= 0.05, "{told}");
}

#[test]
fn memory_is_that_of_the_largest_process() {
    let (_, small) = measure(&["true"]);
    let (_, large) = measure(&["dd", "if=/dev/zero", "of=/dev/null", "bs=64M", "count=1"]);
    assert!(figure(&small, "peak") < 30.0, "{small}");
    assert!(figure(large.lines().last().unwrap_or_default(), "peak") > 60.0, "{large}");
}

#[test]
fn output_and_exit_code_are_the_commands() {
    let (output, _) = measure(&["sh", "-c", "echo hello; exit 7"]);
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"hello\n");
    let (output, told) = measure(&["no-such-program-here"]);
    assert_eq!(output.status.code(), Some(2), "{told}");
}
