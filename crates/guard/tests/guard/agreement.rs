//! Truth table = SAT = BDD, on random formulas.

use caulk_guard::linear::{Verdict, check};
use caulk_guard::{Answer, Assignment, BddSolver, Formulas, GuardId, SatSolver, Solver, paths};

use crate::expr::{Expr, Layout, Random, atom};

struct Case {
    layout: Layout,
    expr: Expr,
    formulas: Formulas,
    guard: GuardId,
    /// The valuations that satisfy the expression, the least first.
    models: Vec<Vec<bool>>,
}

impl Case {
    fn random(seed: u64, most_atoms: usize) -> Self {
        let mut random = Random::new(seed);
        let layout = Layout::random(&mut random, most_atoms);
        let depth = 2 + random.below(3);
        let expr = Expr::random(&mut random, layout.atoms(), depth);
        let mut formulas = Formulas::new();
        layout.declare(&mut formulas);
        let guard = expr.build(&mut formulas);
        let mut models = layout.valuations();
        models.retain(|values| expr.value(values));
        Self { layout, expr, formulas, guard, models }
    }

    fn satisfied_by(&self, assignment: &Assignment, values: &[bool]) -> bool {
        let agrees = |(index, &value): (usize, &bool)| {
            assignment.value(&self.formulas, atom(index)).is_none_or(|decided| decided == value)
        };
        values.iter().enumerate().all(agrees)
    }

    fn check_meaning(&self) {
        for values in self.layout.valuations() {
            let value = self.formulas.evaluate(self.guard, &|a| Some(values[a.0 as usize]));
            assert_eq!(value, Some(self.expr.value(&values)), "{:?} at {values:?}", self.expr);
        }
    }

    fn check_answer(&self, answer: &Answer) {
        match answer {
            Answer::GaveUp(reason) => panic!("gave up: {reason}"),
            Answer::Unsat => assert!(self.models.is_empty(), "{:?}", self.expr),
            Answer::Sat(assignment) => self.check_assignment(assignment),
        }
    }

    /// The assignment contains the least model, and nothing that does not satisfy.
    fn check_assignment(&self, assignment: &Assignment) {
        let least = self.models.first().expect("a model");
        assert!(self.satisfied_by(assignment, least), "{:?} {assignment:?}", self.expr);
        for values in self.layout.valuations() {
            let chosen = self.satisfied_by(assignment, &values);
            assert!(!chosen || self.expr.value(&values), "{:?} {assignment:?}", self.expr);
        }
    }

    fn check_paths(&self) {
        let paths = paths(&self.formulas, self.guard, 100_000).expect("few paths");
        for values in self.layout.valuations() {
            let count = paths.iter().filter(|path| self.satisfied_by(path, &values)).count();
            assert_eq!(count, usize::from(self.expr.value(&values)), "{:?} {paths:?}", self.expr);
        }
    }
}

#[test]
fn solvers_agree_with_truth_tables() {
    let (mut sat, mut bdd, mut tiny) =
        (SatSolver::new(), BddSolver::new(), BddSolver::with_node_cap(8));
    for seed in 0..4000 {
        let case = Case::random(seed, if seed % 16 == 0 { 12 } else { 8 });
        case.check_meaning();
        let answer = sat.satisfiable(&case.formulas, case.guard);
        case.check_answer(&answer);
        assert_eq!(bdd.satisfiable(&case.formulas, case.guard), answer, "{:?}", case.expr);
        assert_eq!(tiny.satisfiable(&case.formulas, case.guard), answer, "{:?}", case.expr);
        if check(&case.formulas, case.guard) == Verdict::Contradiction {
            assert_eq!(answer, Answer::Unsat);
        }
        let valid = case.models.len() == case.layout.valuations().len();
        assert_eq!(sat.valid(&case.formulas, case.guard), Some(valid));
    }
    assert_eq!(sat.statistics().queries, 8000);
    assert!(sat.statistics().unsatisfiable > 300 && sat.statistics().satisfiable > 3000);
    assert_eq!(bdd.statistics().fallbacks, 0);
    assert!(tiny.statistics().fallbacks > 500, "{:?}", tiny.statistics());
}

#[test]
fn paths_are_disjoint_and_cover_the_guard() {
    for seed in 10_000..10_800 {
        Case::random(seed, 8).check_paths();
    }
}

/// Whatever else the arena holds, a formula is the same and has the same answer.
#[test]
fn an_arena_s_history_does_not_show() {
    let name = |a| format!("{a}");
    for seed in 20_000..20_300 {
        let case = Case::random(seed, 10);
        let mut used = Formulas::new();
        case.layout.declare(&mut used);
        let mut random = Random::new(seed + 1);
        for _ in 0..20 {
            Expr::random(&mut random, case.layout.atoms(), 4).build(&mut used);
        }
        let guard = case.expr.build(&mut used);
        let fresh_text = caulk_guard::Text::new(&case.formulas, case.guard, &name).to_string();
        assert_eq!(caulk_guard::Text::new(&used, guard, &name).to_string(), fresh_text);
        let answer = SatSolver::new().satisfiable(&case.formulas, case.guard);
        assert_eq!(SatSolver::new().satisfiable(&used, guard), answer);
        assert_eq!(BddSolver::new().satisfiable(&used, guard), answer);
    }
}

#[test]
fn the_same_construction_gives_the_same_ids() {
    for seed in 30_000..30_200 {
        let (first, second) = (Case::random(seed, 12), Case::random(seed, 12));
        assert_eq!(first.guard, second.guard);
        assert_eq!(first.formulas.count(), second.formulas.count());
    }
}
