//! Instructions.

use super::Parsed;
use super::body::BodyParser;
use super::cursor::{Fail, Room, Use};
use crate::body::{Value, ValueId, ValueKind};
use crate::inst::{
    BinaryOp, BitRange, CompareOp, ConvertOp, Inst, OverflowOp, OverflowPart, RmwOp, UnaryOp,
};
use crate::types::{RecordId, Scalar};

impl BodyParser<'_, '_> {
    pub(super) fn instruction(&mut self) -> Parsed<()> {
        let at = self.outer.cursor.at;
        let id = self.body.insts.next_id();
        let mut result = None;
        if self.outer.cursor.peeks_id::<ValueId>() {
            let (value, scalar, var) = self.defined()?;
            self.outer.cursor.expect("=")?;
            if scalar.is_none() {
                self.pending.scalars.push((value, at));
            }
            let kind = ValueKind::Inst(id);
            self.rows.push((value, Value { scalar: scalar.unwrap_or(Scalar::I1), kind, var }, at));
            result = Some(value);
        }
        let inst = self.inst()?;
        let span = self.outer.span()?;
        self.outer.cursor.line_end()?;
        self.body.insts.push(inst);
        self.body.results.push(result);
        self.body.inst_spans.push(span);
        Ok(())
    }

    fn inst(&mut self) -> Parsed<Inst> {
        let at = self.outer.cursor.at;
        let word = self.outer.cursor.dotted_word("an instruction or a terminator")?;
        match word {
            "load" | "load.volatile" => {
                let scalar = self.outer.cursor.scalar()?;
                let from = self.operand()?;
                Ok(Inst::Load { from, scalar, volatile: word != "load" })
            }
            "store" | "store.volatile" => {
                let (value, to) = self.value_and_place()?;
                Ok(Inst::Store { to, value, volatile: word != "store" })
            }
            "loadbits.s" | "loadbits.u" => {
                let scalar = self.outer.cursor.scalar()?;
                let from = self.operand()?;
                Ok(Inst::LoadBits { from, scalar, bits: self.bits(word.ends_with('s'))? })
            }
            "storebits.s" | "storebits.u" => {
                let (value, to) = self.value_and_place()?;
                Ok(Inst::StoreBits { to, value, bits: self.bits(word.ends_with('s'))? })
            }
            "field" => self.field(),
            "index" => self.index(),
            "copy" => self.copy(),
            "fill" => {
                let [to, byte, size] = self.operands()?;
                Ok(Inst::Fill { to, byte, size })
            }
            "havoc.memory" => {
                let [to, size] = self.operands()?;
                Ok(Inst::HavocMemory { to, size })
            }
            "havoc" => Ok(Inst::Havoc { scalar: self.outer.cursor.scalar()? }),
            "cmpxchg" => {
                let [to, expected, desired] = self.operands()?;
                Ok(Inst::CompareExchange { to, expected, desired })
            }
            "fence" => Ok(Inst::Fence),
            "begin" => Ok(Inst::ScopeBegin(self.plain_use(Room::Scope)?)),
            "end" => Ok(Inst::ScopeEnd(self.plain_use(Room::Scope)?)),
            "set" => {
                let var = self.var()?;
                self.outer.cursor.expect("=")?;
                Ok(Inst::Set { var, value: self.operand()? })
            }
            "call" => self.call(),
            "asm" => self.assembly(),
            _ => match self.operator(word)? {
                Some(inst) => Ok(inst),
                None => self.stack(word, at),
            },
        }
    }

    /// Instructions whose word is the operator.
    fn operator(&mut self, word: &str) -> Parsed<Option<Inst>> {
        if let Some(op) = UnaryOp::from_name(word) {
            return Ok(Some(Inst::Unary { op, value: self.operand()? }));
        }
        if let Some(op) = BinaryOp::from_name(word) {
            let [lhs, rhs] = self.operands()?;
            return Ok(Some(Inst::Binary { op, lhs, rhs }));
        }
        if let Some(op) = CompareOp::from_name(word) {
            let [lhs, rhs] = self.operands()?;
            return Ok(Some(Inst::Compare { op, lhs, rhs }));
        }
        if let Some(op) = ConvertOp::from_name(word) {
            let value = self.operand()?;
            self.outer.cursor.expect_word("to")?;
            return Ok(Some(Inst::Convert { op, value, to: self.outer.cursor.scalar()? }));
        }
        if let Some(op) = word.strip_prefix("rmw.").and_then(RmwOp::from_name) {
            let [to, value] = self.operands()?;
            return Ok(Some(Inst::AtomicRmw { op, to, value }));
        }
        let Some((op, part)) = overflow_parts(word) else { return Ok(None) };
        self.overflow(op, part).map(Some)
    }

    fn overflow(&mut self, op: OverflowOp, part: OverflowPart) -> Parsed<Inst> {
        let scalar = self.outer.cursor.scalar()?;
        let signs = self.outer.cursor.peek_word().and_then(sign_letters);
        let signs = signs.ok_or_else(|| self.outer.cursor.expected("three signs such as `ssu`"))?;
        self.outer.cursor.bump();
        let [lhs, rhs] = self.operands()?;
        Ok(Inst::Overflow { op, part, lhs, rhs, scalar, signs })
    }

    fn operands<const N: usize>(&mut self) -> Parsed<[ValueId; N]> {
        let mut values = [ValueId(0); N];
        for (index, value) in values.iter_mut().enumerate() {
            if index > 0 {
                self.outer.cursor.expect(",")?;
            }
            *value = self.operand()?;
        }
        Ok(values)
    }

    /// `v4 -> v3`
    fn value_and_place(&mut self) -> Parsed<(ValueId, ValueId)> {
        let value = self.operand()?;
        self.outer.cursor.expect("->")?;
        Ok((value, self.operand()?))
    }

    fn bits(&mut self, signed: bool) -> Parsed<BitRange> {
        self.outer.cursor.expect(",")?;
        let (first, width) = self.outer.bit_place()?;
        Ok(BitRange { first, width, signed })
    }

    fn field(&mut self) -> Parsed<Inst> {
        let base = self.operand()?;
        self.outer.cursor.expect(",")?;
        let offset = self.outer.cursor.integer("an offset")?;
        let field = match self.outer.cursor.peeks_id::<RecordId>() {
            true => Some(self.field_use()?),
            false => None,
        };
        Ok(Inst::Field { base, offset, field })
    }

    /// `rec3.1:list.next`
    fn field_use(&mut self) -> Parsed<(RecordId, u32)> {
        let at = self.outer.cursor.at;
        let record: RecordId = self.outer.cursor.id()?;
        self.outer.cursor.expect(".")?;
        let index = self.outer.cursor.number("a field's number")?;
        self.outer.uses.push(Use { room: Room::Record, id: record.0, name: None, at });
        let mut names = None;
        if self.outer.cursor.accept(":") {
            let outer = self.outer.maybe_name()?;
            self.outer.cursor.expect(".")?;
            names = Some((outer, self.outer.maybe_name()?));
        }
        self.pending.fields.push((record, index, names, at));
        Ok((record, index))
    }

    fn index(&mut self) -> Parsed<Inst> {
        let [base, index] = self.operands()?;
        self.outer.cursor.expect("*")?;
        Ok(Inst::Index { base, index, stride: self.outer.cursor.integer("a stride")? })
    }

    fn copy(&mut self) -> Parsed<Inst> {
        let ty = self.outer.type_use()?;
        let to = self.operand()?;
        self.outer.cursor.expect("<-")?;
        let [from, size] = self.operands()?;
        Ok(Inst::Copy { to, from, size, ty })
    }

    fn stack(&mut self, word: &str, at: usize) -> Parsed<Inst> {
        match word {
            "alloca" => {
                let size = self.operand()?;
                self.outer.cursor.expect_word("align")?;
                let align = self.outer.cursor.number("an alignment")?;
                Ok(Inst::Alloca { size, align, scope: self.in_scope()? })
            }
            "va_start" => Ok(Inst::VaStart { list: self.operand()? }),
            "va_end" => Ok(Inst::VaEnd { list: self.operand()? }),
            "va_copy" => {
                let to = self.operand()?;
                self.outer.cursor.expect("<-")?;
                Ok(Inst::VaCopy { to, from: self.operand()? })
            }
            "va_arg" => {
                let ty = self.outer.type_use()?;
                let list = self.operand()?;
                let scalar = match self.outer.cursor.accept_word("as") {
                    true => Some(self.outer.cursor.scalar()?),
                    false => None,
                };
                Ok(Inst::VaArg { list, ty, scalar, into: self.result_place()? })
            }
            _ => Err(Fail::new(at, format_args!("expected an instruction, found `{word}`"))),
        }
    }

    /// `into s3`, or nothing.
    pub(super) fn result_place(&mut self) -> Parsed<Option<ValueId>> {
        if self.outer.cursor.accept_word("into") { self.operand().map(Some) } else { Ok(None) }
    }
}

fn overflow_parts(word: &str) -> Option<(OverflowOp, OverflowPart)> {
    let (op, part) = word.strip_prefix("overflow.")?.split_once('.')?;
    let part = match part {
        "result" => OverflowPart::Result,
        "flag" => OverflowPart::Flag,
        _ => return None,
    };
    Some((OverflowOp::from_name(op)?, part))
}

fn sign_letters(word: &str) -> Option<[bool; 3]> {
    let letters: [u8; 3] = word.as_bytes().try_into().ok()?;
    let known = letters.iter().all(|letter| matches!(letter, b's' | b'u'));
    known.then(|| letters.map(|letter| letter == b's'))
}
