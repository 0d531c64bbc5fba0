use caulk_base::Id;

use crate::support::{Node, cfg, for_random_graphs, list, reached};
use caulk_ssa::Graph;

/// The textbook recursion.
pub fn reverse_post_order(graph: &Graph<Node>) -> Vec<Node> {
    fn visit(graph: &Graph<Node>, node: Node, seen: &mut [bool], post: &mut Vec<Node>) {
        if !std::mem::replace(&mut seen[node.index()], true) {
            for &next in graph.successors(node) {
                visit(graph, next, seen, post);
            }
            post.push(node);
        }
    }
    let mut post = Vec::new();
    visit(graph, graph.entry(), &mut vec![false; graph.node_count()], &mut post);
    post.reverse();
    post
}

#[test]
fn orders_agree_with_the_recursive_definition() {
    for_random_graphs(|cfg, _| {
        let expected = reverse_post_order(cfg.graph());
        assert_eq!(cfg.order().reverse_post_order(), expected);
        for node in cfg.graph().nodes() {
            let position = expected.iter().position(|&other| other == node);
            assert_eq!(cfg.order().position(node), position);
            assert_eq!(cfg.is_reachable(node), reached(cfg.graph())[node.index()]);
        }
    });
}

#[test]
fn the_spanning_tree_follows_edges_and_preorder() {
    for_random_graphs(|cfg, _| {
        let order = cfg.order();
        assert_eq!(order.preorder()[0], cfg.graph().entry());
        assert_eq!(order.preorder().len(), order.reverse_post_order().len());
        for (position, &node) in order.preorder().iter().enumerate() {
            assert_eq!(order.pre_position(node), Some(position));
            let Some(parent) = order.tree_parent(node) else {
                assert_eq!(position, 0);
                continue;
            };
            assert!(cfg.graph().successors(parent).contains(&node));
            assert!(order.pre_position(parent) < Some(position));
        }
    });
}

#[test]
fn edges_are_numbered_by_source_and_slot() {
    for_random_graphs(|cfg, _| {
        let graph = cfg.graph();
        let mut next = 0;
        for node in graph.nodes() {
            for (slot, edge) in graph.out_edges(node).enumerate() {
                assert_eq!((edge.index(), graph.slot(edge)), (next, slot));
                assert_eq!(graph.source(edge), node);
                assert_eq!(graph.target(edge), graph.successors(node)[slot]);
                next += 1;
            }
            let arriving = graph.edges().filter(|&edge| graph.target(edge) == node);
            assert_eq!(graph.in_edges(node), arriving.collect::<Vec<_>>());
        }
        assert_eq!(graph.edge_count(), next);
    });
}

#[test]
fn edges_of_a_switch_keep_their_order() {
    let cfg = cfg("1 9, 0 3 2 3 1, 2 3");
    assert_eq!(list(cfg.graph().successors(Node(0))), "b3 b2 b3 b1");
    assert_eq!(list(cfg.graph().in_edges(Node(3))), "e0 e2 e5");
    assert_eq!(cfg.graph().predecessors(Node(3)).collect::<Vec<_>>(), [Node(0), Node(0), Node(2)]);
    assert_eq!(list(cfg.order().reverse_post_order()), "b0 b1 b9 b2 b3");
}

#[test]
fn a_graph_without_nodes_has_empty_orders() {
    let graph = Graph::<Node>::new(0, Node(0), &[]);
    let cfg = caulk_ssa::Cfg::new(graph);
    assert!(cfg.order().preorder().is_empty());
    assert_eq!(cfg.sccs().count(), 0);
    assert_eq!(cfg.loops().count(), 0);
    assert_eq!(cfg.postdominators().virtual_exit(), Node(0));
}

#[test]
fn the_order_by_loops_leads_onwards_and_keeps_loops_together() {
    for_random_graphs(|cfg, _| {
        let (order, by_loops, loops) = (cfg.order(), cfg.loop_order(), cfg.loops());
        assert_eq!(by_loops.nodes().len(), order.reverse_post_order().len());
        for edge in cfg.graph().nodes().flat_map(|node| cfg.graph().out_edges(node)) {
            let (from, to) = (cfg.graph().source(edge), cfg.graph().target(edge));
            if cfg.is_reachable(from) && order.position(from) < order.position(to) {
                assert!(by_loops.position(from) < by_loops.position(to));
            }
        }
        for id in loops.ids() {
            let places = loops.body(id).iter().map(|&node| by_loops.position(node).unwrap());
            let (first, last) = (places.clone().min().unwrap(), places.max().unwrap());
            assert_eq!(last - first + 1, loops.body(id).len());
            assert_eq!(by_loops.nodes()[first], loops.header(id));
        }
    });
}
