use caulk_base::Id;
use caulk_ssa::Sccs;

use crate::support::{Node, cfg, for_random_graphs, list, reaches};

#[test]
fn components_agree_with_mutual_reachability() {
    for_random_graphs(|cfg, _| {
        let reaches = reaches(cfg.graph(), |_, _| true);
        for left in cfg.graph().nodes() {
            let mutual = |right: &Node| {
                let (l, r) = (left.index(), right.index());
                l == r || reaches[l][r] && reaches[r][l]
            };
            let expected: Vec<Node> = cfg.graph().nodes().filter(mutual).collect();
            let scc = cfg.sccs().component(left);
            assert_eq!(cfg.sccs().members(scc), expected);
            assert_eq!(cfg.sccs().is_cyclic(scc), reaches[left.index()][left.index()]);
        }
    });
}

#[test]
fn components_are_in_reverse_topological_order() {
    for_random_graphs(|cfg, _| {
        for (source, target) in cfg.graph().pairs() {
            assert!(cfg.sccs().component(source) >= cfg.sccs().component(target));
        }
        let members: usize = cfg.sccs().ids().map(|scc| cfg.sccs().members(scc).len()).sum();
        assert_eq!(members, cfg.graph().node_count());
    });
}

#[test]
fn a_subgraph_has_the_components_of_its_edges() {
    for_random_graphs(|cfg, random| {
        let graph = cfg.graph();
        let kept = random.subset(graph.edges(), 2);
        let pairs: Vec<_> =
            kept.iter().map(|&edge| (graph.source(edge), graph.target(edge))).collect();
        let found = Sccs::of_subgraph(graph, |edge| kept.contains(&edge));
        let expected = Sccs::new(&caulk_ssa::Graph::new(graph.node_count(), graph.entry(), &pairs));
        for node in graph.nodes() {
            assert_eq!(found.component(node), expected.component(node));
            let scc = found.component(node);
            assert_eq!(found.is_cyclic(scc), expected.is_cyclic(scc));
        }
    });
}

#[test]
fn two_loops_and_their_bridge() {
    let cfg = cfg("0 1, 1 0 2, 2 3, 3 4, 4 3, 5 5");
    let sccs = cfg.sccs();
    let rows: Vec<String> = sccs.ids().map(|scc| list(sccs.members(scc))).collect();
    assert_eq!(rows, ["b3 b4", "b2", "b0 b1", "b5"]);
    let cyclic: Vec<bool> = sccs.ids().map(|scc| sccs.is_cyclic(scc)).collect();
    assert_eq!(cyclic, [true, false, true, true]);
}
