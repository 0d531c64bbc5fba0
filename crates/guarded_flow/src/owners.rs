//! Objects that live on because something that lives on leads to them (switch `owners`).
//!
//! SABER takes an object that flows into a global variable directly for not leaked (Assumption 1).
//! One that is stored in a field of such an object is as reachable; to store it there is to hand it
//! over, on the paths that do.

use caulk_base::{BitSet, FxHashSet};
use caulk_flow::Node;
use caulk_memory::{Memory, RegionId};
use caulk_pointer::{ObjId, ObjKind, PointsTo, SetId};

pub(crate) struct Owners {
    /// Heap objects that static storage or memory from outside leads to.
    anchored: BitSet<ObjId>,
}

impl Owners {
    pub fn none(memory: &Memory) -> Self {
        Self { anchored: BitSet::new(memory.input().points_to.objects.len()) }
    }

    pub fn new(memory: &Memory) -> Self {
        let points_to = memory.input().points_to;
        let mut seen = BitSet::new(points_to.objects.len());
        let roots = points_to.objects.iter().filter(|(_, row)| {
            row.outside || matches!(row.kind, ObjKind::Static(_) | ObjKind::Library(_))
        });
        let mut work: Vec<ObjId> = roots.map(|(id, _)| id).collect();
        let mut held = Held::default();
        while let Some(object) = work.pop() {
            if seen.insert(object) {
                work.extend(held.by(points_to, object));
            }
        }
        let mut anchored = Self::none(memory);
        for object in seen.iter() {
            if matches!(
                points_to.objects[object].kind,
                ObjKind::Heap { .. } | ObjKind::HeapOut { .. }
            ) {
                anchored.anchored.insert(object);
            }
        }
        anchored
    }

    /// Whether to be at the node is to be held by something that lives on.
    pub fn keeps(&self, memory: &Memory, node: Node) -> bool {
        let Node::Memory(_, region, ..) = node else { return false };
        !self.anchored.is_empty() && self.is_anchored(memory, region)
    }

    fn is_anchored(&self, memory: &Memory, region: RegionId) -> bool {
        let locations = &memory.input().points_to.locations;
        let all = memory.regions().locations(region).iter();
        all.map(|&at| locations.object(at)).any(|object| self.anchored.contains(object))
    }
}

/// Objects that other memory than variables of functions has the addresses of: nodes of lists and
/// trees, entries of tables. What such an object holds is found and released by walking there, which
/// value flow follows badly.
pub(crate) struct Entries {
    held: BitSet<ObjId>,
}

impl Entries {
    pub fn new(memory: &Memory) -> Self {
        let points_to = memory.input().points_to;
        let mut held = BitSet::new(points_to.objects.len());
        let mut sets = Held::default();
        for (object, row) in points_to.objects.iter() {
            if row.outside
                || matches!(
                    row.kind,
                    ObjKind::Static(_) | ObjKind::Heap { .. } | ObjKind::HeapOut { .. }
                )
            {
                sets.by(points_to, object).into_iter().for_each(|it| {
                    held.insert(it);
                });
            }
        }
        Self { held }
    }

    /// Whether the node is memory of such an object.
    pub fn contain(&self, memory: &Memory, node: Node) -> bool {
        let Node::Memory(_, region, ..) = node else { return false };
        let points_to = memory.input().points_to;
        let objects = memory.regions().locations(region).iter();
        objects.map(|&at| points_to.locations.object(at)).any(|object| {
            let kind = &points_to.objects[object].kind;
            let is_heap = matches!(kind, ObjKind::Heap { .. } | ObjKind::HeapOut { .. });
            is_heap && self.held.contains(object)
        })
    }
}

/// The objects that objects have the addresses of; each set is looked into once.
#[derive(Default)]
struct Held {
    seen: FxHashSet<SetId>,
}

impl Held {
    /// Those that no object asked about before has.
    fn by(&mut self, points_to: &PointsTo, object: ObjId) -> Vec<ObjId> {
        let locations = points_to.locations.of_object(object).iter();
        let sets = locations.map(|&at| points_to.contents(at));
        let new: Vec<SetId> = sets.filter(|&set| self.seen.insert(set)).collect();
        let held = new.into_iter().flat_map(|set| points_to.set(set));
        held.map(|&at| points_to.locations.object(at)).collect()
    }
}
