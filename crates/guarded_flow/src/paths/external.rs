//! Calls of library functions, by their models.

use caulk_ir::{CompareOp, InstId};
use caulk_memory::FootprintId;
use caulk_models::{Args, CallbackArgument, Effect, Freed, FunctionModel, Returns, When};
use caulk_program::ExternalId;

use super::state::{Cell, State, meet};
use super::value::{Base, Origin, Val};
use super::{Aim, Go, Walk};

impl Walk<'_, '_, '_, '_> {
    pub(super) fn external(
        &mut self,
        state: &mut State,
        inst: InstId,
        external: ExternalId,
        args: &[Val],
    ) -> Go {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        let model = memory.input().externals.of(external);
        let writes = memory.access(instance, inst).map_or(FootprintId::EMPTY, |it| it.writes);
        if model.is_some_and(|model| model.returns == Returns::Never) {
            return Go::Over;
        }
        state.forget(&self.terms, |cell| meet(memory, cell.touched, writes));
        self.define_unknown(state, inst);
        let Some(model) = model else { return Go::On };
        if model.nonnull {
            self.assume_result(state, inst, CompareOp::Ne);
        }
        if model.nonnegative {
            self.assume_result(state, inst, CompareOp::GeS);
        }
        for effect in &model.effects {
            match self.effect(state, inst, (model, effect), args) {
                Go::On => {}
                end => return end,
            }
        }
        Go::On
    }

    /// The result compares so with 0.
    fn assume_result(&mut self, state: &mut State, inst: InstId, op: CompareOp) {
        let instance = state.frame().instance;
        if let Some(result) = self.world.memory().body(instance).results[inst] {
            let val = self.value(state, result);
            let _ = state.facts.refine(&self.terms, op, val, 0);
        }
    }

    fn effect(
        &mut self,
        state: &mut State,
        inst: InstId,
        (model, effect): (&FunctionModel, &Effect),
        args: &[Val],
    ) -> Go {
        let arg = |index: u32| args.get(index as usize).copied();
        match *effect {
            Effect::Allocates { to: caulk_models::Target::Result, .. } => {
                let made = self.terms.unknown(Origin::Made);
                self.define(state, inst, made);
                if model.nonnull {
                    self.assume_result(state, inst, CompareOp::Ne);
                }
            }
            Effect::Frees { args: which, what, .. } => {
                return self.frees(state, inst, (which, what), args);
            }
            Effect::Reallocates { arg: index, through, may_fail, ref size, .. } => {
                let Some(old) = arg(index) else { return Go::On };
                let old = if through { state.cell(old).unwrap_or(old) } else { old };
                let size: Vec<Val> = size.iter().filter_map(|&index| arg(index)).collect();
                return self.reallocates(state, inst, old, may_fail, &size);
            }
            Effect::ReturnsArgument { arg: index, interior, ref when, .. } => {
                let Some(given) = arg(index) else { return Go::On };
                self.returns_argument(state, inst, given, !interior && *when == When::Always);
            }
            Effect::StoresArgument { arg: index, into, .. } => {
                if let (Some(holds), Some(at)) = (arg(index), arg(into)) {
                    self.put(state, inst, at, holds);
                }
            }
            Effect::Clears { arg: index } => {
                if let Some(at) = arg(index) {
                    self.put(state, inst, at, Val::number(0));
                }
            }
            Effect::Keeps { args: which, .. } => {
                let mut kept = which.of_call(args.len() as u32).filter_map(arg);
                if kept.any(|it| self.terms.is_object(it)) {
                    return Go::Over;
                }
            }
            Effect::CopiesMemory { to, from, bytes } => {
                if let (Some(to), Some(from)) = (arg(to), arg(from)) {
                    let size = bytes.and_then(arg).and_then(|it| state.facts.number(it));
                    state.copy(&self.terms, to, from, size);
                }
            }
            Effect::CallsBack { ref arguments, .. } => {
                let is_passed = |it: &CallbackArgument| match *it {
                    CallbackArgument::Argument(index) | CallbackArgument::PointsInto(index) => {
                        arg(index).is_some_and(|it| self.terms.is_object(it))
                    }
                    _ => false,
                };
                if arguments.iter().any(is_passed) {
                    return Go::Unsure;
                }
            }
            _ => {}
        }
        Go::On
    }

    fn put(&mut self, state: &mut State, inst: InstId, at: Val, holds: Val) {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        let touched = memory.access(instance, inst).map_or(FootprintId::EMPTY, |it| it.writes);
        state.note_dropped(&self.terms, at, (instance, inst));
        state.store(&self.terms, memory, Cell { at, holds, touched });
    }

    fn returns_argument(&mut self, state: &mut State, inst: InstId, given: Val, is_it: bool) {
        if is_it {
            self.define(state, inst, given);
        } else if self.terms.is_object(given) {
            let val = self.terms.unknown(Origin::MaybeObject);
            self.define(state, inst, val);
        }
    }

    fn frees(
        &mut self,
        state: &mut State,
        inst: InstId,
        (which, what): (Args, Freed),
        args: &[Val],
    ) -> Go {
        for index in which.of_call(args.len() as u32) {
            let Some(&arg) = args.get(index as usize) else { continue };
            let freed = match what {
                Freed::Pointee => state.cell(arg),
                _ => Some(arg),
            };
            let Some(freed) = freed else { continue };
            if self.terms.is_object(freed) {
                return self.object_freed(state, inst);
            }
            if self.terms.is_maybe_object(freed) {
                return Go::Unsure;
            }
            let root = self.terms.root(freed);
            let elements = what == Freed::ArgumentAndElements;
            if elements && state.holders(&self.terms).contains(&root) {
                return Go::Over;
            }
            if matches!(root, Base::Term(_)) {
                state.released.push(root);
            }
        }
        Go::On
    }

    /// The end of a path that should lose the object; one that should release it twice goes on to the
    /// other release.
    fn object_freed(&mut self, state: &mut State, inst: InstId) -> Go {
        let Aim::Double(double) = self.aim else { return Go::Over };
        let here = (state.frame().instance, inst);
        let other = match here {
            _ if here == double.first => double.second,
            _ if here == double.second => double.first,
            _ => return Go::Over,
        };
        match state.freed {
            None => {
                state.freed = Some(here);
                Go::On
            }
            Some(before) if before == other => Go::Lost,
            Some(_) => Go::Over,
        }
    }

    /// Success releases the old block and moves what it has. To fail takes a size: without one the
    /// block is released.
    fn reallocates(
        &mut self,
        state: &mut State,
        inst: InstId,
        old: Val,
        may_fail: bool,
        size: &[Val],
    ) -> Go {
        if self.terms.is_maybe_object(old) {
            return Go::Unsure;
        }
        let root = self.terms.root(old);
        let is_it = root == Base::Object;
        let moves = state
            .cells
            .iter()
            .any(|it| self.terms.root(it.at) == root && self.terms.is_object(it.holds));
        if (is_it || moves) && may_fail {
            let mut failed = state.clone();
            self.define(&mut failed, inst, Val::number(0));
            let mut sizes = size.iter();
            if sizes.all(|&it| failed.facts.refine(&self.terms, CompareOp::Ne, it, 0).is_ok()) {
                self.later(failed);
            }
        }
        if is_it {
            return Go::Over;
        }
        let made = self.terms.unknown(Origin::Made);
        self.define(state, inst, made);
        if moves {
            let _ = state.facts.refine(&self.terms, CompareOp::Ne, made, 0);
            for cell in &mut state.cells {
                cell.at = self.terms.moved(cell.at, old.base, made.base);
            }
        }
        if matches!(root, Base::Term(_)) {
            state.released.push(root);
        }
        Go::On
    }
}
