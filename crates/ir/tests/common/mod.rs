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

/// A small generator of numbers, so that every failure can be repeated.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 32) % limit.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, rows: &'a [T]) -> &'a T {
        &rows[self.below(rows.len())]
    }
}
