//! Holders and use-flow graphs, case by case: `suites/holders/*.md` and `suites/uses/*.md`.
//! `CAULK_BLESS=1` writes the snapshots anew.

mod facts;

use caulk_flow::{Format, Sources, print_holders, print_uses};
use caulk_testkit::suite::{Case, check};
use facts::Facts;

#[test]
fn every_case_is_held_as_its_snapshot_says() {
    check("holders", 18, |case, fence| {
        Facts::new(case.modules()).with(|flow, names| {
            print_holders(flow, names, &Sources::new(flow), None, format(case, fence))
        })
    });
}

#[test]
fn every_case_is_used_as_its_snapshot_says() {
    check("uses", 15, |case, fence| {
        Facts::new(case.modules()).with(|flow, names| {
            print_uses(flow, names, &Sources::new(flow), None, format(case, fence))
        })
    });
}

fn format(case: &Case, fence: &str) -> Format {
    match fence {
        "holders" | "uses" => Format::Text,
        "dot" => Format::Dot,
        "json" => Format::Json,
        _ => panic!("{}: nothing is called {fence}", case.title),
    }
}
