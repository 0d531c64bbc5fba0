//! Random structured C, with loops of all kinds and `goto`: as brute force, through the front end.

use std::fmt::Write;

use caulk_flow::{Atoms, Decisions, Guards, Target};
use caulk_program::{LinkUnit, link};

use crate::oracle::Oracle;
use crate::random::{PROC, Random, each_choice, evaluate, random_point, unlimited};

struct Writer {
    random: Random,
    text: String,
    tests: usize,
    left: usize,
}

impl Writer {
    fn test(&mut self) -> String {
        self.tests += 1;
        format!("c({})", self.tests)
    }

    fn block(&mut self, in_loop: bool, depth: usize) {
        self.text.push('{');
        for _ in 0..1 + self.random.below(3) {
            self.statement(in_loop, depth);
        }
        self.text.push('}');
    }

    fn statement(&mut self, in_loop: bool, depth: usize) {
        if self.left == 0 || depth > 3 {
            return self.text.push_str("use();");
        }
        self.left -= 1;
        let test = self.test();
        match self.random.below(11) {
            0..4 => {
                let _ = write!(self.text, "if ({test}) ");
                self.block(in_loop, depth + 1);
                if self.random.percent(40) {
                    self.text.push_str(" else ");
                    self.block(in_loop, depth + 1);
                }
            }
            4 | 5 => {
                let _ = write!(self.text, "while ({test}) ");
                self.block(true, depth + 1);
            }
            6 => {
                self.text.push_str("do ");
                self.block(true, depth + 1);
                let _ = write!(self.text, " while ({test});");
            }
            7 => {
                self.text.push_str("for (;;) ");
                self.block(true, depth + 1);
            }
            8 if in_loop => {
                let leave = if self.random.percent(50) { "break" } else { "continue" };
                let _ = write!(self.text, "if ({test}) {leave};");
            }
            9 => {
                let _ = write!(self.text, "if ({test}) goto out;");
            }
            _ => {
                let end = if self.random.percent(70) { "return" } else { "die()" };
                let _ = write!(self.text, "if ({test}) {end};");
            }
        }
    }
}

fn random_c(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed), text: String::new(), tests: 0, left: 7 };
    writer.block(false, 0);
    let declarations = "int c(int); void use(void); void die(void) __attribute__((noreturn));";
    format!("{declarations} void f(void) {{ {} out: use(); }}", writer.text)
}

#[test]
fn random_functions_as_brute_force() {
    let (mut complete, mut formulas) = (0, 0);
    for seed in 0..200 {
        let c = random_c(seed);
        let module = caulk_testkit::module("random.c", &c);
        let program = link(vec![LinkUnit { module, target: None }]);
        let atoms = Atoms::new(&program);
        let body = program.body(PROC);
        let mut random = Random::new(seed ^ 0xabcd);
        let mut guards = Guards::new(&program, &atoms, unlimited());
        for _ in 0..6 {
            let (from, to) = (random_point(&mut random, body), random_point(&mut random, body));
            let to = Target::Point(to);
            let guard = guards.cguard(PROC, from, &to, &Decisions::default());
            let oracle = Oracle::new(body, from, &to);
            let mut done = true;
            each_choice(&mut random, body, |choices| match oracle.holds(choices) {
                Ok(expected) => {
                    let actual = evaluate(&guards.formulas, &atoms, guard, choices);
                    assert_eq!(actual, Some(expected), "seed {seed}, {from:?} to {to:?}\n{c}");
                }
                Err(_) => done = false,
            });
            complete += u32::from(done);
            formulas += u32::from(done && !guards.formulas.atoms(guard).is_empty());
        }
    }
    assert!(complete > 900 && formulas > 150, "{complete} {formulas}");
}
