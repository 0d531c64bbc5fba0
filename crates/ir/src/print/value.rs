//! Operands: values by id, constants in place.

use std::fmt::{self, Display, Formatter};

use caulk_base::{BitSet, FxHashSet};

use super::body::BodyPrinter;
use crate::body::{Body, Constant, Value, ValueId, ValueKind, VarId};
use crate::types::Scalar;

impl<'m> BodyPrinter<'m> {
    /// An operand.
    pub(super) fn value(&self, id: ValueId) -> impl Display + use<'_, 'm> {
        fmt::from_fn(move |f| match self.body.values.get(id) {
            Some(value) => match value.kind {
                ValueKind::Const(constant) => self.constant(f, value, constant),
                _ => write!(f, "{id}"),
            },
            None => write!(f, "{id}"),
        })
    }

    pub(super) fn values<'a>(&'a self, ids: &'a [ValueId]) -> impl Display + use<'a, 'm> {
        fmt::from_fn(move |f| {
            for (index, &id) in ids.iter().enumerate() {
                write!(f, "{}{}", if index == 0 { "" } else { ", " }, self.value(id))?;
            }
            Ok(())
        })
    }

    /// Where a value is defined: `v3`, with the scalar unless it is implied, and the variable
    /// that it is a version of.
    pub(super) fn defined(&self, id: ValueId, implied: Option<Scalar>) -> impl Display {
        fmt::from_fn(move |f| {
            write!(f, "{id}")?;
            let Some(value) = self.body.values.get(id) else { return Ok(()) };
            if implied != Some(value.scalar) {
                write!(f, ": {}", value.scalar)?;
            }
            self.version_of(f, value.var)
        })
    }

    pub(super) fn var(&self, id: VarId) -> impl Display {
        let name = self.body.vars.get(id).map(|var| var.name);
        self.outer.named(id, name)
    }

    fn version_of(&self, f: &mut Formatter<'_>, var: Option<VarId>) -> fmt::Result {
        match var {
            Some(var) => write!(f, " {}", self.var(var)),
            None => Ok(()),
        }
    }

    /// A constant. Addresses are pointers unless they say otherwise; `null` is `ptr 0`.
    fn constant(&self, f: &mut Formatter<'_>, value: &Value, constant: Constant) -> fmt::Result {
        let scalar = value.scalar;
        match (scalar, constant) {
            (Scalar::Ptr, Constant::Int(0)) => f.write_str("null")?,
            (Scalar::Ptr, Constant::Object(_) | Constant::Function(_)) => {
                self.bare_constant(f, scalar, constant)?;
            }
            (Scalar::Ptr, Constant::Slot(_) | Constant::Label(_)) => {
                self.bare_constant(f, scalar, constant)?;
            }
            _ => {
                write!(f, "{scalar} ")?;
                self.bare_constant(f, scalar, constant)?;
            }
        }
        self.version_of(f, value.var)
    }

    fn bare_constant(&self, f: &mut Formatter<'_>, scalar: Scalar, it: Constant) -> fmt::Result {
        match it {
            Constant::Int(value) => write!(f, "{value}"),
            Constant::Float(bits) => write!(f, "{}", float_text(scalar, bits)),
            Constant::Wide(index) => match self.body.wide.get(index as usize) {
                Some(bits) => write!(f, "{bits:#x}"),
                None => write!(f, "wide{index}"),
            },
            Constant::Object(id) => write!(f, "{}", self.outer.object_ref(id)),
            Constant::Function(id) => write!(f, "{}", self.outer.function_ref(id)),
            Constant::Slot(id) => write!(f, "{id}"),
            Constant::Label(index) => {
                let name = self.body.labels.get(index as usize).map(|label| label.0);
                write!(f, "{}", self.outer.named(format_args!("l{index}"), name))
            }
            Constant::Undef => f.write_str("undef"),
        }
    }
}

/// The shortest decimal that reads back as the same bits; the bits where there is none.
fn float_text(scalar: Scalar, bits: u64) -> String {
    match (scalar, u32::try_from(bits)) {
        (Scalar::F64, _) if f64::from_bits(bits).is_finite() => {
            format!("{:?}", f64::from_bits(bits))
        }
        (Scalar::F32, Ok(bits)) if f32::from_bits(bits).is_finite() => {
            format!("{:?}", f32::from_bits(bits))
        }
        _ => format!("{bits:#x}"),
    }
}

/// Constants that a reader could not find at any use: rows that nothing uses, and second rows
/// of an equal constant. They are listed, so that the ids stay dense.
pub(super) fn listed_constants(body: &Body) -> Vec<ValueId> {
    let used = used_values(body);
    let mut seen = FxHashSet::default();
    let constants = body.values.iter().filter_map(|(id, value)| match value.kind {
        ValueKind::Const(constant) => Some((id, value, constant)),
        _ => None,
    });
    constants
        .filter(|&(id, value, constant)| {
            !used.contains(id) || !seen.insert((value.scalar, content(body, constant), value.var))
        })
        .map(|(id, ..)| id)
        .collect()
}

/// What a constant is, whichever row of `wide` it uses.
fn content(body: &Body, constant: Constant) -> (Option<Constant>, u128) {
    match constant {
        Constant::Wide(index) => (None, body.wide.get(index as usize).copied().unwrap_or(0)),
        other => (Some(other), 0),
    }
}

fn used_values(body: &Body) -> BitSet<ValueId> {
    let mut used = BitSet::new(body.values.len());
    body.each_use(|value| {
        if body.values.get(value).is_some() {
            used.insert(value);
        }
    });
    used
}
