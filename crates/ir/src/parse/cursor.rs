//! The parser's view of the text: one token at a time, and the small pieces of grammar.

use std::fmt::Display;
use std::str::FromStr;

use caulk_base::{FileId, Id, Name, Place, Span, SpanId, Table};

use super::lexer::{Lexer, PlainSpan, Token, unescape};
use super::{Parsed, Parser};
use crate::types::{Scalar, TypeId};

/// A message for a byte of the text.
#[derive(Debug)]
pub(super) struct Fail {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Fail {
    pub(super) fn new(at: usize, message: impl Display) -> Self {
        Self { at, message: message.to_string() }
    }
}

/// Tables whose ids a text may use before their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Type,
    Record,
    Enum,
    Signature,
    File,
    Object,
    Function,
    Value,
    Block,
    Slot,
    Var,
    Scope,
    Label,
}

/// One use of an id, with the name beside it.
pub(super) struct Use {
    pub(super) room: Room,
    pub(super) id: u32,
    pub(super) name: Option<Name>,
    pub(super) at: usize,
}

pub(super) struct Cursor<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    token: Token<'t>,
    /// Where the token starts and ends.
    pub(super) at: usize,
    end: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lexer = Lexer::new(text);
        let (token, at, end) = lexer.next();
        Self { text, lexer, token, at, end }
    }

    pub(super) fn peek(&self) -> Token<'t> {
        self.token
    }

    pub(super) fn bump(&mut self) {
        (self.token, self.at, self.end) = self.lexer.next();
    }

    pub(super) fn at_end(&self) -> bool {
        self.token == Token::End
    }

    pub(super) fn expected(&self, what: impl Display) -> Fail {
        let found = match self.token {
            Token::LineEnd => "the end of the line".into(),
            Token::End => "the end of the text".into(),
            Token::Bad => "something unreadable".into(),
            _ => format!("`{}`", self.text.get(self.at..self.end).unwrap_or("")),
        };
        Fail::new(self.at, format_args!("expected {what}, found {found}"))
    }

    // Marks and lines.

    #[inline]
    pub(super) fn accept(&mut self, mark: &str) -> bool {
        let found = matches!(self.token, Token::Mark(token) if token == mark);
        if found {
            self.bump();
        }
        found
    }

    #[inline]
    pub(super) fn expect(&mut self, mark: &str) -> Parsed<()> {
        if self.accept(mark) { Ok(()) } else { Err(self.expected_mark(mark)) }
    }

    #[cold]
    fn expected_mark(&self, mark: &str) -> Fail {
        self.expected(format_args!("`{mark}`"))
    }

    pub(super) fn accept_line_end(&mut self) {
        if self.token == Token::LineEnd {
            self.bump();
        }
    }

    pub(super) fn line_end(&mut self) -> Parsed<()> {
        match self.token {
            Token::LineEnd => {
                self.bump();
                Ok(())
            }
            Token::End => Ok(()),
            _ => Err(self.expected("the end of the line")),
        }
    }

    /// `item, item …` up to `close`, which it takes.
    pub(super) fn at_list_end(&mut self, close: &str, first: &mut bool) -> Parsed<bool> {
        let started = !std::mem::replace(first, false);
        if self.accept(close) {
            return Ok(true);
        }
        if started {
            self.expect(",")?;
        }
        Ok(false)
    }

    // Words.

    pub(super) fn peek_word(&self) -> Option<&'t str> {
        match self.token {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(format_args!("`{word}`"))) }
    }

    pub(super) fn word(&mut self, what: &str) -> Parsed<&'t str> {
        let word = self.peek_word().ok_or_else(|| self.expected(what))?;
        self.bump();
        Ok(word)
    }

    /// A word with its dotted parts, such as `add.s`, as one.
    pub(super) fn dotted_word(&mut self, what: &str) -> Parsed<&'t str> {
        let start = self.at;
        let mut end = self.end;
        self.word(what)?;
        while self.token == Token::Mark(".") && self.at == end {
            self.bump();
            end = self.end;
            self.word(what)?;
        }
        Ok(self.text.get(start..end).unwrap_or(""))
    }

    pub(super) fn choice<T: Copy>(&mut self, what: &str, choices: &[(&str, T)]) -> Parsed<T> {
        let word = self.peek_word();
        let found = choices.iter().find(|(text, _)| Some(*text) == word);
        let &(_, choice) = found.ok_or_else(|| self.expected(what))?;
        self.bump();
        Ok(choice)
    }

    pub(super) fn scalar(&mut self) -> Parsed<Scalar> {
        let scalar = self.peek_word().and_then(scalar_named);
        let scalar = scalar.ok_or_else(|| self.expected("a scalar such as `i32` or `ptr`"))?;
        self.bump();
        Ok(scalar)
    }

    // Numbers and texts.

    pub(super) fn number<N: FromStr>(&mut self, what: &str) -> Parsed<N> {
        self.signed_number(false, what)
    }

    /// A number with an optional sign.
    pub(super) fn integer<N: FromStr>(&mut self, what: &str) -> Parsed<N> {
        let negative = self.accept("-");
        if !negative {
            self.accept("+");
        }
        self.signed_number(negative, what)
    }

    pub(super) fn signed_number<N: FromStr>(&mut self, negative: bool, what: &str) -> Parsed<N> {
        let Token::Number(digits) = self.token else { return Err(self.expected(what)) };
        let number = match negative {
            true => format!("-{digits}").parse().ok(),
            false => digits.parse().ok(),
        };
        let number = number.ok_or_else(|| self.expected(what))?;
        self.bump();
        Ok(number)
    }

    pub(super) fn bytes(&mut self) -> Parsed<Vec<u8>> {
        let Token::Quoted(raw) = self.token else { return Err(self.expected("a quoted text")) };
        let bytes = unescape(raw).ok_or_else(|| self.expected("escapes that are known"))?;
        self.bump();
        Ok(bytes)
    }

    pub(super) fn text(&mut self) -> Parsed<String> {
        let at = self.at;
        let bytes = self.bytes()?;
        String::from_utf8(bytes).map_err(|_| Fail::new(at, "expected a text in UTF-8"))
    }

    // Ids.

    /// Whether the next word is an id of this kind.
    pub(super) fn peeks_id<I: Id>(&self) -> bool {
        self.peek_word().is_some_and(|word| number_in_room(word, I::ROOM).is_some())
    }

    pub(super) fn id<I: Id>(&mut self) -> Parsed<I> {
        let number = self.room_number(I::ROOM)?;
        Ok(I::from_index(number as usize))
    }

    /// The number of an id such as `l3`, whose kind has no type of its own.
    pub(super) fn room_number(&mut self, room: &str) -> Parsed<u32> {
        let number = self.peek_word().and_then(|word| number_in_room(word, room));
        let number =
            number.ok_or_else(|| self.expected(format_args!("an id such as `{room}0`")))?;
        self.bump();
        Ok(number)
    }

    /// The id of a table's next row.
    pub(super) fn next_id<I: Id, T>(&mut self, table: &Table<I, T>) -> Parsed<I> {
        let number = self.peek_word().and_then(|word| number_in_room(word, I::ROOM));
        if number.is_none_or(|number| number as usize != table.len()) {
            return Err(self.expected(format_args!("`{}`, the next in order", table.next_id())));
        }
        self.id()
    }
}

fn scalar_named(word: &str) -> Option<Scalar> {
    Scalar::ALL.into_iter().find(|scalar| scalar.name() == word)
}

pub(super) fn number_in_room(word: &str, room: &str) -> Option<u32> {
    let digits = word.as_bytes().strip_prefix(room.as_bytes())?;
    if digits.is_empty() || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    digits.iter().try_fold(0_u32, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

impl Parser<'_> {
    /// A name, or `_` for none.
    pub(super) fn maybe_name(&mut self) -> Parsed<Option<Name>> {
        if self.cursor.accept_word("_") { Ok(None) } else { self.name().map(Some) }
    }

    pub(super) fn name(&mut self) -> Parsed<Name> {
        if let Some(word) = self.cursor.peek_word() {
            self.cursor.bump();
            return Ok(self.module.names.intern(word));
        }
        match self.cursor.peek() {
            Token::Quoted(_) => {
                let text = self.cursor.text()?;
                Ok(self.module.names.intern(&text))
            }
            _ => Err(self.cursor.expected("a name")),
        }
    }

    /// `:name` after an id.
    pub(super) fn name_beside(&mut self) -> Parsed<Option<Name>> {
        if self.cursor.accept(":") { self.name().map(Some) } else { Ok(None) }
    }

    /// The id of a row that must exist at the end, with the name beside it.
    pub(super) fn named_use<I: Id>(&mut self, room: Room) -> Parsed<I> {
        let at = self.cursor.at;
        let id: I = self.cursor.id()?;
        let name = self.name_beside()?;
        self.uses.push(Use { room, id: id.index() as u32, name, at });
        Ok(id)
    }

    /// The id of a row that must exist at the end and has no name.
    pub(super) fn plain_use<I: Id>(&mut self, room: Room) -> Parsed<I> {
        let at = self.cursor.at;
        let id: I = self.cursor.id()?;
        self.uses.push(Use { room, id: id.index() as u32, name: None, at });
        Ok(id)
    }

    pub(super) fn type_use(&mut self) -> Parsed<TypeId> {
        self.plain_use(Room::Type)
    }

    /// `@12:5-20~file1:3:9`, or nothing.
    pub(super) fn span(&mut self) -> Parsed<SpanId> {
        if self.cursor.token != Token::Mark("@") {
            return Ok(SpanId::NOWHERE);
        }
        let (mut span, is_ended) = match self.plain_span() {
            Some(known) => known,
            None => {
                self.cursor.bump();
                (Span::at(self.place()?), false)
            }
        };
        if !is_ended && self.cursor.accept("-") {
            span.end_column = self.cursor.number("a line or column")?;
            if self.cursor.accept(":") {
                span.end_line = span.end_column;
                span.end_column = self.cursor.number("a column")?;
            }
        }
        if self.cursor.accept("~") {
            span.in_macro = Some(self.place()?);
        }
        Ok(self.module.spans.add(span))
    }

    /// Behind `@`, all at once; the common spelling, for the sake of speed. And whether its end is
    /// known, too.
    fn plain_span(&mut self) -> Option<(Span, bool)> {
        let file = self.file?;
        let PlainSpan { line, column, end_column } = self.cursor.lexer.plain_span()?;
        self.cursor.bump();
        let mut span = Span::at(Place { file, line, column });
        span.end_column = end_column.unwrap_or(span.end_column);
        Some((span, end_column.is_some()))
    }

    fn place(&mut self) -> Parsed<Place> {
        let file = match (self.cursor.peeks_id::<FileId>(), self.file) {
            (false, Some(file)) => file,
            _ => {
                let file = self.plain_use(Room::File)?;
                self.cursor.expect(":")?;
                file
            }
        };
        let line = self.cursor.number("a line")?;
        self.cursor.expect(":")?;
        let column = self.cursor.number("a column")?;
        Ok(Place { file, line, column })
    }
}
