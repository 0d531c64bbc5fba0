//! Which locations stand for exactly one cell of memory at run time: only those can be updated
//! strongly.

use caulk_ir::{Module, Type, TypeId};
use caulk_pointer::{LocId, ObjKind};
use caulk_program::InstanceId;

use crate::memory::Input;

/// Globals and the slots of a procedure that is not recursive, outside arrays.
pub fn stands_for_one_cell(
    input: Input<'_>,
    location: LocId,
    is_recursive: impl Fn(InstanceId) -> bool,
) -> bool {
    let place = input.points_to.locations.get(location);
    let object = &input.points_to.objects[place.object];
    let offset = u64::try_from(place.offset);
    match (object.ty, offset) {
        (Some((module, ty)), Ok(offset)) => {
            let module = &input.program.modules[module];
            one_object(object.kind, is_recursive)
                && !object.collapsed
                && !is_in_array(module, ty, offset)
        }
        _ => false,
    }
}

/// Whether there is never more than one object of the kind at a time.
pub fn one_object(kind: ObjKind, is_recursive: impl Fn(InstanceId) -> bool) -> bool {
    match kind {
        ObjKind::Static(_) => true,
        ObjKind::Slot { instance, .. } | ObjKind::Copy { instance, .. } => !is_recursive(instance),
        _ => false,
    }
}

fn is_in_array(module: &Module, ty: TypeId, offset: u64) -> bool {
    match module.types.types[ty] {
        Type::Array { .. } | Type::Vector { .. } => true,
        Type::Record(id) => {
            let fields = &module.types.records[id].fields;
            let before = fields.iter().filter(|field| field.offset <= offset);
            before.into_iter().any(|field| {
                let inside = offset - field.offset;
                inside < size(module, field.ty) && is_in_array(module, field.ty, inside)
            })
        }
        _ => false,
    }
}

/// In bytes; the largest number for a flexible array, which goes on to the end of the object.
fn size(module: &Module, ty: TypeId) -> u64 {
    match module.types.types[ty] {
        Type::Array { element, len } => {
            len.map_or(u64::MAX, |len| size(module, element).saturating_mul(len))
        }
        Type::Vector { element, len } => size(module, element).saturating_mul(u64::from(len)),
        Type::Record(id) => module.types.records[id].size,
        Type::Opaque { size, .. } => size,
        Type::Void | Type::Function(_) => 1,
        _ => module
            .types
            .scalar(ty)
            .map_or(0, |scalar| u64::from(scalar.bytes(module.target.pointer_bytes))),
    }
}
