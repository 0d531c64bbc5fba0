//! The rules for memory that is there before the program runs, or comes from outside.

use caulk_ir::{FunctionId, Init, RelocationTarget};
use caulk_program::{Binding, EntryReason, ModuleId, ProcId, StaticId};

use super::Rules;
use crate::constraint::Constraint;
use crate::location::LocId;
use crate::object::ObjKind;

impl Rules<'_> {
    /// What a function's name may stand for.
    pub(super) fn functions(&self, module: ModuleId, function: FunctionId) -> Vec<ObjKind> {
        match self.world.input.program.binding(module, function) {
            Binding::External(external) => vec![ObjKind::External(*external)],
            Binding::Procs(procs) => procs.iter().map(|&proc| ObjKind::Procedure(proc)).collect(),
        }
    }

    /// Every unit's row counts: which definition is linked may be unknown.
    pub(super) fn statics(&mut self) {
        let program = self.world.input.program;
        for (id, row) in program.statics.iter() {
            for &(module, object) in &row.rows {
                if let Some(init) = &program.modules[module].objects[object].init {
                    self.initial(id, module, init);
                }
            }
        }
    }

    /// `T x = { .f = &y } ⟹ y ∈ ⟦x + f⟧`
    fn initial(&mut self, id: StaticId, module: ModuleId, init: &Init) {
        let pointer_bytes = self.world.module(module).target.pointer_bytes;
        let object = self.world.object(ObjKind::Static(id));
        for relocation in init.relocations.iter().filter(|it| u32::from(it.size) == pointer_bytes) {
            let Ok(offset) = i64::try_from(relocation.offset) else { continue };
            let Some(at) = self.world.at(object, offset) else { continue };
            let to = self.world.nodes.contents(at);
            for loc in self.relocated(module, relocation.target, relocation.addend) {
                self.out.push(Constraint::Address { to, loc });
            }
        }
    }

    fn relocated(&mut self, module: ModuleId, target: RelocationTarget, by: i64) -> Vec<LocId> {
        match target {
            RelocationTarget::Object(object) => {
                let id = self.world.input.program.static_of(module, object);
                let object = self.world.object(ObjKind::Static(id));
                self.world.at(object, by).into_iter().collect()
            }
            RelocationTarget::Function(function) => {
                let kinds = self.functions(module, function);
                kinds.into_iter().map(|kind| self.world.address(kind)).collect()
            }
            RelocationTarget::Label { .. } | RelocationTarget::LabelDistance { .. } => Vec::new(),
        }
    }

    /// An entry's parameters bring memory from outside.
    pub(super) fn enter(&mut self, proc: ProcId) {
        if !self.entered.insert(proc) {
            return;
        }
        let instance = self.world.input.instances.base(proc);
        let body = self.world.input.program.body(proc);
        for (index, &param) in body.params.iter().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            if body.values[param].scalar == caulk_ir::Scalar::Ptr
                && let Some(to) = self.world.nodes.value(instance, param)
            {
                self.bring(proc, index, to);
            }
        }
        if let Some(into) = body.result_into
            && let Some(to) = self.world.nodes.value(instance, into)
        {
            self.address(to, ObjKind::Param { proc, index: ObjKind::RESULT });
        }
    }

    /// An aggregate's own copy is there already, and what it holds comes from outside.
    fn bring(&mut self, proc: ProcId, index: u32, to: crate::nodes::NodeId) {
        let ty = self.world.param_type(proc, index);
        let brought = self.world.params.object(proc, index);
        let aggregate =
            ty.is_some_and(|(module, ty)| self.world.module(module).types.is_aggregate(ty));
        if aggregate {
            let from = self.pointer_to(brought);
            self.out.push(Constraint::CopyMemory { to, from, size: None });
        } else {
            self.address(to, brought);
        }
    }

    /// Unknown code finds what it keeps, all that can be reached from there, and itself; it
    /// writes where it may.
    pub(super) fn outside_rules(&mut self) {
        let kept = self.world.nodes.contents(self.world.outside);
        let writable = self.world.writable;
        self.out.push(Constraint::Address { to: kept, loc: self.world.outside });
        self.out.push(Constraint::Reach { to: kept, from: kept });
        self.out.push(Constraint::Reach { to: writable, from: kept });
        self.out.push(Constraint::Overwrite { through: writable });
        self.out.push(Constraint::Escape { callee: kept });
    }

    /// A procedure that escaped is an entry, and its result goes to whoever called it.
    pub(crate) fn escape(&mut self, callee: LocId) {
        let kind = self.world.objects[self.world.locations.object(callee)].kind;
        let ObjKind::Procedure(proc) = kind else { return };
        if !self.escaped.insert(proc) {
            return;
        }
        self.entries.add(proc, EntryReason::Callback);
        self.enter(proc);
        let kept = self.world.nodes.contents(self.world.outside);
        let instance = self.world.input.instances.base(proc);
        self.copy(kept, self.world.nodes.result(instance));
    }
}
