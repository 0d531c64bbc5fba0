//! Bit-vector terms: values and conditions of a program, over symbols that the caller numbers.
//!
//! A term has a width of 1 to 64 bits and stands for a function from the values of its symbols to
//! a value; a condition is a term of width 1. Every operation is total: what C leaves undefined
//! has the meaning of SMT-LIB's `QF_BV` (a quotient by zero is all ones, a remainder by zero is
//! the dividend, a shift by the width or more leaves no bit but the sign). Terms are hash-consed,
//! and the constructors of [`Terms`] bring them into a form in which conditions that a programmer
//! may write in several ways have one id:
//!
//! - sums are linear forms, `c1·x1 + … + cn·xn + c`, ordered by `xi` ([`mod@sum`]); there is no
//!   `Sub`, no shift by a constant to the left, no `!` of more than one bit but of an atom;
//! - `&`, `|` and `^` are ordered chains without repetition ([`mod@logic`]), and on one bit nothing
//!   else is left: `Add`, `Eq`, `LtU` and others of single bits become these;
//! - a negated condition is negated at its leaves, and `!(a < b)` is `b <= a`;
//! - an equality has its linear form spread over both sides without negative coefficients, and an
//!   order against a constant is a `<=` ([`mod@order`]);
//! - extensions are moved out of comparisons, and a low mask is an extended truncation
//!   ([`mod@resize`]).
//!
//! Equal ids mean equal functions; the converse does not hold. Operands have smaller ids than
//! their term, so a walk in the order of ids needs no stack. Rules that recurse stop at
//! [`DEEPEST`]; a deeper term is left as it is written.
//!
//! Operands are ordered by id, so the form of a term depends on what the arena has held before. An
//! arena serves one function at a time, and not several threads, and so answers stay the same.

pub mod arithmetic;
mod bounds;
mod circuits;
mod classes;
mod conditions;
mod evaluate;
pub mod facts;
mod gates;
mod guess;
mod logic;
mod order;
pub mod range;
mod relation;
mod resize;
pub mod solve;
mod sum;
mod text;
mod view;

use std::collections::hash_map::Entry;

use caulk_base::{FxHashMap, Table, define_id};

pub use evaluate::{Plan, Valuation};
pub use facts::Facts;
pub use range::Range;
pub use solve::{Answer, Budget, Model, satisfy, solve, solve_counted};

use arithmetic::mask;

define_id!(pub TermId, "t", "A term of one [`Terms`].");

impl TermId {
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);
}

/// The highest term that a recursive rule looks into.
const DEEPEST: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// Of every bit.
    Not,
    Neg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    DivU,
    DivS,
    RemU,
    RemS,
    And,
    Or,
    Xor,
    Shl,
    ShrU,
    ShrS,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compare {
    Eq,
    LtU,
    LeU,
    LtS,
    LeS,
}

/// How a term is made up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// No bit of the value is beyond the width.
    Constant {
        value: u64,
        width: u8,
    },
    Symbol {
        number: u32,
        width: u8,
    },
    Unary(Unary, TermId),
    /// Both operands have the width of the result.
    Binary(Binary, TermId, TermId),
    /// Of width 1; both operands have the same width.
    Compare(Compare, TermId, TermId),
    Select {
        condition: TermId,
        yes: TermId,
        no: TermId,
    },
    ExtendU {
        of: TermId,
        width: u8,
    },
    ExtendS {
        of: TermId,
        width: u8,
    },
    Truncate {
        of: TermId,
        width: u8,
    },
    /// A function of which nothing is known but that equal arguments give an equal result.
    Apply {
        function: u32,
        arguments: Box<[TermId]>,
        width: u8,
    },
}

impl Term {
    /// The terms that this one is made of.
    pub fn operands(&self) -> impl Iterator<Item = TermId> + '_ {
        let (fixed, many): ([Option<TermId>; 3], &[TermId]) = match self {
            Term::Constant { .. } | Term::Symbol { .. } => ([None; 3], &[]),
            Term::Unary(_, of)
            | Term::ExtendU { of, .. }
            | Term::ExtendS { of, .. }
            | Term::Truncate { of, .. } => ([Some(*of), None, None], &[]),
            Term::Binary(_, left, right) | Term::Compare(_, left, right) => {
                ([Some(*left), Some(*right), None], &[])
            }
            Term::Select { condition, yes, no } => ([Some(*condition), Some(*yes), Some(*no)], &[]),
            Term::Apply { arguments, .. } => ([None; 3], arguments),
        };
        fixed.into_iter().flatten().chain(many.iter().copied())
    }
}

#[derive(Clone, Debug)]
struct Row {
    term: Term,
    width: u8,
    /// The longest way to a constant or symbol.
    height: u32,
    parts: Parts,
    /// Of a condition that was negated, or is a negation.
    negation: Option<TermId>,
    /// The condition that it is zero, if that was asked.
    is_zero: Option<TermId>,
}

impl Row {
    fn new(rows: &Table<TermId, Row>, term: Term) -> Self {
        let height = term.operands().map(|o| rows[o].height + 1).max().unwrap_or(0);
        let (width, parts) = (width_of(rows, &term), parts_of(rows, &term));
        Self { term, width, height, parts, negation: None, is_zero: None }
    }
}

/// What a term is made of, as bits: what has no bit in common has no part in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts(u64);

impl Parts {
    const NONE: Self = Self(0);
    const ALL: Self = Self(u64::MAX);

    /// Of what stands for itself.
    fn leaf(number: u32) -> Self {
        Self(1 << (number % u64::BITS))
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The arena of terms.
#[derive(Clone, Debug)]
pub struct Terms {
    rows: Table<TermId, Row>,
    unique: FxHashMap<Term, TermId>,
    /// By number, of those that were made in the order of their numbers: all of them, mostly. The
    /// others are among the unique terms.
    symbols: Vec<TermId>,
    is_scattered: bool,
    /// Small constants of the commonest widths.
    small: [[Option<TermId>; SMALL]; 2],
}

/// Constants below are looked up by their value: offsets, and what results are compared with.
const SMALL: usize = 64;

/// Room for the terms of most functions.
const USUAL: usize = 224;

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(USUAL)
    }

    /// With room for so many terms, about a third of which are symbols.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        let rows = Table::with_capacity(count);
        let unique = FxHashMap::with_capacity_and_hasher(count * 2 / 3, Default::default());
        let (symbols, small) = (Vec::with_capacity(count / 3), [[None; SMALL]; 2]);
        let mut terms = Self { rows, unique, symbols, is_scattered: false, small };
        terms.constant(0, 1);
        terms.constant(1, 1);
        terms
    }

    /// How many terms there are, those made on the way included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is nothing but the two truth values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 2
    }

    #[must_use]
    #[inline]
    pub fn get(&self, id: TermId) -> &Term {
        &self.rows[id].term
    }

    #[must_use]
    #[inline]
    pub fn width(&self, id: TermId) -> u8 {
        self.rows[id].width
    }

    /// The longest way to a constant or symbol.
    #[must_use]
    #[inline]
    pub fn height(&self, id: TermId) -> u32 {
        self.rows[id].height
    }

    #[must_use]
    #[inline]
    pub fn as_constant(&self, id: TermId) -> Option<u64> {
        match *self.get(id) {
            Term::Constant { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The negation of a condition, if it was made.
    #[inline]
    fn negation(&self, condition: TermId) -> Option<TermId> {
        self.rows[condition].negation
    }

    #[inline]
    fn parts(&self, id: TermId) -> Parts {
        self.rows[id].parts
    }

    /// The low bits of a value.
    pub fn constant(&mut self, value: u64, width: u8) -> TermId {
        debug_assert!((1..=64).contains(&width), "a width of {width} bits");
        let value = value & mask(width);
        let is_small = value < SMALL as u64 && matches!(width, 32 | 64);
        let slot = is_small.then_some((usize::from(width == 64), value as usize));
        if let Some(known) = slot.and_then(|(row, at)| self.small[row][at]) {
            return known;
        }
        let id = self.intern(Term::Constant { value, width });
        if let Some((row, at)) = slot {
            self.small[row][at] = Some(id);
        }
        id
    }

    /// A truth value.
    #[must_use]
    pub fn truth(&self, value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }

    pub fn symbol(&mut self, number: u32, width: u8) -> TermId {
        let (term, place) = (Term::Symbol { number, width }, number as usize);
        match self.symbols.get(place) {
            Some(&known) if self.width(known) == width => known,
            None if place == self.symbols.len() && !self.is_scattered => {
                let id = self.push(term);
                self.symbols.push(id);
                id
            }
            other => {
                self.is_scattered |= other.is_none();
                self.intern(term)
            }
        }
    }

    pub fn apply(&mut self, function: u32, arguments: &[TermId], width: u8) -> TermId {
        self.intern(Term::Apply { function, arguments: arguments.into(), width })
    }

    pub fn unary(&mut self, operator: Unary, of: TermId) -> TermId {
        match operator {
            Unary::Not if self.width(of) == 1 => self.not(of),
            Unary::Not => self.complement(of),
            Unary::Neg => self.negative(of),
        }
    }

    /// An operation on operands of one width.
    pub fn binary(&mut self, operator: Binary, left: TermId, right: TermId) -> TermId {
        let width = self.width(left);
        debug_assert_eq!(width, self.width(right), "operands of {operator:?}");
        if let (Some(a), Some(b)) = (self.as_constant(left), self.as_constant(right))
            && !(arithmetic::divides(operator) && b == 0)
        {
            return self.constant(arithmetic::binary(operator, a, b, width), width);
        }
        match operator {
            Binary::Add | Binary::Sub if width == 1 => self.exclusive_or(left, right),
            Binary::Add => self.add(left, right),
            Binary::Sub => self.subtract(left, right),
            Binary::Mul if width == 1 => self.and(left, right),
            Binary::Mul => self.multiply(left, right),
            Binary::And => self.and(left, right),
            Binary::Or => self.or(left, right),
            Binary::Xor => self.exclusive_or(left, right),
            Binary::DivU | Binary::DivS | Binary::RemU | Binary::RemS => {
                self.divide(operator, left, right)
            }
            Binary::Shl | Binary::ShrU | Binary::ShrS => self.shift(operator, left, right),
        }
    }

    fn intern(&mut self, term: Term) -> TermId {
        let new = match self.unique.entry(term) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(new) => new,
        };
        let row = Row::new(&self.rows, new.key().clone());
        *new.insert(self.rows.push(row))
    }

    /// Adds a term that is not there yet.
    fn push(&mut self, term: Term) -> TermId {
        let row = Row::new(&self.rows, term);
        self.rows.push(row)
    }

    /// Whether recursive rules may look into a term.
    fn is_shallow(&self, id: TermId) -> bool {
        self.height(id) <= DEEPEST
    }
}

fn parts_of(rows: &Table<TermId, Row>, term: &Term) -> Parts {
    let own = match *term {
        Term::Symbol { number, .. } => Parts::leaf(number),
        Term::Apply { function, .. } => Parts::leaf(function),
        _ => Parts::NONE,
    };
    term.operands().fold(own, |all, operand| all.and(rows[operand].parts))
}

fn width_of(rows: &Table<TermId, Row>, term: &Term) -> u8 {
    match *term {
        Term::Constant { width, .. }
        | Term::Symbol { width, .. }
        | Term::ExtendU { width, .. }
        | Term::ExtendS { width, .. }
        | Term::Truncate { width, .. }
        | Term::Apply { width, .. } => width,
        Term::Unary(_, of) | Term::Binary(_, of, _) | Term::Select { yes: of, .. } => {
            rows[of].width
        }
        Term::Compare(..) => 1,
    }
}
