//! Function bodies: variables, scopes, slots, blocks and terminators.

use std::fmt::{self, Display, Formatter};

use caulk_base::{FileId, SpanId};

use super::Printer;
use super::value::listed_constants;
use crate::body::{
    Block, BlockId, Body, Edge, Scope, Slot, SlotId, SwitchCase, Terminator, Unreachable, ValueId,
    Var, VarHome, VarId,
};
use crate::inst::InstId;
use crate::module::Module;

pub(super) struct BodyPrinter<'m> {
    pub(super) outer: Printer<'m>,
    pub(super) body: &'m Body,
}

impl<'m> BodyPrinter<'m> {
    pub(super) fn new(module: &'m Module, body: &'m Body, file: Option<FileId>) -> Self {
        Self { outer: Printer { module, file }, body }
    }

    pub(super) fn braced(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, " {{")?;
        self.tables(f)?;
        for (id, block) in self.body.blocks.iter() {
            self.block(f, id, block)?;
        }
        writeln!(f, "}}")
    }

    fn tables(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let body = self.body;
        if !body.params.is_empty() {
            writeln!(f, "  params {}", self.all_defined(&body.params))?;
        }
        if let Some(value) = body.result_into {
            writeln!(f, "  result into {}", self.defined(value, None))?;
        }
        for (id, scope) in body.scopes.iter() {
            write!(f, "  scope {id}")?;
            self.scope(f, scope)?;
        }
        for (id, var) in body.vars.iter() {
            self.variable(f, id, var)?;
        }
        for (id, slot) in body.slots.iter() {
            self.slot(f, id, slot)?;
        }
        for (index, &(name, block)) in body.labels.iter().enumerate() {
            writeln!(f, "  label l{index}:{} {block}", self.outer.name(name))?;
        }
        for id in listed_constants(body) {
            writeln!(f, "  const {id} = {}", self.value(id))?;
        }
        Ok(())
    }

    fn all_defined<'a>(&'a self, ids: &'a [ValueId]) -> impl Display + use<'a, 'm> {
        fmt::from_fn(move |f| {
            for (index, &id) in ids.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                write!(f, "{comma}{}", self.defined(id, None))?;
            }
            Ok(())
        })
    }

    fn scope(&self, f: &mut Formatter<'_>, scope: &Scope) -> fmt::Result {
        if let Some(parent) = scope.parent {
            write!(f, " in {parent}")?;
        }
        writeln!(f, "{}", self.outer.span(scope.span))
    }

    fn variable(&self, f: &mut Formatter<'_>, id: VarId, var: &Var) -> fmt::Result {
        write!(f, "  var {} {} in {}", self.var(id), var.ty, var.scope)?;
        if let Some(param) = var.param {
            write!(f, " param {param}")?;
        }
        match var.home {
            VarHome::Values => f.write_str(" values")?,
            VarHome::Slot(slot) => write!(f, " slot {slot}")?,
            VarHome::Param => f.write_str(" memory")?,
            VarHome::Alloca => f.write_str(" alloca")?,
            VarHome::Object(id) => write!(f, " object {}", self.outer.object_ref(id))?,
        }
        writeln!(f, "{}", self.outer.span(var.span))
    }

    fn slot(&self, f: &mut Formatter<'_>, id: SlotId, slot: &Slot) -> fmt::Result {
        write!(f, "  slot {id} {} size {} align {}", slot.ty, slot.size, slot.align)?;
        if let Some(scope) = slot.scope {
            write!(f, " in {scope}")?;
        }
        if let Some(var) = slot.var {
            write!(f, " {}", self.var(var))?;
        }
        writeln!(f)
    }

    fn block(&self, f: &mut Formatter<'_>, id: BlockId, block: &Block) -> fmt::Result {
        writeln!(f, "{}:", self.block_head(id, block))?;
        for inst in self.existing_insts(block) {
            f.write_str("  ")?;
            self.inst(f, inst)?;
            let span = self.body.inst_spans.get(inst).copied().unwrap_or(SpanId::NOWHERE);
            writeln!(f, "{}", self.outer.span(span))?;
        }
        f.write_str("  ")?;
        self.terminator(f, &block.terminator)?;
        writeln!(f, "{}", self.outer.span(block.terminator_span))
    }

    /// The block's instructions; a block that promises more than there are gets what there is.
    pub(super) fn existing_insts(&self, block: &Block) -> impl Iterator<Item = InstId> + use<'m> {
        let end = self.body.insts.next_id();
        block.insts().take_while(move |&id| id < end)
    }

    pub(super) fn block_head<'a>(
        &'a self,
        id: BlockId,
        block: &'a Block,
    ) -> impl Display + use<'a, 'm> {
        fmt::from_fn(move |f| match block.params.as_slice() {
            [] => write!(f, "{id}"),
            params => write!(f, "{id}({})", self.all_defined(params)),
        })
    }

    pub(super) fn terminator(&self, f: &mut Formatter<'_>, it: &Terminator) -> fmt::Result {
        match it {
            Terminator::Jump(edge) => write!(f, "jump {}", self.edge(edge)),
            Terminator::Branch { cond, then, otherwise } => {
                let (then, otherwise) = (self.edge(then), self.edge(otherwise));
                write!(f, "branch {} ? {then} : {otherwise}", self.value(*cond))
            }
            Terminator::Switch { value, signed, cases, default } => {
                let sign = if *signed { "s" } else { "u" };
                write!(f, "switch.{sign} {} [", self.value(*value))?;
                self.cases(f, cases)?;
                write!(f, "] default {}", self.edge(default))
            }
            Terminator::Indirect { target, edges } => {
                write!(f, "goto {} [", self.value(*target))?;
                for (index, edge) in edges.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { ", " }, self.edge(edge))?;
                }
                f.write_str("]")
            }
            Terminator::Return(None) => f.write_str("return"),
            Terminator::Return(Some(value)) => write!(f, "return {}", self.value(*value)),
            Terminator::Unreachable(why) => write!(f, "unreachable {}", unreachable_word(*why)),
        }
    }

    fn cases(&self, f: &mut Formatter<'_>, cases: &[SwitchCase]) -> fmt::Result {
        for (index, case) in cases.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write!(f, "{}: {}", case_text(case), self.edge(&case.edge))?;
        }
        Ok(())
    }

    fn edge<'a>(&'a self, edge: &'a Edge) -> impl Display + use<'a, 'm> {
        fmt::from_fn(move |f| match edge.args.as_slice() {
            [] => write!(f, "{}", edge.to),
            args => write!(f, "{}({})", edge.to, self.values(args)),
        })
    }
}

/// `3`, or `3..5` for a range.
pub(super) fn case_text(case: &SwitchCase) -> String {
    if case.low == case.high {
        case.low.to_string()
    } else {
        format!("{}..{}", case.low, case.high)
    }
}

fn unreachable_word(why: Unreachable) -> &'static str {
    match why {
        Unreachable::Noreturn => "noreturn",
        Unreachable::Trap => "trap",
        Unreachable::Promised => "promised",
    }
}
