//! Values that are counts: sums, differences of pointers, and results of functions that return
//! nothing else. A function that returns a count, or a number below 0 when it fails, does not return
//! that number by counting.

use caulk_ir::{BinaryOp, Body, Constant, Inst, Terminator, ValueId, ValueKind};
use caulk_pointer::Target;
use caulk_program::InstanceId;

use super::value::{Base, Origin, Term, Terms, Val};
use crate::world::World;

/// Values that are looked at for what a function returns.
const PARTS: usize = 24;

/// Functions that return what the next one counted.
const DEEP: u32 = 2;

pub(super) fn is_count(world: &World, terms: &Terms, mut val: Val) -> bool {
    while let Base::Term(id) = val.base {
        match terms.get(id) {
            Term::Binary(op, ..) => return counts(op),
            Term::Unknown(_, Origin::Local(instance, value)) => {
                return is_counted(world, instance, vec![value], DEEP);
            }
            Term::Convert(_, _, inner) => val = inner,
            _ => return false,
        }
    }
    false
}

/// Whether some of the numbers that a function returns are below 0.
pub(super) fn returns_below_zero(body: &Body) -> bool {
    parts(body, returned(body)).iter().any(|&it| number(body, it).is_some_and(|it| it < 0))
}

fn counts(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::AddS | BinaryOp::PtrDiff)
}

fn number(body: &Body, value: ValueId) -> Option<i64> {
    match body.values[value].kind {
        ValueKind::Const(Constant::Int(number)) => Some(number),
        _ => None,
    }
}

/// Whether variables are only counted, from numbers that are not below 0.
fn is_counted(world: &World, instance: InstanceId, values: Vec<ValueId>, depth: u32) -> bool {
    let body = world.memory().body(instance);
    parts(body, values).into_iter().all(|value| match body.values[value].kind {
        ValueKind::BlockParam(..) => true,
        ValueKind::Const(_) => number(body, value).is_some_and(|it| it >= 0),
        ValueKind::Inst(inst) => match body.insts[inst] {
            Inst::Binary { op, .. } => counts(op),
            Inst::Convert { .. } => true,
            Inst::Call(call) => match *world.memory().input().points_to.callees(instance, call) {
                [Target::Instance(callee)] => depth > 0 && returns_count(world, callee, depth - 1),
                _ => false,
            },
            _ => false,
        },
        ValueKind::Param(_) => false,
    })
}

fn returns_count(world: &World, callee: InstanceId, depth: u32) -> bool {
    let values = returned(world.memory().body(callee));
    !values.is_empty() && is_counted(world, callee, values, depth)
}

fn returned(body: &Body) -> Vec<ValueId> {
    let returned = body.blocks.rows().iter().filter_map(|row| match row.terminator {
        Terminator::Return(value) => value,
        _ => None,
    });
    returned.collect()
}

/// The values that joins bring together in some values, what is converted into them, and those
/// themselves.
fn parts(body: &Body, mut work: Vec<ValueId>) -> Vec<ValueId> {
    let mut next = 0;
    while let Some(&value) = work.get(next).filter(|_| next < PARTS) {
        next += 1;
        let new = before(body, value).into_iter().filter(|it| !work.contains(it));
        let new: Vec<ValueId> = new.collect();
        work.extend(new);
    }
    work
}

fn before(body: &Body, value: ValueId) -> Vec<ValueId> {
    match body.values[value].kind {
        ValueKind::BlockParam(block, index) => {
            let edges = body.blocks.rows().iter().flat_map(|row| row.terminator.edges());
            edges.filter(|edge| edge.to == block).map(|it| it.args[index as usize]).collect()
        }
        ValueKind::Inst(inst) => match body.insts[inst] {
            Inst::Convert { value, .. } => vec![value],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
