//! The leak test: records that exist, were not freed and are not reached from the root, as a
//! predicate over the function's input (Y4, Y5).

use crate::graph::{Graph, Records, Roots};
use crate::heap::{Item, Origin};
use crate::space::{AtomKind, Cond, Expr, Place, Site, Space, Symbol};
use crate::state::{Context, Evaluator, Exit};

/// Records of one site that are lost when an exit is taken.
#[derive(Clone, Debug)]
pub struct Leak {
    pub site: Site,
    /// What must hold beyond the path and state conditions of the exit.
    pub condition: Cond,
    /// The path condition of the exit, and what it relies on.
    pub context: Context,
    /// Which turns' records are lost, for records that a loop makes.
    pub range: Option<Range>,
    /// The turns of the lost records, and conjunctions of which one holds for each of them.
    pub turns: Vec<(Symbol, Expr)>,
    pub ways: Vec<Vec<Cond>>,
    pub lost: Loss,
    /// Why it is not certain (Y6).
    pub approximate: Option<&'static str>,
}

/// From turn `low` to turn `high`, of `count` turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: Expr,
    pub high: Expr,
    pub count: Expr,
}

/// How the last reference died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// With the function's variables, where it returns.
    Exit(Origin),
    Overwritten(Origin),
    /// With the record that held it.
    WithOwner(Origin),
}

impl<'a> Evaluator<'a> {
    /// What is lost where the function ends.
    pub fn leaks_at(&mut self, exit: &Exit) -> Vec<Leak> {
        let roots = Roots::Returned(exit.value);
        let mut graph = Graph::new(self, exit.context.clone(), roots);
        let records = graph.records();
        let mut found = Vec::new();
        for records in records {
            if self.check_budget().is_err() {
                break;
            }
            found.extend(self.leaks_of(exit, roots, &records));
        }
        self.merged(found)
    }

    fn leaks_of(&mut self, exit: &Exit, roots: Roots, records: &Records) -> Vec<Leak> {
        let Some(context) = self.assume(exit.context.clone(), records.exists) else {
            return Vec::new();
        };
        let (lost, unclear) = self.lost(&exit.context, context.clone(), roots, records);
        self.unclear |= unclear;
        if self.space.decide(&context.facts, lost) == Some(false) {
            return Vec::new();
        }
        let lost = self.space.ordered(lost);
        let Some(ways) = self.space.conjunctions(lost) else { return Vec::new() };
        let mut found = Vec::new();
        for literals in ways {
            if let Some(leak) = self.leak(exit, &context, records, &literals, unclear) {
                found.push(leak);
            }
        }
        let mut told: Vec<Leak> = Vec::new();
        for leak in found {
            let same = |it: &Leak| it.condition == leak.condition && it.range == leak.range;
            if !told.iter().any(same) {
                told.push(leak);
            }
        }
        told
    }

    /// Ranges that follow each other are one: `[0, 0]` and `[1, n]` are `[0, n]`; what is part of
    /// another is not told.
    fn merged(&mut self, mut leaks: Vec<Leak>) -> Vec<Leak> {
        for first in 0..leaks.len() {
            for second in 0..leaks.len() {
                if first != second && self.is_part(&leaks[second], &leaks[first]) {
                    leaks.remove(second);
                    return self.merged(leaks);
                }
                if first != second
                    && let Some(range) = self.union(&leaks[first], &leaks[second])
                {
                    leaks[first].range = Some(range);
                    let ways = leaks[second].ways.clone();
                    leaks[first].ways.extend(ways);
                    leaks.remove(second);
                    return self.merged(leaks);
                }
            }
        }
        leaks
    }

    fn is_part(&mut self, part: &Leak, whole: &Leak) -> bool {
        if part.site != whole.site || part.approximate != whole.approximate {
            return false;
        }
        let facts = part.context.facts.with(&self.space, part.condition);
        let mut covered = whole.condition;
        match (part.range, whole.range) {
            (Some(part), Some(whole)) => {
                let low = self.space.at_least(part.low, whole.low);
                let high = self.space.at_least(whole.high, part.high);
                covered = self.space.all(vec![covered, low, high]);
            }
            (None, None) => {}
            _ => return false,
        }
        self.space.decide(&facts, covered) == Some(true)
    }

    fn union(&mut self, first: &Leak, second: &Leak) -> Option<Range> {
        let (a, b) = (first.range?, second.range?);
        let next = self.space.offset(a.high, 1);
        if first.site != second.site || next != b.low || first.approximate != second.approximate {
            return None;
        }
        let only = self.space.not(second.condition);
        let only = self.space.and(first.condition, only);
        let facts = first.context.facts.with(&self.space, only);
        let same = self.space.equal(a.high, b.high);
        let range = Range { low: a.low, high: b.high, count: a.count };
        (only == Cond::FALSE || self.space.decide(&facts, same) == Some(true)).then_some(range)
    }

    /// When a record of the family is lost, and whether something could not be told. The way to the
    /// root leads over other records, so it is looked for with no more than the range of turns.
    fn lost(
        &mut self,
        outer: &Context,
        context: Context,
        roots: Roots,
        records: &Records,
    ) -> (Cond, bool) {
        let mut graph = Graph::new(self, context.clone(), roots);
        let freed = graph.freed(records.cell);
        let mut unclear = graph.unclear;
        if self.space.decide(&context.facts, freed) == Some(true) {
            return (Cond::FALSE, unclear);
        }
        let Some(outer) = self.assume(outer.clone(), records.in_range) else {
            return (Cond::FALSE, unclear);
        };
        let mut graph = Graph::new(self, outer, roots);
        let reached = graph.reached(records);
        unclear |= graph.unclear;
        let reached = self.space.reduce(&context.facts, reached);
        let (live, lost) = (self.space.not(freed), self.space.not(reached));
        (self.space.and(live, lost), unclear)
    }

    fn leak(
        &mut self,
        exit: &Exit,
        context: &Context,
        records: &Records,
        literals: &[Cond],
        unclear: bool,
    ) -> Option<Leak> {
        let open = self.space.open_literals(&context.facts, literals)?;
        let exists = self.space.conjuncts(records.exists);
        let mut all: Vec<Cond> = exists.into_iter().chain(open).collect();
        // That an allocation succeeds is said of every record, and is no news.
        all.retain(|&it| !self.space.is_null_test(it));
        let (turns, ways) = (records.turns.clone(), vec![all.clone()]);
        let mut exact = true;
        let mut range = None;
        for &(turn, count) in records.turns.iter().rev() {
            let (some, sharp) = self.space.some_index(&all, turn);
            let facts = context.facts.with(&self.space, some);
            range = self.range(&Context { facts, ..context.clone() }, &all, turn, count);
            exact &= sharp;
            all = self.space.conjuncts(some);
        }
        let open = self.space.open_literals(&exit.context.facts, &all)?;
        let condition = self.space.all(open);
        if condition == Cond::FALSE {
            return None;
        }
        let lost = self.loss(exit, records);
        let approximate = exit
            .context
            .approximate
            .or(unclear.then_some("it could not be told who holds it"))
            .or((!exact).then_some("the turns in which it is lost could not be told"));
        let context = exit.context.clone();
        let range = range.filter(|_| records.turns.len() == 1);
        let site = records.site;
        Some(Leak { site, condition, context, range, turns, ways, lost, approximate })
    }

    /// The tightest bounds on a turn, where one of them is the tightest.
    fn range(
        &mut self,
        context: &Context,
        literals: &[Cond],
        turn: Symbol,
        count: Expr,
    ) -> Option<Range> {
        let bounds = self.space.bounds_on(literals, turn);
        if let Some(&only) = bounds.exactly.first() {
            return Some(Range { low: only, high: only, count });
        }
        let zero = self.space.constant(0);
        let last = self.space.offset(count, -1);
        let low = self.tightest(context, bounds.low, zero, true)?;
        let high = self.tightest(context, bounds.high, last, false)?;
        Some(Range { low, high, count })
    }

    fn tightest(
        &mut self,
        context: &Context,
        bounds: Vec<Expr>,
        outermost: Expr,
        low: bool,
    ) -> Option<Expr> {
        let mut best = outermost;
        for bound in bounds {
            let inside = if low {
                self.space.at_least(bound, best)
            } else {
                self.space.at_least(best, bound)
            };
            match self.space.decide(&context.facts, inside) {
                Some(true) => best = bound,
                Some(false) => {}
                None => {
                    let outside = if low {
                        self.space.at_least(best, bound)
                    } else {
                        self.space.at_least(bound, best)
                    };
                    self.space.decide(&context.facts, outside).filter(|&it| it)?;
                }
            }
        }
        Some(best)
    }

    /// The heap function that took the last reference: leaks are for good, so the shortest heap in
    /// which the record is lost ends with it.
    fn loss(&mut self, exit: &Exit, records: &Records) -> Loss {
        let chain = exit.context.heap;
        let (mut held, mut lost) = (0, self.heaps.length(chain) + 1);
        while lost - held > 1 && self.check_budget().is_ok() {
            let middle = held + (lost - held) / 2;
            let heap = self.prefix(chain, middle);
            let context = Context { heap, ..exit.context.clone() };
            if self.is_lost_in(context, records) { lost = middle } else { held = middle }
        }
        let last = self.prefix(chain, lost);
        if lost > self.heaps.length(chain) {
            return Loss::Exit(exit.at);
        }
        let item = self.heaps.last(last).map(|it| it.1);
        item.and_then(|item| loss_by(&self.space, &item)).unwrap_or(Loss::Exit(exit.at))
    }

    fn is_lost_in(&mut self, context: Context, records: &Records) -> bool {
        let mut graph = Graph::new(self, context.clone(), Roots::Running);
        if !graph.records().iter().any(|it| it.site == records.site) {
            return false;
        }
        let outer = context.clone();
        let Some(context) = self.assume(context, records.exists) else { return false };
        let (lost, _) = self.lost(&outer, context.clone(), Roots::Running, records);
        self.space.decide(&context.facts, lost) != Some(false)
    }
}

fn loss_by(space: &Space, item: &Item) -> Option<Loss> {
    match item {
        Item::Put { at, .. } | Item::Copy { at, .. } | Item::Fill { at, .. } => {
            Some(Loss::Overwritten(*at))
        }
        Item::Free { at, .. } => Some(Loss::WithOwner(*at)),
        Item::New { at, .. } | Item::Havoc { at, .. } | Item::Keep { at, .. } => {
            Some(Loss::Exit(*at))
        }
        Item::Loop(recurrence) => loss_in_turn(space, &recurrence.body),
        Item::Guarded { items, .. } => loss_in_turn(space, items),
        Item::Start { .. } => None,
    }
}

/// In a loop the last assignment to a variable is the one that people look for.
fn loss_in_turn(space: &Space, items: &[Item]) -> Option<Loss> {
    let assigns = |item: &&Item| match item {
        Item::Put { address, .. } => space.base(*address).is_some_and(|base| {
            matches!(space.kind(base), AtomKind::Place(Place::Variable { .. }))
        }),
        Item::Guarded { .. } => true,
        _ => false,
    };
    let others = |item: &&Item| !matches!(item, Item::New { .. });
    let assigned = items.iter().rev().filter(assigns).find_map(|item| loss_by(space, item));
    assigned.or_else(|| items.iter().rev().filter(others).find_map(|item| loss_by(space, item)))
}
