//! The rules of F11, one by one.

use caulk_guard::{AtomId, Form, Formulas, GuardId};

use crate::parse::{Parser, name};

#[track_caller]
fn check(input: &str, expect: &str) {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse(input);
    assert_eq!(parser.show(guard), expect, "{input}");
    let at_once = parser.parse_at_once(input);
    assert_eq!(at_once, guard, "{input} at once");
    let dual = parser.parse(&dual(input));
    let flipped = parser.parse(&format!("¬({input})"));
    if !input.contains(|c: char| c.is_ascii_digit()) {
        let renamed = negate_atoms(&mut parser.formulas, dual);
        assert_eq!(renamed, flipped, "the dual of {input}");
    }
}

fn dual(input: &str) -> String {
    let swap = |c| match c {
        '∧' => '∨',
        '∨' => '∧',
        '⊤' => '⊥',
        '⊥' => '⊤',
        other => other,
    };
    input.chars().map(swap).collect()
}

fn negate_atoms(formulas: &mut Formulas, guard: GuardId) -> GuardId {
    match formulas.form(guard) {
        Form::Atom(atom, taken) => formulas.literal(atom, !taken),
        Form::And(operands) => {
            let operands = operands.to_vec();
            let negated: Vec<_> = operands.iter().map(|&o| negate_atoms(formulas, o)).collect();
            formulas.and_all(negated)
        }
        Form::Or(operands) => {
            let operands = operands.to_vec();
            let negated: Vec<_> = operands.iter().map(|&o| negate_atoms(formulas, o)).collect();
            formulas.or_all(negated)
        }
        _ => guard,
    }
}

#[test]
fn constants() {
    check("a ∧ ⊤", "a");
    check("a ∧ ⊥", "false");
    check("a ∨ ⊤", "true");
    check("a ∨ ⊥", "a");
    check("¬⊤", "false");
}

#[test]
fn identical_and_opposite_operands() {
    check("a ∧ a", "a");
    check("a ∧ ¬a", "false");
    check("a ∨ ¬a", "true");
    check("a ∧ b ∧ a", "a ∧ b");
    check("(a ∧ b) ∧ (b ∧ c)", "a ∧ b ∧ c");
    check("(a ∧ b) ∧ ¬(a ∧ b)", "false");
    check("(a ∧ b) ∨ ¬a ∨ ¬b", "true");
    check("a ∧ b ∧ c ∧ (¬a ∨ ¬c)", "false");
    check("¬(a ∧ ¬b)", "¬a ∨ b");
    check("¬¬a", "a");
}

#[test]
fn absorption() {
    check("a ∨ (a ∧ b)", "a");
    check("a ∧ (a ∨ b)", "a");
    check("(a ∧ b) ∨ (a ∧ b ∧ c)", "a ∧ b");
    check("(a ∧ b ∧ c) ∨ (a ∧ b)", "a ∧ b");
}

#[test]
fn factoring() {
    check("(a ∧ b) ∨ (a ∧ ¬b)", "a");
    check("(a ∨ b) ∧ (a ∨ ¬b)", "a");
    check("(a ∧ b ∧ c) ∨ (a ∧ ¬b ∧ c)", "a ∧ c");
    check("(a ∧ b ∧ c) ∨ (a ∧ (¬b ∨ ¬c))", "a");
    check("(a ∧ b) ∨ (a ∧ ¬b ∧ c) ∨ (a ∧ ¬b ∧ ¬c)", "a");
    check("(a ∧ b) ∨ (¬a ∧ b) ∨ (b ∧ c)", "b");
}

#[test]
fn what_the_papers_keep() {
    check("¬a ∨ (a ∧ b)", "¬a ∨ (a ∧ b)");
    check("(a ∧ b) ∨ (a ∧ c)", "(a ∧ b) ∨ (a ∧ c)");
}

#[test]
fn order_of_operands_is_that_of_atoms() {
    check("c ∧ b ∧ a", "a ∧ b ∧ c");
    check("(c ∧ d) ∨ b ∨ ¬a", "¬a ∨ b ∨ (c ∧ d)");
}

#[test]
fn edges_of_one_switch() {
    check("x0 ∧ x1", "false");
    check("x0 ∨ x1 ∨ x2", "true");
    check("x0 ∨ x1", "¬x2");
    check("¬x0 ∧ ¬x1", "x2");
    check("¬x0 ∨ ¬x1", "true");
    check("x0 ∧ ¬x1", "x0");
    check("x0 ∨ ¬x0", "true");
    check("¬(x0 ∨ x1)", "x2");
    check("y0 ∨ y3", "y0 ∨ y3");
    check("¬y0 ∧ ¬y3", "¬y0 ∧ ¬y3");
    check("a ∧ (y0 ∨ y3)", "a ∧ (y0 ∨ y3)");
    check("x0 ∧ y0", "x0 ∧ y0");
    check("v3 ∧ v99", "false");
    check("¬v3 ∧ v99", "v99");
}

#[test]
fn edges_beside_other_tests() {
    check("(a ∧ x0) ∨ (a ∧ x1) ∨ (a ∧ x2)", "a");
    check("(a ∧ x0) ∨ (a ∧ ¬x0)", "a");
    check("(a ∧ x0) ∨ (a ∧ x1)", "a ∧ ¬x2");
    check("a ∧ x0 ∧ b ∧ x1", "false");
    check("(a ∧ x0) ∨ ¬x1", "¬x1");
    check("(a ∨ ¬x1) ∧ x0", "x0");
    check("(x0 ∧ y0) ∨ (¬x1 ∧ ¬y1)", "¬x1 ∧ ¬y1");
}

#[test]
fn switches_of_one_and_two_ways() {
    check("w0", "true");
    check("a ∧ ¬w0", "false");
    check("z0 ∧ z1", "false");
    check("z0 ∨ z1", "true");
    check("z1", "¬z0");
    check("(a ∧ z0) ∨ (a ∧ z1)", "a");
}

#[test]
fn a_switch_is_declared_once() {
    let mut formulas = Formulas::new();
    let edges = [AtomId(3), AtomId(4), AtomId(5)];
    let switch = formulas.switch(&edges);
    assert_eq!(formulas.switch(&edges), switch);
    assert_eq!(formulas.edges(switch), edges);
}

#[test]
fn values_with_unknown_decisions() {
    let mut parser = Parser::new(Formulas::new());
    let cases = [
        ("a", None),
        ("a ∨ t", Some(true)),
        ("a ∧ t", None),
        ("a ∧ ¬t", Some(false)),
        ("y0", Some(false)),
        ("x0", None),
        ("y0 ∨ y4", Some(true)),
        ("y0 ∨ y1", Some(false)),
    ];
    for (input, expect) in cases {
        let guard = parser.parse(input);
        let [test, taken] = ["t", "y4"].map(|name| parser.parse(name));
        let known = [test, taken].map(|guard| *parser.formulas.atoms(guard).last().unwrap());
        let value = |atom| known.contains(&atom).then_some(true);
        assert_eq!(parser.formulas.evaluate(guard, &value), expect, "{input}");
    }
}

#[test]
fn a_switch_is_mentioned_with_all_its_edges() {
    let mut parser = Parser::new(Formulas::new());
    let guard = parser.parse("b ∧ (¬a ∨ x1)");
    let names: Vec<String> = parser.formulas.atoms(guard).into_iter().map(name).collect();
    assert_eq!(names, ["a", "b", "x0", "x1", "x2"]);
}

#[test]
fn ids_print_their_rooms() {
    let mut formulas = Formulas::new();
    let guard = formulas.atom(AtomId(7));
    assert_eq!(format!("{} {}", guard, AtomId(7)), "g4 a7");
    assert_eq!(formulas.not(guard).to_string(), "g5");
}
