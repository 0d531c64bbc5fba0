//! Inputs by the solver, where trials of small numbers find none (Y5).
//!
//! Conditions over the integers become conditions over words of 64 bits. Inputs stay within bounds,
//! narrow ones first, so that sums and products of them seldom leave a word; whoever asks checks the
//! answer in exact arithmetic. A comparison that no input decides is left out: negations stand in
//! front of comparisons only, so that leaving one out takes nothing away that could hold.

use caulk_base::{FxHashMap, Id};
use caulk_guard::bits::{Answer, Binary, Budget, Compare, TermId, Terms, solve};

use crate::condition::{Condition, Relation};
use crate::space::{Atom, AtomKind, Cond, Expr, Operator, Space, Symbol};

const WIDTH: u8 = 64;
/// How far from zero inputs are looked for.
const BOUNDS: [i64; 3] = [1 << 10, 1 << 31, 1 << 60];
const QUERY: Budget = Budget { gates: 60_000, conflicts: 2_000 };

impl Space {
    /// Values that fulfil the conditions as far as inputs decide them, which the caller checks. A
    /// pointer is NULL or the address that is given for it.
    pub(crate) fn solved(
        &self,
        inputs: &[(Symbol, Option<i64>)],
        conditions: &[Cond],
        is_answer: &dyn Fn(&[i128]) -> bool,
    ) -> Option<Vec<i128>> {
        BOUNDS.iter().find_map(|&bound| {
            let mut words = Words { space: self, terms: Terms::default(), known: words_of(inputs) };
            let mut asked: Vec<TermId> = inputs
                .iter()
                .map(|&(symbol, address)| words.bounds(symbol, address, bound))
                .collect();
            asked.extend(conditions.iter().map(|&it| words.condition(it)));
            let Answer::Sat(model) = solve(&words.terms, &asked, &QUERY) else { return None };
            let value =
                |&(symbol, _): &(Symbol, _)| i128::from(model.value(symbol.index() as u32) as i64);
            let values: Vec<i128> = inputs.iter().map(value).collect();
            is_answer(&values).then_some(values)
        })
    }
}

fn words_of(inputs: &[(Symbol, Option<i64>)]) -> FxHashMap<Symbol, u32> {
    inputs.iter().map(|&(symbol, _)| (symbol, symbol.index() as u32)).collect()
}

/// Expressions as words.
struct Words<'a> {
    space: &'a Space,
    terms: Terms,
    known: FxHashMap<Symbol, u32>,
}

impl Words<'_> {
    fn number(&mut self, value: i64) -> TermId {
        self.terms.constant(value as u64, WIDTH)
    }

    fn bounds(&mut self, symbol: Symbol, address: Option<i64>, bound: i64) -> TermId {
        let word = self.terms.symbol(self.known[&symbol], WIDTH);
        if let Some(address) = address {
            let (null, address) = (self.number(0), self.number(address));
            let (is_null, is_there) = (self.terms.eq(word, null), self.terms.eq(word, address));
            return self.terms.or(is_null, is_there);
        }
        let info = &self.space.symbols[symbol];
        let inside = |limit: Option<i128>, otherwise: i64| match limit {
            Some(limit) => limit.clamp(-i128::from(bound), i128::from(bound)) as i64,
            None => otherwise,
        };
        let (low, high) = (inside(info.low, -bound), inside(info.high, bound));
        let (low, high) = (self.number(low), self.number(high));
        let above = self.terms.compare(Compare::LeS, low, word);
        let below = self.terms.compare(Compare::LeS, word, high);
        self.terms.and(above, below)
    }

    fn condition(&mut self, id: Cond) -> TermId {
        match self.space.condition(id) {
            Condition::Truth(value) => {
                if *value {
                    TermId::TRUE
                } else {
                    TermId::FALSE
                }
            }
            Condition::Is(relation, expr) => self.literal(*relation, *expr).unwrap_or(TermId::TRUE),
            Condition::All(parts) => parts.iter().fold(TermId::TRUE, |all, &part| {
                let part = self.condition(part);
                self.terms.and(all, part)
            }),
            Condition::Any(parts) => parts.iter().fold(TermId::FALSE, |any, &part| {
                let part = self.condition(part);
                self.terms.or(any, part)
            }),
        }
    }

    /// A quotient by a positive number compares with zero as what is divided.
    fn literal(&mut self, relation: Relation, expr: Expr) -> Option<TermId> {
        let (word, zero) = (self.dividend(expr)?, self.number(0));
        Some(match relation {
            Relation::Zero => self.terms.eq(word, zero),
            Relation::NonZero => {
                let is_zero = self.terms.eq(word, zero);
                self.terms.not(is_zero)
            }
            Relation::NotNegative => self.terms.compare(Compare::LeS, zero, word),
        })
    }

    /// None for what no input decides, or what no word holds.
    fn dividend(&mut self, expr: Expr) -> Option<TermId> {
        let mut sum = self.number(0);
        for (monomial, factor) in &self.space.poly(expr).terms {
            let mut product = self.number(i64::try_from(*factor).ok()?);
            for &(atom, power) in monomial {
                let word = self.atom(atom)?;
                for _ in 0..power {
                    product = self.terms.binary(Binary::Mul, product, word);
                }
            }
            sum = self.terms.binary(Binary::Add, sum, product);
        }
        Some(sum)
    }

    fn expression(&mut self, expr: Expr) -> Option<TermId> {
        let dividend = self.dividend(expr)?;
        let divisor = self.number(i64::try_from(self.space.poly(expr).divisor).ok()?);
        Some(self.terms.binary(Binary::DivS, dividend, divisor))
    }

    fn atom(&mut self, atom: Atom) -> Option<TermId> {
        match self.space.kind(atom) {
            AtomKind::Symbol(symbol) => {
                let &number = self.known.get(symbol)?;
                Some(self.terms.symbol(number, WIDTH))
            }
            AtomKind::Apply { operator, arguments } => {
                let words: Option<Vec<TermId>> =
                    arguments.iter().map(|&expr| self.expression(expr)).collect();
                self.applied(*operator, &words?)
            }
            _ => None,
        }
    }

    fn applied(&mut self, operator: Operator, words: &[TermId]) -> Option<TermId> {
        let binary = match operator {
            Operator::Divide => Binary::DivS,
            Operator::Remainder => Binary::RemS,
            Operator::And => Binary::And,
            Operator::Or => Binary::Or,
            Operator::Xor => Binary::Xor,
            Operator::ShiftLeft => Binary::Shl,
            Operator::ShiftRight => Binary::ShrS,
            Operator::WrapSigned(width) | Operator::WrapUnsigned(width) if width >= WIDTH => {
                return words.first().copied();
            }
            Operator::WrapSigned(width) => {
                let cut = self.terms.truncate(*words.first()?, width);
                return Some(self.terms.extend_s(cut, WIDTH));
            }
            Operator::WrapUnsigned(width) => {
                let cut = self.terms.truncate(*words.first()?, width);
                return Some(self.terms.extend_u(cut, WIDTH));
            }
            Operator::Power => return self.power(words),
        };
        let &[left, right] = words else { return None };
        Some(self.terms.binary(binary, left, right))
    }

    /// Powers of two are shifts.
    fn power(&mut self, words: &[TermId]) -> Option<TermId> {
        let &[base, exponent] = words else { return None };
        let one = self.number(1);
        let is_two = self.terms.as_constant(base) == Some(2);
        is_two.then(|| self.terms.binary(Binary::Shl, one, exponent))
    }
}
