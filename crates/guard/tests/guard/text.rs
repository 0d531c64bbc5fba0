//! Guards as people read them.

use caulk_guard::text::{assignment_text, paths_text};
use caulk_guard::{Answer, AtomId, Formulas, SatSolver, Solver, Text, paths};

use crate::parse::{Parser, name};

#[track_caller]
fn check_paths(input: &str, expect: &str) {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse(input);
    let paths = paths(&parser.formulas, guard, 100).expect("few paths");
    assert_eq!(paths_text(&parser.formulas, &paths, &name), expect, "{input}");
}

#[track_caller]
fn check_assignment(input: &str, expect: &str) {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse(input);
    let answer = SatSolver::new().satisfiable(&parser.formulas, guard);
    let Answer::Sat(assignment) = answer else { panic!("{input}: {answer:?}") };
    assert_eq!(assignment_text(&parser.formulas, &assignment, &name), expect, "{input}");
}

/// SABER, Figure 8: past a loop that is entered or not, and left by C2 if it is.
#[test]
fn figure_8_of_saber() {
    let mut formulas = Formulas::new();
    let (c1, c2) = (formulas.atom(AtomId(1)), formulas.atom(AtomId(2)));
    let entered = formulas.and(c1, c2);
    let freed = formulas.or(formulas.not(c1), entered);
    let name = |atom: AtomId| format!("C{}", atom.0);
    assert_eq!(Text::new(&formulas, freed, &name).to_string(), "¬C1 ∨ (C1 ∧ C2)");
    let paths = paths(&formulas, freed, 10).expect("two paths");
    assert_eq!(paths_text(&formulas, &paths, &name), "¬C1 ∨ (C1 ∧ C2)");
    let answer = SatSolver::new().satisfiable(&formulas, formulas.not(freed));
    let Answer::Sat(leak) = answer else { panic!("{answer:?}") };
    assert_eq!(assignment_text(&formulas, &leak, &name), "C1 ∧ ¬C2");
}

#[test]
fn paths_of_small_guards() {
    check_paths("⊤", "true");
    check_paths("⊥", "false");
    check_paths("a ∧ ¬b", "a ∧ ¬b");
    check_paths("a ∨ b", "(¬a ∧ b) ∨ a");
    check_paths("x1", "x1");
    check_paths("¬x0", "¬x0");
    check_paths("a ∨ (b ∧ x0)", "(¬a ∧ b ∧ x0) ∨ a");
    check_paths("(a ∧ y0) ∨ (¬a ∧ (y1 ∨ y2))", "(¬a ∧ (y1 ∨ y2)) ∨ (a ∧ y0)");
}

#[test]
fn too_many_paths_are_not_told() {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse("a ∨ b ∨ c");
    assert!(paths(&parser.formulas, guard, 2).is_none());
    assert!(paths(&parser.formulas, guard, 3).is_some());
}

#[test]
fn assignments_leave_out_what_does_not_matter() {
    check_assignment("a ∨ b", "b");
    check_assignment("(a ∧ b) ∨ c", "c");
    check_assignment("¬a ∨ (a ∧ b)", "¬a");
    check_assignment("a ∧ (b ∨ ¬c)", "a ∧ ¬c");
    check_assignment("a ∧ ¬v7", "a ∧ ¬v7");
    check_assignment("(a ∧ x0) ∨ (b ∧ x1)", "b ∧ x1");
    check_assignment("z1", "¬z0");
}

#[test]
fn long_guards_are_cut() {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse("a ∧ (b ∨ c) ∧ d ∧ e");
    let cut = Text::new(&parser.formulas, guard, &name).limit(3);
    assert_eq!(cut.to_string(), "a ∧ (b ∨ c) ∧ …");
}
