//! Regions: the coarsest partition of the accessed locations that loses nothing.
//!
//! Two locations are in one region when every footprint of the program contains both or neither,
//! so no access can tell them apart: memory SSA over regions is as precise as over locations, and
//! mod-ref sets shrink to what differs. A location that some access touches alone is a region by
//! itself, which is what a strong update needs. A copy moves places at different distances to
//! different places; they are footprints too. What wild pointers point to is one region. SABER's regions (S4) are unions of these.

use caulk_base::{FxHashMap, Table, define_id};
use caulk_pointer::LocId;

use crate::footprint::{FootprintId, Footprints};

define_id!(pub RegionId, "r", "Locations that every access touches together.");

#[derive(Debug)]
pub struct Regions {
    of_location: FxHashMap<LocId, RegionId>,
    members: Table<RegionId, Vec<LocId>>,
    of_footprint: Table<FootprintId, Box<[RegionId]>>,
    wild: Option<RegionId>,
}

impl Regions {
    #[must_use]
    pub fn new(footprints: &Footprints) -> Self {
        let classes = refine(footprints);
        let (mut of_location, mut members) = number(&classes);
        let of_footprint = footprints
            .iter()
            .map(|(_, locations)| {
                let mut regions: Vec<RegionId> =
                    locations.iter().map(|location| of_location[location]).collect();
                regions.sort_unstable();
                regions.dedup();
                regions.into()
            })
            .collect();
        let wild = footprints.wild().first().and_then(|first| of_location.get(first)).copied();
        if let Some(wild) = wild {
            of_location.extend(footprints.wild().iter().map(|&location| (location, wild)));
            members[wild] = footprints.wild().to_vec();
        }
        Self { of_location, members, of_footprint, wild }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = RegionId> + ExactSizeIterator + use<> {
        self.members.ids()
    }

    /// The locations that wild pointers point to, as far as anything accesses them.
    #[must_use]
    pub fn wild(&self) -> Option<RegionId> {
        self.wild
    }

    #[must_use]
    pub fn is_wild(&self, region: RegionId) -> bool {
        self.wild == Some(region)
    }

    /// None for a location that nothing accesses.
    #[must_use]
    pub fn of_location(&self, location: LocId) -> Option<RegionId> {
        self.of_location.get(&location).copied()
    }

    /// Sorted.
    #[must_use]
    pub fn locations(&self, region: RegionId) -> &[LocId] {
        &self.members[region]
    }

    /// Sorted.
    #[must_use]
    pub fn of_footprint(&self, footprint: FootprintId) -> &[RegionId] {
        &self.of_footprint[footprint]
    }
}

/// Partition refinement: each footprint splits the classes that it only partly covers. Linear in
/// the sum of the footprints' sizes.
fn refine(footprints: &Footprints) -> FxHashMap<LocId, u32> {
    let mut class_of: FxHashMap<LocId, u32> = FxHashMap::default();
    let mut sizes: Vec<u32> = Vec::new();
    let mut touched: FxHashMap<u32, u32> = FxHashMap::default();
    for (_, locations) in footprints.iter() {
        touched.clear();
        let mut fresh = None;
        for &location in locations {
            match class_of.get(&location) {
                Some(&class) => *touched.entry(class).or_insert(0) += 1,
                None => {
                    let class = *fresh.get_or_insert_with(|| {
                        sizes.push(0);
                        sizes.len() as u32 - 1
                    });
                    sizes[class as usize] += 1;
                    class_of.insert(location, class);
                }
            }
        }
        split(locations, &mut class_of, &mut sizes, &touched, fresh);
    }
    class_of
}

fn split(
    locations: &[LocId],
    class_of: &mut FxHashMap<LocId, u32>,
    sizes: &mut Vec<u32>,
    touched: &FxHashMap<u32, u32>,
    fresh: Option<u32>,
) {
    let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
    for location in locations {
        let class = class_of[location];
        if Some(class) == fresh || touched[&class] == sizes[class as usize] {
            continue;
        }
        let new = *moved.entry(class).or_insert_with(|| {
            sizes.push(0);
            sizes.len() as u32 - 1
        });
        class_of.insert(*location, new);
        sizes[new as usize] += 1;
    }
    for (old, new) in moved {
        sizes[old as usize] -= sizes[new as usize];
    }
}

type Members = Table<RegionId, Vec<LocId>>;

/// Regions in the order of their first locations.
fn number(classes: &FxHashMap<LocId, u32>) -> (FxHashMap<LocId, RegionId>, Members) {
    let mut locations: Vec<(LocId, u32)> =
        classes.iter().map(|(&location, &class)| (location, class)).collect();
    locations.sort_unstable();
    let mut region_of_class: FxHashMap<u32, RegionId> = FxHashMap::default();
    let mut members = Members::new();
    let mut of_location = FxHashMap::default();
    for (location, class) in locations {
        let region = *region_of_class.entry(class).or_insert_with(|| members.push(Vec::new()));
        members[region].push(location);
        of_location.insert(location, region);
    }
    (of_location, members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(sets: &[&[u32]]) -> Vec<Vec<u32>> {
        let mut footprints = Footprints::default();
        footprints.intern(Vec::new());
        for set in sets {
            footprints.intern(set.iter().map(|&id| LocId(id)).collect());
        }
        let regions = Regions::new(&footprints);
        regions.ids().map(|id| regions.locations(id).iter().map(|loc| loc.0).collect()).collect()
    }

    #[test]
    fn locations_that_always_come_together_are_one_region() {
        assert_eq!(regions(&[&[1, 2, 3]]), [vec![1, 2, 3]]);
        assert_eq!(regions(&[&[1, 2, 3], &[2, 3, 4]]), [vec![1], vec![2, 3], vec![4]]);
        assert_eq!(regions(&[&[1, 2, 3], &[2]]), [vec![1, 3], vec![2]]);
    }

    #[test]
    fn a_footprint_is_exactly_its_regions() {
        let mut footprints = Footprints::default();
        let sets: [&[u32]; 4] = [&[1, 2, 5], &[2, 5, 9], &[5], &[1, 9]];
        let ids: Vec<FootprintId> = sets
            .iter()
            .map(|set| footprints.intern(set.iter().map(|&id| LocId(id)).collect()))
            .collect();
        let regions = Regions::new(&footprints);
        for (set, id) in sets.iter().zip(ids) {
            let mut union: Vec<u32> = regions
                .of_footprint(id)
                .iter()
                .flat_map(|&region| regions.locations(region).iter().map(|loc| loc.0))
                .collect();
            union.sort_unstable();
            assert_eq!(union, *set);
        }
    }
}
