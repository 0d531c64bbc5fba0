//! Functions: heads, and what the tables of a body say.

use super::body::BodyParser;
use super::cursor::{Fail, Room};
use super::{Parsed, Parser};
use crate::body::{Scope, ScopeId, Slot, Value, ValueId, ValueKind, Var, VarHome};
use crate::module::{Function, FunctionBody, Refusal};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Declare,
    Define,
    Refuse,
}

const VERBS: [(&str, Verb); 3] =
    [("declare", Verb::Declare), ("define", Verb::Define), ("refuse", Verb::Refuse)];

impl Parser<'_> {
    pub(super) fn function(&mut self) -> Parsed<()> {
        let verb = self.cursor.choice("`declare`, `define` or `refuse`", &VERBS)?;
        let id = self.cursor.next_id(&self.module.functions)?;
        self.cursor.expect(":")?;
        let name = self.name()?;
        let linkage = self.linkage()?;
        let signature = self.plain_use(Room::Signature)?;
        let system = self.cursor.accept_word("system");
        let attributes = self.attributes()?;
        let span = self.span()?;
        let body = FunctionBody::Declared;
        let head = Function { name, linkage, signature, attributes, span, system, body };
        self.module.functions.push(head);
        let body = match verb {
            Verb::Declare => FunctionBody::Declared,
            Verb::Refuse => FunctionBody::Refused(self.refusal()?),
            Verb::Define => {
                self.file = self.module.spans.get(span).map(|span| span.start.file);
                let (body, pending) = BodyParser::new(self).braced(id)?;
                self.file = None;
                self.pending.push(pending);
                FunctionBody::Defined(Box::new(body))
            }
        };
        self.module.functions[id].body = body;
        self.cursor.line_end()
    }

    fn refusal(&mut self) -> Parsed<Refusal> {
        self.cursor.expect_word("because")?;
        let reason = self.cursor.text()?;
        Ok(Refusal { reason, span: self.span()? })
    }
}

impl BodyParser<'_, '_> {
    /// The lines before the first block.
    pub(super) fn tables(&mut self) -> Parsed<()> {
        while let Some(word) = self.outer.cursor.peek_word() {
            match word {
                "params" => self.params()?,
                "result" => self.hidden_result()?,
                "scope" => self.scope()?,
                "var" => self.variable()?,
                "slot" => self.slot()?,
                "label" => self.label()?,
                "const" => self.listed_constant()?,
                _ => return Ok(()),
            }
            self.outer.cursor.line_end()?;
        }
        Ok(())
    }

    fn params(&mut self) -> Parsed<()> {
        self.outer.cursor.bump();
        if !self.body.params.is_empty() {
            return Err(self.outer.cursor.expected("one line of parameters"));
        }
        while self.body.params.is_empty() || self.outer.cursor.accept(",") {
            let kind = ValueKind::Param(self.body.params.len() as u32);
            let param = self.definition(kind)?;
            self.body.params.push(param);
        }
        Ok(())
    }

    fn hidden_result(&mut self) -> Parsed<()> {
        self.outer.cursor.bump();
        self.outer.cursor.expect_word("into")?;
        if self.body.result_into.is_some() {
            return Err(self.outer.cursor.expected("one hidden result pointer"));
        }
        self.body.result_into = Some(self.definition(ValueKind::Param(u32::MAX))?);
        Ok(())
    }

    fn scope(&mut self) -> Parsed<()> {
        self.outer.cursor.bump();
        self.outer.cursor.next_id(&self.body.scopes)?;
        let parent = self.in_scope()?;
        let span = self.outer.span()?;
        self.body.scopes.push(Scope { parent, span });
        Ok(())
    }

    pub(super) fn in_scope(&mut self) -> Parsed<Option<ScopeId>> {
        match self.outer.cursor.accept_word("in") {
            true => self.plain_use(Room::Scope).map(Some),
            false => Ok(None),
        }
    }

    fn variable(&mut self) -> Parsed<()> {
        self.outer.cursor.bump();
        self.outer.cursor.next_id(&self.body.vars)?;
        self.outer.cursor.expect(":")?;
        let name = self.outer.name()?;
        let ty = self.outer.type_use()?;
        self.outer.cursor.expect_word("in")?;
        let scope = self.plain_use(Room::Scope)?;
        let param = match self.outer.cursor.accept_word("param") {
            true => Some(self.outer.cursor.number("a parameter's number")?),
            false => None,
        };
        let home = self.home()?;
        let span = self.outer.span()?;
        self.body.vars.push(Var { name, ty, home, span, scope, param });
        Ok(())
    }

    fn home(&mut self) -> Parsed<VarHome> {
        if self.outer.cursor.accept_word("slot") {
            return Ok(VarHome::Slot(self.plain_use(Room::Slot)?));
        }
        if self.outer.cursor.accept_word("object") {
            return Ok(VarHome::Object(self.outer.named_use(Room::Object)?));
        }
        let homes =
            [("values", VarHome::Values), ("memory", VarHome::Param), ("alloca", VarHome::Alloca)];
        self.outer.cursor.choice("`values`, `slot`, `memory`, `alloca` or `object`", &homes)
    }

    fn slot(&mut self) -> Parsed<()> {
        self.outer.cursor.bump();
        self.outer.cursor.next_id(&self.body.slots)?;
        let ty = self.outer.type_use()?;
        let (size, align) = self.outer.size_and_align()?;
        let scope = self.in_scope()?;
        let var = self.maybe_var()?;
        self.body.slots.push(Slot { ty, size, align, scope, var });
        Ok(())
    }

    fn label(&mut self) -> Parsed<()> {
        self.outer.cursor.bump();
        let at = self.outer.cursor.at;
        let number = self.outer.cursor.room_number("l")?;
        if number as usize != self.body.labels.len() {
            let message = format!("expected `l{}`, the next in order", self.body.labels.len());
            return Err(Fail::new(at, message));
        }
        self.outer.cursor.expect(":")?;
        let name = self.outer.name()?;
        let block = self.plain_use(Room::Block)?;
        self.body.labels.push((name, block));
        Ok(())
    }

    fn listed_constant(&mut self) -> Parsed<()> {
        self.outer.cursor.bump();
        let at = self.outer.cursor.at;
        let id = self.outer.cursor.id()?;
        self.outer.cursor.expect("=")?;
        if self.outer.cursor.peeks_id::<ValueId>() {
            return Err(self.outer.cursor.expected("a constant"));
        }
        let (scalar, constant, var) = self.constant()?;
        self.rows.push((id, Value { scalar, kind: ValueKind::Const(constant), var }, at));
        Ok(())
    }
}
