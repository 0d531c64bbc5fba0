//! Returns: into the activation below, or, from the outermost one, into the callers if they have
//! the object then.

use caulk_ir::{CompareOp, Inst, InstId};
use caulk_program::InstanceId;

use super::counts::{is_count, returns_below_zero};
use super::held::{Held, held};
use super::state::{Frame, State};
use super::value::{Base, Val};
use super::{Aim, Go, Walk};
use crate::judge::Judge;

/// Callers that are gone on in.
const CALLERS: usize = 3;

/// Returns from outermost functions on one path.
const CLIMBED: u8 = 4;

impl Walk<'_, '_, '_, '_> {
    pub(super) fn returned(&mut self, state: &mut State, result: Option<Val>) -> Go {
        let Some(frame) = state.frames.pop() else { return Go::Over };
        let terms = &self.terms;
        state.end = Some((frame.instance, frame.block));
        if frame.values.values().any(|&val| terms.is_object(val)) {
            state.had.push(frame.instance);
        }
        let dies = |base: Base| matches!(base, Base::Slot(id, _) if id == frame.id);
        state.cells.retain(|cell| !dies(terms.root(cell.at)));
        if self.came_back_too_early(state) {
            return Go::Over;
        }
        if let (Some(call), false) = (frame.call, state.frames.is_empty()) {
            let is_bound = state.bound_for == Some((state.frame().instance, call));
            if is_bound && !result.is_some_and(|it| self.terms.is_object(it)) {
                return Go::Over;
            }
            if is_bound && self.only_made {
                return Go::Lost;
            }
            if is_bound {
                self.arrived(state);
            }
            match result {
                Some(val) => {
                    self.assume_no_code(state, frame.instance, val);
                    self.define(state, call, val);
                }
                None => self.define_unknown(state, call),
            }
            return Go::On;
        }
        if let Some(site) = state.bound_for.take() {
            if result.is_some_and(|it| self.terms.is_object(it)) {
                let mut above = state.clone();
                if self.go_on(&mut above, &frame, site, result) {
                    self.later(above);
                }
            }
            return Go::Over;
        }
        match held(self.world, &self.terms, state, result) {
            Held::Lost if matches!(self.aim, Aim::Double(_)) => Go::Over,
            Held::Lost => Go::Lost,
            Held::ForGood => Go::Over,
            Held::ByCaller if !self.route.is_empty() => Go::Over,
            Held::ByCaller if Judge::is_inside(&self.judgement.site) => Go::Over,
            Held::ByCaller => self.climb(state, &frame, result),
        }
    }

    /// A function that returns codes of failure returns none of them by counting, unless the path
    /// knows better.
    fn assume_no_code(&self, state: &mut State, callee: InstanceId, val: Val) {
        if is_count(self.world, &self.terms, val)
            && returns_below_zero(self.world.memory().body(callee))
        {
            let mut facts = state.facts.clone();
            if facts.refine(&self.terms, CompareOp::GeS, val, 0).is_ok() {
                state.facts = facts;
            }
        }
    }

    /// The object has come to the site. What the functions did that made it is not part of the story.
    fn arrived(&self, state: &mut State) {
        state.bound_for = None;
        if !self.route.is_empty() {
            let depth = state.frames.len() - 1;
            state.passed.retain(|it| it.depth <= depth);
            state.branches.clear();
            state.had.clear();
        }
    }

    fn climb(&mut self, state: &State, frame: &Frame, result: Option<Val>) -> Go {
        let callers = self.callers(frame.instance);
        if callers.len() > CALLERS || state.climbed >= CLIMBED {
            return Go::Over;
        }
        for (caller, inst) in callers {
            let mut above = state.clone();
            above.climbed += 1;
            if self.go_on(&mut above, frame, (caller, inst), result) {
                self.later(above);
            }
        }
        Go::Over
    }

    /// Of a copy, the call that it was made for.
    fn callers(&self, instance: InstanceId) -> Vec<(InstanceId, InstId)> {
        let memory = self.world.memory();
        match memory.input().instances.rows[instance].made_for {
            Some((caller, call)) => {
                let insts = memory.body(caller).insts.iter();
                let is_it = |(_, inst): &(InstId, &Inst)| **inst == Inst::Call(call);
                insts.filter(is_it).map(|(inst, _)| (caller, inst)).collect()
            }
            None => memory.callers(instance).iter().map(|at| (at.caller, at.inst)).collect(),
        }
    }

    /// Behind the call: parameters are what it passes. False if the call is not possible then.
    pub(super) fn go_on(
        &mut self,
        state: &mut State,
        frame: &Frame,
        (caller, inst): (InstanceId, InstId),
        result: Option<Val>,
    ) -> bool {
        let memory = self.world.memory();
        let Inst::Call(call) = memory.body(caller).insts[inst] else { return false };
        let above = self.frame_after(caller, inst);
        state.frames = vec![above];
        state.pass();
        state.starts.push((caller, inst));
        let mut result = result;
        let params = &memory.body(frame.instance).params;
        let args = &memory.body(caller).calls[call].args;
        if self.assume_before(state, inst).is_err() {
            return false;
        }
        for (param, arg) in params.iter().zip(args) {
            let new = self.value(state, arg.value);
            let Some(&Val { base: Base::Term(old), offset: 0 }) = frame.values.get(param) else {
                continue;
            };
            if state.facts.substitute(&self.terms, old, new).is_err() {
                return false;
            }
            let replace = |val: &mut Val| {
                if val.base == Base::Term(old) {
                    *val = new.plus(val.offset);
                }
            };
            for cell in &mut state.cells {
                replace(&mut cell.at);
                replace(&mut cell.holds);
            }
            result.iter_mut().for_each(replace);
        }
        match result {
            Some(val) => {
                self.assume_no_code(state, frame.instance, val);
                self.define(state, inst, val);
            }
            None => self.define_unknown(state, inst),
        }
        true
    }
}
