//! Values that a glance finds: one symbol of each violated condition is given a number that the
//! condition speaks of, or one beside it. The solver is for what this does not fulfil.

use std::cell::OnceCell;
use std::rc::Rc;

use caulk_guard::bits::{Plan, TermId, Terms, Valuation};

use crate::numbers::Numbers;
use crate::questions::symbol;

/// Symbols and numbers of one condition that are tried.
const MOST_SYMBOLS: usize = 4;
const MOST_NUMBERS: usize = 6;
/// A condition of more terms is not looked through.
const LARGEST: usize = 60;

/// A condition that many numbers are tried on.
pub struct Asked<'t> {
    terms: &'t Terms,
    id: TermId,
    symbols: Rc<[u32]>,
    plan: OnceCell<Plan>,
}

impl<'t> Asked<'t> {
    pub fn new(terms: &'t Terms, id: TermId, symbols: Rc<[u32]>) -> Self {
        Self { terms, id, symbols, plan: OnceCell::new() }
    }

    pub fn holds(&self, numbers: &dyn Valuation) -> bool {
        let plan = self.plan.get_or_init(|| self.terms.plan(self.id));
        self.terms.evaluate_planned(plan, numbers) == 1
    }
}

/// Numbers that differ from those at hand in a few symbols and fulfil all of these conditions.
pub fn guess(
    terms: &Terms,
    conditions: &[Asked<'_>],
    violated: &[TermId],
    numbers: &Numbers,
) -> Option<Numbers> {
    let mut numbers = numbers.clone();
    for id in violated {
        let condition = conditions.iter().find(|it| it.id == *id)?;
        if !condition.holds(&numbers) {
            let (symbol, value) = change(terms, condition, conditions, &numbers)?;
            numbers.set(symbol, value);
        }
    }
    conditions.iter().all(|it| it.holds(&numbers)).then_some(numbers)
}

/// One symbol and a value for it with which the condition holds; where there are several, one with
/// which the others hold, too.
fn change(
    terms: &Terms,
    condition: &Asked<'_>,
    others: &[Asked<'_>],
    numbers: &Numbers,
) -> Option<(u32, u64)> {
    let below = terms.below(&[condition.id]);
    if below.len() > LARGEST {
        return None;
    }
    let values = values(terms, &below);
    let mut first = None;
    let symbols = below.iter().filter_map(|&id| Some((symbol(terms, id)?, terms.width(id))));
    for (symbol, width) in symbols.take(MOST_SYMBOLS) {
        // Of those without the symbol it makes no difference.
        let (moved, fixed): (Vec<&Asked<'_>>, Vec<&Asked<'_>>) =
            others.iter().partition(|it| it.symbols.contains(&symbol));
        let stay = OnceCell::new();
        for &value in &values {
            let value = value & (u64::MAX >> (64 - u32::from(width)));
            let changed = Changed { numbers, symbol, value };
            if !condition.holds(&changed) {
                continue;
            }
            if moved.iter().all(|it| it.holds(&changed))
                && *stay.get_or_init(|| fixed.iter().all(|it| it.holds(numbers)))
            {
                return Some((symbol, value));
            }
            first.get_or_insert((symbol, value));
        }
    }
    first
}

/// The numbers in a condition with their neighbours, and the smallest ones.
fn values(terms: &Terms, below: &[TermId]) -> Vec<u64> {
    let constants = below.iter().filter_map(|&id| terms.as_constant(id));
    let near =
        constants.take(MOST_NUMBERS).flat_map(|it| [it, it.wrapping_add(1), it.wrapping_sub(1)]);
    let mut values = vec![0, 1];
    for value in near {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Numbers with another value for one symbol.
struct Changed<'n> {
    numbers: &'n Numbers,
    symbol: u32,
    value: u64,
}

impl Valuation for Changed<'_> {
    fn symbol(&self, number: u32) -> u64 {
        if number == self.symbol { self.value } else { self.numbers.value(number) }
    }

    fn apply(&self, function: u32, arguments: &[u64]) -> u64 {
        self.numbers.apply(function, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caulk_guard::bits::Compare;

    fn asked(terms: &Terms, id: TermId) -> Asked<'_> {
        let symbols = terms.below(&[id]).into_iter().filter_map(|it| symbol(terms, it));
        Asked::new(terms, id, symbols.collect())
    }

    #[test]
    fn a_symbol_takes_the_number_it_is_compared_with() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol(0, 32), terms.symbol(1, 32));
        let seven = terms.constant(7, 32);
        let is_seven = terms.eq(x, seven);
        let above = terms.compare(Compare::LtU, seven, y);
        let asked = [is_seven, above].map(|it| asked(&terms, it));
        let found = guess(&terms, &asked, &[is_seven, above], &Numbers::default());
        let found = found.expect("values");
        assert_eq!((found.value(0), found.value(1)), (7, 8));
    }

    #[test]
    fn what_contradicts_is_not_guessed() {
        let mut terms = Terms::new();
        let x = terms.symbol(0, 32);
        let (one, two) = (terms.constant(1, 32), terms.constant(2, 32));
        let (is_one, is_two) = (terms.eq(x, one), terms.eq(x, two));
        let asked = [is_one, is_two].map(|it| asked(&terms, it));
        assert_eq!(guess(&terms, &asked, &[is_two], &Numbers::default()), None);
    }
}
