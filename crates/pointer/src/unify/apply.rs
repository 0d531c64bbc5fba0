//! The constraints, by unification.

use caulk_base::{FxHashMap, Id, Table};

use super::partition::{CellId, GroupId, Partition, Place, Then};
use super::{Group, RegionId, Unification};
use crate::constraint::Constraint;
use crate::location::{Loc, LocId};
use crate::nodes::NodeId;
use crate::object::{ObjId, ObjKind};
use crate::rules::Rules;

pub(super) enum Task {
    Cells(CellId, CellId),
    Places(Place, Place),
    Run(CellId, Then),
    Move(Place, i64, CellId),
    /// The group is read, and from outside.
    Read(Place),
    /// The group has new functions or new callers.
    Calls(GroupId),
}

pub(super) struct Unifier<'a> {
    pub rules: Rules<'a>,
    pub partition: Partition,
    of_node: FxHashMap<NodeId, CellId>,
    of_object: FxHashMap<ObjId, GroupId>,
    pub todo: Vec<Task>,
}

impl<'a> Unifier<'a> {
    pub(super) fn new(rules: Rules<'a>) -> Self {
        Self {
            rules,
            partition: Partition::default(),
            of_node: FxHashMap::default(),
            of_object: FxHashMap::default(),
            todo: Vec::new(),
        }
    }

    pub(super) fn run(&mut self) {
        while !self.rules.out.is_empty() {
            for constraint in std::mem::take(&mut self.rules.out) {
                self.add(constraint);
                self.work();
            }
        }
    }

    fn work(&mut self) {
        self.share_contents();
        while let Some(task) = self.todo.pop() {
            match task {
                Task::Cells(a, b) => self.unite_cells(a, b),
                Task::Places(a, b) => self.unite_places(a, b),
                Task::Run(from, then) => self.then(from, then),
                Task::Move(place, by, to) => self.step(place, by, to),
                Task::Read(place) => self.read(place),
                Task::Calls(group) => self.call_all(group),
            }
            self.share_contents();
        }
    }

    /// The contents of a location that the rules name are the cell there.
    fn share_contents(&mut self) {
        for (loc, node) in self.rules.world.nodes.take_new_contents() {
            let place = self.place(loc);
            let (there, here) = (self.partition.cell_at(place), self.cell(node));
            self.todo.push(Task::Cells(there, here));
        }
    }

    fn cell(&mut self, node: NodeId) -> CellId {
        let partition = &mut self.partition;
        let cell = *self.of_node.entry(node).or_insert_with(|| partition.new_cell());
        self.partition.cell_forest.find(cell)
    }

    fn place(&mut self, loc: LocId) -> Place {
        let Loc { object, offset } = self.rules.world.locations.get(loc);
        Place { group: self.group_of(object), offset }
    }

    fn group_of(&mut self, object: ObjId) -> GroupId {
        if let Some(&known) = self.of_object.get(&object) {
            return known;
        }
        let base = self.rules.world.base(object);
        let row = self.rules.world.objects[object];
        let group = self.partition.new_group(object, &row, base);
        self.of_object.insert(object, group);
        group
    }

    fn add(&mut self, constraint: Constraint) {
        let (node, then) = match constraint {
            Constraint::Address { to, loc } => {
                let (to, place) = (self.cell(to), self.place(loc));
                return self.point(to, place);
            }
            Constraint::Copy { to, from } => (from, Then::Flow { to: self.cell(to) }),
            Constraint::Offset { to, from, by } => (from, Then::Offset { to: self.cell(to), by }),
            Constraint::Load { to, from } => (from, Then::Load { to: self.cell(to) }),
            Constraint::Store { to, from } => (to, Then::Store { from: self.cell(from) }),
            Constraint::CopyMemory { to, from, .. } => (from, Then::CopyFrom { to: self.cell(to) }),
            Constraint::Reach { to, from } => (from, Then::Reach { to: self.cell(to) }),
            Constraint::Overwrite { through } => (through, Then::Overwrite),
            Constraint::Indirect { callee, site } => (callee, Then::Call(site)),
            Constraint::Escape { callee } => (callee, Then::Escape),
        };
        let cell = self.cell(node);
        self.when_pointing(cell, then);
    }

    /// Now, or as soon as the cell points somewhere.
    fn when_pointing(&mut self, cell: CellId, then: Then) {
        let cell = self.partition.cell_forest.find(cell);
        let row = &mut self.partition.cells[cell as usize];
        match row.target {
            Some(_) => self.todo.push(Task::Run(cell, then)),
            None => row.then.push(then),
        }
    }

    pub(super) fn point(&mut self, cell: CellId, place: Place) {
        let cell = self.partition.cell_forest.find(cell);
        let row = &mut self.partition.cells[cell as usize];
        if let Some(known) = row.target {
            return self.todo.push(Task::Places(known, place));
        }
        row.target = Some(place);
        let waiting = std::mem::take(&mut row.then);
        self.todo.extend(waiting.into_iter().map(|then| Task::Run(cell, then)));
    }

    fn then(&mut self, from: CellId, then: Then) {
        let from = self.partition.cell_forest.find(from);
        let Some(place) = self.partition.cells[from as usize].target else { return };
        match then {
            Then::Flow { to } => self.point(to, place),
            Then::Offset { to, by } => self.step(place, by, to),
            Then::Load { to } => {
                self.read(place);
                let contents = self.partition.cell_at(place);
                self.when_pointing(contents, Then::Flow { to });
            }
            Then::Store { from } => {
                let to = self.partition.cell_at(place);
                self.when_pointing(from, Then::Flow { to });
            }
            // Field by field would be finer; one region is what unification is for.
            Then::CopyFrom { to } => {
                self.read(place);
                self.when_pointing(to, Then::Flow { to: from });
            }
            Then::Reach { to } => {
                self.collapse(place.group);
                let contents = self.partition.cell_at(place);
                self.when_pointing(contents, Then::Flow { to });
            }
            Then::Overwrite => {
                self.collapse(place.group);
                let contents = self.partition.cell_at(place);
                let outside = self.place(self.rules.world.outside);
                self.point(contents, outside);
            }
            Then::Call(site) => {
                self.partition.group(place).sites.push(site);
                self.todo.push(Task::Calls(place.group));
            }
            Then::Escape => {
                self.partition.group(place).escapes = true;
                self.todo.push(Task::Calls(place.group));
            }
        }
    }

    /// Memory from outside holds pointers into its own group, once it is read.
    fn read(&mut self, place: Place) {
        let group = self.partition.group(place);
        group.read = true;
        if group.outside {
            self.collapse(place.group);
            let contents = self.partition.cell_at(place);
            self.point(contents, place);
        }
    }

    fn call_all(&mut self, group: GroupId) {
        let group = self.partition.group(Place { group, offset: 0 });
        let (callables, escapes) = (group.callables.clone(), group.escapes);
        let sites = group.sites.clone();
        for callee in callables {
            sites.iter().for_each(|&site| self.rules.connect(site, callee));
            if escapes {
                self.rules.escape(callee);
            }
        }
    }

    pub(super) fn finish(mut self) -> Unification {
        let mut numbers = Numbers::default();
        let nodes = (0..self.rules.world.nodes.count()).map(NodeId::from_index);
        let of_node: Table<NodeId, Option<RegionId>> = nodes
            .map(|node| {
                let cell = *self.of_node.get(&node)?;
                self.region_behind(&mut numbers, cell)
            })
            .collect();
        let groups = self.groups(&mut numbers);
        let mut contents = Table::new();
        while let Some(&cell) = numbers.cells.get(contents.len()) {
            contents.push(self.region_behind(&mut numbers, cell));
        }
        let mut targets = self.rules.targets;
        targets.sort_unstable();
        let mut callees: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for (site, target) in targets {
            callees.entry(site).or_default().push(target);
        }
        Unification { nodes: self.rules.world.nodes, of_node, groups, contents, callees }
    }

    fn region_behind(&mut self, numbers: &mut Numbers, cell: CellId) -> Option<RegionId> {
        let cell = self.partition.cell_forest.find(cell);
        let place = self.partition.cells[cell as usize].target?;
        let there = self.partition.cell_at(place);
        Some(numbers.region(there))
    }

    fn groups(&mut self, numbers: &mut Numbers) -> FxHashMap<ObjKind, Group> {
        let mut objects: Vec<(ObjId, GroupId)> =
            self.of_object.iter().map(|(&object, &group)| (object, group)).collect();
        objects.sort_unstable();
        let mut found = FxHashMap::default();
        for (object, group) in objects {
            let row = self.partition.group(Place { group, offset: 0 });
            let collapsed = row.collapsed;
            let cells: Vec<(i64, CellId)> = row.cells.iter().map(|(&at, &id)| (at, id)).collect();
            let mut region = |cell| numbers.region(self.partition.cell_forest.find(cell));
            let cells: FxHashMap<i64, RegionId> =
                cells.into_iter().map(|(offset, cell)| (offset, region(cell))).collect();
            let collapsed = collapsed.then(|| cells.get(&0).copied()).flatten();
            found.insert(self.rules.world.objects[object].kind, Group { collapsed, cells });
        }
        found
    }
}

/// Regions in the order in which they are met.
#[derive(Default)]
struct Numbers {
    ids: FxHashMap<CellId, RegionId>,
    cells: Vec<CellId>,
}

impl Numbers {
    fn region(&mut self, cell: CellId) -> RegionId {
        let next = RegionId::from_index(self.cells.len());
        let cells = &mut self.cells;
        *self.ids.entry(cell).or_insert_with(|| {
            cells.push(cell);
            next
        })
    }
}
