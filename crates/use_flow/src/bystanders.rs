//! A call that cannot get at the followed object, or leaves all objects alone: its cases are one, with what
//! all of them do done and what only some do perhaps done.
//!
//! The search that joins states would join the states after such a call anyway, since the object's fate
//! is the same in all of them; this says the same without making those states. Paths that decide
//! candidates still go through each case by itself.

use caulk_guard::bits::{Compare, TermId};
use caulk_ir::Scalar;

use crate::apply::{Admitted, Frame};
use crate::effects::How;
use crate::evaluate::Bound;
use crate::foreign::Numbers;
use crate::perform::Plan;
use crate::policies::MayFree;
use crate::space::Home;
use crate::state::{Certainty, State};
use crate::step::Exec;
use crate::summary::Summary;

/// A case and its values before the call.
struct Outcome<'s> {
    admitted: &'s Admitted<'s>,
    made: Vec<TermId>,
    used: Vec<TermId>,
    plan: Plan,
}

impl Exec<'_> {
    /// Whether the states after a call need not be told apart: it has nothing to do with the followed
    /// object, or there is none yet; for a summary, it does nothing with any object.
    pub fn is_bystander(&self, frame: &Frame, summary: &Summary, state: &State) -> bool {
        if !self.joins {
            return false;
        }
        match (self.focus, state.focus) {
            (None, _) if self.space.summarising => summary.numbered().plain,
            // What may be there or not is told apart until the function asks.
            (None, _) => summary.cases.iter().all(|case| case.makes.is_empty()),
            (Some(focus), None) => frame.at != focus.call,
            (Some(_), Some(object)) => {
                let passed = frame.arguments.iter().chain(&frame.into);
                !self.is_found_elsewhere(state, object)
                    && !passed.copied().any(|it| state.reachable(&self.space, it).contains(&object))
            }
        }
    }

    /// Whether others may get at an object without being handed a way to it.
    fn is_found_elsewhere(&self, state: &State, object: TermId) -> bool {
        let mut seen = vec![object];
        let mut next = 0;
        while let Some(&wanted) = seen.get(next) {
            next += 1;
            for cell in state.memory.iter().filter(|it| self.space.carries(it.value, wanted)) {
                match self.space.home(cell.base) {
                    Home::Local if !state.memory.exposed.contains(cell.base) => {}
                    Home::Caller if !self.space.is_global(cell.base) => {}
                    Home::Made if seen.contains(&cell.base) => {}
                    Home::Made => seen.push(cell.base),
                    _ => return true,
                }
            }
        }
        false
    }

    /// The state after a call, whichever of its cases it comes to.
    pub fn apply_as_one(
        &mut self,
        frame: &Frame,
        summary: &Summary,
        admitted: &[Admitted<'_>],
        mut state: State,
        bound: &mut Bound<'_>,
    ) -> Option<State> {
        if !self.assume_common(admitted, &mut state) {
            return None;
        }
        let outcomes: Vec<Outcome<'_>> =
            admitted.iter().map(|it| self.outcome(frame, it, &mut state, bound)).collect();
        for &made in &outcomes[0].made {
            let exists = match self.made.get(&made).cloned() {
                Some(fresh) if outcomes.iter().all(|it| it.made.contains(&made)) => {
                    self.exists(made, &fresh)
                }
                _ => continue,
            };
            if !state.assume(&mut self.space, exists) {
                return None;
            }
        }
        let stores = self.stores_of_all(&outcomes, &mut state);
        let told: Vec<TermId> = stores.iter().map(|it| it.0).collect();
        self.use_of_all(frame, &outcomes, &mut state);
        bound.note_written(&self.space, &summary.written);
        self.forget_written(frame, &told, &bound.written, &mut state);
        if summary.unknown_effects {
            self.forget_shared(frame.at, &mut state);
        }
        self.change_of_all(frame, &outcomes, &mut state);
        self.release_of_all(frame, &outcomes, &mut state);
        for (to, value) in stores {
            self.acquire_again(frame.at, &mut state, to, value);
            self.store(frame.at, &mut state, to, value);
        }
        let fails = outcomes.iter().all(|it| it.admitted.case.fails);
        if fails && self.notes_failure(&state) && state.failed.is_none() {
            state.failed = Some(frame.at);
        }
        self.result_of_all(frame, &outcomes, &mut state);
        Some(state)
    }

    /// What all cases need: mostly that an argument is not NULL.
    fn assume_common(&mut self, admitted: &[Admitted<'_>], state: &mut State) -> bool {
        let Some((first, others)) = admitted.split_first() else { return false };
        let mut common = first.conditions.iter().flatten();
        common.all(|&term| {
            let is_common = others.iter().all(|it| it.conditions.contains(&Some(term)));
            !is_common || state.assume(&mut self.space, term)
        })
    }

    fn outcome<'s>(
        &mut self,
        frame: &Frame,
        admitted: &'s Admitted<'s>,
        state: &mut State,
        bound: &mut Bound<'_>,
    ) -> Outcome<'s> {
        let (case, nodes) = (admitted.case, admitted.nodes);
        bound.start_case();
        for (&index, fresh) in nodes.places.iter().zip(&case.makes) {
            let symbol = self.make_one(frame.at, index, fresh, state);
            bound.fresh.push(symbol);
            self.take_standard_place(frame.at, fresh, symbol, state);
        }
        let plan = self.plan(frame, (case, nodes), state, bound);
        let used = nodes.uses_found.iter();
        let used = used.map(|&it| self.evaluate(it, frame, state, bound)).collect();
        Outcome { admitted, made: bound.fresh.clone(), used, plan }
    }

    /// What each place that a case writes has afterwards.
    fn stores_of_all(
        &mut self,
        outcomes: &[Outcome<'_>],
        state: &mut State,
    ) -> Vec<(TermId, TermId)> {
        let mut places: Vec<TermId> = Vec::new();
        for &(to, _) in outcomes.iter().flat_map(|it| &it.plan.stores) {
            if !places.contains(&to) {
                places.push(to);
            }
        }
        let mut stores = Vec::with_capacity(places.len());
        for to in places {
            let mut values: Vec<TermId> = Vec::with_capacity(outcomes.len());
            let mut may_be_as_before = false;
            for outcome in outcomes {
                let pairs = outcome.admitted.case.stores.iter().zip(&outcome.plan.stores);
                match pairs.rev().find(|it| it.1.0 == to) {
                    Some((store, &(_, value))) => {
                        values.push(value);
                        may_be_as_before |= store.may;
                    }
                    None => may_be_as_before = true,
                }
            }
            if may_be_as_before {
                let scalar = self.scalar_like(values[0]);
                values.push(state.memory.load(&mut self.space, to, scalar));
            }
            stores.push((to, self.any_of(&values, state)));
        }
        stores
    }

    /// The arguments that all cases look at.
    fn use_of_all(&mut self, frame: &Frame, outcomes: &[Outcome<'_>], state: &mut State) {
        let uses = outcomes.iter().fold(u32::MAX, |bits, it| bits & it.admitted.case.uses);
        for (number, &argument) in frame.arguments.iter().enumerate().take(32) {
            if uses >> number & 1 == 1 {
                self.check_use(frame.at, state, argument);
            }
        }
        for &number in &outcomes[0].used {
            if outcomes.iter().all(|it| it.used.contains(&number)) {
                self.check_use(frame.at, state, number);
            }
        }
    }

    fn change_of_all(&mut self, frame: &Frame, outcomes: &[Outcome<'_>], state: &mut State) {
        let at = frame.at;
        for value in distinct(outcomes, |plan| &plan.keeps) {
            let is_sure = outcomes.iter().all(|it| it.plan.keeps.contains(&value));
            self.keep(at, state, value, !is_sure);
        }
        for value in distinct(outcomes, |plan| &plan.inferred_keeps) {
            self.keep(at, state, value, true);
        }
        for value in distinct(outcomes, |plan| &plan.havocs) {
            self.havoc(at, state, value);
        }
        for (to, byte, bytes) in distinct(outcomes, |plan| &plan.fills) {
            match outcomes.iter().all(|it| it.plan.fills.contains(&(to, byte, bytes))) {
                true => self.fill_known(at, state, to, byte, bytes),
                false => self.havoc(at, state, to),
            }
        }
        for value in distinct(outcomes, |plan| &plan.dirties) {
            if let Some(place) = self.space.address(value) {
                state.memory.dirty(&mut self.space, place.base);
            }
        }
        for value in distinct(outcomes, |plan| &plan.keeps_contents) {
            if let Some(place) = self.space.address(value) {
                self.keep_contents(at, state, place.base);
                self.note_contents_kept(state, place.base);
            }
        }
        for copy in distinct(outcomes, |plan| &plan.copies) {
            if outcomes.iter().all(|it| it.plan.copies.contains(&copy)) {
                self.copy_bytes(at, state, copy);
                continue;
            }
            if let Some(place) = self.space.address(copy.1) {
                self.keep_contents(at, state, place.base);
            }
            self.havoc(at, state, copy.0);
        }
    }

    fn release_of_all(&mut self, frame: &Frame, outcomes: &[Outcome<'_>], state: &mut State) {
        let mut done: Vec<TermId> = Vec::new();
        for outcome in outcomes {
            let rows = outcome.admitted.case.releases.iter().zip(&outcome.plan.releases);
            for (release, what) in rows {
                let Some(what) = what.filter(|it| !done.contains(it)) else { continue };
                done.push(what);
                let sure = |it: &Outcome<'_>| it.releases_surely(what);
                let certainty = match outcomes.iter().all(sure) {
                    true => Certainty::Sure,
                    false => Certainty::Perhaps,
                };
                let left_alone = certainty == Certainty::Perhaps
                    && self.context.policies.may_free == MayFree::Keeps;
                if !left_alone {
                    let resource = release.resource.clone();
                    let members = release.members;
                    let numbers = numbers_of(outcomes, what);
                    let how = How { certainty, members, resource, numbers, depends: true };
                    self.release(frame.at, state, what, &how);
                }
            }
        }
        for outcome in outcomes {
            self.sweep(frame.at, state, &outcome.plan.sweeps);
        }
    }

    fn result_of_all(&mut self, frame: &Frame, outcomes: &[Outcome<'_>], state: &mut State) {
        let Some(result) = self.body.results[frame.at] else { return };
        let scalar = self.body.values[result].scalar;
        let width = self.space.width(scalar);
        let nothing = self.space.terms.constant(0, width);
        let told = outcomes.iter().map(|it| match it.admitted.case.returns_null() {
            true => Some(nothing),
            false => it.plan.result.filter(|&term| self.space.terms.width(term) == width),
        });
        let told: Option<Vec<TermId>> = told.collect();
        let term = match told {
            Some(values) => self.any_of(&values, state),
            None => self.space.unknown(scalar),
        };
        let term = self.bounded(term, scalar);
        state.values.insert(result, term);
    }

    /// One of some values, at least one.
    fn any_of(&mut self, values: &[TermId], state: &mut State) -> TermId {
        let first = values[0];
        if values.iter().all(|&it| it == first) {
            return first;
        }
        if let Some(object) = self.made_or_null(values, state) {
            return object;
        }
        let scalar = self.scalar_like(first);
        let width = self.space.terms.width(first);
        if values.iter().any(|&it| self.space.terms.width(it) != width) {
            return self.space.unknown(scalar);
        }
        let holds = |it: &TermId| self.space.may_be_descriptor(*it);
        let term = match scalar == Scalar::Ptr || values.iter().any(holds) {
            true => self.space.outcome(values, width),
            false => self.space.unknown(scalar),
        };
        self.note_range(values, term, state);
        let mut known = values.iter().map(|&it| self.is_known_zero(it, state));
        let first = known.next().flatten();
        if let Some(is_zero) = first.filter(|_| known.all(|it| it == first)) {
            let zero = self.space.terms.is_zero(term);
            let condition = if is_zero { zero } else { self.space.terms.not(zero) };
            let _ = state.assume(&mut self.space, condition);
        }
        term
    }

    /// What was made, where all else is NULL: of that it is not known then whether it is.
    fn made_or_null(&mut self, values: &[TermId], state: &State) -> Option<TermId> {
        let object = *values.iter().find(|&&it| self.space.home(it) == Home::Made)?;
        let is_new = self.space.nullable && !state.marks.contains(object);
        let mut others = values.iter().filter(|&&it| it != object);
        let is_so = is_new
            && others.all(|&it| self.is_known_zero(it, state) == Some(true))
            && !state.mentions(&self.space, object);
        is_so.then_some(object)
    }

    fn is_known_zero(&mut self, term: TermId, state: &State) -> Option<bool> {
        if self.space.is_some_more(term) {
            return Some(false);
        }
        let is_zero = self.space.terms.is_zero(term);
        state.facts.decide(&self.space.terms, is_zero)
    }

    /// Most numbers are statuses: their signs matter.
    fn note_range(&mut self, values: &[TermId], term: TermId, state: &mut State) {
        let width = self.space.terms.width(term);
        let numbers: Option<Vec<i64>> = values.iter().map(|&it| self.space.constant(it)).collect();
        let Some(numbers) = numbers.filter(|_| width < self.space.pointer_bits) else { return };
        let (low, high) = (numbers.iter().min(), numbers.iter().max());
        let (Some(&low), Some(&high)) = (low, high) else { return };
        for (bound, is_low) in [(low, true), (high, false)] {
            let bound = self.space.terms.constant(bound as u64, width);
            let (left, right) = if is_low { (bound, term) } else { (term, bound) };
            let within = self.space.terms.compare(Compare::LeS, left, right);
            let _ = state.assume(&mut self.space, within);
        }
    }

    fn scalar_like(&self, term: TermId) -> Scalar {
        match self.space.terms.width(term) {
            bits if bits == self.space.pointer_bits => Scalar::Ptr,
            bits => Scalar::int(u32::from(bits)).unwrap_or(Scalar::I64),
        }
    }
}

impl Outcome<'_> {
    fn releases_surely(&self, what: TermId) -> bool {
        let mut rows = self.admitted.case.releases.iter().zip(&self.plan.releases);
        rows.any(|(release, it)| *it == Some(what) && release.certainty == Certainty::Sure)
    }
}

/// As what the cases release an object.
fn numbers_of(outcomes: &[Outcome<'_>], what: TermId) -> Numbers {
    let mut numbers = Numbers::default();
    for rows in outcomes.iter().map(|it| &it.plan.releases) {
        let places = rows.iter().enumerate().filter(|it| *it.1 == Some(what));
        places.for_each(|(number, _)| numbers.add(Numbers::one(number)));
    }
    numbers
}

/// What one of the lists has, each once.
fn distinct<T: Copy + PartialEq>(
    outcomes: &[Outcome<'_>],
    list: impl Fn(&Plan) -> &Vec<T>,
) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for &it in outcomes.iter().flat_map(|it| list(&it.plan)) {
        if !all.contains(&it) {
            all.push(it);
        }
    }
    all
}
