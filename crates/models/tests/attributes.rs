//! Attributes in the source, and stubs for functions that have neither them nor a model.

use caulk_ir::{Function, Module, parse};
use caulk_models::{
    Args, Effect, FunctionModel, Models, Resource, ResultKind, Returns, Target, Unmentioned, When,
    all_from_attributes, from_attributes, stub,
};

const HEAD: &str = "module \"m\" format 1
target \"t\" pointer 8 little
t0 = void
t1 = i64.s
t2 = ptr t0
t3 = ptr t2
sig0 (t1) -> t2
sig1 (t2) -> t0
sig2 (t2, t1) -> t2
sig3 (t3, t1, ...) -> t1
";

fn module(declarations: &str) -> Module {
    parse::module(&format!("{HEAD}{declarations}\n")).expect("the text is ir")
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    let is_named = |function: &&Function| module.names.text(function.name) == name;
    module.functions.rows().iter().find(is_named).expect("it is declared")
}

fn model(attributes: &str, signature: &str) -> Option<FunctionModel> {
    let module = module(&format!("declare f0:f external {signature} [{attributes}]"));
    from_attributes(&module, function(&module, "f"))
}

#[track_caller]
fn allocates(model: &FunctionModel, named: &str, released_by: &[&str], fails: bool) {
    let [Effect::Allocates { to: Target::Result, resource, releases, may_fail, .. }] =
        model.effects.as_slice()
    else {
        panic!("{:?}", model.effects)
    };
    assert_eq!((resource.name(), *may_fail), (named, fails));
    assert_eq!(releases, released_by);
    assert_eq!(model.result, ResultKind::Fresh);
}

#[test]
fn allocators() {
    allocates(&model("malloc", "sig0").unwrap(), "memory", &["free"], true);
    allocates(&model("malloc, returns_nonnull", "sig0").unwrap(), "memory", &["free"], false);
    allocates(&model("malloc_dealloc(put, 1)", "sig0").unwrap(), "put", &["put"], true);
    let both = "malloc_dealloc(put, 1), malloc_dealloc(free, 1)";
    allocates(&model(both, "sig0").unwrap(), "memory", &["put", "free"], true);
    allocates(&model("ownership_returns(fish)", "sig0").unwrap(), "fish", &["free"], true);
    allocates(&model("ownership_returns(malloc)", "sig0").unwrap(), "memory", &["free"], true);
}

#[test]
fn a_size_alone_tells_only_of_functions_that_take_no_pointer() {
    allocates(&model("alloc_size(1)", "sig0").unwrap(), "memory", &["free"], true);
    assert_eq!(model("alloc_size(2)", "sig2"), None);
}

#[test]
fn ownership() {
    let takes = model("ownership_takes(malloc, 1)", "sig1").unwrap();
    let [Effect::Frees { args, resource, .. }] = takes.effects.as_slice() else {
        panic!("{takes:?}")
    };
    assert_eq!((*args, resource), (Args::one(0), &Resource::memory()));
    let holds = model("ownership_holds(malloc, 1)", "sig2").unwrap();
    assert_eq!(holds.effects, [Effect::Keeps { args: Args::one(0), when: When::Always }]);
    assert!(holds.keeps(0) && !holds.keeps(1));
}

#[test]
fn the_rest() {
    assert_eq!(model("noreturn", "sig1").unwrap().returns, Returns::Never);
    assert!(model("returns_twice", "sig1").unwrap().returns_twice);
    assert!(model("returns_nonnull", "sig0").unwrap().nonnull);
    let purity = |attribute| model(attribute, "sig0").map(|m| (m.pure, m.reads_memory));
    assert_eq!(purity("pure"), Some((true, true)));
    assert_eq!(purity("const"), Some((true, false)));
    assert_eq!(model("cold, nonnull(1), warn_unused_result", "sig1"), None);
}

/// Attributes do not tell what happens to the other arguments, unless there are no effects.
#[test]
fn what_is_not_mentioned() {
    let unmentioned = |attribute| model(attribute, "sig2").unwrap().unmentioned;
    assert_eq!(unmentioned("noreturn"), Unmentioned::Unknown);
    assert_eq!(unmentioned("malloc"), Unmentioned::Unknown);
    assert_eq!(unmentioned("pure"), Unmentioned::Used);
    assert_eq!(model("pure", "sig2").unwrap().result, ResultKind::Unknown);
}

#[test]
fn release_functions_are_known_by_their_allocators() {
    let module = module(
        "declare f0:get external sig0 [malloc_dealloc(put, 1)]
declare f1:other external sig0 [malloc_dealloc(put, 1)]
declare f2:put external sig1
declare f3:stranger external sig1",
    );
    let models = all_from_attributes(&module);
    assert_eq!(models.len(), 3);
    let (id, _) = module.functions.iter().nth(2).unwrap();
    let [Effect::Frees { args, resource, .. }] = models[&id].effects.as_slice() else {
        panic!("{:?}", models[&id])
    };
    assert_eq!((*args, resource.name()), (Args::one(0), "put"));
}

#[test]
fn a_stub_is_a_model_file_and_so_is_each_of_its_suggestions() {
    let module = module("declare f0:mystery external sig3\ndeclare f1:maker external sig2");
    let text = stub(&module, function(&module, "mystery"));
    assert!(
        text.starts_with("# long mystery(void * *, long, ...)\n[functions.mystery]\n"),
        "{text}"
    );
    for text in [text, stub(&module, function(&module, "maker"))] {
        let suggestions: Vec<&str> =
            text.lines().skip(1).filter_map(|line| line.strip_prefix("# ")).collect();
        assert!(suggestions.len() > 3, "{text}");
        let mut models = Models::bundled();
        models.add("stub.toml", &text).expect("a stub can be read");
        for suggestion in suggestions {
            let filled = text.replace(&format!("# {suggestion}"), suggestion);
            models.add("stub.toml", &filled).unwrap_or_else(|error| panic!("{error}\n{filled}"));
        }
    }
}
