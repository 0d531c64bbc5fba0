//! Ids inside a body. After these hold, later checks index freely.

use caulk_base::{Id, SpanId, Table};

use super::BodyCheck;
use crate::body::{BlockId, Callee, Constant, Slot, ValueId, ValueKind, Var, VarHome};
use crate::inst::{Inst, InstId};
use crate::types::TypeId;

impl BodyCheck<'_> {
    pub(super) fn ranges(&mut self) {
        let body = self.body;
        self.table_lengths();
        self.block_ranges();
        self.header_ranges();
        body.values.iter().for_each(|(id, value)| {
            value.var.into_iter().for_each(|var| self.exists(&body.vars, var));
            if let ValueKind::Const(constant) = value.kind {
                self.constant_ids(id, constant);
            }
        });
        body.slots.rows().iter().for_each(|slot| self.slot_ids(slot));
        body.vars.rows().iter().for_each(|var| self.var_ids(var));
        body.insts.iter().for_each(|(id, inst)| self.inst_ids(id, inst));
        self.call_ids();
        self.asm_ids();
    }

    fn exists<I: Id, T>(&mut self, table: &Table<I, T>, id: I) {
        if id.index() >= table.len() {
            self.report(format_args!("{id} does not exist"));
        }
    }

    fn value(&mut self, value: ValueId) {
        let body = self.body;
        self.exists(&body.values, value);
    }

    fn ty(&mut self, ty: TypeId) {
        let module = self.module;
        self.exists(&module.types.types, ty);
    }

    fn span(&mut self, span: SpanId) {
        let exists = span.index() < self.module.spans.len();
        self.require(exists, format_args!("{span} does not exist"));
    }

    fn table_lengths(&mut self) {
        let body = self.body;
        let insts = body.insts.len();
        let same = body.results.len() == insts && body.inst_spans.len() == insts;
        self.require(same, format_args!("instructions, results and spans differ in number"));
        self.require(!body.blocks.is_empty(), format_args!("the body has no blocks"));
        self.require(!body.scopes.is_empty(), format_args!("the body has no scopes"));
    }

    fn block_ranges(&mut self) {
        let body = self.body;
        let mut next = InstId(0);
        for (id, block) in body.blocks.iter() {
            let fits = block.first == next && block.first <= block.end;
            let message = format_args!("{id} holds {}..{}, not {next}..", block.first, block.end);
            self.require(fits, message);
            next = block.end;
            self.block = Some(id);
            block.params.iter().for_each(|&param| self.value(param));
            block.terminator.operand().into_iter().for_each(|value| self.value(value));
            for edge in block.terminator.edges() {
                self.exists(&body.blocks, edge.to);
                edge.args.iter().for_each(|&arg| self.value(arg));
            }
            self.span(block.terminator_span);
            self.block = None;
        }
        let all = next == body.insts.next_id();
        self.require(all, format_args!("the blocks end at {next}, not after the last instruction"));
    }

    fn header_ranges(&mut self) {
        let body = self.body;
        let defined = body.params.iter().chain(&body.result_into);
        let defined = defined.chain(body.results.rows().iter().flatten());
        defined.for_each(|&value| self.value(value));
        for (index, &(name, block)) in body.labels.iter().enumerate() {
            self.exists::<BlockId, _>(&body.blocks, block);
            let named = self.module.names.get(name).is_some();
            self.require(named, format_args!("the name of l{index} does not exist"));
        }
        for scope in body.scopes.rows() {
            scope.parent.into_iter().for_each(|parent| self.exists(&body.scopes, parent));
            self.span(scope.span);
        }
        body.inst_spans.rows().iter().for_each(|&span| self.span(span));
    }

    fn constant_ids(&mut self, id: ValueId, constant: Constant) {
        let (module, body) = (self.module, self.body);
        match constant {
            Constant::Object(object) => self.exists(&module.objects, object),
            Constant::Function(function) => self.exists(&module.functions, function),
            Constant::Slot(slot) => self.exists(&body.slots, slot),
            Constant::Label(index) => {
                let exists = (index as usize) < body.labels.len();
                self.require(exists, format_args!("l{index} does not exist"));
            }
            Constant::Wide(index) => {
                let exists = (index as usize) < body.wide.len();
                self.require(
                    exists,
                    format_args!("{id} names wide row {index}, which does not exist"),
                );
            }
            Constant::Int(_) | Constant::Float(_) | Constant::Undef => {}
        }
    }

    fn slot_ids(&mut self, slot: &Slot) {
        let body = self.body;
        self.ty(slot.ty);
        slot.scope.into_iter().for_each(|scope| self.exists(&body.scopes, scope));
        slot.var.into_iter().for_each(|var| self.exists(&body.vars, var));
    }

    fn var_ids(&mut self, var: &Var) {
        let (module, body) = (self.module, self.body);
        self.ty(var.ty);
        self.span(var.span);
        self.exists(&body.scopes, var.scope);
        let named = module.names.get(var.name).is_some();
        self.require(named, format_args!("a variable's name does not exist"));
        let param = var.param.is_none_or(|param| (param as usize) < body.params.len());
        self.require(param, format_args!("a variable names a parameter that does not exist"));
        match var.home {
            VarHome::Slot(slot) => self.exists(&body.slots, slot),
            VarHome::Object(object) => self.exists(&module.objects, object),
            VarHome::Values | VarHome::Param | VarHome::Alloca => {}
        }
    }

    fn inst_ids(&mut self, id: InstId, inst: &Inst) {
        let (module, body) = (self.module, self.body);
        self.inst = Some(id);
        inst.visit_operands(|value| self.value(value));
        match *inst {
            Inst::Call(call) => self.exists(&body.calls, call),
            Inst::Asm(asm) => self.exists(&body.asms, asm),
            Inst::ScopeBegin(scope)
            | Inst::ScopeEnd(scope)
            | Inst::Alloca { scope: Some(scope), .. } => self.exists(&body.scopes, scope),
            Inst::Set { var, .. } => self.exists(&body.vars, var),
            Inst::Copy { ty, .. } | Inst::VaArg { ty, .. } => self.ty(ty),
            Inst::Field { field: Some((record, index)), .. } => {
                let fields = module.types.records.get(record).map_or(0, |row| row.fields.len());
                let exists = (index as usize) < fields;
                self.require(exists, format_args!("field {index} of {record} does not exist"));
            }
            _ => {}
        }
        self.inst = None;
    }

    fn call_ids(&mut self) {
        let (module, body) = (self.module, self.body);
        for call in body.calls.rows() {
            self.exists(&module.types.signatures, call.signature);
            for arg in &call.args {
                self.value(arg.value);
                self.ty(arg.ty);
            }
            call.result_into.into_iter().for_each(|into| self.value(into));
            match call.callee {
                Callee::Function(function) => self.exists(&module.functions, function),
                Callee::Pointer(value) => self.value(value),
            }
        }
    }

    fn asm_ids(&mut self) {
        let body = self.body;
        for asm in body.asms.rows() {
            asm.inputs.iter().for_each(|input| self.value(input.value));
            for output in &asm.outputs {
                self.value(output.address);
                self.ty(output.ty);
            }
        }
    }
}
