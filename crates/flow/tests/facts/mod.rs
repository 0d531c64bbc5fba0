//! C text to the facts that flow stands on, for the tests.

use caulk_flow::Flow;
use caulk_ir::Module;
use caulk_memory::Memory;
use caulk_models::Models;
use caulk_pointer::{Input, Names, Options, PointsTo, inclusion};
use caulk_program::{
    CopyBudget, DirectCalls, Entries, ExternalModels, Instances, LinkUnit, Program, Wrappers,
    indirect_targets, link,
};

pub struct Facts {
    program: Program,
    calls: DirectCalls,
    entries: Entries,
    instances: Instances,
    wrappers: Wrappers,
    externals: ExternalModels,
}

impl Facts {
    pub fn new(modules: Vec<Module>) -> Self {
        let units = modules.into_iter().map(|module| LinkUnit { module, target: None }).collect();
        let program = link(units);
        let calls = DirectCalls::new(&program);
        let mut entries = Entries::new(&program, &calls);
        let externals = ExternalModels::new(&program, &Models::bundled());
        let indirect = indirect_targets(&program);
        let wrappers = Wrappers::new(&program, &calls, &externals, &indirect);
        let budget = CopyBudget::default();
        let instances =
            Instances::new(&program, &calls, &indirect, &wrappers, &mut entries, budget);
        Self { program, calls, entries, instances, wrappers, externals }
    }

    fn input(&self) -> Input<'_> {
        Input {
            program: &self.program,
            calls: &self.calls,
            entries: &self.entries,
            instances: &self.instances,
            wrappers: &self.wrappers,
            externals: &self.externals,
        }
    }

    pub fn with<R>(&self, ask: impl FnOnce(&Flow, &Names) -> R) -> R {
        let points_to: PointsTo = inclusion(self.input(), &Options::default());
        let memory = Memory::new(caulk_memory::Input {
            program: &self.program,
            instances: &self.instances,
            externals: &self.externals,
            points_to: &points_to,
        });
        let names = Names { input: self.input(), points_to: &points_to };
        ask(&Flow::new(&memory), &names)
    }
}
