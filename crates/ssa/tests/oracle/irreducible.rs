use std::collections::BTreeSet;

use caulk_base::Id;
use caulk_ssa::{Cfg, Graph, Region};

use crate::dominators::dominance;
use crate::support::{Node, cfg, for_random_graphs, list, reached, reaches};

/// Groups of reachable nodes that reach each other without back edges.
fn regions(graph: &Graph<Node>) -> Vec<Region<Node>> {
    let (reached, dominates) = (reached(graph), dominance(graph));
    let forward = |source: Node, target: Node| {
        reached[source.index()] && !dominates[target.index()][source.index()]
    };
    let reaches = reaches(graph, forward);
    let mutual = |a: Node, b: Node| reaches[a.index()][b.index()] && reaches[b.index()][a.index()];
    let mut regions = Vec::new();
    for first in graph.nodes().filter(|&node| mutual(node, node)) {
        let nodes: Vec<Node> = graph.nodes().filter(|&node| mutual(first, node)).collect();
        let outside = |node: &Node| reached[node.index()] && !nodes.contains(node);
        let entered = |node: &Node| graph.predecessors(*node).any(|node| outside(&node));
        if nodes[0] == first {
            let entries = nodes.iter().copied().filter(entered).collect();
            regions.push(Region { nodes, entries });
        }
    }
    regions
}

#[test]
fn regions_agree_with_the_definition() {
    for_random_graphs(|cfg, _| {
        assert_eq!(cfg.irreducible_regions(), regions(cfg.graph()));
        assert!(cfg.irreducible_regions().iter().all(|region| region.entries.len() >= 2));
    });
}

/// Hecht and Ullman's T1 (drop a self loop) and T2 (merge a node into its only predecessor), as
/// long as they apply.
fn collapses(graph: &Graph<Node>) -> bool {
    let reached = reached(graph);
    let mut nodes: BTreeSet<Node> = graph.nodes().filter(|node| reached[node.index()]).collect();
    let mut edges: BTreeSet<(Node, Node)> =
        graph.pairs().filter(|(source, _)| reached[source.index()]).collect();
    loop {
        edges.retain(|(source, target)| source != target);
        let only_predecessor = |&node: &Node| {
            let mut sources = edges.iter().filter(|edge| edge.1 == node).map(|edge| edge.0);
            let first = sources.next().filter(|_| node != graph.entry());
            first.filter(|_| sources.next().is_none()).map(|source| (node, source))
        };
        let Some((node, into)) = nodes.iter().find_map(only_predecessor) else {
            return nodes.len() == 1;
        };
        nodes.remove(&node);
        let rename = |end: Node| if end == node { into } else { end };
        edges = edges.iter().map(|&(source, target)| (rename(source), rename(target))).collect();
    }
}

#[test]
fn a_graph_without_regions_is_one_that_collapses() {
    for_random_graphs(|cfg, _| {
        assert_eq!(cfg.irreducible_regions().is_empty(), collapses(cfg.graph()));
    });
}

fn check(cfg: &Cfg<Node>, expected: &[&str]) {
    let line =
        |region: &Region<Node>| format!("{} at {}", list(&region.nodes), list(&region.entries));
    assert_eq!(cfg.irreducible_regions().iter().map(line).collect::<Vec<_>>(), expected);
}

#[test]
fn a_jump_into_a_loop() {
    check(&cfg("0 1 3, 1 2, 2 3, 3 1 4"), &["b1 b2 b3 at b1 b3"]);
}

#[test]
fn a_jump_out_of_a_loop_is_harmless() {
    check(&cfg("0 1, 1 2 3, 2 1 4, 4 3"), &[]);
}

#[test]
fn an_unreachable_second_entry_does_not_count() {
    check(&cfg("0 1, 1 2, 2 1 3, 4 2"), &[]);
}

#[test]
fn a_region_inside_a_natural_loop() {
    check(&cfg("0 1, 1 2 3, 2 3, 3 2 4, 4 1 5"), &["b2 b3 at b2 b3"]);
}
