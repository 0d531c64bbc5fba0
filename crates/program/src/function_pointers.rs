//! Whom calls through pointers reach, cheaply: by the struct field or global that the pointer is
//! kept in.
//!
//! Every function that is ever put into a field, by an initialiser or by a store, may be called
//! through that field of any object of the type. That finds the tables of allocators that
//! programs call `malloc` through, before points-to needs to know about them; a pointer that
//! comes another way is not followed. An under-estimate that decides only what is worth a copy.

use caulk_base::FxHashMap;
use caulk_ir::{
    Body, Callee, Constant, FunctionId, Inst, Module, RecordId, RelocationTarget, Type, TypeId,
    ValueId, ValueKind,
};

use crate::program::{Binding, ModuleId, ProcId, Program, StaticId};
use crate::wrappers::IndirectTargets;

/// Where function pointers are kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Home {
    /// A field of all structs of a name.
    Field(String, u32),
    /// A field of a struct without a name.
    Anonymous(ModuleId, RecordId, u32),
    Global(StaticId),
}

type Kept = FxHashMap<Home, Vec<(ModuleId, FunctionId)>>;

#[must_use]
pub fn indirect_targets(program: &Program) -> IndirectTargets {
    let mut kept = Kept::default();
    for (id, module) in program.modules.iter() {
        from_initialisers(program, id, module, &mut kept);
    }
    for proc in program.procs.ids() {
        from_stores(program, proc, &mut kept);
    }
    let mut targets = IndirectTargets::default();
    for proc in program.procs.ids() {
        resolve(program, proc, &kept, &mut targets);
    }
    targets.procs.values_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    targets.externals.values_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    targets
}

fn from_initialisers(program: &Program, id: ModuleId, module: &Module, kept: &mut Kept) {
    for (object, row) in module.objects.iter() {
        for relocation in row.init.iter().flat_map(|init| &init.relocations) {
            let RelocationTarget::Function(function) = relocation.target else { continue };
            let home = match field_at(module, row.ty, relocation.offset) {
                Some((record, field)) => field_home(id, module, record, field),
                None => Home::Global(program.static_of(id, object)),
            };
            kept.entry(home).or_default().push((id, function));
        }
    }
}

/// The innermost field that lies at an offset of a type.
fn field_at(module: &Module, ty: TypeId, offset: u64) -> Option<(RecordId, u32)> {
    match module.types.types[ty] {
        Type::Array { element, .. } => {
            let size = size_of(module, element).filter(|&size| size > 0)?;
            field_at(module, element, offset % size)
        }
        Type::Record(id) => {
            let fields = &module.types.records[id].fields;
            let after = fields.partition_point(|field| field.offset <= offset);
            let index = after.checked_sub(1)?;
            let inner = field_at(module, fields[index].ty, offset - fields[index].offset);
            inner.or(Some((id, index as u32)))
        }
        _ => None,
    }
}

fn size_of(module: &Module, ty: TypeId) -> Option<u64> {
    match module.types.types[ty] {
        Type::Array { element, len } => size_of(module, element)?.checked_mul(len?),
        Type::Record(id) => Some(module.types.records[id].size),
        _ => {
            let scalar = module.types.scalar(ty)?;
            Some(u64::from(scalar.bytes(module.target.pointer_bytes)))
        }
    }
}

fn field_home(id: ModuleId, module: &Module, record: RecordId, field: u32) -> Home {
    match module.types.records[record].name {
        Some(name) => Home::Field(module.names.text(name).to_string(), field),
        None => Home::Anonymous(id, record, field),
    }
}

fn from_stores(program: &Program, proc: ProcId, kept: &mut Kept) {
    let body = program.body(proc);
    let module = program.procs[proc].module;
    for inst in body.insts.rows() {
        let Inst::Store { to, value, .. } = *inst else { continue };
        if let Some(Constant::Function(function)) = body.constant(value)
            && let Some(home) = home_of(program, module, body, to)
        {
            kept.entry(home).or_default().push((module, function));
        }
    }
}

/// Where an address leads to.
fn home_of(program: &Program, id: ModuleId, body: &Body, address: ValueId) -> Option<Home> {
    match body.values[address].kind {
        ValueKind::Const(Constant::Object(object)) => {
            let module = &program.modules[id];
            Some(match field_at(module, module.objects[object].ty, 0) {
                Some((record, field)) => field_home(id, module, record, field),
                None => Home::Global(program.static_of(id, object)),
            })
        }
        ValueKind::Inst(inst) => match body.insts[inst] {
            Inst::Field { field: Some((record, field)), .. } => {
                Some(field_home(id, &program.modules[id], record, field))
            }
            Inst::Field { base, offset, field: None } => {
                folded_field(program, id, body, base, offset)
            }
            Inst::Index { base, .. } => home_of(program, id, body, base),
            _ => None,
        },
        _ => None,
    }
}

/// A constant address inside a global: `table[2].open`.
fn folded_field(
    program: &Program,
    id: ModuleId,
    body: &Body,
    base: ValueId,
    offset: i64,
) -> Option<Home> {
    let Some(Constant::Object(object)) = body.constant(base) else { return None };
    let module = &program.modules[id];
    let at = field_at(module, module.objects[object].ty, u64::try_from(offset).ok()?);
    Some(match at {
        Some((record, field)) => field_home(id, module, record, field),
        None => Home::Global(program.static_of(id, object)),
    })
}

fn resolve(program: &Program, proc: ProcId, kept: &Kept, targets: &mut IndirectTargets) {
    let body = program.body(proc);
    let module = program.procs[proc].module;
    for (id, call) in body.calls.iter() {
        let Callee::Pointer(pointer) = call.callee else { continue };
        let ValueKind::Inst(inst) = body.values[pointer].kind else { continue };
        let Inst::Load { from, .. } = body.insts[inst] else { continue };
        let home = home_of(program, module, body, from);
        let functions = home.and_then(|home| kept.get(&home));
        for &(module, function) in functions.into_iter().flatten() {
            match program.binding(module, function) {
                Binding::Procs(procs) => {
                    targets.procs.entry((proc, id)).or_default().extend(procs);
                }
                Binding::External(external) => {
                    targets.externals.entry((proc, id)).or_default().push(*external);
                }
            }
        }
    }
}
