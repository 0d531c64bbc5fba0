//! A function ready to run: its operations and their tables.

use caulk_base::SpanId;
use caulk_ir::{InstId, Scalar, TypeId};

use crate::op::{Op, Reg, Special};
use crate::value::Value;

#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeCode {
    pub pc: u32,
    pub first_move: u32,
    pub end_move: u32,
    /// Instructions of the block it leads to.
    pub weight: u32,
    pub block: u32,
}

#[derive(Clone, Debug)]
pub struct SwitchCode {
    pub scalar: Scalar,
    pub signed: bool,
    /// Sorted; the edge of the default comes first, that of case `i` is `first_edge + 1 + i`.
    pub cases: Vec<(i128, i128, u32)>,
    pub default: u32,
    /// Edges by `value - low` where the cases are dense.
    pub dense: Option<(i64, Vec<u32>)>,
}

#[derive(Clone, Debug)]
pub struct CallCode {
    pub callee: CalleeCode,
    pub args: Vec<ArgCode>,
    pub dst: Option<Reg>,
    pub result: Option<Scalar>,
    pub into: Option<Reg>,
    pub noreturn: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum CalleeCode {
    /// A function of the program, by number.
    Function(u32),
    Pointer(Reg),
}

#[derive(Clone, Copy, Debug)]
pub struct ArgCode {
    pub reg: Reg,
    pub scalar: Scalar,
    pub ty: TypeId,
    /// Bytes, if it is an aggregate behind a pointer.
    pub aggregate: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub struct SlotCode {
    pub reg: Reg,
    pub size: u64,
    pub align: u64,
}

/// One function, ready to run.
#[derive(Debug, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    pub spans: Vec<SpanId>,
    /// The instruction that each operation belongs to.
    pub insts: Vec<InstId>,
    pub value_regs: Vec<Reg>,
    pub edges: Vec<EdgeCode>,
    pub moves: Vec<(Reg, Reg)>,
    pub registers: u32,
    pub params: Vec<(Reg, Scalar)>,
    pub result_into: Option<Reg>,
    pub slots: Vec<SlotCode>,
    /// Slots that live as long as the activation.
    pub whole_slots: Vec<u32>,
    /// Slots of each scope.
    pub scope_slots: Vec<Vec<u32>>,
    /// Variables of each scope, for the watch.
    pub scope_vars: Vec<Vec<u32>>,
    pub vars: usize,
    pub first_constant: Reg,
    pub constants: Vec<Value>,
    pub calls: Vec<CallCode>,
    pub switches: Vec<SwitchCode>,
    pub specials: Vec<Special>,
    pub far: Vec<i64>,
    pub asm_outputs: Vec<Vec<(Reg, u64)>>,
    /// Edges of computed jumps: the address of the first label, then an edge per label
    /// (`NO_EDGE` for those that the jump does not list).
    pub gotos: Vec<(u64, Vec<u32>)>,
    pub entry_weight: u32,
    /// Variables set when an edge is taken, in watch mode: by edge.
    pub edge_sets: Vec<Vec<(u32, Reg)>>,
    pub variadic: bool,
}

impl Code {
    /// The call that goes on at `pc`, if one does.
    pub fn call_before(&self, pc: usize) -> Option<&CallCode> {
        match self.ops.get(pc.checked_sub(1)?)? {
            Op::Call { call } => self.calls.get(*call as usize),
            _ => None,
        }
    }
}
