//! The ir of a procedure as it is hashed: without places, and without ids that tell nothing.
//!
//! Values are numbered anew in the order in which the body names them: a body that was lowered and
//! one that was read from its text form differ in the ids of their constants.

use std::hash::Hash;

use caulk_base::FxHashMap;
use caulk_ir::{
    Asm, Block, Body, Call, CallId, Callee, Constant, FunctionId, Inst, InstId, Module, ObjectId,
    Value, ValueId, ValueKind, Var, VarHome,
};
use caulk_program::{Binding, IndirectTargets, ModuleId, ProcId};

use crate::kept::key::Keys;
use crate::kept::names::Digest;

/// What comes next, so that no two bodies are the same bytes.
#[derive(Hash)]
enum Part {
    Inst,
    Call,
    Asm,
    End,
    Value,
    /// A value that was not named before.
    New,
}

/// A procedure while its key is made.
pub struct Reading<'k, 'a> {
    keys: &'k Keys<'a>,
    proc: ProcId,
    module: ModuleId,
    body: &'a Body,
    digest: &'k mut Digest,
    numbers: FxHashMap<ValueId, u32>,
    callees: Vec<ProcId>,
}

impl<'k, 'a> Reading<'k, 'a> {
    /// Those whose summaries it may read.
    pub fn of(keys: &'k Keys<'a>, proc: ProcId, digest: &'k mut Digest) -> Vec<ProcId> {
        let program = keys.context.program;
        let (module, body) = (program.procs[proc].module, program.body(proc));
        let numbers = FxHashMap::default();
        let mut read = Self { keys, proc, module, body, digest, numbers, callees: Vec::new() };
        read.body();
        read.callees
    }

    fn module(&self) -> &'a Module {
        &self.keys.context.program.modules[self.module]
    }

    fn put(&mut self, value: impl Hash) {
        value.hash(self.digest);
    }

    fn body(&mut self) {
        let Body { params, result_into, blocks, slots, vars, scopes, labels, wide, .. } = self.body;
        self.put((params.len(), blocks.len(), vars.len(), scopes.len(), labels.len()));
        params.iter().chain(result_into).for_each(|&value| self.value(value));
        self.put((result_into.is_some(), wide, slots.rows()));
        blocks.rows().iter().for_each(|block| self.block(block));
        vars.rows().iter().for_each(|var| self.var(var));
        scopes.rows().iter().for_each(|scope| self.put(scope.parent));
        for &(name, block) in labels {
            self.put((self.module().names.text(name), block));
        }
    }

    fn block(&mut self, block: &Block) {
        self.put((block.params.len(), block.first, block.end));
        block.params.iter().for_each(|&value| self.value(value));
        block.insts().for_each(|at| self.inst(at));
        let mut terminator = block.terminator.clone();
        terminator.operand_mut().into_iter().for_each(|value| *value = self.numbered(*value));
        for edge in terminator.edges_mut() {
            edge.args.iter_mut().for_each(|value| *value = self.numbered(*value));
        }
        self.put((Part::End, terminator));
    }

    fn inst(&mut self, at: InstId) {
        match self.body.insts[at] {
            Inst::Call(id) => self.call(id, &self.body.calls[id]),
            Inst::Asm(id) => self.asm(&self.body.asms[id]),
            mut inst => {
                inst.visit_operands_mut(|value| *value = self.numbered(*value));
                self.put((Part::Inst, inst));
            }
        }
        self.put(self.body.results[at].is_some());
        self.body.results[at].into_iter().for_each(|value| self.value(value));
    }

    fn asm(&mut self, asm: &Asm) {
        let mut asm = asm.clone();
        asm.outputs.iter_mut().for_each(|row| row.address = self.numbered(row.address));
        asm.inputs.iter_mut().for_each(|row| row.value = self.numbered(row.value));
        self.put((Part::Asm, asm));
    }

    fn value(&mut self, value: ValueId) {
        let number = self.numbered(value);
        self.put((Part::Value, number));
    }

    /// The number that stands for a value; its first time, it is hashed itself.
    fn numbered(&mut self, id: ValueId) -> ValueId {
        if let Some(&number) = self.numbers.get(&id) {
            return ValueId(number);
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(id, number);
        let Value { scalar, kind, var } = self.body.values[id];
        self.put((Part::New, scalar, var));
        match kind {
            ValueKind::Const(Constant::Object(object)) => self.object(object),
            ValueKind::Const(Constant::Function(function)) => {
                self.put(1_u8);
                self.function(function);
            }
            kind => self.put((2_u8, kind)),
        }
        ValueId(number)
    }

    fn object(&mut self, object: ObjectId) {
        let id = self.keys.context.program.static_of(self.module, object);
        self.put((0_u8, self.keys.names.of_static(id)));
    }

    fn var(&mut self, var: &Var) {
        self.put((self.module().names.text(var.name), var.ty, var.scope, var.param));
        match var.home {
            VarHome::Object(object) => self.object(object),
            home => self.put((1_u8, home)),
        }
    }

    fn call(&mut self, id: CallId, call: &Call) {
        self.put((Part::Call, call.signature, call.args.len(), call.noreturn));
        for argument in &call.args {
            self.put(argument.ty);
            self.value(argument.value);
        }
        self.put(call.result_into.is_some());
        call.result_into.into_iter().for_each(|value| self.value(value));
        match call.callee {
            Callee::Function(function) => {
                self.put(0_u8);
                self.function(function);
            }
            Callee::Pointer(value) => {
                self.put(1_u8);
                self.value(value);
                self.targets(id);
            }
        }
    }

    fn targets(&mut self, call: CallId) {
        let IndirectTargets { procs, externals, .. } = self.keys.context.indirect;
        let procs = procs.get(&(self.proc, call)).into_iter().flatten();
        procs.for_each(|&proc| self.callee(proc));
        let externals = externals.get(&(self.proc, call)).into_iter().flatten();
        externals.for_each(|&id| self.put((1_u8, self.keys.models[id])));
        self.put(u8::MAX);
    }

    /// By the name that stories tell, and by whom it stands for.
    fn function(&mut self, function: FunctionId) {
        self.put(self.module().function_name(function));
        match self.keys.context.program.binding(self.module, function) {
            Binding::External(id) => self.put((1_u8, self.keys.models[*id])),
            Binding::Procs(procs) => procs.iter().for_each(|&proc| self.callee(proc)),
        }
        self.put(u8::MAX);
    }

    /// What a caller sees of a procedure beside its summary.
    fn callee(&mut self, proc: ProcId) {
        let program = self.keys.context.program;
        let signature = program.function(proc).signature;
        let is_variadic = program.module_of(proc).types.signatures[signature].variadic;
        let is_in_cycle = self.keys.context.schedule.are_in_cycle(self.proc, proc);
        let params = program.body(proc).params.len();
        self.put((0_u8, self.keys.names.of_proc(proc), is_variadic, params, is_in_cycle));
        self.callees.push(proc);
    }
}
