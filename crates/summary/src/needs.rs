//! Conditions on parameters without which a heap cell is not made.
//!
//! `if (!p) p = malloc(n); return p;` makes nothing for a caller that has memory already, and
//! `load(plain)` one thing or another. A branch that dominates the allocation says what the
//! parameter must be; a call with an argument that cannot be that makes no such cell.

use caulk_ir::{
    BlockId, CompareOp, Constant, ConvertOp, Inst, InstId, Terminator, ValueId, ValueKind,
};

use crate::calls::Site;
use crate::exec::Exec;
use crate::location::LocId;
use crate::numbers::Numbers;
use crate::prune::negated;
use crate::summary::{Fresh, Status};
use crate::value::Value;

/// A parameter, and what it is where the cell is made.
pub type Need = (u32, Status);

/// Conditions that are remembered of one cell.
const MOST: usize = 4;

impl Exec<'_> {
    /// The call can make the cell, by its arguments.
    pub fn can_be_made(&self, fresh: &Fresh, site: &Site) -> bool {
        fresh.needs.iter().all(|(number, need)| {
            let Some(value) = site.arguments.get(*number as usize) else { return true };
            let is_number = !value.numbers.meet(&need.numbers).is_none();
            value.is_none() || is_number || need.is_address && !value.addresses().is_empty()
        })
    }

    /// Notes what is needed for a cell of a call; `theirs` is what the callee needs for it.
    pub fn note_needs(&mut self, region: LocId, site: &Site, theirs: &[Need]) {
        if self.needs.contains_key(&region) {
            return;
        }
        let arguments = &self.body.calls[site.call].args;
        let handed_on = theirs.iter().filter_map(|&(number, need)| {
            let argument = arguments.get(number as usize)?.value;
            Some((self.parameter_number(argument)?, need))
        });
        let mut all: Vec<Need> = handed_on.chain(self.conditions_at(site.at)).collect();
        all.truncate(MOST);
        self.needs.insert(region, all);
    }

    /// What branches that dominate an instruction say of parameters.
    fn conditions_at(&self, at: InstId) -> Vec<Need> {
        let dominators = self.facts.cfg().dominators();
        let mut all = Vec::new();
        let mut block = self.facts.block_of(at);
        while let Some(above) = dominators.immediate(block) {
            all.extend(self.condition_between(above, block));
            block = above;
        }
        all
    }

    fn condition_between(&self, from: BlockId, to: BlockId) -> Option<Need> {
        let Terminator::Branch { cond, then, otherwise } = &self.body.blocks[from].terminator
        else {
            return None;
        };
        let is_only_way = self.facts.cfg().graph().in_edges(to).len() == 1;
        match to {
            _ if !is_only_way || then.to == otherwise.to => None,
            _ if then.to == to => self.said_of_parameter(*cond, true),
            _ if otherwise.to == to => self.said_of_parameter(*cond, false),
            _ => None,
        }
    }

    fn said_of_parameter(&self, condition: ValueId, truth: bool) -> Option<Need> {
        match self.body.insts[self.body.definition(condition)?] {
            Inst::Convert { op: ConvertOp::ZeroExtend | ConvertOp::SignExtend, value, .. } => {
                self.said_of_parameter(value, truth)
            }
            Inst::Compare { op, lhs, rhs } => {
                let op = if truth { op } else { negated(op)? };
                let Constant::Int(number) = self.body.constant(rhs)? else { return None };
                match (self.parameter_number(lhs), op) {
                    (Some(parameter), _) => Some((parameter, self.comparing(op, number))),
                    (None, CompareOp::Ne | CompareOp::Eq) if number == 0 => {
                        self.said_of_parameter(lhs, op == CompareOp::Ne)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The values that compare so with a number.
    fn comparing(&self, op: CompareOp, number: i64) -> Status {
        let any = Value::new(Numbers::ALL, [self.global]);
        let left = self.restricted(&any, op, &Value::of_numbers(Numbers::constant(number)));
        Status { numbers: left.numbers, is_address: !left.addresses().is_empty() }
    }

    fn parameter_number(&self, value: ValueId) -> Option<u32> {
        match self.body.values[value].kind {
            ValueKind::Param(number) => Some(number),
            ValueKind::Inst(at) => match self.body.insts[at] {
                Inst::Convert { op: ConvertOp::SignExtend, value, .. } => {
                    self.parameter_number(value)
                }
                _ => None,
            },
            _ => None,
        }
    }
}
