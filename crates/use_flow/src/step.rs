//! One block, executed on a state: the meaning of each instruction.
//!
//! The same meaning serves both searches: the one that joins states and finds candidates, and the
//! one that follows single paths and decides them.

use std::rc::Rc;

use caulk_guard::bits::{Binary, Compare, Term, TermId, Unary};
use caulk_ir::{
    BinaryOp, BlockId, Body, CallId, CompareOp, Constant, ConvertOp, Edge, FunctionId, Inst,
    InstId, Module, OverflowOp, OverflowPart, Scalar, SwitchCase, Terminator, Type, TypeId,
    UnaryOp, ValueId, ValueKind,
};
use caulk_machines::{Fault, Machines, StateId};
use caulk_program::{
    Binding, ExternalId, ExternalModels, IndirectTargets, ProcId, Program, StaticId,
};
use caulk_ssa::FunctionFacts;

use crate::map::Map;
use crate::memory::Cell;
use crate::policies::Policies;
use crate::space::{Address, Epoch, Home, Origin, Slots, Space};
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
    /// The instructions after which the followed object was left to somebody else.
    pub kept: caulk_base::FxHashSet<InstId>,
    /// The terms of constants that are the same at each use.
    named: caulk_base::FxHashMap<ValueId, TermId>,
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
    pub suspects: std::collections::BTreeSet<InstId>,
    /// Those are wanted: all blocks are looked at.
    pub seeks_suspects: bool,
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
            space: Space::new(module.target.pointer_bytes),
            focus: None,
            watched: caulk_base::FxHashMap::default(),
            nulls: Vec::new(),
            callees: Vec::new(),
            fixed: Vec::new(),
            made: caulk_base::FxHashMap::default(),
            kept: caulk_base::FxHashSet::default(),
            named: caulk_base::FxHashMap::default(),
            modelled: caulk_base::FxHashMap::default(),
            entered: caulk_base::FxHashSet::default(),
            by_result: caulk_base::FxHashSet::default(),
            unresolved: caulk_base::FxHashSet::default(),
            written: crate::summary::Written::default(),
            unknown_effects: false,
            troubles: Vec::new(),
            suspects: std::collections::BTreeSet::new(),
            seeks_suspects: false,
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
                let zero = self.space.terms.constant(0, bits);
                let null = self.space.terms.compare(Compare::Eq, term, zero);
                self.nulls.push(null);
            }
            let param = number as usize;
            let is_fixed = self.is_constant_pointer(param) || self.is_passed_by_copy(param);
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
        let mut ways = Vec::new();
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

    fn watch(&mut self, inst: InstId, state: &State) {
        let Some(known) = self.watched.get(&inst).cloned() else { return };
        let place = BlockId(3 << 30 | inst.0);
        let joined = match known {
            Some(known) => crate::join::join(&mut self.space, place, &known, state),
            None => state.clone(),
        };
        self.watched.insert(inst, Some(joined));
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

    fn joined_after(&mut self, inst: InstId, states: Vec<State>) -> Vec<State> {
        /// Distinct fates that go on apart.
        const MOST: usize = 6;
        // Not a block's number: symbols of this join are the instruction's own.
        let place = BlockId(1 << 31 | inst.0);
        let mut keys: Vec<u64> = Vec::new();
        let mut kept: Vec<State> = Vec::new();
        for state in states {
            let fine = crate::explore::signature(self, &state, true);
            let key = if kept.len() < MOST {
                fine
            } else {
                crate::explore::signature(self, &state, false)
            };
            match keys.iter().position(|&it| it == fine || it == key) {
                Some(at) => kept[at] = crate::join::join(&mut self.space, place, &kept[at], &state),
                None if kept.len() < 2 * MOST => {
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

    pub fn value(&mut self, state: &State, id: ValueId) -> TermId {
        let row = self.body.values[id];
        match row.kind {
            ValueKind::Const(constant) => {
                if let Some(known) = self.named.get(&id) {
                    return *known;
                }
                let term = self.constant(constant, row.scalar);
                let is_fixed =
                    !matches!(constant, Constant::Wide(_) | Constant::Label(_) | Constant::Undef);
                if is_fixed {
                    self.named.insert(id, term);
                }
                term
            }
            _ => state.values.get(id).copied().unwrap_or_else(|| self.space.unknown(row.scalar)),
        }
    }

    fn constant(&mut self, constant: Constant, scalar: Scalar) -> TermId {
        let bits = self.space.width(scalar);
        match constant {
            Constant::Int(value) => self.space.terms.constant(value as u64, bits),
            Constant::Float(value) => self.space.terms.constant(value, bits),
            Constant::Slot(slot) => self.space.symbol(Origin::Slot(slot), bits, true),
            Constant::Object(object) => {
                let module = self.context.program.procs[self.proc].module;
                let id = self.context.program.static_of(module, object);
                let id = self.context.constants.representative(id);
                let term = self.space.symbol(Origin::Static(id), bits, true);
                self.note_constant(id, term);
                term
            }
            Constant::Function(function) => self.function(function),
            Constant::Wide(_) | Constant::Label(_) | Constant::Undef => self.space.unknown(scalar),
        }
    }

    /// What another unit defines as a constant, nobody changes.
    fn note_constant(&mut self, id: StaticId, term: TermId) {
        let program = self.context.program;
        let is_constant = !program.statics[id].defined && program.object(id).1.constant;
        if is_constant && !self.fixed.contains(&term) {
            self.fixed.push(term);
        }
    }

    fn function(&mut self, function: FunctionId) -> TermId {
        let module = self.context.program.procs[self.proc].module;
        let origin = match self.context.program.binding(module, function) {
            Binding::Procs(procs) if procs.len() == 1 => Origin::Proc(procs[0]),
            _ => Origin::Function(function),
        };
        self.space.symbol(origin, self.space.pointer_bits, true)
    }

    /// Terms share their parts, and walks over them do not see that: a tall one (a hash computed
    /// in a row) is given up for a symbol, of which only the object it leads into is known.
    pub fn bounded(&mut self, term: TermId, scalar: Scalar) -> TermId {
        const TALLEST: u32 = 10;
        if self.space.terms.height(term) <= TALLEST {
            return term;
        }
        let unknown = self.space.unknown(scalar);
        let base = self.space.address(term).map(|place| place.base);
        match base.filter(|&it| self.space.is_pointer(it) && self.space.is_pointer_wide(unknown)) {
            Some(base) => {
                let distance = self.space.unknown(Scalar::I64);
                let same = self.space.terms.width(distance) == self.space.terms.width(base);
                if same { self.space.terms.binary(Binary::Add, base, distance) } else { base }
            }
            None => unknown,
        }
    }

    /// A parameter or cursor that is read through is not NULL.
    fn note_there(&mut self, state: &mut State, address: TermId) {
        let Some(base) = self.space.address(address).map(|place| place.base) else { return };
        let origin = self.space.origin(base);
        if matches!(origin, Some(Origin::Join(..) | Origin::OneOf(_) | Origin::Param(_))) {
            self.assume_there(state, base);
            self.assume_there(state, address);
        }
    }

    /// The address of an element is not NULL, wherever the index came from: `&copy[found - text]`.
    fn note_element(&mut self, state: &mut State, element: TermId) {
        let base = self.space.address(element).map(|place| place.base);
        let is_made = base.is_some_and(|base| self.space.home(base) == Home::Made);
        if is_made && self.space.is_anywhere(element) {
            self.assume_there(state, element);
        }
    }

    /// Unless it is known to be NULL: the path goes on, for whoever handles the fault.
    fn assume_there(&mut self, state: &mut State, pointer: TermId) {
        let zero = self.space.terms.constant(0, self.space.terms.width(pointer));
        let is_null = self.space.terms.compare(Compare::Eq, pointer, zero);
        if state.facts.decide(&self.space.terms, is_null).is_none() {
            let is_there = self.space.terms.not(is_null);
            let _ = state.assume(&mut self.space, is_there);
        }
    }

    /// Whether the path ends here: memory is read or written through a pointer that is NULL.
    fn follows_null(&mut self, inst: InstId, state: &State) -> bool {
        let address = match self.body.insts[inst] {
            Inst::Load { from, .. } | Inst::LoadBits { from, .. } => from,
            Inst::Store { to, .. } | Inst::StoreBits { to, .. } => to,
            _ => return false,
        };
        let address = self.value(state, address);
        let base = self.space.address(address).map_or(address, |place| place.base);
        let zero = self.space.terms.constant(0, self.space.terms.width(base));
        let is_null = self.space.terms.compare(Compare::Eq, base, zero);
        state.facts.decide(&self.space.terms, is_null) == Some(true)
    }

    fn define(&mut self, inst: InstId, state: &mut State, term: TermId) {
        if let Some(result) = self.body.results[inst] {
            let term = self.bounded(term, self.body.values[result].scalar);
            state.values.insert(result, term);
        }
    }

    pub fn inst(&mut self, id: InstId, state: &mut State) {
        match self.body.insts[id] {
            Inst::Load { from, scalar, .. } => {
                let address = self.value(state, from);
                self.check_use(id, state, address);
                self.note_there(state, address);
                let term = self.load(state, address, scalar);
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

    fn result_scalar(&self, id: InstId) -> Scalar {
        self.body.results[id].map_or(Scalar::I64, |value| self.body.values[value].scalar)
    }

    fn index(&mut self, base: TermId, index: TermId, stride: i64) -> TermId {
        let width = self.space.terms.width(base);
        let index = match self.space.terms.width(index) {
            narrow if narrow < width => self.space.terms.extend_s(index, width),
            wide if wide > width => self.space.terms.truncate(index, width),
            _ => index,
        };
        let stride = self.space.terms.constant(stride as u64, width);
        let distance = self.space.terms.binary(Binary::Mul, index, stride);
        self.space.terms.binary(Binary::Add, base, distance)
    }

    pub fn load(&mut self, state: &mut State, address: TermId, scalar: Scalar) -> TermId {
        let place = self.space.address(address);
        if let Some(Address { base, offset: Some(offset) }) = place
            && let Some(Origin::Static(id)) = self.space.origin(base)
        {
            let bits = self.space.width(scalar);
            let module = self.context.program.procs[self.proc].module;
            if let Some(function) = self.context.constants.function(id, offset, module) {
                return self.function(function);
            }
            if let Some(value) = self.context.constants.value(id, offset, scalar) {
                return self.space.terms.constant(value as u64, bits);
            }
        }
        let term = state.memory.load(&mut self.space, address, scalar);
        self.before_main(term, scalar).unwrap_or(term)
    }

    /// When `main` starts, statics have what their initialisers say.
    fn before_main(&mut self, term: TermId, scalar: Scalar) -> Option<TermId> {
        let Some(Origin::Initial { address, epoch: Epoch::Start, .. }) = self.space.origin(term)
        else {
            return None;
        };
        let place = self.space.address(address)?;
        let Some(Origin::Static(id)) = self.space.origin(place.base) else { return None };
        let offset =
            place.offset.filter(|_| self.context.program.procs[self.proc].name == "main")?;
        let value = crate::constants::initial(self.context.program, id, offset, scalar)?;
        Some(self.space.terms.constant(value as u64, self.space.width(scalar)))
    }

    fn compute(&mut self, id: InstId, state: &mut State) -> TermId {
        let scalar = self.result_scalar(id);
        match self.body.insts[id] {
            Inst::Unary { op, value } => {
                let value = self.value(state, value);
                match op {
                    UnaryOp::Neg | UnaryOp::NegS => self.space.terms.unary(Unary::Neg, value),
                    UnaryOp::Not => self.space.terms.unary(Unary::Not, value),
                    _ => self.opaque(200 + op as u32, &[value], scalar),
                }
            }
            Inst::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(state, lhs), self.value(state, rhs));
                self.binary(op, lhs, rhs, scalar)
            }
            Inst::Compare { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(state, lhs), self.value(state, rhs));
                self.compare(op, lhs, rhs, state)
            }
            Inst::Convert { op, value, to } => {
                let value = self.value(state, value);
                self.convert(op, value, to)
            }
            Inst::Overflow { op, part, lhs, rhs, signs, scalar: into } => {
                let operands = [(lhs, signs[0]), (rhs, signs[1])];
                let [lhs, rhs] = operands.map(|(value, signed)| (self.value(state, value), signed));
                match part {
                    OverflowPart::Result => self.wrapped(op, lhs, rhs, scalar),
                    OverflowPart::Flag => {
                        let carried = self.carried(op, lhs, rhs, into);
                        carried.filter(|_| !signs[2]).unwrap_or_else(|| {
                            self.opaque(500 + op as u32, &[lhs.0, rhs.0], scalar)
                        })
                    }
                }
            }
            _ => self.space.unknown(scalar),
        }
    }

    /// Exact arithmetic, cut to the width of its result.
    fn wrapped(
        &mut self,
        op: OverflowOp,
        lhs: (TermId, bool),
        rhs: (TermId, bool),
        scalar: Scalar,
    ) -> TermId {
        let width = self.space.width(scalar);
        let [lhs, rhs] = [lhs, rhs].map(|(term, signed)| match self.space.terms.width(term) {
            own if own > width => self.space.terms.truncate(term, width),
            own if own < width && signed => self.space.terms.extend_s(term, width),
            own if own < width => self.space.terms.extend_u(term, width),
            _ => term,
        });
        let op = match op {
            OverflowOp::Add => Binary::Add,
            OverflowOp::Sub => Binary::Sub,
            OverflowOp::Mul => Binary::Mul,
        };
        self.space.terms.binary(op, lhs, rhs)
    }

    /// Whether a sum or difference of numbers without sign does not fit the width of its result.
    fn carried(
        &mut self,
        op: OverflowOp,
        lhs: (TermId, bool),
        rhs: (TermId, bool),
        into: Scalar,
    ) -> Option<TermId> {
        let (lhs, rhs) = (self.unsigned(lhs, into)?, self.unsigned(rhs, into)?);
        match op {
            OverflowOp::Add => {
                let sum = self.space.terms.binary(Binary::Add, lhs, rhs);
                Some(self.space.terms.compare(Compare::LtU, sum, lhs))
            }
            OverflowOp::Sub => Some(self.space.terms.compare(Compare::LtU, lhs, rhs)),
            OverflowOp::Mul => None,
        }
    }

    /// A number without sign in a width that has room for it.
    fn unsigned(&mut self, (term, signed): (TermId, bool), into: Scalar) -> Option<TermId> {
        let (own, width) = (self.space.terms.width(term), self.space.width(into));
        let is_plain = !signed || self.space.constant(term).is_some_and(|value| value >= 0);
        match own {
            _ if !is_plain || own > width => None,
            _ if own == width => Some(term),
            _ => Some(self.space.terms.extend_u(term, width)),
        }
    }

    /// An operation without a meaning in terms: equal operands still give equal results.
    fn opaque(&mut self, function: u32, operands: &[TermId], scalar: Scalar) -> TermId {
        let width = self.space.width(scalar);
        self.space.terms.apply(function, operands, width)
    }

    fn binary(&mut self, op: BinaryOp, lhs: TermId, rhs: TermId, scalar: Scalar) -> TermId {
        let op = match op {
            BinaryOp::Add | BinaryOp::AddS => Binary::Add,
            BinaryOp::Sub | BinaryOp::SubS | BinaryOp::PtrDiff => Binary::Sub,
            BinaryOp::Mul | BinaryOp::MulS => Binary::Mul,
            BinaryOp::DivS => Binary::DivS,
            BinaryOp::DivU => Binary::DivU,
            BinaryOp::RemS => Binary::RemS,
            BinaryOp::RemU => Binary::RemU,
            BinaryOp::And => Binary::And,
            BinaryOp::Or => Binary::Or,
            BinaryOp::Xor => Binary::Xor,
            BinaryOp::Shl | BinaryOp::ShlS => Binary::Shl,
            BinaryOp::ShrS => Binary::ShrS,
            BinaryOp::ShrU => Binary::ShrU,
            _ => return self.opaque(100 + op as u32, &[lhs, rhs], scalar),
        };
        if self.space.terms.width(lhs) != self.space.terms.width(rhs) {
            return self.space.unknown(scalar);
        }
        self.space.terms.binary(op, lhs, rhs)
    }

    fn compare(&mut self, op: CompareOp, lhs: TermId, rhs: TermId, state: &State) -> TermId {
        let (op, swap, negate) = match op {
            CompareOp::Eq => (Compare::Eq, false, false),
            CompareOp::Ne => (Compare::Eq, false, true),
            CompareOp::LtS => (Compare::LtS, false, false),
            CompareOp::LeS => (Compare::LeS, false, false),
            CompareOp::GtS => (Compare::LtS, true, false),
            CompareOp::GeS => (Compare::LeS, true, false),
            CompareOp::LtU => (Compare::LtU, false, false),
            CompareOp::LeU => (Compare::LeU, false, false),
            CompareOp::GtU => (Compare::LtU, true, false),
            CompareOp::GeU => (Compare::LeU, true, false),
            _ => return self.opaque(300 + op as u32, &[lhs, rhs], Scalar::I1),
        };
        if self.space.terms.width(lhs) != self.space.terms.width(rhs) {
            return self.space.unknown(Scalar::I1);
        }
        let (lhs, rhs) = if swap { (rhs, lhs) } else { (lhs, rhs) };
        let term = match op {
            Compare::Eq => self.equal(state, lhs, rhs),
            _ => self.space.terms.compare(op, lhs, rhs),
        };
        if negate { self.space.terms.not(term) } else { term }
    }

    /// Equality of numbers, and of addresses: no object is at NULL, and an object that nobody else
    /// has is at no address that came from elsewhere.
    pub fn equal(&mut self, state: &State, lhs: TermId, rhs: TermId) -> TermId {
        let plain = self.space.terms.compare(Compare::Eq, lhs, rhs);
        if !self.space.is_pointer_wide(lhs) {
            return plain;
        }
        if self.space.is_named_and_low(lhs, rhs) || self.space.are_two_functions(lhs, rhs) {
            return TermId::FALSE;
        }
        let zero = self.space.terms.constant(0, self.space.terms.width(lhs));
        let mut is_null = |term| self.space.terms.compare(Compare::Eq, term, zero);
        let (left, right) = (is_null(lhs), is_null(rhs));
        let own = |base: TermId| match self.space.home(base) {
            Home::Local | Home::Static => Some(false),
            // Also after its release: what it is compared with was there before.
            Home::Made if state.phase(base) != Phase::Kept => Some(true),
            _ => None,
        };
        let known = |term| self.space.address(term).filter(|it| it.offset.is_some());
        let inside = self.space.address(lhs).filter(|it| it.offset.is_none());
        let inside = inside.filter(|_| !self.space.is_anywhere(lhs));
        if let Some(place) = inside.filter(|it| rhs == zero && own(it.base) != Some(false)) {
            // Somewhere inside: arithmetic does not lead from an object to NULL.
            return self.space.terms.compare(Compare::Eq, place.base, zero);
        }
        match (known(lhs), known(rhs)) {
            (Some(place), None) if rhs == zero => match own(place.base) {
                Some(false) => self.space.terms.constant(0, 1),
                Some(true) => self.space.terms.compare(Compare::Eq, place.base, zero),
                None => plain,
            },
            (Some(a), Some(b)) if a.base != b.base => match (own(a.base), own(b.base)) {
                (Some(false), Some(_)) | (Some(_), Some(false)) => self.space.terms.constant(0, 1),
                (Some(true), _) | (_, Some(true))
                    if self.is_settled(a.base, b.base)
                        || self.is_private(state, lhs, rhs)
                        || self.is_private(state, rhs, lhs) =>
                {
                    self.space.terms.binary(Binary::And, left, right)
                }
                _ => plain,
            },
            _ => plain,
        }
    }

    /// Whether the left is an object that nobody else has heard of, and the right is no way to it.
    fn is_private(&self, state: &State, left: TermId, right: TermId) -> bool {
        let space = &self.space;
        let Some(place) = space.address(left).filter(|it| space.home(it.base) == Home::Made) else {
            return false;
        };
        !space.carries(right, place.base)
            && state.phase(place.base) == Phase::Live
            && state.memory.iter().all(|cell| {
                space.home(cell.base) == Home::Local || !space.carries(cell.value, place.base)
            })
    }

    /// Whether both come from one place each: a choice may be any of its candidates.
    fn is_settled(&self, left: TermId, right: TermId) -> bool {
        [left, right].iter().all(|&base| matches!(self.space.home(base), Home::Made | Home::Caller))
    }

    fn convert(&mut self, op: ConvertOp, value: TermId, to: Scalar) -> TermId {
        let (from, width) = (self.space.terms.width(value), self.space.width(to));
        match op {
            ConvertOp::Trunc
            | ConvertOp::SignExtend
            | ConvertOp::ZeroExtend
            | ConvertOp::PtrToInt
            | ConvertOp::IntToPtr
                if from == width =>
            {
                value
            }
            ConvertOp::SignExtend if from < width => self.space.terms.extend_s(value, width),
            ConvertOp::ZeroExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr if from < width => {
                self.space.terms.extend_u(value, width)
            }
            ConvertOp::Trunc | ConvertOp::PtrToInt | ConvertOp::IntToPtr if from > width => {
                self.space.terms.truncate(value, width)
            }
            _ => self.opaque(400 + op as u32, &[value], to),
        }
    }

    /// Bytes with the pointers in them.
    pub fn copy(
        &mut self,
        at: InstId,
        state: &mut State,
        to: TermId,
        from: TermId,
        bytes: Option<i64>,
        members: &[(i64, Scalar)],
    ) {
        let (Some(target), Some(source)) = (self.space.address(to), self.space.address(from))
        else {
            if let Some(source) = self.space.address(from) {
                self.keep_contents(at, state, source.base);
            }
            return;
        };
        self.note_copy(state, target, source);
        let mut moved = self.moved_cells(state, source, bytes);
        moved.extend(self.unread_members(state, source, from, members, &moved));
        let elements = self.moved_elements(state, source.base, to, from);
        let zeroed = state.memory.zeroed.contains(source.base);
        match bytes {
            // A write to an unknown element leaves the others.
            Some(_) if target.offset.is_none() => {}
            Some(bytes) => state.memory.clear(target, bytes),
            // Up to some element of a member: the pointers beside it stay.
            None => state.memory.dirty(&mut self.space, target.base),
        }
        if zeroed && target.offset == Some(0) {
            state.memory.zeroed.insert(target.base, ());
        } else {
            state.memory.zeroed.remove(target.base);
        }
        for (offset, cell) in moved {
            let address = self.space.offset(to, offset);
            self.store(at, state, address, cell.value);
        }
        for (address, value) in elements {
            self.store(at, state, address, value);
        }
    }

    /// The elements of which it is not known which they are, at the same distance from the new start.
    fn moved_elements(
        &mut self,
        state: &State,
        source: TermId,
        to: TermId,
        from: TermId,
    ) -> Vec<(TermId, TermId)> {
        let cells = state.memory.of(source).iter().filter(|cell| cell.offset.is_none());
        let cells: Vec<Cell> = cells.copied().collect();
        let mut moved = Vec::with_capacity(cells.len());
        for cell in cells {
            let distance = self.space.terms.binary(Binary::Sub, cell.address, from);
            moved.push((self.space.terms.binary(Binary::Add, to, distance), cell.value));
        }
        moved
    }

    /// Somebody has what the caller's object holds: callers are told.
    pub fn note_contents_kept(&self, state: &mut State, base: TermId) {
        if self.is_told_to_callers(base) {
            state.note_move(None, base);
        }
    }

    fn is_told_to_callers(&self, base: TermId) -> bool {
        self.space.is_nameable(base) && self.space.load_depth(base) <= 1
    }

    /// What the caller's object held is somewhere else too.
    fn note_copy(&mut self, state: &mut State, target: Address, source: Address) {
        if !self.is_told_to_callers(source.base) {
            return;
        }
        match self.space.home(target.base) {
            Home::Local => {}
            Home::Made if target.offset == Some(0) => {
                state.note_move(Some(target.base), source.base);
            }
            _ => state.note_move(None, source.base),
        }
    }

    /// The members in the caller's memory that nobody looked at yet: they are moved, too.
    fn unread_members(
        &mut self,
        state: &mut State,
        source: Address,
        from: TermId,
        members: &[(i64, Scalar)],
        known: &[(i64, Cell)],
    ) -> Vec<(i64, Cell)> {
        if self.space.home(source.base) != Home::Caller || state.memory.zeroed.contains(source.base)
        {
            return Vec::new();
        }
        let mut cells = Vec::new();
        for &(at, scalar) in members {
            let end = at + i64::from(self.space.width(scalar) / 8);
            if known.iter().any(|row| row.0 < end && at < row.0 + i64::from(row.1.bytes)) {
                continue;
            }
            let address = self.space.offset(from, at);
            let value = self.load(state, address, scalar);
            cells.push((at, Cell::new(&self.space, address, value)));
        }
        cells
    }

    /// The known cells of a range, by their distance from its start.
    fn moved_cells(&self, state: &State, source: Address, bytes: Option<i64>) -> Vec<(i64, Cell)> {
        let Some(start) = source.offset else { return Vec::new() };
        let cells = state.memory.of(source.base).iter().filter_map(|&cell| {
            let distance = cell.offset?.checked_sub(start)?;
            let ghost = distance >= crate::space::GHOST;
            let inside = distance >= 0 && bytes.is_none_or(|bytes| distance < bytes || ghost);
            inside.then_some((distance, cell))
        });
        cells.collect()
    }

    fn fill(&mut self, state: &mut State, to: TermId, zero: bool, size: TermId) {
        let Some(place) = self.space.address(to) else { return };
        let bytes = self.space.constant(size);
        match bytes {
            Some(bytes) if place.offset.is_some() => state.memory.clear(place, bytes),
            _ if place.offset == Some(0) => state.memory.forget(&mut self.space, place.base),
            _ => state.memory.dirty(&mut self.space, place.base),
        }
        if zero && place.offset == Some(0) {
            state.memory.zeroed.insert(place.base, ());
        } else if !zero {
            state.memory.zeroed.remove(place.base);
        }
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

    fn leave(&mut self, terminator: &'a Terminator, state: State, ways: &mut Vec<Way>) {
        match terminator {
            Terminator::Jump(edge) => self.follow(edge, 0, state, ways),
            Terminator::Branch { cond, then, otherwise } => {
                let condition = self.value(&state, *cond);
                let negated = self.space.terms.not(condition);
                let mut other = state.clone();
                let mut state = state;
                if state.assume(&mut self.space, condition) {
                    self.keep_equal(&mut state, condition);
                    self.leave_to_others(&mut state, condition);
                    self.follow(then, 0, state, ways);
                }
                if other.assume(&mut self.space, negated) {
                    self.keep_equal(&mut other, negated);
                    self.leave_to_others(&mut other, negated);
                    self.follow(otherwise, 1, other, ways);
                }
            }
            Terminator::Switch { value, signed, cases, default } => {
                self.switch(*value, *signed, cases, default, state, ways);
            }
            Terminator::Indirect { edges, .. } => {
                for (slot, edge) in edges.iter().enumerate() {
                    self.follow(edge, slot, state.clone(), ways);
                }
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.value(&state, value));
                ways.push(Way::Return { state, value });
            }
            Terminator::Unreachable(_) => {}
        }
    }

    /// A descriptor that equals a number of the caller's is the caller's, and an object that a
    /// pointer from elsewhere equals is where that came from.
    pub fn keep_equal(&mut self, state: &mut State, condition: TermId) {
        let Term::Compare(Compare::Eq, left, right) = *self.space.terms.get(condition) else {
            return;
        };
        for (own, other) in [(left, right), (right, left)] {
            if let Some(object) = self.equal_to_other(state, own, other) {
                self.keep(InstId(u32::MAX), state, object, true);
            }
        }
    }

    /// The object that a value leads to, if the other value is no way to it by itself.
    fn equal_to_other(&self, state: &State, own: TermId, other: TermId) -> Option<TermId> {
        let space = &self.space;
        let base = space.address(own).map(|it| it.base)?;
        let object = match state.focus {
            Some(focus) => focus,
            None => base,
        };
        let place = space.address(other)?;
        // A block that stays where it was is no reference that somebody else has; a number is in use
        // again, as who closed it wants.
        let moved = state.phase(place.base) == Phase::Released && space.is_pointer_wide(place.base);
        let is_it = base == object && space.home(object) == Home::Made;
        (is_it && !moved && !space.carries(other, object)).then_some(object)
    }

    fn switch(
        &mut self,
        value: ValueId,
        signed: bool,
        cases: &'a [SwitchCase],
        default: &'a Edge,
        state: State,
        ways: &mut Vec<Way>,
    ) {
        let value = self.value(&state, value);
        let mut rest = state.clone();
        let mut left = true;
        for (slot, case) in cases.iter().enumerate() {
            let condition = self.in_range(value, signed, case);
            let mut taken = state.clone();
            if taken.assume(&mut self.space, condition) {
                self.follow(&case.edge, slot, taken, ways);
            }
            let negated = self.space.terms.not(condition);
            left = left && rest.assume(&mut self.space, negated);
        }
        if left {
            self.follow(default, cases.len(), rest, ways);
        }
    }

    pub fn in_range(&mut self, value: TermId, signed: bool, case: &SwitchCase) -> TermId {
        let width = self.space.terms.width(value);
        let low = self.space.terms.constant(case.low as u64, width);
        if case.low == case.high {
            return self.space.terms.compare(Compare::Eq, value, low);
        }
        let high = self.space.terms.constant(case.high as u64, width);
        let op = if signed { Compare::LeS } else { Compare::LeU };
        let above = self.space.terms.compare(op, low, value);
        let below = self.space.terms.compare(op, value, high);
        self.space.terms.binary(Binary::And, above, below)
    }

    fn follow(&mut self, edge: &'a Edge, slot: usize, state: State, ways: &mut Vec<Way>) {
        let state = self.passed(edge, state);
        ways.push(Way::Edge { slot, to: edge.to, state });
    }

    /// Passes the edge's arguments, and forgets the values that nobody reads any more.
    pub fn passed(&mut self, edge: &'a Edge, mut state: State) -> State {
        let target = &self.body.blocks[edge.to];
        let arguments: Vec<TermId> =
            edge.args.iter().map(|&value| self.value(&state, value)).collect();
        let live = self.facts.liveness().at_start(edge.to);
        let mut rows: Vec<(ValueId, TermId)> =
            live.iter().filter_map(|&id| state.values.get(id).map(|&term| (id, term))).collect();
        rows.extend(target.params.iter().copied().zip(arguments));
        rows.sort_unstable_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        state.values = Map::from_sorted(rows);
        state
    }
}

/// The numbers and pointers of a type, by their offsets, up to a bound. Arrays and bit-fields are
/// left out.
fn push_members(module: &Module, ty: TypeId, offset: i64, members: &mut Vec<(i64, Scalar)>) {
    const MOST: usize = 16;
    if members.len() >= MOST {
        return;
    }
    match module.types.types[ty] {
        Type::Record(id) => {
            for field in module.types.records[id].fields.iter().filter(|it| it.bits.is_none()) {
                push_members(module, field.ty, offset + field.offset as i64, members);
            }
        }
        Type::Scalar { .. } | Type::Enum(_) | Type::Pointer { .. } => {
            members.extend(module.types.passed_as(ty).map(|scalar| (offset, scalar)));
        }
        _ => {}
    }
}
