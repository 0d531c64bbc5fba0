//! The heap functions inside of recurrences, one by one, with the loops and conditions around them.

use std::rc::Rc;

use crate::heap::{Item, Recurrence};
use crate::matching::Matched;
use crate::space::{Cond, Expr, Space, Symbol};
use crate::substitute::Substitution;

/// A heap function with the loops around it, outermost first.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub item: Item,
    pub loops: Vec<(Symbol, Expr)>,
    pub guard: Cond,
}

/// The turns in which a leaf does what is asked of it, and the condition that there are such.
#[derive(Clone, Debug)]
pub struct Turn {
    pub turns: Vec<Expr>,
    pub condition: Cond,
    pub with: Vec<(Symbol, Expr)>,
}

impl Leaf {
    #[must_use]
    pub fn indices(&self) -> Vec<Symbol> {
        self.loops.iter().map(|it| it.0).collect()
    }

    /// The last turn that a match allows; None if it depends on more than the indices.
    pub fn turn(&self, space: &mut Space, matched: &Matched) -> Option<Turn> {
        let mut with: Vec<(Symbol, Expr)> = Vec::new();
        let mut condition = matched.condition;
        let mut turns = Vec::new();
        for (&(index, count), turn) in self.loops.iter().zip(&matched.turns) {
            let mut earlier = Substitution::new(&with);
            let count = space.substitute(count, &mut earlier);
            let turn = match turn {
                Some(turn) => space.substitute(*turn, &mut earlier),
                None => self.last_turn(space, index, count, &mut earlier)?,
            };
            let inside = space.in_range(turn, count);
            condition = space.and(condition, inside);
            with.push((index, turn));
            turns.push(turn);
        }
        let guard = space.substitute_condition(self.guard, &mut Substitution::new(&with));
        condition = space.and(condition, guard);
        Some(Turn { turns, condition, with })
    }
}

impl Leaf {
    /// The same under one more condition.
    #[must_use]
    pub fn under(&self, space: &mut Space, condition: Cond) -> Leaf {
        Leaf { guard: space.and(self.guard, condition), ..self.clone() }
    }

    /// A turn before which the conditions around the function do not allow any.
    pub fn first_turn(&self, space: &mut Space, index: Symbol) -> Expr {
        let literals = space.conjuncts(self.guard);
        let bounds = space.bounds_on(&literals, index);
        let zero = space.constant(0);
        bounds
            .exactly
            .into_iter()
            .chain(bounds.low)
            .fold(zero, |first, low| space.maximum(first, low))
    }

    /// The last turn that a condition around the function allows, if it is a stretch of turns.
    fn last_turn(
        &self,
        space: &mut Space,
        index: Symbol,
        count: Expr,
        earlier: &mut Substitution,
    ) -> Option<Expr> {
        let mut last = space.offset(count, -1);
        if !space.condition_symbols(self.guard).contains(&index) {
            return Some(last);
        }
        let literals = space.conjuncts(self.guard);
        let bounds = space.bounds_on(&literals, index);
        if !bounds.others.is_empty() {
            return None;
        }
        for bound in bounds.exactly.into_iter().chain(bounds.high) {
            let bound = space.substitute(bound, earlier);
            let before = space.less(bound, last);
            last = space.select(before, bound, last);
        }
        Some(last)
    }
}

/// Every function of a list, in order.
pub fn leaves<'a>(space: &mut Space, items: impl IntoIterator<Item = &'a Item>) -> Vec<Leaf> {
    let mut found = Vec::new();
    for item in items {
        collect(space, item, &mut Vec::new(), Cond::TRUE, &mut found);
    }
    found
}

/// Those of one recurrence.
pub fn leaves_of_loop(space: &mut Space, recurrence: &Rc<Recurrence>) -> Vec<Leaf> {
    leaves(space, [&Item::Loop(recurrence.clone())])
}

fn collect(
    space: &mut Space,
    item: &Item,
    loops: &mut Vec<(Symbol, Expr)>,
    guard: Cond,
    found: &mut Vec<Leaf>,
) {
    space.work += 1;
    match item {
        Item::Loop(recurrence) => {
            loops.push((recurrence.index, recurrence.count));
            for inner in recurrence.body.iter() {
                collect(space, inner, loops, guard, found);
            }
            loops.pop();
        }
        Item::Guarded { condition, items } => {
            let guard = space.and(guard, *condition);
            for inner in items.iter() {
                collect(space, inner, loops, guard, found);
            }
        }
        _ => found.push(Leaf { item: item.clone(), loops: loops.clone(), guard }),
    }
}
