//! Cycles that are entered at several places, as `goto` into a loop makes them.
//!
//! A graph is reducible if it has no cycle once its back edges, those to a dominator of their
//! source, are gone (Hecht, Ullman, "Characterizations of reducible flow graphs", 1974). What
//! cycles remain lie in the cyclic strongly connected components of the rest: these are the
//! irreducible regions. A region may contain natural loops and lie in one. Regions nested in a
//! region are deliberately not told apart; clients treat a region as a whole.

use caulk_base::Id;

use crate::loops::is_back_edge;
use crate::{Dominators, Graph, SccId, Sccs};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region<N: Id> {
    /// The nodes, in increasing order.
    pub nodes: Vec<N>,
    /// Those with a reachable predecessor outside the region, in increasing order: two at least.
    pub entries: Vec<N>,
}

/// The irreducible regions of the reachable part, ordered by their first node.
#[must_use]
pub fn irreducible_regions<N: Id>(graph: &Graph<N>, dominators: &Dominators<N>) -> Vec<Region<N>> {
    let forward = |edge| {
        dominators.is_reachable(graph.source(edge)) && !is_back_edge(graph, dominators, edge)
    };
    let sccs = Sccs::of_subgraph(graph, forward);
    let cyclic = sccs.ids().filter(|&scc| sccs.is_cyclic(scc));
    let mut regions: Vec<Region<N>> =
        cyclic.map(|scc| region(graph, dominators, &sccs, scc)).collect();
    regions.sort_unstable_by_key(|region| region.nodes[0]);
    regions
}

fn region<N: Id>(
    graph: &Graph<N>,
    dominators: &Dominators<N>,
    sccs: &Sccs<N>,
    scc: SccId,
) -> Region<N> {
    let outside = |node: N| dominators.is_reachable(node) && sccs.component(node) != scc;
    let entered = |node: &N| graph.predecessors(*node).any(outside);
    let nodes = sccs.members(scc).to_vec();
    let entries = nodes.iter().copied().filter(entered).collect();
    Region { nodes, entries }
}
