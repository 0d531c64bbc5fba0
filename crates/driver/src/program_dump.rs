//! What the stages after linking made of a program, as text for developers.

use caulk_flow::{
    DEFAULT_LIMIT, Flow, Format, Precision, Reachability, Slice, Source, Sources, print_flow,
    print_guarded_slice, print_holders, print_uses,
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
#[must_use]
pub fn dump_program(
    whole: &WholeProgram,
    stage: ProgramStage,
    function: Option<&str>,
    format: Format,
) -> String {
    let names = Names { input: whole.pointer_input(), points_to: &whole.points_to };
    if stage == ProgramStage::PointsTo {
        return match format {
            Format::Text => caulk_pointer::print(names.input, names.points_to, function),
            Format::Dot => caulk_pointer::print_dot(names, function),
            Format::Json => caulk_pointer::print_json(names, function),
        };
    }
    let memory = whole.memory();
    match stage {
        ProgramStage::CallGraph => call_graph(&memory, names, function, format),
        ProgramStage::Memory => {
            let printer = Printer { memory: &memory, names };
            match format {
                Format::Text => printer.text(function),
                Format::Dot => printer.dot(function),
                Format::Json => printer.json(function),
            }
        }
        _ => flow(&memory, names, stage, function, format),
    }
}

fn call_graph(memory: &Memory, names: Names, function: Option<&str>, format: Format) -> String {
    let graph = CallGraph { memory, names };
    match format {
        Format::Text => graph.text(function),
        Format::Dot => graph.dot(function),
        Format::Json => graph.json(function),
    }
}

fn flow(
    memory: &Memory,
    names: Names,
    stage: ProgramStage,
    function: Option<&str>,
    format: Format,
) -> String {
    let flow = Flow::new(memory);
    let sources = Sources::new(&flow);
    match stage {
        ProgramStage::Uses => print_uses(&flow, &names, &sources, function, format),
        ProgramStage::Holders => print_holders(&flow, &names, &sources, function, format),
        ProgramStage::Slice => slices(&flow, &names, &sources, function, format),
        _ => print_flow(&flow, &names, &sources, function, format),
    }
}

/// The forward slice of each allocation in the functions with the name.
fn slices(
    flow: &Flow,
    names: &Names,
    sources: &Sources,
    function: Option<&str>,
    format: Format,
) -> String {
    let reachability = Reachability::new(flow, Precision::Full, DEFAULT_LIMIT);
    let input = flow.memory.input();
    let is_wanted = |source: &&Source| {
        let name = &input.program.procs[input.instances.proc(source.instance)].name;
        function.is_none_or(|wanted| name == wanted)
    };
    let one = |source: &Source| match reachability.forward(&source.nodes) {
        Ok(reach) => {
            let slice = Slice::forward(reachability.graph(), &reach);
            print_guarded_slice(flow, names, &slice, format)
        }
        Err(gave_up) => not_sliced(gave_up.limit, format),
    };
    let parts: Vec<String> = sources.allocations.rows().iter().filter(is_wanted).map(one).collect();
    match format {
        Format::Json => {
            let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
            format!("[{}]\n", parts.join(",\n"))
        }
        Format::Text | Format::Dot => parts.join("\n"),
    }
}

fn not_sliced(limit: usize, format: Format) -> String {
    let why = format!("not sliced: more than {limit} steps");
    match format {
        Format::Text => format!("{why}\n"),
        Format::Dot => format!("digraph gave_up {{ label=\"{why}\"; }}\n"),
        Format::Json => format!("{{\"incomplete\": \"{why}\"}}\n"),
    }
}
