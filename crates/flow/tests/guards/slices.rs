//! Guards of whole slices: through calls, returns, memory and joins.

use caulk_flow::{
    Atoms, End, GuardOptions, Guards, Node, Precision, Reachability, Roots, Slice, Sources,
    condition, slice_decisions, slice_guards,
};
use caulk_guard::text::Text;

use crate::facts::Facts;

const LIBRARY: &str = "void *malloc(unsigned long); void free(void *);\n";

/// For each release of the first allocation, the condition under which it happens.
fn releases(c: &str) -> Vec<String> {
    let module = caulk_testkit::module("case.c", &format!("{LIBRARY}{c}"));
    Facts::new(vec![module]).with(|flow, names| {
        let program = names.input.program;
        let atoms = Atoms::new(program);
        let source = &Sources::new(flow).allocations.rows()[0].clone();
        let reachability = Reachability::new(flow, Precision::Full, 10_000);
        let reach = reachability.forward(&source.nodes).expect("small");
        let forward = Slice::forward(reachability.graph(), &reach);
        let decisions = slice_decisions(flow, &atoms, &forward, Roots::default());
        let slice = forward.to_sinks();
        let mut guards = Guards::new(program, &atoms, GuardOptions::default());
        let found = slice_guards(&mut guards, flow, &slice, &decisions);
        let name = |atom| {
            let text = condition(program, &atoms, atom, true).text;
            text.trim_end_matches(" != 0").to_string()
        };
        let sinks =
            slice.nodes().iter().filter(|(_, node)| matches!(node, Node::End(_, _, End::Released)));
        sinks
            .map(|(id, _)| Text::new(&guards.formulas, found[id.0 as usize], &name).to_string())
            .collect()
    })
}

#[test]
fn an_argument_asks_for_its_call() {
    let c = "static void drop(void *p) { if (p) free(p); }
        void f(int k) { void *p = malloc(1); if (k) drop(p); }";
    assert_eq!(releases(c), ["k"]);
}

#[test]
fn a_callee_adds_its_own_condition() {
    let c = "static void drop(void *p, int d) { if (d) free(p); }
        void f(int k) { void *p = malloc(1); if (k) drop(p, k); }";
    assert_eq!(releases(c), ["d ∧ k"]);
}

#[test]
fn a_result_asks_for_its_return() {
    let c = "static void *pick(void *p, int d) { if (d) return p; return 0; }
        void f(int k) { void *p = malloc(1); void *q = pick(p, k); free(q); }";
    assert_eq!(releases(c), ["d"]);
}

#[test]
fn a_join_asks_for_its_edge() {
    let c = "void f(int k) { char *p = malloc(1); if (k) p = 0; free(p); }";
    assert_eq!(releases(c), ["¬k"]);
}

#[test]
fn memory_carries_conditions_too() {
    let c = "struct s { void *buf; }; void g(struct s *);
        void f(int k) { struct s s; s.buf = malloc(1); if (k) free(s.buf); }";
    assert_eq!(releases(c), ["k"]);
    let c = "struct s { void *buf; };
        void f(int k, int d) { struct s s; s.buf = malloc(1); if (k) s.buf = 0;
            if (d) free(s.buf); }";
    assert_eq!(releases(c), ["¬k ∧ d"]);
}

#[test]
fn recursion_is_taken_once() {
    let c = "static void drop(void *p, int d) { if (d) drop(p, d - 1); else free(p); }
        void f(void) { drop(malloc(1), 3); }";
    assert_eq!(releases(c), ["¬d"]);
}
