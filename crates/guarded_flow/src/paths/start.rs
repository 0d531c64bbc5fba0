//! Where paths begin: after the allocation, with what every way to it has decided.

use caulk_base::FxHashMap;
use caulk_flow::Node;
use caulk_ir::{
    BinaryOp, BlockId, Body, CompareOp, Constant, ConvertOp, Inst, InstId, Terminator, ValueId,
    ValueKind,
};
use caulk_memory::{FootprintId, View};
use caulk_models::{Success, Target};
use caulk_program::InstanceId;
use caulk_ssa::FunctionFacts;

use super::Walk;
use super::facts::Impossible;
use super::state::{Cell, Frame, State};
use super::value::Val;
use crate::before::equal;
use crate::statuses::base;

/// Allocations in one function that paths begin at.
const MAKERS: usize = 6;

/// Values that are looked at for one counter.
const PARTS: usize = 24;

impl Walk<'_, '_, '_, '_> {
    /// The first states; none if it is not known where the object is.
    pub(super) fn starts(&mut self) -> Vec<State> {
        let inside = self.inside();
        if inside.is_empty() { self.start().into_iter().collect() } else { inside }
    }

    /// Inside the function that makes the object, which leaves more than that behind: statuses, say.
    pub(super) fn inside(&mut self) -> Vec<State> {
        let (site, memory) = (&self.judgement.site, self.world.memory());
        let targets = memory.input().points_to.callees(site.instance, site.call);
        let &[caulk_pointer::Target::Instance(callee)] = targets else { return Vec::new() };
        let insts = self.world.made_in.get(&callee).map_or(&[][..], Vec::as_slice);
        if insts.len() > MAKERS {
            return Vec::new();
        }
        let mut states = Vec::new();
        for &inst in insts {
            let Some(result) = memory.body(callee).results[inst] else { return Vec::new() };
            let mut state = self.state_after(callee, inst);
            state.set(result, Val::OBJECT);
            state.bound_for = Some((site.instance, site.inst));
            if self.assume_before(&mut state, inst).is_ok() {
                states.push(state);
            }
        }
        states
    }

    pub(super) fn state_after(&mut self, instance: InstanceId, inst: InstId) -> State {
        let frame = self.frame_after(instance, inst);
        let starts = vec![(instance, inst)];
        let mut state = State { frames: vec![frame], starts, ..State::default() };
        state.pass();
        state
    }

    fn start(&mut self) -> Option<State> {
        let site = &self.judgement.site;
        let mut state = self.state_after(site.instance, site.inst);
        let is_placed = self.place(&mut state).ok()?;
        self.assume_before(&mut state, site.inst).ok()?;
        is_placed.then_some(state)
    }

    /// Behind the call of the site. False if it is not known where the object is.
    pub(super) fn place(&mut self, state: &mut State) -> Result<bool, Impossible> {
        let site = &self.judgement.site;
        let mut is_placed = self.place_values(state);
        let source = &self.world.sources.allocations[site.source];
        if (source.instance, source.call) == (site.instance, site.call) {
            is_placed |= self.place_behind(state, source.target);
            self.succeed(state)?;
        }
        Ok(is_placed)
    }

    /// The values that are the object when the call returns.
    fn place_values(&self, state: &mut State) -> bool {
        let site = &self.judgement.site;
        let mut is_placed = false;
        for node in &site.nodes {
            if let Node::Value(instance, value) = *node
                && instance == site.instance
            {
                state.set(value, Val::OBJECT);
                is_placed = true;
            }
        }
        is_placed
    }

    /// An activation that goes on behind an instruction.
    pub(super) fn frame_after(&mut self, instance: InstanceId, inst: InstId) -> Frame {
        let block = self.world.memory().facts(instance).block_of(inst);
        self.frames += 1;
        Frame {
            id: self.frames,
            instance,
            values: FxHashMap::default(),
            block,
            next: InstId(inst.0 + 1),
            visits: FxHashMap::from_iter([(block, 1)]),
            call: None,
        }
    }

    /// The library leaves it where an argument points to.
    fn place_behind(&mut self, state: &mut State, target: Target) -> bool {
        let site = &self.judgement.site;
        let memory = self.world.memory();
        let Target::Pointee(index) = target else { return false };
        let args = &memory.body(site.instance).calls[site.call].args;
        let Some(arg) = args.get(index as usize) else { return false };
        let at = self.value(state, arg.value);
        let touched =
            memory.access(site.instance, site.inst).map_or(FootprintId::EMPTY, |it| it.writes);
        state.store(&self.terms, memory, Cell { at, holds: Val::OBJECT, touched });
        true
    }

    /// The status says so.
    fn succeed(&mut self, state: &mut State) -> Result<(), Impossible> {
        let site = &self.judgement.site;
        let memory = self.world.memory();
        let source = &self.world.sources.allocations[site.source];
        let success = memory.input().externals.of(source.external).and_then(|it| it.success);
        let result = memory.body(site.instance).results[site.inst];
        let (Some(success), Some(result)) = (success, result) else { return Ok(()) };
        let val = self.value(state, result);
        let (op, number) = match success {
            Success::Zero | Success::ZeroElseMinusOne | Success::Null => (CompareOp::Eq, 0),
            Success::NonZero | Success::NonNull => (CompareOp::Ne, 0),
            Success::NonNegative => (CompareOp::GeS, 0),
            Success::Positive => (CompareOp::GtS, 0),
            Success::One => (CompareOp::Eq, 1),
            Success::NotMinusOne => (CompareOp::Ne, -1),
        };
        state.facts.refine(&self.terms, op, val, number)
    }

    /// The branches that every way to the instruction has taken last, and what they read from memory
    /// that nobody wrote since.
    pub(super) fn assume_before(
        &mut self,
        state: &mut State,
        inst: InstId,
    ) -> Result<(), Impossible> {
        let instance = state.frame().instance;
        let facts = self.world.memory().facts(instance);
        let (body, dominators) = (facts.body(), facts.cfg().dominators());
        let graph = facts.cfg().graph();
        let at = facts.block_of(inst);
        let mut chain: Vec<BlockId> = vec![at];
        while let Some(above) = dominators.immediate(chain[chain.len() - 1]) {
            chain.push(above);
        }
        for &block in &chain {
            let before = body.blocks[block].insts().filter(|&it| block != at || it < inst);
            before.for_each(|it| {
                self.assume_used(state, body, it);
                self.remember_store(state, inst, it);
            });
        }
        for &block in chain.iter().rev() {
            let Terminator::Branch { cond, .. } = body.blocks[block].terminator else { continue };
            for (slot, edge) in body.blocks[block].terminator.edges().enumerate() {
                let only = graph.in_edges(edge.to).len() == 1;
                if only && dominators.dominates(edge.to, at) {
                    let val = self.value(state, cond);
                    state.facts.assume(&self.terms, val, slot == 0)?;
                    self.remember_loads(state, inst, cond);
                }
            }
        }
        Ok(())
    }

    /// A pointer that memory was used by is not NULL.
    fn assume_used(&mut self, state: &mut State, body: &Body, inst: InstId) {
        let address = match body.insts[inst] {
            Inst::Store { to, .. } => to,
            Inst::Load { from, .. } => from,
            _ => return,
        };
        let pointer = base(body, address);
        if body.constant(pointer).is_none() {
            let val = self.value(state, pointer);
            let _ = state.facts.refine(&self.terms, CompareOp::Ne, val, 0);
        }
    }

    fn remember_loads(&mut self, state: &mut State, inst: InstId, cond: ValueId) {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        for load in compared_loads(memory.body(instance), cond) {
            let Inst::Load { from, .. } = memory.body(instance).insts[load] else { continue };
            let Some(result) = memory.body(instance).results[load] else { continue };
            if self.is_unchanged(instance, load, inst) {
                let at = self.value(state, from);
                let holds = self.value(state, result);
                let touched =
                    memory.access(instance, load).map_or(FootprintId::EMPTY, |it| it.reads);
                if state.cell(at).is_none() {
                    state.cells.push(Cell { at, holds, touched });
                }
            }
        }
    }

    /// What was stored last is still there.
    fn remember_store(&mut self, state: &mut State, inst: InstId, store: InstId) {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        let Inst::Store { to, value, .. } = memory.body(instance).insts[store] else { return };
        let touched = memory.access(instance, store).map_or(FootprintId::EMPTY, |it| it.writes);
        let &[region] = memory.regions().of_footprint(touched) else { return };
        let chain = memory.chain(instance, region, View::All);
        let before = chain.before(memory.facts(instance), inst);
        if chain.written_at(store) == Some(before) && chain.written_at(inst).is_none() {
            let (at, holds) = (self.value(state, to), self.value(state, value));
            if state.cell(at).is_none() {
                state.cells.push(Cell { at, holds, touched });
            }
        }
    }

    /// Whether a load would yield the same behind an instruction.
    fn is_unchanged(&self, instance: InstanceId, load: InstId, inst: InstId) -> bool {
        let memory = self.world.memory();
        let Some(access) = memory.access(instance, load) else { return false };
        let facts = memory.facts(instance);
        let regions = memory.regions().of_footprint(access.reads);
        regions.len() <= 4
            && regions.iter().all(|&region| {
                let chain = memory.chain(instance, region, View::All);
                chain.read_at(load) == Some(chain.before(facts, inst))
                    && chain.written_at(inst).is_none()
            })
    }
}

/// The loads that a condition compares.
fn compared_loads(body: &Body, cond: ValueId) -> Vec<InstId> {
    let mut found = Vec::new();
    let mut work = vec![(cond, 4)];
    while let Some((value, depth)) = work.pop() {
        let Some(inst) = body.definition(value).filter(|_| depth > 0) else { continue };
        match body.insts[inst] {
            Inst::Load { .. } => found.push(inst),
            Inst::Compare { lhs, rhs, .. } => work.extend([(lhs, depth - 1), (rhs, depth - 1)]),
            Inst::Convert { value, .. } => work.push((value, depth - 1)),
            _ => {}
        }
    }
    found
}

/// The number that all ways bring to a join.
pub(super) fn joined_number(facts: &FunctionFacts, block: BlockId, index: usize) -> Option<i64> {
    let body = facts.body();
    let mut found = None;
    for from in facts.cfg().graph().predecessors(block) {
        let terminator = &body.blocks[from].terminator;
        for (slot, edge) in terminator.edges().enumerate().filter(|it| it.1.to == block) {
            let arg = edge.args[index];
            let number = match body.constant(arg) {
                Some(Constant::Int(number)) => number,
                _ => branched(body, terminator, slot, arg).or_else(|| decided(facts, from, arg))?,
            };
            if found.is_some_and(|it| it != number) {
                return None;
            }
            found = Some(number);
        }
    }
    found
}

/// The number that the branches on every way to a block found a value equal to.
fn decided(facts: &FunctionFacts, at: BlockId, value: ValueId) -> Option<i64> {
    let (body, dominators) = (facts.body(), facts.cfg().dominators());
    let graph = facts.cfg().graph();
    let mut above = dominators.immediate(at);
    while let Some(block) = above {
        let terminator = &body.blocks[block].terminator;
        for (slot, edge) in terminator.edges().enumerate() {
            let only = graph.in_edges(edge.to).len() == 1;
            if only
                && dominators.dominates(edge.to, at)
                && let Some(number) = branched(body, terminator, slot, value)
            {
                return Some(number);
            }
        }
        above = dominators.immediate(block);
    }
    None
}

fn branched(body: &Body, terminator: &Terminator, slot: usize, value: ValueId) -> Option<i64> {
    let Terminator::Branch { cond, .. } = *terminator else { return None };
    equal(body, cond, slot == 0).filter(|it| it.0 == value).map(|it| it.1)
}

/// The least number that a variable can be which starts with numbers and only grows.
pub(super) fn counts_from(body: &Body, variable: ValueId) -> Option<i64> {
    let mut low: Option<i64> = None;
    let mut seen = Vec::new();
    let mut work = vec![variable];
    while let Some(value) = work.pop() {
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        if seen.len() > PARTS {
            return None;
        }
        match body.values[value].kind {
            ValueKind::Const(Constant::Int(number)) => {
                low = Some(low.map_or(number, |low| low.min(number)));
            }
            ValueKind::BlockParam(block, index) => {
                let edges = body.blocks.rows().iter().flat_map(|row| row.terminator.edges());
                let into = edges.filter(|edge| edge.to == block);
                work.extend(into.map(|edge| edge.args[index as usize]));
            }
            ValueKind::Inst(inst) => work.push(grown(body, inst)?),
            _ => return None,
        }
    }
    low
}

/// What a number is added to.
fn grown(body: &Body, inst: InstId) -> Option<ValueId> {
    match body.insts[inst] {
        Inst::Binary { op: BinaryOp::Add | BinaryOp::AddS, lhs, rhs } => {
            let adds = |value| matches!(body.constant(value), Some(Constant::Int(it)) if it >= 0);
            match (adds(lhs), adds(rhs)) {
                (_, true) => Some(lhs),
                (true, _) => Some(rhs),
                _ => None,
            }
        }
        Inst::Convert { op: ConvertOp::SignExtend | ConvertOp::ZeroExtend, value, .. } => {
            Some(value)
        }
        _ => None,
    }
}
