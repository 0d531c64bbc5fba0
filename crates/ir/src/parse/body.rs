//! Bodies: blocks and terminators.

use caulk_base::FxHashMap;

use super::cursor::{Room, Use};
use super::finish::PendingBody;
use super::{Parsed, Parser};
use crate::body::{
    Block, BlockId, Body, Call, CallId, Constant, Edge, SwitchCase, Terminator, Unreachable, Value,
    ValueId, ValueKind, VarId,
};
use crate::inst::{Asm, AsmId};
use crate::module::FunctionId;
use crate::types::Scalar;

/// One body under construction. Rows that carry their own id wait with the byte where it
/// stands, until the table can be checked to be dense.
pub(super) struct BodyParser<'p, 't> {
    pub(super) outer: &'p mut Parser<'t>,
    pub(super) body: Body,
    pub(super) rows: Vec<(ValueId, Value, usize)>,
    pub(super) calls: Vec<(CallId, Call, usize)>,
    pub(super) asms: Vec<(AsmId, Asm, usize)>,
    /// Constants that stand in place, each once.
    pub(super) constants: Vec<Value>,
    pub(super) constant_ids: FxHashMap<(Scalar, Constant, Option<VarId>), ValueId>,
    pub(super) wide_rows: FxHashMap<u128, u32>,
    pub(super) uses: Vec<Use>,
    pub(super) pending: PendingBody,
}

const WHY: [(&str, Unreachable); 3] = [
    ("noreturn", Unreachable::Noreturn),
    ("trap", Unreachable::Trap),
    ("promised", Unreachable::Promised),
];

impl<'p, 't> BodyParser<'p, 't> {
    pub(super) fn new(outer: &'p mut Parser<'t>) -> Self {
        Self {
            outer,
            body: Body::default(),
            rows: Vec::new(),
            calls: Vec::new(),
            asms: Vec::new(),
            constants: Vec::new(),
            constant_ids: FxHashMap::default(),
            wide_rows: FxHashMap::default(),
            uses: Vec::new(),
            pending: PendingBody::default(),
        }
    }

    pub(super) fn braced(mut self, function: FunctionId) -> Parsed<(Body, PendingBody)> {
        self.pending.function = function;
        self.outer.cursor.expect("{")?;
        self.outer.cursor.line_end()?;
        self.tables()?;
        while !self.outer.cursor.accept("}") {
            self.block()?;
        }
        self.complete()
    }

    fn block(&mut self) -> Parsed<()> {
        let id = self.outer.cursor.next_id(&self.body.blocks)?;
        let params = self.block_params(id)?;
        self.outer.cursor.expect(":")?;
        self.outer.cursor.line_end()?;
        let first = self.body.insts.next_id();
        let terminator = loop {
            if let Some(terminator) = self.maybe_terminator()? {
                break terminator;
            }
            self.instruction()?;
        };
        let terminator_span = self.outer.span()?;
        self.outer.cursor.line_end()?;
        let end = self.body.insts.next_id();
        self.body.blocks.push(Block { params, first, end, terminator, terminator_span });
        Ok(())
    }

    fn block_params(&mut self, id: BlockId) -> Parsed<Vec<ValueId>> {
        let (mut params, mut first) = (Vec::new(), true);
        if self.outer.cursor.accept("(") {
            while !self.outer.cursor.at_list_end(")", &mut first)? {
                let kind = ValueKind::BlockParam(id, params.len() as u32);
                params.push(self.definition(kind)?);
            }
        }
        Ok(params)
    }

    fn maybe_terminator(&mut self) -> Parsed<Option<Terminator>> {
        let terminator = match self.outer.cursor.peek_word() {
            Some("jump") => Self::jump,
            Some("branch") => Self::branch,
            Some("switch") => Self::switch,
            Some("goto") => Self::goto,
            Some("return") => Self::returned,
            Some("unreachable") => Self::unreachable,
            _ => return Ok(None),
        };
        terminator(self).map(Some)
    }

    fn jump(&mut self) -> Parsed<Terminator> {
        self.outer.cursor.bump();
        Ok(Terminator::Jump(self.edge()?))
    }

    fn branch(&mut self) -> Parsed<Terminator> {
        self.outer.cursor.bump();
        let cond = self.operand()?;
        self.outer.cursor.expect("?")?;
        let then = self.edge()?;
        self.outer.cursor.expect(":")?;
        Ok(Terminator::Branch { cond, then, otherwise: self.edge()? })
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        self.outer.cursor.bump();
        self.outer.cursor.expect(".")?;
        let signed = self.outer.cursor.choice("`s` or `u`", &[("s", true), ("u", false)])?;
        let value = self.operand()?;
        self.outer.cursor.expect("[")?;
        let (mut cases, mut first) = (Vec::new(), true);
        while !self.outer.cursor.at_list_end("]", &mut first)? {
            cases.push(self.case()?);
        }
        self.outer.cursor.expect_word("default")?;
        Ok(Terminator::Switch { value, signed, cases, default: self.edge()? })
    }

    fn case(&mut self) -> Parsed<SwitchCase> {
        let low = self.outer.cursor.integer("a case's value")?;
        let high = match self.outer.cursor.accept("..") {
            true => self.outer.cursor.integer("the end of a case range")?,
            false => low,
        };
        self.outer.cursor.expect(":")?;
        Ok(SwitchCase { low, high, edge: self.edge()? })
    }

    fn goto(&mut self) -> Parsed<Terminator> {
        self.outer.cursor.bump();
        let target = self.operand()?;
        self.outer.cursor.expect("[")?;
        let (mut edges, mut first) = (Vec::new(), true);
        while !self.outer.cursor.at_list_end("]", &mut first)? {
            edges.push(self.edge()?);
        }
        Ok(Terminator::Indirect { target, edges })
    }

    fn returned(&mut self) -> Parsed<Terminator> {
        self.outer.cursor.bump();
        match self.outer.cursor.peek_word() {
            Some(_) => Ok(Terminator::Return(Some(self.operand()?))),
            None => Ok(Terminator::Return(None)),
        }
    }

    fn unreachable(&mut self) -> Parsed<Terminator> {
        self.outer.cursor.bump();
        let why = self.outer.cursor.choice("`noreturn`, `trap` or `promised`", &WHY)?;
        Ok(Terminator::Unreachable(why))
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let to = self.plain_use(Room::Block)?;
        let (mut args, mut first) = (Vec::new(), true);
        if self.outer.cursor.accept("(") {
            while !self.outer.cursor.at_list_end(")", &mut first)? {
                args.push(self.operand()?);
            }
        }
        Ok(Edge { to, args })
    }
}
