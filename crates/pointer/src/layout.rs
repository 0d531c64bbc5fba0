//! What a C type tells about the bytes of an object.
//!
//! Arrays are monolithic, and vectors too: [`fold`] maps an offset inside an array to the same place
//! in its first element, for arrays in structs and arrays of arrays too. It is a function of the byte offset
//! alone, so that two ways to name a byte agree on its location.

use caulk_ir::{Module, RecordKind, Type, TypeId};

/// In bytes; none for incomplete and variable types.
pub(crate) fn size_of(module: &Module, ty: TypeId) -> Option<u64> {
    match module.types.types[ty] {
        Type::Void | Type::Function(_) => None,
        Type::Scalar { scalar, .. } => Some(u64::from(scalar.bytes(module.target.pointer_bytes))),
        Type::Enum(id) => {
            let scalar = module.types.enums[id].scalar;
            Some(u64::from(scalar.bytes(module.target.pointer_bytes)))
        }
        Type::Pointer { .. } => Some(u64::from(module.target.pointer_bytes)),
        Type::Array { element, len } => Some(size_of(module, element)?.checked_mul(len?)?),
        Type::Vector { element, len } => size_of(module, element)?.checked_mul(u64::from(len)),
        Type::Record(id) => {
            let record = &module.types.records[id];
            record.complete.then_some(record.size)
        }
        Type::Opaque { size, .. } => Some(size),
    }
}

/// The offset with every array index set to 0.
pub(crate) fn fold(module: &Module, ty: TypeId, offset: u64) -> u64 {
    match module.types.types[ty] {
        Type::Array { element, .. } | Type::Vector { element, .. } => {
            match size_of(module, element) {
                Some(size) if size > 0 => fold(module, element, offset % size),
                _ => 0,
            }
        }
        Type::Record(id) => {
            let record = &module.types.records[id];
            match record.kind {
                RecordKind::Struct => fold_struct(module, &record.fields, offset),
                RecordKind::Union => fold_union(module, &record.fields, offset),
            }
        }
        _ => offset,
    }
}

fn fold_struct(module: &Module, fields: &[caulk_ir::Field], offset: u64) -> u64 {
    let after = fields.partition_point(|field| field.offset <= offset);
    let Some(field) = after.checked_sub(1).map(|index| &fields[index]) else { return offset };
    let inside = offset - field.offset;
    let flexible = matches!(module.types.types[field.ty], Type::Array { len: None, .. });
    if flexible || size_of(module, field.ty).is_some_and(|size| inside < size) {
        field.offset + fold(module, field.ty, inside)
    } else {
        offset
    }
}

/// The members share their bytes, so a place that one member folds is folded for all. Arrays of
/// small numbers do not count: nobody keeps a pointer in an element, and folding a byte buffer
/// would make one location of the struct that it overlays.
fn fold_union(module: &Module, fields: &[caulk_ir::Field], offset: u64) -> u64 {
    let mut folded = offset;
    loop {
        let covers = |ty: TypeId| size_of(module, ty).is_some_and(|size| folded < size);
        let least = fields
            .iter()
            .filter(|field| covers(field.ty) && !is_small_array(module, field.ty))
            .map(|field| fold(module, field.ty, folded))
            .min()
            .unwrap_or(folded);
        if least >= folded {
            return folded;
        }
        folded = least;
    }
}

fn is_small_array(module: &Module, ty: TypeId) -> bool {
    let Type::Array { element, .. } = module.types.types[ty] else { return false };
    match module.types.types[element] {
        Type::Array { .. } => is_small_array(module, element),
        Type::Scalar { .. } => {
            size_of(module, element) < Some(u64::from(module.target.pointer_bytes))
        }
        _ => false,
    }
}

/// What the pointer at an offset points to, when the type has a pointer there.
pub(crate) fn pointee_at(module: &Module, ty: TypeId, offset: u64) -> Option<TypeId> {
    match module.types.types[ty] {
        Type::Pointer { to, .. } if offset == 0 => Some(to),
        Type::Array { element, .. } => {
            let size = size_of(module, element).filter(|&size| size > 0)?;
            pointee_at(module, element, offset % size)
        }
        Type::Record(id) => {
            let fields = &module.types.records[id].fields;
            let inside = fields.iter().filter(|field| field.offset <= offset);
            inside.rev().find_map(|field| pointee_at(module, field.ty, offset - field.offset))
        }
        _ => None,
    }
}

/// Plain data: no pointers inside, and known to have none.
pub(crate) fn is_plain(module: &Module, ty: TypeId) -> bool {
    match module.types.types[ty] {
        Type::Scalar { .. } | Type::Enum(_) => true,
        Type::Array { element, .. } | Type::Vector { element, .. } => is_plain(module, element),
        Type::Record(id) => {
            let record = &module.types.records[id];
            record.complete && record.fields.iter().all(|field| is_plain(module, field.ty))
        }
        Type::Opaque { .. } => true,
        Type::Void | Type::Pointer { .. } | Type::Function(_) => false,
    }
}

pub(crate) fn pointee(module: &Module, ty: TypeId) -> Option<TypeId> {
    match module.types.types[ty] {
        Type::Pointer { to, .. } => Some(to),
        _ => None,
    }
}

/// A type as an object's type: `void`, functions and incomplete records tell nothing.
pub(crate) fn informative(module: &Module, ty: TypeId) -> Option<TypeId> {
    let known = match module.types.types[ty] {
        Type::Array { element, .. } => size_of(module, element).is_some(),
        _ => size_of(module, ty).is_some(),
    };
    known.then_some(ty)
}
