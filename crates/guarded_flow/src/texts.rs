//! Comparisons of one text with literals (switch `correlated`): what is equal to one literal is
//! equal to no other.

use caulk_guard::AtomId;
use caulk_ir::{CompareOp, Constant, Inst, ObjectId, ObjectKind, Terminator, ValueId};
use caulk_program::InstanceId;

use crate::world::World;

/// A text, and a literal that it is compared with.
type Pair = (ValueId, ObjectId);

/// What `strcmp (text, "…") == 0` compares, and whether the condition holds if they are equal.
pub(crate) fn compared(world: &World, instance: InstanceId, cond: ValueId) -> Option<(Pair, bool)> {
    let body = world.memory().body(instance);
    let Inst::Compare { op, lhs, rhs } = body.insts[body.definition(cond)?] else { return None };
    let holds = match op {
        CompareOp::Eq => true,
        CompareOp::Ne => false,
        _ => return None,
    };
    let Inst::Call(call) = body.insts[body.definition(lhs)?] else { return None };
    let is_zero = body.constant(rhs) == Some(Constant::Int(0));
    if !is_zero || world.places().callee(instance, call) != "strcmp" {
        return None;
    }
    let [one, other] = &body.calls[call].args[..] else { return None };
    let literal = |value| literal(world, instance, value);
    let pair = literal(other.value).map(|it| (one.value, it));
    let pair = pair.or_else(|| Some((other.value, literal(one.value)?)))?;
    Some((pair, holds))
}

fn literal(world: &World, instance: InstanceId, value: ValueId) -> Option<ObjectId> {
    let Some(Constant::Object(object)) = world.memory().body(instance).constant(value) else {
        return None;
    };
    let kind = world.places().module(instance).objects[object].kind;
    (kind == ObjectKind::StringLiteral).then_some(object)
}

/// The branches that are decided where the texts are equal to the literals.
pub(crate) fn other_texts(
    world: &World,
    instance: InstanceId,
    equal: &[Pair],
) -> Vec<(AtomId, bool)> {
    if equal.is_empty() {
        return Vec::new();
    }
    let objects = &world.places().module(instance).objects;
    let differs = |(text, literal): Pair| {
        let differ = |a: ObjectId, b: ObjectId| objects[a].init != objects[b].init;
        equal.iter().any(|&(known, held)| known == text && differ(held, literal))
    };
    let proc = world.memory().input().instances.proc(instance);
    let blocks = world.memory().body(instance).blocks.iter();
    let decided = blocks.filter_map(|(block, row)| {
        let Terminator::Branch { cond, .. } = row.terminator else { return None };
        let (pair, holds) = compared(world, instance, cond)?;
        differs(pair).then(|| world.outcome(proc, block, !holds))?
    });
    decided.collect()
}
