//! Where things stand in the source, and what they are called there.

use caulk_base::SpanId;
use caulk_finding::Location;
use caulk_flow::{Holder, Point};
use caulk_ir::{BlockId, Body, CallId, Callee, Module, ValueId, VarId};
use caulk_memory::Memory;
use caulk_pointer::{LocId, ObjKind};
use caulk_program::InstanceId;

#[derive(Clone, Copy)]
pub(crate) struct Places<'m, 'p> {
    pub memory: &'m Memory<'p>,
}

impl<'p> Places<'_, 'p> {
    pub fn module(&self, instance: InstanceId) -> &'p Module {
        let input = self.memory.input();
        input.instances.module(input.program, instance)
    }

    fn body(&self, instance: InstanceId) -> &'p Body {
        self.memory.body(instance)
    }

    pub fn function(&self, instance: InstanceId) -> &'p str {
        let input = self.memory.input();
        &input.program.procs[input.instances.proc(instance)].name
    }

    pub fn is_main(&self, instance: InstanceId) -> bool {
        self.function(instance) == "main"
    }

    /// The block of a point; none for the entry.
    pub fn block(&self, instance: InstanceId, point: Point) -> Option<BlockId> {
        match point {
            Point::Inst(inst) => Some(self.memory.facts(instance).block_of(inst)),
            Point::Start(block) | Point::Terminator(block) => Some(block),
            _ => None,
        }
    }

    pub fn location(&self, instance: InstanceId, point: Point) -> Location {
        self.span(instance, self.span_of(instance, point))
    }

    pub fn span(&self, instance: InstanceId, span: SpanId) -> Location {
        let module = self.module(instance);
        let found = module.spans.get(span).and_then(|it| Location::of_span(&it, &module.files));
        found.unwrap_or_else(|| Location::file(std::path::Path::new("?")))
    }

    fn span_of(&self, instance: InstanceId, point: Point) -> SpanId {
        let body = self.body(instance);
        let of_block = |block: BlockId| {
            let row = &body.blocks[block];
            row.insts().next().map_or(row.terminator_span, |inst| body.inst_spans[inst])
        };
        match point {
            Point::Entry => of_block(BlockId::ENTRY),
            Point::Start(block) => of_block(block),
            Point::Inst(inst) => body.inst_spans[inst],
            Point::Terminator(block) => body.blocks[block].terminator_span,
        }
    }

    /// Who is called, as the source names it.
    pub fn callee(&self, instance: InstanceId, call: CallId) -> String {
        match self.body(instance).calls[call].callee {
            Callee::Function(function) => self.module(instance).function_name(function).to_string(),
            Callee::Pointer(value) => {
                let name = self.value_variable(instance, value);
                name.unwrap_or_else(|| "a function pointer".to_string())
            }
        }
    }

    pub fn variable(&self, instance: InstanceId, var: VarId) -> String {
        let name = self.body(instance).vars[var].name;
        self.module(instance).names.text(name).to_string()
    }

    /// The variable that a value is a version of.
    pub fn value_variable(&self, instance: InstanceId, value: ValueId) -> Option<String> {
        let var = self.body(instance).values[value].var?;
        Some(self.variable(instance, var))
    }

    /// What a person would call a holder; nothing for what has no name in the source.
    pub fn holder(&self, instance: InstanceId, holder: Holder) -> Option<String> {
        match holder {
            Holder::Variable(var) => Some(self.variable(instance, var)),
            Holder::Temporary(value) => self.value_variable(instance, value),
            Holder::Local(at) | Holder::Global(at) | Holder::Outer(at) | Holder::Field(at) => {
                self.object_name(at)
            }
            Holder::Library(_) | Holder::Callers => None,
        }
    }

    fn object_name(&self, at: LocId) -> Option<String> {
        let input = self.memory.input();
        match input.points_to.objects[input.points_to.locations.object(at)].kind {
            ObjKind::Slot { instance, slot } => {
                let var = self.body(instance).slots[slot].var?;
                Some(self.variable(instance, var))
            }
            ObjKind::Static(id) => {
                let (module, object) = input.program.object(id);
                let names = &input.program.modules[module].names;
                object.name.map(|name| names.text(name).to_string())
            }
            _ => None,
        }
    }
}
