//! Attributes reach the declaration, wherever and however they are written.

mod common;

use caulk_cfront::{AccessMode, Attribute};
use common::{decl, tree};

fn attributes(source: &str, name: &str) -> Vec<Attribute> {
    let tree = tree(source);
    tree.attributes(decl(&tree, name)).to_vec()
}

/// `attribute` written on a function declaration means `expected`.
fn means(attribute: &str, expected: Attribute) {
    let source = format!(
        "void own(void *); void *target(void);\n\
         __attribute__(({attribute})) void *f(char *a, unsigned long b, ...);\n"
    );
    assert_eq!(attributes(&source, "f"), [expected], "{attribute}");
}

#[test]
fn of_memory() {
    means("malloc", Attribute::Malloc);
    means("__malloc__", Attribute::Malloc);
    let dealloc = |argument| Attribute::MallocDealloc { function: "own".into(), argument };
    means("malloc(own)", dealloc(1));
    means("__malloc__(own, 1)", dealloc(1));
    means("malloc(own, 2)", dealloc(2));
    means("alloc_size(2)", Attribute::AllocSize { size: 2, count: None });
    means(
        "ownership_returns(file)",
        Attribute::OwnershipReturns { class: "file".into(), size: None },
    );
    let takes = Attribute::OwnershipTakes { class: "malloc".into(), arguments: vec![1] };
    means("ownership_takes(malloc, 1)", takes);
    let holds = Attribute::OwnershipHolds { class: "malloc".into(), arguments: vec![1, 2] };
    means("ownership_holds(malloc, 1, 2)", holds);
}

#[test]
fn of_pointers_and_results() {
    means("nonnull", Attribute::NonNull(vec![]));
    means("nonnull(1)", Attribute::NonNull(vec![1]));
    means("returns_nonnull", Attribute::ReturnsNonNull);
    means("warn_unused_result", Attribute::WarnUnusedResult);
    means("__sentinel__(1)", Attribute::Sentinel(1));
    means("format_arg(1)", Attribute::FormatArg(1));
    let printf = Attribute::Format { archetype: "printf".into(), string: 1, first: 3 };
    means("__format__(__printf__, 1, 3)", printf);
    let access = Attribute::Access { mode: AccessMode::WriteOnly, pointer: 1, size: Some(2) };
    means("access(write_only, 1, 2)", access);
    means("fd_arg(2)", Attribute::FdArg(2));
    means("null_terminated_string_arg(1)", Attribute::NullTerminatedStringArg(1));
}

#[test]
fn of_control_and_linking() {
    means("returns_twice", Attribute::ReturnsTwice);
    means("pure", Attribute::Pure);
    means("__const__", Attribute::Const);
    means("cold", Attribute::Cold);
    means("hot", Attribute::Hot);
    means("weak", Attribute::Weak);
    means("deprecated", Attribute::Deprecated);
    means("used", Attribute::Used);
    means("noinline", Attribute::NoInline);
    means("section(\".x\")", Attribute::Section(".x".into()));
    let source = "__attribute__((constructor(101), destructor)) void f(void) {}";
    let expected = [Attribute::Constructor(Some(101)), Attribute::Destructor(None)];
    assert_eq!(attributes(source, "f"), expected);
    assert_eq!(attributes("_Noreturn void f(void);", "f"), [Attribute::Noreturn]);
    assert_eq!(
        attributes("int g(void) { return 1; } int f(void) __attribute__((alias(\"g\")));", "f"),
        [Attribute::Alias("g".into())]
    );
}

#[test]
fn wherever_they_stand() {
    let malloc = [Attribute::Malloc];
    assert_eq!(attributes("void *f(void) __attribute__((malloc));", "f"), malloc);
    assert_eq!(attributes("void * __attribute__((malloc)) f(void);", "f"), malloc);
    assert_eq!(
        attributes("static __attribute__((malloc)) void *f(void) { return 0; }", "f"),
        malloc
    );
    assert_eq!(attributes("[[gnu::malloc]] void *f(void);", "f"), malloc);
    assert_eq!(attributes("void *e(void), *f(void) __attribute__((malloc));", "f"), malloc);
    assert_eq!(attributes("void *e(void), *f(void) __attribute__((malloc));", "e"), []);
}

#[test]
fn on_variables() {
    let source = "void done(int *);\nvoid f(void) { int x __attribute__((cleanup(done))) = 1; }";
    assert_eq!(attributes(source, "x"), [Attribute::Cleanup("done".into())]);
    assert_eq!(attributes("int x __attribute__((weak));", "x"), [Attribute::Weak]);
}

#[test]
fn redeclarations_add_up() {
    let before = "void *f(void) __attribute__((malloc));\nvoid *f(void) { return 0; }";
    assert_eq!(attributes(before, "f"), [Attribute::Malloc]);
    let after = "void *f(void) { return 0; }\nvoid *f(void) __attribute__((malloc));";
    assert_eq!(attributes(after, "f"), [Attribute::Malloc]);
    let both = "void *f(void) __attribute__((malloc));\n\
                void *f(void) __attribute__((malloc, returns_nonnull));";
    assert_eq!(attributes(both, "f"), [Attribute::Malloc, Attribute::ReturnsNonNull]);
    let inside = "void *f(void);\nvoid g(void) { void *f(void) __attribute__((malloc)); }";
    assert_eq!(attributes(inside, "f"), [Attribute::Malloc]);
}

#[test]
fn a_local_of_the_same_name_keeps_its_own() {
    let source = "void done(int *);\nint x;\n\
                  void f(void) { int x __attribute__((cleanup(done))) = 1; }";
    let tree = tree(source);
    let global = tree.file_scope_decls().iter().find(|&&id| tree.decl_name(id) == "x").unwrap();
    assert!(tree.attributes(*global).is_empty());
}
