//! Use-flow graphs for people, in the order of objects and functions.

use std::fmt::{self, Write};

use caulk_pointer::Names;
use caulk_program::InstanceId;

use crate::graph::Flow;
use crate::holders_names::HolderNames;
use crate::holders_print::print_objects;
use crate::print::{Format, Shown};
use crate::print_dot::escaped;
use crate::print_json::{lines, quoted};
use crate::sources::Sources;
use crate::use_flow::{UseFlow, UseId};

/// Of all functions, or of those of one name.
///
/// # Errors
/// Those of the writer.
pub fn print_uses(
    flow: &Flow,
    names: &Names,
    sources: &Sources,
    shown: Shown,
    out: &mut dyn Write,
) -> fmt::Result {
    let names = HolderNames { flow, names };
    print_objects(names, sources, shown, "uses", out, |title, tracked, instance| {
        let graph = UseFlow::new(flow, tracked, instance);
        let name = format!("{}_{instance}", tracked.object);
        Drawing { names, title, name, graph: &graph }.print(shown.format)
    })
}

/// One object in one function.
struct Drawing<'a, 'm, 'p> {
    names: HolderNames<'a, 'm, 'p>,
    title: &'a str,
    /// Tells the vertices of several graphs apart.
    name: String,
    graph: &'a UseFlow,
}

impl Drawing<'_, '_, '_> {
    fn print(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Dot => self.dot(),
            Format::Json => self.json(),
        }
    }

    fn instance(&self) -> InstanceId {
        self.graph.instance
    }

    fn function(&self) -> String {
        self.names.names.instance(self.instance())
    }

    fn place(&self, id: UseId) -> String {
        self.names.place(self.instance(), self.graph.vertices[id].point)
    }

    /// `released`, `passed, into f`.
    fn label(&self, id: UseId) -> String {
        let vertex = &self.graph.vertices[id];
        let mut parts: Vec<String> =
            vertex.uses.iter().map(|&used| self.names.used(self.instance(), used)).collect();
        let into =
            vertex.callees.iter().map(|&it| format!("into {}", self.names.names.instance(it)));
        parts.extend(into);
        parts.join(", ")
    }

    fn text(&self) -> String {
        let mut text = format!("{} in {}:\n", self.title, self.function());
        for id in self.graph.vertices.ids() {
            let to: Vec<String> =
                self.graph.successors(id).iter().map(ToString::to_string).collect();
            let arrow = if to.is_empty() { String::new() } else { format!(" -> {}", to.join(" ")) };
            let _ = writeln!(text, "  {id} {} {}{arrow}", self.place(id), self.label(id));
        }
        text
    }

    fn dot(&self) -> String {
        let title = escaped(&format!("{} in {}", self.title, self.function()));
        let name = &self.name;
        let mut text = format!("  subgraph \"cluster_{name}\" {{\n    label=\"{title}\";\n");
        for id in self.graph.vertices.ids() {
            let label = escaped(&format!("{id} {}\n{}", self.place(id), self.label(id)));
            let _ = writeln!(text, "    {name}_{id} [label=\"{label}\"];");
        }
        text.push_str("  }\n");
        for id in self.graph.vertices.ids() {
            for to in self.graph.successors(id) {
                let _ = writeln!(text, "  {name}_{id} -> {name}_{to};");
            }
        }
        text
    }

    fn json(&self) -> String {
        let vertex = |id: UseId| {
            let (place, label) = (quoted(&self.place(id)), quoted(&self.label(id)));
            let to: Vec<String> =
                self.graph.successors(id).iter().map(|to| format!("\"{to}\"")).collect();
            let to = to.join(", ");
            format!("{{\"id\": \"{id}\", \"place\": {place}, \"uses\": {label}, \"to\": [{to}]}}")
        };
        let vertices: Vec<String> = self.graph.vertices.ids().map(vertex).collect();
        let (object, function) = (quoted(self.title), quoted(&self.function()));
        let vertices = lines(&vertices);
        format!("{{\"object\": {object}, \"function\": {function},\n\"vertices\": [{vertices}]}}")
    }
}
