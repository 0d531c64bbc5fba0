//! `caulk dump`: each stage, one function, and text ir as input.

mod common;

use common::{Folder, GOOD};

const LOOP: &str = "\
int sum(const int *a, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}
int twice(int n) { return sum(&n, 1) + sum(&n, 1); }
";

#[test]
fn ir_reads_back_and_prints_the_same() {
    let folder = Folder::new("round_trip").file("a.c", LOOP).file("good.c", GOOD);
    for name in ["a.c", "good.c"] {
        let first = folder.run(&["dump", "--stage", "ir", name]).exits(0);
        std::fs::write(folder.0.join("again.ir"), &first.out).unwrap();
        let second = folder.run(&["dump", "--stage", "ir", "again.ir"]).exits(0);
        assert_eq!(first.out, second.out);
    }
    folder.run(&["dump", "--stage", "cfg", "again.ir"]).exits(0).says("cfg f0:main");
    folder.run(&["dump", "--stage", "ast", "again.ir"]).exits(2).complains("no tree");
}

#[test]
fn every_stage_shows_one_function() {
    let folder = Folder::new("stages").file("a.c", LOOP);
    let dump = |stage, more: &[&str]| {
        folder
            .run(&[&["dump", "--stage", stage, "--function", "sum", "a.c"], more].concat())
            .exits(0)
    };
    for stage in ["ast", "ir", "cfg"] {
        let ran = dump(stage, &[]).says("sum");
        assert!(!ran.out.contains("f1:twice"), "{}", ran.out);
    }
    dump("cfg", &[]).says("in the loop of").says("dominated by b0");
    dump("cfg", &["--format", "dot"]).says("digraph \"f0:sum\"").says("b0 -> b1");
    let all = folder.run(&["dump", "--stage", "cfg", "a.c"]).exits(0);
    all.says("cfg f0:sum").says("cfg f1:twice");
}

#[test]
fn what_cannot_be_dumped_is_told() {
    let folder = Folder::new("dump_errors")
        .file("a.c", LOOP)
        .file("bad.ir", "module \"x\" format 1\nwhat\n");
    let dump = |args: &[&str]| folder.run(&[&["dump", "--stage"], args].concat());
    dump(&["ir", "--function", "nope", "a.c"]).exits(2).complains("defined: sum, twice");
    dump(&["ir", "--format", "dot", "a.c"]).exits(2).complains("no dot form");
    dump(&["flow", "--format", "svg", "a.c"]).exits(2).complains("no SVG form");
    dump(&["ir", "nosuch.c"]).exits(3).complains("nosuch.c: no such file");
    dump(&["ir", "nosuch.ir"]).exits(3).complains("nosuch.ir: no such file");
    dump(&["ir", "bad.ir"]).exits(3).complains("bad.ir:2:1: expected");
    dump(&["ir"]).exits(2).complains("needs files");
    dump(&["nonsense", "a.c"]).exits(2).complains("nonsense");
    dump(&["holders", "--function", "nope", "a.c"]).exits(2).complains("defined: sum, twice");
    dump(&["flow", "bad.ir"]).exits(3).complains("bad.ir:2:1: expected");
}

const LEAK: &str = "void *malloc(unsigned long);\n\
    void free(void *);\n\
    void *get(unsigned long n) { return malloc(n); }\n\
    int main(void) { char *p = get(1); *p = 0; p = get(2); free(p); return 0; }\n";

#[test]
fn the_whole_program_is_dumped_in_every_format() {
    let folder = Folder::new("dump_program").file("a.c", LEAK);
    let dump = |stage: &str, format: &str| {
        folder.run(&["dump", "--stage", stage, "--format", format, "a.c"]).exits(0)
    };
    dump("callgraph", "text").says("malloc (external)").says("entry: main");
    dump("points-to", "text").says("get@a.c:4");
    dump("memory", "text").says("writes");
    dump("flow", "text").says("released");
    dump("slice", "text").says("source");
    dump("uses", "text").says("allocated");
    dump("holders", "text").says("main");
    for stage in ["callgraph", "points-to", "memory", "flow", "slice", "uses", "holders"] {
        dump(stage, "dot").says("digraph");
        let json = dump(stage, "json").out.clone();
        serde_json::from_str::<serde_json::Value>(&json).expect(stage);
    }
}

/// F13: a slice, with the branches that it takes to go along its edges.
#[test]
fn summaries_are_drawn() {
    let text = "void free(void *);\nvoid drop(char **p) { free(*p); }\n";
    let folder = Folder::new("dump_svg").file("a.c", text);
    let dump = folder.run(&["dump", "--stage", "summary", "--format", "svg", "a.c"]);
    dump.exits(0).says("<svg ").says(">drop</text>").says(">✕</text>").says("stroke-dasharray");
}

#[test]
fn slices_have_guards_on_their_edges() {
    let text = "void *malloc(unsigned long);\nvoid free(void *);\n\
        int f(int n) { char *p = malloc(8); if (n > 3) free(p); return 0; }\n";
    let folder = Folder::new("dump_guards").file("a.c", text);
    let dump = |format| folder.run(&["dump", "--stage", "slice", "--format", format, "a.c"]);
    dump("text").exits(0).says("if [n > 3]");
    dump("dot").exits(0).says("\\n[n > 3]\"];");
    dump("json").exits(0).says("\"guard\": \"[n > 3]\"");
}

#[test]
fn flags_come_from_the_database() {
    let folder = Folder::new("dump_database").file("a.c", LOOP).database(&["a.c"]);
    folder.run(&["dump", "--stage", "ir", "-p", ".", "a.c"]).exits(0).says("define f0:sum");
}

const RETURNS: &str = "\
void *malloc(unsigned long);
void free(void *);
int f(int n)
{
    char *p = malloc(8);
    if (!p)
        return -1;
    if (n > 3)
        return 0;
    free(p);
    return 1;
}
int g(int n)
{
    char *p = malloc(8);
    if (!p)
        return -1;
    if (n == 3)
        free(p);
    if (n * n != 9)
        free(p);
    return 1;
}
";

#[test]
fn what_the_engine_did_with_an_object() {
    let folder = Folder::new("dump_search").file("a.c", RETURNS);
    let dump = |stage: &str, more: &[&str]| {
        folder.run(&[&["dump", "--stage", stage, "a.c"], more].concat())
    };
    let ran = dump("candidates", &["--function", "f"]).exits(0);
    let ran = ran.says("a.c:5: `malloc` in f: reported\n  candidate: found\n");
    let ran = ran.says("    lost at the return in a.c:9\n");
    assert!(!ran.out.contains(" in g") && !ran.out.contains("needs"), "{}", ran.out);
    let ran = dump("conditions", &["--function", "f"]).exits(0);
    ran.says("takes a.c:8: n > 3\n")
        .says("needs n >= 4\n")
        .says("is satisfiable\n")
        .says("with n = 0x");
    // What the linear filter cannot refute is the solver's.
    let ran = dump("conditions", &["--function", "g"]).exits(0);
    ran.says("`malloc` in g").says("n != 3");
    dump("candidates", &["--format", "dot"]).exits(2).complains("no dot form");
    dump("candidates", &["--function", "h"]).exits(2).complains("defined: f, g");
}

#[test]
fn what_the_engine_did_as_json() {
    let folder = Folder::new("dump_search_json").file("a.c", RETURNS);
    let read = |stage| {
        let ran = folder.run(&["dump", "--stage", stage, "--format", "json", "a.c"]).exits(0);
        serde_json::from_str::<serde_json::Value>(&ran.out).expect("JSON")
    };
    let objects = read("candidates");
    assert_eq!(objects[0]["function"], "f");
    assert_eq!(objects[0]["candidates"][0]["outcome"], "found");
    assert!(objects[0]["candidates"][0].get("paths").is_none());
    let objects = read("conditions");
    assert_eq!(objects[0]["candidates"][0]["paths"][0]["answer"], "satisfiable");
    assert_eq!(objects[1]["function"], "g");
}
