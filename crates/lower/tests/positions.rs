//! Where an instruction is shown: at the place a person would look, with the place in the macro.

use std::path::{Path, PathBuf};

use caulk_base::{Place, SpanId};
use caulk_ir::{Inst, Module};

const HEADER: &str = "\
#define CALL(f, x) f(x)
#define STORE(p, v) do { *(p) = (v); } while (0)
#define NESTED(p) STORE(p, get())
static inline int twice(int n) { return n + n; }
";

const SOURCE: &str = "\
#include \"macros.h\"
int get(void);
int use(int);
void arguments(int n) {
    CALL(use, n + 1);
}
void body(int *p) {
    STORE(p, 2);
}
void nested(int *p) {
    NESTED(p);
}
int header(int n) {
    return twice(n);
}
#line 70 \"grammar.y\"
void renumbered(int *p) {
    *p = 7;
}
";

#[test]
fn a_macro_argument_is_shown_at_the_argument() {
    assert_eq!(shown("arguments", |inst| matches!(inst, Inst::Binary { .. })), "main.c:5:15-20");
}

#[test]
fn a_macro_body_is_shown_at_the_use_and_in_the_body() {
    let store = shown("body", |inst| matches!(inst, Inst::Store { .. }));
    assert_eq!(store, "main.c:8:5-15 in macros.h:2:26");
}

#[test]
fn a_nested_macro_is_shown_at_the_outermost_use() {
    let call = shown("nested", |inst| matches!(inst, Inst::Call(_)));
    assert_eq!(call, "main.c:11:5-11 in macros.h:3:28");
}

#[test]
fn a_function_of_a_header_is_shown_there() {
    assert_eq!(shown("twice", |inst| matches!(inst, Inst::Binary { .. })), "macros.h:4:41-46");
}

#[test]
fn line_directives_are_followed() {
    assert_eq!(shown("renumbered", |inst| matches!(inst, Inst::Store { .. })), "grammar.y:71:5-11");
}

#[test]
fn the_end_of_a_scope_is_its_closing_brace() {
    assert_eq!(shown("body", |inst| matches!(inst, Inst::ScopeEnd(_))), "main.c:9:1-2");
}

/// The first instruction of that kind in the function, as `FILE:LINE:COLUMN-END[ in PLACE]`.
fn shown(function: &str, wanted: impl Fn(&Inst) -> bool) -> String {
    let module = lower();
    let (_, _, body) = module
        .bodies()
        .find(|(id, ..)| module.function_name(*id) == function)
        .expect("the function is lowered");
    let (inst, _) = body.insts.iter().find(|(_, inst)| wanted(inst)).expect("such an instruction");
    spell(&module, body.inst_spans[inst])
}

fn spell(module: &Module, id: SpanId) -> String {
    let span = module.spans.get(id).expect("a span");
    assert_eq!(span.start.line, span.end_line);
    let at = format!("{}-{}", place(module, span.start), span.end_column);
    span.in_macro.map_or(at.clone(), |inner| format!("{at} in {}", place(module, inner)))
}

fn place(module: &Module, place: Place) -> String {
    let path = module.files[place.file].path.file_name().unwrap_or_default();
    format!("{}:{}:{}", path.to_string_lossy(), place.line, place.column)
}

fn lower() -> Module {
    let files = caulk_project::SourceFiles::new();
    files.insert_virtual(Path::new("/src/main.c"), SOURCE.as_bytes());
    files.insert_virtual(Path::new("/src/macros.h"), HEADER.as_bytes());
    let unit = caulk_project::Unit {
        source: PathBuf::from("/src/main.c"),
        display: PathBuf::from("main.c"),
        directory: PathBuf::from("/src"),
        options: caulk_project::UnitOptions::default(),
    };
    let front = caulk_cfront::read_unit(&unit, &files, &caulk_cfront::Limits::default());
    assert!(front.errors.is_empty(), "{:?}", front.errors);
    let tree = front.tree.expect("a unit without errors has a tree");
    caulk_lower::lower(&tree, "main.c", &caulk_lower::Options::default()).module
}
