//! What calls do to the carriers of an object: make it, release it or its owner, hand it on, keep
//! it, overwrite memory that holds it.

use caulk_ir::{Call, CallId, Inst, InstId, ValueId, ValueKind};
use caulk_memory::{RegionId, Version, VersionId, View, root};
use caulk_models::{Effect, Freed, When};
use caulk_pointer::Target;
use caulk_program::InstanceId;

use crate::holders::DeathKind;
use crate::holders_carriers::{Carrier, MemoryCarrier};
use crate::holders_deaths::Recorder;
use crate::holders_step::{HOLD, NEW, OLD, OTHER, State, Step};
use crate::holders_tracked::comes_from_entry;
use crate::node::{End, Node, Point};

impl Step<'_, '_, '_> {
    fn targets(&self, call: CallId) -> &[Target] {
        self.flow.memory.input().points_to.callees(self.instance, call)
    }

    fn row(&self, call: CallId) -> &Call {
        &self.body().calls[call]
    }

    fn callees(&self, call: CallId) -> impl Iterator<Item = InstanceId> + '_ {
        self.flow.memory.callees(self.instance, call)
    }

    /// What happens before the call leaves anything: releases, and a new object that makes those
    /// before it older.
    pub fn before_call(
        &self,
        inst: InstId,
        call: CallId,
        state: &mut State,
        recorder: &mut Recorder,
    ) {
        if state.exists {
            self.releases(inst, call, state, recorder);
            state.may_be_freed |= self.callees(call).any(|it| self.tracked.is_released_in(it));
        }
        if self.makes(inst, call) {
            for bits in &mut state.bits {
                *bits = if *bits & NEW != 0 { *bits & !NEW | OLD } else { *bits };
            }
            state.exists = true;
            state.may_be_freed = false;
        }
    }

    fn makes(&self, inst: InstId, call: CallId) -> bool {
        self.tracked.maker == (self.instance, inst)
            || self.callees(call).any(|callee| self.tracked.is_made_in(callee))
    }

    fn releases(&self, inst: InstId, call: CallId, state: &mut State, recorder: &mut Recorder) {
        let targets = self.targets(call);
        for target in targets {
            let &Target::External(external) = target else { continue };
            let model = self.flow.memory.input().externals.of(external);
            for effect in model.map_or(&[][..], |model| &model.effects) {
                match *effect {
                    Effect::Frees { args, what, ref when, .. } => {
                        let sure = targets.len() == 1 && *when == When::Always;
                        let count = self.row(call).args.len() as u32;
                        for index in args.of_call(count) {
                            self.free(inst, call, index, what, sure, state, recorder);
                        }
                    }
                    Effect::Reallocates { arg, .. } => {
                        state.may_be_freed |= self.argument_bits(call, arg, state) & HOLD != 0;
                    }
                    _ => {}
                }
            }
        }
    }

    fn argument(&self, call: CallId, index: u32) -> Option<ValueId> {
        self.row(call).args.get(index as usize).map(|arg| arg.value)
    }

    fn argument_bits(&self, call: CallId, index: u32, state: &State) -> u8 {
        self.argument(call, index).map_or(OTHER, |value| self.value_bits(state, value))
    }

    #[expect(clippy::too_many_arguments, reason = "a call, an effect and where to write")]
    fn free(
        &self,
        inst: InstId,
        call: CallId,
        index: u32,
        what: Freed,
        sure: bool,
        state: &mut State,
        recorder: &mut Recorder,
    ) {
        let Some(value) = self.argument(call, index) else { return };
        let bits = self.value_bits(state, value);
        if what == Freed::Pointee {
            state.may_be_freed = true;
            return;
        }
        if bits & HOLD != 0 {
            if sure { self.released(value, bits, state) } else { state.may_be_freed = true }
        }
        if state.exists && what != Freed::Inside {
            self.owner_freed(inst, value, sure, state, recorder);
        }
    }

    /// The object is gone if the value must hold it; else whoever has the same value holds it no
    /// more.
    fn released(&self, value: ValueId, bits: u8, state: &mut State) {
        if bits == NEW {
            state
                .bits
                .iter_mut()
                .filter(|it| **it & NEW != 0)
                .for_each(|it| *it = *it & !NEW | OTHER);
            if state.bits.iter().all(|it| it & HOLD == 0) {
                state.forget();
            }
            return;
        }
        state.may_be_freed = true;
        let family = self.base(value);
        for (at, &carrier) in self.carriers.rows.iter().enumerate() {
            let same = match carrier {
                Carrier::Value(other) => self.base(other) == family,
                Carrier::Variable(_) => state.current[at].map(|it| self.base(it)) == Some(family),
                _ => false,
            };
            if same {
                state.bits[at] = OTHER;
            }
        }
    }

    /// The value that an address is computed from (F10).
    pub fn base(&self, mut value: ValueId) -> ValueId {
        let body = self.body();
        while let ValueKind::Inst(inst) = body.values[value].kind {
            value = match body.insts[inst] {
                Inst::Field { base, .. } | Inst::Index { base, .. } => base,
                Inst::Convert { value, .. } => value,
                _ => break,
            };
        }
        value
    }

    /// What fields of a released object held.
    fn owner_freed(
        &self,
        inst: InstId,
        value: ValueId,
        sure: bool,
        state: &mut State,
        recorder: &mut Recorder,
    ) {
        let points_to = self.flow.memory.input().points_to;
        let set = points_to.value(self.instance, value);
        for row in &self.carriers.memory {
            let Some(owner) = self.flow.memory.object_of(row.region) else { continue };
            let is_freed = points_to.lists(set, owner);
            if !is_freed || !points_to.objects[owner].kind.is_heap() {
                continue;
            }
            let kind = DeathKind::LostWithOwner(owner);
            let newest = root(self.body(), value).map(View::Newest);
            if sure && newest == Some(row.view) {
                let before = state.bits[row.at];
                state.bits[row.at] = OTHER;
                recorder.lost(Point::Inst(inst), row.at, kind, before, state);
            } else {
                recorder.weakened(Point::Inst(inst), row.at, kind, state.bits[row.at], state);
            }
        }
    }

    pub fn call_result(&self, inst: InstId, call: CallId, before: &State) -> u8 {
        let result = self.body().results[inst].map(|value| Node::Value(self.instance, value));
        if self.tracked.maker == (self.instance, inst) {
            let is_source = result.is_some_and(|node| self.tracked.reach.sources.contains(&node));
            return if is_source { NEW } else { OTHER };
        }
        if !self.makes(inst, call) {
            return self.gather(inst, before) | OTHER;
        }
        let elsewhere = self.gaining(call) > 0;
        let older = self.gather(inst, before) & OLD;
        NEW | older | if elsewhere || older != 0 { OTHER } else { 0 }
    }

    /// In how many places other than its result a call may leave the address.
    fn gaining(&self, call: CallId) -> usize {
        let regions = self.carriers.memory.iter().filter(|row| self.gains(call, row.region));
        let kept = self.callees(call).any(|it| self.tracked.kept_in(it).next().is_some());
        regions.count() + usize::from(kept)
    }

    /// Whether a callee may leave the address in the region.
    fn gains(&self, call: CallId, region: RegionId) -> bool {
        self.callees(call).any(|callee| {
            let chain = self.flow.memory.chain(callee, region, View::All);
            let left = chain.returns().iter();
            left.into_iter().any(|&(_, version)| {
                let is_written = !matches!(chain.versions()[version], Version::Entry);
                is_written && self.tracked.holds(Node::Memory(callee, region, View::All, version))
            })
        })
    }

    /// Whether every callee surely replaces what the region held.
    fn is_replaced(&self, call: CallId, region: RegionId) -> bool {
        let only_procedures =
            self.targets(call).iter().all(|target| matches!(target, Target::Instance(_)));
        let mut callees = self.callees(call).peekable();
        only_procedures
            && callees.peek().is_some()
            && callees.all(|callee| {
                let chain = self.flow.memory.chain(callee, region, View::All);
                let left = chain.returns().iter();
                left.into_iter().all(|&(_, version)| !comes_from_entry(chain.versions(), version))
            })
    }

    pub fn call_writes(
        &self,
        inst: InstId,
        call: CallId,
        state: &mut State,
        recorder: &mut Recorder,
    ) {
        let before = state.clone();
        for row in &self.carriers.memory {
            let Some(version) = row.chain.written_at(inst) else { continue };
            let left = self.left_by_call(inst, call, row, version, &before);
            if self.is_strong(inst, row) || self.is_replaced(call, row.region) {
                state.bits[row.at] = left;
                continue;
            }
            state.bits[row.at] |= left;
            if self.may_overwrite(inst, call, row.region) {
                let (kind, held) = (DeathKind::Overwritten, before.bits[row.at]);
                recorder.weakened(Point::Inst(inst), row.at, kind, held, state);
            }
        }
        self.keep(inst, call, &before, state);
    }

    /// What a call leaves in memory. If that is the only place, the new object must be there:
    /// facts are about executions in which it still exists.
    fn left_by_call(
        &self,
        inst: InstId,
        call: CallId,
        row: &MemoryCarrier,
        version: VersionId,
        before: &State,
    ) -> u8 {
        if self.gains(call, row.region) {
            let handed = self.gather(inst, before) & HOLD;
            let result = self.body().results[inst].and_then(|value| self.carriers.value(value));
            return match (self.makes(inst, call), handed) {
                (true, 0) if self.gaining(call) == 1 && result.is_none() => NEW,
                (true, _) | (false, 0) => NEW | handed | OTHER,
                (false, _) => handed | OTHER,
            };
        }
        if !self.tracked.holds(self.node(row, version)) {
            OTHER
        } else if self.tracked.maker == (self.instance, inst) {
            NEW | OTHER
        } else {
            self.own_copy(inst, before)
        }
    }

    /// What an external function that copies memory moves.
    fn own_copy(&self, inst: InstId, state: &State) -> u8 {
        if self.flow.memory.access(self.instance, inst).is_some() {
            self.gather(inst, state) | OTHER
        } else {
            OTHER
        }
    }

    /// Whether a modelled external function writes the region itself. What procedures overwrite
    /// dies in them.
    fn may_overwrite(&self, inst: InstId, call: CallId, region: RegionId) -> bool {
        let input = self.flow.memory.input();
        let modelled = self.targets(call).iter().any(|target| match *target {
            Target::External(external) => input.externals.of(external).is_some(),
            _ => false,
        });
        let access = self.flow.memory.access(self.instance, inst);
        let regions = self.flow.memory.regions();
        modelled && access.is_some_and(|it| regions.of_footprint(it.writes).contains(&region))
    }

    /// A library function that keeps it must hold it from now on; an unknown one, or one that a
    /// callee gives it to, may.
    fn keep(&self, inst: InstId, call: CallId, before: &State, state: &mut State) {
        let made = if self.makes(inst, call) { NEW } else { 0 };
        for (at, &carrier) in self.carriers.rows.iter().enumerate() {
            let Carrier::Library(external) = carrier else { continue };
            let in_callee =
                self.callees(call).any(|it| self.tracked.kept_in(it).any(|by| by == external));
            let bits = self.gather(inst, before);
            let is_kept = external.is_some_and(|it| self.ends_here(inst, End::Kept(it)));
            if is_kept && bits == NEW {
                state.bits[at] = NEW;
            } else if is_kept || in_callee || self.ends_here(inst, End::Unknown(external)) {
                state.bits[at] |= bits | made | OTHER;
            }
        }
    }

    fn ends_here(&self, inst: InstId, end: End) -> bool {
        self.tracked.holds(Node::End(self.instance, Point::Inst(inst), end))
    }
}
