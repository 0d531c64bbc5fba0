//! Machine files with mistakes: the place, and what was expected there.

use caulk_machines::{BUNDLED_FILES, Machines};

const GOOD: &str = "\
[machines.m]
noun = \"a thing\"
resources = [\"thing\"]
start = \"open\"
ends = [\"closed\"]
[machines.m.states]
open = { release = \"closed\", scope-end = \"lost\" }
closed = {}
[machines.m.errors]
lost = { kind = \"leak\", message = \"{noun} is lost\" }
";

#[track_caller]
fn check_text(text: &str, expected: &str) {
    let mut machines = Machines::bundled();
    let before = machines.clone();
    let problem = machines.add("mine.toml", text).expect_err("the file is wrong");
    assert_eq!(problem.to_string(), expected);
    assert_eq!(machines, before);
}

/// The good file with a piece of it replaced.
#[track_caller]
fn check(piece: &str, by: &str, expected: &str) {
    assert!(GOOD.contains(piece), "{piece}");
    check_text(&GOOD.replacen(piece, by, 1), expected);
}

#[test]
fn the_good_file_is_good() {
    assert_eq!(Machines::new().add("mine.toml", GOOD), Ok(()));
    assert_eq!(Machines::new().add("empty.toml", ""), Ok(()));
}

#[test]
fn syntax_and_keys() {
    check_text("[machines\n", "mine.toml:1:10: unclosed table, expected `]`");
    check_text("[machine.m]\n", "mine.toml:1:2: unknown key `machine`, expected `machines`");
    check_text("machines = 1", "mine.toml:1:12: expected a table of machines, found 1");
    check(
        "noun",
        "name",
        "mine.toml:2:1: unknown key `name`, expected `noun`, `resources`, `owner`, `start`, `ends`, `states` or `errors`",
    );
    check("start = \"open\"\n", "", "mine.toml:1:1: expected a key `start` in this table");
    check(
        "release =",
        "released =",
        "mine.toml:7:10: unknown key `released`, expected `acquire`, `release`, `wrong-release`, \
         `stray-release`, `use`, `overwrite`, `scope-end` or `escape`",
    );
    check("closed = {}", "closed = {}\nclosed = {}", "mine.toml:9:1: duplicate key");
}

#[test]
fn names() {
    check(
        "start = \"open\"",
        "start = \"opened\"",
        "mine.toml:4:9: unknown state `opened`, expected `closed`, `lost` or `open`",
    );
    check(
        "start = \"open\"",
        "start = \"lost\"",
        "mine.toml:4:9: `lost` is an error, expected another state",
    );
    check(
        "ends = [\"closed\"]",
        "ends = [\"lost\"]",
        "mine.toml:5:9: `lost` is an error, expected another state",
    );
    check(
        "ends = [\"closed\"]",
        "ends = []",
        "mine.toml:5:8: expected a state in which nothing is owed, found a list",
    );
    check(
        "scope-end = \"lost\"",
        "scope-end = \"gone\"",
        "mine.toml:7:42: unknown state `gone`, expected `closed`, `lost` or `open`",
    );
    check(
        "lost = {",
        "closed = {",
        "mine.toml:10:1: `closed` is a state, and cannot be an error as well",
    );
}

#[test]
fn states_that_nothing_leads_to() {
    check(
        "closed = {}",
        "closed = {}\nidle = { release = \"open\" }",
        "mine.toml:9:1: no event leads from `open` to `idle`",
    );
    check(", scope-end = \"lost\"", "", "mine.toml:10:1: no event leads from `open` to `lost`");
}

#[test]
fn errors() {
    check(
        "kind = \"leak\"",
        "kind = \"loss\"",
        "mine.toml:10:17: expected `leak`, `double-free`, `use-after-free`, \
         `mismatched-release`, `invalid-release` or `double-acquire`, found \"loss\"",
    );
    check("kind = \"leak\", ", "", "mine.toml:10:8: expected a key `kind` in this table");
    for message in ["", " is lost", "it is lost.", "it is\\nlost"] {
        let wrong = GOOD.replace("{noun} is lost", message);
        let problem = Machines::new().add("mine.toml", &wrong).unwrap_err().to_string();
        let expected = "mine.toml:10:35: expected a message of one line without a full stop, \
                        like \"{noun} is not closed\", found ";
        assert!(problem.starts_with(expected), "{problem}");
    }
    check(
        "{noun} is lost",
        "{thing} is lost",
        "mine.toml:10:35: unknown place {thing}, expected `noun` or `resource`",
    );
    check(
        "\"a thing\"",
        "\"{noun}\"",
        "mine.toml:2:8: expected a noun with its article, like \"a file\", found \"{noun}\"",
    );
}

#[test]
fn a_resource_has_one_machine_in_a_file() {
    let twice = format!("{GOOD}{}", GOOD.replace("machines.m", "machines.n"));
    check_text(&twice, "mine.toml:13:13: `m` and `n` both have the resource `thing`");
}

/// Cut and spliced files are refused or read, and never more.
#[test]
fn no_text_is_a_danger() {
    let mut seed: u64 = 0x5EED;
    let mut below = |end: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % (end as u64).max(1)).expect("small")
    };
    for _ in 0..2000 {
        let (_, one) = BUNDLED_FILES[below(BUNDLED_FILES.len())];
        let (_, two) = BUNDLED_FILES[below(BUNDLED_FILES.len())];
        let (cut, splice) = (below(one.len()), below(two.len()));
        let text = format!("{}{}", &one[..cut], &two[splice..]);
        if let Err(problem) = Machines::bundled().add("m", &text) {
            let lines = u32::try_from(text.split('\n').count()).expect("few");
            assert!((1..=lines).contains(&problem.line), "{problem}");
        }
    }
}
