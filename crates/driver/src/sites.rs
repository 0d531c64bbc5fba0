//! A first count of the calls that allocate and free, by name and attribute alone. The models of
//! external functions will take its place; nothing else may come to rely on it.
//!
//! Direct calls only. `realloc` and `freopen` count as allocations.

use caulk_base::{FxHashSet, Name};
use caulk_ir::{Attribute, Body, Callee, Function, Module};

const ALLOCATORS: &[&str] = &[
    "aligned_alloc",
    "asprintf",
    "calloc",
    "fdopen",
    "fdopendir",
    "fmemopen",
    "fopen",
    "fopen64",
    "fopencookie",
    "freopen",
    "freopen64",
    "get_current_dir_name",
    "getaddrinfo",
    "getdelim",
    "getline",
    "malloc",
    "memalign",
    "mkdtemp",
    "open_memstream",
    "open_wmemstream",
    "opendir",
    "popen",
    "posix_memalign",
    "pvalloc",
    "realloc",
    "reallocarray",
    "realpath",
    "scandir",
    "setmntent",
    "strdup",
    "__strdup",
    "strndup",
    "__strndup",
    "tempnam",
    "tmpfile",
    "tmpfile64",
    "valloc",
    "vasprintf",
    "wcsdup",
];

const RELEASERS: &[&str] = &[
    "cfree",
    "closedir",
    "endmntent",
    "fclose",
    "free",
    "free_aligned_sized",
    "free_sized",
    "freeaddrinfo",
    "pclose",
];

/// How many direct calls allocate, and how many free.
pub(crate) fn count_sites(module: &Module) -> (usize, usize) {
    let deallocators = deallocators(module);
    let kind = |function: &Function| kind(module, function, &deallocators);
    let kinds: Vec<Kind> = module.functions.rows().iter().map(kind).collect();
    let (mut allocations, mut frees) = (0, 0);
    for (_, _, body) in module.bodies() {
        for callee in direct_callees(body) {
            match kinds.get(callee).copied().unwrap_or(Kind::Other) {
                Kind::Allocates => allocations += 1,
                Kind::Frees => frees += 1,
                Kind::Other => {}
            }
        }
    }
    (allocations, frees)
}

#[derive(Clone, Copy)]
enum Kind {
    Allocates,
    Frees,
    Other,
}

fn direct_callees(body: &Body) -> impl Iterator<Item = usize> + '_ {
    body.calls.rows().iter().filter_map(|call| match call.callee {
        Callee::Function(id) => Some(caulk_base::Id::index(id)),
        Callee::Pointer(_) => None,
    })
}

/// What `malloc(dealloc)` attributes name.
fn deallocators(module: &Module) -> FxHashSet<Name> {
    let all = module.functions.rows().iter().flat_map(|function| &function.attributes);
    let named = all.filter_map(|attribute| match attribute {
        Attribute::MallocDealloc { function, .. } => Some(*function),
        _ => None,
    });
    named.collect()
}

fn kind(module: &Module, function: &Function, deallocators: &FxHashSet<Name>) -> Kind {
    let name = module.names.text(function.name);
    let has = |wanted: fn(&Attribute) -> bool| function.attributes.iter().any(wanted);
    let takes = |attribute: &Attribute| matches!(attribute, Attribute::OwnershipTakes { .. });
    let returns = |attribute: &Attribute| {
        matches!(attribute, Attribute::Malloc | Attribute::OwnershipReturns { .. })
    };
    // `reallocarray` is also named as a deallocator of what it returns.
    if ALLOCATORS.contains(&name) || has(returns) {
        Kind::Allocates
    } else if RELEASERS.contains(&name) || deallocators.contains(&function.name) || has(takes) {
        Kind::Frees
    } else {
        Kind::Other
    }
}
