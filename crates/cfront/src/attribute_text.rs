//! Reads one attribute as written: both `x` and `__x__`, `[[gnu::x]]` and `[[x]]`.

use rucc_ast::{Ast, AttrArg, Attribute as Written, Expr, ExprId, UnaryOp};
use rucc_base::Interner;

use crate::attribute::{AccessMode, Attribute};

/// The attribute, if it is one that caulk knows and its arguments make sense.
pub(crate) fn read_attribute(ast: &Ast, names: &Interner, written: &Written) -> Option<Attribute> {
    if !known_namespace(names, written) {
        return None;
    }
    let arguments = Arguments { ast, names, list: &ast[written.args] };
    let name = plain(names.resolve(written.name));
    bare(name, arguments.list.is_empty()).or_else(|| with_arguments(name, &arguments))
}

fn known_namespace(names: &Interner, written: &Written) -> bool {
    let Some(namespace) = written.namespace else { return true };
    matches!(plain(names.resolve(namespace)), "gnu" | "clang")
}

/// `__malloc__` is `malloc`.
fn plain(name: &str) -> &str {
    name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name)
}

fn bare(name: &str, without_arguments: bool) -> Option<Attribute> {
    Some(match name {
        "malloc" if without_arguments => Attribute::Malloc,
        "returns_nonnull" => Attribute::ReturnsNonNull,
        "noreturn" | "_Noreturn" => Attribute::Noreturn,
        "returns_twice" => Attribute::ReturnsTwice,
        "pure" => Attribute::Pure,
        "const" => Attribute::Const,
        "warn_unused_result" | "nodiscard" => Attribute::WarnUnusedResult,
        "weak" => Attribute::Weak,
        "used" | "retain" => Attribute::Used,
        "always_inline" => Attribute::AlwaysInline,
        "noinline" => Attribute::NoInline,
        "gnu_inline" => Attribute::GnuInline,
        "cold" => Attribute::Cold,
        "hot" => Attribute::Hot,
        "deprecated" => Attribute::Deprecated,
        "unavailable" => Attribute::Unavailable,
        "error" => Attribute::ErrorIfCalled,
        "leaf" => Attribute::Leaf,
        "nothrow" => Attribute::NoThrow,
        "transparent_union" => Attribute::TransparentUnion,
        _ => return None,
    })
}

fn with_arguments(name: &str, given: &Arguments<'_>) -> Option<Attribute> {
    Some(match name {
        "malloc" => Attribute::MallocDealloc {
            function: given.text(0)?,
            argument: given.number(1).unwrap_or(1),
        },
        "alloc_size" => alloc_size(given)?,
        "ownership_returns" => {
            Attribute::OwnershipReturns { class: given.text(0)?, size: given.number(1) }
        }
        "ownership_takes" => {
            Attribute::OwnershipTakes { class: given.text(0)?, arguments: given.numbers(1) }
        }
        "ownership_holds" => {
            Attribute::OwnershipHolds { class: given.text(0)?, arguments: given.numbers(1) }
        }
        "cleanup" => Attribute::Cleanup(given.text(0)?),
        "nonnull" => Attribute::NonNull(given.numbers(0)),
        "constructor" => Attribute::Constructor(given.number(0)),
        "destructor" => Attribute::Destructor(given.number(0)),
        "format" => Attribute::Format {
            archetype: plain(&given.text(0)?).to_owned(),
            string: given.number(1)?,
            first: given.number(2).unwrap_or(0),
        },
        "format_arg" => Attribute::FormatArg(given.number(0)?),
        "access" => Attribute::Access {
            mode: access_mode(&given.text(0)?)?,
            pointer: given.number(1)?,
            size: given.number(2),
        },
        "fd_arg" | "fd_arg_read" | "fd_arg_write" => Attribute::FdArg(given.number(0)?),
        "null_terminated_string_arg" => Attribute::NullTerminatedStringArg(given.number(0)?),
        "sentinel" => Attribute::Sentinel(given.number(0).unwrap_or(0)),
        "weakref" => Attribute::WeakRef(given.text(0)),
        "alias" => Attribute::Alias(given.text(0)?),
        "ifunc" => Attribute::Ifunc(given.text(0)?),
        "section" => Attribute::Section(given.text(0)?),
        _ => return None,
    })
}

/// With two arguments the result has room for that many elements of that size.
fn alloc_size(given: &Arguments<'_>) -> Option<Attribute> {
    Some(Attribute::AllocSize { size: given.number(0)?, count: given.number(1) })
}

fn access_mode(name: &str) -> Option<AccessMode> {
    Some(match plain(name) {
        "read_only" => AccessMode::ReadOnly,
        "write_only" => AccessMode::WriteOnly,
        "read_write" => AccessMode::ReadWrite,
        "none" => AccessMode::None,
        _ => return None,
    })
}

struct Arguments<'a> {
    ast: &'a Ast,
    names: &'a Interner,
    list: &'a [AttrArg],
}

impl Arguments<'_> {
    /// A name or a string.
    fn text(&self, index: usize) -> Option<String> {
        match *self.list.get(index)? {
            AttrArg::Ident(name) => Some(self.names.resolve(name).to_owned()),
            AttrArg::Expr(id) => self.expr_text(id),
        }
    }

    fn expr_text(&self, id: ExprId) -> Option<String> {
        match self.ast[id] {
            Expr::Name(name) => Some(self.names.resolve(name).to_owned()),
            Expr::Str(id) => {
                let bytes: Vec<u8> =
                    self.ast[id].elements.iter().map(|&each| each.to_le_bytes()[0]).collect();
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            Expr::Unary { op: UnaryOp::AddrOf, operand } => self.expr_text(operand),
            _ => None,
        }
    }

    fn number(&self, index: usize) -> Option<u32> {
        match *self.list.get(index)? {
            AttrArg::Ident(_) => None,
            AttrArg::Expr(id) => match self.ast[id] {
                Expr::Int(int) => u32::try_from(self.ast[int].value).ok(),
                _ => None,
            },
        }
    }

    fn numbers(&self, from: usize) -> Vec<u32> {
        (from..self.list.len()).filter_map(|index| self.number(index)).collect()
    }
}
