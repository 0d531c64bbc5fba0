//! Satisfiability of bit-vector conditions, by translation to a circuit (bit-blasting).
//!
//! Every term under the conditions becomes a word of wires, operands first. An uninterpreted
//! function's results are free words, and each two of them are equal if their arguments are
//! (Ackermann's expansion). The conditions are assumptions of the search, so that those needed for
//! a refutation are known afterwards.
//!
//! A query ends by a number of gates or of conflicts, never by a clock: the answer is the same in
//! every run.

use caulk_base::{FxHashMap, FxHashSet};

use super::arithmetic::mask;
use super::circuits::Word;
use super::evaluate::Valuation;
use super::gates::{Gates, Wire};
use super::guess::guess;
use super::{Binary, Compare, Term, TermId, Terms, Unary};

/// What a query may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub gates: usize,
    pub conflicts: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { gates: 100_000, conflicts: 5_000 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat(Model),
    /// The positions of conditions that cannot hold together, ascending.
    Unsat(Vec<usize>),
    /// The budget that ran out.
    Unknown(&'static str),
}

impl Answer {
    #[must_use]
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }
}

/// Values of symbols and functions that satisfy a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    symbols: FxHashMap<u32, u64>,
    functions: FxHashMap<(u32, Box<[u64]>), u64>,
}

impl Model {
    /// The value of a symbol; one that the query does not have can be anything, and is 0.
    #[must_use]
    pub fn value(&self, symbol: u32) -> u64 {
        self.symbols.get(&symbol).copied().unwrap_or(0)
    }

    /// This one, with the values that another has for some symbols.
    #[must_use]
    pub fn updated(&self, other: &Self, symbols: &FxHashSet<u32>) -> Self {
        let mut updated = self.clone();
        updated.symbols.extend(symbols.iter().map(|&symbol| (symbol, other.value(symbol))));
        updated
    }

    pub(super) fn set_symbol(&mut self, symbol: u32, value: u64) {
        self.symbols.insert(symbol, value);
    }

    pub(super) fn set_result(&mut self, function: u32, arguments: Box<[u64]>, value: u64) {
        self.functions.insert((function, arguments), value);
    }
}

impl Valuation for Model {
    fn symbol(&self, number: u32) -> u64 {
        self.value(number)
    }

    fn apply(&self, function: u32, arguments: &[u64]) -> u64 {
        self.functions.get(&(function, arguments.into())).copied().unwrap_or(0)
    }
}

/// Whether conditions can hold together. A symbol's number has one width in all of them.
#[must_use]
pub fn solve(terms: &Terms, conditions: &[TermId], budget: &Budget) -> Answer {
    solve_counted(terms, conditions, budget).0
}

/// As [`solve`], where any values that satisfy the conditions will do: those found by trying, too.
#[must_use]
pub fn satisfy(terms: &Terms, conditions: &[TermId], budget: &Budget) -> Answer {
    guess(terms, conditions).map_or_else(|| solve(terms, conditions, budget), Answer::Sat)
}

/// The answer, and what it cost: a number of steps that is the same on every machine.
#[must_use]
pub fn solve_counted(terms: &Terms, conditions: &[TermId], budget: &Budget) -> (Answer, u64) {
    let mut query = Query::new(terms, budget);
    let answer = query.answer(conditions);
    (answer, query.gates.work())
}

/// A use of an uninterpreted function.
struct Use {
    arguments: Box<[TermId]>,
    result: TermId,
}

struct Query<'a> {
    terms: &'a Terms,
    gates: Gates,
    words: FxHashMap<TermId, Word>,
    /// In the order of their ids, by function and width.
    uses: FxHashMap<(u32, u8), Vec<Use>>,
}

impl<'a> Query<'a> {
    fn new(terms: &'a Terms, budget: &Budget) -> Self {
        let gates = Gates::new(budget.gates, budget.conflicts);
        Self { terms, gates, words: FxHashMap::default(), uses: FxHashMap::default() }
    }

    fn answer(&mut self, conditions: &[TermId]) -> Answer {
        if !self.build(conditions) {
            return Answer::Unknown("too many gates");
        }
        let wires: Vec<Wire> =
            conditions.iter().map(|condition| self.words[condition][0]).collect();
        match self.gates.solve(&wires) {
            Some(true) => Answer::Sat(self.model()),
            Some(false) => Answer::Unsat(self.core(&wires)),
            None => Answer::Unknown("too many conflicts"),
        }
    }

    /// Builds the circuit. False if it has too many gates.
    fn build(&mut self, conditions: &[TermId]) -> bool {
        for id in self.terms.below(conditions) {
            let word = self.word(id);
            self.words.insert(id, word);
            if self.gates.overflowed() {
                return false;
            }
        }
        true
    }

    fn word(&mut self, id: TermId) -> Word {
        let terms = self.terms;
        let width = usize::from(terms.width(id));
        match terms.get(id) {
            Term::Constant { value, .. } => self.gates.number(*value, width),
            Term::Symbol { .. } => self.gates.inputs(width),
            Term::Unary(operator, of) => {
                let of = &self.words[of];
                match operator {
                    Unary::Not => Gates::complement(of),
                    Unary::Neg => self.gates.negate(of),
                }
            }
            Term::Binary(operator, left, right) => self.binary(*operator, *left, *right),
            Term::Compare(operator, left, right) => vec![self.compare(*operator, *left, *right)],
            Term::Select { condition, yes, no } => {
                let condition = self.words[condition][0];
                self.gates.choose(condition, &self.words[yes], &self.words[no])
            }
            Term::ExtendU { of, .. } => {
                let fill = self.gates.truth(false);
                resized(&self.words[of], width, fill)
            }
            Term::ExtendS { of, .. } => {
                let of = &self.words[of];
                resized(of, width, of[of.len() - 1])
            }
            Term::Truncate { of, .. } => self.words[of][..width].to_vec(),
            Term::Apply { function, arguments, width } => {
                self.apply(id, *function, arguments, *width)
            }
        }
    }

    fn binary(&mut self, operator: Binary, left: TermId, right: TermId) -> Word {
        let constant = self.terms.as_constant(right);
        let (gates, a, b) = (&mut self.gates, &self.words[&left], &self.words[&right]);
        match operator {
            Binary::Add => {
                let no = gates.truth(false);
                gates.add(a, b, no)
            }
            Binary::Sub => gates.subtract(a, b),
            Binary::Mul => match constant {
                Some(factor) => multiply_constant(gates, a, factor, self.terms.width(right)),
                None => gates.multiply(a, b),
            },
            Binary::DivU => match constant.filter(|by| by.is_power_of_two()) {
                Some(by) => {
                    let no = gates.truth(false);
                    let rest = usize::try_from(by.trailing_zeros()).map_or(&a[..0], |by| &a[by..]);
                    resized(rest, a.len(), no)
                }
                None => gates.divide(a, b).0,
            },
            Binary::RemU => gates.divide(a, b).1,
            Binary::DivS => gates.divide_signed(a, b).0,
            Binary::RemS => gates.divide_signed(a, b).1,
            Binary::And => gates.bitwise(a, b, Gates::and),
            Binary::Or => gates.bitwise(a, b, Gates::or),
            Binary::Xor => gates.bitwise(a, b, Gates::xor),
            Binary::Shl => gates.shift_left(a, b),
            Binary::ShrU => {
                let no = gates.truth(false);
                gates.shift_right(a, b, no)
            }
            Binary::ShrS => gates.shift_right(a, b, a[a.len() - 1]),
        }
    }

    fn compare(&mut self, operator: Compare, left: TermId, right: TermId) -> Wire {
        let (gates, a, b) = (&mut self.gates, &self.words[&left], &self.words[&right]);
        match operator {
            Compare::Eq => gates.equal(a, b),
            Compare::LtU => gates.below(a, b),
            Compare::LeU => gates.at_most(a, b),
            Compare::LtS => gates.below(&Gates::biased(a), &Gates::biased(b)),
            Compare::LeS => gates.at_most(&Gates::biased(a), &Gates::biased(b)),
        }
    }

    /// A free word that is equal to the results for equal arguments.
    fn apply(&mut self, id: TermId, function: u32, arguments: &[TermId], width: u8) -> Word {
        let result = self.gates.inputs(width.into());
        let earlier = self.uses.entry((function, width)).or_default();
        for other in earlier.iter().filter(|other| other.arguments.len() == arguments.len()) {
            let mut same = self.gates.truth(true);
            for (&left, &right) in arguments.iter().zip(&other.arguments) {
                let (left, right) = (&self.words[&left], &self.words[&right]);
                let fits = left.len() == right.len();
                let equal = self.gates.equal(left, right);
                let equal = if fits { equal } else { self.gates.truth(false) };
                same = self.gates.and(same, equal);
            }
            for (&mine, &theirs) in result.iter().zip(&self.words[&other.result]) {
                self.gates.require([!same, !mine, theirs]);
                self.gates.require([!same, mine, !theirs]);
            }
        }
        earlier.push(Use { arguments: arguments.into(), result: id });
        result
    }

    fn model(&self) -> Model {
        let mut model = Model::default();
        for (&id, word) in &self.words {
            if let Term::Symbol { number, .. } = *self.terms.get(id) {
                model.symbols.insert(number, self.value(word));
            }
        }
        for ((function, _), uses) in &self.uses {
            for one in uses {
                let value = |id: &TermId| self.value(&self.words[id]);
                let arguments = one.arguments.iter().map(value).collect();
                model.functions.insert((*function, arguments), value(&one.result));
            }
        }
        model
    }

    fn value(&self, word: &[Wire]) -> u64 {
        word.iter().rev().fold(0, |value, &wire| value << 1 | u64::from(self.gates.value(wire)))
    }

    /// The positions of the conditions to blame. Of equal ones the first is enough.
    fn core(&self, wires: &[Wire]) -> Vec<usize> {
        let always = self.gates.truth(true);
        let to_blame = |&index: &usize| {
            let wire = wires[index];
            wire != always && self.gates.is_to_blame(wire) && !wires[..index].contains(&wire)
        };
        (0..wires.len()).filter(to_blame).collect()
    }
}

/// A word cut to a width, or filled up to it.
fn resized(word: &[Wire], width: usize, fill: Wire) -> Word {
    word.iter().copied().chain(std::iter::repeat(fill)).take(width).collect()
}

/// A product with whichever of a number and its opposite has fewer bits set.
fn multiply_constant(gates: &mut Gates, word: &[Wire], factor: u64, width: u8) -> Word {
    let opposite = factor.wrapping_neg() & mask(width);
    if factor.count_ones() <= opposite.count_ones() + 1 {
        let factor = gates.number(factor, word.len());
        return gates.multiply(word, &factor);
    }
    let opposite = gates.number(opposite, word.len());
    let product = gates.multiply(word, &opposite);
    gates.negate(&product)
}
