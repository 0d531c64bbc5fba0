//! The engines by the names that users know, and the way from the modules of all units to the
//! verdicts of one. Only the facts that it asks for are computed.

use std::sync::Arc;

use caulk_finding::Verdicts;
use caulk_guarded_flow::{Class, Configuration};
use caulk_ir::{BlockId, Module};
use caulk_machines::Machines;
use caulk_models::Models;
use caulk_program::{
    DirectCalls, Entries, ExternalModels, IndirectTargets, LinkUnit, ProcId, Program,
    indirect_targets,
};
use caulk_replay::Player;
use caulk_use_flow::{Asked, ObjectTrace, Options, Policies, Replayed};

use crate::CancelFlag;
use crate::kept::KeptSummaries;
use crate::modelled::link_modelled;
use crate::whole_program::{FactOptions, Measured, Meter, Stages, WholeProgram};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    Fastcheck,
    Saber,
    Smoke,
    Sparrow,
    #[default]
    Staged,
    Symbolic,
}

/// What an engine says, and what it cost.
pub struct Judged {
    pub verdicts: Verdicts,
    pub stages: Vec<Measured>,
    /// The units as they were judged: findings name their blocks.
    pub modules: Vec<Module>,
}

/// What engines know besides the program, and how users want them to decide.
#[derive(Clone, Debug)]
pub struct Knowledge {
    pub models: Models,
    pub machines: Machines,
    pub policies: Policies,
    pub fastcheck: Configuration,
    pub saber: Configuration,
}

impl Knowledge {
    /// What caulk brings along.
    #[must_use]
    pub fn bundled() -> Self {
        Self {
            models: Models::bundled(),
            machines: Machines::bundled(),
            policies: Policies::default(),
            fastcheck: Configuration::fastcheck(),
            saber: Configuration::saber(),
        }
    }

    /// Whether machines and policies are those that caulk brings along. A run knows no others: it sees
    /// what is lost, and not what users call a loss.
    fn is_standard(&self) -> bool {
        self.policies == Policies::default() && self.machines == Machines::bundled()
    }

    /// Sets a switch of the value-flow engines.
    ///
    /// # Errors
    ///
    /// What was expected.
    pub fn set(&mut self, switch: &str) -> Result<(), String> {
        self.fastcheck.set(switch)?;
        self.saber.set(switch)
    }

    /// Also reports sites of a class, by the value-flow engines.
    pub fn show(&mut self, class: Class) {
        self.fastcheck.show.push(class);
        self.saber.show.push(class);
    }
}

/// What an engine is given beside the program and its knowledge; nothing of it changes verdicts.
#[derive(Clone)]
pub struct Setting {
    pub meter: Meter,
    /// An engine that looks at it hands in what it has when it is raised.
    pub cancel: CancelFlag,
    /// Where summaries of earlier runs are.
    pub summaries: Option<Arc<KeptSummaries>>,
}

impl Setting {
    fn store(&self) -> Option<&dyn caulk_summary::Store> {
        self.summaries.as_deref().map(|kept| kept as _)
    }
}

/// From the units to the verdicts.
pub type Judge = fn(Vec<LinkUnit>, &Knowledge, &Setting) -> Judged;

impl Engine {
    pub const ALL: [Engine; 6] = [
        Engine::Fastcheck,
        Engine::Saber,
        Engine::Smoke,
        Engine::Sparrow,
        Engine::Staged,
        Engine::Symbolic,
    ];

    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Engine::Fastcheck => "fastcheck",
            Engine::Saber => "saber",
            Engine::Smoke => "smoke",
            Engine::Sparrow => "sparrow",
            Engine::Staged => "staged",
            Engine::Symbolic => "symbolic",
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
            Engine::Sparrow => sparrow,
            Engine::Staged => staged,
            Engine::Symbolic => symbolic,
            Engine::Fastcheck => |units, knowledge, setting| {
                guarded_flow(
                    units,
                    knowledge,
                    &coarse_facts(),
                    (setting.meter, &knowledge.fastcheck),
                )
            },
            Engine::Saber => |units, knowledge, setting| {
                let facts = FactOptions::default();
                guarded_flow(units, knowledge, &facts, (setting.meter, &knowledge.saber))
            },
        }
    }

    /// Whether it reads machines and policies.
    #[must_use]
    pub fn uses_machines(self) -> bool {
        matches!(self, Engine::Smoke | Engine::Staged)
    }

    /// Whether it has switches, and classes of sites that can be shown.
    #[must_use]
    pub fn has_switches(self) -> bool {
        matches!(self, Engine::Fastcheck | Engine::Saber)
    }
}

/// Objects that a pointer tells apart for FastCheck, which follows no value through memory (F3).
const COARSE: usize = 30;

fn coarse_facts() -> FactOptions {
    let mut options = FactOptions::default();
    options.points_to.wild = COARSE;
    options
}

/// Needs all facts, memory included.
fn guarded_flow(
    units: Vec<LinkUnit>,
    knowledge: &Knowledge,
    facts: &FactOptions,
    (meter, configuration): (Meter, &Configuration),
) -> Judged {
    let whole = WholeProgram::new(units, &knowledge.models, facts, meter);
    let mut stages = Stages { meter, rows: whole.stages.clone() };
    let memory = stages.run("memory", || whole.memory());
    let verdicts = stages.run("guarded-flow engine", || {
        let input = caulk_guarded_flow::Input {
            memory: &memory,
            wrappers: &whole.wrappers,
            calls: &whole.calls,
        };
        caulk_guarded_flow::check(input, configuration)
    });
    drop(memory);
    let modules = whole.program.modules.into_rows();
    Judged { verdicts, stages: stages.rows, modules }
}

fn smoke(units: Vec<LinkUnit>, knowledge: &Knowledge, setting: &Setting) -> Judged {
    let Setting { meter, ref cancel, .. } = *setting;
    let mut searched = Searched::new(units, knowledge, meter);
    let mut stages = std::mem::replace(&mut searched.stages, Stages { meter, rows: Vec::new() });
    let verdicts = stages.run("use-flow engine", || {
        let options = Options { cancel: Some(cancel.raised()), ..options(knowledge, meter) };
        caulk_use_flow::check(searched.input(knowledge), &options)
    });
    let part = |&(name, processor): &(&'static str, _)| Measured { name, processor, memory: None };
    stages.rows.extend(verdicts.times.iter().map(part));
    let modules = searched.program.modules.into_rows();
    Judged { verdicts, stages: stages.rows, modules }
}

/// Needs what the use-flow engine needs.
fn sparrow(units: Vec<LinkUnit>, knowledge: &Knowledge, setting: &Setting) -> Judged {
    let mut searched = Searched::new(units, knowledge, setting.meter);
    let empty = Stages { meter: setting.meter, rows: Vec::new() };
    let mut stages = std::mem::replace(&mut searched.stages, empty);
    let verdicts = stages.run("summary engine", || {
        let input = searched.summary_input(setting.store());
        caulk_summary::check(input, &caulk_summary::Options::default())
    });
    let modules = searched.program.modules.into_rows();
    Judged { verdicts, stages: stages.rows, modules }
}

/// All of them but the value-flow engines, one verdict per cause.
fn staged(units: Vec<LinkUnit>, knowledge: &Knowledge, setting: &Setting) -> Judged {
    let Setting { meter, ref cancel, .. } = *setting;
    let mut searched = Searched::new(units, knowledge, meter);
    let mut stages = std::mem::replace(&mut searched.stages, Stages { meter, rows: Vec::new() });
    let verdicts = stages.run("staged engine", || {
        let input = caulk_staged::Input {
            program: &searched.program,
            externals: &searched.externals,
            machines: &knowledge.machines,
            calls: &searched.calls,
            entries: &searched.entries,
            indirect: &searched.indirect,
            store: setting.store(),
        };
        let paths = Options { cancel: Some(cancel.raised()), ..options(knowledge, meter) };
        let conditions = caulk_symbolic_heap::Options {
            cancel: Some(cancel.raised()),
            ..caulk_staged::Options::default().conditions
        };
        let clock = meter.processor_time;
        let options = caulk_staged::Options { paths, conditions, clock, ..Default::default() };
        caulk_staged::check(input, &options)
    });
    let part = |&(name, processor): &(&'static str, _)| Measured { name, processor, memory: None };
    stages.rows.extend(verdicts.times.iter().map(part));
    let modules = searched.program.modules.into_rows();
    if cancel.reason().is_some() || !knowledge.is_standard() {
        return Judged { verdicts, stages: stages.rows, modules };
    }
    let (verdicts, modules) = stages.run("runs", || explored(verdicts, modules, &knowledge.models));
    Judged { verdicts, stages: stages.rows, modules }
}

/// Runs from `main`, where the interpreter knows the machine.
fn explored(verdicts: Verdicts, modules: Vec<Module>, models: &Models) -> (Verdicts, Vec<Module>) {
    if !Player::can_play(&modules) {
        return (verdicts, modules);
    }
    match Player::new(modules, models) {
        Ok(player) => (caulk_staged::run(verdicts, &player), player.into_modules()),
        Err(_) => (verdicts, Vec::new()),
    }
}

fn options(knowledge: &Knowledge, meter: Meter) -> Options {
    let (policies, clock) = (knowledge.policies, meter.thread_time);
    Options { policies, clock, ..Options::default() }
}

/// A path that a run took: the blocks of one activation of a procedure.
pub type Taken = (ProcId, Vec<BlockId>);

/// What the feasibility stages say of paths that runs took; `paths` names them in the program.
#[must_use]
pub fn replay_paths(
    units: Vec<LinkUnit>,
    knowledge: &Knowledge,
    paths: &dyn Fn(&Program) -> Vec<Taken>,
) -> Vec<Replayed> {
    let searched = Searched::new(units, knowledge, Meter::NONE);
    let options = options(knowledge, Meter::NONE);
    caulk_use_flow::replay(searched.input(knowledge), &options, &paths(&searched.program))
}

/// What the feasibility stages ask about the conditions of a program's paths.
#[must_use]
pub fn queries(units: Vec<LinkUnit>, knowledge: &Knowledge) -> Vec<Asked> {
    let searched = Searched::new(units, knowledge, Meter::NONE);
    caulk_use_flow::queries(searched.input(knowledge), &options(knowledge, Meter::NONE))
}

/// What engines without points-to ask of a program.
pub(crate) struct Searched {
    pub program: Program,
    externals: ExternalModels,
    calls: DirectCalls,
    entries: Entries,
    indirect: IndirectTargets,
    stages: Stages,
}

impl Searched {
    pub fn new(units: Vec<LinkUnit>, knowledge: &Knowledge, meter: Meter) -> Self {
        let mut stages = Stages { meter, rows: Vec::new() };
        let program = stages.run("linking", || link_modelled(units, &knowledge.models));
        let externals = stages.run("models", || ExternalModels::new(&program, &knowledge.models));
        let calls = stages.run("direct calls", || DirectCalls::new(&program));
        let entries = Entries::new(&program, &calls);
        let indirect = stages.run("function pointers", || indirect_targets(&program));
        Self { program, externals, calls, entries, indirect, stages }
    }

    fn input<'a>(&'a self, knowledge: &'a Knowledge) -> caulk_use_flow::Input<'a> {
        caulk_use_flow::Input {
            program: &self.program,
            externals: &self.externals,
            machines: &knowledge.machines,
            calls: &self.calls,
            entries: &self.entries,
            indirect: &self.indirect,
        }
    }

    pub fn summary_input<'a>(
        &'a self,
        store: Option<&'a dyn caulk_summary::Store>,
    ) -> caulk_summary::Input<'a> {
        caulk_summary::Input {
            program: &self.program,
            externals: &self.externals,
            calls: &self.calls,
            entries: &self.entries,
            indirect: &self.indirect,
            store,
        }
    }

    pub fn symbolic_input(&self) -> caulk_symbolic_heap::Input<'_> {
        caulk_symbolic_heap::Input {
            program: &self.program,
            externals: &self.externals,
            calls: &self.calls,
        }
    }

    /// Whether a function has the name, if one is asked for.
    pub fn has(&self, function: Option<&str>) -> bool {
        let procs = self.program.procs.rows();
        function.is_none_or(|name| procs.iter().any(|proc| proc.name == name))
    }

    pub fn traces(&self, knowledge: &Knowledge, function: Option<&str>) -> Vec<ObjectTrace> {
        let options = options(knowledge, Meter::NONE);
        caulk_use_flow::traces(self.input(knowledge), &options, function)
    }
}

fn symbolic(units: Vec<LinkUnit>, knowledge: &Knowledge, setting: &Setting) -> Judged {
    let Setting { meter, ref cancel, .. } = *setting;
    let mut stages = Stages { meter, rows: Vec::new() };
    let program = stages.run("linking", || link_modelled(units, &knowledge.models));
    let externals = stages.run("models", || ExternalModels::new(&program, &knowledge.models));
    let calls = stages.run("direct calls", || DirectCalls::new(&program));
    let verdicts = stages.run("symbolic engine", || {
        let input =
            caulk_symbolic_heap::Input { program: &program, externals: &externals, calls: &calls };
        let cancel = Some(cancel.raised());
        let options = caulk_symbolic_heap::Options { cancel, ..Default::default() };
        caulk_symbolic_heap::check(input, &options)
    });
    let modules = program.modules.into_rows();
    Judged { verdicts, stages: stages.rows, modules }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAK: &str = "void *malloc(unsigned long); void free(void *);
        int f(int n) { char *p = malloc(8); if (n) return 1; free(p); return 0; }";

    fn judged(engine: Engine, cancel: &CancelFlag) -> Verdicts {
        let unit = LinkUnit { module: caulk_testkit::module("a.c", LEAK), target: None };
        let setting = Setting { meter: Meter::NONE, cancel: cancel.clone(), summaries: None };
        engine.judge()(vec![unit], &Knowledge::bundled(), &setting).verdicts
    }

    #[test]
    fn an_engine_that_is_stopped_tells_what_is_missing() {
        for engine in [Engine::Smoke, Engine::Symbolic] {
            let whole = judged(engine, &CancelFlag::new());
            assert!(whole.findings.len() == 1 && whole.incomplete.is_empty());
            let cancel = CancelFlag::new();
            cancel.out_of_time();
            let stopped = judged(engine, &cancel);
            assert!(stopped.findings.is_empty());
            assert_eq!(stopped.incomplete[0].why, "stopped before 1 functions were looked at");
        }
    }
}
