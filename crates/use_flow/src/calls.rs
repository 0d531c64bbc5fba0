//! A call: the summary of whoever is called, put in the caller's terms. One state per case.

use std::rc::Rc;

use caulk_guard::bits::TermId;
use caulk_ir::{
    Body, Call, CallId, Callee, Constant, FunctionId, Inst, InstId, Terminator, ValueKind,
};
use caulk_models::{Effect, FunctionModel};
use caulk_program::{Binding, ExternalId, ProcId};

use crate::apply::{Frame, Null};
use crate::callees::Targets;
use crate::external::{self, Argument, Site};
use crate::policies::UnknownCall;
use crate::space::{Home, Origin};
use crate::state::State;
use crate::step::Exec;
use crate::summaries::Known;
use crate::summary::{Case, Expr, Summary, Written};

/// The most cases that a call may have; the rest of the callees counts as unknown.
const MOST_CASES: usize = 16;

impl<'a> Exec<'a> {
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
                if self.ends_the_search(external, &frame, &state)
                    || self.hands_null(external, &frame, &state)
                {
                    return Vec::new();
                }
                let summary = self.external(external, id);
                self.note_effects(&summary);
                let mut after = self.apply(&frame, &summary, state, Null::Known);
                self.note_read(external, &frame, &mut after);
                after
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

    /// Whether the path ends here: NULL goes to a library function that follows it.
    fn hands_null(&mut self, external: ExternalId, frame: &Frame, state: &State) -> bool {
        let model = self.context.externals.of(external);
        let followed = model.map_or(&[][..], |model| &model.follows);
        let mut passed = followed.iter().filter_map(|&arg| frame.arguments.get(arg as usize));
        passed.any(|&pointer| {
            let is_null = self.space.terms.is_zero(pointer);
            state.facts.decide(&self.space.terms, is_null) == Some(true)
        })
    }

    /// Who asks for the length of a string knows that it is there.
    fn note_read(&mut self, external: ExternalId, frame: &Frame, after: &mut [State]) {
        let model = self.context.externals.of(external);
        if !model.is_some_and(|model| model.pure && model.reads_memory) {
            return;
        }
        let is_pointer = |&argument: &TermId| self.space.is_pointer(argument);
        let read: Vec<TermId> = frame.arguments.iter().copied().filter(is_pointer).collect();
        for state in after {
            read.iter().for_each(|&it| self.assume_there(state, it));
        }
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

    fn procedures(
        &mut self,
        frame: &Frame,
        call: &Call,
        procs: &[ProcId],
        state: State,
    ) -> Vec<State> {
        let mut after = Vec::new();
        for (&proc, mut state) in procs.iter().zip(std::iter::repeat_n(state, procs.len())) {
            if after.len() >= MOST_CASES {
                break;
            }
            let is_one_of_several = procs.len() > 1;
            if is_one_of_several
                && !(self.assume_callee(call, proc, &mut state)
                    && self.assume_linked(proc, procs, &mut state))
            {
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
            match self.known(frame.at, proc) {
                // Given up before any return.
                Known::Summary(summary) if summary.rough && summary.cases.is_empty() => {
                    after.extend(self.unknown_call(frame, call, Some(proc), state));
                }
                Known::Summary(summary) => {
                    if self.entered.insert(proc) {
                        self.note_effects(&summary);
                    }
                    let fails = self.stands_for_failure(&summary, procs);
                    let mut states = self.procedure(frame, call, proc, &summary, state);
                    for state in states.iter_mut().filter(|state| fails && state.failed.is_none()) {
                        state.failed = Some(frame.at).filter(|_| self.notes_failure(state));
                    }
                    after.append(&mut states);
                }
                Known::NotYet => {}
                Known::Later => {
                    self.met_later = true;
                    after.extend(self.unknown_call(frame, call, Some(proc), state));
                }
            }
        }
        after
    }

    fn known(&self, at: InstId, proc: ProcId) -> Known {
        match &self.finer {
            Some(finer) if finer.at == at => Known::Summary(finer.summary.clone()),
            _ => self.context.summaries.get(proc, self.proc, self.context.finished),
        }
    }

    /// Whether one of several that may be called gives nothing, whatever it gets, where another one
    /// allocates: an allocator that always fails.
    fn stands_for_failure(&self, summary: &Summary, procs: &[ProcId]) -> bool {
        let gives_nothing = |case: &Case| case.makes.is_empty() && case.returns_null();
        let allocates = |&proc: &ProcId| {
            let other = self.context.summaries.get(proc, self.proc, self.context.finished);
            let by_result = |case: &Case| case.result.as_ref().is_some_and(Expr::has_fresh);
            matches!(other, Known::Summary(other) if other.cases.iter().any(by_result))
        };
        procs.len() > 1
            && !summary.cases.is_empty()
            && summary.cases.iter().all(gives_nothing)
            && procs.iter().any(allocates)
    }

    /// Which function a parameter is, or has, decides what is done: callers tell it by what they pass.
    fn assume_callee(&mut self, call: &Call, proc: ProcId, state: &mut State) -> bool {
        let Callee::Pointer(value) = call.callee else { return true };
        let term = self.value(state, value);
        if !self.space.is_from_start(term) || self.space.load_depth(term) > 1 {
            return true;
        }
        let function = self.space.symbol(Origin::Proc(proc), self.space.pointer_bits, true);
        let is_it = self.equal(state, term, function);
        if self.space.terms.as_constant(is_it).is_none() && !self.callees.contains(&is_it) {
            self.callees.push(is_it);
        }
        state.assume(&mut self.space, is_it)
    }

    /// Who enters a unit does not enter another one that defines the same functions: each is of a program of
    /// its own.
    fn assume_linked(&mut self, proc: ProcId, procs: &[ProcId], state: &mut State) -> bool {
        let program = self.context.program;
        let own = program.procs[proc].module;
        let others = procs.iter().map(|&it| program.procs[it].module);
        others.filter(|&it| program.are_twins(own, it)).all(|other| {
            let pair = Origin::Linked(own.min(other), own.max(other));
            let has_first = self.space.symbol(pair, 1, false);
            let has_own = if own < other { has_first } else { self.space.terms.not(has_first) };
            state.assume(&mut self.space, has_own)
        })
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

    pub fn external(&mut self, external: ExternalId, id: CallId) -> Rc<Summary> {
        let model = self.context.externals.of(external);
        if let Some(known) = self.modelled.get(&(id, external)) {
            return known.clone();
        }
        let call = &self.body.calls[id];
        let mut summary = match model {
            Some(model) => external::modelled(model, &self.site(call, 1000 + external.0)),
            None => external::unknown(&self.site(call, 0)),
        };
        if model.is_some_and(|model| self.starts_endless(model, call)) {
            summary.cases.iter_mut().for_each(Case::keep_made);
        }
        let summary = Rc::new(summary);
        self.modelled.insert((id, external), summary.clone());
        summary
    }

    /// Whether a call starts a function that never returns, as a thread: what stands for it is in use as
    /// long as the program runs, and nobody can wait for its end.
    fn starts_endless(&self, model: &FunctionModel, call: &Call) -> bool {
        let started = model.effects.iter().filter_map(|effect| match effect {
            Effect::CallsBack { function, through: false, entry: true, .. } => {
                call.args.get(*function as usize)
            }
            _ => None,
        });
        started.map(|arg| self.body.constant(arg.value)).any(|passed| match passed {
            Some(Constant::Function(function)) => self.never_returns(function),
            _ => false,
        })
    }

    fn never_returns(&self, function: FunctionId) -> bool {
        let program = self.context.program;
        let module = program.procs[self.proc].module;
        let may_return = |&proc: &ProcId| self.context.endings.may_return(program, proc, &[]);
        match program.binding(module, function) {
            Binding::Procs(procs) => !procs.is_empty() && !procs.iter().any(may_return),
            Binding::External(_) => false,
        }
    }

    /// What a callee does wherever it is called, this function does.
    fn note_effects(&mut self, summary: &Summary) {
        self.unknown_effects |= summary.unknown_effects;
        self.written.add(&summary.written);
    }

    fn site(&self, call: &Call, function: u32) -> Site<'a> {
        let argument = |arg: &caulk_ir::CallArg| Argument {
            scalar: self.body.values[arg.value].scalar,
            ty: arg.ty,
            text: caulk_models::literal(self.module, self.body, arg.value),
        };
        let signature = &self.module.types.signatures[call.signature];
        self.site_of(call.args.iter().map(argument).collect(), signature, function)
    }

    fn site_of(
        &self,
        arguments: Vec<Argument<'a>>,
        signature: &caulk_ir::Signature,
        function: u32,
    ) -> Site<'a> {
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
            text: None,
        };
        let arguments = self.body.params.iter().zip(&signature.params).map(argument);
        let site = self.site_of(arguments.collect(), signature, 0);
        let mut summary = Summary { written: Written::All, ..external::unknown(&site) };
        self.tell_result(self.proc, &mut summary);
        summary
    }

    /// An unknown function may change all that is not this activation's own.
    pub fn forget_shared(&mut self, at: InstId, state: &mut State) {
        let own = |base: TermId| match self.space.home(base) {
            Home::Local => !state.memory.exposed.contains(base),
            home => home == Home::Made,
        };
        let cells = state.memory.iter().filter(|cell| !own(cell.base));
        let values: Vec<TermId> = cells.map(|cell| cell.value).collect();
        self.keep_all(at, state, &values, true);
        state.memory.forget_shared(&mut self.space, &self.fixed);
    }
}

/// Whether a function takes its unnamed arguments one by one, rather than passing all of them on to
/// the likes of `vprintf`: then nobody knows what becomes of which.
fn reads_variable_arguments(body: &Body) -> bool {
    body.insts.ids().any(|inst| matches!(body.insts[inst], Inst::VaArg { .. }))
}
