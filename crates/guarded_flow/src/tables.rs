//! The tables of the papers (F14): sites by class, wrappers, double-free checks, give-ups.

use caulk_finding::Section;
use caulk_guard::Statistics;
use caulk_program::Wrappers;

use crate::class::Class;

#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub pairs: u64,
    pub doubles: u64,
    pub undecided: u64,
    pub solver: Statistics,
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.doubles += other.doubles;
        self.undecided += other.undecided;
        self.solver.add(&other.solver);
    }
}

pub(crate) fn sections(
    classes: &[&'static str],
    wrappers: &Wrappers,
    counts: &Counts,
) -> Vec<Section> {
    let of = |class: Class| classes.iter().filter(|it| **it == class.id()).count() as u64;
    let mut sites = vec![("sources", classes.len() as u64)];
    sites.extend(Class::ALL.map(|class| (class.id(), of(class))));
    vec![
        Section { title: "allocation sites", rows: sites },
        Section { title: "wrappers", rows: wrapper_rows(wrappers) },
        Section {
            title: "double frees",
            rows: vec![("pairs checked", counts.pairs), ("found", counts.doubles)],
        },
        Section {
            title: "given up",
            rows: vec![
                ("slice too large", of(Class::UnknownSlice)),
                ("formula too large", of(Class::UnknownFormula)),
                ("paths not followed to their end", counts.undecided),
            ],
        },
        Section { title: "solver", rows: solver_rows(&counts.solver) },
    ]
}

fn wrapper_rows(wrappers: &Wrappers) -> Vec<(&'static str, u64)> {
    let allocators = wrappers.iter().filter(|(_, it)| it.allocates()).count() as u64;
    let releasers = wrappers.iter().filter(|(_, it)| it.releases()).count() as u64;
    vec![("allocators", allocators), ("deallocators", releasers)]
}

fn solver_rows(solver: &Statistics) -> Vec<(&'static str, u64)> {
    vec![
        ("queries", solver.queries),
        ("satisfiable", solver.satisfiable),
        ("unsatisfiable", solver.unsatisfiable),
        ("given up", solver.gave_up),
        ("left to SAT", solver.fallbacks),
    ]
}
