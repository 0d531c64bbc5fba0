//! The ways out of a loop: how often it turned, and the contexts after it.
//!
//! The exit condition at turn `k` gives the number of turns `z`: bounds from below give their
//! maximum, an equation its solution. What gives neither leaves a number of turns of which only
//! the conditions themselves are known. That no turn before left the loop is a condition over the
//! inputs where it is linear in the turn ([`Evaluator::in_all_before`]); where it is not, the ways out are
//! told apart by a mark of which nothing is known.

use crate::condition::{Condition, Relation};
use crate::heap::{Chain, Origin};
use crate::loops::{Solving, added};
use crate::region::{Arrival, Leaving};
use crate::space::{AtomKind, Cond, Expr, Operator, Symbol};
use crate::state::{Activation, Context, Evaluator, Exit, Stop};
use crate::substitute::Substitution;

/// How often a loop turned before it was left one way.
struct Turns {
    count: Expr,
    condition: Cond,
    is_known: bool,
}

/// That a loop was not left before.
struct Stayed {
    condition: Cond,
    /// Whether that is all of it.
    is_exact: bool,
}

/// One way out, before and after the number of turns is put in.
struct Way {
    context: Context,
    values: Vec<Expr>,
}

impl<'a> Evaluator<'a> {
    pub fn leave(
        &mut self,
        run: &Activation<'a>,
        solving: &Solving,
        leaving: Leaving,
        heap: Chain,
    ) -> Result<Leaving, Stop> {
        let several = leaving.out.len() + leaving.returns.len() > 1;
        let mut after = Leaving::default();
        for (number, arrival) in leaving.out.into_iter().enumerate() {
            let to = arrival.to;
            let way = Way { context: arrival.context, values: arrival.arguments };
            let mark = several.then_some(number);
            for way in self.leave_by(run, solving, way, heap, mark)? {
                after.out.push(Arrival { to, arguments: way.values, context: way.context });
            }
        }
        let first = after.out.len() + 1000;
        for (number, exit) in leaving.returns.into_iter().enumerate() {
            let at = exit.at;
            let way = Way { context: exit.context, values: exit.value.into_iter().collect() };
            let mark = several.then_some(first + number);
            for way in self.leave_by(run, solving, way, heap, mark)? {
                let value = way.values.first().copied();
                after.returns.push(Exit { context: way.context, value, at });
            }
        }
        Ok(after)
    }

    /// One way out, for each number of turns that has a form of its own.
    fn leave_by(
        &mut self,
        run: &Activation<'a>,
        solving: &Solving,
        way: Way,
        heap: Chain,
        mark: Option<usize>,
    ) -> Result<Vec<Way>, Stop> {
        self.check_budget()?;
        let conditions = added(&solving.outer, &way.context);
        let mut after = Vec::new();
        for turns in self.count_turns(run, solving, &conditions, mark) {
            after.extend(self.leave_after(run, solving, &way, heap, &conditions, turns, mark));
        }
        Ok(after)
    }

    #[allow(clippy::too_many_arguments)]
    fn leave_after(
        &mut self,
        run: &Activation<'a>,
        solving: &Solving,
        way: &Way,
        heap: Chain,
        conditions: &[Cond],
        turns: Turns,
        mark: Option<usize>,
    ) -> Option<Way> {
        let mut context = solving.outer.clone();
        context.approximate = context.approximate.or(way.context.approximate);
        if !solving.exact {
            context.approximate = Some("a recurrence has no closed form");
        }
        context = self.assume(context, turns.condition)?;
        let stayed = self.stayed(solving, turns.count);
        if let Some(mark) = mark.filter(|_| !(stayed.is_exact && turns.is_known)) {
            let condition = self.mark(run, solving.index, mark);
            context = self.assume(context, condition)?;
        }
        let mut with = Substitution::one(solving.index, turns.count);
        for &condition in conditions {
            let condition = self.space.substitute_condition(condition, &mut with);
            context = self.assume(context, condition)?;
        }
        context = self.assume(context, stayed.condition)?;
        self.assume_turns_before(solving, &mut context, turns.count);
        for &condition in way.context.assumed.iter() {
            let condition = self.space.substitute_condition(condition, &mut with);
            context.rely_on(condition);
        }
        let mut chain = self.heap_after(solving, turns.count);
        for item in self.heaps.since(way.context.heap, heap) {
            let item = item.substitute(&mut self.space, &mut with);
            chain = self.heaps.append(chain, item);
        }
        context.heap = chain;
        let values =
            way.context.values.iter().map(|it| it.map(|it| self.space.substitute(it, &mut with)));
        context.values = std::rc::Rc::new(values.collect());
        let values = way.values.iter().map(|&it| self.space.substitute(it, &mut with)).collect();
        Some(Way { context, values })
    }

    /// Tells the ways out of one loop apart, so that values chosen between them stay exact.
    fn mark(&mut self, run: &Activation<'a>, index: Symbol, number: usize) -> Cond {
        let key = (Origin { frame: run.frame, inst: index.0 }, u32::MAX);
        let which = self.number_for(key);
        let arguments = self.turns.clone().into();
        let which = self.space.atom(AtomKind::Unknown { number: which, arguments, pointer: false });
        let number = self.space.constant(number as i128);
        self.space.equal(which, number)
    }

    /// That each of the turns before was followed by another.
    fn stayed(&mut self, solving: &Solving, count: Expr) -> Stayed {
        let mut stayed = Stayed { condition: Cond::TRUE, is_exact: true };
        if self.space.as_constant(count) == Some(0) {
            return stayed;
        }
        let facts = solving.continues.iter().copied().chain([solving.one_of]);
        for fact in facts.collect::<Vec<_>>() {
            if self.space.is_null_test(fact) {
                continue;
            }
            let condition = match self.in_all_before(fact, solving.index, count) {
                Some(condition) => condition,
                None => {
                    stayed.is_exact = false;
                    self.in_last_before(fact, solving.index, count)
                }
            };
            stayed.condition = self.space.and(stayed.condition, condition);
        }
        stayed
    }

    /// A condition in all turns below `count`, as one without the turn: linear ones hold in all of them
    /// if they do in the first and the last, and an equation fails in all if its solution is outside.
    fn in_all_before(&mut self, fact: Cond, index: Symbol, count: Expr) -> Option<Cond> {
        let zero = self.space.constant(0);
        let none = self.space.at_least(zero, count);
        if !self.space.condition_symbols(fact).contains(&index) {
            return Some(self.space.or(none, fact));
        }
        match self.space.condition(fact).clone() {
            Condition::Truth(_) => Some(fact),
            Condition::All(parts) => {
                let parts = parts.iter().map(|&part| self.in_all_before(part, index, count));
                let parts = parts.collect::<Option<Vec<Cond>>>()?;
                Some(self.space.all(parts))
            }
            Condition::Any(parts) => {
                let is_bound = |it: &Cond| self.space.condition_symbols(*it).contains(&index);
                let (bound, mut parts): (Vec<Cond>, Vec<Cond>) =
                    parts.iter().partition(|it| is_bound(it));
                let [only] = bound[..] else { return None };
                parts.push(self.in_all_before(only, index, count)?);
                Some(self.space.any(parts))
            }
            Condition::Is(relation, expr) => {
                let (factor, rest) = self.space.linear_in(expr, index)?;
                let factor = self.space.as_constant(factor).filter(|&it| it != 0)?;
                let held = match relation {
                    Relation::NotNegative => self.at_turn_before(fact, factor, index, count),
                    Relation::NonZero => self.never_zero(factor, rest, count),
                    Relation::Zero => {
                        let one = self.space.constant(1);
                        let once = self.space.at_least(one, count);
                        let first = self.at_turn(fact, index, zero);
                        self.space.and(once, first)
                    }
                };
                Some(self.space.or(none, held))
            }
        }
    }

    fn at_turn(&mut self, fact: Cond, index: Symbol, turn: Expr) -> Cond {
        self.space.substitute_condition(fact, &mut Substitution::one(index, turn))
    }

    /// What grows is least in the first turn, what shrinks in the last.
    fn at_turn_before(&mut self, fact: Cond, factor: i128, index: Symbol, count: Expr) -> Cond {
        let turn = match factor > 0 {
            true => self.space.constant(0),
            false => self.space.offset(count, -1),
        };
        self.at_turn(fact, index, turn)
    }

    /// `factor·k + rest` is zero for no `k` from 0 to below `count`.
    fn never_zero(&mut self, factor: i128, rest: Expr, count: Expr) -> Cond {
        let sought = self.space.scale(rest, -factor.signum());
        let (zero, end) = (self.space.constant(0), self.space.scale(count, factor.abs()));
        let before = self.space.less(sought, zero);
        let behind = self.space.at_least(sought, end);
        let mut ways = vec![before, behind];
        if factor.abs() > 1 {
            let by = self.space.constant(factor.abs());
            let left = self.space.apply(Operator::Remainder, &[sought, by]);
            let divides = self.space.is_zero(left);
            ways.push(self.space.not(divides));
        }
        self.space.any(ways)
    }

    /// Of a condition that is not linear in the turn: that it held in the last turn.
    fn in_last_before(&mut self, fact: Cond, index: Symbol, count: Expr) -> Cond {
        let Condition::Is(Relation::NotNegative, _) = self.space.condition(fact) else {
            return Cond::TRUE;
        };
        let zero = self.space.constant(0);
        let none = self.space.at_least(zero, count);
        let last = self.space.offset(count, -1);
        let fact = self.at_turn(fact, index, last);
        self.space.or(none, fact)
    }

    /// The numbers of turns with which this way is taken.
    fn count_turns(
        &mut self,
        run: &Activation<'a>,
        solving: &Solving,
        conditions: &[Cond],
        mark: Option<usize>,
    ) -> Vec<Turns> {
        // What is known of variables without closed form holds in every turn, and ends none.
        let ending = conditions.iter().filter(|it| !solving.bounds.contains(it));
        let found: Vec<Option<Bound>> =
            ending.map(|&condition| self.bound(condition, solving.index)).collect();
        let exactly = |bound: &Option<Bound>| match *bound {
            Some(Bound::Exactly(count)) => Some(count),
            _ => None,
        };
        if let Some(count) = found.iter().find_map(exactly) {
            let zero = self.space.constant(0);
            let condition = self.space.at_least(count, zero);
            return vec![Turns { count, condition, is_known: true }];
        }
        let mut bounds = Vec::new();
        for bound in found {
            match bound {
                Some(Bound::AtLeast(bound)) => bounds.push(bound),
                Some(_) => {}
                None => return vec![self.unknown_turns(run, solving, mark)],
            }
        }
        self.largest(solving, bounds)
    }

    fn unknown_turns(
        &mut self,
        run: &Activation<'a>,
        solving: &Solving,
        mark: Option<usize>,
    ) -> Turns {
        let key = (Origin { frame: run.frame, inst: solving.index.0 }, mark.unwrap_or(0) as u32);
        let number = self.number_for(key);
        let arguments = self.turns.clone().into();
        let count = self.space.atom(AtomKind::Unknown { number, arguments, pointer: false });
        let zero = self.space.constant(0);
        Turns { count, condition: self.space.at_least(count, zero), is_known: false }
    }

    fn bound(&mut self, condition: Cond, index: Symbol) -> Option<Bound> {
        if !self.space.condition_symbols(condition).contains(&index) {
            return Some(Bound::Free);
        }
        let Condition::Is(relation, expr) = *self.space.condition(condition) else { return None };
        let (factor, rest) = self.space.linear_in(expr, index)?;
        let factor = self.space.as_constant(factor)?;
        match relation {
            Relation::NotNegative if factor > 0 => {
                let least = self.space.scale(rest, -1);
                Some(Bound::AtLeast(self.rounded_up(least, factor)))
            }
            // An upper bound, which the way out keeps as a condition.
            Relation::NotNegative => Some(Bound::Free),
            Relation::Zero => self.space.solve_for(expr, index).map(Bound::Exactly),
            Relation::NonZero => None,
        }
    }

    fn rounded_up(&mut self, value: Expr, by: i128) -> Expr {
        if by == 1 {
            return value;
        }
        let value = self.space.offset(value, by - 1);
        let by = self.space.constant(by);
        self.space.apply(Operator::Divide, &[value, by])
    }

    /// No turn if no bound is positive, else as many as the largest bound says. Outside of other
    /// loops these are two contexts, which keeps conditions simple.
    fn largest(&mut self, solving: &Solving, bounds: Vec<Expr>) -> Vec<Turns> {
        let zero = self.space.constant(0);
        let mut largest = zero;
        for bound in bounds {
            let more = self.space.less(largest, bound);
            largest = self.space.select(more, bound, largest);
            largest = self.simplify(&solving.outer.facts, largest);
        }
        let base = self.space.poly(largest).terms.first().map(|term| term.0.clone());
        let select = match base.as_deref() {
            Some(&[(atom, 1)]) if self.turns.is_empty() => self.space.kind(atom).clone(),
            _ => AtomKind::Undefined,
        };
        match select {
            AtomKind::Select { condition, yes, no } if no == zero => {
                let otherwise = self.space.not(condition);
                let turns = |count, condition| Turns { count, condition, is_known: true };
                vec![turns(yes, condition), turns(zero, otherwise)]
            }
            _ => vec![Turns { count: largest, condition: Cond::TRUE, is_known: true }],
        }
    }
}

/// What a condition says of the turn in which it holds for the first time.
enum Bound {
    Free,
    AtLeast(Expr),
    Exactly(Expr),
}
