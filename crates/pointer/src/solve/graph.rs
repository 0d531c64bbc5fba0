//! The state of the solver: variables, their sets, edges and uses.

use caulk_base::FxHashSet;

use super::copies::{CopyId, Copying};
use super::forest::Forest;
use super::memory::Watches;
use super::pending::Pending;
use super::set::Set;
use super::wild::{WILD, WildUses};
use crate::constraint::{Constraint, SiteId};
use crate::location::LocId;
use crate::nodes::NodeId;
use crate::points_to::Solution;
use crate::rules::Rules;
use crate::statistics::Statistics;

/// What happens to the elements of a variable, besides being copied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use {
    Offset {
        to: u32,
        by: i64,
    },
    Load {
        to: u32,
    },
    Store {
        from: u32,
    },
    CopyTo(CopyId),
    CopyFrom(CopyId),
    Reach {
        to: u32,
    },
    /// What the rules of `wild` do with each element.
    Wild,
    Overwrite,
    Indirect(SiteId),
    Escape,
}

/// One variable of the solver.
#[derive(Default)]
pub(crate) struct Row {
    pub set: Set,
    /// Elements that the edges and uses have not seen.
    pub new: Set,
    pub successors: Vec<u32>,
    /// Where it is stored while it holds nothing: who stores nothing makes no place.
    pub awaited: Vec<LocId>,
    pub uses: Vec<Use>,
}

const NONE: u32 = u32::MAX;

pub(crate) struct Solver<'a> {
    pub rules: Rules<'a>,
    /// The variable of a node that stands for its class, [`NONE`] while it has none.
    slots: Vec<u32>,
    classes: Forest,
    pub rows: Vec<Row>,
    pub pending: Pending,
    /// Variables that turned out to lie on a cycle.
    pub merged: Forest,
    /// Copy edges that came while solving.
    edges: FxHashSet<(u32, u32)>,
    pub copyings: Vec<Copying>,
    pub watches: Watches,
    pub edges_since_order: usize,
    pub edge_count: usize,
    pub cycles: usize,
    pub rounds: usize,
    /// Locations from outside that have been loaded.
    pub held: FxHashSet<LocId>,
    pub wild: WildUses,
    /// Elements handed on so far.
    pub work: u64,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(rules: Rules<'a>, classes: Forest, points: &[bool]) -> Self {
        let slots = vec![NONE; points.len()];
        let mut solver = Self {
            rules,
            slots,
            classes,
            rows: Vec::new(),
            pending: Pending::default(),
            merged: Forest::default(),
            edges: FxHashSet::default(),
            copyings: Vec::new(),
            watches: Watches::default(),
            edges_since_order: 0,
            edge_count: 0,
            cycles: 0,
            rounds: 0,
            held: FxHashSet::default(),
            wild: WildUses::default(),
            work: 0,
        };
        solver.start_wild();
        solver
    }

    /// The variable that stands for a node.
    pub(crate) fn variable(&mut self, node: NodeId) -> u32 {
        let index = node.0 as usize;
        if index >= self.slots.len() {
            self.slots.resize(index + 1, NONE);
            self.classes.grow(index + 1);
        }
        let class = self.classes.find(node.0) as usize;
        if self.slots[class] == NONE {
            self.slots[class] = self.fresh();
        }
        self.merged.find(self.slots[class])
    }

    pub(crate) fn fresh(&mut self) -> u32 {
        self.rows.push(Row::default());
        self.merged.grow(self.rows.len());
        u32::try_from(self.rows.len() - 1).unwrap_or(NONE)
    }

    pub(crate) fn contents(&mut self, loc: LocId) -> u32 {
        let node = self.rules.world.nodes.contents(loc);
        self.variable(node)
    }

    pub(crate) fn add_all(&mut self, constraints: Vec<Constraint>) {
        for constraint in constraints {
            self.add(constraint);
        }
    }

    /// Takes a constraint; what its variables already hold is applied at once.
    fn add(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Address { to, loc } => {
                let to = self.variable(to);
                self.insert(to, self.rules.world.canonical(loc));
            }
            Constraint::Copy { to, from } => {
                let (from, to) = (self.variable(from), self.variable(to));
                self.edge(from, to);
            }
            Constraint::Offset { to, from, by } => {
                let to = self.variable(to);
                self.add_use(from, Use::Offset { to, by });
            }
            Constraint::Load { to, from } => {
                let to = self.variable(to);
                self.add_use(from, Use::Load { to });
            }
            Constraint::Store { to, from } => {
                let from = self.variable(from);
                self.add_use(to, Use::Store { from });
            }
            Constraint::CopyMemory { to, from, size } => {
                let id = self.new_copying(size);
                self.add_use(to, Use::CopyTo(id));
                self.add_use(from, Use::CopyFrom(id));
            }
            Constraint::Reach { to, from } => {
                let to = self.variable(to);
                self.add_use(from, Use::Reach { to });
            }
            Constraint::Overwrite { through } => self.add_use(through, Use::Overwrite),
            Constraint::Indirect { callee, site } => self.add_use(callee, Use::Indirect(site)),
            Constraint::Escape { callee } => self.add_use(callee, Use::Escape),
        }
    }

    fn add_use(&mut self, node: NodeId, new: Use) {
        let variable = self.variable(node);
        if variable == WILD {
            return self.use_wild(new);
        }
        let row = &mut self.rows[variable as usize];
        row.uses.push(new);
        if !row.set.is_empty() {
            let set = row.set.clone();
            self.apply(new, &set);
        }
    }

    pub(crate) fn insert(&mut self, to: u32, loc: LocId) {
        let row = &mut self.rows[to as usize];
        if row.set.insert(loc) {
            row.new.insert(loc);
            self.pending.add(to);
        }
    }

    pub(crate) fn include(&mut self, to: u32, set: &Set) {
        let row = &mut self.rows[to as usize];
        if row.set.absorb(set, &mut row.new) {
            self.pending.add(to);
        }
    }

    /// Both are variables that stand for their cycles.
    pub(crate) fn edge(&mut self, from: u32, to: u32) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.edges_since_order += 1;
        self.edge_count += 1;
        if from == WILD {
            return self.wild.pending.push(to);
        }
        self.rows[from as usize].successors.push(to);
        let set = std::mem::take(&mut self.rows[from as usize].set);
        self.include(to, &set);
        self.rows[from as usize].set = set;
    }

    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            cycles_collapsed: self.cycles,
            gave_up: self.is_exhausted(),
            rounds: self.rounds,
            wild: self.wild.count,
            ..Statistics::default()
        }
    }

    pub(crate) fn into_solution(self) -> (Rules<'a>, Solved) {
        let Self { rules, slots, classes, rows, merged, .. } = self;
        let sets = rows.into_iter().map(|row| row.set).collect();
        (rules, Solved { slots, classes, sets, merged })
    }
}

pub(crate) struct Solved {
    slots: Vec<u32>,
    classes: Forest,
    sets: Vec<Set>,
    merged: Forest,
}

impl Solution for Solved {
    fn class_count(&self) -> usize {
        self.sets.len() + 1
    }

    /// One more than the variable; 0 is the class of all that point nowhere.
    fn class(&self, node: NodeId) -> usize {
        if node.0 as usize >= self.slots.len() {
            return 0;
        }
        match self.slots[self.classes.peek(node.0) as usize] {
            NONE => 0,
            slot => 1 + self.merged.peek(slot) as usize,
        }
    }

    fn members(&self, class: usize) -> Vec<LocId> {
        class.checked_sub(1).map_or_else(Vec::new, |row| self.sets[row].iter().collect())
    }
}
