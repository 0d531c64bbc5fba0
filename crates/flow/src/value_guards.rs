//! The condition under which a value comes from its source to each node of a slice: Figure 5.
//!
//! ```text
//! vg(n, m, E) = true                                        if n = m
//!             = ∨ over n → n' ∉ E of vg'(n → n', m, E)       otherwise
//! vg'(n → n', m, E) = vg(n', m, E ∪ {n → n'})                if n is a call or return node
//!                   = cguard(n → n') ∧ vg(n', m, E ∪ {n → n'})  otherwise
//! ```
//!
//! The guard of an edge does not depend on the path that it lies on. So a path that goes round a
//! cycle is implied by the same path without the cycle, f ∨ (f ∧ g) = f, and E, the bound of
//! recursion, may be any: taking recursion once or N times gives the same guards (S8), which are
//! the least solution of
//!
//! ```text
//! G(source) = true,    G(n) = ∨ over n' → n of G(n') ∧ guard(n' → n)
//! ```
//!
//! One solution serves all sinks. It is computed component by component, sources first; a cyclic
//! component of k nodes is done after k rounds, because no path without a cycle is longer.
//! Post-dominance is not used: "the value-flows in VFG do not exhaustively cover all program
//! paths". Guards of edges that do not matter are not asked for.

use std::sync::Arc;

use caulk_base::{FxHashMap, Id, define_id};
use caulk_guard::GuardId;
use caulk_program::ProcId;
use caulk_ssa::{Graph, Sccs};

use crate::guards::{Guards, Target};
use crate::guards_decided::Decisions;
use crate::guards_web::Web;
use crate::node::Point;

/// What it takes for a value to go along an edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A call or return edge: one way only.
    Always,
    Reach {
        proc: ProcId,
        from: Point,
        to: Target,
    },
    /// Along joins that a loop goes round.
    Through {
        proc: ProcId,
        web: Arc<Web>,
    },
}

/// A slice: nodes are numbers, edges tell how control follows them.
pub trait ValueGraph {
    fn node_count(&self) -> usize;

    fn edges(&self, node: usize) -> Vec<(usize, Step)>;
}

define_id!(Place, "n", "A node of a slice.");

/// G of every node; false for those that no source reaches.
pub fn vguards(
    guards: &mut Guards<'_>,
    slice: &impl ValueGraph,
    sources: &[usize],
    decisions: &Decisions,
) -> Vec<GuardId> {
    Solution::new(guards, slice, sources, decisions).solve()
}

struct Solution<'a, 'p> {
    guards: &'a mut Guards<'p>,
    decisions: &'a Decisions,
    graph: Graph<Place>,
    /// By the edges of `graph`.
    steps: Vec<Step>,
    step_guards: FxHashMap<usize, GuardId>,
    solution: Vec<GuardId>,
}

impl<'a, 'p> Solution<'a, 'p> {
    fn new(
        guards: &'a mut Guards<'p>,
        slice: &impl ValueGraph,
        sources: &[usize],
        decisions: &'a Decisions,
    ) -> Self {
        let mut pairs = Vec::new();
        let mut steps = Vec::new();
        for node in 0..slice.node_count() {
            for (to, step) in slice.edges(node) {
                pairs.push((Place::from_index(node), Place::from_index(to)));
                steps.push(step);
            }
        }
        // Nobody asks this graph for its entry.
        let graph = Graph::new(slice.node_count(), Place(0), &pairs);
        let mut solution = vec![GuardId::FALSE; slice.node_count()];
        for &source in sources {
            solution[source] = GuardId::TRUE;
        }
        let step_guards = FxHashMap::default();
        Self { guards, decisions, graph, steps, step_guards, solution }
    }

    fn solve(mut self) -> Vec<GuardId> {
        let components = Sccs::new(&self.graph);
        for component in components.ids().rev() {
            let members = components.members(component);
            let rounds = if components.is_cyclic(component) { members.len() } else { 1 };
            for _ in 0..rounds {
                // Not a short-circuit: each member takes part in each round.
                let changed = members.iter().filter(|&&node| self.improve(node)).count();
                if changed == 0 {
                    break;
                }
            }
        }
        self.solution
    }

    /// G(n) = ∨ over n' → n of G(n') ∧ guard(n' → n); true if that is news.
    fn improve(&mut self, node: Place) -> bool {
        let before = self.solution[node.index()];
        if before == GuardId::TRUE || before == GuardId::TOO_LARGE {
            return false;
        }
        let mut ways = vec![before];
        for index in 0..self.graph.in_edges(node).len() {
            let edge = self.graph.in_edges(node)[index];
            let so_far = self.solution[self.graph.source(edge).index()];
            let way = match so_far {
                GuardId::FALSE => continue,
                GuardId::TOO_LARGE => GuardId::TOO_LARGE,
                _ => {
                    let step = self.step_guard(edge.index());
                    self.guards.formulas.and(so_far, step)
                }
            };
            // Whatever the other ways say, no guard can be told.
            if way == GuardId::TOO_LARGE {
                self.solution[node.index()] = way;
                return true;
            }
            ways.push(way);
        }
        let after = self.guards.formulas.or_all(ways);
        self.solution[node.index()] = after;
        after != before
    }

    fn step_guard(&mut self, edge: usize) -> GuardId {
        if let Some(&known) = self.step_guards.get(&edge) {
            return known;
        }
        let guard = match &self.steps[edge] {
            Step::Always => GuardId::TRUE,
            Step::Through { proc, web } => self.guards.through(*proc, web, self.decisions),
            Step::Reach { proc, from, to } => self.guards.cguard(*proc, *from, to, self.decisions),
        };
        self.step_guards.insert(edge, guard);
        guard
    }
}
