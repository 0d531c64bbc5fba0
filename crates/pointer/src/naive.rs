//! The oracle: every constraint again and again until nothing changes, on plain sets. Slow, and
//! as close to the table in `constraint` as code can be.

use std::collections::BTreeSet;

use caulk_base::Id;

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
    let mut sets = Sets::default();
    let mut constraints = Vec::new();
    let mut rounds = 0;
    loop {
        constraints.append(&mut rules.out);
        let before = (sets.changes, rules.world.nodes.count());
        for &constraint in &constraints {
            apply(&mut rules, &mut sets, constraint);
        }
        wild(&mut rules, &mut sets);
        merge(&mut rules, &mut sets);
        rounds += 1;
        let after = (sets.changes, rules.world.nodes.count());
        if after == before && rules.out.is_empty() {
            break;
        }
    }
    let statistics = Statistics { constraints: constraints.len(), rounds, ..Statistics::default() };
    finish(rules, &sets, statistics)
}

#[derive(Default)]
struct Sets {
    rows: Vec<BTreeSet<LocId>>,
    /// The nodes that are wild.
    wild: BTreeSet<NodeId>,
    changes: usize,
}

impl Sets {
    fn row(&mut self, node: NodeId) -> &mut BTreeSet<LocId> {
        let index = node.0 as usize;
        if index >= self.rows.len() {
            self.rows.resize(index + 1, BTreeSet::new());
        }
        &mut self.rows[index]
    }

    fn insert(&mut self, node: NodeId, loc: LocId) {
        self.changes += usize::from(self.row(node).insert(loc));
    }

    fn include(&mut self, to: NodeId, from: NodeId) {
        for loc in self.row(from).clone() {
            self.insert(to, loc);
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
        self.rows.get(class).map_or_else(Vec::new, |row| row.iter().copied().collect())
    }
}

fn apply(rules: &mut Rules, sets: &mut Sets, constraint: Constraint) {
    let Wild { all, read, written } = rules.world.wild;
    match constraint {
        Constraint::Offset { to, from, .. } if sets.wild.contains(&from) => sets.include(to, all),
        Constraint::Load { to, from } | Constraint::Reach { to, from }
            if sets.wild.contains(&from) =>
        {
            sets.include(to, read);
        }
        Constraint::Store { to, from } if sets.wild.contains(&to) => sets.include(written, from),
        Constraint::Overwrite { through } if sets.wild.contains(&through) => {
            sets.insert(written, rules.world.outside);
        }
        Constraint::CopyMemory { to, from, .. }
            if sets.wild.contains(&to) || sets.wild.contains(&from) =>
        {
            copy_wild(rules, sets, to, from);
        }
        Constraint::Address { to, loc } => sets.insert(to, rules.world.canonical(loc)),
        Constraint::Copy { to, from } => sets.include(to, from),
        Constraint::Offset { to, from, by } => {
            for loc in sets.row(from).clone() {
                if let Some(loc) = rules.world.shift(loc, by) {
                    sets.insert(to, loc);
                }
            }
        }
        Constraint::Load { to, from } => {
            for loc in sets.row(from).clone() {
                load(rules, sets, to, loc);
            }
        }
        Constraint::Store { to, from } => {
            for loc in sets.row(to).clone() {
                let contents = rules.world.nodes.contents(loc);
                sets.include(contents, from);
            }
        }
        Constraint::CopyMemory { to, from, size } => {
            for to in sets.row(to).clone() {
                for from in sets.row(from).clone() {
                    copy_memory(rules, sets, to, from, size);
                }
            }
        }
        Constraint::Reach { to, from } => {
            for loc in sets.row(from).clone() {
                for loc in rules.world.reached(loc) {
                    let contents = rules.world.nodes.contents(loc);
                    sets.include(to, contents);
                }
            }
        }
        Constraint::Overwrite { through } => {
            for loc in sets.row(through).clone() {
                for loc in rules.world.overwritten(loc) {
                    let contents = rules.world.nodes.contents(loc);
                    sets.insert(contents, rules.world.outside);
                }
            }
        }
        Constraint::Indirect { callee, site } => {
            if sets.wild.contains(&callee) {
                rules.connect_wild(site);
            }
            sets.row(callee).clone().into_iter().for_each(|loc| rules.connect(site, loc));
        }
        Constraint::Escape { callee } => {
            sets.row(callee).clone().into_iter().for_each(|loc| rules.escape(loc));
        }
    }
}

/// The rule of `wild`.
fn wild(rules: &mut Rules, sets: &mut Sets) {
    let Wild { all, read, written } = rules.world.wild;
    for index in 0..sets.rows.len() {
        let node = NodeId::from_index(index);
        if rules.world.are_too_many(sets.rows[index].iter().copied()) && sets.wild.insert(node) {
            sets.changes += 1;
        }
    }
    for node in sets.wild.clone() {
        sets.include(all, node);
        sets.include(node, all);
    }
    for loc in sets.row(all).clone() {
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
    if sets.wild.contains(&to) && sets.wild.contains(&from) {
        return sets.include(written, read);
    }
    if sets.wild.contains(&from) {
        for loc in sets.row(to).clone() {
            rules.world.collapse(rules.world.locations.object(loc));
            let contents = rules.world.nodes.contents(rules.world.canonical(loc));
            sets.include(contents, read);
        }
        return;
    }
    for loc in sets.row(from).clone() {
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
        *row = row.iter().map(|&loc| rules.world.canonical(loc)).collect();
    }
}
