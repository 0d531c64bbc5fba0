//! The engines by the names that users know, and the way from the modules of all units to the
//! verdicts of one. Only the facts that it asks for are computed.

use caulk_finding::Verdicts;
use caulk_guarded_flow::Configuration;
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};

use crate::whole_program::{FactOptions, Measured, Meter, Stages, WholeProgram};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    Fastcheck,
    Saber,
    #[default]
    Smoke,
}

/// What an engine says, and what it cost.
pub struct Judged {
    pub verdicts: Verdicts,
    pub stages: Vec<Measured>,
}

/// From the units to the verdicts.
pub type Judge = fn(Vec<LinkUnit>, &Models, Meter) -> Judged;

/// The policies that a user can choose, with their values; the first is what engines do without.
pub const POLICIES: &[(&str, &[&str])] =
    &[("may-free", &["frees", "keeps"]), ("unknown-external", &["keeps", "reads"])];

impl Engine {
    pub const ALL: [Engine; 3] = [Engine::Fastcheck, Engine::Saber, Engine::Smoke];

    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Engine::Fastcheck => "fastcheck",
            Engine::Saber => "saber",
            Engine::Smoke => "smoke",
        }
    }

    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.id() == id)
    }

    /// What runs it.
    #[must_use]
    pub fn judge(self) -> Judge {
        match self {
            Engine::Smoke => smoke,
            Engine::Fastcheck => |units, models, meter| {
                guarded_flow(units, models, meter, &Configuration::fastcheck())
            },
            Engine::Saber => {
                |units, models, meter| guarded_flow(units, models, meter, &Configuration::saber())
            }
        }
    }
}

/// Needs all facts, memory included.
fn guarded_flow(
    units: Vec<LinkUnit>,
    models: &Models,
    meter: Meter,
    configuration: &Configuration,
) -> Judged {
    let whole = WholeProgram::new(units, models, &FactOptions::default(), meter);
    let mut stages = Stages { meter, rows: whole.stages.clone() };
    let memory = stages.run("memory", || whole.memory());
    let verdicts = stages.run("guarded-flow engine", || {
        let input = caulk_guarded_flow::Input { memory: &memory, wrappers: &whole.wrappers };
        caulk_guarded_flow::check(input, configuration)
    });
    Judged { verdicts, stages: stages.rows }
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
