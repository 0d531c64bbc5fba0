//! What values are on a path: a place plus an offset, a number, or a term over what is not known.
//!
//! Equal terms are one term, so that the same computation on the same values is the same value.

use caulk_base::FxHashMap;
use caulk_ir::{BinaryOp, CompareOp, ConvertOp, FunctionId, Scalar, SlotId, UnaryOp, ValueId};
use caulk_program::{InstanceId, ModuleId, StaticId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Base {
    /// The offset is the number.
    Number,
    /// The object that is followed.
    Object,
    /// A slot of one activation.
    Slot(u32, SlotId),
    Static(StaticId),
    Term(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Val {
    pub base: Base,
    pub offset: i64,
}

impl Val {
    pub const OBJECT: Val = Val::at(Base::Object);

    pub const fn at(base: Base) -> Self {
        Self { base, offset: 0 }
    }

    pub const fn number(offset: i64) -> Self {
        Self { base: Base::Number, offset }
    }

    pub fn as_number(self) -> Option<i64> {
        (self.base == Base::Number).then_some(self.offset)
    }

    pub fn plus(self, offset: i64) -> Self {
        Self { offset: self.offset.wrapping_add(offset), ..self }
    }
}

/// Where something that is not known comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// A parameter of the outermost function.
    Given,
    /// Memory that the path did not write.
    Loaded,
    /// Memory that may be the one that has the object.
    MaybeObject,
    /// A result or a join of a function.
    Local(InstanceId, ValueId),
    /// New memory.
    Made,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    /// The number tells it from others.
    Unknown(u32, Origin),
    Code(ModuleId, FunctionId),
    Binary(BinaryOp, Val, Val),
    Unary(UnaryOp, Val),
    /// One of `Eq`, `LtS`, `LtU` and the comparisons of floats.
    Compare(CompareOp, Val, Val),
    Convert(ConvertOp, Scalar, Val),
    /// `base + index * stride`.
    Element(Val, Val, i64),
}

/// All terms of one trial.
#[derive(Default)]
pub(super) struct Terms {
    rows: Vec<Term>,
    known: FxHashMap<Term, u32>,
}

impl Terms {
    pub fn get(&self, id: u32) -> Term {
        self.rows[id as usize]
    }

    pub fn intern(&mut self, term: Term) -> Val {
        let next = self.rows.len() as u32;
        let id = *self.known.entry(term).or_insert(next);
        if id == next {
            self.rows.push(term);
        }
        Val::at(Base::Term(id))
    }

    pub fn unknown(&mut self, origin: Origin) -> Val {
        let number = self.rows.len() as u32;
        self.intern(Term::Unknown(number, origin))
    }

    /// What a pointer was computed from.
    pub fn root(&self, mut val: Val) -> Base {
        while let Base::Term(id) = val.base {
            val = match self.get(id) {
                Term::Element(base, ..) => base,
                Term::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::And, base, _)
                    if base.base != Base::Number =>
                {
                    base
                }
                Term::Convert(_, _, inner) => inner,
                _ => break,
            };
        }
        val.base
    }

    pub fn is_object(&self, val: Val) -> bool {
        self.root(val) == Base::Object
    }

    pub fn origin(&self, base: Base) -> Option<Origin> {
        match base {
            Base::Term(id) => match self.get(id) {
                Term::Unknown(_, origin) => Some(origin),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn is_maybe_object(&self, val: Val) -> bool {
        self.origin(self.root(val)) == Some(Origin::MaybeObject)
    }

    /// An element of an array; a known one is a place of its own.
    pub fn element(&mut self, base: Val, index: Val, stride: i64) -> Val {
        match index.as_number() {
            Some(index) => base.plus(index.wrapping_mul(stride)),
            None => self.intern(Term::Element(base, index, stride)),
        }
    }

    /// The same place in another block.
    pub fn moved(&mut self, at: Val, from: Base, to: Base) -> Val {
        if at.base == from {
            return Val { base: to, ..at };
        }
        let Base::Term(id) = at.base else { return at };
        match self.get(id) {
            Term::Element(base, index, stride) if base.base == from => {
                let base = Val { base: to, ..base };
                self.element(base, index, stride).plus(at.offset)
            }
            _ => at,
        }
    }

    pub fn binary(&mut self, op: BinaryOp, lhs: Val, rhs: Val) -> Val {
        use BinaryOp::{Add, AddS, And, DivS, DivU, Mul, MulS, Or, PtrDiff, RemS, RemU, Sub, SubS};
        match (op, lhs.as_number(), rhs.as_number()) {
            (Add | AddS, _, Some(number)) => lhs.plus(number),
            (Add | AddS, Some(number), _) => rhs.plus(number),
            (Sub | SubS, _, Some(number)) => lhs.plus(number.wrapping_neg()),
            (Sub | SubS | PtrDiff, ..) if lhs.base == rhs.base => {
                Val::number(lhs.offset.wrapping_sub(rhs.offset))
            }
            (Mul | MulS, Some(a), Some(b)) => Val::number(a.wrapping_mul(b)),
            (DivS | DivU, Some(a), Some(b)) if a >= 0 && b > 0 => Val::number(a / b),
            (RemS | RemU, Some(a), Some(b)) if a >= 0 && b > 0 => Val::number(a % b),
            (And, Some(a), Some(b)) => Val::number(a & b),
            (Or, Some(a), Some(b)) => Val::number(a | b),
            (And, Some(0), _) | (And, _, Some(0)) => Val::number(0),
            _ => self.intern(Term::Binary(op, lhs, rhs)),
        }
    }

    pub fn unary(&mut self, op: UnaryOp, value: Val) -> Val {
        match (op, value.as_number()) {
            (UnaryOp::Neg | UnaryOp::NegS, Some(number)) => Val::number(number.wrapping_neg()),
            (UnaryOp::Not, Some(number)) => Val::number(!number),
            _ => self.intern(Term::Unary(op, value)),
        }
    }

    /// Numbers are sign-extended: to extend the sign changes nothing.
    pub fn convert(&mut self, op: ConvertOp, value: Val, from: Scalar, to: Scalar) -> Val {
        match (op, value.as_number()) {
            (ConvertOp::SignExtend, _) if from != Scalar::I1 => value,
            (ConvertOp::PtrToInt | ConvertOp::IntToPtr | ConvertOp::Bits, _) => value,
            (ConvertOp::ZeroExtend, _) if from == Scalar::I1 => value,
            (ConvertOp::ZeroExtend, Some(number)) if number >= 0 => value,
            (ConvertOp::ZeroExtend, Some(number)) => match from {
                Scalar::I8 => Val::number(number & 0xff),
                Scalar::I16 => Val::number(number & 0xffff),
                Scalar::I32 => Val::number(number & 0xffff_ffff),
                _ => value,
            },
            (ConvertOp::Trunc, Some(number)) => match to {
                Scalar::I1 => Val::number(number & 1),
                Scalar::I8 => Val::number(i64::from(number as i8)),
                Scalar::I16 => Val::number(i64::from(number as i16)),
                Scalar::I32 => Val::number(i64::from(number as i32)),
                _ => value,
            },
            _ => self.intern(Term::Convert(op, to, value)),
        }
    }
}
