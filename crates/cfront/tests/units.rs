//! Whole units: recovery, languages, macros, encodings, and what is reported.

mod common;

use caulk_cfront::{FrontUnit, Tree};
use caulk_project::{MacroFlag, PreInclude, Standard};
use common::{Project, decl, defined, messages, tree, whole};

fn damaged(tree: &Tree) -> Vec<&str> {
    let spoilt = tree.definitions().iter().filter(|&&id| tree.damage(id).is_some());
    spoilt.map(|&id| tree.decl_name(id)).collect()
}

fn has_message(unit: &FrontUnit, part: &str) -> bool {
    messages(unit).iter().any(|message| message.contains(part))
}

#[test]
fn a_broken_function_costs_only_itself() {
    let source = "int a(void) { return 1; }\nint b(void) { return 1 +* ; }\n\
                  int c(void) { undeclared(); return nothing; }\nint d(void) { return 2; }\n";
    let unit = Project::new(source).read();
    let tree = unit.tree.as_ref().unwrap();
    assert_eq!(defined(tree), ["a", "b", "c", "d"]);
    assert_eq!(damaged(tree), ["b", "c"]);
    assert!(messages(&unit)[0].starts_with("unit.c:2:"), "{:?}", messages(&unit));
    let why = tree.damage(decl(tree, "c")).unwrap();
    assert_eq!(why.position.as_ref().unwrap().line, 3);
}

#[test]
fn an_unknown_type_costs_its_users() {
    let source = "static struct missing thing;\nunknown_t *u;\n\
                  int a(void) { return u->x; }\nint b(void) { return 1; }\n";
    let unit = Project::new(source).read();
    let tree = unit.tree.as_ref().unwrap();
    assert!(damaged(tree).contains(&"a") && !damaged(tree).contains(&"b"), "{:?}", messages(&unit));
}

#[test]
fn a_missing_header_costs_its_users() {
    let source =
        "#include \"missing.h\"\nint a(void) { return 1; }\nint b(void) { from_it x; return x; }\n";
    let unit = Project::new(source).read();
    let tree = unit.tree.as_ref().unwrap();
    assert_eq!(damaged(tree), ["b"]);
    assert!(has_message(&unit, "unit.c:1:1: error: `missing.h` file not found"));
    assert!(unit.files_absent.iter().any(|path| path.ends_with("missing.h")));
    assert!(unit.files_read.iter().any(|path| path.ends_with("unit.c")));
}

#[test]
fn a_missing_brace_damages_what_it_swallows() {
    let unit =
        Project::new("int a(void) { return 1; }\nint b(void) { if (1) {\n return 1; }\n").read();
    assert_eq!(damaged(unit.tree.as_ref().unwrap()), ["b"]);
}

#[test]
fn remarks_for_the_object_file_are_passed_over() {
    let unit = Project::new("#ident \"$Id$\"\n # sccs \"x\"\nint a(void) { return 1; }\n").read();
    assert!(messages(&unit).is_empty(), "{:?}", messages(&unit));
    let unknown = Project::new("#identity \"x\"\nint a(void) { return 1; }\n").read();
    assert!(has_message(&unknown, "unit.c:1:2: error: invalid preprocessing directive"));
}

#[test]
fn many_errors_are_counted() {
    let source: String = (0..300).map(|n| format!("int f{n}(void) {{ return x{n}; }}\n")).collect();
    let unit = Project::new(source).read();
    assert_eq!((unit.errors.len(), unit.more_errors), (50, 250));
    assert_eq!(damaged(unit.tree.as_ref().unwrap()).len(), 300);
}

#[test]
fn empty_parameters_follow_the_language() {
    let source = "int f();\nint g(void) { return f(1, 2); }\n";
    let read = |name: &str| {
        let standard = Standard::from_flag(name);
        Project::new(source).options(|options| options.standard = standard).read()
    };
    assert!(read("gnu17").errors.is_empty());
    assert!(!read("gnu23").errors.is_empty());
    let default = Project::new(source)
        .facts(|facts| facts.default_standard = Standard::from_flag("gnu23").unwrap());
    assert!(!default.read().errors.is_empty());
}

#[test]
fn old_habits_are_forgiven() {
    let tree = tree("f(a) char *a; { return g(a); }\nint *h(void) { return 5; }\n");
    assert_eq!(defined(&tree), ["f", "h"]);
}

#[test]
fn the_compilers_macros_replace_the_built_in_ones() {
    let source = "#if defined __OPTIMIZE__ || defined __GNUC__ || !defined ONLY\n#error wrong\n#endif\n\
                  const char *d = __DATE__ __FILE__; int n = __COUNTER__;\n";
    let project =
        Project::new(source).facts(|facts| facts.predefined = b"#define ONLY 1\n".to_vec().into());
    whole(project.read());
}

#[test]
fn flags_apply_in_order_after_the_compilers_macros() {
    let define = |name: &str, body: &str| MacroFlag::Define {
        name_and_params: name.into(),
        body: body.into(),
    };
    let flags = vec![
        define("A", "1"),
        MacroFlag::Undefine("A".into()),
        define("B", "1"),
        MacroFlag::Undefine("GONE".into()),
        define("F(x)", "x+1"),
    ];
    let source = "#if defined A || B != 1 || defined GONE || F(1) != 2 || FROM_H != 3\n#error wrong\n#endif\nint h(void) { return from_h; }\n";
    let project = Project::new(source)
        .file("/src/pre.h", "#define FROM_H 3\nint from_h;\n")
        .facts(|facts| facts.predefined = b"#define GONE 1\n#define B 7\n".to_vec().into())
        .options(|options| {
            options.macros = flags;
            options.preincludes =
                vec![PreInclude { path: "/src/pre.h".into(), macros_only: false }];
        });
    let messages = messages(&project.read());
    // gcc warns about the redefinition of B and goes on.
    assert!(messages.is_empty(), "{messages:?}");
}

#[test]
fn latin1_in_strings_and_comments_passes() {
    let source = b"/* gr\xfc\xdfe */ const char *s = \"\xe9\"; int c = '\xe9';\n";
    whole(Project::new(source).read());
}

#[test]
fn latin1_elsewhere_is_transcoded_with_a_note() {
    let source = b"int h\xe9 = 1;\nint *w = (int *)L\"\xe9\";\nint f(void) { return h\xe9; }\nint g(void) { return bad; }\n";
    let unit = Project::new(source).read();
    let messages = messages(&unit);
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("read as Latin-1") && messages[0].contains("note"));
    assert!(messages[1].starts_with("unit.c:4:"), "{messages:?}");
    assert_eq!(damaged(unit.tree.as_ref().unwrap()), ["g"]);
}

#[test]
fn utf16_and_byte_order_marks() {
    let text: Vec<u8> =
        "int f(void) { return 1; }\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16 = [&[0xff, 0xfe][..], &text].concat();
    assert_eq!(defined(&whole(Project::new(utf16).read())), ["f"]);
    let utf8 = [&[0xef, 0xbb, 0xbf][..], b"int f(void) { return 1; }\n"].concat();
    assert_eq!(defined(&whole(Project::new(utf8).read())), ["f"]);
}

#[test]
fn unreadable_files_and_unknown_targets_are_errors() {
    let mut project = Project::new("");
    project.unit.source = "/src/other.c".into();
    let unit = project.read();
    assert!(unit.tree.is_none() && has_message(&unit, "other.c: no such file"));
    let unit =
        Project::new("int x;").facts(|facts| facts.target.triple = "vax-dec-ultrix".into()).read();
    assert!(unit.tree.is_none() && has_message(&unit, "`vax-dec-ultrix` is not supported"));
}

#[test]
fn targets_have_their_sizes() {
    let source = "_Static_assert(sizeof(long) == LONG && (char)-1 < 0 == SIGNED, \"\");\n";
    let check = |triple: &str, long: u32, signed: bool| {
        let source = source.replace("LONG", &long.to_string());
        let source = source.replace("SIGNED", if signed { "1" } else { "0" });
        let project = Project::new(source).facts(|facts| {
            facts.target.triple = triple.into();
            facts.target.char_signed = signed;
        });
        whole(project.read());
    };
    check("x86_64-linux-gnu", 8, true);
    check("i686-linux-gnu", 4, true);
    check("aarch64-linux-gnu", 8, false);
    check("riscv64-linux-gnu", 8, false);
    check("arm-linux-gnueabihf", 4, false);
}

#[test]
fn a_local_declaration_is_the_file_scope_one() {
    let tree =
        tree("int f(int);\nint g(void) { int f(int); return f(1); }\nint f(int x) { return x; }\n");
    assert_eq!(defined(&tree), ["g", "f"]);
    assert!(!tree.is_nested(decl(&tree, "f")));
}

#[test]
fn nested_functions_are_told_apart() {
    let tree = tree("int g(void) { int n(int x) { return x; } return n(1); }\n");
    assert_eq!(defined(&tree), ["g", "n"]);
    assert!(tree.is_nested(decl(&tree, "n")) && !tree.is_nested(decl(&tree, "g")));
}

#[test]
fn costs_are_measured() {
    let unit = Project::new("int x = 1;\n").read();
    assert_eq!((unit.costs.tokens, unit.costs.bytes), (5, 11));
}

#[test]
fn the_distance_from_null_is_a_constant() {
    for zero in ["0", "(0)", "(void *)0", "((void *)0)"] {
        for left in ["((char *)(&((s *)0)->b))", "(char *)(&((s *)0)->b)"] {
            for null in [format!("((char *){zero})"), format!("(char *){zero}")] {
                let source = format!(
                    "typedef struct {{ int a; char *b; }} s;\n\
                     static void *const table[] = {{ (void *)((long)({left} - {null})) }};\n"
                );
                let unit = Project::new(&source).read();
                assert!(messages(&unit).is_empty(), "{source}: {:?}", messages(&unit));
            }
        }
    }
}

#[test]
fn the_clock_stands_still() {
    let source = "const char *const clocks[] = { __DATE__, __TIME__, __TIMESTAMP__ };\n";
    let facts = |facts: &mut caulk_project::CompilerFacts| {
        facts.predefined = b"#define __SIZEOF_INT__ 4\n".as_slice().into();
    };
    let unit = Project::new(source).facts(facts).read();
    assert!(messages(&unit).is_empty(), "{:?}", messages(&unit));
}
