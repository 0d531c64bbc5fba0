//! A control-flow graph as Graphviz text.

use std::fmt::{self, Display, Formatter};

use super::Printer;
use super::body::{BodyPrinter, case_text};
use crate::body::{Block, BlockId, Terminator};
use crate::module::{FunctionBody, FunctionId, Module};

/// The blocks of a function with their instructions, and labelled edges. A function without a
/// body gives an empty graph.
#[must_use]
pub fn cfg_dot(module: &Module, id: FunctionId) -> String {
    let printer = Printer { module, file: None };
    fmt::from_fn(|f| {
        let title = printer.function_ref(id).to_string();
        writeln!(f, "digraph \"{}\" {{", Escaped(&title))?;
        writeln!(f, "  node [shape=box, fontname=\"monospace\"];")?;
        if let Some(FunctionBody::Defined(body)) = module.functions.get(id).map(|row| &row.body) {
            let body = BodyPrinter::new(module, body, None);
            body.body.blocks.iter().try_for_each(|(id, block)| body.node(f, id, block))?;
        }
        writeln!(f, "}}")
    })
    .to_string()
}

impl BodyPrinter<'_> {
    fn node(&self, f: &mut Formatter<'_>, id: BlockId, block: &Block) -> fmt::Result {
        write!(f, "  {id} [label=\"{}:\\l", Escaped(&self.block_head(id, block).to_string()))?;
        for inst in self.existing_insts(block) {
            let line = fmt::from_fn(|f| self.inst(f, inst)).to_string();
            write!(f, "  {}\\l", Escaped(&line))?;
        }
        let last = fmt::from_fn(|f| self.terminator(f, &block.terminator)).to_string();
        writeln!(f, "  {}\\l\"];", Escaped(&last))?;
        let edges = block.terminator.edges().zip(edge_labels(&block.terminator));
        for (edge, label) in edges {
            writeln!(f, "  {id} -> {} [label=\"{}\"];", edge.to, Escaped(&label))?;
        }
        Ok(())
    }
}

/// One label per edge, in the order of [`Terminator::edges`].
fn edge_labels(terminator: &Terminator) -> Vec<String> {
    match terminator {
        Terminator::Branch { .. } => vec!["true".into(), "false".into()],
        Terminator::Switch { cases, .. } => {
            cases.iter().map(case_text).chain(["default".into()]).collect()
        }
        other => other.edges().map(|_| String::new()).collect(),
    }
}

/// Text inside a quoted Graphviz string.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for ch in self.0.chars() {
            match ch {
                '"' | '\\' => write!(f, "\\{ch}")?,
                '\n' => f.write_str("\\n")?,
                _ => write!(f, "{ch}")?,
            }
        }
        Ok(())
    }
}
