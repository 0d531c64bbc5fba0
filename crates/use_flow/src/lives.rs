//! The life of an object by its machine (K1): what an event makes of it.
//!
//! Only what was made here has a machine; a mark on the caller's objects is replayed as events by
//! whoever calls. Where the analysis itself loses sight of an object, it counts as kept, whatever
//! its machine says.

use caulk_guard::bits::TermId;
use caulk_ir::InstId;
use caulk_machines::{Event, Machine, Owner, StateId};

use crate::space::Origin;
use crate::state::{Certainty, Loss, Mark, NO_STATE, Phase, State};
use crate::step::{Exec, Trouble};

impl<'a> Exec<'a> {
    pub fn machine(&self, object: TermId) -> Option<&'a Machine> {
        let made = self.made.get(&object)?;
        Some(self.context.machines.get(made.machine))
    }

    /// The machine of an object, and the state that it is in.
    fn life(&self, state: &State, object: TermId) -> Option<(&'a Machine, StateId)> {
        let machine = self.machine(object)?;
        let at = state.marks.get(object).map(|mark| mark.state).filter(|&it| it != NO_STATE);
        Some((machine, at.unwrap_or_else(|| machine.start())))
    }

    /// Whether a release of the object is owed by the function that acquired it, whoever else has
    /// a reference.
    pub fn is_owed_by_function(&self, object: TermId) -> bool {
        self.machine(object).is_some_and(|machine| machine.owner() == Owner::Function)
    }

    /// Somebody else has the object from now on; `may` if only perhaps, or nobody knows who.
    pub fn escape(&mut self, at: InstId, state: &mut State, object: TermId, may: bool) {
        let certainty = if may { Certainty::Perhaps } else { Certainty::Sure };
        let Some((machine, before)) = self.life(state, object) else {
            let kept = Mark { phase: Phase::Kept, certainty, at, state: NO_STATE };
            state.marks.insert(object, kept);
            return;
        };
        let next = machine.step(before, Event::Escape);
        let phase = if may || machine.is_end(next) { Phase::Kept } else { Phase::Live };
        match machine.error(next) {
            Some(_) if !may => self.fail(at, state, object, next),
            Some(_) => {
                let phase = Phase::Kept;
                state.marks.insert(object, Mark { phase, certainty, at, state: before });
            }
            None if phase == Phase::Live && next == before => {}
            None => {
                state.marks.insert(object, Mark { phase, certainty, at, state: next });
            }
        }
    }

    /// What a release makes of the object, as its next mark.
    pub fn after_release(
        &mut self,
        at: InstId,
        state: &State,
        object: TermId,
        (wrong, certainty): (bool, Certainty),
    ) -> Mark {
        let released = Mark { phase: Phase::Released, certainty, at, state: NO_STATE };
        let Some((machine, before)) = self.life(state, object) else { return released };
        let event = if wrong { Event::WrongRelease } else { Event::Release };
        let next = machine.step(before, event);
        if machine.error(next).is_some() {
            if certainty == Certainty::Sure {
                self.fail(at, state, object, next);
            }
            // It goes on as if it had been released in order.
            let proper = machine.step(before, Event::Release);
            let next = if machine.error(proper).is_some() { before } else { proper };
            return Mark { state: next, ..released };
        }
        let phase = if machine.is_end(next) { Phase::Released } else { Phase::Live };
        Mark { phase, state: next, ..released }
    }

    /// The followed object is read, written or passed to who looks at it.
    pub fn use_object(&mut self, at: InstId, state: &mut State, object: TermId) {
        let Some((machine, before)) = self.life(state, object) else { return };
        let next = machine.step(before, Event::Use);
        if next == before {
            return;
        }
        if machine.error(next).is_some() {
            self.fail(at, state, object, next);
            return;
        }
        let certainty = state.marks.get(object).map(|mark| mark.certainty).unwrap_or_default();
        let phase = if machine.is_end(next) { state.phase(object) } else { Phase::Live };
        state.marks.insert(object, Mark { phase, certainty, at, state: next });
    }

    /// What is inside an object is acquired, and may have been before.
    pub fn acquire_again(&mut self, at: InstId, state: &mut State, to: TermId, value: TermId) {
        let certain = self.made.get(&value).is_some_and(|made| made.certain);
        if !self.is_owed_by_function(value) {
            return;
        }
        if self.was_released_at(state, to) {
            // The caller holds it, and gets it back as it was.
            self.keep(at, state, value, true);
            return;
        }
        let Some(cell) = state.memory.get(&self.space, to).copied() else { return };
        let Some((machine, before)) = self.life(state, cell.value) else { return };
        if state.phase(cell.value) != Phase::Live || cell.value == value {
            return;
        }
        let next = machine.step(before, Event::Acquire);
        if machine.error(next).is_none() {
            // Nobody counts here how often it is held.
            self.keep(at, state, cell.value, true);
            self.keep(at, state, value, true);
        } else if certain {
            self.fail(at, state, cell.value, next);
        }
    }

    /// Whether what was at an address when the function began was released.
    fn was_released_at(&self, state: &State, at: TermId) -> bool {
        state.marks.iter().any(|(&symbol, mark)| {
            let origin = self.space.origin(symbol);
            mark.phase == Phase::Released
                && matches!(origin, Some(Origin::Initial { address, .. }) if address == at)
        })
    }

    /// The error that the loss of the object is, if its machine has one.
    pub fn error_of_loss(&self, state: &State, object: TermId) -> Option<StateId> {
        let (machine, before) = self.life(state, object)?;
        let event = match state.loss {
            Some((_, Loss::Overwritten)) => Event::Overwrite,
            _ => Event::ScopeEnd,
        };
        let next = machine.step(before, event);
        machine.error(next).map(|_| next)
    }

    /// Notes an error of the followed object, unless its state is only a guess.
    /// It is released by an address that nobody handed out.
    pub fn release_astray(&mut self, at: InstId, state: &State, object: TermId) {
        let Some((machine, before)) = self.life(state, object) else { return };
        let next = machine.step(before, Event::StrayRelease);
        if machine.error(next).is_some() {
            self.fail(at, state, object, next);
        }
    }

    fn fail(&mut self, at: InstId, state: &State, object: TermId, error: StateId) {
        self.space.doubt(object);
        let mark = state.marks.get(object);
        if state.focus != Some(object) || mark.is_some_and(|mark| mark.certainty != Certainty::Sure)
        {
            return;
        }
        let Some(fault) = self.machine(object).and_then(|it| Some(it.error(error)?.fault)) else {
            return;
        };
        let since = mark.map(|mark| mark.at);
        if self.is_told_by_callee(since, at) || self.is_named_in_doubt(state, object) {
            return;
        }
        self.troubles.push((Trouble { error, fault, since, at }, state.clone()));
    }
}
