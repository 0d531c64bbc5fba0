//! One graph and its facts, each computed when first asked for.

use std::sync::OnceLock;

use caulk_base::Id;

use crate::{
    ControlDependence, Dominators, Frontiers, Graph, LoopOrder, Loops, Order, PostDominators,
    Region, Sccs, irreducible_regions, iterated_dominance_frontier,
    iterated_postdominance_frontier,
};

/// Threads may share it: whichever asks first computes.
#[derive(Clone, Debug)]
pub struct Cfg<N: Id> {
    graph: Graph<N>,
    order: OnceLock<Order<N>>,
    sccs: OnceLock<Sccs<N>>,
    dominators: OnceLock<Dominators<N>>,
    postdominators: OnceLock<PostDominators<N>>,
    frontiers: OnceLock<Frontiers<N>>,
    postfrontiers: OnceLock<Frontiers<N>>,
    control: OnceLock<ControlDependence<N>>,
    loops: OnceLock<Loops<N>>,
    loop_order: OnceLock<LoopOrder<N>>,
    irreducible: OnceLock<Vec<Region<N>>>,
}

impl<N: Id> Cfg<N> {
    #[must_use]
    pub fn new(graph: Graph<N>) -> Self {
        Self {
            graph,
            order: OnceLock::new(),
            sccs: OnceLock::new(),
            dominators: OnceLock::new(),
            postdominators: OnceLock::new(),
            frontiers: OnceLock::new(),
            postfrontiers: OnceLock::new(),
            control: OnceLock::new(),
            loops: OnceLock::new(),
            loop_order: OnceLock::new(),
            irreducible: OnceLock::new(),
        }
    }

    #[must_use]
    pub fn graph(&self) -> &Graph<N> {
        &self.graph
    }

    pub fn order(&self) -> &Order<N> {
        self.order.get_or_init(|| Order::new(&self.graph))
    }

    pub fn is_reachable(&self, node: N) -> bool {
        self.order().is_reachable(node)
    }

    pub fn sccs(&self) -> &Sccs<N> {
        self.sccs.get_or_init(|| Sccs::new(&self.graph))
    }

    pub fn dominators(&self) -> &Dominators<N> {
        self.dominators.get_or_init(|| Dominators::new(&self.graph, self.order()))
    }

    pub fn postdominators(&self) -> &PostDominators<N> {
        let compute = || PostDominators::new(&self.graph, self.order(), self.sccs());
        self.postdominators.get_or_init(compute)
    }

    pub fn frontiers(&self) -> &Frontiers<N> {
        self.frontiers.get_or_init(|| Frontiers::dominance(&self.graph, self.dominators()))
    }

    pub fn postfrontiers(&self) -> &Frontiers<N> {
        let compute = || Frontiers::postdominance(&self.graph, self.postdominators());
        self.postfrontiers.get_or_init(compute)
    }

    pub fn iterated_frontier(&self, set: &[N]) -> Vec<N> {
        iterated_dominance_frontier(&self.graph, self.dominators(), set)
    }

    pub fn iterated_postfrontier(&self, set: &[N]) -> Vec<N> {
        iterated_postdominance_frontier(&self.graph, self.postdominators(), set)
    }

    pub fn control_dependence(&self) -> &ControlDependence<N> {
        let compute = || ControlDependence::new(&self.graph, self.order(), self.postdominators());
        self.control.get_or_init(compute)
    }

    pub fn loops(&self) -> &Loops<N> {
        self.loops.get_or_init(|| Loops::new(&self.graph, self.dominators()))
    }

    /// For iteration to a fixpoint.
    pub fn loop_order(&self) -> &LoopOrder<N> {
        let count = self.graph.node_count();
        self.loop_order.get_or_init(|| LoopOrder::new(self.order(), self.loops(), count))
    }

    pub fn irreducible_regions(&self) -> &[Region<N>] {
        self.irreducible.get_or_init(|| irreducible_regions(&self.graph, self.dominators()))
    }
}
