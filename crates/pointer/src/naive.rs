//! The oracle: every constraint again and again until nothing changes, on plain sets. Slow, and
//! as close to the table in `constraint` as code can be.
//!
//! A round applies all constraints. So that programs of ten thousand lines end, hurried rounds go
//! before each: those skip what reads only sets that are as they were. They decide nothing, as
//! the end comes with a whole round that changes nothing.

use caulk_base::{BitSet, Id};

use crate::constraint::Constraint;
use crate::location::LocId;
use crate::nodes::NodeId;
use crate::points_to::{PointsTo, Solution, finish};
use crate::rules::Rules;
use crate::statistics::Statistics;
use crate::wild::Wild;
use crate::{Input, Options};

#[must_use]
pub fn naive(input: Input, options: &Options) -> PointsTo {
    let mut rules = Rules::new(input, *options);
    let mut sets = Sets::new();
    let mut rows = Vec::new();
    let mut rounds = 0;
    loop {
        while round(&mut rules, &mut sets, &mut rows, true) {}
        rounds += 1;
        if !round(&mut rules, &mut sets, &mut rows, false) {
            break;
        }
    }
    let statistics = Statistics { constraints: rows.len(), rounds, ..Statistics::default() };
    finish(rules, &sets, statistics)
}

/// A constraint, and how many changes there had been when it was last applied.
type Row = (Constraint, Option<usize>);

/// Applies all constraints, or in a hurry those that read what has changed; true if anything is
/// new.
fn round(rules: &mut Rules, sets: &mut Sets, rows: &mut Vec<Row>, hurried: bool) -> bool {
    rows.extend(rules.out.drain(..).map(|constraint| (constraint, None)));
    let before = (sets.changes, rules.world.nodes.count());
    for (constraint, applied) in rows {
        if !hurried || applied.is_none_or(|since| sets.is_news(rules, *constraint, since)) {
            *applied = Some(sets.changes);
            apply(rules, sets, *constraint);
        }
    }
    wild(rules, sets);
    merge(rules, sets);
    let after = (sets.changes, rules.world.nodes.count());
    after != before || !rules.out.is_empty()
}

struct Sets {
    rows: Vec<BitSet<LocId>>,
    /// The number of each row's last change.
    changed: Vec<usize>,
    /// The nodes that are wild.
    wild: BitSet<NodeId>,
    changes: usize,
}

impl Sets {
    fn new() -> Self {
        Self { rows: Vec::new(), changed: Vec::new(), wild: BitSet::new(0), changes: 0 }
    }

    fn grow(&mut self, node: NodeId) {
        let index = node.0 as usize;
        if index >= self.rows.len() {
            self.rows.resize(index + 1, BitSet::new(0));
            self.changed.resize(index + 1, 0);
        }
    }

    /// The members, as they are now.
    fn row(&self, node: NodeId) -> Vec<LocId> {
        self.rows.get(node.0 as usize).map_or_else(Vec::new, |row| row.iter().collect())
    }

    fn insert(&mut self, node: NodeId, loc: LocId) {
        self.grow(node);
        let is_new = self.rows[node.0 as usize].insert(loc);
        self.note(node, is_new);
    }

    fn include(&mut self, to: NodeId, from: NodeId) {
        if to == from {
            return;
        }
        self.grow(to.max(from));
        let row = std::mem::replace(&mut self.rows[from.0 as usize], BitSet::new(0));
        let is_new = self.rows[to.0 as usize].union_with(&row);
        self.rows[from.0 as usize] = row;
        self.note(to, is_new);
    }

    fn note(&mut self, node: NodeId, is_new: bool) {
        if is_new {
            self.changes += 1;
            self.changed[node.0 as usize] = self.changes;
        }
    }

    /// Whether a set that the constraint reads has changed since. Those that read whatever places
    /// an object has wait for a whole round.
    fn is_news(&self, rules: &Rules, constraint: Constraint, since: usize) -> bool {
        let is_new = |node: NodeId| self.changed.get(node.0 as usize).is_some_and(|&it| it > since);
        let contents = |loc| rules.world.nodes.known_contents(loc);
        match constraint {
            Constraint::Copy { from, .. } | Constraint::Offset { from, .. } => is_new(from),
            Constraint::Load { from, .. } => {
                is_new(from) || self.row(from).into_iter().filter_map(contents).any(is_new)
            }
            Constraint::Store { to, from } => is_new(to) || is_new(from),
            Constraint::Indirect { callee, .. } | Constraint::Escape { callee } => is_new(callee),
            Constraint::Address { .. }
            | Constraint::CopyMemory { .. }
            | Constraint::Reach { .. }
            | Constraint::Overwrite { .. } => false,
        }
    }
}

impl Solution for Sets {
    fn class_count(&self) -> usize {
        self.rows.len() + 1
    }

    fn class(&self, node: NodeId) -> usize {
        (node.0 as usize).min(self.rows.len())
    }

    fn members(&self, class: usize) -> Vec<LocId> {
        self.rows.get(class).map_or_else(Vec::new, |row| row.iter().collect())
    }
}

fn apply(rules: &mut Rules, sets: &mut Sets, constraint: Constraint) {
    let Wild { all, read, written } = rules.world.wild;
    match constraint {
        Constraint::Offset { to, from, .. } if sets.wild.contains(from) => sets.include(to, all),
        Constraint::Load { to, from } | Constraint::Reach { to, from }
            if sets.wild.contains(from) =>
        {
            sets.include(to, read);
        }
        Constraint::Store { to, from } if sets.wild.contains(to) => sets.include(written, from),
        Constraint::Overwrite { through } if sets.wild.contains(through) => {
            sets.insert(written, rules.world.outside);
        }
        Constraint::CopyMemory { to, from, .. }
            if sets.wild.contains(to) || sets.wild.contains(from) =>
        {
            copy_wild(rules, sets, to, from);
        }
        Constraint::Address { to, loc } => sets.insert(to, rules.world.canonical(loc)),
        Constraint::Copy { to, from } => sets.include(to, from),
        Constraint::Offset { to, from, by } => {
            for loc in sets.row(from) {
                if let Some(loc) = rules.world.shift(loc, by) {
                    sets.insert(to, loc);
                }
            }
        }
        Constraint::Load { to, from } => {
            for loc in sets.row(from) {
                load(rules, sets, to, loc);
            }
        }
        // Who stores nothing makes no place.
        Constraint::Store { from, .. } if sets.row(from).is_empty() => {}
        Constraint::Store { to, from } => {
            for loc in sets.row(to) {
                let contents = rules.world.nodes.contents(loc);
                sets.include(contents, from);
            }
        }
        Constraint::CopyMemory { to, from, size } => {
            for to in sets.row(to) {
                for from in sets.row(from) {
                    copy_memory(rules, sets, to, from, size);
                }
            }
        }
        Constraint::Reach { to, from } => {
            for loc in sets.row(from) {
                for loc in rules.world.reached(loc) {
                    let contents = rules.world.nodes.contents(loc);
                    sets.include(to, contents);
                }
            }
        }
        Constraint::Overwrite { through } => {
            for loc in sets.row(through) {
                for loc in rules.world.overwritten(loc) {
                    let contents = rules.world.nodes.contents(loc);
                    sets.insert(contents, rules.world.outside);
                }
            }
        }
        Constraint::Indirect { callee, site } => {
            // A pointer to too many is wild before the rule of `wild` comes to it.
            if sets.wild.contains(callee) || rules.world.are_too_many(sets.row(callee).into_iter())
            {
                rules.connect_wild(site);
            }
            sets.row(callee).into_iter().for_each(|loc| rules.connect(site, loc));
        }
        Constraint::Escape { callee } => {
            sets.row(callee).into_iter().for_each(|loc| rules.escape(loc));
        }
    }
}

/// The rule of `wild`.
fn wild(rules: &mut Rules, sets: &mut Sets) {
    let Wild { all, read, written } = rules.world.wild;
    for index in 0..sets.rows.len() {
        let (node, row) = (NodeId::from_index(index), &sets.rows[index]);
        if !sets.wild.contains(node) && rules.world.are_too_many(row.iter()) {
            sets.wild.insert(node);
            sets.changes += 1;
        }
    }
    for node in sets.wild.iter().collect::<Vec<NodeId>>() {
        sets.include(all, node);
        sets.include(node, all);
    }
    for loc in sets.row(all) {
        let object = rules.world.locations.object(loc);
        match rules.world.objects[object].kind.is_function() {
            true => rules.enter_wild(loc),
            false => rules.world.collapse(object),
        }
        load(rules, sets, read, loc);
        let contents = rules.world.nodes.contents(loc);
        sets.include(contents, written);
    }
}

/// A copy of memory through a wild pointer forgets places.
fn copy_wild(rules: &mut Rules, sets: &mut Sets, to: NodeId, from: NodeId) {
    let Wild { read, written, .. } = rules.world.wild;
    if sets.wild.contains(to) && sets.wild.contains(from) {
        return sets.include(written, read);
    }
    if sets.wild.contains(from) {
        for loc in sets.row(to) {
            rules.world.collapse(rules.world.locations.object(loc));
            let contents = rules.world.nodes.contents(rules.world.canonical(loc));
            sets.include(contents, read);
        }
        return;
    }
    for loc in sets.row(from) {
        let object = rules.world.locations.object(loc);
        if rules.world.objects[object].outside {
            rules.world.collapse(object);
        }
        let loc = rules.world.canonical(loc);
        load(rules, sets, written, loc);
        for loc in rules.world.reached(loc) {
            let contents = rules.world.nodes.contents(loc);
            sets.include(written, contents);
        }
    }
}

fn load(rules: &mut Rules, sets: &mut Sets, to: NodeId, loc: LocId) {
    if loc == rules.world.outside {
        return sets.insert(to, loc);
    }
    let contents = rules.world.nodes.contents(loc);
    if let Some(held) = rules.world.held(loc) {
        sets.insert(contents, held);
    }
    sets.include(to, contents);
}

fn copy_memory(rules: &mut Rules, sets: &mut Sets, to: LocId, from: LocId, size: Option<u64>) {
    for (target, source) in rules.world.copied(to, from, size) {
        let target = rules.world.nodes.contents(target);
        load(rules, sets, target, source);
    }
}

/// Locations that stand for one another hold the same, and only one of them is pointed to.
fn merge(rules: &mut Rules, sets: &mut Sets) {
    let merged = std::mem::take(&mut rules.world.merged);
    sets.changes += std::mem::take(&mut rules.world.just_collapsed).len();
    if merged.is_empty() {
        return;
    }
    sets.changes += 1;
    for &(old, new) in &merged {
        let (old, new) = (rules.world.nodes.contents(old), rules.world.nodes.contents(new));
        rules.out.push(Constraint::Copy { to: new, from: old });
        rules.out.push(Constraint::Copy { to: old, from: new });
    }
    for row in &mut sets.rows {
        let is_old = |loc: &LocId| rules.world.canonical(*loc) != *loc;
        for old in row.iter().filter(is_old).collect::<Vec<LocId>>() {
            row.remove(old);
            row.insert(rules.world.canonical(old));
        }
    }
}
