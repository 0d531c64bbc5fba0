//! Objects of static storage, and attributes.

use super::cursor::{Fail, Room};
use super::lexer::{Token, from_hex};
use super::{Parsed, Parser};
use crate::attribute::Attribute;
use crate::attribute_text::{Argument, build};
use crate::module::{Definition, Init, Linkage, Object, ObjectKind, Relocation, RelocationTarget};

const DEFINITIONS: [(&str, Definition); 3] = [
    ("declared", Definition::Declared),
    ("tentative", Definition::Tentative),
    ("defined", Definition::Defined),
];

const LINKAGES: [(&str, Linkage); 3] =
    [("external", Linkage::External), ("internal", Linkage::Internal), ("unlinked", Linkage::None)];

impl Parser<'_> {
    pub(super) fn object(&mut self) -> Parsed<()> {
        self.cursor.next_id(&self.module.objects)?;
        let name = self.name_beside()?;
        let linkage = self.linkage()?;
        let definition =
            self.cursor.choice("`declared`, `tentative` or `defined`", &DEFINITIONS)?;
        let kind = self.object_kind()?;
        let ty = self.type_use()?;
        let (size, align) = self.size_and_align()?;
        let thread_local = self.cursor.accept_word("thread");
        let constant = self.cursor.accept_word("const");
        let attributes = self.attributes()?;
        let span = self.span()?;
        let init = self.init()?;
        self.module.objects.push(Object {
            name,
            kind,
            linkage,
            definition,
            ty,
            size,
            align,
            thread_local,
            constant,
            init,
            attributes,
            span,
        });
        Ok(())
    }

    pub(super) fn linkage(&mut self) -> Parsed<Linkage> {
        self.cursor.choice("`external`, `internal` or `unlinked`", &LINKAGES)
    }

    fn object_kind(&mut self) -> Parsed<ObjectKind> {
        if self.cursor.accept_word("static") {
            return Ok(ObjectKind::StaticLocal(self.named_use(Room::Function)?));
        }
        let kinds = [
            ("variable", ObjectKind::Variable),
            ("string", ObjectKind::StringLiteral),
            ("literal", ObjectKind::Literal),
        ];
        self.cursor.choice("`variable`, `static`, `string` or `literal`", &kinds)
    }

    fn init(&mut self) -> Parsed<Option<Init>> {
        if self.cursor.peek() != Token::Mark("{") {
            self.cursor.line_end()?;
            return Ok(None);
        }
        let mut init = Init::default();
        for row in self.braced(Self::init_row)? {
            match row {
                InitRow::Bytes(bytes) => init.bytes.extend(bytes),
                InitRow::Relocation(relocation) => init.relocations.push(relocation),
            }
        }
        Ok(Some(init))
    }

    fn init_row(&mut self) -> Parsed<InitRow> {
        if self.cursor.accept_word("bytes") {
            return Ok(InitRow::Bytes(self.cursor.bytes()?));
        }
        if self.cursor.accept_word("hex") {
            let bytes = match self.cursor.peek() {
                Token::Quoted(digits) => from_hex(digits),
                _ => None,
            };
            let bytes = bytes.ok_or_else(|| self.cursor.expected("quoted pairs of digits"))?;
            self.cursor.bump();
            return Ok(InitRow::Bytes(bytes));
        }
        if self.cursor.peek() != Token::Mark("+") {
            return Err(self.cursor.expected("`bytes`, `hex`, a relocation or `}`"));
        }
        Ok(InitRow::Relocation(self.relocation()?))
    }

    fn relocation(&mut self) -> Parsed<Relocation> {
        self.cursor.expect("+")?;
        let offset = self.cursor.number("an offset")?;
        self.cursor.expect_word("size")?;
        let size = self.cursor.number("a size")?;
        self.cursor.expect("=")?;
        let target = self.relocation_target()?;
        let addend = match self.cursor.peek() {
            Token::Mark("+" | "-") => self.cursor.integer("an addend")?,
            _ => 0,
        };
        Ok(Relocation { offset, size, target, addend })
    }

    fn relocation_target(&mut self) -> Parsed<RelocationTarget> {
        if self.cursor.accept_word("label") {
            let function = self.named_use(Room::Function)?;
            let label = self.cursor.room_number("l")?;
            if !self.cursor.accept_word("from") {
                return Ok(RelocationTarget::Label { function, label });
            }
            let base = self.cursor.room_number("l")?;
            return Ok(RelocationTarget::LabelDistance { function, label, base });
        }
        if self.cursor.peeks_id::<crate::module::FunctionId>() {
            return Ok(RelocationTarget::Function(self.named_use(Room::Function)?));
        }
        Ok(RelocationTarget::Object(self.named_use(Room::Object)?))
    }

    /// `[malloc, alloc_size(1)]`, or nothing.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        if !self.cursor.accept("[") {
            return Ok(attributes);
        }
        let mut first = true;
        while !self.cursor.at_list_end("]", &mut first)? {
            attributes.push(self.attribute()?);
        }
        Ok(attributes)
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let at = self.cursor.at;
        let word = self.cursor.word("an attribute")?;
        let (mut arguments, mut first) = (Vec::new(), true);
        if self.cursor.accept("(") {
            while !self.cursor.at_list_end(")", &mut first)? {
                arguments.push(self.argument()?);
            }
        }
        let attribute = build(word, &arguments);
        attribute.ok_or_else(|| Fail::new(at, "expected a known attribute and arguments that fit"))
    }

    fn argument(&mut self) -> Parsed<Argument> {
        match self.cursor.peek() {
            Token::Number(_) => Ok(Argument::Number(self.cursor.number("a number")?)),
            _ => Ok(Argument::Name(self.name()?)),
        }
    }
}

enum InitRow {
    Bytes(Vec<u8>),
    Relocation(Relocation),
}
