//! Calls of one path: what is given the object, or may not come back, is entered; of others only
//! the effects on memory are known.

use caulk_base::FxHashMap;
use caulk_flow::Point;
use caulk_ir::{BlockId, Body, CallId, CompareOp, InstId, Scalar, Terminator};
use caulk_memory::FootprintId;
use caulk_pointer::Target;
use caulk_program::InstanceId;

use super::state::{Frame, State, meet};
use super::value::{Base, Origin, Val};
use super::{Doubt, Go, Walk};

/// Activations on one path.
const ACTIVE: usize = 7;

/// Blocks of a function that is entered because it has the object.
const LARGE: usize = 150;

/// Blocks of a function that is entered because it may not come back.
const SMALL: usize = 12;

/// Instructions of a function without branches that is entered anyway.
const TINY: usize = 16;

/// Functions that one call enters.
const TARGETS: usize = 4;

impl Walk<'_, '_, '_, '_> {
    pub(super) fn call(&mut self, state: &mut State, inst: InstId, call: CallId) -> Go {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        if let Some(go) = self.advance(state, inst) {
            return go;
        }
        let row = &memory.body(instance).calls[call];
        let proc = memory.input().instances.proc(instance);
        if row.noreturn || self.world.endless.points(memory, proc).contains(&Point::Inst(inst)) {
            return Go::Over;
        }
        let args: Vec<Val> = row.args.iter().map(|arg| self.value(state, arg.value)).collect();
        let targets = memory.input().points_to.callees(instance, call);
        let is_given = self.is_given(state, &args);
        match targets {
            [Target::External(external)] => self.external(state, inst, *external, &args),
            [Target::Instance(callee)] => self.one(state, inst, *callee, &args, is_given),
            [] | [..] if !is_given => {
                self.pass_over(state, inst, targets, &args);
                Go::On
            }
            [] => Go::Unsure,
            _ => self.several(state, inst, targets, &args),
        }
    }

    /// Whether an argument is the object, or leads to it.
    fn is_given(&self, state: &State, args: &[Val]) -> bool {
        let holders = state.holders(&self.terms);
        args.iter().any(|&arg| {
            self.terms.is_object(arg)
                || self.terms.is_maybe_object(arg)
                || holders.contains(&self.terms.root(arg))
        })
    }

    fn several(&mut self, state: &mut State, inst: InstId, targets: &[Target], args: &[Val]) -> Go {
        if targets.len() > TARGETS || targets.contains(&Target::Unknown) {
            return Go::Unsure;
        }
        for target in targets {
            let mut other = state.clone();
            let go = match *target {
                Target::External(external) => self.external(&mut other, inst, external, args),
                Target::Instance(callee) => self.one(&mut other, inst, callee, args, true),
                Target::Unknown => Go::Unsure,
            };
            match go {
                Go::On => self.later(other),
                Go::Unsure => self.unsure = Some(Doubt::Unfollowed),
                Go::Over | Go::Lost => {}
            }
        }
        Go::Over
    }

    fn one(
        &mut self,
        state: &mut State,
        inst: InstId,
        callee: InstanceId,
        args: &[Val],
        is_given: bool,
    ) -> Go {
        let memory = self.world.memory();
        let blocks = memory.body(callee).blocks.len();
        let is_active = state.frames.iter().filter(|frame| frame.instance == callee).count() > 1;
        let fits = state.frames.len() < ACTIVE && !is_active;
        let proc = memory.input().instances.proc(callee);
        let may_end = !self.world.endless.points(memory, proc).is_empty() && blocks <= SMALL;
        let is_given = is_given && !self.lookers.contains(&callee);
        let is_tiny = blocks == 1 && memory.body(callee).insts.len() <= TINY;
        let uses_null = blocks <= SMALL && passes_null(memory.body(callee), args);
        let is_asked = is_given || self.is_on_route(state, callee);
        let is_local = |arg: &Val| matches!(self.terms.root(*arg), Base::Slot(..));
        let sets_up = state.ahead > 0 && blocks <= SMALL && args.iter().any(is_local);
        if fits && (is_asked && blocks <= LARGE || may_end || is_tiny || uses_null || sets_up) {
            self.enter_callee(state, inst, callee, args);
            return Go::On;
        }
        if is_given {
            return Go::Unsure;
        }
        if !self.meets_needs(state, callee, args) {
            return Go::Over;
        }
        self.pass_over(state, inst, &[Target::Instance(callee)], args);
        if let Some(&same) = handed_back(memory.body(callee)).and_then(|index| args.get(index)) {
            self.define(state, inst, same);
        }
        Go::On
    }

    /// A call comes back only if what it uses is not NULL. False if something is.
    pub(super) fn meets_needs(&self, state: &mut State, callee: InstanceId, args: &[Val]) -> bool {
        let needed = self.world.needs.of(self.world, callee);
        let mut used = args.iter().zip(needed).filter(|it| *it.1);
        used.all(|(&arg, _)| {
            let is_whole = arg.offset == 0 || arg.base == Base::Number;
            !is_whole || state.facts.refine(&self.terms, CompareOp::Ne, arg, 0).is_ok()
        })
    }

    pub(super) fn enter_callee(
        &mut self,
        state: &mut State,
        inst: InstId,
        callee: InstanceId,
        args: &[Val],
    ) {
        let body = self.world.memory().body(callee);
        self.frames += 1;
        let mut frame = Frame {
            id: self.frames,
            instance: callee,
            values: FxHashMap::default(),
            block: BlockId::ENTRY,
            next: body.blocks[BlockId::ENTRY].first,
            visits: FxHashMap::from_iter([(BlockId::ENTRY, 1)]),
            call: Some(inst),
        };
        for (&param, &arg) in body.params.iter().zip(args) {
            frame.values.insert(param, arg);
        }
        state.frames.push(frame);
        state.pass();
    }

    /// Of a call that does not concern the object.
    pub(super) fn pass_over(
        &mut self,
        state: &mut State,
        inst: InstId,
        targets: &[Target],
        args: &[Val],
    ) {
        for &arg in args {
            state.handed.push(self.terms.root(arg));
        }
        let given = self.is_steady.then(|| state.reached_from(&self.terms, args));
        self.forget_effects(state, inst, targets, given.as_deref());
        self.define_unknown(state, inst);
    }

    /// What a call writes; of memory that it is not given, only what has a name.
    pub(super) fn forget_effects(
        &mut self,
        state: &mut State,
        inst: InstId,
        targets: &[Target],
        given: Option<&[Base]>,
    ) {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        let own = memory.access(instance, inst).map_or(FootprintId::EMPTY, |it| it.writes);
        let effects: Vec<_> = targets
            .iter()
            .filter_map(|target| match *target {
                Target::Instance(callee) => Some(&memory.effects(callee).writes),
                _ => None,
            })
            .collect();
        let is_wild = targets.contains(&Target::Unknown);
        let wild = &memory.modref().of_wild_call().writes;
        let is_written = |touched| {
            let regions = memory.regions().of_footprint(touched);
            meet(memory, touched, own)
                || regions.iter().any(|&region| {
                    effects.iter().any(|it| it.contains(region)) || is_wild && wild.contains(region)
                })
        };
        let terms = &self.terms;
        let mut was_steady = false;
        state.forget(terms, |cell| {
            let root = terms.root(cell.at);
            let is_out_of_reach =
                matches!(root, Base::Term(_)) && given.is_some_and(|given| !given.contains(&root));
            let is_written = is_written(cell.touched);
            was_steady |= is_written && is_out_of_reach;
            is_written && !is_out_of_reach
        });
        self.was_steady |= was_steady;
    }

    pub(super) fn define_unknown(&mut self, state: &mut State, inst: InstId) {
        let instance = state.frame().instance;
        if let Some(result) = self.world.memory().body(instance).results[inst] {
            let val = self.terms.unknown(Origin::Local(instance, result));
            state.set(result, val);
        }
    }
}

/// The parameter that a function returns, wherever it does.
fn handed_back(callee: &Body) -> Option<usize> {
    let mut found = None;
    for row in callee.blocks.rows() {
        let Terminator::Return(value) = row.terminator else { continue };
        let index = callee.params.iter().position(|&param| Some(param) == value)?;
        if found.is_some_and(|it| it != index) {
            return None;
        }
        found = Some(index);
    }
    found
}

/// Whether NULL is passed: the function may use it, which is the end.
fn passes_null(callee: &Body, args: &[Val]) -> bool {
    let is_pointer = |param| callee.values[param].scalar == Scalar::Ptr;
    let mut passed = callee.params.iter().zip(args);
    passed.any(|(&param, &arg)| arg == Val::number(0) && is_pointer(param))
}
