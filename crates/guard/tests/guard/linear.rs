//! The contradiction filter.

use caulk_guard::Formulas;
use caulk_guard::linear::{Linear, Verdict, check};

use crate::parse::Parser;

#[track_caller]
fn verdicts(steps: &[(&str, Verdict)]) {
    let mut parser = Parser::new(Formulas::new());
    let mut linear = Linear::new();
    for &(step, expect) in steps {
        let guard = parser.parse(step);
        assert_eq!(linear.assume(&parser.formulas, guard), expect, "{step}");
    }
}

#[test]
fn it_stops_at_a_test_and_its_negation() {
    verdicts(&[("a", Verdict::Open), ("b", Verdict::Open), ("¬a", Verdict::Contradiction)]);
    verdicts(&[("a ∧ b", Verdict::Open), ("¬b ∧ c", Verdict::Contradiction)]);
    verdicts(&[("a", Verdict::Open), ("a", Verdict::Open)]);
}

#[test]
fn a_disjunction_forces_what_its_operands_share() {
    let shared = "(¬a ∧ b) ∨ (¬a ∧ c)";
    verdicts(&[(shared, Verdict::Open), ("a", Verdict::Contradiction)]);
    verdicts(&[("a ∨ b", Verdict::Open), ("¬a", Verdict::Open)]);
    verdicts(&[("(a ∧ y0) ∨ (b ∧ y1)", Verdict::Open), ("y2", Verdict::Contradiction)]);
}

#[test]
fn edges_of_one_switch_exclude_each_other() {
    verdicts(&[("x0", Verdict::Open), ("a ∧ x1", Verdict::Contradiction)]);
    verdicts(&[
        ("¬x0", Verdict::Open),
        ("¬x1", Verdict::Open),
        ("a", Verdict::Open),
        ("¬x2", Verdict::Contradiction),
    ]);
}

/// It is a filter: what needs a case distinction stays open.
#[test]
fn it_does_not_search() {
    verdicts(&[("a ∨ b", Verdict::Open), ("¬a", Verdict::Open), ("¬b", Verdict::Open)]);
}

#[test]
fn undoing_returns_to_the_mark() {
    let mut parser = Parser::new(Formulas::new());
    let (start, step) = (parser.parse("a ∧ ¬y0"), parser.parse("b ∧ ¬y1 ∧ ¬a"));
    let (other, last) = (parser.parse("¬b ∧ y1"), parser.parse("y0"));
    let mut linear = Linear::new();
    linear.assume(&parser.formulas, start);
    let mark = linear.mark();
    assert_eq!(linear.assume(&parser.formulas, step), Verdict::Contradiction);
    assert!(linear.contradicts());
    linear.undo(mark);
    assert!(!linear.contradicts());
    assert_eq!(linear.assume(&parser.formulas, other), Verdict::Open);
    linear.undo(mark);
    let (back, again) = (parser.parse("y2"), linear.mark());
    assert_eq!(linear.assume(&parser.formulas, back), Verdict::Open);
    linear.undo(again);
    assert_eq!(linear.assume(&parser.formulas, last), Verdict::Contradiction);
}

#[test]
fn a_single_guard_is_checked() {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse("a ∧ ((b ∧ ¬a) ∨ (c ∧ ¬a))");
    assert_eq!(check(&parser.formulas, guard), Verdict::Contradiction);
}
