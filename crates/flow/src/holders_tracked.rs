//! Where the address of one object goes in the whole program, as far as holders need to know.

use std::sync::Mutex;

use caulk_base::{BitSet, FxHashMap, FxHashSet};
use caulk_ir::{InstId, Scalar};
use caulk_memory::{RegionId, Version, VersionId, View};
use caulk_models::Target;
use caulk_pointer::{ObjId, ObjKind};
use caulk_program::{ExternalId, InstanceId};

use crate::graph::Flow;
use crate::locals::Graph;
use crate::node::{End, Node, Point};
use crate::reach::{Escapes, Reach, Reachability};
use crate::sources::{Source, Sources};
use crate::summaries::TooLarge;

pub struct Tracked {
    pub object: ObjId,
    /// The instance and the call that make it.
    pub maker: (InstanceId, InstId),
    pub reach: Reach,
    /// The regions that hold its address somewhere, sorted.
    pub regions: Vec<RegionId>,
    /// The instances during which it may be made.
    making: FxHashSet<InstanceId>,
    /// The instances during which it may be released.
    releasing: FxHashSet<InstanceId>,
    /// The library functions that may keep it, each with the instances during which that happens.
    keeping: Vec<(Option<ExternalId>, FxHashSet<InstanceId>)>,
    at_entry: Mutex<FxHashMap<(InstanceId, RegionId), bool>>,
}

impl Tracked {
    /// None for an object that no call of an external function makes.
    ///
    /// # Errors
    /// When the address goes to more places than the search may visit.
    pub fn new(
        reachability: &Reachability,
        sources: &Sources,
        object: ObjId,
    ) -> Result<Option<Self>, TooLarge> {
        let graph = reachability.graph();
        Self::by(graph.flow, sources, object, |nodes| {
            reachability.forward(nodes).or_else(|_| unmatched(graph, nodes, object))
        })
    }

    /// The same, by matched calls alone: for who asks about every object of a large program.
    ///
    /// # Errors
    /// See [`Tracked::new`].
    pub fn matched(
        reachability: &Reachability,
        sources: &Sources,
        object: ObjId,
    ) -> Result<Option<Self>, TooLarge> {
        let flow = reachability.graph().flow;
        Self::by(flow, sources, object, |nodes| reachability.forward(nodes))
    }

    fn by(
        flow: &Flow,
        sources: &Sources,
        object: ObjId,
        search: impl FnOnce(&[Node]) -> Result<Reach, TooLarge>,
    ) -> Result<Option<Self>, TooLarge> {
        let kind = flow.memory.input().points_to.objects[object].kind;
        let Some(source) = source_of(sources, kind) else { return Ok(None) };
        let reach = search(&source.nodes)?;
        if reach.nodes.iter().any(|&node| is_in_wild_memory(flow, node)) {
            return Err(TooLarge { limit: UNMATCHED_LIMIT });
        }
        Ok(Some(Self::along(flow, source, object, reach)))
    }

    /// Where the address goes from one place that it comes to, the call of an allocator say.
    /// None for an object that no call of an external function makes.
    #[must_use]
    pub fn from(flow: &Flow, sources: &Sources, object: ObjId, reach: Reach) -> Option<Self> {
        let kind = flow.memory.input().points_to.objects[object].kind;
        Some(Self::along(flow, source_of(sources, kind)?, object, reach))
    }

    fn along(flow: &Flow, source: &Source, object: ObjId, reach: Reach) -> Self {
        let regions = regions(flow, &reach, object);
        let released = |(instance, _, end): (InstanceId, Point, End)| {
            (end == End::Released).then_some(instance)
        };
        let releasing = callers_of(flow, reach.ends().filter_map(released));
        let making = callers_of(flow, std::iter::once(source.instance));
        let keeping = keepers(flow, &reach);
        let maker = (source.instance, source.inst);
        let at_entry = Mutex::default();
        Self { object, maker, reach, regions, making, releasing, keeping, at_entry }
    }

    #[must_use]
    pub fn holds(&self, node: Node) -> bool {
        self.reach.contains(node)
    }

    /// Whether the object may be made while the instance runs.
    #[must_use]
    pub fn is_made_in(&self, instance: InstanceId) -> bool {
        self.making.contains(&instance)
    }

    /// Whether the object may be released while the instance runs.
    #[must_use]
    pub fn is_released_in(&self, instance: InstanceId) -> bool {
        self.releasing.contains(&instance)
    }

    /// The library functions that may keep it while the instance runs.
    pub(crate) fn kept_in(
        &self,
        instance: InstanceId,
    ) -> impl Iterator<Item = Option<ExternalId>> + '_ {
        let here = self.keeping.iter().filter(move |(_, all)| all.contains(&instance));
        here.map(|&(external, _)| external)
    }

    /// The instances that its address comes through, and those that overwrite memory which holds
    /// it; sorted.
    #[must_use]
    pub fn instances(&self, flow: &Flow) -> Vec<InstanceId> {
        let mut all: Vec<InstanceId> =
            self.reach.nodes.iter().map(|node| node.instance()).collect();
        all.push(self.maker.0);
        all.sort_unstable();
        all.dedup();
        let mut seen: FxHashSet<InstanceId> = all.iter().copied().collect();
        let mut next = 0;
        while next < all.len() {
            for &(_, call) in &flow.memory.accesses(all[next]).calls {
                let callees = flow.memory.callees(all[next], call);
                let writers: Vec<InstanceId> =
                    callees.filter(|&it| self.overwrites(flow, it) && seen.insert(it)).collect();
                all.extend(writers);
            }
            next += 1;
        }
        all.sort_unstable();
        all
    }

    /// Whether the instance writes memory that holds the address as it is entered.
    pub(crate) fn overwrites(&self, flow: &Flow, instance: InstanceId) -> bool {
        let writes = &flow.memory.effects(instance).writes;
        let held =
            |&&it: &&RegionId| writes.contains(it) && self.holds_at_entry(flow, instance, it);
        self.regions.iter().any(|it| held(&it))
    }

    pub(crate) fn nodes_of(&self, instance: InstanceId) -> impl Iterator<Item = Node> + '_ {
        let nodes = &self.reach.nodes;
        (0..KINDS).flat_map(move |kind| {
            let start = nodes.partition_point(|&node| place(node) < (kind, instance));
            nodes[start..].iter().copied().take_while(move |&node| place(node) == (kind, instance))
        })
    }

    /// Whether the region may hold the object's address as the instance is entered.
    pub(crate) fn holds_at_entry(
        &self,
        flow: &Flow,
        instance: InstanceId,
        region: RegionId,
    ) -> bool {
        let lock = || self.at_entry.lock().expect("no thread panics with the lock");
        if let Some(&known) = lock().get(&(instance, region)) {
            return known;
        }
        let mut seen = FxHashSet::default();
        let found = self.comes_down(flow, instance, region, &mut seen);
        // Where nothing comes down, nothing comes down to the callers that were looked at.
        let known = |it: &InstanceId| !found || *it == instance;
        lock().extend(seen.into_iter().filter(known).map(|it| ((it, region), found)));
        found
    }

    fn comes_down(
        &self,
        flow: &Flow,
        instance: InstanceId,
        region: RegionId,
        seen: &mut FxHashSet<InstanceId>,
    ) -> bool {
        let known = |it| {
            let known = self.at_entry.lock().expect("no thread panics with the lock");
            known.get(&(it, region)).copied()
        };
        let mut work = vec![instance];
        while let Some(callee) = work.pop() {
            if !seen.insert(callee) {
                continue;
            }
            match known(callee) {
                Some(true) => return true,
                Some(false) => continue,
                None => {}
            }
            if self.holds(Node::Memory(callee, region, View::All, VersionId::ENTRY)) {
                return true;
            }
            for site in flow.memory.callers(callee) {
                let chain = flow.memory.chain(site.caller, region, View::All);
                let before = chain.before(flow.memory.facts(site.caller), site.inst);
                if self.holds(Node::Memory(site.caller, region, View::All, before)) {
                    return true;
                }
                if comes_from_entry(chain.versions(), before) {
                    work.push(site.caller);
                }
            }
        }
        false
    }
}

const KINDS: u8 = 4;

/// The order of nodes, as far as instances.
fn place(node: Node) -> (u8, InstanceId) {
    let kind = match node {
        Node::Value(..) => 0,
        Node::Memory(..) => 1,
        Node::Passed(..) => 2,
        Node::End(..) => 3,
    };
    (kind, node.instance())
}

/// Whether a version may still have what the region held at the function's entry.
pub(crate) fn comes_from_entry(
    versions: &caulk_base::Table<VersionId, Version>,
    version: VersionId,
) -> bool {
    let mut seen = BitSet::new(versions.len());
    let mut work = vec![version];
    while let Some(version) = work.pop() {
        if !seen.insert(version) {
            continue;
        }
        match &versions[version] {
            Version::Entry => return true,
            Version::Written { previous, .. } => work.extend(previous),
            Version::Joined { operands, .. } => work.extend(operands.iter().map(|&(_, it)| it)),
        }
    }
    false
}

fn keepers(flow: &Flow, reach: &Reach) -> Vec<(Option<ExternalId>, FxHashSet<InstanceId>)> {
    let mut found: Vec<(Option<ExternalId>, InstanceId)> = reach
        .ends()
        .filter_map(|(instance, _, end)| match end {
            End::Kept(external) => Some((Some(external), instance)),
            End::Unknown(external) => Some((external, instance)),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    let same = found.chunk_by(|a, b| a.0 == b.0);
    same.map(|rows| (rows[0].0, callers_of(flow, rows.iter().map(|row| row.1)))).collect()
}

fn source_of(sources: &Sources, object: ObjKind) -> Option<&Source> {
    let (ObjKind::Heap { instance, .. } | ObjKind::HeapOut { instance, .. }) = object else {
        return None;
    };
    let rows = sources.allocations.rows();
    let start = rows.partition_point(|row| row.instance < instance);
    let here = rows[start..].iter().take_while(|row| row.instance == instance);
    here.into_iter().find(|row| makes(row, object))
}

fn makes(source: &Source, object: ObjKind) -> bool {
    match object {
        ObjKind::Heap { instance, call } => {
            (source.instance, source.call) == (instance, call) && source.target == Target::Result
        }
        ObjKind::HeapOut { instance, call, arg, nth } => {
            (source.instance, source.call) == (instance, call)
                && match source.target {
                    Target::Pointee(it) => it == arg && nth == 0,
                    Target::Element { arg: it, index } => it == arg && nth == index,
                    Target::Elements(it) => it == arg && nth == ObjKind::ELEMENTS,
                    Target::Result | Target::Inside(_) => false,
                }
        }
        _ => false,
    }
}

/// From there on the flow is not followed.
fn is_in_wild_memory(flow: &Flow, node: Node) -> bool {
    match node {
        Node::Memory(_, region, ..) => flow.memory.regions().is_wild(region),
        _ => false,
    }
}

/// Nodes that are looked at without matching calls: what goes to more places is held by so many
/// that an answer would tell nothing.
const UNMATCHED_LIMIT: usize = 5_000;

/// The same without matching calls and returns, for what is too large otherwise: each node is
/// visited once. Points-to keeps it from going astray.
fn unmatched(graph: Graph, sources: &[Node], object: ObjId) -> Result<Reach, TooLarge> {
    let mut seen: FxHashSet<Node> = sources.iter().copied().collect();
    let mut work = sources.to_vec();
    while let Some(node) = work.pop() {
        for edge in graph.edges(node, |_| true) {
            if can_hold(graph.flow, edge.to, object) && seen.insert(edge.to) {
                work.push(edge.to);
            }
        }
        if seen.len() > UNMATCHED_LIMIT {
            return Err(TooLarge { limit: UNMATCHED_LIMIT });
        }
    }
    let mut nodes: Vec<Node> = seen.into_iter().collect();
    nodes.sort_unstable();
    Ok(Reach { sources: sources.into(), nodes: nodes.into(), escapes: Escapes::default() })
}

/// Whether points-to allows that the node holds the address; numbers are let pass.
fn can_hold(flow: &Flow, node: Node, object: ObjId) -> bool {
    let points_to = flow.memory.input().points_to;
    match node {
        Node::Value(instance, value) => {
            let is_pointer = flow.body(instance).values[value].scalar == Scalar::Ptr;
            !is_pointer || points_to.reaches(points_to.value(instance, value), object)
        }
        Node::Memory(_, region, ..) | Node::Passed(_, _, region) => may_point(flow, region, object),
        Node::End(..) => true,
    }
}

/// What points-to says cannot hold the object is left out.
fn regions(flow: &Flow, reach: &Reach, object: ObjId) -> Vec<RegionId> {
    let mut all: Vec<RegionId> = reach
        .nodes
        .iter()
        .filter_map(|node| match *node {
            Node::Memory(_, region, ..) => Some(region),
            _ => None,
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|&region| may_point(flow, region, object));
    all
}

fn may_point(flow: &Flow, region: RegionId, object: ObjId) -> bool {
    let points_to = flow.memory.input().points_to;
    let holds =
        |&location: &caulk_pointer::LocId| points_to.reaches(points_to.contents(location), object);
    let regions = flow.memory.regions();
    regions.is_wild(region) || regions.locations(region).iter().any(holds)
}

/// The instances and whoever may call them, directly or not.
fn callers_of(flow: &Flow, of: impl Iterator<Item = InstanceId>) -> FxHashSet<InstanceId> {
    let mut found = FxHashSet::default();
    let mut work: Vec<InstanceId> = of.collect();
    while let Some(instance) = work.pop() {
        if found.insert(instance) {
            work.extend(flow.memory.callers(instance).iter().map(|site| site.caller));
        }
    }
    found
}
