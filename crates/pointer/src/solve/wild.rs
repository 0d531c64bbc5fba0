//! The one variable of all wild pointers, and what its uses become: see `crate::wild`.

use super::copies::CopyId;
use super::graph::{Solver, Use};
use crate::constraint::SiteId;
use crate::location::LocId;
use crate::object::ObjKind;

/// The first variable, so that it stands for all that join it.
pub(crate) const WILD: u32 = 0;

#[derive(Default)]
pub(crate) struct WildUses {
    read: u32,
    written: u32,
    /// Variables that are wild and have not been joined.
    pub pending: Vec<u32>,
    pub count: usize,
    sites: Vec<SiteId>,
    /// What wild pointers point to that is no procedure and can be called: the external functions,
    /// and one location for all memory from outside, where a call finds unknown code.
    foreign: Vec<LocId>,
    unknown_code: bool,
}

impl Solver<'_> {
    pub(crate) fn start_wild(&mut self) {
        let wild = self.rules.world.wild;
        let all = self.variable(wild.all);
        debug_assert_eq!(all, WILD);
        let (read, written) = (self.variable(wild.read), self.variable(wild.written));
        self.wild.read = read;
        self.wild.written = written;
        let uses = [Use::Wild, Use::Load { to: read }, Use::Store { from: written }];
        self.rows[WILD as usize].uses.extend(uses);
    }

    pub(crate) fn has_too_many(&self, variable: u32) -> bool {
        let set = &self.rows[variable as usize].set;
        set.len() > self.rules.world.options.wild && self.rules.world.are_too_many(set.iter())
    }

    /// `x` wild `⟹ x = Wild`; true if there were any.
    pub(crate) fn join_wild(&mut self) -> bool {
        let mut joined = false;
        while let Some(variable) = self.wild.pending.pop() {
            joined |= self.join_one(variable);
        }
        joined
    }

    fn join_one(&mut self, variable: u32) -> bool {
        let variable = self.merged.find(variable);
        if variable == WILD {
            return false;
        }
        self.merged.join(WILD, variable);
        self.wild.count += 1;
        let gone = std::mem::take(&mut self.rows[variable as usize]);
        self.include(WILD, &gone.set);
        for loc in gone.awaited {
            self.store(loc, WILD);
        }
        for used in gone.uses {
            self.use_wild(used);
        }
        for to in gone.successors {
            let to = self.merged.find(to);
            self.edge(WILD, to);
        }
        true
    }

    pub(crate) fn use_wild(&mut self, used: Use) {
        match used {
            Use::Offset { to, .. } => {
                let to = self.merged.find(to);
                self.edge(WILD, to);
            }
            Use::Load { to } | Use::Reach { to } => self.read_wild(to),
            Use::Store { from } => self.write_wild(from),
            Use::CopyTo(id) => self.copy_to_wild(id),
            Use::CopyFrom(id) => self.copy_from_wild(id),
            Use::Overwrite => {
                let written = self.merged.find(self.wild.written);
                self.insert(written, self.rules.world.outside);
            }
            Use::Indirect(site) => self.call_wild(site),
            Use::Wild | Use::Escape => self.add_wild(used),
        }
    }

    fn add_wild(&mut self, used: Use) {
        let row = &mut self.rows[WILD as usize];
        row.uses.push(used);
        let set = row.set.clone();
        self.apply(used, &set);
    }

    /// `l ∈ Wild ⟹` the object of `l` collapses, a function is entered by wild calls
    pub(crate) fn point_wild(&mut self, loc: LocId) {
        let object = self.rules.world.locations.object(loc);
        let row = self.rules.world.objects[object];
        match row.kind.is_function() {
            true => self.rules.enter_wild(loc),
            false => self.rules.world.collapse(object),
        }
        let external = matches!(row.kind, ObjKind::External(_));
        if external || row.outside && !std::mem::replace(&mut self.wild.unknown_code, true) {
            self.wild.foreign.push(loc);
            for site in self.wild.sites.clone() {
                self.rules.connect(site, loc);
            }
        }
    }

    fn call_wild(&mut self, site: SiteId) {
        self.rules.connect_wild(site);
        self.wild.sites.push(site);
        for loc in self.wild.foreign.clone() {
            self.rules.connect(site, loc);
        }
    }

    pub(crate) fn read_wild(&mut self, to: u32) {
        let (from, to) = (self.merged.find(self.wild.read), self.merged.find(to));
        self.edge(from, to);
    }

    pub(crate) fn write_wild(&mut self, from: u32) {
        let (from, to) = (self.merged.find(from), self.merged.find(self.wild.written));
        self.edge(from, to);
    }

    /// A source of a copy through a wild pointer: its places are not told apart.
    pub(crate) fn drain_source(&mut self, source: LocId) {
        let object = self.rules.world.locations.object(source);
        if self.rules.world.objects[object].outside {
            self.rules.world.collapse(object);
        }
        let source = self.rules.world.canonical(source);
        let written = self.wild.written;
        let to = self.merged.find(written);
        self.load(source, to);
        self.reach(source, written);
    }

    /// A target of a copy through a wild pointer.
    pub(crate) fn flood_target(&mut self, target: LocId) {
        let object = self.rules.world.locations.object(target);
        self.rules.world.collapse(object);
        let contents = self.contents(self.rules.world.canonical(target));
        self.read_wild(contents);
    }

    fn copy_to_wild(&mut self, id: CopyId) {
        let (sources, both) = self.make_target_wild(id);
        sources.into_iter().for_each(|source| self.drain_source(source));
        if both {
            self.write_wild(self.wild.read);
        }
    }

    fn copy_from_wild(&mut self, id: CopyId) {
        let (targets, both) = self.make_source_wild(id);
        targets.into_iter().for_each(|target| self.flood_target(target));
        if both {
            self.write_wild(self.wild.read);
        }
    }
}
