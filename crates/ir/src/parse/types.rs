//! Files, types, records, enumerations and signatures.

use std::path::PathBuf;

use caulk_base::File;

use super::cursor::{Fail, Room};
use super::lexer::Token;
use super::{Parsed, Parser};
use crate::types::{
    EnumId, EnumType, Enumerator, Field, Record, RecordKind, Scalar, Signature, Type,
};

impl Parser<'_> {
    pub(super) fn source_file(&mut self) -> Parsed<()> {
        self.cursor.next_id(&self.module.files)?;
        let at = self.cursor.at;
        let path = path_from(self.cursor.bytes()?)
            .ok_or_else(|| Fail::new(at, "expected a path of this system"))?;
        let system = self.cursor.accept_word("system");
        self.module.files.push(File { path, system });
        self.cursor.line_end()
    }

    pub(super) fn type_row(&mut self) -> Parsed<()> {
        self.cursor.next_id(&self.module.types.types)?;
        self.cursor.expect("=")?;
        let ty = self.ty()?;
        self.module.types.types.push(ty);
        self.cursor.line_end()
    }

    fn ty(&mut self) -> Parsed<Type> {
        let word = self.cursor.peek_word().unwrap_or("");
        match word.trim_end_matches(|ch: char| ch.is_ascii_digit()) {
            "enum" => return Ok(Type::Enum(self.plain_use::<EnumId>(Room::Enum)?)),
            "rec" => return Ok(Type::Record(self.plain_use(Room::Record)?)),
            "sig" => return Ok(Type::Function(self.plain_use(Room::Signature)?)),
            _ => {}
        }
        let at = self.cursor.at;
        match self.cursor.dotted_word("a type")? {
            "void" => Ok(Type::Void),
            "ptr" => {
                let to_const = self.cursor.accept_word("const");
                Ok(Type::Pointer { to: self.type_use()?, to_const })
            }
            "array" => self.array(),
            "vector" => {
                let len = self.cursor.number("the number of elements")?;
                Ok(Type::Vector { element: self.type_use()?, len })
            }
            "opaque" => {
                let name = self.name()?;
                let (size, align) = self.size_and_align()?;
                Ok(Type::Opaque { name, size, align })
            }
            word => {
                let (scalar, signed) = signed_scalar(word, at)?;
                Ok(Type::Scalar { scalar, signed })
            }
        }
    }

    fn array(&mut self) -> Parsed<Type> {
        let len = match self.cursor.accept("?") {
            true => None,
            false => Some(self.cursor.number("the number of elements or `?`")?),
        };
        Ok(Type::Array { element: self.type_use()?, len })
    }

    pub(super) fn size_and_align(&mut self) -> Parsed<(u64, u64)> {
        self.cursor.expect_word("size")?;
        let size = self.cursor.number("a size")?;
        self.cursor.expect_word("align")?;
        Ok((size, self.cursor.number("an alignment")?))
    }

    pub(super) fn record(&mut self) -> Parsed<()> {
        self.cursor.next_id(&self.module.types.records)?;
        let kinds = [("struct", RecordKind::Struct), ("union", RecordKind::Union)];
        let kind = self.cursor.choice("`struct` or `union`", &kinds)?;
        let name = self.maybe_name()?;
        let complete = !self.cursor.accept_word("incomplete");
        let (size, align) = self.size_and_align()?;
        let fields = self.braced(Self::field)?;
        self.module.types.records.push(Record { kind, name, complete, size, align, fields });
        Ok(())
    }

    /// Lines between braces, up to the end of the closing one.
    pub(super) fn braced<T>(&mut self, row: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.cursor.expect("{")?;
        self.cursor.line_end()?;
        let mut rows = Vec::new();
        while !self.cursor.accept("}") {
            rows.push(row(self)?);
            self.cursor.line_end()?;
        }
        self.cursor.line_end()?;
        Ok(rows)
    }

    fn field(&mut self) -> Parsed<Field> {
        self.cursor.expect("+")?;
        let offset = self.cursor.number("an offset")?;
        let name = self.maybe_name()?;
        self.cursor.expect(":")?;
        let ty = self.type_use()?;
        let bits = match self.cursor.accept_word("bits") {
            true => Some(self.bit_place()?),
            false => None,
        };
        Ok(Field { name, ty, offset, bits })
    }

    /// `3 width 5`
    pub(super) fn bit_place(&mut self) -> Parsed<(u8, u8)> {
        let first = self.cursor.number("the first bit")?;
        self.cursor.expect_word("width")?;
        Ok((first, self.cursor.number("the number of bits")?))
    }

    pub(super) fn enumeration(&mut self) -> Parsed<()> {
        self.cursor.next_id(&self.module.types.enums)?;
        self.cursor.expect_word("enum")?;
        let name = self.maybe_name()?;
        let at = self.cursor.at;
        let (scalar, signed) = signed_scalar(self.cursor.dotted_word("a scalar")?, at)?;
        let enumerators = self.braced(Self::enumerator)?;
        self.module.types.enums.push(EnumType { name, scalar, signed, enumerators });
        Ok(())
    }

    fn enumerator(&mut self) -> Parsed<Enumerator> {
        let name = self.name()?;
        self.cursor.expect("=")?;
        Ok(Enumerator { name, value: self.cursor.integer("the enumerator's value")? })
    }

    pub(super) fn signature(&mut self) -> Parsed<()> {
        self.cursor.next_id(&self.module.types.signatures)?;
        self.cursor.expect("(")?;
        let (mut params, mut variadic, mut first) = (Vec::new(), false, true);
        while !self.cursor.at_list_end(")", &mut first)? {
            if self.cursor.peek() == Token::Mark("...") {
                self.cursor.bump();
                self.cursor.expect(")")?;
                variadic = true;
                break;
            }
            params.push(self.type_use()?);
        }
        self.cursor.expect("->")?;
        let result = self.type_use()?;
        let prototyped = !self.cursor.accept_word("unprototyped");
        self.module.types.signatures.push(Signature { result, params, variadic, prototyped });
        self.cursor.line_end()
    }
}

/// `i32.s`, `i32.u`, `f64`.
fn signed_scalar(word: &str, at: usize) -> Parsed<(Scalar, bool)> {
    let (name, sign) = word.split_once('.').unwrap_or((word, ""));
    let scalar = Scalar::ALL.into_iter().find(|scalar| scalar.name() == name);
    match (scalar, sign) {
        (Some(scalar), "s") => Ok((scalar, true)),
        (Some(scalar), "u") => Ok((scalar, false)),
        (Some(scalar), "") if scalar.is_float() => Ok((scalar, true)),
        _ => Err(Fail::new(at, "expected a type such as `void`, `i32.s`, `f64` or `ptr t0`")),
    }
}

#[cfg(unix)]
fn path_from(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_from(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}
