//! Gates as clauses.
//!
//! A wire is a literal of the solver; two literals are the truth values. A gate whose inputs decide
//! it is no gate, and the same gate is made once. Past a number of gates nothing is added any more,
//! and what is built from there on means nothing.

use batsat::{Lit, Solver as Search, SolverInterface, SolverOpts, lbool};
use caulk_base::FxHashMap;

use crate::sat::ConflictLimit;

pub(super) type Wire = Lit;

const STEPS_OF_GATE: u64 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Wire, Wire),
    Xor(Wire, Wire),
    Majority(Wire, Wire, Wire),
    Choice(Wire, Wire, Wire),
}

pub(super) struct Gates {
    search: Search<ConflictLimit>,
    yes: Wire,
    known: FxHashMap<Gate, Wire>,
    /// How many more gates there may be.
    left: usize,
    made: u64,
    overflowed: bool,
    clause: Vec<Lit>,
}

impl Gates {
    pub fn new(gates: usize, conflicts: u64) -> Self {
        let mut search = Search::new(SolverOpts::default(), ConflictLimit(conflicts));
        let yes = Lit::new(search.new_var(lbool::UNDEF, true), true);
        let known = FxHashMap::default();
        let mut gates = Self {
            search,
            yes,
            known,
            left: gates,
            made: 0,
            overflowed: false,
            clause: Vec::new(),
        };
        gates.require([yes]);
        gates
    }

    /// What was done, in steps of about the same length: a gate takes as long as some propagations.
    pub fn work(&self) -> u64 {
        self.made * STEPS_OF_GATE + self.search.num_propagations()
    }

    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    pub fn truth(&self, value: bool) -> Wire {
        if value { self.yes } else { !self.yes }
    }

    /// A wire that is free.
    pub fn input(&mut self) -> Wire {
        // False is tried first, which finds models with small numbers.
        Lit::new(self.search.new_var(lbool::UNDEF, true), true)
    }

    /// Demands that one of these wires is true.
    pub fn require(&mut self, wires: impl IntoIterator<Item = Wire>) {
        self.clause.clear();
        self.clause.extend(wires);
        self.search.add_clause_reuse(&mut self.clause);
    }

    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = (a.min(b), a.max(b));
        match (self.constant(a), self.constant(b)) {
            (Some(false), _) | (_, Some(false)) => return self.truth(false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return self.truth(false),
            _ => {}
        }
        self.gate(Gate::And(a, b), |gates, out| {
            gates.require([!out, a]);
            gates.require([!out, b]);
            gates.require([out, !a, !b]);
        })
    }

    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        match (self.constant(a), self.constant(b)) {
            (Some(value), _) => return if value { !b } else { b },
            (_, Some(value)) => return if value { !a } else { a },
            _ => {}
        }
        let flipped = !a.sign() ^ !b.sign();
        let (a, b) = (Lit::new(a.var(), true), Lit::new(b.var(), true));
        let out = if a == b {
            self.truth(false)
        } else {
            let (a, b) = (a.min(b), a.max(b));
            self.gate(Gate::Xor(a, b), |gates, out| {
                gates.require([!out, a, b]);
                gates.require([!out, !a, !b]);
                gates.require([out, !a, b]);
                gates.require([out, a, !b]);
            })
        };
        if flipped { !out } else { out }
    }

    /// Whether two of three are true.
    pub fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut wires = [a, b, c];
        wires.sort_unstable();
        let [a, b, c] = wires;
        for (one, two, other) in [(a, b, c), (a, c, b), (b, c, a)] {
            if one == two {
                return one;
            }
            if one == !two {
                return other;
            }
        }
        for (one, two, other) in [(a, b, c), (a, c, b), (b, c, a)] {
            match self.constant(other) {
                Some(true) => return self.or(one, two),
                Some(false) => return self.and(one, two),
                None => {}
            }
        }
        self.gate(Gate::Majority(a, b, c), |gates, out| {
            for (one, two) in [(a, b), (a, c), (b, c)] {
                gates.require([out, !one, !two]);
                gates.require([!out, one, two]);
            }
        })
    }

    /// `condition ? yes : no`.
    pub fn choice(&mut self, condition: Wire, yes: Wire, no: Wire) -> Wire {
        match (self.constant(condition), self.constant(yes), self.constant(no)) {
            (Some(value), _, _) => return if value { yes } else { no },
            (_, Some(true), _) => return self.or(condition, no),
            (_, Some(false), _) => return self.and(!condition, no),
            (_, _, Some(true)) => return self.or(!condition, yes),
            (_, _, Some(false)) => return self.and(condition, yes),
            _ if yes == no => return yes,
            _ if yes == !no => return !self.xor(condition, yes),
            _ => {}
        }
        self.gate(Gate::Choice(condition, yes, no), |gates, out| {
            gates.require([!condition, !yes, out]);
            gates.require([!condition, yes, !out]);
            gates.require([condition, !no, out]);
            gates.require([condition, no, !out]);
            gates.require([!yes, !no, out]);
            gates.require([yes, no, !out]);
        })
    }

    /// Searches for values that make all of these true; nothing if the conflicts ran out.
    pub fn solve(&mut self, wires: &[Wire]) -> Option<bool> {
        let result = self.search.solve_limited(wires);
        (result != lbool::UNDEF).then_some(result == lbool::TRUE)
    }

    /// Whether a wire is true in the values found.
    pub fn value(&self, wire: Wire) -> bool {
        self.search.value_lit(wire) == lbool::TRUE
    }

    /// Whether a wire was needed to find that there are no values.
    pub fn is_to_blame(&self, wire: Wire) -> bool {
        self.search.unsat_core_contains_var(wire.var())
    }

    fn constant(&self, wire: Wire) -> Option<bool> {
        (wire.var() == self.yes.var()).then_some(wire == self.yes)
    }

    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut Self, Wire)) -> Wire {
        if let Some(&out) = self.known.get(&gate) {
            return out;
        }
        let Some(left) = self.left.checked_sub(1) else {
            self.overflowed = true;
            return self.yes;
        };
        self.left = left;
        self.made += 1;
        let out = self.input();
        clauses(self, out);
        self.known.insert(gate, out);
        out
    }
}
