//! Memory, case by case: `suites/memory/*.md` holds prose, C, and snapshots by fence.
//!
//! `memory` is the whole dump, `memory NAME` that of one function, `regions NAME` SABER's coarse
//! regions of one. `CAULK_BLESS=1` writes them anew.

mod facts;

use std::fmt::Write;

use caulk_driver::{ProgramStage, Shown, WholeProgram, dump_program, printed};
use caulk_memory::{CoarseKind, CoarseRegion, Memory};
use caulk_pointer::Names;
use caulk_testkit::suite::{Case, check};

#[test]
fn every_case_is_as_its_snapshot_says() {
    check("memory", 25, produce);
}

fn produce(case: &Case, fence: &str) -> String {
    let whole = caulk_driver::WholeProgram::of(case.modules());
    let memory = |function| {
        let shown = Shown { function, ..Shown::default() };
        printed(|out| dump_program(&whole, ProgramStage::Memory, shown, out))
    };
    match fence.split_once(' ').unwrap_or((fence, "")) {
        ("memory", "") => memory(None),
        ("memory", name) => memory(Some(name)),
        ("regions", name) => coarse(&whole, name),
        _ => panic!("{}: nothing is called {fence}", case.title),
    }
}

fn coarse(whole: &WholeProgram, name: &str) -> String {
    let memory = whole.memory();
    let names = Names { input: whole.pointer_input(), points_to: &whole.points_to };
    let mut text = String::new();
    for region in memory.coarse_regions(facts::instance(whole, name)) {
        let _ = writeln!(text, "{}", show(&memory, names, &region));
    }
    text
}

fn show(memory: &Memory, names: Names, region: &CoarseRegion) -> String {
    let kind = match region.kind {
        CoarseKind::Global => "GLOBAL",
        CoarseKind::NonLocal => "nonlocal",
        CoarseKind::Local => "local",
    };
    let locations = region.regions.iter().flat_map(|&it| memory.regions().locations(it));
    let locations: Vec<String> = locations.map(|&it| names.location(it)).collect();
    format!("{kind} {{{}}}", locations.join(", "))
}
