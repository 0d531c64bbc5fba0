//! From the modules of all units to the facts that engines ask for, each computed once.
//!
//! The order of the stages is that of the design: link, models, calls, wrappers, copies,
//! points-to, memory. Flow is built on demand by whoever asks.

use std::time::Duration;

use caulk_ir::Module;
use caulk_memory::Memory;
use caulk_models::Models;
use caulk_pointer::PointsTo;
use caulk_program::{
    CopyBudget, DirectCalls, Entries, ExternalModels, Instances, LinkUnit, Program, Wrappers,
    indirect_targets,
};

use crate::modelled::link_modelled;

/// How the facts are computed.
#[derive(Clone, Debug, Default)]
pub struct FactOptions {
    pub copies: CopyBudget,
    pub points_to: caulk_pointer::Options,
}

/// What measures the stages: processor time and memory of this process.
#[derive(Clone, Copy)]
pub struct Meter {
    pub processor_time: fn() -> Duration,
    /// Of the calling thread alone.
    pub thread_time: fn() -> Duration,
    pub memory: fn() -> Option<u64>,
}

impl Meter {
    /// Measures nothing.
    pub const NONE: Meter = Meter {
        processor_time: || Duration::ZERO,
        thread_time: || Duration::ZERO,
        memory: || None,
    };
}

/// One stage, measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    pub name: &'static str,
    /// Over all threads.
    pub processor: Duration,
    /// Bytes that the process had when the stage ended.
    pub memory: Option<u64>,
}

/// A linked program, and all that does not borrow from it.
pub struct WholeProgram {
    pub program: Program,
    pub externals: ExternalModels,
    pub calls: DirectCalls,
    pub entries: Entries,
    pub wrappers: Wrappers,
    pub instances: Instances,
    pub points_to: PointsTo,
    pub stages: Vec<Measured>,
}

impl WholeProgram {
    #[must_use]
    pub fn new(units: Vec<LinkUnit>, models: &Models, options: &FactOptions, meter: Meter) -> Self {
        let mut stages = Stages { meter, rows: Vec::new() };
        let program = stages.run("linking", || link_modelled(units, models));
        let externals = stages.run("models", || ExternalModels::new(&program, models));
        let calls = stages.run("direct calls", || DirectCalls::new(&program));
        let mut entries = Entries::new(&program, &calls);
        let indirect = stages.run("function pointers", || indirect_targets(&program));
        let wrappers =
            stages.run("wrappers", || Wrappers::new(&program, &calls, &externals, &indirect));
        let instances = stages.run("copies", || {
            Instances::new(&program, &calls, &indirect, &wrappers, &mut entries, options.copies)
        });
        let points_to = stages.run("points-to", || {
            let input = caulk_pointer::Input {
                program: &program,
                calls: &calls,
                entries: &entries,
                instances: &instances,
                wrappers: &wrappers,
                externals: &externals,
            };
            caulk_pointer::inclusion(input, &options.points_to)
        });
        let stages = stages.rows;
        Self { program, externals, calls, entries, wrappers, instances, points_to, stages }
    }

    /// With the bundled models and the usual options, not measured.
    #[must_use]
    pub fn of(modules: Vec<Module>) -> Self {
        let unit = |module| LinkUnit { module, target: None };
        let units = modules.into_iter().map(unit).collect();
        Self::new(units, &Models::bundled(), &FactOptions::default(), Meter::NONE)
    }

    #[must_use]
    pub fn pointer_input(&self) -> caulk_pointer::Input<'_> {
        caulk_pointer::Input {
            program: &self.program,
            calls: &self.calls,
            entries: &self.entries,
            instances: &self.instances,
            wrappers: &self.wrappers,
            externals: &self.externals,
        }
    }

    #[must_use]
    pub fn memory(&self) -> Memory<'_> {
        Memory::new(caulk_memory::Input {
            program: &self.program,
            instances: &self.instances,
            externals: &self.externals,
            points_to: &self.points_to,
        })
    }
}

/// Runs stages one after the other and measures each.
pub struct Stages {
    pub meter: Meter,
    pub rows: Vec<Measured>,
}

impl Stages {
    pub fn run<T>(&mut self, name: &'static str, stage: impl FnOnce() -> T) -> T {
        let before = (self.meter.processor_time)();
        let result = stage();
        let processor = (self.meter.processor_time)().saturating_sub(before);
        self.rows.push(Measured { name, processor, memory: (self.meter.memory)() });
        result
    }
}
