//! Call stacks, each kept once: a stack is a caller's stack and one more activation.

use caulk_base::FxHashMap;

/// Activations kept of each stack.
pub const DEPTH: usize = 24;

/// Stack 0 is empty.
#[derive(Default)]
pub struct Stacks {
    rows: Vec<(u32, u32, u32)>,
    ids: FxHashMap<(u32, u32, u32), u32>,
}

impl Stacks {
    /// The stack of these activations (function, program counter), outermost first.
    pub fn of(&mut self, activations: impl Iterator<Item = (u32, u32)>) -> u32 {
        let mut stack = 0;
        for (function, pc) in activations {
            let row = (stack, function, pc);
            stack = *self.ids.entry(row).or_insert_with(|| {
                self.rows.push(row);
                self.rows.len() as u32
            });
        }
        stack
    }

    /// Its activations, innermost first.
    pub fn rows(&self, mut stack: u32) -> Vec<(u32, u32)> {
        let mut rows = Vec::new();
        while stack != 0 {
            let (parent, function, pc) = self.rows[stack as usize - 1];
            rows.push((function, pc));
            stack = parent;
        }
        rows
    }
}
