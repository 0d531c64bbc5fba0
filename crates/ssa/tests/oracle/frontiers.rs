use caulk_base::Id;
use caulk_ssa::Graph;

use crate::dominators::dominance;
use crate::postdominators::postdominance;
use crate::support::{Node, Relation, cfg, for_random_graphs, list, table};

fn holds(relation: &Relation, above: Node, below: Node) -> bool {
    relation[above.index()][below.index()]
}

/// The definition: `above` rules an end of an edge, and does not strictly rule the other.
fn frontier(
    graph: &Graph<Node>,
    rules: &Relation,
    edges: &[(Node, Node)],
    above: Node,
) -> Vec<Node> {
    let strictly = |below| above != below && holds(rules, above, below);
    let met = |&join: &Node| {
        edges.iter().any(|&(from, to)| to == join && holds(rules, above, from) && !strictly(join))
    };
    graph.nodes().filter(met).collect()
}

fn all_frontiers(graph: &Graph<Node>, rules: &Relation, edges: &[(Node, Node)]) -> Vec<Vec<Node>> {
    graph.nodes().map(|node| frontier(graph, rules, edges, node)).collect()
}

fn dominance_frontiers(graph: &Graph<Node>) -> Vec<Vec<Node>> {
    all_frontiers(graph, &dominance(graph), &graph.pairs().collect::<Vec<_>>())
}

fn postdominance_frontiers(graph: &Graph<Node>) -> Vec<Vec<Node>> {
    let reversed: Vec<(Node, Node)> = graph.pairs().map(|(a, b)| (b, a)).collect();
    all_frontiers(graph, &postdominance(graph), &reversed)
}

/// Adds frontiers of members until nothing is new.
fn iterated(frontiers: &[Vec<Node>], set: &[Node]) -> Vec<Node> {
    let mut result: Vec<Node> = Vec::new();
    loop {
        let members = set.iter().chain(&result);
        let mut next: Vec<Node> =
            members.flat_map(|node| frontiers[node.index()].clone()).collect();
        next.sort_unstable();
        next.dedup();
        if next == result {
            return result;
        }
        result = next;
    }
}

#[test]
fn dominance_frontiers_agree_with_the_definition() {
    for_random_graphs(|cfg, random| {
        let expected = dominance_frontiers(cfg.graph());
        for node in cfg.graph().nodes() {
            assert_eq!(cfg.frontiers().of(node), expected[node.index()], "{node}");
        }
        for one_in in [2, 5, 12] {
            let set = random.subset(cfg.graph().nodes(), one_in);
            assert_eq!(cfg.iterated_frontier(&set), iterated(&expected, &set), "{set:?}");
        }
    });
}

#[test]
fn postdominance_frontiers_agree_with_the_definition() {
    for_random_graphs(|cfg, random| {
        let expected = postdominance_frontiers(cfg.graph());
        for node in cfg.graph().nodes() {
            assert_eq!(cfg.postfrontiers().of(node), expected[node.index()], "{node}");
        }
        for one_in in [2, 5, 12] {
            let set = random.subset(cfg.graph().nodes(), one_in);
            assert_eq!(cfg.iterated_postfrontier(&set), iterated(&expected, &set), "{set:?}");
        }
    });
}

/// `b0` branches to `b1` and `b2`, which meet in `b3`; `b4` is a loop around all but `b0`.
#[test]
fn joins_are_frontiers() {
    let cfg = cfg("0 1 2, 1 3, 2 3, 3 4, 4 1 5");
    let found = table(&cfg, |node| cfg.frontiers().of(node).to_vec());
    assert_eq!(found, ["b1: b3", "b2: b3", "b3: b1", "b4: b1"]);
    assert_eq!(list(&cfg.iterated_frontier(&[Node(2)])), "b1 b3");
    assert_eq!(list(&cfg.iterated_frontier(&[Node(0)])), "");
}

#[test]
fn a_loop_head_is_in_its_own_frontier() {
    let cfg = cfg("0 1, 1 2 3, 2 1");
    assert_eq!(table(&cfg, |node| cfg.frontiers().of(node).to_vec()), ["b1: b1", "b2: b1"]);
    assert_eq!(table(&cfg, |node| cfg.postfrontiers().of(node).to_vec()), ["b1: b1", "b2: b1"]);
}

/// `if (a) { if (b) x; }`
#[test]
fn nested_branches_are_postdominance_frontiers() {
    let cfg = cfg("0 1 4, 1 2 3, 2 3, 3 4");
    let found = table(&cfg, |node| cfg.postfrontiers().of(node).to_vec());
    assert_eq!(found, ["b1: b0", "b2: b1", "b3: b0"]);
    assert_eq!(list(&cfg.iterated_postfrontier(&[Node(2)])), "b0 b1");
}
