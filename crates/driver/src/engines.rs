//! From the modules of all units to the verdicts of an engine. Only the facts that it asks for are
//! computed.

use caulk_finding::Verdicts;
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};

use crate::whole_program::{Measured, Meter, Stages};

/// What is to be run, by the user's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Smoke,
}

/// What an engine says, and what it cost.
pub struct Judged {
    pub verdicts: Verdicts,
    pub stages: Vec<Measured>,
}

#[must_use]
pub fn judge(units: Vec<LinkUnit>, models: &Models, engine: Engine, meter: Meter) -> Judged {
    match engine {
        Engine::Smoke => smoke(units, models, meter),
    }
}

fn smoke(units: Vec<LinkUnit>, models: &Models, meter: Meter) -> Judged {
    let mut stages = Stages { meter, rows: Vec::new() };
    let program = stages.run("linking", || link(units));
    let externals = stages.run("models", || ExternalModels::new(&program, models));
    let calls = stages.run("direct calls", || DirectCalls::new(&program));
    let entries = Entries::new(&program, &calls);
    let indirect = stages.run("function pointers", || indirect_targets(&program));
    let verdicts = stages.run("use-flow engine", || {
        let input = caulk_use_flow::Input {
            program: &program,
            externals: &externals,
            calls: &calls,
            entries: &entries,
            indirect: &indirect,
        };
        caulk_use_flow::check(input, &caulk_use_flow::Options::default())
    });
    Judged { verdicts, stages: stages.rows }
}
