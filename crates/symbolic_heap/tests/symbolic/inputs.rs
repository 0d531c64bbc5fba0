//! Inputs that fulfil the condition of a leak: the run with them leaks.

use crate::common::{leaked_by_line, run_main, with_analysis};
use caulk_symbolic_heap::Options;

const START: &str = "void *malloc(unsigned long);\nvoid free(void *);\n";

/// The inputs that are told for the first leak of `f`.
fn inputs_of(body: &str) -> Option<Vec<i128>> {
    let c = format!("{START}{body}");
    with_analysis(&c, "f", &Options::default(), |evaluator, analysis| {
        assert_eq!(analysis.stop.clone(), None, "{body}");
        let leak = analysis.leaks.first().expect("a leak").clone();
        evaluator.inputs_for(&leak).map(|rows| rows.into_iter().map(|row| row.1).collect())
    })
}

/// They are found, and a run of `f` with them leaks what line 4 makes.
fn leaks_with_its_inputs(body: &str) {
    let inputs = inputs_of(body).expect("inputs");
    let args: Vec<String> = inputs.iter().map(|value| format!("{value}L")).collect();
    let main = format!("int main(void) {{ f({}); return 0; }}\n", args.join(", "));
    let leaked = leaked_by_line(&run_main(&format!("{START}{body}{main}")));
    assert_eq!(leaked.get(&4), Some(&1), "{inputs:?} {body}");
}

#[test]
fn small_numbers_are_tried_first() {
    let body = "void f(long n) {\n char *p = malloc(8);\n if (n < 3) free(p); }\n";
    assert_eq!(inputs_of(body), Some(vec![3]));
    leaks_with_its_inputs(body);
}

#[test]
fn an_equation_of_large_numbers_is_solved() {
    leaks_with_its_inputs(
        "void f(long n, long m) {\n char *p = malloc(8);\n \
         if (7 * n - 3 * m != 12345 || m < 5001) free(p); }\n",
    );
}

#[test]
fn three_inputs_that_hang_together_are_solved() {
    leaks_with_its_inputs(
        "void f(long a, long b, long c) {\n char *p = malloc(8);\n \
         if (a + b + c != 977 || a - b != 31 || c < 400 || b < 200) free(p); }\n",
    );
}

#[test]
fn products_and_rests_are_solved() {
    leaks_with_its_inputs(
        "void f(long a, long b) {\n char *p = malloc(8);\n \
         if (a * b != 8633 || a < 2 || b < 2 || a > b) free(p); }\n",
    );
    leaks_with_its_inputs(
        "void f(long a) {\n char *p = malloc(8);\n if (a % 641 != 77 || a < 6000) free(p); }\n",
    );
}

/// x² = 2 has no whole solution: the leak is told without an example.
#[test]
fn what_cannot_be_fulfilled_has_no_inputs() {
    let body = "void f(long a) {\n char *p = malloc(8);\n if (a * a != 2) free(p); }\n";
    assert_eq!(inputs_of(body), None);
}
