//! The facts that flow stands on, for the tests.

use caulk_driver::WholeProgram;
use caulk_flow::Flow;
use caulk_ir::Module;
use caulk_pointer::Names;

pub struct Facts(WholeProgram);

impl Facts {
    pub fn new(modules: Vec<Module>) -> Self {
        Self(WholeProgram::of(modules))
    }

    pub fn with<R>(&self, ask: impl FnOnce(&Flow, &Names) -> R) -> R {
        let memory = self.0.memory();
        let names = Names { input: self.0.pointer_input(), points_to: &self.0.points_to };
        ask(&Flow::new(&memory), &names)
    }
}
