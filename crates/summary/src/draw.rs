//! Summaries as drawings in the paper's style, for Graphviz: boxes are stack cells, circles heap
//! cells, `!` is allocated, `✕` freed; dotted edges were there before the call (P8).

use std::collections::BTreeSet;
use std::fmt::Write;

use caulk_program::Program;

use crate::check::Summaries;
use crate::summary::{Node, NodeId, Summary};

#[must_use]
pub fn draw(program: &Program, summaries: &Summaries, function: Option<&str>) -> String {
    let mut text = String::from("digraph summaries {\n  rankdir=LR;\n");
    for (proc, summary) in summaries.iter() {
        let name = &program.procs[proc].name;
        if function.is_none_or(|wanted| wanted == name) {
            let _ = writeln!(text, "  subgraph cluster_{} {{\n    label=\"{name}\";", proc.0);
            text.push_str(&Drawing { prefix: proc.0, summary }.lines());
            text.push_str("  }\n");
        }
    }
    text.push_str("}\n");
    text
}

struct Drawing<'s> {
    prefix: u32,
    summary: &'s Summary,
}

impl Drawing<'_> {
    fn lines(&self) -> String {
        let mut text = String::new();
        let mut objects = BTreeSet::new();
        let mut edges = BTreeSet::new();
        for (id, node) in self.summary.nodes.iter() {
            if let Node::Explore(cell) = *node {
                edges.insert(self.edge(cell, id, true, &mut objects));
            }
        }
        for (cell, held) in &self.summary.cells {
            for &node in &held.nodes {
                edges.insert(self.edge(*cell, node, false, &mut objects));
            }
        }
        for &node in self.summary.result.iter().flat_map(|held| &held.nodes) {
            let target = self.object(node);
            objects.insert(target);
            let name = self.name(target);
            edges.insert(format!("    r{} -> {name} [label=\"*\"];", self.prefix));
        }
        if self.summary.result.is_some() {
            let _ = writeln!(text, "    r{} [shape=box, label=\"ret\"];", self.prefix);
        }
        for object in objects {
            let _ = writeln!(text, "    {} {};", self.name(object), self.shape(object));
        }
        for edge in edges {
            let _ = writeln!(text, "{edge}");
        }
        text
    }

    fn edge(
        &self,
        cell: NodeId,
        to: NodeId,
        is_input: bool,
        objects: &mut BTreeSet<NodeId>,
    ) -> String {
        let (from, to) = (self.object(cell), self.object(to));
        objects.extend([from, to]);
        let style = if is_input { ", style=dotted" } else { "" };
        let label = self.label(cell);
        format!("    {} -> {} [label=\"{label}\"{style}];", self.name(from), self.name(to))
    }

    fn name(&self, node: NodeId) -> String {
        format!("p{}_{}", self.prefix, node.0)
    }

    /// The member that the edge starts from.
    fn label(&self, cell: NodeId) -> String {
        match self.summary.nodes[cell] {
            Node::Field(_, offset) => self.summary.member(cell, offset),
            Node::Element(_) => "[]".to_string(),
            _ => self.summary.names[cell].as_deref().unwrap_or("*").to_string(),
        }
    }

    fn object(&self, node: NodeId) -> NodeId {
        match self.summary.nodes[node] {
            Node::Field(of, _) | Node::Element(of) => self.object(of),
            _ => node,
        }
    }

    fn shape(&self, node: NodeId) -> String {
        let freed = self.summary.frees.iter().any(|row| row.0 == node);
        let mark = if freed { "✕" } else { "" };
        match self.summary.nodes[node] {
            Node::Arg(u32::MAX) => "[shape=box, label=\"ret&\"]".to_string(),
            Node::Arg(number) => format!("[shape=box, label=\"arg{}\"]", number + 1),
            Node::Global => "[shape=box, label=\"global\"]".to_string(),
            Node::Static(id) => format!("[shape=box, label=\"{id}\"]"),
            Node::Fresh(_) => format!("[shape=circle, label=\"!{mark}\"]"),
            _ => format!("[shape=circle, label=\"{mark}\"]"),
        }
    }
}
