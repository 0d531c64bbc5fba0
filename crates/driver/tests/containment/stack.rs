//! The call stack of a run, in instances.

use std::ops::Index;

use super::lives::Writer;
use caulk_base::{FxHashMap, Id};
use caulk_driver::WholeProgram;
use caulk_ir::{FunctionId, Inst, InstId};
use caulk_memory::Memory;
use caulk_program::{Binding, ExternalId, InstanceId, ModuleId, ProcId, Program};

/// What a function of the interpreter is for the analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    Procedure(ProcId),
    External(ExternalId),
}

/// By the interpreter's numbers.
pub struct Functions {
    callees: Vec<Option<Callee>>,
    /// `longjmp` and its like.
    jumps: Vec<bool>,
    /// `realloc` and its like.
    reallocations: Vec<bool>,
}

impl Functions {
    pub fn new(run: &caulk_interp::Program, program: &Program) -> Self {
        let procs: FxHashMap<(ModuleId, FunctionId), ProcId> =
            program.procs.iter().map(|(id, row)| ((row.module, row.function), id)).collect();
        let callee = |module: usize, id: FunctionId| {
            let module = ModuleId::from_index(module);
            if let Some(&proc) = procs.get(&(module, id)) {
                return Some(Callee::Procedure(proc));
            }
            match program.binding(module, id) {
                Binding::External(external) => Some(Callee::External(*external)),
                Binding::Procs(_) => None,
            }
        };
        Self {
            callees: run.functions.iter().map(|row| callee(row.module, row.id)).collect(),
            reallocations: run.functions.iter().map(|row| row.name.contains("realloc")).collect(),
            jumps: run.functions.iter().map(|row| row.name.contains("longjmp")).collect(),
        }
    }
}

impl Functions {
    pub fn is_reallocation(&self, number: u32) -> bool {
        self.reallocations[number as usize]
    }

    pub fn is_jump(&self, number: u32) -> bool {
        self.jumps[number as usize]
    }
}

impl Index<u32> for Functions {
    type Output = Option<Callee>;

    fn index(&self, number: u32) -> &Option<Callee> {
        &self.callees[number as usize]
    }
}

/// One activation, alive or ended.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    pub instance: InstanceId,
    /// The activation that called it, and the call; none for those that start from outside.
    pub caller: Option<(u32, InstId)>,
    depth: usize,
    /// It was left by `longjmp`, or resumed by one.
    jumped: bool,
}

struct Live {
    activation: u32,
    /// The last call that it made, and of what.
    call: Option<(InstId, u32)>,
}

#[derive(Default)]
pub struct Stack {
    all: Vec<Activation>,
    live: Vec<Live>,
    /// A `longjmp` was called just now.
    jumping: bool,
}

impl Stack {
    pub fn leave_to(&mut self, depth: usize) {
        if std::mem::take(&mut self.jumping) {
            for live in self.live.iter().skip(depth.saturating_sub(1)) {
                self.all[live.activation as usize].jumped = true;
            }
        }
        self.live.truncate(depth);
    }

    pub fn jump(&mut self) {
        self.jumping = true;
    }

    /// Whether a `longjmp` is on the way from a write to a read.
    pub fn is_across_jump(&self, reader: u32, writer: Writer) -> bool {
        let writer = match writer {
            Writer::Store { activation, .. } => Some(activation),
            _ => None,
        };
        let up = |&at: &u32| self.all[at as usize].caller.map(|(caller, _)| caller);
        [Some(reader), writer]
            .into_iter()
            .flat_map(|start| std::iter::successors(start, up))
            .any(|at| self.all[at as usize].jumped)
    }

    pub fn enter(
        &mut self,
        whole: &WholeProgram,
        memory: &Memory,
        depth: usize,
        function: u32,
        callee: Option<Callee>,
    ) {
        self.leave_to(depth.saturating_sub(1));
        let Some(Callee::Procedure(proc)) = callee else { return };
        let (instance, caller) = self.entered(whole, memory, function, proc);
        let activation = self.all.len() as u32;
        self.all.push(Activation { instance, caller, depth: self.live.len(), jumped: false });
        self.live.push(Live { activation, call: None });
    }

    /// Which instance runs, and who called it. What the library calls after its own return, as
    /// `exit` does, starts from outside.
    fn entered(
        &self,
        whole: &WholeProgram,
        memory: &Memory,
        function: u32,
        proc: ProcId,
    ) -> (InstanceId, Option<(u32, InstId)>) {
        let base = whole.instances.base(proc);
        let Some(Live { activation, call: Some((inst, called)) }) = self.live.last() else {
            return (base, None);
        };
        let caller = self.all[*activation as usize].instance;
        let body = whole.instances.body(&whole.program, caller);
        let Inst::Call(call) = body.insts[*inst] else { return (base, None) };
        if *called == function {
            let instance = whole.instances.of_call(caller, call, proc);
            return (instance, Some((*activation, *inst)));
        }
        let during = memory.callees(caller, call).any(|callee| callee == base);
        (base, during.then_some((*activation, *inst)))
    }

    pub fn set_call(&mut self, inst: InstId, function: u32) {
        if let Some(live) = self.live.last_mut() {
            live.call = Some((inst, function));
        }
    }

    /// The function that the current activation called last.
    pub fn called(&self) -> Option<u32> {
        self.live.last()?.call.map(|(_, function)| function)
    }

    pub fn activation(&self) -> Option<u32> {
        self.live.last().map(|live| live.activation)
    }

    pub fn instance(&self) -> Option<InstanceId> {
        self.activation().map(|activation| self.instance_of(activation))
    }

    pub fn instance_of(&self, activation: u32) -> InstanceId {
        self.all[activation as usize].instance
    }

    /// Activations so far.
    pub fn count(&self) -> u32 {
        self.all.len() as u32
    }

    pub fn row(&self, activation: u32) -> Activation {
        self.all[activation as usize]
    }

    pub fn is_live(&self, activation: u32) -> bool {
        let depth = self.all[activation as usize].depth;
        self.live.get(depth).is_some_and(|live| live.activation == activation)
    }
}
