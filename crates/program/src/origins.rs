//! Where the values of a procedure come from: fresh memory, a parameter, or the memory that a
//! parameter reaches. Flow-insensitive, to a fixpoint.

use std::cell::OnceCell;

use caulk_base::Table;
use caulk_ir::{
    Body, Call, CallId, Callee, Constant, ConvertOp, Edge, Inst, InstId, Scalar, SlotId,
    Terminator, ValueId, ValueKind,
};
use caulk_models::{Args, Effect, Freed, FunctionModel, Target};

use crate::external::ExternalModels;
use crate::program::{Binding, ExternalId, ProcId, Program};
use crate::returned::Returned;
use crate::wrappers::{IndirectTargets, ParamMask, Wrapper, Wrappers};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Origin {
    fresh: bool,
    /// Fresh, and may become the result.
    result: bool,
    /// Fresh, and its maker put something into it or kept it.
    built: bool,
    /// The address of a global.
    named: bool,
    param: ParamMask,
    inside: ParamMask,
}

impl Origin {
    fn fresh(result: bool) -> Origin {
        Origin { fresh: true, result, ..Origin::default() }
    }

    fn union(self, other: Origin) -> Origin {
        Origin {
            fresh: self.fresh | other.fresh,
            result: self.result | other.result,
            built: self.built | other.built,
            named: self.named | other.named,
            param: self.param | other.param,
            inside: self.inside | other.inside,
        }
    }
}

/// The summary of one procedure, from those of its callees so far.
pub fn summarise(
    program: &Program,
    externals: &ExternalModels,
    indirect: &IndirectTargets,
    wrappers: &Wrappers,
    proc: ProcId,
) -> Wrapper {
    let body = program.body(proc);
    let mut marking = Marking {
        program,
        externals,
        indirect,
        wrappers,
        proc,
        body,
        values: Table::filled(Origin::default(), body.values.len()),
        slots: Table::filled(Origin::default(), body.slots.len()),
        returned: OnceCell::new(),
        summary: Wrapper::default(),
        changed: true,
    };
    for (id, value) in body.values.iter() {
        marking.values[id].named = matches!(value.kind, ValueKind::Const(Constant::Object(_)));
    }
    for (index, &param) in body.params.iter().enumerate().take(64) {
        marking.values[param].param = 1 << index;
    }
    while std::mem::take(&mut marking.changed) {
        marking.pass();
    }
    marking.summary
}

struct Marking<'a> {
    program: &'a Program,
    externals: &'a ExternalModels,
    indirect: &'a IndirectTargets,
    wrappers: &'a Wrappers,
    proc: ProcId,
    body: &'a Body,
    values: Table<ValueId, Origin>,
    slots: Table<SlotId, Origin>,
    /// Most procedures make nothing, and nobody asks.
    returned: OnceCell<Returned>,
    summary: Wrapper,
    changed: bool,
}

impl Marking<'_> {
    fn pass(&mut self) {
        let body = self.body;
        for block in body.blocks.rows() {
            block.insts().for_each(|inst| self.inst(inst));
            block.terminator.edges().for_each(|edge| self.edge(edge));
            if let Terminator::Return(Some(value)) = block.terminator {
                self.summary.returns_fresh |= self.values[value].fresh;
                self.summary.returns_other |= self.values[value].built | self.values[value].named;
                self.summary.returns_param |= self.values[value].param;
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        let params = &self.body.blocks[edge.to].params;
        for (&param, &arg) in params.iter().zip(&edge.args) {
            self.mark(param, self.values[arg]);
        }
    }

    fn mark(&mut self, value: ValueId, origin: Origin) {
        let new = self.values[value].union(origin);
        self.changed |= new != self.values[value];
        self.values[value] = new;
    }

    fn mark_slot(&mut self, slot: SlotId, origin: Origin) {
        let new = self.slots[slot].union(origin);
        self.changed |= new != self.slots[slot];
        self.slots[slot] = new;
    }

    fn inst(&mut self, inst: InstId) {
        let result = self.body.results[inst];
        match self.body.insts[inst] {
            Inst::Field { base, .. } | Inst::Index { base, .. } => {
                self.copy(result, base);
            }
            Inst::Convert { op, value, .. } => {
                if matches!(op, ConvertOp::PtrToInt | ConvertOp::IntToPtr | ConvertOp::Bits) {
                    self.copy(result, value);
                }
            }
            Inst::Load { from, .. } => {
                let origin = self.loaded(from);
                result.into_iter().for_each(|result| self.mark(result, origin));
            }
            Inst::Store { to, value, .. } => {
                self.store(to, self.values[value]);
                if self.is_pointer(value) {
                    self.fill(to);
                }
            }
            Inst::Copy { to, from, .. } => {
                let origin = self.loaded(from);
                self.store(to, origin);
                self.fill(to);
            }
            Inst::Call(call) => self.call(call, result),
            _ => {}
        }
    }

    fn copy(&mut self, result: Option<ValueId>, from: ValueId) {
        result.into_iter().for_each(|result| self.mark(result, self.values[from]));
    }

    fn loaded(&self, from: ValueId) -> Origin {
        match slot_of(self.body, from) {
            Some(slot) => self.slots[slot],
            None => {
                let address = self.values[from];
                Origin { inside: address.param | address.inside, ..Origin::default() }
            }
        }
    }

    fn store(&mut self, to: ValueId, value: Origin) {
        if let Some(slot) = slot_of(self.body, to) {
            self.mark_slot(slot, value);
            return;
        }
        let address = self.values[to];
        self.keep(value);
        if value.fresh {
            self.summary.stores_fresh |= address.param | address.inside;
            self.summary.builds_members |= address.fresh;
        }
    }

    fn store_fresh(&mut self, to: ValueId) {
        let result = slot_of(self.body, to).is_some_and(|slot| self.returned().slot(slot));
        self.store(to, Origin::fresh(result));
    }

    /// A pointer is stored at the address.
    fn fill(&mut self, to: ValueId) {
        if slot_of(self.body, to).is_none() {
            let address = self.values[to];
            self.summary.fills |= address.param | address.inside;
            self.summary.fills_result |= address.result;
        }
    }

    /// NULL is no pointer to anything.
    fn is_pointer(&self, value: ValueId) -> bool {
        self.body.values[value].scalar == Scalar::Ptr
            && !matches!(self.body.constant(value), Some(Constant::Int(_) | Constant::Undef))
    }

    fn keep(&mut self, origin: Origin) {
        self.summary.keeps |= origin.param;
        self.summary.keeps_result |= origin.result;
    }

    fn call(&mut self, id: CallId, result: Option<ValueId>) {
        let (body, program) = (self.body, self.program);
        let call = &body.calls[id];
        match call.callee {
            Callee::Function(function) => {
                match program.binding(program.procs[self.proc].module, function) {
                    Binding::Procs(procs) => self.procs(procs, call, result),
                    Binding::External(external) => self.external(*external, call, result),
                }
            }
            Callee::Pointer(_) => {
                let indirect = self.indirect;
                let key = (self.proc, id);
                if !indirect.procs.contains_key(&key) && !indirect.externals.contains_key(&key) {
                    call.args.iter().for_each(|arg| self.keep(self.values[arg.value]));
                }
                if let Some(procs) = indirect.procs.get(&(self.proc, id)) {
                    self.procs(procs, call, result);
                }
                for &external in indirect.externals.get(&(self.proc, id)).into_iter().flatten() {
                    self.external(external, call, result);
                }
            }
        }
    }

    fn returned(&self) -> &Returned {
        self.returned.get_or_init(|| Returned::new(self.body, |call| self.handed_back(call)))
    }

    /// The arguments that a call may return.
    fn handed_back(&self, id: CallId) -> ParamMask {
        let by_proc = |proc: &ProcId| self.wrappers.of(*proc).returns_param;
        let by_external = |external: &ExternalId| {
            let effects = self.externals.of(*external).map_or(&[][..], |model| &model.effects);
            effects.iter().fold(0, |mask, effect| match *effect {
                Effect::ReturnsArgument { arg, .. } => mask | 1u64.checked_shl(arg).unwrap_or(0),
                _ => mask,
            })
        };
        let union = |a: ParamMask, b: ParamMask| a | b;
        match self.body.calls[id].callee {
            Callee::Function(function) => {
                match self.program.binding(self.program.procs[self.proc].module, function) {
                    Binding::Procs(procs) => procs.iter().map(by_proc).fold(0, union),
                    Binding::External(external) => by_external(external),
                }
            }
            Callee::Pointer(_) => {
                let key = (self.proc, id);
                let procs = self.indirect.procs.get(&key).into_iter().flatten().map(by_proc);
                let externals = self.indirect.externals.get(&key).into_iter().flatten();
                procs.chain(externals.map(by_external)).fold(0, union)
            }
        }
    }

    fn procs(&mut self, procs: &[ProcId], call: &Call, result: Option<ValueId>) {
        for &proc in procs {
            let wrapper = *self.wrappers.of(proc);
            self.wrapper(&wrapper, call, result);
        }
    }

    fn wrapper(&mut self, callee: &Wrapper, call: &Call, result: Option<ValueId>) {
        self.fresh_result(callee.returns_fresh, result);
        if let Some(result) =
            result.filter(|_| callee.returns_fresh && !callee.is_plain_allocator())
        {
            self.mark(result, Origin { built: true, ..Origin::default() });
        }
        for (index, arg) in call.args.iter().enumerate().take(64) {
            let bit = 1 << index;
            let origin = self.values[arg.value];
            if callee.stores_fresh & bit != 0 {
                self.store_fresh(arg.value);
            }
            if callee.keeps & bit != 0 {
                self.keep(origin);
            }
            if callee.fills & bit != 0 {
                self.fill(arg.value);
            }
            if callee.frees & bit != 0 {
                self.release(origin);
            }
            if callee.frees_inside & bit != 0 {
                self.summary.frees_inside |= origin.param | origin.inside;
            }
            if callee.reallocates & bit != 0 {
                self.summary.reallocates |= origin.param;
            }
            if callee.returns_param & bit != 0 {
                self.copy(result, arg.value);
            }
        }
    }

    fn fresh_result(&mut self, fresh: bool, result: Option<ValueId>) {
        if let Some(result) = result.filter(|_| fresh) {
            self.mark(result, Origin::fresh(self.returned().value(result)));
        }
    }

    fn release(&mut self, origin: Origin) {
        self.summary.frees |= origin.param;
        self.summary.frees_inside |= origin.inside;
    }

    fn external(&mut self, external: ExternalId, call: &Call, result: Option<ValueId>) {
        let externals = self.externals;
        match externals.of(external) {
            Some(model) => self.model(model, call, result),
            None => call.args.iter().for_each(|arg| self.keep(self.values[arg.value])),
        }
    }

    fn model(&mut self, model: &FunctionModel, call: &Call, result: Option<ValueId>) {
        for effect in &model.effects {
            match *effect {
                Effect::Allocates { to, .. } => self.allocate(to, call, result),
                Effect::Reallocates { arg, through, to, .. } => {
                    self.allocate(to, call, result);
                    // The new block holds what the old one held.
                    self.summary.fills_result |= result.is_some_and(|it| self.returned().value(it));
                    if let Some(arg) = argument(call, arg) {
                        let origin = if through { self.loaded(arg) } else { self.values[arg] };
                        self.summary.reallocates |= origin.param;
                        self.summary.frees_inside |= origin.inside;
                    }
                }
                Effect::Frees { args, what, .. } => self.free(args, what, call),
                Effect::Keeps { args, .. } => {
                    for index in args.of_call(call.args.len() as u32) {
                        argument(call, index).into_iter().for_each(|it| self.keep(self.values[it]));
                    }
                }
                Effect::StoresArgument { arg, into, .. } => {
                    argument(call, arg).into_iter().for_each(|it| self.keep(self.values[it]));
                    argument(call, into).into_iter().for_each(|it| self.fill(it));
                }
                Effect::CopiesMemory { to, .. } => {
                    argument(call, to).into_iter().for_each(|it| self.fill(it));
                }
                Effect::ReturnsArgument { arg, .. } => {
                    argument(call, arg).into_iter().for_each(|arg| self.copy(result, arg));
                }
                _ => {}
            }
        }
    }

    fn allocate(&mut self, to: Target, call: &Call, result: Option<ValueId>) {
        match to {
            Target::Result => self.fresh_result(true, result),
            Target::Pointee(arg) | Target::Element { arg, .. } | Target::Elements(arg) => {
                if let Some(arg) = argument(call, arg) {
                    self.store_fresh(arg);
                }
            }
            Target::Inside(_) => {}
        }
    }

    fn free(&mut self, args: Args, what: Freed, call: &Call) {
        for index in args.of_call(call.args.len() as u32) {
            let Some(arg) = argument(call, index) else { continue };
            match what {
                Freed::Argument | Freed::ArgumentAndElements => self.release(self.values[arg]),
                Freed::Pointee => self.release(self.loaded(arg)),
                Freed::Inside => {}
            }
        }
    }
}

fn argument(call: &Call, index: u32) -> Option<ValueId> {
    call.args.get(index as usize).map(|arg| arg.value)
}

/// The slot that an address is in, when that is plain to see.
pub(crate) fn slot_of(body: &Body, mut address: ValueId) -> Option<SlotId> {
    loop {
        match body.values[address].kind {
            ValueKind::Const(Constant::Slot(slot)) => return Some(slot),
            ValueKind::Inst(inst) => match body.insts[inst] {
                Inst::Field { base, .. } | Inst::Index { base, .. } => address = base,
                _ => return None,
            },
            _ => return None,
        }
    }
}
