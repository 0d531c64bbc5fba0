//! The guard of each edge of a slice, as a label for drawings (F13).

use caulk_base::FxHashMap;
use caulk_guard::{AtomId, GuardId, Text};
use caulk_program::Program;

use crate::NodeId;
use crate::graph::Flow;
use crate::guards::{GuardOptions, Guards};
use crate::guards_atoms::Atoms;
use crate::guards_flow::{Roots, slice_decisions, step};
use crate::guards_terms::condition;
use crate::node::FlowEdge;
use crate::slice::Slice;
use crate::value_guards::Step;

/// Literals of one label.
const LITERALS: usize = 12;

/// By the ends of the edge; edges along which a value always goes have none.
pub type EdgeGuards = FxHashMap<(NodeId, NodeId), String>;

/// What branches it takes for the value to go along each edge, in the words of the source.
#[must_use]
pub fn edge_guards(flow: &Flow, slice: &Slice) -> EdgeGuards {
    let program = flow.memory.input().program;
    let atoms = Atoms::new(program);
    let roots = Roots { loads: true, joins: true };
    let decisions = slice_decisions(flow, &atoms, slice, roots);
    let mut guards = Guards::new(program, &atoms, GuardOptions::default());
    let mut labels = EdgeGuards::default();
    for edge in slice.all_edges() {
        let to = slice.nodes()[edge.to];
        let flow_edge = FlowEdge { to, cross: edge.cross, rule: edge.rule };
        let guard = match step(flow, slice.nodes()[edge.from], &flow_edge) {
            Step::Reach { proc, from, to } => guards.cguard(proc, from, &to, &decisions),
            Step::Always | Step::Through { .. } => GuardId::TRUE,
        };
        if guard != GuardId::TRUE {
            labels.insert((edge.from, edge.to), label(program, &atoms, &guards, guard));
        }
    }
    labels
}

fn label(program: &Program, atoms: &Atoms, guards: &Guards, guard: GuardId) -> String {
    if guard == GuardId::TOO_LARGE {
        return "too large".to_owned();
    }
    let name = |atom: AtomId| format!("[{}]", condition(program, atoms, atom, true).text);
    Text::new(&guards.formulas, guard, &name).limit(LITERALS).to_string()
}
