//! The functions that a program installs in static pointers: by their names, or by a function of its own
//! that is given them.

use caulk_ir::{Body, Constant, Inst, InstId, RelocationTarget, ValueId, ValueKind};

use crate::world::World;

/// Functions through which a value is followed back to the calls that pass it.
const DEEPEST: u32 = 3;
const POINTER_BYTES: u32 = 8;

/// What a static pointer to a function may point to.
#[derive(Debug, Default)]
pub struct Hook {
    pub functions: Vec<u32>,
    /// Whether it may be something else.
    pub is_open: bool,
}

/// What the program installs at an offset of a static object.
pub fn hook(world: &World, object: u32, at: i64) -> Hook {
    let is_open = world.stores.is_leaked(object, at, POINTER_BYTES);
    let mut hook = Hook { functions: Vec::new(), is_open };
    let row = &world.program.objects[object as usize];
    let init = world.program.modules[row.module].objects[row.id].init.iter();
    for relocation in init.flat_map(|init| &init.relocations) {
        if let (RelocationTarget::Function(id), true) =
            (relocation.target, relocation.offset as i64 == at)
        {
            hook.add(world.program.function_number(row.module, id));
        }
    }
    for store in world.stores.of(object, at, POINTER_BYTES) {
        let value = world.program.body(store.function).and_then(|body| stored(body, store.inst));
        match value {
            Some(value) => hook.follow(world, store.function, value, DEEPEST),
            None => hook.is_open = true,
        }
    }
    hook
}

fn stored(body: &Body, inst: InstId) -> Option<ValueId> {
    match body.insts[inst] {
        Inst::Store { value, .. } => Some(value),
        _ => None,
    }
}

impl Hook {
    fn add(&mut self, function: u32) {
        if !self.functions.contains(&function) {
            self.functions.push(function);
        }
    }

    /// Adds what a value of a function may be.
    fn follow(&mut self, world: &World, function: u32, value: ValueId, depth: u32) {
        let program = &world.program;
        let Some(body) = program.body(function) else { return };
        match body.values[value].kind {
            ValueKind::Const(Constant::Function(id)) => {
                let module = program.functions[function as usize].module;
                self.add(program.function_number(module, id));
            }
            ValueKind::Const(Constant::Int(0)) => {}
            ValueKind::Param(number) if body.params.contains(&value) && depth > 0 => {
                self.is_open |= world.callers.of(function).is_none();
                for &(caller, call) in world.callers.by_name(function) {
                    match passed(world, caller, call, number) {
                        Some(arg) => self.follow(world, caller, arg, depth - 1),
                        None => self.is_open = true,
                    }
                }
            }
            _ => self.is_open = true,
        }
    }
}

fn passed(world: &World, caller: u32, call: InstId, number: u32) -> Option<ValueId> {
    let body = world.program.body(caller)?;
    let Inst::Call(call) = body.insts[call] else { return None };
    body.calls[call].args.get(number as usize).map(|arg| arg.value)
}
