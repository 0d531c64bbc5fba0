//! Holders and use-flow graphs, case by case: `suites/holders/*.md` and `suites/uses/*.md`.
//! `CAULK_BLESS=1` writes the snapshots anew.

mod facts;

use caulk_flow::{Format, Shown, Sources, print_holders, print_uses};
use caulk_pointer::printed;
use caulk_testkit::suite::{Case, check};
use facts::Facts;

#[test]
fn every_case_is_held_as_its_snapshot_says() {
    check("holders", 18, |case, fence| {
        Facts::new(case.modules()).with(|flow, names| {
            let shown = shown(case, fence);
            printed(|out| print_holders(flow, names, &Sources::new(flow), shown, out))
        })
    });
}

#[test]
fn every_case_is_used_as_its_snapshot_says() {
    check("uses", 15, |case, fence| {
        Facts::new(case.modules()).with(|flow, names| {
            let shown = shown(case, fence);
            printed(|out| print_uses(flow, names, &Sources::new(flow), shown, out))
        })
    });
}

fn shown(case: &Case, fence: &str) -> Shown<'static> {
    let format = match fence {
        "holders" | "uses" => Format::Text,
        "dot" => Format::Dot,
        "json" => Format::Json,
        _ => panic!("{}: nothing is called {fence}", case.title),
    };
    Shown { function: None, format }
}
