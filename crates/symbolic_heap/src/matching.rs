//! In which turns of loops an address is a given one: the index sets X of equation (3).
//!
//! The addresses in a recurrence are functions of the loop's index. Equating one with the address
//! that is looked for gives linear equations over the indices, and with them at most one turn, all
//! turns, or none.

use crate::poly::Poly;
use crate::space::{Atom, AtomKind, Cond, Expr, Space, Symbol};

/// The turns in which two addresses are the same.
pub struct Matched {
    /// For each index the one turn, or None for all of them.
    pub turns: Vec<Option<Expr>>,
    /// What must hold besides.
    pub condition: Cond,
}

impl Matched {
    fn never(count: usize) -> Self {
        Self { turns: vec![None; count], condition: Cond::FALSE }
    }
}

impl Space {
    /// When `pattern`, a function of the indices, is `target`. None: cannot tell.
    pub fn match_address(
        &mut self,
        pattern: Expr,
        target: Expr,
        indices: &[Symbol],
    ) -> Option<Matched> {
        let mut equations = Vec::new();
        if !self.equate(pattern, target, indices, &mut equations)? {
            return Some(Matched::never(indices.len()));
        }
        self.solve(equations, indices)
    }

    /// When `pattern` is an address in the record that `target` is an address in.
    pub fn match_record(
        &mut self,
        pattern: Expr,
        target: Expr,
        indices: &[Symbol],
    ) -> Option<Matched> {
        let (Some(left), Some(right)) = (self.base(pattern), self.base(target)) else {
            return Some(Matched::never(indices.len()));
        };
        let (left, right) = (self.of_atom(left), self.of_atom(right));
        self.match_address(left, right, indices)
    }

    /// Collects what must be zero; false if the two are never equal.
    fn equate(
        &mut self,
        pattern: Expr,
        target: Expr,
        indices: &[Symbol],
        equations: &mut Vec<Expr>,
    ) -> Option<bool> {
        match (self.base(pattern), self.base(target)) {
            (None, None) => {
                equations.push(self.subtract(pattern, target));
                Some(true)
            }
            (Some(left), Some(right)) => {
                if !self.equate_records(left, right, indices, equations)? {
                    return Some(false);
                }
                let (a, b) = (self.distance(pattern, left), self.distance(target, right));
                equations.push(self.subtract(a, b));
                Some(true)
            }
            _ => Some(false),
        }
    }

    fn equate_records(
        &mut self,
        left: Atom,
        right: Atom,
        indices: &[Symbol],
        equations: &mut Vec<Expr>,
    ) -> Option<bool> {
        if left == right && !indices.iter().any(|&index| self.atom_mentions(left, index)) {
            return Some(true);
        }
        match (self.kind(left).clone(), self.kind(right).clone()) {
            (AtomKind::Cell { site: a, turns: x }, AtomKind::Cell { site: b, turns: y }) => {
                if a != b || x.len() != y.len() {
                    return Some(false);
                }
                for (&x, &y) in x.iter().zip(&y) {
                    equations.push(self.subtract(x, y));
                }
                Some(true)
            }
            (AtomKind::Initial { at: a, .. }, AtomKind::Initial { at: b, .. })
                if !self.inputs_may_alias =>
            {
                self.equate(a, b, indices, equations)
            }
            (
                AtomKind::Unknown { number: a, arguments: x, .. },
                AtomKind::Unknown { number: b, arguments: y, .. },
            ) if a == b && !self.inputs_may_alias => {
                for (&x, &y) in x.iter().zip(&y) {
                    if !self.equate(x, y, indices, equations)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            (AtomKind::Select { .. }, _) | (_, AtomKind::Select { .. }) => None,
            (AtomKind::Cell { .. }, _) if self.is_unresolved(right) => None,
            (_, AtomKind::Cell { .. }) if self.is_unresolved(left) => None,
            _ => {
                let (one, other) = (self.of_atom(left), self.of_atom(right));
                match self.equal(one, other) {
                    Cond::FALSE => Some(false),
                    _ if self.inputs_may_alias => None,
                    _ => Some(left == right),
                }
            }
        }
    }

    fn atom_mentions(&mut self, atom: Atom, symbol: Symbol) -> bool {
        let expr = self.of_atom(atom);
        self.mentions(expr, symbol)
    }

    /// Gaussian elimination, as far as coefficients divide.
    fn solve(&mut self, mut equations: Vec<Expr>, indices: &[Symbol]) -> Option<Matched> {
        let mut turns: Vec<Option<Expr>> = vec![None; indices.len()];
        let mut condition = Cond::TRUE;
        while let Some(equation) = self.next_equation(&mut equations, indices) {
            let open: Vec<usize> =
                (0..indices.len()).filter(|&at| self.mentions(equation, indices[at])).collect();
            let Some(&at) = open.first() else {
                let zero = self.is_zero(equation);
                condition = self.and(condition, zero);
                if condition == Cond::FALSE {
                    return Some(Matched::never(indices.len()));
                }
                continue;
            };
            let turn = self.solve_for(equation, indices[at])?;
            let mut with = crate::substitute::Substitution::one(indices[at], turn);
            equations = equations.iter().map(|&it| self.substitute(it, &mut with)).collect();
            for known in turns.iter_mut().flatten() {
                *known = self.substitute(*known, &mut with);
            }
            turns[at] = Some(turn);
        }
        Some(Matched { turns, condition })
    }

    /// One with the fewest open indices.
    fn next_equation(&mut self, equations: &mut Vec<Expr>, indices: &[Symbol]) -> Option<Expr> {
        let open = |it: Expr| indices.iter().filter(|&&index| self.mentions(it, index)).count();
        let at = (0..equations.len()).min_by_key(|&at| open(equations[at]))?;
        Some(equations.swap_remove(at))
    }

    /// The value of a symbol for which an expression is zero, if it is linear in it and the value
    /// is an integer whatever the others are.
    pub fn solve_for(&mut self, expr: Expr, symbol: Symbol) -> Option<Expr> {
        let (factor, rest) = self.linear_in(expr, symbol)?;
        let factor = self.as_constant(factor).filter(|&it| it != 0)?;
        let poly = self.poly(rest);
        if poly.divisor != 1 || poly.terms.iter().any(|term| term.1 % factor != 0) {
            return None;
        }
        let negative = self.scale(rest, -1);
        Some(self.divide_exactly(negative, factor))
    }

    /// `a` and `b` of `a·symbol + b`, where neither mentions the symbol.
    pub fn linear_in(&mut self, expr: Expr, symbol: Symbol) -> Option<(Expr, Expr)> {
        match self.powers_of(expr, symbol)?[..] {
            [rest] => Some((self.constant(0), rest)),
            [rest, factor] => Some((factor, rest)),
            _ => None,
        }
    }

    /// The coefficients of a polynomial in a symbol, from power 0 on; None if the symbol is inside
    /// of other atoms.
    pub fn powers_of(&mut self, expr: Expr, symbol: Symbol) -> Option<Vec<Expr>> {
        let poly = self.poly(expr).clone();
        let atom = self.intern_atom(AtomKind::Symbol(symbol));
        let mut powers = vec![self.constant(0)];
        for (monomial, factor) in &poly.terms {
            let power = monomial.iter().find(|it| it.0 == atom).map_or(0, |it| usize::from(it.1));
            let rest: Box<[(Atom, u8)]> =
                monomial.iter().copied().filter(|it| it.0 != atom).collect();
            if rest.iter().any(|it| self.atom_mentions(it.0, symbol)) {
                return None;
            }
            while powers.len() <= power {
                powers.push(self.constant(0));
            }
            let term = self.intern(Poly { terms: vec![(rest, *factor)], divisor: 1 });
            powers[power] = self.add(powers[power], term);
        }
        let divided = powers.into_iter().map(|it| self.divide_exactly(it, poly.divisor));
        Some(divided.collect())
    }
}
