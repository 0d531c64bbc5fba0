//! Operands, constants and definitions.

use caulk_base::{Id, Name};

use super::Parsed;
use super::body::BodyParser;
use super::cursor::{Fail, Room, Use, number_in_room};
use super::lexer::Token;
use crate::body::{Constant, Value, ValueId, ValueKind, VarId};
use crate::module::FunctionId;
use crate::types::Scalar;

/// Constants in place get ids from here on until the body is complete.
pub(super) const FIRST_CONSTANT: u32 = 1 << 31;

impl BodyParser<'_, '_> {
    pub(super) fn operand(&mut self) -> Parsed<ValueId> {
        if self.outer.cursor.peeks_id::<ValueId>() {
            return self.plain_use(Room::Value);
        }
        let (scalar, constant, var) = self.constant()?;
        let next = ValueId(FIRST_CONSTANT + self.constants.len() as u32);
        let id = *self.constant_ids.entry((scalar, constant, var)).or_insert(next);
        if id == next {
            let kind = ValueKind::Const(constant);
            self.constants.push(Value { scalar, kind, var });
        }
        Ok(id)
    }

    /// `i32 5`, `null`, `s3`, `f64 2.5`, and the variable that it is a version of.
    pub(super) fn constant(&mut self) -> Parsed<(Scalar, Constant, Option<VarId>)> {
        let word = self.outer.cursor.peek_word().unwrap_or("");
        let (scalar, constant) = if word == "null" {
            self.outer.cursor.bump();
            (Scalar::Ptr, Constant::Int(0))
        } else if Scalar::ALL.iter().any(|scalar| scalar.name() == word) {
            self.after_scalar()?
        } else if is_address(word) {
            (Scalar::Ptr, self.address(word)?)
        } else {
            return Err(self.outer.cursor.expected("a value or a constant"));
        };
        Ok((scalar, constant, self.maybe_var()?))
    }

    /// `f64` is a scalar; `f64:name` is a function.
    fn after_scalar(&mut self) -> Parsed<(Scalar, Constant)> {
        let at = self.outer.cursor.at;
        let function = self.outer.cursor.peek_word().and_then(|word| number_in_room(word, "f"));
        let scalar = self.outer.cursor.scalar()?;
        let (Some(id), Some(name)) = (function, self.outer.name_beside()?) else {
            return Ok((scalar, self.of_scalar(scalar)?));
        };
        self.outer.uses.push(Use { room: Room::Function, id, name: Some(name), at });
        Ok((Scalar::Ptr, Constant::Function(FunctionId(id))))
    }

    fn address(&mut self, word: &str) -> Parsed<Constant> {
        match word.as_bytes().first() {
            Some(b'o') => Ok(Constant::Object(self.outer.named_use(Room::Object)?)),
            Some(b'f') => Ok(Constant::Function(self.outer.named_use(Room::Function)?)),
            Some(b's') => Ok(Constant::Slot(self.plain_use(Room::Slot)?)),
            _ => {
                let at = self.outer.cursor.at;
                let id = self.outer.cursor.room_number("l")?;
                let name = self.outer.name_beside()?;
                self.uses.push(Use { room: Room::Label, id, name, at });
                Ok(Constant::Label(id))
            }
        }
    }

    fn of_scalar(&mut self, scalar: Scalar) -> Parsed<Constant> {
        if self.outer.cursor.accept_word("undef") {
            return Ok(Constant::Undef);
        }
        if let Some(word) = self.outer.cursor.peek_word().filter(|word| is_address(word)) {
            return self.address(word);
        }
        let at = self.outer.cursor.at;
        let negative = self.outer.cursor.accept("-");
        let Token::Number(digits) = self.outer.cursor.peek() else {
            return Err(self.outer.cursor.expected("a number, an address or `undef`"));
        };
        let number = match scalar {
            Scalar::F16 | Scalar::F32 | Scalar::F64 => float(scalar, negative, digits),
            _ => self.int_or_wide(scalar, negative, digits),
        };
        self.outer.cursor.bump();
        number.ok_or_else(|| Fail::new(at, format_args!("expected a number that fits {scalar}")))
    }

    /// Hexadecimal is the bits of a wide scalar and a plain number for the others.
    fn int_or_wide(&mut self, scalar: Scalar, negative: bool, digits: &str) -> Option<Constant> {
        let wide = matches!(scalar, Scalar::I128 | Scalar::F80 | Scalar::F128);
        match digits.strip_prefix("0x") {
            Some(hex) if wide && !negative => {
                let bits = u128::from_str_radix(hex, 16).ok()?;
                Some(self.wide_row(bits))
            }
            Some(hex) => i64::from_str_radix(&signed(negative, hex), 16).ok().map(Constant::Int),
            None => signed(negative, digits).parse().ok().map(Constant::Int),
        }
    }

    fn wide_row(&mut self, bits: u128) -> Constant {
        let wide = &mut self.body.wide;
        let row = *self.wide_rows.entry(bits).or_insert_with(|| {
            wide.push(bits);
            wide.len() as u32 - 1
        });
        Constant::Wide(row)
    }

    // Definitions.

    /// `v3`, `v3: i32`, `v3: i32 x2:name`; the scalar is a must.
    pub(super) fn definition(&mut self, kind: ValueKind) -> Parsed<ValueId> {
        let at = self.outer.cursor.at;
        let (id, scalar, var) = self.defined()?;
        let Some(scalar) = scalar else {
            return Err(self.outer.cursor.expected("`:` and a scalar"));
        };
        self.rows.push((id, Value { scalar, kind, var }, at));
        Ok(id)
    }

    pub(super) fn defined(&mut self) -> Parsed<(ValueId, Option<Scalar>, Option<VarId>)> {
        let id = self.outer.cursor.id()?;
        let scalar = match self.outer.cursor.accept(":") {
            true => Some(self.outer.cursor.scalar()?),
            false => None,
        };
        Ok((id, scalar, self.maybe_var()?))
    }

    pub(super) fn maybe_var(&mut self) -> Parsed<Option<VarId>> {
        if self.outer.cursor.peeks_id::<VarId>() { self.var().map(Some) } else { Ok(None) }
    }

    pub(super) fn var(&mut self) -> Parsed<VarId> {
        let at = self.outer.cursor.at;
        let id: VarId = self.outer.cursor.id()?;
        let name: Option<Name> = self.outer.name_beside()?;
        self.uses.push(Use { room: Room::Var, id: id.0, name, at });
        Ok(id)
    }

    /// The id of a row of this body that has no name and must exist at its end.
    pub(super) fn plain_use<I: Id>(&mut self, room: Room) -> Parsed<I> {
        let at = self.outer.cursor.at;
        let id: I = self.outer.cursor.id()?;
        self.uses.push(Use { room, id: id.index() as u32, name: None, at });
        Ok(id)
    }
}

/// Whether a word is the id of an object, function, slot or label.
fn is_address(word: &str) -> bool {
    ["o", "f", "s", "l"].iter().any(|room| number_in_room(word, room).is_some())
}

fn signed(negative: bool, digits: &str) -> String {
    format!("{}{digits}", if negative { "-" } else { "" })
}

/// Bits in hexadecimal, or a decimal number that is finite.
fn float(scalar: Scalar, negative: bool, digits: &str) -> Option<Constant> {
    if let Some(hex) = digits.strip_prefix("0x") {
        let bits = u64::from_str_radix(hex, 16).ok()?;
        return (!negative).then_some(Constant::Float(bits));
    }
    let text = signed(negative, digits);
    let bits = match scalar {
        Scalar::F32 => text.parse().ok().filter(|it: &f32| it.is_finite())?.to_bits().into(),
        Scalar::F64 => text.parse().ok().filter(|it: &f64| it.is_finite())?.to_bits(),
        _ => return None,
    };
    Some(Constant::Float(bits))
}
