//! What a declaration promises, from attributes in the source. Arguments count from 1, as there.

use caulk_base::Name;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// The result is fresh memory.
    Malloc,
    /// … which this function releases, taking it as this argument.
    MallocDealloc {
        function: Name,
        argument: u32,
    },
    AllocSize {
        size: u32,
        count: Option<u32>,
    },
    OwnershipReturns {
        class: Name,
    },
    OwnershipTakes {
        class: Name,
        arguments: Vec<u32>,
    },
    OwnershipHolds {
        class: Name,
        arguments: Vec<u32>,
    },
    /// The variable is handed to this function at the end of its scope; already lowered.
    Cleanup(Name),
    /// Empty means every pointer argument.
    NonNull(Vec<u32>),
    ReturnsNonNull,
    Noreturn,
    ReturnsTwice,
    /// Reads memory, changes nothing.
    Pure,
    /// Depends on its arguments' values alone.
    Const,
    Constructor(Option<u32>),
    Destructor(Option<u32>),
    WarnUnusedResult,
    Format {
        archetype: Name,
        string: u32,
        first: u32,
    },
    FormatArg(u32),
    Access {
        mode: Name,
        pointer: u32,
        size: Option<u32>,
    },
    FdArg(u32),
    Sentinel,
    Weak,
    Alias(Name),
    /// The name that the linker sees, where it is not the source's: `__asm__("open64")`.
    Symbol(Name),
    Ifunc(Name),
    Used,
    Section(Name),
    Cold,
    Hot,
}
