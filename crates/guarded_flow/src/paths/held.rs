//! Whether something still has the object where the outermost function returns.

use caulk_base::BitSet;
use caulk_ir::{BlockId, Inst, InstId, ValueId};
use caulk_program::InstanceId;
use caulk_ssa::Graph;

use super::state::State;
use super::value::{Base, Origin, Terms, Val};
use crate::world::World;

/// Who has the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Nobody.
    Lost,
    /// Who calls: the result, or memory behind arguments.
    ByCaller,
    /// Memory that lives on.
    ForGood,
}

pub(super) fn held(world: &World, terms: &Terms, state: &State, result: Option<Val>) -> Held {
    if result.is_some_and(|it| terms.is_object(it) || terms.is_maybe_object(it)) {
        return Held::ByCaller;
    }
    let (mut is_alive, mut by_caller) = (false, false);
    for root in state.holders(terms) {
        let returned = result.is_some_and(|it| terms.root(it) == root);
        if state.released.contains(&root) {
            continue;
        }
        let is_handed = state.handed.contains(&root);
        match root {
            _ if returned => by_caller = true,
            Base::Static(_) => return Held::ForGood,
            Base::Slot(..) | Base::Object | Base::Number => {}
            Base::Term(_) => match terms.origin(root) {
                Some(Origin::Given) => by_caller = true,
                Some(Origin::Local(instance, value)) => {
                    is_alive |= is_handed || is_handed_on(world, state, instance, value);
                }
                Some(Origin::Made) => is_alive |= is_handed,
                _ => return Held::ForGood,
            },
        }
    }
    match by_caller {
        true => Held::ByCaller,
        false if is_alive => Held::ForGood,
        false => Held::Lost,
    }
}

/// Whether others may have a value of a function since before the path began: it was stored, passed
/// on, or joined.
fn is_handed_on(world: &World, state: &State, instance: InstanceId, value: ValueId) -> bool {
    let facts = world.memory().facts(instance);
    let body = facts.body();
    let starts = state.starts.iter().filter(|it| it.0 == instance).map(|it| it.1);
    let starts: Vec<InstId> = starts.collect();
    if body.definition(value).is_none() {
        return true;
    }
    let uses = body.insts.iter().filter(|(_, inst)| match **inst {
        Inst::Store { value: stored, .. } => stored == value,
        Inst::Call(call) => body.calls[call].args.iter().any(|arg| arg.value == value),
        _ => false,
    });
    let is_before = |inst: InstId| {
        starts.iter().any(|&start| {
            precedes(facts.cfg().graph(), facts.block_of(inst), inst, facts.block_of(start), start)
        })
    };
    let joins =
        |block: &caulk_ir::Block| block.terminator.edges().any(|edge| edge.args.contains(&value));
    uses.into_iter().any(|(inst, _)| is_before(inst)) || body.blocks.rows().iter().any(joins)
}

/// Whether control may come from one instruction to another.
fn precedes(
    graph: &Graph<BlockId>,
    from: BlockId,
    inst: InstId,
    to: BlockId,
    start: InstId,
) -> bool {
    if from == to && inst < start {
        return true;
    }
    let mut seen = BitSet::new(graph.node_count());
    let mut work: Vec<BlockId> = graph.successors(from).to_vec();
    while let Some(block) = work.pop() {
        if block == to {
            return true;
        }
        if seen.insert(block) {
            work.extend(graph.successors(block));
        }
    }
    false
}
