//! Where an expression is shown: at its use, with the place in the macro beside it.

mod common;

use caulk_cfront::{Tree, tree};
use common::{Project, show, whole};

/// The spans of the calls of `name`, as `start-endline:endcolumn [in macro]`.
fn calls(tree: &Tree, name: &str) -> Vec<String> {
    let all =
        (0..tree.tast.counts().exprs).map(|index| -> tree::ExprId { tree::Idx::from_usize(index) });
    all.filter(|&id| calls_name(tree, id, name)).map(|id| shown(tree, id)).collect()
}

fn calls_name(tree: &Tree, id: tree::ExprId, name: &str) -> bool {
    let tree::ExprKind::Call { callee, .. } = tree.tast[id].kind else { return false };
    let mut at = callee;
    loop {
        match tree.tast[at].kind {
            tree::ExprKind::Convert { operand, .. } => at = operand,
            tree::ExprKind::Decl(decl) => return tree.decl_name(decl) == name,
            _ => return false,
        }
    }
}

fn shown(tree: &Tree, id: tree::ExprId) -> String {
    let span = tree.span(tree.tast.expr_span(id));
    let mut text = format!("{}-{}:{}", show(tree, span.start), span.end_line, span.end_column);
    if let Some(place) = span.in_macro {
        text += &format!(" in {}", show(tree, place));
    }
    text
}

fn check(project: Project, name: &str, expected: &[&str]) {
    assert_eq!(calls(&whole(project.read()), name), expected);
}

#[test]
fn plain_text() {
    let source = "int g(int);\nint f(void) {\n  return 1 +\n    g(2);\n}\n";
    check(Project::new(source), "g", &["unit.c:4:5-4:9"]);
}

#[test]
fn a_range_over_lines() {
    let source = "int g(int);\nint f(void) { return g(\n  2); }\n";
    check(Project::new(source), "g", &["unit.c:2:22-3:5"]);
}

#[test]
fn a_macro_argument_stands_where_it_is_written() {
    let source = "int g(int);\n#define ID(x) (x)\nint f(void) {\n  return ID(g(1));\n}\n";
    check(Project::new(source), "g", &["unit.c:4:13-4:17"]);
}

#[test]
fn an_argument_passed_through_two_macros() {
    let source =
        "int g(int);\n#define A(x) (x)\n#define B(x) A(x)\nint f(void) { return B(g(1)); }\n";
    check(Project::new(source), "g", &["unit.c:4:24-4:28"]);
}

#[test]
fn a_macro_body_stands_at_the_use() {
    let source = "int g(int);\n#define CALL(x) g(x)\nint f(void) {\n  return CALL(7);\n}\n";
    check(Project::new(source), "g", &["unit.c:4:10-4:14 in unit.c:2:17"]);
}

#[test]
fn a_nested_macro_stands_at_the_outermost_use() {
    let source = "int g(int);\n#define INNER g(1)\n#define OUTER (INNER)\nint f(void) {\n  return OUTER;\n}\n";
    check(Project::new(source), "g", &["unit.c:5:10-5:15 in unit.c:2:15"]);
}

#[test]
fn pasted_names() {
    let source = "int gh(int);\n#define CAT(a, b) a##b\nint f(void) { return CAT(g, h)(1); }\n";
    let tree = whole(Project::new(source).read());
    let shown = calls(&tree, "gh");
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with("unit.c:3:"), "{shown:?}");
}

#[test]
fn a_macro_of_a_header() {
    let project = Project::new("#include \"h.h\"\nint f(void) { return CALL(7); }\n")
        .file("/src/h.h", "int g(int);\n#define CALL(x) g(x)\n");
    check(project, "g", &["unit.c:2:22-2:26 in h.h:2:17"]);
}

#[test]
fn a_function_in_a_header() {
    let project = Project::new("#include \"h.h\"\n")
        .file("/src/h.h", "int g(int);\nstatic int f(void) { return g(1); }\n");
    check(project, "g", &["h.h:2:29-2:33"]);
}

#[test]
fn a_header_read_twice() {
    let project =
        Project::new("#define N f1\n#include \"h.h\"\n#undef N\n#define N f2\n#include \"h.h\"\n")
            .file("/src/h.h", "int g(int);\nstatic int N(void) { return g(1); }\n");
    check(project, "g", &["h.h:2:29-2:33", "h.h:2:29-2:33"]);
}

#[test]
fn line_directives_are_followed() {
    let source = "int g(int);\n#line 100 \"gram.y\"\nint f(void) {\n  return g(1);\n}\n\
                  #line 7 \"unit.c\"\nint h(void) { return g(2); }\n";
    check(Project::new(source), "g", &["gram.y:101:10-101:14", "unit.c:7:22-7:26"]);
}

#[test]
fn system_headers() {
    let project = Project::new("#include <sys.h>\n#include \"own.h\"\nint f(void) { return MAKE; }\nDEFINE(made)\n")
        .file("/system/sys.h", "#define MAKE 1\n#define DEFINE(n) int n(void) { return 1; }\nstatic int s(void) { return 1; }\n")
        .file("/src/own.h", "static int o(void) { return 1; }\n");
    let tree = whole(project.read());
    let system = |name: &str| {
        let id = common::decl(&tree, name);
        tree.in_system_header(tree.tast.definition_span(id))
    };
    assert!(system("s"));
    assert!(!system("f") && !system("o") && !system("made"));
    let flags: Vec<_> =
        tree.files().rows().iter().filter(|file| file.path.ends_with("sys.h")).collect();
    assert!(flags.len() == 1 && flags[0].system);
}

#[test]
fn preprocessed_files_keep_their_markers() {
    let source = "# 1 \"a.c\"\n# 1 \"/usr/include/s.h\" 1 3 4\nstatic int s(void) { return 1; }\n\
                  # 2 \"a.c\" 2\nint g(int);\nint f(void) { return g(1); }\nint linux;\n";
    let project = Project::new("").file("/src/unit.i", source);
    let mut project = project.options(|options| options.preprocessed = true);
    project.unit.source = "/src/unit.i".into();
    let tree = whole(project.read());
    assert_eq!(calls(&tree, "g"), ["a.c:3:22-3:26"]);
    let system =
        |name: &str| tree.in_system_header(tree.tast.definition_span(common::decl(&tree, name)));
    assert!(system("s") && !system("f"));
}

#[test]
fn nowhere_is_said() {
    let tree = common::tree("int x;\n");
    assert_eq!(tree.span(tree::Span::DUMMY).start.line, 0);
}

#[test]
fn a_header_has_one_name_whoever_includes_it() {
    let source = "#include \"part/../text.h\"\n";
    let project = Project::new(source)
        .file("/src/part/../text.h", "int g(int);\nint f(void) { return g(1); }\n");
    check(project, "g", &["text.h:2:22-2:26"]);
}
