//! The consistency formula of F6.

use caulk_guard::consistency::choices;
use caulk_guard::{AtomId, Formulas};

use crate::parse::{Parser, name};

/// The classes of each switch that a guard mentions.
fn classes(input: &str) -> Vec<Vec<String>> {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse(input);
    let formulas = &parser.formulas;
    let show = |edges: &[AtomId], positions: &[usize]| match positions.len() {
        0..4 => positions.iter().map(|&p| name(edges[p])).collect::<Vec<_>>().join(" "),
        count => format!("{count} edges"),
    };
    let classes_of = |choice: &caulk_guard::consistency::Choice| {
        let edges = formulas.edges(choice.switch);
        choice.classes.iter().map(|class| show(edges, &class.positions)).collect()
    };
    choices(formulas, guard).iter().map(classes_of).collect()
}

#[test]
fn edges_that_are_not_told_apart_are_one_class() {
    assert_eq!(classes("a ∧ v7"), [["v7", "99 edges"]]);
    assert_eq!(classes("(a ∧ y0) ∨ (b ∧ (y1 ∨ y2))"), [["y0", "y1 y2", "y3 y4"]]);
    assert_eq!(classes("a ∧ (z0 ∨ b)"), [[""; 0]; 0]);
    assert_eq!(classes("x0 ∧ (y4 ∨ a)"), [["x0", "x1 x2"], ["4 edges", "y4"]]);
}

#[test]
fn one_class_and_only_one_is_taken() {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse("(a ∧ x0) ∨ (b ∧ x1)");
    let clauses = choices(&parser.formulas, guard)[0].clauses();
    for taken in 0..8_usize {
        let holds = |&(class, expect): &(usize, bool)| (taken >> class & 1 == 1) == expect;
        let consistent = clauses.iter().all(|clause| clause.iter().any(holds));
        assert_eq!(consistent, taken.count_ones() == 1);
    }
}
