//! What a function does for its callers, as values that outlive its analysis.
//!
//! A summary is a short list of cases, each with the conditions under which it happens and all that
//! happens then: so a status code stands for the pointer it was returned with (K3's summaries map
//! an input to pairs of output and class of result). Models of external functions take the same
//! form.

use caulk_base::FxHashSet;
use caulk_guard::bits::{Binary, Compare, Unary};
use caulk_machines::MachineId;
use caulk_models::Resource;
use caulk_program::StaticId;

use crate::state::Certainty;

/// A value in terms of the call: its arguments, memory before it, and what it makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    Constant {
        value: u64,
        width: u8,
    },
    /// The hidden result pointer is `u32::MAX`.
    Param(u32),
    Static(StaticId),
    /// Memory before the call.
    Load {
        address: Box<Expr>,
        width: u8,
        pointer: bool,
    },
    /// What the case makes, by its place in [`Case::makes`].
    Fresh(u32),
    /// Anything, the same wherever it has this number in the case.
    Unknown {
        number: u32,
        width: u8,
        pointer: bool,
    },
    /// One of several pointers of the caller's.
    OneOf {
        choices: Vec<Expr>,
        width: u8,
    },
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    ExtendU(Box<Expr>, u8),
    ExtendS(Box<Expr>, u8),
    Truncate(Box<Expr>, u8),
    /// The result of a pure function of this number; it may depend on what its arguments point to.
    Apply {
        function: u32,
        arguments: Vec<Expr>,
        width: u8,
        reads: bool,
    },
}

impl Expr {
    pub fn add(self, offset: i64, width: u8) -> Expr {
        if offset == 0 {
            return self;
        }
        let offset = Expr::Constant { value: offset as u64, width };
        Expr::Binary(Binary::Add, Box::new(self), Box::new(offset))
    }
}

impl Expr {
    /// Whether the value depends on memory before the call.
    pub fn reads_memory(&self) -> bool {
        match self {
            Expr::Load { .. } => true,
            Expr::Unary(_, of)
            | Expr::ExtendU(of, _)
            | Expr::ExtendS(of, _)
            | Expr::Truncate(of, _) => of.reads_memory(),
            Expr::Binary(_, left, right) | Expr::Compare(_, left, right) => {
                left.reads_memory() || right.reads_memory()
            }
            _ => false,
        }
    }
}

/// Something that a call hands out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fresh {
    pub resource: Resource,
    pub machine: MachineId,
    /// Making it cannot fail.
    pub certain: bool,
    /// Who takes it back, the usual one first.
    pub releases: Vec<String>,
    pub zeroed: bool,
    pub width: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    pub what: Expr,
    pub certainty: Certainty,
    pub resource: Option<Resource>,
    /// What its members point to goes with it.
    pub members: bool,
    /// Another exit does it, which callers cannot tell from this one unless they know more.
    pub inferred: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    pub to: Expr,
    pub value: Expr,
    /// Not on all paths of the case: what was there may still be.
    pub may: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Case {
    /// All hold, else the case does not happen.
    pub conditions: Vec<Expr>,
    pub result: Option<Expr>,
    pub makes: Vec<Fresh>,
    pub releases: Vec<Release>,
    /// Somebody else has a reference from now on.
    pub keeps: Vec<Expr>,
    /// Somebody else has what these objects hold from now on.
    pub keeps_contents: Vec<Expr>,
    pub stores: Vec<Store>,
    /// Destination, source, bytes.
    pub copies: Vec<(Expr, Expr, Option<Expr>)>,
    /// Objects in which numbers are unknown afterwards, and pointers as they were.
    pub dirties: Vec<Expr>,
    /// Objects whose contents are unknown afterwards.
    pub havocs: Vec<Expr>,
    /// An allocation fails in it.
    pub fails: bool,
}

/// Which statics a function may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    These(FxHashSet<StaticId>),
    All,
}

impl Default for Written {
    fn default() -> Self {
        Written::These(FxHashSet::default())
    }
}

impl Written {
    pub fn add(&mut self, other: &Written) {
        match (&mut *self, other) {
            (Written::These(own), Written::These(others)) => own.extend(others),
            _ => *self = Written::All,
        }
    }

    pub fn contains(&self, id: StaticId) -> bool {
        match self {
            Written::These(own) => own.contains(&id),
            Written::All => true,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// None at all: the call does not return.
    pub cases: Vec<Case>,
    pub written: Written,
    /// Memory that callers know of may change in unknown ways.
    pub unknown_effects: bool,
}
