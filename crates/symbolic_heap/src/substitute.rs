//! Expressions for symbols, and numbers for all of them: the commutativity of section 2 says that a
//! result with the input put in is what running the program gives.

use caulk_base::FxHashMap;

use crate::condition::{Condition, Relation};
use crate::poly::Poly;
use crate::space::{Atom, AtomKind, Cond, Expr, Operator, Space, Symbol};

/// What stands for which symbol, and what was computed with it so far.
#[derive(Default)]
pub struct Substitution {
    pub pairs: Vec<(Symbol, Expr)>,
    exprs: FxHashMap<Expr, Expr>,
    conditions: FxHashMap<Cond, Cond>,
}

impl Substitution {
    #[must_use]
    pub fn new(pairs: &[(Symbol, Expr)]) -> Self {
        Self { pairs: pairs.to_vec(), ..Self::default() }
    }

    #[must_use]
    pub fn one(symbol: Symbol, by: Expr) -> Self {
        Self::new(&[(symbol, by)])
    }
}

impl Space {
    pub fn substitute(&mut self, expr: Expr, with: &mut Substitution) -> Expr {
        if !with.pairs.iter().any(|&(symbol, _)| self.mentions(expr, symbol)) {
            return expr;
        }
        if let Some(&known) = with.exprs.get(&expr) {
            return known;
        }
        let poly = self.poly(expr).clone();
        let mut sum = self.constant(0);
        for (monomial, factor) in &poly.terms {
            let mut term = self.constant(*factor);
            for &(atom, power) in monomial {
                let value = self.substitute_atom(atom, with);
                for _ in 0..power {
                    term = self.multiply(term, value);
                }
            }
            sum = self.add(sum, term);
        }
        if poly.divisor != 1 {
            sum = self.divide_exactly(sum, poly.divisor);
        }
        with.exprs.insert(expr, sum);
        sum
    }

    fn substitute_atom(&mut self, atom: Atom, with: &mut Substitution) -> Expr {
        let kind = match self.kind(atom).clone() {
            AtomKind::Symbol(symbol) => {
                let found = with.pairs.iter().find(|pair| pair.0 == symbol);
                return found.map_or_else(|| self.of_atom(atom), |pair| pair.1);
            }
            AtomKind::Cell { site, turns } => {
                AtomKind::Cell { site, turns: self.substitute_list(&turns, with) }
            }
            AtomKind::Initial { at, pointer } => {
                AtomKind::Initial { at: self.substitute(at, with), pointer }
            }
            AtomKind::Unknown { number, arguments, pointer } => {
                let arguments = self.substitute_list(&arguments, with);
                AtomKind::Unknown { number, arguments, pointer }
            }
            AtomKind::Apply { operator, arguments } => {
                let arguments = self.substitute_list(&arguments, with);
                return self.apply(operator, &arguments);
            }
            AtomKind::Select { condition, yes, no } => {
                let condition = self.substitute_condition(condition, with);
                let yes = self.substitute(yes, with);
                let no = self.substitute(no, with);
                return self.select(condition, yes, no);
            }
            AtomKind::Place(_) | AtomKind::Undefined => return self.of_atom(atom),
        };
        self.atom(kind)
    }

    fn substitute_list(&mut self, list: &[Expr], with: &mut Substitution) -> Box<[Expr]> {
        list.iter().map(|&expr| self.substitute(expr, with)).collect()
    }

    pub fn substitute_condition(&mut self, id: Cond, with: &mut Substitution) -> Cond {
        if let Some(&known) = with.conditions.get(&id) {
            return known;
        }
        let result = match self.condition(id).clone() {
            Condition::Truth(_) => id,
            Condition::Is(relation, expr) => {
                let expr = self.substitute(expr, with);
                self.is(relation, expr)
            }
            Condition::All(parts) => {
                let parts = parts.iter().map(|&part| self.substitute_condition(part, with));
                let parts = parts.collect();
                self.all(parts)
            }
            Condition::Any(parts) => {
                let parts = parts.iter().map(|&part| self.substitute_condition(part, with));
                let parts = parts.collect();
                self.any(parts)
            }
        };
        with.conditions.insert(id, result);
        result
    }

    /// An operation that is no polynomial, computed where its operands are numbers.
    pub fn apply(&mut self, operator: Operator, arguments: &[Expr]) -> Expr {
        let numbers: Option<Vec<i128>> =
            arguments.iter().map(|&expr| self.as_constant(expr)).collect();
        if let Some(value) = numbers.and_then(|numbers| compute(operator, &numbers)) {
            return self.constant(value);
        }
        let split = if operator == Operator::Power { self.split_power(arguments) } else { None };
        split
            .unwrap_or_else(|| self.atom(AtomKind::Apply { operator, arguments: arguments.into() }))
    }

    /// `a ** (k + 2)` is `a ** k` times `a * a`, so that the next turn of a geometric recurrence is seen to
    /// be a multiple of this one.
    fn split_power(&mut self, arguments: &[Expr]) -> Option<Expr> {
        let &[base, exponent] = arguments else { return None };
        let (base_value, poly) = (self.as_constant(base)?, self.poly(exponent));
        let more = poly.constant_part();
        if more == 0 || poly.divisor != 1 {
            return None;
        }
        let factor = base_value.checked_pow(u32::try_from(more.unsigned_abs()).ok()?)?;
        let rest = self.offset(exponent, -more);
        let power = self.apply(Operator::Power, &[base, rest]);
        Some(if more > 0 { self.scale(power, factor) } else { self.divide_exactly(power, factor) })
    }

    /// The value of an expression; `of_atom` knows symbols, unknowns and the memory at entry.
    /// None for what is undefined, too large or an address that nobody gave a number.
    pub fn evaluate(
        &self,
        expr: Expr,
        of_atom: &dyn Fn(&AtomKind) -> Option<i128>,
    ) -> Option<i128> {
        let Poly { terms, divisor } = self.poly(expr);
        let mut sum: i128 = 0;
        for (monomial, factor) in terms {
            let mut term = *factor;
            for &(atom, power) in monomial {
                let value = self.evaluate_atom(atom, of_atom)?;
                for _ in 0..power {
                    term = term.checked_mul(value)?;
                }
            }
            sum = sum.checked_add(term)?;
        }
        (sum % divisor == 0).then_some(sum / divisor)
    }

    fn evaluate_atom(
        &self,
        atom: Atom,
        of_atom: &dyn Fn(&AtomKind) -> Option<i128>,
    ) -> Option<i128> {
        match self.kind(atom) {
            AtomKind::Apply { operator, arguments } => {
                let numbers: Option<Vec<i128>> =
                    arguments.iter().map(|&expr| self.evaluate(expr, of_atom)).collect();
                compute(*operator, &numbers?)
            }
            AtomKind::Select { condition, yes, no } => {
                let chosen = if self.holds(*condition, of_atom)? { *yes } else { *no };
                self.evaluate(chosen, of_atom)
            }
            kind => of_atom(kind),
        }
    }

    /// Whether a condition holds for these values.
    pub fn holds(&self, id: Cond, of_atom: &dyn Fn(&AtomKind) -> Option<i128>) -> Option<bool> {
        match self.condition(id) {
            Condition::Truth(value) => Some(*value),
            Condition::Is(relation, expr) => {
                let value = self.evaluate(*expr, of_atom)?;
                Some(match relation {
                    Relation::Zero => value == 0,
                    Relation::NonZero => value != 0,
                    Relation::NotNegative => value >= 0,
                })
            }
            Condition::All(parts) => self.first_that(parts, false, of_atom),
            Condition::Any(parts) => self.first_that(parts, true, of_atom),
        }
    }

    /// `wanted` if a part is so; nothing if none is and one has no value.
    fn first_that(
        &self,
        parts: &[Cond],
        wanted: bool,
        of_atom: &dyn Fn(&AtomKind) -> Option<i128>,
    ) -> Option<bool> {
        let mut all_known = true;
        for &part in parts {
            match self.holds(part, of_atom) {
                Some(value) if value == wanted => return Some(wanted),
                Some(_) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(!wanted)
    }
}

fn compute(operator: Operator, numbers: &[i128]) -> Option<i128> {
    match (operator, numbers) {
        (Operator::Divide, &[a, b]) => a.checked_div(b),
        (Operator::Remainder, &[a, b]) => a.checked_rem(b),
        (Operator::And, &[a, b]) => Some(a & b),
        (Operator::Or, &[a, b]) => Some(a | b),
        (Operator::Xor, &[a, b]) => Some(a ^ b),
        (Operator::ShiftLeft, &[a, b]) => shift(a, b),
        (Operator::ShiftRight, &[a, b]) => (0..64).contains(&b).then(|| a >> b),
        (Operator::Power, &[a, b]) => a.checked_pow(u32::try_from(b).ok()?),
        (Operator::WrapSigned(bits), &[a]) => Some(wrap_signed(a, bits)),
        (Operator::WrapUnsigned(bits), &[a]) => Some(a & ((1 << bits) - 1)),
        _ => None,
    }
}

fn shift(value: i128, by: i128) -> Option<i128> {
    (0..64).contains(&by).then(|| value.checked_mul(1 << by))?
}

fn wrap_signed(value: i128, bits: u8) -> i128 {
    let low = value & ((1 << bits) - 1);
    if low >> (bits - 1) & 1 == 1 { low - (1 << bits) } else { low }
}
