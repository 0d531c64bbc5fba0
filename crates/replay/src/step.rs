//! One step of the search: an instruction, or the end of a block.

use std::rc::Rc;

use caulk_base::{FxHashMap, Id};
use caulk_guard::bits::{Binary, Compare, Term, TermId};
use caulk_ir::{
    BitRange, BlockId, Body, CallId, Callee, Constant, Edge, Inst, InstId, RmwOp, Scalar, ScopeId,
    SlotId, SwitchCase, Terminator, ValueId, ValueKind,
};

use crate::blame::Settled;
use crate::hooks::{Hook, hook};
use crate::object::{Kind, Life, Object, Rest};
use crate::search::{Done, Seeker, Stuck};
use crate::state::{Frame, Look, State};
use crate::target::Wish;
use crate::value::{Value, width};

pub enum Flow {
    Go,
    /// Ways that are all possible so far, the best first.
    Split(Vec<State>),
    Ended(End),
}

pub enum End {
    Return(Option<Value>),
    /// The process ended, or the program promises never to come here.
    Exit,
}

/// Calls nested deeper are not followed.
const DEEPEST: usize = 48;
/// Ways of one switch that are tried.
const MOST_CASES: usize = 24;
/// Functions that are tried for one pointer.
const MOST_CALLEES: usize = 3;

impl<'a> Seeker<'a> {
    pub fn body(&self, function: u32) -> Done<&'a Body> {
        let world = self.world;
        world.program.body(function).ok_or(Stuck::loud("a function has no body"))
    }

    pub fn step(&mut self, state: &mut State) -> Done<Flow> {
        let frame = state.frame();
        let (function, block, inst) = (frame.function, frame.block, frame.inst);
        let body = self.body(function)?;
        let row = &body.blocks[block];
        if inst >= row.end {
            return self.terminate(state, body, &row.terminator);
        }
        self.may_fork = !matches!(body.insts[inst], Inst::Call(_));
        if let Inst::Call(call) = body.insts[inst] {
            return self.call(state, body, inst, call);
        }
        let value = self.instruction(state, body, inst)?;
        self.finish(state, body, inst, value);
        Ok(Flow::Go)
    }

    /// Sets the result of an instruction and goes on behind it.
    pub fn finish(&mut self, state: &mut State, body: &Body, inst: InstId, value: Option<Value>) {
        let frame = state.frame();
        if let Some(result) = body.results[inst] {
            frame.values[result.index()] = Some(value.unwrap_or(Value::Opaque));
        }
        frame.inst = InstId(inst.0 + 1);
    }

    pub fn value(&mut self, state: &mut State, body: &Body, id: ValueId) -> Value {
        let row = body.values[id];
        let ValueKind::Const(constant) = row.kind else {
            return state.frame().values[id.index()].unwrap_or(Value::Opaque);
        };
        let function = state.frame().function;
        let module = self.program().functions[function as usize].module;
        match constant {
            Constant::Int(number) => match width(row.scalar) {
                Some(width) => Value::Term(self.space.number(number, width)),
                None => Value::Opaque,
            },
            Constant::Object(object) => {
                let object = self.static_object(state, module, object);
                Value::Pointer { object, offset: self.space.offset(0) }
            }
            Constant::Function(id) => Value::Function(self.program().function_number(module, id)),
            Constant::Slot(slot) => {
                let object = self.slot(state, body, slot);
                Value::Pointer { object, offset: self.space.offset(0) }
            }
            Constant::Float(_) | Constant::Wide(_) | Constant::Label(_) | Constant::Undef => {
                Value::Opaque
            }
        }
    }

    fn slot(&mut self, state: &mut State, body: &Body, slot: SlotId) -> u32 {
        if let Some(object) = state.frame().slots[slot.index()] {
            return object;
        }
        let function = state.frame().function;
        let module = self.program().functions[function as usize].module;
        let mut object = Object::new(Kind::Slot, Rest::Undefined);
        let names = &self.program().modules[module].names;
        let var = body.slots[slot].var;
        object.name =
            var.map_or_else(String::new, |var| names.text(body.vars[var].name).to_owned());
        object.ty = Some((module, body.slots[slot].ty));
        let id = state.add(object);
        state.frame().slots[slot.index()] = Some(id);
        id
    }

    fn end_slots(&mut self, state: &mut State, body: &Body, scope: Option<ScopeId>) {
        for (slot, row) in body.slots.iter() {
            if scope.is_none() || row.scope == scope {
                let object = state.frame().slots[slot.index()].take();
                if let Some(object) = object {
                    state.object_mut(object).life = Life::Over;
                }
            }
        }
    }

    fn instruction(&mut self, state: &mut State, body: &Body, id: InstId) -> Done<Option<Value>> {
        let value = match body.insts[id] {
            Inst::Load { from, scalar, .. } => {
                let from = self.value(state, body, from);
                self.load(state, from, scalar)?
            }
            Inst::Store { to, value, .. } => {
                let scalar = body.values[value].scalar;
                let (to, value) = (self.value(state, body, to), self.value(state, body, value));
                self.store(state, to, scalar, value)?;
                return Ok(None);
            }
            Inst::LoadBits { from, scalar, bits } => {
                let from = self.value(state, body, from);
                self.load_bits(state, from, scalar, bits)?
            }
            Inst::StoreBits { to, value, bits } => {
                let (to, value) = (self.value(state, body, to), self.value(state, body, value));
                self.store_bits(state, to, value, bits)?;
                return Ok(None);
            }
            Inst::Unary { op, value: operand } => {
                let value = self.value(state, body, operand);
                self.note_error_code(state, body, (op, operand), value);
                self.unary(op, value)
            }
            Inst::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(state, body, lhs), self.value(state, body, rhs));
                self.binary(state, op, lhs, rhs)
            }
            Inst::Compare { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(state, body, lhs), self.value(state, body, rhs));
                self.compare(state, op, lhs, rhs)
            }
            Inst::Convert { op, value, to } => {
                let value = self.value(state, body, value);
                self.convert(op, value, to)
            }
            Inst::Overflow { op, part, lhs, rhs, scalar, signs } => {
                let operands = [lhs, rhs].map(|id| self.value(state, body, id));
                self.overflow((op, part), operands, scalar, signs)
            }
            Inst::Field { base, offset, .. } => {
                let (base, by) = (self.value(state, body, base), self.space.offset(offset));
                self.indexed(base, Value::Term(by), 1)
            }
            Inst::Index { base, index, stride } => {
                let (base, index) = (self.value(state, body, base), self.value(state, body, index));
                self.indexed(base, index, stride)
            }
            Inst::AtomicRmw { op, to, value } => {
                let scalar = body.values[value].scalar;
                let (to, value) = (self.value(state, body, to), self.value(state, body, value));
                self.exchange(state, to, scalar, op, value)?
            }
            ref other => return self.effect(state, body, other),
        };
        Ok(Some(value))
    }

    fn effect(&mut self, state: &mut State, body: &Body, inst: &Inst) -> Done<Option<Value>> {
        match *inst {
            Inst::Copy { to, from, size, ty } => {
                let function = state.frame().function;
                let module = self.program().functions[function as usize].module;
                let size = self.number(state, body, size)?;
                let (to, from) = (self.value(state, body, to), self.value(state, body, from));
                self.copy(state, to, from, size, (module, ty))?;
            }
            Inst::Fill { to, byte, size } => {
                let size = self.number(state, body, size)?;
                let (to, byte) = (self.value(state, body, to), self.value(state, body, byte));
                self.fill(state, to, byte, size)?;
            }
            Inst::HavocMemory { to, size } => {
                let size = self.number(state, body, size)?;
                let to = self.value(state, body, to);
                let zero = Value::Term(self.space.number(0, 8));
                self.doubt("arithmetic on vectors is not followed");
                self.fill(state, to, zero, size)?;
            }
            Inst::Alloca { .. } => {
                let id = state.add(Object::new(Kind::Slot, Rest::Undefined));
                return Ok(Some(Value::Pointer { object: id, offset: self.space.offset(0) }));
            }
            Inst::VaArg { .. } => {
                let frame = state.frame();
                let value = frame.variadic.get(frame.asked).copied();
                frame.asked += 1;
                return value.map(Some).ok_or(Stuck::loud("variable arguments are passed on"));
            }
            Inst::VaCopy { .. } => return Err(Stuck::loud("variable arguments are copied")),
            Inst::CompareExchange { .. } => {
                return Err(Stuck::loud("an atomic exchange is not followed"));
            }
            Inst::Asm(_) => return Err(Stuck::loud("inline assembly is not followed")),
            Inst::ScopeEnd(scope) => self.end_slots(state, body, Some(scope)),
            Inst::ScopeBegin(scope) => self.end_slots(state, body, Some(scope)),
            _ => {}
        }
        Ok(None)
    }

    /// A number that has to be known.
    fn number(&mut self, state: &mut State, body: &Body, id: ValueId) -> Done<i64> {
        match self.value(state, body, id) {
            Value::Term(term) => match self.space.constant(term) {
                Some(number) => Ok(number),
                None => self.settle(state, term),
            },
            _ => Err(Stuck::loud("a size is not known")),
        }
    }

    fn exchange(
        &mut self,
        state: &mut State,
        to: Value,
        scalar: Scalar,
        op: RmwOp,
        value: Value,
    ) -> Done<Value> {
        use caulk_ir::BinaryOp;
        let old = self.load(state, to, scalar)?;
        let new = match op {
            RmwOp::Exchange => value,
            RmwOp::Add => self.binary(state, BinaryOp::Add, old, value),
            RmwOp::Sub => self.binary(state, BinaryOp::Sub, old, value),
            RmwOp::And => self.binary(state, BinaryOp::And, old, value),
            RmwOp::Or => self.binary(state, BinaryOp::Or, old, value),
            RmwOp::Xor => self.binary(state, BinaryOp::Xor, old, value),
            RmwOp::Nand => Value::Opaque,
        };
        self.store(state, to, scalar, new)?;
        Ok(old)
    }

    fn load_bits(
        &mut self,
        state: &mut State,
        from: Value,
        scalar: Scalar,
        bits: BitRange,
    ) -> Done<Value> {
        let bytes = (u32::from(bits.first) + u32::from(bits.width)).div_ceil(8);
        let (object, at) = self.place(state, from)?;
        let whole =
            if bytes > 8 { Value::Opaque } else { self.read(state, object, at, bytes, None)? };
        let (Value::Term(whole), Some(wide)) = (whole, width(scalar)) else {
            return Ok(Value::Opaque);
        };
        let by = self.space.number(i64::from(bits.first), self.space.terms.width(whole));
        let moved = self.space.terms.binary(Binary::ShrU, whole, by);
        let cut = match bits.width < self.space.terms.width(moved) {
            true => self.space.terms.truncate(moved, bits.width),
            false => moved,
        };
        Ok(Value::Term(match (self.space.terms.width(cut) < wide, bits.signed) {
            (false, _) => cut,
            (true, true) => self.space.terms.extend_s(cut, wide),
            (true, false) => self.space.terms.extend_u(cut, wide),
        }))
    }

    fn store_bits(
        &mut self,
        state: &mut State,
        to: Value,
        value: Value,
        bits: BitRange,
    ) -> Done<()> {
        let bytes = (u32::from(bits.first) + u32::from(bits.width)).div_ceil(8);
        let (object, at) = self.place(state, to)?;
        if bytes > 8 {
            return Err(Stuck::loud("a wide bit-field is not followed"));
        }
        let wide = bytes as u8 * 8;
        let old = self.read(state, object, at, bytes, None)?;
        let (Value::Term(new), old) = (value, old) else {
            self.write(state, object, at, bytes, Value::Opaque);
            return Ok(());
        };
        // Bits beside it that were never set are taken as zero, as the interpreter does.
        let old = match old {
            Value::Term(term) => term,
            _ => self.space.number(0, wide),
        };
        let new = match self.space.terms.width(new) {
            narrow if narrow < wide => self.space.terms.extend_u(new, wide),
            more if more > wide => self.space.terms.truncate(new, wide),
            _ => new,
        };
        let ones = if bits.width >= 64 { u64::MAX } else { (1 << bits.width) - 1 };
        let mask = self.space.terms.constant(ones << bits.first, wide);
        let hole = self.space.terms.constant(!(ones << bits.first), wide);
        let by = self.space.number(i64::from(bits.first), wide);
        let new = self.space.terms.binary(Binary::Shl, new, by);
        let new = self.space.terms.binary(Binary::And, new, mask);
        let old = self.space.terms.binary(Binary::And, old, hole);
        let whole = self.space.terms.binary(Binary::Or, old, new);
        self.write(state, object, at, bytes, Value::Term(whole));
        Ok(())
    }

    fn call(&mut self, state: &mut State, body: &'a Body, inst: InstId, id: CallId) -> Done<Flow> {
        if self.target.wish == Wish::Call
            && state.frames.len() == 1
            && self.target.calls.contains(&inst)
        {
            state.is_done = true;
            return Err(Stuck::quiet("the call is there"));
        }
        let row = &body.calls[id];
        let args: Vec<Value> =
            row.args.iter().map(|arg| self.value(state, body, arg.value)).collect();
        let into = row.result_into.map(|into| self.value(state, body, into));
        let function = state.frame().function;
        let module = self.program().functions[function as usize].module;
        let callee = match row.callee {
            Callee::Function(id) => Some(self.program().function_number(module, id)),
            Callee::Pointer(value) => {
                let pointer = self.value(state, body, value);
                match self.known(state, pointer) {
                    Value::Function(number) => Some(number),
                    Value::Term(term) if self.space.constant(term).is_none() => {
                        let ways = self.chosen_callees(state, term)?;
                        if !ways.is_empty() {
                            return Ok(Flow::Split(ways));
                        }
                        None
                    }
                    Value::Pointer { .. } => None,
                    _ => return Err(Stuck::loud("an unknown function pointer is called")),
                }
            }
        };
        match callee {
            Some(number) if self.program().functions[number as usize].defined => {
                self.enter(state, number, &args, into)?;
                Ok(Flow::Go)
            }
            _ => self.external(state, body, inst, callee, &args, into),
        }
    }

    /// States in which a pointer from outside points to one of the functions that the program puts
    /// there, and one in which it points elsewhere, where it may. None where the program tells
    /// nothing: then it does.
    fn chosen_callees(&mut self, state: &mut State, pointer: TermId) -> Done<Vec<State>> {
        let elsewhere = state.clone();
        self.place(state, Value::Term(pointer))?;
        let Term::Symbol { number, .. } = *self.space.terms.get(pointer) else {
            return Ok(Vec::new());
        };
        let Hook { functions, is_open } = self.installed(state, pointer, number);
        if functions.is_empty() {
            return Ok(Vec::new());
        }
        if is_open || functions.len() > MOST_CALLEES {
            self.doubt("a function was chosen for a pointer");
        }
        let mut ways = Vec::new();
        for &function in functions.iter().take(MOST_CALLEES) {
            let mut way = elsewhere.clone();
            Rc::make_mut(&mut way.chosen).insert(number, function);
            let null = self.space.offset(0);
            let is_null = self.space.terms.eq(pointer, null);
            way.assume(self.space.terms.not(is_null));
            // Of static storage the program tells what it may hold.
            if functions.len() > 1 && static_place(&way, pointer).is_none() {
                way.demanded.push(pointer);
            }
            ways.push(way);
        }
        if is_open {
            ways.push(state.clone());
        }
        Ok(ways)
    }

    /// The functions that the program puts into the static pointer that a symbol stands for, or into
    /// members like it.
    fn installed(&self, state: &State, pointer: TermId, number: u32) -> Hook {
        let world = self.world;
        let hook = static_place(state, pointer).map(|(object, offset)| hook(world, object, offset));
        let member = self.space.symbols[number as usize].member.as_ref();
        match (hook, member) {
            (Some(hook), None) => hook,
            (Some(hook), _) if !hook.is_open => hook,
            (_, Some(member)) => {
                Hook { functions: world.functions_in(member).to_vec(), is_open: true }
            }
            (None, None) => Hook::default(),
        }
    }

    /// Makes an activation.
    pub fn enter(
        &mut self,
        state: &mut State,
        function: u32,
        args: &[Value],
        into: Option<Value>,
    ) -> Done<()> {
        if state.frames.len() >= DEEPEST {
            return Err(Stuck::loud("calls are nested too deep"));
        }
        let body = self.body(function)?;
        let mut values = vec![None; body.values.len()];
        for (number, param) in body.params.iter().enumerate() {
            values[param.index()] = Some(args.get(number).copied().unwrap_or(Value::Opaque));
        }
        if let Some(param) = body.result_into {
            values[param.index()] = into;
        }
        state.frames.push(Rc::new(Frame {
            function,
            block: BlockId::ENTRY,
            inst: body.blocks[BlockId::ENTRY].first,
            values,
            slots: vec![None; body.slots.len()],
            variadic: args.get(body.params.len()..).unwrap_or(&[]).to_vec(),
            asked: 0,
            settled: None,
            visits: FxHashMap::default(),
        }));
        Ok(())
    }

    fn terminate(
        &mut self,
        state: &mut State,
        body: &'a Body,
        terminator: &'a Terminator,
    ) -> Done<Flow> {
        match terminator {
            Terminator::Jump(edge) => {
                self.take(state, body, edge)?;
                Ok(Flow::Go)
            }
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.value(state, body, *cond);
                self.branch(state, body, cond, then, otherwise)
            }
            Terminator::Switch { value, signed, cases, default } => {
                let value = self.value(state, body, *value);
                self.switch(state, body, value, *signed, cases, default)
            }
            Terminator::Indirect { .. } => Err(Stuck::loud("a computed goto is not followed")),
            Terminator::Unreachable(_) => Ok(Flow::Ended(End::Exit)),
            Terminator::Return(value) => {
                let value = value.map(|value| self.value(state, body, value));
                self.leave(state, body, value)
            }
        }
    }

    fn leave(&mut self, state: &mut State, body: &Body, value: Option<Value>) -> Done<Flow> {
        self.end_slots(state, body, None);
        if state.frames.len() == 1 {
            let value = value.map(|value| self.known(state, value));
            return Ok(Flow::Ended(End::Return(value)));
        }
        let inside = state.frames.pop().and_then(|frame| frame.settled);
        let frame = state.frame();
        let (function, inst) = (frame.function, frame.inst);
        let caller = self.body(function)?;
        self.finish(state, caller, inst, value);
        match self.call_went(state, inst, value, inside) {
            true => Ok(Flow::Split(vec![std::mem::take(state)])),
            false => Ok(Flow::Go),
        }
    }

    fn branch(
        &mut self,
        state: &mut State,
        body: &Body,
        cond: Value,
        then: &Edge,
        otherwise: &Edge,
    ) -> Done<Flow> {
        let cond = match cond {
            Value::Term(term) => Some(term),
            Value::Opaque => None,
            _ => Some(TermId::TRUE),
        };
        match cond.and_then(|term| self.space.constant(term)) {
            Some(0) => self.take(state, body, otherwise).map(|()| Flow::Go),
            Some(_) => self.take(state, body, then).map(|()| Flow::Go),
            None => {
                let negated = cond.map(|term| self.space.terms.not(term));
                if cond.is_none() {
                    self.doubt("a value that the search does not follow decides a branch");
                }
                self.fork(state, body, &[(then, cond), (otherwise, negated)])
            }
        }
    }

    fn switch(
        &mut self,
        state: &mut State,
        body: &Body,
        value: Value,
        signed: bool,
        cases: &[SwitchCase],
        default: &Edge,
    ) -> Done<Flow> {
        let Value::Term(term) = value else {
            return Err(Stuck::loud("a value that the search does not follow decides a switch"));
        };
        if let Some(number) = self.space.terms.as_constant(term) {
            let width = self.space.terms.width(term);
            let exact = match signed {
                true => i128::from(self.space.constant(term).unwrap_or(0)),
                false => i128::from(number & (u64::MAX >> (64 - u32::from(width)))),
            };
            let case = cases.iter().find(|case| case.low <= exact && exact <= case.high);
            self.take(state, body, case.map_or(default, |case| &case.edge))?;
            return Ok(Flow::Go);
        }
        let mut ways = Vec::new();
        let mut none = TermId::TRUE;
        for case in cases {
            let inside = self.inside(term, signed, case);
            let outside = self.space.terms.not(inside);
            none = self.space.terms.and(none, outside);
            if self.is_on_route(state, case.edge.to) {
                ways.push((&case.edge, Some(inside)));
            }
        }
        ways.push((default, Some(none)));
        if ways.len() > MOST_CASES {
            self.doubt("a switch has too many cases");
            ways.drain(MOST_CASES - 1..ways.len() - 1);
        }
        self.fork(state, body, &ways)
    }

    fn inside(&mut self, term: TermId, signed: bool, case: &SwitchCase) -> TermId {
        let width = self.space.terms.width(term);
        let low = self.space.terms.constant(case.low as u64, width);
        if case.low == case.high {
            return self.space.terms.compare(Compare::Eq, term, low);
        }
        let high = self.space.terms.constant(case.high as u64, width);
        let op = if signed { Compare::LeS } else { Compare::LeU };
        let above = self.space.terms.compare(op, low, term);
        let below = self.space.terms.compare(op, term, high);
        self.space.terms.and(above, below)
    }

    /// One state for each way that the guide allows, the best first.
    fn fork(
        &mut self,
        state: &mut State,
        body: &Body,
        ways: &[(&Edge, Option<TermId>)],
    ) -> Done<Flow> {
        let mut ranked = Vec::new();
        for &(edge, condition) in ways {
            if let Some(rank) = self.rank(state, edge.to) {
                ranked.push((rank, edge, condition));
            }
        }
        let function = state.frame().function;
        let way = |edge: &Edge| Settled::Way { function, to: edge.to };
        ranked.sort_by_key(|(rank, edge, _)| (self.is_blamed(way(edge)), *rank));
        let is_choice = ranked.len() > 1;
        let mut states = Vec::new();
        let last = ranked.len().max(1) - 1;
        for (number, (_, edge, condition)) in ranked.into_iter().enumerate() {
            let mut next = state.way(number == last);
            if is_choice {
                self.settled(&mut next, way(edge));
            }
            if let Some(condition) = condition {
                next.assume(condition);
                next.decided.push(condition);
            }
            *next.frame().visits.entry(edge.to).or_default() += 1;
            if self.take(&mut next, body, edge).is_ok() {
                states.push(next);
            }
        }
        Ok(Flow::Split(states))
    }

    /// Whether no return can be reached any more, where only those count that do.
    fn ends_the_process(&mut self, function: u32, block: BlockId) -> bool {
        self.target.wish == Wish::Leak
            && self.distances_to_return(function).get(block).copied().flatten().is_none()
    }

    fn take(&mut self, state: &mut State, body: &Body, edge: &Edge) -> Done<()> {
        if state.frames.len() == 1 {
            let is_wanted = self.wanted(state).is_none_or(|wanted| wanted == edge.to);
            if !is_wanted && !self.leads_back(state, edge.to) {
                return Err(Stuck::quiet("off the finding's path"));
            }
            state.is_astray = !is_wanted;
            state.on_route += usize::from(is_wanted);
        }
        if self.ends_the_process(state.frame().function, edge.to) {
            return Err(Stuck::quiet("the process ends"));
        }
        let args: Vec<Value> = edge.args.iter().map(|&arg| self.value(state, body, arg)).collect();
        let target = &body.blocks[edge.to];
        let frame = state.frame();
        for (param, arg) in target.params.iter().zip(args) {
            frame.values[param.index()] = Some(arg);
        }
        (frame.block, frame.inst) = (edge.to, target.first);
        Ok(())
    }
}

/// The static object that a value was read from, and where in it.
fn static_place(state: &State, value: TermId) -> Option<(u32, i64)> {
    let is_it = |look: &&Look| look.event == 0 && look.value == Value::Term(value);
    let look = state.looks.iter().find(is_it)?;
    match state.object(look.object).kind {
        Kind::Static(object) => Some((object, look.offset)),
        _ => None,
    }
}
