//! The commutativity property of section 2: a program evaluated symbolically, with the input put into
//! the result, gives what running it gives: the value that the function returns, and the records that it
//! loses. Random small programs, each with many inputs.

use std::fmt::Write;

use std::collections::BTreeSet;

use crate::common::{ByLine, inputs, leaked_by_line, run_main, run_with, with_analysis};
use caulk_interp::Program;
use caulk_symbolic_heap::Options;
use caulk_symbolic_heap::space::{AtomKind, Symbol};
use caulk_symbolic_heap::state::{Evaluator, Exit};
use caulk_testkit::Random;

const PROGRAMS: u64 = 120;
const A: std::ops::Range<i128> = -2..7;
const B: std::ops::Range<i128> = -2..3;

const START: &str = "void *malloc(unsigned long);\nvoid free(void *);\n\
    int printf(const char *, ...);\n\
    struct cell { int item; struct cell *next; };\n";

/// What the symbolic result says for an input: a value, or that it cannot tell.
#[derive(Debug, PartialEq, Eq)]
enum Says {
    Value(i128),
    CannotTell,
}

#[test]
fn results_with_the_input_put_in_are_those_of_a_run() {
    let (mut pairs, mut told) = (0, 0);
    for seed in 0..PROGRAMS {
        let c = program(&mut Random::new(seed + 1));
        let ran = run_all(&c);
        let says = evaluate_all(&c);
        for ((input, value), said) in ran.iter().zip(says) {
            pairs += 1;
            if let Says::Value(said) = said {
                told += 1;
                assert_eq!(said, *value, "seed {seed}, input {input:?}\n{c}");
            }
        }
    }
    println!("{pairs} pairs, {told} told");
    assert!(pairs >= 4000, "only {pairs} pairs");
    assert!(told * 10 >= pairs * 8, "only {told} of {pairs} are told");
}

/// With lists that lose and free some of their cells.
#[test]
fn records_that_are_lost_with_the_input_put_in_are_those_of_a_run() {
    let (mut pairs, mut told) = (0, 0);
    for seed in 0..PROGRAMS {
        let c = list_program(&mut Random::new(seed + 1));
        let module = caulk_testkit::module("case.c", &format!("{c}{MAIN}"));
        let program = Program::link(vec![module]).expect("a program");
        for ((number, input), said) in all_inputs().iter().enumerate().zip(lose_all(&c)) {
            pairs += 1;
            let Some(said) = said else { continue };
            let ran = leaked_by_line(&run_with(&program, number));
            assert_eq!(said, ran, "seed {seed}, input {input:?}\n{c}");
            told += 1;
        }
    }
    println!("{pairs} pairs, {told} told");
    assert!(pairs >= 4000, "only {pairs} pairs");
    assert!(told * 2 >= pairs, "only {told} of {pairs} are told");
}

/// The number of its arguments says which of the inputs is meant.
const MAIN: &str = "struct cell *kept;\nint main(int count, char **words) {
    kept = f((count - 1) / 5 - 2, (count - 1) % 5 - 2);
    return 0; }\n";
/// The records that are lost with each input, where that is decided.
fn lose_all(c: &str) -> Vec<Option<ByLine>> {
    with_analysis(c, "f", &Options::default(), |evaluator, analysis| {
        let symbols = inputs(evaluator);
        let is_exact = analysis.stop.is_none()
            && !analysis.unclear
            && analysis.exits.iter().all(|it| it.context.approximate.is_none())
            && analysis.leaks.iter().all(|it| it.approximate.is_none());
        let one = |(a, b): (i128, i128)| {
            let mut records = BTreeSet::new();
            for leak in analysis.leaks.iter().filter(|_| is_exact) {
                let line = evaluator.line(evaluator.sites[leak.site].at)?;
                let turns = evaluator.lost_with(leak, &[(symbols[0], a), (symbols[1], b)], 64)?;
                records.extend(turns.into_iter().map(|turns| (line, leak.site, turns)));
            }
            let mut lines = ByLine::new();
            records.iter().for_each(|it| *lines.entry(it.0).or_default() += 1);
            is_exact.then_some(lines)
        };
        all_inputs().into_iter().map(one).collect()
    })
}

/// A function that makes, drops and frees cells of a list, and returns what is left.
fn list_program(random: &mut Random) -> String {
    let mut text = format!("{START}struct cell *f(int a, int b) {{\n    struct cell *head = 0;\n");
    for number in 0..2 + random.below(3) {
        let limit = random.pick(&["a", "b", "a + b", "3"]);
        let when = condition(random, &["a", "b", "a + b"], &["0", "2", "b"]);
        let c = format!("c{number}");
        let line = match random.below(7) {
            0 | 1 => format!(
                "for (int i = 0; i < {limit}; i++) {{ struct cell *{c} = malloc(16);\n \
                 {c}->next = head; head = {c}; }}"
            ),
            2 => format!(
                "for (int i = 0; i < {limit}; i++) {{ struct cell *{c} = malloc(16);\n \
                 if (i != 1) free({c}); }}"
            ),
            3 => format!(
                "if ({when}) {{ struct cell *{c} = malloc(16);\n {c}->next = head; head = {c}; }}"
            ),
            4 => format!("if ({when}) head = 0;"),
            5 => format!("if (head) {{ struct cell *{c} = head->next; free(head); head = {c}; }}"),
            _ => {
                format!("while (head) {{ struct cell *{c} = head->next; free(head); head = {c}; }}")
            }
        };
        let _ = writeln!(text, "    {line}");
    }
    text.push_str(random.pick(&["    return head;\n}\n", "    return 0;\n}\n"]));
    text
}

fn all_inputs() -> Vec<(i128, i128)> {
    A.flat_map(|a| B.map(move |b| (a, b))).collect()
}

fn run_all(c: &str) -> Vec<((i128, i128), i128)> {
    let mut main = String::from("int main(void) {\n");
    for (a, b) in all_inputs() {
        let _ = writeln!(main, "    printf(\"%d\\n\", f({a}, {b}));");
    }
    let outcome = run_main(&format!("{c}{main}    return 0;\n}}\n"));
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let values: Vec<i128> = text.lines().map(|line| line.parse().expect("a number")).collect();
    assert_eq!(values.len(), all_inputs().len(), "{:?}\n{c}", outcome.status);
    all_inputs().into_iter().zip(values).collect()
}

fn evaluate_all(c: &str) -> Vec<Says> {
    let options = Options { inputs_may_alias: true, ..Options::default() };
    with_analysis(c, "f", &options, |evaluator, analysis| {
        let symbols = inputs(evaluator);
        let one = |(a, b): (i128, i128)| {
            if analysis.stop.is_some() {
                return Says::CannotTell;
            }
            let values = [(symbols[0], a), (symbols[1], b)];
            value_with(evaluator, &analysis.exits, &values)
        };
        all_inputs().into_iter().map(one).collect()
    })
}

/// The value at the one exit whose conditions hold.
fn value_with(evaluator: &Evaluator<'_>, exits: &[Exit], values: &[(Symbol, i128)]) -> Says {
    let of_atom = |kind: &AtomKind| match kind {
        AtomKind::Symbol(symbol) => values.iter().find(|it| it.0 == *symbol).map(|it| it.1),
        AtomKind::Cell { .. } => Some(4096),
        _ => None,
    };
    let space = &evaluator.space;
    let mut said = Vec::new();
    for exit in exits {
        let mut state = Some(true);
        for &condition in &exit.context.facts.conditions {
            state = match (state, space.holds(condition, &of_atom)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (None, _) | (_, None) => None,
                _ => Some(true),
            };
        }
        match (state, exit.value.and_then(|value| space.evaluate(value, &of_atom))) {
            (Some(false), _) => {}
            (Some(true), Some(value)) if exit.context.approximate.is_none() => said.push(value),
            _ => return Says::CannotTell,
        }
    }
    assert_eq!(said.len(), 1, "one exit is taken with {values:?}");
    Says::Value(said[0])
}

/// A function of two numbers: assignments, branches, loops and a list.
fn program(random: &mut Random) -> String {
    let mut text =
        format!("{START}int f(int a, int b) {{\n    int x = {}, y = b;\n", random.below(5));
    text.push_str("    struct cell *head = 0;\n");
    for depth in 0..2 + random.below(3) {
        statement(random, depth, &mut text);
    }
    text.push_str("    return x + 2 * y;\n}\n");
    text
}

fn statement(random: &mut Random, number: usize, text: &mut String) {
    let (simple, turn) = (self::simple(random, "b"), self::simple(random, "i"));
    let line = match random.below(7) {
        0 => simple,
        1 => {
            let otherwise = self::simple(random, "a");
            let condition = condition(random, &["a", "x", "a + b"], &["0", "2", "b", "y"]);
            format!("if ({condition}) {{ {simple} }} else {{ {otherwise} }}")
        }
        2 => format!("for (int i = 0; i < a; i++) {{ {turn} }}"),
        3 => {
            let (first, step) = (random.below(3), 1 + random.below(3));
            format!("for (int i = {first}; i <= a + b; i += {step}) {{ {turn} }}")
        }
        4 => {
            let item = random.pick(&["i", "2 * i + b", "i * i", "x"]);
            let c = format!("c{number}");
            format!(
                "for (int i = 0; i < a; i++) {{ struct cell *{c} = malloc(16); \
                {c}->item = {item}; {c}->next = head; head = {c}; }}"
            )
        }
        5 => String::from("if (head) { x = head->item; if (head->next) y = head->next->item; }"),
        _ => format!(
            "switch (b) {{ case 0: {simple} break; case 1: y = 3; break; default: x = x - b; }}"
        ),
    };
    let _ = writeln!(text, "    {line}");
}

fn simple(random: &mut Random, other: &str) -> String {
    let operand = random.pick(&["1", "3", "a", "b"]);
    match random.below(6) {
        0 => format!("x = x + {operand};"),
        1 => format!("y = y - {operand};"),
        2 => format!("x = x + {other};"),
        3 => format!("y = {other};"),
        4 => format!("x = y; y = {operand};"),
        _ => format!("x = {other} + {operand};"),
    }
}

fn condition(random: &mut Random, left: &[&str], right: &[&str]) -> String {
    let right = random.pick(right);
    format!("{} {} {right}", random.pick(left), random.pick(&["<", ">=", "==", "!="]))
}
