//! Objects of static storage, and attributes.

use std::fmt::{self, Display, Formatter};

use super::Printer;
use crate::attribute::Attribute;
use crate::attribute_text::{Argument, parts};
use crate::module::{
    Definition, Init, Linkage, Object, ObjectId, ObjectKind, Relocation, RelocationTarget,
};
use crate::text;

const HEX_BYTES_PER_LINE: usize = 32;

impl Printer<'_> {
    pub(super) fn objects(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (id, object) in self.module.objects.iter() {
            self.object(f, id, object)?;
        }
        Ok(())
    }

    fn object(&self, f: &mut Formatter<'_>, id: ObjectId, object: &Object) -> fmt::Result {
        let linkage = linkage_word(object.linkage);
        let definition = definition_word(object.definition);
        write!(f, "{} {linkage} {definition} ", self.object_ref(id))?;
        self.object_kind(f, object.kind)?;
        write!(f, " {} size {} align {}", object.ty, object.size, object.align)?;
        for (set, word) in [(object.thread_local, " thread"), (object.constant, " const")] {
            f.write_str(if set { word } else { "" })?;
        }
        self.attributes(f, &object.attributes)?;
        write!(f, "{}", self.span(object.span))?;
        match &object.init {
            Some(init) => self.init(f, init),
            None => writeln!(f),
        }
    }

    fn object_kind(&self, f: &mut Formatter<'_>, kind: ObjectKind) -> fmt::Result {
        match kind {
            ObjectKind::Variable => f.write_str("variable"),
            ObjectKind::StaticLocal(function) => {
                write!(f, "static {}", self.function_ref(function))
            }
            ObjectKind::StringLiteral => f.write_str("string"),
            ObjectKind::Literal => f.write_str("literal"),
        }
    }

    fn init(&self, f: &mut Formatter<'_>, init: &Init) -> fmt::Result {
        writeln!(f, " {{")?;
        self.init_bytes(f, &init.bytes)?;
        for relocation in &init.relocations {
            self.relocation(f, relocation)?;
        }
        writeln!(f, "}}")
    }

    fn init_bytes(&self, f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
        if bytes.is_empty() {
            return Ok(());
        }
        if reads_as_text(bytes) {
            return writeln!(f, "  bytes {}", text::quoted(bytes));
        }
        let mut lines = bytes.chunks(HEX_BYTES_PER_LINE);
        lines.try_for_each(|line| writeln!(f, "  hex {}", text::hex(line)))
    }

    fn relocation(&self, f: &mut Formatter<'_>, relocation: &Relocation) -> fmt::Result {
        write!(f, "  +{} size {} = ", relocation.offset, relocation.size)?;
        self.relocation_target(f, relocation.target)?;
        match relocation.addend {
            0 => writeln!(f),
            addend => writeln!(f, " {addend:+}"),
        }
    }

    fn relocation_target(&self, f: &mut Formatter<'_>, target: RelocationTarget) -> fmt::Result {
        match target {
            RelocationTarget::Object(id) => write!(f, "{}", self.object_ref(id)),
            RelocationTarget::Function(id) => write!(f, "{}", self.function_ref(id)),
            RelocationTarget::Label { function, label } => {
                write!(f, "label {} l{label}", self.function_ref(function))
            }
            RelocationTarget::LabelDistance { function, label, base } => {
                write!(f, "label {} l{label} from l{base}", self.function_ref(function))
            }
        }
    }

    /// ` [malloc, alloc_size(1)]`, or nothing.
    pub(super) fn attributes(
        &self,
        f: &mut Formatter<'_>,
        attributes: &[Attribute],
    ) -> fmt::Result {
        if attributes.is_empty() {
            return Ok(());
        }
        f.write_str(" [")?;
        for (index, attribute) in attributes.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            self.attribute(f, attribute)?;
        }
        f.write_str("]")
    }

    fn attribute(&self, f: &mut Formatter<'_>, attribute: &Attribute) -> fmt::Result {
        let (word, arguments) = parts(attribute);
        f.write_str(word)?;
        for (index, argument) in arguments.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { "(" } else { ", " }, self.argument(*argument))?;
        }
        f.write_str(if arguments.is_empty() { "" } else { ")" })
    }

    fn argument(&self, argument: Argument) -> impl Display {
        fmt::from_fn(move |f| match argument {
            Argument::Number(number) => write!(f, "{number}"),
            Argument::Name(name) => write!(f, "{}", self.name(name)),
        })
    }
}

pub(super) fn linkage_word(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "external",
        Linkage::Internal => "internal",
        Linkage::None => "unlinked",
    }
}

fn definition_word(definition: Definition) -> &'static str {
    match definition {
        Definition::Declared => "declared",
        Definition::Tentative => "tentative",
        Definition::Defined => "defined",
    }
}

/// Text with at most a terminating zero; everything else is shown in hexadecimal.
fn reads_as_text(bytes: &[u8]) -> bool {
    let body = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    match std::str::from_utf8(body) {
        Ok(text) => text.chars().all(|ch| !ch.is_control() || ch == '\n' || ch == '\t'),
        Err(_) => false,
    }
}
