//! Which branches of a path are told: those that the fate of the object depends on.
//!
//! A path takes many branches that have nothing to do with the object. To tell them claims more than
//! it takes: the leak is there whichever way they go. A branch matters if its ways meet again only
//! behind something that happens to the object (a release, a store, a call that leads to one, the
//! loss), or if the object gets into a variable by one of its ways only. Ways that end the process do
//! not count. What no release is reached from is lost whatever branches do.

use caulk_base::{BitSet, FxHashMap, FxHashSet};
use caulk_flow::{Cross, DeathKind, End, Node, NodeId, Point, Rule, Slice};
use caulk_ir::{BlockId, Edge, Inst, Terminator, ValueId, ValueKind};
use caulk_pointer::{ObjId, ObjKind};
use caulk_program::InstanceId;

use crate::freed::relevant;
use crate::judge::{Judgement, Leak};
use crate::losses::Loss;
use crate::meetings::Meetings;
use crate::paths::{Passed, Taken, Way};
use crate::world::World;

type Place = (InstanceId, BlockId);

/// The branches of a path up to the loss that matter, in its order.
pub(crate) fn told(
    world: &World,
    judgement: &Judgement,
    leak: &Leak,
    way: &Way,
    loss: Option<&Loss>,
) -> Vec<Taken> {
    let end = last_place(world, way, loss);
    let mut stakes = Stakes::new(world, &leak.forward);
    let lost_anyway = judgement.class.is_never_freed() && ends_by_itself(way, loss);
    stakes.places.extend(end.filter(|_| !lost_anyway));
    let passed: FxHashSet<InstanceId> = way.passed.iter().map(|it| it.instance).collect();
    for instance in passed {
        stakes.add_holders(instance);
    }
    let until = end.and_then(|end| Until::new(&way.passed, end));
    let branches = way.branches.iter();
    let branches = branches.filter(|it| until.as_ref().is_none_or(|until| until.has(it)));
    branches.filter(|it| stakes.matter_at(it)).copied().collect()
}

/// The heap objects that the slice follows the address into.
fn holders(world: &World, forward: &Slice) -> FxHashSet<ObjId> {
    let (regions, points_to) = (world.memory().regions(), world.memory().input().points_to);
    let regions = forward.nodes().iter().filter_map(|(_, node)| match *node {
        Node::Memory(_, region, ..) => Some(regions.locations(region)),
        _ => None,
    });
    let objects = regions.flatten().map(|&at| points_to.locations.object(at));
    let is_heap = |id: &ObjId| {
        matches!(points_to.objects[*id].kind, ObjKind::Heap { .. } | ObjKind::HeapOut { .. })
    };
    objects.filter(is_heap).collect()
}

/// Where the path has lost the object.
fn last_place(world: &World, way: &Way, loss: Option<&Loss>) -> Option<Place> {
    let block = |instance, point| Some((instance, world.places().block(instance, point)?));
    match loss {
        Some(loss) => block(loss.instance, loss.death.point),
        None => match way.dropped.last() {
            Some(&(instance, inst)) => block(instance, Point::Inst(inst)),
            None => way.end,
        },
    }
}

/// Whether it is lost where a function ends, whichever way it does.
fn ends_by_itself(way: &Way, loss: Option<&Loss>) -> bool {
    match loss {
        Some(loss) => matches!(loss.death.kind, DeathKind::EndOfScope | DeathKind::Dropped),
        None => way.dropped.is_empty(),
    }
}

/// The part of a path before the loss.
struct Until {
    /// The block of the loss, by its number on the path.
    block: usize,
    depth: usize,
    /// The next block of the same function, or of one that called it.
    next: usize,
}

impl Until {
    fn new(passed: &[Passed], (instance, block): Place) -> Option<Self> {
        let at = passed.iter().rposition(|it| (it.instance, it.block) == (instance, block))?;
        let depth = passed[at].depth;
        let after = passed[at + 1..].iter().position(|it| it.depth <= depth);
        Some(Self { block: at, depth, next: after.map_or(passed.len(), |it| at + 1 + it) })
    }

    /// What is called in the block of the loss comes before it.
    fn has(&self, taken: &Taken) -> bool {
        taken.passed <= self.block || taken.passed <= self.next && taken.depth > self.depth
    }
}

/// Where something happens to the object.
struct Stakes<'a, 'f, 'm, 'p> {
    world: &'a World<'f, 'm, 'p>,
    forward: &'a Slice,
    /// The nodes that lead to a release.
    leading: BitSet<NodeId>,
    places: FxHashSet<Place>,
    /// What calls yield that release it.
    results: FxHashSet<(InstanceId, ValueId)>,
    /// Heap objects that may have the address.
    holders: FxHashSet<ObjId>,
    meetings: FxHashMap<InstanceId, Meetings>,
}

impl<'a, 'f, 'm, 'p> Stakes<'a, 'f, 'm, 'p> {
    fn new(world: &'a World<'f, 'm, 'p>, forward: &'a Slice) -> Self {
        let mut stakes = Self {
            world,
            forward,
            leading: relevant(world, forward),
            places: FxHashSet::default(),
            results: FxHashSet::default(),
            holders: holders(world, forward),
            meetings: FxHashMap::default(),
        };
        for (id, &node) in forward.nodes().iter() {
            match node {
                Node::End(instance, point, end) => {
                    stakes.add(instance, point);
                    stakes.add_result(instance, point, end);
                }
                Node::Value(instance, value) if stakes.leading.contains(id) => {
                    stakes.add_join(instance, value);
                }
                _ => {}
            }
        }
        for edge in forward.all_edges() {
            stakes.add_edge(edge);
        }
        stakes
    }

    fn add(&mut self, instance: InstanceId, point: Point) {
        let block = self.world.places().block(instance, point);
        self.places.extend(block.map(|block| (instance, block)));
    }

    /// What a release yields says whether there was one: of an enlarging call.
    fn add_result(&mut self, instance: InstanceId, point: Point, end: End) {
        if let (Point::Inst(inst), End::Released) = (point, end) {
            let result = self.world.memory().body(instance).results[inst];
            self.results.extend(result.map(|result| (instance, result)));
        }
    }

    fn is_about_result(&self, taken: &Taken) -> bool {
        let body = self.world.memory().body(taken.instance);
        let Terminator::Branch { cond, .. } = body.blocks[taken.block].terminator else {
            return false;
        };
        let Some(Inst::Compare { lhs, .. }) = body.definition(cond).map(|it| body.insts[it]) else {
            return false;
        };
        self.results.contains(&(taken.instance, lhs))
    }

    fn add_edge(&mut self, edge: caulk_flow::SliceEdge) {
        let (from, to) = (self.forward.nodes()[edge.from], self.forward.nodes()[edge.to]);
        let leads = self.leading.contains(edge.to);
        match (edge.cross, from) {
            (Cross::Call(at), _) if leads => self.add(at.caller, Point::Inst(at.inst)),
            (Cross::Return(_), Node::Value(instance, value)) if leads => {
                self.add_returns(instance, value);
            }
            (Cross::None, Node::Value(..)) if edge.rule == Rule::Chi => {
                self.add(to.instance(), self.world.flow.point(to));
            }
            _ => {}
        }
    }

    fn add_returns(&mut self, instance: InstanceId, value: ValueId) {
        let blocks = self.world.memory().body(instance).blocks.iter();
        let returns = blocks.filter(|it| it.1.terminator == Terminator::Return(Some(value)));
        self.places.extend(returns.map(|it| (instance, it.0)));
    }

    /// A variable that has the object only if control comes by some of the ways.
    fn add_join(&mut self, instance: InstanceId, value: ValueId) {
        let body = self.world.memory().body(instance);
        let ValueKind::BlockParam(block, index) = body.values[value].kind else { return };
        let rows = body.blocks.iter();
        let into = rows.flat_map(|(from, row)| row.terminator.edges().map(move |it| (from, it)));
        let args = into.filter(|it| it.1.to == block).map(|it| (it.0, it.1.args[index as usize]));
        let (with, without): (Vec<_>, Vec<_>) = args.partition(|it| self.has(instance, it.1));
        if !without.is_empty() {
            self.places.extend(with.into_iter().map(|it| (instance, it.0)));
        }
    }

    /// What becomes of memory that has the object: where its address is stored, passed on, returned.
    fn add_holders(&mut self, instance: InstanceId) {
        if self.holders.is_empty() {
            return;
        }
        let memory = self.world.memory();
        let (body, facts) = (memory.body(instance), memory.facts(instance));
        let is_holder = |value: ValueId| {
            let points_to = memory.input().points_to;
            let mut places = points_to.set(points_to.value(instance, value)).iter();
            places.any(|&at| self.holders.contains(&points_to.locations.object(at)))
        };
        let moved = body.insts.iter().filter(|(_, inst)| match **inst {
            Inst::Store { value, .. } => is_holder(value),
            Inst::Call(call) => body.calls[call].args.iter().any(|arg| is_holder(arg.value)),
            _ => false,
        });
        let mut found: Vec<BlockId> = moved.map(|(inst, _)| facts.block_of(inst)).collect();
        let returns = body.blocks.iter().filter(|(_, row)| match row.terminator {
            Terminator::Return(Some(value)) => is_holder(value),
            _ => false,
        });
        found.extend(returns.map(|it| it.0));
        self.places.extend(found.into_iter().map(|block| (instance, block)));
    }

    fn has(&self, instance: InstanceId, value: ValueId) -> bool {
        self.forward.find(Node::Value(instance, value)).is_some()
    }

    fn matter_at(&mut self, taken: &Taken) -> bool {
        let instance = taken.instance;
        if self.is_joined_by_one_way(taken) || self.is_about_result(taken) {
            return true;
        }
        let mut own = self.places.iter().filter(|it| it.0 == instance).peekable();
        if own.peek().is_none() {
            return false;
        }
        let world = self.world;
        let meetings =
            self.meetings.entry(instance).or_insert_with(|| Meetings::new(world, instance));
        let between = meetings.between(taken.block);
        own.any(|it| between.contains(it.1))
    }

    /// Whether the branch itself decides if a variable gets the object.
    fn is_joined_by_one_way(&self, taken: &Taken) -> bool {
        let body = self.world.memory().body(taken.instance);
        let brings = |edge: &Edge| {
            let mut both = edge.args.iter().zip(&body.blocks[edge.to].params);
            both.any(|(&arg, &param)| {
                let joined = self.forward.find(Node::Value(taken.instance, param));
                let leads = joined.is_some_and(|id| self.leading.contains(id));
                leads && self.has(taken.instance, arg)
            })
        };
        let mut ways = body.blocks[taken.block].terminator.edges().map(brings);
        let first = ways.next();
        ways.any(|it| Some(it) != first)
    }
}
