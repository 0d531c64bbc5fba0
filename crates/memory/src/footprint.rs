//! Sets of locations that instructions touch, each kept once.

use std::collections::BTreeMap;

use caulk_base::{FxHashMap, FxHashSet, Table, define_id};
use caulk_pointer::{LocId, PointsTo, SetId};

define_id!(pub FootprintId, "fp", "A set of locations that an instruction touches.");

impl FootprintId {
    pub const EMPTY: FootprintId = FootprintId(0);
}

/// How much is touched at each location that an address may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// A scalar of so many bytes.
    Scalar(u32),
    Bytes(u64),
    /// From there to the end of the object, or, where arrays are folded, all of it.
    Rest,
    /// The object as a whole.
    Whole,
}

#[derive(Debug, Default)]
pub struct Footprints {
    rows: Table<FootprintId, Box<[LocId]>>,
    by_locations: FxHashMap<Box<[LocId]>, FootprintId>,
    by_set: FxHashMap<(SetId, Extent), FootprintId>,
    by_pair: FxHashMap<(FootprintId, FootprintId), FootprintId>,
    told_apart: FxHashSet<(SetId, Extent)>,
    /// The locations of objects that wild pointers point to; the first stands for all.
    wild: Vec<LocId>,
    is_wild: FxHashSet<LocId>,
}

impl Footprints {
    /// An access through a wild pointer touches all locations of the wild objects together, so
    /// one of them stands for all in every footprint.
    #[must_use]
    pub fn new(points_to: &PointsTo) -> Self {
        let mut wild: Vec<LocId> = points_to
            .wild_objects()
            .iter()
            .filter(|&object| !points_to.objects[object].kind.is_function())
            .flat_map(|object| points_to.locations.of_object(object))
            .copied()
            .collect();
        wild.sort_unstable();
        let is_wild = wild.iter().copied().collect();
        let mut footprints = Self { wild, is_wild, ..Self::default() };
        footprints.intern(Vec::new());
        footprints
    }

    /// Sorted.
    #[must_use]
    pub fn wild(&self) -> &[LocId] {
        &self.wild
    }

    fn without_wild(&self, mut locations: Vec<LocId>) -> Vec<LocId> {
        let Some(&first) = self.wild.first() else { return locations };
        let before = locations.len();
        locations.retain(|&location| !self.is_wild.contains(&location));
        if locations.len() < before {
            let at = locations.partition_point(|&location| location < first);
            locations.insert(at, first);
        }
        locations
    }

    #[must_use]
    pub fn locations(&self, id: FootprintId) -> &[LocId] {
        &self.rows[id]
    }

    pub fn iter(&self) -> impl Iterator<Item = (FootprintId, &[LocId])> {
        self.rows.iter().map(|(id, row)| (id, &**row))
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }

    /// Sorted locations, without repetition.
    pub fn intern(&mut self, locations: Vec<LocId>) -> FootprintId {
        debug_assert!(locations.is_sorted());
        let locations = self.without_wild(locations);
        if let Some(&known) = self.by_locations.get(&*locations) {
            return known;
        }
        let locations: Box<[LocId]> = locations.into();
        let id = self.rows.push(locations.clone());
        self.by_locations.insert(locations, id);
        id
    }

    /// What an access of this extent through an address touches.
    pub fn of_set(&mut self, points_to: &PointsTo, set: SetId, extent: Extent) -> FootprintId {
        if let Some(&known) = self.by_set.get(&(set, extent)) {
            return known;
        }
        if points_to.is_wild(set) {
            let wild = self.wild.first().copied().into_iter().collect();
            let id = self.intern(wild);
            self.by_set.insert((set, extent), id);
            return id;
        }
        // Nobody reads or writes code, though functions are passed like any pointer.
        let is_data =
            |&it: &LocId| !points_to.objects[points_to.locations.object(it)].kind.is_function();
        let locations: Vec<LocId> = points_to.set(set).iter().copied().filter(is_data).collect();
        let expanded = expand(points_to, &locations, extent);
        let id = self.intern(expanded);
        self.by_set.insert((set, extent), id);
        id
    }

    /// A copy moves places at different distances to different places. It touches them together,
    /// but the locations at each distance are a footprint as well, so that no region has two.
    pub fn tell_apart(&mut self, points_to: &PointsTo, set: SetId, extent: Extent) {
        if points_to.is_wild(set) || !self.told_apart.insert((set, extent)) {
            return;
        }
        let mut at: BTreeMap<i64, Vec<LocId>> = BTreeMap::new();
        for &start in points_to.set(set) {
            for (location, distance) in covered(points_to, start, extent) {
                at.entry(distance).or_default().push(location);
            }
        }
        for mut locations in at.into_values() {
            locations.sort_unstable();
            locations.dedup();
            self.intern(locations);
        }
    }

    /// The most bytes that any scalar access of the program reads or writes at each location.
    #[must_use]
    pub fn widest(&self, points_to: &PointsTo) -> FxHashMap<LocId, u32> {
        let mut widest: FxHashMap<LocId, u32> = FxHashMap::default();
        for &(set, extent) in self.by_set.keys() {
            let Extent::Scalar(bytes) = extent else { continue };
            if points_to.is_wild(set) {
                continue;
            }
            for &location in points_to.set(set) {
                let most = widest.entry(location).or_insert(0);
                *most = bytes.max(*most);
            }
        }
        widest
    }

    pub fn union(&mut self, a: FootprintId, b: FootprintId) -> FootprintId {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == FootprintId::EMPTY {
            return b;
        }
        if let Some(&known) = self.by_pair.get(&(a, b)) {
            return known;
        }
        let mut both = [&*self.rows[a], &*self.rows[b]].concat();
        both.sort_unstable();
        both.dedup();
        let id = self.intern(both);
        self.by_pair.insert((a, b), id);
        id
    }
}

/// In most sets no scalar reaches into the next location, and the set is what it touches.
fn expand(points_to: &PointsTo, locations: &[LocId], extent: Extent) -> Vec<LocId> {
    let mut out: Vec<LocId> = match extent {
        Extent::Scalar(bytes) => {
            let overlapped = locations.iter().flat_map(|&at| reached_into(points_to, at, bytes));
            locations.iter().copied().chain(overlapped).collect()
        }
        _ => {
            let covered = locations.iter().flat_map(|&start| covered(points_to, start, extent));
            covered.map(|(location, _)| location).collect()
        }
    };
    out.sort_unstable();
    out.dedup();
    out
}

/// The locations that a scalar covers besides the one where it begins: two halves that a union
/// overlays with it, for example.
fn reached_into(
    points_to: &PointsTo,
    start: LocId,
    bytes: u32,
) -> impl Iterator<Item = LocId> + '_ {
    let locations = &points_to.locations;
    let start = locations.get(start);
    let all = locations.of_object(start.object);
    let after = all.partition_point(|&other| locations.offset(other) <= start.offset);
    let end = start.offset.saturating_add(i64::from(bytes));
    all[after..].iter().copied().take_while(move |&other| locations.offset(other) < end)
}

/// The locations that an access at one location touches, with their distance from it.
fn covered(
    points_to: &PointsTo,
    start: LocId,
    extent: Extent,
) -> impl Iterator<Item = (LocId, i64)> + '_ {
    let start = points_to.locations.get(start);
    let is_in_extent = move |distance: i64| match extent {
        Extent::Scalar(bytes) => (0..i64::from(bytes.max(1))).contains(&distance),
        Extent::Bytes(bytes) => u64::try_from(distance).is_ok_and(|far| far < bytes),
        Extent::Rest => distance >= 0,
        Extent::Whole => true,
    };
    let all = points_to.locations.of_object(start.object).iter();
    all.map(move |&other| (other, points_to.locations.offset(other) - start.offset))
        .filter(move |&(_, distance)| is_in_extent(distance))
}
