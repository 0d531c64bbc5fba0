//! All paths between two places of a graph as one formula: Figure 4 of FastCheck.
//!
//! ```text
//! cg(n, m, E) = true                                          if pdom(n, m)
//!             = cg(n₁, m, E)                                  if n has one successor
//!             = ∨ᵢ cond(n, nᵢ, E) ∧ cg(nᵢ, m, E ∪ {⟨n, nᵢ⟩})   over i with ⟨n, nᵢ⟩ ∉ E
//! cond(n, nᵢ, E) = the test of the edge if E has no edge of n, else true
//! ```
//!
//! E holds the edges of branches that the path has taken. So each edge is taken once (N times), and
//! only the first decision of a branch on a path counts: the loop-exit condition is dropped on the
//! path that entered the loop.
//!
//! E matters only where a branch can be met again, in the cyclic strongly connected components.
//! Outside of them a block has one guard, computed once, successors first; a component is left to
//! [`crate::guards_cycles`]. Nothing here asks for natural loops or reducibility: the rule is about
//! edges, so irreducible graphs are no special case.
//!
//! `pdom(n, m)` of the paper holds if no path from n ends, or passes the point of departure again,
//! without arriving. It is computed for all blocks at once, backwards from those bad ends. A path
//! that runs in circles for ever is none of them. Where m cannot be reached at all the guard is
//! false; read literally, the figure calls it true there if no path ends.

use caulk_base::{BitSet, FxHashMap, Table};
use caulk_guard::{Form, Formulas, GuardId};
use caulk_ir::BlockId;
use caulk_ssa::{EdgeId, Graph, SccId, Sccs};

use crate::guards::GuardOptions;
use crate::guards_cycles::Cycle;

/// What the edges of branches say.
pub(crate) trait Conditions {
    /// False for an edge that a decided test never takes.
    fn is_possible(&self, edge: EdgeId) -> bool;

    fn condition(&mut self, edge: EdgeId, formulas: &mut Formulas) -> GuardId;
}

/// From the end of a block along one of the edges of arrival.
pub(crate) struct Journey<'a> {
    pub graph: &'a Graph<BlockId>,
    /// The blocks at which a path ends.
    pub ends: &'a BitSet<BlockId>,
    /// Entered again only to arrive.
    pub from: BlockId,
    pub arrives: &'a BitSet<EdgeId>,
    pub options: GuardOptions,
}

/// cguard of Figure 4.
pub(crate) fn path_guard(
    journey: &Journey<'_>,
    conditions: &mut dyn Conditions,
    formulas: &mut Formulas,
) -> GuardId {
    let map = Map::new(journey, conditions);
    match map.at_once(journey.from) {
        Some(guard) => guard,
        None => Walk::new(&map, conditions, formulas).guard_of_all(),
    }
}

/// What paths can do, before conditions are looked at.
pub(crate) struct Map<'a> {
    pub journey: &'a Journey<'a>,
    impossible: BitSet<EdgeId>,
    /// The blocks from which control may arrive.
    hopeful: BitSet<BlockId>,
    /// The blocks from which control may end or come back without having arrived.
    doubtful: BitSet<BlockId>,
    /// The blocks that the journey may pass.
    passed: Vec<BlockId>,
    is_passed: BitSet<BlockId>,
}

impl<'a> Map<'a> {
    fn new(journey: &'a Journey<'a>, conditions: &dyn Conditions) -> Self {
        let mut map = Self {
            journey,
            impossible: BitSet::new(journey.graph.edge_count()),
            hopeful: BitSet::new(journey.graph.node_count()),
            doubtful: BitSet::new(journey.graph.node_count()),
            passed: Vec::new(),
            is_passed: BitSet::new(journey.graph.node_count()),
        };
        map.go_forward(conditions);
        map.find_hopeful();
        map.find_doubtful();
        map
    }

    /// Whether an edge leads on: neither impossible, nor an arrival, nor back to the departure.
    fn leads_on(&self, edge: EdgeId) -> bool {
        let journey = self.journey;
        journey.graph.target(edge) != journey.from
            && !journey.arrives.contains(edge)
            && !self.impossible.contains(edge)
    }

    fn go_forward(&mut self, conditions: &dyn Conditions) {
        let graph = self.journey.graph;
        self.is_passed.insert(self.journey.from);
        self.passed.push(self.journey.from);
        let mut next = 0;
        while let Some(&block) = self.passed.get(next) {
            next += 1;
            for edge in graph.out_edges(block) {
                if !conditions.is_possible(edge) {
                    self.impossible.insert(edge);
                } else if self.leads_on(edge) && self.is_passed.insert(graph.target(edge)) {
                    self.passed.push(graph.target(edge));
                }
            }
        }
    }

    fn find_hopeful(&mut self) {
        let arrives =
            |map: &Self, edge| map.journey.arrives.contains(edge) && !map.impossible.contains(edge);
        let found = self.backwards(|map, block| {
            map.journey.graph.out_edges(block).any(|edge| arrives(map, edge))
        });
        self.hopeful = found;
    }

    /// The complement of pdom.
    fn find_doubtful(&mut self) {
        let comes_back = |map: &Self, edge| {
            let journey = map.journey;
            journey.graph.target(edge) == journey.from
                && !journey.arrives.contains(edge)
                && !map.impossible.contains(edge)
        };
        let found = self.backwards(|map, block| {
            map.journey.ends.contains(block)
                || map.journey.graph.out_edges(block).any(|edge| comes_back(map, edge))
        });
        self.doubtful = found;
    }

    /// The passed blocks from which an edge leads on, in any number of steps, to a chosen one.
    fn backwards(&self, chosen: impl Fn(&Self, BlockId) -> bool) -> BitSet<BlockId> {
        let graph = self.journey.graph;
        let mut found = BitSet::new(graph.node_count());
        let mut pending: Vec<BlockId> =
            self.passed.iter().copied().filter(|&block| chosen(self, block)).collect();
        for &block in &pending {
            found.insert(block);
        }
        while let Some(block) = pending.pop() {
            // Sources that the journey does not pass are harmless: nobody asks for them.
            for &edge in graph.in_edges(block).iter().filter(|&&edge| self.leads_on(edge)) {
                if found.insert(graph.source(edge)) {
                    pending.push(graph.source(edge));
                }
            }
        }
        found
    }

    /// The guard of a block that needs no path.
    fn at_once(&self, block: BlockId) -> Option<GuardId> {
        if !self.hopeful.contains(block) {
            return Some(GuardId::FALSE);
        }
        let certain = self.journey.options.postdominance && !self.doubtful.contains(block);
        certain.then_some(GuardId::TRUE)
    }

    /// The guard after an edge, unless it is that of a block that needs a path.
    pub fn after(&self, edge: EdgeId) -> Result<GuardId, BlockId> {
        let journey = self.journey;
        let target = journey.graph.target(edge);
        if self.impossible.contains(edge) {
            Ok(GuardId::FALSE)
        } else if journey.arrives.contains(edge) {
            Ok(GuardId::TRUE)
        } else if target == journey.from {
            Ok(GuardId::FALSE)
        } else {
            self.at_once(target).ok_or(target)
        }
    }

    /// The components of the blocks that need a path.
    fn components(&self) -> Sccs<BlockId> {
        Sccs::of_subgraph(self.journey.graph, |edge| self.is_followed(edge))
    }

    /// Whether a path takes the edge from one block that needs a path to another.
    fn is_followed(&self, edge: EdgeId) -> bool {
        let source = self.journey.graph.source(edge);
        self.is_passed.contains(source)
            && self.at_once(source).is_none()
            && self.after(edge).is_err()
    }
}

/// The computation, component by component.
pub(crate) struct Walk<'a> {
    pub map: &'a Map<'a>,
    pub conditions: &'a mut dyn Conditions,
    pub formulas: &'a mut Formulas,
    pub components: Sccs<BlockId>,
    /// The guards of blocks done; in a cyclic component, with an empty E.
    guards: FxHashMap<BlockId, GuardId>,
    pub work_left: u32,
}

impl<'a> Walk<'a> {
    fn new(
        map: &'a Map<'a>,
        conditions: &'a mut dyn Conditions,
        formulas: &'a mut Formulas,
    ) -> Self {
        let components = map.components();
        let work_left = map.journey.options.work;
        Self { map, conditions, formulas, components, guards: FxHashMap::default(), work_left }
    }

    /// Components are numbered successors first.
    fn guard_of_all(mut self) -> GuardId {
        let mut order: Vec<BlockId> = self.map.passed.clone();
        order.retain(|&block| self.map.at_once(block).is_none());
        order.sort_unstable_by_key(|&block| (self.components.component(block), block));
        let mut cycles: Table<SccId, Option<Cycle>> = Table::new();
        for _ in self.components.ids() {
            cycles.push(None);
        }
        for block in order {
            let component = self.components.component(block);
            let guard = if !self.components.is_cyclic(component) {
                self.guard_of_block(block)
            } else if self.is_entered(block) {
                let mut cycle =
                    cycles[component].take().unwrap_or_else(|| Cycle::new(&mut self, component));
                let guard = cycle.guard(&mut self, block);
                cycles[component] = Some(cycle);
                guard
            } else {
                continue;
            };
            // All blocks here lie on paths from the departure, whose guard is too large with theirs.
            if guard == GuardId::TOO_LARGE {
                return GuardId::TOO_LARGE;
            }
            self.guards.insert(block, guard);
        }
        self.guards.get(&self.map.journey.from).copied().unwrap_or(GuardId::FALSE)
    }

    /// Whether a path comes to a block from outside its component.
    fn is_entered(&self, block: BlockId) -> bool {
        let graph = self.map.journey.graph;
        let is_outside =
            |source| self.components.component(source) != self.components.component(block);
        block == self.map.journey.from
            || graph
                .in_edges(block)
                .iter()
                .any(|&edge| is_outside(graph.source(edge)) && self.map.is_followed(edge))
    }

    /// ∨ᵢ cond(n, nᵢ) ∧ cg(nᵢ, m)
    fn guard_of_block(&mut self, block: BlockId) -> GuardId {
        let mut ways = Vec::new();
        for edge in self.map.journey.graph.out_edges(block) {
            let after = self.guard_after(edge);
            if after != GuardId::FALSE {
                ways.push((self.conditions.condition(edge, self.formulas), after));
            }
        }
        self.any_way(ways)
    }

    /// The guard after an edge that leaves its component.
    pub fn guard_after(&self, edge: EdgeId) -> GuardId {
        self.map
            .after(edge)
            .unwrap_or_else(|block| self.guards.get(&block).copied().unwrap_or(GuardId::FALSE))
    }

    /// The disjunction of condition ∧ guard. Ways with equal guards go first: a switch whose
    /// cases do the same then is one set of edges.
    pub fn any_way(&mut self, mut ways: Vec<(GuardId, GuardId)>) -> GuardId {
        let mut all = Vec::new();
        while let Some(&(_, after)) = ways.first() {
            let same = ways.iter().filter(|way| way.1 == after).map(|way| way.0);
            let any = self.formulas.or_all(same.collect::<Vec<_>>());
            all.push(self.formulas.and(any, after));
            ways.retain(|way| way.1 != after);
        }
        self.charge(&all);
        self.formulas.or_all(all)
    }

    /// Operands are compared in pairs.
    fn charge(&mut self, operands: &[GuardId]) {
        let width = |&guard: &GuardId| match self.formulas.form(guard) {
            Form::And(inner) | Form::Or(inner) => inner.len(),
            _ => 1,
        };
        let total = operands.iter().map(width).sum::<usize>() as u32;
        self.work_left = self.work_left.saturating_sub(total.saturating_mul(total) / 4);
    }
}
