//! A found path, told as people read it: the allocation, the decisions after it, and the loss.

use caulk_base::SpanId;
use caulk_finding::{
    A_PART, Confidence, Finding, Harm, Kind, Location, Replay, Role, Sharing, Site, Step,
};
use caulk_guard::bits::{Compare, Term, TermId};
use caulk_ir::{
    Block, BlockId, Callee, CompareOp, Constant, Inst, InstId, Module, SlotId, Terminator, ValueId,
    ValueKind, VarId,
};
use caulk_machines::{Fault, Machine, StateId};
use caulk_models::Resource;
use caulk_program::{Binding, EntryReason, ProcId};

use crate::explore::{End, Explored, Whereabouts};
use crate::paths::{Found, Stop};
use crate::search::Input;
use crate::space::{Epoch, Home, Origin};
use crate::state::{Loss, Phase, Refusal, State, Why};
use crate::step::{By, Exec, Focus, Trouble};
use crate::summary::{Expr, Fresh, Summary};

/// None for what another finding tells better, or what is no fault.
pub fn finding(
    exec: &mut Exec<'_>,
    input: Input<'_>,
    focus: Focus,
    found: &Found,
    explored: &Explored,
) -> Option<Finding> {
    let story = Story { exec, focus, found, explored };
    let primary = story.location(story.exec.body.inst_spans[focus.call])?;
    let kind = story.kind(input);
    let path = story.path(&primary);
    let (confidence, reason) = story.confidence(kind);
    let resource = story.resource().name().to_string();
    Some(Finding {
        kind,
        confidence,
        reason,
        shared_doubt: if kind.is_leak() { story.sharing() } else { Sharing::Nobody },
        harm: story.harm(input),
        message: story.message(kind),
        suggestion: if kind.is_leak() { story.suggestion() } else { None },
        path,
        primary,
        function: story.function().to_string(),
        engine: "smoke",
        resource,
        fingerprint: String::new(),
        replay: Replay { route: route(found), ..Replay::default() },
    })
}

/// What a finding of a path would be worth.
pub fn worth(
    exec: &Exec<'_>,
    input: Input<'_>,
    focus: Focus,
    found: &Found,
    explored: &Explored,
) -> (Kind, Confidence, Sharing) {
    let story = Story { exec, focus, found, explored };
    let kind = story.kind(input);
    (kind, story.confidence(kind).0, story.sharing())
}

/// The blocks that a run would come through.
fn route(found: &Found) -> Vec<u32> {
    found.path.iter().map(|stop| stop.block.0).collect()
}

/// What became of a site, for people who ask why.
pub fn site(exec: &Exec<'_>, focus: Focus, class: &'static str) -> Option<Site> {
    let span = exec.module.spans.get(exec.body.inst_spans[focus.call])?;
    Some(Site {
        location: Location::of_span(&span, &exec.module.files)?,
        function: function_name(exec).to_string(),
        callee: callee(exec, focus.call),
        class,
        story: Vec::new(),
    })
}

pub fn function_name<'e>(exec: &'e Exec<'_>) -> &'e str {
    exec.module.function_name(exec.context.program.procs[exec.proc].function)
}

/// The object that holds it is lost too: that one is told.
pub fn is_lost_with_owner(exec: &Exec<'_>, state: &State) -> bool {
    let Some(focus) = state.focus else { return false };
    let space = &exec.space;
    let below = state.reachable(space, focus);
    state.memory.iter().any(|cell| {
        // Of those that hold each other, the first is told.
        let (owner, own) = (space.origin(cell.base).map(call), space.origin(focus).map(call));
        let later = below.contains(&cell.base) && owner > own;
        // A list whose cells one call made: they are told as one.
        let alike = owner == own && !state.handed;
        space.carries(cell.value, focus)
            && cell.base != focus
            && !later
            && !alike
            && space.home(cell.base) == Home::Made
            && state.phase(cell.base) == Phase::Live
    })
}

/// The place of an object among those that a function makes.
fn call(origin: Origin) -> Option<(InstId, u16)> {
    match origin {
        Origin::Made { call, index, .. } => Some((call, index)),
        _ => None,
    }
}

pub fn callee(exec: &Exec<'_>, call: InstId) -> String {
    let Inst::Call(id) = exec.body.insts[call] else { return String::new() };
    match exec.body.calls[id].callee {
        Callee::Function(function) => exec.module.function_name(function).to_string(),
        Callee::Pointer(_) => String::from("a function pointer"),
    }
}

pub struct Story<'s, 'a> {
    pub exec: &'s Exec<'a>,
    pub focus: Focus,
    pub found: &'s Found,
    pub explored: &'s Explored,
}

impl Story<'_, '_> {
    fn module(&self) -> &Module {
        self.exec.module
    }

    fn function(&self) -> &str {
        function_name(self.exec)
    }

    pub fn location(&self, span: SpanId) -> Option<Location> {
        let span = self.module().spans.get(span)?;
        Location::of_span(&span, &self.module().files)
    }

    pub fn made(&self) -> Option<&Fresh> {
        self.exec.made.get(&self.found.state.focus?)
    }

    pub fn resource(&self) -> Resource {
        self.made().map_or_else(Resource::memory, |made| made.resource.clone())
    }

    fn machine(&self) -> Option<&Machine> {
        self.exec.machine(self.found.state.focus?)
    }

    /// The state of the object's machine that is reported.
    fn error(&self) -> Option<StateId> {
        match &self.found.end {
            End::Trouble { trouble, .. } => Some(trouble.error),
            _ => self.exec.error_of_loss(&self.found.state, self.found.state.focus?),
        }
    }

    fn kind(&self, input: Input<'_>) -> Kind {
        match &self.found.end {
            End::Trouble { trouble, .. } => trouble.fault.kind().unwrap_or(Kind::SomePath),
            _ if self.found.state.failed.is_some() => Kind::SecondFailure,
            End::Turn { .. } => self.kind_of_loss(),
            End::Return(_) => match self.kind_of_loss() {
                Kind::NeverFreed | Kind::SomePath if self.is_main(input) => Kind::AtExit,
                kind => kind,
            },
        }
    }

    fn kind_of_loss(&self) -> Kind {
        match self.found.state.loss {
            Some((_, Loss::WithOwner)) => Kind::LostWithOwner,
            Some((_, Loss::Overwritten | Loss::OverwrittenBlindly)) => Kind::Overwritten,
            _ if self.overwriting().is_some() => Kind::Overwritten,
            _ if self.explored.released || self.explored.kept => Kind::SomePath,
            _ => Kind::NeverFreed,
        }
    }

    fn is_main(&self, input: Input<'_>) -> bool {
        input.entries.reason(self.exec.proc) == Some(EntryReason::Main)
    }

    fn harm(&self, input: Input<'_>) -> Harm {
        let cfg = self.exec.facts.cfg();
        let made_in = self.exec.facts.block_of(self.focus.call);
        if cfg.loops().innermost(made_in).is_some() && matches!(self.found.end, End::Turn { .. }) {
            Harm::PerIteration
        } else if self.is_main(input) {
            Harm::PerProcess
        } else {
            Harm::PerCall
        }
    }

    fn confidence(&self, kind: Kind) -> (Confidence, String) {
        if let Some(doubt) = self.doubt(kind) {
            return (Confidence::Low, doubt);
        }
        let weakness = if !self.found.decided {
            "the solver gave up on the path's conditions"
        } else if self.found.state.doubt {
            "the path calls a function that nothing is known of"
        } else if self.found.state.failed.is_some() {
            "only when another allocation fails"
        } else if self.exec.needs_huge(&self.found.path) {
            "only for a number above 2147483647"
        } else if matches!(kind, Kind::UseAfterFree | Kind::InvalidRelease) {
            "the path is possible as far as this function tells"
        } else {
            let reason = "one path, decided, without unknown functions on it";
            return (Confidence::High, reason.into());
        };
        (Confidence::Medium, weakness.into())
    }

    /// Why somebody else may well have the object, or its release was not seen.
    fn doubt(&self, kind: Kind) -> Option<String> {
        let state = &self.found.state;
        let hidden = kind.is_leak() && kind != Kind::LostWithOwner && !self.is_of_library();
        if self.focus.index > 0 && hidden {
            return Some("it is only a part of what a callee made, and may be held there".into());
        }
        if self.made().is_some_and(|it| it.shared) {
            return Some("what makes it keeps it in other cases, and may do so here".into());
        }
        if kind.is_leak() && self.returns_other() {
            return Some(
                "what makes it returns something else in other cases, as here perhaps".into(),
            );
        }
        if self.exec.is_ambiguous(self.focus.call) {
            return Some("what makes it is called through a pointer to several functions".into());
        }
        if let Some(Refusal { at, why }) = state.refused {
            let callee = callee(self.exec, at);
            return Some(match why {
                Why::Untold => format!(
                    "only if `{callee}` does not take or replace it, as it does in other cases"
                ),
                Why::PastEnd => format!("only if `{callee}` has no place for an index in bounds"),
            });
        }
        if self.found.needs_change {
            return Some(
                "only if an unknown function changes what was set or tested before".into(),
            );
        }
        if self.found.needs_nameless {
            return Some(
                "only if an enumeration has a value that none of its names stands for".into(),
            );
        }
        if self.fails_assertion() {
            return Some("only if an assertion fails, which is not meant to happen".into());
        }
        // Four of five reviewed findings that only this says of were wrong.
        if state.rough || self.asks_unsure_companion() {
            return Some("the path calls a function that is too large to follow".into());
        }
        match state.loss {
            Some((at, Loss::Overwritten)) if matches!(self.exec.body.insts[at], Inst::Call(_)) => {
                Some("a callee overwrites the reference, and may know why".into())
            }
            _ if (state.element || kind == Kind::LostWithOwner) && self.passes_releasing_loop() => {
                Some("a loop on the way releases such members, and may come to this one".into())
            }
            // Three of four reviewed findings that only this says of were wrong.
            _ if kind.is_leak() && !self.is_result() && !self.is_of_library() => {
                Some("a callee left it in memory, not all of which is followed".into())
            }
            _ if self.focus.by == By::Making
                && !self.is_result()
                && !self.is_of_library()
                && self.is_released_by_callee() =>
            {
                Some("a callee releases what it finds in memory, and may replace it".into())
            }
            _ => None,
        }
    }

    /// Who knows no better.
    fn sharing(&self) -> Sharing {
        let is_for_all = self.returns_other()
            || self.found.needs_change
            || self.found.needs_nameless
            || self.fails_assertion()
            || self.is_left_roughly();
        let is_left = !self.is_result() && !self.is_of_library();
        if is_for_all {
            Sharing::Everybody
        } else if is_left && self.depends_on_companion()
            || self.exec.needs_huge(&self.found.path)
            || self.found.state.refused.is_some_and(|it| it.why == Why::PastEnd)
        {
            Sharing::Engines
        } else {
            Sharing::Nobody
        }
    }

    /// Whether an unknown number that the callee left beside the object, such as its length, must be zero:
    /// then there may well be no object. All such findings that were read were wrong.
    fn depends_on_companion(&self) -> bool {
        let space = &self.exec.space;
        let terms = &space.terms;
        let tested_for_zero = |condition: &TermId| match *terms.get(*condition) {
            Term::Compare(Compare::Eq, left, right) if terms.as_constant(left) == Some(0) => {
                Some(right)
            }
            Term::Compare(Compare::Eq, left, right) if terms.as_constant(right) == Some(0) => {
                Some(left)
            }
            _ => None,
        };
        let conditions = self.found.state.facts.conditions().iter();
        let mut tested = conditions.filter_map(tested_for_zero);
        tested.any(|it| space.any_symbol(it, &mut |symbol| self.is_companion(symbol)))
    }

    /// Whether a symbol is what the callee left in memory beside the object.
    fn is_companion(&self, symbol: TermId) -> bool {
        let space = &self.exec.space;
        match space.origin(symbol) {
            Some(Origin::Unknown(_)) => space.left_by(symbol) == Some(self.focus.call),
            Some(Origin::Initial { address, epoch: Epoch::After(_), .. }) => {
                !space.is_pointer(symbol) && self.is_handed_in(address)
            }
            _ => false,
        }
    }

    /// Whether a branch asks for what a callee left beside the object that was not followed in full: an
    /// error code, say. It may never leave both.
    fn asks_unsure_companion(&self) -> bool {
        let is_unsure = self.made().is_some_and(|it| it.unsure);
        let mut is_left = |symbol| self.is_companion(symbol);
        let mut conditions = self.found.state.facts.conditions().iter();
        is_unsure && conditions.any(|&it| self.exec.space.any_symbol(it, &mut is_left))
    }

    /// Whether an address is that of a variable, or in one, that the callee gets by its address.
    fn is_handed_in(&self, address: TermId) -> bool {
        let space = &self.exec.space;
        let base = space.address(address).map(|place| place.base);
        let Some(Origin::Slot(slot)) = base.and_then(|it| space.origin(it)) else { return false };
        let Inst::Call(id) = self.exec.body.insts[self.focus.call] else { return false };
        self.exec.body.calls[id].args.iter().any(|arg| self.slot_of(arg.value) == Some(slot))
    }

    /// The variable that a value is the address of, or of a part of.
    fn slot_of(&self, value: ValueId) -> Option<SlotId> {
        match (self.exec.body.values[value].kind, self.definition(value)) {
            (ValueKind::Const(Constant::Slot(slot)), _) => Some(slot),
            (_, Some(Inst::Field { base, .. } | Inst::Index { base, .. })) => self.slot_of(base),
            _ => None,
        }
    }

    /// Whether a callee left it in memory that is too large to follow: it is not known well when.
    fn is_left_roughly(&self) -> bool {
        let Some(Binding::Procs(procs)) = self.binding(self.focus.call) else { return false };
        let summaries = &self.exec.context.summaries;
        let is_rough = |proc: &ProcId| summaries.of(*proc).is_some_and(|it| it.rough);
        !self.is_result() && procs.iter().any(is_rough)
    }

    /// Whether the callee that makes it returns what is not made, static text or an object that the call
    /// hands in, in cases that the call does not rule out by constants: callers could not release that.
    fn returns_other(&self) -> bool {
        let Some(Binding::Procs(procs)) = self.binding(self.focus.call) else { return false };
        let summaries = &self.exec.context.summaries;
        let returns_other = |proc: &ProcId| {
            summaries.of(*proc).is_some_and(|it| {
                let returns_known = it.other_results().any(|other| self.is_not_asked(other));
                returns_known && !self.rules_out(&it) || self.makes_for_one_value(&it)
            })
        };
        self.is_result() && procs.iter().any(returns_other)
    }

    /// A pointer that a caller was given and hands on can be compared with the result; its own objects
    /// are handed over to be filled.
    fn is_not_asked(&self, result: &Expr) -> bool {
        let Expr::Param(number) = result else { return true };
        let Inst::Call(id) = self.exec.body.insts[self.focus.call] else { return false };
        let Some(arg) = self.exec.body.calls[id].args.get(*number as usize) else { return false };
        let made_by = self.exec.body.definition(arg.value).map(|at| &self.exec.body.insts[at]);
        matches!(self.exec.body.values[arg.value].kind, ValueKind::Const(Constant::Slot(_)))
            || matches!(made_by, Some(Inst::Field { .. } | Inst::Index { .. }))
    }

    /// Whether the callee makes something for one value of an argument only, and the call passes whatever
    /// there is: the text of one error among many.
    fn makes_for_one_value(&self, summary: &Summary) -> bool {
        summary.params_with_one_value().iter().any(|&param| !self.passes_constant(param))
    }

    fn passes_constant(&self, param: u32) -> bool {
        let Inst::Call(id) = self.exec.body.insts[self.focus.call] else { return false };
        let arg = self.exec.body.calls[id].args.get(param as usize);
        arg.is_some_and(|arg| self.exec.body.constant(arg.value).is_some())
    }

    /// Whether constants of the call decide what the callee returns.
    fn rules_out(&self, summary: &Summary) -> bool {
        let params = summary.params_that_make();
        !params.is_empty() && params.iter().all(|&param| self.passes_constant(param))
    }

    /// Whether the path goes where a function says no that is named an assertion, and goes on.
    fn fails_assertion(&self) -> bool {
        let fails = |stop: &Stop| stop.slot.is_some_and(|slot| self.is_failure(stop.block, slot));
        self.found.path.iter().any(fails)
    }

    fn is_failure(&self, block: BlockId, slot: usize) -> bool {
        let body = self.exec.body;
        let Terminator::Branch { cond, .. } = body.blocks[block].terminator else { return false };
        let Some(Inst::Compare { op, lhs, rhs }) = self.definition(cond) else { return false };
        let is_zero = |value| body.constant(value) == Some(Constant::Int(0));
        let no = match op {
            CompareOp::Eq => 0,
            CompareOp::Ne => 1,
            _ => return false,
        };
        slot == no && is_zero(rhs) && self.is_assertion(lhs)
    }

    /// Whether a value is what a function returns that is named an assertion.
    fn is_assertion(&self, value: ValueId) -> bool {
        match self.definition(value) {
            Some(Inst::Convert { value, .. }) => self.is_assertion(value),
            Some(Inst::Call(id)) => match self.exec.body.calls[id].callee {
                Callee::Function(function) => {
                    self.module().function_name(function).to_ascii_lowercase().contains("assert")
                }
                Callee::Pointer(_) => false,
            },
            _ => false,
        }
    }

    fn definition(&self, value: ValueId) -> Option<Inst> {
        let body = self.exec.body;
        body.definition(value).map(|inst| body.insts[inst])
    }

    /// Whether the path comes by a loop that releases the object on other paths.
    fn passes_releasing_loop(&self) -> bool {
        let cfg = self.exec.facts.cfg();
        let released = self.explored.fates.iter().filter(|it| it.0 == Whereabouts::Released);
        let blocks = released.map(|it| self.exec.facts.block_of(InstId(it.1)));
        let mut headers =
            blocks.filter_map(|block| Some(cfg.loops().header(cfg.loops().innermost(block)?)));
        headers.any(|header| self.found.path.iter().any(|stop| stop.block == header))
    }

    /// Whether the call hands the object out by its result.
    fn is_result(&self) -> bool {
        self.found.state.focus.is_some_and(|it| self.exec.by_result.contains(&it))
    }

    /// Whether a model tells all that the call makes, and where it is then.
    fn is_of_library(&self) -> bool {
        matches!(self.binding(self.focus.call), Some(Binding::External(_)))
    }

    /// Whether the first of two releases is a callee's.
    fn is_released_by_callee(&self) -> bool {
        let End::Trouble { trouble, .. } = &self.found.end else { return false };
        // Who makes it and releases it leaves what is gone.
        let since = trouble.since.filter(|&at| at != self.focus.call);
        matches!(since.and_then(|at| self.binding(at)), Some(Binding::Procs(_)))
    }

    fn binding(&self, call: InstId) -> Option<&Binding> {
        self.exec.binding(call)
    }

    fn noun(&self) -> String {
        let resource = self.resource();
        self.machine().map_or_else(String::new, |machine| machine.noun(&resource))
    }

    /// What the machine says of the error, and under which circumstances it comes to that.
    fn message(&self, kind: Kind) -> String {
        let subject = self.subject();
        let said = self
            .machine()
            .zip(self.error())
            .and_then(|(machine, error)| machine.message_about(&subject, error, &self.resource()));
        said.unwrap_or(subject) + &self.circumstances(kind)
    }

    fn subject(&self) -> String {
        let noun = self.noun();
        if let Some(released) = self.released_text() {
            return match self.is_invalid_release() {
                true => format!("{noun} at `{released}`"),
                false => format!("{noun}, held by `{released}`,"),
            };
        }
        let callee = callee(self.exec, self.focus.call);
        let part = if self.focus.index > 0 { format!(" {A_PART}") } else { String::new() };
        let holder = self.variable().map_or(String::new(), |name| format!(", held by `{name}`,"));
        format!("{noun} from `{callee}`{part}{holder}")
    }

    fn is_invalid_release(&self) -> bool {
        let End::Trouble { trouble, .. } = &self.found.end else { return false };
        trouble.fault == Fault::InvalidRelease
    }

    /// The argument by which a call releases what was not made here, as far as it is the object.
    fn released_text(&self) -> Option<String> {
        let (Inst::Call(id), By::Releasing) =
            (self.exec.body.insts[self.focus.call], self.focus.by)
        else {
            return None;
        };
        let args = &self.exec.body.calls[id].args;
        let arg = args.get(usize::from(self.focus.index)).or(args.first())?;
        Some(caulk_flow::value_text(self.module(), self.exec.body, arg.value))
    }

    fn circumstances(&self, kind: Kind) -> String {
        let function = self.function();
        match kind {
            Kind::NeverFreed => format!(" by `{function}`, and nobody else has it"),
            Kind::SomePath => format!(" on a path of `{function}`"),
            Kind::LostWithOwner => " when the object that holds it is released".to_string(),
            Kind::SecondFailure => " when another allocation fails".to_string(),
            Kind::AtExit => " when `main` returns".to_string(),
            Kind::Overwritten
            | Kind::DoubleFree
            | Kind::UseAfterFree
            | Kind::MismatchedRelease
            | Kind::InvalidRelease
            | Kind::DoubleAcquire => String::new(),
        }
    }

    /// The first variable that has the object.
    pub fn variable(&self) -> Option<String> {
        let carriers = self.carriers();
        let body = self.exec.body;
        let of_value = carriers.values.iter().find_map(|&value| body.values[value].var);
        let var = carriers.vars.first().copied().or(of_value)?;
        Some(self.module().names.text(body.vars[var].name).to_string())
    }

    /// The values that have the object on the way, and the variables that ever did.
    pub fn carriers(&self) -> Carriers {
        let mut carriers = Carriers::default();
        let body = self.exec.body;
        let by_result = self.found.state.focus.is_some_and(|it| self.exec.by_result.contains(&it));
        if by_result && let Some(result) = body.results[self.focus.call] {
            carriers.add(result);
        }
        let mut seen = false;
        for (at, stop) in self.found.path.iter().enumerate() {
            for inst in body.blocks[stop.block].insts() {
                if seen && let Some(result) = body.results[inst] {
                    carriers.values.retain(|&it| it != result);
                }
                seen |= inst == self.focus.call;
                if seen {
                    self.pass(inst, &mut carriers);
                }
            }
            if seen {
                self.pass_edge(stop, self.found.path.get(at + 1), &mut carriers);
            }
        }
        carriers
    }

    fn pass(&self, inst: InstId, carriers: &mut Carriers) {
        match self.exec.body.insts[inst] {
            Inst::Convert { value, .. }
            | Inst::Field { base: value, .. }
            | Inst::Index { base: value, .. }
                if carriers.values.contains(&value) =>
            {
                self.exec.body.results[inst].into_iter().for_each(|it| carriers.add(it));
            }
            Inst::Set { var, value } => {
                let place = carriers.holding.iter().position(|&it| it == var);
                match (carriers.values.contains(&value), place) {
                    (true, Some(_)) | (false, None) => {}
                    (true, None) => {
                        carriers.holding.push(var);
                        if !carriers.vars.contains(&var) {
                            carriers.vars.push(var);
                        }
                    }
                    (false, Some(place)) => {
                        carriers.holding.remove(place);
                        if carriers.holding.is_empty() {
                            carriers.overwritten.get_or_insert(inst);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn pass_edge(&self, stop: &Stop, next: Option<&Stop>, carriers: &mut Carriers) {
        let Some((slot, next)) = stop.slot.zip(next) else { return };
        let body = self.exec.body;
        let Some(edge) =
            body.blocks[stop.block].terminator.edges().nth(edge_at(&body.blocks[stop.block], slot))
        else {
            return;
        };
        let before = carriers.values.clone();
        for (&param, arg) in body.blocks[next.block].params.iter().zip(&edge.args) {
            carriers.values.retain(|&it| it != param);
            if before.contains(arg) {
                carriers.add(param);
            }
        }
    }

    /// The statement that replaces the last variable with the object by something else, in case
    /// the object is not in memory.
    fn overwriting(&self) -> Option<InstId> {
        self.carriers().overwritten
    }

    fn path(&self, primary: &Location) -> Vec<Step> {
        let mut steps = vec![self.first_step(primary.clone())];
        let mut seen = false;
        let (mut failure, mut released) = (self.failure(), self.first_release());
        let ends_in = self.lost_at().and_then(|(at, _)| self.last_stop(at));
        let fails_in = self.first_failure();
        for (number, stop) in self.found.path.iter().enumerate() {
            let block = &self.exec.body.blocks[stop.block];
            if seen || block.insts().any(|inst| inst == self.focus.call) {
                seen = true;
                steps.extend(failure.take_if(|_| fails_in == Some(number)));
                steps.extend(released.take_if(|it| it.0 == Some(number)).map(|it| it.1));
                // What is decided after the loss did not lead to it.
                if ends_in == Some(number) {
                    break;
                }
                let is_idle = self.found.idle.get(number).is_some_and(|&it| it);
                let decision = self.decision(block, stop).filter(|_| !is_idle);
                // What each turn of a loop decides is told once.
                steps.extend(decision.filter(|it| !steps.contains(it)));
            }
        }
        // What failed before the allocation decides only where its result is tested.
        steps.extend(failure);
        steps.extend(released.map(|it| it.1));
        steps.extend(self.end());
        steps
    }

    /// Where the path comes last to the block of an instruction, at or after the allocation.
    fn last_stop(&self, at: InstId) -> Option<usize> {
        let is_in = |inst: InstId| {
            let block = self.exec.facts.block_of(inst);
            move |stop: &Stop| stop.block == block
        };
        let made = self.found.path.iter().position(is_in(self.focus.call))?;
        let last = self.found.path.iter().rposition(is_in(at))?;
        (last > made || (last == made && at > self.focus.call)).then_some(last)
    }

    /// Where the path comes to the call that fails, once the object is made: the call may be the one that
    /// made it, in a later turn.
    fn first_failure(&self) -> Option<usize> {
        let at = self.found.state.failed?;
        let block_of = |inst| self.exec.facts.block_of(inst);
        let mut path = self.found.path.iter().enumerate();
        let made = path.position(|(_, stop)| stop.block == block_of(self.focus.call))?;
        if block_of(at) == block_of(self.focus.call) && at > self.focus.call {
            return Some(made);
        }
        path.find(|(_, stop)| stop.block == block_of(at)).map(|(number, _)| number)
    }

    fn first_step(&self, location: Location) -> Step {
        if self.focus.by == By::Releasing {
            return Step { role: Role::Release, location, message: String::from("released here") };
        }
        let callee = callee(self.exec, self.focus.call);
        let message = format!("{} from `{callee}`", self.noun());
        Step { role: Role::Allocation, location, message }
    }

    fn decision(&self, block: &Block, stop: &Stop) -> Option<Step> {
        let slot = stop.slot?;
        if block.terminator.edges().count() < 2 {
            return None;
        }
        let text =
            caulk_flow::decision_text(self.module(), self.exec.body, &block.terminator, slot);
        let location = self.location(block.terminator_span)?;
        Some(Step { role: Role::Decision, location, message: format!("taken: `{text}`") })
    }

    fn failure(&self) -> Option<Step> {
        let at = self.found.state.failed?;
        let location = self.location(self.exec.body.inst_spans[at])?;
        let message = format!("`{}` fails", callee(self.exec, at));
        Some(Step { role: Role::Decision, location, message })
    }

    fn end(&self) -> Vec<Step> {
        let (at, message) = match &self.found.end {
            End::Trouble { trouble, .. } => return self.trouble(trouble).into_iter().collect(),
            End::Turn { header, .. } => self.loss().unwrap_or_else(|| {
                (self.block_span(*header), String::from("lost: the loop starts over without it"))
            }),
            End::Return(block) => self.loss().unwrap_or_else(|| {
                (
                    self.exec.body.blocks[*block].terminator_span,
                    String::from("lost: the function returns without it"),
                )
            }),
        };
        let step = |location| Step { role: Role::Loss, location, message };
        self.location(at).map(step).into_iter().collect()
    }

    pub fn block_span(&self, block: BlockId) -> SpanId {
        self.exec.body.blocks[block].terminator_span
    }

    fn loss(&self) -> Option<(SpanId, String)> {
        let (at, message) = self.lost_at()?;
        Some((self.exec.body.inst_spans[at], message.to_owned()))
    }

    /// The instruction that loses it, where the path goes on after that.
    fn lost_at(&self) -> Option<(InstId, &'static str)> {
        if matches!(self.found.end, End::Trouble { .. }) {
            return None;
        }
        match self.found.state.loss {
            Some((at, Loss::WithOwner)) => {
                Some((at, "lost: the object that holds it is released here"))
            }
            Some((at, Loss::Overwritten | Loss::OverwrittenBlindly)) => {
                Some((at, "lost: its last reference is overwritten here"))
            }
            None => Some((self.overwriting()?, "lost: its last reference is overwritten here")),
        }
    }

    /// What a second release or a use comes after, and where on the path that is.
    fn first_release(&self) -> Option<(Option<usize>, Step)> {
        let End::Trouble { trouble, .. } = &self.found.end else { return None };
        let is_told = |at: &InstId| self.focus.by == By::Releasing && *at == self.focus.call;
        let at = trouble.since.filter(|at| !is_told(at))?;
        let step = self.step_at(Role::Release, at, "released here")?;
        Some((self.last_stop(at), step))
    }

    fn step_at(&self, role: Role, at: InstId, message: &str) -> Option<Step> {
        let location = self.location(*self.exec.body.inst_spans.get(at)?)?;
        Some(Step { role, location, message: message.to_owned() })
    }

    fn trouble(&self, trouble: &Trouble) -> Option<Step> {
        let (role, message) = match trouble.fault {
            Fault::Leak => (Role::Loss, "lost here"),
            Fault::DoubleFree => (Role::Release, "released again here"),
            Fault::UseAfterFree => (Role::Flow, "used here"),
            Fault::MismatchedRelease => {
                (Role::Release, "released here, by a function of another kind")
            }
            // The first step tells it of what was not made here.
            Fault::InvalidRelease if self.focus.by == By::Releasing => return None,
            Fault::InvalidRelease => (Role::Release, "released here, not by its start"),
            Fault::DoubleAcquire => (Role::Flow, "acquired again here"),
        };
        self.step_at(role, trouble.at, message)
    }

    /// Whether what the variable is given comes from a call that gets the object.
    pub fn reads_the_object(&self, set: InstId) -> bool {
        let body = self.exec.body;
        let Inst::Set { value, .. } = body.insts[set] else { return true };
        let made_by = body.definition(value).map(|at| &body.insts[at]);
        let Some(Inst::Call(id)) = made_by else { return false };
        let values = self.carriers().values;
        body.calls[*id].args.iter().any(|arg| values.contains(&arg.value))
    }
}

#[derive(Default)]
pub struct Carriers {
    values: Vec<ValueId>,
    /// Those that had it somewhere on the way.
    pub ever: Vec<ValueId>,
    pub vars: Vec<VarId>,
    /// Those that have it at the end.
    pub holding: Vec<VarId>,
    pub overwritten: Option<InstId>,
}

impl Carriers {
    fn add(&mut self, value: ValueId) {
        self.values.push(value);
        if !self.ever.contains(&value) {
            self.ever.push(value);
        }
    }
}

/// The place of a way among the edges of a terminator, which lists a switch's default last.
fn edge_at(block: &Block, slot: usize) -> usize {
    match &block.terminator {
        Terminator::Switch { cases, .. } => slot.min(cases.len()),
        _ => slot,
    }
}
