//! Checks every invariant that the representation's documentation states.
//!
//! Ids come first: where one is out of range, the rest of that function (or module) is not
//! looked at, so that all later checks may index freely. Everything is linear in the size of
//! the module, but for sorting the cases of a switch and the usual fixpoint for dominators.
//!
//! Unreachable blocks are not allowed: the entry reaches all.

mod body;
mod calls;
mod flow;
mod insts;
mod objects;
mod ranges;
mod tables;
mod types;

use std::fmt::{self, Arguments, Display, Formatter};

use crate::body::{BlockId, Body};
use crate::inst::InstId;
use crate::module::{FunctionId, Module};
use crate::print;

/// After this many, a broken module is broken enough.
const MAX_VIOLATIONS: usize = 1000;

/// One invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub function: Option<FunctionId>,
    pub block: Option<BlockId>,
    pub inst: Option<InstId>,
    pub message: String,
}

impl Display for Violation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for id in [
            self.function.map(|id| id.to_string()),
            self.block.map(|id| id.to_string()),
            self.inst.map(|id| id.to_string()),
        ]
        .iter()
        .flatten()
        {
            write!(f, "{space}{id}")?;
            space = " ";
        }
        write!(f, "{}{}", if space.is_empty() { "" } else { ": " }, self.message)
    }
}

/// Everything that is wrong with the module; empty if nothing is.
#[must_use]
pub fn module(module: &Module) -> Vec<Violation> {
    let mut found = Vec::new();
    tables::check(module, &mut found);
    if !found.is_empty() {
        return found;
    }
    tables::check_spans(module, &mut found);
    types::check(module, &mut found);
    objects::check(module, &mut found);
    for (id, _, body) in module.bodies() {
        if found.len() >= MAX_VIOLATIONS {
            break;
        }
        check_body(module, id, body, &mut found);
    }
    found
}

fn check_body(module: &Module, function: FunctionId, body: &Body, found: &mut Vec<Violation>) {
    let before = found.len();
    let mut check = BodyCheck { module, body, function, found, block: None, inst: None };
    check.ranges();
    if check.found.len() > before {
        return;
    }
    check.tables();
    check.instructions();
    check.flow();
}

/// The check of one body, and where in it.
struct BodyCheck<'a> {
    module: &'a Module,
    body: &'a Body,
    function: FunctionId,
    found: &'a mut Vec<Violation>,
    block: Option<BlockId>,
    inst: Option<InstId>,
}

impl BodyCheck<'_> {
    fn report(&mut self, message: Arguments<'_>) {
        if self.found.len() >= MAX_VIOLATIONS {
            return;
        }
        let text = match (self.inst, self.block) {
            (Some(inst), _) => print::instruction(self.module, self.body, inst),
            (None, Some(block)) => print::terminator(self.module, self.body, block),
            (None, None) => String::new(),
        };
        let message =
            if text.is_empty() { message.to_string() } else { format!("{message}, in `{text}`") };
        let (function, block, inst) = (Some(self.function), self.block, self.inst);
        self.found.push(Violation { function, block, inst, message });
    }

    fn require(&mut self, holds: bool, message: Arguments<'_>) {
        if !holds {
            self.report(message);
        }
    }

    /// Calls `check` for every instruction, then once per block for its terminator, with the
    /// place set.
    fn each_step(&mut self, mut check: impl FnMut(&mut Self, BlockId, Option<InstId>)) {
        let body = self.body;
        for (id, block) in body.blocks.iter() {
            self.block = Some(id);
            for inst in block.insts() {
                self.inst = Some(inst);
                check(self, id, Some(inst));
            }
            self.inst = None;
            check(self, id, None);
        }
        self.block = None;
    }
}

/// Reports something about the module outside of any body.
fn report(found: &mut Vec<Violation>, message: Arguments<'_>) {
    if found.len() < MAX_VIOLATIONS {
        let message = message.to_string();
        found.push(Violation { function: None, block: None, inst: None, message });
    }
}

fn require(found: &mut Vec<Violation>, holds: bool, message: Arguments<'_>) {
    if !holds {
        report(found, message);
    }
}
