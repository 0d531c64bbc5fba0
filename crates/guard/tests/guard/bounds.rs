//! Formulas, diagrams and searches past their bounds are given up, never answered wrongly.

use caulk_guard::{
    Answer, AtomId, BddSolver, Decision, Form, Formulas, GuardId, Limits, Reason, SatSolver, Solver,
};

/// a0 ∧ (a1 ∨ (a2 ∧ …)), with as many operators as levels.
fn nested(formulas: &mut Formulas, levels: u32) -> GuardId {
    let mut guard = formulas.atom(AtomId(levels));
    for level in (0..levels).rev() {
        let atom = formulas.atom(AtomId(level));
        guard = if level % 2 == 0 { formulas.and(atom, guard) } else { formulas.or(atom, guard) };
    }
    guard
}

#[test]
fn height_is_bounded() {
    let mut formulas = Formulas::new();
    let highest = nested(&mut formulas, 30);
    assert_eq!(formulas.height(highest), 30);
    assert_eq!(nested(&mut formulas, 31), GuardId::TOO_LARGE);
}

#[test]
fn a_long_conjunction_is_not_high() {
    let mut formulas = Formulas::new();
    let mut guard = GuardId::TRUE;
    for index in 0..500 {
        let atom = formulas.atom(AtomId(index));
        guard = formulas.and(guard, atom);
    }
    assert_eq!(formulas.height(guard), 1);
}

#[test]
fn width_is_bounded() {
    let mut formulas = Formulas::with_limits(Limits { width: 10, ..Limits::default() });
    let atoms: Vec<GuardId> = (0..11).map(|index| formulas.atom(AtomId(index))).collect();
    assert!(matches!(
        {
            let ten = formulas.and_all(atoms[..10].iter().copied());
            formulas.form(ten)
        },
        Form::And(_)
    ));
    assert_eq!(formulas.and_all(atoms.iter().copied()), GuardId::TOO_LARGE);
}

#[test]
fn too_large_absorbs() {
    let mut formulas = Formulas::new();
    let atom = formulas.atom(AtomId(1));
    let large = GuardId::TOO_LARGE;
    assert_eq!(formulas.not(large), large);
    for other in [atom, large, GuardId::TRUE, GuardId::FALSE] {
        assert_eq!(formulas.and(other, large), large);
        assert_eq!(formulas.or(large, other), large);
        assert_eq!(formulas.and_all([other, large]), large);
        assert_eq!(formulas.or_all([other, large]), large);
    }
    assert_eq!(formulas.evaluate(large, &|_| Some(true)), None);
    for solver in [&mut SatSolver::new() as &mut dyn Solver, &mut BddSolver::new()] {
        assert_eq!(solver.satisfiable(&formulas, large), Answer::GaveUp(Reason::TooLarge));
        assert_eq!(solver.valid(&formulas, large), None);
        assert_eq!(solver.statistics().gave_up, 2);
    }
}

/// Each of n + 1 pigeons is in one of n holes, no two in the same: hard for any search.
fn pigeons(formulas: &mut Formulas, holes: u32) -> GuardId {
    let mut literal =
        |pigeon: u32, hole: u32, is: bool| formulas.literal(AtomId(pigeon * holes + hole), is);
    let mut clauses: Vec<Vec<GuardId>> = Vec::new();
    for pigeon in 0..=holes {
        clauses.push((0..holes).map(|hole| literal(pigeon, hole, true)).collect());
        for other in 0..pigeon {
            let apart = |hole| vec![literal(pigeon, hole, false), literal(other, hole, false)];
            clauses.extend((0..holes).map(apart));
        }
    }
    let clauses: Vec<GuardId> = clauses.into_iter().map(|clause| formulas.or_all(clause)).collect();
    formulas.and_all(clauses)
}

#[test]
fn a_long_search_is_given_up() {
    let mut formulas = Formulas::new();
    let guard = pigeons(&mut formulas, 7);
    let mut solver = SatSolver::with_conflict_limit(50);
    assert_eq!(solver.satisfiable(&formulas, guard), Answer::GaveUp(Reason::Conflicts));
    assert_eq!(solver.statistics().gave_up, 1);
    let guard = pigeons(&mut formulas, 4);
    assert_eq!(SatSolver::new().satisfiable(&formulas, guard), Answer::Unsat);
}

/// (a0 ∧ b0) ∨ (a1 ∧ b1) ∨ … with all a before all b doubles a diagram with each pair.
#[test]
fn a_large_diagram_is_left_to_sat() {
    let mut formulas = Formulas::new();
    let pair = |formulas: &mut Formulas, index| {
        let (left, right) = (formulas.atom(AtomId(index)), formulas.atom(AtomId(100 + index)));
        formulas.and(left, right)
    };
    let pairs: Vec<GuardId> = (0..40).map(|index| pair(&mut formulas, index)).collect();
    let guard = formulas.or_all(pairs);
    let mut solver = BddSolver::new();
    let answer = solver.satisfiable(&formulas, guard);
    assert_eq!(answer, SatSolver::new().satisfiable(&formulas, guard));
    assert_eq!(solver.statistics().fallbacks, 1);
    let Answer::Sat(assignment) = answer else { panic!("{answer:?}") };
    let expect = [39, 139].map(|atom| Decision::Branch { atom: AtomId(atom), taken: true });
    assert_eq!(assignment.decisions(), expect);
}

#[test]
fn a_switch_of_many_ways_is_cheap() {
    let mut formulas = Formulas::new();
    let edges: Vec<AtomId> = (0..1000).map(AtomId).collect();
    formulas.switch(&edges);
    let cases: Vec<GuardId> = edges[..999].iter().map(|&edge| formulas.atom(edge)).collect();
    let freed = formulas.or_all(cases);
    let leaks = formulas.not(freed);
    let test = formulas.atom(AtomId(5000));
    let guard = formulas.and(leaks, test);
    for solver in [&mut SatSolver::new() as &mut dyn Solver, &mut BddSolver::new()] {
        let Answer::Sat(assignment) = solver.satisfiable(&formulas, guard) else { panic!() };
        assert_eq!(assignment.value(&formulas, edges[999]), Some(true));
        assert_eq!(assignment.value(&formulas, edges[0]), Some(false));
        assert_eq!(assignment.decisions().len(), 2);
    }
}
