//! Functions of generated code: no recursion may exhaust the stack, nothing may be quadratic.

use caulk_base::Id;
use caulk_ssa::{Cfg, Graph, Liveness, UseDef};

use crate::support::Node;

fn node(index: usize) -> Node {
    Node::from_index(index)
}

/// One variable, written at the first node and read at the last.
fn through(graph: &Graph<Node>) -> Liveness<Node, Node> {
    let mut facts = UseDef::new(1);
    facts.write(node(0), node(0));
    facts.read(node(graph.node_count() - 1), node(0));
    Liveness::new(graph, &facts)
}

#[test]
fn a_chain_of_200_000() {
    let count = 200_000;
    let edges: Vec<_> = (1..count).map(|index| (node(index - 1), node(index))).collect();
    let cfg = Cfg::new(Graph::new(count, node(0), &edges));
    assert_eq!(cfg.order().reverse_post_order().len(), count);
    assert_eq!(cfg.sccs().count(), count);
    assert!(cfg.dominators().dominates(node(7), node(count - 1)));
    assert_eq!(cfg.dominators().tree().depth(node(count - 1)), count - 1);
    assert!(cfg.postdominators().postdominates(node(count - 1), node(7)));
    assert!(cfg.graph().nodes().all(|node| cfg.frontiers().of(node).is_empty()));
    assert!(cfg.graph().nodes().all(|node| cfg.postfrontiers().of(node).is_empty()));
    assert!(cfg.graph().nodes().all(|node| cfg.control_dependence().edges(node).is_empty()));
    assert_eq!(cfg.loops().count() + cfg.irreducible_regions().len(), 0);
    let live = through(cfg.graph());
    assert!(cfg.graph().nodes().skip(1).all(|block| live.is_live_at_start(block, node(0))));
}

/// Rails `0 2 4 …` and `1 3 5 …`, with a rung from left to right on every step.
fn ladder(count: usize, rung_back: bool) -> Cfg<Node> {
    let mut edges = Vec::new();
    for left in (0..count).step_by(2) {
        edges.push((node(left), node(left + 1)));
        if rung_back && left > 0 {
            edges.push((node(left + 1), node(left)));
        }
        if left + 2 < count {
            edges.push((node(left), node(left + 2)));
            edges.push((node(left + 1), node(left + 3)));
        }
    }
    Cfg::new(Graph::new(count, node(0), &edges))
}

/// Its frontiers are quadratic in size, its iterated frontiers need not be.
#[test]
fn a_ladder_of_100_000() {
    let count = 100_000;
    let cfg = ladder(count, false);
    assert_eq!(cfg.dominators().immediate(node(count - 2)), Some(node(count - 4)));
    assert_eq!(cfg.dominators().immediate(node(count - 1)), Some(node(0)));
    assert_eq!(cfg.postdominators().immediate(node(0)), Some(node(count - 1)));
    assert_eq!(cfg.postdominators().immediate(node(1)), Some(node(3)));
    assert_eq!(cfg.iterated_frontier(&[node(2)]).len(), count / 2 - 1);
    assert_eq!(cfg.iterated_postfrontier(&[node(count - 3)]).len(), count / 2 - 1);
    assert_eq!(cfg.sccs().count(), count);
    assert_eq!(cfg.loops().count() + cfg.irreducible_regions().len(), 0);
    assert_eq!(through(cfg.graph()).at_start(node(count / 2)), [node(0)]);
}

#[test]
fn a_ladder_of_100_000_with_every_rung_a_loop_of_two_entries() {
    let count = 100_000;
    let cfg = ladder(count, true);
    assert_eq!(cfg.irreducible_regions().len(), count / 2 - 1);
    assert_eq!(cfg.loops().count(), 0);
    assert!((2..count).all(|index| cfg.dominators().immediate(node(index)) == Some(node(0))));
    assert_eq!(cfg.frontiers().of(node(2)), [node(3), node(4)]);
    assert_eq!(cfg.postfrontiers().of(node(2)), [node(0), node(3)]);
    assert_eq!(cfg.control_dependence().edges(node(2)).len(), 2);
}

/// Headers `0 1 2 …` one inside the other, then their latches from the innermost out.
#[test]
fn loops_nested_50_000_deep() {
    let depth = 50_000;
    let latch = |level: usize| node(2 * depth - 1 - level);
    let mut edges: Vec<_> = (1..2 * depth).map(|index| (node(index - 1), node(index))).collect();
    edges.extend((0..depth).map(|level| (latch(level), node(level))));
    let cfg = Cfg::new(Graph::new(2 * depth, node(0), &edges));
    let loops = cfg.loops();
    assert_eq!(loops.count(), depth);
    assert_eq!(loops.depth(latch(depth - 1)), depth);
    let outer = loops.around(node(9)).last().unwrap();
    assert_eq!((loops.header(outer), loops.body(outer).len()), (node(0), 2 * depth));
    assert_eq!(cfg.iterated_frontier(&[latch(0)]), [node(0)]);
    assert!(cfg.irreducible_regions().is_empty());
}
