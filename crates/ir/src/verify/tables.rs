//! Ids in the module's tables: names, files, spans, types, objects and functions.

use std::fmt::Display;

use caulk_base::{FileId, Id, Name, Place, SpanId, Table};

use super::{Violation, report, require};
use crate::attribute::Attribute;
use crate::attribute_text::{Argument, parts};
use crate::module::{
    Function, FunctionBody, FunctionId, Module, Object, ObjectId, ObjectKind, RelocationTarget,
};
use crate::types::{Type, TypeId};

pub(super) fn check(module: &Module, found: &mut Vec<Violation>) {
    let mut check = TableCheck { module, found };
    check.spans();
    check.types();
    for (id, object) in module.objects.iter() {
        check.object(id, object);
    }
    for (id, function) in module.functions.iter() {
        check.function(id, function);
    }
}

/// Spans go forward and count from 1.
pub(super) fn check_spans(module: &Module, found: &mut Vec<Violation>) {
    for (id, span) in module.spans.iter() {
        let Place { line, column, .. } = span.start;
        let forward = (line, column) <= (span.end_line, span.end_column);
        require(found, forward, format_args!("{id} ends before it starts"));
        let mut places = [Some(span.start), span.in_macro].into_iter().flatten();
        let counted = places.all(|place| place.line > 0 && place.column > 0);
        require(found, counted, format_args!("{id} does not count from 1"));
    }
}

struct TableCheck<'a> {
    module: &'a Module,
    found: &'a mut Vec<Violation>,
}

impl TableCheck<'_> {
    fn exists<I: Id, T>(&mut self, table: &Table<I, T>, id: I, user: impl Display) {
        if table.get(id).is_none() {
            report(self.found, format_args!("{user} names {id}, which does not exist"));
        }
    }

    fn name(&mut self, name: Name, user: impl Display) {
        if self.module.names.get(name).is_none() {
            report(self.found, format_args!("{user} names {name}, which does not exist"));
        }
    }

    fn ty(&mut self, ty: TypeId, user: impl Display) {
        let module = self.module;
        self.exists(&module.types.types, ty, user);
    }

    fn span(&mut self, span: SpanId, user: impl Display) {
        let exists = span.index() < self.module.spans.len();
        require(self.found, exists, format_args!("{user} names {span}, which does not exist"));
    }

    fn spans(&mut self) {
        let module = self.module;
        for (id, span) in module.spans.iter() {
            for place in [Some(span.start), span.in_macro].into_iter().flatten() {
                self.exists::<FileId, _>(&module.files, place.file, id);
            }
        }
    }

    fn types(&mut self) {
        let module = self.module;
        for (id, &ty) in module.types.types.iter() {
            self.one_type(id, ty);
        }
        for (id, record) in module.types.records.iter() {
            record.name.into_iter().for_each(|name| self.name(name, id));
            for field in &record.fields {
                field.name.into_iter().for_each(|name| self.name(name, id));
                self.ty(field.ty, id);
            }
        }
        for (id, row) in module.types.enums.iter() {
            row.name.into_iter().for_each(|name| self.name(name, id));
            row.enumerators.iter().for_each(|enumerator| self.name(enumerator.name, id));
        }
        for (id, signature) in module.types.signatures.iter() {
            self.ty(signature.result, id);
            signature.params.iter().for_each(|&param| self.ty(param, id));
        }
    }

    fn one_type(&mut self, id: TypeId, ty: Type) {
        let types = &self.module.types;
        match ty {
            Type::Void | Type::Scalar { .. } => {}
            Type::Enum(row) => self.exists(&types.enums, row, id),
            Type::Pointer { to: part, .. }
            | Type::Array { element: part, .. }
            | Type::Vector { element: part, .. } => self.ty(part, id),
            Type::Record(row) => self.exists(&types.records, row, id),
            Type::Function(row) => self.exists(&types.signatures, row, id),
            Type::Opaque { name, .. } => self.name(name, id),
        }
    }

    fn object(&mut self, id: ObjectId, object: &Object) {
        let module = self.module;
        object.name.into_iter().for_each(|name| self.name(name, id));
        self.ty(object.ty, id);
        self.span(object.span, id);
        self.attributes(&object.attributes, id);
        if let ObjectKind::StaticLocal(function) = object.kind {
            self.exists(&module.functions, function, id);
        }
        for relocation in object.init.iter().flat_map(|init| &init.relocations) {
            self.relocation(relocation.target, id);
        }
    }

    fn relocation(&mut self, target: RelocationTarget, user: ObjectId) {
        let module = self.module;
        match target {
            RelocationTarget::Object(id) => self.exists(&module.objects, id, user),
            RelocationTarget::Function(id) => self.exists(&module.functions, id, user),
            RelocationTarget::Label { function, label } => self.label(function, label, user),
            RelocationTarget::LabelDistance { function, label, base } => {
                self.label(function, label, user);
                self.label(function, base, user);
            }
        }
    }

    /// A function that was refused has no labels to check.
    fn label(&mut self, function: FunctionId, label: u32, user: ObjectId) {
        let exists = match self.module.functions.get(function).map(|row| &row.body) {
            Some(FunctionBody::Defined(body)) => (label as usize) < body.labels.len(),
            Some(FunctionBody::Refused(_)) => true,
            Some(FunctionBody::Declared) | None => false,
        };
        let message = format_args!("{user} names l{label} of {function}, which does not exist");
        require(self.found, exists, message);
    }

    fn function(&mut self, id: FunctionId, function: &Function) {
        let module = self.module;
        self.name(function.name, id);
        self.exists(&module.types.signatures, function.signature, id);
        self.span(function.span, id);
        self.attributes(&function.attributes, id);
        if let FunctionBody::Refused(refusal) = &function.body {
            self.span(refusal.span, id);
        }
    }

    fn attributes(&mut self, attributes: &[Attribute], user: impl Display) {
        for attribute in attributes {
            for argument in parts(attribute).1 {
                if let Argument::Name(name) = argument {
                    self.name(name, &user);
                }
            }
        }
    }
}
