//! Readable names of nodes and edges, the same in all formats.
//!
//! A value is named with its variable, a version of memory as `region.version {location}`, and
//! calls as in the papers: `(c2` goes into a callee, `)c2` comes back.

use caulk_ir::BlockId;
use caulk_memory::{RegionId, View};
use caulk_pointer::Names;
use caulk_program::InstanceId;

use crate::graph::Flow;
use crate::node::{Cross, End, Node, Point};
use crate::sources::Source;

#[derive(Clone, Copy)]
pub(crate) struct NodeNames<'a, 'm, 'p> {
    pub flow: &'a Flow<'m, 'p>,
    pub names: &'a Names<'a>,
}

impl NodeNames<'_, '_, '_> {
    pub fn node(&self, node: Node) -> String {
        match node {
            Node::Value(instance, value) => {
                let body = self.flow.body(instance);
                let module = self.names.input.instances.module(self.names.input.program, instance);
                let var = body.values[value].var.map(|var| module.names.text(body.vars[var].name));
                var.map_or_else(|| value.to_string(), |name| format!("{value} {name}"))
            }
            Node::Memory(_, region, view, version) => {
                let newest = if view == View::All { "" } else { "newest " };
                format!("{region}.{} {newest}{}", version.0, self.region(region))
            }
            Node::Passed(instance, inst, region) => {
                let call = match self.flow.body(instance).insts[inst] {
                    caulk_ir::Inst::Call(call) => call.to_string(),
                    _ => inst.to_string(),
                };
                format!("{region} passed to {call} {}", self.region(region))
            }
            Node::End(_, _, end) => self.end(end),
        }
    }

    pub fn kind(node: Node) -> &'static str {
        match node {
            Node::Value(..) => "value",
            Node::Memory(..) => "memory",
            Node::Passed(..) => "passed",
            Node::End(..) => "end",
        }
    }

    fn end(&self, end: End) -> String {
        let name = |external| &self.names.input.program.externals[external].name;
        match end {
            End::Released => "released".to_string(),
            End::Kept(external) => format!("kept by {}", name(external)),
            End::Unknown(Some(external)) => {
                format!("given to {}, which is unknown", name(external))
            }
            End::Unknown(None) => "given to an unknown function".to_string(),
            End::Caller => "left to the caller".to_string(),
        }
    }

    /// The first location, and how many others there are.
    fn region(&self, region: RegionId) -> String {
        if self.flow.memory.regions().is_wild(region) {
            return "{wild}".to_string();
        }
        let locations = self.flow.memory.regions().locations(region);
        let first = locations.first().map_or_else(String::new, |&it| self.names.location(it));
        match locations.len() {
            0 | 1 => format!("{{{first}}}"),
            count => format!("{{{first}, {} more}}", count - 1),
        }
    }

    /// `file:line` of the point at which the node's definition happens.
    pub fn place(&self, node: Node) -> Option<String> {
        let body = self.flow.body(node.instance());
        let span = match self.flow.point(node) {
            Point::Entry | Point::Start(_) => return None,
            Point::Inst(inst) => body.inst_spans[inst],
            Point::Terminator(block) => body.blocks[block].terminator_span,
        };
        let program = self.names.input.program;
        let module = program.procs[self.names.input.instances.proc(node.instance())].module;
        program.place(module, span)
    }

    pub fn function(&self, instance: InstanceId) -> String {
        self.names.instance(instance)
    }

    pub fn is_of(&self, node: Node, function: &str) -> bool {
        self.is_in(node.instance(), function)
    }

    pub fn is_in(&self, instance: InstanceId, function: &str) -> bool {
        let proc = self.names.input.instances.proc(instance);
        self.names.input.program.procs[proc].name == function
    }

    /// An allocation that goes further than it was followed.
    pub fn source(&self, source: &Source, limit: usize) -> String {
        let made = &self.names.input.program.externals[source.external].name;
        let at = Node::End(source.instance, Point::Inst(source.inst), End::Caller);
        let place = self.place(at).unwrap_or_default();
        let function = self.function(source.instance);
        format!("{made} at {place} in {function} goes further than {limit} steps")
    }

    /// ` (c2 into g`, ` )c2 of f`, or nothing.
    pub fn cross(&self, cross: Cross, to: Node) -> String {
        match cross {
            Cross::None => String::new(),
            Cross::Call(site) => format!(" ({} into {}", site.call, self.function(to.instance())),
            Cross::Return(site) => format!(" ){} of {}", site.call, self.function(site.caller)),
        }
    }

    /// By function, and in it by position.
    pub fn position(&self, node: Node) -> (InstanceId, BlockId, u8, u32, Node) {
        let instance = node.instance();
        let (block, part, inst) = match self.flow.point(node) {
            Point::Entry => (BlockId::ENTRY, 0, 0),
            Point::Start(block) => (block, 0, 0),
            Point::Inst(inst) => (self.flow.memory.facts(instance).block_of(inst), 1, inst.0),
            Point::Terminator(block) => (block, 2, 0),
        };
        (instance, block, part, inst, node)
    }
}
