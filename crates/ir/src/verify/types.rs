//! Types: sizes, alignments, and that nothing contains itself.

use caulk_base::Id;

use super::{Violation, report, require};
use crate::module::Module;
use crate::types::{Field, Record, RecordId, Scalar, Signature, SignatureId, Type, Types};

pub(super) fn check(module: &Module, found: &mut Vec<Violation>) {
    let pointer = module.target.pointer_bytes;
    let known = matches!(pointer, 2 | 4 | 8);
    require(found, known, format_args!("pointers of {pointer} bytes are not supported"));
    let sizes = Sizes::of(module, found);
    check_rows(&module.types, found);
    for (id, record) in module.types.records.iter().filter(|(_, record)| record.complete) {
        check_align(found, id, record.align);
        for field in &record.fields {
            check_field(module, &sizes, id, record, field, found);
        }
    }
    for (id, signature) in module.types.signatures.iter() {
        check_signature(&module.types, id, signature, found);
    }
}

pub(super) fn check_align(found: &mut Vec<Violation>, user: impl Id, align: u64) {
    let fine = align.is_power_of_two();
    require(found, fine, format_args!("{user} has alignment {align}, not a power of two"));
}

fn check_rows(types: &Types, found: &mut Vec<Violation>) {
    for (id, &ty) in types.types.iter() {
        match ty {
            Type::Opaque { align, .. } => check_align(found, id, align),
            Type::Scalar { scalar: Scalar::Ptr, .. } => {
                report(found, format_args!("{id} is a pointer without a target type"));
            }
            Type::Scalar { scalar, signed: false } if scalar.is_float() => {
                report(found, format_args!("{id} is an unsigned float"));
            }
            _ => {}
        }
    }
    for (id, row) in types.enums.iter() {
        let integer = row.scalar.is_int();
        require(found, integer, format_args!("{id} is a {}, not an integer", row.scalar));
    }
}

fn check_field(
    module: &Module,
    sizes: &Sizes,
    id: RecordId,
    record: &Record,
    field: &Field,
    found: &mut Vec<Violation>,
) {
    let bits = match field.bits {
        Some((first, width)) => {
            check_bits(module, id, field, (first, width), found);
            u128::from(first) + u128::from(width)
        }
        None => u128::from(sizes.of_type(field.ty)) * 8,
    };
    let end = u128::from(field.offset) * 8 + bits;
    let inside = end <= u128::from(record.size) * 8;
    let message = format_args!("a field of {id} at +{} ends beyond its size", field.offset);
    require(found, inside, message);
}

fn check_bits(
    module: &Module,
    id: RecordId,
    field: &Field,
    (first, width): (u8, u8),
    found: &mut Vec<Violation>,
) {
    let scalar = module.types.scalar(field.ty).and_then(Scalar::int_bits);
    let fits = first < 8 && scalar.is_some_and(|bits| u32::from(width) <= bits);
    let message = format_args!("a bit-field of {id} at +{} does not fit its type", field.offset);
    require(found, fits, message);
}

fn check_signature(
    types: &Types,
    id: SignatureId,
    signature: &Signature,
    found: &mut Vec<Violation>,
) {
    let passed = signature.params.iter().all(|&param| types.passed_as(param).is_some());
    require(found, passed, format_args!("{id} has a parameter that is no value"));
    let result = signature.result;
    let returned = !matches!(types.types[result], Type::Function(_) | Type::Array { .. });
    require(found, returned, format_args!("{id} cannot return {result}"));
}

/// The bytes that a value of each type takes at least. Types and records are nodes of one
/// graph, types first; an edge is containment.
struct Sizes {
    bytes: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    New,
    Open,
    Done,
}

impl Sizes {
    fn of_type(&self, ty: crate::types::TypeId) -> u64 {
        self.bytes[ty.index()]
    }

    fn of(module: &Module, found: &mut Vec<Violation>) -> Self {
        let nodes = module.types.types.len() + module.types.records.len();
        let mut sizes = Sizes { bytes: vec![0; nodes] };
        let mut colours = vec![Colour::New; nodes];
        for node in 0..nodes {
            if colours[node] == Colour::New {
                sizes.visit(module, node, &mut colours, found);
            }
        }
        sizes
    }

    fn visit(
        &mut self,
        module: &Module,
        root: usize,
        colours: &mut [Colour],
        found: &mut Vec<Violation>,
    ) {
        let mut stack = vec![(root, 0)];
        colours[root] = Colour::Open;
        while let Some((node, next)) = stack.last_mut() {
            let Some(part) = part_of(&module.types, *node, *next) else {
                self.bytes[*node] = self.size(module, *node);
                colours[*node] = Colour::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match colours[part] {
                Colour::New => {
                    colours[part] = Colour::Open;
                    stack.push((part, 0));
                }
                Colour::Open => {
                    let name = node_name(&module.types, part);
                    report(found, format_args!("{name} contains itself"));
                }
                Colour::Done => {}
            }
        }
    }

    fn size(&self, module: &Module, node: usize) -> u64 {
        let types = &module.types;
        let pointer = module.target.pointer_bytes;
        let Some(ty) = types.types.rows().get(node) else {
            let record = &types.records.rows()[node - types.types.len()];
            return if record.complete { record.size } else { 0 };
        };
        match *ty {
            Type::Void | Type::Function(_) => 0,
            Type::Scalar { scalar, .. } => scalar.bytes(pointer).into(),
            Type::Enum(id) => types.enums[id].scalar.bytes(pointer).into(),
            Type::Pointer { .. } => pointer.into(),
            Type::Array { element, len } => self.of_type(element).saturating_mul(len.unwrap_or(0)),
            Type::Vector { element, len } => self.of_type(element).saturating_mul(len.into()),
            Type::Record(id) => self.bytes[types.types.len() + id.index()],
            Type::Opaque { size, .. } => size,
        }
    }
}

/// The node that `node` contains as its part number `index`.
fn part_of(types: &Types, node: usize, index: usize) -> Option<usize> {
    let Some(ty) = types.types.rows().get(node) else {
        let record = &types.records.rows()[node - types.types.len()];
        return record.fields.get(index).map(|field| field.ty.index());
    };
    match *ty {
        Type::Array { element, .. } | Type::Vector { element, .. } if index == 0 => {
            Some(element.index())
        }
        Type::Record(id) if index == 0 => Some(types.types.len() + id.index()),
        _ => None,
    }
}

fn node_name(types: &Types, node: usize) -> String {
    match node.checked_sub(types.types.len()) {
        Some(record) => RecordId::from_index(record).to_string(),
        None => crate::types::TypeId::from_index(node).to_string(),
    }
}
