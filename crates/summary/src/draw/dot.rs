//! Drawings for Graphviz.

use std::fmt::Write;

use caulk_program::Program;

use super::{Drawing, drawings};
use crate::check::Summaries;

#[must_use]
pub fn draw(program: &Program, summaries: &Summaries, function: Option<&str>) -> String {
    let mut text = String::from("digraph summaries {\n  rankdir=LR;\n");
    for (number, drawing) in drawings(program, summaries, function).enumerate() {
        cluster(&mut text, number, &drawing);
    }
    text.push_str("}\n");
    text
}

fn cluster(text: &mut String, number: usize, drawing: &Drawing) {
    let Drawing { procedure, shapes, edges } = drawing;
    let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label=\"{procedure}\";");
    for (shape, place) in shapes.iter().zip(0..) {
        let form = if shape.is_heap { "circle" } else { "box" };
        let label = escaped(&shape.label);
        let _ = writeln!(text, "    p{number}_{place} [shape={form}, label=\"{label}\"];");
    }
    for edge in edges {
        let style = if edge.is_input { ", style=dotted" } else { "" };
        let (from, to, label) = (edge.from, edge.to, escaped(&edge.label));
        let _ =
            writeln!(text, "    p{number}_{from} -> p{number}_{to} [label=\"{label}\"{style}];");
    }
    text.push_str("  }\n");
}

fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"")
}
