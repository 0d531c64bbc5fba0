use caulk_base::Id;
use caulk_ssa::control::dependents;

use crate::postdominators::postdominance;
use crate::support::{Node, cfg, edge_name, for_random_graphs, reached, table};

#[test]
fn control_dependence_agrees_with_the_definition() {
    for_random_graphs(|cfg, _| {
        let graph = cfg.graph();
        let (after, reached) = (postdominance(graph), reached(graph));
        for node in graph.nodes() {
            let rules = |other: Node| after[node.index()][other.index()];
            let decides = |&edge: &_| {
                let source = graph.source(edge);
                let avoidable = !(node != source && rules(source));
                reached[source.index()] && rules(graph.target(edge)) && avoidable
            };
            let expected: Vec<_> = graph.edges().filter(decides).collect();
            assert_eq!(cfg.control_dependence().edges(node), expected, "{node}");
            assert_eq!(cfg.control_dependence().always(node), rules(graph.entry()), "{node}");
        }
    });
}

#[test]
fn dependents_are_the_inverse_of_edges() {
    for_random_graphs(|cfg, _| {
        let graph = cfg.graph();
        for edge in graph.edges().filter(|&edge| cfg.is_reachable(graph.source(edge))) {
            let mut found: Vec<Node> = dependents(graph, cfg.postdominators(), edge).collect();
            found.sort_unstable();
            let depends = |&node: &Node| cfg.control_dependence().edges(node).contains(&edge);
            assert_eq!(found, graph.nodes().filter(depends).collect::<Vec<_>>(), "{edge}");
        }
    });
}

/// `START` stands for the function being entered.
fn check(text: &str, expected: &[&str]) {
    let cfg = cfg(text);
    let control = cfg.control_dependence();
    let row = |node| {
        let start = control.always(node).then(|| "START".to_owned());
        let edges = control.edges(node).iter().map(|&edge| edge_name(cfg.graph(), edge));
        start.into_iter().chain(edges).collect()
    };
    assert_eq!(table(&cfg, row), expected);
}

#[test]
fn both_arms_depend_on_their_edge() {
    check("0 1 2, 1 3, 2 3", &["b0: START", "b1: b0-b1", "b2: b0-b2", "b3: START"]);
}

/// `if (a || b) x; y;`
#[test]
fn a_short_circuit_depends_on_two_edges() {
    check("0 2 1, 1 2 3, 2 3", &["b0: START", "b1: b0-b1", "b2: b0-b2 b1-b2", "b3: START"]);
}

/// `switch (v) { case 1: case 2: x; break; default: y; }`
#[test]
fn cases_on_one_label_are_several_edges() {
    check("0 1 1 2, 1 3, 2 3", &["b0: START", "b1: b0-b1#0 b0-b1#1", "b2: b0-b2", "b3: START"]);
}

/// `if (!p) return; if (!q) return; x;`: what follows an early return depends on one edge.
#[test]
fn early_returns_do_not_pile_up() {
    check(
        "0 1 4, 1 2 4, 2 3, 3 4",
        &["b0: START", "b1: b0-b1", "b2: b1-b2", "b3: b1-b2", "b4: START"],
    );
}

#[test]
fn a_loop_depends_on_going_on() {
    check("0 1, 1 2 3, 2 1", &["b0: START", "b1: START b1-b2", "b2: b1-b2", "b3: START"]);
}

#[test]
fn an_endless_loop_depends_on_the_edge_of_its_head() {
    check("0 1, 1 2, 2 1", &["b0: START", "b1: START b1-b2", "b2: b1-b2"]);
}

#[test]
fn a_dead_branch_decides_nothing() {
    check("0 1, 1 2, 3 1 2", &["b0: START", "b1: START", "b2: START"]);
}
