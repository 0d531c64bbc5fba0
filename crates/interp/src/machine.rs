//! The machine: activations, calls and returns. C calls do not recurse in Rust; only callbacks
//! from the library (`qsort`'s comparison) do, up to a limit.

use std::rc::Rc;

use caulk_base::{FxHashMap, SpanId};

use crate::code::{CalleeCode, Code};
use crate::decode::{self, Addresses, is_wide};
use crate::event::{Birth, EventKind, Listener};
use crate::execute::{Activation, Leave};
use crate::fault::{Budget, Fault, FaultKind, Position, Report, Step, Stop};
use crate::library::{Args, LibraryFn, LibraryState};
use crate::link::Program;
use crate::look::{Moment, Watcher};
use crate::memory::{Memory, ObjectKind, State};
use crate::run::{Budgets, Uninitialised, Unknown};
use crate::scenario::Script;
use crate::stacks::Stacks;
use crate::trace::Fact;
use crate::value::{Origin, Value};

/// One activation of a function.
pub struct Frame {
    pub function: u32,
    pub code: Rc<Code>,
    /// The operation to run next.
    pub pc: usize,
    /// Its first register.
    pub base: usize,
    pub stack_top: u64,
    /// Variable length arrays with their scopes.
    pub allocas: Vec<(Origin, Option<u32>)>,
    /// The variable arguments, once asked for.
    pub arguments: Option<Origin>,
    /// The call in the caller's code; none when the library called.
    pub call: Option<u32>,
    /// Tells activations apart for `longjmp`.
    pub serial: u64,
    /// What each source variable points to, in watch mode.
    pub held: Vec<Origin>,
}

pub struct Machine<'p> {
    pub program: &'p Program,
    pub addresses: Addresses,
    codes: Vec<Option<Rc<Code>>>,
    pub libraries: Vec<Option<LibraryFn>>,
    pub memory: Memory,
    pub regs: Vec<Value>,
    pub frames: Vec<Frame>,
    pub steps: u64,
    pub budgets: Budgets,
    pub watch: bool,
    pub unknown: Unknown,
    pub answers: std::vec::IntoIter<i64>,
    /// What the function that was run by itself returned.
    pub returned: Origin,
    pub uninitialised: Uninitialised,
    /// The next turn's decisions were already reported.
    blind: bool,
    pub library: LibraryState,
    pub stacks: Stacks,
    pub trace: Option<&'p mut dyn FnMut(&Fact)>,
    pub events: Option<Listener<'p>>,
    pub watcher: Option<Watcher<'p>>,
    /// Blocks from one sample of the holders to the next, and blocks so far.
    pub sample: Option<u64>,
    pub blocks: u64,
    /// The high half of a library function's result.
    pub high: Value,
    pub reports: Vec<Report>,
    next_serial: u64,
    /// Steps spent on long work of library functions.
    work: u64,
    host_depth: u32,
    pub by_address: FxHashMap<u64, u32>,
    /// What answers external calls while a scenario is played.
    pub script: Option<Box<Script>>,
}

/// Registers of all activations together: 512 MiB.
const MAX_REGISTERS: usize = 1 << 25;

/// Bytes that a library function moves for the price of a step.
const BYTES_OF_A_STEP: u64 = 64;

/// Library callbacks nested in each other.
const MAX_HOST_DEPTH: u32 = 60;

impl<'p> Machine<'p> {
    pub fn new(
        program: &'p Program,
        memory: Memory,
        addresses: Addresses,
        library: LibraryState,
        budgets: Budgets,
    ) -> Self {
        let libraries = program
            .functions
            .iter()
            .map(|entry| if entry.defined { None } else { crate::library::find(&entry.name) })
            .collect();
        Self {
            program,
            addresses,
            codes: vec![None; program.functions.len()],
            libraries,
            memory,
            regs: Vec::new(),
            frames: Vec::new(),
            steps: 0,
            budgets,
            watch: false,
            unknown: Unknown::Stop,
            answers: Vec::new().into_iter(),
            returned: 0,
            uninitialised: Uninitialised::Stop,
            blind: false,
            library,
            stacks: Stacks::default(),
            trace: None,
            events: None,
            watcher: None,
            sample: None,
            blocks: 0,
            high: Value::int(0),
            reports: Vec::new(),
            next_serial: 1,
            work: 0,
            host_depth: 0,
            script: None,
            by_address: FxHashMap::default(),
        }
    }

    fn is_observed(&self) -> bool {
        self.watch || self.trace.is_some() || self.events.is_some()
    }

    fn code(&mut self, function: u32) -> Option<Rc<Code>> {
        if let Some(code) = &self.codes[function as usize] {
            return Some(code.clone());
        }
        let body = self.program.body(function)?;
        let observed = self.is_observed();
        let code = Rc::new(decode::decode(self.program, &self.addresses, function, body, observed));
        self.codes[function as usize] = Some(code.clone());
        Some(code)
    }

    /// Calls a function of the program or the library from outside, and waits for its result.
    pub fn call_function(&mut self, function: u32, args: &[Value]) -> Step<Value> {
        self.host_depth += 1;
        if self.host_depth > MAX_HOST_DEPTH {
            return Err(Box::new(Stop::OutOfBudget(Budget::Depth)));
        }
        let result = if self.program.functions[function as usize].defined {
            self.call_defined(function, args)
        } else {
            self.spend(1).and_then(|()| self.call_library(function, &Args::plain(args)))
        };
        self.host_depth -= 1;
        result
    }

    /// Counts work that no operation of the program stands for.
    pub fn spend(&mut self, steps: u64) -> Step<()> {
        self.work = self.work.saturating_add(steps);
        if self.steps.saturating_add(self.work) > self.budgets.steps {
            return Err(Box::new(Stop::OutOfBudget(Budget::Steps)));
        }
        Ok(())
    }

    /// Counts the bytes that were moved since it was last asked.
    pub fn spend_on_memory(&mut self) -> Step<()> {
        let bytes = std::mem::take(&mut self.memory.moved);
        self.spend(bytes / BYTES_OF_A_STEP)
    }

    fn call_defined(&mut self, function: u32, args: &[Value]) -> Step<Value> {
        self.call_with(function, args, None)
    }

    /// Calls a function of the program; an aggregate result goes to `into`.
    pub fn call_with(&mut self, function: u32, args: &[Value], into: Option<Value>) -> Step<Value> {
        let depth = self.frames.len();
        self.enter(function, None)?;
        let frame = &self.frames[depth];
        let (base, code) = (frame.base, frame.code.clone());
        for (at, &(reg, _)) in code.params.iter().enumerate() {
            self.regs[base + reg as usize] = args.get(at).copied().unwrap_or(Value::UNDEF);
        }
        if let (Some(reg), Some(into)) = (code.result_into, into) {
            self.regs[base + reg as usize] = into;
        }
        self.show_begin();
        self.run(depth).map(|(low, _)| low)
    }

    /// Calls through a pointer.
    pub fn call_pointer(&mut self, pointer: Value, args: &[Value]) -> Step<Value> {
        let function = self.function_at(pointer)?;
        self.call_function(function, args)
    }

    pub fn function_at(&self, pointer: Value) -> Step<u32> {
        let object = self.memory.object(pointer.origin());
        match object.kind {
            ObjectKind::Function(function) if pointer.bits == object.base => return Ok(function),
            _ => {}
        }
        if let Some(&function) = self.by_address.get(&pointer.bits)
            && pointer.origin() == 0
        {
            return Ok(function);
        }
        let what = if pointer.bits == 0 { "NULL" } else { "something that is no function" };
        Err(Fault::new(FaultKind::BadCall, format!("call of {what}")).into())
    }

    /// Runs until the activation at `depth` returns.
    fn run(&mut self, depth: usize) -> Step<(Value, Value)> {
        loop {
            match self.turn(depth) {
                Ok(None) => {}
                Ok(Some(result)) => return Ok(result),
                Err(stop) => self.land(stop, depth)?,
            }
        }
    }

    /// A jump that ends in one of this loop's activations goes on there.
    fn land(&mut self, stop: Box<Stop>, depth: usize) -> Step<()> {
        let Stop::LongJump { target, value } = *stop else { return Err(stop) };
        if target.depth < depth {
            return Err(stop);
        }
        while self.frames.len() > target.depth + 1 {
            self.leave();
        }
        let frame = &mut self.frames[target.depth];
        frame.pc = target.pc;
        if let Some(reg) = target.dst {
            self.regs[frame.base + reg as usize] = Value::i32(value);
        }
        Ok(())
    }

    /// Runs the current activation until it leaves the inner loop.
    fn turn(&mut self, depth: usize) -> Step<Option<(Value, Value)>> {
        let observed = self.is_observed();
        let Some(frame) = self.frames.last_mut() else { return Ok(Some(Default::default())) };
        let end = frame.base + frame.code.registers as usize;
        let mut activation = Activation {
            code: &frame.code,
            regs: &mut self.regs[frame.base..end],
            memory: &mut self.memory,
            pc: frame.pc,
            steps: self.steps,
            limit: self.budgets.steps,
            blind: std::mem::take(&mut self.blind),
        };
        let leave = if observed { activation.run::<true>() } else { activation.run::<false>() };
        self.steps = activation.steps;
        frame.pc = activation.pc;
        if observed {
            self.flush_trace();
        }
        match leave {
            Leave::Call(call) => self.call(call)?,
            Leave::Return(low, high) => return Ok(self.finish(depth, low, high)),
            Leave::Special(special) => self.special(special)?,
            Leave::Edge(edge) => self.observe_edge(edge),
            Leave::Observe => {}
            Leave::Fault(fault) => return Err(fault.into()),
            Leave::Undefined => self.undefined_decision()?,
            Leave::OutOfSteps => return Err(Box::new(Stop::OutOfBudget(Budget::Steps))),
        }
        if observed {
            self.observe();
        }
        Ok(None)
    }

    /// An undefined value decides where to go: the run ends, or goes on with a report.
    fn undefined_decision(&mut self) -> Step<()> {
        let fault = Fault::new(FaultKind::Uninitialised, "an uninitialised value decides a branch");
        if self.uninitialised == Uninitialised::Stop {
            return Err(fault.into());
        }
        let report = self.report(&fault);
        if !self.reports.contains(&report) {
            self.reports.push(report);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pc -= 1;
        }
        self.blind = true;
        Ok(())
    }

    /// A return: the value goes to the caller's register, or out of the loop.
    fn finish(&mut self, depth: usize, low: Value, high: Value) -> Option<(Value, Value)> {
        let call = self.frames.last().and_then(|frame| frame.call);
        self.tell_return(low);
        self.show(Moment::Returns);
        self.leave();
        if self.frames.len() <= depth {
            return Some((low, high));
        }
        let caller = self.frames.last()?;
        let row = &caller.code.calls[call? as usize];
        if let (Some(dst), Some(scalar)) = (row.dst, row.result) {
            let at = caller.base + dst as usize;
            self.regs[at] = low;
            if is_wide(scalar) {
                self.regs[at + 1] = high;
            }
        }
        None
    }

    fn call(&mut self, call: u32) -> Step<()> {
        let frame = &self.frames[self.frames.len() - 1];
        let (code, base) = (frame.code.clone(), frame.base);
        let row = &code.calls[call as usize];
        let function = match row.callee {
            CalleeCode::Function(function) => function,
            CalleeCode::Pointer(reg) => match self.function_at(self.regs[base + reg as usize]) {
                Ok(function) => function,
                Err(_) if self.script.is_some() => return self.call_out(None, &code, call, base),
                Err(stop) => return Err(stop),
            },
        };
        if self.trace.is_some() || self.events.is_some() {
            self.trace_call(function);
        }
        if !self.program.functions[function as usize].defined {
            return self.call_out(Some(function), &code, call, base);
        }
        self.enter(function, Some(call))?;
        let frame = &self.frames[self.frames.len() - 1];
        let callee = &frame.code;
        let (low, high) = self.regs.split_at_mut(frame.base);
        for (index, &(reg, scalar)) in callee.params.iter().enumerate() {
            let Some(arg) = row.args.get(index) else {
                high[reg as usize] = Value::UNDEF;
                continue;
            };
            let from = base + arg.reg as usize;
            high[reg as usize] = low[from];
            if is_wide(scalar) {
                high[reg as usize + 1] =
                    if is_wide(arg.scalar) { low[from + 1] } else { Value::int(0) };
            }
        }
        if let Some(into) = callee.result_into {
            high[into as usize] = row.into.map_or(Value::int(0), |reg| low[base + reg as usize]);
        }
        self.show_begin();
        Ok(())
    }

    /// Calls a library function and puts its result in place.
    fn call_out(
        &mut self,
        function: Option<u32>,
        code: &Rc<Code>,
        call: u32,
        base: usize,
    ) -> Step<()> {
        let row = &code.calls[call as usize];
        let mut args = self.library.take_args();
        for arg in &row.args {
            let at = base + arg.reg as usize;
            let high = if is_wide(arg.scalar) { self.regs[at + 1] } else { Value::int(0) };
            args.push(self.regs[at], high, arg.scalar, arg.aggregate);
        }
        args.into = row.into.map(|reg| self.regs[base + reg as usize]);
        let result = match function {
            Some(function) if self.script.is_none() => self.call_library(function, &args),
            _ => self.answer(function, &args),
        };
        self.library.give_args(args);
        let value = result?;
        if let (Some(dst), Some(scalar)) = (row.dst, row.result) {
            let at = base + dst as usize;
            let bits = scalar.int_bits().filter(|&bits| bits < 64);
            self.regs[at] = match bits {
                Some(bits) => {
                    Value { bits: value.bits & crate::value::mask(bits), meta: value.meta }
                }
                None => value,
            };
            if is_wide(scalar) {
                self.regs[at + 1] = self.high;
            }
        }
        Ok(())
    }

    fn call_library(&mut self, function: u32, args: &Args) -> Step<Value> {
        match self.libraries[function as usize] {
            Some(run) => {
                args.check_defined()?;
                let result = run(self, args)?;
                self.spend_on_memory()?;
                Ok(result)
            }
            None if self.unknown == Unknown::Havoc => Ok(Value::int(0)),
            None if self.unknown == Unknown::Answer && self.program.is_numeric(function) => {
                Ok(Value::int(self.answers.next().unwrap_or(0) as u64))
            }
            None => {
                let name = self.program.functions[function as usize].name.clone();
                Err(Box::new(Stop::UnknownExternal(name)))
            }
        }
    }

    /// Makes an activation; its parameters are still to be set.
    fn enter(&mut self, function: u32, call: Option<u32>) -> Step<()> {
        if self.frames.len() >= self.budgets.depth {
            return Err(Box::new(Stop::OutOfBudget(Budget::Depth)));
        }
        let Some(code) = self.code(function) else {
            let name = self.program.function_name(function);
            return Err(Fault::new(FaultKind::BadCall, format!("{name} has no body")).into());
        };
        let base = match self.frames.last() {
            Some(caller) => caller.base + caller.code.registers as usize,
            None => 0,
        };
        let end = base + code.registers as usize;
        if end > MAX_REGISTERS {
            return Err(Box::new(Stop::OutOfBudget(Budget::Depth)));
        }
        if self.regs.len() < end {
            self.regs.resize(end.next_multiple_of(1 << 12), Value::default());
        }
        let first = base + code.first_constant as usize;
        self.regs[first..end].copy_from_slice(&code.constants);
        self.steps += u64::from(code.entry_weight);
        let stack_top = self.memory.stack_top;
        // What the library did before it called back belongs to its caller.
        self.flush_trace();
        let held = if self.watch { vec![0; code.vars] } else { Vec::new() };
        self.next_serial += 1;
        self.frames.push(Frame {
            function,
            code: code.clone(),
            pc: 0,
            base,
            stack_top,
            allocas: Vec::new(),
            arguments: None,
            call,
            serial: self.next_serial,
            held,
        });
        self.tell_event(EventKind::Enter { function });
        self.make_slots(function, &code, base)
    }

    fn make_slots(&mut self, function: u32, code: &Code, base: usize) -> Step<()> {
        for slot in &code.slots {
            self.regs[base + slot.reg as usize] = Value::int(0);
        }
        for &slot in &code.whole_slots {
            self.make_slot(function, code, base, slot)?;
        }
        Ok(())
    }

    pub fn make_slot(&mut self, function: u32, code: &Code, base: usize, slot: u32) -> Step<()> {
        let row = &code.slots[slot as usize];
        if self.memory.is_exhausted(row.size) {
            return Err(Box::new(Stop::OutOfBudget(Budget::Memory)));
        }
        let id = self.memory.add_slot(row.size, row.align, ObjectKind::Slot { function, slot });
        self.regs[base + row.reg as usize] = self.memory.address(id);
        self.tell_birth(id, Birth::Slot(slot));
        Ok(())
    }

    /// Ends the current activation.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for slot in &frame.code.slots {
            let id = self.regs[frame.base + slot.reg as usize].origin();
            if id != 0 && self.memory.object(id).state == State::Live {
                self.memory.end_slot(id);
            }
        }
        for &(id, _) in &frame.allocas {
            self.memory.end_slot(id);
        }
        if let Some(id) = frame.arguments {
            self.memory.end_slot(id);
        }
        self.memory.stack_top = frame.stack_top;
        if self.watch {
            self.release_variables(&frame);
            self.settle_in(frame);
        }
    }

    /// The call stack now, as a number.
    pub fn stack_now(&mut self) -> u32 {
        let frames = &self.frames;
        let skip = frames.len().saturating_sub(crate::stacks::DEPTH);
        self.stacks.of(frames[skip..].iter().map(|frame| (frame.function, frame.pc as u32)))
    }

    /// The positions of a call stack, innermost first.
    pub fn positions(&self, stack: u32) -> Vec<Position> {
        self.stacks.rows(stack).into_iter().map(|(function, pc)| self.place(function, pc)).collect()
    }

    /// The source position of the operation before `pc`.
    pub fn place(&self, function: u32, pc: u32) -> Position {
        let span = self.codes[function as usize]
            .as_ref()
            .and_then(|code| code.spans.get((pc as usize).saturating_sub(1)).copied());
        self.program.position(function, span.unwrap_or(SpanId::NOWHERE))
    }

    /// A fault with its place in the program.
    pub fn report(&mut self, fault: &Fault) -> Report {
        let stack = self.stack_now();
        let object = self.memory.object(fault.object);
        let (made, freed, kind) = (object.made_at, object.freed_at, object.kind);
        let is_cell = kind == ObjectKind::Heap;
        Report {
            kind: fault.kind,
            message: fault.message.clone(),
            stack: self.positions(stack),
            allocated: is_cell.then(|| self.positions(made)),
            freed: (is_cell && freed != 0).then(|| self.positions(freed)),
        }
    }
}
