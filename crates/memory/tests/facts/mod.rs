//! The facts of a small program, for the tests.

#![allow(dead_code)] // each test uses its part

use caulk_driver::{FactOptions, Meter, WholeProgram};
use caulk_ir::Module;
use caulk_models::Models;
use caulk_program::{InstanceId, LinkUnit};

pub fn of_c(text: &str) -> WholeProgram {
    of_modules(vec![caulk_testkit::module("case.c", text)])
}

pub fn of_modules(modules: Vec<Module>) -> WholeProgram {
    let units = modules.into_iter().map(|module| LinkUnit { module, target: None }).collect();
    let meter = Meter { processor_time: Default::default, memory: || None };
    WholeProgram::new(units, &Models::bundled(), &FactOptions::default(), meter)
}

/// The first instance of the function with the name.
pub fn instance(whole: &WholeProgram, name: &str) -> InstanceId {
    let is_it = |row: &caulk_program::Instance| whole.program.procs[row.proc].name == name;
    let found = whole.instances.rows.iter().find(|(_, row)| is_it(row));
    found.unwrap_or_else(|| panic!("no function is called {name}")).0
}

/// Numbers that look random, by xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}
