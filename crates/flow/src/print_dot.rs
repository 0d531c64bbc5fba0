//! A graph for Graphviz: a cluster for each function.

use std::fmt::{self, Write};

use crate::node::{Cross, End, Node};
use crate::print::Drawing;

impl Drawing<'_, '_, '_> {
    pub(crate) fn dot(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str("digraph flow {\n  node [shape=box, fontname=\"monospace\"];\n")?;
        for (instance, nodes) in self.functions() {
            let name = escaped(&self.names.function(instance));
            writeln!(out, "  subgraph \"cluster_{instance}\" {{")?;
            writeln!(out, "    label=\"{name}\";")?;
            for id in nodes {
                writeln!(out, "    {id} [{}];", self.attributes(id))?;
            }
            out.write_str("  }\n")?;
        }
        for edge in self.edges() {
            let cross = escaped(&self.names.cross(edge.cross, self.node(edge.to)));
            let style = if edge.cross == Cross::None { "" } else { ", style=dashed" };
            let (from, to, rule) = (edge.from, edge.to, edge.rule.name());
            let guard =
                self.guard(edge).map_or_else(String::new, |it| format!("\\n{}", escaped(it)));
            writeln!(out, "  {from} -> {to} [label=\"{rule}{cross}{guard}\"{style}];")?;
        }
        for (index, it) in self.further().iter().enumerate() {
            writeln!(out, "  further{index} [label=\"not followed: {}\"];", escaped(it))?;
        }
        out.write_str("}\n")
    }

    fn attributes(&self, id: crate::NodeId) -> String {
        let node = self.node(id);
        let place = self.names.place(node).map_or_else(String::new, |at| format!("\n{at}"));
        let label = escaped(&format!("{id} {}{place}", self.names.node(node)));
        let border = match node {
            Node::End(_, _, End::Released) => ", peripheries=2",
            _ if self.is_source(id) => ", penwidth=3",
            _ => "",
        };
        format!("label=\"{label}\"{border}")
    }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
