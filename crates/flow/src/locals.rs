//! FastCheck's graph (F4, sections 5.1 and 5.2) as a restriction of the full one.
//!
//! FastCheck follows variables and parameters whose address is never taken, which are the values
//! of the representation. "There is a node for each memory region that doesn't correspond to a
//! local variable or a parameter": a store ends in it, and a source that reaches one is too
//! complex (5.3). So the same nodes and edges serve, and memory goes nowhere.

use caulk_program::InstanceId;

use crate::exits::Steps;
use crate::graph::Flow;
use crate::node::Node;

/// How much of memory a search looks into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// FastCheck: memory ends the flow.
    Locals,
    /// SABER: values go through memory.
    #[default]
    Full,
}

/// The graph that a search of this precision sees.
#[derive(Clone, Copy)]
pub struct Graph<'f, 'm, 'p> {
    pub flow: &'f Flow<'m, 'p>,
    pub precision: Precision,
}

impl Graph<'_, '_, '_> {
    #[must_use]
    pub fn steps(&self, node: Node) -> Steps {
        match node {
            Node::Memory(..) | Node::Passed(..) if self.precision == Precision::Locals => {
                Steps::default()
            }
            // GLOBAL ends the flow too (S7), and wild memory is part of it.
            Node::Memory(_, region, ..) | Node::Passed(_, _, region)
                if self.flow.memory.regions().is_wild(region) =>
            {
                Steps::default()
            }
            _ => self.flow.steps(node),
        }
    }

    /// All edges of a node, those to the callers that `is_wanted` among them.
    pub(crate) fn edges(
        &self,
        node: Node,
        is_wanted: impl Fn(InstanceId) -> bool,
    ) -> Vec<crate::FlowEdge> {
        let Steps { mut edges, exits } = self.steps(node);
        for exit in exits {
            let callers = self.flow.memory.callers(node.instance());
            for &site in callers.iter().filter(|site| is_wanted(site.caller)) {
                edges.extend(self.flow.returned(node.instance(), exit, site));
            }
        }
        edges
    }
}
