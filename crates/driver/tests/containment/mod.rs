//! Run-time facts against static ones: what a run of the interpreter saw must be among what the
//! analyses say may happen.
//!
//! [`Checker`] listens to the events of a run and compares each at once. `lives` says which
//! abstract object a run-time object is an instance of, `stack` which instance of a procedure an
//! activation is, `places` whether a points-to set has a place, `flows` whether memory SSA lets a
//! write reach a read, `holders` whether who holds a cell may hold it. Each violation is told
//! once.

mod flows;
mod holders;
mod lives;
mod places;
mod report;
mod stack;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_driver::WholeProgram;
use caulk_interp::{Birth, Event, EventKind, Span};
use caulk_ir::{Inst, InstId, ValueId};
use caulk_memory::Memory;
use caulk_models::{Effect, FunctionModel};
use caulk_pointer::{ObjId, Target};
use caulk_program::InstanceId;

pub use holders::Claims;
use lives::{Life, Lives, Writer};
use places::Found;
pub use report::Report;
use stack::{Functions, Stack};

pub struct Checker<'f, 'a> {
    pub whole: &'a WholeProgram,
    pub memory: &'a Memory<'a>,
    functions: Functions,
    statics: Vec<caulk_program::StaticId>,
    stack: Stack,
    lives: Lives,
    /// Places that were compared.
    compared: FxHashSet<(InstanceId, InstId, Role, u32, i64)>,
    /// The bytes that were read last, and by whom.
    last_read: Option<(Span, (u32, InstId))>,
    /// How often a pair of write and read was seen.
    pairs: FxHashMap<Pair, u32>,
    flows: flows::Memo,
    /// What is claimed about holders, if they are compared.
    claims: Option<Claims<'f, 'a>>,
    pub report: Report,
}

/// A read, the write that it sees, the object, and the byte where there are many.
type Pair = (InstanceId, InstId, Option<(InstanceId, InstId)>, u32, Option<i64>);

/// Which set of an instruction a place must be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    Read,
    Written,
    Loaded,
}

/// What a read or write through an address concerns.
enum Through {
    Address(ValueId),
    /// A library function: whatever its arguments lead to.
    Call,
    /// The memory of variable arguments has no address in the program.
    Unchecked,
}

impl<'f, 'a> Checker<'f, 'a> {
    pub fn new(
        run: &caulk_interp::Program,
        whole: &'a WholeProgram,
        memory: &'a Memory<'a>,
        claims: Option<Claims<'f, 'a>>,
    ) -> Self {
        let static_of = |row: &_| lives::static_of(&whole.program, row);
        let rows = run.objects.iter().map(|row| (row.module, row.id));
        Self {
            whole,
            memory,
            functions: Functions::new(run, &whole.program),
            statics: rows.map(|row| static_of(&row)).collect(),
            stack: Stack::default(),
            lives: Lives::default(),
            compared: FxHashSet::default(),
            last_read: None,
            pairs: FxHashMap::default(),
            flows: flows::Memo::default(),
            claims,
            report: Report::default(),
        }
    }

    pub fn see(&mut self, event: &Event) {
        if let EventKind::Enter { function } = event.kind {
            let (whole, memory) = (self.whole, self.memory);
            return self.stack.enter(
                whole,
                memory,
                event.depth,
                function,
                self.functions[function],
            );
        }
        self.stack.leave_to(event.depth);
        match event.kind {
            EventKind::Born { object, size, birth } => self.born(event.inst, object, size, birth),
            EventKind::Call { function } => self.call(event.inst, function),
            EventKind::Return { value: Some(value), .. } => self.returned(value),
            EventKind::Return { value: None, .. } => {}
            EventKind::Read { at, value } => {
                self.accessed(event.inst, Role::Read, at);
                if let Some(value) = value {
                    self.loaded(event.inst, at.object, value);
                }
                self.read(event.inst, at, value.is_some());
                self.last_read = self.stack.activation().map(|it| (at, (it, event.inst)));
            }
            EventKind::Write { at } => {
                self.accessed(event.inst, Role::Written, at);
                self.wrote(event.inst, at);
            }
            EventKind::Block { block } => {
                self.claims.iter_mut().for_each(|claims| claims.enter_block(block));
            }
            EventKind::Held { cell, by } => self.held(event.depth, cell, by),
            EventKind::Enter { .. } => {}
        }
    }

    fn born(&mut self, inst: InstId, object: u32, size: u64, birth: Birth) {
        let mut life = match birth {
            Birth::Static(number) => {
                let id = self.statics[number as usize];
                let found = self.whole.points_to.static_object(id);
                Life::new(found.into_iter().collect(), size, true)
            }
            Birth::Function(number) => self.function_life(number),
            Birth::InsteadOf(other) => {
                let Some(old) = self.lives.get(other) else { return };
                Life::new(old.objects.clone(), size, false)
            }
            _ => {
                let Some(instance) = self.stack.instance() else { return };
                let objects = self.objects_of(instance, inst, birth);
                Life::new(objects, size, false)
            }
        };
        life.born = self.stack.count();
        life.is_arguments = birth == Birth::Arguments;
        self.lives.begin(object, life);
    }

    fn objects_of(&self, instance: InstanceId, inst: InstId, birth: Birth) -> Vec<ObjId> {
        let points_to = &self.whole.points_to;
        match birth {
            Birth::Slot(slot) => {
                points_to.slot_object(instance, caulk_ir::SlotId(slot)).into_iter().collect()
            }
            Birth::Alloca => points_to.alloca_object(instance, inst).into_iter().collect(),
            Birth::Arguments => {
                points_to.object(caulk_pointer::ObjKind::VarArgs(instance)).into_iter().collect()
            }
            _ => self.heap_objects(instance, inst),
        }
    }

    fn heap_objects(&self, instance: InstanceId, inst: InstId) -> Vec<ObjId> {
        let body = self.whole.instances.body(&self.whole.program, instance);
        match body.insts[inst] {
            Inst::Call(call) => self.whole.points_to.heap_objects(instance, call).collect(),
            _ => Vec::new(),
        }
    }

    /// What a plain allocator returns is an object of the call: memory gets one more name there.
    fn returned(&mut self, value: caulk_interp::Place) {
        let Some(activation) = self.stack.activation() else { return };
        let row = self.stack.row(activation);
        let proc = self.whole.instances.proc(row.instance);
        let (Some((caller, inst)), true) =
            (row.caller, self.whole.wrappers.of(proc).is_plain_allocator())
        else {
            return;
        };
        let names = self.heap_objects(self.stack.instance_of(caller), inst);
        let Some(life) = self.lives.get_mut(value.object) else { return };
        let is_fresh = life.born > activation;
        names.into_iter().for_each(|name| life.name(name, value.offset));
        if !is_fresh {
            let name = &self.whole.program.procs[proc].name;
            self.report.notes.insert(format!("{name} returns memory that it did not allocate"));
        }
    }

    fn function_life(&self, number: u32) -> Life {
        let found = self.functions[number].and_then(|callee| {
            let kind = match callee {
                stack::Callee::Procedure(proc) => caulk_pointer::ObjKind::Procedure(proc),
                stack::Callee::External(id) => caulk_pointer::ObjKind::External(id),
            };
            self.whole.points_to.object(kind)
        });
        let mut life = Life::new(found.into_iter().collect(), 1, false);
        life.is_function = true;
        life
    }

    /// The callee of a call is among its targets.
    fn call(&mut self, inst: InstId, function: u32) {
        let Some(caller) = self.stack.instance() else { return };
        self.stack.set_call(inst, function);
        if self.functions.is_jump(function) {
            self.stack.jump();
        }
        let body = self.whole.instances.body(&self.whole.program, caller);
        let Inst::Call(call) = body.insts[inst] else { return };
        if !self.compared.insert((caller, inst, Role::Written, function, i64::MIN)) {
            return;
        }
        let is_indirect = matches!(body.calls[call].callee, caulk_ir::Callee::Pointer(_));
        *self.report.count(if is_indirect { "indirect calls" } else { "direct calls" }) += 1;
        let Some(callee) = self.functions[function] else { return };
        let wanted = match callee {
            stack::Callee::Procedure(proc) => {
                Target::Instance(self.whole.instances.of_call(caller, call, proc))
            }
            stack::Callee::External(external) => Target::External(external),
        };
        let targets = self.whole.points_to.callees(caller, call);
        let escaped = || {
            let kind = self.function_life(function).objects;
            kind.iter().any(|&object| self.whole.points_to.escaped().contains(object))
        };
        if targets.contains(&wanted) || targets.contains(&Target::Unknown) && escaped() {
            return;
        }
        let text = format!("calls {wanted:?}, which is not among {targets:?}");
        self.violation("callee", caller, inst, function, &text);
    }

    fn through(&self, instance: InstanceId, inst: InstId, role: Role, life: &Life) -> Through {
        let body = self.whole.instances.body(&self.whole.program, instance);
        match body.insts[inst] {
            _ if life.is_arguments => Through::Unchecked,
            Inst::Load { from, .. } | Inst::LoadBits { from, .. } => Through::Address(from),
            Inst::Store { to, .. }
            | Inst::StoreBits { to, .. }
            | Inst::AtomicRmw { to, .. }
            | Inst::CompareExchange { to, .. }
            | Inst::Fill { to, .. }
            | Inst::HavocMemory { to, .. } => Through::Address(to),
            Inst::Copy { from, .. } | Inst::VaCopy { from, .. } if role == Role::Read => {
                Through::Address(from)
            }
            Inst::Copy { to, .. } | Inst::VaCopy { to, .. } => Through::Address(to),
            Inst::VaStart { list } => Through::Address(list),
            Inst::VaArg { list, into: None, .. } => Through::Address(list),
            Inst::Call(_) => Through::Call,
            _ => Through::Unchecked,
        }
    }

    /// The accessed place is in the set of the address.
    fn accessed(&mut self, inst: InstId, role: Role, at: Span) {
        let Some(instance) = self.stack.instance() else { return };
        let Some(life) = self.lives.get(at.object) else { return };
        let offset = at.offset as i64;
        let key = (instance, inst, role, life.key(), offset);
        if self.compared.contains(&key) {
            return;
        }
        let through = self.through(instance, inst, role, life);
        self.compared.insert(key);
        let Through::Address(address) = through else { return };
        *self.report.count("accesses") += 1;
        let set = self.whole.points_to.value(instance, address);
        let life = self.lives.get(at.object).expect("it was there above");
        let found = places::find(self.whole, set, life, offset);
        self.judge(found, "points-to", instance, inst, at.object, offset);
    }

    /// The place that was loaded is in the set of the result.
    fn loaded(&mut self, inst: InstId, from: u32, value: caulk_interp::Place) {
        let Some(instance) = self.stack.instance() else { return };
        let body = self.whole.instances.body(&self.whole.program, instance);
        let Some(result) = body.results[inst] else { return };
        if matches!(body.insts[inst], Inst::Call(_) | Inst::LoadBits { .. }) {
            return;
        }
        // The next variable argument is read from the arguments, and their place from the list.
        let is_argument = self.lives.get(from).is_some_and(|life| life.is_arguments);
        if matches!(body.insts[inst], Inst::VaArg { .. }) && !is_argument {
            return;
        }
        let Some(life) = self.lives.get(value.object) else { return };
        // A label is no place in memory.
        if life.is_function && value.offset != 0 {
            return;
        }
        // A number that was made from an address, or a place outside of every object.
        if value.offset < 0 || value.offset as u64 > life.size {
            return;
        }
        let key = (instance, inst, Role::Loaded, life.key(), value.offset);
        if self.compared.contains(&key) {
            return;
        }
        let set = self.whole.points_to.value(instance, result);
        let found = places::find(self.whole, set, life, value.offset);
        self.compared.insert(key);
        *self.report.count("loaded addresses") += 1;
        self.judge(found, "loaded", instance, inst, value.object, value.offset);
    }

    fn judge(
        &mut self,
        found: Found,
        kind: &'static str,
        instance: InstanceId,
        inst: InstId,
        object: u32,
        offset: i64,
    ) {
        *self.report.count(found.name()) += 1;
        if found == Found::Nowhere {
            let life = self.lives.get(object).expect("a judged object lives");
            let what = places::describe(self.whole, life);
            let key = life.key();
            let text = format!("reaches offset {offset} of {what}, which its set does not have");
            self.violation(kind, instance, inst, key, &text);
        }
    }

    fn wrote(&mut self, inst: InstId, at: Span) {
        let Some(activation) = self.stack.activation() else { return };
        match self.last_read.take() {
            Some((from, by)) if by == (activation, inst) && self.is_moved(inst, from, at) => {
                self.lives.move_bytes(from, at);
            }
            _ => self.lives.write(at, activation, inst, self.is_scalar(inst)),
        }
    }

    /// Whether the instruction reads or writes one scalar, and not whatever bytes there are.
    fn is_scalar(&self, inst: InstId) -> bool {
        let Some(instance) = self.stack.instance() else { return false };
        let body = self.whole.instances.body(&self.whole.program, instance);
        !matches!(
            body.insts[inst],
            Inst::Copy { .. } | Inst::Fill { .. } | Inst::HavocMemory { .. } | Inst::Call(_)
        )
    }

    /// Whether the instruction may move addresses without a look at them. What library functions
    /// do with bytes, other than to move blocks, is text.
    fn is_copy(&self, inst: InstId) -> bool {
        let Some(instance) = self.stack.instance() else { return false };
        let body = self.whole.instances.body(&self.whole.program, instance);
        matches!(body.insts[inst], Inst::Copy { .. })
    }

    /// Whether no address was written, but plain data, as by `memset`.
    fn is_plain(&self, writer: Writer) -> bool {
        let Writer::Store { activation, inst } = writer else { return false };
        let instance = self.stack.instance_of(activation);
        let body = self.whole.instances.body(&self.whole.program, instance);
        let Inst::Call(call) = body.insts[inst] else {
            return matches!(body.insts[inst], Inst::Fill { .. });
        };
        let writes_plainly = |target: &Target| match target {
            Target::External(external) => self.whole.externals.of(*external).is_some_and(is_plain),
            _ => false,
        };
        self.whole.points_to.callees(instance, call).iter().all(writes_plainly)
    }

    /// Whether a plain allocator that also reallocates moves a block. Its call may return the old
    /// block as well as a new one, so what was stored in the old one is found there.
    fn is_moved(&self, inst: InstId, from: Span, to: Span) -> bool {
        let Some(instance) = self.stack.instance() else { return false };
        let body = self.whole.instances.body(&self.whole.program, instance);
        let wrapper = self.whole.wrappers.of(self.whole.instances.proc(instance));
        let is_block = from.offset == 0 && to.offset == 0 && from.size == to.size;
        let called = self.stack.called().filter(|_| matches!(body.insts[inst], Inst::Call(_)));
        let is_call = called.is_some_and(|function| self.functions.is_reallocation(function));
        wrapper.is_plain_allocator() && is_block && is_call
    }

    /// What was last written where an instruction reads may reach it by the chains of memory SSA.
    fn read(&mut self, inst: InstId, at: Span, is_address: bool) {
        let Some(life) = self.lives.get(at.object) else { return };
        if life.is_arguments || life.objects.is_empty() {
            return;
        }
        let is_scalar = self.is_scalar(inst);
        for (offset, writer) in life.writers_of(at, is_scalar) {
            match writer {
                Writer::Piece => *self.report.count("reads of pieces") += 1,
                Writer::Nobody => {}
                other => {
                    let offset = (!is_scalar).then_some(offset as i64);
                    let may_be_address = is_address || self.is_copy(inst) && !self.is_plain(other);
                    self.def_use(inst, at.object, offset, other, may_be_address);
                }
            }
        }
    }

    /// `offset` tells which byte of many.
    fn def_use(
        &mut self,
        inst: InstId,
        object: u32,
        offset: Option<i64>,
        writer: Writer,
        may_be_address: bool,
    ) {
        let (Some(reader), Some(activation)) = (self.stack.instance(), self.stack.activation())
        else {
            return;
        };
        let life = self.lives.get(object).expect("the object that is read lives");
        let from = match writer {
            Writer::Store { activation, inst } => Some((self.stack.instance_of(activation), inst)),
            _ => None,
        };
        let key = (reader, inst, from, life.key(), offset);
        let times = self.pairs.entry(key).or_default();
        *times += 1;
        // The way from the write to the read may differ each time, but seldom does.
        if *times > 16 && !times.is_power_of_two() {
            return;
        }
        if *times == 1 {
            *self.report.count("reads with their writes") += 1;
        }
        *self.report.count("ways from a write to its read") += 1;
        let objects = life.objects.clone();
        let way = flows::Way { activation, inst, writer, objects, offset };
        let verdict = flows::Flows {
            memory: self.memory,
            whole: self.whole,
            stack: &self.stack,
            memo: &mut self.flows,
        }
        .check(&way);
        let key = life.key();
        match verdict {
            Ok(how) => *self.report.count(how) += 1,
            Err(_) if self.stack.is_across_jump(activation, writer) => {
                *self.report.count("not followed: across longjmp") += 1;
            }
            Err(why) if why == flows::APART && !may_be_address => {
                *self.report.count("not followed: numbers in pieces, or by computed offsets") += 1;
            }
            Err(why) => {
                let what = places::describe(self.whole, life);
                let wrote = from.map_or("the initial value".into(), |(instance, inst)| {
                    format!("what {} wrote", report::place(self.whole, instance, inst))
                });
                let text = format!("reads {wrote} in {what}: {why}");
                self.violation("def-use", reader, inst, key, &text);
            }
        }
    }

    fn violation(
        &mut self,
        kind: &'static str,
        instance: InstanceId,
        inst: InstId,
        object: u32,
        text: &str,
    ) {
        let at = report::place(self.whole, instance, inst);
        self.report.add(kind, (instance, inst, object), format!("{at}: {kind}: {text}"));
    }
}

/// Whether a function writes plain data alone.
fn is_plain(model: &FunctionModel) -> bool {
    let is_plain = |effect: &Effect| {
        matches!(
            effect,
            Effect::Writes { .. } | Effect::Reads { .. } | Effect::ReturnsArgument { .. }
        )
    };
    model.effects.iter().all(is_plain)
}
