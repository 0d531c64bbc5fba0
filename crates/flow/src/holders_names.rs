//! Readable names of holders, deaths and uses, the same in all formats.

use caulk_ir::VarId;
use caulk_pointer::Names;
use caulk_program::{ExternalId, InstanceId};

use crate::graph::Flow;
use crate::holders::{Age, Death, DeathKind, Holder, Last};
use crate::node::Point;
use crate::use_flow::Use;

#[derive(Clone, Copy)]
pub(crate) struct HolderNames<'a, 'm, 'p> {
    pub flow: &'a Flow<'m, 'p>,
    pub names: &'a Names<'a>,
}

impl HolderNames<'_, '_, '_> {
    pub fn holder(&self, instance: InstanceId, holder: Holder) -> String {
        match holder {
            Holder::Variable(var) => self.variable(instance, var),
            Holder::Temporary(value) => value.to_string(),
            Holder::Local(location)
            | Holder::Global(location)
            | Holder::Outer(location)
            | Holder::Field(location) => self.names.location(location),
            Holder::Library(external) => self.library(external),
            Holder::Callers => "callers".to_string(),
        }
    }

    pub fn holders(&self, instance: InstanceId, holders: &[Holder]) -> String {
        let names: Vec<String> = holders.iter().map(|&it| self.holder(instance, it)).collect();
        names.join(", ")
    }

    fn variable(&self, instance: InstanceId, var: VarId) -> String {
        let module = self.names.input.instances.module(self.names.input.program, instance);
        module.names.text(self.flow.body(instance).vars[var].name).to_string()
    }

    fn library(&self, external: Option<ExternalId>) -> String {
        let name = |id| self.names.input.program.externals[id].name.clone();
        external.map_or_else(|| "unknown code".to_string(), name)
    }

    pub fn kind(&self, kind: DeathKind) -> String {
        match kind {
            DeathKind::Overwritten => "overwritten".to_string(),
            DeathKind::GlobalCleared => "global cleared".to_string(),
            DeathKind::EndOfScope => "end of scope".to_string(),
            DeathKind::LostWithOwner(owner) => {
                format!("lost with {}", self.names.object(owner))
            }
            DeathKind::Dropped => "dropped".to_string(),
            DeathKind::Returned => "returned".to_string(),
            DeathKind::Escaped { only_here: false } => "escaped".to_string(),
            DeathKind::Escaped { only_here: true } => "escaped on this exit only".to_string(),
        }
    }

    /// `surely`, `maybe older, unless q`, with `may be freed` where that holds.
    pub fn claim(&self, instance: InstanceId, death: &Death) -> String {
        let age = if death.age == Age::Older { " (older)" } else { "" };
        let last = match &death.last {
            Last::Surely => "surely".to_string(),
            Last::Maybe => "maybe".to_string(),
            Last::Unless(others) => format!("unless {}", self.holders(instance, others)),
        };
        let freed = if death.may_be_freed { ", may be freed" } else { "" };
        format!("{last}{age}{freed}")
    }

    pub fn used(&self, instance: InstanceId, used: Use) -> String {
        match used {
            Use::Entry => "entry".to_string(),
            Use::Allocated => "allocated".to_string(),
            Use::MadeByCallee => "made by callee".to_string(),
            Use::Released => "released".to_string(),
            Use::Reallocated => "reallocated".to_string(),
            Use::Passed => "passed".to_string(),
            Use::Kept(external) => format!("kept by {}", self.library(external)),
            Use::Dies(kind, holder) => {
                format!("{} {}", self.holder(instance, holder), self.kind(kind))
            }
            Use::Join => "join".to_string(),
            Use::Return => "return".to_string(),
        }
    }

    /// `file:line`; of the start of a block, that of its first instruction.
    pub fn place(&self, instance: InstanceId, point: Point) -> String {
        let body = self.flow.body(instance);
        let of_block = |block: caulk_ir::BlockId| {
            let row = &body.blocks[block];
            row.insts().next().map_or(row.terminator_span, |inst| body.inst_spans[inst])
        };
        let span = match point {
            Point::Entry => of_block(caulk_ir::BlockId::ENTRY),
            Point::Start(block) => of_block(block),
            Point::Inst(inst) => body.inst_spans[inst],
            Point::Terminator(block) => body.blocks[block].terminator_span,
        };
        let program = self.names.input.program;
        let module = program.procs[self.names.input.instances.proc(instance)].module;
        program.place(module, span).unwrap_or_else(|| "?".to_string())
    }

    pub fn is_of(&self, instance: InstanceId, function: Option<&str>) -> bool {
        let proc = self.names.input.instances.proc(instance);
        function.is_none_or(|name| self.names.input.program.procs[proc].name == name)
    }
}
