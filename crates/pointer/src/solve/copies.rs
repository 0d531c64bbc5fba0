//! Copies of memory, from every source through one buffer to every target: work in proportion to
//! sources plus targets, and not to their product.
//!
//! The buffer has a variable for each place (distance from the start). A place of a source is
//! copied into the buffer's, and from there into each target's. A source from outside holds
//! something at every place, so the places of targets are asked of it too. What a collapsed
//! source holds may lie anywhere: `anywhere` goes to the start and to every place of a target. A place that
//! no target has is not read: nothing is made for nobody.

use caulk_base::{FxHashMap, FxHashSet};

use super::graph::Solver;
use crate::location::LocId;
use crate::object::ObjId;

pub(crate) type CopyId = u32;

#[derive(Default)]
pub(crate) struct Copying {
    size: Option<u64>,
    /// The pointer to the source, or to the target, is wild.
    wild_source: bool,
    wild_target: bool,
    buffer: FxHashMap<i64, u32>,
    /// What collapsed sources hold.
    anywhere: Option<u32>,
    /// Some of the sources collapsed while solving, and the targets with them.
    spreads: bool,
    sources: FxHashSet<LocId>,
    collapsed: Vec<LocId>,
    /// Sources from outside, and the places that targets have.
    outside: Vec<LocId>,
    asked: Vec<(LocId, i64)>,
    asked_set: FxHashSet<(LocId, i64)>,
    targets: Vec<LocId>,
    target_set: FxHashSet<LocId>,
    /// Places that no target has, with the sources that do.
    unwanted: FxHashMap<i64, Vec<LocId>>,
}

impl Solver<'_> {
    pub(crate) fn new_copying(&mut self, size: Option<u64>) -> CopyId {
        self.copyings.push(Copying { size, ..Copying::default() });
        u32::try_from(self.copyings.len() - 1).unwrap_or(u32::MAX)
    }

    fn copying(&mut self, id: CopyId) -> &mut Copying {
        &mut self.copyings[id as usize]
    }

    pub(crate) fn copy_from(&mut self, id: CopyId, start: LocId) {
        let start = self.rules.world.canonical(start);
        if !self.copying(id).sources.insert(start) {
            return;
        }
        if self.copying(id).wild_target {
            return self.drain_source(start);
        }
        let object = self.rules.world.locations.object(start);
        self.watches.sources.entry(object).or_default().push((id, start));
        let row = self.rules.world.objects[object];
        if row.collapsed {
            return self.copy_anywhere(id, start);
        }
        let size = self.copying(id).size;
        for place in self.rules.world.places(start, size) {
            self.fill(id, start, place);
        }
        if row.outside {
            self.copying(id).outside.push(start);
            for (target, place) in self.copying(id).asked.clone() {
                self.answer(id, start, target, place);
            }
        }
    }

    pub(crate) fn copy_to(&mut self, id: CopyId, start: LocId) {
        let start = self.rules.world.canonical(start);
        if !self.copying(id).target_set.insert(start) {
            return;
        }
        self.copying(id).targets.push(start);
        if self.copying(id).wild_source {
            return self.flood_target(start);
        }
        let object = self.rules.world.locations.object(start);
        if self.copying(id).spreads {
            self.rules.world.collapse(object);
        }
        self.watches.targets.entry(object).or_default().push((id, start));
        let mut buffer: Vec<(i64, u32)> =
            self.copying(id).buffer.iter().map(|(&place, &from)| (place, from)).collect();
        buffer.sort_unstable();
        for (place, from) in buffer {
            self.drain(start, place, from);
        }
        self.retry_unwanted(id, start);
        if self.copying(id).targets.len() == 1 {
            for source in std::mem::take(&mut self.copying(id).collapsed) {
                self.copy_anywhere(id, source);
            }
        }
        if let Some(anywhere) = self.copying(id).anywhere {
            self.drain(start, 0, anywhere);
        }
        let size = self.copying(id).size;
        for place in self.rules.world.places(start, size) {
            self.ask(id, start, place);
        }
    }

    /// The sources so far, and whether both are wild.
    pub(crate) fn make_target_wild(&mut self, id: CopyId) -> (Vec<LocId>, bool) {
        let copying = self.copying(id);
        copying.wild_target = true;
        let mut sources: Vec<LocId> = copying.sources.iter().copied().collect();
        sources.sort_unstable();
        (sources, copying.wild_source)
    }

    /// The targets so far, and whether both are wild.
    pub(crate) fn make_source_wild(&mut self, id: CopyId) -> (Vec<LocId>, bool) {
        let copying = self.copying(id);
        copying.wild_source = true;
        (copying.targets.clone(), copying.wild_target)
    }

    fn retry_unwanted(&mut self, id: CopyId, target: LocId) {
        let mut places: Vec<i64> = self.copying(id).unwanted.keys().copied().collect();
        places.sort_unstable();
        places.retain(|&place| self.rules.world.shift(target, place).is_some());
        for place in places {
            for source in self.copying(id).unwanted.remove(&place).unwrap_or_default() {
                self.fill(id, source, place);
            }
        }
    }

    pub(crate) fn source_grew(&mut self, id: CopyId, start: LocId, loc: LocId) {
        let size = self.copying(id).size;
        if !self.is_collapsed(start)
            && let Some(place) = self.rules.world.place_of(start, loc, size)
        {
            self.fill(id, start, place);
        }
    }

    pub(crate) fn target_grew(&mut self, id: CopyId, start: LocId, loc: LocId) {
        let size = self.copying(id).size;
        if let Some(place) = self.rules.world.place_of(start, loc, size) {
            self.ask(id, start, place);
        }
    }

    /// A source's place goes into the buffer's.
    fn fill(&mut self, id: CopyId, start: LocId, place: i64) {
        let known = self.copying(id).buffer.get(&place).copied();
        let Some(into) = known.or_else(|| self.new_place(id, place)) else {
            return self.copying(id).unwanted.entry(place).or_default().push(start);
        };
        if let Some(loc) = self.rules.world.shift(start, place) {
            let into = self.merged.find(into);
            self.load(loc, into);
        }
    }

    /// The buffer's place, which goes to all targets; none if no target has it.
    fn new_place(&mut self, id: CopyId, place: i64) -> Option<u32> {
        if self.copying(id).unwanted.contains_key(&place) {
            return None;
        }
        let targets = self.copying(id).targets.clone();
        let locs: Vec<LocId> =
            targets.iter().filter_map(|&target| self.rules.world.shift(target, place)).collect();
        if locs.is_empty() {
            return None;
        }
        let from = self.fresh();
        self.copying(id).buffer.insert(place, from);
        for loc in locs {
            let contents = self.contents(loc);
            self.edge(from, contents);
        }
        Some(from)
    }

    fn drain(&mut self, target: LocId, place: i64, from: u32) {
        if let Some(loc) = self.rules.world.shift(target, place) {
            let (contents, from) = (self.contents(loc), self.merged.find(from));
            self.edge(from, contents);
        }
    }

    /// What sources that hold something everywhere hold at a place of a target.
    fn ask(&mut self, id: CopyId, target: LocId, place: i64) {
        if let Some(anywhere) = self.copying(id).anywhere {
            self.drain(target, place, anywhere);
        }
        if self.copying(id).asked_set.insert((target, place)) {
            self.copying(id).asked.push((target, place));
            for source in self.copying(id).outside.clone() {
                if !self.is_collapsed(source) {
                    self.answer(id, source, target, place);
                }
            }
        }
    }

    /// A place that the source folds is no place of its own, and goes to this target alone.
    fn answer(&mut self, id: CopyId, source: LocId, target: LocId, place: i64) {
        let Some(loc) = self.rules.world.shift(source, place) else { return };
        let size = self.copying(id).size;
        if self.rules.world.place_of(source, loc, size) == Some(place) {
            return self.fill(id, source, place);
        }
        if let Some(to) = self.rules.world.shift(target, place) {
            let to = self.contents(to);
            self.load(loc, to);
        }
    }

    fn is_collapsed(&self, loc: LocId) -> bool {
        self.rules.world.objects[self.rules.world.locations.object(loc)].collapsed
    }

    fn copy_anywhere(&mut self, id: CopyId, source: LocId) {
        if self.copying(id).targets.is_empty() {
            return self.copying(id).collapsed.push(source);
        }
        self.spread(id, source);
        let known = self.copying(id).anywhere;
        let anywhere = known.unwrap_or_else(|| self.fresh());
        self.copying(id).anywhere = Some(anywhere);
        let into = self.merged.find(anywhere);
        self.load(source, into);
        if known.is_some() {
            return;
        }
        let size = self.copying(id).size;
        for target in self.copying(id).targets.clone() {
            self.drain(target, 0, anywhere);
            for place in self.rules.world.places(target, size) {
                self.drain(target, place, anywhere);
            }
        }
    }

    fn spread(&mut self, id: CopyId, source: LocId) {
        if self.rules.world.spreads(source)
            && !std::mem::replace(&mut self.copying(id).spreads, true)
        {
            for target in self.copying(id).targets.clone() {
                let object = self.rules.world.locations.object(target);
                self.rules.world.collapse(object);
            }
        }
    }

    /// Copies whose source collapsed.
    pub(crate) fn recopy_collapsed(&mut self, objects: &[ObjId]) {
        for &object in objects {
            let base = self.rules.world.base(object);
            let base = self.rules.world.canonical(base);
            for (id, _) in self.watches.sources.get(&object).cloned().unwrap_or_default() {
                self.copy_anywhere(id, base);
            }
        }
    }
}
