//! The body of a function: blocks of instructions over SSA values.
//!
//! Blocks take parameters, and each edge passes arguments (instead of φ nodes). The entry is
//! `b0`, takes no parameters and has no predecessors.

use caulk_base::{Name, SpanId, Table, define_id};

use crate::inst::{Asm, AsmId, Inst, InstId};
use crate::module::{FunctionId, ObjectId};
use crate::types::{Scalar, SignatureId, TypeId};

define_id!(pub ValueId, "v", "An SSA value.");
define_id!(pub BlockId, "b", "A basic block.");
define_id!(pub SlotId, "s", "A stack object of a function.");
define_id!(pub VarId, "x", "A variable or parameter of the source.");
define_id!(pub ScopeId, "sc", "A lexical scope.");
define_id!(pub CallId, "c", "A call site of a function.");

impl BlockId {
    pub const ENTRY: BlockId = BlockId(0);
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// One value per parameter; an aggregate parameter is the address of the callee's own copy.
    pub params: Vec<ValueId>,
    /// Where an aggregate result goes: a hidden pointer that the caller passes.
    pub result_into: Option<ValueId>,
    pub values: Table<ValueId, Value>,
    pub insts: Table<InstId, Inst>,
    pub inst_spans: Table<InstId, SpanId>,
    /// The value that an instruction defines.
    pub results: Table<InstId, Option<ValueId>>,
    pub blocks: Table<BlockId, Block>,
    pub slots: Table<SlotId, Slot>,
    pub vars: Table<VarId, Var>,
    pub scopes: Table<ScopeId, Scope>,
    pub calls: Table<CallId, Call>,
    pub asms: Table<AsmId, Asm>,
    /// Labels whose address is taken; a [`Constant::Label`] is an index here.
    pub labels: Vec<(Name, BlockId)>,
    /// Constants that need more than 64 bits.
    pub wide: Vec<u128>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub scalar: Scalar,
    pub kind: ValueKind,
    /// The source variable that this value is a version of.
    pub var: Option<VarId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// A parameter; the number counts from 0. The hidden result pointer is `u32::MAX`.
    Param(u32),
    BlockParam(BlockId, u32),
    Inst(InstId),
    Const(Constant),
}

/// A value known before the function runs. The address of a slot belongs here: it is the same
/// throughout one activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// An integer, sign-extended from its width (an `i1` is 0 or 1); a pointer made from a
    /// number (NULL is 0).
    Int(i64),
    /// The bits of an f16, f32 or f64.
    Float(u64),
    /// Bits in [`Body::wide`]: i128 that does not fit `Int`, f80, f128.
    Wide(u32),
    Object(ObjectId),
    Function(FunctionId),
    Slot(SlotId),
    /// An index into [`Body::labels`].
    Label(u32),
    /// The value of a variable that was not set.
    Undef,
}

/// Instructions `first..end` and what comes after them. Blocks lie in [`Body::insts`] in the
/// order of their ids, without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub params: Vec<ValueId>,
    pub first: InstId,
    pub end: InstId,
    pub terminator: Terminator,
    pub terminator_span: SpanId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    Jump(Edge),
    /// `cond` is an `i1`.
    Branch {
        cond: ValueId,
        then: Edge,
        otherwise: Edge,
    },
    /// Case ranges do not overlap and are compared in the signedness that the front end used:
    /// bounds are the mathematical values of the promoted type.
    Switch {
        value: ValueId,
        signed: bool,
        cases: Vec<SwitchCase>,
        default: Edge,
    },
    /// A computed goto to one of the function's labels.
    Indirect {
        target: ValueId,
        edges: Vec<Edge>,
    },
    Return(Option<ValueId>),
    Unreachable(Unreachable),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SwitchCase {
    pub low: i128,
    pub high: i128,
    pub edge: Edge,
}

#[derive(Clone, Debug, PartialEq, Eq, Default, Hash)]
pub struct Edge {
    pub to: BlockId,
    pub args: Vec<ValueId>,
}

impl Default for BlockId {
    fn default() -> Self {
        BlockId::ENTRY
    }
}

/// Why control does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unreachable {
    /// The call before it never returns.
    Noreturn,
    Trap,
    /// The program promises that control does not come here.
    Promised,
}

/// A stack object: a variable that lives in memory, a temporary, an aggregate's copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    pub ty: TypeId,
    pub size: u64,
    pub align: u64,
    /// Lives from `ScopeBegin` to `ScopeEnd`; the whole activation without one.
    pub scope: Option<ScopeId>,
    pub var: Option<VarId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Var {
    pub name: Name,
    pub ty: TypeId,
    pub home: VarHome,
    pub span: SpanId,
    pub scope: ScopeId,
    pub param: Option<u32>,
}

/// Where a variable's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarHome {
    /// In SSA values; `Set` tells which, from where on.
    Values,
    Slot(SlotId),
    /// An aggregate parameter, in the memory that the parameter value points to.
    Param,
    /// A variable length array: the `Alloca` whose value carries this variable.
    Alloca,
    /// A static local.
    Object(ObjectId),
}

/// Scope 0 is the function with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub span: SpanId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub callee: Callee,
    pub signature: SignatureId,
    pub args: Vec<CallArg>,
    /// Memory for an aggregate result.
    pub result_into: Option<ValueId>,
    /// Control never comes back.
    pub noreturn: bool,
}

/// An aggregate argument is the address of a copy that the callee owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallArg {
    pub value: ValueId,
    pub ty: TypeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    Function(FunctionId),
    Pointer(ValueId),
}

impl Block {
    pub fn insts(&self) -> impl DoubleEndedIterator<Item = InstId> + ExactSizeIterator + use<> {
        (self.first.0..self.end.0).map(InstId)
    }
}

impl Terminator {
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (fixed, cases, many): ([Option<&Edge>; 2], &[SwitchCase], &[Edge]) = match self {
            Terminator::Jump(edge) => ([Some(edge), None], &[], &[]),
            Terminator::Branch { then, otherwise, .. } => ([Some(then), Some(otherwise)], &[], &[]),
            Terminator::Switch { cases, default, .. } => ([None, Some(default)], cases, &[]),
            Terminator::Indirect { edges, .. } => ([None, None], &[], edges),
            Terminator::Return(_) | Terminator::Unreachable(_) => ([None, None], &[], &[]),
        };
        let [first, last] = fixed;
        first.into_iter().chain(cases.iter().map(|case| &case.edge)).chain(many).chain(last)
    }

    pub fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (fixed, cases, many): ([Option<&mut Edge>; 2], &mut [SwitchCase], &mut [Edge]) =
            match self {
                Terminator::Jump(edge) => ([Some(edge), None], &mut [], &mut []),
                Terminator::Branch { then, otherwise, .. } => {
                    ([Some(then), Some(otherwise)], &mut [], &mut [])
                }
                Terminator::Switch { cases, default, .. } => {
                    ([None, Some(default)], cases, &mut [])
                }
                Terminator::Indirect { edges, .. } => ([None, None], &mut [], edges),
                Terminator::Return(_) | Terminator::Unreachable(_) => {
                    ([None, None], &mut [], &mut [])
                }
            };
        let [first, last] = fixed;
        first.into_iter().chain(cases.iter_mut().map(|case| &mut case.edge)).chain(many).chain(last)
    }

    /// The value it decides by or returns.
    #[must_use]
    pub fn operand(&self) -> Option<ValueId> {
        match *self {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Indirect { target: value, .. } => Some(value),
            Terminator::Return(value) => value,
            Terminator::Jump(_) | Terminator::Unreachable(_) => None,
        }
    }

    pub fn operand_mut(&mut self) -> Option<&mut ValueId> {
        match self {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Indirect { target: value, .. } => Some(value),
            Terminator::Return(value) => value.as_mut(),
            Terminator::Jump(_) | Terminator::Unreachable(_) => None,
        }
    }
}

impl Body {
    /// Calls `visit` on every operand of the instruction, those of calls and assembly included.
    pub fn operands(&self, inst: InstId, mut visit: impl FnMut(ValueId)) {
        match self.insts[inst] {
            Inst::Call(id) => {
                let call = &self.calls[id];
                if let Callee::Pointer(value) = call.callee {
                    visit(value);
                }
                call.args.iter().for_each(|arg| visit(arg.value));
                call.result_into.into_iter().for_each(visit);
            }
            Inst::Asm(id) => {
                let asm = &self.asms[id];
                asm.outputs.iter().for_each(|output| visit(output.address));
                asm.inputs.iter().for_each(|input| visit(input.value));
            }
            ref plain => plain.visit_operands(visit),
        }
    }

    #[must_use]
    pub fn constant(&self, value: ValueId) -> Option<Constant> {
        match self.values[value].kind {
            ValueKind::Const(constant) => Some(constant),
            _ => None,
        }
    }

    /// The instruction that defines the value.
    #[must_use]
    pub fn definition(&self, value: ValueId) -> Option<InstId> {
        match self.values[value].kind {
            ValueKind::Inst(inst) => Some(inst),
            _ => None,
        }
    }
}
