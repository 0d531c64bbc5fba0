//! Cases in which a callee does not do what it does in others, and nobody asks whether it did.

use caulk_ir::{Inst, InstId};

use crate::apply::Frame;
use crate::state::{Phase, State};
use crate::step::Exec;
use crate::summary::Case;

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
                    self.keep(frame.at, state, argument, true);
                } else if is_released && !is_null[at] || self.leads_to(state, argument) {
                    // What keeps it from releasing another object keeps it from releasing this one, too.
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
                state.refused = Some(frame.at);
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
