//! The facts of a small program, for the tests.

#![allow(dead_code)] // each test uses its part

use caulk_driver::WholeProgram;
use caulk_program::InstanceId;

pub fn of_c(text: &str) -> WholeProgram {
    WholeProgram::of(vec![caulk_testkit::module("case.c", text)])
}

/// The first instance of the function with the name.
pub fn instance(whole: &WholeProgram, name: &str) -> InstanceId {
    let is_it = |row: &caulk_program::Instance| whole.program.procs[row.proc].name == name;
    let found = whole.instances.rows.iter().find(|(_, row)| is_it(row));
    found.unwrap_or_else(|| panic!("no function is called {name}")).0
}
