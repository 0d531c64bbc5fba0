//! The rules for the instructions of one instance.

use caulk_ir::{
    Asm, BinaryOp, Body, Callee, Constant, ConvertOp, Edge, Inst, InstId, Scalar, Terminator,
    ValueId, ValueKind,
};
use caulk_program::{Binding, InstanceId, ModuleId};

use super::Rules;
use super::cycles::Cycles;
use crate::constraint::{Arg, Constraint, Site};
use crate::layout;
use crate::nodes::NodeId;
use crate::object::ObjKind;
use crate::points_to::Target;

/// The instance whose rules are being made.
struct Here<'b> {
    instance: InstanceId,
    module: ModuleId,
    body: &'b Body,
    cycles: Cycles,
}

impl<'a> Rules<'a> {
    pub(super) fn instance(&mut self, instance: InstanceId) {
        let proc = self.world.input.instances.proc(instance);
        let body = self.world.input.program.body(proc);
        let module = self.world.module_of(proc);
        let here = Here { instance, module, body, cycles: Cycles::new(body) };
        for (id, value) in body.values.iter() {
            if let ValueKind::Const(constant) = value.kind {
                self.constant(&here, id, constant);
            }
        }
        for (index, &param) in body.params.iter().enumerate() {
            self.own_copy(&here, index, param);
        }
        for (id, inst) in body.insts.iter() {
            self.inst(&here, id, *inst);
        }
        for block in body.blocks.rows() {
            block.terminator.edges().for_each(|edge| self.edge(&here, edge));
            if let Terminator::Return(Some(value)) = block.terminator {
                self.returned(&here, value);
            }
        }
    }

    fn node(&self, here: &Here, value: ValueId) -> Option<NodeId> {
        self.world.nodes.value(here.instance, value)
    }

    /// `v = &o ⟹ o ∈ v`
    fn constant(&mut self, here: &Here, value: ValueId, constant: Constant) {
        let Some(to) = self.node(here, value) else { return };
        match constant {
            Constant::Object(object) => {
                let id = self.world.input.program.static_of(here.module, object);
                self.address(to, ObjKind::Static(id));
            }
            Constant::Slot(slot) => {
                self.address(to, ObjKind::Slot { instance: here.instance, slot });
            }
            Constant::Function(function) => {
                for kind in self.functions(here.module, function) {
                    self.address(to, kind);
                }
            }
            _ => {}
        }
    }

    /// An aggregate parameter is the address of the callee's own copy.
    fn own_copy(&mut self, here: &Here, index: usize, param: ValueId) {
        let proc = self.world.input.instances.proc(here.instance);
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let Some((module, ty)) = self.world.param_type(proc, index) else { return };
        if self.world.module(module).types.is_aggregate(ty)
            && let Some(to) = self.node(here, param)
        {
            self.address(to, ObjKind::Copy { instance: here.instance, param: index });
        }
    }

    /// `b(…, p, …)` and an edge to `b` with argument `a ⟹ a ⊆ p`
    fn edge(&mut self, here: &Here, edge: &Edge) {
        let params = &here.body.blocks[edge.to].params;
        for (&param, &arg) in params.iter().zip(&edge.args) {
            self.copy_value(here, param, arg);
        }
    }

    /// `return v ⟹ v ⊆ result`
    fn returned(&mut self, here: &Here, value: ValueId) {
        if let Some(from) = self.node(here, value) {
            self.copy(self.world.nodes.result(here.instance), from);
        }
    }

    fn copy_value(&mut self, here: &Here, to: ValueId, from: ValueId) {
        if let (Some(to), Some(from)) = (self.node(here, to), self.node(here, from)) {
            self.copy(to, from);
        }
    }

    fn inst(&mut self, here: &Here, id: InstId, inst: Inst) {
        let result = here.body.results[id];
        let to = result.and_then(|result| self.node(here, result));
        match inst {
            Inst::Call(call) => return self.site(here, call, to),
            Inst::Asm(asm) => return self.asm(here, &here.body.asms[asm]),
            Inst::Store { to, value, .. } => self.store_value(here, to, value),
            Inst::Copy { to, from, size, .. } => self.copy_memory(here, to, from, size),
            Inst::VaStart { list } => self.va_start(here, list),
            Inst::VaCopy { to, from } => self.va_copy(here, to, from),
            Inst::VaArg { list, into: Some(into), .. } => self.va_aggregate(here, list, into),
            Inst::AtomicRmw { to, value, .. } => self.store_value(here, to, value),
            Inst::CompareExchange { to, desired, .. } => self.store_value(here, to, desired),
            _ => {}
        }
        if let Some(to) = to {
            self.defined(here, id, inst, to);
        }
    }

    /// What an instruction's result may hold.
    fn defined(&mut self, here: &Here, id: InstId, inst: Inst, to: NodeId) {
        match inst {
            // `v = *p, l ∈ p ⟹ ⟦l⟧ ⊆ v`
            Inst::Load { from, .. }
            | Inst::AtomicRmw { to: from, .. }
            | Inst::CompareExchange { to: from, .. } => self.load_from(here, to, from),
            Inst::Binary { op, lhs, rhs } if keeps_pointers(op) => {
                self.copy_from(here, to, lhs);
                self.copy_from(here, to, rhs);
            }
            Inst::Convert { op, value, .. } if passes_pointers(op) => {
                self.copy_from(here, to, value);
            }
            // `v = &p->f, l ∈ p ⟹ l + f ∈ v`
            Inst::Field { base, offset, .. } => self.offset(here, to, base, offset),
            Inst::Index { base, index, stride } => self.index(here, id, to, base, index, stride),
            Inst::Alloca { .. } => {
                self.address(to, ObjKind::Alloca { instance: here.instance, inst: id });
            }
            Inst::VaArg { list, .. } => {
                if let Some(list) = self.node(here, list) {
                    let args = self.loaded(list);
                    self.load(to, args);
                }
            }
            _ => {}
        }
    }

    fn load_from(&mut self, here: &Here, to: NodeId, from: ValueId) {
        if let Some(from) = self.node(here, from) {
            self.load(to, from);
        }
    }

    fn copy_from(&mut self, here: &Here, to: NodeId, from: ValueId) {
        if let Some(from) = self.node(here, from) {
            self.copy(to, from);
        }
    }

    fn offset(&mut self, here: &Here, to: NodeId, base: ValueId, by: i64) {
        let Some(from) = self.node(here, base) else { return };
        match by {
            0 => self.copy(to, from),
            by => self.out.push(Constraint::Offset { to, from, by }),
        }
    }

    /// Pointer arithmetic stays at its base (F10). A constant number of bytes is exact, as in
    /// `container_of`, unless a loop repeats it. Steps too small to lead to another pointer are
    /// those through text: they stay too.
    fn index(
        &mut self,
        here: &Here,
        id: InstId,
        to: NodeId,
        base: ValueId,
        index: ValueId,
        stride: i64,
    ) {
        let by = match here.body.constant(index) {
            Some(Constant::Int(count))
                if stride.abs() == 1 && leads_on(count) && !here.cycles.contains(id) =>
            {
                count.saturating_mul(stride)
            }
            _ => 0,
        };
        // Steps of a text scanner, which may also be repeated through memory (`in->at++`), lead to
        // no pointer: only a step by whole words is a step to another field.
        let target = &self.world.input.program.modules[here.module].target;
        let word = i64::from(target.pointer_bytes);
        let by = if by % word == 0 { by } else { 0 };
        self.offset(here, to, base, by);
    }

    /// `*p = v, l ∈ p ⟹ v ⊆ ⟦l⟧`
    fn store_value(&mut self, here: &Here, to: ValueId, value: ValueId) {
        if let (Some(to), Some(value)) = (self.node(here, to), self.node(here, value)) {
            self.store(to, value);
        }
    }

    /// `*p = *q` of an aggregate, field by field.
    fn copy_memory(&mut self, here: &Here, to: ValueId, from: ValueId, size: ValueId) {
        let size = match here.body.constant(size) {
            Some(Constant::Int(bytes)) => u64::try_from(bytes).ok(),
            _ => None,
        };
        if let (Some(to), Some(from)) = (self.node(here, to), self.node(here, from)) {
            self.out.push(Constraint::CopyMemory { to, from, size });
        }
    }

    /// The list holds the address of the arguments, so that it can be passed on.
    fn va_start(&mut self, here: &Here, list: ValueId) {
        if let Some(list) = self.node(here, list) {
            let args = self.pointer_to(ObjKind::VarArgs(here.instance));
            self.store(list, args);
        }
    }

    fn va_copy(&mut self, here: &Here, to: ValueId, from: ValueId) {
        if let (Some(to), Some(from)) = (self.node(here, to), self.node(here, from)) {
            let args = self.loaded(from);
            self.store(to, args);
        }
    }

    fn va_aggregate(&mut self, here: &Here, list: ValueId, into: ValueId) {
        if let (Some(list), Some(to)) = (self.node(here, list), self.node(here, into)) {
            let args = self.loaded(list);
            let aggregates = self.moved(args, super::binding::VARIABLE_AGGREGATES);
            let from = self.loaded(aggregates);
            self.out.push(Constraint::CopyMemory { to, from, size: None });
        }
    }

    /// Every output may receive every input.
    fn asm(&mut self, here: &Here, asm: &Asm) {
        let nodes = |rules: &Self, value: ValueId| rules.node(here, value);
        let outputs: Vec<NodeId> =
            asm.outputs.iter().filter_map(|output| nodes(self, output.address)).collect();
        for input in &asm.inputs {
            let Some(mut from) = nodes(self, input.value) else { continue };
            if input.memory {
                from = self.loaded(from);
            }
            outputs.iter().for_each(|&to| self.store(to, from));
        }
    }

    fn site(&mut self, here: &Here, id: caulk_ir::CallId, result: Option<NodeId>) {
        let call = &here.body.calls[id];
        let module = self.world.module(here.module);
        let params = &module.types.signatures[call.signature].params;
        let args = call
            .args
            .iter()
            .enumerate()
            .map(|(index, arg)| Arg {
                node: self.node(here, arg.value),
                ty: Some(params.get(index).copied().unwrap_or(arg.ty)),
                aggregate: module
                    .types
                    .is_aggregate(arg.ty)
                    .then(|| layout::size_of(module, arg.ty)),
                constant: match here.body.constant(arg.value) {
                    Some(Constant::Int(value)) => Some(value),
                    _ => None,
                },
            })
            .collect();
        let site = Site {
            instance: here.instance,
            call: id,
            module: here.module,
            args,
            result,
            result_is_pointer: module.types.scalar(module.types.signatures[call.signature].result)
                == Some(Scalar::Ptr),
            result_into: call.result_into.and_then(|into| self.node(here, into)),
            callback: None,
        };
        match call.callee {
            Callee::Function(function) => self.direct(here, &site, function),
            Callee::Pointer(callee) => {
                if let Some(callee) = self.node(here, callee) {
                    let site = self.sites.push(site);
                    self.out.push(Constraint::Indirect { callee, site });
                }
            }
        }
    }

    fn direct(&mut self, here: &Here, site: &Site, function: caulk_ir::FunctionId) {
        let input = self.world.input;
        match input.program.binding(here.module, function) {
            Binding::External(external) => self.call(site, Target::External(*external)),
            Binding::Procs(procs) => {
                for &proc in procs {
                    let callee = input.instances.of_call(site.instance, site.call, proc);
                    self.call(site, Target::Instance(callee));
                }
            }
        }
    }
}

fn leads_on(bytes: i64) -> bool {
    bytes % 4 == 0 && bytes.unsigned_abs() >= 8
}

/// Tags, offsets and exclusive-or lists keep the address of either operand.
fn keeps_pointers(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add
            | BinaryOp::AddS
            | BinaryOp::Sub
            | BinaryOp::SubS
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
    )
}

fn passes_pointers(op: ConvertOp) -> bool {
    matches!(op, ConvertOp::PtrToInt | ConvertOp::IntToPtr | ConvertOp::Bits)
}
