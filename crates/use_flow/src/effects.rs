//! What instructions and calls do to objects: storing, keeping, releasing, using.

use caulk_guard::bits::TermId;
use caulk_ir::{InstId, Scalar, Type, ValueId};
use caulk_machines::Owner;
use caulk_models::Resource;

use crate::foreign::Numbers;
use crate::policies::Global;
use crate::space::{Address, GHOST, Home, Origin};
use crate::state::{Certainty, Loss, Mark, Objects, Phase, State, Sweep, push_bases};
use crate::step::Exec;

/// Descriptors below are the standard streams.
const STANDARD: i64 = 3;

impl Exec<'_> {
    /// Writes a value, and lets go of it where others can see it.
    pub fn store(&mut self, at: InstId, state: &mut State, to: TermId, value: TermId) {
        let Some(place) = self.space.address(to) else {
            self.doubt_reachable(state, value);
            self.give_away(at, state, value, true);
            return;
        };
        let stays = self.is_owed_by_function(value);
        match self.space.home(place.base) {
            Home::Static => {
                if let Some(Origin::Static(id)) = self.space.origin(place.base) {
                    self.note_written(id);
                }
                if !stays && !self.is_followed(place) {
                    self.keep(at, state, value, false);
                }
                self.expose(state, value);
            }
            _ if stays => {}
            Home::Unknown => {
                self.doubt_reachable(state, value);
                self.give_away(at, state, value, true);
                self.forget_candidates(state, place, value);
            }
            Home::Made if state.phase(place.base) == Phase::Kept => {
                self.give_away(at, state, value, true);
            }
            Home::Caller if self.space.is_global(place.base) => {
                self.give_away(at, state, value, true);
            }
            Home::Made | Home::Local | Home::Caller => {}
        }
        state.relinked |= self.space.home(place.base) == Home::Caller
            && self.space.load_depth(place.base) > 0
            && self.space.is_pointer_wide(value);
        let had = state.has_focus_at(&self.space, to);
        if !state.memory.store(&mut self.space, to, value) {
            self.doubt_reachable(state, value);
            self.give_away(at, state, value, true);
        }
        if place.offset.is_none() && self.is_array_of_numbers(place.base) {
            state.memory.forget(&mut self.space, place.base);
        }
        if had {
            self.note_loss(state, at, Loss::Overwritten);
        }
        self.leave_if_others_are_known(state, place.base, value);
    }

    /// Whether an object is a variable of which an index may lead to any part, and to no pointer.
    fn is_array_of_numbers(&self, object: TermId) -> bool {
        let Some(Origin::Slot(slot)) = self.space.origin(object) else { return false };
        let types = &self.module.types.types;
        let mut ty = types[self.body.slots[slot].ty];
        let mut is_array = false;
        while let Type::Array { element, .. } = ty {
            (ty, is_array) = (types[element], true);
        }
        is_array && matches!(ty, Type::Scalar { .. } | Type::Enum(_))
    }

    /// Whether all that happens to a place in static storage is seen: the program defines it, and
    /// it is known which part of it is meant.
    pub fn is_followed(&self, place: Address) -> bool {
        let defined = match self.space.origin(place.base) {
            Some(Origin::Static(id)) => self.context.program.statics[id].defined,
            _ => false,
        };
        self.context.policies.global == Global::Track && defined && place.offset.is_some()
    }

    /// Remembers an instruction after which nobody has the followed object any more.
    pub fn note_loss(&self, state: &mut State, at: InstId, how: Loss) {
        let Some(focus) = state.focus.filter(|_| state.loss.is_none()) else { return };
        if state.phase(focus) == Phase::Live && !self.is_held_after(state, at, focus) {
            state.loss = Some((at, how));
        }
    }

    /// Whether anybody can get at an object once the instruction is done.
    pub fn is_held_after(&self, state: &State, at: InstId, object: TermId) -> bool {
        state.is_held_where(&self.space, object, |value| self.is_read_after(at, value))
    }

    /// Whether anybody has the address of an object once the instruction is done.
    pub fn is_known_after(&self, state: &State, at: InstId, object: TermId) -> bool {
        state.is_known_where(&self.space, object, |value| self.is_read_after(at, value))
    }

    pub fn is_read_after(&self, at: InstId, value: ValueId) -> bool {
        let block = self.facts.block_of(at);
        let row = &self.body.blocks[block];
        let mut read = self.facts.liveness().is_live_at_end(block, value);
        let mut note = |used: ValueId| read |= used == value;
        (at.0 + 1..row.end.0).for_each(|inst| self.body.operands(InstId(inst), &mut note));
        row.terminator.operand().into_iter().for_each(&mut note);
        row.terminator.edges().flat_map(|edge| &edge.args).for_each(|&arg| note(arg));
        read
    }

    /// A write through one of several pointers: what was known of each is not any more, but an
    /// object that is held there is not lost by that.
    fn forget_candidates(&mut self, state: &mut State, place: Address, value: TermId) {
        let bytes = i64::from(self.space.terms.width(value).div_ceil(8));
        for candidate in self.space.candidates(place.base).to_vec() {
            let Some(other) = self.space.address(candidate) else { continue };
            let offset = other.offset.zip(place.offset).map(|(a, b)| a.wrapping_add(b));
            let range = Address { base: other.base, offset };
            self.blur(state, range, bytes);
        }
    }

    /// Forgets a range of memory without losing what is held there.
    fn blur(&mut self, state: &mut State, range: Address, bytes: i64) {
        let mut inside = state.clone();
        inside.memory.clear(range, bytes);
        let left: Vec<TermId> =
            inside.memory.of(range.base).iter().map(|cell| cell.address).collect();
        let cells = state.memory.of(range.base).iter().filter(|cell| !left.contains(&cell.address));
        let held: Vec<TermId> = cells.map(|cell| cell.value).collect();
        for value in held {
            self.keep(InstId(u32::MAX), state, value, true);
        }
        state.memory.clear(range, bytes);
        state.memory.renew(&mut self.space, range.base);
    }

    pub fn note_written(&mut self, id: caulk_program::StaticId) {
        if let crate::summary::Written::These(set) = &mut self.written {
            set.insert(id);
        }
    }

    /// Somebody else has the value from now on, and all that can be reached from it.
    pub fn keep(&mut self, at: InstId, state: &mut State, value: TermId, may: bool) {
        self.keep_all(at, state, &[value], may);
    }

    /// The same of several values.
    pub fn keep_all(&mut self, at: InstId, state: &mut State, values: &[TermId], may: bool) {
        let bases = state.reachable_from(&self.space, values);
        self.keep_objects(at, state, &bases, may);
    }

    fn keep_objects(&mut self, at: InstId, state: &mut State, bases: &[TermId], may: bool) {
        for &base in bases {
            if self.may_own(state, base) && state.phase(base) != Phase::Released {
                self.escape(at, state, base, may);
                self.note_mark(state, base);
            }
        }
    }

    /// The value is where others find it, or where it is not followed.
    fn give_away(&mut self, at: InstId, state: &mut State, value: TermId, may: bool) {
        let bases = state.reachable(&self.space, value);
        self.keep_objects(at, state, &bases, may);
        self.expose_objects(state, &bases);
    }

    /// From now on, unknown functions may write the variables whose addresses are found by a value.
    fn expose(&self, state: &mut State, value: TermId) {
        let bases = state.reachable(&self.space, value);
        self.expose_objects(state, &bases);
    }

    fn expose_objects(&self, state: &mut State, bases: &[TermId]) {
        for &base in bases {
            if self.space.home(base) == Home::Local {
                state.memory.exposed.insert(base, ());
            }
        }
    }

    /// Whether a mark on it means anything: what was made here, the caller's pointers, and numbers
    /// that the caller passes (descriptors). Past a bound the caller's are left out, and those of
    /// static storage before them.
    fn may_own(&self, state: &State, base: TermId) -> bool {
        self.may_own_within(state, base, 1)
    }

    /// What statics hold is looked at down to a depth.
    fn may_own_within(&self, state: &State, base: TermId, of_statics: u32) -> bool {
        const MOST: usize = 24;
        const MOST_OF_STATICS: usize = 12;
        match self.space.home(base) {
            Home::Made => true,
            Home::Caller => {
                let direct = matches!(self.space.origin(base), Some(Origin::Param(_)));
                let (deepest, most) = match self.space.root(base) {
                    Some(Origin::Param(_)) => (2, MOST),
                    Some(Origin::Static(_)) => (of_statics, MOST_OF_STATICS),
                    _ => (0, 0),
                };
                let near = self.space.is_pointer(base) && self.space.load_depth(base) <= deepest;
                let room = state.marks.len() < most || state.marks.contains(base);
                direct || self.is_number_by_address(base) || near && room
            }
            _ => false,
        }
    }

    /// A number of which the caller passes the address: a descriptor, perhaps.
    fn is_number_by_address(&self, base: TermId) -> bool {
        match self.space.origin(base) {
            Some(Origin::Initial { address, bits: 32, .. }) => {
                matches!(self.space.origin(address), Some(Origin::Param(_)))
            }
            _ => false,
        }
    }

    /// A descriptor in the caller's memory, or in what that leads to.
    fn is_number_of_caller(&self, base: TermId) -> bool {
        matches!(self.space.load_depth(base), 1 | 2) && self.space.is_nameable(base)
    }

    /// The same, and it was there when the function began.
    fn is_number_found(&self, base: TermId) -> bool {
        let origin = self.space.origin(base);
        matches!(origin, Some(Origin::Initial { bits: 32, .. }))
            && self.is_number_of_caller(base)
            && self.space.is_from_start(base)
    }

    pub fn keep_contents(&mut self, at: InstId, state: &mut State, base: TermId) {
        let cells: Vec<TermId> = state.memory.of(base).iter().map(|cell| cell.value).collect();
        for value in cells {
            self.keep(at, state, value, true);
        }
    }

    /// The contents of what a value points to are unknown from now on, and those of variables whose
    /// addresses are found there: a table of options, say.
    pub fn havoc(&mut self, at: InstId, state: &mut State, value: TermId) {
        let mut bases = Objects::new();
        push_bases(&self.space, value, &mut bases);
        let direct = bases.len();
        let found = state.reachable(&self.space, value).into_iter();
        bases.extend(found.filter(|&base| self.space.home(base) == Home::Local));
        let (direct, variables) = bases.split_at(direct);
        let variables = variables.iter().filter(|base| !direct.contains(base));
        for &base in direct.iter().chain(variables) {
            self.keep_contents(at, state, base);
            state.memory.forget(&mut self.space, base);
            if let Some(Origin::Static(id)) = self.space.origin(base) {
                self.note_written(id);
            }
        }
    }

    pub fn release(&mut self, at: InstId, state: &mut State, what: TermId, how: &How) {
        let Some(place) = self.space.address(what) else {
            state.standard_closed |= self.is_standard_stream(what);
            return;
        };
        // The descriptor after another is not that one.
        let is_other_number = !self.space.is_pointer_wide(what) && place.offset != Some(0);
        if is_other_number || self.is_null(state, what) {
            return;
        }
        let ghost = self.space.offset(what, GHOST);
        if self.is_inside(how) {
            self.release_inside(at, state, ghost, how);
            return;
        }
        if let Some(cell) = state.memory.get(&self.space, ghost).copied()
            && self.is_of_resource(cell.value, how)
        {
            state.memory.retain(|row| row.address != ghost);
            self.release(at, state, cell.value, how);
            return;
        }
        if how.members {
            self.release_members(at, state, place.base);
        }
        self.note_sweep(state, place.base);
        self.note_astray(at, state, place, how);
        self.release_bases(at, state, what, how);
    }

    /// Whether the resource is inside objects: what is released is not what is given.
    fn is_inside(&mut self, how: &How) -> bool {
        let Some(resource) = &how.resource else { return false };
        if let Some((_, known)) = self.inside.iter().find(|it| it.0 == *resource) {
            return *known;
        }
        let machine = self.context.machines.for_resource(resource);
        let is_inside = machine.is_some_and(|machine| machine.owner() == Owner::Function);
        self.inside.push((resource.clone(), is_inside));
        is_inside
    }

    /// Whether a release is meant for such objects.
    fn is_of_resource(&self, object: TermId, how: &How) -> bool {
        let made = self.made.get(&object).map(|made| &made.resource);
        made.is_some() && made == how.resource.as_ref()
    }

    /// A lock: it stays where it is, and may have been taken by the caller.
    fn release_inside(&mut self, at: InstId, state: &mut State, ghost: TermId, how: &How) {
        let base = self.space.address(ghost).map(|place| place.base);
        if let Some(Origin::Static(id)) = base.and_then(|base| self.space.origin(base)) {
            self.note_written(id);
        }
        let value = self.load(state, ghost, Scalar::Ptr);
        self.release_bases(at, state, value, how);
    }

    fn release_bases(&mut self, at: InstId, state: &mut State, what: TermId, how: &How) {
        let Some(place) = self.space.address(what) else { return };
        let mut bases = Objects::new();
        push_bases(&self.space, what, &mut bases);
        for base in bases {
            let may_own = self.may_own_within(state, base, 2) || self.is_opaque(base);
            if may_own || self.is_number_of_caller(base) {
                if how.certainty == Certainty::Perhaps || self.is_inside_candidate(place.base) {
                    self.space.doubt(base);
                }
                let certainty = if base == place.base { how.certainty } else { Certainty::Perhaps };
                let how = How { certainty, ..how.clone() };
                if base == what {
                    self.note_numbers(at, base, how.numbers);
                    self.follow_foreign(at, state, base, &how);
                }
                self.release_object(at, state, base, &how);
            }
        }
    }

    /// Whether one of the places that a symbol may stand for is inside of an object.
    fn is_inside_candidate(&self, symbol: TermId) -> bool {
        let is_inside =
            |&it: &TermId| self.space.address(it).is_some_and(|it| it.offset != Some(0));
        self.space.candidates(symbol).iter().any(is_inside)
    }

    fn is_standard_stream(&self, what: TermId) -> bool {
        let number = self.space.constant(what).filter(|_| !self.space.is_pointer_wide(what));
        number.is_some_and(|it| (0..STANDARD).contains(&it))
    }

    /// Remembers the release of what a loop comes by on its way along a structure of the caller's.
    fn note_sweep(&self, state: &mut State, base: TermId) {
        let space = &self.space;
        let (cell, last) = match space.origin(base) {
            Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Outcome(_)) => (base, None),
            Some(Origin::Initial { address, .. }) => match space.address(address) {
                Some(Address { base, offset: Some(offset) }) => (base, Some(offset)),
                _ => return,
            },
            _ => return,
        };
        if let Some((root, links)) = space.chain(cell) {
            state.note_sweep(Sweep { root, links, last });
        }
    }

    /// A callee released all that it came by.
    pub fn sweep(&mut self, at: InstId, state: &mut State, found: &[TermId]) {
        let perhaps = How { certainty: Certainty::Perhaps, ..How::default() };
        for &object in found {
            // The last cell of a circular list leads back to what has the list.
            let is_done = |mark: &Mark| mark.phase == Phase::Released && mark.at == at;
            if self.may_own(state, object) && !state.marks.get(object).is_some_and(is_done) {
                self.space.doubt(object);
                self.release_object(at, state, object, &perhaps);
            }
        }
    }

    fn release_members(&mut self, at: InstId, state: &mut State, base: TermId) {
        let mut members = Objects::new();
        for cell in state.memory.of(base) {
            push_bases(&self.space, cell.value, &mut members);
        }
        let perhaps = How { certainty: Certainty::Perhaps, ..How::default() };
        for member in members.into_iter().filter(|&member| member != base) {
            if self.may_own(state, member) {
                self.space.doubt(member);
                self.release_object(at, state, member, &perhaps);
            }
        }
    }

    fn release_object(&mut self, at: InstId, state: &mut State, object: TermId, how: &How) {
        if self.is_tried_again(at, state, object) {
            return;
        }
        self.note_touch(state, object);
        self.note_kept(at, state, object);
        self.note_resource(object, how);
        let wrong = self.is_mismatch(object, how);
        self.note_second_release(state, object, how.certainty);
        let mark = self.after_release(at, state, object, (wrong, how.certainty));
        state.marks.insert(object, mark);
        self.note_mark(state, object);
        if mark.phase == Phase::Live {
            return;
        }
        let is_gone = self.space.home(object) == Home::Made && how.certainty != Certainty::Perhaps;
        if is_gone && state.drop_holder(&self.space, object) {
            self.note_loss(state, at, Loss::WithOwner);
        }
    }

    /// Whether a call whose result is looked at closes a descriptor that it closed before: it failed,
    /// as in `while (close(fd) < 0 && errno == EINTR)`.
    fn is_tried_again(&self, at: InstId, state: &State, object: TermId) -> bool {
        let before = state.marks.get(object);
        let again = before.is_some_and(|mark| mark.phase == Phase::Released && mark.at == at);
        let result = self.body.results.get(at).copied().flatten();
        again
            && self.space.terms.width(object) < self.space.pointer_bits
            && result.is_some_and(|result| self.is_read_after(at, result))
    }

    /// What the caller made is released twice here: the caller is told.
    fn note_second_release(&self, state: &mut State, object: TermId, certainty: Certainty) {
        const MOST: usize = 4;
        let before = state.marks.get(object);
        let twice = before.is_some_and(|mark| {
            mark.phase == Phase::Released && mark.certainty.max(certainty) == Certainty::Sure
        });
        if twice
            && self.space.home(object) == Home::Caller
            && state.again.len() < MOST
            && !state.again.contains(&object)
        {
            state.again.to_mut().push(object);
        }
    }

    /// Remembers what the caller's object is taken for: whoever made it as something else is told.
    fn note_resource(&mut self, object: TermId, how: &How) {
        if self.space.home(object) != Home::Caller {
            return;
        }
        // What is inside an object is found by a name of its own.
        let resource = how.resource.clone().filter(|_| !self.is_inside(how));
        let known = self.released_as.entry(object).or_insert_with(|| resource.clone());
        if *known != resource {
            *known = None;
        }
    }

    fn is_mismatch(&self, object: TermId, how: &How) -> bool {
        let made = self.made.get(&object).filter(|made| !made.unsure).map(|made| &made.resource);
        how.certainty == Certainty::Sure
            && made.zip(how.resource.as_ref()).is_some_and(|(made, released)| made != released)
    }

    pub fn is_null(&mut self, state: &State, term: TermId) -> bool {
        let is_null = self.space.terms.is_zero(term);
        self.space.is_pointer_wide(term)
            && state.facts.decide(&self.space.terms, is_null) == Some(true)
    }

    /// The followed object must not be read or written after its release.
    pub fn check_use(&mut self, at: InstId, state: &mut State, address: TermId) {
        let base = self.space.address(address).map(|place| place.base);
        if let Some(Origin::Param(number @ 0..32)) = base.and_then(|it| self.space.origin(it))
            && base.is_some_and(|it| !state.marks.contains(it))
        {
            state.uses |= 1 << number;
        }
        if let Some(base) = base {
            self.note_touch(state, base);
            if self.is_number_found(base) && !state.marks.contains(base) {
                state.note_used_number(base);
            }
        }
        let Some(focus) = state.focus else { return };
        if self.space.address(address).is_some_and(|place| place.base == focus) {
            self.use_object(at, state, focus);
        }
    }
}

/// How something is released.
#[derive(Clone, Debug, Default)]
pub struct How {
    pub certainty: Certainty,
    pub members: bool,
    pub resource: Option<Resource>,
    /// Its places among what a call releases, in the cases that release it.
    pub numbers: Numbers,
    /// What memory held before the call is it, or decided about it, and nothing is known of that.
    pub depends: bool,
}
