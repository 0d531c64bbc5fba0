//! Objects: size, initial bytes and relocations.

use super::types::check_align;
use super::{Violation, require};
use crate::module::{Definition, Init, Module, Object, ObjectId, Relocation};

pub(super) fn check(module: &Module, found: &mut Vec<Violation>) {
    for (id, object) in module.objects.iter() {
        // An object of an incomplete type has no alignment.
        if object.size > 0 || object.align > 0 || object.definition == Definition::Defined {
            check_align(found, id, object.align);
        }
        if let Some(init) = &object.init {
            check_init(id, object, init, found);
        }
    }
}

fn check_init(id: ObjectId, object: &Object, init: &Init, found: &mut Vec<Violation>) {
    let defined = object.definition == Definition::Defined;
    require(found, defined, format_args!("{id} has initial bytes but is not defined"));
    let inside = init.bytes.len() as u64 <= object.size;
    require(found, inside, format_args!("{id} has more initial bytes than its size"));
    let mut free_from = 0;
    for relocation in &init.relocations {
        check_relocation(id, object, init, relocation, free_from, found);
        free_from = relocation.offset.saturating_add(relocation.size.into());
    }
}

fn check_relocation(
    id: ObjectId,
    object: &Object,
    init: &Init,
    relocation: &Relocation,
    free_from: u64,
    found: &mut Vec<Violation>,
) {
    let offset = relocation.offset;
    let end = offset.saturating_add(relocation.size.into());
    let place = format_args!("the relocation of {id} at +{offset}");
    require(found, relocation.size > 0, format_args!("{place} has no size"));
    require(found, end <= object.size, format_args!("{place} ends beyond the object"));
    let ordered = offset >= free_from;
    require(found, ordered, format_args!("{place} is out of order or overlaps the one before"));
    require(found, bytes_are_zero(init, offset, end), format_args!("{place} covers set bytes"));
}

fn bytes_are_zero(init: &Init, start: u64, end: u64) -> bool {
    let len = init.bytes.len();
    let clamp = |offset: u64| usize::try_from(offset).unwrap_or(len).min(len);
    init.bytes[clamp(start)..clamp(end)].iter().all(|&byte| byte == 0)
}
