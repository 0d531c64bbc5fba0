//! Flow, case by case: `suites/flow/*.md` holds prose, C, and snapshots by fence.
//!
//! `flow` is the graph, `flow NAME` what concerns one function, `slice` each source's backward
//! slice, `reach` in one line per source what becomes of it, `locals` the same in FastCheck's
//! graph, `dot` and `json` the graph in these formats. `CAULK_BLESS=1` writes them anew.

mod facts;

use std::fmt::Write;

use caulk_flow::{
    DEFAULT_LIMIT, End, Flow, Format, Node, Precision, Reach, Reachability, Shown, Slice, Source,
    Sources, print_flow, print_slice,
};
use caulk_pointer::{Names, printed};
use caulk_testkit::suite::{Case, check};
use facts::Facts;

#[test]
fn every_case_flows_as_its_snapshot_says() {
    check("flow", 20, produce);
}

fn produce(case: &Case, fence: &str) -> String {
    Facts::new(case.modules()).with(|flow, names| {
        let sources = Sources::new(flow);
        let graph = |function, format| {
            let shown = Shown { function, format };
            printed(|out| print_flow(flow, names, &sources, shown, out))
        };
        match fence.split_once(' ').unwrap_or((fence, "")) {
            ("flow", "") => graph(None, Format::Text),
            ("flow", function) => graph(Some(function), Format::Text),
            ("dot", _) => graph(None, Format::Dot),
            ("json", _) => graph(None, Format::Json),
            ("reach", _) => reach(flow, names, &sources, Precision::Full),
            ("locals", _) => reach(flow, names, &sources, Precision::Locals),
            ("slice", _) => slices(flow, names, &sources),
            _ => panic!("{}: nothing is called {fence}", case.title),
        }
    })
}

fn reach(flow: &Flow, names: &Names, sources: &Sources, precision: Precision) -> String {
    let reachability = Reachability::new(flow, precision, DEFAULT_LIMIT);
    let mut text = String::new();
    for source in sources.allocations.rows() {
        let reach = reachability.forward(&source.nodes).expect("a case is small");
        let _ = writeln!(text, "{}: {}", title(names, source), outcome(names, &reach));
    }
    text
}

fn title(names: &Names, source: &Source) -> String {
    let callee = &names.input.program.externals[source.external].name;
    let place = place(names, flow_point(source));
    format!("{callee}@{place} in {}", names.instance(source.instance))
}

fn flow_point(source: &Source) -> (caulk_program::InstanceId, caulk_flow::Point) {
    (source.instance, caulk_flow::Point::Inst(source.inst))
}

fn place(
    names: &Names,
    (instance, point): (caulk_program::InstanceId, caulk_flow::Point),
) -> String {
    let program = names.input.program;
    let body = names.input.instances.body(program, instance);
    let span = match point {
        caulk_flow::Point::Inst(inst) => body.inst_spans[inst],
        caulk_flow::Point::Terminator(block) => body.blocks[block].terminator_span,
        _ => return "?".to_string(),
    };
    let module = program.procs[names.input.instances.proc(instance)].module;
    program.place(module, span).unwrap_or_default()
}

/// Where the flow ends, and which memory it gets into.
fn outcome(names: &Names, reach: &Reach) -> String {
    let mut parts: Vec<String> = reach
        .ends()
        .map(|(instance, point, end)| end_text(names, end) + &place(names, (instance, point)))
        .collect();
    parts.sort();
    parts.dedup();
    let escapes = reach.escapes;
    let flags =
        [(escapes.memory, "memory"), (escapes.global, "global"), (escapes.outside, "outside")];
    parts.extend(flags.iter().filter(|(set, _)| *set).map(|(_, name)| (*name).to_string()));
    if parts.is_empty() { "nowhere".to_string() } else { parts.join(", ") }
}

fn end_text(names: &Names, end: End) -> String {
    let name = |external| &names.input.program.externals[external].name;
    match end {
        End::Released => "released ".to_string(),
        End::Kept(external) => format!("kept by {} ", name(external)),
        End::Unknown(Some(external)) => format!("unknown {} ", name(external)),
        End::Unknown(None) => "unknown function ".to_string(),
        End::Caller => "caller ".to_string(),
    }
}

fn slices(flow: &Flow, names: &Names, sources: &Sources) -> String {
    let reachability = Reachability::new(flow, Precision::Full, DEFAULT_LIMIT);
    let mut text = String::new();
    for source in sources.allocations.rows() {
        let reach = reachability.forward(&source.nodes).expect("a case is small");
        let forward = Slice::forward(reachability.graph(), &reach);
        assert_eq!(forward.nodes().len(), reach.nodes.len(), "a slice is all that is reached");
        let backward = forward.to_sinks();
        let (all, kept) = (forward.nodes().len(), backward.nodes().len());
        let _ = writeln!(text, "{}: {kept} of {all} nodes", title(names, source));
        text.push_str(&print_slice(flow, names, &backward, Format::Text));
    }
    text
}

/// Threads that share summaries get what one thread gets.
#[test]
fn threads_share_summaries_and_agree() {
    let c = include_str!("shared.c");
    Facts::new(vec![caulk_testkit::module("shared.c", c)]).with(|flow, _| {
        let sources = Sources::new(flow);
        let all: Vec<&[Node]> =
            sources.allocations.rows().iter().map(|source| &source.nodes[..]).collect();
        let alone: Vec<_> = all.iter().map(|nodes| fresh(flow).forward(nodes)).collect();
        let shared = fresh(flow);
        let backwards: Vec<_> = all.iter().rev().map(|nodes| shared.forward(nodes)).collect();
        assert!(alone.iter().eq(backwards.iter().rev()));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let here: Vec<_> = all.iter().map(|nodes| shared.forward(nodes)).collect();
                    assert_eq!(here, alone);
                });
            }
        });
    });
}

fn fresh<'f, 'm, 'p>(flow: &'f Flow<'m, 'p>) -> Reachability<'f, 'm, 'p> {
    Reachability::new(flow, Precision::Full, DEFAULT_LIMIT)
}

/// Whether a source is too large does not depend on what was asked before.
#[test]
fn the_limit_counts_what_was_known_before() {
    let c = include_str!("shared.c");
    Facts::new(vec![caulk_testkit::module("shared.c", c)]).with(|flow, _| {
        let sources = Sources::new(flow);
        let nodes = |source: &Source| source.nodes.clone();
        let all: Vec<Vec<Node>> = sources.allocations.rows().iter().map(nodes).collect();
        let mut refused = 0;
        for limit in 0..60 {
            let shared = Reachability::new(flow, Precision::Full, limit);
            for source in all.iter().chain(all.iter().rev()) {
                let alone = Reachability::new(flow, Precision::Full, limit).forward(source);
                assert_eq!(shared.forward(source), alone, "limit {limit}");
                refused += usize::from(alone.is_err());
            }
        }
        assert!(refused > 0);
    });
}
