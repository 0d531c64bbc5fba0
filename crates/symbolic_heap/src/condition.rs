//! Conditions over expressions: literals `e = 0`, `e ≠ 0`, `e ≥ 0`, and their conjunctions and
//! disjunctions. Negation is pushed to the literals, choices are lifted out of them, and addresses
//! of different records are told apart when a literal is made.

use crate::poly::Poly;
use crate::space::{Atom, AtomKind, Cond, Expr, Operator, Place, Space, Symbol, SymbolKind};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    Truth(bool),
    Is(Relation, Expr),
    All(Box<[Cond]>),
    Any(Box<[Cond]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    Zero,
    NonZero,
    /// At least zero.
    NotNegative,
}

/// Literals that a condition may have.
const LARGEST: u32 = 60;

impl Space {
    pub(crate) fn intern_condition(&mut self, condition: Condition) -> Cond {
        self.work += 1;
        if let Some(&id) = self.condition_ids.get(&condition) {
            return id;
        }
        let size = match &condition {
            Condition::Truth(_) | Condition::Is(..) => 1,
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().fold(0, |sum: u32, &part| sum.saturating_add(self.sizes[part]))
            }
        };
        let id = self.conditions.push(condition.clone());
        self.sizes.push(size);
        self.condition_ids.insert(condition, id);
        id
    }

    /// Whether the work is over: then nothing is taken apart any more.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.work > self.limit
    }

    /// A condition that is too large to reason about becomes one of which nothing is known.
    fn is_too_large(&mut self, parts: &[Cond]) -> bool {
        let size = parts.iter().fold(0, |sum: u32, &part| sum.saturating_add(self.sizes[part]));
        self.work += u64::from(size) / 4;
        size > LARGEST || self.is_exhausted() && size > 8
    }

    fn opaque(&mut self) -> Cond {
        let unknown = self.unknown(&[], false);
        self.intern_condition(Condition::Is(Relation::NonZero, unknown))
    }

    #[must_use]
    pub fn condition(&self, id: Cond) -> &Condition {
        &self.conditions[id]
    }

    #[must_use]
    pub fn truth(&self, value: bool) -> Cond {
        if value { Cond::TRUE } else { Cond::FALSE }
    }

    pub(crate) fn condition_symbols(&self, id: Cond) -> Box<[Symbol]> {
        let mut all = Vec::new();
        self.collect_symbols(id, &mut all);
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    fn collect_symbols(&self, id: Cond, all: &mut Vec<Symbol>) {
        match self.condition(id) {
            Condition::Truth(_) => {}
            Condition::Is(_, expr) => all.extend_from_slice(self.symbols_of(*expr)),
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|&part| self.collect_symbols(part, all));
            }
        }
    }

    pub fn at_least(&mut self, left: Expr, right: Expr) -> Cond {
        let difference = self.subtract(left, right);
        self.is(Relation::NotNegative, difference)
    }

    pub fn less(&mut self, left: Expr, right: Expr) -> Cond {
        let difference = self.subtract(right, left);
        let difference = self.offset(difference, -1);
        self.is(Relation::NotNegative, difference)
    }

    pub fn equal(&mut self, left: Expr, right: Expr) -> Cond {
        let difference = self.subtract(left, right);
        self.is(Relation::Zero, difference)
    }

    pub fn is_zero(&mut self, expr: Expr) -> Cond {
        self.is(Relation::Zero, expr)
    }

    /// A literal, in normal form.
    pub fn is(&mut self, relation: Relation, expr: Expr) -> Cond {
        if !self.is_exhausted()
            && let Some(lifted) = self.lift(relation, expr)
        {
            return lifted;
        }
        if relation == Relation::NonZero {
            let zero = self.is(Relation::Zero, expr);
            return self.not(zero);
        }
        if relation == Relation::Zero
            && let Some(known) = self.equality_of_addresses(expr)
        {
            return known;
        }
        let Some(poly) = normal(relation, self.poly(expr)) else { return Cond::FALSE };
        if let Some(value) = poly.as_constant() {
            return self.truth(if relation == Relation::Zero { value == 0 } else { value >= 0 });
        }
        let expr = self.intern(poly);
        if relation == Relation::Zero
            && let Some(least) = self.is_least(expr)
        {
            return least;
        }
        if relation == Relation::NotNegative
            && let Some(bound) = self.bound_of_quotient(expr)
        {
            return bound;
        }
        self.intern_condition(Condition::Is(relation, expr))
    }

    /// `x = c` is `x ≤ c` where `x` is at least `c`: turns are compared with the first one often.
    fn is_least(&mut self, expr: Expr) -> Option<Cond> {
        let poly = self.poly(expr);
        let (monomial, factor) = poly.terms.last()?;
        let &[(atom, 1)] = &monomial[..] else { return None };
        let AtomKind::Symbol(symbol) = *self.kind(atom) else { return None };
        let only = poly.terms.len() == 1 || poly.terms.len() == 2 && poly.terms[0].0.is_empty();
        let constant = poly.constant_part();
        if !only || factor.abs() != 1 || self.symbols[symbol].low != Some(-constant * factor) {
            return None;
        }
        let least = self.scale(expr, -factor);
        Some(self.is(Relation::NotNegative, least))
    }

    /// `a / d ≥ b` is `a ≥ b·d`, and `a / d ≤ b` is `a < (b + 1)·d`, where rounding towards zero is
    /// rounding down.
    fn bound_of_quotient(&mut self, expr: Expr) -> Option<Cond> {
        let poly = self.poly(expr);
        let (monomial, factor) = poly.terms.last()?;
        let (&[(atom, 1)], bound) = (&monomial[..], -poly.constant_part() * factor) else {
            return None;
        };
        let (is_only, sign) = (poly.terms.len() <= 2 && poly.divisor == 1, *factor);
        let is_only = is_only && (poly.terms.len() == 1 || poly.terms[0].0.is_empty());
        let (dividend, divisor) = self.quotient(atom)?;
        match sign {
            1 if is_only && bound >= 1 => {
                let least = self.constant(bound.checked_mul(divisor)?);
                Some(self.at_least(dividend, least))
            }
            -1 if is_only && bound >= 0 => {
                let end = self.constant(bound.checked_add(1)?.checked_mul(divisor)?);
                Some(self.less(dividend, end))
            }
            _ => None,
        }
    }

    /// What is divided by a positive number.
    pub(crate) fn quotient(&self, atom: Atom) -> Option<(Expr, i128)> {
        let AtomKind::Apply { operator: Operator::Divide, arguments } = self.kind(atom) else {
            return None;
        };
        let &[dividend, divisor] = &arguments[..] else { return None };
        Some((dividend, self.as_constant(divisor).filter(|&it| it > 0)?))
    }

    /// `(c ? a : b) ~ 0` is `c && a ~ 0 || !c && b ~ 0`.
    fn lift(&mut self, relation: Relation, expr: Expr) -> Option<Cond> {
        let poly = self.poly(expr);
        let select =
            poly.terms.iter().flat_map(|(monomial, _)| monomial.iter()).find_map(|&(atom, _)| {
                match *self.kind(atom) {
                    AtomKind::Select { condition, yes, no } => Some((atom, condition, yes, no)),
                    _ => None,
                }
            });
        let (atom, condition, yes, no) = select?;
        let (with_yes, with_no) = (self.replace(expr, atom, yes), self.replace(expr, atom, no));
        let (holds, fails) = (self.is(relation, with_yes), self.is(relation, with_no));
        if holds == fails {
            return Some(holds);
        }
        let otherwise = self.not(condition);
        let (first, second) = (self.and(condition, holds), self.and(otherwise, fails));
        Some(self.or(first, second))
    }

    /// An expression with another one for an atom.
    pub fn replace(&mut self, expr: Expr, atom: Atom, by: Expr) -> Expr {
        let poly = self.poly(expr).clone();
        let mut sum = self.constant(0);
        for (monomial, factor) in &poly.terms {
            let rest: Box<[(Atom, u8)]> =
                monomial.iter().copied().filter(|&(it, _)| it != atom).collect();
            let power = monomial.iter().find(|it| it.0 == atom).map_or(0, |it| it.1);
            let mut term = self.intern(Poly { terms: vec![(rest, *factor)], divisor: 1 });
            for _ in 0..power {
                term = self.multiply(term, by);
            }
            sum = self.add(sum, term);
        }
        if poly.divisor == 1 { sum } else { self.divide_exactly(sum, poly.divisor) }
    }

    /// What `expr = 0` is where it compares addresses: different records have different addresses,
    /// and what was there before is none of those that were made here.
    fn equality_of_addresses(&mut self, expr: Expr) -> Option<Cond> {
        let poly = self.poly(expr);
        if poly.divisor != 1 {
            return None;
        }
        let pointers: Vec<(Atom, i128)> = poly
            .terms
            .iter()
            .filter_map(|(monomial, factor)| match monomial[..] {
                [(atom, 1)] if self.is_pointer(atom) => Some((atom, *factor)),
                _ => None,
            })
            .collect();
        match pointers[..] {
            [(atom, 1 | -1)] => self.is_null(atom, expr),
            [(left, a), (right, b)] if a + b == 0 && a.abs() == 1 => {
                self.same_record(left, right, expr)
            }
            _ => None,
        }
    }

    fn is_null(&mut self, atom: Atom, expr: Expr) -> Option<Cond> {
        match self.kind(atom) {
            AtomKind::Place(_) => Some(Cond::FALSE),
            AtomKind::Cell { .. } => (self.poly(expr).terms.len() > 1).then_some(Cond::FALSE),
            _ => None,
        }
    }

    fn same_record(&mut self, left: Atom, right: Atom, expr: Expr) -> Option<Cond> {
        match (self.kind(left).clone(), self.kind(right).clone()) {
            (AtomKind::Cell { site: a, turns: x }, AtomKind::Cell { site: b, turns: y }) => {
                if a != b || x.len() != y.len() {
                    return Some(Cond::FALSE);
                }
                let (start, end) = (self.of_atom(left), self.of_atom(right));
                let records = self.subtract(start, end);
                let sign = self.poly(expr).terms.iter().find(|t| t.0[..] == [(left, 1)])?.1;
                let records = self.scale(records, sign);
                let distance = self.subtract(expr, records);
                let mut same = self.is_zero(distance);
                for (&x, &y) in x.iter().zip(&y) {
                    let turn = self.equal(x, y);
                    same = self.and(same, turn);
                }
                Some(same)
            }
            (one, other) if is_object(&one) && is_object(&other) => Some(Cond::FALSE),
            (one, other) if is_object(&one) || is_object(&other) => {
                let outside = if is_object(&one) { other } else { one };
                let fresh = is_made_here(self.kind(left)) || is_made_here(self.kind(right));
                (fresh && self.is_input(&outside)).then_some(Cond::FALSE)
            }
            (one, other) => (!self.inputs_may_alias && self.is_name(&one) && self.is_name(&other))
                .then_some(Cond::FALSE),
        }
    }

    /// Whether an address is from before the call.
    pub(crate) fn is_input(&self, kind: &AtomKind) -> bool {
        match kind {
            AtomKind::Symbol(symbol) => {
                matches!(self.symbols[*symbol].kind, SymbolKind::Input(_))
            }
            AtomKind::Initial { .. } => true,
            _ => false,
        }
    }

    fn is_name(&self, kind: &AtomKind) -> bool {
        self.is_input(kind) || matches!(kind, AtomKind::Place(Place::Static(_)))
    }

    pub fn not(&mut self, id: Cond) -> Cond {
        if let Some(&known) = self.negations.get(&id) {
            return known;
        }
        let opposite = self.negate(id);
        self.negations.insert(id, opposite);
        opposite
    }

    fn negate(&mut self, id: Cond) -> Cond {
        match self.condition(id).clone() {
            Condition::Truth(value) => self.truth(!value),
            Condition::Is(Relation::Zero, expr) => {
                self.intern_condition(Condition::Is(Relation::NonZero, expr))
            }
            Condition::Is(Relation::NonZero, expr) => {
                self.intern_condition(Condition::Is(Relation::Zero, expr))
            }
            Condition::Is(Relation::NotNegative, expr) => {
                let negative = self.scale(expr, -1);
                let negative = self.offset(negative, -1);
                self.is(Relation::NotNegative, negative)
            }
            Condition::All(parts) => {
                let parts: Vec<Cond> = parts.iter().map(|&part| self.not(part)).collect();
                self.any(parts)
            }
            Condition::Any(parts) => {
                let parts: Vec<Cond> = parts.iter().map(|&part| self.not(part)).collect();
                self.all(parts)
            }
        }
    }

    pub fn and(&mut self, left: Cond, right: Cond) -> Cond {
        self.all(vec![left, right])
    }

    pub fn or(&mut self, left: Cond, right: Cond) -> Cond {
        self.any(vec![left, right])
    }

    pub fn all(&mut self, parts: Vec<Cond>) -> Cond {
        if self.is_too_large(&parts) {
            return self.opaque();
        }
        let Some(parts) = self.flat(parts, true) else { return Cond::FALSE };
        match parts[..] {
            [] => Cond::TRUE,
            [one] => one,
            _ => self.intern_condition(Condition::All(parts.into())),
        }
    }

    pub fn any(&mut self, parts: Vec<Cond>) -> Cond {
        if self.is_too_large(&parts) {
            return self.opaque();
        }
        let Some(mut parts) = self.flat(parts, false) else { return Cond::TRUE };
        self.drop_common(&mut parts);
        self.keep_weakest(&mut parts);
        match parts[..] {
            [] => Cond::FALSE,
            [one] => one,
            _ => self.intern_condition(Condition::Any(parts.into())),
        }
    }

    /// The parts without nesting, repetition and neutral ones; None where one decides all.
    fn flat(&mut self, parts: Vec<Cond>, all: bool) -> Option<Vec<Cond>> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match self.condition(part) {
                Condition::Truth(value) if *value == all => {}
                Condition::Truth(_) => return None,
                Condition::All(inner) if all => flat.extend_from_slice(inner),
                Condition::Any(inner) if !all => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for index in 0..flat.len() {
            let opposite = self.not(flat[index]);
            if flat.binary_search(&opposite).is_ok() {
                return None;
            }
        }
        Some(flat)
    }

    /// `a && b || a && !b` is `a`, and `a || a && b` is `a`.
    fn drop_common(&mut self, parts: &mut Vec<Cond>) {
        if parts.len() != 2 {
            return;
        }
        let (left, right) = (self.conjuncts(parts[0]), self.conjuncts(parts[1]));
        let only = |of: &[Cond], other: &[Cond]| -> Vec<Cond> {
            of.iter().copied().filter(|part| !other.contains(part)).collect()
        };
        let (in_left, in_right) = (only(&left, &right), only(&right, &left));
        let common: Vec<Cond> = left.iter().copied().filter(|part| right.contains(part)).collect();
        if in_left.is_empty() || in_right.is_empty() {
            *parts = vec![self.all(common)];
        } else if let ([a], [b]) = (&in_left[..], &in_right[..])
            && self.not(*a) == *b
        {
            *parts = vec![self.all(common)];
        }
    }

    #[must_use]
    pub fn conjuncts(&self, id: Cond) -> Vec<Cond> {
        match self.condition(id) {
            Condition::Truth(true) => Vec::new(),
            Condition::All(parts) => parts.to_vec(),
            _ => vec![id],
        }
    }

    /// Whether a literal says that an allocation succeeded or failed.
    #[must_use]
    pub fn is_null_test(&self, id: Cond) -> bool {
        let Condition::Is(Relation::Zero | Relation::NonZero, expr) = *self.condition(id) else {
            return false;
        };
        self.base(expr).is_some_and(|base| matches!(self.kind(base), AtomKind::Cell { .. }))
    }

    #[must_use]
    pub fn disjuncts(&self, id: Cond) -> Vec<Cond> {
        match self.condition(id) {
            Condition::Truth(false) => Vec::new(),
            Condition::Any(parts) => parts.to_vec(),
            _ => vec![id],
        }
    }
}

/// Storage that is there on its own.
fn is_object(kind: &AtomKind) -> bool {
    matches!(kind, AtomKind::Cell { .. } | AtomKind::Place(_))
}

/// What did not exist when the function was entered.
fn is_made_here(kind: &AtomKind) -> bool {
    matches!(
        kind,
        AtomKind::Cell { .. }
            | AtomKind::Place(Place::Slot { .. } | Place::Stack { .. } | Place::Variable { .. })
    )
}

/// The literal's polynomial without divisor, divided by what its coefficients share; None where an
/// equation has no solution in integers.
fn normal(relation: Relation, poly: &Poly) -> Option<Poly> {
    let mut poly = Poly { terms: poly.terms.clone(), divisor: 1 };
    let content = poly.content();
    if content == 0 {
        return Some(poly);
    }
    let constant = poly.constant_part();
    if relation == Relation::Zero && constant % content != 0 {
        return None;
    }
    let negative = poly.terms.last().is_some_and(|term| term.1 < 0);
    let sign = if relation == Relation::Zero && negative { -1 } else { 1 };
    for (monomial, factor) in &mut poly.terms {
        let rounded =
            if monomial.is_empty() { factor.div_euclid(content) } else { *factor / content };
        *factor = sign * rounded;
    }
    poly.terms.retain(|term| term.1 != 0);
    Some(poly)
}
