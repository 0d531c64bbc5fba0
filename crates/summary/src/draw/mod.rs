//! Summaries as drawings in the paper's style: boxes are stack cells, circles heap cells, `!` is
//! allocated, `✕` freed; dotted edges were there before the call (P8). `dot` writes them for
//! Graphviz, `svg` places them itself.

mod dot;
mod svg;

use std::collections::{BTreeMap, BTreeSet};

use caulk_program::Program;

use crate::check::Summaries;
use crate::summary::{Node, NodeId, Summary};

pub use dot::draw;
pub use svg::draw_svg;

/// What is drawn of one procedure.
struct Drawing {
    procedure: String,
    shapes: Vec<Shape>,
    edges: Vec<Edge>,
}

struct Shape {
    is_heap: bool,
    label: String,
}

/// From one of the shapes to another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: usize,
    to: usize,
    label: String,
    is_input: bool,
}

/// The procedures of that name, or all.
fn drawings<'s>(
    program: &'s Program,
    summaries: &'s Summaries,
    function: Option<&'s str>,
) -> impl Iterator<Item = Drawing> + 's {
    summaries.iter().filter_map(move |(proc, summary)| {
        let name = &program.procs[proc].name;
        function.is_none_or(|wanted| wanted == name).then(|| Sketch::new(summary).drawing(name))
    })
}

/// The edges between objects, before shapes have numbers.
struct Sketch<'s> {
    summary: &'s Summary,
    edges: BTreeSet<(NodeId, NodeId, String, bool)>,
    results: BTreeSet<NodeId>,
}

impl<'s> Sketch<'s> {
    fn new(summary: &'s Summary) -> Self {
        let mut sketch = Sketch { summary, edges: BTreeSet::new(), results: BTreeSet::new() };
        for (id, node) in summary.nodes.iter() {
            if let Node::Explore(cell) = *node {
                sketch.edge(cell, id, true);
            }
        }
        for (cell, held) in &summary.cells {
            held.nodes.iter().for_each(|&node| sketch.edge(*cell, node, false));
        }
        let results = summary.result.iter().flat_map(|held| &held.nodes);
        sketch.results = results.map(|&node| sketch.object(node)).collect();
        sketch
    }

    fn edge(&mut self, cell: NodeId, to: NodeId, is_input: bool) {
        let edge = (self.object(cell), self.object(to), self.label(cell), is_input);
        self.edges.insert(edge);
    }

    fn drawing(self, name: &str) -> Drawing {
        let mut shapes = Vec::new();
        if self.summary.result.is_some() {
            shapes.push(Shape { is_heap: false, label: "ret".into() });
        }
        let ends = self.edges.iter().flat_map(|&(from, to, ..)| [from, to]);
        let objects: BTreeSet<NodeId> = ends.chain(self.results.iter().copied()).collect();
        let numbers: BTreeMap<NodeId, usize> =
            objects.iter().copied().zip(shapes.len()..).collect();
        shapes.extend(objects.iter().map(|&object| self.shape(object)));
        let mut edges: Vec<Edge> = (self.results.iter())
            .map(|object| Edge { from: 0, to: numbers[object], label: "*".into(), is_input: false })
            .collect();
        edges.extend(self.edges.iter().map(|(from, to, label, is_input)| Edge {
            from: numbers[from],
            to: numbers[to],
            label: label.clone(),
            is_input: *is_input,
        }));
        Drawing { procedure: name.to_string(), shapes, edges }
    }

    /// The member that the edge starts from.
    fn label(&self, cell: NodeId) -> String {
        match self.summary.nodes[cell] {
            Node::Field(_, offset) => self.summary.member(cell, offset).to_string(),
            Node::Element(_) => "[]".to_string(),
            Node::Contents(_) => "any".to_string(),
            _ => self.summary.names[cell].as_deref().unwrap_or("*").to_string(),
        }
    }

    fn object(&self, node: NodeId) -> NodeId {
        match self.summary.nodes[node] {
            Node::Field(of, _) | Node::Element(of) | Node::Contents(of) => self.object(of),
            _ => node,
        }
    }

    fn shape(&self, node: NodeId) -> Shape {
        let freed = self.summary.frees.iter().any(|row| row.0 == node);
        let mark = if freed { "✕" } else { "" };
        let stack = |label: String| Shape { is_heap: false, label };
        match self.summary.nodes[node] {
            Node::Arg(u32::MAX) => stack("ret&".into()),
            Node::Arg(number) => stack(format!("arg{}", number + 1)),
            Node::Global => stack("global".into()),
            Node::Static(id) => stack(id.to_string()),
            Node::Fresh(_) => Shape { is_heap: true, label: format!("!{mark}") },
            _ => Shape { is_heap: true, label: mark.into() },
        }
    }
}
