//! A call: the summary of whoever is called, put in the caller's terms. One state per case.

use std::rc::Rc;
use std::sync::Arc;

use caulk_base::FxHashMap;
use caulk_guard::bits::{Compare, Term, TermId};
use caulk_ir::{
    Body, Call, CallId, Callee, Constant, Inst, InstId, Scalar, Terminator, ValueId, ValueKind,
};
use caulk_models::Resource;
use caulk_program::{Binding, ExternalId, ProcId, StaticId};

use crate::effects::How;
use crate::external::{self, Argument, Site};
use crate::policies::{MayFree, UnknownCall};
use crate::space::{Home, Origin};
use crate::state::{Certainty, Loss, Phase, State};
use crate::step::{By, Exec, Focus};
use crate::summaries::Known;
use crate::summary::{Case, Expr, Fresh, Summary, Written};

/// The most cases that a call may have; the rest of the callees counts as unknown.
const MOST_CASES: usize = 16;

/// Who may be called.
enum Targets {
    Procs(Vec<ProcId>),
    External(ExternalId),
    Unknown,
}

impl Exec<'_> {
    /// The states after the call; none if it does not return.
    pub fn call(&mut self, at: InstId, id: CallId, state: State) -> Vec<State> {
        let call = &self.body.calls[id];
        let arguments: Vec<TermId> =
            call.args.iter().map(|arg| self.value(&state, arg.value)).collect();
        let into = call.result_into.map(|value| self.value(&state, value));
        let frame = Frame { at, arguments, into };
        if call.noreturn || self.context.endings.ends(self.proc, id) {
            return Vec::new();
        }
        match self.targets(id, call, &state) {
            Targets::Procs(procs) => self.procedures(&frame, call, &procs, state),
            Targets::External(external) => {
                if self.ends_the_search(external, &frame, &state) {
                    return Vec::new();
                }
                let summary = self.external(external, id);
                self.note_effects(&summary);
                self.apply(&frame, &summary, state, Null::Unlikely)
            }
            Targets::Unknown => {
                self.unresolved.insert(at);
                self.unknown_call(&frame, call, None, state)
            }
        }
    }

    /// Whether the followed object goes to a function that nothing is known of, and the policy
    /// is to say nothing of what comes then.
    fn ends_the_search(&self, external: ExternalId, frame: &Frame, state: &State) -> bool {
        let Some(focus) = state.focus else { return false };
        let gets_it = |&term: &TermId| state.reachable(&self.space, term).contains(&focus);
        self.context.policies.unknown_call == UnknownCall::Stop
            && self.context.externals.of(external).is_none()
            && frame.arguments.iter().any(gets_it)
    }

    /// Nobody knows who is called, it may be any function of the program; or what a function does.
    fn unknown_call(
        &mut self,
        frame: &Frame,
        call: &Call,
        callee: Option<ProcId>,
        mut state: State,
    ) -> Vec<State> {
        let mut summary = external::unknown(&self.site(call, 0));
        if let Some(callee) = callee {
            self.tell_result(callee, &mut summary);
        }
        state.doubt = true;
        self.unknown_effects = true;
        self.written = Written::All;
        self.forget_shared(frame.at, &mut state);
        self.apply(frame, &summary, state, Null::Unlikely)
    }

    /// Whether a call may enter several functions of the program.
    pub fn is_ambiguous(&self, at: InstId) -> bool {
        let Inst::Call(id) = self.body.insts[at] else { return false };
        let targets = self.targets(id, &self.body.calls[id], &State::new());
        matches!(targets, Targets::Procs(procs) if procs.len() > 1)
            && matches!(self.body.calls[id].callee, Callee::Pointer(_))
    }

    /// Whether a value is the result of a function of which nothing is known.
    pub fn is_opaque_result(&self, value: ValueId) -> bool {
        let Some(Inst::Call(id)) = self.body.definition(value).map(|at| self.body.insts[at]) else {
            return false;
        };
        match self.targets(id, &self.body.calls[id], &State::new()) {
            Targets::External(external) => self.context.externals.of(external).is_none(),
            Targets::Unknown => true,
            Targets::Procs(_) => false,
        }
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

    /// How many objects a call releases in the case that releases most.
    pub fn most_released(&mut self, id: CallId) -> u16 {
        let of_case = |case: &Case| case.releases.len();
        self.most(id, |summary| summary.cases.iter().map(of_case).max().unwrap_or(0))
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
    fn called(&self, id: CallId) -> Option<Vec<Arc<Summary>>> {
        match self.targets(id, &self.body.calls[id], &State::new()) {
            Targets::Procs(procs) => {
                Some(procs.iter().filter_map(|&it| self.context.summaries.of(it)).collect())
            }
            _ => None,
        }
    }

    fn targets(&self, id: CallId, call: &Call, state: &State) -> Targets {
        if let Callee::Pointer(value) = call.callee
            && let Some(&term) = state.values.get(value)
            && let Some(Origin::Proc(proc)) = self.space.origin(term)
        {
            return Targets::Procs(vec![proc]);
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
            return match self.context.program.binding(module, function) {
                Binding::Procs(procs) => Targets::Procs(procs.clone()),
                Binding::External(external) => Targets::External(*external),
            };
        }
        let key = (self.proc, id);
        let externals = self.context.indirect.externals.get(&key).map_or(0, Vec::len);
        match self.context.indirect.procs.get(&key) {
            Some(procs) if externals == 0 && procs.len() <= 6 => Targets::Procs(procs.clone()),
            None if externals == 1 => Targets::External(self.context.indirect.externals[&key][0]),
            _ => Targets::Unknown,
        }
    }

    fn procedures(
        &mut self,
        frame: &Frame,
        call: &Call,
        procs: &[ProcId],
        state: State,
    ) -> Vec<State> {
        let mut after = Vec::new();
        for &proc in procs {
            if after.len() >= MOST_CASES {
                break;
            }
            let mut state = state.clone();
            if procs.len() > 1 && !self.assume_callee(call, proc, &mut state) {
                continue;
            }
            let named = self.context.program.body(proc).params.len();
            if frame.arguments.len() > named
                && reads_variable_arguments(self.context.program.body(proc))
            {
                for &argument in frame.arguments.iter().skip(named) {
                    self.keep(frame.at, &mut state, argument, true);
                }
            }
            match self.context.summaries.get(proc, self.proc, self.context.finished) {
                // Given up before any return.
                Known::Summary(summary) if summary.rough && summary.cases.is_empty() => {
                    after.extend(self.unknown_call(frame, call, Some(proc), state));
                }
                Known::Summary(summary) => {
                    if self.entered.insert(proc) {
                        self.note_effects(&summary);
                    }
                    after.extend(self.procedure(frame, call, proc, &summary, state));
                }
                Known::NotYet => {}
                Known::Later => {
                    after.extend(self.unknown_call(frame, call, Some(proc), state));
                }
            }
        }
        after
    }

    /// Which function a parameter is decides what is done: callers tell it by what they pass.
    fn assume_callee(&mut self, call: &Call, proc: ProcId, state: &mut State) -> bool {
        let Callee::Pointer(value) = call.callee else { return true };
        let term = self.value(state, value);
        if !matches!(self.space.origin(term), Some(Origin::Param(_))) {
            return true;
        }
        let function = self.space.symbol(Origin::Proc(proc), self.space.pointer_bits, true);
        let is_it = self.equal(state, term, function);
        if self.space.terms.as_constant(is_it).is_none() && !self.callees.contains(&is_it) {
            self.callees.push(is_it);
        }
        state.assume(&mut self.space, is_it)
    }

    fn procedure(
        &mut self,
        frame: &Frame,
        call: &Call,
        proc: ProcId,
        summary: &Summary,
        state: State,
    ) -> Vec<State> {
        let summaries = self.context.summaries;
        if summaries.is_one_recursion(proc, self.proc) {
            return self.apply(frame, summary, state, Null::Ends);
        }
        if summary.cases.is_empty() || !summaries.is_recursive(proc) {
            return self.apply(frame, summary, state, Null::Unlikely);
        }
        let after = self.apply(frame, summary, state.clone(), Null::Unlikely);
        if !after.is_empty() || !self.may_return(proc, frame, &state) {
            return after;
        }
        // A recursion is summarised a few steps deep; this one goes deeper.
        let mut beyond = Summary {
            written: summary.written.clone(),
            unknown_effects: summary.unknown_effects,
            ..external::unknown(&self.site(call, 0))
        };
        self.tell_result(proc, &mut beyond);
        self.apply(frame, &beyond, state, Null::Unlikely)
    }

    /// What an unknown function returns, where that can be told without a look at what it does.
    fn tell_result(&self, proc: ProcId, summary: &mut Summary) {
        if let Some(returned) = self.returned_argument(proc) {
            summary.cases.iter_mut().for_each(|case| case.result = Some(returned.clone()));
        }
    }

    /// The argument that a function returns wherever it returns: `warn(status, …)`.
    fn returned_argument(&self, proc: ProcId) -> Option<Expr> {
        let body = self.context.program.body(proc);
        let mut returned = body.blocks.rows().iter().filter_map(|row| match row.terminator {
            Terminator::Return(value) => Some(value),
            _ => None,
        });
        let value = returned.next()??;
        let ValueKind::Param(number) = body.values[value].kind else { return None };
        returned.all(|other| other == Some(value)).then_some(Expr::Param(number))
    }

    /// Whether a function may return with the arguments of a call: `check(p)` does not where `p` is
    /// NULL.
    fn may_return(&self, proc: ProcId, frame: &Frame, state: &State) -> bool {
        let number = |&term: &TermId| {
            let value = state.facts.value(&self.space.terms, term)?;
            i64::try_from(value).ok()
        };
        let passed: Vec<Option<i64>> = frame.arguments.iter().map(number).collect();
        self.context.endings.may_return(self.context.program, proc, &passed)
    }

    fn external(&mut self, external: ExternalId, id: CallId) -> Rc<Summary> {
        let model = self.context.externals.of(external);
        if let Some(known) = self.modelled.get(&(id, external)) {
            return known.clone();
        }
        let call = &self.body.calls[id];
        let summary = match model {
            Some(model) => external::modelled(model, &self.site(call, 1000 + external.0)),
            None => external::unknown(&self.site(call, 0)),
        };
        let summary = Rc::new(summary);
        self.modelled.insert((id, external), summary.clone());
        summary
    }

    /// What a callee does wherever it is called, this function does.
    fn note_effects(&mut self, summary: &Summary) {
        self.unknown_effects |= summary.unknown_effects;
        self.written.add(&summary.written);
    }

    fn site(&self, call: &Call, function: u32) -> Site<'_> {
        let argument = |arg: &caulk_ir::CallArg| Argument {
            scalar: self.body.values[arg.value].scalar,
            ty: arg.ty,
        };
        let signature = &self.module.types.signatures[call.signature];
        self.site_of(call.args.iter().map(argument).collect(), signature, function)
    }

    fn site_of(
        &self,
        arguments: Vec<Argument>,
        signature: &caulk_ir::Signature,
        function: u32,
    ) -> Site<'_> {
        Site {
            module: self.module,
            machines: self.context.machines,
            unknown_call: self.context.policies.unknown_call,
            arguments,
            result: external::result_scalar(self.module, signature),
            pointer_bits: self.space.pointer_bits,
            function,
            named: u32::try_from(signature.params.len()).unwrap_or(u32::MAX),
        }
    }

    /// What a caller must expect of this function if nothing is known of it.
    pub fn unknown_summary(&self) -> Summary {
        let function = self.context.program.function(self.proc);
        let signature = &self.module.types.signatures[function.signature];
        let argument = |(&value, &ty): (&caulk_ir::ValueId, &caulk_ir::TypeId)| Argument {
            scalar: self.body.values[value].scalar,
            ty,
        };
        let arguments = self.body.params.iter().zip(&signature.params).map(argument);
        let site = self.site_of(arguments.collect(), signature, 0);
        let mut summary = Summary { written: Written::All, ..external::unknown(&site) };
        self.tell_result(self.proc, &mut summary);
        summary
    }

    /// An unknown function may change all that is not this activation's own.
    fn forget_shared(&mut self, at: InstId, state: &mut State) {
        let own = |base: TermId| matches!(self.space.home(base), Home::Local | Home::Made);
        let cells = state.memory.iter().filter(|cell| !own(cell.base));
        let values: Vec<TermId> = cells.map(|cell| cell.value).collect();
        for value in values {
            self.keep(at, state, value, true);
        }
        state.memory.forget_shared(&mut self.space, &self.fixed);
    }

    fn apply(
        &mut self,
        frame: &Frame,
        summary: &Summary,
        mut state: State,
        null: Null,
    ) -> Vec<State> {
        if summary.rough && !state.rough {
            state.rough = self.reach_focus(&state, &frame.arguments);
        }
        let mut after = Vec::new();
        let makes = summary.makes();
        for case in &summary.cases {
            let state = self.case(frame, summary, (&makes, null), case, state.clone());
            after.extend(state.map(|state| (case, state)));
        }
        self.note_unreplaced(frame, &mut after);
        self.note_unconsumed(frame, &mut after);
        let is_read = |&result: &caulk_ir::ValueId| self.is_read_after(frame.at, result);
        if after.len() > 1 && !self.body.results[frame.at].as_ref().is_some_and(is_read) {
            self.note_refusals(frame, &mut after);
        }
        after.into_iter().map(|it| it.1).collect()
    }

    /// A caller that does not look at the result trusts the callee to take what it takes at all,
    /// unless an allocation fails or another argument tells: callers of the caller are not told of
    /// such an exit, and what rests on it is doubtful.
    fn note_refusals(&mut self, frame: &Frame, after: &mut [(&Case, State)]) {
        for (number, &argument) in (0..).zip(&frame.arguments) {
            for at in refusing(number, after, Case::takes) {
                let state = &mut after[at].1;
                if state.focus.is_none() {
                    self.keep(frame.at, state, argument, true);
                } else if self.leads_to(state, argument) {
                    state.refused = Some(frame.at);
                }
            }
            for at in refusing(number, after, Case::takes_contents) {
                let state = &mut after[at].1;
                let is_inside = self.space.address(argument).map(|it| it.base) != state.focus;
                if is_inside && self.leads_to(state, argument) {
                    state.refused = Some(frame.at);
                }
            }
        }
    }

    /// A pointer to what was released is there after a call that puts something else in its place in
    /// other cases: whoever does not ask for the result at once takes it to have done so.
    fn note_unreplaced(&self, frame: &Frame, after: &mut [(&Case, State)]) {
        let is_stale = |state: &State| {
            let gone = state.focus.filter(|&it| state.phase(it) == Phase::Released);
            gone.map(|focus| self.is_known_after(state, frame.at, focus))
        };
        let stale: Vec<Option<bool>> = after.iter().map(|it| is_stale(&it.1)).collect();
        if !stale.contains(&Some(false)) || self.is_asked_at_once(frame.at) {
            return;
        }
        for ((_, state), stale) in after.iter_mut().zip(stale) {
            if stale == Some(true) {
                state.refused = Some(frame.at);
            }
        }
    }

    /// An object that the callee releases in other cases is left where it returns NULL without a failed
    /// allocation: `text = append(text, more)` does not expect that, unless the result is asked for.
    fn note_unconsumed(&self, frame: &Frame, after: &mut [(&Case, State)]) {
        let phase = |state: &State| state.focus.map(|focus| state.phase(focus));
        let consumed = after.iter().any(|it| phase(&it.1) == Some(Phase::Released));
        if !consumed || self.is_asked_at_once(frame.at) {
            return;
        }
        let leads_from = |focus| {
            let mut places = frame.arguments.iter().filter_map(|&it| self.space.address(it));
            places.any(|place| place.base == focus)
        };
        for (case, state) in after {
            let given = state.focus.is_some_and(leads_from);
            if given && phase(state) == Some(Phase::Live) && !case.fails && case.returns_null() {
                state.refused = Some(frame.at);
            }
        }
    }

    /// Whether the result is compared before anything else is called.
    fn is_asked_at_once(&self, at: InstId) -> bool {
        let Some(result) = self.body.results[at] else { return false };
        let end = self.body.blocks[self.facts.block_of(at)].end;
        let rest = (at.0 + 1..end.0).map(|inst| self.body.insts[InstId(inst)]);
        let mut rest = rest.take_while(|inst| !matches!(inst, Inst::Call(_)));
        rest.any(|inst| match inst {
            Inst::Compare { lhs, rhs, .. } => lhs == result || rhs == result,
            _ => false,
        })
    }

    /// Whether the followed object can be reached from a value.
    fn leads_to(&self, state: &State, value: TermId) -> bool {
        state.focus.is_some_and(|focus| state.reachable(&self.space, value).contains(&focus))
    }

    fn case(
        &mut self,
        frame: &Frame,
        summary: &Summary,
        (makes, null): (&[(Resource, u16)], Null),
        case: &Case,
        mut state: State,
    ) -> Option<State> {
        let mut bound = Bound::default();
        self.make(frame, makes, case, &mut state, &mut bound)?;
        // Whether the caller knows already that it comes to this case.
        let mut expected = case.conditions.iter().any(Expr::reads_memory);
        for condition in &case.conditions {
            let term = self.evaluate(condition, frame, &mut state, &mut bound);
            expected &= state.facts.decide(&self.space.terms, term) == Some(true);
            if null == Null::Unlikely && self.is_untested_null(condition, term, &state) {
                return None;
            }
            if !state.assume(&mut self.space, term) {
                return None;
            }
            self.keep_equal(&mut state, term);
        }
        let uses = if expected { case.uses } else { certain_uses(summary, case) };
        for (number, &argument) in frame.arguments.iter().enumerate().take(32) {
            if uses >> number & 1 == 1 {
                self.check_use(frame.at, &mut state, argument);
            }
        }
        if !case.releases.is_empty() && !state.handed {
            state.handed = self.leads_to_focus(&state, &frame.arguments);
        }
        let plan = self.plan(frame, case, &mut state, &mut bound);
        if let Some(result) = plan.result {
            let fresh = bound.fresh.iter().copied();
            self.by_result.extend(fresh.filter(|&it| self.space.carries(result, it)));
        }
        self.forget_written(frame, summary, case, &plan, &mut state);
        // A callee that looks at memory before it writes may know what it does.
        let blind = expected || !case.conditions.iter().any(Expr::reads_memory);
        self.perform(frame, case, plan, expected, blind, &mut state);
        Some(state)
    }

    fn reach_focus(&self, state: &State, arguments: &[TermId]) -> bool {
        let reaches =
            |focus| arguments.iter().any(|&it| state.reachable(&self.space, it).contains(&focus));
        state.focus.is_some_and(reaches)
    }

    /// Whether an argument is no pointer to the followed object, but a way to it.
    fn leads_to_focus(&self, state: &State, arguments: &[TermId]) -> bool {
        state.focus.is_some_and(|focus| {
            arguments.iter().any(|&argument| {
                let direct = self.space.address(argument).is_some_and(|it| it.base == focus);
                !direct && state.reachable(&self.space, argument).contains(&focus)
            })
        })
    }

    /// A pointer of the caller's that nobody tested is taken not to be NULL, where that would make
    /// the callee do something else.
    fn is_untested_null(&self, condition: &Expr, term: TermId, state: &State) -> bool {
        let Expr::Compare(Compare::Eq, left, right) = condition else { return false };
        if !matches!(**left, Expr::Param(_)) || !matches!(**right, Expr::Constant { value: 0, .. })
        {
            return false;
        }
        let Term::Compare(Compare::Eq, a, b) = *self.space.terms.get(term) else { return false };
        let symbol = if self.space.is_zero(a) { b } else { a };
        self.space.is_pointer_wide(symbol)
            && self.space.home(symbol) == Home::Caller
            && state.facts.decide(&self.space.terms, term).is_none()
    }

    fn make(
        &mut self,
        frame: &Frame,
        makes: &[(Resource, u16)],
        case: &Case,
        state: &mut State,
        bound: &mut Bound,
    ) -> Option<()> {
        for (index, fresh) in case.places(makes).into_iter().zip(&case.makes) {
            let symbol = self.new_object(frame.at, index, fresh.width, state);
            if self.made.get(&symbol) != Some(fresh) {
                self.made.insert(symbol, fresh.clone());
            }
            bound.fresh.push(symbol);
            if fresh.zeroed {
                state.memory.zeroed.insert(symbol, ());
            }
            let exists = self.exists(symbol, fresh);
            if !state.assume(&mut self.space, exists) {
                return None;
            }
            if fresh.width < self.space.pointer_bits && std::mem::take(&mut state.standard_closed) {
                self.keep(frame.at, state, symbol, true);
            }
            let made = Focus { call: frame.at, index, by: By::Making };
            let wanted = self.focus == Some(made);
            if wanted && state.focus.is_none() {
                state.focus = Some(symbol);
                state.failed = None;
            }
        }
        Some(())
    }

    /// The first symbol of the site that nobody mentions any more: a loop that makes and releases
    /// an object in every turn comes back to the state it started in.
    fn new_object(&mut self, call: InstId, index: u16, width: u8, state: &mut State) -> TermId {
        let mut serial = 0;
        loop {
            let symbol = self.space.symbol(Origin::Made { serial, call, index }, width, true);
            if state.focus != Some(symbol) && !state.mentions(&self.space, symbol) {
                state.forget_symbol(&self.space, symbol);
                return symbol;
            }
            serial += 1;
        }
    }

    /// NULL is no object, and a negative number no descriptor.
    pub fn exists(&mut self, symbol: TermId, fresh: &Fresh) -> TermId {
        let zero = self.space.terms.constant(0, fresh.width);
        if fresh.width < self.space.pointer_bits {
            // 0 is the standard input, and in use.
            return self.space.terms.compare(Compare::LtS, zero, symbol);
        }
        // Small numbers stand for something else where they stand in a pointer.
        let small = self.space.terms.constant(4096, fresh.width);
        self.space.terms.compare(Compare::LtU, small, symbol)
    }

    /// All values of a case are those before the call.
    fn plan(&mut self, frame: &Frame, case: &Case, state: &mut State, bound: &mut Bound) -> Plan {
        let sweeps = self.swept(frame, case, state, bound);
        let mut term = |expr: &Expr| self.evaluate(expr, frame, state, bound);
        Plan {
            sweeps,
            releases: case.releases.iter().map(|it| term(&it.what)).collect(),
            keeps: case.keeps.iter().map(&mut term).collect(),
            inferred_keeps: case.inferred_keeps.iter().map(&mut term).collect(),
            doubtful_refusals: case.doubtful_refusals.iter().map(&mut term).collect(),
            keeps_contents: case.keeps_contents.iter().map(&mut term).collect(),
            stores: case.stores.iter().map(|it| (term(&it.to), term(&it.value))).collect(),
            copies: case
                .copies
                .iter()
                .map(|(to, from, bytes)| (term(to), term(from), bytes.as_ref().map(&mut term)))
                .collect(),
            dirties: case.dirties.iter().map(&mut term).collect(),
            havocs: case.havocs.iter().map(&mut term).collect(),
            result: case.result.as_ref().map(term),
        }
    }

    /// What the sweeps of a case release. Those along memory of the caller's are its own, too.
    fn swept(
        &mut self,
        frame: &Frame,
        case: &Case,
        state: &mut State,
        bound: &mut Bound,
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        for sweep in &case.sweeps {
            let root = self.evaluate(&sweep.root, frame, state, bound);
            found.extend(state.swept(&self.space, root, &sweep.links, sweep.last));
            if let Some(place) = self.space.address(root)
                && self.space.is_from_caller(place.base)
                && self.space.load_depth(place.base) <= 2
            {
                let (links, last) = (sweep.links.clone(), sweep.last);
                state.note_sweep(crate::state::Sweep { root: place.base, links, last });
            }
        }
        found
    }

    /// Statics that the callee writes hold something unknown, apart from what the case tells.
    fn forget_written(
        &mut self,
        frame: &Frame,
        summary: &Summary,
        case: &Case,
        plan: &Plan,
        state: &mut State,
    ) {
        for (id, base) in self.space.statics().to_vec() {
            if !summary.written.contains(id) {
                continue;
            }
            let replaced = |cell: &&crate::memory::Cell| {
                let stores = case.stores.iter().zip(&plan.stores);
                stores.filter(|(store, _)| !store.may).any(|(_, to)| to.0 == cell.address)
            };
            let cells = state.memory.of(base);
            let (told, rest): (Vec<_>, Vec<_>) = cells.iter().partition(replaced);
            let (told, rest): (Vec<_>, Vec<_>) = (
                told.into_iter().copied().collect(),
                rest.into_iter().map(|it| it.value).collect(),
            );
            for value in rest {
                self.keep(frame.at, state, value, true);
            }
            state.memory.forget(&mut self.space, base);
            for cell in told {
                state.memory.store(&mut self.space, cell.address, cell.value);
            }
        }
        if summary.unknown_effects {
            self.forget_shared(frame.at, state);
        }
    }

    fn perform(
        &mut self,
        frame: &Frame,
        case: &Case,
        plan: Plan,
        expected: bool,
        blind: bool,
        state: &mut State,
    ) {
        let at = frame.at;
        for value in plan.keeps {
            self.keep(at, state, value, false);
        }
        for value in plan.inferred_keeps.into_iter().filter(|_| !expected) {
            self.keep(at, state, value, true);
        }
        if !expected && plan.doubtful_refusals.iter().any(|&it| self.leads_to(state, it)) {
            state.refused = Some(at);
        }
        for value in plan.havocs {
            self.havoc(at, state, value, false);
        }
        for value in plan.dirties {
            if let Some(place) = self.space.address(value) {
                state.memory.dirty(&mut self.space, place.base);
            }
        }
        for value in plan.keeps_contents {
            if let Some(place) = self.space.address(value) {
                self.keep_contents(at, state, place.base);
                self.note_contents_kept(state, place.base);
            }
        }
        for (to, from, bytes) in plan.copies {
            let bytes = bytes.and_then(|bytes| self.space.constant(bytes));
            // `memcpy(&p, where, sizeof p)` moves a pointer, whatever `where` is declared as.
            let is_pointer = bytes == Some(i64::from(self.space.pointer_bits) / 8);
            let members: &[(i64, Scalar)] = if is_pointer { &[(0, Scalar::Ptr)] } else { &[] };
            self.copy(at, state, to, from, bytes, members);
        }
        for (number, (release, what)) in (0..).zip(case.releases.iter().zip(plan.releases)) {
            let perhaps = release.certainty == Certainty::Perhaps;
            let left_alone = perhaps && self.context.policies.may_free == MayFree::Keeps;
            if release.inferred && expected || left_alone {
                continue;
            }
            let how = How {
                certainty: release.certainty,
                members: release.members,
                resource: release.resource.clone(),
                number,
            };
            self.release(at, state, what, &how);
        }
        self.sweep(at, state, &plan.sweeps);
        for (store, (to, value)) in case.stores.iter().zip(plan.stores) {
            if let Some(cell) = state.memory.get(&self.space, to).copied().filter(|_| store.may) {
                self.keep(at, state, cell.value, true);
            }
            self.acquire_again(at, state, to, value);
            self.store(at, state, to, value);
        }
        if state.loss.is_some_and(|loss| loss.0 == at)
            && state.focus.is_some_and(|focus| self.is_held_after(state, at, focus))
        {
            // The stores of a call happen at once: it was exchanged, not lost.
            state.loss = None;
        }
        let owed = state.focus.is_some_and(|focus| self.is_owed_by_function(focus));
        if blind && !owed && state.loss == Some((at, Loss::Overwritten)) {
            state.loss = Some((at, Loss::OverwrittenBlindly));
        }
        if case.fails && (state.focus.is_some() || self.focus.is_none()) && state.failed.is_none() {
            state.failed = Some(at);
        }
        if let Some(result) = self.body.results[at] {
            let scalar = self.body.values[result].scalar;
            let fits = |term: &TermId| self.space.terms.width(*term) == self.space.width(scalar);
            let term = plan.result.filter(fits);
            let term = term.unwrap_or_else(|| self.space.unknown(scalar));
            let term = self.bounded(term, scalar);
            state.values.insert(result, term);
        }
    }

    fn evaluate(
        &mut self,
        expr: &Expr,
        frame: &Frame,
        state: &mut State,
        bound: &mut Bound,
    ) -> TermId {
        match expr {
            Expr::Constant { value, width } => self.space.terms.constant(*value, *width),
            Expr::Param(u32::MAX) => frame.into.unwrap_or_else(|| self.space.unknown(Scalar::Ptr)),
            Expr::Param(number) => match frame.arguments.get(*number as usize) {
                Some(&term) => term,
                None => self.space.unknown(Scalar::Ptr),
            },
            Expr::Static(id) => {
                let bits = self.space.pointer_bits;
                self.space.symbol(Origin::Static(*id), bits, true)
            }
            Expr::Proc(proc) => {
                self.space.symbol(Origin::Proc(*proc), self.space.pointer_bits, true)
            }
            Expr::Load { address, width, pointer } => {
                let address = self.evaluate(address, frame, state, bound);
                let scalar = scalar_of(*width, *pointer);
                let term = self.load(state, address, scalar);
                self.fit(term, *width)
            }
            Expr::Fresh(number) => match bound.fresh.get(*number as usize) {
                Some(&term) => term,
                None => self.space.unknown(Scalar::Ptr),
            },
            Expr::Unknown { number, width, pointer } => {
                if let Some(&term) = bound.unknown.get(number) {
                    return term;
                }
                let serial = self.space.next_serial();
                let term = self.space.symbol(Origin::Unknown(serial), *width, *pointer);
                bound.unknown.insert(*number, term);
                term
            }
            Expr::OneOf { choices, width } => {
                let terms: Vec<TermId> =
                    choices.iter().map(|it| self.evaluate(it, frame, state, bound)).collect();
                self.space.one_of(&terms, *width)
            }
            Expr::Unary(op, of) => {
                let of = self.evaluate(of, frame, state, bound);
                if self.space.terms.width(of) == 1 {
                    return self.space.terms.not(of);
                }
                self.space.terms.unary(*op, of)
            }
            Expr::Binary(op, left, right) => {
                let left = self.evaluate(left, frame, state, bound);
                let right = self.evaluate(right, frame, state, bound);
                let right = self.fit(right, self.space.terms.width(left));
                self.space.terms.binary(*op, left, right)
            }
            Expr::Compare(op, left, right) => {
                let left = self.evaluate(left, frame, state, bound);
                let right = self.evaluate(right, frame, state, bound);
                let right = self.fit(right, self.space.terms.width(left));
                match op {
                    Compare::Eq => self.equal(state, left, right),
                    _ => self.space.terms.compare(*op, left, right),
                }
            }
            Expr::ExtendU(of, width) => {
                let of = self.evaluate(of, frame, state, bound);
                if self.space.terms.width(of) >= *width {
                    self.fit(of, *width)
                } else {
                    self.space.terms.extend_u(of, *width)
                }
            }
            Expr::ExtendS(of, width) => {
                let of = self.evaluate(of, frame, state, bound);
                if self.space.terms.width(of) >= *width {
                    self.fit(of, *width)
                } else {
                    self.space.terms.extend_s(of, *width)
                }
            }
            Expr::Truncate(of, width) => {
                let of = self.evaluate(of, frame, state, bound);
                self.fit(of, *width)
            }
            Expr::Apply { function, arguments, width, reads } => {
                let mut terms: Vec<TermId> =
                    arguments.iter().map(|it| self.evaluate(it, frame, state, bound)).collect();
                for term in terms.clone().into_iter().filter(|_| *reads) {
                    if let Some(place) = self.space.address(term) {
                        let version = state.memory.version(&self.space, place.base);
                        terms.extend(
                            version.map(|it| self.space.symbol(Origin::Version(it), 64, false)),
                        );
                    }
                }
                self.space.terms.apply(*function, &terms, *width)
            }
        }
    }

    /// Callers may pass other widths than a callee declares.
    fn fit(&mut self, term: TermId, width: u8) -> TermId {
        match self.space.terms.width(term) {
            own if own < width => self.space.terms.extend_u(term, width),
            own if own > width => self.space.terms.truncate(term, width),
            _ => term,
        }
    }
}

/// The arguments that a case looks at. Where it depends on memory whether the callee comes to that, only
/// those that it looks at in any case: a list that compares keys or what they lead to, as it was told.
fn certain_uses(summary: &Summary, case: &Case) -> u32 {
    match case.conditions.iter().any(Expr::reads_memory) {
        true => summary.cases.iter().fold(case.uses, |bits, other| bits & other.uses),
        false => case.uses,
    }
}

/// The cases that do not take an argument, where nothing shows why not.
fn refusing(number: u32, cases: &[(&Case, State)], takes: fn(&Case, u32) -> bool) -> Vec<usize> {
    let (takers, others): (Vec<&Case>, Vec<&Case>) =
        cases.iter().map(|it| it.0).partition(|case| takes(case, number));
    if others.iter().all(|case| case.fails) {
        return Vec::new();
    }
    let surprising = |case: &Case| takers.iter().any(|it| !case.is_excluded_by_values(it, number));
    let refuses = |at: &usize| !takes(cases[*at].0, number) && surprising(cases[*at].0);
    (0..cases.len()).filter(refuses).collect()
}

/// Whether a function takes its unnamed arguments one by one, rather than passing all of them on to
/// the likes of `vprintf`: then nobody knows what becomes of which.
fn reads_variable_arguments(body: &Body) -> bool {
    body.insts.ids().any(|inst| matches!(body.insts[inst], Inst::VaArg { .. }))
}

fn scalar_of(width: u8, pointer: bool) -> Scalar {
    if pointer {
        return Scalar::Ptr;
    }
    Scalar::int(u32::from(width)).unwrap_or(Scalar::I64)
}

/// What is thought of NULL where a caller passes a pointer that nobody tested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Null {
    /// The caller would have tested it.
    Unlikely,
    /// That is how the recursion ends.
    Ends,
}

/// The call in the caller's terms.
struct Frame {
    at: InstId,
    arguments: Vec<TermId>,
    into: Option<TermId>,
}

#[derive(Default)]
struct Bound {
    fresh: Vec<TermId>,
    unknown: FxHashMap<u32, TermId>,
}

struct Plan {
    /// Objects that the callee perhaps released on its way.
    sweeps: Vec<TermId>,
    releases: Vec<TermId>,
    keeps: Vec<TermId>,
    inferred_keeps: Vec<TermId>,
    doubtful_refusals: Vec<TermId>,
    keeps_contents: Vec<TermId>,
    stores: Vec<(TermId, TermId)>,
    copies: Vec<(TermId, TermId, Option<TermId>)>,
    dirties: Vec<TermId>,
    havocs: Vec<TermId>,
    result: Option<TermId>,
}
