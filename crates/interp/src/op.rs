//! The executable form of a body: a flat array of operations over registers.
//!
//! A frame's registers are: parameters, the hidden result pointer, slot addresses, constants,
//! then one per value (two for scalars wider than 64 bits). Edges carry their block arguments
//! as moves that were put in an order which makes them parallel.

use caulk_ir::{
    BinaryOp, BitRange, CompareOp, ConvertOp, OverflowOp, OverflowPart, RmwOp, Scalar, TypeId,
    UnaryOp,
};

pub const NO_EDGE: u32 = u32::MAX;

/// A register of the frame.
pub type Reg = u32;

/// One operation. `imm` and `offset` are sign-extended.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Load8 {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    Load16 {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    Load32 {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    Load64 {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    LoadBool {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    LoadWide {
        dst: Reg,
        base: Reg,
        offset: i32,
        len: u8,
    },
    Store8 {
        base: Reg,
        value: Reg,
        offset: i32,
    },
    Store16 {
        base: Reg,
        value: Reg,
        offset: i32,
    },
    Store32 {
        base: Reg,
        value: Reg,
        offset: i32,
    },
    Store64 {
        base: Reg,
        value: Reg,
        offset: i32,
    },
    StoreWide {
        base: Reg,
        value: Reg,
        offset: i32,
        len: u8,
    },
    /// An element read or written: `base + index * stride`.
    LoadAt {
        dst: Reg,
        base: Reg,
        index: Reg,
        stride: i16,
        len: u8,
    },
    StoreAt {
        value: Reg,
        base: Reg,
        index: Reg,
        stride: i16,
        len: u8,
    },

    Add32 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Add64 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Sub32 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Sub64 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Mul32 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Mul64 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    And {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Or {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Xor {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Add32Imm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    Add64Imm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    AndImm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    Shl32Imm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    Shl64Imm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    ShrUImm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    ShrS32Imm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    ShrS64Imm {
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },
    FAdd64 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    FSub64 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    FMul64 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    FDiv64 {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Binary {
        op: BinaryOp,
        scalar: Scalar,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Unary {
        op: UnaryOp,
        scalar: Scalar,
        dst: Reg,
        value: Reg,
    },
    Compare {
        op: CompareOp,
        scalar: Scalar,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Test {
        test: Test,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    TestImm {
        test: Test,
        dst: Reg,
        lhs: Reg,
        imm: i32,
    },

    SignExtend32 {
        dst: Reg,
        value: Reg,
    },
    /// Keeps the low bits: truncation to 8, 16 or 32 bits.
    Low {
        dst: Reg,
        value: Reg,
        width: u8,
    },
    Move {
        dst: Reg,
        value: Reg,
    },
    Convert {
        op: ConvertOp,
        from: Scalar,
        to: Scalar,
        dst: Reg,
        value: Reg,
    },

    Field {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    FieldFar {
        dst: Reg,
        base: Reg,
        far: u32,
    },
    Index {
        dst: Reg,
        base: Reg,
        index: Reg,
        stride: i16,
    },
    IndexFar {
        dst: Reg,
        base: Reg,
        index: Reg,
        far: u16,
    },

    Jump {
        edge: u32,
    },
    /// To `edge` if it holds, to the next one otherwise.
    Branch {
        cond: Reg,
        edge: u32,
    },
    BranchIf {
        test: Test,
        lhs: Reg,
        rhs: Reg,
        edge: u32,
    },
    BranchIfImm {
        test: Test,
        lhs: Reg,
        imm: i32,
        edge: u32,
    },
    Switch {
        value: Reg,
        table: u32,
    },
    /// A computed jump.
    Goto {
        target: Reg,
        table: u32,
    },
    Return,
    ReturnValue {
        value: Reg,
    },
    ReturnWide {
        value: Reg,
    },
    Call {
        call: u32,
    },

    /// What the loop leaves to the machine: an index into `specials`.
    Special {
        special: u32,
    },
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
    LoadBits {
        dst: Reg,
        base: Reg,
        bits: BitRange,
        scalar: Scalar,
    },
    StoreBits {
        base: Reg,
        value: Reg,
        bits: BitRange,
        scalar: Scalar,
    },
    Overflow {
        op: OverflowOp,
        part: OverflowPart,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
        scalars: [Scalar; 3],
        signs: [bool; 3],
    },
    Copy {
        to: Reg,
        from: Reg,
        size: Reg,
    },
    Fill {
        to: Reg,
        byte: Reg,
        size: Reg,
    },
    HavocMemory {
        to: Reg,
        size: Reg,
    },
    Havoc {
        dst: Reg,
        scalar: Scalar,
    },
    Alloca {
        dst: Reg,
        size: Reg,
        align: u32,
        scope: Option<u32>,
    },
    VaStart {
        list: Reg,
    },
    VaCopy {
        to: Reg,
        from: Reg,
    },
    VaArg {
        list: Reg,
        dst: Option<Reg>,
        scalar: Option<Scalar>,
        into: Option<Reg>,
        ty: TypeId,
    },
    Rmw {
        op: RmwOp,
        dst: Reg,
        to: Reg,
        value: Reg,
        scalar: Scalar,
    },
    CompareExchange {
        dst: Reg,
        to: Reg,
        expected: Reg,
        desired: Reg,
        scalar: Scalar,
    },
    Asm {
        asm: u32,
    },
    ScopeBegin {
        scope: u32,
    },
    ScopeEnd {
        scope: u32,
    },
    Set {
        var: u32,
        value: Reg,
    },
    Trap,
    Promised,
    /// A call that should not have returned did.
    Returned,
}
