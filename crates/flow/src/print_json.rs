//! A graph as JSON: `{"nodes": [...], "edges": [...]}`, one node or edge on a line, and as
//! `further` the allocations that go further than they were followed, if there are any.

use std::fmt::{self, Write};

use caulk_pointer::Items;

use crate::NodeId;
use crate::node::Cross;
use crate::print::Drawing;
use crate::print_names::NodeNames;
use crate::slice::SliceEdge;

impl Drawing<'_, '_, '_> {
    pub(crate) fn json(&self, out: &mut dyn Write) -> fmt::Result {
        let nodes = self.nodes().iter().map(|&id| self.json_node(id));
        let edges = self.edges().iter().map(|edge| self.json_edge(edge));
        out.write_str("{\n\"nodes\": ")?;
        list(nodes, out)?;
        out.write_str(",\n\"edges\": ")?;
        list(edges, out)?;
        if !self.further().is_empty() {
            out.write_str(",\n\"further\": ")?;
            list(self.further().iter().map(|it| quoted(it)), out)?;
        }
        out.write_str("\n}\n")
    }

    fn json_node(&self, id: NodeId) -> String {
        let node = self.node(id);
        let function = quoted(&self.names.function(node.instance()));
        let name = quoted(&self.names.node(node));
        let kind = NodeNames::kind(node);
        let place = self.names.place(node);
        let place = place.map_or_else(String::new, |at| format!(", \"place\": {}", quoted(&at)));
        let source = if self.is_source(id) { ", \"source\": true" } else { "" };
        format!(
            "{{\"id\": \"{id}\", \"function\": {function}, \"kind\": \"{kind}\", \
             \"name\": {name}{place}{source}}}"
        )
    }

    fn json_edge(&self, edge: &SliceEdge) -> String {
        let cross = match edge.cross {
            Cross::None => String::new(),
            Cross::Call(site) => self.json_site("call", site),
            Cross::Return(site) => self.json_site("return", site),
        };
        let (from, to, rule) = (edge.from, edge.to, edge.rule.name());
        let guard = self.guard(edge);
        let guard = guard.map_or_else(String::new, |it| format!(", \"guard\": {}", quoted(it)));
        format!("{{\"from\": \"{from}\", \"to\": \"{to}\", \"rule\": \"{rule}\"{cross}{guard}}}")
    }

    fn json_site(&self, key: &str, site: caulk_memory::CallSite) -> String {
        let caller = quoted(&self.names.function(site.caller));
        format!(", \"{key}\": \"{}\", \"of\": {caller}", site.call)
    }
}

fn list(mut rows: impl Iterator<Item = String>, out: &mut dyn Write) -> fmt::Result {
    let mut items = Items::begin(out)?;
    rows.try_for_each(|row| items.add(&row))?;
    items.end()
}

pub(crate) fn lines(rows: &[String]) -> String {
    if rows.is_empty() { String::new() } else { format!("\n{}\n", rows.join(",\n")) }
}

/// A string of JSON.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' | '\\' => quoted.extend(['\\', ch]),
            ch if ch < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(ch));
            }
            ch => quoted.push(ch),
        }
    }
    quoted.push('"');
    quoted
}
