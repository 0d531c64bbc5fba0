//! What is known at one point of a function, on the paths that a state stands for.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use caulk_guard::bits::{Facts, TermId};
use caulk_ir::{InstId, ValueId};
use caulk_machines::StateId;
use smallvec::SmallVec;

use crate::map::Map;
use crate::memory::{Cell, Memory};
use crate::rows::Rows;
use crate::shapes::Parts;
use crate::space::{Home, Query, Space};

/// What became of an object, whatever its machine calls it (K1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Still owed.
    Live,
    /// Given back, here or by a callee.
    Released,
    /// In the hands of somebody whom this function cannot see: a global, an unknown function, or
    /// the analysis lost sight of its holders.
    Kept,
}

/// How sure it is that a mark is on the right object, on all paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    #[default]
    Sure,
    /// A callee found it in memory, where something else may have been by then.
    Found,
    /// On some of the paths only, or only perhaps on this object.
    Perhaps,
}

/// A mark on an object, or on what the caller's memory held at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    pub phase: Phase,
    pub certainty: Certainty,
    /// The instruction that did it.
    pub at: InstId,
    /// Of the object's machine. The caller's objects have none here, and so [`NO_STATE`].
    pub state: StateId,
}

pub const NO_STATE: StateId = StateId(u32::MAX);

/// How the last reference to the followed object went away, as far as an instruction did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Overwritten,
    /// By a callee that does not look at what was there.
    OverwrittenBlindly,
    WithOwner,
}

/// A call that did not take what it takes in other cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub at: InstId,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing that the caller looks at tells.
    Untold,
    /// An index is past what the callee finds in memory as a bound, though the caller has it in bounds.
    PastEnd,
}

/// A structure of the caller's that a loop goes along and releases: from a pointer on, by the links
/// at some offsets of each cell, the cell itself or what it has at an offset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sweep {
    pub root: TermId,
    pub links: Vec<i64>,
    pub last: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Of the SSA values that are still read.
    pub values: Map<ValueId, TermId>,
    pub memory: Memory,
    /// By symbol: made objects and the caller's.
    pub marks: Map<TermId, Mark>,
    pub facts: Rc<Facts>,
    /// The object that is followed was made on these paths.
    pub focus: Option<TermId>,
    /// An allocation failed on these paths, since the object was made.
    pub failed: Option<InstId>,
    /// Objects of the caller whose contents were copied: into what was made, or elsewhere.
    pub moves: Rows<(Option<TermId>, TermId)>,
    /// On some of the paths.
    pub sweeps: Rows<Sweep>,
    /// Where the followed object was lost, on all of these paths.
    pub loss: Option<(InstId, Loss)>,
    /// The caller's objects that were released although they had been before, on all of these paths.
    pub again: Rows<TermId>,
    /// The first parameters that were read or written through on all of these paths, as bits.
    pub uses: u32,
    /// Numbers that memory held when the function began and that were used as descriptors on all of
    /// these paths.
    pub used_numbers: Rows<TermId>,
    /// A callee that releases things could get at the followed object: how far it goes along a
    /// list, summaries do not tell.
    pub handed: bool,
    /// What the paths rest on that nobody checked: unknown functions that took part.
    pub doubt: bool,
    /// A callee that was not followed in full could get at the followed object.
    pub rough: bool,
    /// A standard stream was closed: the next descriptor takes its place, and is not lost.
    pub standard_closed: bool,
    /// A call that takes the followed object in most cases, and did not on these paths.
    pub refused: Option<Refusal>,
    /// The followed object was in an aggregate that is gone, and not at its start.
    pub element: bool,
    /// A pointer was written through one that memory of the caller's held: another name of that memory
    /// may have changed by it, as where a cell is taken out of a list by its neighbours.
    pub relinked: bool,
    /// The call that made the followed object made another one since, on all of these paths.
    pub remade: bool,
    /// Made on some of these paths and not in doubt so far, while all objects are looked at at once.
    pub owed: Rows<TermId>,
}

impl State {
    pub fn new() -> Self {
        Self {
            values: Map::new(),
            memory: Memory::new(),
            marks: Map::new(),
            facts: Rc::default(),
            focus: None,
            failed: None,
            moves: Rows::new(),
            sweeps: Rows::new(),
            loss: None,
            again: Rows::new(),
            uses: 0,
            used_numbers: Rows::new(),
            handed: false,
            doubt: false,
            rough: false,
            standard_closed: false,
            refused: None,
            element: false,
            relinked: false,
            remade: false,
            owed: Rows::new(),
        }
    }

    /// False when it contradicts what is known: the paths do not exist.
    #[must_use]
    pub fn assume(&mut self, space: &mut Space, condition: TermId) -> bool {
        let before = space.asked.is_some().then(|| self.facts.conditions().to_vec());
        let possible = match condition {
            TermId::TRUE => true,
            TermId::FALSE => false,
            _ if self.facts.is_held(condition) => true,
            // Others have these facts too: a look at them costs less than a copy.
            _ if Rc::strong_count(&self.facts) > 1
                && self.facts.decide(&space.terms, condition) == Some(false) =>
            {
                false
            }
            _ => Rc::make_mut(&mut self.facts).assume(&mut space.terms, condition),
        };
        if let (false, Some(mut conditions), Some(asked)) = (possible, before, &mut space.asked) {
            conditions.push(condition);
            asked.push(Query { conditions, refuted_by_filter: true });
        }
        possible
    }

    pub fn phase(&self, object: TermId) -> Phase {
        self.marks.get(object).map_or(Phase::Live, |mark| mark.phase)
    }

    fn is_perhaps(&self, object: TermId) -> bool {
        self.marks.get(object).is_some_and(|mark| mark.certainty == Certainty::Perhaps)
    }

    /// Whether anybody can still get at an object.
    pub fn is_held(&self, space: &Space, object: TermId) -> bool {
        self.is_held_where(space, object, |_| true)
    }

    /// The same, where only some of the values are read any more.
    pub fn is_held_where(
        &self,
        space: &Space,
        object: TermId,
        is_read: impl Fn(ValueId) -> bool,
    ) -> bool {
        let mut seen = vec![object];
        let mut next = 0;
        while let Some(&wanted) = seen.get(next) {
            next += 1;
            let carries = space.carrier(wanted);
            if self.has_value(&carries, &is_read) {
                return true;
            }
            for cell in self.memory.iter().filter(|cell| carries(cell.value)) {
                match space.home(cell.base) {
                    Home::Made => match self.phase(cell.base) {
                        Phase::Kept => return true,
                        // Whoever perhaps released the owner saw to its members too.
                        Phase::Released if self.is_perhaps(cell.base) => return true,
                        Phase::Released => {}
                        Phase::Live if seen.contains(&cell.base) => {}
                        Phase::Live => seen.push(cell.base),
                    },
                    _ => return true,
                }
            }
        }
        false
    }

    /// Whether a value or a cell has the address of an object.
    pub fn is_known(&self, space: &Space, object: TermId) -> bool {
        self.is_known_where(space, object, |_| true)
    }

    /// The same, where only some of the values are read any more.
    pub fn is_known_where(
        &self,
        space: &Space,
        object: TermId,
        is_read: impl Fn(ValueId) -> bool,
    ) -> bool {
        let carries = space.carrier(object);
        self.has_value(&carries, &is_read)
            || self.memory.iter().any(|cell| carries(cell.value))
            || self.memory.still_holds(space, object)
    }

    fn has_value(
        &self,
        carries: &impl Fn(TermId) -> bool,
        is_read: &impl Fn(ValueId) -> bool,
    ) -> bool {
        self.values.iter().any(|(&id, &value)| carries(value) && is_read(id))
    }

    /// Past a bound, only marks on what is near and what is still there are kept.
    pub fn bound_marks(&mut self, space: &Space) {
        const MOST: usize = 32;
        if self.marks.len() <= MOST {
            return;
        }
        let mut near = std::mem::replace(&mut self.marks, Map::new());
        let mentioned = self.mentioned(space);
        near.retain(|&symbol, _| match space.home(symbol) {
            Home::Made => self.focus == Some(symbol) || mentioned.binary_search(&symbol).is_ok(),
            _ => space.load_depth(symbol) <= 1,
        });
        self.marks = near;
    }

    pub fn note_move(&mut self, to: Option<TermId>, from: TermId) {
        const MOST: usize = 6;
        if self.moves.len() < MOST && !self.moves.contains(&(to, from)) {
            let moves = self.moves.to_mut();
            moves.push((to, from));
            moves.sort_unstable();
        }
    }

    pub fn note_used_number(&mut self, number: TermId) {
        const MOST: usize = 4;
        if self.used_numbers.len() < MOST && !self.used_numbers.contains(&number) {
            self.used_numbers.to_mut().push(number);
        }
    }

    pub fn note_sweep(&mut self, sweep: Sweep) {
        const MOST: usize = 6;
        if self.sweeps.len() < MOST && !self.sweeps.contains(&sweep) {
            let sweeps = self.sweeps.to_mut();
            sweeps.push(sweep);
            sweeps.sort_unstable();
        }
    }

    /// What a sweep from a pointer releases, as far as it is known.
    pub fn swept(&self, space: &Space, root: TermId, links: &[i64], last: Option<i64>) -> Objects {
        const MOST: usize = 64;
        let mut cells = Objects::new();
        push_bases(space, root, &mut cells);
        let mut next = 0;
        while let Some(&cell) = cells.get(next).filter(|_| next < MOST) {
            next += 1;
            links.iter().for_each(|&link| self.push_content(space, cell, link, &mut cells));
        }
        let Some(last) = last else { return cells };
        let mut found = Objects::new();
        cells.iter().for_each(|&cell| self.push_content(space, cell, last, &mut found));
        found
    }

    /// What the object has at an offset, or at one that is not known.
    fn push_content(&self, space: &Space, base: TermId, offset: i64, found: &mut Objects) {
        let there = |cell: &&Cell| cell.offset.is_none_or(|it| it == offset);
        for cell in self.memory.of(base).iter().filter(there) {
            push_bases(space, cell.value, found);
        }
    }

    pub fn has_focus_at(&self, space: &Space, address: TermId) -> bool {
        let cell = self.memory.get(space, address);
        let carries = |focus| cell.is_some_and(|cell| space.carries(cell.value, focus));
        self.focus.is_some_and(carries)
    }

    /// Forgets an object that is gone, and tells whether it had the followed object.
    pub fn drop_holder(&mut self, space: &Space, base: TermId) -> bool {
        let held = |cell: &&Cell| self.focus.is_some_and(|focus| space.carries(cell.value, focus));
        let holders: Vec<_> = self.memory.of(base).iter().filter(held).collect();
        let had = !holders.is_empty();
        self.element |= had && holders.iter().all(|cell| cell.offset != Some(0));
        self.memory.drop_object(base);
        had
    }

    /// The number that tells what a structure is, if it is known: its first member.
    pub fn tag(&self, space: &Space, base: TermId) -> Option<u64> {
        let first = self.memory.of(base).iter().find(|cell| cell.offset == Some(0))?;
        space.terms.as_constant(first.value)
    }

    /// The objects made here that values and cells are made of, or may stand for, in order: see
    /// [`State::mentions`].
    fn mentioned(&self, space: &Space) -> Vec<TermId> {
        let mut found = Vec::with_capacity(64);
        let mut note = |symbol: TermId| {
            let candidates = space.candidates(symbol).iter();
            let bases = candidates.filter_map(|&it| Some(space.address(it)?.base));
            let made = bases.chain([symbol]).filter(|&it| space.home(it) == Home::Made);
            found.extend(made);
            false
        };
        for (_, &value) in self.values.iter() {
            space.any_symbol(value, &mut note);
        }
        for cell in self.memory.iter() {
            space.any_symbol(cell.value, &mut note);
            space.any_symbol(cell.address, &mut note);
        }
        found.sort_unstable();
        found
    }

    /// Whether a value or a cell is made of the symbol.
    pub fn mentions(&self, space: &Space, symbol: TermId) -> bool {
        let own = space.parts(symbol);
        let needed = own.and(Parts::CHOICE);
        let uses = |term: TermId| {
            space.parts(term).meets(needed) && space.may_be_made_of(term, symbol, own)
        };
        // An exact address has no symbol but its base.
        let leads_from = |cell: &Cell| cell.offset.map_or(cell.address, |_| cell.base);
        self.values.iter().any(|(_, &value)| uses(value))
            || self.memory.iter().any(|cell| uses(cell.value) || uses(leads_from(cell)))
    }

    /// The symbol stands for something else from now on.
    pub fn forget_symbol(&mut self, space: &Space, symbol: TermId) {
        self.marks.remove(symbol);
        self.memory.drop_object(symbol);
        let parts = space.parts(symbol);
        let uses = |term: TermId| {
            space.parts(term).meets(parts) && space.any_symbol(term, &mut |it| it == symbol)
        };
        self.facts = facts_without(&self.facts, uses);
    }

    /// Who has the object, as far as it tells states apart: values, and addresses with the tags of
    /// their structures.
    pub fn hash_holders(&self, space: &Space, object: TermId, hasher: &mut impl Hasher) {
        let carries = space.carrier(object);
        let values = self.values.iter().filter(|(_, value)| carries(**value));
        values.for_each(|(id, _)| (1, id).hash(hasher));
        let cells = self.memory.iter().filter(|cell| carries(cell.value));
        cells.for_each(|cell| (2, cell.address, self.tag(space, cell.base)).hash(hasher));
    }

    /// The objects that a value leads to: what it points into, and what can be read from there.
    pub fn reachable(&self, space: &Space, term: TermId) -> Objects {
        self.reachable_from(space, &[term])
    }

    /// The same of several values, one after the other.
    pub fn reachable_from(&self, space: &Space, terms: &[TermId]) -> Objects {
        let mut seen = Objects::new();
        let mut next = 0;
        for &term in terms {
            push_bases(space, term, &mut seen);
            while let Some(&base) = seen.get(next) {
                next += 1;
                for cell in self.memory.of(base) {
                    push_bases(space, cell.value, &mut seen);
                }
            }
        }
        seen
    }
}

/// The facts but for those on unwanted terms.
pub fn facts_without(facts: &Rc<Facts>, unwanted: impl Fn(TermId) -> bool) -> Rc<Facts> {
    let mut facts = facts.clone();
    if facts.any_term(&unwanted) {
        Rc::make_mut(&mut facts).forget(&|term| !unwanted(term));
    }
    facts
}

/// Objects that something leads to: mostly a few.
pub type Objects = SmallVec<[TermId; 8]>;

/// The symbols that a value may point into.
pub fn push_bases(space: &Space, term: TermId, seen: &mut Objects) {
    let Some(place) = space.address(space.number_within(term)) else { return };
    if place.offset.is_none() {
        let mut carried = Vec::new();
        space.push_carried(term, &mut carried);
        carried.retain(|it| *it != place.base && !seen.contains(it));
        seen.extend(carried);
    }
    if seen.contains(&place.base) {
        return;
    }
    seen.push(place.base);
    for &candidate in space.candidates(place.base) {
        push_bases(space, candidate, seen);
    }
}
