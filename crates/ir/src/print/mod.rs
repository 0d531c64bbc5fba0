//! The text form: one line per thing, ids with their room, names beside the ids.
//!
//! Printing never panics, also not on a module that breaks its invariants: an id that is out of
//! range is printed without a name. What the verifier accepts, `parse` reads back. Value ids are
//! printed as they are; constants are printed in place and fill the gaps between the ids, in the
//! order of their first use (see [`crate::parse`]).

mod body;
mod dot;
mod inst;
mod objects;
mod types;
mod value;

use std::fmt::{self, Display, Formatter};

use caulk_base::{FileId, Name, Place, Span, SpanId};

use crate::body::{BlockId, Body};
use crate::inst::InstId;
use crate::module::{Function, FunctionBody, FunctionId, Module, ObjectId};
use crate::text;
use body::BodyPrinter;

pub use dot::cfg_dot;

/// The version of the text form, in its first line.
pub const FORMAT: u32 = 1;

/// The whole module as text.
#[must_use]
pub fn module(module: &Module) -> String {
    let printer = Printer { module, file: None };
    fmt::from_fn(|f| printer.module(f)).to_string()
}

/// One function as text, as it stands in the module's text.
#[must_use]
pub fn function(module: &Module, id: FunctionId) -> String {
    let printer = Printer { module, file: None };
    fmt::from_fn(|f| printer.function(f, id)).to_string()
}

/// One instruction as text, without its span.
#[must_use]
pub fn instruction(module: &Module, body: &Body, id: InstId) -> String {
    let printer = BodyPrinter::new(module, body, None);
    fmt::from_fn(|f| printer.inst(f, id)).to_string()
}

/// A block's terminator as text, without its span.
#[must_use]
pub fn terminator(module: &Module, body: &Body, id: BlockId) -> String {
    let printer = BodyPrinter::new(module, body, None);
    fmt::from_fn(|f| match body.blocks.get(id) {
        Some(block) => printer.terminator(f, &block.terminator),
        None => write!(f, "{id}"),
    })
    .to_string()
}

/// What printing anything needs: the module, and the file that spans do not have to name.
#[derive(Clone, Copy)]
struct Printer<'m> {
    module: &'m Module,
    file: Option<FileId>,
}

impl<'m> Printer<'m> {
    fn module(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (module, target) = (self.module, &self.module.target);
        let order = if target.big_endian { "big" } else { "little" };
        writeln!(f, "module {} format {FORMAT}", text::quoted(module.name.as_bytes()))?;
        let target_name = text::quoted(target.name.as_bytes());
        writeln!(f, "target {target_name} pointer {} {order}", target.pointer_bytes)?;
        self.files(f)?;
        self.types(f)?;
        self.objects(f)?;
        for (id, function) in module.functions.iter() {
            // A blank line sets bodies apart; declarations stand together.
            if id.0 == 0 || matches!(function.body, FunctionBody::Defined(_)) {
                writeln!(f)?;
            }
            self.function(f, id)?;
        }
        Ok(())
    }

    fn function(&self, f: &mut Formatter<'_>, id: FunctionId) -> fmt::Result {
        let Some(function) = self.module.functions.get(id) else { return writeln!(f, "{id}") };
        match &function.body {
            FunctionBody::Declared => {
                self.function_head(f, "declare", id, function)?;
                writeln!(f)
            }
            FunctionBody::Refused(refusal) => {
                self.function_head(f, "refuse", id, function)?;
                let reason = text::quoted(refusal.reason.as_bytes());
                writeln!(f, " because {reason}{}", self.span(refusal.span))
            }
            FunctionBody::Defined(body) => {
                self.function_head(f, "define", id, function)?;
                let file = self.module.spans.get(function.span).map(|span| span.start.file);
                BodyPrinter::new(self.module, body, file).braced(f)
            }
        }
    }

    fn function_head(
        &self,
        f: &mut Formatter<'_>,
        verb: &str,
        id: FunctionId,
        function: &Function,
    ) -> fmt::Result {
        let linkage = objects::linkage_word(function.linkage);
        write!(f, "{verb} {} {linkage} {}", self.function_ref(id), function.signature)?;
        if function.system {
            f.write_str(" system")?;
        }
        self.attributes(f, &function.attributes)?;
        write!(f, "{}", self.span(function.span))
    }

    fn name(&self, name: Name) -> impl Display + use<'m> {
        let known = self.module.names.get(name);
        fmt::from_fn(move |f| match known {
            Some(known) => write!(f, "{}", text::name(known)),
            None => write!(f, "{name}"),
        })
    }

    fn maybe_name(&self, name: Option<Name>) -> impl Display + use<'_, 'm> {
        fmt::from_fn(move |f| match name {
            Some(name) => write!(f, "{}", self.name(name)),
            None => f.write_str("_"),
        })
    }

    fn function_ref(&self, id: FunctionId) -> impl Display + use<'_, 'm> {
        let name = self.module.functions.get(id).map(|function| function.name);
        self.named(id, name)
    }

    fn object_ref(&self, id: ObjectId) -> impl Display + use<'_, 'm> {
        let name = self.module.objects.get(id).and_then(|object| object.name);
        self.named(id, name)
    }

    fn named<I: Display>(&self, id: I, name: Option<Name>) -> impl Display + use<'_, 'm, I> {
        fmt::from_fn(move |f| match name {
            Some(name) => write!(f, "{id}:{}", self.name(name)),
            None => write!(f, "{id}"),
        })
    }

    /// ` @12:5-20`, or nothing for nowhere.
    fn span(&self, id: SpanId) -> impl Display + use<'_, 'm> {
        fmt::from_fn(move |f| match self.module.spans.get(id) {
            Some(span) => self.known_span(f, span),
            None if id == SpanId::NOWHERE => Ok(()),
            None => write!(f, " @{id}"),
        })
    }

    fn known_span(&self, f: &mut Formatter<'_>, span: Span) -> fmt::Result {
        f.write_str(" @")?;
        self.place(f, span.start)?;
        if span.end_line != span.start.line {
            write!(f, "-{}:{}", span.end_line, span.end_column)?;
        } else if span.end_column != span.start.column {
            write!(f, "-{}", span.end_column)?;
        }
        let Some(origin) = span.in_macro else { return Ok(()) };
        f.write_str("~")?;
        self.place(f, origin)
    }

    fn place(&self, f: &mut Formatter<'_>, place: Place) -> fmt::Result {
        if self.file != Some(place.file) {
            write!(f, "{}:", place.file)?;
        }
        write!(f, "{}:{}", place.line, place.column)
    }
}
