//! What the stages after linking made of a program, as text for developers, written as it is made.

use std::fmt::{self, Write};

use caulk_flow::{
    Flow, Format, Shown, Sources, print_flow, print_holders, print_slices, print_uses,
};
use caulk_memory::{CallGraph, Memory, Printer};
use caulk_pointer::Names;

use crate::whole_program::WholeProgram;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramStage {
    CallGraph,
    PointsTo,
    Memory,
    Flow,
    Uses,
    Slice,
    Holders,
}

/// The stage for all functions, or for those with a name.
///
/// # Errors
/// Those of the writer.
pub fn dump_program(
    whole: &WholeProgram,
    stage: ProgramStage,
    shown: Shown,
    out: &mut dyn Write,
) -> fmt::Result {
    let names = Names { input: whole.pointer_input(), points_to: &whole.points_to };
    let function = shown.function;
    if stage == ProgramStage::PointsTo {
        return match shown.format {
            Format::Text => caulk_pointer::print(names, function, out),
            Format::Dot => caulk_pointer::print_dot(names, function, out),
            Format::Json => caulk_pointer::print_json(names, function, out),
        };
    }
    let memory = whole.memory();
    match stage {
        ProgramStage::CallGraph => call_graph(&memory, names, shown, out),
        ProgramStage::Memory => {
            let printer = Printer { memory: &memory, names };
            match shown.format {
                Format::Text => printer.text(function, out),
                Format::Dot => printer.dot(function, out),
                Format::Json => printer.json(function, out),
            }
        }
        _ => flow(&memory, names, stage, shown, out),
    }
}

fn call_graph(memory: &Memory, names: Names, shown: Shown, out: &mut dyn Write) -> fmt::Result {
    let graph = CallGraph { memory, names };
    match shown.format {
        Format::Text => graph.text(shown.function, out),
        Format::Dot => graph.dot(shown.function, out),
        Format::Json => graph.json(shown.function, out),
    }
}

fn flow(
    memory: &Memory,
    names: Names,
    stage: ProgramStage,
    shown: Shown,
    out: &mut dyn Write,
) -> fmt::Result {
    let flow = Flow::new(memory);
    let sources = Sources::new(&flow);
    match stage {
        ProgramStage::Uses => print_uses(&flow, &names, &sources, shown, out),
        ProgramStage::Holders => print_holders(&flow, &names, &sources, shown, out),
        ProgramStage::Slice => print_slices(&flow, &names, &sources, shown, out),
        _ => print_flow(&flow, &names, &sources, shown, out),
    }
}
