//! Whether a points-to set has a place of a run.

use caulk_driver::WholeProgram;
use caulk_ir::{Module, RecordKind, Type, TypeId};
use caulk_pointer::{Names, ObjId, ObjKind, SetId};

use super::lives::Life;

/// How a set has a place, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// At the offset, with array indices left out.
    Exactly,
    /// The object, at a place that pointer arithmetic started from.
    Base,
    /// The callee's own copy of an aggregate, which the interpreter shares with its caller.
    Copied,
    /// Unknown code has the object, and the set has what unknown code has.
    Outside,
    Nowhere,
}

impl Found {
    pub fn name(self) -> &'static str {
        match self {
            Found::Exactly => "found at the offset",
            Found::Base => "found in the object at another offset",
            Found::Copied => "found as the copy of a parameter",
            Found::Outside => "found as memory from outside",
            Found::Nowhere => "not found",
        }
    }
}

pub fn find(whole: &WholeProgram, set: SetId, life: &Life, offset: i64) -> Found {
    let points_to = &whole.points_to;
    let mut best = Found::Nowhere;
    for &loc in points_to.set(set) {
        let object = points_to.locations.object(loc);
        let row = &points_to.objects[object];
        let here = if life.objects.contains(&object) {
            let here = points_to.locations.offset(loc);
            let is_here = |offset: &i64| folded(whole, object, *offset).contains(&here);
            let same = row.collapsed || life.offsets(object, offset).iter().any(is_here);
            if same { Found::Exactly } else { Found::Base }
        } else if matches!(row.kind, ObjKind::Copy { .. }) {
            Found::Copied
        } else if row.kind == ObjKind::Outside
            && life.objects.iter().any(|&object| points_to.escaped().contains(object))
            || life.objects.is_empty() && row.outside
        {
            Found::Outside
        } else {
            Found::Nowhere
        };
        best = best.min(here);
    }
    best
}

/// The offsets that a place of the object may be known by.
pub fn folded(whole: &WholeProgram, object: ObjId, offset: i64) -> Vec<i64> {
    let row = &whole.points_to.objects[object];
    let mut places = vec![offset];
    if row.size == u64::try_from(offset).ok() {
        places.push(0);
    }
    if let (Some((module, ty)), Ok(bytes)) = (row.ty, u64::try_from(offset)) {
        places.push(fold(&whole.program.modules[module], ty, bytes) as i64);
    }
    places
}

/// The offset with every array index set to 0.
fn fold(module: &Module, ty: TypeId, offset: u64) -> u64 {
    match module.types.types[ty] {
        Type::Array { element, .. } => match size(module, element) {
            0 => 0,
            size => fold(module, element, offset % size),
        },
        Type::Record(id) => {
            let record = &module.types.records[id];
            let inside = |field: &&caulk_ir::Field| {
                offset >= field.offset && offset - field.offset < size(module, field.ty).max(1)
            };
            let mut fields = record.fields.iter().filter(inside);
            let field = match record.kind {
                RecordKind::Struct => fields.next_back(),
                RecordKind::Union => {
                    return fields
                        .map(|field| fold(module, field.ty, offset))
                        .min()
                        .unwrap_or(offset);
                }
            };
            field.map_or(offset, |it| it.offset + fold(module, it.ty, offset - it.offset))
        }
        _ => offset,
    }
}

/// In bytes; a flexible array goes on for ever.
fn size(module: &Module, ty: TypeId) -> u64 {
    match module.types.types[ty] {
        Type::Array { element, len } => {
            len.map_or(u64::MAX, |len| size(module, element).saturating_mul(len))
        }
        Type::Vector { element, len } => size(module, element).saturating_mul(u64::from(len)),
        Type::Record(id) => module.types.records[id].size,
        Type::Opaque { size, .. } => size,
        _ => module
            .types
            .scalar(ty)
            .map_or(1, |scalar| u64::from(scalar.bytes(module.target.pointer_bytes))),
    }
}

pub fn describe(whole: &WholeProgram, life: &Life) -> String {
    let names = Names { input: whole.pointer_input(), points_to: &whole.points_to };
    let texts: Vec<String> = life.objects.iter().map(|&object| names.object(object)).collect();
    if texts.is_empty() { "an object of the library".into() } else { texts.join(" or ") }
}
