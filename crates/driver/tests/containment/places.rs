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
    let by_name = life.objects.iter().map(|&object| find_object(whole, set, life, object, offset));
    match by_name.min() {
        Some(found) if found != Found::Nowhere => found,
        _ => find_other(whole, set, life),
    }
}

/// Whether the set has a place of the object.
fn find_object(whole: &WholeProgram, set: SetId, life: &Life, object: ObjId, offset: i64) -> Found {
    let points_to = &whole.points_to;
    let set = points_to.set(set);
    let own = points_to.locations.of_object(object).iter();
    let mut inside = own.filter(|loc| set.binary_search(loc).is_ok()).peekable();
    if inside.peek().is_none() {
        return Found::Nowhere;
    }
    let offsets = life.offsets(object, offset).into_iter();
    let places: Vec<i64> = offsets.flat_map(|offset| folded(whole, object, offset)).collect();
    let is_here = |&loc| places.contains(&points_to.locations.offset(loc));
    let same = points_to.objects[object].collapsed || inside.any(is_here);
    if same { Found::Exactly } else { Found::Base }
}

/// Whether the set has something that stands for the object.
fn find_other(whole: &WholeProgram, set: SetId, life: &Life) -> Found {
    let points_to = &whole.points_to;
    let has_escaped = life.objects.iter().any(|&object| points_to.escaped().contains(object));
    let found = |&loc| {
        let row = &points_to.objects[points_to.locations.object(loc)];
        if matches!(row.kind, ObjKind::Copy { .. }) {
            Found::Copied
        } else if row.kind == ObjKind::Outside && has_escaped
            || row.outside && life.objects.is_empty()
        {
            Found::Outside
        } else {
            Found::Nowhere
        }
    };
    points_to.set(set).iter().map(found).min().unwrap_or(Found::Nowhere)
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
        Type::Array { element, .. } | Type::Vector { element, .. } => match size(module, element) {
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
