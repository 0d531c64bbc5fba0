//! Comparison of expressions under assumptions: what follows from a context.
//!
//! A literal is proven by showing that its negation contradicts the assumptions. Equations and
//! inequalities are linear in their monomials; Fourier–Motzkin elimination over the rationals, with
//! coefficients rounded for integers, looks for a contradiction. Disequalities and disjunctions are
//! taken apart a few times. "Cannot tell" is an answer, and the one that is given when the bounds
//! on this work are met.

use caulk_base::{FxHashMap, FxHashSet};

use crate::condition::{Condition, Relation};
use crate::poly::{Monomial, Poly};
use crate::space::{AtomKind, Cond, Expr, Space, Symbol};

/// The assumptions of a context: its path condition and its state condition (`t` and `p`).
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub conditions: Vec<Cond>,
    /// What held in every turn of a loop.
    pub in_all_turns: Vec<InAllTurns>,
}

/// For all `index` from 0 to below `count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InAllTurns {
    pub index: Symbol,
    pub count: Expr,
    pub fact: Cond,
}

const SPLITS: usize = 3;
const MOST_ROWS: usize = 60;
const RELEVANT_ROUNDS: usize = 3;

impl Facts {
    /// Adds a condition, its conjuncts apart.
    pub fn assume(&mut self, space: &Space, condition: Cond) {
        for part in space.conjuncts(condition) {
            if !self.conditions.contains(&part) {
                self.conditions.push(part);
            }
        }
    }

    #[must_use]
    pub fn with(&self, space: &Space, condition: Cond) -> Self {
        let mut more = self.clone();
        more.assume(space, condition);
        more
    }
}

impl Space {
    /// Whether a condition holds or fails wherever the facts hold; None: cannot tell.
    pub fn decide(&mut self, facts: &Facts, condition: Cond) -> Option<bool> {
        match self.condition(condition).clone() {
            Condition::Truth(value) => Some(value),
            Condition::Is(..) => self.decide_literal(facts, condition),
            Condition::All(parts) => self
                .decide_parts(facts, &parts, false)
                .or_else(|| self.decide_by_cases(facts, condition)),
            Condition::Any(parts) => self
                .decide_parts(facts, &parts, true)
                .or_else(|| self.decide_by_cases(facts, condition)),
        }
    }

    fn decide_parts(&mut self, facts: &Facts, parts: &[Cond], wanted: bool) -> Option<bool> {
        let mut open = false;
        for (at, &part) in parts.iter().enumerate() {
            let with;
            let mut known = facts;
            // Whether a record is there may depend on the turn that the other parts speak of.
            if self.is_null_test(part) && parts.len() > 1 {
                with = self.beside(facts, parts, at, wanted);
                known = &with;
            }
            match self.decide(known, part) {
                Some(value) if value == wanted => return Some(wanted),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(!wanted)
    }

    /// A condition without the parts that the facts decide.
    pub fn reduce(&mut self, facts: &Facts, condition: Cond) -> Cond {
        let (mut parts, any) = match self.condition(condition) {
            _ if self.is_exhausted() => return condition,
            Condition::Truth(_) => return condition,
            Condition::Is(..) => {
                return self.decide(facts, condition).map_or(condition, |value| self.truth(value));
            }
            Condition::All(parts) => (parts.to_vec(), false),
            Condition::Any(parts) => (parts.to_vec(), true),
        };
        // Literals first, comparisons of numbers before null tests: they help to judge the rest.
        parts.sort_by_key(|&part| {
            (!matches!(self.condition(part), Condition::Is(..)), self.is_null_test(part))
        });
        let mut known = facts.clone();
        let mut reduced = Vec::new();
        for part in parts {
            let part = self.reduce(&known, part);
            let assumed = if any { self.not(part) } else { part };
            known.assume(self, assumed);
            reduced.push(part);
        }
        if any { self.any(reduced) } else { self.all(reduced) }
    }

    /// The facts with the other parts of a conjunction, or without those of a disjunction.
    fn beside(&mut self, facts: &Facts, parts: &[Cond], at: usize, any: bool) -> Facts {
        let mut more = facts.clone();
        for (other, &part) in parts.iter().enumerate() {
            if other != at && matches!(self.condition(part), Condition::Is(..)) {
                let part = if any { self.not(part) } else { part };
                more.assume(self, part);
            }
        }
        more
    }

    /// By cases: `a && b || !a && c` may hold although none of its parts is known to.
    fn decide_by_cases(&mut self, facts: &Facts, condition: Cond) -> Option<bool> {
        let opposite = self.not(condition);
        if self.contradict(facts, opposite) {
            return Some(true);
        }
        self.contradict(facts, condition).then_some(false)
    }

    fn decide_literal(&mut self, facts: &Facts, literal: Cond) -> Option<bool> {
        if facts.conditions.contains(&literal) {
            return Some(true);
        }
        let opposite = self.not(literal);
        if facts.conditions.contains(&opposite) {
            return Some(false);
        }
        if let Some(known) = self.known_in_all_turns(facts, literal) {
            return Some(known);
        }
        if self.contradict(facts, opposite) {
            return Some(true);
        }
        self.contradict(facts, literal).then_some(false)
    }

    /// Null tests of records that a loop made: `r(k) ≠ ⊥` for all its turns.
    fn known_in_all_turns(&mut self, facts: &Facts, literal: Cond) -> Option<bool> {
        let Condition::Is(relation, expr) = *self.condition(literal) else { return None };
        let atom = self.base(expr)?;
        let AtomKind::Cell { site, .. } = *self.kind(atom) else { return None };
        for known in &facts.in_all_turns {
            let Condition::Is(of, fact) = *self.condition(known.fact) else { continue };
            let same_site = self.base(fact).is_some_and(|base| {
                matches!(self.kind(base), AtomKind::Cell { site: other, .. } if *other == site)
            });
            if !same_site || of == Relation::NotNegative || relation == Relation::NotNegative {
                continue;
            }
            let Some(found) = self.match_address(fact, expr, &[known.index]) else { continue };
            let Some(turn) = found.turns[0] else { continue };
            let inside = self.in_range(turn, known.count);
            let inside = self.and(inside, found.condition);
            let rest = Facts { conditions: facts.conditions.clone(), in_all_turns: Vec::new() };
            if self.decide(&rest, inside) == Some(true) {
                return Some(of == relation);
            }
        }
        None
    }

    /// `0 ≤ turn < count`.
    pub fn in_range(&mut self, turn: Expr, count: Expr) -> Cond {
        let zero = self.constant(0);
        let (low, high) = (self.at_least(turn, zero), self.less(turn, count));
        self.and(low, high)
    }

    /// Whether a condition cannot hold together with the facts.
    pub fn contradict(&mut self, facts: &Facts, condition: Cond) -> bool {
        self.work += facts.conditions.len() as u64 / 2;
        if self.is_exhausted() {
            return false;
        }
        let mut rows = self.relevant(facts, condition);
        rows.push(condition);
        self.infeasible(&rows, SPLITS)
    }

    /// The conditions that share monomials with one, directly or through others.
    fn relevant(&self, facts: &Facts, condition: Cond) -> Vec<Cond> {
        let mut seen: FxHashSet<Monomial> = FxHashSet::default();
        self.collect_monomials(condition, &mut seen);
        let mut chosen = Vec::new();
        let mut rest: Vec<Cond> = facts.conditions.clone();
        for _ in 0..RELEVANT_ROUNDS {
            let mut found = FxHashSet::default();
            let (near, far): (Vec<Cond>, Vec<Cond>) = rest.into_iter().partition(|&it| {
                let mut own = FxHashSet::default();
                self.collect_monomials(it, &mut own);
                let near = own.iter().any(|monomial| seen.contains(monomial));
                if near {
                    found.extend(own);
                }
                near
            });
            rest = far;
            if near.is_empty() {
                break;
            }
            seen.extend(found);
            chosen.extend(near);
        }
        chosen
    }

    fn collect_monomials(&self, id: Cond, all: &mut FxHashSet<Monomial>) {
        match self.condition(id) {
            Condition::Truth(_) => {}
            Condition::Is(_, expr) => {
                let terms = self.poly(*expr).terms.iter().filter(|term| !term.0.is_empty());
                all.extend(terms.map(|term| term.0.clone()));
            }
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|&part| self.collect_monomials(part, all));
            }
        }
    }

    fn infeasible(&mut self, conditions: &[Cond], splits: usize) -> bool {
        if self.is_exhausted() {
            return false;
        }
        let mut rows: Vec<Poly> = Vec::new();
        let mut choices: Vec<Vec<Cond>> = Vec::new();
        for &condition in conditions {
            match self.condition(condition).clone() {
                Condition::Truth(true) => {}
                Condition::Truth(false) => return true,
                Condition::Is(Relation::NotNegative, expr) => rows.push(self.poly(expr).clone()),
                Condition::Is(Relation::Zero, expr) => {
                    let poly = self.poly(expr).clone();
                    rows.extend(poly.scale(-1));
                    rows.push(poly);
                }
                Condition::Is(Relation::NonZero, expr) => {
                    choices.push(self.both_sides(expr));
                }
                Condition::All(parts) => {
                    let mut all = conditions.to_vec();
                    all.retain(|&it| it != condition);
                    all.extend_from_slice(&parts);
                    return self.infeasible(&all, splits);
                }
                Condition::Any(parts) => choices.push(parts.to_vec()),
            }
        }
        self.add_bounds(&mut rows);
        self.add_quotients(&mut rows);
        if self.eliminate(rows) {
            return true;
        }
        // Choices between few come first; the order among equals is that of the conditions.
        choices.sort_by_key(Vec::len);
        choices.truncate(splits);
        choices.iter().any(|choice| self.all_fail(conditions, choice, splits - 1))
    }

    fn all_fail(&mut self, conditions: &[Cond], choice: &[Cond], splits: usize) -> bool {
        choice.len() <= 4
            && choice.iter().all(|&option| {
                let mut with: Vec<Cond> =
                    conditions.iter().copied().filter(|&it| !self.is_choice(it, choice)).collect();
                with.push(option);
                self.infeasible(&with, splits)
            })
    }

    /// Whether a condition is the one that a choice was made of.
    fn is_choice(&mut self, condition: Cond, choice: &[Cond]) -> bool {
        match self.condition(condition).clone() {
            Condition::Any(parts) => parts[..] == *choice,
            Condition::Is(Relation::NonZero, expr) => self.both_sides(expr) == choice,
            _ => false,
        }
    }

    /// `e ≥ 1` and `e ≤ -1`.
    fn both_sides(&mut self, expr: Expr) -> Vec<Cond> {
        let negative = self.scale(expr, -1);
        [expr, negative]
            .into_iter()
            .map(|side| {
                let side = self.offset(side, -1);
                self.is(Relation::NotNegative, side)
            })
            .collect()
    }

    /// What is known of symbols on their own.
    fn add_bounds(&self, rows: &mut Vec<Poly>) {
        let mut seen = FxHashSet::default();
        for row in rows.iter() {
            seen.extend(row.terms.iter().filter_map(|(monomial, _)| match monomial[..] {
                [(atom, 1)] => Some(atom),
                _ => None,
            }));
        }
        let mut atoms: Vec<_> = seen.into_iter().collect();
        atoms.sort_unstable();
        for atom in atoms {
            let AtomKind::Symbol(symbol) = *self.kind(atom) else { continue };
            let info = &self.symbols[symbol];
            let poly = Poly::atom(atom);
            if let Some(low) = info.low {
                rows.extend(poly.add(&Poly::constant(-low)));
            }
            if let Some(high) = info.high {
                rows.extend(poly.scale(-1).and_then(|it| it.add(&Poly::constant(high))));
            }
        }
    }

    /// What is left of a division is less than the divisor, and not negative where what is divided is
    /// not.
    fn add_quotients(&mut self, rows: &mut Vec<Poly>) {
        let atoms = rows.iter().flat_map(|row| row.terms.iter()).flat_map(|term| term.0.iter());
        let mut atoms: Vec<_> = atoms.map(|it| it.0).collect();
        atoms.sort_unstable();
        atoms.dedup();
        for atom in atoms {
            let Some((dividend, divisor)) = self.quotient(atom) else { continue };
            let dividend = self.poly(dividend).clone();
            let product = Poly::atom(atom).scale(-divisor);
            let Some(left) = product.and_then(|it| dividend.add(&it)) else { continue };
            let most = Poly::constant(divisor - 1);
            rows.extend(left.scale(-1).and_then(|it| it.add(&most)));
            let negative = dividend.scale(-1).and_then(|it| it.add(&Poly::constant(-1)));
            let mut with = rows.clone();
            with.extend(negative);
            match self.eliminate(with) {
                true => rows.push(left),
                false => rows.extend(left.add(&most)),
            }
        }
    }

    /// Fourier–Motzkin: whether rows that must all be at least 0 contradict each other.
    fn eliminate(&mut self, mut rows: Vec<Poly>) -> bool {
        loop {
            self.work += rows.len() as u64;
            rows = rows.into_iter().filter_map(tightened).collect();
            rows.sort_unstable_by(|a, b| a.terms.cmp(&b.terms));
            rows.dedup();
            if rows.iter().any(|row| row.as_constant().is_some_and(|value| value < 0)) {
                return true;
            }
            rows.retain(|row| row.as_constant().is_none());
            let Some(monomial) = cheapest(&rows) else { return false };
            let Some(next) = without(&monomial, rows) else { return false };
            if next.len() > MOST_ROWS {
                return false;
            }
            rows = next;
        }
    }
}

/// Divided by the common factor, with the constant rounded down: the atoms are integers.
fn tightened(mut row: Poly) -> Option<Poly> {
    row.divisor = 1;
    let content = row.content();
    if content > 1 {
        for (monomial, factor) in &mut row.terms {
            *factor =
                if monomial.is_empty() { factor.div_euclid(content) } else { *factor / content };
        }
        row.terms.retain(|term| term.1 != 0);
    }
    Some(row)
}

/// The monomial whose elimination makes the fewest rows.
fn cheapest(rows: &[Poly]) -> Option<Monomial> {
    let mut counts: FxHashMap<&Monomial, (usize, usize)> = FxHashMap::default();
    for (monomial, factor) in rows.iter().flat_map(|row| &row.terms) {
        if !monomial.is_empty() {
            let count = counts.entry(monomial).or_default();
            if *factor > 0 { count.0 += 1 } else { count.1 += 1 }
        }
    }
    let cost = |(positive, negative): (usize, usize)| positive * negative;
    counts
        .into_iter()
        .min_by(|a, b| cost(a.1).cmp(&cost(b.1)).then(a.0.cmp(b.0)))
        .map(|it| it.0.clone())
}

/// The rows that follow without a monomial; None on overflow.
fn without(monomial: &Monomial, rows: Vec<Poly>) -> Option<Vec<Poly>> {
    let factor = |row: &Poly| row.terms.iter().find(|it| it.0 == *monomial).map_or(0, |it| it.1);
    let (with, mut rest): (Vec<Poly>, Vec<Poly>) =
        rows.into_iter().partition(|row| factor(row) != 0);
    let (lower, upper): (Vec<&Poly>, Vec<&Poly>) = with.iter().partition(|row| factor(row) > 0);
    for low in &lower {
        for high in &upper {
            let (a, b) = (factor(low), -factor(high));
            rest.push(low.scale(b)?.add(&high.scale(a)?)?);
        }
    }
    Some(rest)
}
