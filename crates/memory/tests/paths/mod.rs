//! A machine that follows one path through a program: every branch goes where chance says, memory
//! is concrete, and each cell remembers who wrote it. What C leaves undefined ends the path.

use std::collections::HashMap;

use caulk_driver::WholeProgram;
use caulk_ir::{
    BlockId, Body, Call, CallId, Callee, Constant, Edge, Inst, InstId, ScopeId, Terminator,
    ValueId, ValueKind,
};
use caulk_pointer::{ObjKind, Target};
use caulk_program::{Binding, InstanceId};

use caulk_testkit::Random;

/// The size of the one aggregate that is passed by value.
const STRUCT: i64 = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Unknown,
    Int(i64),
    Address { object: usize, offset: i64 },
}

/// Who wrote a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writer {
    pub activation: usize,
    pub inst: InstId,
}

#[derive(Clone, Copy)]
struct Cell {
    value: Value,
    writer: Option<Writer>,
}

pub struct Object {
    pub kind: ObjKind,
    size: i64,
    dead: bool,
}

pub struct Activation {
    pub instance: InstanceId,
    /// The activation that called it, and with which instruction.
    pub called_by: Option<(usize, InstId)>,
    values: HashMap<ValueId, Value>,
    slots: Vec<usize>,
}

/// The path ends here.
pub struct Ends;
type Step<T> = Result<T, Ends>;

/// A read, and who wrote what it reads.
pub struct Read {
    pub activation: usize,
    pub inst: InstId,
    pub object: usize,
    pub writer: Option<Writer>,
}

pub struct Machine<'w> {
    whole: &'w WholeProgram,
    random: Random,
    pub objects: Vec<Object>,
    cells: HashMap<(usize, i64), Cell>,
    pub activations: Vec<Activation>,
    statics: HashMap<caulk_program::StaticId, usize>,
    steps: usize,
    depth: usize,
    pub reads: Vec<Read>,
}

impl<'w> Machine<'w> {
    pub fn new(whole: &'w WholeProgram, seed: u64) -> Self {
        Self {
            whole,
            random: Random::new(seed),
            objects: Vec::new(),
            cells: HashMap::new(),
            activations: Vec::new(),
            statics: HashMap::new(),
            steps: 0,
            depth: 0,
            reads: Vec::new(),
        }
    }

    pub fn run(&mut self, main: InstanceId) {
        let _ = self.enter(main, None, Vec::new());
    }

    fn object(&mut self, kind: ObjKind, size: i64) -> usize {
        self.objects.push(Object { kind, size, dead: false });
        self.objects.len() - 1
    }

    fn body(&self, activation: usize) -> &'w Body {
        let whole = self.whole;
        whole.instances.body(&whole.program, self.activations[activation].instance)
    }

    fn enter(
        &mut self,
        instance: InstanceId,
        called_by: Option<(usize, InstId)>,
        args: Vec<Value>,
    ) -> Step<Value> {
        if self.depth > 12 {
            return Err(Ends);
        }
        self.depth += 1;
        let body = self.whole.instances.body(&self.whole.program, instance);
        let slot = |slot| ObjKind::Slot { instance, slot };
        let slots = body.slots.iter().map(|(id, row)| self.object(slot(id), row.size as i64));
        let slots = slots.collect();
        let values = body.params.iter().copied().zip(args).collect();
        self.activations.push(Activation { instance, called_by, values, slots });
        let own = self.activations.len() - 1;
        let result = self.blocks(own);
        for slot in self.activations[own].slots.clone() {
            self.objects[slot].dead = true;
        }
        self.depth -= 1;
        result
    }

    fn blocks(&mut self, own: usize) -> Step<Value> {
        let body = self.body(own);
        let mut block = BlockId::ENTRY;
        loop {
            for inst in body.blocks[block].insts() {
                self.steps += 1;
                if self.steps > 400 {
                    return Err(Ends);
                }
                self.inst(own, body, inst)?;
            }
            let terminator = &body.blocks[block].terminator;
            let edges: Vec<&Edge> = terminator.edges().collect();
            if edges.is_empty() {
                let Terminator::Return(value) = *terminator else { return Err(Ends) };
                return Ok(value.map_or(Value::Unknown, |value| self.value(own, value)));
            }
            let edge = edges[self.random.below(edges.len())];
            let args: Vec<Value> = edge.args.iter().map(|&arg| self.value(own, arg)).collect();
            let params = body.blocks[edge.to].params.iter().copied();
            self.activations[own].values.extend(params.zip(args));
            block = edge.to;
        }
    }

    fn value(&mut self, own: usize, value: ValueId) -> Value {
        match self.body(own).values[value].kind {
            ValueKind::Const(Constant::Int(number)) => Value::Int(number),
            ValueKind::Const(Constant::Slot(slot)) => {
                let object = self.activations[own].slots[slot.0 as usize];
                Value::Address { object, offset: 0 }
            }
            ValueKind::Const(Constant::Object(id)) => {
                let instance = self.activations[own].instance;
                let proc = self.whole.instances.proc(instance);
                let program = &self.whole.program;
                let id = program.static_of(program.procs[proc].module, id);
                let object = match self.statics.get(&id) {
                    Some(&known) => known,
                    None => {
                        let object =
                            self.object(ObjKind::Static(id), program.object(id).1.size as i64);
                        self.statics.insert(id, object);
                        object
                    }
                };
                Value::Address { object, offset: 0 }
            }
            ValueKind::Const(_) => Value::Unknown,
            _ => self.activations[own].values.get(&value).copied().unwrap_or(Value::Unknown),
        }
    }

    /// An object that lives, and a place in it.
    fn address(&mut self, own: usize, value: ValueId) -> Step<(usize, i64)> {
        match self.value(own, value) {
            Value::Address { object, offset }
                if !self.objects[object].dead
                    && (0..self.objects[object].size).contains(&offset) =>
            {
                Ok((object, offset))
            }
            _ => Err(Ends),
        }
    }

    fn inst(&mut self, own: usize, body: &Body, inst: InstId) -> Step<()> {
        let result = match body.insts[inst] {
            Inst::Load { from, .. } => self.load(own, inst, from)?,
            Inst::Store { to, value, .. } => {
                let (object, offset) = self.address(own, to)?;
                let value = self.value(own, value);
                let writer = Some(Writer { activation: own, inst });
                self.cells.insert((object, offset), Cell { value, writer });
                return Ok(());
            }
            Inst::Field { base, offset, .. } => self.step(own, base, offset),
            Inst::Index { base, index, stride } => match self.value(own, index) {
                Value::Int(index) => self.step(own, base, index * stride),
                _ => {
                    let index = self.random.below(3) as i64;
                    self.step(own, base, index * stride)
                }
            },
            Inst::Copy { to, from, size, .. } => return self.copy(own, inst, to, from, size),
            Inst::ScopeBegin(scope) => {
                self.begin(own, body, scope);
                return Ok(());
            }
            Inst::Call(call) => self.call(own, body, inst, call)?,
            _ => Value::Unknown,
        };
        if let Some(value) = body.results[inst] {
            self.activations[own].values.insert(value, result);
        }
        Ok(())
    }

    fn step(&mut self, own: usize, base: ValueId, by: i64) -> Value {
        match self.value(own, base) {
            Value::Address { object, offset } => Value::Address { object, offset: offset + by },
            other => other,
        }
    }

    fn load(&mut self, own: usize, inst: InstId, from: ValueId) -> Step<Value> {
        let (object, offset) = self.address(own, from)?;
        let Some(&Cell { value, writer }) = self.cells.get(&(object, offset)) else {
            return Ok(Value::Unknown);
        };
        self.reads.push(Read { activation: own, inst, object, writer });
        Ok(value)
    }

    fn copy(
        &mut self,
        own: usize,
        inst: InstId,
        to: ValueId,
        from: ValueId,
        size: ValueId,
    ) -> Step<()> {
        let (to, from) = (self.address(own, to)?, self.address(own, from)?);
        let Value::Int(size) = self.value(own, size) else { return Err(Ends) };
        let writer = Some(Writer { activation: own, inst });
        self.copy_cells(own, inst, to, from, size, writer);
        Ok(())
    }

    fn copy_cells(
        &mut self,
        own: usize,
        inst: InstId,
        to: (usize, i64),
        from: (usize, i64),
        size: i64,
        writer: Option<Writer>,
    ) {
        let cells: Vec<Option<Cell>> =
            (0..size).map(|at| self.cells.get(&(from.0, from.1 + at)).copied()).collect();
        for (at, cell) in (0..size).zip(cells) {
            self.cells.remove(&(to.0, to.1 + at));
            if let Some(cell) = cell {
                self.reads.push(Read {
                    activation: own,
                    inst,
                    object: from.0,
                    writer: cell.writer,
                });
                self.cells.insert((to.0, to.1 + at), Cell { value: cell.value, writer });
            }
        }
    }

    fn begin(&mut self, own: usize, body: &Body, scope: ScopeId) {
        let instance = self.activations[own].instance;
        for (slot, row) in body.slots.iter().filter(|(_, row)| row.scope == Some(scope)) {
            let fresh = self.object(ObjKind::Slot { instance, slot }, row.size as i64);
            let old = std::mem::replace(&mut self.activations[own].slots[slot.0 as usize], fresh);
            self.objects[old].dead = true;
        }
    }

    fn call(&mut self, own: usize, body: &Body, inst: InstId, id: CallId) -> Step<Value> {
        let call = &body.calls[id];
        let instance = self.activations[own].instance;
        let targets = self.whole.points_to.callees(instance, id);
        let target = targets[self.random.below(targets.len().max(1))];
        match target {
            Target::Instance(callee) => {
                let args = self.arguments(own, inst, call, callee)?;
                self.enter(callee, Some((own, inst)), args)
            }
            _ => self.library(own, inst, id, call),
        }
    }

    /// Aggregates are copied into the callee's own memory.
    fn arguments(
        &mut self,
        own: usize,
        inst: InstId,
        call: &Call,
        callee: InstanceId,
    ) -> Step<Vec<Value>> {
        let program = &self.whole.program;
        let types = &self.whole.instances.module(program, callee).types;
        let mut args = Vec::new();
        for (param, arg) in call.args.iter().enumerate() {
            let mut value = self.value(own, arg.value);
            if types.is_aggregate(arg.ty) {
                let from = self.address(own, arg.value)?;
                let kind = ObjKind::Copy { instance: callee, param: param as u32 };
                let object = self.object(kind, STRUCT);
                self.copy_cells(own, inst, (object, 0), from, STRUCT, None);
                value = Value::Address { object, offset: 0 };
            }
            args.push(value);
        }
        Ok(args)
    }

    fn library(&mut self, own: usize, inst: InstId, id: CallId, call: &Call) -> Step<Value> {
        let instance = self.activations[own].instance;
        let program = &self.whole.program;
        let Callee::Function(function) = call.callee else { return Err(Ends) };
        let proc = self.whole.instances.proc(instance);
        let Binding::External(external) = *program.binding(program.procs[proc].module, function)
        else {
            return Err(Ends);
        };
        match program.externals[external].name.as_str() {
            "malloc" => {
                let Value::Int(size) = self.value(own, call.args[0].value) else {
                    return Err(Ends);
                };
                let object = self.object(ObjKind::Heap { instance, call: id }, size);
                Ok(Value::Address { object, offset: 0 })
            }
            "realloc" => {
                let object = self.object(ObjKind::Heap { instance, call: id }, 96);
                if let Ok(old) = self.address(own, call.args[0].value) {
                    if old.1 != 0 || !self.objects[old.0].kind.is_heap() {
                        return Err(Ends);
                    }
                    let writer = Some(Writer { activation: own, inst });
                    self.copy_cells(own, inst, (object, 0), old, 96, writer);
                    self.objects[old.0].dead = true;
                }
                Ok(Value::Address { object, offset: 0 })
            }
            "free" => {
                let freed = self.value(own, call.args[0].value);
                if let Value::Address { object, offset: 0 } = freed
                    && self.objects[object].kind.is_heap()
                {
                    self.objects[object].dead = true;
                    return Ok(Value::Unknown);
                }
                Err(Ends)
            }
            _ => Ok(Value::Unknown),
        }
    }
}
