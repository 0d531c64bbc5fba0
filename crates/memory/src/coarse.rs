//! SABER's regions of a function (S4, section 4.2.2), as unions of the exact ones.
//!
//! One GLOBAL; for each load and store the non-local locations that it may touch; for each call
//! every location that its callees may touch by itself; every local location by itself. A region
//! within another one is left out, for an access of the larger implies one of the smaller. These
//! regions may overlap. An exact region whose locations no access tells apart is not split: one
//! with locals and others counts as non-local, one with globals and others as both.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_ir::Inst;
use caulk_pointer::ObjKind;
use caulk_program::InstanceId;

use crate::footprint::FootprintId;
use crate::memory::Memory;
use crate::regions::RegionId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoarseKind {
    Global,
    NonLocal,
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoarseRegion {
    pub kind: CoarseKind,
    /// Sorted.
    pub regions: Vec<RegionId>,
}

impl Memory<'_> {
    /// The regions of a function: GLOBAL, if it touches a global, then those that are not local,
    /// then its locals.
    #[must_use]
    pub fn coarse_regions(&self, instance: InstanceId) -> Vec<CoarseRegion> {
        let mut collected =
            Collected { memory: self, instance, sets: FxHashSet::default(), globals: false };
        for access in &self.accesses(instance).rows {
            let is_call = matches!(self.body(instance).insts[access.inst], Inst::Call(_));
            for footprint in [access.reads, access.writes] {
                if is_call { collected.each(footprint) } else { collected.dereference(footprint) }
            }
        }
        for &(_, call) in &self.accesses(instance).calls {
            for callee in self.callees(instance, call) {
                let effects = self.effects(callee);
                let touched = effects.reads.iter().chain(effects.writes.iter());
                touched.for_each(|region| collected.add(&[region]));
            }
        }
        collected.finish()
    }

    fn coarse_kind(&self, instance: InstanceId, region: RegionId) -> CoarseKind {
        if self.kinds_in(region).all(|kind| matches!(kind, ObjKind::Static(_))) {
            CoarseKind::Global
        } else if !self.modref().is_recursive(instance)
            && self.kinds_in(region).all(|kind| kind.local_to() == Some(instance))
        {
            CoarseKind::Local
        } else {
            CoarseKind::NonLocal
        }
    }

    fn has_global(&self, region: RegionId) -> bool {
        self.kinds_in(region).any(|kind| matches!(kind, ObjKind::Static(_)))
    }

    fn kinds_in(&self, region: RegionId) -> impl Iterator<Item = ObjKind> + '_ {
        let points_to = self.input().points_to;
        let locations = self.regions().locations(region).iter();
        locations.map(|&location| points_to.objects[points_to.locations.object(location)].kind)
    }
}

struct Collected<'a, 'p> {
    memory: &'a Memory<'p>,
    instance: InstanceId,
    sets: FxHashSet<(CoarseKind, Vec<RegionId>)>,
    globals: bool,
}

impl Collected<'_, '_> {
    /// `*p` at a load or store.
    fn dereference(&mut self, footprint: FootprintId) {
        let memory = self.memory;
        self.add(memory.regions().of_footprint(footprint));
    }

    /// What a library function touches.
    fn each(&mut self, footprint: FootprintId) {
        let memory = self.memory;
        let touched = memory.regions().of_footprint(footprint).iter();
        touched.for_each(|&region| self.add(&[region]));
    }

    /// The non-local ones together, each local one by itself.
    fn add(&mut self, regions: &[RegionId]) {
        let mut together = Vec::new();
        for &region in regions {
            self.globals |= self.memory.has_global(region);
            match self.memory.coarse_kind(self.instance, region) {
                CoarseKind::Global => {}
                CoarseKind::NonLocal => together.push(region),
                CoarseKind::Local => {
                    self.sets.insert((CoarseKind::Local, vec![region]));
                }
            }
        }
        if !together.is_empty() {
            self.sets.insert((CoarseKind::NonLocal, together));
        }
    }

    fn finish(self) -> Vec<CoarseRegion> {
        let mut sets: Vec<(CoarseKind, Vec<RegionId>)> = self.sets.into_iter().collect();
        sets.sort_unstable_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let mut kept: Vec<CoarseRegion> = without_subsets(sets);
        if self.globals {
            let all = self.memory.regions().ids().filter(|&region| self.memory.has_global(region));
            kept.push(CoarseRegion { kind: CoarseKind::Global, regions: all.collect() });
        }
        kept.sort_unstable();
        kept
    }
}

/// Of sets with the larger ones first, those that are in no other.
fn without_subsets(sets: Vec<(CoarseKind, Vec<RegionId>)>) -> Vec<CoarseRegion> {
    let mut kept: Vec<CoarseRegion> = Vec::new();
    let mut having: FxHashMap<RegionId, Vec<usize>> = FxHashMap::default();
    for (kind, regions) in sets {
        let others = regions.first().and_then(|first| having.get(first)).into_iter().flatten();
        let contains = |&at: &usize| {
            let larger: &[RegionId] = &kept[at].regions;
            regions.iter().all(|region| larger.binary_search(region).is_ok())
        };
        if others.into_iter().any(contains) {
            continue;
        }
        for &region in &regions {
            having.entry(region).or_default().push(kept.len());
        }
        kept.push(CoarseRegion { kind, regions });
    }
    kept
}
