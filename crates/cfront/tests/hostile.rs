//! Input made to hurt: each ends in a message, none in a crash.

mod common;

use std::time::Duration;

use caulk_cfront::FrontUnit;
use common::{Project, defined, messages};

const MANY: usize = 100_000;

fn body(text: &str) -> String {
    format!("int a; int f(void) {{ {text} return 0; }}\n")
}

fn read(source: &str) -> FrontUnit {
    Project::new(source).read()
}

fn refused(source: &str) {
    let unit = read(source);
    let messages = messages(&unit);
    let start: String = source.chars().take(60).collect();
    assert!(messages.iter().any(|text| text.contains("nested")), "{start}: {messages:?}");
    assert!(unit.errors.iter().all(|error| error.position.is_some()), "{messages:?}");
}

#[test]
fn nested_brackets() {
    for (open, close) in [("(", ")"), ("{", "}"), ("[", "]"), ("({", "})")] {
        refused(&body(&format!("a = {} 1 {};", open.repeat(MANY), close.repeat(MANY))));
        refused(&format!("int x = {};", open.repeat(MANY)));
    }
    refused(&format!("int x[] = {}1{};", "{".repeat(MANY), "}".repeat(MANY)));
    refused(&format!("#if {}1{}\n#endif\n", "(".repeat(MANY), ")".repeat(MANY)));
    refused(&format!("#define F(x) x\nint x = {}1{};", "F(".repeat(MANY), ")".repeat(MANY)));
}

#[test]
fn endless_ranges() {
    for text in [
        "struct { int n; char s[4]; } x[] = {[0 ... 0x7fffffff] = {5, \"abc\"}, [1].n = 6};",
        "int x[][65536] = {[0 ... 65535] = {[0 ... 65535] = 1}};",
        "enum { LAST = 1 << 30 }; int f(void) { return (int[]){[0 ... LAST] = 1}[0]; }",
    ] {
        let unit = read(text);
        let messages = messages(&unit);
        assert!(
            messages[0].ends_with("ranges in initialisers have over 4194304 elements"),
            "{text}"
        );
        assert!(unit.tree.is_none() && unit.errors[0].position.is_some(), "{text}");
    }
    assert!(read("int x[] = {[0 ... 999999] = 1};").errors.is_empty());
}

#[test]
fn long_chains() {
    for operator in ["+a", "&&a", "=a", "?1:a", ",a", "->a", ".a", "[0]", "(1)", " + (T){1}"] {
        refused(&body(&format!("a = a{};", operator.repeat(MANY))));
    }
    for prefix in ["!", "- ", "*&", "(int)", "sizeof ", "__extension__ ", "a?", "a="] {
        refused(&body(&format!("a = {}a;", prefix.repeat(MANY))));
    }
    refused(&format!("int {}p;", "*".repeat(MANY)));
    refused(&format!("int p{};", "[1]".repeat(MANY)));
}

#[test]
fn statement_chains() {
    refused(&body(&format!("if (a) a = 1; {}", "else if (a) a = 2; ".repeat(MANY))));
    refused(&body(&format!("if (a) {{ a = 1; }} {}", "else if (a) { a = 2; } ".repeat(MANY))));
    for prefix in ["if (a) ", "while (a) ", "for (;;) ", "do ", "case 1: ", "l: "] {
        refused(&body(&format!("{};", prefix.repeat(MANY))));
    }
}

/// What is just allowed must pass on the stack that was promised.
#[test]
fn chains_up_to_the_limit_are_read() {
    let levels = caulk_cfront::Limits::default().max_levels();
    let sources = [
        body(&format!("a = a{};", "+a".repeat(levels / 2 - 20))),
        body(&format!("a = {}a;", "!".repeat(levels - 20))),
        body(&format!("if (a) a = 1; {}", "else if (a) a = 2; ".repeat(levels - 20))),
        body(&format!("{};", "if (a) ".repeat(levels / 2 - 20))),
        body(&format!(
            "switch (a) {{ {}; }}",
            (0..levels / 2 - 20).map(|n| format!("case {n}: ")).collect::<String>()
        )),
    ];
    for source in sources {
        let unit = read(&source);
        assert_eq!(messages(&unit), Vec::<String>::new());
        assert_eq!(defined(unit.tree.as_ref().unwrap()), ["f"]);
    }
}

#[test]
fn nested_conditionals() {
    let source = "#if 1\n".repeat(MANY) + "int f(void) { return 1; }\n" + &"#endif\n".repeat(MANY);
    assert_eq!(defined(read(&source).tree.as_ref().unwrap()), ["f"]);
    let unit = read(&("#if 1\n".repeat(MANY) + "int f(void) { return 1; }\n"));
    assert!(messages(&unit)[0].contains("unterminated"));
}

#[test]
fn a_header_that_includes_itself() {
    let unit = Project::new("#include \"h.h\"\nint f(void) { return 1; }\n")
        .file("/src/h.h", "#include \"h.h\"\n")
        .read();
    assert!(messages(&unit)[0].contains("nested too deeply"), "{:?}", messages(&unit));
    assert_eq!(defined(unit.tree.as_ref().unwrap()), ["f"]);
}

#[test]
fn a_macro_that_doubles() {
    let lines: String = (0..40).map(|n| format!("#define M{} M{n} M{n}\n", n + 1)).collect();
    let unit = read(&format!("#define M0 1\n{lines}int x = M40;\n"));
    assert!(unit.tree.is_none());
    assert!(messages(&unit)[0].contains("unit.c:42:9: error: macro expansion is too large"));
}

#[test]
fn too_many_tokens() {
    let mut project = Project::new("int x, y, z;\n");
    project.limits.max_tokens = 5;
    let unit = project.read();
    assert!(unit.tree.is_none() && messages(&unit)[0].contains("more than 5 tokens"));
}

#[test]
fn no_time() {
    let mut project = Project::new("#include \"h.h\"\nint x;\n").file("/src/h.h", "");
    project.limits.time = Duration::ZERO;
    let unit = project.read();
    assert!(unit.tree.is_none() && messages(&unit)[0].contains("time"), "{:?}", messages(&unit));
}

#[test]
fn a_long_line() {
    let unit = read(&format!("int x[] = {{ {} }};\n", "1, ".repeat(1_000_000)));
    assert!(unit.errors.is_empty());
    let unit = read(&format!("/*{}*/ int f(void) {{ return 1; }}\n", "x".repeat(50_000_000)));
    assert!(unit.errors.is_empty());
}

#[test]
fn no_text_at_all() {
    for source in ["", "\n", "\\", "\0\0\0", "#", "#include", "#include <", "/*", "\"", "'", "}{"] {
        let unit = read(source);
        assert!(unit.tree.is_some(), "{source:?}");
    }
    let binary: Vec<u8> =
        (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let unit = Project::new(binary).read();
    assert!(!unit.errors.is_empty());
}
