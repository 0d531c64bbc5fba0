//! Which definition a name stands for, and where control may come in.

use caulk_program::{Binding, DirectCalls, Entries, EntryReason, LinkUnit, ProcId, Program, link};
use caulk_testkit::module;

fn linked(files: &[(&str, Option<&str>, &str)]) -> Program {
    let unit = |&(name, target, text): &(&str, Option<&str>, &str)| LinkUnit {
        module: module(name, text),
        target: target.map(str::to_string),
    };
    link(files.iter().map(unit).collect())
}

/// For each call of the first procedure with this name: whom it is bound to, as `name@file`.
fn callees(program: &Program, caller: &str) -> Vec<String> {
    let (proc, row) = program.procs.iter().find(|(_, row)| row.name == caller).unwrap();
    let mut names = Vec::new();
    for call in program.body(proc).calls.rows() {
        let caulk_ir::Callee::Function(function) = call.callee else { continue };
        match program.binding(row.module, function) {
            Binding::Procs(procs) => names.extend(procs.iter().map(|&proc| at(program, proc))),
            Binding::External(id) => names.push(format!("{}@?", program.externals[*id].name)),
        }
    }
    names
}

fn at(program: &Program, proc: ProcId) -> String {
    format!("{}@{}", program.procs[proc].name, program.module_of(proc).name)
}

const CALLER: &str = "void usage(void);\nvoid run(void) { usage(); }\n";
const USAGE: &str = "void usage(void) { }\n";

#[test]
fn a_call_binds_to_its_own_unit_first() {
    let own = "void usage(void) { }\nvoid run(void) { usage(); }\n";
    let program = linked(&[("a.c", None, own), ("b.c", None, USAGE)]);
    assert_eq!(callees(&program, "run"), ["usage@a.c"]);
}

#[test]
fn a_static_function_is_nobody_elses() {
    let hidden = "static void usage(void) { }\nvoid other(void) { usage(); }\n";
    let program = linked(&[("a.c", None, CALLER), ("b.c", None, hidden)]);
    assert_eq!(callees(&program, "run"), ["usage@?"]);
}

#[test]
fn without_a_link_target_all_candidates_count() {
    let program = linked(&[("a.c", None, CALLER), ("b.c", None, USAGE), ("c.c", None, USAGE)]);
    assert_eq!(callees(&program, "run"), ["usage@b.c", "usage@c.c"]);
}

#[test]
fn a_known_link_target_decides() {
    let program = linked(&[
        ("a.c", Some("two"), CALLER),
        ("b.c", Some("one"), USAGE),
        ("c.c", Some("two"), USAGE),
    ]);
    assert_eq!(callees(&program, "run"), ["usage@c.c"]);
}

#[test]
fn other_parameters_are_another_programs() {
    let caller = "int find(char *, int *);\nint run(char *p, int *q) { return find(p, q); }\n";
    let two = "int find(p, q) char *p; int *q; { return p[*q]; }\n";
    let one = "int find(char *p) { return *p; }\n";
    let program = linked(&[("a.c", None, caller), ("b.c", None, one), ("c.c", None, two)]);
    assert_eq!(callees(&program, "run"), ["find@c.c"]);
    let unknown = "int find();\nint run(char *p, int *q) { return find(p, q); }\n";
    let program = linked(&[("a.c", None, unknown), ("b.c", None, one), ("c.c", None, two)]);
    assert_eq!(callees(&program, "run"), ["find@b.c", "find@c.c"]);
    let program = linked(&[("a.c", None, caller), ("b.c", None, one)]);
    assert_eq!(callees(&program, "run"), ["find@b.c"]);
    let more = "int find(char *p, int *q, ...) { return *p; }\n";
    let program = linked(&[("a.c", None, caller), ("b.c", None, more), ("c.c", None, two)]);
    assert_eq!(callees(&program, "run"), ["find@c.c"]);
}

#[test]
fn a_strong_definition_hides_weak_ones() {
    let weak = "__attribute__((weak)) void usage(void) { }\n";
    let program = linked(&[("a.c", None, CALLER), ("b.c", None, weak), ("c.c", None, USAGE)]);
    assert_eq!(callees(&program, "run"), ["usage@c.c"]);
    let program = linked(&[("a.c", None, CALLER), ("b.c", None, weak)]);
    assert_eq!(callees(&program, "run"), ["usage@b.c"]);
}

#[test]
fn an_alias_stands_for_its_target() {
    let aliased = "void real(void) { }\n\
        void usage(void) __attribute__((alias(\"real\")));\n\
        void run(void) { usage(); }\n";
    let program = linked(&[("a.c", None, aliased)]);
    assert_eq!(callees(&program, "run"), ["real@a.c"]);
}

#[test]
fn malloc_is_malloc_whoever_defines_it() {
    let own = "void *malloc(unsigned long n) { return 0; }\n\
        void *run(void) { return malloc(1); }\n";
    let program = linked(&[("a.c", None, own)]);
    assert_eq!(callees(&program, "run"), ["malloc@?"]);
    assert!(program.procs.rows().iter().any(|proc| proc.name == "malloc"));
}

#[test]
fn tentative_and_extern_objects_are_one() {
    let program = linked(&[
        ("a.c", None, "extern int x; int *f(void) { return &x; }\n"),
        ("b.c", None, "int x; static int y; int *g(void) { return &y; }\n"),
        ("c.c", None, "int x = 7; static int y; int *h(void) { return &y; }\n"),
    ]);
    let x: Vec<_> = program.statics.rows().iter().filter(|object| object.rows.len() == 3).collect();
    assert_eq!(x.len(), 1);
    let (module, object) = x[0].rows[0];
    assert!(program.modules[module].objects[object].init.is_some());
    assert_eq!(program.statics.len(), 3);
}

#[test]
fn an_object_and_its_alias_are_one() {
    let program = linked(&[
        ("a.c", None, "extern int other; int *f(void) { return &other; }\n"),
        (
            "b.c",
            None,
            "int data = 5; extern int other __attribute__((alias(\"data\")));\n\
             static int inner = 6; extern int shown __attribute__((alias(\"inner\")));\n\
             int *g(void) { other = shown; return &data; }\n",
        ),
        (
            "c.c",
            None,
            "static int inner; extern int shown; int h(void) { return inner + shown; }\n",
        ),
    ]);
    let sizes: Vec<usize> = program.statics.rows().iter().map(|it| it.rows.len()).collect();
    // `data` with its alias in two units, `inner` of b.c with its alias in two, `inner` of c.c.
    assert_eq!(sizes, [3, 3, 1]);
    let (module, object) = program.statics.rows()[0].rows[0];
    assert!(program.modules[module].objects[object].init.is_some());
}

fn reasons(files: &[(&str, Option<&str>, &str)]) -> Vec<(String, EntryReason)> {
    let program = linked(files);
    let entries = Entries::new(&program, &DirectCalls::new(&program));
    entries.iter().map(|entry| (program.procs[entry.proc].name.clone(), entry.reason)).collect()
}

#[test]
fn a_program_is_entered_at_main_constructors_and_what_nobody_calls() {
    let text = "static void used(void) { }\n\
        static void forgotten(int n) { if (n) forgotten(n - 1); }\n\
        static void handler(int n) { }\n\
        void (*table[])(int) = { handler };\n\
        __attribute__((constructor)) static void start(void) { }\n\
        void exported(void) { }\n\
        int main(void) { used(); exported(); return 0; }\n";
    assert_eq!(
        reasons(&[("a.c", None, text)]),
        [
            ("forgotten".to_string(), EntryReason::Uncalled),
            ("start".to_string(), EntryReason::Constructor),
            ("main".to_string(), EntryReason::Main),
        ]
    );
}

#[test]
fn a_library_is_entered_at_what_it_exports() {
    let text = "static int help(int n) { return n; }\n\
        int inner(int n) { return help(n); }\n\
        int outer(int n) { return inner(n); }\n";
    assert_eq!(
        reasons(&[("a.c", None, text)]),
        [
            ("inner".to_string(), EntryReason::Exported),
            ("outer".to_string(), EntryReason::Exported),
        ]
    );
}

/// Two libraries that have the same functions, and a caller of both.
const EVENTS: &str = "int event_new(void) { return 1; }\nvoid event_free(int e) { }\n";
const EVENT_CALLER: &str = "int event_new(void);\nvoid event_free(int);\n\
    void run(void) { event_free(event_new()); }\n";

#[test]
fn units_with_the_same_functions_are_twins() {
    let program = linked(&[
        ("a.c", None, EVENT_CALLER),
        ("b.c", None, EVENTS),
        ("c.c", None, EVENTS),
        ("d.c", None, "int event_new(void) { return 2; }\n"),
    ]);
    let all =
        ["event_new@b.c", "event_new@c.c", "event_new@d.c", "event_free@b.c", "event_free@c.c"];
    let mut found = callees(&program, "run");
    found.sort_by_key(|it| all.iter().position(|other| other == it));
    assert_eq!(found, all);
    let [b, c, d] = [1, 2, 3].map(caulk_program::ModuleId);
    assert!(program.are_twins(b, c) && program.are_twins(c, b));
    assert!(!program.are_twins(b, d));
}

#[test]
fn it_has_those_of_its_own_folder() {
    let files = [
        ("one/a.c", None, EVENT_CALLER),
        ("two/events/b.c", None, EVENTS),
        ("one/events/c.c", None, EVENTS),
    ];
    let ours = ["event_new@one/events/c.c", "event_free@one/events/c.c"];
    let program = linked(&files);
    assert_eq!(callees(&program, "run"), ours);
    // Those that it has not got are called all the same.
    let calls = DirectCalls::new(&program);
    assert!(program.procs.ids().all(|it| calls.is_called(it) || program.procs[it].name == "run"));
}

#[test]
fn copies_of_one_file_go_with_those_of_another() {
    let usage = "void usage(void) { }\n";
    let program = linked(&[
        ("b.c", None, usage),
        ("a.c", None, CALLER),
        ("b.c", None, usage),
        ("a.c", None, CALLER),
    ]);
    let units: Vec<u32> = program
        .procs
        .iter()
        .filter(|(_, row)| row.name == "run")
        .map(|(proc, row)| {
            let call = &program.body(proc).calls.rows()[0];
            let caulk_ir::Callee::Function(function) = call.callee else { panic!("a name") };
            let Binding::Procs(procs) = program.binding(row.module, function) else {
                panic!("defined")
            };
            assert_eq!(procs.len(), 1);
            program.procs[procs[0]].module.0
        })
        .collect();
    assert_eq!(units, [0, 2]);
}
