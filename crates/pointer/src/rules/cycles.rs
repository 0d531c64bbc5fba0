//! Which pointer steps of a body are repeated: those whose result reaches their own base.

use caulk_base::FxHashSet;
use caulk_ir::{Body, Constant, Inst, InstId, ValueId};
use caulk_ssa::{Graph, Sccs};

#[derive(Default)]
pub(super) struct Cycles {
    repeated: FxHashSet<InstId>,
}

impl Cycles {
    pub(super) fn new(body: &Body) -> Self {
        let steps: Vec<InstId> =
            body.insts.iter().filter(|(_, inst)| is_step(body, inst)).map(|(id, _)| id).collect();
        if steps.is_empty() || body.blocks.rows().iter().all(|block| block.params.is_empty()) {
            return Self::default();
        }
        let sccs = Sccs::new(&Graph::new(body.values.len(), ValueId(0), &flows(body)));
        let in_cycle = |&id: &InstId| {
            body.results[id].is_some_and(|result| sccs.is_cyclic(sccs.component(result)))
        };
        Self { repeated: steps.into_iter().filter(in_cycle).collect() }
    }

    pub(super) fn contains(&self, inst: InstId) -> bool {
        self.repeated.contains(&inst)
    }
}

fn is_step(body: &Body, inst: &Inst) -> bool {
    let Inst::Index { index, stride: 1 | -1, .. } = *inst else { return false };
    matches!(body.constant(index), Some(Constant::Int(_)))
}

/// From each value to those computed from it, as far as addresses go.
fn flows(body: &Body) -> Vec<(ValueId, ValueId)> {
    let mut edges = Vec::new();
    for (id, inst) in body.insts.iter() {
        let Some(to) = body.results[id] else { continue };
        match *inst {
            Inst::Field { base, .. } | Inst::Index { base, .. } => edges.push((base, to)),
            Inst::Convert { value, .. } => edges.push((value, to)),
            Inst::Binary { lhs, rhs, .. } => edges.extend([(lhs, to), (rhs, to)]),
            _ => {}
        }
    }
    for edge in body.blocks.rows().iter().flat_map(|block| block.terminator.edges()) {
        let params = &body.blocks[edge.to].params;
        edges.extend(edge.args.iter().copied().zip(params.iter().copied()));
    }
    edges
}
