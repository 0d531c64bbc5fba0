//! The way to the allocation. A path that loses the object begins at the allocation; here it has to
//! begin at the entry of its outermost function, and to come to the allocation through the calls
//! that it went back by: with what the arguments are, and what memory holds then.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use caulk_base::FxHashMap;
use caulk_ir::{BlockId, CompareOp, Edge, Inst, InstId, Scalar};
use caulk_memory::FootprintId;
use caulk_pointer::Target;
use caulk_program::InstanceId;
use caulk_ssa::Graph;

use super::start::counts_from;
use super::state::{Frame, Passed, State, meet};
use super::value::{Origin, Val};
use super::{Calls, Doubt, Go, Tried, Walk};

/// The calls from the outermost function to the allocation, which is the last.
#[derive(Default)]
pub(super) struct Route {
    stages: Vec<Stage>,
}

impl Route {
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// Outermost first.
    pub fn calls(&self) -> Calls {
        self.stages.iter().map(|it| (it.instance, it.inst)).collect()
    }
}

struct Stage {
    instance: InstanceId,
    inst: InstId,
    /// The blocks that control may come from, and how many edges it takes.
    from: FxHashMap<BlockId, u32>,
    /// The parameters that are NULL where it comes.
    null: Vec<usize>,
}

/// Whether there is an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    Never,
    Doubtful(Doubt),
    Possibly,
}

/// Calls from a site down to the allocation in the end.
const DEEP: u32 = 4;

/// Ways down that are tried for one site.
const CHAINS: usize = 8;

impl Walk<'_, '_, '_, '_> {
    /// A path from the entry on that comes to where another one began, and loses the object as well.
    pub(super) fn arrival(&mut self, lost: &State) -> Tried {
        if let Some(known) = self.vain.iter().find(|it| it.0 == lost.starts) {
            return known.1.map_or(Tried::Kept, Tried::Undecided);
        }
        let mut doubt = None;
        for chain in self.chains(&lost.starts) {
            if !self.is_consistent(&chain) {
                continue;
            }
            match self.arrival_by(lost, &chain) {
                Tried::Lost(way) => return Tried::Lost(way),
                Tried::Kept => {}
                Tried::Undecided(why) => doubt = Some(why),
                Tried::Unknown => doubt = Some(Doubt::Unfollowed),
            }
        }
        self.vain.push((lost.starts.clone(), doubt));
        doubt.map_or(Tried::Kept, Tried::Undecided)
    }

    fn arrival_by(&mut self, lost: &State, chain: &[(InstanceId, InstId)]) -> Tried {
        let mut walk = Walk::new(self.world, self.judgement, self.aim);
        walk.only_made = self.only_made;
        walk.is_short = self.is_short;
        walk.is_steady = self.is_steady;
        walk.route = self.route_of(chain);
        let branches = lost.branches.iter().filter(|it| !it.is_known);
        walk.guide = branches.map(|it| ((it.instance, it.block), it.slot)).collect();
        walk.waiting = vec![walk.at_entry(lost)];
        let tried = walk.run();
        self.was_steady |= walk.was_steady;
        tried
    }

    /// Whether the function that the site calls can come to an allocation that it returns then.
    pub(super) fn made(&mut self) -> Made {
        let site = &self.judgement.site;
        let states = self.inside();
        if states.is_empty() {
            return Made::Possibly;
        }
        let mut made = Made::Never;
        for mut state in states {
            state.starts.push((site.instance, site.inst));
            made = match self.arrival(&state) {
                Tried::Lost(_) => return Made::Possibly,
                Tried::Kept => made,
                Tried::Undecided(doubt) => Made::Doubtful(doubt),
                Tried::Unknown => Made::Doubtful(Doubt::Unfollowed),
            };
        }
        made
    }

    /// The ways down from where a path began to what allocates in the end, followed by the calls that
    /// it went on in.
    fn chains(&self, starts: &[(InstanceId, InstId)]) -> Vec<Calls> {
        let Some((&first, above)) = starts.split_first() else { return Vec::new() };
        let mut chains = self.down_from(first, DEEP);
        if chains.len() > CHAINS {
            chains = vec![vec![first]];
        }
        chains.iter_mut().for_each(|chain| chain.extend(above));
        chains
    }

    /// Innermost first.
    fn down_from(&self, at: (InstanceId, InstId), depth: u32) -> Vec<Calls> {
        let makers = self.makers_behind(at);
        if makers.is_empty() || makers.len() > CHAINS || depth == 0 {
            return vec![vec![at]];
        }
        let mut chains: Vec<_> =
            makers.into_iter().flat_map(|it| self.down_from(it, depth - 1)).collect();
        chains.iter_mut().for_each(|chain| chain.push(at));
        chains
    }

    /// The calls that make what the function returns that is called here.
    fn makers_behind(&self, (instance, inst): (InstanceId, InstId)) -> Vec<(InstanceId, InstId)> {
        let memory = self.world.memory();
        let Inst::Call(call) = memory.body(instance).insts[inst] else { return Vec::new() };
        let &[Target::Instance(callee)] = memory.input().points_to.callees(instance, call) else {
            return Vec::new();
        };
        let insts = self.world.made_in.get(&callee).map_or(&[][..], Vec::as_slice);
        insts.iter().map(|&it| (callee, it)).collect()
    }

    /// Whether what every way to the allocation has decided agrees with what the calls pass.
    fn is_consistent(&mut self, chain: &[(InstanceId, InstId)]) -> bool {
        let Some((&(instance, inst), above)) = chain.split_first() else { return false };
        let mut state = self.state_after(instance, inst);
        if self.assume_before(&mut state, inst).is_err() {
            return false;
        }
        above.iter().all(|&at| {
            let Some(frame) = state.frames.pop() else { return false };
            self.go_on(&mut state, &frame, at, Some(Val::OBJECT))
        })
    }

    fn route_of(&mut self, starts: &[(InstanceId, InstId)]) -> Route {
        let stages = starts.iter().rev().map(|&(instance, inst)| {
            let facts = self.world.memory().facts(instance);
            let from = reaching(facts.cfg().graph(), &[facts.block_of(inst)]);
            Stage { instance, inst, from, null: self.null_at(instance, inst) }
        });
        Route { stages: stages.collect() }
    }

    /// The parameters of which every way to an instruction has found that they are NULL.
    fn null_at(&mut self, instance: InstanceId, inst: InstId) -> Vec<usize> {
        let mut state = self.state_after(instance, inst);
        if self.assume_before(&mut state, inst).is_err() {
            return Vec::new();
        }
        let body = self.world.memory().body(instance);
        let params = body.params.iter().enumerate();
        let pointers = params.filter(|it| body.values[*it.1].scalar == Scalar::Ptr);
        let is_null = |state: &State, val: &Val| state.facts.number(*val) == Some(0);
        let null = pointers
            .filter(|it| state.frame().values.get(it.1).is_some_and(|val| is_null(&state, val)));
        null.map(|it| it.0).collect()
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
        self.stage(state).is_none_or(|stage| stage.from.contains_key(&block))
    }

    /// Which of some ways to follow first: the shortest one to the allocation, behind it the one of the
    /// path that is wanted once more.
    pub(super) fn guided<'e>(
        &self,
        state: &State,
        edges: impl Iterator<Item = &'e Edge>,
    ) -> Option<usize> {
        if state.ahead == 0 {
            let frame = state.frame();
            return self.guide.get(&(frame.instance, frame.block)).copied();
        }
        let stage = self.stage(state)?;
        let far = edges.enumerate().filter_map(|it| Some((stage.from.get(&it.1.to)?, it.0)));
        far.min().map(|it| it.1)
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
        if std::mem::take(&mut state.passes_by) {
            return None;
        }
        let facts = self.world.memory().facts(state.frame().instance);
        if facts.cfg().loops().innermost(facts.block_of(inst)).is_some() {
            let mut other = state.clone();
            other.passes_by = true;
            other.frame_mut().next = inst;
            self.later(other);
        }
        state.ahead = state.ahead.checked_sub(1)?;
        let index = self.route.stages.len() - state.ahead;
        match self.route.stages.get(index).map(|it| it.instance) {
            Some(callee) => self.enter_stage(state, inst, callee),
            None if self.make(state, inst) => {}
            None => return Some(Go::Over),
        }
        Some(Go::On)
    }

    fn enter_stage(&mut self, state: &mut State, inst: InstId, callee: InstanceId) {
        let args = self.args(state, inst);
        let stage = &self.route.stages[self.route.stages.len() - state.ahead];
        let may_be_given = |&index: &usize| {
            let Some(&arg) = args.get(index) else { return false };
            let is_own = self.terms.origin(self.terms.root(arg)) == Some(Origin::Given);
            state.facts.number(arg).is_none() && !is_own
        };
        state.is_given |= stage.null.iter().any(may_be_given);
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
        if let &[Target::Instance(callee)] = targets
            && !self.meets_needs(state, callee, &args)
        {
            return false;
        }
        self.pass_over(state, inst, targets, &args);
        for frame in &mut state.frames {
            frame.visits = FxHashMap::from_iter([(frame.block, 1)]);
        }
        // What is told begins here.
        state.branches.clear();
        let frames = state.frames.iter().enumerate();
        let passed = frames.map(|(depth, frame)| Passed {
            instance: frame.instance,
            block: frame.block,
            depth,
        });
        state.passed = passed.collect();
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
            if let Some(low) = counts_from(memory.body(instance), param) {
                let _ = state.facts.refine(&self.terms, CompareOp::GeS, val, low);
            }
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
            self.forget_effects(state, inst, targets, None);
        } else if let Some(access) = memory.access(instance, inst)
            && access.writes != FootprintId::EMPTY
        {
            state.forget(&self.terms, |cell| meet(memory, cell.touched, access.writes));
        }
    }
}

/// The blocks from which control may come to one of some, and how many edges it takes.
pub(super) fn reaching(graph: &Graph<BlockId>, to: &[BlockId]) -> FxHashMap<BlockId, u32> {
    let mut far: FxHashMap<BlockId, u32> = to.iter().map(|&it| (it, 0)).collect();
    let mut work: VecDeque<(BlockId, u32)> = to.iter().map(|&it| (it, 0)).collect();
    while let Some((block, edges)) = work.pop_front() {
        for from in graph.predecessors(block) {
            if let Entry::Vacant(unseen) = far.entry(from) {
                unseen.insert(edges + 1);
                work.push_back((from, edges + 1));
            }
        }
    }
    far
}
