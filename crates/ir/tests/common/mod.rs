//! Seeds and comparisons that the tests of the text form share.

#![allow(dead_code)]

use std::path::Path;

use caulk_ir::{Module, parse, print};

/// The hand-written modules, by file name.
pub fn seeds() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir");
    let mut seeds: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of seeds")
        .map(|entry| entry.expect("a seed").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    seeds.sort();
    assert!(!seeds.is_empty());
    seeds
}

pub fn parse_ok(name: &str, text: &str) -> Module {
    parse::module(text).unwrap_or_else(|error| panic!("{name}:{error}"))
}

/// Equal, or the first line that differs.
pub fn assert_same(name: &str, left: &str, right: &str) {
    let lines = left.lines().zip(right.lines()).enumerate();
    for (index, (left, right)) in lines {
        assert_eq!(left, right, "{name}:{}", index + 1);
    }
    assert_eq!(left.len(), right.len(), "{name}");
}

/// Prints and reads back: the same text, and an equal module. The first reading settles the
/// order of names, spans and constants.
pub fn check_round_trip(name: &str, module: &Module) {
    let text = print::module(module);
    let settled = parse_ok(name, &text);
    assert_same(name, &text, &print::module(&settled));
    let again = parse_ok(name, &text);
    assert!(settled.types == again.types, "{name}: types");
    assert!(settled.objects == again.objects, "{name}: objects");
    assert!(settled.functions == again.functions, "{name}: functions");
    assert!(settled.files == again.files, "{name}: files");
    assert!(settled.spans.iter().eq(again.spans.iter()), "{name}: spans");
}
