//! Declarations that say something else than the definition or the builtin, or that have no fixed
//! size: what is lowered verifies all the same, or is refused with a reason.

use std::path::{Path, PathBuf};

use caulk_ir::{
    Body, Definition, FunctionBody, Module, Object, Relocation, RelocationTarget, Scalar,
};

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

#[test]
fn a_later_initialiser_replaces_the_addresses_of_an_earlier_one() {
    let functions = "void a(void) {} void b(void) {} ";
    for (text, expected) in [
        ("void (*x[3])(void) = {[1] = a, [0 ... 2] = b};", "0:b 8:b 16:b"),
        ("void (*x[3])(void) = {[0 ... 2] = b, [1] = 0, [0] = a};", "0:a 16:b"),
        ("void (*x[3])(void) = {[2] = a, [1] = a, [0] = a, [1] = b};", "0:a 8:b 16:a"),
        ("struct { long n; void (*f)(void); } x = {.f = a, .n = 1, .f = b};", "8:b"),
        ("union { void (*f)(void); char c; } x = {.f = a, .c = 1};", ""),
        ("union { void (*f)(void); int n : 3; } x = {.f = a, .n = 1};", ""),
        ("union { char c[8]; void (*f)(void); } x = {.c = \"abcdefg\", .f = a};", "0:a"),
        ("union { void (*f[2])(void); char c[9]; } x = {.f = {a, b}, .c = \"1234\"};", ""),
    ] {
        assert_eq!(addresses(&lower(&format!("{functions}{text}")), "x"), expected, "{text}");
    }
    lower("enum{I,F,NT\n){(}}ii({}{}bad({}(*add[][)(={{},[F{bad},[0 ...NT-1 bad");
}

#[test]
fn a_later_initialiser_replaces_the_bytes_of_an_earlier_one() {
    for (text, expected) in [
        ("char x[2][5] = {\"long\", \"ab\", [0] = \"s\"};", b"s\0\0\0\0ab".as_slice()),
        ("struct { char a, b; } x[2] = {[0 ... 1] = {1, 2}, [1].a = 3};", &[1, 2, 3, 2]),
        (
            "union { char a[8]; struct { char b[2], c; } s; } x = {.s.c = 5, .s.b = \"x\"};",
            b"x\0\x05",
        ),
        ("struct { unsigned a : 3, b : 5; } x = {1, 2, .a = 7, .b = 1};", &[0x0f]),
    ] {
        let module = lower(text);
        let bytes = &object(&module, "x").init.as_ref().expect("contents").bytes;
        assert_eq!(bytes, expected, "{text}");
    }
}

#[test]
fn an_object_with_too_much_in_it_is_not_zero_but_unknown() {
    let far = "char x[1 << 27] = {[(1 << 27) - 1] = 1};";
    let repeated = "struct s { int a[4000]; };
        struct s x[] = {[0 ... 99999] = (struct s){{[0 ... 3999] = 1}}};";
    for text in [far, repeated] {
        let text = format!(
            "{text} void *p[] = {{0, x}}; int f(void) {{ return sizeof x; }}
            void *g(void) {{ return x; }} void *h(void) {{ return p[1]; }}"
        );
        let module = lower(&text);
        let x = object(&module, "x");
        let printed = caulk_ir::print::module(&module);
        let read_back = caulk_ir::parse::module(&printed).expect("reads back");
        assert_eq!(caulk_ir::print::module(&read_back), printed);
        assert!(x.size > 64 << 20 && x.init.is_none() && x.definition == Definition::Declared);
        assert!(matches!(function(&module, "f"), FunctionBody::Defined(_)));
        for name in ["g", "h"] {
            assert_eq!(refusal(&module, name), "an object's initial contents are too large");
        }
    }
    let zeros = lower("char x[1 << 27] = {[0] = 1, [(1 << 27) - 1] = 0};");
    assert_eq!(object(&zeros, "x").init.as_ref().expect("contents").bytes, [1]);
}

#[test]
fn many_addresses_are_replaced_in_time() {
    let text = "int y; int *x[300000] = {[0 ... 299999] = &y, [0 ... 299999] = &y + 1};";
    let module = lower(text);
    assert_eq!(object(&module, "x").init.as_ref().expect("contents").relocations.len(), 300_000);
}

#[test]
fn a_local_array_with_too_many_elements_is_refused() {
    let text = "int g(int *); int f(void) { int x[] = {[0 ... 999999] = 1}; return g(x); }";
    assert_eq!(refusal(&lower(text), "f"), "an initialiser has too many elements");
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

fn object<'m>(module: &'m Module, name: &str) -> &'m Object {
    let named = |row: &&Object| row.name.is_some_and(|it| module.names.text(it) == name);
    module.objects.rows().iter().find(named).expect("the object")
}

/// The functions that an object holds the addresses of, with their offsets.
fn addresses(module: &Module, name: &str) -> String {
    let shown = |row: &Relocation| match row.target {
        RelocationTarget::Function(id) => format!("{}:{}", row.offset, module.function_name(id)),
        _ => "?".into(),
    };
    let init = object(module, name).init.as_ref().expect("contents");
    init.relocations.iter().map(shown).collect::<Vec<_>>().join(" ")
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
