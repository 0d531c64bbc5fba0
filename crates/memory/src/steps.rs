//! Where the program may step from one place to another with an address, as through arrays.
//!
//! A step by an index stays at its base (F10), whatever is there. So a location from which
//! something steps stands for more than its own bytes, and of heap memory, which has no type,
//! every element is the first one: all of an object that is stepped through stands for many.

use caulk_base::{BitSet, FxHashSet};
use caulk_pointer::{LocId, ObjId, PointsTo, SetId};

#[derive(Debug)]
pub struct Steps {
    locations: BitSet<LocId>,
    objects: BitSet<ObjId>,
    seen: FxHashSet<(SetId, SetId)>,
    /// From where to where blocks of unknown size are copied: an array makes an array.
    copies: FxHashSet<(SetId, SetId)>,
}

impl Steps {
    #[must_use]
    pub fn new(points_to: &PointsTo) -> Self {
        Self {
            locations: BitSet::new(points_to.locations.len()),
            objects: BitSet::new(points_to.objects.len()),
            seen: FxHashSet::default(),
            copies: FxHashSet::default(),
        }
    }

    #[must_use]
    pub fn from(&self, location: LocId) -> bool {
        self.locations.contains(location)
    }

    #[must_use]
    pub fn through(&self, object: ObjId) -> bool {
        self.objects.contains(object)
    }

    /// Arithmetic makes one address of another. What it does not tell apart it steps through.
    pub fn arithmetic(&mut self, points_to: &PointsTo, base: SetId, result: SetId) {
        if !self.seen.insert((base, result)) {
            return;
        }
        let (base, result) = (points_to.set(base), points_to.set(result));
        let (few, many) = if base.len() < result.len() { (base, result) } else { (result, base) };
        for &location in few.iter().filter(|location| many.binary_search(location).is_ok()) {
            self.locations.insert(location);
            self.objects.insert(points_to.locations.object(location));
        }
    }

    /// A library function may lead to any element of what the argument points to.
    pub fn anywhere(&mut self, points_to: &PointsTo, set: SetId) {
        self.arithmetic(points_to, set, set);
    }

    pub fn copy(&mut self, from: SetId, to: SetId) {
        self.copies.insert((from, to));
    }

    /// Follows the copies, when all are known.
    pub fn finish(&mut self, points_to: &PointsTo) {
        self.seen = FxHashSet::default();
        let mut left: Vec<(SetId, SetId)> = std::mem::take(&mut self.copies).into_iter().collect();
        let object = |location: &LocId| points_to.locations.object(*location);
        loop {
            let before = left.len();
            left.retain(|&(from, to)| {
                let is_array = points_to.set(from).iter().any(|it| self.through(object(it)));
                if is_array {
                    points_to.set(to).iter().for_each(|it| {
                        self.objects.insert(object(it));
                    });
                }
                !is_array
            });
            if left.len() == before {
                return;
            }
        }
    }
}
