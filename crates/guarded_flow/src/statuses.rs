//! Tests of a status that comes with the object (F9 for what is not a pointer).
//!
//! "The analysis only considers the cases where the allocation is successful": for `asprintf (&p,
//! …) < 0` or `open (…) == -1` the model of the library function tells which results mean success.
//!
//! The switch `statuses` does the same for functions of the program that hand the object out
//! beside a status: on the paths that come from the allocation to a return without a release, the
//! function returns certain constants only, and the caller's tests of them are decided.

use caulk_base::{BitSet, FxHashMap};
use caulk_flow::{Cross, Decisions, End, Node, Point, Slice};
use caulk_guard::AtomId;
use caulk_ir::{
    BlockId, Body, CompareOp, Constant, ConvertOp, Inst, InstId, Terminator, ValueId, ValueKind,
};
use caulk_memory::{CallSite, Version, View};
use caulk_models::{Success, Target};
use caulk_program::InstanceId;
use caulk_ssa::Graph;

use crate::before::before;
use crate::sites::Site;
use crate::world::World;

/// What a value is known to be, one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Int(i64),
    NonZero,
    Success(Success),
}

type Statuses = FxHashMap<(InstanceId, ValueId), Vec<Known>>;

/// The tests that are decided, as atoms.
pub(crate) fn status_decisions(
    world: &World,
    site: &Site,
    forward: &Slice,
    cell: &Decisions,
) -> Vec<(AtomId, bool)> {
    let mut statuses = Statuses::default();
    statuses.extend(own_status(world, site));
    let before = before(world, site);
    for &(value, number) in &before.equal {
        statuses.insert((site.instance, value), vec![Known::Int(number)]);
    }
    if world.configuration.statuses {
        Climb { world, forward, cell, statuses: &mut statuses }.run(site);
    }
    let mut instances: Vec<InstanceId> = statuses.keys().map(|key| key.0).collect();
    let own = world.configuration.statuses.then(|| {
        let climb = Climb { world, forward, cell, statuses: &mut Statuses::default() };
        climb.passed(site.instance, site.inst)
    });
    instances.extend(own.as_ref().map(|_| site.instance));
    instances.sort_unstable();
    instances.dedup();
    let decided = |&instance: &InstanceId| {
        let passed = own.as_ref().filter(|_| instance == site.instance);
        let eval =
            Eval { world, instance, after: passed.map(|it| (it, site.inst)), statuses: &statuses };
        tests(forward, &eval)
    };
    instances.iter().flat_map(decided).chain(before.atoms).collect()
}

/// The status of the library call that allocates.
fn own_status(world: &World, site: &Site) -> Option<((InstanceId, ValueId), Vec<Known>)> {
    let source = &world.sources.allocations[site.source];
    if (source.instance, source.call) != (site.instance, site.call) {
        return None;
    }
    let model = world.memory().input().externals.of(source.external)?;
    let result = world.memory().body(site.instance).results[site.inst]?;
    let is_pointer = source.target == Target::Result && model.success == Some(Success::NonNull);
    let success = model.success.filter(|_| !is_pointer && source.may_fail)?;
    let calls_it = world.memory().input().points_to.callees(site.instance, site.call);
    let direct =
        matches!(calls_it, [caulk_pointer::Target::External(it)] if *it == source.external);
    direct.then(|| ((site.instance, result), vec![Known::Success(success)]))
}

/// Up the returns that the object takes, from the allocation.
struct Climb<'a, 'w, 'f, 'm, 'p> {
    world: &'w World<'f, 'm, 'p>,
    forward: &'a Slice,
    cell: &'a Decisions,
    statuses: &'a mut Statuses,
}

impl Climb<'_, '_, '_, '_, '_> {
    fn run(&mut self, site: &Site) {
        let mut work = vec![(site.instance, site.inst)];
        let mut seen = vec![site.instance];
        while let Some((instance, inst)) = work.pop() {
            let Some(returned) = self.returned(instance, inst) else { continue };
            for at in self.returns(instance) {
                if seen.contains(&at.caller) {
                    continue;
                }
                seen.push(at.caller);
                if let Some(result) = self.world.memory().body(at.caller).results[at.inst] {
                    self.statuses.insert((at.caller, result), returned.clone());
                }
                work.push((at.caller, at.inst));
            }
        }
    }

    /// The calls that the object comes back from the instance to.
    fn returns(&self, instance: InstanceId) -> Vec<CallSite> {
        let edges = self.forward.all_edges().filter_map(|edge| match edge.cross {
            Cross::Return(at) if self.forward.nodes()[edge.from].instance() == instance => Some(at),
            _ => None,
        });
        let mut sites: Vec<CallSite> = edges.collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// What the instance may return after the instruction, unless the object was released.
    fn returned(&self, instance: InstanceId, inst: InstId) -> Option<Vec<Known>> {
        let body = self.world.memory().body(instance);
        let passed = self.passed(instance, inst);
        let after = Some((&passed, inst));
        let eval = Eval { world: self.world, instance, after, statuses: self.statuses };
        let mut all = Vec::new();
        for (block, row) in body.blocks.iter() {
            if let (true, Terminator::Return(Some(value))) =
                (passed.contains(block), &row.terminator)
            {
                for known in eval.returned(block, *value)? {
                    if !all.contains(&known) {
                        all.push(known);
                    }
                }
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// The blocks that control may pass after the instruction while the object is there.
    fn passed(&self, instance: InstanceId, inst: InstId) -> BitSet<BlockId> {
        let facts = self.world.memory().facts(instance);
        let body = facts.body();
        let proc = self.world.memory().input().instances.proc(instance);
        let releases = self.releases(instance);
        let mut passed = BitSet::new(body.blocks.len());
        let mut work = vec![facts.block_of(inst)];
        while let Some(block) = work.pop() {
            if !passed.insert(block) {
                continue;
            }
            let row = &body.blocks[block];
            if releases.iter().any(|&it| row.first <= it && it < row.end && it != inst) {
                passed.remove(block);
                continue;
            }
            for (slot, edge) in row.terminator.edges().enumerate() {
                let atom = self.world.atoms.edge(proc, block, slot);
                let refused = atom.is_some_and(|(atom, taken)| self.cell.get(atom) == Some(!taken));
                if !refused && !passed.contains(edge.to) {
                    work.push(edge.to);
                }
            }
        }
        passed
    }

    fn releases(&self, instance: InstanceId) -> Vec<InstId> {
        let nodes = self.forward.nodes().rows().iter();
        let release = |node: &Node| match *node {
            Node::End(at, Point::Inst(inst), End::Released) if at == instance => Some(inst),
            _ => None,
        };
        nodes.filter_map(release).collect()
    }
}

/// How far a chain of definitions is followed.
const DEPTH: u32 = 8;

/// What values are on the paths that come from an instruction, or on any.
struct Eval<'a, 'w, 'f, 'm, 'p> {
    world: &'w World<'f, 'm, 'p>,
    instance: InstanceId,
    /// The instruction, and the blocks that are passed from there on.
    after: Option<(&'a BitSet<BlockId>, InstId)>,
    statuses: &'a Statuses,
}

impl<'p> Eval<'_, '_, '_, '_, 'p> {
    fn body(&self) -> &'p Body {
        self.world.memory().body(self.instance)
    }

    fn returned(&self, block: BlockId, value: ValueId) -> Option<Vec<Known>> {
        let known = self.value(value, DEPTH);
        known.or_else(|| self.is_used_before(block, value).then(|| vec![Known::NonZero]))
    }

    /// A pointer that was dereferenced on every way to the block is not NULL.
    fn is_used_before(&self, block: BlockId, value: ValueId) -> bool {
        let facts = self.world.memory().facts(self.instance);
        let dominators = facts.cfg().dominators();
        let through = |inst: InstId| {
            let address = match self.body().insts[inst] {
                Inst::Store { to, .. } => to,
                Inst::Load { from, .. } => from,
                _ => return false,
            };
            base(self.body(), address) == value
        };
        let blocks = self.body().blocks.iter();
        let mut before = blocks.filter(|(id, _)| dominators.dominates(*id, block));
        before.any(|(_, row)| row.insts().any(through))
    }

    fn value(&self, value: ValueId, depth: u32) -> Option<Vec<Known>> {
        let depth = depth.checked_sub(1)?;
        if let Some(known) = self.statuses.get(&(self.instance, value)) {
            return Some(known.clone());
        }
        match self.body().values[value].kind {
            ValueKind::Const(Constant::Int(number)) => Some(vec![Known::Int(number)]),
            ValueKind::BlockParam(block, index) => self.joined(block, index, depth),
            ValueKind::Inst(inst) => self.result(inst, depth),
            _ => None,
        }
    }

    /// A join that comes after the instruction, and not before it as well.
    fn joined(&self, block: BlockId, index: u32, depth: u32) -> Option<Vec<Known>> {
        let (passed, inst) = self.after?;
        let facts = self.world.memory().facts(self.instance);
        if !passed.contains(block)
            || facts.cfg().dominators().dominates(block, facts.block_of(inst))
        {
            return None;
        }
        let mut all = Vec::new();
        for (from, row) in self.body().blocks.iter().filter(|(id, _)| passed.contains(*id)) {
            for edge in row.terminator.edges().filter(|edge| edge.to == block) {
                let value = edge.args[index as usize];
                let known = self.value(value, depth);
                let known = known
                    .or_else(|| self.is_used_before(from, value).then(|| vec![Known::NonZero]))?;
                all.extend(known);
            }
        }
        all.dedup();
        (!all.is_empty()).then_some(all)
    }

    fn result(&self, inst: InstId, depth: u32) -> Option<Vec<Known>> {
        match self.body().insts[inst] {
            Inst::Convert { op: ConvertOp::ZeroExtend | ConvertOp::SignExtend, value, .. } => {
                self.value(value, depth)
            }
            Inst::Load { .. } => self.value(self.stored(inst)?, depth),
            Inst::Compare { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(lhs, depth)?, self.value(rhs, depth)?);
                let [Known::Int(rhs)] = rhs[..] else { return None };
                let mut outcomes = lhs.iter().map(|&known| outcome(op, known, rhs));
                let first = outcomes.next()??;
                outcomes
                    .all(|outcome| outcome == Some(first))
                    .then(|| vec![Known::Int(i64::from(first))])
            }
            _ => None,
        }
    }
}

impl Eval<'_, '_, '_, '_, '_> {
    /// The value that a load finds, if one store alone put it there: a status whose address is
    /// taken elsewhere.
    fn stored(&self, load: InstId) -> Option<ValueId> {
        let memory = self.world.memory();
        let reads = memory.access(self.instance, load)?.reads;
        let &[region] = memory.regions().of_footprint(reads) else { return None };
        let chain = memory.chain(self.instance, region, View::All);
        match chain.versions()[chain.read_at(load)?] {
            Version::Written { inst, previous: None, .. } => match self.body().insts[inst] {
                Inst::Store { value, .. } => Some(value),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What an address is a part of.
pub(crate) fn base(body: &Body, mut address: ValueId) -> ValueId {
    while let Some(inst) = body.definition(address) {
        match body.insts[inst] {
            Inst::Field { base, .. } | Inst::Index { base, .. } => address = base,
            _ => break,
        }
    }
    address
}

/// How a comparison with a constant comes out, if it always comes out the same.
fn outcome(op: CompareOp, known: Known, rhs: i64) -> Option<bool> {
    match known {
        Known::Int(number) => compare(op, number, rhs),
        Known::NonZero if rhs == 0 => match op {
            CompareOp::Eq | CompareOp::LeU => Some(false),
            CompareOp::Ne | CompareOp::GtU => Some(true),
            _ => None,
        },
        Known::NonZero => None,
        Known::Success(success) => {
            // Comparisons change their outcome at `rhs` only, successes at 0 and -1 only.
            let around = |number: i64| [number.saturating_sub(1), number, number.saturating_add(1)];
            let ends = [i64::from(i32::MIN), i64::from(i32::MAX)];
            let samples = around(rhs).into_iter().chain(around(0)).chain([-2]).chain(ends);
            let mut outcomes =
                samples.filter(|&it| success.holds(it)).map(|it| compare(op, it, rhs));
            let first = outcomes.next()??;
            outcomes.all(|outcome| outcome == Some(first)).then_some(first)
        }
    }
}

fn compare(op: CompareOp, lhs: i64, rhs: i64) -> Option<bool> {
    Some(match op {
        CompareOp::Eq => lhs == rhs,
        CompareOp::Ne => lhs != rhs,
        CompareOp::LtS => lhs < rhs,
        CompareOp::LeS => lhs <= rhs,
        CompareOp::GtS => lhs > rhs,
        CompareOp::GeS => lhs >= rhs,
        _ => return None,
    })
}

/// The branches of an instance that are decided.
fn tests(forward: &Slice, eval: &Eval) -> Vec<(AtomId, bool)> {
    let (world, instance) = (eval.world, eval.instance);
    let instances = world.memory().input().instances;
    let proc = instances.proc(instance);
    // A test is an atom of the procedure: it must be decided for all copies of it, or for none.
    let is_other =
        |node: &Node| node.instance() != instance && instances.proc(node.instance()) == proc;
    if forward.nodes().rows().iter().any(is_other) {
        return Vec::new();
    }
    let decided = |(block, row): (BlockId, &caulk_ir::Block)| {
        let Terminator::Branch { cond, .. } = row.terminator else { return None };
        let [Known::Int(truth)] = eval.value(cond, DEPTH)?[..] else { return None };
        let test = (block, truth != 0);
        let stays = !is_repeated(world, forward, eval.statuses, instance, test);
        world.outcome(proc, block, truth != 0).filter(|_| stays)
    };
    eval.body().blocks.iter().filter_map(decided).collect()
}

/// Whether the test ends a loop around itself and the call, and the way out leads to where the
/// object of an earlier turn is dealt with.
fn is_repeated(
    world: &World,
    forward: &Slice,
    statuses: &Statuses,
    instance: InstanceId,
    (block, truth): (BlockId, bool),
) -> bool {
    let facts = world.memory().facts(instance);
    let loops = facts.cfg().loops();
    let calls = statuses.keys().filter(|key| key.0 == instance);
    let calls: Vec<BlockId> = calls
        .filter_map(|key| facts.body().definition(key.1))
        .map(|inst| facts.block_of(inst))
        .collect();
    let turns = loops.around(block).any(|id| calls.iter().any(|&it| loops.contains(id, it)));
    turns && {
        let graph = facts.cfg().graph();
        let refused = graph.successors(block).get(usize::from(truth)).copied();
        let dealt = dealt_with(world, forward, instance);
        refused.is_some_and(|from| leads_to(graph, from, &calls, &dealt))
    }
}

/// The blocks of an instance that release the object or hand it on.
fn dealt_with(world: &World, forward: &Slice, instance: InstanceId) -> Vec<BlockId> {
    let facts = world.memory().facts(instance);
    let block = |point: Point| match point {
        Point::Inst(inst) => Some(facts.block_of(inst)),
        Point::Terminator(block) => Some(block),
        _ => None,
    };
    let ends = forward.nodes().rows().iter().filter_map(|node| match *node {
        Node::End(at, point, _) if at == instance => block(point),
        _ => None,
    });
    let calls = forward.all_edges().filter_map(|edge| match edge.cross {
        Cross::Call(at) if at.caller == instance => block(Point::Inst(at.inst)),
        _ => None,
    });
    ends.chain(calls).collect()
}

/// Whether control may go from a block to one of others without passing the calls.
fn leads_to(graph: &Graph<BlockId>, from: BlockId, calls: &[BlockId], to: &[BlockId]) -> bool {
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(&block) = seen.get(next) {
        next += 1;
        if to.contains(&block) {
            return true;
        }
        for &after in graph.successors(block) {
            if !calls.contains(&after) && !seen.contains(&after) {
                seen.push(after);
            }
        }
    }
    false
}
