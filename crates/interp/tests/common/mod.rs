//! Programs in ir text for the tests: a prelude with types and library functions, then bodies.

#![allow(dead_code, reason = "each test file uses a part")]

use caulk_interp::{FaultKind, Outcome, Program, RunOptions, Status, run};

const PRELUDE: &str = r#"module "t.c" format 1
target "x86_64-linux-gnu" pointer 8 little
file0 "t.c"
t0 = void
t1 = i32.s
t2 = ptr t0
t3 = i64.u
t4 = f64
t5 = i8.s
t6 = array 24 t5
t7 = i128.s
t8 = f80
sig0 () -> t1
sig1 (t3) -> t2
sig2 (t2) -> t0
sig3 (t1) -> t0
sig4 (t1, ...) -> t1
sig5 (t2) -> t1
o0:global external defined variable t2 size 8 align 8
o1:fixed internal defined variable t1 size 4 align 4 const {
  bytes "\x07\0\0\0"
}
declare f0:malloc external sig1
declare f1:free external sig2
declare f2:exit external sig3
declare f3:mystery external sig0
declare f4:_setjmp external sig5
"#;

/// The module of some definitions, the first of which is `f5`; it must verify.
pub fn program(definitions: &str) -> Program {
    let text = format!("{PRELUDE}{definitions}");
    let module = caulk_ir::parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let violations = caulk_ir::verify::module(&module);
    assert!(violations.is_empty(), "{}", violations[0]);
    Program::link(vec![module]).expect("a 64-bit program links")
}

/// Runs a `main` with this body.
pub fn main_with(body: &str, options: RunOptions<'static>) -> Outcome {
    let definition = format!("define f5:main external sig0 {{\n  scope sc0\n{body}}}\n");
    outcome(&definition, options)
}

pub fn outcome(definitions: &str, options: RunOptions<'static>) -> Outcome {
    let program = Box::leak(Box::new(program(definitions)));
    run(program, options)
}

/// Checks what a `main` with this body returns.
#[track_caller]
pub fn returns(body: &str, code: i32) {
    let status = main_with(body, RunOptions::default()).status;
    assert_eq!(status, Status::Exit(code), "{body}");
}

/// Checks that a `main` with this body ends in a fault.
#[track_caller]
pub fn faults(body: &str, kind: FaultKind) {
    match main_with(body, RunOptions::default()).status {
        Status::Error(report) => {
            assert_eq!(report.kind, kind, "{}", report.message);
            assert_eq!(report.stack.last().map(|place| place.function.as_str()), Some("main"));
        }
        other => panic!("{other:?} instead of {kind:?}"),
    }
}
