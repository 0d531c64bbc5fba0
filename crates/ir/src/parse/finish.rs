//! What can only be done when a body, or the whole module, has been read: ids that must be
//! dense, names that must match, and what the text left out because other lines imply it.

use caulk_base::{Id, Name, Table};

use super::body::BodyParser;
use super::cursor::{Fail, Room, Use};
use super::value::FIRST_CONSTANT;
use super::{Parsed, Parser};
use crate::body::{Body, CallId, Value, ValueId, ValueKind};
use crate::module::{FunctionBody, FunctionId, Module};
use crate::result::ResultRule;
use crate::types::RecordId;

/// Stands for an id that is filled in at the end.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The names beside a field, none for `_`.
type FieldNames = (Option<Name>, Option<Name>);

/// What a body still needs from the rest of the module, with places in the text.
pub(super) struct PendingBody {
    pub(super) function: FunctionId,
    /// Results whose scalar the instruction implies.
    pub(super) scalars: Vec<(ValueId, usize)>,
    /// Calls that have the signature of this callee.
    pub(super) signatures: Vec<(CallId, FunctionId)>,
    pub(super) argument_types: Vec<(CallId, usize, usize)>,
    pub(super) fields: Vec<(RecordId, u32, Option<FieldNames>, usize)>,
}

impl Default for PendingBody {
    fn default() -> Self {
        Self {
            function: FunctionId(0),
            scalars: Vec::new(),
            signatures: Vec::new(),
            argument_types: Vec::new(),
            fields: Vec::new(),
        }
    }
}

impl BodyParser<'_, '_> {
    /// Closes the body: tables are dense, and constants have their ids.
    pub(super) fn complete(mut self) -> Parsed<(Body, PendingBody)> {
        let constants = std::mem::take(&mut self.constants);
        let constant_ids = self.number_values(&constants)?;
        self.body.calls = dense(std::mem::take(&mut self.calls))?;
        self.body.asms = dense(std::mem::take(&mut self.asms))?;
        for used in &self.uses {
            self.check_use(used)?;
        }
        self.body.each_use_mut(|value| {
            if let Some(index) = value.0.checked_sub(FIRST_CONSTANT) {
                *value = constant_ids[index as usize];
            }
        });
        Ok((self.body, self.pending))
    }

    /// Puts definitions where they say and constants into the gaps; tells the constants' ids.
    fn number_values(&mut self, constants: &[Value]) -> Parsed<Vec<ValueId>> {
        let len = self.rows.len() + constants.len();
        let mut rows = vec![None; len];
        for &(id, value, at) in &self.rows {
            place(&mut rows, id, value, at)?;
        }
        let gaps = rows.iter().enumerate().filter(|(_, row)| row.is_none());
        let ids: Vec<ValueId> = gaps.map(|(index, _)| ValueId::from_index(index)).collect();
        for (&id, &constant) in ids.iter().zip(constants) {
            rows[id.index()] = Some(constant);
        }
        self.body.values = rows.into_iter().flatten().collect();
        Ok(ids)
    }

    fn check_use(&self, used: &Use) -> Parsed<()> {
        let body = &self.body;
        let index = used.id as usize;
        let (room, len, name) = match used.room {
            Room::Value => ("v", body.values.len(), None),
            Room::Block => ("b", body.blocks.len(), None),
            Room::Slot => ("s", body.slots.len(), None),
            Room::Scope => ("sc", body.scopes.len(), None),
            Room::Var => ("x", body.vars.len(), body.vars.rows().get(index).map(|var| var.name)),
            Room::Label => ("l", body.labels.len(), body.labels.get(index).map(|label| label.0)),
            _ => return Ok(()),
        };
        check_row(used, room, len, name, &self.outer.module)
    }
}

impl Parser<'_> {
    pub(super) fn finish(&mut self) -> Parsed<()> {
        for used in &self.uses {
            self.check_use(used)?;
        }
        for pending in std::mem::take(&mut self.pending) {
            self.finish_body(&pending)?;
        }
        Ok(())
    }

    fn check_use(&self, used: &Use) -> Parsed<()> {
        let (module, index) = (&self.module, used.id as usize);
        let types = &module.types;
        let (room, len, name) = match used.room {
            Room::Type => ("t", types.types.len(), None),
            Room::Record => ("rec", types.records.len(), None),
            Room::Enum => ("enum", types.enums.len(), None),
            Room::Signature => ("sig", types.signatures.len(), None),
            Room::File => ("file", module.files.len(), None),
            Room::Object => {
                let row = module.objects.rows().get(index);
                ("o", module.objects.len(), row.and_then(|row| row.name))
            }
            Room::Function => {
                let row = module.functions.rows().get(index);
                ("f", module.functions.len(), row.map(|row| row.name))
            }
            _ => return Ok(()),
        };
        check_row(used, room, len, name, module)
    }

    /// The body is taken out of the module meanwhile, as it needs the module's other tables.
    fn finish_body(&mut self, pending: &PendingBody) -> Parsed<()> {
        let place = &mut self.module.functions[pending.function].body;
        let FunctionBody::Defined(mut body) = std::mem::replace(place, FunctionBody::Declared)
        else {
            return Ok(());
        };
        check_fields(&self.module, pending)?;
        fill_calls(&self.module, &mut body, pending)?;
        fill_scalars(&self.module, &mut body, pending)?;
        self.module.functions[pending.function].body = FunctionBody::Defined(body);
        Ok(())
    }
}

fn check_row(
    used: &Use,
    room: &str,
    len: usize,
    name: Option<Name>,
    module: &Module,
) -> Parsed<()> {
    if used.id as usize >= len {
        let message = format!("expected an id that exists, found {room}{} of {len}", used.id);
        return Err(Fail::new(used.at, message));
    }
    if used.name.is_none() || used.name == name {
        return Ok(());
    }
    let real = name.map_or("none", |name| module.names.text(name));
    Err(Fail::new(used.at, format_args!("expected the name of {room}{}: {real}", used.id)))
}

/// A table of rows that carry their ids; every id must occur once.
fn dense<I: Id, T>(rows: Vec<(I, T, usize)>) -> Parsed<Table<I, T>> {
    let mut slots: Vec<Option<T>> = rows.iter().map(|_| None).collect();
    for (id, row, at) in rows {
        place(&mut slots, id, row, at)?;
    }
    Ok(slots.into_iter().flatten().collect())
}

fn place<I: Id, T>(slots: &mut [Option<T>], id: I, row: T, at: usize) -> Parsed<()> {
    let len = slots.len();
    let message = match slots.get_mut(id.index()) {
        Some(slot @ None) => {
            *slot = Some(row);
            return Ok(());
        }
        Some(_) => format!("expected {id} to be defined once"),
        None => format!("expected ids without gaps, found {id} among {len}"),
    };
    Err(Fail::new(at, message))
}

fn check_fields(module: &Module, pending: &PendingBody) -> Parsed<()> {
    for &(record, index, names, at) in &pending.fields {
        let record = &module.types.records[record];
        let Some(field) = record.fields.get(index as usize) else {
            return Err(Fail::new(at, "expected a field that exists"));
        };
        if names.is_some_and(|names| names != (record.name, field.name)) {
            return Err(Fail::new(at, "expected the names of the record and its field"));
        }
    }
    Ok(())
}

fn fill_calls(module: &Module, body: &mut Body, pending: &PendingBody) -> Parsed<()> {
    for &(call, function) in &pending.signatures {
        body.calls[call].signature = module.functions[function].signature;
    }
    for &(call, index, at) in &pending.argument_types {
        let call = &mut body.calls[call];
        let params = &module.types.signatures[call.signature].params;
        let Some(&ty) = params.get(index) else {
            return Err(Fail::new(at, "expected the argument's type: the signature has none"));
        };
        call.args[index].ty = ty;
    }
    Ok(())
}

/// Fills in the scalars of results, in the order of the text: an operand that decides one must
/// come earlier, or say its own.
fn fill_scalars(module: &Module, body: &mut Body, pending: &PendingBody) -> Parsed<()> {
    let mut unknown = Table::filled(false, body.values.len());
    pending.scalars.iter().for_each(|&(value, _)| unknown[value] = true);
    for &(value, at) in &pending.scalars {
        let scalar = match rule_of(module, body, value) {
            ResultRule::Is(scalar) => Some(scalar),
            ResultRule::SameAs(operand) if !unknown[operand] => Some(body.values[operand].scalar),
            ResultRule::SameAs(_) | ResultRule::Nothing => None,
        };
        let Some(scalar) = scalar else {
            let message =
                format_args!("expected `{value}: SCALAR`, as earlier lines do not imply it");
            return Err(Fail::new(at, message));
        };
        body.values[value].scalar = scalar;
        unknown[value] = false;
    }
    Ok(())
}

fn rule_of(module: &Module, body: &Body, value: ValueId) -> ResultRule {
    match body.values[value].kind {
        ValueKind::Inst(inst) => body.insts[inst].result(module, body),
        _ => ResultRule::Nothing,
    }
}
