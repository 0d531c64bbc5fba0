//! What an edge does to the carriers of an object: parameters of blocks get their values,
//! temporaries that the target does not read die, and a test for NULL may tell that there is no
//! object (K4).

use caulk_ir::{BlockId, CompareOp, Constant, Edge, Inst, Terminator, ValueId};

use crate::holders_carriers::Carrier;
use crate::holders_step::{NEW, OTHER, State, Step};

impl Step<'_, '_, '_> {
    pub fn along(&self, block: BlockId, nth: usize, edge: &Edge, state: &State) -> State {
        let body = self.body();
        let mut after = state.clone();
        if state.exists && self.is_null_edge(block, nth, state) {
            after.forget();
        }
        body.blocks[edge.to].params.iter().for_each(|&param| self.redefine(param, &mut after));
        for (&param, &arg) in body.blocks[edge.to].params.iter().zip(&edge.args) {
            let bits = if after.exists { self.value_bits(state, arg) } else { OTHER };
            if let Some(at) = self.carriers.value(param) {
                after.bits[at] = bits;
            }
            if let Some(at) = body.values[param].var.and_then(|var| self.carriers.variable(var)) {
                after.bits[at] = bits;
                after.current[at] = Some(param);
            }
        }
        for (at, &carrier) in self.carriers.rows.iter().enumerate() {
            if let Carrier::Value(value) = carrier
                && !self.carriers.is_live_at(edge.to, at)
                && !body.blocks[edge.to].params.contains(&value)
            {
                after.bits[at] = OTHER;
            }
        }
        after
    }

    /// Whether the edge is taken only if a value that must hold the object's address is NULL.
    fn is_null_edge(&self, block: BlockId, nth: usize, state: &State) -> bool {
        let body = self.body();
        let Terminator::Branch { cond, .. } = body.blocks[block].terminator else { return false };
        let Some(Inst::Compare { op, lhs, rhs }) = body.definition(cond).map(|it| body.insts[it])
        else {
            return false;
        };
        let null = |value| body.constant(value) == Some(Constant::Int(0));
        let tested = if null(rhs) { lhs } else { rhs };
        let taken = match op {
            CompareOp::Eq => nth == 0,
            CompareOp::Ne => nth == 1,
            _ => return false,
        };
        taken && (null(lhs) || null(rhs)) && self.must_be(state, tested)
    }

    fn must_be(&self, state: &State, value: ValueId) -> bool {
        let is_current =
            |(at, bits): (usize, &u8)| *bits == NEW && state.current[at] == Some(value);
        self.value_bits(state, value) == NEW || state.bits.iter().enumerate().any(is_current)
    }
}
