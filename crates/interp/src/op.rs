//! The executable form of a body: a flat array of operations over registers.
//!
//! A frame's registers are: parameters, the hidden result pointer, slot addresses, constants,
//! then one per value (two for scalars wider than 64 bits). Edges carry their block arguments
//! as moves that were put in an order which makes them parallel.

use caulk_base::SpanId;
use caulk_ir::{BinaryOp, BitRange, CompareOp, ConvertOp, InstId, OverflowOp, OverflowPart, RmwOp, Scalar,
    TypeId, UnaryOp};

use crate::value::Value;

pub const NO_EDGE: u32 = u32::MAX;

/// A register of the frame.
pub type Reg = u32;

/// One operation. `imm` and `offset` are sign-extended.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Load8 { dst: Reg, base: Reg, offset: i32 },
    Load16 { dst: Reg, base: Reg, offset: i32 },
    Load32 { dst: Reg, base: Reg, offset: i32 },
    Load64 { dst: Reg, base: Reg, offset: i32 },
    LoadBool { dst: Reg, base: Reg, offset: i32 },
    LoadWide { dst: Reg, base: Reg, offset: i32, len: u8 },
    Store8 { base: Reg, value: Reg, offset: i32 },
    Store16 { base: Reg, value: Reg, offset: i32 },
    Store32 { base: Reg, value: Reg, offset: i32 },
    Store64 { base: Reg, value: Reg, offset: i32 },
    StoreWide { base: Reg, value: Reg, offset: i32, len: u8 },
    /// An element read or written: `base + index * stride`.
    LoadAt { dst: Reg, base: Reg, index: Reg, stride: i16, len: u8 },
    StoreAt { value: Reg, base: Reg, index: Reg, stride: i16, len: u8 },

    Add32 { dst: Reg, lhs: Reg, rhs: Reg },
    Add64 { dst: Reg, lhs: Reg, rhs: Reg },
    Sub32 { dst: Reg, lhs: Reg, rhs: Reg },
    Sub64 { dst: Reg, lhs: Reg, rhs: Reg },
    Mul32 { dst: Reg, lhs: Reg, rhs: Reg },
    Mul64 { dst: Reg, lhs: Reg, rhs: Reg },
    And { dst: Reg, lhs: Reg, rhs: Reg },
    Or { dst: Reg, lhs: Reg, rhs: Reg },
    Xor { dst: Reg, lhs: Reg, rhs: Reg },
    Add32Imm { dst: Reg, lhs: Reg, imm: i32 },
    Add64Imm { dst: Reg, lhs: Reg, imm: i32 },
    AndImm { dst: Reg, lhs: Reg, imm: i32 },
    Shl32Imm { dst: Reg, lhs: Reg, imm: i32 },
    Shl64Imm { dst: Reg, lhs: Reg, imm: i32 },
    ShrUImm { dst: Reg, lhs: Reg, imm: i32 },
    ShrS32Imm { dst: Reg, lhs: Reg, imm: i32 },
    ShrS64Imm { dst: Reg, lhs: Reg, imm: i32 },
    FAdd64 { dst: Reg, lhs: Reg, rhs: Reg },
    FSub64 { dst: Reg, lhs: Reg, rhs: Reg },
    FMul64 { dst: Reg, lhs: Reg, rhs: Reg },
    FDiv64 { dst: Reg, lhs: Reg, rhs: Reg },
    Binary { op: BinaryOp, scalar: Scalar, dst: Reg, lhs: Reg, rhs: Reg },
    Unary { op: UnaryOp, scalar: Scalar, dst: Reg, value: Reg },
    Compare { op: CompareOp, scalar: Scalar, dst: Reg, lhs: Reg, rhs: Reg },
    Test { test: Test, dst: Reg, lhs: Reg, rhs: Reg },
    TestImm { test: Test, dst: Reg, lhs: Reg, imm: i32 },

    SignExtend32 { dst: Reg, value: Reg },
    /// Keeps the low bits: truncation to 8, 16 or 32 bits.
    Low { dst: Reg, value: Reg, width: u8 },
    Move { dst: Reg, value: Reg },
    Convert { op: ConvertOp, from: Scalar, to: Scalar, dst: Reg, value: Reg },

    Field { dst: Reg, base: Reg, offset: i32 },
    FieldFar { dst: Reg, base: Reg, far: u32 },
    Index { dst: Reg, base: Reg, index: Reg, stride: i16 },
    IndexFar { dst: Reg, base: Reg, index: Reg, far: u16 },

    Jump { edge: u32 },
    /// To `edge` if it holds, to the next one otherwise.
    Branch { cond: Reg, edge: u32 },
    BranchIf { test: Test, lhs: Reg, rhs: Reg, edge: u32 },
    BranchIfImm { test: Test, lhs: Reg, imm: i32, edge: u32 },
    Switch { value: Reg, table: u32 },
    /// A computed jump.
    Goto { target: Reg, table: u32 },
    Return,
    ReturnValue { value: Reg },
    ReturnWide { value: Reg },
    Call { call: u32 },

    /// What the loop leaves to the machine: an index into `specials`.
    Special { special: u32 },
}

/// A comparison of registers that hold at most 64 bits. Unsigned ones and equality do not
/// depend on the width, as registers are zero-extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Eq,
    Ne,
    LtU,
    LeU,
    GtU,
    GeU,
    LtS32,
    LeS32,
    GtS32,
    GeS32,
    LtS64,
    LeS64,
    GtS64,
    GeS64,
}

/// Less common operations, handled outside the inner loop.
#[derive(Clone, Copy, Debug)]
pub enum Special {
    LoadBits { dst: Reg, base: Reg, bits: BitRange, scalar: Scalar },
    StoreBits { base: Reg, value: Reg, bits: BitRange, scalar: Scalar },
    Overflow {
        op: OverflowOp,
        part: OverflowPart,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
        scalars: [Scalar; 3],
        signs: [bool; 3],
    },
    Copy { to: Reg, from: Reg, size: Reg },
    Fill { to: Reg, byte: Reg, size: Reg },
    HavocMemory { to: Reg, size: Reg },
    Havoc { dst: Reg, scalar: Scalar },
    Alloca { dst: Reg, size: Reg, align: u32, scope: Option<u32> },
    VaStart { list: Reg },
    VaCopy { to: Reg, from: Reg },
    VaArg { list: Reg, dst: Option<Reg>, scalar: Option<Scalar>, into: Option<Reg>, ty: TypeId },
    Rmw { op: RmwOp, dst: Reg, to: Reg, value: Reg, scalar: Scalar },
    CompareExchange { dst: Reg, to: Reg, expected: Reg, desired: Reg, scalar: Scalar },
    Asm { asm: u32 },
    ScopeBegin { scope: u32 },
    ScopeEnd { scope: u32 },
    Set { var: u32, value: Reg },
    Trap,
    Promised,
    /// A call that should not have returned did.
    Returned,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeCode {
    pub pc: u32,
    pub first_move: u32,
    pub end_move: u32,
    /// Instructions of the block it leads to.
    pub weight: u32,
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
