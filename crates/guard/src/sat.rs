//! Satisfiability by clauses and conflict-driven search.
//!
//! Every gate gets a variable that implies what the gate says; the converse is not needed, since
//! formulas are in negation normal form and gates occur positively only (Plaisted and Greenbaum,
//! "A structure-preserving clause form translation", 1986). The consistency of a switch is the
//! clauses of F6 over its classes.

use batsat::{Callbacks, ClauseKind, Lit, Solver as Search, SolverInterface, SolverOpts, lbool};

use crate::circuit::{Circuit, Gate};
use crate::formula::{Formulas, GuardId};
use crate::solver::{Answer, Reason, Solver, Statistics, answer_at_once};

const CONFLICT_LIMIT: u64 = 20_000;

#[derive(Clone, Debug)]
pub struct SatSolver {
    conflict_limit: u64,
    statistics: Statistics,
}

impl Default for SatSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl SatSolver {
    #[must_use]
    pub fn new() -> Self {
        Self::with_conflict_limit(CONFLICT_LIMIT)
    }

    /// A solver that gives up a query after so many conflicts.
    #[must_use]
    pub fn with_conflict_limit(limit: u64) -> Self {
        Self { conflict_limit: limit, statistics: Statistics::default() }
    }

    pub(crate) fn solve(&self, formulas: &Formulas, circuit: &Circuit) -> Answer {
        let mut clauses = Clauses::new(circuit.variables.len(), self.conflict_limit);
        clauses.add_choices(circuit);
        clauses.add_gates(circuit);
        match clauses.holds(&[]) {
            Some(false) => Answer::Unsat,
            Some(true) => Answer::Sat(circuit.explain(formulas, &clauses.least_model())),
            None => Answer::GaveUp(Reason::Conflicts),
        }
    }
}

impl Solver for SatSolver {
    fn satisfiable(&mut self, formulas: &Formulas, guard: GuardId) -> Answer {
        let answer = answer_at_once(guard)
            .unwrap_or_else(|| self.solve(formulas, &Circuit::new(formulas, guard)));
        self.statistics.count(&answer);
        answer
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// Stops the search after so many learnt clauses, which come one from each conflict: unlike a
/// clock, this gives the same answer in every run.
pub(crate) struct ConflictLimit(pub u64);

impl Callbacks for ConflictLimit {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.0 = self.0.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        self.0 == 0
    }
}

struct Clauses {
    search: Search<ConflictLimit>,
    /// The positive literals of the circuit's variables.
    variables: Vec<Lit>,
    clause: Vec<Lit>,
}

impl Clauses {
    fn new(variables: usize, conflict_limit: u64) -> Self {
        let search = Search::new(SolverOpts::default(), ConflictLimit(conflict_limit));
        let mut clauses = Self { search, variables: Vec::new(), clause: Vec::new() };
        clauses.variables = (0..variables).map(|_| clauses.fresh()).collect();
        clauses
    }

    fn fresh(&mut self) -> Lit {
        // False is tried first, which finds models near the least.
        Lit::new(self.search.new_var(lbool::UNDEF, true), true)
    }

    fn add(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(literals);
        self.search.add_clause_reuse(&mut self.clause);
    }

    fn add_choices(&mut self, circuit: &Circuit) {
        for (choice, members) in circuit.choices.iter().zip(&circuit.members) {
            for clause in choice.clauses() {
                let literal = |(class, taken)| signed(self.variables[members[class]], taken);
                let literals: Vec<Lit> = clause.into_iter().map(literal).collect();
                self.add(literals);
            }
        }
    }

    fn add_gates(&mut self, circuit: &Circuit) {
        let mut outputs: Vec<Lit> = Vec::with_capacity(circuit.gates.len());
        for gate in &circuit.gates {
            let output = self.output(circuit, gate, &outputs);
            outputs.push(output);
        }
        self.add(outputs.last().copied());
    }

    fn output(&mut self, circuit: &Circuit, gate: &Gate, outputs: &[Lit]) -> Lit {
        match gate {
            Gate::Literal(variable, taken) => signed(self.variables[*variable], *taken),
            Gate::AnyOf(choice, marks) => {
                let marked = circuit.members[*choice].iter().zip(marks).filter(|(_, mark)| **mark);
                let literals: Vec<Lit> = marked.map(|(&v, _)| self.variables[v]).collect();
                self.disjunction(&literals)
            }
            Gate::Or(operands) => {
                let literals: Vec<Lit> = operands.iter().map(|&o| outputs[o]).collect();
                self.disjunction(&literals)
            }
            Gate::And(operands) => {
                let output = self.fresh();
                operands.iter().for_each(|&operand| self.add([!output, outputs[operand]]));
                output
            }
        }
    }

    fn disjunction(&mut self, literals: &[Lit]) -> Lit {
        if let &[only] = literals {
            return only;
        }
        let output = self.fresh();
        self.add([!output].into_iter().chain(literals.iter().copied()));
        output
    }

    /// Whether there is a model with these literals; nothing if the conflicts ran out.
    fn holds(&mut self, literals: &[Lit]) -> Option<bool> {
        let result = self.search.solve_limited(literals);
        (result != lbool::UNDEF).then_some(result == lbool::TRUE)
    }

    /// After a search that found a model: the least one, or, if the conflicts run out on the way,
    /// the least one met.
    fn least_model(&mut self) -> Vec<bool> {
        let mut model = self.model();
        let mut decided = Vec::with_capacity(model.len());
        for index in 0..model.len() {
            let literal = self.variables[index];
            if model[index] && self.search.value_lvl_0(literal) != lbool::TRUE {
                decided.push(!literal);
                match self.holds(&decided) {
                    Some(true) => model = self.model(),
                    Some(false) => drop(decided.pop()),
                    None => return model,
                }
            }
            if decided.last().is_none_or(|last| last.var() != literal.var()) {
                decided.push(signed(literal, model[index]));
            }
        }
        model
    }

    fn model(&self) -> Vec<bool> {
        self.variables.iter().map(|&v| self.search.value_lit(v) == lbool::TRUE).collect()
    }
}

fn signed(literal: Lit, taken: bool) -> Lit {
    if taken { literal } else { !literal }
}
