//! Releases by addresses that nobody handed out: of variables, and inside of what was made.
//!
//! Where paths meet, such an address may be one of several: that is enough for a candidate, and single
//! paths decide.

use caulk_guard::bits::TermId;
use caulk_ir::{Inst, InstId};

use crate::effects::How;
use crate::space::{Address, GHOST, Origin};
use crate::state::{Certainty, State};
use crate::step::Exec;

impl Exec<'_> {
    /// What memory decides of which nothing is known is left out: a flag may tell what is on the heap.
    pub fn note_astray(&mut self, at: InstId, state: &State, place: Address, how: &How) {
        let is_doubtful = how.certainty != Certainty::Sure || how.depends;
        if is_doubtful || self.is_from_memory(at, state, place.base) {
            return;
        }
        match self.space.origin(place.base) {
            // Callees tell which object they release, and not by which place in it.
            Some(Origin::Made { .. }) if self.is_past_start(place) && !self.enters_program(at) => {
                self.release_astray(at, state, place.base);
            }
            Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Outcome(_))
                if self.seeks_candidates() =>
            {
                let candidates = self.space.candidates(place.base).iter();
                let mut bases = candidates.filter_map(|&it| Some(self.space.address(it)?.base));
                if let Some(base) = bases.find(|&base| self.is_variable(base)) {
                    self.release_variable(at, state, base, how);
                }
            }
            _ if self.is_variable(place.base) => self.release_variable(at, state, place.base, how),
            _ => {}
        }
    }

    /// Whether a call gets an address out of memory: callees may have put something else there unseen.
    fn is_from_memory(&self, at: InstId, state: &State, base: TermId) -> bool {
        let Inst::Call(id) = self.body.insts[at] else { return false };
        self.body.calls[id].args.iter().any(|arg| {
            let read = self.body.definition(arg.value).map(|inst| self.body.insts[inst]);
            let place = state.values.get(arg.value).and_then(|&it| self.space.address(it));
            matches!(read, Some(Inst::Load { .. })) && place.is_some_and(|it| it.base == base)
        })
    }

    /// Whether states stand for several paths.
    fn seeks_candidates(&self) -> bool {
        self.focus.is_none() || self.space.nullable
    }

    fn is_variable(&self, base: TermId) -> bool {
        let is_named = |origin| {
            matches!(
                origin,
                Origin::Slot(_)
                    | Origin::Alloca(_)
                    | Origin::Static(_)
                    | Origin::Function(_)
                    | Origin::Proc(_)
            )
        };
        self.space.origin(base).is_some_and(is_named)
    }

    /// Ghosts are no places of the object, and what is before it may have been handed out with it.
    fn is_past_start(&self, place: Address) -> bool {
        match place.offset {
            Some(offset) => (1..GHOST).contains(&offset),
            None => self.seeks_candidates(),
        }
    }

    /// The call is followed on single paths, if it is not yet.
    fn release_variable(&mut self, at: InstId, state: &State, variable: TermId, how: &How) {
        if self.focus.is_none() {
            self.suspects.entry(at).or_default().add(how.numbers);
        }
        if !self.follows_release(at, how.numbers) || state.focus.is_some() {
            return;
        }
        let Some(object) = self.foreign(variable, how) else { return };
        self.made.insert(variable, object);
        let followed = State { focus: Some(variable), failed: None, ..state.clone() };
        self.release_astray(at, &followed, variable);
    }
}
