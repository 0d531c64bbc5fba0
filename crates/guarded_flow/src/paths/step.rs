//! Instructions and branches of one path.

use caulk_ir::{
    BinaryOp, BlockId, CompareOp, Constant, Edge, Inst, InstId, Scalar, Terminator, ValueId,
    ValueKind,
};
use caulk_memory::FootprintId;
use caulk_program::InstanceId;

use super::facts::compare;
use super::run_up::reaching;
use super::start::{counts_from, joined_number};
use super::state::{Cell, State, meet};
use super::value::{Base, Origin, Term, Val};
use super::{Aim, Go, Walk};

/// How often a path comes to one block of an activation.
const VISITS: u8 = 2;

/// Nothing lies this near to NULL.
const PAGE: i64 = 4096;

/// Definitions that are computed for one value.
const DEPTH: u32 = 24;

impl Walk<'_, '_, '_, '_> {
    /// To the end of the path; other ways at its branches are left for later.
    pub(super) fn follow(&mut self, state: &mut State) -> Go {
        while self.steps < self.limit {
            self.steps += 1;
            let frame = state.frame_mut();
            let row = &self.world.memory().body(frame.instance).blocks[frame.block];
            let go = match frame.next < row.end {
                true => {
                    let inst = frame.next;
                    frame.next = InstId(inst.0 + 1);
                    self.inst(state, inst)
                }
                false => self.leave(state, &row.terminator),
            };
            if !matches!(go, Go::On) {
                return go;
            }
        }
        Go::Unsure
    }

    pub(super) fn value(&mut self, state: &mut State, value: ValueId) -> Val {
        self.value_within(state, value, DEPTH)
    }

    /// Of what was computed before the path began, only the computation is known.
    fn value_within(&mut self, state: &mut State, value: ValueId, depth: u32) -> Val {
        let frame = state.frame();
        if let Some(&val) = frame.values.get(&value) {
            return val;
        }
        let (id, instance) = (frame.id, frame.instance);
        let body = self.world.memory().body(instance);
        let val = match body.values[value].kind {
            ValueKind::Const(constant) => return self.constant(id, state, constant),
            ValueKind::Param(_) => self.terms.unknown(Origin::Given),
            ValueKind::BlockParam(block, index) => {
                let facts = self.world.memory().facts(instance);
                match joined_number(facts, block, index as usize) {
                    Some(number) => Val::number(number),
                    None => {
                        let val = self.terms.unknown(Origin::Local(instance, value));
                        if let Some(low) = counts_from(facts.body(), value) {
                            let _ = state.facts.refine(&self.terms, CompareOp::GeS, val, low);
                        }
                        val
                    }
                }
            }
            ValueKind::Inst(inst) => match depth.checked_sub(1) {
                Some(depth) => self.computed(state, inst, value, depth),
                None => self.terms.unknown(Origin::Local(instance, value)),
            },
        };
        state.set(value, val);
        val
    }

    fn constant(&mut self, frame: u32, state: &State, constant: Constant) -> Val {
        let input = self.world.memory().input();
        let module = input.program.procs[input.instances.proc(state.frame().instance)].module;
        match constant {
            Constant::Int(number) => Val::number(number),
            Constant::Slot(slot) => Val::at(Base::Slot(frame, slot)),
            Constant::Object(object) => {
                Val::at(Base::Static(input.program.static_of(module, object)))
            }
            Constant::Function(function) => self.terms.intern(Term::Code(module, function)),
            _ => self.terms.unknown(Origin::Loaded),
        }
    }

    /// What an instruction without effects yields; unknown of others.
    fn computed(&mut self, state: &mut State, inst: InstId, result: ValueId, depth: u32) -> Val {
        let instance = state.frame().instance;
        let body = self.world.memory().body(instance);
        match body.insts[inst] {
            Inst::Binary { op, lhs, rhs } => {
                let lhs = self.value_within(state, lhs, depth);
                let rhs = self.value_within(state, rhs, depth);
                let sum = self.terms.binary(op, lhs, rhs);
                // What counts without a sign does not come round to 0.
                if op == BinaryOp::Add && rhs.as_number().is_some_and(|it| it > 0) {
                    let _ = state.facts.refine(&self.terms, CompareOp::Ne, sum, 0);
                }
                sum
            }
            Inst::Unary { op, value } => {
                let value = self.value_within(state, value, depth);
                self.terms.unary(op, value)
            }
            Inst::Compare { op, lhs, rhs } => {
                let lhs = self.value_within(state, lhs, depth);
                let rhs = self.value_within(state, rhs, depth);
                compare(&mut self.terms, &state.facts, op, lhs, rhs)
            }
            Inst::Convert { op, value, to } => {
                let from = body.values[value].scalar;
                let value = self.value_within(state, value, depth);
                self.terms.convert(op, value, from, to)
            }
            Inst::Field { base, offset, .. } => self.value_within(state, base, depth).plus(offset),
            Inst::Index { base, index, stride } => {
                let base = self.value_within(state, base, depth);
                let index = self.value_within(state, index, depth);
                self.terms.element(base, index, stride)
            }
            Inst::Alloca { .. } => {
                let made = self.terms.unknown(Origin::Made);
                let _ = state.facts.refine(&self.terms, CompareOp::Ne, made, 0);
                made
            }
            Inst::Load { .. } => self.terms.unknown(Origin::Loaded),
            _ => self.terms.unknown(Origin::Local(instance, result)),
        }
    }

    fn inst(&mut self, state: &mut State, inst: InstId) -> Go {
        let memory = self.world.memory();
        let instance = state.frame().instance;
        let body = memory.body(instance);
        let access = memory.access(instance, inst);
        let (reads, writes) =
            access.map_or((FootprintId::EMPTY, FootprintId::EMPTY), |it| (it.reads, it.writes));
        match body.insts[inst] {
            Inst::Call(call) => return self.call(state, inst, call),
            Inst::Load { from, .. } => {
                let at = self.value(state, from);
                if !self.is_there(state, at) {
                    return Go::Over;
                }
                let val = state.load(&mut self.terms, memory, at, reads);
                self.define(state, inst, val);
                return Go::On;
            }
            Inst::Store { to, value, .. } => {
                let at = self.value(state, to);
                let holds = self.value(state, value);
                if !self.is_there(state, at) {
                    return Go::Over;
                }
                state.note_dropped(&self.terms, at, (instance, inst));
                state.store(&self.terms, memory, Cell { at, holds, touched: writes });
            }
            Inst::Copy { to, from, size, .. } => {
                let (to, from) = (self.value(state, to), self.value(state, from));
                let size = self.value(state, size);
                let size = state.facts.number(size);
                state.copy(&self.terms, to, from, size);
            }
            Inst::StoreBits { .. }
            | Inst::Fill { .. }
            | Inst::HavocMemory { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CompareExchange { .. }
            | Inst::Asm(_)
            | Inst::VaArg { .. } => {
                state.forget(&self.terms, |cell| meet(memory, cell.touched, writes));
            }
            _ => {}
        }
        if let Some(result) = body.results[inst] {
            let val = self.computed(state, inst, result, DEPTH);
            state.set(result, val);
        }
        Go::On
    }

    /// Memory is used: the pointer to it is not NULL from now on. False if it is.
    fn is_there(&self, state: &mut State, at: Val) -> bool {
        match self.terms.root(at) {
            Base::Number => !(-PAGE..PAGE).contains(&at.offset) && at.base == Base::Number,
            Base::Term(id) => {
                let pointer = Val::at(Base::Term(id));
                state.facts.refine(&self.terms, CompareOp::Ne, pointer, 0).is_ok()
            }
            _ => true,
        }
    }

    pub(super) fn define(&mut self, state: &mut State, inst: InstId, val: Val) {
        let instance = state.frame().instance;
        if let Some(result) = self.world.memory().body(instance).results[inst] {
            state.set(result, val);
        }
    }

    fn leave(&mut self, state: &mut State, terminator: &Terminator) -> Go {
        match terminator {
            Terminator::Jump(edge) => self.enter(state, edge),
            Terminator::Branch { cond, then, otherwise } => {
                let val = self.value(state, *cond);
                if let Some(number) = state.facts.number(val) {
                    self.note_known(state, *cond, usize::from(number == 0));
                }
                self.branch(state, val, then, otherwise)
            }
            Terminator::Switch { value, cases, default, .. } => {
                let val = self.value(state, *value);
                self.switch(state, val, cases, default)
            }
            Terminator::Indirect { edges, .. } => {
                for (slot, edge) in edges.iter().enumerate() {
                    let mut other = state.clone();
                    other.take(slot, false);
                    if matches!(self.enter(&mut other, edge), Go::On) {
                        self.later(other);
                    }
                }
                Go::Over
            }
            Terminator::Return(value) => {
                let val = value.map(|value| self.value(state, value));
                self.returned(state, val)
            }
            Terminator::Unreachable(_) => Go::Over,
        }
    }

    fn branch(&mut self, state: &mut State, cond: Val, then: &Edge, otherwise: &Edge) -> Go {
        if let Some(number) = state.facts.number(cond) {
            return self.enter(state, if number != 0 { then } else { otherwise });
        }
        let (first, is_only) = self.preferred(state);
        let edge = |truth: bool| if truth { then } else { otherwise };
        let visits = |truth: bool| state.frame().visits.get(&edge(truth).to).copied();
        let guided = self.guided(state, [then, otherwise].into_iter());
        // Out of loops, first.
        let first = match guided {
            _ if is_only => first,
            Some(slot) if visits(slot == 0).is_none() => slot == 0,
            _ if visits(first) > visits(!first) => !first,
            _ => first,
        };
        if !is_only {
            let mut other = state.clone();
            other.take(usize::from(first), false);
            let possible = other.facts.assume(&self.terms, cond, !first).is_ok();
            if possible && matches!(self.enter(&mut other, edge(!first)), Go::On) {
                self.later(other);
            }
        }
        state.take(usize::from(!first), false);
        match state.facts.assume(&self.terms, cond, first) {
            Ok(()) => self.enter(state, edge(first)),
            Err(_) => Go::Over,
        }
    }

    /// A branch that is decided: that the object is not NULL goes without saying.
    fn note_known(&mut self, state: &mut State, cond: ValueId, slot: usize) {
        let body = self.world.memory().body(state.frame().instance);
        let is_about_it = match body.definition(cond).map(|inst| &body.insts[inst]) {
            Some(&Inst::Compare { lhs, rhs, .. }) => [lhs, rhs].iter().any(|it| {
                state.frame().values.get(it).is_some_and(|&val| self.terms.is_object(val))
            }),
            _ => false,
        };
        if !is_about_it {
            state.take(slot, true);
        }
    }

    /// Which way of a branch to follow first, and whether the other is known not to be taken.
    fn preferred(&mut self, state: &State) -> (bool, bool) {
        let frame = state.frame();
        let proc = self.world.memory().input().instances.proc(frame.instance);
        let Some((atom, taken)) = self.world.atoms.edge(proc, frame.block, 0) else {
            return (true, false);
        };
        if state.ahead == 0
            && let Aim::Leak(leak) = self.aim
            && let Some(known) = leak.decisions.get(atom)
        {
            return (known == taken, true);
        }
        if self.is_short {
            let body = self.world.memory().body(frame.instance);
            let edges = body.blocks[frame.block].terminator.edges();
            let first = self.nearest(frame.instance, edges);
            return (first != Some(1), false);
        }
        (self.chosen.get(&atom).is_none_or(|&chosen| chosen == taken), false)
    }

    /// Which of some ways is the shortest one to a return.
    fn nearest<'e>(
        &mut self,
        instance: InstanceId,
        edges: impl Iterator<Item = &'e Edge>,
    ) -> Option<usize> {
        let memory = self.world.memory();
        let far = self.far.entry(instance).or_insert_with(|| {
            let blocks = memory.body(instance).blocks.iter();
            let returns = blocks.filter(|it| matches!(it.1.terminator, Terminator::Return(_)));
            let returns: Vec<BlockId> = returns.map(|it| it.0).collect();
            reaching(memory.facts(instance).cfg().graph(), &returns)
        });
        let known = edges.enumerate().filter_map(|it| Some((far.get(&it.1.to)?, it.0)));
        known.min().map(|it| it.1)
    }

    fn switch(
        &mut self,
        state: &mut State,
        val: Val,
        cases: &[caulk_ir::SwitchCase],
        default: &Edge,
    ) -> Go {
        if let Some(number) = state.facts.number(val) {
            let number = i128::from(number);
            let slot = cases.iter().position(|case| case.low <= number && number <= case.high);
            state.take(slot.unwrap_or(cases.len()), true);
            return self.enter(state, slot.map_or(default, |slot| &cases[slot].edge));
        }
        let edges = || cases.iter().map(|case| &case.edge).chain([default]);
        let guided = match self.guided(state, edges()) {
            None if self.is_short => self.nearest(state.frame().instance, edges()),
            guided => guided,
        };
        let mut otherwise = state.clone();
        let mut is_possible = true;
        let mut ways: Vec<(usize, State, &Edge)> = Vec::new();
        for (slot, case) in cases.iter().enumerate() {
            let (Ok(low), Ok(high)) = (i64::try_from(case.low), i64::try_from(case.high)) else {
                continue;
            };
            let mut other = state.clone();
            let facts = &mut other.facts;
            let possible = facts.refine(&self.terms, CompareOp::GeS, val, low).is_ok()
                && facts.refine(&self.terms, CompareOp::LeS, val, high).is_ok();
            if possible {
                ways.push((slot, other, &case.edge));
            }
            if low == high {
                is_possible &= otherwise.facts.refine(&self.terms, CompareOp::Ne, val, low).is_ok();
            }
        }
        if is_possible {
            ways.push((cases.len(), otherwise, default));
        }
        self.follow_one(state, ways, guided)
    }

    /// The last way at once, or the one that is wanted; the others later.
    fn follow_one(
        &mut self,
        state: &mut State,
        mut ways: Vec<(usize, State, &Edge)>,
        wanted: Option<usize>,
    ) -> Go {
        let last = ways.len().wrapping_sub(1);
        let at = ways.iter().position(|way| Some(way.0) == wanted).unwrap_or(last);
        if at >= ways.len() {
            return Go::Over;
        }
        let (slot, first, edge) = ways.remove(at);
        for (slot, mut other, edge) in ways {
            other.take(slot, false);
            if matches!(self.enter(&mut other, edge), Go::On) {
                self.later(other);
            }
        }
        *state = first;
        state.take(slot, false);
        self.enter(state, edge)
    }

    /// Along an edge. What a loop counts is not known after its first turn.
    fn enter(&mut self, state: &mut State, edge: &Edge) -> Go {
        let args: Vec<Val> = edge.args.iter().map(|&arg| self.value(state, arg)).collect();
        let instance = state.frame().instance;
        let body = self.world.memory().body(instance);
        let frame = state.frame_mut();
        let visits = frame.visits.entry(edge.to).or_default();
        *visits += 1;
        let again = *visits > 1;
        if *visits > VISITS || !self.leads_there(state, edge.to) {
            return Go::Over;
        }
        let frame = state.frame_mut();
        frame.block = edge.to;
        frame.next = body.blocks[edge.to].first;
        for (&param, &arg) in body.blocks[edge.to].params.iter().zip(&args) {
            let old = state.frame().values.get(&param).copied().filter(|&old| again && old != arg);
            let is_pointer = body.values[param].scalar == Scalar::Ptr;
            let val = match (old, arg.base) {
                (Some(old), Base::Number) if !is_pointer => {
                    let val = self.terms.unknown(Origin::Local(instance, param));
                    if let Some(old) = old.as_number().filter(|&old| old < arg.offset) {
                        let _ = state.facts.refine(&self.terms, CompareOp::GeS, val, old);
                    }
                    val
                }
                _ => arg,
            };
            state.set(param, val);
        }
        if again && state.ahead > 0 {
            self.go_round(state, edge.to);
        }
        state.pass();
        Go::On
    }
}
