//! Which locations a constraint on memory concerns, beyond the one that is pointed to.

use crate::layout;
use crate::location::{Loc, LocId};
use crate::object::{ObjId, ObjKind};
use crate::world::World;

impl World<'_> {
    /// Every location with contents of the object, which a pointer into it leads to. What Outside
    /// holds is told by rules of its own.
    pub(crate) fn reached(&self, loc: LocId) -> Vec<LocId> {
        let object = self.locations.object(self.canonical(loc));
        if self.objects[object].kind == ObjKind::Outside {
            return Vec::new();
        }
        self.accessed(object).collect()
    }

    /// The locations of an object that pointers are read from or written to: the others hold none.
    fn accessed(&self, object: ObjId) -> impl Iterator<Item = LocId> + '_ {
        let locs = self.locations.of_object(object).iter().copied();
        locs.filter(|&loc| self.nodes.known_contents(loc).is_some())
    }

    /// Those of them that unknown code can put a pointer into.
    pub(crate) fn overwritten(&self, loc: LocId) -> Vec<LocId> {
        let mut locs = self.reached(loc);
        locs.retain(|&loc| self.takes_pointers(loc));
        locs
    }

    pub(crate) fn takes_pointers(&self, loc: LocId) -> bool {
        let Loc { object, offset } = self.locations.get(loc);
        let row = &self.objects[object];
        let fits = row.size.is_none_or(|size| {
            u64::try_from(offset).is_ok_and(|offset| offset + self.pointer_bytes() <= size)
        });
        let plain = row.ty.is_some_and(|(module, ty)| layout::is_plain(self.module(module), ty));
        fits && !plain && row.kind != ObjKind::Outside
    }

    fn pointer_bytes(&self) -> u64 {
        let first = self.input.program.modules.rows().first();
        first.map_or(8, |module| u64::from(module.target.pointer_bytes))
    }

    /// Which location receives from which when memory is copied. Only a place that somebody
    /// reads or writes matters: those of the source, and those of the target when the source is
    /// from outside, where every place holds something, or is collapsed, where every
    /// place is the same.
    pub(crate) fn copied(
        &mut self,
        to: LocId,
        from: LocId,
        size: Option<u64>,
    ) -> Vec<(LocId, LocId)> {
        let (to, from) = (self.canonical(to), self.canonical(from));
        if self.spreads(from) {
            self.collapse(self.locations.object(to));
        }
        let to = self.canonical(to);
        let mut places = self.places(from, size);
        let source = self.objects[self.locations.object(from)];
        if source.outside || source.collapsed {
            places.extend(self.places(to, size));
        }
        places.sort_unstable();
        places.dedup();
        let pair = |place: i64| Some((self.shift(to, place)?, self.shift(from, place)?));
        places.into_iter().filter_map(pair).collect()
    }

    /// Whether the object had places once and has them no more: then what it is copied to has
    /// none either. Otherwise it would matter what was copied before.
    pub(crate) fn spreads(&self, loc: LocId) -> bool {
        let row = &self.objects[self.locations.object(loc)];
        row.collapsed && !(row.outside && row.ty.is_none())
    }

    /// The distances from a location to those with contents after it in its object.
    pub(crate) fn places(&self, start: LocId, size: Option<u64>) -> Vec<i64> {
        let Loc { object, .. } = self.locations.get(start);
        if self.objects[object].collapsed {
            return vec![0];
        }
        self.accessed(object).filter_map(|loc| self.place_of(start, loc, size)).collect()
    }

    /// The distance from `start` to `loc`, if it is among the `size` bytes.
    pub(crate) fn place_of(&self, start: LocId, loc: LocId, size: Option<u64>) -> Option<i64> {
        let distance = self.locations.offset(loc) - self.locations.offset(start);
        let end = size.and_then(|size| i64::try_from(size).ok()).unwrap_or(i64::MAX);
        (distance >= 0 && distance < end).then_some(distance)
    }
}
