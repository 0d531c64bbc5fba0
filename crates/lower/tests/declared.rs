//! Declarations that say something else than the definition or the builtin, or that have no fixed
//! size: what is lowered verifies all the same, or is refused with a reason.

use std::path::{Path, PathBuf};

use caulk_ir::{Body, FunctionBody, Module, Scalar};

#[test]
fn old_style_parameters_are_passed_as_the_prototype_says() {
    let module = lower("int f(int, double); int f(k, d) char k; float d; { return k + (int)d; }");
    assert_eq!(passed(&module, "f"), [Scalar::I32, Scalar::F64]);
    let module = lower("int f(char); int f(k) char k; { return k; }");
    assert_eq!(passed(&module, "f"), [Scalar::I8]);
    let module = lower("int f(k) _Bool k; { return k; }");
    assert_eq!(passed(&module, "f"), [Scalar::I32]);
}

#[test]
fn a_broken_prototype_counts_as_well() {
    let module = lower("scale(,;{}scale(x,k)char k;{}");
    assert_eq!(passed(&module, "scale"), [Scalar::I32, Scalar::I32]);
    let module = lower("scale(,;{}scale(x,k)_Bool k;{}");
    assert_eq!(passed(&module, "scale"), [Scalar::I32, Scalar::I32]);
    let module = lower("double mix(double,;{}double mix(d,n)float d;int ;{}");
    assert_eq!(passed(&module, "mix"), [Scalar::F64, Scalar::I32]);
}

#[test]
fn a_builtin_declared_with_another_result_is_refused() {
    for text in [
        "int __builtin_alloca(int); void f(int n) { char *p = __builtin_alloca(n); }",
        "__builtin_alloca(i;f(n){char*p=__builtin_alloca(n);(p);}",
        "__builtin_alloca({{}}f(*a,b){char*p=__builtin_alloca((a)+1);}",
    ] {
        assert_eq!(refusal(&lower(text), "f"), "a builtin is declared with another type");
    }
}

#[test]
fn a_builtin_declared_with_other_parameters_is_refused() {
    for text in [
        "int __builtin_clz(double); int f(double x) { return __builtin_clz(x); }",
        "int __builtin_parity(char *); int f(char *x) { return __builtin_parity(x); }",
        "int __builtin_bswap32(float); int f(float x) { return __builtin_bswap32(x); }",
    ] {
        assert_eq!(refusal(&lower(text), "f"), "a number is not an integer");
    }
    let text = "int __builtin_sadd_overflow(int, int, int);
        int f(int x) { return __builtin_sadd_overflow(x, x, x); }";
    assert_eq!(refusal(&lower(text), "f"), "exact arithmetic does not give an integer");
}

#[test]
fn a_record_with_members_of_variable_size_has_no_known_layout() {
    for text in ["int n; void f(struct { int b; int a[n]; } *x) {}", "now;{}tick(struct{][now}{"] {
        let module = lower(text);
        let records: Vec<bool> = module.types.records.iter().map(|(_, row)| row.complete).collect();
        assert_eq!(records, [false], "{text}");
    }
}

/// The verified module of a text, which may have errors.
fn lower(text: &str) -> Module {
    let files = caulk_project::SourceFiles::new();
    files.insert_virtual(Path::new("/src/main.c"), text.as_bytes());
    let unit = caulk_project::Unit {
        source: PathBuf::from("/src/main.c"),
        display: PathBuf::from("main.c"),
        directory: PathBuf::from("/src"),
        options: caulk_project::UnitOptions::default(),
    };
    let front = caulk_cfront::read_unit(&unit, &files, &caulk_cfront::Limits::default());
    let tree = front.tree.expect("a tree");
    let module = caulk_lower::lower(&tree, "main.c", &caulk_lower::Options::default()).module;
    let violation = caulk_ir::verify::module(&module).first().map(ToString::to_string);
    assert_eq!(violation, None, "{text}");
    module
}

fn function<'m>(module: &'m Module, name: &str) -> &'m FunctionBody {
    let mut rows = module.functions.iter();
    let named = rows.find(|(id, _)| module.function_name(*id) == name);
    &named.expect("the function").1.body
}

/// The scalars that the parameters of a function arrive as.
fn passed(module: &Module, name: &str) -> Vec<Scalar> {
    let FunctionBody::Defined(body) = function(module, name) else { panic!("not lowered") };
    let Body { params, values, .. } = &**body;
    params.iter().map(|&param| values[param].scalar).collect()
}

fn refusal<'m>(module: &'m Module, name: &str) -> &'m str {
    let FunctionBody::Refused(refusal) = function(module, name) else { panic!("not refused") };
    &refusal.reason
}
