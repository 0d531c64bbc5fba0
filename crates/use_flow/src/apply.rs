//! A summary, applied to the state before a call: the cases that the state admits.

use caulk_guard::bits::{Compare, Term, TermId};
use caulk_ir::{Constant, Inst, InstId, ValueKind};

use crate::evaluate::Bound;
use crate::nodes::{CaseNodes, Condition};
use crate::space::{Home, Origin};
use crate::state::State;
use crate::step::{By, Exec, Focus};
use crate::summary::{Case, Expr, Fresh, Summary};

/// What is thought of NULL where a caller passes a pointer that nobody tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// The caller would have tested it.
    Unlikely,
    /// That is how the recursion ends.
    Ends,
    /// Who hands NULL to a library function for what that says knows it.
    Known,
}

/// The call in the caller's terms.
pub struct Frame {
    pub at: InstId,
    pub arguments: Vec<TermId>,
    pub into: Option<TermId>,
}

/// A case that a call may come to.
pub struct Admitted<'s> {
    pub case: &'s Case,
    pub nodes: &'s CaseNodes,
    /// Its conditions on what was there before the call; none for those on what the case makes or finds.
    pub conditions: Vec<Option<TermId>>,
}

/// A condition of a case, and what it is for the caller.
struct Asked<'s> {
    case: &'s Case,
    condition: &'s Expr,
    term: TermId,
    /// The caller does not know whether it holds.
    is_open: bool,
}

impl Exec<'_> {
    pub fn apply(
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
        let mut bound = Bound::new(&summary.numbered().nodes);
        let mut admitted = self.admitted(frame, summary, &mut state, &mut bound);
        if admitted.len() > 1 && self.is_bystander(frame, summary, &state) {
            admitted.retain(|it| !self.is_ruled_out(frame, it, null, &mut state, &mut bound));
            if admitted.len() > 1 {
                let one = self.apply_as_one(frame, summary, &admitted, state, &mut bound);
                return one.into_iter().collect();
            }
        }
        // Whoever comes last goes on with the state itself.
        let states = std::iter::repeat_n(state, admitted.len());
        for (admitted, state) in admitted.iter().zip(states) {
            let state = self.case(frame, summary, null, admitted, state, &mut bound);
            after.extend(state.map(|state| (admitted.case, state)));
        }
        self.note_unreplaced(frame, &mut after);
        self.note_unconsumed(frame, &mut after);
        self.note_past_end(frame, &mut after);
        let is_read = |&result: &caulk_ir::ValueId| self.is_read_after(frame.at, result);
        if after.len() > 1 && !self.body.results[frame.at].as_ref().is_some_and(is_read) {
            self.note_refusals(frame, &mut after);
        }
        after.into_iter().map(|it| it.1).collect()
    }

    /// The cases that arguments and memory before the call do not rule out by themselves.
    fn admitted<'s>(
        &mut self,
        frame: &Frame,
        summary: &'s Summary,
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> Vec<Admitted<'s>> {
        let cases = summary.cases.iter().zip(&summary.numbered().cases);
        cases.filter_map(|case| self.admit(frame, case, state, bound)).collect()
    }

    fn admit<'s>(
        &mut self,
        frame: &Frame,
        (case, nodes): (&'s Case, &'s CaseNodes),
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> Option<Admitted<'s>> {
        let mut conditions = Vec::with_capacity(nodes.conditions.len());
        for condition in &nodes.conditions {
            if !condition.of_before {
                conditions.push(None);
                continue;
            }
            let term = self.evaluate(condition.node, frame, state, bound);
            if self.space.asked.is_none()
                && state.facts.decide(&self.space.terms, term) == Some(false)
            {
                return None;
            }
            conditions.push(Some(term));
        }
        Some(Admitted { case, nodes, conditions })
    }

    /// Whether the followed object can be reached from a value.
    pub fn leads_to(&self, state: &State, value: TermId) -> bool {
        state.focus.is_some_and(|focus| state.reachable(&self.space, value).contains(&focus))
    }

    pub fn case(
        &mut self,
        frame: &Frame,
        summary: &Summary,
        null: Null,
        admitted: &Admitted<'_>,
        mut state: State,
        bound: &mut Bound<'_>,
    ) -> Option<State> {
        let (case, nodes) = (admitted.case, admitted.nodes);
        bound.start_case();
        self.make(frame, case, &nodes.places, &mut state, bound)?;
        // Whether the caller knows already that it comes to this case.
        let mut expected = nodes.reads_memory;
        let conditions = case.conditions.iter().zip(&nodes.conditions);
        for ((condition, numbered), &known) in conditions.zip(&admitted.conditions) {
            let term = match known {
                Some(term) => term,
                None => self.evaluate(numbered.node, frame, &mut state, bound),
            };
            let decided = state.facts.decide(&self.space.terms, term);
            expected &= decided == Some(true);
            let asked = Asked { case, condition, term, is_open: decided.is_none() };
            if self.is_unexpected(frame, &asked, (numbered, null), &mut state, bound) {
                return None;
            }
            if !state.assume(&mut self.space, term) {
                return None;
            }
            self.keep_equal(&mut state, term);
        }
        let is_certain = expected || !nodes.reads_memory;
        let uses = if is_certain { case.uses } else { certain_uses(summary, case) };
        for (number, &argument) in frame.arguments.iter().enumerate().take(32) {
            if uses >> number & 1 == 1 {
                self.check_use(frame.at, &mut state, argument);
            }
        }
        for (number, &node) in case.uses_found.iter().zip(&nodes.uses_found) {
            if is_certain || is_always_used(summary, number) {
                let number = self.evaluate(node, frame, &mut state, bound);
                self.check_use(frame.at, &mut state, number);
            }
        }
        if !case.releases.is_empty() && !state.handed {
            state.handed = self.leads_to_focus(&state, &frame.arguments);
        }
        let plan = self.plan(frame, (case, nodes), &mut state, bound);
        if let Some(result) = plan.result {
            let fresh = bound.fresh.iter().copied();
            self.by_result.extend(fresh.filter(|&it| self.space.carries(result, it)));
            for &made in bound.fresh.iter().filter(|it| self.by_result.contains(it)) {
                self.space.note_by_result(made);
            }
        }
        let left =
            state.focus.filter(|it| bound.fresh.contains(it) && !self.by_result.contains(it));
        state.rough |= summary.rough && left.is_some();
        bound.note_written(&self.space, &summary.written);
        let stores = case.stores.iter().zip(&plan.stores).filter(|(store, _)| !store.may);
        let told: Vec<TermId> = stores.map(|(_, &(to, _))| to).collect();
        self.forget_written(frame, &told, &bound.written, &mut state);
        if summary.unknown_effects {
            self.forget_shared(frame.at, &mut state);
        }
        // A callee that looks at memory before it writes may know what it does.
        self.perform(frame, case, plan, expected, is_certain, &mut state);
        Some(state)
    }

    /// Whether what is known before the call makes a case unexpected.
    fn is_ruled_out(
        &mut self,
        frame: &Frame,
        admitted: &Admitted<'_>,
        null: Null,
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> bool {
        let case = admitted.case;
        let conditions = case.conditions.iter().zip(&admitted.nodes.conditions);
        conditions.zip(&admitted.conditions).any(|((condition, numbered), &known)| {
            let Some(term) = known else { return false };
            let is_open = state.facts.decide(&self.space.terms, term).is_none();
            let asked = Asked { case, condition, term, is_open };
            self.is_unexpected(frame, &asked, (numbered, null), state, bound)
        })
    }

    /// Whether nobody would come to a case by a condition: NULL that was not tested, nothing of some.
    fn is_unexpected(
        &mut self,
        frame: &Frame,
        asked: &Asked<'_>,
        (numbered, null): (&Condition, Null),
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> bool {
        let &Asked { case, condition, term, is_open } = asked;
        let nothing = numbered.nothing.filter(|_| is_open);
        let nothing = nothing.map(|it| self.evaluate(it, frame, state, bound));
        let makes = null == Null::Known && !case.makes.is_empty();
        let is_unlikely = self.is_untested_null(case, condition, term, null)
            || nothing.is_some_and(|number| self.space.is_some_more(number))
            || makes && condition.is_one_of_few();
        is_open && is_unlikely || makes && self.is_null_from_memory(frame.at, condition)
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

    /// Whether a condition says that an argument is NULL which was read from a structure: what is there
    /// for a library function to fill is a buffer, not a request for one.
    fn is_null_from_memory(&self, at: InstId, condition: &Expr) -> bool {
        let Some(Expr::Param(number)) = condition.equal_to_zero() else { return false };
        let Inst::Call(id) = self.body.insts[at] else { return false };
        let Some(argument) = self.body.calls[id].args.get(*number as usize) else { return false };
        let read = self.body.definition(argument.value).map(|inst| self.body.insts[inst]);
        let Some(Inst::Load { from, .. }) = read else { return false };
        !matches!(self.body.values[from].kind, ValueKind::Const(Constant::Slot(_)))
    }

    /// A pointer of the caller's that nobody tested is taken not to be NULL, where that would make
    /// the callee do something else.
    fn is_untested_null(&self, case: &Case, condition: &Expr, term: TermId, null: Null) -> bool {
        let Expr::Compare(Compare::Eq, left, right) = condition else { return false };
        if !matches!(**left, Expr::Param(_)) || !matches!(**right, Expr::Constant { value: 0, .. })
        {
            return false;
        }
        let Term::Compare(Compare::Eq, a, b) = *self.space.terms.get(term) else { return false };
        let symbol = if self.space.is_zero(a) { b } else { a };
        let is_likely = match (null, self.space.origin(symbol)) {
            (Null::Ends, _) => true,
            // One of this function's own callers passes NULL, and gets what is made then.
            (Null::Unlikely, Some(Origin::Param(number))) => {
                self.space.summarising
                    && !case.makes.is_empty()
                    && self.context.callers.pass_null(self.proc, number)
            }
            (Null::Unlikely, _) => self.space.home(symbol) != Home::Caller,
            (Null::Known, origin) => {
                matches!(origin, Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Outcome(_)))
            }
        };
        self.space.is_pointer_wide(symbol) && !is_likely
    }

    fn make(
        &mut self,
        frame: &Frame,
        case: &Case,
        places: &[u16],
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> Option<()> {
        for (&index, fresh) in places.iter().zip(&case.makes) {
            let symbol = self.make_one(frame.at, index, fresh, state);
            bound.fresh.push(symbol);
            let exists = self.exists(symbol, fresh);
            if !state.assume(&mut self.space, exists) {
                return None;
            }
            self.take_standard_place(frame.at, fresh, symbol, state);
            let made = Focus { call: frame.at, index, by: By::Making };
            let wanted = self.focus == Some(made);
            if wanted && state.focus.is_none() {
                state.focus = Some(symbol);
                state.failed = None;
            }
        }
        Some(())
    }

    pub fn make_one(&mut self, at: InstId, index: u16, fresh: &Fresh, state: &mut State) -> TermId {
        let is_followed = self.focus == Some(Focus { call: at, index, by: By::Making });
        state.remade |= is_followed && state.focus.is_some();
        let symbol = self.new_object(at, index, fresh.width, state);
        if self.made.get(&symbol) != Some(fresh) {
            self.made.insert(symbol, fresh.clone());
        }
        if fresh.zeroed {
            state.memory.zeroed.insert(symbol, ());
        }
        self.space.note_made(state, symbol);
        if self.is_owed_by_function(symbol) {
            self.space.doubt(symbol);
        }
        symbol
    }

    /// After a standard stream was closed, the next descriptor takes its place.
    pub fn take_standard_place(
        &mut self,
        at: InstId,
        fresh: &Fresh,
        symbol: TermId,
        state: &mut State,
    ) {
        let is_number = fresh.width < self.space.pointer_bits;
        if is_number && std::mem::take(&mut state.standard_closed) {
            self.keep(at, state, symbol, true);
        }
    }

    /// The first symbol of the site that nobody mentions any more: a loop that makes and releases
    /// an object in every turn comes back to the state it started in.
    fn new_object(&mut self, call: InstId, index: u16, width: u8, state: &mut State) -> TermId {
        let mut serial = 0;
        loop {
            let symbol = self.space.symbol(Origin::Made { serial, call, index }, width, true);
            if state.focus != Some(symbol) && !state.mentions(&self.space, symbol) {
                self.space.note_renewed(state, symbol);
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
        // Small numbers stand for something else where they stand in a pointer, negative ones for errors.
        let small = self.space.terms.constant(4096, fresh.width);
        self.space.terms.compare(Compare::LtS, small, symbol)
    }

    /// Statics that the callee writes hold something unknown, apart from what the case tells.
    pub fn forget_written(
        &mut self,
        frame: &Frame,
        told: &[TermId],
        written: &[TermId],
        state: &mut State,
    ) {
        let mut rest = written;
        while let Some(&base) = rest.first() {
            let is_unwritten = |base: &&TermId| state.memory.of(**base).is_empty();
            let count = rest.iter().take_while(is_unwritten).count();
            if count > 0 {
                state.memory.forget_unwritten(&mut self.space, &rest[..count]);
            } else {
                self.forget_static(frame, told, base, state);
            }
            rest = &rest[count.max(1)..];
        }
    }

    fn forget_static(&mut self, frame: &Frame, told: &[TermId], base: TermId, state: &mut State) {
        let replaced = |cell: &&crate::memory::Cell| told.contains(&cell.address);
        let cells = state.memory.of(base);
        let (told, rest): (Vec<_>, Vec<_>) = cells.iter().partition(replaced);
        let (told, rest): (Vec<_>, Vec<_>) =
            (told.into_iter().copied().collect(), rest.into_iter().map(|it| it.value).collect());
        for value in rest {
            self.keep(frame.at, state, value, true);
        }
        state.memory.forget(&mut self.space, base);
        for cell in told {
            state.memory.store(&mut self.space, cell.address, cell.value);
        }
    }
}

/// The arguments that a case looks at where it depends on memory whether the callee comes to that: those
/// that it looks at in any case. A list compares keys or what they lead to, as it was told.
fn certain_uses(summary: &Summary, case: &Case) -> u32 {
    summary.cases.iter().fold(case.uses, |bits, other| bits & other.uses)
}

/// The same of a number in memory.
fn is_always_used(summary: &Summary, number: &Expr) -> bool {
    summary.cases.iter().all(|other| other.uses_found.contains(number))
}
