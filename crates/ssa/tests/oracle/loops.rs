use std::collections::BTreeMap;

use caulk_base::Id;
use caulk_ssa::{Cfg, EdgeId, Graph, LoopId};

use crate::dominators::dominance;
use crate::support::{Node, cfg, edge_name, for_random_graphs, list, reached_by};

struct Loop {
    back_edges: Vec<EdgeId>,
    body: Vec<Node>,
}

/// The header, and what it dominates that reaches a back edge without passing the header.
fn natural_loops(graph: &Graph<Node>) -> BTreeMap<Node, Loop> {
    let dominates = dominance(graph);
    let mut loops = BTreeMap::new();
    for header in graph.nodes() {
        let below = |node: Node| dominates[header.index()][node.index()];
        let back = |&edge: &EdgeId| graph.target(edge) == header && below(graph.source(edge));
        let back_edges: Vec<EdgeId> = graph.edges().filter(back).collect();
        let latches = || back_edges.iter().map(|&edge| graph.source(edge));
        let inside = |&node: &Node| {
            let reached = reached_by(graph, node, |_, next| next != header);
            node == header || below(node) && latches().any(|latch| reached[latch.index()])
        };
        if !back_edges.is_empty() {
            let body = graph.nodes().filter(inside).collect();
            loops.insert(header, Loop { back_edges, body });
        }
    }
    loops
}

fn sorted_body(cfg: &Cfg<Node>, id: LoopId) -> Vec<Node> {
    let mut body = cfg.loops().body(id).to_vec();
    body.sort_unstable();
    body
}

#[test]
fn loops_agree_with_the_definition() {
    for_random_graphs(|cfg, _| {
        let (graph, loops) = (cfg.graph(), cfg.loops());
        let expected = natural_loops(graph);
        assert_eq!(loops.count(), expected.len());
        for id in loops.ids() {
            let expected = &expected[&loops.header(id)];
            assert_eq!(loops.body(id)[0], loops.header(id));
            assert_eq!(sorted_body(cfg, id), expected.body);
            assert_eq!(loops.back_edges(id), expected.back_edges);
            let inside = |node| expected.body.contains(&node);
            let leaves = |&edge: &_| inside(graph.source(edge)) && !inside(graph.target(edge));
            assert_eq!(loops.exits(id), graph.edges().filter(leaves).collect::<Vec<_>>());
            for node in graph.nodes() {
                assert_eq!(loops.contains(id, node), inside(node));
            }
        }
    });
}

#[test]
fn nesting_agrees_with_inclusion_of_bodies() {
    for_random_graphs(|cfg, _| {
        let (graph, loops) = (cfg.graph(), cfg.loops());
        let size = |id: &LoopId| loops.body(*id).len();
        for node in graph.nodes() {
            let mut around: Vec<LoopId> =
                loops.ids().filter(|&id| loops.body(id).contains(&node)).collect();
            around.sort_by_key(size);
            assert_eq!(loops.around(node).collect::<Vec<_>>(), around);
            assert_eq!(loops.innermost(node), around.first().copied());
            assert_eq!(loops.depth(node), around.len());
        }
        for id in loops.ids() {
            let header = loops.header(id);
            let outer = loops.ids().filter(|&other| other != id);
            let parent =
                outer.filter(|&other| loops.body(other).contains(&header)).min_by_key(size);
            assert_eq!(loops.nesting().parent(id), parent);
            assert!(parent < Some(id));
        }
    });
}

fn check(text: &str, expected: &[&str]) {
    let cfg = cfg(text);
    let loops = cfg.loops();
    let names = |edges: &[EdgeId]| {
        edges.iter().map(|&edge| edge_name(cfg.graph(), edge)).collect::<Vec<_>>().join(" ")
    };
    let line = |id: LoopId| {
        let parent = loops.nesting().parent(id).map_or(String::new(), |id| format!(" in {id}"));
        let (body, back) = (list(&sorted_body(&cfg, id)), names(loops.back_edges(id)));
        format!("{id}{parent}: {body}; back {back}; exits {}", names(loops.exits(id)))
    };
    assert_eq!(loops.ids().map(line).collect::<Vec<_>>(), expected);
}

#[test]
fn a_loop_in_a_loop() {
    check(
        "0 1, 1 2 5, 2 3, 3 2 4, 4 1",
        &["l0: b1 b2 b3 b4; back b4-b1; exits b1-b5", "l1 in l0: b2 b3; back b3-b2; exits b3-b4"],
    );
}

/// `continue` gives a loop a second back edge; `return` a second exit.
#[test]
fn a_loop_with_continue_and_return() {
    check("0 1, 1 2 5, 2 1 3, 3 4 1", &["l0: b1 b2 b3; back b2-b1 b3-b1; exits b1-b5 b3-b4"]);
}

#[test]
fn one_block_loops() {
    check("0 1, 1 1 2", &["l0: b1; back b1-b1; exits b1-b2"]);
}

#[test]
fn a_cycle_with_two_entries_is_no_natural_loop() {
    check("0 1 2, 1 2, 2 1 3", &[]);
}
