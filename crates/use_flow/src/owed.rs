//! What the first look at a function tells of the objects that it makes (K3: one search for all of them).
//!
//! The look that makes the summary sees all objects at once. One that is released, handed on or held by
//! others on each of its ways is safe; whatever leaves a doubt, a state of its own that was joined away
//! among it, makes the object one for a search of its own. So most objects never need one.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_guard::bits::TermId;
use caulk_ir::{BlockId, InstId, ValueId};

use crate::explore::{Explored, Whereabouts};
use crate::space::{Origin, Space};
use crate::state::{Phase, State};
use crate::step::Exec;

/// A call, and which of what it makes.
pub type MadeBy = (InstId, u16);

/// What is noted of the objects of one function, while all of them are looked at.
#[derive(Default)]
pub struct Doubts {
    /// Somebody wants to know.
    pub wanted: bool,
    open: FxHashSet<MadeBy>,
    fates: FxHashMap<MadeBy, Explored>,
}

impl Doubts {
    pub fn is_open(&self, site: MadeBy) -> bool {
        self.open.contains(&site)
    }

    /// Each of these is to be looked at by itself.
    pub fn doubt_all(&mut self, sites: impl Iterator<Item = MadeBy>) {
        self.open.extend(sites);
    }

    /// What became of an object that left no doubt.
    pub fn take_fates(&mut self, site: MadeBy) -> Explored {
        self.fates.remove(&site).unwrap_or_default()
    }
}

impl Space {
    fn made_by(&self, object: TermId) -> Option<MadeBy> {
        match self.origin(object) {
            Some(Origin::Made { call, index, .. }) if self.doubts.wanted => Some((call, index)),
            _ => None,
        }
    }

    /// The object is to be looked at by itself.
    pub fn doubt(&mut self, object: TermId) {
        if let Some(site) = self.made_by(object) {
            self.doubts.open.insert(site);
        }
    }

    /// What was done to an object by an instruction, or who has it at the return of a block.
    pub fn note_fate(&mut self, object: TermId, fate: (Whereabouts, u32)) {
        if let Some(site) = self.made_by(object) {
            self.doubts.fates.entry(site).or_default().fates.insert(fate);
        }
    }

    pub fn note_by_result(&mut self, object: TermId) {
        if let Some(site) = self.made_by(object) {
            self.doubts.fates.entry(site).or_default().by_result = true;
        }
    }

    /// A call makes an object on the paths of a state.
    pub fn note_made(&mut self, state: &mut State, object: TermId) {
        if self.doubts.wanted && !state.owed.contains(&object) {
            let owed = state.owed.to_mut();
            owed.push(object);
            owed.sort_unstable();
        }
    }

    /// A symbol becomes another object, which nobody speaks of: what it was is lost, or gone.
    pub fn note_renewed(&mut self, state: &mut State, object: TermId) {
        if state.owed.contains(&object) {
            if state.phase(object) == Phase::Live {
                self.doubt(object);
            }
            state.owed.retain(|it| *it != object);
        }
    }

    /// Two states become one. On all paths on which an object that is not in doubt is there, the same values
    /// and places have it: so whoever releases one of them releases it, whatever else is there on other
    /// paths. What one of the states lost, what others have there, and what the joined one says something
    /// else of is in doubt.
    pub fn doubt_the_blurred(&mut self, states: [&State; 2], joined: &mut State) {
        if joined.owed.is_empty() || !self.doubts.wanted {
            return;
        }
        let is_clear = |it: &TermId| self.is_clear(states, joined, *it);
        let blurred: Vec<TermId> = joined.owed.iter().filter(|it| !is_clear(it)).copied().collect();
        blurred.iter().for_each(|&it| self.doubt(it));
        joined.owed.retain(|it| !blurred.contains(it));
    }

    fn is_clear(&self, states: [&State; 2], joined: &State, object: TermId) -> bool {
        if self.made_by(object).is_none_or(|site| self.doubts.is_open(site)) {
            return false;
        }
        let phase = joined.phase(object);
        let mut having = states.into_iter().filter(|it| it.owed.contains(&object));
        if having.clone().any(|it| it.phase(object) != phase) {
            return false;
        }
        if phase != Phase::Live {
            return true;
        }
        let Some(holders) = having.next().map(|it| it.holders(self, object)) else { return false };
        !holders.is_empty()
            && having.all(|it| it.holders(self, object) == holders)
            && joined.is_held(self, object)
            && states.iter().all(|it| !it.owed.contains(&object) || it.is_held(self, object))
    }

    /// A state is left as it is: what becomes of its objects is not seen.
    pub fn doubt_all_owed(&mut self, state: &State) {
        state.owed.iter().for_each(|&it| self.doubt(it));
    }

    fn doubt_the_lost(&mut self, state: &State) {
        let live = state.owed.iter().filter(|it| state.phase(**it) == Phase::Live);
        let lost: Vec<TermId> = live.filter(|it| !state.is_held(self, **it)).copied().collect();
        lost.into_iter().for_each(|it| self.doubt(it));
    }
}

/// A value or a place in memory.
#[derive(PartialEq)]
enum Holder {
    Value(ValueId),
    Cell(TermId),
}

impl State {
    fn holders(&self, space: &Space, object: TermId) -> Vec<Holder> {
        let carries = space.carrier(object);
        let values = self.values.iter().filter(|it| carries(*it.1)).map(|it| Holder::Value(*it.0));
        let cells = self.memory.iter().filter(|it| carries(it.value));
        values.chain(cells.map(|it| Holder::Cell(it.address))).collect()
    }
}

impl Exec<'_> {
    /// An object was released, or somebody else has it from now on.
    pub fn note_mark(&mut self, state: &State, object: TermId) {
        let Some(mark) = state.marks.get(object).filter(|_| self.space.doubts.wanted) else {
            return;
        };
        match mark.phase {
            Phase::Live => {}
            Phase::Released => self.space.note_fate(object, (Whereabouts::Released, mark.at.0)),
            Phase::Kept => self.space.note_fate(object, (Whereabouts::Kept, mark.at.0)),
        }
    }

    /// What a value leads to is perhaps somebody else's from now on.
    pub fn doubt_reachable(&mut self, state: &State, value: TermId) {
        if !state.owed.is_empty() {
            let found = state.reachable(&self.space, value);
            found.into_iter().for_each(|it| self.space.doubt(it));
        }
    }

    /// The function returns.
    pub fn note_return(&mut self, block: BlockId, state: &State) {
        if !self.space.doubts.wanted {
            return;
        }
        self.space.doubt_the_lost(state);
        for &object in state.owed.iter() {
            if state.phase(object) == Phase::Live {
                self.space.note_fate(object, (Whereabouts::Held, block.0));
            }
        }
    }
}
