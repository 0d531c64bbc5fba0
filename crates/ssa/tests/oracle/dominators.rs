use caulk_base::Id;
use caulk_ssa::Graph;

use crate::support::{Node, Relation, cfg, for_random_graphs, list, reached, reached_by, table};

/// `a` dominates `b` if removing `a` makes `b` unreachable.
pub fn dominance(graph: &Graph<Node>) -> Relation {
    let reached = reached(graph);
    let row = |above: Node| {
        let without = reached_by(graph, graph.entry(), |_, next| next != above);
        let lost =
            |below: Node| above == graph.entry() || above == below || !without[below.index()];
        graph.nodes().map(|below| reached[below.index()] && lost(below)).collect::<Vec<_>>()
    };
    graph
        .nodes()
        .map(|above| if reached[above.index()] { row(above) } else { none(graph) })
        .collect()
}

fn none(graph: &Graph<Node>) -> Vec<bool> {
    vec![false; graph.node_count()]
}

#[test]
fn dominators_agree_with_removal_of_nodes() {
    for_random_graphs(|cfg, _| {
        let expected = dominance(cfg.graph());
        for above in cfg.graph().nodes() {
            for below in cfg.graph().nodes() {
                let expected = expected[above.index()][below.index()];
                assert_eq!(cfg.dominators().dominates(above, below), expected, "{above} {below}");
                let strictly = cfg.dominators().strictly_dominates(above, below);
                assert_eq!(strictly, expected && above != below);
            }
        }
    });
}

#[test]
fn the_immediate_dominator_is_the_strict_one_below_all_others() {
    for_random_graphs(|cfg, _| {
        let relation = dominance(cfg.graph());
        for node in cfg.graph().nodes() {
            let above = |&other: &Node| other != node && relation[other.index()][node.index()];
            let strict: Vec<Node> = cfg.graph().nodes().filter(above).collect();
            let lowest =
                |&low: &Node| strict.iter().all(|high| relation[high.index()][low.index()]);
            let expected = strict.iter().copied().find(lowest);
            assert_eq!(cfg.dominators().immediate(node), expected, "{node}");
            assert_eq!(cfg.dominators().tree().depth(node), strict.len());
        }
    });
}

#[test]
fn the_tree_agrees_with_its_parents() {
    for_random_graphs(|cfg, random| {
        let tree = cfg.dominators().tree();
        for node in cfg.graph().nodes() {
            let mut children: Vec<Node> = tree.children(node).to_vec();
            children.sort_unstable();
            let is_child = |&other: &Node| tree.parent(other) == Some(node);
            assert_eq!(children, cfg.graph().nodes().filter(is_child).collect::<Vec<_>>());
            let mut subtree: Vec<Node> = tree.subtree(node).to_vec();
            assert_eq!(subtree.first().copied(), Some(node).filter(|&node| tree.contains(node)));
            subtree.sort_unstable();
            let is_below = |&other: &Node| tree.ancestors(other).any(|above| above == node);
            assert_eq!(subtree, cfg.graph().nodes().filter(is_below).collect::<Vec<_>>());
        }
        let count = cfg.graph().node_count();
        let (left, right) = (Node(random.below(count) as u32), Node(random.below(count) as u32));
        let above_right: Vec<Node> = tree.ancestors(right).collect();
        let expected = tree.ancestors(left).find(|node| above_right.contains(node));
        assert_eq!(tree.nearest_common(left, right), expected);
    });
}

/// The example of Lengauer and Tarjan, figure 1: R A B C D E F G H I J K L are 0 to 12.
#[test]
fn the_example_of_the_paper() {
    let cfg = cfg("0 1 2 3, 1 4, 2 1 4 5, 3 6 7, 4 12, 5 8, 6 9, 7 9 10, 8 5 11, 9 11, 10 9, \
                   11 9 0, 12 8");
    let immediate = table(&cfg, |node| cfg.dominators().immediate(node).into_iter().collect());
    let expected = "b1: b0|b2: b0|b3: b0|b4: b0|b5: b0|b6: b3|b7: b3|b8: b0|b9: b0|b10: b7|\
                    b11: b0|b12: b4";
    assert_eq!(immediate.join("|"), expected);
}

#[test]
fn a_branch_joins_below_its_head() {
    let cfg = cfg("0 1 2, 1 3, 2 3, 3 4, 5 3");
    let dominators = cfg.dominators();
    assert_eq!(list(dominators.children(Node(0))), "b1 b3 b2");
    assert_eq!(dominators.immediate(Node(4)), Some(Node(3)));
    assert!(!dominators.dominates(Node(5), Node(5)), "b5 is unreachable");
}
