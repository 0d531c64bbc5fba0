//! The nodes and edges of the value-flow graph.

use caulk_ir::{BlockId, InstId, ValueId};
use caulk_memory::{CallSite, RegionId, VersionId, View};
use caulk_program::{ExternalId, InstanceId};

/// A definition, or a use that carries the condition of being reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A value: its definition.
    Value(InstanceId, ValueId),
    /// A version of a region's contents.
    Memory(InstanceId, RegionId, View, VersionId),
    /// A region as a call hands it to its callees: a pseudo parameter, at the call because it
    /// carries the condition of reaching it (S6).
    Passed(InstanceId, InstId, RegionId),
    /// Where the flow ends.
    End(InstanceId, Point, End),
}

/// Where in a function something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// Before the first instruction of the function.
    Entry,
    /// At the start of a block, where its parameters get their values.
    Start(BlockId),
    Inst(InstId),
    /// After the last instruction of a block.
    Terminator(BlockId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// A sink: the call releases it.
    Released,
    /// A library function keeps it for good.
    Kept(ExternalId),
    /// Handed to a function that nothing is known of.
    Unknown(Option<ExternalId>),
    /// Returned to, or left in memory of, a caller that is not part of the program.
    Caller,
}

/// How an edge crosses procedures: paths match calls and returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cross {
    None,
    Call(CallSite),
    Return(CallSite),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowEdge {
    pub to: Node,
    pub cross: Cross,
    /// The rule of Figure 6 that made it.
    pub rule: Rule,
}

/// The seven rules of SABER's Figure 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    Copy,
    Mu,
    Chi,
    Phi,
    CallParameter,
    CallMu,
    CallChi,
}

impl Rule {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rule::Copy => "V-COPY",
            Rule::Mu => "V-MU",
            Rule::Chi => "V-CHI",
            Rule::Phi => "V-PHI",
            Rule::CallParameter => "V-CSPAR",
            Rule::CallMu => "V-CSMU",
            Rule::CallChi => "V-CSCHI",
        }
    }
}

impl Node {
    #[must_use]
    pub fn instance(self) -> InstanceId {
        match self {
            Node::Value(instance, _)
            | Node::Memory(instance, ..)
            | Node::Passed(instance, ..)
            | Node::End(instance, ..) => instance,
        }
    }
}
