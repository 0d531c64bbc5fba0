//! Leaks in the words of people: when, which records, and with which inputs.

use crate::condition::{Condition, Relation};
use crate::facts::Facts;
use crate::leaks::{Leak, Range};
use crate::space::{AtomKind, Cond, Expr, Symbol, SymbolKind};
use crate::state::Evaluator;

/// A condition over the inputs of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// Comparisons that all hold.
    pub parts: Vec<Cond>,
    /// There are conditions that no input decides: results of calls, contents of memory.
    pub more: bool,
}

/// Values tried for numbers before the solver is asked, small ones first: people check them by hand.
const NUMBERS: [i128; 12] = [0, 1, 2, 3, 4, 5, -1, 8, 16, -2, 100, 1000];
const MOST_TRIES: usize = 4096;

impl Evaluator<'_> {
    /// `leaks when n >= 3: every cell but the last`, one for each way that is not part of another.
    pub fn leak_texts(&mut self, leaks: &[&Leak]) -> Vec<String> {
        let mut told: Vec<(String, When)> = Vec::new();
        for leak in leaks {
            let when = self.when(leak);
            let which = leak.range.map_or(String::new(), |range| self.range_text(range));
            told.push((which, when));
        }
        self.join_cases(&mut told);
        let mut texts: Vec<String> = Vec::new();
        for (which, when) in told {
            let text = self.case_text(&which, when);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    /// `a && b` and `a && !b` are `a`.
    fn join_cases(&mut self, told: &mut Vec<(String, When)>) {
        for first in 0..told.len() {
            for second in first + 1..told.len() {
                let (a, b) = (&told[first], &told[second]);
                if a.0 != b.0 || a.1.more != b.1.more {
                    continue;
                }
                let (left, right) =
                    (self.space.all(a.1.parts.clone()), self.space.all(b.1.parts.clone()));
                let either = self.space.or(left, right);
                let literals = self.space.conjuncts(either);
                if literals.iter().all(|&it| matches!(self.space.condition(it), Condition::Is(..)))
                {
                    told[first].1.parts = literals;
                    told.remove(second);
                    return self.join_cases(told);
                }
            }
        }
    }

    fn case_text(&mut self, which: &str, when: When) -> String {
        let parts: Vec<String> = when.parts.iter().map(|&part| self.comparison(part)).collect();
        let more = if when.more { ", on some paths" } else { "" };
        let mut text = match (&parts[..], when.more) {
            ([], false) => String::from("always leaks"),
            ([], true) => String::from("leaks on some paths"),
            (parts, _) => format!("leaks when {}{more}", parts.join(" and ")),
        };
        if !which.is_empty() {
            text.push_str(": ");
            text.push_str(which);
        }
        text
    }

    /// The comparisons that the inputs decide, without those that follow from others.
    fn when(&mut self, leak: &Leak) -> When {
        let mut literals = leak.context.facts.conditions.clone();
        literals.extend(self.space.conjuncts(leak.condition));
        let mut told = Vec::new();
        let mut more = false;
        for literal in literals {
            if self.is_over_inputs(literal) {
                told.push(literal);
            } else {
                more |= !self.space.is_null_test(literal);
            }
        }
        let told = self.space.open_literals(&Facts::default(), &told).unwrap_or_default();
        let mut parts = self.as_equations(told);
        self.space.tightened(&mut parts);
        When { parts, more }
    }

    /// `e ≥ 0` and `e ≤ 0` are `e = 0`.
    fn as_equations(&mut self, mut literals: Vec<Cond>) -> Vec<Cond> {
        for at in 0..literals.len() {
            let Condition::Is(Relation::NotNegative, expr) = *self.space.condition(literals[at])
            else {
                continue;
            };
            let negative = self.space.scale(expr, -1);
            let opposite = self.space.is(Relation::NotNegative, negative);
            if let Some(other) = literals.iter().position(|&it| it == opposite) {
                literals[at] = self.space.is_zero(expr);
                literals.remove(other);
                return self.as_equations(literals);
            }
        }
        literals
    }

    fn is_over_inputs(&self, literal: Cond) -> bool {
        let expr = match self.space.condition(literal) {
            Condition::Is(_, expr) => expr,
            Condition::All(parts) | Condition::Any(parts) => {
                return parts.iter().all(|&part| self.is_over_inputs(part));
            }
            Condition::Truth(_) => return true,
        };
        self.is_of_inputs(*expr)
    }

    fn is_of_inputs(&self, expr: Expr) -> bool {
        let poly = self.space.poly(expr);
        let mut atoms = poly.terms.iter().flat_map(|(monomial, _)| monomial.iter());
        atoms.all(|&(atom, _)| match self.space.kind(atom) {
            AtomKind::Symbol(symbol) => {
                matches!(self.space.symbols[*symbol].kind, SymbolKind::Input(_))
            }
            AtomKind::Apply { arguments, .. } => arguments.iter().all(|&it| self.is_of_inputs(it)),
            _ => false,
        })
    }

    fn comparison(&self, literal: Cond) -> String {
        let (relation, expr) = match *self.space.condition(literal) {
            Condition::Is(relation, expr) => (relation, expr),
            Condition::All(ref parts) => return self.comparisons(parts, " and "),
            Condition::Any(ref parts) => return self.comparisons(parts, " or "),
            Condition::Truth(_) => return self.condition_text(literal),
        };
        match (relation, self.space.base(expr)) {
            (Relation::Zero, Some(base)) if self.space.poly(expr).terms.len() == 1 => {
                format!("{} is NULL", self.atom_text(base))
            }
            (Relation::NonZero, Some(base)) if self.space.poly(expr).terms.len() == 1 => {
                format!("{} is not NULL", self.atom_text(base))
            }
            _ => self.condition_text(literal),
        }
    }

    fn comparisons(&self, parts: &[Cond], between: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|&part| self.comparison(part)).collect();
        format!("({})", parts.join(between))
    }

    /// Which of the records that a loop made.
    fn range_text(&mut self, range: Range) -> String {
        let zero = self.space.constant(0);
        let one = self.space.constant(1);
        let last = self.space.offset(range.count, -1);
        let before_last = self.space.offset(range.count, -2);
        match (range.low, range.high) {
            (low, high) if low == zero && high == last => String::from("every cell"),
            (low, high) if low == zero && high == before_last => {
                String::from("every cell but the last")
            }
            (low, high) if low == one && high == last => String::from("every cell but the first"),
            (low, high) if low == zero && high == zero => String::from("the first cell"),
            (low, high) if low == last && high == last => String::from("the last cell"),
            (low, high) => {
                let (low, high) = (self.space.offset(low, 1), self.space.offset(high, 1));
                if low == high {
                    return format!("the cell of turn {}", self.text(low));
                }
                format!("the cells of turns {} to {}", self.text(low), self.text(high))
            }
        }
    }

    /// Inputs with which the leak happens, as far as inputs decide it.
    pub fn inputs_for(&mut self, leak: &Leak) -> Option<Vec<(String, i128)>> {
        let mut conditions = leak.context.facts.conditions.clone();
        conditions.push(leak.condition);
        conditions.extend(leak.context.assumed.iter());
        let inputs: Vec<Symbol> = self
            .space
            .symbols
            .iter()
            .filter(
                |(_, info)| matches!(info.kind, SymbolKind::Input(number) if number != u32::MAX),
            )
            .map(|(symbol, _)| symbol)
            .collect();
        let mut numbers: Vec<i128> = NUMBERS.to_vec();
        numbers.extend(self.constants_near(&conditions));
        let mut values = vec![0; inputs.len()];
        let mut tries = 0;
        if !self.search(&inputs, &numbers, &conditions, 0, &mut values, &mut tries) {
            values = self.solved(&inputs, &conditions)?;
        }
        let name =
            |(&symbol, &value): (&Symbol, &i128)| (self.space.symbols[symbol].name.clone(), value);
        Some(inputs.iter().zip(&values).map(name).collect())
    }

    fn solved(&self, inputs: &[Symbol], conditions: &[Cond]) -> Option<Vec<i128>> {
        let address = |(at, &symbol): (usize, &Symbol)| {
            let address = self.space.symbols[symbol].pointer.then(|| address_of(at));
            (symbol, address)
        };
        let asked: Vec<(Symbol, Option<i64>)> = inputs.iter().enumerate().map(address).collect();
        let is_answer = |values: &[i128]| self.all_hold(inputs, values, conditions);
        self.space.solved(&asked, conditions, &is_answer)
    }

    /// Numbers that comparisons speak of, and their neighbours.
    fn constants_near(&self, conditions: &[Cond]) -> Vec<i128> {
        let mut near = Vec::new();
        for &condition in conditions {
            if let Condition::Is(_, expr) = self.space.condition(condition) {
                let constant = self.space.poly(*expr).constant_part();
                near.extend([-constant, -constant - 1, -constant + 1, constant]);
            }
        }
        near.retain(|it| !NUMBERS.contains(it));
        near.sort_unstable();
        near.dedup();
        near.truncate(8);
        near
    }

    fn search(
        &self,
        inputs: &[Symbol],
        numbers: &[i128],
        conditions: &[Cond],
        at: usize,
        values: &mut Vec<i128>,
        tries: &mut usize,
    ) -> bool {
        let Some(&symbol) = inputs.get(at) else {
            *tries += 1;
            return self.all_hold(inputs, values, conditions);
        };
        let info = &self.space.symbols[symbol];
        let used = conditions.iter().any(|&it| self.space.condition_symbols(it).contains(&symbol));
        let own: Vec<i128> = match (info.pointer, used) {
            (true, _) => vec![address_of(at).into(), 0],
            (false, false) => vec![0],
            (false, true) => numbers.to_vec(),
        };
        for value in own {
            let fits = info.low.is_none_or(|low| value >= low)
                && info.high.is_none_or(|high| value <= high);
            if !fits || *tries > MOST_TRIES {
                continue;
            }
            values[at] = value;
            if self.search(inputs, numbers, conditions, at + 1, values, tries) {
                return true;
            }
        }
        false
    }

    /// The turns of the records that are lost with these inputs, a list for each record; None if
    /// inputs do not decide it. Turns are tried one by one, up to `most`.
    #[must_use]
    pub fn lost_with(
        &self,
        leak: &Leak,
        inputs: &[(Symbol, i128)],
        most: i128,
    ) -> Option<Vec<Vec<i128>>> {
        let mut lost = Vec::new();
        for &condition in leak.context.facts.conditions.iter().chain([&leak.condition]) {
            if !self.space.holds(condition, &|kind| value_of(kind, inputs))? {
                return Some(lost);
            }
        }
        let mut with = inputs.to_vec();
        self.collect_lost(leak, &mut with, inputs.len(), most, &mut lost)?;
        Some(lost)
    }

    fn collect_lost(
        &self,
        leak: &Leak,
        values: &mut Vec<(Symbol, i128)>,
        inputs: usize,
        most: i128,
        lost: &mut Vec<Vec<i128>>,
    ) -> Option<()> {
        let Some(&(turn, count)) = leak.turns.get(values.len() - inputs) else {
            for way in &leak.ways {
                let mut all = true;
                for &literal in way {
                    all &= self.space.holds(literal, &|kind| value_of(kind, values))?;
                }
                if all {
                    lost.push(values[inputs..].iter().map(|it| it.1).collect());
                    break;
                }
            }
            return Some(());
        };
        let count = self.space.evaluate(count, &|kind| value_of(kind, values))?;
        for value in 0..count.min(most) {
            values.push((turn, value));
            self.collect_lost(leak, values, inputs, most, lost)?;
            values.pop();
        }
        Some(())
    }

    /// Whether no condition fails; those that inputs do not decide count as holding.
    fn all_hold(&self, inputs: &[Symbol], values: &[i128], conditions: &[Cond]) -> bool {
        let of_atom = |kind: &AtomKind| match kind {
            AtomKind::Symbol(symbol) => {
                inputs.iter().position(|it| it == symbol).map(|at| values[at])
            }
            _ => None,
        };
        conditions.iter().all(|&condition| self.space.holds(condition, &of_atom) != Some(false))
    }
}

/// Where a pointer among the inputs points to.
fn address_of(input: usize) -> i64 {
    4096 * (input as i64 + 1)
}

/// Allocations succeed.
fn value_of(kind: &AtomKind, values: &[(Symbol, i128)]) -> Option<i128> {
    match kind {
        AtomKind::Symbol(symbol) => values.iter().find(|it| it.0 == *symbol).map(|it| it.1),
        AtomKind::Cell { .. } => Some(4096),
        _ => None,
    }
}
