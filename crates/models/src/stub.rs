//! The text that a user fills in for a function that has no model.

use std::fmt::Write;

use caulk_ir::{Function, Module, Scalar, Signature, Type, TypeId};

/// TOML for `[functions]` that says "does nothing", with the declaration and, as comments, what
/// could be said instead. It is a model file that can be read as it is.
#[must_use]
pub fn stub(module: &Module, function: &Function) -> String {
    let signature = &module.types.signatures[function.signature];
    let name = module.names.text(function.name);
    let mut text =
        format!("# {}\n[functions.{}]\n", declaration(module, name, signature), key(name));
    if is_pointer(module, signature.result) {
        text.push_str("# allocates = \"memory\"    # the result is fresh, free() releases it\n");
        text.push_str("# returns = \"library\"     # the result is nobody's to free\n");
    }
    for (number, param) in (1..).zip(&signature.params) {
        text.push_str(&about_argument(module, number, *param));
    }
    if signature.variadic {
        let first = signature.params.len() + 1;
        let _ = writeln!(text, "# keeps = \"{first}..\"          # all variable arguments");
    }
    text.push_str("# never-returns = true\n");
    text
}

fn about_argument(module: &Module, number: usize, param: TypeId) -> String {
    let Type::Pointer { to, .. } = module.types.types[param] else { return String::new() };
    let mut text = format!(
        "# frees = {number}\n# keeps = {number}               # the library holds on to it\n"
    );
    if is_pointer(module, to) {
        let _ = writeln!(text, "# allocates = {{ to = \"*{number}\" }}");
    }
    text
}

fn is_pointer(module: &Module, ty: TypeId) -> bool {
    matches!(module.types.types[ty], Type::Pointer { .. })
}

/// A C identifier is a bare key; anything else is quoted.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_bare { name.to_string() } else { format!("{:?}", name) }
}

fn declaration(module: &Module, name: &str, signature: &Signature) -> String {
    let mut params: Vec<String> =
        signature.params.iter().map(|param| spelled(module, *param)).collect();
    if signature.variadic {
        params.push("...".to_string());
    }
    format!("{} {name}({})", spelled(module, signature.result), params.join(", "))
}

/// A type as a person would read it, on one line; not always valid C.
fn spelled(module: &Module, ty: TypeId) -> String {
    let types = &module.types;
    let named = |name: Option<caulk_base::Name>| name.map_or("?", |name| module.names.text(name));
    match types.types[ty] {
        Type::Void => "void".to_string(),
        Type::Scalar { scalar, signed } => scalar_name(scalar, signed).to_string(),
        Type::Enum(id) => format!("enum {}", named(types.enums[id].name)),
        Type::Pointer { to, to_const } => {
            let constant = if to_const { "const " } else { "" };
            format!("{constant}{} *", spelled(module, to))
        }
        Type::Array { element, .. } => format!("{}[]", spelled(module, element)),
        Type::Vector { element, len } => format!("{}[{len}]", spelled(module, element)),
        Type::Record(id) => format!("struct {}", named(types.records[id].name)),
        Type::Function(_) => "function".to_string(),
        Type::Opaque { name, .. } => module.names.text(name).to_string(),
    }
}

fn scalar_name(scalar: Scalar, signed: bool) -> &'static str {
    match (scalar, signed) {
        (Scalar::I1, _) => "bool",
        (Scalar::I8, true) => "char",
        (Scalar::I8, false) => "unsigned char",
        (Scalar::I16, true) => "short",
        (Scalar::I16, false) => "unsigned short",
        (Scalar::I32, true) => "int",
        (Scalar::I32, false) => "unsigned",
        (Scalar::I64, true) => "long",
        (Scalar::I64, false) => "unsigned long",
        (Scalar::F32, _) => "float",
        (Scalar::F64, _) => "double",
        (other, _) => other.name(),
    }
}
