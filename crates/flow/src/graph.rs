//! The sparse value-flow graph (S6): who receives a value that a definition makes.
//!
//! Nothing is built ahead: [`Flow::successors`] answers for one node, from the uses of a value or
//! of a version of memory, and the memory SSA behind it is made on demand. A search that starts at
//! allocation sites therefore builds exactly what they reach (section 4.3).
//!
//! The newest object of an allocation site has versions of its own (`View::Newest`) beside those
//! of all objects of the site: every write goes into both, and a read through an address that
//! means the newest object alone looks only there.

use std::sync::OnceLock;

use caulk_base::{FxHashMap, Table};
use caulk_ir::{Body, InstId, Terminator, ValueId};
use caulk_memory::{Memory, RegionId, View};
use caulk_pointer::SetId;
use caulk_program::{InstanceId, ProcId};
use caulk_ssa::Lists;

use crate::exits::{Exit, Steps};
use crate::node::{Cross, End, FlowEdge, Node, Point, Rule};
use crate::value_uses::{ValueUse, value_uses};

pub struct Flow<'m, 'p> {
    pub memory: &'m Memory<'p>,
    uses: Table<ProcId, OnceLock<Lists<ValueId, ValueUse>>>,
    /// Whether a set has a function that releases; sets are shared, and some are large.
    pub(crate) releases: Table<SetId, OnceLock<bool>>,
    /// The instances that something outside may call.
    entered_from_outside: Table<InstanceId, bool>,
}

/// The steps of one node, in the making.
#[derive(Default)]
pub(crate) struct Edges {
    pub rows: Vec<FlowEdge>,
    pub exits: Vec<Exit>,
}

impl Edges {
    pub fn push(&mut self, edge: FlowEdge) {
        self.rows.push(edge);
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

impl<'m, 'p> Flow<'m, 'p> {
    #[must_use]
    pub fn new(memory: &'m Memory<'p>) -> Self {
        let input = memory.input();
        let entries = input.points_to.entries();
        let entered_from_outside = input
            .instances
            .rows
            .rows()
            .iter()
            .map(|row| row.made_for.is_none() && entries.reason(row.proc).is_some())
            .collect();
        let uses = input.program.procs.ids().map(|_| OnceLock::new()).collect();
        let releases = (0..input.points_to.set_count()).map(|_| OnceLock::new()).collect();
        Self { memory, uses, releases, entered_from_outside }
    }

    #[must_use]
    pub fn is_entered_from_outside(&self, instance: InstanceId) -> bool {
        self.entered_from_outside[instance]
    }

    /// Whether calls through wild pointers may enter it: then any of them may get what it leaves.
    pub(crate) fn is_entered_wildly(&self, instance: InstanceId) -> bool {
        let input = self.memory.input();
        let row = &input.instances.rows[instance];
        row.made_for.is_none() && input.points_to.is_entered_wildly(row.proc)
    }

    #[must_use]
    pub fn uses_of(&self, instance: InstanceId, value: ValueId) -> &[ValueUse] {
        let input = self.memory.input();
        let proc = input.instances.proc(instance);
        &self.uses[proc].get_or_init(|| value_uses(input.program.body(proc)))[value]
    }

    pub(crate) fn body(&self, instance: InstanceId) -> &'p Body {
        self.memory.body(instance)
    }

    /// Where a value goes from a node, each edge once, in a fixed order.
    #[must_use]
    pub fn successors(&self, node: Node) -> Vec<FlowEdge> {
        let Steps { mut edges, exits } = self.steps(node);
        for exit in exits {
            for &site in self.memory.callers(node.instance()) {
                edges.extend(self.returned(node.instance(), exit, site));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Where a value goes from a node inside its procedure and into callees, and how it leaves
    /// the procedure. What it becomes in a caller is asked for one call at a time, with
    /// [`Flow::returned`]: a search that matches calls needs few of them.
    #[must_use]
    pub fn steps(&self, node: Node) -> Steps {
        let mut edges = Edges::default();
        match node {
            Node::Value(instance, value) => self.value_successors(instance, value, &mut edges),
            Node::Memory(instance, region, view, version) => {
                self.memory_successors(instance, region, view, version, &mut edges);
            }
            Node::Passed(instance, inst, region) => {
                self.passed_successors(instance, inst, region, &mut edges);
            }
            Node::End(..) => {}
        }
        let Edges { mut rows, mut exits } = edges;
        rows.sort_unstable();
        rows.dedup();
        exits.sort_unstable();
        exits.dedup();
        Steps { edges: rows, exits }
    }

    /// The point at which a node's definition happens.
    #[must_use]
    pub fn point(&self, node: Node) -> Point {
        match node {
            Node::Value(instance, value) => match self.body(instance).values[value].kind {
                caulk_ir::ValueKind::Inst(inst) => Point::Inst(inst),
                caulk_ir::ValueKind::BlockParam(block, _) => Point::Start(block),
                caulk_ir::ValueKind::Param(_) | caulk_ir::ValueKind::Const(_) => Point::Entry,
            },
            Node::Memory(instance, region, view, version) => {
                match &self.memory.chain(instance, region, view).versions()[version] {
                    caulk_memory::Version::Entry => Point::Entry,
                    caulk_memory::Version::Written { inst, .. } => Point::Inst(*inst),
                    caulk_memory::Version::Joined { block, .. } => Point::Start(*block),
                }
            }
            Node::Passed(_, inst, _) => Point::Inst(inst),
            Node::End(_, point, _) => point,
        }
    }

    /// Whether the region holds memory of static storage: SABER's GLOBAL (S4). What wild pointers
    /// point to is as good as global: nobody can tell who finds what is there.
    #[must_use]
    pub fn is_global(&self, region: RegionId) -> bool {
        let points_to = self.memory.input().points_to;
        let regions = self.memory.regions();
        regions.is_wild(region)
            || regions.locations(region).iter().any(|&location| {
                let object = points_to.locations.object(location);
                matches!(points_to.objects[object].kind, caulk_pointer::ObjKind::Static(_))
            })
    }

    /// Whether the region holds memory that the program did not make: a caller's, a library's.
    #[must_use]
    pub fn is_outside(&self, region: RegionId) -> bool {
        let points_to = self.memory.input().points_to;
        let regions = self.memory.regions();
        regions.is_wild(region)
            || regions
                .locations(region)
                .iter()
                .any(|&location| points_to.objects[points_to.locations.object(location)].outside)
    }

    /// [V-CHI], the stored value's half: it is in every version that the instruction writes.
    pub(crate) fn add_written(
        &self,
        instance: InstanceId,
        inst: InstId,
        region: RegionId,
        rule: Rule,
        cross: Cross,
        edges: &mut Edges,
    ) {
        let newest = self.memory.made_by(instance, region).map(View::Newest);
        for view in std::iter::once(View::All).chain(newest) {
            if let Some(version) = self.memory.chain(instance, region, view).written_at(inst) {
                let to = Node::Memory(instance, region, view, version);
                edges.push(FlowEdge { to, cross, rule });
            }
        }
    }

    /// To the results of all calls of an instance.
    pub(crate) fn return_value(&self, instance: InstanceId, edges: &mut Edges, at: Point) {
        edges.exits.push(Exit::Result);
        self.to_caller(instance, at, edges);
    }

    pub(crate) fn to_caller(&self, instance: InstanceId, at: Point, edges: &mut Edges) {
        if self.is_entered_from_outside(instance) {
            edges.push(end(instance, at, End::Caller));
        }
    }

    /// The blocks that return a value.
    pub fn returns(&self, instance: InstanceId) -> impl Iterator<Item = ValueId> + '_ {
        self.body(instance).blocks.rows().iter().filter_map(|block| match block.terminator {
            Terminator::Return(value) => value,
            _ => None,
        })
    }
}

pub(crate) fn end(instance: InstanceId, at: Point, what: End) -> FlowEdge {
    FlowEdge { to: Node::End(instance, at, what), cross: Cross::None, rule: Rule::Copy }
}

pub(crate) fn plain(to: Node, rule: Rule) -> FlowEdge {
    FlowEdge { to, cross: Cross::None, rule }
}

/// Numbers nodes in the order in which they are first seen.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    ids: FxHashMap<Node, crate::NodeId>,
    nodes: Table<crate::NodeId, Node>,
}

impl Numbers {
    pub fn number(&mut self, node: Node) -> crate::NodeId {
        let nodes = &mut self.nodes;
        *self.ids.entry(node).or_insert_with(|| nodes.push(node))
    }

    #[must_use]
    pub fn find(&self, node: Node) -> Option<crate::NodeId> {
        self.ids.get(&node).copied()
    }

    #[must_use]
    pub fn nodes(&self) -> &Table<crate::NodeId, Node> {
        &self.nodes
    }
}
