//! The fast solver against the naive one on random programs, and unification against both.
//!
//! When objects collapse, places that were copied before stay, so the two solvers may differ in
//! what such copies left behind: these programs only count for unification.
//!
//! `CAULK_FUZZ_SECONDS=600` runs for as long; without it four thousand programs, a few seconds' worth.

mod generate;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use caulk_driver::{FactOptions, Meter, WholeProgram};
use caulk_ir::ValueId;
use caulk_models::Models;
use caulk_pointer::{
    Input, Names, Options, PointsTo, inclusion, naive, print, printed, unification,
};
use caulk_program::{InstanceId, LinkUnit};

/// Without a time to run for.
const PROGRAMS: u64 = 4000;
/// Seeds at which the solvers differed once.
const ONCE: &[u64] = &[12337];

#[test]
fn fast_equals_naive_on_random_programs() {
    let limit = std::env::var("CAULK_FUZZ_SECONDS").ok().and_then(|it| it.parse().ok());
    let end = limit.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let models = Models::bundled();
    let (mut count, mut compared) = (0, 0);
    for seed in ONCE.iter().copied().chain(1..) {
        compared += u64::from(is_compared(seed, &models));
        count += 1;
        if end.map_or(count >= PROGRAMS, |end| Instant::now() > end) {
            break;
        }
    }
    println!("{count} programs, {compared} of them compared place by place");
    assert!(compared * 3 > count, "only {compared} of {count} programs could be compared");
}

#[test]
fn wild_pointers_are_the_same_to_both_solvers() {
    let mut wild = 0;
    let models = Models::bundled();
    for seed in 1..120 {
        let c = generate::program(seed);
        let whole = whole_program(&c, &models);
        let input = whole.pointer_input();
        let options = Options { wild: 4, ..Options::default() };
        let (fast, slow) = (inclusion(input, &options), naive(input, &options));
        let (mine, oracle) = (objects_by_value(input, &fast), objects_by_value(input, &slow));
        let differs = mine.iter().zip(&oracle).find(|(mine, oracle)| mine != oracle);
        assert!(differs.is_none(), "seed {seed}: fast and naive differ at {differs:?} in\n{c}");
        wild += usize::from(!fast.wild_objects().is_empty());
    }
    assert!(wild > 30, "only {wild} programs have wild pointers");
}

/// The names of the objects that each value may point to.
fn objects_by_value(input: Input, points_to: &PointsTo) -> Vec<(String, BTreeSet<String>)> {
    let names = Names { input, points_to };
    let row = |(instance, value): (InstanceId, ValueId)| {
        let set = points_to.set(points_to.value(instance, value)).iter();
        let objects = set.map(|&loc| names.object(points_to.locations.object(loc))).collect();
        (format!("{}.{value}", names.instance(instance)), objects)
    };
    points_to.each_value().map(row).collect()
}

fn whole_program(c: &str, models: &Models) -> WholeProgram {
    let unit = LinkUnit { module: caulk_testkit::module("case.c", c), target: None };
    WholeProgram::new(vec![unit], models, &FactOptions::default(), Meter::NONE)
}

/// Whether the solvers could be compared.
fn is_compared(seed: u64, models: &Models) -> bool {
    let c = generate::program(seed);
    let whole = whole_program(&c, models);
    let (input, fast) = (whole.pointer_input(), &whole.points_to);
    let escape = unification(input).missing(fast);
    assert!(escape.is_none(), "seed {seed}: unification lacks {escape:?} in\n{c}");
    if fast.statistics().objects_collapsed > 0 {
        return false;
    }
    let text = |points_to: &PointsTo| printed(|out| print(Names { input, points_to }, None, out));
    let (mine, oracle) = (text(fast), text(&naive(input, &Options::default())));
    let differs = mine.lines().zip(oracle.lines()).find(|(mine, oracle)| mine != oracle);
    assert!(mine == oracle, "seed {seed}: fast and naive differ at {differs:?} in\n{c}");
    true
}
