//! The examples of the papers, and what each rule of Figure 4 is for.

use caulk_flow::{Atoms, Decisions, GuardOptions, Guards, Held, Point, Target, condition, decide};
use caulk_guard::text::Text;
use caulk_guard::{Answer, GuardId, SatSolver, Solver};
use caulk_ir::{Callee, Inst, InstId, ValueId};
use caulk_program::{LinkUnit, ProcId, Program, link};

const LIBRARY: &str = "
    typedef unsigned long size_t;
    void *malloc(size_t); void free(void *); void use(void *); int c(int);
    void exit(int) __attribute__((noreturn));\n#line 1\n";

pub struct Unit {
    pub program: Program,
    pub atoms: Atoms,
    pub proc: ProcId,
}

impl Unit {
    pub fn of(c: &str) -> Self {
        let module = caulk_testkit::module("case.c", &format!("{LIBRARY}{c}"));
        let program = link(vec![LinkUnit { module, target: None }]);
        let atoms = Atoms::new(&program);
        let proc = program.procs.ids().last().expect("a function");
        Self { program, atoms, proc }
    }

    /// The calls of a function, in order.
    pub fn calls(&self, name: &str) -> Vec<InstId> {
        let (body, module) = (self.program.body(self.proc), self.program.module_of(self.proc));
        let calls = |inst: &InstId| match body.insts[*inst] {
            Inst::Call(call) => match body.calls[call].callee {
                Callee::Function(function) => module.function_name(function) == name,
                Callee::Pointer(_) => false,
            },
            _ => false,
        };
        body.insts.ids().filter(calls).collect()
    }

    pub fn result(&self, inst: InstId) -> ValueId {
        self.program.body(self.proc).results[inst].expect("a result")
    }

    /// The tests that are decided when the first `malloc` succeeds.
    pub fn decisions(&self) -> Decisions {
        let root = self.result(self.calls("malloc")[0]);
        let held = Held { roots: &[root], may_hold: &|value| value == root };
        let body = self.program.body(self.proc);
        Decisions::new(decide(&self.atoms, self.proc, body, &held))
    }

    pub fn text(&self, guards: &Guards<'_>, guard: GuardId) -> String {
        let name = |atom| {
            let text = condition(&self.program, &self.atoms, atom, true).text;
            let plain = text.trim_end_matches(" != 0");
            if plain.contains(' ') { format!("[{plain}]") } else { plain.to_string() }
        };
        Text::new(&guards.formulas, guard, &name).to_string()
    }
}

/// The guards from the first `malloc` to each `free`, and whether they cover all paths.
fn check_with(options: GuardOptions, c: &str, expected: &[&str], covers: bool) {
    let unit = Unit::of(c);
    let mut guards = Guards::new(&unit.program, &unit.atoms, options);
    let decisions = unit.decisions();
    let from = Point::Inst(unit.calls("malloc")[0]);
    let mut all = Vec::new();
    for sink in unit.calls("free") {
        let to = Target::Point(Point::Inst(sink));
        all.push(guards.cguard(unit.proc, from, &to, &decisions));
    }
    let texts: Vec<String> = all.iter().map(|&guard| unit.text(&guards, guard)).collect();
    assert_eq!(texts, expected);
    let freed = guards.formulas.or_all(all);
    assert_eq!(SatSolver::new().valid(&guards.formulas, freed), Some(covers));
}

fn check(c: &str, expected: &[&str], covers: bool) {
    check_with(GuardOptions::default(), c, expected, covers);
}

#[test]
fn saber_figure_8() {
    let c = "void f(int c1, int c2) { void *v = malloc(1);
        while (c1) { if (!c2) return; }
        free(v); }";
    check(c, &["¬c1 ∨ (c1 ∧ c2)"], false);
}

#[test]
fn fastcheck_figure_1() {
    let c = "int f(void) { int *p = malloc(4);
        if (p == 0) return -1;
        int *q = malloc(4);
        if (q == 0) return -1;
        free(p); free(q); return 0; }";
    check(c, &["¬[q == NULL]", "¬[q == NULL]"], false);
}

#[test]
fn fastcheck_section_3_2() {
    let c = "void f(int c) { int *p = malloc(4), *q;
        if (c) free(p); else { q = p; free(q); } }";
    check(c, &["c", "¬c"], true);
}

#[test]
fn fastcheck_figure_8_bash() {
    let c = "int f(int n, int km) { char *keys = malloc(n); int i;
        if (c(1)) { free(keys); return -1; }
        for (i = 0; i < n; i++) { int ic = keys[i];
            if (ic < 0 || ic >= km) return -1; }
        free(keys); return 0; }";
    let second = "¬c() ∧ (¬[i < n] ∨ ([i < n] ∧ ¬[ic < 0] ∧ ¬[ic >= km]))";
    check(c, &["c()", second], false);
}

/// The next round of the loop loses the cell: to pass the allocation again is to redefine.
#[test]
fn allocated_again_in_a_loop() {
    let c = "void f(void) { void *p;
        for (;;) { p = malloc(1); if (c(1)) break; }
        free(p); }";
    check(c, &["c()"], false);
}

#[test]
fn a_loop_in_between_does_not_matter() {
    let c = "void f(int n) { void *p = malloc(1);
        for (int i = 0; i < n; i++) { if (c(i)) continue; use(p); }
        do { use(p); } while (c(1));
        free(p); }";
    check(c, &["true"], true);
}

#[test]
fn a_switch_with_a_case_missing() {
    let c = "void f(int k) { void *p = malloc(1);
        switch (k) { case 1: case 2: free(p); break; case 3: return; default: free(p); } }";
    check(c, &["[k == 1] ∨ [k == 2]", "[k is none of the cases]"], false);
}

#[test]
fn more_rounds_reach_more() {
    let c = "void f(int a, int b, int d) { void *p = malloc(1);
        for (;;) { if (a) { if (b) continue; free(p); return; }
                   if (d) return; } }";
    let unit = Unit::of(c);
    let (from, to) = (unit.calls("malloc")[0], unit.calls("free")[0]);
    let guard = |loop_bound| {
        let options = GuardOptions { loop_bound, ..GuardOptions::default() };
        let mut guards = Guards::new(&unit.program, &unit.atoms, options);
        let to = Target::Point(Point::Inst(to));
        let guard = guards.cguard(unit.proc, Point::Inst(from), &to, &Decisions::default());
        unit.text(&guards, guard)
    };
    assert_eq!(guard(1), "(¬a ∧ ¬b ∧ ¬d) ∨ (a ∧ ¬b)");
    assert_eq!(guard(2), "a ∨ (¬a ∧ ¬d)");
}

/// A way that ends in `exit` is no leak, and no second free either.
#[test]
fn exit_is_an_end_of_its_own() {
    let c = "void f(void) { void *p = malloc(1);
        if (c(1)) { free(p); exit(1); }
        if (c(2)) exit(2);
        free(p); }";
    let unit = Unit::of(c);
    let mut guards = Guards::new(&unit.program, &unit.atoms, GuardOptions::default());
    let (none, from) = (Decisions::default(), Point::Inst(unit.calls("malloc")[0]));
    let frees: Vec<GuardId> = unit
        .calls("free")
        .into_iter()
        .map(|sink| guards.cguard(unit.proc, from, &Target::Point(Point::Inst(sink)), &none))
        .collect();
    let exits = guards.exits(unit.proc, from, &none);
    let mut solver = SatSolver::new();
    let twice = guards.formulas.and(frees[0], frees[1]);
    assert_eq!(solver.satisfiable(&guards.formulas, twice), Answer::Unsat);
    let safe = guards.formulas.or_all([frees[0], frees[1], exits]);
    assert_eq!(solver.valid(&guards.formulas, safe), Some(true));
}

/// p′ = φ(p, NULL): the value comes along one edge only.
#[test]
fn a_join_gets_the_value_along_its_edge() {
    let c = "void f(int k) { char *p = malloc(1); if (k) p = 0; use(p); }";
    let unit = Unit::of(c);
    let body = unit.program.body(unit.proc);
    let malloc = unit.calls("malloc")[0];
    let param = body.blocks.rows().iter().flat_map(|block| &block.params).next().unwrap();
    let edges = caulk_flow::passing_edges(body, unit.result(malloc), *param);
    let mut guards = Guards::new(&unit.program, &unit.atoms, GuardOptions::default());
    let from = Point::Inst(malloc);
    let guard = guards.cguard(unit.proc, from, &Target::Along(edges), &Decisions::default());
    assert_eq!(unit.text(&guards, guard), "¬k");
}
