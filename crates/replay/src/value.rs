//! Values of the search: numbers over the symbols of the inputs, and pointers to known objects.

use caulk_guard::bits::{Binary, Term, TermId, Terms};
use caulk_ir::{Scalar, TypeId};

/// A type of one module of the program.
pub type TypeRef = (usize, TypeId);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, or a pointer from outside that nobody has followed yet.
    Term(TermId),
    /// An address: `offset` is a term of 64 bits.
    Pointer {
        object: u32,
        offset: TermId,
    },
    Function(u32),
    /// A value that terms do not express: floats, wide integers, what was never set.
    Opaque,
}

/// Something that the run is given.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// As the source would write it.
    pub name: String,
    pub width: u8,
    /// Read as a pointer, and the type of what it points to where that is known.
    pub is_pointer: bool,
    pub pointee: Option<TypeRef>,
    /// The record and its member that hold it.
    pub member: Option<Member>,
}

/// A record and one of its members, by the names that all units know them by.
pub type Member = (String, String);

/// The terms of one search, and what their symbols stand for.
#[derive(Default)]
pub struct Space {
    pub terms: Terms,
    pub symbols: Vec<Symbol>,
}

/// The width of a scalar in terms; none for those that are opaque.
pub fn width(scalar: Scalar) -> Option<u8> {
    match scalar {
        Scalar::I1 => Some(1),
        Scalar::I8 => Some(8),
        Scalar::I16 => Some(16),
        Scalar::I32 => Some(32),
        Scalar::I64 | Scalar::Ptr => Some(64),
        _ => None,
    }
}

impl Space {
    pub fn symbol(&mut self, symbol: Symbol) -> TermId {
        let width = symbol.width;
        self.symbols.push(symbol);
        self.terms.symbol(self.symbols.len() as u32 - 1, width)
    }

    pub fn number(&mut self, value: i64, width: u8) -> TermId {
        self.terms.constant(value as u64, width)
    }

    pub fn offset(&mut self, value: i64) -> TermId {
        self.number(value, 64)
    }

    pub fn constant(&self, term: TermId) -> Option<i64> {
        let bits = self.terms.as_constant(term)?;
        let unused = 64 - u32::from(self.terms.width(term));
        Some(((bits << unused) as i64) >> unused)
    }

    /// The pointer from outside that an address is made of, and the distance from it.
    pub fn base(&mut self, term: TermId) -> Option<(u32, TermId)> {
        if let Term::Symbol { number, width: 64 } = *self.terms.get(term) {
            return Some((number, self.offset(0)));
        }
        let mut bases = self.terms.below(&[term]).into_iter().filter_map(|id| {
            let Term::Symbol { number, width: 64 } = *self.terms.get(id) else { return None };
            self.symbols[number as usize].is_pointer.then_some((number, id))
        });
        let (number, symbol) = bases.next()?;
        if bases.next().is_some() {
            return None;
        }
        let offset = self.terms.binary(Binary::Sub, term, symbol);
        (!self.terms.below(&[offset]).contains(&symbol)).then_some((number, offset))
    }
}
