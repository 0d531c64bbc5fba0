//! Tests on the way to an object that is held by others (switch `walks`).
//!
//! An object that a list, an array or a record has is found again by going there: `while (p != NULL)
//! { next = p->next; free (p->name); … }`. That the list is not empty and that the record is there
//! is what it means to be held by them. So where the object is loaded from memory, the pointers
//! that the address is made from are not NULL, and a loop that moves the address along is not left
//! before it has come to the object. Tests that come before the object is stored are not decided:
//! there the record may still be missing.

use caulk_base::FxHashSet;
use caulk_flow::{Node, Slice};
use caulk_guard::AtomId;
use caulk_ir::{
    Block, BlockId, Body, CompareOp, Constant, Inst, InstId, Terminator, ValueId, ValueKind,
};
use caulk_program::InstanceId;

use crate::sites::Site;
use crate::world::World;

pub(crate) fn walk_decisions(world: &World, site: &Site, forward: &Slice) -> Vec<(AtomId, bool)> {
    let mut decided = Vec::new();
    let mut seen: FxHashSet<(InstanceId, InstId)> = FxHashSet::default();
    for edge in forward.all_edges() {
        let (Node::Memory(..), Node::Value(instance, value)) =
            (forward.nodes()[edge.from], forward.nodes()[edge.to])
        else {
            continue;
        };
        let body = world.memory().body(instance);
        let Some(inst) = body.definition(value) else { continue };
        let Inst::Load { from, .. } = body.insts[inst] else { continue };
        if seen.insert((instance, inst)) {
            let load =
                Load { world, instance, inst, from, since: since(world, site, forward, instance) };
            decided.extend(load.tests());
        }
    }
    decided
}

/// From where on the object may be in memory, in one instance; nothing if it was so before.
fn since(world: &World, site: &Site, forward: &Slice, instance: InstanceId) -> Vec<BlockId> {
    let facts = world.memory().facts(instance);
    let stores = forward.all_edges().filter_map(|edge| {
        let (from, to) = (forward.nodes()[edge.from], forward.nodes()[edge.to]);
        let is_store = matches!((from, to), (Node::Value(..), Node::Memory(..)));
        let here = is_store && from.instance() == instance && to.instance() == instance;
        here.then(|| world.flow.point(to)).and_then(|point| world.places().block(instance, point))
    });
    let mut blocks: Vec<BlockId> = stores.collect();
    if blocks.is_empty() && instance == site.instance {
        blocks.push(facts.block_of(site.inst));
    }
    blocks
}

/// Where the object comes out of memory.
struct Load<'w, 'f, 'm, 'p> {
    world: &'w World<'f, 'm, 'p>,
    instance: InstanceId,
    inst: InstId,
    from: ValueId,
    since: Vec<BlockId>,
}

impl Load<'_, '_, '_, '_> {
    fn tests(&self) -> Vec<(AtomId, bool)> {
        let address = Address::of(self.body(), self.from);
        let ways = self.body().blocks.iter().filter_map(|(block, row)| {
            let Terminator::Branch { cond, .. } = row.terminator else { return None };
            let way = || self.stays(block, row, &address);
            let truth = address.is_there(self.body(), cond).or_else(way)?;
            Some((block, truth))
        });
        let proc = self.world.memory().input().instances.proc(self.instance);
        let outcome = |(block, truth)| self.world.outcome(proc, block, truth);
        // Equal conditions may be one atom, and then be asked before, too.
        let before = self.body().blocks.ids().filter(|&block| !self.is_stored(block));
        let asked: Vec<AtomId> =
            before.filter_map(|it| outcome((it, true))).map(|it| it.0).collect();
        ways.filter_map(outcome).filter(|(atom, _)| !asked.contains(atom)).collect()
    }

    fn body(&self) -> &Body {
        self.world.memory().body(self.instance)
    }

    /// Whether the object is in memory when control comes to the block.
    fn is_stored(&self, block: BlockId) -> bool {
        let dominators = self.world.memory().facts(self.instance).cfg().dominators();
        self.since.is_empty() || self.since.iter().any(|&it| dominators.dominates(it, block))
    }

    /// The way of a branch that does not leave a loop that moves the address along.
    fn stays(&self, block: BlockId, row: &Block, address: &Address) -> Option<bool> {
        let facts = self.world.memory().facts(self.instance);
        let (loops, dominators) = (facts.cfg().loops(), facts.cfg().dominators());
        let at = facts.block_of(self.inst);
        if !dominators.dominates(block, at) {
            return None;
        }
        let mut ways = row.terminator.edges().map(|edge| edge.to);
        let (yes, no) = (ways.next()?, ways.next()?);
        loops.around(at).find_map(|id| {
            let inside = |to| loops.contains(id, to);
            let leaves = inside(block) && inside(yes) != inside(no);
            let moves = || address.moved_by.iter().any(|&it| inside(it));
            let walks = leaves && moves() && !self.since.iter().any(|&it| inside(it));
            walks.then(|| inside(yes))
        })
    }
}

/// What an address is made from.
#[derive(Default)]
struct Address {
    /// The pointers that lead to it, each through memory that the next was loaded from.
    pointers: Vec<ValueId>,
    /// The blocks that join one of several values into it.
    moved_by: Vec<BlockId>,
}

/// Values that are looked at for one address.
const PARTS: usize = 24;

impl Address {
    fn of(body: &Body, from: ValueId) -> Self {
        let mut address = Self::default();
        let mut work = vec![(from, true)];
        let mut seen: Vec<ValueId> = Vec::new();
        while let Some((value, is_pointer)) = work.pop() {
            if seen.contains(&value) || seen.len() >= PARTS {
                continue;
            }
            seen.push(value);
            if is_pointer {
                address.pointers.push(value);
            }
            match body.values[value].kind {
                ValueKind::BlockParam(block, _) => address.moved_by.push(block),
                ValueKind::Inst(inst) => work.extend(parts(&body.insts[inst], is_pointer)),
                _ => {}
            }
        }
        address
    }

    /// What a test of one of the pointers for NULL comes to.
    fn is_there(&self, body: &Body, cond: ValueId) -> Option<bool> {
        let Inst::Compare { op, lhs, rhs } = body.insts[body.definition(cond)?] else {
            return None;
        };
        let is_null = body.constant(rhs) == Some(Constant::Int(0));
        let is_tested = is_null && self.pointers.contains(&lhs);
        match op {
            CompareOp::Eq if is_tested => Some(false),
            CompareOp::Ne if is_tested => Some(true),
            _ => None,
        }
    }
}

/// The operands that an address depends on, and whether they are pointers.
fn parts(inst: &Inst, is_pointer: bool) -> Vec<(ValueId, bool)> {
    match *inst {
        Inst::Field { base, .. } => vec![(base, is_pointer)],
        Inst::Index { base, index, .. } => vec![(base, is_pointer), (index, false)],
        Inst::Convert { value, .. } => vec![(value, is_pointer)],
        Inst::Load { from, .. } => vec![(from, true)],
        Inst::Binary { lhs, rhs, .. } => vec![(lhs, is_pointer), (rhs, false)],
        _ => Vec::new(),
    }
}
