//! The rules that concern whole objects, which must hear of locations that get contents later.

use caulk_base::{FxHashMap, FxHashSet};

use super::copies::CopyId;
use super::graph::Solver;
use super::set::Set;
use crate::location::LocId;
use crate::object::ObjId;

/// Who wants to know of new contents of an object.
#[derive(Default)]
pub(crate) struct Watches {
    reach: FxHashMap<ObjId, Vec<u32>>,
    overwrite: FxHashSet<ObjId>,
    /// With the place in the object that is copied from, or to.
    pub sources: FxHashMap<ObjId, Vec<(CopyId, LocId)>>,
    pub targets: FxHashMap<ObjId, Vec<(CopyId, LocId)>>,
}

impl Solver<'_> {
    /// A location from outside holds what lies behind it, once it is loaded.
    pub(crate) fn load(&mut self, loc: LocId, to: u32) {
        if loc == self.rules.world.outside {
            return self.insert(to, loc);
        }
        let contents = self.contents(loc);
        self.materialise(loc, contents);
        self.edge(contents, to);
    }

    pub(crate) fn store(&mut self, loc: LocId, from: u32) {
        let from = self.merged.find(from);
        let row = &mut self.rows[from as usize];
        if row.set.is_empty() {
            return row.awaited.push(loc);
        }
        let contents = self.contents(loc);
        self.edge(from, contents);
    }

    pub(crate) fn materialise(&mut self, loc: LocId, contents: u32) {
        let world = &mut self.rules.world;
        if world.objects[world.locations.object(loc)].outside
            && self.held.insert(loc)
            && let Some(held) = world.held(loc)
        {
            self.insert(contents, held);
        }
    }

    /// `l ∈ from, l ≠ Outside, m in the object of l ⟹ ⟦m⟧ ⊆ to`
    pub(crate) fn reach(&mut self, loc: LocId, to: u32) {
        let world = &self.rules.world;
        let object = world.locations.object(world.canonical(loc));
        let watchers = self.watches.reach.entry(object).or_default();
        if watchers.contains(&to) {
            return;
        }
        watchers.push(to);
        for loc in self.rules.world.reached(loc) {
            let (contents, to) = (self.contents(loc), self.merged.find(to));
            self.edge(contents, to);
        }
    }

    /// `l ∈ through, m in the object of l` can hold a pointer `⟹ Outside ∈ ⟦m⟧`
    pub(crate) fn overwrite(&mut self, loc: LocId) {
        let world = &self.rules.world;
        let object = world.locations.object(world.canonical(loc));
        if self.watches.overwrite.insert(object) {
            for loc in self.rules.world.overwritten(loc) {
                let contents = self.contents(loc);
                self.insert(contents, self.rules.world.outside);
            }
        }
    }

    /// Tells who watches the objects of locations that are read or written for the first time;
    /// true if there were any.
    pub(crate) fn tell_watches(&mut self) -> bool {
        let new = self.rules.world.nodes.take_new_contents();
        new.iter().for_each(|&(loc, _)| self.tell(loc));
        !new.is_empty()
    }

    fn tell(&mut self, loc: LocId) {
        let object = self.rules.world.locations.object(loc);
        let outside = self.rules.world.outside;
        for to in self.watches.reach.get(&object).cloned().unwrap_or_default() {
            if loc != outside {
                let (contents, to) = (self.contents(loc), self.merged.find(to));
                self.edge(contents, to);
            }
        }
        if self.watches.overwrite.contains(&object) && self.rules.world.takes_pointers(loc) {
            let contents = self.contents(loc);
            self.insert(contents, outside);
        }
        // Nobody begins to watch this object meanwhile.
        let sources = self.watches.sources.remove(&object).unwrap_or_default();
        sources.iter().for_each(|&(id, start)| self.source_grew(id, start, loc));
        let targets = self.watches.targets.remove(&object).unwrap_or_default();
        targets.iter().for_each(|&(id, start)| self.target_grew(id, start, loc));
        self.watches.sources.insert(object, sources);
        self.watches.targets.insert(object, targets);
    }

    /// Locations that stand for others: their contents are one variable, and who points to the
    /// old one points to the new.
    pub(crate) fn merge_locations(&mut self) -> bool {
        let merged = std::mem::take(&mut self.rules.world.merged);
        let collapsed = std::mem::take(&mut self.rules.world.just_collapsed);
        self.recopy_collapsed(&collapsed);
        if collapsed.is_empty() && merged.is_empty() {
            return false;
        }
        let mut old = Set::default();
        for &(from, to) in &merged {
            old.insert(from);
            let (from, to) = (self.contents(from), self.contents(to));
            self.unite(from, to);
        }
        let mut bases = Set::default();
        for object in collapsed {
            bases.insert(self.rules.world.base(object));
        }
        let mut concerned = Vec::new();
        old.mark(&mut concerned);
        bases.mark(&mut concerned);
        for row in 0..self.rows.len() {
            if self.rows[row].set.meets(&concerned) {
                self.rename(row, &old, &bases);
            }
        }
        true
    }

    /// A step from the base of a collapsed object leads somewhere now: it is new once more.
    fn rename(&mut self, row: usize, old: &Set, bases: &Set) {
        let again = self.rows[row].set.common(bases);
        self.rows[row].new.unite(&again);
        self.pending.add(u32::try_from(row).unwrap_or(u32::MAX));
        let moved = self.rows[row].set.common(old);
        self.rows[row].set.remove(&moved);
        self.rows[row].new.remove(old);
        for loc in moved.iter() {
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            self.insert(row, self.rules.world.canonical(loc));
        }
    }
}
