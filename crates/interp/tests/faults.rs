//! One small program per kind of report.

mod common;

use caulk_interp::{FaultKind, RunOptions, Status, Uninitialised};
use common::{faults, main_with, outcome, returns};

const CELL: &str = "b0:\n  v0 = call c0 f0:malloc(i64 4)\n";

#[test]
fn bounds_are_checked_on_both_sides() {
    faults(
        &format!("{CELL}  v1 = field v0, +4\n  store i8 1 -> v1\n  return i32 0\n"),
        FaultKind::OutOfBounds,
    );
    faults(
        &format!("{CELL}  v1 = field v0, -1\n  v2 = load i8 v1\n  return i32 0\n"),
        FaultKind::OutOfBounds,
    );
    faults(
        &format!("{CELL}  v1 = field v0, +2\n  store i32 1 -> v1\n  return i32 0\n"),
        FaultKind::OutOfBounds,
    );
}

#[test]
fn dead_memory_is_recognised() {
    faults(
        &format!("{CELL}  call c1 f1:free(v0)\n  v1 = load i8 v0\n  return i32 0\n"),
        FaultKind::UseAfterFree,
    );
    faults(
        &format!("{CELL}  call c1 f1:free(v0)\n  call c2 f1:free(v0)\n  return i32 0\n"),
        FaultKind::DoubleFree,
    );
    faults(
        &format!("{CELL}  v1 = field v0, +1\n  call c1 f1:free(v1)\n  return i32 0\n"),
        FaultKind::InvalidFree,
    );
    faults(
        "  slot s0 t1 size 4 align 4\nb0:\n  call c0 f1:free(s0)\n  return i32 0\n",
        FaultKind::InvalidFree,
    );
    faults(
        "  scope sc1 in sc0\n  slot s0 t1 size 4 align 4 in sc1\n  slot s1 t2 size 8 align 8\nb0:\n  begin sc1\n  store i32 1 -> s0\n  store s0 -> s1\n  end sc1\n  v0 = load ptr s1\n  v1 = load i32 v0\n  return v1\n",
        FaultKind::UseAfterScope,
    );
}

#[test]
fn bad_addresses_are_told_apart() {
    faults("b0:\n  v0 = load i32 null\n  return v0\n", FaultKind::NullDereference);
    faults(
        "b0:\n  v0 = inttoptr i64 123456789 to ptr\n  v1 = load i32 v0\n  return v1\n",
        FaultKind::WildPointer,
    );
    faults("b0:\n  store i32 1 -> o1:fixed\n  return i32 0\n", FaultKind::WriteToConstant);
}

#[test]
fn undefined_values_may_be_copied_but_not_decide() {
    let slots = "  slot s0 t1 size 4 align 4\n  slot s1 t1 size 4 align 4\n";
    returns(&format!("{slots}b0:\n  v0 = load i32 s0\n  store v0 -> s1\n  return i32 0\n"), 0);
    let branch = format!(
        "{slots}b0:\n  v0 = load i32 s0\n  v1 = eq v0, i32 3\n  branch v1 ? b1 : b2\nb1:\n  return i32 1\nb2:\n  return i32 2\n"
    );
    faults(&branch, FaultKind::Uninitialised);
    faults(
        &format!("{slots}b0:\n  v0 = load i32 s0\n  call c0 f2:exit(v0)\n  return i32 0\n"),
        FaultKind::Uninitialised,
    );
    // The low byte is known, and alone it tells the numbers apart.
    returns(
        &format!(
            "{slots}b0:\n  store i8 1 -> s0\n  v0 = load i32 s0\n  v1 = eq v0, i32 2\n  branch v1 ? b1 : b2\nb1:\n  return i32 1\nb2:\n  return i32 2\n"
        ),
        2,
    );
    let options = RunOptions { uninitialised: Uninitialised::Report, ..RunOptions::default() };
    let outcome = main_with(&branch, options);
    assert_eq!((outcome.status, outcome.reports.len()), (Status::Exit(2), 1));
}

#[test]
fn integers_trap() {
    faults("b0:\n  v0 = div.s i32 1, i32 0\n  return v0\n", FaultKind::DivisionByZero);
    faults("b0:\n  v0 = rem.s i32 -2147483648, i32 -1\n  return v0\n", FaultKind::DivisionOverflow);
}

#[test]
fn control_does_not_go_astray() {
    faults("b0:\n  unreachable trap\n", FaultKind::Trap);
    faults("b0:\n  v0 = call c0 *null() sig0\n  return v0\n", FaultKind::BadCall);
    faults(
        "  label l0:a b1\nb0:\n  v0 = inttoptr i64 99 to ptr\n  goto v0 [b1]\nb1:\n  return i32 1\n",
        FaultKind::BadJump,
    );
}

#[test]
fn reports_name_the_allocation_and_the_free() {
    let body = format!(
        "{CELL}  call c1 f1:free(v0) @file0:7:3-9\n  v1 = load i8 v0 @file0:9:1-2\n  return i32 0\n"
    );
    let Status::Error(report) = main_with(&body, RunOptions::default()).status else {
        panic!("no fault")
    };
    assert_eq!((report.stack[0].line, report.stack[0].column), (9, 1));
    assert_eq!(report.freed.map(|stack| stack[0].line), Some(7));
}

#[test]
fn a_spoilt_jump_buffer_leads_nowhere() {
    let jump_with = |spoil: &str| {
        let main = format!(
            "declare f5:__builtin_longjmp external sig5\ndefine f6:main external sig0 {{\n  scope sc0\n  slot s0 t6 size 24 align 8\nb0:\n  v0 = call c0 f4:_setjmp(s0)\n  v1 = eq v0, i32 0\n  branch v1 ? b1 : b2\nb1:\n{spoil}  v3 = call c1 f5:__builtin_longjmp(s0)\n  return i32 1\nb2:\n  return i32 2\n}}\n"
        );
        outcome(&main, RunOptions::default()).status
    };
    assert_eq!(jump_with(""), Status::Exit(2));
    for word in [0, 8, 16] {
        let spoil = format!("  v2 = field s0, +{word}\n  store i64 99999 -> v2\n");
        let Status::Error(report) = jump_with(&spoil) else { panic!("no fault") };
        assert_eq!(report.kind, FaultKind::BadJump);
    }
}
