//! Control dependence on edges: a node depends on an edge if taking the edge leads to the node for
//! certain, and not taking it may avoid the node (Ferrante, Ottenstein, Warren, "The program
//! dependence graph and its use in optimization", 1987). In terms of post-dominators: `n` depends
//! on `a → s` if `n` post-dominates `s` but does not strictly post-dominate `a`.
//!
//! "For certain" is as far as post-dominance goes, see [`PostDominators`]. At the chosen node of an
//! endless region, going on is a choice against the virtual exit; so its only edge, although no
//! branch, has dependents: the nodes of the region on that side. A guard computed from such an
//! edge is simply true.
//!
//! Only edges that the entry reaches count: a dead branch decides nothing. Beside edges, a node may
//! depend on the function being entered at all, the START of the paper: it is executed whenever the
//! function is ([`ControlDependence::always`]). The head of a loop usually depends on both, and a
//! guard must not forget the first: "entered, or gone round again".
//!
//! The pairs can be quadratic in number for deeply nested loops; [`dependents`] needs no table.

use caulk_base::{BitSet, Id};

use crate::{EdgeId, Graph, Lists, Order, PostDominators};

#[derive(Clone, Debug)]
pub struct ControlDependence<N: Id> {
    edges: Lists<N, EdgeId>,
    always: BitSet<N>,
}

impl<N: Id> ControlDependence<N> {
    #[must_use]
    pub fn new(graph: &Graph<N>, order: &Order<N>, postdominators: &PostDominators<N>) -> Self {
        let mut pairs = Vec::new();
        for edge in graph.edges().filter(|&edge| order.is_reachable(graph.source(edge))) {
            pairs.extend(dependents(graph, postdominators, edge).map(|node| (node, edge)));
        }
        let edges = Lists::from_pairs(graph.node_count(), &pairs);
        Self { edges, always: always(graph, postdominators) }
    }

    /// The edges a node depends on, in increasing order.
    #[must_use]
    pub fn edges(&self, node: N) -> &[EdgeId] {
        &self.edges[node]
    }

    /// Whether every path through the function passes the node: it post-dominates the entry.
    #[must_use]
    pub fn always(&self, node: N) -> bool {
        self.always.contains(node)
    }
}

fn always<N: Id>(graph: &Graph<N>, postdominators: &PostDominators<N>) -> BitSet<N> {
    let mut always = BitSet::new(graph.node_count());
    let ancestors = postdominators.tree().ancestors(graph.entry());
    for node in ancestors.filter(|node| node.index() < graph.node_count()) {
        always.insert(node);
    }
    always
}

/// The nodes that depend on an edge, its target first: those on the way up the post-dominator tree
/// from the target to where all edges of the source meet again.
pub fn dependents<'a, N: Id>(
    graph: &Graph<N>,
    postdominators: &'a PostDominators<N>,
    edge: EdgeId,
) -> impl Iterator<Item = N> + use<'a, N> {
    let tree = postdominators.tree();
    let meet = tree.parent(graph.source(edge));
    tree.ancestors(graph.target(edge)).take_while(move |&node| Some(node) != meet)
}
