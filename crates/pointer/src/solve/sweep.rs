//! Sweeps over the variables, and what an element does where it arrives.

use super::components::components;
use super::graph::{Solver, Use};
use super::set::Set;
use super::wild::WILD;

/// The order is made anew when this share of the edges is new: 1/16.
const NEW_EDGES: usize = 16;
const FEW_EDGES: usize = 2000;

impl Solver<'_> {
    pub(crate) fn run(&mut self) {
        let mut order = self.order();
        loop {
            self.rounds += 1;
            let changed = self.sweep(&order);
            if !self.settle() && !changed || self.is_exhausted() {
                break;
            }
            if self.order_is_old() || order.len() * 9 < self.rows.len() * 8 {
                order = self.order();
            } else {
                let known = u32::try_from(order.len()).unwrap_or(u32::MAX);
                order.extend(known..u32::try_from(self.rows.len()).unwrap_or(u32::MAX));
            }
        }
    }

    /// Takes what the world and the rules have made meanwhile; true if there was any.
    fn settle(&mut self) -> bool {
        let mut changed = false;
        loop {
            let constraints = std::mem::take(&mut self.rules.out);
            let quiet = constraints.is_empty();
            self.add_all(constraints);
            let told = self.tell_watches();
            let merged = self.merge_locations();
            let joined = self.join_wild();
            if quiet && !told && !merged && !joined {
                return changed;
            }
            changed = true;
        }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.work > self.rules.world.options.work
    }

    fn order_is_old(&self) -> bool {
        self.edges_since_order > FEW_EDGES && self.edges_since_order * NEW_EDGES > self.edge_count
    }

    /// True if anything was new. Ends early when so many edges have come that most work would be
    /// to carry elements around cycles.
    fn sweep(&mut self, order: &[u32]) -> bool {
        let mut changed = false;
        let mut start = 0;
        while let Some(place) = self.pending.take(start, order.len()) {
            let variable = order[place];
            start = place + 1;
            if self.order_is_old() || self.is_exhausted() {
                self.pending.add(variable);
                return true;
            }
            if self.rows[variable as usize].new.is_empty() {
                continue;
            }
            changed = true;
            self.visit(variable);
            self.join_wild();
        }
        changed
    }

    /// Hands on what is new.
    fn visit(&mut self, variable: u32) {
        if variable != WILD && self.has_too_many(variable) {
            return self.wild.pending.push(variable);
        }
        let new = std::mem::take(&mut self.rows[variable as usize].new);
        self.work += (new.len() * (1 + self.rows[variable as usize].uses.len())) as u64;
        for loc in std::mem::take(&mut self.rows[variable as usize].awaited) {
            self.store(loc, variable);
        }
        let mut next = 0;
        while let Some(&used) = self.rows[variable as usize].uses.get(next) {
            self.apply(used, &new);
            next += 1;
        }
        let mut next = 0;
        while let Some(&to) = self.rows[variable as usize].successors.get(next) {
            let to = self.merged.find(to);
            if to != variable {
                self.include(to, &new);
            }
            next += 1;
        }
    }

    pub(crate) fn apply(&mut self, used: Use, new: &Set) {
        match used {
            // `l ∈ from ⟹ l + by ∈ to`
            Use::Offset { to, by } => {
                let to = self.merged.find(to);
                for loc in new.iter() {
                    if let Some(loc) = self.rules.world.shift(loc, by) {
                        self.insert(to, loc);
                    }
                }
            }
            // `l ∈ from ⟹ ⟦l⟧ ⊆ to`
            Use::Load { to } => {
                for loc in new.iter() {
                    let to = self.merged.find(to);
                    self.load(loc, to);
                }
            }
            // `l ∈ to ⟹ from ⊆ ⟦l⟧`
            Use::Store { from } => {
                for loc in new.iter() {
                    self.store(loc, from);
                }
            }
            Use::CopyTo(id) => new.iter().for_each(|loc| self.copy_to(id, loc)),
            Use::CopyFrom(id) => new.iter().for_each(|loc| self.copy_from(id, loc)),
            Use::Reach { to } => new.iter().for_each(|loc| self.reach(loc, to)),
            Use::Wild => new.iter().for_each(|loc| self.point_wild(loc)),
            Use::Overwrite => new.iter().for_each(|loc| self.overwrite(loc)),
            Use::Indirect(site) => new.iter().for_each(|loc| self.rules.connect(site, loc)),
            Use::Escape => new.iter().for_each(|loc| self.rules.escape(loc)),
        }
    }

    /// Makes one variable of each copy cycle, and puts the rest in topological order.
    fn order(&mut self) -> Vec<u32> {
        self.edges_since_order = 0;
        self.renumber_edges();
        let found = components(self.rows.len(), |row| &self.rows[row as usize].successors);
        self.collapse_cycles(&found.of, found.count);
        let order = self.topological();
        self.pending.reorder(&order);
        for (variable, row) in (0..).zip(&self.rows) {
            if !row.new.is_empty() {
                self.pending.add(variable);
            }
        }
        order
    }

    /// Edges end at what stands for their target, once.
    fn renumber_edges(&mut self) {
        let Self { rows, merged, .. } = self;
        for (index, row) in rows.iter_mut().enumerate() {
            row.successors.iter_mut().for_each(|to| *to = merged.find(*to));
            row.successors.sort_unstable();
            row.successors.dedup();
            row.successors.retain(|&to| to as usize != index);
        }
    }

    fn collapse_cycles(&mut self, component: &[u32], count: u32) {
        let mut first = vec![u32::MAX; count as usize];
        for (row, &component) in component.iter().enumerate() {
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            let first = &mut first[component as usize];
            if *first == u32::MAX {
                *first = row;
            } else {
                self.unite(*first, row);
                self.cycles += 1;
            }
        }
    }

    /// One variable for two: what either has not handed on, both have not.
    pub(crate) fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.merged.find(a), self.merged.find(b));
        if a == WILD || b == WILD {
            return self.wild.pending.push(a.max(b));
        }
        let Some((root, child)) = self.merged.join(a, b) else { return };
        let gone = std::mem::take(&mut self.rows[child as usize]);
        let row = &mut self.rows[root as usize];
        let before = row.set.clone();
        row.set.absorb(&gone.set, &mut row.new);
        gone.set.clone().absorb(&before, &mut row.new);
        row.new.unite(&gone.new);
        self.pending.add(root);
        row.successors.extend(gone.successors);
        row.awaited.extend(gone.awaited);
        row.uses.extend(gone.uses);
    }

    /// Depth first over copy and offset edges, last finished first.
    fn topological(&mut self) -> Vec<u32> {
        self.renumber_edges();
        let count = self.rows.len();
        let mut seen = vec![false; count];
        let mut finished = Vec::with_capacity(count);
        let mut path: Vec<(u32, usize)> = Vec::new();
        for root in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            if !seen[root as usize] {
                seen[root as usize] = true;
                path.push((root, 0));
            }
            while let Some((row, next)) = path.last_mut() {
                let target = self.follower(*row, *next);
                *next += 1;
                match target {
                    None => {
                        finished.push(*row);
                        path.pop();
                    }
                    Some(Some(target)) if !seen[target as usize] => {
                        seen[target as usize] = true;
                        path.push((target, 0));
                    }
                    Some(_) => {}
                }
            }
        }
        finished.reverse();
        finished
    }

    /// The `nth` variable that gets something of this one; none past the last.
    fn follower(&self, row: u32, nth: usize) -> Option<Option<u32>> {
        let row = &self.rows[row as usize];
        if let Some(&to) = row.successors.get(nth) {
            return Some(Some(to));
        }
        let used = row.uses.get(nth - row.successors.len())?;
        Some(match *used {
            Use::Offset { to, .. } | Use::Load { to } => Some(self.merged.peek(to)),
            _ => None,
        })
    }
}
