//! Satisfiability by decision diagrams (S8), with SAT behind it when they grow too large.

use crate::bdd::{Bdd, Ref};
use crate::circuit::Circuit;
use crate::formula::{Formulas, GuardId};
use crate::sat::SatSolver;
use crate::solver::{Answer, Solver, Statistics, answer_at_once};

const NODE_CAP: usize = 5000;

#[derive(Clone, Debug)]
pub struct BddSolver {
    bdd: Bdd,
    fallback: SatSolver,
    statistics: Statistics,
}

impl Default for BddSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl BddSolver {
    #[must_use]
    pub fn new() -> Self {
        Self::with_node_cap(NODE_CAP)
    }

    /// A solver that leaves a query to SAT after so many nodes.
    #[must_use]
    pub fn with_node_cap(cap: usize) -> Self {
        let fallback = SatSolver::new();
        Self { bdd: Bdd::new(cap), fallback, statistics: Statistics::default() }
    }

    fn solve(&mut self, formulas: &Formulas, guard: GuardId) -> Answer {
        let circuit = Circuit::new(formulas, guard);
        self.bdd.clear();
        let built = self.bdd.build(&circuit);
        self.statistics.peak_nodes = self.statistics.peak_nodes.max(self.bdd.len());
        match built {
            Ok(Ref::FALSE) => Answer::Unsat,
            Ok(root) => Answer::Sat(circuit.explain(formulas, &self.least_model(root, &circuit))),
            Err(_) => {
                self.statistics.fallbacks += 1;
                self.fallback.solve(formulas, &circuit)
            }
        }
    }

    /// The way to `TRUE` that goes low wherever it can.
    fn least_model(&self, root: Ref, circuit: &Circuit) -> Vec<bool> {
        let mut model = vec![false; circuit.variables.len()];
        let mut at = root;
        while at != Ref::TRUE {
            let node = self.bdd.node(at);
            model[node.variable] = node.low == Ref::FALSE;
            at = if model[node.variable] { node.high } else { node.low };
        }
        for members in &circuit.members {
            // The last class is the one that the diagram does not test.
            if let (Some(&last), true) = (members.last(), members.iter().all(|&v| !model[v])) {
                model[last] = true;
            }
        }
        model
    }
}

impl Solver for BddSolver {
    fn satisfiable(&mut self, formulas: &Formulas, guard: GuardId) -> Answer {
        let answer = answer_at_once(guard).unwrap_or_else(|| self.solve(formulas, guard));
        self.statistics.count(&answer);
        answer
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
