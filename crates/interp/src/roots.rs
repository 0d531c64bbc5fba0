//! The source variables that an activation still holds in registers, where it stands.
//!
//! Which value each variable has is a forward data-flow question over `Set` and the block
//! parameters that are versions of variables; it is asked only when the heap is marked.

use caulk_base::{FxHashMap, Id};
use caulk_ir::{Block, BlockId, Body, Edge, Inst, InstId, ValueId, VarId};

use crate::decode::is_wide;
use crate::machine::Machine;
use crate::value::Value;

type Held = FxHashMap<VarId, ValueId>;

impl Machine<'_> {
    /// The values of the variables that live in registers.
    pub fn variables(&self, depth: usize) -> Vec<Value> {
        let frame = &self.frames[depth];
        if self.watch {
            return frame.held.iter().map(|&origin| Value::pointer(0, origin)).collect();
        }
        let Some(body) = self.program.body(frame.function) else { return Vec::new() };
        let Some(stands) = frame.code.insts.get(frame.pc.saturating_sub(1)).copied() else {
            return Vec::new();
        };
        let held = held_at(body, stands);
        let value = |&value: &ValueId| {
            let reg = *frame.code.value_regs.get(value.index())?;
            let at = frame.base + reg as usize;
            (!is_wide(body.values[value].scalar)).then(|| self.regs.get(at).copied()).flatten()
        };
        held.values().filter_map(value).collect()
    }
}

/// What each variable holds just before this instruction.
fn held_at(body: &Body, stands: InstId) -> Held {
    let mut entry: Vec<Option<Held>> = vec![None; body.blocks.len()];
    entry[0] = Some(Held::default());
    let mut todo = vec![BlockId::ENTRY];
    while let Some(id) = todo.pop() {
        let Some(mut held) = entry[id.index()].clone() else { continue };
        let block = &body.blocks[id];
        step(body, block, block.end, &mut held);
        for edge in block.terminator.edges() {
            let arriving = along(body, edge, &held);
            if meet(&mut entry[edge.to.index()], arriving) {
                todo.push(edge.to);
            }
        }
    }
    let at = body.blocks.rows().partition_point(|block| block.end <= stands);
    let Some(block) = body.blocks.rows().get(at) else { return Held::default() };
    let mut held = entry[at].clone().unwrap_or_default();
    step(body, block, stands, &mut held);
    held
}

fn step(body: &Body, block: &Block, end: InstId, held: &mut Held) {
    for id in block.insts().take_while(|&id| id < end) {
        match body.insts[id] {
            Inst::Set { var, value } => {
                held.insert(var, value);
            }
            Inst::ScopeEnd(scope) => held.retain(|&var, _| body.vars[var].scope != scope),
            _ => {}
        }
    }
}

fn along(body: &Body, edge: &Edge, held: &Held) -> Held {
    let mut arriving = held.clone();
    for &param in &body.blocks[edge.to].params {
        if let Some(var) = body.values[param].var {
            arriving.insert(var, param);
        }
    }
    arriving
}

/// Keeps what both agree on; true if that changed something.
fn meet(known: &mut Option<Held>, arriving: Held) -> bool {
    let Some(held) = known else {
        *known = Some(arriving);
        return true;
    };
    let before = held.len();
    held.retain(|var, value| arriving.get(var) == Some(value));
    held.len() != before
}
