//! What is leaked, and where its last reference died.

mod common;

use caulk_interp::{Leak, RunOptions, Status};
use common::main_with;

fn leaks(body: &str) -> Vec<Leak> {
    let options = RunOptions { watch_heap: true, ..RunOptions::default() };
    let outcome = main_with(body, options);
    assert_eq!(outcome.status, Status::Exit(0));
    let unwatched = main_with(body, RunOptions::default());
    assert_eq!(unwatched.leaks.len(), outcome.leaks.len(), "watching changes no verdict");
    outcome.leaks
}

const VAR: &str = "  var x0:p t2 in sc0 values\n";

#[test]
fn freed_and_global_cells_are_not_leaked() {
    assert!(
        leaks("b0:\n  v0 = call c0 f0:malloc(i64 4)\n  call c1 f1:free(v0)\n  return i32 0\n")
            .is_empty()
    );
    assert!(leaks("b0:\n  v0 = call c0 f0:malloc(i64 4)\n  v1 = field v0, +2\n  store v1 -> o0:global\n  return i32 0\n").is_empty());
}

#[test]
fn a_cell_dies_with_the_variable_that_held_it() {
    let body = format!(
        "{VAR}b0:\n  v0 = call c0 f0:malloc(i64 4) @file0:2:1-3\n  set x0:p = v0\n  set x0:p = null @file0:5:1-3\n  return i32 0\n"
    );
    let found = leaks(&body);
    assert_eq!((found.len(), found[0].size, found[0].indirect), (1, 4, false));
    assert_eq!(found[0].allocated[0].line, 2);
    let lost = found[0].lost.as_ref().expect("a place of death");
    assert_eq!((lost.stack[0].line, lost.held_by.as_str()), (5, "p"));
}

#[test]
fn a_cell_dies_when_its_global_is_overwritten() {
    let found = leaks(
        "b0:\n  v0 = call c0 f0:malloc(i64 4)\n  store v0 -> o0:global\n  store null -> o0:global @file0:8:1-2\n  return i32 0\n",
    );
    let lost = found[0].lost.as_ref().expect("a place of death");
    assert_eq!((lost.stack[0].line, lost.held_by.as_str()), (8, "global"));
}

#[test]
fn what_a_leaked_cell_holds_leaks_indirectly() {
    let found = leaks(
        "b0:\n  v0 = call c0 f0:malloc(i64 8)\n  v1 = call c1 f0:malloc(i64 4)\n  store v1 -> v0\n  return i32 0\n",
    );
    let kinds: Vec<(u64, bool)> = found.iter().map(|leak| (leak.size, leak.indirect)).collect();
    assert_eq!(kinds, [(8, false), (4, true)]);
    assert_eq!([found[0].with, found[1].with], [None, Some(0)]);
}

#[test]
fn of_cells_that_hold_each_other_the_first_leads_to_the_others() {
    let found = leaks(
        "b0:\n  v0 = call c0 f0:malloc(i64 8)\n  v1 = call c1 f0:malloc(i64 8)\n  store v1 -> v0\n  store v0 -> v1\n  v2 = call c2 f0:malloc(i64 4)\n  return i32 0\n",
    );
    let with: Vec<Option<usize>> = found.iter().map(|leak| leak.with).collect();
    assert_eq!(with, [None, Some(0), None]);
}

#[test]
fn variables_of_live_activations_are_roots_at_exit() {
    let body = format!(
        "{VAR}b0:\n  v0 = call c0 f0:malloc(i64 4)\n  set x0:p = v0\n  call c1 f2:exit(i32 0)\n  return i32 0\n"
    );
    assert!(leaks(&body).is_empty());
    let body = format!(
        "{VAR}b0:\n  v0 = call c0 f0:malloc(i64 4)\n  set x0:p = v0\n  set x0:p = null\n  call c1 f2:exit(i32 0)\n  return i32 0\n"
    );
    assert_eq!(leaks(&body).len(), 1);
}

#[test]
fn the_nth_allocation_fails() {
    let body = "b0:\n  v0 = call c0 f0:malloc(i64 4)\n  v1 = call c1 f0:malloc(i64 4)\n  v2 = eq v1, null\n  v3 = zext v2 to i32\n  return v3\n";
    let options = RunOptions { fail_alloc: Some(2), ..RunOptions::default() };
    assert_eq!(main_with(body, options).status, Status::Exit(1));
}

#[test]
fn a_trace_tells_allocations_accesses_and_calls() {
    let lines = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let sink = lines.clone();
    let tell = Box::leak(Box::new(move |fact: &caulk_interp::Fact| {
        sink.borrow_mut().push(fact.to_json());
    }));
    let options = RunOptions { trace: Some(tell), ..RunOptions::default() };
    let body = "b0:\n  v0 = call c0 f0:malloc(i64 8)\n  v1 = field v0, +4\n  store i32 1 -> v1 @file0:3:1-2\n  return i32 0\n";
    assert_eq!(main_with(body, options).status, Status::Exit(0));
    let lines = lines.borrow();
    assert!(lines[0].starts_with("{\"fact\":\"call\",\"callee\":\"malloc\""), "{lines:?}");
    assert!(lines[1].starts_with("{\"fact\":\"alloc\""), "{lines:?}");
    assert!(
        lines[2].contains("\"offset\":4,\"size\":4") && lines[2].contains("\"line\":3"),
        "{lines:?}"
    );
}
