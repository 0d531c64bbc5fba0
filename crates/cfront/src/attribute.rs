//! The attributes of C that say something about memory, calls or linking.

/// One attribute of a declaration. Arguments of functions are counted from 1, as in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// The result is new memory that nothing else points to.
    Malloc,
    /// The result must be given back by calling `function` with it as argument `argument`.
    MallocDealloc {
        function: String,
        argument: u32,
    },
    AllocSize {
        size: u32,
        count: Option<u32>,
    },
    OwnershipReturns {
        class: String,
        size: Option<u32>,
    },
    OwnershipTakes {
        class: String,
        arguments: Vec<u32>,
    },
    OwnershipHolds {
        class: String,
        arguments: Vec<u32>,
    },
    /// The function called with the variable's address at the end of its scope.
    Cleanup(String),
    /// Arguments that are never null; none listed means every pointer.
    NonNull(Vec<u32>),
    ReturnsNonNull,
    Noreturn,
    ReturnsTwice,
    Pure,
    Const,
    Constructor(Option<u32>),
    Destructor(Option<u32>),
    WarnUnusedResult,
    Format {
        archetype: String,
        string: u32,
        first: u32,
    },
    FormatArg(u32),
    Access {
        mode: AccessMode,
        pointer: u32,
        size: Option<u32>,
    },
    FdArg(u32),
    Sentinel(u32),
    NullTerminatedStringArg(u32),
    Weak,
    WeakRef(Option<String>),
    Alias(String),
    Ifunc(String),
    Used,
    Section(String),
    AlwaysInline,
    NoInline,
    GnuInline,
    Cold,
    Hot,
    Deprecated,
    Unavailable,
    /// A call that survives optimisation is an error; such a function is never really called.
    ErrorIfCalled,
    Leaf,
    NoThrow,
    TransparentUnion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessMode {
    ReadOnly,
    WriteOnly,
    ReadWrite,
    None,
}
