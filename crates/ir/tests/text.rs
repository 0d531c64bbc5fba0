//! The text form: what is printed reads back.

mod common;

use caulk_ir::{print, verify};
use common::{assert_same, parse_ok, seeds};

#[test]
fn seeds_print_as_they_are_written() {
    for (name, text) in seeds() {
        let module = parse_ok(&name, &text);
        assert_same(&name, &text, &print::module(&module));
    }
}

#[test]
fn seeds_are_correct() {
    for (name, text) in seeds() {
        let found = verify::module(&parse_ok(&name, &text));
        assert!(found.is_empty(), "{name}: {}", found[0]);
    }
}
