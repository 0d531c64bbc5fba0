//! Attributes of the front end into those of the representation.

use caulk_cfront::{AccessMode, Attribute as From};
use caulk_ir::Attribute;

use crate::unit::Unit;

pub fn of(unit: &mut Unit<'_>, list: &[From]) -> Vec<Attribute> {
    let mut out: Vec<Attribute> = Vec::new();
    for attribute in list {
        if let Some(attribute) = convert(unit, attribute)
            && !out.contains(&attribute)
        {
            out.push(attribute);
        }
    }
    out
}

fn convert(unit: &mut Unit<'_>, attribute: &From) -> Option<Attribute> {
    let mut name = |text: &str| unit.module.names.intern(text);
    Some(match attribute {
        From::Malloc => Attribute::Malloc,
        From::MallocDealloc { function, argument } => {
            Attribute::MallocDealloc { function: name(function), argument: *argument }
        }
        From::AllocSize { size, count } => Attribute::AllocSize { size: *size, count: *count },
        From::OwnershipReturns { class, .. } => Attribute::OwnershipReturns { class: name(class) },
        From::OwnershipTakes { class, arguments } => {
            Attribute::OwnershipTakes { class: name(class), arguments: arguments.clone() }
        }
        From::OwnershipHolds { class, arguments } => {
            Attribute::OwnershipHolds { class: name(class), arguments: arguments.clone() }
        }
        From::Cleanup(function) => Attribute::Cleanup(name(function)),
        From::NonNull(arguments) => Attribute::NonNull(arguments.clone()),
        From::ReturnsNonNull => Attribute::ReturnsNonNull,
        From::Noreturn => Attribute::Noreturn,
        From::ReturnsTwice => Attribute::ReturnsTwice,
        From::Pure => Attribute::Pure,
        From::Const => Attribute::Const,
        From::Constructor(priority) => Attribute::Constructor(*priority),
        From::Destructor(priority) => Attribute::Destructor(*priority),
        From::WarnUnusedResult => Attribute::WarnUnusedResult,
        From::Format { archetype, string, first } => {
            Attribute::Format { archetype: name(archetype), string: *string, first: *first }
        }
        From::FormatArg(argument) => Attribute::FormatArg(*argument),
        From::Access { mode, pointer, size } => {
            Attribute::Access { mode: name(mode_name(*mode)), pointer: *pointer, size: *size }
        }
        From::FdArg(argument) => Attribute::FdArg(*argument),
        From::Sentinel(_) => Attribute::Sentinel,
        From::Weak => Attribute::Weak,
        From::Alias(target) => Attribute::Alias(name(target)),
        From::Ifunc(resolver) => Attribute::Ifunc(name(resolver)),
        From::Used => Attribute::Used,
        From::Section(section) => Attribute::Section(name(section)),
        From::Cold => Attribute::Cold,
        From::Hot => Attribute::Hot,
        _ => return None,
    })
}

fn mode_name(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::ReadOnly => "read_only",
        AccessMode::WriteOnly => "write_only",
        AccessMode::ReadWrite => "read_write",
        AccessMode::None => "none",
    }
}
