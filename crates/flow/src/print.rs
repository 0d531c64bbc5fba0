//! Flow and slices for people: as text, for Graphviz, and as JSON.
//!
//! Ids depend on the program alone. In a print of the whole graph nodes are numbered by function
//! and position, in that of a slice breadth first from its sources.

use std::fmt::Write;

use caulk_base::BitSet;
use caulk_pointer::Names;
use caulk_program::InstanceId;

use crate::NodeId;
use crate::graph::Flow;
use crate::guards_edges::{EdgeGuards, edge_guards};
use crate::locals::{Graph, Precision};
use crate::node::Node;
use crate::print_names::NodeNames;
use crate::slice::{Slice, SliceEdge};
use crate::sources::Sources;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Text,
    Dot,
    Json,
}

/// The graph as it is built from the sources, or the part of it that concerns the functions of
/// one name.
#[must_use]
pub fn print_flow(
    flow: &Flow,
    names: &Names,
    sources: &Sources,
    function: Option<&str>,
    format: Format,
) -> String {
    let sources: Vec<Node> = sources.nodes().collect();
    let names = NodeNames { flow, names };
    let graph = Slice::whole(Graph { flow, precision: Precision::Full }, &sources);
    let mut order: Vec<NodeId> = graph.nodes().ids().collect();
    order.sort_by_cached_key(|&id| names.position(graph.nodes()[id]));
    let graph = graph.renumbered(order.into_iter());
    Drawing::new(names, &graph, function, EdgeGuards::default()).print(format)
}

#[must_use]
pub fn print_slice(flow: &Flow, names: &Names, slice: &Slice, format: Format) -> String {
    Drawing::new(NodeNames { flow, names }, slice, None, EdgeGuards::default()).print(format)
}

/// With the branches that it takes to go along each edge.
#[must_use]
pub fn print_guarded_slice(flow: &Flow, names: &Names, slice: &Slice, format: Format) -> String {
    Drawing::new(NodeNames { flow, names }, slice, None, edge_guards(flow, slice)).print(format)
}

/// What is shown of a graph.
pub(crate) struct Drawing<'a, 'm, 'p> {
    pub names: NodeNames<'a, 'm, 'p>,
    slice: &'a Slice,
    nodes: Vec<NodeId>,
    edges: Vec<SliceEdge>,
    guards: EdgeGuards,
}

impl<'a, 'm, 'p> Drawing<'a, 'm, 'p> {
    /// Of a function its nodes are shown, the edges from and to them, and the other ends of these.
    fn new(
        names: NodeNames<'a, 'm, 'p>,
        slice: &'a Slice,
        function: Option<&str>,
        guards: EdgeGuards,
    ) -> Self {
        let inside = |id: NodeId| function.is_none_or(|name| names.is_of(slice.nodes()[id], name));
        let mut shown: BitSet<NodeId> = BitSet::new(slice.nodes().len());
        for id in slice.nodes().ids().filter(|&id| inside(id)) {
            shown.insert(id);
        }
        let edges: Vec<SliceEdge> =
            slice.all_edges().filter(|edge| inside(edge.from) || inside(edge.to)).collect();
        for edge in &edges {
            shown.insert(edge.from);
            shown.insert(edge.to);
        }
        Self { names, slice, nodes: shown.iter().collect(), edges, guards }
    }

    fn print(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Dot => self.dot(),
            Format::Json => self.json(),
        }
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.slice.nodes()[id]
    }

    pub fn is_source(&self, id: NodeId) -> bool {
        self.slice.sources.contains(&id)
    }

    pub fn edges(&self) -> &[SliceEdge] {
        &self.edges
    }

    /// The branches that it takes to go along an edge.
    pub fn guard(&self, edge: &SliceEdge) -> Option<&str> {
        self.guards.get(&(edge.from, edge.to)).map(String::as_str)
    }

    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The functions, each with its nodes.
    pub fn functions(&self) -> Vec<(InstanceId, Vec<NodeId>)> {
        let mut sorted = self.nodes.clone();
        sorted.sort_by_key(|&id| self.node(id).instance());
        let same = |a: &NodeId, b: &NodeId| self.node(*a).instance() == self.node(*b).instance();
        let chunks = sorted.chunk_by(same);
        chunks.map(|chunk| (self.node(chunk[0]).instance(), chunk.to_vec())).collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (instance, nodes) in self.functions() {
            let _ = writeln!(text, "{}:", self.names.function(instance));
            for id in nodes {
                self.text_node(id, &mut text);
            }
        }
        text
    }

    fn text_node(&self, id: NodeId, text: &mut String) {
        let node = self.node(id);
        let place = self.names.place(node).map_or_else(String::new, |at| format!("  {at}"));
        let source = if self.is_source(id) { "  source" } else { "" };
        let _ = writeln!(text, "  {id} {}{place}{source}", self.names.node(node));
        let start = self.edges.partition_point(|edge| edge.from < id);
        for edge in self.edges[start..].iter().take_while(|edge| edge.from == id) {
            let cross = self.names.cross(edge.cross, self.node(edge.to));
            let guard = self.guard(edge).map_or_else(String::new, |it| format!("  if {it}"));
            let _ = writeln!(text, "    -> {} {}{cross}{guard}", edge.to, edge.rule.name());
        }
    }
}
