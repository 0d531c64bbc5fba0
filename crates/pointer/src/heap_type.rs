//! The C type of what an allocation makes, from how the program declares what receives it.
//!
//! `struct pair *p = malloc(n)`, `s->name = malloc(n)` and `return malloc(n)` in a function that
//! returns `char *` tell the type; a wrapper that returns `void *` leaves it to its caller. The
//! object is then an array of that type: offsets fold into the first element, so that a text
//! buffer is one location however it is walked through. A wrong guess costs precision and no
//! soundness: every access to the object is folded in the same way.

use caulk_ir::{
    Body, CallId, Constant, Inst, InstId, Module, Terminator, Type, TypeId, ValueId, ValueKind,
};
use caulk_program::{InstanceId, ModuleId};

use crate::Input;
use crate::layout;

type Known = Option<(ModuleId, TypeId)>;

/// The element type of what the call returns.
pub(crate) fn of_result(input: Input, instance: InstanceId, call: CallId) -> Known {
    let proc = input.instances.proc(instance);
    let id = input.program.procs[proc].module;
    let body = input.program.body(proc);
    let place = Place { module: &input.program.modules[id], body };
    let inst = body.insts.iter().find(|(_, inst)| **inst == Inst::Call(call))?.0;
    let result = body.results[inst]?;
    let signature = input.program.function(proc).signature;
    let returned = place.module.types.signatures[signature].result;
    let names_type = place.pointee(returned).is_some();
    let is_returned = place.is_returned(result);
    let from_caller = || {
        let (caller, call) = input.instances.rows[instance].made_for?;
        of_result(input, caller, call)
    };
    if is_returned && !names_type {
        from_caller().or_else(|| place.received(result).map(|ty| (id, ty)))
    } else {
        let own = place.received(result);
        own.or(place.pointee(returned).filter(|_| is_returned)).map(|ty| (id, ty))
    }
}

/// The element type of what the call leaves at `*arg`, by the declared parameter.
pub(crate) fn of_argument(input: Input, instance: InstanceId, call: CallId, arg: u32) -> Known {
    let proc = input.instances.proc(instance);
    let id = input.program.procs[proc].module;
    let body = input.program.body(proc);
    let place = Place { module: &input.program.modules[id], body };
    let signature = &place.module.types.signatures[body.calls[call].signature];
    let pointer = layout::pointee(place.module, *signature.params.get(arg as usize)?)?;
    place.pointee(pointer).map(|ty| (id, ty))
}

struct Place<'a> {
    module: &'a Module,
    body: &'a Body,
}

impl Place<'_> {
    /// What a pointer type points to, if that has a size.
    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        layout::pointee(self.module, ty).and_then(|to| layout::informative(self.module, to))
    }

    /// By the variable, field or global that the value is first assigned to.
    fn received(&self, value: ValueId) -> Option<TypeId> {
        let named = |value: ValueId| {
            let var = self.body.values[value].var?;
            self.pointee(self.body.vars[var].ty)
        };
        named(value).or_else(|| self.stored(value)).or_else(|| self.passed(value).and_then(named))
    }

    fn stored(&self, value: ValueId) -> Option<TypeId> {
        self.body.insts.rows().iter().find_map(|inst| match *inst {
            Inst::Store { to, value: stored, .. } if stored == value => self.at_address(to),
            _ => None,
        })
    }

    /// What a pointer that is kept at the address points to.
    fn at_address(&self, address: ValueId) -> Option<TypeId> {
        let ty = match self.body.values[address].kind {
            ValueKind::Const(Constant::Slot(slot)) => self.body.slots[slot].ty,
            ValueKind::Const(Constant::Object(object)) => self.module.objects[object].ty,
            ValueKind::Inst(inst) => self.field(inst)?,
            _ => return None,
        };
        self.pointee(ty)
    }

    fn field(&self, inst: InstId) -> Option<TypeId> {
        match self.body.insts[inst] {
            Inst::Field { field: Some((record, index)), .. } => {
                Some(self.module.types.records[record].fields[index as usize].ty)
            }
            // An element of an array of pointers.
            Inst::Index { base, .. } => match self.body.values[base].kind {
                ValueKind::Const(Constant::Object(object)) => {
                    self.element(self.module.objects[object].ty)
                }
                ValueKind::Const(Constant::Slot(slot)) => self.element(self.body.slots[slot].ty),
                _ => {
                    let var = self.body.values[base].var?;
                    layout::pointee(self.module, self.body.vars[var].ty)
                }
            },
            _ => None,
        }
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.module.types.types[ty] {
            Type::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The block parameter that the value becomes, as after `p ? p : other`.
    fn passed(&self, value: ValueId) -> Option<ValueId> {
        self.body.blocks.rows().iter().flat_map(|block| block.terminator.edges()).find_map(|edge| {
            let at = edge.args.iter().position(|&arg| arg == value)?;
            Some(self.body.blocks[edge.to].params[at])
        })
    }

    fn is_returned(&self, value: ValueId) -> bool {
        let passed = self.passed(value);
        self.body.blocks.rows().iter().any(|block| match block.terminator {
            Terminator::Return(Some(it)) => it == value || Some(it) == passed,
            _ => false,
        })
    }
}
