//! Parameters that a function uses the memory of, or ends the process without, on every way to its
//! return: they are not NULL behind the call.

use std::sync::OnceLock;

use caulk_base::{BitSet, Table};
use caulk_ir::{BlockId, Body, CallId, Inst, Terminator, ValueId};
use caulk_pointer::Target;
use caulk_program::{InstanceId, ProcId};

use crate::before::equal;
use crate::meetings::ending;
use crate::statuses::base;
use crate::world::World;

/// Functions that pass a parameter on, one to the next.
const DEEP: u32 = 3;

/// Made when the first path asks.
pub(crate) struct Needs {
    rows: Table<ProcId, OnceLock<Vec<bool>>>,
}

impl Needs {
    pub fn new(procs: usize) -> Self {
        Self { rows: (0..procs).map(|_| OnceLock::new()).collect() }
    }

    /// Of each parameter.
    pub fn of(&self, world: &World, callee: InstanceId) -> &[bool] {
        let proc = world.memory().input().instances.proc(callee);
        self.rows[proc].get_or_init(|| needs(world, callee, DEEP))
    }
}

fn needs(world: &World, instance: InstanceId, depth: u32) -> Vec<bool> {
    let body = world.memory().body(instance);
    let mut needed = vec![false; body.params.len()];
    let ending = ending(world, instance);
    for block in always_passed(world, instance, &ending) {
        for inst in body.blocks[block].insts() {
            match body.insts[inst] {
                Inst::Load { from: at, .. } | Inst::Store { to: at, .. } => {
                    note(body, &mut needed, base(body, at));
                }
                Inst::Call(call) if depth > 0 => {
                    let passed = passed_on(world, instance, call, depth - 1);
                    passed.into_iter().for_each(|value| note(body, &mut needed, value));
                }
                _ => {}
            }
        }
        let terminator = &body.blocks[block].terminator;
        let Terminator::Branch { cond, .. } = *terminator else { continue };
        for (slot, _) in terminator.edges().enumerate().filter(|it| ending.contains(it.1.to)) {
            if let Some((value, 0)) = equal(body, cond, slot == 0) {
                note(body, &mut needed, value);
            }
        }
    }
    needed
}

fn note(body: &Body, needed: &mut [bool], value: ValueId) {
    if let Some(index) = body.params.iter().position(|&param| param == value) {
        needed[index] = true;
    }
}

/// The blocks on every way to a return.
fn always_passed(world: &World, instance: InstanceId, ending: &BitSet<BlockId>) -> Vec<BlockId> {
    let facts = world.memory().facts(instance);
    let dominators = facts.cfg().dominators();
    let rows = facts.body().blocks.iter();
    let mut returns = rows.filter(|(block, row)| {
        let returns = matches!(row.terminator, Terminator::Return(_));
        returns && !ending.contains(*block) && facts.cfg().is_reachable(*block)
    });
    let Some((first, _)) = returns.next() else { return Vec::new() };
    let others: Vec<BlockId> = returns.map(|it| it.0).collect();
    let mut found = Vec::new();
    let mut next = Some(first);
    while let Some(block) = next {
        if others.iter().all(|&it| dominators.dominates(block, it)) {
            found.push(block);
        }
        next = dominators.immediate(block);
    }
    found
}

/// The arguments of a call that are not NULL behind it.
fn passed_on(world: &World, instance: InstanceId, call: CallId, depth: u32) -> Vec<ValueId> {
    let memory = world.memory();
    let &[Target::Instance(callee)] = memory.input().points_to.callees(instance, call) else {
        return Vec::new();
    };
    let args = memory.body(instance).calls[call].args.iter().map(|arg| arg.value);
    let is_own = |value: ValueId| memory.body(instance).params.contains(&value);
    if !args.clone().any(is_own) {
        return Vec::new();
    }
    let needed = needs(world, callee, depth);
    args.zip(needed).filter(|it| it.1).map(|it| it.0).collect()
}
