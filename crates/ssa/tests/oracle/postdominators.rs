use caulk_base::Id;
use caulk_ssa::Graph;

use crate::order::reverse_post_order;
use crate::support::{Node, Relation, cfg, for_random_graphs, list, reached_by, reaches, table};

/// In an endless region whatever can be reached leads back; of each, the first in reverse post
/// order or else the least.
fn endless(graph: &Graph<Node>) -> Vec<Node> {
    let reaches = reaches(graph, |_, _| true);
    let order = reverse_post_order(graph);
    let rank = |node: &Node| (order.iter().position(|at| at == node).unwrap_or(999), *node);
    let mut chosen = Vec::new();
    for node in graph.nodes() {
        let row = &reaches[node.index()];
        let region: Vec<Node> = graph.nodes().filter(|next| row[next.index()]).collect();
        let comes_back = |from: &Node| reaches[from.index()][node.index()];
        if region.contains(&node) && region.iter().all(comes_back) {
            chosen.extend(region.into_iter().min_by_key(rank));
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// `a` post-dominates `b` if without `a` no way leads from `b` to a node before the exit.
pub fn postdominance(graph: &Graph<Node>) -> Relation {
    let mut last = endless(graph);
    last.extend(graph.nodes().filter(|&node| graph.successors(node).is_empty()));
    let avoids = |after: Node, before: Node| {
        let reached = reached_by(graph, before, |_, next| next != after);
        last.iter().any(|&node| node != after && reached[node.index()])
    };
    let row = |after: Node| {
        graph.nodes().map(|before| after == before || !avoids(after, before)).collect()
    };
    graph.nodes().map(row).collect()
}

#[test]
fn postdominators_agree_with_the_definition() {
    for_random_graphs(|cfg, _| {
        let postdominators = cfg.postdominators();
        assert_eq!(postdominators.endless(), endless(cfg.graph()));
        let expected = postdominance(cfg.graph());
        for after in cfg.graph().nodes() {
            for before in cfg.graph().nodes() {
                let expected = expected[after.index()][before.index()];
                assert_eq!(
                    postdominators.postdominates(after, before),
                    expected,
                    "{after} {before}"
                );
                let strictly = postdominators.strictly_postdominates(after, before);
                assert_eq!(strictly, expected && after != before);
            }
        }
    });
}

#[test]
fn the_immediate_postdominator_is_the_first_strict_one() {
    for_random_graphs(|cfg, _| {
        let relation = postdominance(cfg.graph());
        for node in cfg.graph().nodes() {
            let after = |&other: &Node| other != node && relation[other.index()][node.index()];
            let strict: Vec<Node> = cfg.graph().nodes().filter(after).collect();
            let first = |&low: &Node| strict.iter().all(|high| relation[high.index()][low.index()]);
            let expected = strict.iter().copied().find(first);
            assert_eq!(cfg.postdominators().immediate(node), expected, "{node}");
        }
    });
}

fn check_immediate(text: &str, expected: &[&str]) {
    let cfg = cfg(text);
    let found = table(&cfg, |node| cfg.postdominators().immediate(node).into_iter().collect());
    assert_eq!(found, expected);
}

#[test]
fn a_branch_meets_again() {
    check_immediate("0 1 2, 1 3, 2 3, 3 4", &["b0: b3", "b1: b3", "b2: b3", "b3: b4"]);
}

#[test]
fn a_path_that_does_not_return_is_an_exit() {
    check_immediate("0 1 2, 2 3", &["b2: b3"]);
    assert_eq!(list(cfg("0 1 2, 2 3").postdominators().exits()), "b1 b3");
}

/// `for (;;) if (c) f(); else g();`
#[test]
fn an_endless_loop_leaves_at_its_head() {
    let text = "0 1, 1 2 3, 2 4, 3 4, 4 1";
    check_immediate(text, &["b0: b1", "b2: b4", "b3: b4", "b4: b1"]);
    assert_eq!(list(cfg(text).postdominators().endless()), "b1");
}

#[test]
fn a_loop_that_may_end_has_no_chosen_node() {
    let cfg = cfg("0 1, 1 2 3, 2 1");
    assert_eq!(list(cfg.postdominators().endless()), "");
    assert_eq!(cfg.postdominators().immediate(Node(1)), Some(Node(3)));
}
