//! Abstract addresses (Âddr of Table 4), each known once by its id.
//!
//! An explore-address ⟨a⟩ is what the location `a` pointed to when the procedure was called (P3).
//! The paper pairs it with the program point that first looked; here the location alone names it,
//! so that two paths that look at one location agree. A member at offset 0 is its record: they
//! are one location. All elements of an array are one location, apart from its first.

use std::sync::Arc;

use caulk_base::{FxHashMap, Table, define_id};
use caulk_ir::{FunctionId, InstId, SlotId};
use caulk_program::StaticId;

define_id!(pub LocId, "a", "An abstract address.");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loc {
    /// The stack cell of a parameter; the hidden pointer to an aggregate result is `u32::MAX`.
    Arg(u32),
    Slot(SlotId),
    /// Memory of `alloca`.
    Alloca(InstId),
    Static(StaticId),
    /// All that globals and the world outside reach, as one location (GVar).
    Global,
    Function(FunctionId),
    /// What the call made; `index` tells several of one call apart. Sites are renamed per call:
    /// what a callee made is the caller's own site.
    Region {
        at: InstId,
        index: u16,
    },
    Field(LocId, i64),
    Element(LocId),
    /// Any location of the object from there on: what is copied as bytes holds, which nobody has
    /// looked at yet.
    Contents(LocId),
    Explore(LocId),
}

struct Row {
    loc: Loc,
    object: LocId,
    /// Without the steps into arrays.
    first: LocId,
    /// What an explore-address was found from in the end; itself for the rest.
    root: LocId,
    /// What the source calls the member that begins there.
    name: Option<Arc<str>>,
    /// Holds, or held at the start, a pointer.
    is_pointer: bool,
    is_element: bool,
}

#[derive(Default)]
pub struct Locations {
    rows: Table<LocId, Row>,
    ids: FxHashMap<Loc, LocId>,
    /// By location without array steps: those that may overlap with it.
    variants: Table<LocId, Vec<LocId>>,
    /// All locations in an object.
    inside: Table<LocId, Vec<LocId>>,
    /// Those of them that hold pointers.
    pointers: Table<LocId, Vec<LocId>>,
    /// The contents of objects, as locations of their own.
    contents: Table<LocId, Vec<LocId>>,
}

impl Locations {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = LocId> + use<> {
        self.rows.ids()
    }

    pub fn get(&self, id: LocId) -> Loc {
        self.rows[id].loc
    }

    pub fn intern(&mut self, loc: Loc) -> LocId {
        if let Some(&id) = self.ids.get(&loc) {
            return id;
        }
        let first = self.without_arrays(loc);
        let id = self.rows.next_id();
        let row = self.row(id, first, loc);
        let (object, first) = (row.object, row.first);
        self.rows.push(row);
        self.ids.insert(loc, id);
        self.variants.push(Vec::new());
        self.inside.push(Vec::new());
        self.pointers.push(Vec::new());
        self.contents.push(Vec::new());
        if let Loc::Contents(_) = loc {
            self.contents[object].push(id);
        }
        self.variants[first].push(id);
        self.inside[object].push(id);
        id
    }

    /// The location without the steps into arrays, if there are such steps. It is made first where
    /// it is not known yet: ids are given in the order of the rows.
    fn without_arrays(&mut self, loc: Loc) -> Option<LocId> {
        match loc {
            Loc::Field(of, offset) => {
                let first = self.rows[of].first;
                (first != of).then(|| self.field(first, offset))
            }
            Loc::Element(of) => Some(self.rows[of].first),
            _ => None,
        }
    }

    fn row(&self, id: LocId, first: Option<LocId>, loc: Loc) -> Row {
        let plain = Row {
            loc,
            object: id,
            first: first.unwrap_or(id),
            root: id,
            name: None,
            is_pointer: false,
            is_element: false,
        };
        match loc {
            Loc::Field(of, _) => {
                let Row { object, root, is_element, .. } = self.rows[of];
                Row { object, root, is_element, ..plain }
            }
            Loc::Element(of) | Loc::Contents(of) => {
                let above = &self.rows[of];
                Row { object: above.object, root: above.root, is_element: true, ..plain }
            }
            Loc::Explore(of) => {
                let above = &self.rows[of];
                Row { root: above.root, is_element: above.is_element, ..plain }
            }
            _ => plain,
        }
    }

    /// `base + offset`.
    pub fn field(&mut self, base: LocId, offset: i64) -> LocId {
        let (base, whole) = match self.get(base) {
            Loc::Field(of, inner) => (of, inner.wrapping_add(offset)),
            Loc::Global | Loc::Function(_) | Loc::Contents(_) => return base,
            _ => (base, offset),
        };
        if whole == 0 { base } else { self.intern(Loc::Field(base, whole)) }
    }

    /// Some element of the array that begins at `base`.
    pub fn element(&mut self, base: LocId) -> LocId {
        match self.get(base) {
            Loc::Global | Loc::Function(_) | Loc::Element(_) | Loc::Contents(_) => base,
            Loc::Field(of, _) if matches!(self.get(of), Loc::Element(_)) => base,
            _ => self.intern(Loc::Element(base)),
        }
    }

    /// Any location of the object from `base` on.
    pub fn contents(&mut self, base: LocId) -> LocId {
        match self.get(base) {
            Loc::Global | Loc::Function(_) | Loc::Contents(_) => base,
            _ => self.intern(Loc::Contents(base)),
        }
    }

    /// The contents, as locations, that a location is among.
    pub fn contents_around(&self, id: LocId) -> impl Iterator<Item = LocId> + '_ {
        let all = &self.contents[self.rows[id].object];
        all.iter().copied().filter(move |&other| match self.get(other) {
            Loc::Contents(of) => other != id && self.is_part(id, of),
            _ => false,
        })
    }

    /// The locations that contents stand for, themselves included.
    pub fn parts(&self, of: LocId) -> impl Iterator<Item = LocId> + '_ {
        let all = &self.inside[self.rows[of].object];
        all.iter().copied().filter(move |&cell| self.is_part(cell, of))
    }

    /// Whether `cell` is in what begins at `of`, in the same object.
    fn is_part(&self, cell: LocId, of: LocId) -> bool {
        if cell == of || of == self.rows[of].object {
            return true;
        }
        match (self.get(cell), self.get(of)) {
            (Loc::Field(base, at), Loc::Field(other, start)) if base == other => at >= start,
            (Loc::Field(base, _) | Loc::Element(base) | Loc::Contents(base), _) => {
                self.is_part(base, of)
            }
            _ => false,
        }
    }

    /// How many bytes behind `from` a location begins; none if an index decides.
    pub fn distance(&self, from: LocId, cell: LocId) -> Option<i64> {
        let parts = |id: LocId| match self.get(id) {
            Loc::Field(of, offset) => (of, offset),
            _ => (id, 0),
        };
        let ((base, start), (other, at)) = (parts(from), parts(cell));
        (base == other).then(|| at.wrapping_sub(start))
    }

    /// What holds the location: its variable, heap cell or explore-address.
    pub fn object(&self, id: LocId) -> LocId {
        self.rows[id].object
    }

    /// The variable or heap cell that leads to it in the memory before the call.
    pub fn root(&self, id: LocId) -> Loc {
        self.get(self.rows[id].root)
    }

    pub fn name(&self, id: LocId) -> Option<&Arc<str>> {
        self.rows[id].name.as_ref()
    }

    /// The first name stays.
    pub fn name_member(&mut self, id: LocId, name: &Arc<str>) {
        let is_anonymous = matches!(self.get(id), Loc::Global | Loc::Function(_));
        if !is_anonymous {
            self.rows[id].name.get_or_insert_with(|| Arc::clone(name));
        }
    }

    fn field_like(&mut self, base: LocId, offset: i64, model: LocId) -> LocId {
        let id = self.field(base, offset);
        if let Some(name) = self.name(model).cloned() {
            self.name_member(id, &name);
        }
        id
    }

    pub fn mark_pointer(&mut self, id: LocId) {
        let row = &mut self.rows[id];
        if !std::mem::replace(&mut row.is_pointer, true) {
            self.pointers[row.object].push(id);
        }
    }

    pub fn is_pointer(&self, id: LocId) -> bool {
        self.rows[id].is_pointer
    }

    /// Stands for several cells at run time.
    pub fn is_element(&self, id: LocId) -> bool {
        self.rows[id].is_element
    }

    /// It, and those that may be the same memory: array steps make the difference.
    pub fn overlapping(&self, id: LocId) -> &[LocId] {
        &self.variants[self.rows[id].first]
    }

    pub fn inside(&self, object: LocId) -> &[LocId] {
        &self.inside[object]
    }

    /// The locations in an object whose contents may lead somewhere. The one of the globals leads
    /// to all that was given away.
    pub fn leading(&self, object: LocId) -> &[LocId] {
        match self.rows[object].loc {
            Loc::Global => &self.inside[object],
            _ => &self.pointers[object],
        }
    }

    /// Whether it is memory of the caller: reached from a parameter.
    pub fn is_from_caller(&self, id: LocId) -> bool {
        matches!(self.root(id), Loc::Arg(_))
    }

    /// Whether globals reach it by their own memory.
    pub fn is_global(&self, id: LocId) -> bool {
        matches!(self.root(id), Loc::Static(_) | Loc::Global)
    }

    /// Where the same part of `to` is that `cell` is of `from`.
    pub fn rebase(&mut self, cell: LocId, from: LocId, to: LocId) -> Option<LocId> {
        if cell == from {
            return Some(to);
        }
        match self.get(cell) {
            Loc::Field(of, offset) => {
                let inner = match self.get(from) {
                    Loc::Field(other, inner) if other == of => Some(inner),
                    _ if from == of => Some(0),
                    _ => None,
                };
                match inner {
                    Some(inner) if offset >= inner => {
                        Some(self.field_like(to, offset - inner, cell))
                    }
                    Some(_) => None,
                    None => {
                        let base = self.rebase(of, from, to)?;
                        Some(self.field_like(base, offset, cell))
                    }
                }
            }
            Loc::Element(of) => {
                let base = self.rebase(of, from, to)?;
                Some(self.element(base))
            }
            Loc::Contents(of) => {
                let base = self.rebase(of, from, to)?;
                Some(self.contents(base))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_add_up_and_elements_fold() {
        let mut all = Locations::default();
        let slot = all.intern(Loc::Slot(SlotId(0)));
        let eight = all.field(slot, 8);
        assert_eq!(all.field(eight, -8), slot);
        assert_eq!(all.field(eight, 8), all.field(slot, 16));
        let some = all.element(eight);
        assert_eq!(all.element(some), some);
        assert_eq!(all.object(all.rows[some].first), slot);
        assert!(all.overlapping(eight).contains(&some) && all.overlapping(some).contains(&eight));
    }

    #[test]
    fn a_member_of_an_element_is_not_that_of_the_first() {
        let mut all = Locations::default();
        let slot = all.intern(Loc::Slot(SlotId(0)));
        let some = all.element(slot);
        let member = all.field(some, 8);
        let of_first = all.field(slot, 8);
        assert_ne!(member, of_first);
        assert_eq!(all.get(member), Loc::Field(some, 8));
        assert!(all.is_element(member) && !all.is_element(of_first));
        assert!(all.overlapping(of_first).contains(&member));
    }

    #[test]
    fn distances_are_known_without_an_index() {
        let mut all = Locations::default();
        let slot = all.intern(Loc::Slot(SlotId(0)));
        let (eight, sixteen) = (all.field(slot, 8), all.field(slot, 16));
        assert_eq!(all.distance(slot, sixteen), Some(16));
        assert_eq!(all.distance(sixteen, eight), Some(-8));
        let some = all.element(eight);
        assert_eq!(all.distance(slot, some), None);
        let member = all.field(some, 4);
        assert_eq!(all.distance(some, member), Some(4));
    }

    #[test]
    fn contents_stand_for_what_follows() {
        let mut all = Locations::default();
        let slot = all.intern(Loc::Slot(SlotId(0)));
        let (eight, sixteen) = (all.field(slot, 8), all.field(slot, 16));
        let tail = all.contents(sixteen);
        let whole = all.contents(slot);
        assert_eq!(all.field(whole, 8), whole);
        assert!(all.contents_around(sixteen).any(|it| it == tail));
        assert!(all.contents_around(eight).all(|it| it == whole));
        assert!(all.parts(sixteen).all(|it| it != eight) && all.parts(slot).any(|it| it == eight));
    }

    #[test]
    fn an_explored_address_knows_its_root() {
        let mut all = Locations::default();
        let arg = all.intern(Loc::Arg(1));
        let pointee = all.intern(Loc::Explore(arg));
        let member = all.field(pointee, 8);
        let inner = all.intern(Loc::Explore(member));
        assert_eq!(all.root(inner), Loc::Arg(1));
        assert_eq!(all.object(member), pointee);
    }

    #[test]
    fn parts_move_to_another_object() {
        let mut all = Locations::default();
        let (a, b) = (all.intern(Loc::Slot(SlotId(0))), all.intern(Loc::Slot(SlotId(1))));
        let from = all.field(a, 8);
        let cell = all.field(a, 24);
        let to = all.field(b, 16);
        assert_eq!(all.rebase(cell, from, to), Some(all.field(b, 32)));
        let some = all.element(cell);
        let moved = all.field(b, 32);
        assert_eq!(all.rebase(some, from, to), Some(all.element(moved)));
        assert_eq!(all.rebase(a, from, to), None);
    }
}
