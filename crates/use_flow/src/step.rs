//! One block, executed on a state: the meaning of each instruction.
//!
//! The same meaning serves both searches: the one that joins states and finds candidates, and the
//! one that follows single paths and decides them.

use std::rc::Rc;

use caulk_guard::bits::TermId;
use caulk_ir::{BlockId, Body, CallId, Inst, InstId, Module, Scalar, Type, TypeId, ValueId};
use caulk_machines::{Fault, Machines, StateId};
use caulk_program::{ExternalId, ExternalModels, IndirectTargets, ProcId, Program};
use caulk_ssa::FunctionFacts;

use crate::copies::push_members;
use crate::explore::{Grain, signature};
use crate::foreign::Numbers;
use crate::policies::Policies;
use crate::space::{Home, Origin, Slots, Space};
use crate::state::{Phase, State};
use crate::summaries::Summaries;

/// What all functions share.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub program: &'a Program,
    pub externals: &'a ExternalModels,
    pub indirect: &'a IndirectTargets,
    pub summaries: &'a Summaries,
    pub constants: &'a crate::constants::Constants,
    pub callers: &'a crate::callers::Callers,
    pub endings: &'a caulk_program::Endings,
    pub machines: &'a Machines,
    pub policies: Policies,
    /// Processor time of the thread, for statistics only.
    pub clock: fn() -> std::time::Duration,
    /// All summaries are there.
    pub finished: bool,
}

/// The object that a search follows: made by this call, as this one of what it makes; or one that
/// was there before, which this call is the first to release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Focus {
    pub call: InstId,
    pub index: u16,
    pub by: By,
}

/// How a call comes to the object that is followed from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    Making,
    Releasing,
}

/// An event that leads the object into an error state of its machine, besides being lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub error: StateId,
    pub fault: Fault,
    /// What led to the state before; none for the allocation itself.
    pub since: Option<InstId>,
    pub at: InstId,
}

/// How a block is left.
pub enum Way {
    Edge {
        slot: usize,
        to: BlockId,
        state: State,
    },
    /// In the middle of a block, after a call that has other outcomes too.
    Resume {
        at: InstId,
        state: State,
    },
    Return {
        state: State,
        value: Option<TermId>,
    },
    Trouble {
        trouble: Trouble,
        state: State,
    },
}

pub struct Exec<'a> {
    pub context: Context<'a>,
    pub proc: ProcId,
    pub module: &'a Module,
    pub body: &'a Body,
    pub facts: &'a FunctionFacts<'a>,
    pub slots: Slots,
    pub space: Space,
    pub focus: Option<Focus>,
    /// States of equal fate are joined: no single paths are followed now.
    pub joins: bool,
    /// Calls whose states before them are wanted, joined over all paths.
    pub watched: caulk_base::FxHashMap<InstId, Option<State>>,
    /// That a pointer parameter is NULL, for the first few.
    pub nulls: Vec<TermId>,
    /// That a parameter is one of the functions that it may be called as.
    pub callees: Vec<TermId>,
    /// Parameters that point to what nobody changes behind a const pointer, or to copies; constants
    /// of other units.
    pub fixed: Vec<TermId>,
    /// Resources by object.
    pub made: caulk_base::FxHashMap<TermId, crate::summary::Fresh>,
    /// What the caller's objects are released as; none where two calls take one for different things.
    pub released_as: caulk_base::FxHashMap<TermId, Option<caulk_models::Resource>>,
    /// Whether resources are inside objects: what is released is not what is given.
    pub inside: Vec<(caulk_models::Resource, bool)>,
    /// The instructions after which the followed object was left to somebody else.
    pub kept: caulk_base::FxHashSet<InstId>,
    /// The terms of constants that are the same at each use.
    pub named: caulk_base::FxHashMap<ValueId, TermId>,
    /// What the models say of calls of external functions.
    pub modelled: caulk_base::FxHashMap<(CallId, ExternalId), Rc<crate::summary::Summary>>,
    /// The callees whose effects are noted below.
    pub entered: caulk_base::FxHashSet<ProcId>,
    /// Objects that a call handed out by its result.
    pub by_result: caulk_base::FxHashSet<TermId>,
    /// Calls through pointers that lead nobody knows where.
    pub unresolved: caulk_base::FxHashSet<InstId>,
    pub written: crate::summary::Written,
    pub unknown_effects: bool,
    /// Troubles of the instruction that is being executed, with their states.
    pub troubles: Vec<(Trouble, State)>,
    /// Calls that released what was not made here and is touched later, perhaps.
    pub suspects: std::collections::BTreeMap<InstId, Numbers>,
    /// As what calls released objects, while none is followed.
    pub released_by: caulk_base::FxHashMap<(InstId, TermId), Numbers>,
    /// Those are wanted: all blocks are looked at.
    pub seeks_suspects: bool,
    /// Calls that release what was made here when somebody else has it, too.
    pub released_kept: caulk_base::FxHashSet<InstId>,
    /// Those of the caller's objects are known: the summary kept apart what is joined now.
    pub knows_suspects: bool,
    /// A callee comes later in the order of summaries, and only a pointer leads to it.
    pub met_later: bool,
    /// What is known better of one call.
    pub finer: Option<crate::specialise::Finer>,
}

/// Joins after an instruction are no block's, nor are those before one: their symbols are the
/// instruction's own.
const AFTER: u32 = 1 << 31;
const BEFORE: u32 = AFTER | 1 << 30;

/// Joins of the look that makes a summary: what their symbols may stand for there is nothing to the searches
/// for single objects after it.
const FIRST: u32 = 1 << 29;

/// The block that a join at its start belongs to.
pub fn block_of_join(place: BlockId) -> BlockId {
    BlockId(place.0 & !FIRST)
}

/// The instruction that a join belongs to, if not to a block.
pub fn instruction_of(place: BlockId) -> Option<InstId> {
    (place.0 & AFTER != 0).then_some(InstId(place.0 & !(BEFORE | FIRST)))
}

impl<'a> Exec<'a> {
    pub fn new(context: Context<'a>, proc: ProcId, facts: &'a FunctionFacts<'a>) -> Self {
        let module = context.program.module_of(proc);
        let body = facts.body();
        Self {
            context,
            proc,
            module,
            body,
            facts,
            slots: Slots::new(body),
            space: Space::new(module.target.pointer_bytes, body.insts.len()),
            focus: None,
            joins: false,
            watched: caulk_base::FxHashMap::default(),
            nulls: Vec::new(),
            callees: Vec::new(),
            fixed: Vec::new(),
            made: caulk_base::FxHashMap::default(),
            released_as: caulk_base::FxHashMap::default(),
            inside: Vec::new(),
            kept: caulk_base::FxHashSet::default(),
            named: caulk_base::FxHashMap::default(),
            modelled: caulk_base::FxHashMap::default(),
            entered: caulk_base::FxHashSet::default(),
            by_result: caulk_base::FxHashSet::default(),
            unresolved: caulk_base::FxHashSet::default(),
            written: crate::summary::Written::default(),
            unknown_effects: false,
            troubles: Vec::new(),
            suspects: std::collections::BTreeMap::new(),
            released_by: caulk_base::FxHashMap::default(),
            seeks_suspects: false,
            released_kept: caulk_base::FxHashSet::default(),
            knows_suspects: false,
            met_later: false,
            finer: None,
        }
    }

    /// The state in which the function starts.
    pub fn start(&mut self) -> State {
        const MOST_NULLS: usize = 3;
        let mut state = State::new();
        for (number, &param) in (0..).zip(&self.body.params) {
            let scalar = self.body.values[param].scalar;
            let bits = self.space.width(scalar);
            let term = self.space.symbol(Origin::Param(number), bits, scalar == Scalar::Ptr);
            state.values.insert(param, term);
            if scalar == Scalar::Ptr && self.nulls.len() < MOST_NULLS {
                let null = self.space.terms.is_zero(term);
                self.nulls.push(null);
            }
            let param = number as usize;
            let is_fixed = self.is_constant_pointer(param)
                || self.is_passed_by_copy(param)
                || self.is_out_parameter(param);
            if is_fixed && !self.fixed.contains(&term) {
                self.fixed.push(term);
            }
        }
        if let Some(into) = self.body.result_into {
            let bits = self.space.pointer_bits;
            let term = self.space.symbol(Origin::Param(u32::MAX), bits, true);
            state.values.insert(into, term);
        }
        state
    }

    /// Executes a block from an instruction on. Where a call has several outcomes, those of equal
    /// fate are joined if `joins`; else each is a way of its own, to be resumed after the call.
    pub fn run_block(
        &mut self,
        block: BlockId,
        from: InstId,
        state: State,
        joins: bool,
    ) -> Vec<Way> {
        let row = &self.body.blocks[block];
        self.joins = joins;
        let mut ways = Vec::with_capacity(2);
        let mut states = vec![state];
        for inst in (from.0..row.end.0).map(InstId) {
            let Inst::Call(call) = self.body.insts[inst] else {
                states.retain_mut(|state| {
                    self.inst(inst, state);
                    !self.follows_null(inst, state)
                });
                continue;
            };
            let before = std::mem::take(&mut states);
            if self.focus.is_none() {
                before.iter().for_each(|state| self.watch(inst, state));
            }
            let mut later = Vec::new();
            for state in before {
                let is_awaited = state.focus.is_none() && !joins;
                let after = self.call(inst, call, state);
                if is_awaited {
                    later.append(&mut self.awaiting_later_turns(inst, &after));
                }
                states.extend(after);
            }
            states.append(&mut later);
            self.drop_kept(&mut states);
            if states.len() > 1 && joins {
                states = self.joined_after(inst, states);
            } else if states.len() > 1 {
                let at = InstId(inst.0 + 1);
                ways.extend(states.into_iter().map(|state| Way::Resume { at, state }));
                self.tell_troubles(&mut ways);
                return ways;
            }
        }
        for state in states {
            self.leave(&row.terminator, state, &mut ways);
        }
        self.tell_troubles(&mut ways);
        ways
    }

    /// A loop makes an object in each turn: a path may follow that of a later one.
    fn awaiting_later_turns(&self, inst: InstId, states: &[State]) -> Vec<State> {
        let cfg = self.facts.cfg();
        if cfg.loops().innermost(self.facts.block_of(inst)).is_none() {
            return Vec::new();
        }
        let made = states.iter().filter(|state| state.focus.is_some());
        made.map(|state| State { focus: None, ..state.clone() }).collect()
    }

    fn tell_troubles(&mut self, ways: &mut Vec<Way>) {
        let troubles = self.troubles.drain(..);
        ways.extend(troubles.map(|(trouble, state)| Way::Trouble { trouble, state }));
    }

    /// The members of an aggregate that the function returns.
    pub fn result_members(&self) -> Vec<(i64, Scalar)> {
        let function = self.context.program.function(self.proc);
        let result = self.module.types.signatures[function.signature].result;
        let mut members = Vec::new();
        if self.body.result_into.is_some() {
            push_members(self.module, result, 0, &mut members);
        }
        members
    }

    /// The record that a parameter points to.
    pub fn pointee(&self, param: usize) -> Option<TypeId> {
        let function = self.context.program.function(self.proc);
        let types = &self.module.types;
        let ty = types.signatures[function.signature].params.get(param)?;
        match types.types[*ty] {
            Type::Pointer { to, .. } => Some(to).filter(|&to| types.is_aggregate(to)),
            _ => None,
        }
    }

    fn is_constant_pointer(&self, param: usize) -> bool {
        let function = self.context.program.function(self.proc);
        let signature = &self.module.types.signatures[function.signature];
        let ty = signature.params.get(param).map(|&ty| self.module.types.types[ty]);
        matches!(ty, Some(caulk_ir::Type::Pointer { to_const: true, .. }))
    }

    /// Whether a parameter is the address of a copy of what callers pass.
    pub fn is_passed_by_copy(&self, param: usize) -> bool {
        let function = self.context.program.function(self.proc);
        let signature = &self.module.types.signatures[function.signature];
        signature.params.get(param).is_some_and(|&ty| self.module.types.is_aggregate(ty))
    }

    /// Whether a parameter is the address of one number or pointer that the function sets: callers pass
    /// that of a variable, which nobody else writes meanwhile.
    fn is_out_parameter(&self, param: usize) -> bool {
        let function = self.context.program.function(self.proc);
        let types = &self.module.types;
        let ty = types.signatures[function.signature].params.get(param);
        let Some(&Type::Pointer { to, .. }) = ty.map(|&ty| &types.types[ty]) else { return false };
        let is_single = match types.types[to] {
            Type::Scalar { scalar, .. } => self.space.width(scalar) > 8,
            Type::Enum(_) | Type::Pointer { .. } => true,
            _ => false,
        };
        let address = self.body.params.get(param).copied();
        let sets = |(_, inst): (InstId, &Inst)| match *inst {
            Inst::Store { to, volatile, .. } => Some(to) == address && !volatile,
            _ => false,
        };
        is_single && self.body.insts.iter().any(sets)
    }

    fn watch(&mut self, inst: InstId, state: &State) {
        let Some(known) = self.watched.get(&inst).cloned() else { return };
        let place = BlockId(BEFORE | inst.0);
        let joined = match known {
            Some(known) => self.join_for_searches(place, &known, state),
            None => state.clone(),
        };
        self.watched.insert(inst, Some(joined));
    }

    /// Joins states to start from: no part of a summary, and what they say less of is not in doubt by that.
    fn join_for_searches(&mut self, place: BlockId, known: &State, state: &State) -> State {
        let space = &mut self.space;
        let (summarising, wanted) = (space.summarising, space.doubts.wanted);
        (space.summarising, space.doubts.wanted) = (false, false);
        let joined = crate::join::join(space, place, known, state);
        (space.summarising, space.doubts.wanted) = (summarising, wanted);
        joined
    }

    /// Nothing can happen any more to a followed object that somebody else has.
    fn drop_kept(&mut self, states: &mut Vec<State>) {
        states.retain(|state| {
            let mark = state.focus.and_then(|focus| state.marks.get(focus));
            let kept = mark.filter(|mark| mark.phase == Phase::Kept);
            self.kept.extend(kept.map(|mark| mark.at));
            kept.is_none()
        });
    }

    /// Where a join takes place, as its symbols name it.
    pub fn join_place(&self, place: u32) -> BlockId {
        BlockId(if self.space.summarising { place | FIRST } else { place })
    }

    fn joined_after(&mut self, inst: InstId, states: Vec<State>) -> Vec<State> {
        // Distinct fates that go on apart. The first look at a function joins them at the block's end.
        let most = if self.focus.is_none() && !self.space.summarising { 2 } else { 6 };
        let place = self.join_place(AFTER | inst.0);
        let mut keys: Vec<u64> = Vec::new();
        let mut kept: Vec<State> = Vec::new();
        for state in states {
            let fine = signature(self, &state, Grain::Fine);
            let key = match kept.len() < most {
                true => fine,
                false => signature(self, &state, Grain::Coarse),
            };
            match keys.iter().position(|&it| it == fine || it == key) {
                Some(at) => kept[at] = crate::join::join(&mut self.space, place, &kept[at], &state),
                None if kept.len() < 2 * most => {
                    keys.push(key);
                    kept.push(state);
                }
                None => {
                    let last = kept.len() - 1;
                    kept[last] = crate::join::join(&mut self.space, place, &kept[last], &state);
                }
            }
        }
        kept
    }

    fn define(&mut self, inst: InstId, state: &mut State, term: TermId) {
        if let Some(result) = self.body.results[inst] {
            let term = self.bounded(term, self.body.values[result].scalar);
            state.values.insert(result, term);
        }
    }

    pub fn inst(&mut self, id: InstId, state: &mut State) {
        match self.body.insts[id] {
            Inst::Load { from, scalar, volatile } => {
                let address = self.value(state, from);
                self.check_use(id, state, address);
                self.note_there(state, address);
                let term = self.load(state, address, scalar);
                let term = match volatile && self.may_change_alone(address, term) {
                    true => self.space.unknown(scalar),
                    false => term,
                };
                self.define(id, state, term);
            }
            Inst::LoadBits { from, scalar, bits } => {
                let address = self.value(state, from);
                let address = self.space.bit_address(address, bits.first);
                let term = state.memory.load(&mut self.space, address, scalar);
                self.define(id, state, term);
            }
            Inst::Store { to, value, .. } => {
                let (to, value) = (self.value(state, to), self.value(state, value));
                self.check_use(id, state, to);
                self.store(id, state, to, value);
            }
            Inst::StoreBits { to, value, bits } => {
                let (to, value) = (self.value(state, to), self.value(state, value));
                let to = self.space.bit_address(to, bits.first);
                self.store(id, state, to, value);
            }
            Inst::Field { base, offset, .. } => {
                let base = self.value(state, base);
                let term = self.space.offset(base, offset);
                self.define(id, state, term);
            }
            Inst::Index { base, index, stride } => {
                let (base, index) = (self.value(state, base), self.value(state, index));
                let term = self.index(base, index, stride);
                self.note_element(state, term);
                self.define(id, state, term);
            }
            Inst::Copy { to, from, size, ty } => {
                let (to, from) = (self.value(state, to), self.value(state, from));
                let size = self.value(state, size);
                let bytes = self.space.constant(size);
                let mut members = Vec::new();
                push_members(self.module, ty, 0, &mut members);
                self.copy(id, state, to, from, bytes, &members);
            }
            Inst::Fill { to, byte, size } => {
                let (to, byte) = (self.value(state, to), self.value(state, byte));
                let size = self.value(state, size);
                self.fill(state, to, self.space.is_zero(byte), size);
            }
            Inst::HavocMemory { to, .. } => {
                let to = self.value(state, to);
                if let Some(place) = self.space.address(to) {
                    state.memory.forget(&mut self.space, place.base);
                }
            }
            Inst::Alloca { .. } => {
                let serial = self.space.next_serial();
                let bits = self.space.pointer_bits;
                let term = self.space.symbol(Origin::Alloca(serial), bits, true);
                self.define(id, state, term);
            }
            Inst::VaStart { list } | Inst::VaEnd { list } | Inst::VaCopy { to: list, .. } => {
                let list = self.value(state, list);
                if let Some(place) = self.space.address(list) {
                    state.memory.forget(&mut self.space, place.base);
                }
            }
            Inst::AtomicRmw { to, value, .. } => {
                let (to, value) = (self.value(state, to), self.value(state, value));
                self.keep(id, state, value, true);
                let scalar = self.result_scalar(id);
                let old = self.load(state, to, scalar);
                let new = self.space.unknown(scalar);
                state.memory.store(&mut self.space, to, new);
                self.define(id, state, old);
            }
            Inst::CompareExchange { to, desired, .. } => {
                let (to, desired) = (self.value(state, to), self.value(state, desired));
                self.keep(id, state, desired, true);
                let scalar = self.result_scalar(id);
                let old = self.load(state, to, scalar);
                let new = self.space.unknown(scalar);
                state.memory.store(&mut self.space, to, new);
                self.define(id, state, old);
            }
            Inst::Asm(asm) => self.asm(id, asm, state),
            Inst::ScopeBegin(scope) | Inst::ScopeEnd(scope) => self.end_scope(scope, state),
            Inst::Call(_) | Inst::Fence | Inst::Set { .. } => {}
            _ => {
                let term = self.compute(id, state);
                self.define(id, state, term);
            }
        }
    }

    /// Whether a number that is marked as volatile may be written by another thread, or a signal. What is
    /// this function's own is marked for `setjmp`.
    fn may_change_alone(&self, address: TermId, number: TermId) -> bool {
        let home = |term| self.space.address(term).map(|place| self.space.home(place.base));
        !self.space.is_pointer_wide(number)
            && home(address) != Some(Home::Local)
            && home(number) != Some(Home::Made)
    }

    pub fn result_scalar(&self, id: InstId) -> Scalar {
        self.body.results[id].map_or(Scalar::I64, |value| self.body.values[value].scalar)
    }

    fn asm(&mut self, id: InstId, asm: caulk_ir::AsmId, state: &mut State) {
        let row = &self.body.asms[asm];
        for input in &row.inputs {
            let value = self.value(state, input.value);
            self.keep(id, state, value, true);
        }
        for output in &row.outputs {
            let address = self.value(state, output.address);
            if let Some(place) = self.space.address(address) {
                state.memory.forget(&mut self.space, place.base);
            }
        }
    }

    fn end_scope(&mut self, scope: caulk_ir::ScopeId, state: &mut State) {
        let Some(slots) = self.slots.of_scope.get(&scope).cloned() else { return };
        let bits = self.space.pointer_bits;
        for slot in slots {
            let base = self.space.symbol(Origin::Slot(slot), bits, true);
            state.drop_holder(&self.space, base);
        }
    }
}
