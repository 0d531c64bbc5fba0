//! Conditions as disjunctions of conjunctions, and the elimination of an index from them.

use crate::condition::{Condition, Relation};
use crate::facts::Facts;
use crate::space::{Cond, Expr, Space, Symbol, SymbolKind};
use crate::substitute::Substitution;

/// More conjunctions than this are given up.
const MOST: usize = 48;

/// What a conjunction says of an index: bounds that it has to keep.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    pub exactly: Vec<Expr>,
    pub low: Vec<Expr>,
    pub high: Vec<Expr>,
    /// Literals without the index.
    pub rest: Vec<Cond>,
    /// Literals that are no bounds.
    pub others: Vec<Cond>,
}

impl Space {
    /// The conjunctions of literals of which a condition is the disjunction; None if they are many.
    pub fn conjunctions(&mut self, condition: Cond) -> Option<Vec<Vec<Cond>>> {
        match self.condition(condition).clone() {
            Condition::Truth(false) => Some(Vec::new()),
            Condition::Truth(true) => Some(vec![Vec::new()]),
            Condition::Is(..) => Some(vec![vec![condition]]),
            Condition::Any(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.conjunctions(part)?);
                }
                (all.len() <= MOST).then_some(all)
            }
            Condition::All(parts) => {
                let mut all = vec![Vec::new()];
                for part in parts {
                    all = self.times(&all, &self.conjunctions_of(part)?)?;
                }
                Some(all)
            }
        }
    }

    fn conjunctions_of(&self, condition: Cond) -> Option<Vec<Vec<Cond>>> {
        match self.condition(condition) {
            Condition::Truth(false) => Some(Vec::new()),
            Condition::Truth(true) => Some(vec![Vec::new()]),
            Condition::Is(..) => Some(vec![vec![condition]]),
            Condition::Any(parts) => {
                let mut all = Vec::new();
                for &part in parts {
                    all.extend(self.conjunctions_of(part)?);
                }
                (all.len() <= MOST).then_some(all)
            }
            Condition::All(parts) => {
                let mut all = vec![Vec::new()];
                for &part in parts {
                    let part = self.conjunctions_of(part)?;
                    all = product(&all, &part)?;
                }
                Some(all)
            }
        }
    }

    /// Pairs of conjunctions, without those that contradict themselves at sight.
    fn times(&mut self, left: &[Vec<Cond>], right: &[Vec<Cond>]) -> Option<Vec<Vec<Cond>>> {
        let mut all = product(left, right)?;
        all.retain(|literals| {
            let together = self.all(literals.clone());
            together != Cond::FALSE
        });
        Some(all)
    }

    /// The condition with `x ≠ e` as `x < e || x > e` where `x` is a turn, so that it bounds turns.
    pub fn ordered(&mut self, condition: Cond) -> Cond {
        match self.condition(condition).clone() {
            Condition::Is(Relation::NonZero, expr) if self.mentions_turn(expr) => {
                let negative = self.scale(expr, -1);
                let (above, below) = (self.offset(expr, -1), self.offset(negative, -1));
                let above = self.is(Relation::NotNegative, above);
                let below = self.is(Relation::NotNegative, below);
                self.or(above, below)
            }
            Condition::All(parts) => {
                let parts = parts.iter().map(|&part| self.ordered(part)).collect();
                self.all(parts)
            }
            Condition::Any(parts) => {
                let parts = parts.iter().map(|&part| self.ordered(part)).collect();
                self.any(parts)
            }
            _ => condition,
        }
    }

    fn mentions_turn(&self, expr: Expr) -> bool {
        let is_turn = |symbol: &Symbol| self.symbols[*symbol].kind == SymbolKind::Index;
        self.base(expr).is_none() && self.symbols_of(expr).iter().any(is_turn)
    }

    /// The literals that the facts do not imply; None if they contradict the facts.
    pub fn open_literals(&mut self, facts: &Facts, literals: &[Cond]) -> Option<Vec<Cond>> {
        let facts_before = facts;
        let mut facts = facts.clone();
        let mut open = Vec::new();
        for &literal in literals {
            match self.decide(&facts, literal) {
                Some(true) => {}
                Some(false) => return None,
                None => {
                    facts.assume(self, literal);
                    open.push(literal);
                }
            }
        }
        for at in (0..open.len()).rev() {
            let mut others = facts_before.clone();
            for (_, &other) in open.iter().enumerate().filter(|it| it.0 != at) {
                others.assume(self, other);
            }
            if self.decide(&others, open[at]) == Some(true) {
                open.remove(at);
            }
        }
        Some(open)
    }

    pub fn bounds_on(&mut self, literals: &[Cond], index: Symbol) -> Bounds {
        let mut bounds = Bounds::default();
        for &literal in literals {
            if !self.condition_symbols(literal).contains(&index) {
                bounds.rest.push(literal);
                continue;
            }
            match self.bound_by(literal, index) {
                Some((Relation::Zero, value)) => bounds.exactly.push(value),
                Some((Relation::NotNegative, value)) => bounds.low.push(value),
                Some((Relation::NonZero, value)) => bounds.high.push(value),
                None => bounds.others.push(literal),
            }
        }
        bounds
    }

    /// `index = e`, `index ≥ e` (as `NotNegative`) or `index ≤ e` (as `NonZero`).
    fn bound_by(&mut self, literal: Cond, index: Symbol) -> Option<(Relation, Expr)> {
        let Condition::Is(relation, expr) = *self.condition(literal) else { return None };
        let (factor, rest) = self.linear_in(expr, index)?;
        match (relation, self.as_constant(factor)?) {
            (Relation::Zero, _) => self.solve_for(expr, index).map(|it| (Relation::Zero, it)),
            (Relation::NotNegative, 1) => Some((Relation::NotNegative, self.scale(rest, -1))),
            (Relation::NotNegative, -1) => Some((Relation::NonZero, rest)),
            _ => None,
        }
    }

    /// The condition that some index fulfils all literals; the literals that could not be judged
    /// are left out, and the flag says so.
    pub fn some_index(&mut self, literals: &[Cond], index: Symbol) -> (Cond, bool) {
        let bounds = self.bounds_on(literals, index);
        let exact = bounds.others.is_empty();
        let mut all = bounds.rest.clone();
        if let Some(&value) = bounds.exactly.first() {
            let mut with = Substitution::one(index, value);
            for &literal in literals {
                all.push(self.substitute_condition(literal, &mut with));
            }
            return (self.all(all), true);
        }
        for &low in &bounds.low {
            for &high in &bounds.high {
                all.push(self.at_least(high, low));
            }
        }
        (self.all(all), exact)
    }
}

fn product(left: &[Vec<Cond>], right: &[Vec<Cond>]) -> Option<Vec<Vec<Cond>>> {
    if left.len() * right.len() > MOST {
        return None;
    }
    let mut all = Vec::with_capacity(left.len() * right.len());
    for a in left {
        for b in right {
            let mut both = a.clone();
            both.extend(b.iter().filter(|it| !a.contains(it)));
            all.push(both);
        }
    }
    Some(all)
}
