//! Findings that are run: `caulk check --confirm`, `caulk replay`, and what `caulk why` tells of them.

mod common;

use common::{Folder, LEAK};
use serde_json::Value;

/// The loss needs a list that ends here.
const SHAPE: &str = "\
#include <stdlib.h>
struct list { struct list *next; };
int f(struct list *list)
{
    char *p = malloc(8);
    if (!p)
        return 1;
    if (list->next)
        free(p);
    return 0;
}
";

const AT_EXIT: &str = "\
#include <stdlib.h>
int main(void)
{
    char *all = malloc(8);
    return all ? all[0] = 0, 0 : 1;
}
";

/// What one call of `feed` keeps another one loses.
const SECOND_CALL: &str = include_str!("../../../suites/lab/state_machine.c");

fn first_finding(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).expect("JSON");
    value["findings"][0].clone()
}

/// The function alone keeps the object: that does not take back what a run of `main` has shown.
#[test]
fn what_a_run_of_the_program_has_shown_stays() {
    let folder = Folder::new("second_call").file("a.c", SECOND_CALL);
    for words in [&["check", "a.c"][..], &["check", "a.c", "--confirm"]] {
        folder.run(words).exits(1).says("= confirmed: a run of `main` shows it").says("(high)");
    }
}

#[test]
fn a_confirmed_finding_has_its_inputs_in_every_format() {
    let folder = Folder::new("confirmed").file("a.c", LEAK);
    for engine in ["smoke", "saber", "fastcheck", "sparrow", "symbolic", "staged"] {
        let check = |format: &str| {
            let words = ["check", "a.c", "--confirm", "--engine", engine, "--format", format];
            folder.run(&words).exits(1)
        };
        check("text").says("= confirmed: a run of `leak` shows it").says("1 confirmed");
        check("gcc").says("a.c:4:15: note: confirmed: a run of `leak` shows it");
        let finding = first_finding(&check("json").out);
        assert_eq!(finding["replay"]["verdict"], "confirmed");
        assert_eq!(finding["replay"]["stack"][0]["function"], "leak");
        assert!(finding["replay"]["inputs"][0]["name"].is_string());
        check("sarif").says("\"verdict\":\"confirmed\"");
        check("html").says("confirmed: a run of `leak` shows it");
    }
    // Nobody asked; the default engine runs what it can all the same.
    let plain = folder.run(&["check", "a.c", "--engine", "smoke", "--format", "json"]).exits(1);
    assert_eq!(first_finding(&plain.out)["replay"], Value::Null);
    let default = folder.run(&["check", "a.c", "--format", "json"]).exits(1);
    assert_eq!(first_finding(&default.out)["replay"]["verdict"], "confirmed");
}

#[test]
fn single_findings_are_run_by_place_and_by_name() {
    let folder = Folder::new("replayed").file("a.c", LEAK).file("shape.c", SHAPE);
    folder.run(&["replay", "a.c:4"]).exits(1).says("confirmed").says("lost in `leak` (a.c:");
    folder.run(&["replay", "shape.c:5"]).exits(0).says("conditional").says("list->next = NULL");
    let json = folder.run(&["check", "a.c", "--format", "json"]);
    let finding = first_finding(&json.out);
    let name = finding["fingerprint"].as_str().expect("a name");
    folder.run(&["replay", &name[..8], "a.c"]).exits(1).says("confirmed");
    folder.run(&["replay", "ffffffffff", "a.c"]).exits(2).complains("no finding has a fingerprint");
    folder.run(&["replay", "a.c:2"]).exits(2).complains("no finding on line 2");
    folder.run(&["replay", "a.c"]).exits(2).complains("or a fingerprint");
}

#[test]
fn why_tells_what_a_run_shows() {
    let folder = Folder::new("why_replay").file("a.c", LEAK).file("exit.c", AT_EXIT);
    folder.run(&["why", "a.c:4"]).exits(0).says("confirmed: a run of `leak` shows it");
    folder.run(&["why", "exit.c:4"]).exits(0).says("confirmed: a run of `main` shows it");
}

/// No sum of two equal bits is 1: what the engine says of it is contradicted by running it.
const NO_WAY: &str = "\
#include <stdlib.h>
int f(int n)
{
    char *p = malloc(8);
    if (!p)
        return 1;
    if ((n & 1) + (n & 1) != 1)
        free(p);
    return 0;
}
";

#[test]
fn a_refuted_finding_is_of_low_confidence_and_told_by_why() {
    let folder = Folder::new("refuted").file("a.c", NO_WAY);
    for engine in ["saber", "fastcheck", "sparrow"] {
        let check = |more: &[&str]| {
            folder.run(&[&["check", "a.c", "--engine", engine, "--format", "json"], more].concat())
        };
        assert_eq!(first_finding(&check(&["--show", "low"]).out)["replay"], Value::Null);
        let finding = first_finding(&check(&["--confirm", "--show", "low"]).out);
        assert_eq!(finding["replay"]["verdict"], "refuted");
        assert_eq!(finding["confidence"], "low");
        assert_eq!(first_finding(&check(&["--confirm"]).exits(0).out), Value::Null);
        let why = folder.run(&["why", "a.c:4", "--engine", engine]).exits(0);
        why.says("low confidence: refuted by running it").says("= refuted: on every run");
        folder.run(&["replay", "a.c:4", "--engine", engine]).exits(0).says("refuted");
    }
}

/// A 32-bit target has findings like any other; only their replay is missing.
#[test]
fn a_program_that_cannot_run_is_told_of() {
    let text = LEAK.replace("#include <stdlib.h>", "void *malloc(unsigned); void free(void *);");
    let folder = Folder::new("small").file("a.c", text);
    let ran = folder.run(&["check", "a.c", "--confirm", "--", "-m32"]).exits(1);
    ran.says("not replayable: programs for i686-linux-gnu do not run").says("1 not replayable");
}

#[test]
fn a_replay_out_of_time_is_told() {
    let folder = Folder::new("late").file("a.c", LEAK);
    let ran = folder.run(&["check", "a.c", "--confirm", "--time-limit", "0"]);
    assert!(ran.out.contains("the time limit was reached"), "{}", ran.out);
}
