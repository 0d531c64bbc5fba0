//! Flow and slices for people: as text, for Graphviz, and as JSON.
//!
//! Ids depend on the program alone. In a print of the whole graph nodes are numbered by function
//! and position, in that of a slice breadth first from its sources.
//!
//! In a large program some addresses go almost everywhere, and the graph of all of them is larger
//! than any memory. A print follows each allocation as far as [`steps`] says and lists those that
//! go further: asked for one function, it follows what that function allocates much further.

use std::fmt::{self, Write};

use caulk_base::{BitSet, FxHashSet};
use caulk_pointer::{Items, Names};
use caulk_program::InstanceId;

use crate::NodeId;
use crate::graph::Flow;
use crate::guards_edges::{EdgeGuards, edge_guards};
use crate::locals::Precision;
use crate::node::Node;
use crate::print_dot::escaped;
use crate::print_json::quoted;
use crate::print_names::NodeNames;
use crate::reach::{DEFAULT_LIMIT, Reachability};
use crate::slice::{Slice, SliceEdge};
use crate::sources::{Source, Sources};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Text,
    Dot,
    Json,
}

/// What a print shows, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// Only what concerns functions of this name.
    pub function: Option<&'a str>,
    pub format: Format,
}

/// Steps for each allocation of a whole program, the same that `caulk stats` counts slices with.
const STEPS: usize = 1_000;

/// Steps for allocations that are shown because their function is, or because all are.
pub(crate) fn steps(function: Option<&str>) -> usize {
    if function.is_some() { DEFAULT_LIMIT } else { STEPS }
}

/// The graph as it is built from the sources, or the part of it that concerns the functions of
/// one name.
///
/// # Errors
/// Those of the writer.
pub fn print_flow(
    flow: &Flow,
    names: &Names,
    sources: &Sources,
    shown: Shown,
    out: &mut dyn Write,
) -> fmt::Result {
    let names = NodeNames { flow, names };
    let graph = Built::new(flow, &names, sources, shown.function);
    let mut order: Vec<NodeId> = graph.slice.nodes().ids().collect();
    order.sort_by_cached_key(|&id| names.position(graph.slice.nodes()[id]));
    let slice = graph.slice.renumbered(order.into_iter());
    let mut drawing = Drawing::new(names, &slice, shown.function, EdgeGuards::default());
    drawing.further = graph.further;
    drawing.print(shown.format, out)
}

/// What searches from all sources build.
struct Built {
    slice: Slice,
    /// The allocations that go further than they were followed.
    further: Vec<String>,
}

impl Built {
    fn new(flow: &Flow, names: &NodeNames, sources: &Sources, function: Option<&str>) -> Self {
        let short = Reachability::new(flow, Precision::Full, STEPS);
        let long = Reachability::new(flow, Precision::Full, steps(function));
        let is_asked_for =
            |source: &Source| function.is_some_and(|it| names.is_in(source.instance, it));
        let (mut from, mut reached) = (Vec::new(), FxHashSet::default());
        let mut further = Vec::new();
        for source in sources.allocations.rows() {
            let reachability = if is_asked_for(source) { &long } else { &short };
            match reachability.forward(&source.nodes) {
                Ok(reach) => {
                    from.extend_from_slice(&source.nodes);
                    reached.extend(reach.nodes);
                }
                Err(gave_up) => further.push(names.source(source, gave_up.limit)),
            }
        }
        Self { slice: Slice::between(short.graph(), &from, &reached), further }
    }
}

#[must_use]
pub fn print_slice(flow: &Flow, names: &Names, slice: &Slice, format: Format) -> String {
    let drawing = Drawing::new(NodeNames { flow, names }, slice, None, EdgeGuards::default());
    caulk_pointer::printed(|out| drawing.print(format, out))
}

/// The forward slice of each allocation, or of those in functions of one name, with the branches
/// that it takes to go along each edge.
///
/// # Errors
/// Those of the writer.
pub fn print_slices(
    flow: &Flow,
    names: &Names,
    sources: &Sources,
    shown: Shown,
    out: &mut dyn Write,
) -> fmt::Result {
    let names = NodeNames { flow, names };
    let reachability = Reachability::new(flow, Precision::Full, steps(shown.function));
    let one = |source: &Source| match reachability.forward(&source.nodes) {
        Ok(reach) => {
            let slice = Slice::forward(reachability.graph(), &reach);
            let guards = edge_guards(flow, &slice);
            let drawing = Drawing::new(names, &slice, None, guards);
            caulk_pointer::printed(|out| drawing.print(shown.format, out))
        }
        Err(gave_up) => not_sliced(&names.source(source, gave_up.limit), shown.format),
    };
    let is_wanted =
        |source: &&Source| shown.function.is_none_or(|it| names.is_in(source.instance, it));
    let mut slices = sources.allocations.rows().iter().filter(is_wanted).map(one);
    if shown.format == Format::Json {
        let mut items = Items::begin(out)?;
        slices.try_for_each(|slice| items.add(slice.trim_end()))?;
        return items.end_line();
    }
    for (index, slice) in slices.enumerate() {
        out.write_str(if index == 0 { "" } else { "\n" })?;
        out.write_str(&slice)?;
    }
    Ok(())
}

fn not_sliced(why: &str, format: Format) -> String {
    match format {
        Format::Text => format!("not sliced: {why}\n"),
        Format::Dot => format!("digraph gave_up {{ label=\"{}\"; }}\n", escaped(why)),
        Format::Json => format!("{{\"incomplete\": {}}}\n", quoted(why)),
    }
}

/// What is shown of a graph.
pub(crate) struct Drawing<'a, 'm, 'p> {
    pub names: NodeNames<'a, 'm, 'p>,
    slice: &'a Slice,
    nodes: Vec<NodeId>,
    edges: Vec<SliceEdge>,
    guards: EdgeGuards,
    sources: BitSet<NodeId>,
    further: Vec<String>,
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
        let mut sources = BitSet::new(slice.nodes().len());
        for &source in &slice.sources {
            sources.insert(source);
        }
        let further = Vec::new();
        Self { names, slice, nodes: shown.iter().collect(), edges, guards, sources, further }
    }

    fn print(&self, format: Format, out: &mut dyn Write) -> fmt::Result {
        match format {
            Format::Text => self.text(out),
            Format::Dot => self.dot(out),
            Format::Json => self.json(out),
        }
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.slice.nodes()[id]
    }

    pub fn is_source(&self, id: NodeId) -> bool {
        self.sources.contains(id)
    }

    pub fn edges(&self) -> &[SliceEdge] {
        &self.edges
    }

    /// The branches that it takes to go along an edge.
    pub fn guard(&self, edge: &SliceEdge) -> Option<&str> {
        self.guards.get(&(edge.from, edge.to)).map(String::as_str)
    }

    /// The allocations that go further than they were followed.
    pub fn further(&self) -> &[String] {
        &self.further
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

    fn text(&self, out: &mut dyn Write) -> fmt::Result {
        for (instance, nodes) in self.functions() {
            writeln!(out, "{}:", self.names.function(instance))?;
            nodes.into_iter().try_for_each(|id| self.text_node(id, out))?;
        }
        self.further.iter().try_for_each(|it| writeln!(out, "not followed: {it}"))
    }

    fn text_node(&self, id: NodeId, out: &mut dyn Write) -> fmt::Result {
        let node = self.node(id);
        let place = self.names.place(node).map_or_else(String::new, |at| format!("  {at}"));
        let source = if self.is_source(id) { "  source" } else { "" };
        writeln!(out, "  {id} {}{place}{source}", self.names.node(node))?;
        let start = self.edges.partition_point(|edge| edge.from < id);
        for edge in self.edges[start..].iter().take_while(|edge| edge.from == id) {
            let cross = self.names.cross(edge.cross, self.node(edge.to));
            let guard = self.guard(edge).map_or_else(String::new, |it| format!("  if {it}"));
            writeln!(out, "    -> {} {}{cross}{guard}", edge.to, edge.rule.name())?;
        }
        Ok(())
    }
}
