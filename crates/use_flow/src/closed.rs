//! Small functions that only compute: their result is one term of what callers pass.
//!
//! Exits that return the same kind of result become one case, and how they were told apart is lost
//! with that: `is_fixup(c)` asked twice would get two answers. Where branches only join conditions,
//! the result is a term, and callers have it as it is (K6: a pure call repeated meets itself).

use caulk_guard::bits::{Term, TermId};
use caulk_ir::{BlockId, Edge, Inst, Terminator, ValueId};

use crate::export::closed_case;
use crate::state::State;
use crate::step::Exec;
use crate::summary::Summary;

/// A larger function is no term that callers should carry along.
const MOST_BLOCKS: usize = 16;
/// Blocks over all paths; a loop uses them up.
const MOST_STEPS: u32 = 32;

/// The summary of a function that computes a number and does nothing else.
pub fn closed(exec: &mut Exec<'_>) -> Option<Summary> {
    let blocks = exec.body.blocks.len();
    if !(2..=MOST_BLOCKS).contains(&blocks) || !exec.body.insts.rows().iter().all(only_computes) {
        return None;
    }
    let state = exec.start();
    let mut walk = Walk { exec, steps: MOST_STEPS, uses: u32::MAX };
    let result = walk.result(BlockId::ENTRY, state)?;
    let uses = walk.uses;
    let case = closed_case(exec, result)?;
    let case = crate::summary::Case { uses, ..case };
    Some(Summary { cases: vec![case], ..Summary::default() })
}

fn only_computes(inst: &Inst) -> bool {
    match inst {
        Inst::Load { volatile, .. } => !volatile,
        Inst::Unary { .. }
        | Inst::Binary { .. }
        | Inst::Compare { .. }
        | Inst::Convert { .. }
        | Inst::Field { .. }
        | Inst::Index { .. }
        | Inst::ScopeBegin(_)
        | Inst::ScopeEnd(_)
        | Inst::Set { .. } => true,
        _ => false,
    }
}

struct Walk<'e, 'a> {
    exec: &'e mut Exec<'a>,
    steps: u32,
    /// Parameters that are read through on all paths.
    uses: u32,
}

impl<'a> Walk<'_, 'a> {
    /// What the function returns if it comes to the block.
    fn result(&mut self, block: BlockId, mut state: State) -> Option<TermId> {
        self.steps = self.steps.checked_sub(1)?;
        let row = &self.exec.body.blocks[block];
        row.insts().for_each(|inst| self.exec.inst(inst, &mut state));
        match &row.terminator {
            Terminator::Return(Some(value)) => {
                self.uses &= state.uses;
                self.number(&state, *value)
            }
            Terminator::Jump(edge) => self.along(edge, state),
            Terminator::Branch { cond, then, otherwise } => {
                let condition = self.number(&state, *cond)?;
                let yes = self.along(then, state.clone())?;
                let no = self.along(otherwise, state)?;
                Some(self.choice(condition, yes, no))
            }
            Terminator::Switch { value, signed, cases, default } => {
                let value = self.number(&state, *value)?;
                let mut result = self.along(default, state.clone())?;
                for case in cases {
                    let condition = self.exec.in_range(value, *signed, case);
                    let yes = self.along(&case.edge, state.clone())?;
                    result = self.choice(condition, yes, result);
                }
                Some(result)
            }
            _ => None,
        }
    }

    /// One of two numbers. Those that say yes or no stay conditions.
    fn choice(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        let width = self.exec.space.terms.width(yes);
        let bits = self.bit(yes).zip(self.bit(no)).filter(|_| width > 1);
        let terms = &mut self.exec.space.terms;
        match bits {
            Some((yes, no)) => {
                let bit = terms.select(condition, yes, no);
                terms.extend_u(bit, width)
            }
            None => terms.select(condition, yes, no),
        }
    }

    fn bit(&mut self, number: TermId) -> Option<TermId> {
        let terms = &mut self.exec.space.terms;
        match *terms.get(number) {
            Term::Constant { value: value @ 0..=1, .. } => Some(terms.constant(value, 1)),
            Term::ExtendU { of, .. } if terms.width(of) == 1 => Some(of),
            _ => None,
        }
    }

    fn along(&mut self, edge: &'a Edge, state: State) -> Option<TermId> {
        let state = self.exec.passed(edge, state);
        self.result(edge.to, state)
    }

    /// A value that no address takes part in: whether a pointer is NULL is asked of callers case by
    /// case.
    fn number(&mut self, state: &State, value: ValueId) -> Option<TermId> {
        let term = self.exec.value(state, value);
        let space = &self.exec.space;
        (!space.any_symbol(term, &mut |symbol| space.is_pointer(symbol))).then_some(term)
    }
}
