//! Mod-ref against the naive closure over the call graph, on random programs.

mod facts;
mod random_c;

use std::collections::{BTreeMap, BTreeSet};

use caulk_driver::WholeProgram;
use caulk_memory::{Memory, RegionId, RegionSet};
use caulk_pointer::{LocId, Target};
use caulk_program::InstanceId;

const SEEDS: u64 = 200;

type Locations = BTreeSet<LocId>;

#[test]
fn effects_are_those_of_all_that_is_called() {
    let (mut recursive, mut dropped) = (0, 0);
    for seed in 1..=SEEDS {
        let c = random_c::program(seed);
        let whole = facts::of_c(&c);
        let memory = whole.memory();
        let naive = Naive::new(&whole, &memory);
        for instance in whole.instances.rows.ids() {
            let effects = memory.effects(instance);
            let [reads, writes] = &naive.effects[&instance];
            let what = |part: &str| format!("seed {seed}: {part} of {instance} in\n{c}");
            assert_eq!(regions(&effects.reads), covered(&memory, reads), "{}", what("reads"));
            assert_eq!(regions(&effects.writes), covered(&memory, writes), "{}", what("writes"));
            let cyclic = naive.is_recursive(instance);
            assert_eq!(memory.modref().is_recursive(instance), cyclic, "{}", what("recursion"));
            recursive += usize::from(cyclic);
            dropped += usize::from(!cyclic && naive.has_locals(&whole, &memory, instance));
        }
    }
    assert!(recursive > 30 && dropped > 200, "{recursive} recursive, {dropped} with locals");
}

fn regions(set: &RegionSet) -> BTreeSet<RegionId> {
    set.iter().collect()
}

fn covered(memory: &Memory, locations: &Locations) -> BTreeSet<RegionId> {
    let region = |&location: &LocId| memory.regions().of_location(location);
    locations.iter().map(|it| region(it).expect("what is accessed has a region")).collect()
}

/// Sets of locations, added up until nothing changes.
struct Naive {
    callees: BTreeMap<InstanceId, BTreeSet<InstanceId>>,
    effects: BTreeMap<InstanceId, [Locations; 2]>,
}

impl Naive {
    fn new(whole: &WholeProgram, memory: &Memory) -> Self {
        let ids = || whole.instances.rows.ids();
        let callees = ids().map(|it| (it, callees(whole, it))).collect();
        let mut naive = Self { callees, effects: BTreeMap::new() };
        for instance in ids() {
            let own = naive.visible(whole, instance, own(memory, instance));
            naive.effects.insert(instance, own);
        }
        while naive.round(whole) {}
        naive
    }

    fn round(&mut self, whole: &WholeProgram) -> bool {
        let mut changed = false;
        let ids: Vec<InstanceId> = self.callees.keys().copied().collect();
        for instance in ids {
            let mut sum = self.effects[&instance].clone();
            for callee in &self.callees[&instance] {
                let theirs = &self.effects[callee];
                sum.iter_mut().zip(theirs).for_each(|(mine, theirs)| mine.extend(theirs));
            }
            let sum = self.visible(whole, instance, sum);
            changed |= self.effects.insert(instance, sum.clone()) != Some(sum);
        }
        changed
    }

    /// Without what dies with the activation.
    fn visible(
        &self,
        whole: &WholeProgram,
        instance: InstanceId,
        mut effects: [Locations; 2],
    ) -> [Locations; 2] {
        if !self.is_recursive(instance) {
            let is_mine = |it: &LocId| owner(whole, *it) == Some(instance);
            effects.iter_mut().for_each(|set| set.retain(|it| !is_mine(it)));
        }
        effects
    }

    /// Whether some chain of calls leads back.
    fn is_recursive(&self, instance: InstanceId) -> bool {
        let mut seen = BTreeSet::new();
        let mut work: Vec<InstanceId> = self.callees[&instance].iter().copied().collect();
        while let Some(next) = work.pop() {
            if seen.insert(next) {
                work.extend(&self.callees[&next]);
            }
        }
        seen.contains(&instance)
    }

    fn has_locals(&self, whole: &WholeProgram, memory: &Memory, instance: InstanceId) -> bool {
        let own = own(memory, instance);
        own.iter().flatten().any(|&location| owner(whole, location) == Some(instance))
    }
}

fn callees(whole: &WholeProgram, caller: InstanceId) -> BTreeSet<InstanceId> {
    let body = whole.instances.body(&whole.program, caller);
    let targets = body.calls.ids().flat_map(|call| whole.points_to.callees(caller, call));
    let instance = |target: &Target| match *target {
        Target::Instance(callee) => Some(callee),
        _ => None,
    };
    targets.filter_map(instance).collect()
}

fn own(memory: &Memory, instance: InstanceId) -> [Locations; 2] {
    let rows = &memory.accesses(instance).rows;
    let locations = |footprint| memory.footprints().locations(footprint);
    [
        rows.iter().flat_map(|row| locations(row.reads)).copied().collect(),
        rows.iter().flat_map(|row| locations(row.writes)).copied().collect(),
    ]
}

fn owner(whole: &WholeProgram, location: LocId) -> Option<InstanceId> {
    let points_to = &whole.points_to;
    points_to.objects[points_to.locations.object(location)].kind.local_to()
}
