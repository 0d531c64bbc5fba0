//! Recurrences and their closed forms: linear, polynomial and geometric ones (section 4), values
//! that lag a turn behind, and forms that are guessed from the first turns.

use crate::facts::Facts;
use crate::space::{AtomKind, Expr, Operator, Space, Symbol};
use crate::substitute::Substitution;

/// `x(0) = initial`, `x(k+1) = next`, where `next` is over the variables at turn `k`.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    pub symbol: Symbol,
    pub initial: Expr,
    pub next: Expr,
}

impl Space {
    /// The closed form of each variable as a function of the index, where there is one.
    pub fn solve_recurrences(
        &mut self,
        equations: &[Equation],
        index: Symbol,
    ) -> Vec<Option<Expr>> {
        let mut forms: Vec<Option<Expr>> = vec![None; equations.len()];
        loop {
            let mut with = Substitution::new(&solved(equations, &forms));
            let mut progress = false;
            for (at, equation) in equations.iter().enumerate() {
                if forms[at].is_some() {
                    continue;
                }
                let next = self.substitute(equation.next, &mut with);
                let open = |other: &Equation| {
                    other.symbol != equation.symbol && self.mentions(next, other.symbol)
                };
                if equations.iter().any(open) {
                    continue;
                }
                forms[at] = self.closed_form(Equation { next, ..*equation }, index);
                progress |= forms[at].is_some();
            }
            if !progress {
                return forms;
            }
        }
    }

    fn closed_form(&mut self, equation: Equation, index: Symbol) -> Option<Expr> {
        let (factor, rest) = self.linear_in(equation.next, equation.symbol)?;
        match self.as_constant(factor)? {
            0 => Some(self.one_turn_later(equation.initial, rest, index)),
            1 => self.summed(equation.initial, rest, index),
            base @ 2..=16 => self.geometric(equation.initial, base, rest, index),
            _ => None,
        }
    }

    /// `x(k+1) = e(k)`.
    fn one_turn_later(&mut self, initial: Expr, next: Expr, index: Symbol) -> Expr {
        let turn = self.symbol(index);
        let before = self.offset(turn, -1);
        let earlier = self.substitute(next, &mut Substitution::one(index, before));
        let zero = self.constant(0);
        if self.substitute(earlier, &mut Substitution::one(index, zero)) == initial {
            return earlier;
        }
        let first = self.is_zero(turn);
        self.select(first, initial, earlier)
    }

    /// `x(k+1) = x(k) + e(k)`, for a polynomial `e`.
    fn summed(&mut self, initial: Expr, step: Expr, index: Symbol) -> Option<Expr> {
        let mut sum = initial;
        for (power, factor) in self.powers_of(step, index)?.into_iter().enumerate() {
            let total = self.sum_of_powers(power, index)?;
            let term = self.multiply(factor, total);
            sum = self.add(sum, term);
        }
        Some(sum)
    }

    /// `0^p + 1^p + … + (k-1)^p`.
    fn sum_of_powers(&mut self, power: usize, index: Symbol) -> Option<Expr> {
        let turn = self.symbol(index);
        let before = self.offset(turn, -1);
        let pairs = self.multiply(turn, before);
        let triangle = self.divide_exactly(pairs, 2);
        match power {
            0 => Some(turn),
            1 => Some(triangle),
            2 => {
                let double = self.scale(turn, 2);
                let odd = self.offset(double, -1);
                let product = self.multiply(pairs, odd);
                Some(self.divide_exactly(product, 6))
            }
            3 => Some(self.multiply(triangle, triangle)),
            _ => None,
        }
    }

    /// `x(k+1) = a·x(k) + c`.
    fn geometric(&mut self, initial: Expr, base: i128, step: Expr, index: Symbol) -> Option<Expr> {
        if self.mentions(step, index) {
            return None;
        }
        let (base_expr, turn) = (self.constant(base), self.symbol(index));
        let power = self.apply(Operator::Power, &[base_expr, turn]);
        let grown = self.multiply(initial, power);
        let less = self.offset(power, -1);
        let steps = self.multiply(step, less);
        let steps = self.divide_exactly(steps, base - 1);
        Some(self.add(grown, steps))
    }

    /// A form that fits the values of the first turns: addresses whose record or distance moves by
    /// the same step each turn, from the first turn on or from the second.
    pub fn guess(&mut self, values: [Expr; 3], index: Symbol) -> Option<Expr> {
        let turn = self.symbol(index);
        if let Some(form) = self.affine(values[0], values[1], turn)
            && self.at_turn(form, index, 2) == values[2]
        {
            return Some(form);
        }
        let before = self.offset(turn, -1);
        let form = self.affine(values[1], values[2], before)?;
        let first = self.is_zero(turn);
        Some(self.select(first, values[0], form))
    }

    fn at_turn(&mut self, form: Expr, index: Symbol, turn: i128) -> Expr {
        let turn = self.constant(turn);
        self.substitute(form, &mut Substitution::one(index, turn))
    }

    /// The address that is `first` at turn 0 and `second` at turn 1.
    fn affine(&mut self, first: Expr, second: Expr, turn: Expr) -> Option<Expr> {
        if first == second {
            return Some(first);
        }
        let (left, right) = (self.base(first)?, self.base(second)?);
        let (a, b) = (self.distance(first, left), self.distance(second, right));
        let distance = self.line(a, b, turn);
        let (left, right) = (self.kind(left).clone(), self.kind(right).clone());
        let record = match (left, right) {
            (AtomKind::Cell { site: s, turns: x }, AtomKind::Cell { site: t, turns: y })
                if s == t && x.len() == y.len() =>
            {
                let turns = x.iter().zip(&y).map(|(&x, &y)| self.line(x, y, turn)).collect();
                self.atom(AtomKind::Cell { site: s, turns })
            }
            (left, right) if left == right => self.atom(left),
            _ => return None,
        };
        Some(self.add(record, distance))
    }

    fn line(&mut self, first: Expr, second: Expr, turn: Expr) -> Expr {
        let step = self.subtract(second, first);
        let way = self.multiply(step, turn);
        self.add(first, way)
    }

    /// What is known of a variable without closed form: it grows, or it grows by a bounded step.
    pub fn bounds_of(
        &mut self,
        facts: &Facts,
        equation: Equation,
        form: Expr,
        turn: Expr,
    ) -> Vec<crate::space::Cond> {
        let variable = self.symbol(equation.symbol);
        let step = self.subtract(equation.next, variable);
        let zero = self.constant(0);
        let mut bounds = Vec::new();
        let grows = self.at_least(step, zero);
        if self.decide(facts, grows) == Some(true) {
            bounds.push(self.at_least(form, equation.initial));
        }
        let one = self.constant(1);
        let at_most_one = self.at_least(one, step);
        if self.decide(facts, at_most_one) == Some(true) {
            let most = self.add(equation.initial, turn);
            bounds.push(self.at_least(most, form));
        }
        let shrinks = self.at_least(zero, step);
        if self.decide(facts, shrinks) == Some(true) {
            bounds.push(self.at_least(equation.initial, form));
        }
        bounds
    }
}

fn solved(equations: &[Equation], forms: &[Option<Expr>]) -> Vec<(Symbol, Expr)> {
    let pairs = equations.iter().zip(forms);
    pairs.filter_map(|(equation, form)| form.map(|form| (equation.symbol, form))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{SymbolInfo, SymbolKind};

    fn symbol(space: &mut Space, kind: SymbolKind) -> Symbol {
        let name = String::from("x");
        space.new_symbol(SymbolInfo { name, low: None, high: None, pointer: false, kind })
    }

    /// Values of a closed form and of the recurrence itself.
    fn check(
        initial: i128,
        next: impl Fn(&mut Space, Expr, Expr) -> Expr,
        step: impl Fn(i128, i128) -> i128,
    ) {
        let mut space = Space::new();
        let (x, k) =
            (symbol(&mut space, SymbolKind::Recurrence), symbol(&mut space, SymbolKind::Index));
        let (x_expr, k_expr) = (space.symbol(x), space.symbol(k));
        let next = next(&mut space, x_expr, k_expr);
        let first = space.constant(initial);
        let forms = space.solve_recurrences(&[Equation { symbol: x, initial: first, next }], k);
        let form = forms[0].expect("a closed form");
        let mut value = initial;
        for turn in 0..9 {
            let at = space.at_turn(form, k, turn);
            assert_eq!(space.as_constant(at), Some(value), "turn {turn}");
            value = step(value, turn);
        }
    }

    #[test]
    fn linear() {
        check(4, |space, x, _| space.offset(x, 3), |x, _| x + 3);
    }

    #[test]
    fn polynomial() {
        check(1, |space, x, k| space.add(x, k), |x, k| x + k);
        check(
            2,
            |space, x, k| {
                let square = space.multiply(k, k);
                let sum = space.add(x, square);
                space.offset(sum, 5)
            },
            |x, k| x + k * k + 5,
        );
    }

    #[test]
    fn geometric() {
        check(
            3,
            |space, x, _| {
                let double = space.scale(x, 3);
                space.offset(double, 4)
            },
            |x, _| 3 * x + 4,
        );
    }

    /// What is known of `x(k+1) = x(k) + step`, where the step is an unknown number with these limits.
    fn bounds(low: Option<i128>, high: Option<i128>) -> [Option<bool>; 3] {
        let mut space = Space::new();
        let (x, k) =
            (symbol(&mut space, SymbolKind::Recurrence), symbol(&mut space, SymbolKind::Index));
        let (name, kind) = (String::from("step"), SymbolKind::Index);
        let step = space.new_symbol(SymbolInfo { name, low, high, pointer: false, kind });
        let [x_expr, turn, step] = [x, k, step].map(|it| space.symbol(it));
        let (initial, next) = (space.constant(4), space.add(x_expr, step));
        let equation = Equation { symbol: x, initial, next };
        let form = space.unknown(&[turn], false);
        let known = space.bounds_of(&Facts::default(), equation, form, turn);
        let mut facts = Facts::default();
        known.into_iter().for_each(|it| facts.assume(&space, it));
        let most = space.add(initial, turn);
        let asked = [
            space.at_least(form, initial),
            space.at_least(initial, form),
            space.at_least(most, form),
        ];
        asked.map(|it| space.decide(&facts, it))
    }

    #[test]
    fn without_a_form_it_grows_or_shrinks_and_by_so_much() {
        assert_eq!(bounds(Some(0), None), [Some(true), None, None]);
        assert_eq!(bounds(None, Some(0)), [None, Some(true), Some(true)]);
        assert_eq!(bounds(Some(0), Some(1)), [Some(true), None, Some(true)]);
        assert_eq!(bounds(Some(-1), Some(2)), [None, None, None]);
    }

    #[test]
    fn a_turn_later() {
        check(7, |space, _, k| space.offset(k, 2), |_, k| k + 2);
        check(-1, |_, _, k| k, |_, k| k);
    }
}
