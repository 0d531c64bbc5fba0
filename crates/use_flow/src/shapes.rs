//! What is asked of terms again and again, worked out once for each.

use std::cell::RefCell;

use caulk_guard::bits::{Binary, Term, TermId};
use caulk_ir::BlockId;

use crate::space::{Address, Epoch, Home, Origin, Space};

/// What a term may be made of, as bits: a clear bit is a sure no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts(u64);

/// Symbols share these bits by their number, and joins the next ones by their place.
const SYMBOL_BITS: u32 = 47;
const JOIN_BITS: u32 = 16;

impl Parts {
    pub const NONE: Self = Self(0);
    /// A symbol that stands for one of several values.
    pub const CHOICE: Self = Self(1 << 63);

    #[inline]
    pub fn symbol(number: u32) -> Self {
        Self(1 << (number % SYMBOL_BITS))
    }

    /// What a join at this place names anew.
    #[inline]
    pub fn join(place: BlockId) -> Self {
        Self(1 << (SYMBOL_BITS + place.0 % JOIN_BITS))
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    parts: Parts,
    address: Option<Address>,
    /// Of the object that the address leads into.
    home: Home,
}

/// One row per term, in the order of ids: operands come before their term.
pub struct Shapes {
    rows: RefCell<Vec<Shape>>,
}

impl Shapes {
    pub fn with_capacity(terms: usize) -> Self {
        Self { rows: RefCell::new(Vec::with_capacity(terms)) }
    }
}

impl Space {
    #[inline]
    pub fn parts(&self, term: TermId) -> Parts {
        if let Some(row) = self.shapes.rows.borrow().get(term.0 as usize) {
            return row.parts;
        }
        self.shape(term).parts
    }

    /// The symbol that an address leads from. A sum has one pointer in it at most.
    #[inline]
    pub fn address(&self, term: TermId) -> Option<Address> {
        if let Some(row) = self.shapes.rows.borrow().get(term.0 as usize) {
            return row.address;
        }
        self.shape(term).address
    }

    /// The object that a value leads into, and who can reach it.
    #[inline]
    pub fn object(&self, term: TermId) -> Option<(TermId, Home)> {
        if let Some(row) = self.shapes.rows.borrow().get(term.0 as usize) {
            return row.address.map(|place| (place.base, row.home));
        }
        let row = self.shape(term);
        row.address.map(|place| (place.base, row.home))
    }

    /// What the candidates of a symbol are made of.
    #[inline]
    pub fn parts_of_candidates(&self, symbol: TermId) -> Parts {
        match *self.terms.get(symbol) {
            Term::Symbol { number, .. } => self.symbols[number as usize].candidates,
            _ => Parts::NONE,
        }
    }

    fn shape(&self, term: TermId) -> Shape {
        let mut rows = self.shapes.rows.borrow_mut();
        let wanted = term.0 as usize;
        for number in rows.len()..=wanted {
            let row = self.new_shape(TermId(number as u32), &rows);
            rows.push(row);
        }
        rows[wanted]
    }

    fn new_shape(&self, id: TermId, rows: &[Shape]) -> Shape {
        let row = |id: TermId| rows[id.0 as usize];
        match self.terms.get(id) {
            Term::Symbol { number, .. } => {
                let parts = self.origin(id).map_or(Parts::NONE, parts_of_origin);
                let address = Some(Address { base: id, offset: Some(0) });
                Shape { parts: parts.and(Parts::symbol(*number)), address, home: self.home(id) }
            }
            term => {
                let parts = term.operands().fold(Parts::NONE, |all, it| all.and(row(it).parts));
                let address = match *term {
                    Term::Binary(operator, left, right) => {
                        let sides = [row(left).address, row(right).address];
                        self.address_of(operator, (left, right), sides)
                    }
                    _ => None,
                };
                let home = address.map_or(Home::Unknown, |place| self.home(place.base));
                Shape { parts, address, home }
            }
        }
    }

    fn address_of(
        &self,
        operator: Binary,
        (left, right): (TermId, TermId),
        sides: [Option<Address>; 2],
    ) -> Option<Address> {
        let constants = (self.constant(left), self.constant(right));
        match (operator, constants) {
            (Binary::Add, (_, Some(value))) => sides[0].map(|it| it.plus(value)),
            (Binary::Add, (Some(value), _)) => sides[1].map(|it| it.plus(value)),
            (Binary::Add, _) => {
                let pointers = sides.into_iter().flatten().filter(|it| self.is_pointer(it.base));
                // `made + (a - b)`: a distance of others' pointers is the likelier.
                let base = pointers.min_by_key(|it| !self.is_own(it.base))?;
                Some(Address { offset: None, ..base })
            }
            (Binary::And | Binary::Or, (constant, _)) => {
                let side = if constant.is_some() { sides[1] } else { sides[0] };
                side.map(|it| Address { offset: None, ..it })
            }
            _ => None,
        }
    }
}

fn parts_of_origin(origin: Origin) -> Parts {
    match origin {
        Origin::Join(place, _) => Parts::join(place).and(Parts::CHOICE),
        Origin::OneOf(_) | Origin::Outcome(_) => Parts::CHOICE,
        Origin::Initial { epoch: Epoch::Join(place), .. } => Parts::join(place),
        _ => Parts::NONE,
    }
}
