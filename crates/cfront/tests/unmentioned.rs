//! Prototypes of system headers that a unit does not mention are not checked; all else is.

mod common;

use caulk_cfront::{Tree, tree};
use common::{Project, whole};

/// The names that the unit declares at file scope or in a prototype.
fn declared(tree: &Tree) -> Vec<String> {
    let all = (0..tree.tast.counts().decls).map(|at| -> tree::DeclId { tree::Idx::from_usize(at) });
    all.map(|id| tree.decl_name(id).to_owned()).collect()
}

fn with_header(header: &str, source: &str) -> Vec<String> {
    let source = format!("#include <sys.h>\n{source}");
    declared(&whole(Project::new(source).file("/system/sys.h", header).read()))
}

/// Whether a header's function `f` is known to a unit that does not call it.
fn is_kept(header: &str) -> bool {
    with_header(header, "int g(void) { return 0; }\n").iter().any(|name| name == "f")
}

#[test]
fn a_prototype_that_nothing_mentions_is_left_out() {
    assert!(!is_kept("extern int f(int, char *);\n"));
    assert!(!is_kept("extern void *f(int) __attribute__((malloc)) __asm__(\"g\");\n"));
    assert!(!is_kept("struct s { int f1; };\nint f(struct s *);\n"));
}

#[test]
fn what_is_mentioned_is_kept() {
    let header = "int f(int);\nint h(int);\nint k(int);\nint k(int);\n";
    let names = with_header(header, "int g(void) { return f(1); }\n");
    assert!(names.iter().any(|name| name == "f") && names.iter().any(|name| name == "k"));
    assert!(!names.iter().any(|name| name == "h"));
    let names = with_header(
        "void *malloc(unsigned long);\n",
        "void *p(void) { return __builtin_malloc(1); }\n",
    );
    assert!(names.iter().any(|name| name == "malloc"));
}

#[test]
fn whatever_else_a_declaration_says_keeps_it() {
    assert!(is_kept("struct s *f(void);\n"));
    assert!(is_kept("int f(void), h(void);\n"));
    assert!(is_kept("int f(void) { return 1; }\n"));
    assert!(is_kept("static int f(a) int a; { return a; }\n"));
    assert!(is_kept("int (*f)(int);\n"));
    assert!(is_kept("_Static_assert(1, \"\");\nextern int f;\n"));
}

#[test]
fn the_users_own_prototypes_are_kept() {
    let tree = common::tree("int f(int);\nint g(void) { return 0; }\n");
    assert!(declared(&tree).iter().any(|name| name == "f"));
}
