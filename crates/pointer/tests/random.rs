//! The fast solver against the naive one on random programs, and unification against both.
//!
//! When objects collapse, places that were copied before stay, so the two solvers may differ in
//! what such copies left behind: these programs only count for unification.
//!
//! `CAULK_FUZZ_SECONDS=600` runs for as long; without it a few seconds' worth.

mod common;
mod generate;

use std::time::{Duration, Instant};

use caulk_pointer::{Options, inclusion, naive, print, unification};

#[test]
fn fast_equals_naive_on_random_programs() {
    let limit = std::env::var("CAULK_FUZZ_SECONDS").ok().and_then(|it| it.parse().ok());
    let end = Instant::now() + Duration::from_secs(limit.unwrap_or(8));
    let (mut count, mut compared) = (0, 0);
    for seed in 1.. {
        compared += usize::from(check(seed));
        count += 1;
        if Instant::now() > end && count >= 50 {
            break;
        }
    }
    assert!(compared * 3 > count, "only {compared} of {count} programs could be compared");
}

/// Whether the solvers could be compared.
fn check(seed: u64) -> bool {
    let c = generate::program(seed);
    let facts = common::Facts::of_c(&c);
    let (input, options) = (facts.input(), Options::default());
    let fast = inclusion(input, &options);
    let escape = unification(input).missing(&fast);
    assert!(escape.is_none(), "seed {seed}: unification lacks {escape:?} in\n{c}");
    if fast.statistics().objects_collapsed > 0 {
        return false;
    }
    let (mine, oracle) = (print(input, &fast, None), print(input, &naive(input, &options), None));
    let differs = mine.lines().zip(oracle.lines()).find(|(mine, oracle)| mine != oracle);
    assert!(mine == oracle, "seed {seed}: fast and naive differ at {differs:?} in\n{c}");
    true
}
