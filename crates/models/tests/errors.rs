//! Model files with mistakes: the place, and what was expected there.

use caulk_models::{Effect, Models};

#[track_caller]
fn check(text: &str, expected: &str) {
    let error = Models::bundled().add("mine.toml", text).expect_err("the file is wrong");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn syntax() {
    check("[functions]\nf = {\n", "mine.toml:2:6: unclosed inline table, expected `}`");
    check("[functions\n", "mine.toml:1:11: unclosed table, expected `]`");
}

#[test]
fn keys() {
    check(
        "[function]\n",
        "mine.toml:1:2: unknown key `function`, expected `resources`, `functions` or `group`",
    );
    let error = Models::bundled().add("m", "[functions]\nf = { free = 1 }").unwrap_err();
    assert_eq!((error.line, error.column), (2, 7));
    assert!(error.message.starts_with("unknown key `free`, expected `frees`, "), "{error}");
    check(
        "[functions]\nf = { frees = { argument = 1, wen = \"success\" } }",
        "mine.toml:2:31: unknown key `wen`, expected `argument`, `what`, `resource` or `when`",
    );
    check("[[group]]\nfrees = 1", "mine.toml:1:1: expected a key `names` in this table");
    check(
        "[functions]\nf = { frees = { resource = \"memory\" } }",
        "mine.toml:2:15: expected a key `argument` in this table",
    );
}

#[test]
fn types() {
    check("functions = 3", "mine.toml:1:13: expected a table of functions, found 3");
    check(
        "[functions]\nf = \"frees 1\"",
        "mine.toml:2:5: expected a table that says what the function does, found \"frees 1\"",
    );
    check("[functions.f]\nnon-null = 1", "mine.toml:2:12: expected true or false, found 1");
    check("[functions.f]\nnon-negative = 1", "mine.toml:2:16: expected true or false, found 1");
    check(
        "[functions.f]\npure = \"yes\"",
        "mine.toml:2:8: expected true, false or \"reads-memory\", found \"yes\"",
    );
    check("[resources]\nx = 1", "mine.toml:2:5: expected the names of release functions, found 1");
    check(
        "[[group]]\nnames = [\"f\", 2]",
        "mine.toml:2:15: expected the name of a function, found 2",
    );
    check(
        "[functions.f]\nsuccess = \"ok\"",
        "mine.toml:2:11: expected `zero`, `zero-else-minus-one`, `non-zero`, `non-negative`, `positive`, `one`, `non-null`, \
         `null` or `not-minus-one`, found \"ok\"",
    );
}

#[test]
fn arguments() {
    const ARGUMENTS: &str = "expected the number of an argument, counted from 1, or \"2..\" for \
                             the second and all later ones";
    for (wrong, column) in
        [("0", 9), ("-1", 9), ("128", 9), ("\"0..\"", 9), ("\"1\"", 9), ("1.5", 9)]
    {
        let text = format!("[functions.f]\nkeeps = {wrong}");
        let error = Models::bundled().add("mine.toml", &text).unwrap_err().to_string();
        let expected = format!("mine.toml:2:{column}: {ARGUMENTS}, found ");
        assert!(error.starts_with(&expected), "{error}");
    }
    check(
        "[functions.f]\nretains = 0",
        "mine.toml:2:11: expected the number of an argument, counted from 1, found 0",
    );
}

#[test]
fn effects() {
    check(
        "[functions.f]\nallocates = { to = \"result 1\" }",
        "mine.toml:2:20: expected \"result\", \"*1\", \"*1[1]\", \"**1\" or \"inside 1\", \
         found \"result 1\"",
    );
    check(
        "[functions.f]\nfrees = { argument = 1, when = \"never\" }",
        "mine.toml:2:32: expected \"success\", \"failure\" or a condition like \
         { argument = 1, is = 0 }, found \"never\"",
    );
    check(
        "[functions.f]\nnever-returns = { argument = 1 }",
        "mine.toml:2:17: expected one of `is`, `is-not` and `lacks` in this condition",
    );
    check(
        "[functions.f]\nreturns = \"argument\"",
        "mine.toml:2:11: expected an argument's number, { argument = 1 }, { inside = 1 }, \
         { inside = 1, below = 3 }, { loaded = 1 }, \"library\" or \"unknown\", found \"argument\"",
    );
    check(
        "[functions.f]\ncalls = { argument = 1, with = \"all\" }",
        "mine.toml:2:32: expected an argument's number, \"into 1\", \"from 1\" or \"unknown\", \
         found \"all\"",
    );
}

#[test]
fn resources() {
    let mut models = Models::new();
    let error = models.add("m", "[functions]\nf = { allocates = \"fish\" }").unwrap_err();
    assert_eq!((error.line, error.column), (2, 19));
    assert!(error.message.starts_with("unknown resource `fish`"), "{error}");
    let both = "[resources]\na = [\"f\"]\nb = [\"f\"]\n[functions]\nf = { frees = 1 }";
    check(
        both,
        "mine.toml:5:15: f releases several resources, expected a key `resource` with `a` or `b`",
    );
}

#[test]
fn a_function_is_described_once_in_a_file() {
    check("[functions]\nf = {}\nf = {}", "mine.toml:3:1: duplicate key");
    check(
        "[functions]\nf = {}\ng = { aliases = [\"f\"] }",
        "mine.toml:3:18: `f` is described twice in this file",
    );
    check(
        "[[group]]\nnames = [\"f\"]\n\n[[group]]\nnames = [\"é\", \"f\"]",
        "mine.toml:5:15: `f` is described twice in this file",
    );
}

#[test]
fn a_file_with_a_mistake_changes_nothing() {
    let mut models = Models::bundled();
    let text = "[resources]\nfile = [\"g\"]\n[functions]\nmalloc = {}\nf = 1";
    assert!(models.add("mine.toml", text).is_err());
    assert_eq!(models, Models::bundled());
}

#[test]
fn user_files_come_before_bundled_ones() {
    let mut models = Models::bundled();
    let text = "[resources]\nhandle = [\"put\"]\n[functions]\nget = { allocates = \"handle\" }\n\
                put = { frees = 1 }\nstrdup = {}";
    models.add("mine.toml", text).unwrap();
    assert!(models.find("strdup").unwrap().effects.is_empty());
    let Effect::Allocates { resource, releases, .. } = &models.find("get").unwrap().effects[0]
    else {
        panic!("get allocates")
    };
    assert_eq!((resource.name(), releases.as_slice()), ("handle", &["put".to_string()][..]));
    let Effect::Frees { resource, .. } = &models.find("put").unwrap().effects[0] else {
        panic!("put frees")
    };
    assert_eq!(resource.name(), "handle");
}
