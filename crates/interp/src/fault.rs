//! What can go wrong in a run, and how it is told.

use crate::value::Origin;

/// What the program did that C does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    OutOfBounds,
    UseAfterFree,
    UseAfterScope,
    NullDereference,
    /// The address belongs to no object.
    WildPointer,
    WriteToConstant,
    /// An undefined value decided a branch, was dereferenced, or left the program.
    Uninitialised,
    DoubleFree,
    InvalidFree,
    DivisionByZero,
    DivisionOverflow,
    /// A trap, or a place that the program promised never to reach.
    Trap,
    /// A call through something that is no function, or of a function without a body.
    BadCall,
    /// A computed jump to something that is no label.
    BadJump,
    /// A library function was given what it cannot work with.
    BadArgument,
}

impl FaultKind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::UseAfterFree => "use-after-free",
            FaultKind::UseAfterScope => "use-after-scope",
            FaultKind::NullDereference => "null-dereference",
            FaultKind::WildPointer => "wild-pointer",
            FaultKind::WriteToConstant => "write-to-constant",
            FaultKind::Uninitialised => "uninitialised",
            FaultKind::DoubleFree => "double-free",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::DivisionOverflow => "division-overflow",
            FaultKind::Trap => "trap",
            FaultKind::BadCall => "bad-call",
            FaultKind::BadJump => "bad-jump",
            FaultKind::BadArgument => "bad-argument",
        }
    }
}

/// A fault before its place in the program is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub object: Origin,
    pub message: String,
}

impl Fault {
    #[cold]
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { kind, object: 0, message: message.into() })
    }

    #[cold]
    pub fn on(kind: FaultKind, object: Origin, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { kind, object, message: message.into() })
    }
}

/// The result of touching memory.
pub type Checked<T> = Result<T, Box<Fault>>;

/// Why the program does not simply go on.
#[derive(Clone, Debug)]
pub enum Stop {
    Fault(Box<Fault>),
    /// `exit`: the handlers still have to run.
    Exit(i32),
    /// `_exit` and a return from the handlers.
    ExitNow(i32),
    Signal(i32),
    UnknownExternal(String),
    OutOfBudget(Budget),
    LongJump {
        target: JumpTarget,
        value: i32,
    },
}

/// Where a `setjmp` returns again: the activation's depth, where it goes on, and the register
/// for the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JumpTarget {
    pub depth: usize,
    pub pc: usize,
    pub dst: Option<u32>,
}

pub type Step<T> = Result<T, Box<Stop>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Steps,
    Memory,
    Depth,
}

impl From<Box<Fault>> for Box<Stop> {
    #[cold]
    fn from(fault: Box<Fault>) -> Self {
        Box::new(Stop::Fault(fault))
    }
}

/// Where something happened, as a person would point at it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}:{}:{}", self.function, self.file, self.line, self.column)
    }
}

/// A fault with its place: `stack` starts at the instruction and ends in `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub kind: FaultKind,
    pub message: String,
    pub stack: Vec<Position>,
    /// Where the memory concerned was allocated, and where it was freed.
    pub allocated: Option<Vec<Position>>,
    pub freed: Option<Vec<Position>>,
}
