//! The source's words for bytes of an object: `p->next`, `list.items[2]`, `*count`.

use caulk_interp::Program;
use caulk_ir::{Type, TypeId, Types};

use crate::object::Object;
use crate::value::{Member, TypeRef};

/// How the source would write the bytes at an offset, and the type they have, where it is known.
pub fn name(program: &Program, object: &Object, at: i64) -> (String, Option<TypeRef>) {
    let bare = &object.name;
    let Some((module, ty)) = object.ty else { return (unknown(object, at), None) };
    let types = &program.modules[module].types;
    let mut ty = ty;
    let mut at = at;
    let mut text = bare.clone();
    let mut is_pointer = object.is_named_by_pointer;
    if is_pointer && !is_record(types, ty) {
        let size = size(program, (module, ty)).unwrap_or(1).max(1) as i64;
        let index = at.div_euclid(size);
        text = if index == 0 && size > 1 { format!("*{text}") } else { format!("{text}[{index}]") };
        at = at.rem_euclid(size);
        is_pointer = false;
    }
    while let Some((step, inner, left)) = member(program, module, ty, at) {
        let dot = if is_pointer && !step.starts_with('[') { "->" } else { "." };
        let dot = if step.starts_with('[') { "" } else { dot };
        text = format!("{text}{dot}{step}");
        (ty, at, is_pointer) = (inner, left, false);
    }
    if at != 0 {
        return (unknown(object, at), None);
    }
    (text, Some((module, ty)))
}

fn is_record(types: &Types, ty: TypeId) -> bool {
    matches!(types.types[ty], Type::Record(_))
}

fn unknown(object: &Object, at: i64) -> String {
    match (object.is_named_by_pointer, at) {
        (true, 0) => format!("*{}", object.name),
        (true, _) => format!("byte {at} of *{}", object.name),
        (false, 0) => object.name.clone(),
        (false, _) => format!("byte {at} of {}", object.name),
    }
}

/// The member or element at an offset: its name, its type, and the distance from its start.
fn member(program: &Program, module: usize, ty: TypeId, at: i64) -> Option<(String, TypeId, i64)> {
    let types = &program.modules[module].types;
    match types.types[ty] {
        Type::Record(id) => {
            let fields = types.records[id].fields.iter();
            let field = fields.rev().find(|field| (field.offset as i64) <= at)?;
            let name = field.name.map_or("", |name| program.modules[module].names.text(name));
            Some((name.to_owned(), field.ty, at - field.offset as i64))
        }
        Type::Array { element, .. } => {
            let size = size(program, (module, element))?.max(1) as i64;
            Some((format!("[{}]", at.div_euclid(size)), element, at.rem_euclid(size)))
        }
        _ => None,
    }
}

/// The record that holds a byte of a type, and the member there.
pub fn member_at(program: &Program, (module, mut ty): TypeRef, mut at: i64) -> Option<Member> {
    let row = &program.modules[module];
    let mut found = None;
    while let Some((name, inner, left)) = member(program, module, ty, at) {
        if let Type::Record(id) = row.types.types[ty] {
            let record = row.types.records[id].name.map_or("", |name| row.names.text(name));
            found = (!record.is_empty()).then(|| (record.to_owned(), name));
        }
        (ty, at) = (inner, left);
    }
    found.filter(|_| at == 0)
}

/// How many bytes a type has.
pub fn size(program: &Program, (module, ty): TypeRef) -> Option<u64> {
    let module_row = &program.modules[module];
    let types = &module_row.types;
    match types.types[ty] {
        Type::Record(id) => types.records[id].complete.then_some(types.records[id].size),
        Type::Array { element, len } => Some(size(program, (module, element))? * len?),
        Type::Vector { element, len } => Some(size(program, (module, element))? * u64::from(len)),
        Type::Opaque { size, .. } => Some(size),
        Type::Void | Type::Function(_) => None,
        _ => Some(u64::from(types.scalar(ty)?.bytes(module_row.target.pointer_bytes))),
    }
}

/// What a pointer type points to.
pub fn pointee(program: &Program, (module, ty): TypeRef) -> Option<TypeRef> {
    match program.modules[module].types.types[ty] {
        Type::Pointer { to, .. } => Some((module, to)),
        _ => None,
    }
}
