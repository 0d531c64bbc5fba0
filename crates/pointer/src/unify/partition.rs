//! Cells and groups, and how they become one.

use std::collections::BTreeMap;

use super::apply::{Task, Unifier};
use crate::constraint::SiteId;
use crate::location::LocId;
use crate::object::{Obj, ObjId};
use crate::solve::Forest;

pub(super) type CellId = u32;
pub(super) type GroupId = u32;

/// A group with more cells than this has one.
const CELLS: usize = 256;

/// An offset in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub group: GroupId,
    pub offset: i64,
}

/// What to do once a cell points somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    Flow { to: CellId },
    Offset { to: CellId, by: i64 },
    Load { to: CellId },
    Store { from: CellId },
    CopyFrom { to: CellId },
    Reach { to: CellId },
    Overwrite,
    Call(SiteId),
    Escape,
}

#[derive(Default)]
pub(super) struct Cell {
    pub target: Option<Place>,
    /// Empty once there is a target.
    pub then: Vec<Then>,
}

#[derive(Default)]
pub(super) struct Group {
    pub cells: BTreeMap<i64, CellId>,
    pub collapsed: bool,
    pub members: Vec<ObjId>,
    /// Functions, and memory from outside that may be one.
    pub callables: Vec<LocId>,
    pub sites: Vec<SiteId>,
    /// Steps from an offset that lead out of all members, so far.
    pub astray: Vec<(i64, i64, CellId)>,
    pub escapes: bool,
    pub outside: bool,
    /// Pointers are read from it.
    pub read: bool,
}

#[derive(Default)]
pub(super) struct Partition {
    pub cells: Vec<Cell>,
    pub groups: Vec<Group>,
    pub cell_forest: Forest,
    pub group_forest: Forest,
}

impl Partition {
    pub(super) fn new_cell(&mut self) -> CellId {
        self.cells.push(Cell::default());
        self.cell_forest.grow(self.cells.len());
        u32::try_from(self.cells.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn new_group(&mut self, object: ObjId, row: &Obj, base: LocId) -> GroupId {
        let callable = row.outside || row.kind.is_function();
        self.groups.push(Group {
            members: vec![object],
            callables: callable.then_some(base).into_iter().collect(),
            outside: row.outside,
            collapsed: row.collapsed,
            ..Group::default()
        });
        self.group_forest.grow(self.groups.len());
        u32::try_from(self.groups.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn group(&mut self, place: Place) -> &mut Group {
        let root = self.group_forest.find(place.group);
        &mut self.groups[root as usize]
    }

    /// The place in terms of what its group has become.
    pub(super) fn current(&mut self, place: Place) -> Place {
        let group = self.group_forest.find(place.group);
        let offset = if self.groups[group as usize].collapsed { 0 } else { place.offset };
        Place { group, offset }
    }

    pub(super) fn cell_at(&mut self, place: Place) -> CellId {
        let Place { group, offset } = self.current(place);
        if let Some(&cell) = self.groups[group as usize].cells.get(&offset) {
            return self.cell_forest.find(cell);
        }
        let cell = self.new_cell();
        self.groups[group as usize].cells.insert(offset, cell);
        cell
    }
}

impl Unifier<'_> {
    /// Two cells become one, and what they point to with them.
    pub(super) fn unite_cells(&mut self, a: CellId, b: CellId) {
        let Some((root, child)) = self.partition.cell_forest.join(a, b) else { return };
        let gone = std::mem::take(&mut self.partition.cells[child as usize]);
        let row = &mut self.partition.cells[root as usize];
        let target = row.target.or(gone.target);
        if let (Some(mine), Some(theirs)) = (row.target, gone.target) {
            self.todo.push(Task::Places(mine, theirs));
        }
        row.then.extend(gone.then);
        row.target = target;
        if target.is_some() {
            let waiting = std::mem::take(&mut row.then);
            self.todo.extend(waiting.into_iter().map(|then| Task::Run(root, then)));
        }
    }

    /// Pointers to two places that may be the same: their groups become one. When they disagree
    /// about the offset, it has one cell.
    pub(super) fn unite_places(&mut self, a: Place, b: Place) {
        let (a, b) = (self.partition.current(a), self.partition.current(b));
        if a.offset != b.offset {
            self.collapse(a.group);
            self.collapse(b.group);
        }
        self.unite_groups(a.group, b.group);
    }

    pub(super) fn collapse(&mut self, group: GroupId) {
        let root = self.partition.group_forest.find(group);
        let group = &mut self.partition.groups[root as usize];
        if std::mem::replace(&mut group.collapsed, true) {
            return;
        }
        let astray = std::mem::take(&mut group.astray);
        let again = |(offset, by, to)| Task::Move(Place { group: root, offset }, by, to);
        self.todo.extend(astray.into_iter().map(again));
        let cells: Vec<CellId> = std::mem::take(&mut group.cells).into_values().collect();
        if let Some(&first) = cells.first() {
            group.cells.insert(0, first);
            self.todo.extend(cells[1..].iter().map(|&cell| Task::Cells(first, cell)));
        }
    }

    fn unite_groups(&mut self, a: GroupId, b: GroupId) {
        let collapsed = |it: &Self, group: GroupId| it.partition.groups[group as usize].collapsed;
        let (one, other) = (collapsed(self, a), collapsed(self, b));
        if one != other {
            self.collapse(if one { b } else { a });
        }
        let Some((root, child)) = self.partition.group_forest.join(a, b) else { return };
        let gone = std::mem::take(&mut self.partition.groups[child as usize]);
        let row = &mut self.partition.groups[root as usize];
        for (offset, cell) in gone.cells {
            let mine = *row.cells.entry(offset).or_insert(cell);
            self.todo.push(Task::Cells(mine, cell));
        }
        row.members.extend(gone.members);
        row.callables.extend(gone.callables);
        row.sites.extend(gone.sites);
        let mut astray = std::mem::take(&mut row.astray);
        astray.extend(gone.astray);
        let again = |(offset, by, to)| Task::Move(Place { group: root, offset }, by, to);
        self.todo.extend(astray.into_iter().map(again));
        row.escapes |= gone.escapes;
        row.outside |= gone.outside;
        row.read |= gone.read;
        if row.outside && row.read {
            self.todo.push(Task::Read(Place { group: root, offset: 0 }));
        }
        self.check_offsets(root);
        self.todo.push(Task::Calls(root));
    }

    /// The members must agree that each offset is one place.
    fn check_offsets(&mut self, root: GroupId) {
        let group = &self.partition.groups[root as usize];
        if group.collapsed {
            return;
        }
        let folds = |&offset: &i64| {
            let mut members = group.members.iter().map(|&member| self.folded(member, offset));
            let leaves = |&member: &ObjId| self.rules.world.leaves_type(member, offset);
            group.members.iter().any(leaves)
                || members.any(|folded| folded.is_some_and(|folded| folded != offset))
        };
        if group.cells.keys().any(folds) {
            self.collapse(root);
        }
    }

    /// `to` points `by` bytes after the place. When that is in no member, perhaps it will be in
    /// one that joins later.
    pub(super) fn step(&mut self, place: Place, by: i64, to: CellId) {
        match self.moved(place, by) {
            Some(place) => {
                // So that members who join later must agree on the offset.
                self.partition.cell_at(place);
                self.point(to, place);
            }
            None => self.partition.group(place).astray.push((place.offset, by, to)),
        }
    }

    /// `place + by`, where the members agree on it; none if it lies outside all of them.
    fn moved(&mut self, place: Place, by: i64) -> Option<Place> {
        let place = self.partition.current(place);
        let group = &self.partition.groups[place.group as usize];
        if group.collapsed {
            return Some(place);
        }
        let to = place.offset.checked_add(by)?;
        if group.members.iter().any(|&member| self.rules.world.leaves_type(member, to)) {
            self.collapse(place.group);
            return Some(self.partition.current(place));
        }
        let mut offsets: Vec<i64> =
            group.members.iter().filter_map(|&member| self.folded(member, to)).collect();
        offsets.sort_unstable();
        offsets.dedup();
        match offsets[..] {
            [] => None,
            [offset] if group.cells.len() < CELLS => Some(Place { offset, ..place }),
            _ => {
                self.collapse(place.group);
                Some(self.partition.current(place))
            }
        }
    }

    fn folded(&self, object: ObjId, offset: i64) -> Option<i64> {
        self.rules.world.place(&self.rules.world.objects[object], offset)
    }
}
