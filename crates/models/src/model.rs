//! What one external function does, as plain data. Arguments count from 0.
//!
//! An argument that no effect mentions is used during the call and not kept, unless
//! [`Unmentioned::Unknown`] says otherwise. What an effect does not say does not happen.

use crate::resource::Resource;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionModel {
    pub effects: Vec<Effect>,
    pub returns: Returns,
    /// Which result means that the call succeeded; none when it cannot be told, or cannot fail.
    pub success: Option<Success>,
    /// No effects, and equal arguments give equal results.
    pub pure: bool,
    /// The result of a pure function depends also on the memory its arguments point to.
    pub reads_memory: bool,
    pub result: ResultKind,
    /// The argument whose text what is made begins with, as with `strdup`.
    pub text_of: Option<u32>,
    /// The argument whose format tells what is printed: a success returns at least as many characters.
    pub format: Option<u32>,
    /// The argument with a text, where nothing but a malformed one makes the call fail.
    pub parses: Option<u32>,
    /// The first two arguments are texts, and the result is zero if they are the same.
    pub compares: Option<Texts>,
    /// The arguments whose memory is looked at, whatever else they are: NULL makes it crash.
    pub follows: Vec<u32>,
    /// The result is never NULL.
    pub nonnull: bool,
    /// The result is a count that is as good as never below 0.
    pub nonnegative: bool,
    /// The result is a number from the first to the second.
    pub between: Option<(i64, i64)>,
    /// Like `setjmp`: may return a second time.
    pub returns_twice: bool,
    pub unmentioned: Unmentioned,
}

/// Which texts are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Texts {
    Equal,
    /// `a` and `A` are one letter.
    WithoutCase,
}

/// What happens to the arguments that no effect mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unmentioned {
    /// Used during the call, not kept: the function has been described in full.
    Used,
    /// Whatever the default for unknown functions is: attributes told only a part.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returns {
    Always,
    Never,
    NeverWhen(Condition),
    /// As `exec`: whoever sees it return knows that it failed.
    OnlyOnFailure,
}

/// A test of the result, true when the call succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Success {
    Zero,
    /// Zero, and -1 tells of a failure: what most system calls return.
    ZeroElseMinusOne,
    NonZero,
    NonNegative,
    Positive,
    /// Exactly 1, and 0 or less tells of a failure: what most functions of OpenSSL return.
    One,
    NonNull,
    Null,
    /// Descriptors and `MAP_FAILED`: all bits set means failure.
    NotMinusOne,
}

impl Success {
    /// Whether this result means success.
    #[must_use]
    pub fn holds(self, result: i64) -> bool {
        match self {
            Success::Zero | Success::ZeroElseMinusOne | Success::Null => result == 0,
            Success::NonZero | Success::NonNull => result != 0,
            Success::NonNegative => result >= 0,
            Success::Positive => result > 0,
            Success::One => result == 1,
            Success::NotMinusOne => result != -1,
        }
    }
}

/// Where the result comes from. With several sources the first of this order that applies;
/// the effects name them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultKind {
    /// Made by this call: see the effect that targets [`Target::Result`].
    Fresh,
    /// Points to or into what this argument points to.
    Argument(u32),
    /// Read from the memory that this argument points to.
    Loaded(u32),
    /// Points to storage of the library, which nobody frees: `getenv`, `localtime`, `strerror`.
    Library,
    /// Could be anything.
    Unknown,
    /// No pointer of interest.
    Plain,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Allocates {
        to: Target,
        resource: Resource,
        /// The functions that release it, the usual one first.
        releases: Vec<String>,
        zeroed: bool,
        /// A failing call, as [`FunctionModel::success`] tells, allocates nothing.
        may_fail: bool,
        when: When,
    },
    Frees {
        args: Args,
        what: Freed,
        resource: Resource,
        /// What it may be instead, as for a function that takes blocks of two allocators.
        others: Vec<Resource>,
        when: When,
    },
    /// Success frees the old block and yields a fresh one, failure keeps the old one.
    Reallocates {
        arg: u32,
        /// The old block is `*arg`, as with `getline`, and not `arg` itself.
        through: bool,
        /// Where the fresh block goes.
        to: Target,
        /// The arguments whose product is the new size. Size 0 frees the block.
        size: Vec<u32>,
        resource: Resource,
        releases: Vec<String>,
        may_fail: bool,
    },
    /// One more release is needed before the object dies (reference counts).
    Retains { arg: u32 },
    ReturnsArgument {
        arg: u32,
        /// The result may point anywhere into the argument's object.
        interior: bool,
        /// The argument that tells how many bytes of the object the result may be in.
        below: Option<u32>,
        when: When,
    },
    /// The result comes from the memory at `*arg`.
    ReturnsLoaded { arg: u32 },
    /// A pointer to, or into, what `arg` points to is written to the memory at `into`.
    StoresArgument {
        arg: u32,
        interior: bool,
        into: u32,
        /// Bytes from `into`, none for anywhere in its object.
        offset: Option<u64>,
    },
    /// Kept for good: reachable from the library from now on.
    Keeps { args: Args, when: When },
    /// Used without being kept.
    Reads { args: Args },
    /// Plain data is written into what the argument points to, no pointers.
    Writes { args: Args },
    /// All of the first bytes of what `arg` points to become one byte, as with `memset`.
    Fills {
        arg: u32,
        /// The argument that holds the byte; none for zero.
        byte: Option<u32>,
        /// The argument that holds the number of bytes.
        bytes: u32,
    },
    /// `*arg` becomes NULL.
    Clears { arg: u32 },
    /// Bytes with the pointers in them, as `memcpy` does.
    CopiesMemory {
        to: u32,
        from: u32,
        /// The argument that holds the number of bytes.
        bytes: Option<u32>,
    },
    CallsBack {
        function: u32,
        /// The functions are those found in the memory at `function`, as with `sigaction`.
        through: bool,
        arguments: Vec<CallbackArgument>,
        result: CallbackResult,
        /// Runs after this call has returned, or beside it: `atexit`, a thread, a handler.
        entry: bool,
    },
}

/// Where a resource that a call made can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Result,
    /// `*arg` is the pointer or descriptor.
    Pointee(u32),
    /// `arg[index]` is, as with `pipe`. Index 0 is [`Target::Pointee`].
    Element {
        arg: u32,
        index: u32,
    },
    /// Every element of the array that `*arg` points to, as with `scandir`.
    Elements(u32),
    /// `*arg` itself, an object of the caller, now owns something that a release function
    /// takes by the object's address: `regcomp` and `regfree`.
    Inside(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freed {
    /// What the argument is: the block it points to, the descriptor.
    Argument,
    /// What `*arg` points to.
    Pointee,
    /// The block, and each block that a pointer in it points to: `g_strfreev`.
    ArgumentAndElements,
    /// What was made [inside](Target::Inside) the memory at the address; that memory itself stays.
    Inside,
}

/// One argument, or it and all later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Args {
    pub first: u32,
    pub and_later: bool,
}

impl Args {
    #[must_use]
    pub fn one(first: u32) -> Self {
        Self { first, and_later: false }
    }

    #[must_use]
    pub fn from(first: u32) -> Self {
        Self { first, and_later: true }
    }

    #[must_use]
    pub fn contains(self, arg: u32) -> bool {
        arg == self.first || self.and_later && arg > self.first
    }

    /// The arguments of a call with this many.
    #[must_use]
    pub fn of_call(self, count: u32) -> std::ops::Range<u32> {
        let end = if self.and_later { count } else { self.first.saturating_add(1).min(count) };
        self.first.min(end)..end
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    OnSuccess,
    OnFailure,
    Condition(Condition),
}

/// A condition on the value of an argument; NULL is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub arg: u32,
    pub test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// One of these.
    Is(Vec<i64>),
    /// None of these.
    IsNot(Vec<i64>),
    /// A number in which none of these bits is set.
    Lacks(i64),
}

impl Test {
    #[must_use]
    pub fn holds(&self, value: i64) -> bool {
        match self {
            Test::Is(values) => values.contains(&value),
            Test::IsNot(values) => !values.contains(&value),
            Test::Lacks(bits) => value & bits == 0,
        }
    }
}

/// What a function that is called back gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallbackArgument {
    /// This argument of the modelled function.
    Argument(u32),
    /// A pointer into the object that this argument points to (the elements of `qsort`).
    PointsInto(u32),
    /// A pointer found in the memory reachable from this argument (the keys of `tdestroy`).
    LoadedFrom(u32),
    /// Numbers, or pointers to storage of the library.
    Unknown,
}

/// What happens to the result of a function that is called back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallbackResult {
    /// Only its value is looked at.
    Ignored,
    /// It is the modelled function's result.
    Returned,
    /// The library keeps it.
    Kept,
}

impl FunctionModel {
    /// A function that returns, uses its arguments and does nothing else.
    #[must_use]
    pub fn harmless() -> Self {
        Self {
            effects: Vec::new(),
            returns: Returns::Always,
            success: None,
            pure: false,
            reads_memory: false,
            result: ResultKind::Plain,
            text_of: None,
            format: None,
            parses: None,
            compares: None,
            follows: Vec::new(),
            nonnull: false,
            nonnegative: false,
            between: None,
            returns_twice: false,
            unmentioned: Unmentioned::Used,
        }
    }

    /// The effects that make something.
    pub fn allocations(&self) -> impl Iterator<Item = &Effect> {
        let makes =
            |e: &&Effect| matches!(e, Effect::Allocates { .. } | Effect::Reallocates { .. });
        self.effects.iter().filter(makes)
    }

    /// Whether the result counts the elements of an array that is made at `*arg`, as with `scandir`:
    /// where there are none, there is no array, either.
    #[must_use]
    pub fn counts_elements(&self, arg: u32) -> bool {
        let is_counted = |effect: &Effect| matches!(effect, Effect::Allocates { to: Target::Elements(at), .. } if *at == arg);
        self.effects.iter().any(is_counted)
    }

    /// The effects that release something.
    pub fn releases(&self) -> impl Iterator<Item = &Effect> {
        let frees = |e: &&Effect| matches!(e, Effect::Frees { .. } | Effect::Reallocates { .. });
        self.effects.iter().filter(frees)
    }

    /// Whether the library keeps this argument for good.
    #[must_use]
    pub fn keeps(&self, arg: u32) -> bool {
        let keeps = |e: &Effect| matches!(e, Effect::Keeps { args, .. } if args.contains(arg));
        self.effects.iter().any(keeps)
    }
}
