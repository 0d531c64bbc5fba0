//! Cases in which a callee does not do what it does in others, and nobody asks whether it did, or nobody
//! means it to be asked.

use caulk_guard::bits::{Compare, Term, TermId, Terms};
use caulk_ir::{Body, Callee, CompareOp, Constant, Inst, InstId, ValueId, ValueKind};
use caulk_program::{Binding, ProcId, Program};

use crate::apply::Frame;
use crate::callees::Targets;
use crate::state::{Phase, Refusal, State, Why};
use crate::step::Exec;
use crate::summary::Case;

/// How many functions hand an index on before one looks at it.
const DEEPEST: u32 = 2;

impl Exec<'_> {
    /// A caller that does not look at the result trusts the callee to take what it takes at all,
    /// unless an allocation fails or another argument tells: callers of the caller are not told of
    /// such an exit, and what rests on it is doubtful.
    pub fn note_refusals(&mut self, frame: &Frame, after: &mut [(&Case, State)]) {
        for (number, &argument) in (0..).zip(&frame.arguments) {
            let is_released = after.iter().any(|it| it.0.releases(number));
            let is_null: Vec<bool> = after.iter().map(|it| it.0.is_for_null(number)).collect();
            for at in refusing(number, after, Case::takes) {
                let state = &mut after[at].1;
                if state.focus.is_none() {
                    self.doubt_reachable(state, argument);
                    self.keep(frame.at, state, argument, true);
                } else if is_released && !is_null[at] || self.leads_to(state, argument) {
                    // What keeps it from releasing another object keeps it from releasing this one, too.
                    state.refused = Some(untold(frame));
                }
            }
            for at in refusing(number, after, Case::takes_contents) {
                let state = &mut after[at].1;
                let is_inside = self.space.address(argument).map(|it| it.base) != state.focus;
                if is_inside && self.leads_to(state, argument) {
                    state.refused = Some(untold(frame));
                }
            }
        }
    }

    /// A pointer to what was released is there after a call that puts something else in its place in
    /// other cases: whoever does not ask for the result at once takes it to have done so.
    pub fn note_unreplaced(&self, frame: &Frame, after: &mut [(&Case, State)]) {
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
                state.refused = Some(untold(frame));
            }
        }
    }

    /// An object that the callee releases in other cases is left where it returns NULL without a failed
    /// allocation: `text = append(text, more)` does not expect that, unless the result is asked for.
    pub fn note_unconsumed(&self, frame: &Frame, after: &mut [(&Case, State)]) {
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
                state.refused = Some(untold(frame));
            }
        }
    }

    /// An index past the end is refused by who takes all others. A caller that names one, or counts up to a
    /// bound of its own, has as many as that: it does not come to such a case, whatever it does then.
    pub fn note_past_end(&self, frame: &Frame, after: &mut [(&Case, State)]) {
        let Some(focus) = after.iter().find_map(|it| it.1.focus) else { return };
        let is_focus = |&it: &TermId| self.space.address(it).is_some_and(|it| it.base == focus);
        let Some((number, _)) = (0..).zip(&frame.arguments).find(|it| is_focus(it.1)) else {
            return;
        };
        let refusing = refusing(number, after, Case::takes);
        if refusing.is_empty() {
            return;
        }
        let indices = self.indices(frame.at);
        for at in refusing {
            let (case, state) = &mut after[at];
            let mut passed = indices.iter().filter_map(|&it| frame.arguments.get(it as usize));
            if !case.fails && passed.any(|&it| self.has_bound(state, it)) {
                state.refused = Some(Refusal { at: frame.at, why: Why::PastEnd });
            }
        }
    }

    /// The arguments of a call that functions of the program compare with a bound in memory.
    fn indices(&self, at: InstId) -> Vec<u32> {
        let Inst::Call(id) = self.body.insts[at] else { return Vec::new() };
        match self.targets(id, &self.body.calls[id], &State::new()) {
            Targets::Procs(procs) => procs
                .iter()
                .flat_map(|&it| index_params(self.context.program, it, DEEPEST))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a number is known, or was found to be below something.
    fn has_bound(&self, state: &State, number: TermId) -> bool {
        let terms = &self.space.terms;
        let is_bound = |&condition: &TermId| match *terms.get(condition) {
            Term::Compare(Compare::LtS | Compare::LtU | Compare::LeS | Compare::LeU, less, _) => {
                narrowest(terms, less) == narrowest(terms, number)
            }
            _ => false,
        };
        state.facts.value(terms, number).is_some() || state.facts.conditions().iter().any(is_bound)
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
}

fn untold(frame: &Frame) -> Refusal {
    Refusal { at: frame.at, why: Why::Untold }
}

/// The parameters that a function, or one that gets them from it, compares with what it reads from memory.
fn index_params(program: &Program, proc: ProcId, depth: u32) -> Vec<u32> {
    let body = program.body(proc);
    let mut found = Vec::new();
    for inst in body.insts.rows() {
        match *inst {
            Inst::Compare { op, lhs, rhs } if !matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                let sides = [(lhs, rhs), (rhs, lhs)].into_iter();
                let sides = sides.filter(|&(_, bound)| is_found(body, bound));
                found.extend(sides.filter_map(|(index, _)| number(body, index)));
            }
            Inst::Call(id) if depth > 0 => {
                let Callee::Function(function) = body.calls[id].callee else { continue };
                let Binding::Procs(procs) = program.binding(program.procs[proc].module, function)
                else {
                    continue;
                };
                let inner = procs.iter().flat_map(|&it| index_params(program, it, depth - 1));
                let passed = inner.filter_map(|it| body.calls[id].args.get(it as usize));
                found.extend(passed.filter_map(|arg| number(body, arg.value)));
            }
            _ => {}
        }
    }
    found
}

/// The parameter that a number is.
fn number(body: &Body, value: ValueId) -> Option<u32> {
    match (body.values[value].kind, body.definition(value).map(|at| body.insts[at])) {
        (ValueKind::Param(number), _) if body.values[value].scalar.is_int() => Some(number),
        (_, Some(Inst::Convert { value, .. })) => number(body, value),
        _ => None,
    }
}

/// Whether a value is read from memory, and not from a variable of the function.
fn is_found(body: &Body, value: ValueId) -> bool {
    match body.definition(value).map(|at| body.insts[at]) {
        Some(Inst::Convert { value, .. }) => is_found(body, value),
        Some(Inst::Load { from, .. }) => !is_in_variable(body, from),
        _ => false,
    }
}

fn is_in_variable(body: &Body, address: ValueId) -> bool {
    match body.definition(address).map(|at| body.insts[at]) {
        Some(Inst::Field { base, .. } | Inst::Index { base, .. }) => is_in_variable(body, base),
        _ => matches!(body.constant(address), Some(Constant::Slot(_))),
    }
}

/// A number before it was made wider.
fn narrowest(terms: &Terms, number: TermId) -> TermId {
    match *terms.get(number) {
        Term::ExtendS { of, .. } | Term::ExtendU { of, .. } => narrowest(terms, of),
        _ => number,
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
