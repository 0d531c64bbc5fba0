//! F9: which tests are decided while the allocated cell is followed.

use caulk_flow::{Held, decided_tests};

use crate::cases::Unit;

/// The outcomes of the branches of `f`, by source order: 1 decided true, 0 false, ? not decided.
fn outcomes(c: &str, may_hold: &[&str]) -> String {
    let unit = Unit::of(c);
    let body = unit.program.body(unit.proc);
    let names = &unit.program.module_of(unit.proc).names;
    let root = unit.result(unit.calls("malloc")[0]);
    let may_hold = |value: caulk_ir::ValueId| {
        let var = body.values[value].var.map(|var| names.text(body.vars[var].name));
        value == root || var.is_some_and(|name| may_hold.contains(&name))
    };
    let decided = decided_tests(body, &Held { roots: &[root], may_hold: &may_hold });
    let mut text = String::new();
    for (id, block) in body.blocks.iter() {
        if matches!(block.terminator, caulk_ir::Terminator::Branch { .. }) {
            let found = decided.iter().find(|entry| entry.0 == id);
            text.push(found.map_or('?', |entry| if entry.1 { '1' } else { '0' }));
        }
    }
    text
}

#[test]
fn tests_against_null() {
    let test = |condition: &str| {
        let c = "void f(int k, char *q) { char *p = malloc(1);";
        outcomes(&format!("{c} if ({condition}) use(p); }}"), &[])
    };
    assert_eq!(test("p"), "1");
    // `!p` is a branch on `p` with its edges exchanged.
    assert_eq!(test("!p"), "1");
    assert_eq!(test("p == 0"), "0");
    assert_eq!(test("p != 0"), "1");
    assert_eq!(test("0 == p"), "0");
    assert_eq!(test("p == (void *)-1"), "0");
    assert_eq!(test("(unsigned long)p == 0"), "0");
    assert_eq!(test("p + 1"), "1");
    assert_eq!(test("((int *)p)"), "1");
    assert_eq!(test("__builtin_expect(!!(p == 0), 0)"), "0");
    assert_eq!(test("p == q"), "0");
    assert_eq!(test("q == 0"), "?");
    assert_eq!(test("k"), "?");
    assert_eq!(test("p > (char *)0"), "1");
}

#[test]
fn truth_values_carry_the_test() {
    let c = "void f(int k) { char *p = malloc(1); int x = p == 0; int y = !x;";
    assert_eq!(
        outcomes(&format!("{c} if (x) use(p); if (y) use(p); if (!y) use(p); }}"), &[]),
        "011"
    );
    assert_eq!(outcomes(&format!("{c} if (x & k) use(p); if (x | k) use(p); }}"), &[]), "0?");
}

#[test]
fn what_may_hold_the_cell_may_equal_it() {
    let c = "void f(char *q) { char *p = malloc(1); if (p == q) use(p); }";
    assert_eq!(outcomes(c, &["q"]), "?");
    let c = "void f(char *q) { char *p = malloc(1); char *e = p + 4; if (p == e) use(p); }";
    assert_eq!(outcomes(c, &[]), "?");
}

#[test]
fn a_join_holds_the_cell_if_all_its_values_do() {
    let mixed = "void f(int k) { char *p = malloc(1); char *q = p; if (k) q = 0; if (q) use(q); }";
    assert_eq!(outcomes(mixed, &[]), "??");
    let moved =
        "void f(int k) { char *p = malloc(1); char *q = p; if (k) q = p + 1; if (q) use(q); }";
    assert_eq!(outcomes(moved, &[]), "?1");
    let walked =
        "void f(int k) { char *p = malloc(1); char *q = p; while (c(1)) q++; if (q) use(q); }";
    assert_eq!(outcomes(walked, &[]), "?1");
}
