//! Where each value of a body is used.

use caulk_ir::{BlockId, Body, InstId, ValueId};
use caulk_ssa::Lists;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueUse {
    Inst(InstId),
    /// Passed to a parameter of the target of the block's n-th edge.
    Passed {
        block: BlockId,
        edge: u32,
        param: u32,
    },
    /// Decided by, or returned, at the end of the block.
    Terminator(BlockId),
}

#[must_use]
pub fn value_uses(body: &Body) -> Lists<ValueId, ValueUse> {
    let mut pairs = Vec::new();
    for (block, row) in body.blocks.iter() {
        for inst in row.insts() {
            body.operands(inst, |value| {
                // An instruction that names a value twice uses it once.
                if pairs.last() != Some(&(value, ValueUse::Inst(inst))) {
                    pairs.push((value, ValueUse::Inst(inst)));
                }
            });
        }
        for (edge, target) in row.terminator.edges().enumerate() {
            for (param, &value) in target.args.iter().enumerate() {
                let passed = ValueUse::Passed { block, edge: edge as u32, param: param as u32 };
                pairs.push((value, passed));
            }
        }
        if let Some(value) = row.terminator.operand() {
            pairs.push((value, ValueUse::Terminator(block)));
        }
    }
    Lists::from_pairs(body.values.len(), &pairs)
}
