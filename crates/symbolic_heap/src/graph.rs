//! The pointer graph (section 4): who holds a record, and whether the root reaches it.
//!
//! A record is `r(j)`, the one that a site made in turn `j` of the loops around it, so that one
//! question is asked for all records of a site. Its predecessors are the fields that were given its
//! address and still have it (rules 5–10): the turn in which that happened is solved for, as in
//! `get`. The closure pred* (rules 11–13) goes on to the holders; a record that is held by its own
//! neighbour `r(j±1)`, as in a list, is reached from every record that the root holds, over the
//! stretch of turns in which the link is there.

use crate::facts::Facts;
use crate::get::{Access, Got};
use crate::heap::{Chain, Item, Reached};
use crate::leaf::{Leaf, Turn, leaves};
use crate::space::{AtomKind, Cond, Expr, Place, Site, Space, Symbol};
use crate::state::{Context, Evaluator};
use crate::substitute::Substitution;

/// A family of records: what one `new` made.
#[derive(Clone, Debug)]
pub struct Records {
    pub site: Site,
    pub cell: Expr,
    /// The turns of the record, as symbols, and how many there are of each.
    pub turns: Vec<(Symbol, Expr)>,
    /// That its loops turn so often.
    pub in_range: Cond,
    /// That there is such a record.
    pub exists: Cond,
}

/// A field or variable that holds a record, under a condition.
#[derive(Clone, Copy, Debug)]
pub struct Holder {
    pub address: Expr,
    pub condition: Cond,
}

/// Who counts as the root, besides memory that was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// The function has returned this: its variables and stack objects are gone.
    Returned(Option<Expr>),
    /// The function is running: its variables and stack objects are roots.
    Running,
}

/// The pointer graph of a context.
pub struct Graph<'g, 'a> {
    pub evaluator: &'g mut Evaluator<'a>,
    pub context: Context,
    pub roots: Roots,
    leaves: Vec<Leaf>,
    /// Something could not be told, and was taken as holding the record.
    pub unclear: bool,
}

/// What was found on the way from a record to the root.
#[derive(Default)]
struct Ways {
    /// Conditions under which the root holds it.
    root: Vec<Cond>,
    /// A record of the same site holds it, by its turns.
    neighbours: Vec<(Cond, Vec<Expr>)>,
}

impl<'g, 'a> Graph<'g, 'a> {
    pub fn new(evaluator: &'g mut Evaluator<'a>, context: Context, roots: Roots) -> Self {
        let items = evaluator.heaps.items(context.heap);
        let leaves = leaves(&mut evaluator.space, items.iter().map(|item| &**item));
        Self { evaluator, context, roots, leaves, unclear: false }
    }

    fn space(&mut self) -> &mut Space {
        &mut self.evaluator.space
    }

    fn facts(&self) -> Facts {
        self.context.facts.clone()
    }

    /// The records of each `new`, with names of their own for the turns.
    pub fn records(&mut self) -> Vec<Records> {
        let leaves = self.leaves.clone();
        leaves.iter().filter_map(|leaf| self.records_of(leaf)).collect()
    }

    fn records_of(&mut self, leaf: &Leaf) -> Option<Records> {
        let Item::New { cell, .. } = leaf.item else { return None };
        let mut with = Vec::new();
        let mut turns = Vec::new();
        let mut in_range = Cond::TRUE;
        for &(index, count) in &leaf.loops {
            let turn = self.evaluator.turn_name(index);
            let space = &mut self.evaluator.space;
            let count = space.substitute(count, &mut Substitution::new(&with));
            let value = space.symbol(turn);
            let inside = space.in_range(value, count);
            in_range = space.and(in_range, inside);
            with.push((index, value));
            turns.push((turn, count));
        }
        let space = self.space();
        let mut with = Substitution::new(&with);
        let cell = space.substitute(cell, &mut with);
        let guard = space.substitute_condition(leaf.guard, &mut with);
        let null = space.is_zero(cell);
        let there = space.not(null);
        let exists = space.all(vec![in_range, guard, there]);
        let base = space.base(cell)?;
        let AtomKind::Cell { site, .. } = *space.kind(base) else { return None };
        Some(Records { site, cell, turns, in_range, exists })
    }

    /// When a record was freed.
    pub fn freed(&mut self, record: Expr) -> Cond {
        let pointer = |item: &Item| match item {
            Item::Free { pointer, .. } => Some(*pointer),
            _ => None,
        };
        self.happened_to(record, pointer)
    }

    /// When code outside was given a record for good.
    fn kept(&mut self, record: Expr) -> Cond {
        let site = self.evaluator.space.base(record).map(|base| self.evaluator.space.kind(base));
        if let Some(&AtomKind::Cell { site, .. }) = site {
            let is_reached = |leaf: &Leaf| matches!(&leaf.item, Item::Havoc { reached, .. } if reached.contains(&Reached::Site(site)));
            if self.leaves.iter().any(is_reached) {
                return Cond::TRUE;
            }
        }
        let pointer = |item: &Item| match item {
            Item::Keep { pointer, .. } => Some(*pointer),
            _ => None,
        };
        self.happened_to(record, pointer)
    }

    fn happened_to(&mut self, record: Expr, pointer: impl Fn(&Item) -> Option<Expr>) -> Cond {
        let mut any = Cond::FALSE;
        for leaf in self.leaves.clone() {
            let Some(pointer) = pointer(&leaf.item) else { continue };
            for (chosen, pointer) in self.choices(pointer) {
                let leaf = leaf.under(self.space(), chosen);
                if let Some((_, condition)) = self.turn_of(&leaf, pointer, record) {
                    any = self.space().or(any, condition);
                }
            }
        }
        any
    }

    /// The turn in which an address in a heap function is one in the record; None for never. What
    /// cannot be told is taken as happening.
    fn turn_of(&mut self, leaf: &Leaf, pointer: Expr, record: Expr) -> Option<(Turn, Cond)> {
        let indices = leaf.indices();
        let matched = self.space().match_record(pointer, record, &indices);
        let turn = match matched {
            Some(matched) if matched.condition == Cond::FALSE => return None,
            Some(matched) => leaf.turn(self.space(), &matched),
            None => None,
        };
        match turn {
            Some(turn) => {
                let facts = self.facts();
                let holds = self.space().decide(&facts, turn.condition);
                let condition = match holds {
                    Some(false) => return None,
                    Some(true) => Cond::TRUE,
                    None => turn.condition,
                };
                Some((turn, condition))
            }
            None => {
                self.unclear = true;
                let none = Turn { turns: Vec::new(), condition: Cond::TRUE, with: Vec::new() };
                Some((none, Cond::TRUE))
            }
        }
    }

    /// The addresses that a value may be, with the condition of each.
    fn choices(&mut self, value: Expr) -> Vec<(Cond, Expr)> {
        let Some(base) = self.space().base(value) else { return Vec::new() };
        let AtomKind::Select { condition, yes, no } = *self.space().kind(base) else {
            return vec![(Cond::TRUE, value)];
        };
        let mut all = Vec::new();
        let otherwise = self.space().not(condition);
        for (condition, chosen) in [(condition, yes), (otherwise, no)] {
            let value = self.space().replace(value, base, chosen);
            for (inner, value) in self.choices(value) {
                all.push((self.space().and(condition, inner), value));
            }
        }
        all
    }

    /// When a value is an address in the record.
    fn is_in(&mut self, value: Expr, record: Expr) -> Cond {
        let mut any = Cond::FALSE;
        for (condition, value) in self.choices(value) {
            let matched = self.space().match_record(value, record, &[]);
            let same = match matched {
                Some(matched) => matched.condition,
                None => {
                    self.unclear = true;
                    Cond::TRUE
                }
            };
            let both = self.space().and(condition, same);
            any = self.space().or(any, both);
        }
        any
    }

    /// The intermediate set S of rules 5–9: the fields and variables that hold the record.
    pub fn holders(&mut self, record: Expr) -> Vec<Holder> {
        let mut found = Vec::new();
        for leaf in self.leaves.clone() {
            match leaf.item {
                Item::Put { address, value, .. } => {
                    self.holders_by_put(&leaf, address, value, record, &mut found);
                }
                Item::Copy { to, from, .. } => self.holders_by_copy(&leaf, to, from, &mut found),
                _ => {}
            }
        }
        let mut holders = Vec::new();
        for holder in found {
            holders.extend(self.still_holds(holder, record));
        }
        holders
    }

    fn holders_by_put(
        &mut self,
        leaf: &Leaf,
        address: Expr,
        value: Expr,
        record: Expr,
        found: &mut Vec<Holder>,
    ) {
        for (chosen, value) in self.choices(value) {
            let leaf = leaf.under(self.space(), chosen);
            let Some((turn, condition)) = self.turn_of(&leaf, value, record) else { continue };
            self.unclear |= self.has_several(&leaf, &turn, address, value, record);
            let address = self.space().substitute(address, &mut Substitution::new(&turn.with));
            found.push(Holder { address, condition });
        }
    }

    /// Whether turns besides the last one put the record into other fields, too.
    fn has_several(
        &mut self,
        leaf: &Leaf,
        turn: &Turn,
        address: Expr,
        value: Expr,
        record: Expr,
    ) -> bool {
        let Some(matched) = self.space().match_record(value, record, &leaf.indices()) else {
            return false;
        };
        let facts = self.context.facts.with(&self.evaluator.space, turn.condition);
        let rows = turn.with.iter().zip(&matched.turns).filter(|row| row.1.is_none());
        let free: Vec<(Symbol, Expr)> = rows.map(|row| *row.0).collect();
        free.into_iter().any(|(index, last)| {
            let space = self.space();
            let first = leaf.first_turn(space, index);
            let is_only = space.at_least(first, last);
            space.mentions(address, index) && space.decide(&facts, is_only) != Some(true)
        })
    }

    /// A copy of memory copies the references in it.
    fn holders_by_copy(&mut self, leaf: &Leaf, to: Expr, from: Expr, found: &mut Vec<Holder>) {
        let earlier = found.clone();
        for holder in earlier {
            let matched = self.space().match_record(from, holder.address, &[]);
            let Some(matched) = matched.filter(|it| it.condition != Cond::FALSE) else { continue };
            if !leaf.loops.is_empty() {
                self.unclear = true;
            }
            let distance = self.space().subtract(holder.address, from);
            let address = self.space().add(to, distance);
            let condition = self.space().and(holder.condition, matched.condition);
            found.push(Holder { address, condition });
        }
    }

    /// Rules 8 and 9: a later `put` or the holder's `free` removes the reference.
    fn still_holds(&mut self, holder: Holder, record: Expr) -> Option<Holder> {
        let facts = self.context.facts.with(&self.evaluator.space, holder.condition);
        let context = Context { facts, ..self.context.clone() };
        let access = Access { address: holder.address, bytes: 8, pointer: true };
        let same = match self.evaluator.try_get(&context, access) {
            Got::Value(now) => self.is_in(now, record),
            Got::CannotTell(_) => {
                self.unclear = true;
                Cond::TRUE
            }
        };
        let same = match self.evaluator.space.decide(&context.facts, same) {
            Some(false) => return None,
            Some(true) => Cond::TRUE,
            None => same,
        };
        let freed = self.freed(holder.address);
        let live = self.space().not(freed);
        let condition = self.space().all(vec![holder.condition, same, live]);
        (condition != Cond::FALSE).then_some(Holder { condition, ..holder })
    }

    /// Whether the root is in pred*(r), as a condition over the record's turns and the input.
    pub fn reached(&mut self, records: &Records) -> Cond {
        self.reached_past(records, &mut Vec::new())
    }

    /// The same, where the way to the root does not lead over records of some sites again.
    fn reached_past(&mut self, records: &Records, past: &mut Vec<Site>) -> Cond {
        past.push(records.site);
        let ways = self.ways(records, past);
        past.pop();
        let direct = self.space().any(ways.root.clone());
        let mut all = vec![direct];
        for (link, turns) in ways.neighbours {
            let step = self.single_step(records, &turns);
            match step {
                Some((index, step)) => all.push(self.along(direct, link, index, step)),
                None => {
                    self.unclear = true;
                    all.push(link);
                }
            }
        }
        self.space().any(all)
    }

    /// Rules 10–13: from a record to its holders, and from these on.
    fn ways(&mut self, records: &Records, past: &mut Vec<Site>) -> Ways {
        self.evaluator.space.work += 10;
        let mut ways = Ways::default();
        ways.root.push(self.kept(records.cell));
        if let Roots::Returned(Some(value)) = self.roots {
            ways.root.push(self.is_in(value, records.cell));
        }
        // Once the root is found, the search is over (section 4).
        let facts = self.facts();
        let found = self.space().any(ways.root.clone());
        if self.space().decide(&facts, found) == Some(true) {
            ways.root = vec![Cond::TRUE];
            return ways;
        }
        for holder in self.holders(records.cell) {
            let base = self.space().base(holder.address);
            match base.map(|base| self.space().kind(base).clone()) {
                Some(AtomKind::Cell { site, turns }) if site == records.site => {
                    let own = records.turns.iter().map(|it| it.0);
                    let own: Vec<Expr> = own.map(|it| self.space().symbol(it)).collect();
                    if own[..] != turns[..] {
                        ways.neighbours.push((holder.condition, turns.to_vec()));
                    }
                }
                Some(AtomKind::Cell { site, turns }) => {
                    let reached = self.holder_reached(site, &turns, past);
                    let condition = self.space().and(holder.condition, reached);
                    ways.root.push(condition);
                }
                Some(AtomKind::Place(
                    Place::Slot { .. } | Place::Stack { .. } | Place::Variable { .. },
                )) => {
                    if self.roots == Roots::Running {
                        ways.root.push(holder.condition);
                    }
                }
                _ => ways.root.push(holder.condition),
            }
        }
        ways
    }

    /// Whether the root reaches the record that a site made in these turns.
    fn holder_reached(&mut self, site: Site, turns: &[Expr], past: &mut Vec<Site>) -> Cond {
        if past.contains(&site) || past.len() > 6 {
            // Going round leads nowhere new, unless it leads to other records of the site.
            self.unclear |= !turns.is_empty();
            return self.evaluator.space.truth(!turns.is_empty());
        }
        let Some(family) = self.records().into_iter().find(|it| it.site == site) else {
            return Cond::TRUE;
        };
        let context = self.context.clone();
        match self.evaluator.assume(context.clone(), family.in_range) {
            Some(inside) => self.context = inside,
            None => return Cond::FALSE,
        }
        let reached = self.reached_past(&family, past);
        self.context = context;
        let pairs: Vec<(Symbol, Expr)> =
            family.turns.iter().map(|it| it.0).zip(turns.iter().copied()).collect();
        self.space().substitute_condition(reached, &mut Substitution::new(&pairs))
    }

    /// The one turn by which a neighbour differs, and by how much.
    fn single_step(&mut self, records: &Records, turns: &[Expr]) -> Option<(Symbol, i128)> {
        let mut found = None;
        for (&(index, _), &turn) in records.turns.iter().zip(turns) {
            let own = self.space().symbol(index);
            let step = self.space().subtract(turn, own);
            match self.space().as_constant(step)? {
                0 => {}
                step @ (1 | -1) if found.is_none() => found = Some((index, step)),
                _ => return None,
            }
        }
        found
    }

    /// `r(j)` is linked to `r(j+step)` where `link` holds: then it is reached if the root holds some
    /// `r(e)` further on and every link up to there is there. Links hold on a stretch of turns, so
    /// its two ends are enough.
    fn along(&mut self, root: Cond, link: Cond, index: Symbol, step: i128) -> Cond {
        let facts = self.facts();
        let (Some(roots), Some(links)) =
            (self.space().conjunctions(root), self.space().conjunctions(link))
        else {
            self.unclear = true;
            return link;
        };
        let mut any = Cond::FALSE;
        for held in &roots {
            let bounds = self.space().bounds_on(held, index);
            let mut anchors = bounds.exactly.clone();
            anchors.extend(if step > 0 { &bounds.low } else { &bounds.high });
            for anchor in anchors {
                for stretch in &links {
                    let stretch: Vec<Cond> = {
                        let open = self.space().open_literals(&facts, stretch);
                        open.unwrap_or_else(|| vec![Cond::FALSE])
                    };
                    let reached = self.stretch(held, &stretch, index, anchor, step);
                    any = self.space().or(any, reached);
                }
            }
        }
        any
    }

    fn stretch(
        &mut self,
        held: &[Cond],
        links: &[Cond],
        index: Symbol,
        anchor: Expr,
        step: i128,
    ) -> Cond {
        let space = self.space();
        let own = space.symbol(index);
        let last = space.offset(anchor, -step);
        let ahead = if step > 0 { space.less(own, anchor) } else { space.less(anchor, own) };
        let mut all = vec![ahead];
        let mut at_last = Substitution::one(index, last);
        for &literal in links {
            all.push(literal);
            all.push(space.substitute_condition(literal, &mut at_last));
        }
        let mut at_anchor = Substitution::one(index, anchor);
        for &literal in held {
            all.push(space.substitute_condition(literal, &mut at_anchor));
        }
        space.all(all)
    }
}

impl Evaluator<'_> {
    /// The name of a record's turn, in place of the index that its recurrence binds.
    pub fn turn_name(&mut self, index: Symbol) -> Symbol {
        let key = (crate::heap::Origin { frame: u32::MAX - 1, inst: index.0 }, 0);
        let info = crate::space::SymbolInfo {
            name: format!("j{}", index.0),
            low: Some(0),
            high: None,
            pointer: false,
            kind: crate::space::SymbolKind::Index,
        };
        self.symbol_for(key, info)
    }

    /// The heap before its last functions.
    #[must_use]
    pub fn prefix(&self, chain: Chain, length: u32) -> Chain {
        let mut at = chain;
        while self.heaps.length(at) > length
            && let Some((before, _)) = self.heaps.last(at)
        {
            at = before;
        }
        at
    }
}
