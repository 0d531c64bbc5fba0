//! The way to the allocation. A path that loses the object begins at the allocation; here it has to
//! begin at the entry of its outermost function, and to come to the allocation through the calls
//! that it went back by: with what the arguments are, and what memory holds then.

use caulk_base::{BitSet, FxHashMap};
use caulk_ir::{BlockId, Inst, InstId};
use caulk_memory::FootprintId;
use caulk_pointer::Target;
use caulk_program::InstanceId;
use caulk_ssa::Graph;

use super::state::{Frame, State, meet};
use super::value::{Origin, Val};
use super::{Go, Tried, Walk};

/// The calls from the outermost function to the allocation, which is the last.
#[derive(Default)]
pub(super) struct Route {
    stages: Vec<Stage>,
}

impl Route {
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }
}

struct Stage {
    instance: InstanceId,
    inst: InstId,
    /// The blocks that control may come from.
    from: BitSet<BlockId>,
}

impl Walk<'_, '_, '_, '_> {
    /// Whether a path that was lost can be one from the entry on. What is not followed to the end
    /// can.
    pub(super) fn is_reached(&mut self, lost: &State) -> bool {
        if self.unreached.contains(&lost.starts) {
            return false;
        }
        let mut walk = Walk::new(self.world, self.judgement, self.leak);
        walk.only_made = self.only_made;
        walk.route = self.route_of(&lost.starts);
        walk.waiting = vec![walk.at_entry(lost)];
        let is_reached = !matches!(walk.run(), Tried::Kept);
        if !is_reached {
            self.unreached.push(lost.starts.clone());
        }
        is_reached
    }

    /// Whether the function that the site calls can come to an allocation that it returns then.
    pub(super) fn is_made(&mut self) -> bool {
        let site = &self.judgement.site;
        let mut states = self.inside();
        let mut is_made = states.is_empty();
        for state in &mut states {
            state.starts.push((site.instance, site.inst));
            is_made = is_made || self.is_reached(state);
        }
        is_made
    }

    fn route_of(&self, starts: &[(InstanceId, InstId)]) -> Route {
        let stages = starts.iter().rev().map(|&(instance, inst)| {
            let facts = self.world.memory().facts(instance);
            let from = reaching(facts.cfg().graph(), facts.block_of(inst));
            Stage { instance, inst, from }
        });
        Route { stages: stages.collect() }
    }

    fn at_entry(&mut self, lost: &State) -> State {
        let instance = self.route.stages[0].instance;
        let first = self.world.memory().body(instance).blocks[BlockId::ENTRY].first;
        self.frames += 1;
        let frame = Frame {
            id: self.frames,
            instance,
            values: FxHashMap::default(),
            block: BlockId::ENTRY,
            next: first,
            visits: FxHashMap::from_iter([(BlockId::ENTRY, 1)]),
            call: None,
        };
        let starts = lost.starts.clone();
        State { frames: vec![frame], ahead: self.route.stages.len(), starts, ..State::default() }
    }

    /// The stage that the path is on, if the active function is of the route.
    fn stage(&self, state: &State) -> Option<&Stage> {
        let index = self.route.stages.len().checked_sub(state.ahead)?;
        let stage = self.route.stages.get(index)?;
        (state.frames.len() == index + 1).then_some(stage)
    }

    /// Whether control may still come to the allocation by a block.
    pub(super) fn leads_there(&self, state: &State, block: BlockId) -> bool {
        self.stage(state).is_none_or(|stage| stage.from.contains(block))
    }

    /// Whether a function of the route returned before it came to the allocation.
    pub(super) fn came_back_too_early(&self, state: &State) -> bool {
        state.ahead > 0 && state.frames.len() <= self.route.stages.len() - state.ahead
    }

    /// Whether a function is one of the route: other calls of it tell what this one finds.
    pub(super) fn is_on_route(&self, state: &State, callee: InstanceId) -> bool {
        let instances = &self.world.memory().input().instances;
        let proc = instances.proc(callee);
        state.ahead > 0 && self.route.stages.iter().any(|it| instances.proc(it.instance) == proc)
    }

    /// Takes the next stage, if this is its call; it may as well be a later turn that does.
    pub(super) fn advance(&mut self, state: &mut State, inst: InstId) -> Option<Go> {
        if self.stage(state).is_none_or(|stage| stage.inst != inst) {
            return None;
        }
        let mut other = state.clone();
        other.ahead = state.ahead.checked_sub(1)?;
        let index = self.route.stages.len() - other.ahead;
        let next = self.route.stages.get(index).map(|it| it.instance);
        match next {
            Some(callee) => self.enter_stage(&mut other, inst, callee),
            None if self.make(&mut other, inst) => {}
            None => return None,
        }
        let facts = self.world.memory().facts(state.frame().instance);
        match facts.cfg().loops().innermost(facts.block_of(inst)) {
            Some(_) => self.later(other),
            None => {
                *state = other;
                return Some(Go::On);
            }
        }
        None
    }

    fn enter_stage(&mut self, state: &mut State, inst: InstId, callee: InstanceId) {
        let args = self.args(state, inst);
        self.enter_callee(state, inst, callee, &args);
    }

    fn args(&mut self, state: &mut State, inst: InstId) -> Vec<Val> {
        let body = self.world.memory().body(state.frame().instance);
        let Inst::Call(call) = body.insts[inst] else { return Vec::new() };
        body.calls[call].args.iter().map(|arg| self.value(state, arg.value)).collect()
    }

    /// The allocation: what it writes is not known, and the object is where it leaves it. False if
    /// that is not possible.
    fn make(&mut self, state: &mut State, inst: InstId) -> bool {
        let (site, memory) = (&self.judgement.site, self.world.memory());
        let instance = state.frame().instance;
        let args = self.args(state, inst);
        let Inst::Call(call) = memory.body(instance).insts[inst] else { return false };
        let targets: &[Target] = memory.input().points_to.callees(instance, call);
        self.pass_over(state, inst, targets, &args);
        for frame in &mut state.frames {
            frame.visits = FxHashMap::from_iter([(frame.block, 1)]);
        }
        if (instance, inst) == (site.instance, site.inst) {
            return self.place(state).is_ok();
        }
        state.bound_for = Some((site.instance, site.inst));
        let result = memory.body(instance).results[inst];
        result.into_iter().for_each(|result| state.set(result, Val::OBJECT));
        true
    }

    /// A loop goes round: what its turns change is not known.
    pub(super) fn go_round(&mut self, state: &mut State, header: BlockId) {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        for &param in &memory.body(instance).blocks[header].params {
            let val = self.terms.unknown(Origin::Local(instance, param));
            state.set(param, val);
        }
        let loops = memory.facts(instance).cfg().loops();
        let Some(id) = loops.innermost(header).filter(|&id| loops.header(id) == header) else {
            return;
        };
        let blocks = loops.body(id).iter();
        let insts: Vec<InstId> =
            blocks.flat_map(|&block| memory.body(instance).blocks[block].insts()).collect();
        for inst in insts {
            self.forget_written(state, inst);
        }
    }

    fn forget_written(&mut self, state: &mut State, inst: InstId) {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        if let Inst::Call(call) = memory.body(instance).insts[inst] {
            let targets = memory.input().points_to.callees(instance, call);
            self.forget_effects(state, inst, targets);
        } else if let Some(access) = memory.access(instance, inst)
            && access.writes != FootprintId::EMPTY
        {
            state.forget(&self.terms, |touched| meet(memory, touched, access.writes));
        }
    }
}

/// The blocks from which control may come to one.
fn reaching(graph: &Graph<BlockId>, to: BlockId) -> BitSet<BlockId> {
    let mut seen = BitSet::new(graph.node_count());
    let mut work = vec![to];
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            work.extend(graph.predecessors(block));
        }
    }
    seen
}
