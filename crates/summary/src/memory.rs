//! Reading, writing, copying, freeing and giving away: the meaning of memory.

use caulk_base::BitSet;
use caulk_ir::{Inst, InstId, ValueId};

use crate::exec::{Event, Exec, Made, Point};
use crate::fills::{Among, Extent};
use crate::location::{Loc, LocId};
use crate::numbers::Numbers;
use crate::state::{Background, State};
use crate::story::Holder;
use crate::value::Value;

impl Exec<'_> {
    /// The contents of all locations that an address may be.
    pub fn load(
        &mut self,
        state: &mut State,
        from: &Value,
        is_pointer: bool,
        point: Point,
    ) -> Value {
        let mut value = Value::none();
        for &cell in from.addresses() {
            let held = self.load_cell(state, cell, is_pointer, point);
            value.join(&held);
        }
        if value.is_none() {
            return self.outside(is_pointer);
        }
        value
    }

    /// A value of which nothing is known: it may lead to memory outside.
    pub fn outside(&self, is_pointer: bool) -> Value {
        if is_pointer { Value::new(Numbers::ALL, [self.global]) } else { Value::any_number() }
    }

    pub fn load_cell(
        &mut self,
        state: &mut State,
        cell: LocId,
        is_pointer: bool,
        point: Point,
    ) -> Value {
        self.steps += 1;
        if matches!(self.locations.get(cell), Loc::Global | Loc::Function(_)) {
            return self.outside(is_pointer);
        }
        if is_pointer {
            self.locations.mark_pointer(cell);
        }
        let mut value = Value::none();
        for other in self.locations.overlapping(cell) {
            if let Some(held) = state.memory.get(*other) {
                value.join(held);
            }
        }
        for other in self.locations.contents_around(cell) {
            if let Some(held) = state.memory.get(other) {
                value.join(held);
            }
        }
        if let Loc::Contents(of) = self.locations.get(cell) {
            return self.load_contents(state, (cell, of), value, point);
        }
        if state.memory.get(cell).is_none() {
            match self.unwritten(state, cell, point) {
                Some(initial) => {
                    state.memory.insert(cell, initial.clone());
                    value.join(&initial);
                }
                None if value.is_none() => return Value::any_number(),
                // Other elements may hold anything.
                None if value.addresses().is_empty() => value.numbers = Numbers::ALL,
                None => {}
            }
        }
        value
    }

    /// All that the object holds from there on. What nobody has looked at yet is not written
    /// down: it would hide what is found out of single members later.
    fn load_contents(
        &mut self,
        state: &State,
        (cell, of): (LocId, LocId),
        mut value: Value,
        point: Point,
    ) -> Value {
        for part in self.locations.parts(of) {
            if let Some(held) = state.memory.get(part) {
                value.join(held);
            }
        }
        if let Some(initial) = self.unwritten(state, cell, point) {
            value.join(&initial);
        }
        value
    }

    /// Strong where one location is meant for certain, weak elsewhere.
    pub fn store(&mut self, state: &mut State, to: &Value, value: &Value, point: Point) {
        if to.addresses().is_empty() {
            if to.numbers != Numbers::ZERO {
                self.give_away(state, value);
            }
            return;
        }
        let single = to.addresses().len() == 1;
        for &cell in to.addresses() {
            self.store_cell(state, cell, value, single, point);
        }
    }

    pub fn store_cell(
        &mut self,
        state: &mut State,
        cell: LocId,
        value: &Value,
        single: bool,
        point: Point,
    ) {
        self.steps += 1;
        match self.locations.root(cell) {
            Loc::Function(_) => return,
            Loc::Global => return self.give_away(state, value),
            Loc::Static(id) => {
                self.write_static(id);
                if !self.options().one_global {
                    state.written.insert(cell);
                }
            }
            Loc::Arg(_) => {
                state.written.insert(cell);
            }
            _ => {}
        }
        if !value.addresses().is_empty() {
            self.locations.mark_pointer(cell);
        }
        self.note_holder(value, Holder::Cell(cell));
        if self.locations.is_element(cell) {
            self.note_in_array(state, value);
        }
        let mut value = value.clone();
        if !single || self.is_summary(state, cell) {
            let is_contents = matches!(self.locations.get(cell), Loc::Contents(_));
            let old = match state.memory.get(cell) {
                Some(old) => Some(old.clone()),
                // The members themselves still hold what they did.
                None if is_contents => None,
                None => self.unwritten(state, cell, point),
            };
            match old {
                Some(old) => value.join(&old),
                None if value.addresses().is_empty() => value.numbers = Numbers::ALL,
                None => {}
            }
        }
        self.bound_addresses(state, &mut value);
        self.forget_cell(state, cell);
        state.memory.insert(cell, value);
    }

    fn note_in_array(&self, state: &mut State, value: &Value) {
        for &address in value.addresses() {
            let object = self.locations.object(address);
            if matches!(self.locations.get(object), Loc::Region { .. }) {
                state.in_arrays.insert(object);
            }
        }
    }

    pub fn note_holder(&mut self, value: &Value, holder: Holder) {
        for &address in value.addresses() {
            let object = self.locations.object(address);
            if matches!(self.locations.get(object), Loc::Region { .. }) {
                self.holders.insert(object, holder);
            }
        }
    }

    /// A value that may be too many addresses is one that the world outside holds.
    pub fn bound_addresses(&mut self, state: &mut State, value: &mut Value) {
        if value.addresses().len() > self.options().budget.addresses {
            self.give_away(state, &value.clone());
            *value = Value::new(Numbers::ALL, [self.global]);
        }
    }

    /// All that the value leads to is reachable from globals from now on (Arg2Glob).
    pub fn give_away(&mut self, state: &mut State, value: &Value) {
        if value.addresses().iter().all(|&it| it == self.global) {
            return;
        }
        let objects = self.reach_beside_globals(state, value.addresses().iter().copied());
        let is_own = |object: &LocId| {
            !matches!(self.locations.get(*object), Loc::Global | Loc::Static(_) | Loc::Function(_))
        };
        let kept: Vec<LocId> = objects.iter().filter(is_own).collect();
        let before = state.memory.get(self.global);
        let mut held = before.cloned().unwrap_or_else(Value::none);
        held.join(&Value::new(Numbers::NONE, kept));
        // States share their memory until it changes.
        if before != Some(&held) {
            state.memory.insert(self.global, held);
        }
    }

    /// The objects that addresses lead to, themselves included.
    pub fn reach(&mut self, state: &State, from: impl Iterator<Item = LocId>) -> BitSet<LocId> {
        let seen = BitSet::new(self.locations.len());
        self.reach_beside(state, from, seen)
    }

    /// The same, without what was given away before: the one location of the globals leads there.
    fn reach_beside_globals(
        &mut self,
        state: &State,
        from: impl Iterator<Item = LocId>,
    ) -> BitSet<LocId> {
        let mut seen = BitSet::new(self.locations.len());
        seen.insert(self.global);
        self.reach_beside(state, from, seen)
    }

    /// The same, added to what was seen before and is not looked at again.
    fn reach_beside(
        &mut self,
        state: &State,
        from: impl Iterator<Item = LocId>,
        mut seen: BitSet<LocId>,
    ) -> BitSet<LocId> {
        /// Addresses that lead to so many locations that an index of them pays.
        const MANY: usize = 8;
        let from: Vec<LocId> = from.collect();
        let index = (from.len() >= MANY).then(|| state.memory.index(self.locations.len()));
        let held = |cell: LocId| match &index {
            Some(index) => index.get(cell),
            None => state.memory.get(cell),
        };
        let mut pending: Vec<LocId> = Vec::with_capacity(from.len());
        let mut push = |addresses: &[LocId], pending: &mut Vec<LocId>| {
            let objects = addresses.iter().map(|&it| self.locations.object(it));
            pending.extend(objects.filter(|&object| seen.insert(object)));
        };
        push(&from, &mut pending);
        let mut steps = 0;
        while let Some(object) = pending.pop() {
            steps += 1;
            for &cell in self.locations.leading(object) {
                if let Some(value) = held(cell) {
                    push(value.addresses(), &mut pending);
                }
            }
        }
        self.steps += steps;
        seen
    }

    /// The objects that globals reach (ĜL).
    pub fn reach_of_globals(&mut self, state: &State) -> BitSet<LocId> {
        let is_root = |id: &LocId| matches!(self.locations.get(*id), Loc::Static(_) | Loc::Global);
        let roots: Vec<LocId> = self.locations.ids().filter(is_root).collect();
        self.reach(state, roots.into_iter())
    }

    /// Of these, those that a summary does not find by the names of statics.
    pub fn reach_of_unnamed(&mut self, state: &State) -> BitSet<LocId> {
        match self.options().one_global {
            true => self.reach_of_globals(state),
            false => self.reach(state, std::iter::once(self.global)),
        }
    }

    /// The objects that globals reach, or with `some_path_escapes` off, that statics do on all paths:
    /// who was given something may have dropped it.
    pub fn kept_by_globals(&mut self, state: &State) -> BitSet<LocId> {
        match self.options().some_path_escapes {
            true => self.reach_of_globals(state),
            false => self.surely_kept(state),
        }
    }

    /// What statics lead to by cells that stand for one place and hold one address.
    fn surely_kept(&self, state: &State) -> BitSet<LocId> {
        let mut seen = BitSet::new(self.locations.len());
        let is_static = |id: &LocId| matches!(self.locations.get(*id), Loc::Static(_));
        let mut pending: Vec<LocId> = self.locations.ids().filter(is_static).collect();
        while let Some(object) = pending.pop() {
            if !seen.insert(object) {
                continue;
            }
            let cells = self.locations.leading(object).iter();
            let cells = cells.filter(|&&cell| !self.is_summary(state, cell));
            for value in cells.filter_map(|&cell| state.memory.get(cell)) {
                // Of several objects with one name, it holds the last.
                if let [only] = value.addresses()[..]
                    && !state.multiple.contains(self.locations.object(only))
                {
                    pending.push(self.locations.object(only));
                }
            }
        }
        seen
    }

    /// Removes the freed cells from the allocation set and adds them to the freed set.
    pub fn free(&mut self, at: InstId, state: &mut State, value: &Value) {
        let single = value.addresses().len() == 1;
        for &address in value.addresses() {
            let object = self.locations.object(address);
            let is_heap =
                matches!(self.locations.get(object), Loc::Region { .. } | Loc::Explore(_));
            if is_heap {
                self.free_object(at, state, object, single);
            }
        }
    }

    fn free_object(&mut self, at: InstId, state: &mut State, object: LocId, single: bool) {
        let certain = single && !self.is_summary(state, object);
        self.freed_at.insert(object, at);
        self.events.remove(&(at, object));
        let before = state.freed_always.get(object).copied().filter(|&first| first != at);
        if let Some(first) = before.filter(|_| certain) {
            self.events.insert((at, object), Event::FreedAgain { first });
        }
        if certain || self.options().free_all {
            state.allocated.remove(object);
        }
        if certain || self.options().some_path_escapes {
            state.freed.insert(object);
        }
        if certain {
            state.freed_always.insert(object, before.unwrap_or(at));
        }
    }

    /// A heap cell of this call. What is reallocated at its own site keeps its contents. One that its site made before and that something still leads to
    /// becomes several; one that nothing leads to is lost here.
    pub fn make(
        &mut self,
        at: InstId,
        index: u16,
        made: Made,
        background: Background,
        state: &mut State,
    ) -> LocId {
        let region = self.locations.intern(Loc::Region { at, index });
        self.events.remove(&(at, region));
        if made.replaces.contains(&region) && !state.allocated.contains(region) {
            self.renew_sets(state, region);
            state.allocated.insert(region);
            state.surely.insert(region);
            self.made.insert(region, made);
            return region;
        }
        if state.allocated.contains(region) {
            let is_in_loop = self.facts.cfg().loops().depth(self.facts.block_of(at)) > 0;
            if self.is_mentioned(at, state, region) || !is_in_loop {
                state.multiple.insert(region);
            } else {
                self.events.insert((at, region), Event::Lost);
                self.renew(state, region);
            }
        } else {
            self.renew(state, region);
        }
        if !state.multiple.contains(region) {
            state.background.insert(region, background);
            state.in_arrays.remove(region);
        }
        state.allocated.insert(region);
        state.surely.insert(region);
        self.made.insert(region, made);
        region
    }

    fn renew(&mut self, state: &mut State, region: LocId) {
        let locations = &self.locations;
        state.memory.retain(|cell, _| locations.object(cell) != region);
        state.multiple.remove(region);
        self.renew_sets(state, region);
    }

    fn renew_sets(&self, state: &mut State, region: LocId) {
        state.freed.remove(region);
        state.freed_always.remove(region);
    }

    /// Whether memory, or a value that is used after the instruction, leads to it.
    fn is_mentioned(&self, at: InstId, state: &State, region: LocId) -> bool {
        let holds =
            |value: &Value| value.addresses().iter().any(|&it| self.locations.object(it) == region);
        let is_used = |(id, value): (&ValueId, &Value)| holds(value) && self.is_used_after(at, *id);
        self.handed_on.contains(&region)
            || self.values.iter().any(is_used)
            || state
                .memory
                .iter()
                .any(|(cell, value)| self.locations.object(cell) != region && holds(value))
    }

    fn is_used_after(&self, at: InstId, id: ValueId) -> bool {
        let block = self.facts.block_of(at);
        let row = &self.body.blocks[block];
        if self.facts.liveness().is_live_at_end(block, id) {
            return true;
        }
        let mut used = row.terminator.operand() == Some(id)
            || row.terminator.edges().any(|edge| edge.args.contains(&id));
        for later in (at.0 + 1..row.end.0).map(InstId) {
            if !matches!(self.body.insts[later], Inst::Set { .. }) {
                self.body.operands(later, |operand| used |= operand == id);
            }
        }
        used
    }

    /// The allocation did not happen after all, nor what only it would hold.
    pub fn unmake_all(&mut self, state: &mut State, region: LocId) {
        if !state.allocated.contains(region) {
            return;
        }
        let below = self.reach(state, std::iter::once(region));
        let mut parts: Vec<LocId> =
            below.iter().filter(|&it| state.allocated.contains(it)).collect();
        parts.retain(|&part| part == region || !self.is_held_outside(state, part, &below));
        // Parts first: what failed is the whole.
        parts.sort_by_key(|&part| part == region);
        parts.into_iter().for_each(|part| self.unmake(state, part));
    }

    fn is_held_outside(&self, state: &State, part: LocId, below: &BitSet<LocId>) -> bool {
        let holds =
            |value: &Value| value.addresses().iter().any(|&it| self.locations.object(it) == part);
        self.values.values().any(holds)
            || state
                .memory
                .iter()
                .any(|(cell, value)| !below.contains(self.locations.object(cell)) && holds(value))
    }

    /// The allocation did not happen after all.
    fn unmake(&mut self, state: &mut State, region: LocId) {
        if !state.allocated.remove(region) {
            return;
        }
        if let Loc::Region { at, .. } = self.locations.get(region) {
            state.failed = Some(at);
        }
        let replaced = state.replaced.get(region).cloned().unwrap_or_else(Value::none);
        for &old in replaced.addresses() {
            state.freed.remove(old);
            state.freed_always.remove(old);
            if matches!(self.locations.get(old), Loc::Region { .. }) {
                state.allocated.insert(old);
                state.surely.insert(old);
            }
        }
    }

    /// What an object of the caller holds that nobody has looked at is in the other, too.
    pub fn copy_contents(&mut self, state: &mut State, to: &Value, from: &Value, point: Point) {
        for &source in from.addresses() {
            if !self.locations.is_from_caller(source) {
                continue;
            }
            let contents = self.locations.contents(source);
            let held = self.load_cell(state, contents, true, point);
            for &target in to.addresses() {
                if self.locations.object(target) != self.locations.object(source) {
                    let place = self.locations.contents(target);
                    self.store_cell(state, place, &held, false, point);
                }
            }
        }
    }

    /// Copies what is known of some bytes of one object into another.
    pub fn copy_known(
        &mut self,
        state: &mut State,
        to: &Value,
        from: &Value,
        extent: Extent,
        point: Point,
    ) {
        let single = to.addresses().len() == 1 && from.addresses().len() == 1;
        for &source in from.addresses() {
            let object = self.locations.object(source);
            for &target in to.addresses() {
                if self.locations.object(target) == object {
                    continue;
                }
                for cell in self.locations.inside(object).to_vec() {
                    let Some(held) = state.memory.get(cell).cloned() else { continue };
                    let among = extent.covers(self.locations.distance(source, cell));
                    if among == Among::Never {
                        continue;
                    }
                    if let Some(place) = self.locations.rebase(cell, source, target) {
                        let is_sure = single && among == Among::Always;
                        self.store_cell(state, place, &held, is_sure, point);
                    }
                }
                let background = self.background(state, object);
                let target = self.locations.object(target);
                if background == Background::Unknown
                    && self.background(state, target) < Background::Initial
                {
                    state.background.insert(target, Background::Unknown);
                }
            }
        }
    }
}
