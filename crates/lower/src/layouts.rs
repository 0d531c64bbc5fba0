//! A unit's layouts as C assertions, so that a compiler can check them: every size, alignment,
//! offset and enumerator that the module holds. Bit-fields have no offset to ask for in C; the
//! members around them do.

use std::collections::BTreeSet;
use std::fmt::Write;

use caulk_cfront::{Tree, tree};
use caulk_ir::{Module, Record, RecordId, RecordKind, Type, TypeId};

use crate::{Options, unit};

/// `_Static_assert`s to be compiled after the unit's own text.
#[must_use]
pub fn assertions(tree: &Tree, name: &str) -> String {
    let (module, _) = unit::module(tree, name, &Options { all_types: true });
    let mut writer = Writer { module: &module, used: BTreeSet::new(), text: String::new() };
    writer.records(tree);
    writer.enums();
    let undefined = writer.used.iter().map(|name| format!("#undef {name}\n"));
    undefined.chain([writer.text.clone()]).collect()
}

struct Writer<'m> {
    module: &'m Module,
    /// Identifiers in the assertions, which must not be macros there.
    used: BTreeSet<&'m str>,
    text: String,
}

impl<'m> Writer<'m> {
    fn records(&mut self, tree: &Tree) {
        let tags: BTreeSet<&str> = tree
            .types
            .records()
            .filter_map(|(_, info)| info.tag.map(|tag| tree.names.resolve(tag)))
            .collect();
        for (id, record) in self.module.types.records.iter() {
            let Some(name) = record.name.filter(|_| record.complete) else { continue };
            let name = self.module.names.text(name);
            if self.is_ambiguous(id, record) {
                continue;
            }
            let spelled = match tags.contains(name) {
                true => format!("{} {name}", keyword(record.kind)),
                false => name.to_owned(),
            };
            self.used.insert(name);
            self.assert(&format!("sizeof({spelled})"), i128::from(record.size));
            let align = typedef_align(tree, &spelled).unwrap_or(record.align);
            self.assert(&format!("_Alignof({spelled})"), i128::from(align));
            self.members(&spelled, "", 0, record);
        }
    }

    /// Two records of one name are in different scopes; which one the end of the file sees is
    /// not known here.
    fn is_ambiguous(&self, id: RecordId, record: &Record) -> bool {
        let rows = self.module.types.records.iter();
        rows.filter(|(_, other)| other.name == record.name).any(|(other, _)| other != id)
    }

    /// Asserts the offsets of the named members, those of nested anonymous records included.
    fn members(&mut self, spelled: &str, path: &str, base: u64, record: &'m Record) {
        for field in record.fields.iter().filter(|field| field.bits.is_none()) {
            let inner = self.record_of(field.ty);
            let offset = base + field.offset;
            let Some(name) = field.name else {
                if let Some(inner) = inner {
                    self.members(spelled, path, offset, inner);
                }
                continue;
            };
            let name = self.module.names.text(name);
            self.used.insert(name);
            let member = format!("{path}{name}");
            let question = format!("__builtin_offsetof({spelled}, {member})");
            self.assert(&question, i128::from(offset));
            if let Some(inner) = inner.filter(|inner| inner.name.is_none()) {
                self.members(spelled, &format!("{member}."), offset, inner);
            }
        }
    }

    fn record_of(&self, ty: TypeId) -> Option<&'m Record> {
        match self.module.types.types[ty] {
            Type::Record(id) => Some(&self.module.types.records[id]),
            _ => None,
        }
    }

    fn enums(&mut self) {
        let mut seen = BTreeSet::new();
        for (_, row) in self.module.types.enums.iter() {
            for enumerator in &row.enumerators {
                let name = self.module.names.text(enumerator.name);
                if seen.insert(name) {
                    self.used.insert(name);
                    self.assert(name, enumerator.value);
                }
            }
        }
    }

    fn assert(&mut self, question: &str, answer: i128) {
        // Written as a sum, because C has no literal for the least number.
        let answer = if answer < 0 { format!("({}-1)", answer + 1) } else { answer.to_string() };
        let _ = writeln!(self.text, "_Static_assert({question} == {answer}, \"{question}\");");
    }
}

fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

/// A typedef may ask for more alignment than the record it names.
fn typedef_align(tree: &Tree, name: &str) -> Option<u64> {
    let mut aliases = tree.types.aliases().iter();
    let alias = aliases.find(|alias| tree.names.resolve(alias.name) == name)?;
    let layout = tree::layout(&tree.types, alias.of, &tree.target).ok()?;
    Some(layout.align)
}
