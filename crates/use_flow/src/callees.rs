//! Whom a call may enter, and what is known of them.

use std::borrow::Cow;
use std::sync::Arc;

use caulk_ir::{Call, CallId, Callee, Constant, Inst, InstId, ValueId, ValueKind};
use caulk_models::FunctionModel;
use caulk_program::{Binding, ExternalId, IndirectTargets, ProcId, Program, StaticId};

use crate::foreign::Numbers;
use crate::space::Origin;
use crate::state::State;
use crate::step::Exec;
use crate::summaries::Known;
use crate::summary::{Case, Expr, Summary};

/// Who may be called.
pub enum Targets<'a> {
    Procs(Cow<'a, [ProcId]>),
    External(ExternalId),
    Unknown,
}

impl<'a> Exec<'a> {
    /// The function that a call names.
    pub fn binding(&self, at: InstId) -> Option<&'a Binding> {
        let Inst::Call(id) = *self.body.insts.get(at)? else { return None };
        let Callee::Function(function) = self.body.calls[id].callee else { return None };
        let program = self.context.program;
        Some(program.binding(program.procs[self.proc].module, function))
    }

    /// Whether a call may enter several functions of the program.
    pub fn is_ambiguous(&self, at: InstId) -> bool {
        let Inst::Call(id) = self.body.insts[at] else { return false };
        let targets = self.targets(id, &self.body.calls[id], &State::new());
        matches!(targets, Targets::Procs(procs) if procs.len() > 1)
            && matches!(self.body.calls[id].callee, Callee::Pointer(_))
    }

    /// What is known of the library function that a call enters.
    pub fn model_of(&self, id: CallId) -> Option<&FunctionModel> {
        match self.targets(id, &self.body.calls[id], &State::new()) {
            Targets::External(external) => self.context.externals.of(external),
            _ => None,
        }
    }

    /// Whether a value is the result of a function of which nothing is known, or in a variable that others
    /// may write.
    pub fn is_opaque_result(&self, value: ValueId) -> bool {
        let id = match self.body.definition(value).map(|at| self.body.insts[at]) {
            Some(Inst::Call(id)) => id,
            Some(Inst::Load { from, .. }) => return self.is_in_own_variable(from),
            _ => return false,
        };
        match self.targets(id, &self.body.calls[id], &State::new()) {
            Targets::External(external) => self.context.externals.of(external).is_none(),
            Targets::Unknown => true,
            Targets::Procs(procs) => procs.iter().any(|&proc| self.returns_unknown(proc)),
        }
    }

    /// Whether an address is that of a variable of this function, or of a member of one.
    fn is_in_own_variable(&self, address: ValueId) -> bool {
        match self.body.values[address].kind {
            ValueKind::Const(Constant::Slot(_)) => true,
            ValueKind::Inst(at) => match self.body.insts[at] {
                Inst::Field { base, .. } => self.is_in_own_variable(base),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether it was not seen where the pointer comes from that a function returns.
    fn returns_unknown(&self, proc: ProcId) -> bool {
        let is_unknown =
            |case: &Case| matches!(case.result, Some(Expr::Unknown { pointer: true, .. }));
        let known = self.context.summaries.get(proc, self.proc, self.context.finished);
        matches!(known, Known::Summary(summary) if summary.cases.iter().any(is_unknown))
    }

    /// Whether a call enters functions of the program.
    pub fn enters_program(&self, at: InstId) -> bool {
        let Inst::Call(id) = self.body.insts[at] else { return false };
        matches!(self.targets(id, &self.body.calls[id], &State::new()), Targets::Procs(_))
    }

    /// How many objects a call makes in the case that makes most.
    pub fn most_made(&mut self, id: CallId) -> u16 {
        self.most(id, |summary| summary.makes().len())
    }

    /// Which of what a call releases may be followed from there on.
    pub fn followed_from(&mut self, id: CallId) -> Numbers {
        let machines = self.context.machines;
        let mut found = Numbers::default();
        let mut look_at = |summary: &Summary| {
            for releases in summary.cases.iter().map(|case| &case.releases) {
                let followed = releases.iter().enumerate();
                let followed = followed.filter(|(_, it)| it.may_be_followed(machines));
                followed.for_each(|(number, _)| found.add(Numbers::one(number)));
            }
        };
        let call = &self.body.calls[id];
        match self.targets(id, call, &State::new()) {
            Targets::External(external) => look_at(&self.external(external, id)),
            Targets::Procs(procs) => {
                let known = procs.iter().filter_map(|&proc| self.context.summaries.of(proc));
                known.for_each(|summary| look_at(&summary));
            }
            Targets::Unknown => {}
        }
        found
    }

    /// The most of something that one of those does which a call may enter.
    fn most(&mut self, id: CallId, of: impl Fn(&Summary) -> usize) -> u16 {
        let call = &self.body.calls[id];
        let most = match self.targets(id, call, &State::new()) {
            Targets::External(external) => of(&self.external(external, id)),
            Targets::Procs(procs) => {
                let known = procs.iter().filter_map(|&proc| self.context.summaries.of(proc));
                known.map(|summary| of(&summary)).max().unwrap_or(0)
            }
            Targets::Unknown => 0,
        };
        u16::try_from(most).unwrap_or(u16::MAX)
    }

    /// Whether all that a call makes is left in static storage that nothing else here writes: then
    /// it is there at the end.
    pub fn only_sets_statics(&self, at: InstId, id: CallId) -> bool {
        let Some(summaries) = self.called(id) else { return false };
        let mut statics: Vec<StaticId> = Vec::new();
        for case in summaries.iter().flat_map(|summary| &summary.cases) {
            if case.hands_out() {
                return false;
            }
            statics.extend(case.stores.iter().filter_map(|store| store.to.of_static()));
        }
        let writes = |inst: InstId| match self.body.insts[inst] {
            Inst::Call(other) => match self.called(other) {
                Some(summaries) => summaries
                    .iter()
                    .any(|summary| statics.iter().any(|&it| summary.written.contains(it))),
                None => false,
            },
            Inst::Store { to, .. } => match self.body.values[to].kind {
                ValueKind::Const(Constant::Object(object)) => {
                    let module = self.context.program.procs[self.proc].module;
                    statics.contains(&self.context.program.static_of(module, object))
                }
                _ => false,
            },
            _ => false,
        };
        !self.body.insts.ids().any(|inst| inst != at && writes(inst))
    }

    /// The summaries of the functions of the program that a call may enter.
    pub fn called(&self, id: CallId) -> Option<Vec<Arc<Summary>>> {
        match self.targets(id, &self.body.calls[id], &State::new()) {
            Targets::Procs(procs) => {
                Some(procs.iter().filter_map(|&it| self.context.summaries.of(it)).collect())
            }
            _ => None,
        }
    }

    pub fn targets(&self, id: CallId, call: &Call, state: &State) -> Targets<'a> {
        if let Callee::Pointer(value) = call.callee
            && let Some(&term) = state.values.get(value)
            && let Some(Origin::Proc(proc)) = self.space.origin(term)
        {
            return Targets::Procs(Cow::Owned(vec![proc]));
        }
        let module = self.context.program.procs[self.proc].module;
        let function = match call.callee {
            Callee::Function(function) => Some(function),
            Callee::Pointer(value) => match self.body.values[value].kind {
                ValueKind::Const(Constant::Function(function)) => Some(function),
                _ => match state.values.get(value).and_then(|&term| self.space.origin(term)) {
                    Some(Origin::Function(function)) => Some(function),
                    _ => None,
                },
            },
        };
        if let Some(function) = function {
            let program: &'a Program = self.context.program;
            return match program.binding(module, function) {
                Binding::Procs(procs) => Targets::Procs(Cow::Borrowed(procs)),
                Binding::External(external) => Targets::External(*external),
            };
        }
        let key = (self.proc, id);
        let indirect: &'a IndirectTargets = self.context.indirect;
        if let Some(procs) = indirect.procs.get(&key) {
            return Targets::Procs(Cow::Borrowed(procs));
        }
        let external = self.context.indirect.externals.get(&key).and_then(|them| them.first());
        external.map_or(Targets::Unknown, |&external| Targets::External(external))
    }
}
