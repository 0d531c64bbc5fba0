//! Unification-based points-to (Steensgaard), field-sensitive: the regions of FastCheck (F3).
//!
//! Memory is partitioned into groups of objects, and a group into cells by offset, until two
//! pointers into it disagree about offsets: then it has one cell. A cell, like a variable, points
//! to at most one place, a cell of a group: where inclusion has `a ⊆ b`, here what both point to
//! becomes one. A variable that points nowhere joins nothing until it does (Steensgaard's pending
//! joins), so integers do not tie pointers together.
//!
//! The constraints are those of `rules`, so everything that inclusion finds is found here. What
//! an outside location holds lies in the location's own group.

mod apply;
mod partition;

use caulk_base::{FxHashMap, Table, define_id};
use caulk_ir::{CallId, ValueId};
use caulk_program::InstanceId;

use crate::location::{Loc, LocId};
use crate::nodes::{NodeId, Nodes};
use crate::object::ObjKind;
use crate::points_to::{PointsTo, Target};
use crate::rules::Rules;
use crate::{Input, Options};
use apply::Unifier;

define_id!(pub RegionId, "r", "A part of memory that pointers do not tell apart.");

#[derive(Clone, Debug)]
pub struct Unification {
    nodes: Nodes,
    /// Where each node points to.
    of_node: Table<NodeId, Option<RegionId>>,
    groups: FxHashMap<ObjKind, Group>,
    contents: Table<RegionId, Option<RegionId>>,
    callees: FxHashMap<(InstanceId, CallId), Vec<Target>>,
}

/// The cells of an object's group by offset; one cell for all when it is collapsed.
#[derive(Clone, Debug)]
struct Group {
    collapsed: Option<RegionId>,
    cells: FxHashMap<i64, RegionId>,
}

/// The coarse analysis; linear but for the logarithms of union-find.
#[must_use]
pub fn unification(input: Input) -> Unification {
    let mut unifier = Unifier::new(Rules::new(input, Options::default()));
    unifier.run();
    unifier.finish()
}

impl Unification {
    #[must_use]
    pub fn value(&self, instance: InstanceId, value: ValueId) -> Option<RegionId> {
        self.nodes.value(instance, value).and_then(|node| self.of_node[node])
    }

    /// The region of a location, if the program computes an address in it.
    #[must_use]
    pub fn region(&self, points_to: &PointsTo, loc: LocId) -> Option<RegionId> {
        let Loc { object, offset } = points_to.locations.get(loc);
        let mut kind = points_to.objects[object].kind;
        // What lies behind an outside location is in its group.
        while let ObjKind::Deref { of } = kind {
            kind = points_to.objects[points_to.locations.object(of)].kind;
        }
        let group = self.groups.get(&kind)?;
        group.collapsed.or_else(|| group.cells.get(&offset).copied())
    }

    /// Where the pointers in a region point to.
    #[must_use]
    pub fn contents(&self, region: RegionId) -> Option<RegionId> {
        self.contents[region]
    }

    #[must_use]
    pub fn region_count(&self) -> usize {
        self.contents.len()
    }

    #[must_use]
    pub fn callees(&self, instance: InstanceId, call: CallId) -> &[Target] {
        self.callees.get(&(instance, call)).map_or(&[], Vec::as_slice)
    }

    /// Something that inclusion found and this did not: there must be nothing. Objects that
    /// inclusion collapsed have no offsets to compare.
    #[must_use]
    pub fn missing(&self, points_to: &PointsTo) -> Option<String> {
        points_to.each_value().find_map(|(instance, value)| {
            let region = self.value(instance, value);
            let set = points_to.value(instance, value);
            // All wild pointers have one set, though each may point to another part of it.
            let set = if points_to.is_wild(set) { &[][..] } else { points_to.set(set) };
            let lacks = |&&loc: &&LocId| {
                let object = &points_to.objects[points_to.locations.object(loc)];
                !object.collapsed && (region.is_none() || self.region(points_to, loc) != region)
            };
            set.iter().find(lacks).map(|loc| format!("{instance}.{value} -> {loc}"))
        })
    }
}
