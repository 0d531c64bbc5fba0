//! Which writes leave nothing of what was there: strong updates (S5, and recency).

use caulk_ir::{Body, Constant, Inst, ValueId, ValueKind};
use caulk_pointer::LocId;
use caulk_program::InstanceId;

use crate::accesses::{Access, Overwrites};
use crate::memory::{Memory, View, root};
use crate::refine::Refined;
use crate::regions::RegionId;
use crate::single::{one_object, stands_for_one_cell};

impl Memory<'_> {
    pub(crate) fn is_strong(
        &self,
        instance: InstanceId,
        region: RegionId,
        view: View,
        access: Access,
        refined: Option<&Refined>,
    ) -> bool {
        if self.regions().is_wild(region) {
            return false;
        }
        match (access.overwrites, view) {
            (Overwrites::Nothing, _) => false,
            // In a recursion the slots of all activations are one, and only one of them is new.
            (Overwrites::All, _) => !self.modref().is_recursive(instance),
            (Overwrites::Block(bytes), View::All) => {
                let to = written(self.body(instance), access);
                let place = to.and_then(|to| Some((to, self.only_place(instance, to, refined)?)));
                place.is_some_and(|it| self.replaces(instance, region, it, bytes))
            }
            (Overwrites::Block(bytes), View::Newest(maker)) => {
                let to = written(self.body(instance), access);
                to.filter(|&to| root(self.body(instance), to) == Some(maker))
                    .and_then(|to| self.only_place(instance, to, refined))
                    .is_some_and(|start| self.replaces_newest(region, start, bytes))
            }
        }
    }

    /// Whether the location stands for one cell at run time.
    #[must_use]
    pub fn is_single(&self, location: LocId) -> bool {
        stands_for_one_cell(self.input(), location, |it| self.modref().is_recursive(it))
    }

    /// All of the region is in the bytes from the address on, and each of its locations is one
    /// cell, or the object, arrays included, is overwritten as a whole. A location from which
    /// something steps stands for other cells too.
    fn replaces(
        &self,
        instance: InstanceId,
        region: RegionId,
        (to, start): (ValueId, LocId),
        bytes: u64,
    ) -> bool {
        let points_to = self.input().points_to;
        if !is_exact(self.body(instance), to) && self.steps().from(start) {
            return false;
        }
        let begin = points_to.locations.get(start);
        let object = &points_to.objects[begin.object];
        if begin.offset == 0 && object.size.is_some_and(|size| size <= bytes) {
            return one_object(object.kind, |it| self.modref().is_recursive(it));
        }
        let mut locations = self.regions().locations(region).iter();
        locations.all(|&it| {
            self.covers(start, bytes, it) && self.is_single(it) && !self.steps().from(it)
        })
    }

    /// The same for the newest object of a site. Heap memory has no type: nothing may step
    /// through the object, for then all elements are one location.
    fn replaces_newest(&self, region: RegionId, start: LocId, bytes: u64) -> bool {
        let points_to = self.input().points_to;
        let object = points_to.locations.object(start);
        let mut locations = self.regions().locations(region).iter();
        !points_to.objects[object].collapsed
            && !self.steps().through(object)
            && locations.all(|&it| self.covers(start, bytes, it))
    }

    /// The one location of an address that no arithmetic made.
    fn only_place(
        &self,
        instance: InstanceId,
        address: ValueId,
        refined: Option<&Refined>,
    ) -> Option<LocId> {
        let points_to = self.input().points_to;
        let all = || points_to.set(points_to.value(instance, address));
        let places = refined.and_then(|it| it.places(address)).unwrap_or_else(all);
        let &[start] = places else { return None };
        (!steps(self.body(instance), address)).then_some(start)
    }

    /// Whether the bytes from `start` on hold all that is ever read at the location.
    fn covers(&self, start: LocId, bytes: u64, location: LocId) -> bool {
        let locations = &self.input().points_to.locations;
        let (start, place) = (locations.get(start), locations.get(location));
        let end = (place.offset - start.offset).saturating_add(i64::from(self.widest(location)));
        place.object == start.object
            && place.offset >= start.offset
            && u64::try_from(end).is_ok_and(|end| end <= bytes)
    }
}

/// Where a store, copy or fill writes.
fn written(body: &Body, access: Access) -> Option<ValueId> {
    match body.insts[access.inst] {
        Inst::Store { to, .. }
        | Inst::Copy { to, .. }
        | Inst::Fill { to, .. }
        | Inst::HavocMemory { to, .. } => Some(to),
        _ => None,
    }
}

/// Whether the address comes from arithmetic, which stays at its base whatever it adds (F10).
fn steps(body: &Body, mut address: ValueId) -> bool {
    loop {
        let ValueKind::Inst(inst) = body.values[address].kind else { return false };
        match body.insts[inst] {
            Inst::Field { base, .. } => address = base,
            Inst::Index { .. } | Inst::Binary { .. } => return true,
            Inst::Convert { value, .. } => address = value,
            _ => return false,
        }
    }
}

/// Whether the address is that of a member of a variable, by its name.
fn is_exact(body: &Body, mut address: ValueId) -> bool {
    loop {
        match body.values[address].kind {
            ValueKind::Const(Constant::Slot(_) | Constant::Object(_)) => return true,
            ValueKind::Inst(inst) => match body.insts[inst] {
                Inst::Field { base, .. } => address = base,
                _ => return false,
            },
            _ => return false,
        }
    }
}
