//! Objects that a function did not make and releases: what is done with them after that.
//!
//! Such an object is followed from its first release on, in the state of its machine in which it is
//! then. Two names of the caller's memory are two objects (P3), so that only one name is followed.

use caulk_guard::bits::TermId;
use caulk_ir::{BlockId, Inst, InstId};
use caulk_machines::Machines;
use caulk_models::Resource;

use crate::effects::How;
use crate::space::{Epoch, Home, Origin};
use crate::state::{Certainty, Phase, State};
use crate::step::{By, Exec, Focus, block_of_join, instruction_of};
use crate::summary::{Fresh, Release};

/// Places among what a call releases, as bits; the last one stands for all places from there on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers(u64);

/// Many of the others are inside what is given, and may be made there anew.
fn is_one_object(machines: &Machines, resource: &Resource) -> bool {
    machines.id_of(resource).is_some_and(|id| !machines.get(id).is_for_any())
}

impl Release {
    /// Whether an object may be followed from its release on: see [`Exec::follow_foreign`].
    pub fn may_be_followed(&self, machines: &Machines) -> bool {
        let is_sure = [self.certainty, self.when_expected].contains(&Certainty::Sure);
        is_sure && self.resource.as_ref().is_none_or(|it| is_one_object(machines, it))
    }
}

impl Numbers {
    pub const ALL: Self = Self(u64::MAX);

    pub fn one(number: usize) -> Self {
        Self(1 << number.min(63))
    }

    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The places that both have.
    pub fn of_both(self, other: Self) -> impl Iterator<Item = u16> {
        (0..64).filter(move |&number| self.contains(number) && other.contains(number))
    }

    pub fn contains(self, number: u16) -> bool {
        self.0 & Self::one(usize::from(number)).0 != 0
    }
}

impl Exec<'_> {
    /// Whether anything that the function calls releases something.
    pub fn has_releasing_calls(&mut self) -> bool {
        let body = self.body;
        body.insts.rows().iter().any(|inst| match *inst {
            Inst::Call(id) => !self.followed_from(id).is_empty(),
            _ => false,
        })
    }

    /// Whether a call releases what another handed out of which nothing is known.
    pub fn releases_opaque(&mut self) -> bool {
        let body = self.body;
        body.insts.rows().iter().any(|inst| match *inst {
            Inst::Call(id) => {
                let args = &body.calls[id].args;
                args.iter().any(|arg| self.is_opaque_result(arg.value))
                    && !self.followed_from(id).is_empty()
            }
            _ => false,
        })
    }

    /// Whether an object was there before, and has one name: the caller's, or that of what a function
    /// that nothing is known of returned or left in a variable.
    pub fn is_foreign(&self, object: TermId) -> bool {
        self.space.home(object) == Home::Caller || self.is_opaque(object)
    }

    /// Callers have no name for it.
    pub fn is_opaque(&self, object: TermId) -> bool {
        let is_sought = !self.space.summarising || self.seeks_suspects;
        if !is_sought || !self.space.is_pointer(object) {
            return false;
        }
        match self.space.origin(object) {
            Some(Origin::Unknown(_)) => true,
            // Whoever follows what is made here has nothing of these but more states.
            _ if self.follows_made() => false,
            Some(Origin::Initial { address, epoch, .. }) => {
                self.is_in_own_memory(address) && self.is_of_one_turn(epoch)
            }
            Some(Origin::Join(place, _)) => self.is_met_once(place),
            Some(Origin::Outcome(_)) => true,
            _ => false,
        }
    }

    /// Whether an address is a known place in a variable of this function.
    fn is_in_own_memory(&self, address: TermId) -> bool {
        let place = self.space.address(address).filter(|it| it.offset.is_some());
        place.is_some_and(|it| self.space.home(it.base) == Home::Local)
    }

    fn is_of_one_turn(&self, epoch: Epoch) -> bool {
        match epoch {
            Epoch::Join(place) => self.is_met_once(place),
            Epoch::Start | Epoch::After(_) => true,
        }
    }

    /// Whether no loop comes by a join: what it joins is one value then, and not another in each turn.
    fn is_met_once(&self, place: BlockId) -> bool {
        let block = match instruction_of(place) {
            Some(at) if self.body.insts.get(at).is_none() => return false,
            Some(at) => self.facts.block_of(at),
            None => block_of_join(place),
        };
        self.facts.cfg().loops().innermost(block).is_none()
    }

    /// Remembers who released an object that is looked at or released now.
    pub fn note_touch(&mut self, state: &State, object: TermId) {
        let Some(&mark) = state.marks.get(object).filter(|_| self.focus.is_none()) else { return };
        if mark.phase == Phase::Released {
            self.space.doubt(object);
        }
        let is_sought = match self.space.home(object) {
            Home::Made => self.released_kept.contains(&mark.at),
            _ if self.is_opaque(object) => true,
            home => home == Home::Caller && !self.knows_suspects,
        };
        // A summary keeps apart what the first look at a function joins.
        let blurred = !self.space.summarising;
        let is_sure = blurred || mark.certainty == Certainty::Sure;
        if is_sought && is_sure && mark.phase == Phase::Released {
            let numbers = self.released_by.get(&(mark.at, object)).copied();
            self.suspects.entry(mark.at).or_default().add(numbers.unwrap_or(Numbers::ALL));
        }
    }

    /// Remembers as what a call released an object: only that is worth following when it is touched.
    pub fn note_numbers(&mut self, at: InstId, object: TermId, numbers: Numbers) {
        if self.focus.is_none() {
            self.released_by.entry((at, object)).or_default().add(numbers);
        }
    }

    /// Whether an object is followed from its release by the call on.
    pub fn follows_release(&self, at: InstId, numbers: Numbers) -> bool {
        let is_it = |focus: Focus| focus.call == at && numbers.contains(focus.index);
        self.follows_foreign() && self.focus.is_some_and(is_it)
    }

    /// Remembers who releases what was made here and somebody else has: whoever follows it from there ends
    /// with that one, and what is done after the release is left to be seen.
    pub fn note_kept(&mut self, at: InstId, state: &State, object: TermId) {
        if self.focus.is_none() && self.is_made_and_kept(state, object) {
            self.released_kept.insert(at);
        }
    }

    fn is_made_and_kept(&self, state: &State, object: TermId) -> bool {
        self.space.home(object) == Home::Made && state.phase(object) == Phase::Kept
    }

    /// The release of an object from elsewhere by the call from which on it is followed.
    pub fn follow_foreign(&mut self, at: InstId, state: &mut State, object: TermId, how: &How) {
        let is_first = self.follows_release(at, how.numbers)
            && state.focus.is_none()
            && how.certainty == Certainty::Sure
            && (self.is_made_and_kept(state, object)
                || self.is_foreign(object) && self.is_unreleased(state, object));
        let Some(fresh) = is_first.then(|| self.foreign(object, how)).flatten() else { return };
        let exists = self.exists(object, &fresh);
        if state.assume(&mut self.space, exists) {
            self.made.entry(object).or_insert(fresh);
            state.marks.remove(object);
            state.focus = Some(object);
            state.failed = None;
        }
    }

    /// Whether nothing was done to an object yet but, if it is an argument, that somebody else has it, too:
    /// that one is to release it once all the same.
    fn is_unreleased(&self, state: &State, object: TermId) -> bool {
        let is_argument = matches!(self.space.origin(object), Some(Origin::Param(_)));
        let mark = state.marks.get(object);
        mark.is_none_or(|mark| is_argument && mark.phase == Phase::Kept)
    }

    /// What a function that releases it takes it for: memory, unless it says more.
    pub fn foreign(&self, object: TermId, how: &How) -> Option<Fresh> {
        let width = self.space.terms.width(object);
        let resource = match &how.resource {
            Some(resource) => resource.clone(),
            None if width == self.space.pointer_bits => Resource::memory(),
            None => return None,
        };
        let machine = self.context.machines.id_of(&resource)?;
        if !is_one_object(self.context.machines, &resource) {
            return None;
        }
        Some(Fresh {
            resource,
            machine,
            certain: false,
            releases: Vec::new(),
            zeroed: false,
            shared: false,
            width,
            hops: 0,
            unsure: false,
        })
    }

    /// Whether a callee did all of it: it is reported there.
    pub fn is_told_by_callee(&self, since: Option<InstId>, at: InstId) -> bool {
        self.follows_foreign() && since == Some(at) && self.enters_program(at)
    }

    /// Whether memory that names the object may hold something else by now.
    pub fn is_named_in_doubt(&self, state: &State, object: TermId) -> bool {
        self.follows_foreign() && state.relinked && self.space.load_depth(object) > 0
    }

    /// What was followed is the caller's again, of which nothing is known.
    pub fn forget_foreign(&mut self) {
        let space = &self.space;
        self.made.retain(|&object, _| space.home(object) == Home::Made);
    }

    /// Whether the followed object was not made here.
    pub fn follows_foreign(&self) -> bool {
        self.focus.is_some_and(|focus| focus.by == By::Releasing)
    }

    pub fn follows_made(&self) -> bool {
        self.focus.is_some_and(|focus| focus.by == By::Making)
    }
}
