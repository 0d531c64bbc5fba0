//! The answer, in ids that depend on the program alone.
//!
//! Objects are numbered in the order of their kinds, those behind an outside location after all
//! others; locations by object and offset. Equal sets are stored once.

use caulk_base::{BitSet, FxHashMap, Id, Table, define_id};
use caulk_ir::{CallId, InstId, SlotId, ValueId};
use caulk_program::{Entries, ExternalId, InstanceId, ProcId, StaticId};
use caulk_ssa::Lists;

use crate::location::{Loc, LocId, Locations};
use crate::nodes::{NodeId, Nodes};
use crate::object::{Obj, ObjId, ObjKind};
use crate::params::Params;
use crate::rules::Rules;
use crate::statistics::Statistics;

define_id!(pub SetId, "set", "A set of locations.");

impl SetId {
    pub const EMPTY: SetId = SetId(0);
}

/// What a call may enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    Instance(InstanceId),
    External(ExternalId),
    /// A function that came from outside, or, through a wild pointer, any of those that wild
    /// pointers point to.
    Unknown,
}

#[derive(Clone, Debug)]
pub struct PointsTo {
    pub objects: Table<ObjId, Obj>,
    pub locations: Locations,
    ids: FxHashMap<ObjKind, ObjId>,
    params: Params,
    nodes: Nodes,
    of_node: Table<NodeId, SetId>,
    contents: Table<LocId, SetId>,
    sets: Lists<SetId, LocId>,
    first_call: Table<InstanceId, u32>,
    callees: Lists<CallIndex, Target>,
    entries: Entries,
    escaped: BitSet<ObjId>,
    /// What all wild pointers point to, and the objects of it.
    wild: SetId,
    wild_objects: BitSet<ObjId>,
    plain_allocators: Table<ProcId, bool>,
    statistics: Statistics,
}

define_id!(CallIndex, "call", "A call site of an instance, counted over the program.");

impl PointsTo {
    /// What a value may point to; empty for values that hold no address.
    #[must_use]
    pub fn value(&self, instance: InstanceId, value: ValueId) -> SetId {
        self.nodes.value(instance, value).map_or(SetId::EMPTY, |node| self.of_node[node])
    }

    /// Every value of every instance.
    pub fn each_value(&self) -> impl Iterator<Item = (InstanceId, ValueId)> + '_ {
        self.nodes.each_value()
    }

    /// What an instance returns.
    #[must_use]
    pub fn result(&self, instance: InstanceId) -> SetId {
        self.of_node[self.nodes.result(instance)]
    }

    /// What a location may hold.
    #[must_use]
    pub fn contents(&self, loc: LocId) -> SetId {
        self.contents[loc]
    }

    /// Sorted.
    #[must_use]
    pub fn set(&self, id: SetId) -> &[LocId] {
        &self.sets[id]
    }

    /// Whether a set has a location of the object.
    #[must_use]
    pub fn reaches(&self, id: SetId, object: ObjId) -> bool {
        if self.is_wild(id) { self.wild_objects.contains(object) } else { self.lists(id, object) }
    }

    /// Whether a location of the object is in the set itself: what a wild one stands for is not.
    #[must_use]
    pub fn lists(&self, id: SetId, object: ObjId) -> bool {
        let set = self.set(id);
        let own = self.locations.of_object(object);
        if own.len() < set.len() {
            own.iter().any(|at| set.binary_search(at).is_ok())
        } else {
            set.iter().any(|&at| self.locations.object(at) == object)
        }
    }

    /// How many different sets there are; the empty one counts.
    #[must_use]
    pub fn set_count(&self) -> usize {
        self.sets.key_count()
    }

    /// What a call may enter, sorted; empty when nothing was found.
    #[must_use]
    pub fn callees(&self, instance: InstanceId, call: CallId) -> &[Target] {
        &self.callees[CallIndex(self.first_call[instance] + call.0)]
    }

    /// The program's entries, and the callbacks that were found.
    #[must_use]
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    #[must_use]
    pub fn object(&self, kind: ObjKind) -> Option<ObjId> {
        self.ids.get(&kind).copied()
    }

    /// What a call of an allocating external function returns.
    #[must_use]
    pub fn heap_object(&self, instance: InstanceId, call: CallId) -> Option<ObjId> {
        self.object(ObjKind::Heap { instance, call })
    }

    /// Everything that a call of an external function allocates: its result, then what it
    /// leaves in memory.
    pub fn heap_objects(
        &self,
        instance: InstanceId,
        call: CallId,
    ) -> impl Iterator<Item = ObjId> + '_ {
        let first = ObjKind::HeapOut { instance, call, arg: 0, nth: 0 };
        let start = self.objects.rows().partition_point(|row| row.kind < first);
        let made_here = move |row: &&Obj| matches!(row.kind, ObjKind::HeapOut { instance: i, call: c, .. } if (i, c) == (instance, call));
        let count = self.objects.rows()[start..].iter().take_while(made_here).count();
        let left = (start..start + count).map(ObjId::from_index);
        self.heap_object(instance, call).into_iter().chain(left)
    }

    #[must_use]
    pub fn slot_object(&self, instance: InstanceId, slot: SlotId) -> Option<ObjId> {
        self.object(ObjKind::Slot { instance, slot })
    }

    #[must_use]
    pub fn alloca_object(&self, instance: InstanceId, inst: InstId) -> Option<ObjId> {
        self.object(ObjKind::Alloca { instance, inst })
    }

    #[must_use]
    pub fn static_object(&self, id: StaticId) -> Option<ObjId> {
        self.object(ObjKind::Static(id))
    }

    /// What a parameter of an entry brings; functions of a library share it by type.
    #[must_use]
    pub fn param_object(&self, proc: ProcId, index: u32) -> Option<ObjId> {
        self.object(self.params.object(proc, index))
    }

    /// The objects that unknown code may reach, Outside itself included.
    #[must_use]
    pub fn escaped(&self) -> &BitSet<ObjId> {
        &self.escaped
    }

    /// What all wild pointers point to; empty when there are none.
    #[must_use]
    pub fn wild(&self) -> SetId {
        self.wild
    }

    /// Whether a pointer with this set points to too much: see `wild`.
    #[must_use]
    pub fn is_wild(&self, set: SetId) -> bool {
        set == self.wild && set != SetId::EMPTY
    }

    /// Whether calls through wild pointers may enter the procedure.
    #[must_use]
    pub fn is_entered_wildly(&self, proc: ProcId) -> bool {
        let object = self.object(ObjKind::Procedure(proc));
        object.is_some_and(|object| self.wild_objects.contains(object))
    }

    /// The objects that wild pointers point to: none of them is told from another through one.
    #[must_use]
    pub fn wild_objects(&self) -> &BitSet<ObjId> {
        &self.wild_objects
    }

    /// Whether each call of the procedure makes an object of its own, which it returns.
    #[must_use]
    pub fn is_plain_allocator(&self, proc: ProcId) -> bool {
        self.plain_allocators[proc]
    }

    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
}

/// What a solver found, in the ids of its world.
pub(crate) trait Solution {
    fn class_count(&self) -> usize;

    /// Nodes with the same class have the same set.
    fn class(&self, node: NodeId) -> usize;

    /// In any order; locations that others stand for may be among them.
    fn members(&self, class: usize) -> Vec<LocId>;
}

pub(crate) fn finish(rules: Rules, solution: &impl Solution, statistics: Statistics) -> PointsTo {
    let numbering = Numbering::new(&rules);
    let mut sets = Interner::default();
    let mut of_class: Vec<Option<SetId>> = vec![None; solution.class_count()];
    let mut set_of = |node: NodeId| {
        let class = solution.class(node);
        *of_class[class].get_or_insert_with(|| {
            sets.intern(numbering.translate(&rules, solution.members(class)))
        })
    };
    let nodes = (0..rules.world.nodes.count()).map(NodeId::from_index);
    let of_node: Table<NodeId, SetId> = nodes.map(&mut set_of).collect();
    let contents: Table<LocId, SetId> = numbering
        .old_locs
        .iter()
        .map(|&old| rules.world.nodes.known_contents(old).map_or(SetId::EMPTY, |it| of_node[it]))
        .collect();
    let sets = sets.lists();
    let (first_call, callees) = callees(&rules);
    let outside = rules.world.nodes.known_contents(rules.world.outside);
    let objects_of = |set: SetId| {
        let mut objects = BitSet::new(numbering.objects.len());
        for &loc in &sets[set] {
            objects.insert(numbering.locations.object(loc));
        }
        objects
    };
    let escaped = objects_of(outside.map_or(SetId::EMPTY, |kept| of_node[kept]));
    let wild = of_node[rules.world.wild.all];
    let wild_objects = objects_of(wild);
    let statistics = Statistics {
        variables: rules.world.nodes.count(),
        objects: numbering.objects.len(),
        locations: numbering.locations.len(),
        objects_collapsed: collapsed(&numbering.objects),
        sets: sets.key_count(),
        largest_set: sets.iter().map(|(_, set): (SetId, _)| set.len()).max().unwrap_or(0),
        ..statistics
    };
    let input = rules.world.input;
    let plain_allocators = input
        .program
        .procs
        .ids()
        .map(|proc| input.wrappers.of(proc).is_plain_allocator())
        .collect();
    PointsTo {
        plain_allocators,
        ids: numbering.objects.iter().map(|(id, row)| (row.kind, id)).collect(),
        objects: numbering.objects,
        locations: numbering.locations,
        params: rules.world.params,
        nodes: rules.world.nodes,
        of_node,
        contents,
        sets,
        first_call,
        callees,
        entries: rules.entries,
        escaped,
        wild,
        wild_objects,
        statistics,
    }
}

fn collapsed(objects: &Table<ObjId, Obj>) -> usize {
    let counts = |row: &&Obj| row.collapsed && !(row.outside && row.ty.is_none());
    objects.rows().iter().filter(counts).count()
}

/// From the ids of a world to those of the result.
struct Numbering {
    objects: Table<ObjId, Obj>,
    locations: Locations,
    /// By new id.
    old_locs: Vec<LocId>,
    /// By old id, for those that nothing stands for.
    new_locs: Table<LocId, Option<LocId>>,
}

impl Numbering {
    fn new(rules: &Rules) -> Self {
        let world = &rules.world;
        let mut numbering = Self {
            objects: Table::new(),
            locations: Locations::default(),
            old_locs: Vec::new(),
            new_locs: Table::filled(None, world.locations.len()),
        };
        let deepest = world.objects.rows().iter().map(|row| row.depth).max().unwrap_or(0);
        for depth in 0..=deepest {
            numbering.layer(rules, depth);
        }
        numbering
    }

    /// The objects that are `depth` steps behind an outside location: their names depend on the
    /// ids of the layer before.
    fn layer(&mut self, rules: &Rules, depth: u8) {
        let world = &rules.world;
        let mut layer: Vec<(ObjKind, ObjId)> = world
            .objects
            .iter()
            .filter(|(id, row)| row.depth == depth && world.is_live(*id))
            .map(|(id, row)| (self.renamed(row.kind), id))
            .collect();
        layer.sort_unstable();
        for (kind, old) in layer {
            let object = self.objects.push(Obj { kind, ..world.objects[old] });
            self.add_locations(rules, old, object);
        }
    }

    fn renamed(&self, kind: ObjKind) -> ObjKind {
        match kind {
            ObjKind::Deref { of } => ObjKind::Deref { of: self.new_locs[of].unwrap_or(of) },
            kind => kind,
        }
    }

    fn add_locations(&mut self, rules: &Rules, old: ObjId, object: ObjId) {
        let world = &rules.world;
        let mut locs: Vec<(i64, LocId)> = world
            .locations
            .of_object(old)
            .iter()
            .filter(|&&loc| world.canonical(loc) == loc)
            .map(|&loc| (world.locations.offset(loc), loc))
            .collect();
        locs.sort_unstable();
        for (offset, loc) in locs {
            let new = self.locations.intern(Loc { object, offset });
            self.new_locs[loc] = Some(new);
            self.old_locs.push(loc);
        }
    }

    fn translate(&self, rules: &Rules, members: Vec<LocId>) -> Vec<LocId> {
        let mut new: Vec<LocId> = members
            .into_iter()
            .filter_map(|loc| self.new_locs[rules.world.canonical(loc)])
            .collect();
        new.sort_unstable();
        new.dedup();
        new
    }
}

/// Gives equal sets one id, in the order in which they come.
#[derive(Default)]
struct Interner {
    ids: FxHashMap<Box<[LocId]>, SetId>,
    pairs: Vec<(SetId, LocId)>,
}

impl Interner {
    fn intern(&mut self, set: Vec<LocId>) -> SetId {
        if set.is_empty() {
            return SetId::EMPTY;
        }
        let next = SetId::from_index(self.ids.len() + 1);
        let pairs = &mut self.pairs;
        *self.ids.entry(set.into_boxed_slice()).or_insert_with_key(|set| {
            pairs.extend(set.iter().map(|&loc| (next, loc)));
            next
        })
    }

    fn lists(self) -> Lists<SetId, LocId> {
        Lists::from_pairs(self.ids.len() + 1, &self.pairs)
    }
}

fn callees(rules: &Rules) -> (Table<InstanceId, u32>, Lists<CallIndex, Target>) {
    let input = rules.world.input;
    let mut next = 0;
    let mut first = Table::new();
    for instance in input.instances.rows.ids() {
        first.push(next);
        let calls = input.instances.body(input.program, instance).calls.len();
        next += u32::try_from(calls).unwrap_or(u32::MAX);
    }
    let index = |&(instance, call): &(InstanceId, CallId)| CallIndex(first[instance] + call.0);
    let mut pairs: Vec<(CallIndex, Target)> =
        rules.targets.iter().map(|(site, target)| (index(site), *target)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let callees = Lists::from_pairs(next as usize, &pairs);
    (first, callees)
}
