//! Reads the text form that [`crate::print`] writes.
//!
//! Grammar, one line each: a `module` and a `target` line, then files, types, records,
//! enumerations, signatures, objects and functions in any order. Things are numbered by the
//! ids they start with, which must come in order and without gaps. Names beside ids are
//! checked, and may be left out. So may the scalar of a result, where its instruction and the
//! lines before it imply it, the types of arguments and the signature of a call, where the
//! callee's declaration has them. `f64:name` is a function, `f64` a scalar.
//!
//! Values in a body: ids are as written. Constants stand in place; equal ones become one row of
//! `values`. Those rows take the ids that no definition uses, in order of first use, so a text
//! whose definitions are numbered without gaps gets its constants behind them. A constant
//! that nothing uses is listed as `const v7 = i32 5`. Hence `print(parse(print(m)))` equals
//! `print(m)`, and reading that text again gives an equal module.
//!
//! Time is linear in the text, nothing recurses, and no text makes it panic.

mod body;
mod call;
mod cursor;
mod finish;
mod function;
mod inst;
mod lexer;
mod object;
mod types;
mod value;

use std::fmt::{self, Display, Formatter};

use crate::module::{Module, Target};
use crate::print::FORMAT;
use cursor::{Cursor, Fail};
use finish::PendingBody;

/// What was expected, and where. Lines and columns count from 1, columns in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads a module. It is well-formed, but not verified.
pub fn module(text: &str) -> Result<Module, ParseError> {
    let mut parser = Parser::new(text);
    match parser.module() {
        Ok(()) => Ok(parser.module),
        Err(fail) => Err(locate(text, &fail)),
    }
}

fn locate(text: &str, fail: &Fail) -> ParseError {
    let before = &text.as_bytes()[..fail.at.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let column = count(before.len() - line_start + 1);
    ParseError { line: count(line), column, message: fail.message.clone() }
}

type Parsed<T> = Result<T, Fail>;

struct Parser<'t> {
    cursor: Cursor<'t>,
    module: Module,
    /// Uses of ids of the module's tables, checked when all are known.
    uses: Vec<cursor::Use>,
    pending: Vec<PendingBody>,
    /// The file of spans that name none.
    file: Option<caulk_base::FileId>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let target = Target { name: String::new(), pointer_bytes: 0, big_endian: false };
        Self {
            cursor: Cursor::new(text),
            module: Module::new(String::new(), target),
            uses: Vec::new(),
            pending: Vec::new(),
            file: None,
        }
    }

    fn module(&mut self) -> Parsed<()> {
        self.cursor.accept_line_end();
        self.header()?;
        while !self.cursor.at_end() {
            self.item()?;
        }
        self.finish()
    }

    fn header(&mut self) -> Parsed<()> {
        self.cursor.expect_word("module")?;
        self.module.name = self.cursor.text()?;
        self.cursor.expect_word("format")?;
        let at = self.cursor.at;
        if self.cursor.number::<u32>("the format's number")? != FORMAT {
            return Err(Fail::new(at, format_args!("expected format {FORMAT}")));
        }
        self.cursor.line_end()?;
        self.cursor.expect_word("target")?;
        self.module.target.name = self.cursor.text()?;
        self.cursor.expect_word("pointer")?;
        self.module.target.pointer_bytes = self.cursor.number("the bytes of a pointer")?;
        let order = [("little", false), ("big", true)];
        self.module.target.big_endian = self.cursor.choice("`little` or `big`", &order)?;
        self.cursor.line_end()
    }

    fn item(&mut self) -> Parsed<()> {
        let word = self.cursor.peek_word().unwrap_or("");
        match word.trim_end_matches(|ch: char| ch.is_ascii_digit()) {
            "declare" | "define" | "refuse" => self.function(),
            "file" => self.source_file(),
            "t" => self.type_row(),
            "rec" => self.record(),
            "enum" => self.enumeration(),
            "sig" => self.signature(),
            "o" => self.object(),
            _ => Err(self
                .cursor
                .expected("a file, type, record, enumeration, signature, object or function")),
        }
    }
}
