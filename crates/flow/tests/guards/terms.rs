//! Decisions in the words of the source.

use caulk_flow::condition;
use caulk_guard::AtomId;

use crate::cases::Unit;

fn terms(c: &str) -> Vec<String> {
    let unit = Unit::of(c);
    let atoms = unit.atoms.of_proc(unit.proc).map(AtomId);
    let both = |atom| {
        let text = |holds| condition(&unit.program, &unit.atoms, atom, holds).to_string();
        format!("{} | {}", text(true), text(false))
    };
    atoms.map(both).collect()
}

#[test]
fn conditions_are_told_with_names() {
    let c = "struct s { int n; struct s *next; int a[4]; }; int g;
        void f(struct s *s, int k) { struct s l; use(&l); char *q = malloc(1);
            if (q == 0) return;
            if (s->next->n > 3 && g) return;
            if (l.n & 1) return;
            if (s->a[k]) return;
            if (c(3)) return;
            if (*q != 'x') return; }";
    let expected = [
        "q == NULL at case.c:3 | q != NULL at case.c:3",
        "s->next->n > 3 at case.c:4 | s->next->n <= 3 at case.c:4",
        "g != 0 at case.c:4 | g == 0 at case.c:4",
        "(l.n & 1) != 0 at case.c:5 | (l.n & 1) == 0 at case.c:5",
        "s->a[k] != 0 at case.c:6 | s->a[k] == 0 at case.c:6",
        "c() != 0 at case.c:7 | c() == 0 at case.c:7",
        "*q != 120 at case.c:8 | *q == 120 at case.c:8",
    ];
    assert_eq!(terms(c), expected);
}

#[test]
fn switches_name_their_cases() {
    let c = "void f(int k) { switch (k) { case 1: use(0); break; case 4 ... 6: use(0); } }";
    let expected = [
        "k == 1 at case.c:1 | k != 1 at case.c:1",
        "k == 4...6 at case.c:1 | k != 4...6 at case.c:1",
        "k is none of the cases at case.c:1 | k is one of the cases at case.c:1",
    ];
    assert_eq!(terms(c), expected);
}

#[test]
fn a_macro_is_shown_where_it_is_used() {
    let c = "#define FAILED q == 0\n\nvoid f(void) { char *q = malloc(1);\n  if (FAILED) return; }";
    let unit = Unit::of(c);
    let found =
        condition(&unit.program, &unit.atoms, AtomId(unit.atoms.of_proc(unit.proc).start), true);
    assert_eq!(found.to_string(), "q == NULL at case.c:4");
    assert_eq!(found.spelled.as_deref(), Some("case.c:1"));
}
