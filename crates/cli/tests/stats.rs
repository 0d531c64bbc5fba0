//! `caulk stats`, run as people run it.

mod common;

use common::Folder;

const WRAPPED: &str = "void *malloc(unsigned long);\n\
    void free(void *);\n\
    void mystery(void *);\n\
    void *get(unsigned long n) { return malloc(n); }\n\
    void put(void *p) { free(p); }\n\
    int main(void) { void *p = get(1); mystery(p); put(p); return 0; }\n";

#[test]
fn a_program_is_counted() {
    let folder = Folder::new("stats").file("a.c", WRAPPED);
    let ran = folder.run(&["stats", "a.c"]).exits(0);
    ran.says("functions").says("points-to").says("mystery");
    let wrappers = folder.run(&["stats", "--wrappers", "a.c"]).exits(0);
    wrappers.says("a.c:4: get: returns a fresh object").says("a.c:5: put: releases argument 1");
    let json = folder.run(&["stats", "--format", "json", "a.c"]).exits(0);
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(value["counts"]["Code"]["functions"], 3);
    assert_eq!(value["counts"]["Wrappers"]["allocators"], 1);
    assert_eq!(value["unknown_functions"]["mystery"], 1);
}

#[test]
fn models_of_the_user_count() {
    let folder = Folder::new("stats_models")
        .file("a.c", WRAPPED)
        .file("good.toml", "[functions.mystery]\nreads = 1\n")
        .file("bad.toml", "[functions.mystery]\nreeds = 1\n");
    let ran = folder.run(&["stats", "--models", "good.toml", "a.c"]).exits(0);
    assert!(!ran.out.contains("mystery"), "{}", ran.out);
    folder.run(&["stats", "--models", "bad.toml", "a.c"]).exits(2).complains("bad.toml:2");
    folder.run(&["stats", "--models", "none.toml", "a.c"]).exits(2).complains("none.toml");
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_counted() {
    let folder = Folder::new("stats_broken").file("a.c", WRAPPED).file("b.c", "int f( {\n");
    folder.run(&["stats", "a.c", "b.c"]).exits(3).says("functions").complains("b.c");
}

#[test]
fn an_engine_adds_its_tables() {
    let folder = Folder::new("stats_engine").file("a.c", common::LEAK);
    let ran = folder.run(&["stats", "a.c", "--engine", "smoke"]).exits(0);
    let ran = ran.says("Allocation sites by class\n").says("objects followed");
    let ran = ran.says("use-flow engine").says("points-to");
    let ran = ran.says("candidates by stage (K10)").says("left by the filter");
    ran.says("  single paths, with the filter").says("calls through unresolved pointers");
    let json = folder.run(&["stats", "a.c", "--engine", "smoke", "--format", "json"]).exits(0);
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(value["counts"]["Allocation sites by class"]["reported"], 1);
    let ran = folder.run(&["stats", "a.c"]).exits(0);
    assert!(!ran.out.contains("objects followed"), "{}", ran.out);
}

/// What a project's configuration names is known to every command.
#[test]
fn stats_and_dumps_read_the_configuration() {
    let models = "[functions]\ntake = { allocates = \"memory\" }\n";
    let text = "void *take(void);\nvoid *f(void)\n{\n    return take();\n}\n";
    let folder = Folder::new("configured").file("a.c", text).file("models.toml", models);
    let folder = folder.file("caulk.toml", "models = [\"models.toml\"]\n");
    let with = folder.run(&["stats", "a.c", "--wrappers"]).exits(0);
    let without = folder.run(&["stats", "a.c", "--wrappers", "--no-config"]).exits(0);
    assert_ne!(with.out, without.out);
    let folder = folder.file("caulk.toml", "modles = []\n");
    folder.run(&["stats", "a.c"]).exits(2).complains("unknown key");
    folder.run(&["dump", "--stage", "callgraph", "a.c"]).exits(2).complains("unknown key");
    folder.run(&["dump", "--stage", "callgraph", "--no-config", "a.c"]).exits(0);
}
