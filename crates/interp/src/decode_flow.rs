//! Ends of blocks into operations, and edges into moves.

use caulk_ir::{Block, BlockId, Edge, Inst, Scalar, Terminator, Unreachable, ValueId};

use crate::code::{EdgeCode, SwitchCode};
use crate::decode::{Decoder, is_wide};
use crate::decode_inst::{test, test_takes};
use crate::moves;
use crate::op::{NO_EDGE, Op, Special};

impl<'p> Decoder<'p> {
    pub fn terminator(&mut self, terminator: &'p Terminator, block: &Block) {
        match terminator {
            Terminator::Jump(edge) => {
                let edge = self.edge(edge);
                self.emit(Op::Jump { edge });
            }
            Terminator::Branch { cond, then, otherwise } => {
                let edge = self.edge(then);
                self.edge(otherwise);
                self.branch(*cond, edge, block);
            }
            Terminator::Switch { value, signed, cases, default } => {
                let scalar = self.scalar(*value);
                let mut rows: Vec<(i128, i128, u32)> =
                    cases.iter().map(|case| (case.low, case.high, self.edge(&case.edge))).collect();
                rows.sort_unstable();
                let default = self.edge(default);
                let dense = dense(&rows, default, scalar);
                self.code.switches.push(SwitchCode {
                    scalar,
                    signed: *signed,
                    cases: rows,
                    default,
                    dense,
                });
                let table = (self.code.switches.len() - 1) as u32;
                let value = self.reg(*value);
                self.emit(Op::Switch { value, table });
            }
            Terminator::Indirect { target, edges } => self.indirect(*target, edges),
            Terminator::Return(None) => self.emit(Op::Return),
            Terminator::Return(Some(value)) => {
                let wide = is_wide(self.scalar(*value));
                let value = self.reg(*value);
                self.emit(if wide { Op::ReturnWide { value } } else { Op::ReturnValue { value } });
            }
            Terminator::Unreachable(why) => self.special(match why {
                Unreachable::Noreturn => Special::Returned,
                Unreachable::Trap => Special::Trap,
                Unreachable::Promised => Special::Promised,
            }),
        }
    }

    fn branch(&mut self, cond: ValueId, edge: u32, block: &Block) {
        let melted = self
            .body
            .definition(cond)
            .filter(|&id| id >= block.first && id < block.end && self.melts_into_branch(id));
        if let Some(id) = melted
            && let Inst::Compare { op, lhs, rhs } = self.body.insts[id]
            && let Some(test) = test(op, self.scalar(lhs))
        {
            let left = self.reg(lhs);
            match self.small(rhs).filter(|&imm| test_takes(test, imm)) {
                Some(imm) => self.emit(Op::BranchIfImm { test, lhs: left, imm, edge }),
                None => {
                    let rhs = self.reg(rhs);
                    self.emit(Op::BranchIf { test, lhs: left, rhs, edge });
                }
            }
            return;
        }
        let cond = self.reg(cond);
        self.emit(Op::Branch { cond, edge });
    }

    fn indirect(&mut self, target: ValueId, edges: &'p [Edge]) {
        let first = self.addresses.functions[self.function as usize].bits + 1;
        let mut rows = Vec::with_capacity(self.body.labels.len());
        for &(_, block) in &self.body.labels {
            let edge = edges.iter().find(|edge| edge.to == block);
            rows.push(edge.map_or(NO_EDGE, |edge| self.edge(edge)));
        }
        self.code.gotos.push((first, rows));
        let table = (self.code.gotos.len() - 1) as u32;
        let target = self.reg(target);
        self.emit(Op::Goto { target, table });
    }

    fn edge(&mut self, edge: &Edge) -> u32 {
        let params = &self.body.blocks[edge.to].params;
        let mut pairs = Vec::with_capacity(params.len());
        let mut sets = Vec::new();
        for (&param, &arg) in params.iter().zip(&edge.args) {
            let (to, from) = (self.reg(param), self.reg(arg));
            pairs.push((to, from));
            if is_wide(self.scalar(param)) {
                pairs.push((to + 1, from + 1));
            }
            if let Some(var) = self.body.values[param].var {
                sets.push((var.0, to));
            }
        }
        let first_move = self.code.moves.len() as u32;
        moves::sequence(pairs, self.scratch, &mut self.code.moves);
        let end_move = self.code.moves.len() as u32;
        let weight = self.weight(edge.to);
        self.code.edges.push(EdgeCode { pc: 0, first_move, end_move, weight, block: edge.to.0 });
        self.edge_blocks.push(edge.to);
        if self.watch {
            self.code.edge_sets.push(sets);
        }
        (self.code.edges.len() - 1) as u32
    }

    pub fn weight(&self, block: BlockId) -> u32 {
        let row = &self.body.blocks[block];
        row.end.0 - row.first.0 + 1
    }
}

fn dense(rows: &[(i128, i128, u32)], default: u32, scalar: Scalar) -> Option<(i64, Vec<u32>)> {
    if is_wide(scalar) {
        return None;
    }
    let (low, high) = (rows.first()?.0, rows.last()?.1);
    let span = usize::try_from(high.checked_sub(low)?).ok()?;
    if span > 8 * rows.len() + 64 {
        return None;
    }
    let mut table = vec![default; span + 1];
    for &(from, to, edge) in rows {
        table[(from - low) as usize..=(to - low) as usize].fill(edge);
    }
    Some((i64::try_from(low).ok()?, table))
}
