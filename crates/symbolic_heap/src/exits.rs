//! The ways out of a loop: how often it turned, and the contexts after it.
//!
//! The exit condition at turn `k` gives the number of turns `z`: bounds from below give their
//! maximum, an equation its solution. What gives neither leaves a number of turns of which only
//! the conditions themselves are known.

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
        if let Some(mark) = mark {
            let condition = self.mark(run, solving.index, mark);
            context = self.assume(context, condition)?;
        }
        let mut with = Substitution::one(solving.index, turns.count);
        for &condition in conditions {
            let condition = self.space.substitute_condition(condition, &mut with);
            context = self.assume(context, condition)?;
        }
        context = self.assume_last_turn(solving, context, turns.count)?;
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

    /// Linear conditions bound the turns: what holds in the last turn that was followed by another
    /// held in those before it.
    fn assume_last_turn(
        &mut self,
        solving: &Solving,
        mut context: Context,
        count: Expr,
    ) -> Option<Context> {
        if self.space.as_constant(count) == Some(0) {
            return Some(context);
        }
        let zero = self.space.constant(0);
        let none = self.space.at_least(zero, count);
        let last = self.space.offset(count, -1);
        let mut with = Substitution::one(solving.index, last);
        for &fact in &solving.continues {
            let Condition::Is(Relation::NotNegative, _) = self.space.condition(fact) else {
                continue;
            };
            let fact = self.space.substitute_condition(fact, &mut with);
            let fact = self.space.or(none, fact);
            context = self.assume(context, fact)?;
        }
        Some(context)
    }

    /// The numbers of turns with which this way is taken.
    fn count_turns(
        &mut self,
        run: &Activation<'a>,
        solving: &Solving,
        conditions: &[Cond],
        mark: Option<usize>,
    ) -> Vec<Turns> {
        let mut bounds = Vec::new();
        for &condition in conditions {
            match self.bound(condition, solving.index) {
                Some(Bound::Free) => {}
                Some(Bound::AtLeast(bound)) => bounds.push(bound),
                Some(Bound::Exactly(count)) => {
                    let zero = self.space.constant(0);
                    let condition = self.space.at_least(count, zero);
                    return vec![Turns { count, condition }];
                }
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
        Turns { count, condition: self.space.at_least(count, zero) }
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
                vec![Turns { count: yes, condition }, Turns { count: zero, condition: otherwise }]
            }
            _ => vec![Turns { count: largest, condition: Cond::TRUE }],
        }
    }
}

/// What a condition says of the turn in which it holds for the first time.
enum Bound {
    Free,
    AtLeast(Expr),
    Exactly(Expr),
}
