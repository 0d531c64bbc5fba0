//! The control-flow graph of a function as text: per block where it is, how it is reached, and
//! where it goes.

use std::fmt::{self, Display};

use caulk_ir::{Block, BlockId, Body, FunctionId, Module, print};
use caulk_ssa::FunctionFacts;

pub(crate) fn cfg_text(module: &Module, id: FunctionId, body: &Body) -> String {
    let facts = FunctionFacts::new(body);
    let mut text = format!("cfg {id}:{}\n", module.function_name(id));
    for (id, block) in body.blocks.iter() {
        let (lines, place) = (lines(module, body, block), place(&facts, id));
        let count = match block.insts().len() {
            1 => "1 instruction".to_owned(),
            many => format!("{many} instructions"),
        };
        let last = print::terminator(module, body, id);
        text += &format!("  {id}:{lines} {count}{place}\n    {last}\n");
    }
    text
}

/// ` lines 3-7,`: what the block's source covers.
fn lines(module: &Module, body: &Body, block: &Block) -> String {
    let spans = block.insts().map(|inst| body.inst_spans[inst]).chain([block.terminator_span]);
    let lines = spans.filter_map(|span| module.spans.get(span)).map(|span| span.start.line);
    let range = lines.fold(None, |range: Option<(u32, u32)>, line| match range {
        Some((first, last)) => Some((first.min(line), last.max(line))),
        None => Some((line, line)),
    });
    match range {
        Some((first, last)) if first == last => format!(" line {first},"),
        Some((first, last)) => format!(" lines {first}-{last},"),
        None => String::new(),
    }
}

/// How the block lies in the graph.
fn place(facts: &FunctionFacts<'_>, id: BlockId) -> impl Display {
    let cfg = facts.cfg();
    let mut from: Vec<BlockId> = cfg.graph().predecessors(id).collect();
    from.sort();
    from.dedup();
    fmt::from_fn(move |f| {
        if !from.is_empty() {
            let names: Vec<String> = from.iter().map(BlockId::to_string).collect();
            write!(f, ", from {}", names.join(" "))?;
        }
        if let Some(above) = cfg.dominators().immediate(id) {
            write!(f, ", dominated by {above}")?;
        }
        let loops = cfg.loops();
        match loops.innermost(id) {
            Some(inner) => {
                write!(f, ", in the loop of {} at depth {}", loops.header(inner), loops.depth(id))
            }
            None => Ok(()),
        }
    })
}
