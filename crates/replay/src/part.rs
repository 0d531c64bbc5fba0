//! Whether a function makes an object for its caller to have, or as a part of another that it makes.

use caulk_base::FxHashSet;
use caulk_ir::{Body, Inst, InstId, Terminator, ValueId, ValueKind};

/// Whether what a call gives is not returned, and put into memory that another call gave.
pub fn is_part(body: &Body, call: InstId) -> bool {
    let Some(made) = body.results[call] else { return false };
    let is_returned = body.blocks.rows().iter().any(|block| match block.terminator {
        Terminator::Return(Some(value)) => origins(body, value, Way::Copies).contains(&made),
        _ => false,
    });
    let is_inside = body.insts.rows().iter().any(|inst| match *inst {
        Inst::Store { to, value, .. } => {
            origins(body, value, Way::Copies).contains(&made) && is_made(body, to, made)
        }
        _ => false,
    });
    is_inside && !is_returned
}

/// Whether an address is in something that a call gave, other than `except`.
fn is_made(body: &Body, address: ValueId, except: ValueId) -> bool {
    let origins = origins(body, address, Way::Objects);
    origins
        .into_iter()
        .filter(|&it| it != except)
        .any(|it| body.definition(it).is_some_and(|inst| matches!(body.insts[inst], Inst::Call(_))))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The same value.
    Copies,
    /// An address in the same object.
    Objects,
}

/// The values that a value may have come from, and itself.
fn origins(body: &Body, value: ValueId, way: Way) -> FxHashSet<ValueId> {
    let mut seen = FxHashSet::default();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if seen.insert(value) {
            before(body, value, way, &mut open);
        }
    }
    seen
}

fn before(body: &Body, value: ValueId, way: Way, into: &mut Vec<ValueId>) {
    match body.values[value].kind {
        ValueKind::Inst(inst) => into.extend(match body.insts[inst] {
            Inst::Convert { value, .. } => Some(value),
            Inst::Field { base, .. } | Inst::Index { base, .. } if way == Way::Objects => {
                Some(base)
            }
            _ => None,
        }),
        ValueKind::BlockParam(block, number) => {
            let edges = body.blocks.rows().iter().flat_map(|it| it.terminator.edges());
            let edges = edges.filter(|edge| edge.to == block);
            into.extend(edges.filter_map(|edge| edge.args.get(number as usize).copied()));
        }
        ValueKind::Param(_) | ValueKind::Const(_) => {}
    }
}
