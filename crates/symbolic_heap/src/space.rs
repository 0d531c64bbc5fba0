//! Symbolic expressions (E of the paper) and the atoms they are made of.
//!
//! An expression is a polynomial over atoms, numbers and addresses alike: an address is the atom of
//! an object plus a distance in bytes. Signed arithmetic is over the integers, since C leaves its
//! overflow undefined; for unsigned arithmetic the evaluator writes down that nothing wraps (Y1).
//! Everything is interned, so equal ids mean equal expressions. An arena serves one function.

use caulk_base::{FxHashMap, Table, define_id};

use crate::condition::Condition;
use crate::poly::Poly;

define_id!(pub Expr, "e", "A symbolic expression.");
define_id!(pub Atom, "a", "What a polynomial takes as indivisible.");
define_id!(pub Cond, "g", "A condition.");
define_id!(pub Symbol, "y", "An unknown number or address.");
define_id!(pub Site, "n", "A place that makes records, with the calls that lead to it.");

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AtomKind {
    Symbol(Symbol),
    /// The record that a site made in these turns of the loops around it. The paper numbers records
    /// by a counter; site and turns stay exact where branches of a loop allocate differently.
    Cell {
        site: Site,
        turns: Box<[Expr]>,
    },
    Place(Place),
    /// What was in memory when the function was entered: the β of the paper, read at an address.
    Initial {
        at: Expr,
        pointer: bool,
    },
    /// A function of which nothing is known: a recurrence without closed form, the result of a call.
    Unknown {
        number: u32,
        arguments: Box<[Expr]>,
        pointer: bool,
    },
    Apply {
        operator: Operator,
        arguments: Box<[Expr]>,
    },
    Select {
        condition: Cond,
        yes: Expr,
        no: Expr,
    },
    /// The value of what was never set: ⊥.
    Undefined,
}

/// Numbers of unknown functions with this bit stand for addresses that may be those of records which
/// the function made: recurrences without closed form, `get` that is not resolvable.
pub const UNRESOLVED: u32 = 1 << 28;

/// Storage that is not made by `new`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A stack object of an activation.
    Slot {
        frame: u32,
        slot: u32,
    },
    /// Stack memory of an `alloca`.
    Stack {
        number: u32,
    },
    Static(u32),
    Function {
        module: u32,
        function: u32,
    },
    /// A pointer variable, as in `put(v, ⊥, r)`.
    Variable {
        frame: u32,
        var: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// Rounds towards zero.
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    /// A constant to the power of the argument, which is not negative.
    Power,
    /// To this many bits, then extended again.
    WrapSigned(u8),
    WrapUnsigned(u8),
}

#[derive(Clone, Debug)]
pub struct SymbolInfo {
    pub name: String,
    pub low: Option<i128>,
    pub high: Option<i128>,
    pub pointer: bool,
    pub kind: SymbolKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A parameter of the function.
    Input(u32),
    /// Counts the turns of a loop, from 0.
    Index,
    /// How often a loop turns, where that could not be told.
    Count,
    /// The value of a variable at the start of turn `Index`, until its recurrence is solved.
    Recurrence,
}

#[derive(Clone, Debug)]
struct ExprRow {
    poly: Poly,
    symbols: Box<[Symbol]>,
}

#[derive(Clone, Debug)]
struct AtomRow {
    kind: AtomKind,
    symbols: Box<[Symbol]>,
    pointer: bool,
}

#[derive(Debug, Default)]
pub struct Space {
    exprs: Table<Expr, ExprRow>,
    expr_ids: FxHashMap<Poly, Expr>,
    atoms: Table<Atom, AtomRow>,
    atom_ids: FxHashMap<AtomKind, Atom>,
    pub(crate) conditions: Table<Cond, Condition>,
    pub(crate) condition_ids: FxHashMap<Condition, Cond>,
    /// How many literals a condition has, repeated ones included.
    pub(crate) sizes: Table<Cond, u32>,
    pub(crate) negations: FxHashMap<Cond, Cond>,
    pub symbols: Table<Symbol, SymbolInfo>,
    unknowns: u32,
    /// Steps taken; the evaluator stops when there are too many, and nothing is decided any more.
    pub work: u64,
    pub limit: u64,
    /// Input addresses with different names may be equal.
    pub inputs_may_alias: bool,
}

impl Space {
    #[must_use]
    pub fn new() -> Self {
        let mut space = Self { limit: u64::MAX, ..Self::default() };
        space.intern_condition(Condition::Truth(false));
        space.intern_condition(Condition::Truth(true));
        space
    }

    pub fn intern(&mut self, poly: Poly) -> Expr {
        self.work += 1;
        if let Some(&id) = self.expr_ids.get(&poly) {
            return id;
        }
        let atoms = poly.terms.iter().flat_map(|(monomial, _)| monomial.iter());
        let symbols = union(atoms.map(|&(atom, _)| &self.atoms[atom].symbols));
        let id = self.exprs.push(ExprRow { poly: poly.clone(), symbols });
        self.expr_ids.insert(poly, id);
        id
    }

    pub fn intern_atom(&mut self, kind: AtomKind) -> Atom {
        self.work += 1;
        if let Some(&id) = self.atom_ids.get(&kind) {
            return id;
        }
        let row = AtomRow {
            symbols: self.symbols_below(&kind),
            pointer: self.is_pointer_kind(&kind),
            kind: kind.clone(),
        };
        let id = self.atoms.push(row);
        self.atom_ids.insert(kind, id);
        id
    }

    fn symbols_below(&self, kind: &AtomKind) -> Box<[Symbol]> {
        match kind {
            AtomKind::Symbol(symbol) => Box::new([*symbol]),
            AtomKind::Cell { turns: list, .. }
            | AtomKind::Unknown { arguments: list, .. }
            | AtomKind::Apply { arguments: list, .. } => {
                union(list.iter().map(|&expr| &self.exprs[expr].symbols))
            }
            AtomKind::Initial { at, .. } => self.exprs[*at].symbols.clone(),
            AtomKind::Select { condition, yes, no } => {
                let of_condition = self.condition_symbols(*condition);
                let parts = [&self.exprs[*yes].symbols, &self.exprs[*no].symbols, &of_condition];
                union(parts.into_iter())
            }
            AtomKind::Place(_) | AtomKind::Undefined => Box::default(),
        }
    }

    fn is_pointer_kind(&self, kind: &AtomKind) -> bool {
        match kind {
            AtomKind::Symbol(symbol) => self.symbols[*symbol].pointer,
            AtomKind::Cell { .. } | AtomKind::Place(_) => true,
            AtomKind::Initial { pointer, .. } | AtomKind::Unknown { pointer, .. } => *pointer,
            AtomKind::Select { yes, no, .. } => {
                self.base(*yes).is_some() || self.base(*no).is_some()
            }
            AtomKind::Apply { .. } | AtomKind::Undefined => false,
        }
    }

    #[must_use]
    pub fn kind(&self, atom: Atom) -> &AtomKind {
        &self.atoms[atom].kind
    }

    #[must_use]
    pub fn is_pointer(&self, atom: Atom) -> bool {
        self.atoms[atom].pointer
    }

    #[must_use]
    pub fn poly(&self, expr: Expr) -> &Poly {
        &self.exprs[expr].poly
    }

    /// The symbols in an expression, in increasing order.
    #[must_use]
    pub fn symbols_of(&self, expr: Expr) -> &[Symbol] {
        &self.exprs[expr].symbols
    }

    #[must_use]
    pub fn mentions(&self, expr: Expr, symbol: Symbol) -> bool {
        self.exprs[expr].symbols.binary_search(&symbol).is_ok()
    }

    #[must_use]
    pub fn as_constant(&self, expr: Expr) -> Option<i128> {
        self.poly(expr).as_constant()
    }

    /// How many expressions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    pub fn constant(&mut self, value: i128) -> Expr {
        self.intern(Poly::constant(value))
    }

    pub fn atom(&mut self, kind: AtomKind) -> Expr {
        let atom = self.intern_atom(kind);
        self.intern(Poly::atom(atom))
    }

    pub fn of_atom(&mut self, atom: Atom) -> Expr {
        self.intern(Poly::atom(atom))
    }

    pub fn place(&mut self, place: Place) -> Expr {
        self.atom(AtomKind::Place(place))
    }

    pub fn new_symbol(&mut self, info: SymbolInfo) -> Symbol {
        self.symbols.push(info)
    }

    pub fn symbol(&mut self, symbol: Symbol) -> Expr {
        self.atom(AtomKind::Symbol(symbol))
    }

    /// A new function of these arguments.
    pub fn unknown(&mut self, arguments: &[Expr], pointer: bool) -> Expr {
        let number = self.next_unknown();
        self.atom(AtomKind::Unknown { number, arguments: arguments.into(), pointer })
    }

    pub fn next_unknown(&mut self) -> u32 {
        self.unknowns += 1;
        self.unknowns
    }

    fn or_unknown(&mut self, poly: Option<Poly>, of: &[Expr]) -> Expr {
        match poly {
            Some(poly) => self.intern(poly),
            None => self.unknown(of, false),
        }
    }

    pub fn add(&mut self, left: Expr, right: Expr) -> Expr {
        let poly = self.poly(left).add(self.poly(right));
        self.or_unknown(poly, &[left, right])
    }

    pub fn subtract(&mut self, left: Expr, right: Expr) -> Expr {
        let negative = self.scale(right, -1);
        self.add(left, negative)
    }

    pub fn offset(&mut self, expr: Expr, by: i128) -> Expr {
        let by = self.constant(by);
        self.add(expr, by)
    }

    pub fn scale(&mut self, expr: Expr, by: i128) -> Expr {
        let poly = self.poly(expr).scale(by);
        self.or_unknown(poly, &[expr])
    }

    /// Exact division: the caller knows that the result is a number of the program.
    pub fn divide_exactly(&mut self, expr: Expr, by: i128) -> Expr {
        let poly = self.poly(expr).divide(by);
        self.or_unknown(poly, &[expr])
    }

    pub fn multiply(&mut self, left: Expr, right: Expr) -> Expr {
        let poly = self.poly(left).multiply(self.poly(right));
        self.or_unknown(poly, &[left, right])
    }

    /// The object and the distance from its start, for an address.
    #[must_use]
    pub fn base(&self, expr: Expr) -> Option<Atom> {
        let poly = self.poly(expr);
        let is_base = |(monomial, factor): &&(Box<[(Atom, u8)]>, i128)| match monomial[..] {
            [(atom, 1)] => *factor == 1 && self.is_pointer(atom),
            _ => false,
        };
        let mut bases = poly.terms.iter().filter(is_base);
        let found = bases.next()?.0[0].0;
        (poly.divisor == 1 && bases.next().is_none()).then_some(found)
    }

    /// The distance of an address from the start of its object.
    pub fn distance(&mut self, expr: Expr, base: Atom) -> Expr {
        let start = self.of_atom(base);
        self.subtract(expr, start)
    }

    /// Whether an address may be that of any record.
    #[must_use]
    pub fn is_unresolved(&self, atom: Atom) -> bool {
        match *self.kind(atom) {
            AtomKind::Unknown { number, .. } => number & UNRESOLVED != 0,
            AtomKind::Initial { at, .. } => {
                self.base(at).is_some_and(|base| self.is_unresolved(base))
            }
            _ => false,
        }
    }

    pub fn select(&mut self, condition: Cond, yes: Expr, no: Expr) -> Expr {
        match condition {
            Cond::TRUE => return yes,
            Cond::FALSE => return no,
            _ if yes == no => return yes,
            _ => {}
        }
        self.atom(AtomKind::Select { condition, yes, no })
    }

    pub fn maximum(&mut self, left: Expr, right: Expr) -> Expr {
        let order = self.at_least(left, right);
        self.select(order, left, right)
    }
}

impl Cond {
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);
}

fn union<'a>(lists: impl Iterator<Item = &'a Box<[Symbol]>>) -> Box<[Symbol]> {
    let mut all: Vec<Symbol> = lists.flat_map(|list| list.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}
