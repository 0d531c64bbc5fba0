//! Instructions. Operands are always values; constants are values too.

use caulk_base::define_id;

use crate::body::{CallId, ScopeId, ValueId, VarId};
use crate::types::{RecordId, Scalar, TypeId};

define_id!(pub InstId, "i", "An instruction.");
define_id!(pub AsmId, "asm", "An inline assembly statement.");

/// One step. Which of them have a result is fixed by the variant (see [`Inst::result`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inst {
    Load {
        from: ValueId,
        scalar: Scalar,
        volatile: bool,
    },
    Store {
        to: ValueId,
        value: ValueId,
        volatile: bool,
    },
    /// Reads a bit-field; the result is extended to `scalar` by `bits.signed`.
    LoadBits {
        from: ValueId,
        scalar: Scalar,
        bits: BitRange,
    },
    StoreBits {
        to: ValueId,
        value: ValueId,
        bits: BitRange,
    },

    Unary {
        op: UnaryOp,
        value: ValueId,
    },
    Binary {
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
    },
    Compare {
        op: CompareOp,
        lhs: ValueId,
        rhs: ValueId,
    },
    Convert {
        op: ConvertOp,
        value: ValueId,
        to: Scalar,
    },
    /// Exact arithmetic on two integers, put into `scalar`: either the wrapped result, or
    /// whether wrapping changed it. `signs` tells whether lhs, rhs and result are signed.
    Overflow {
        op: OverflowOp,
        part: OverflowPart,
        lhs: ValueId,
        rhs: ValueId,
        scalar: Scalar,
        signs: [bool; 3],
    },

    /// `base + offset` bytes, within one object: a member, or a folded constant address.
    Field {
        base: ValueId,
        offset: i64,
        field: Option<(RecordId, u32)>,
    },
    /// `base + index * stride` bytes; `index` is an `i64` taken as signed.
    Index {
        base: ValueId,
        index: ValueId,
        stride: i64,
    },

    /// Copies `size` bytes between objects that are equal or do not overlap; `ty` is the C type
    /// assigned, so that an analysis can copy field by field.
    Copy {
        to: ValueId,
        from: ValueId,
        size: ValueId,
        ty: TypeId,
    },
    /// Sets `size` bytes to the `i8` `byte`.
    Fill {
        to: ValueId,
        byte: ValueId,
        size: ValueId,
    },
    /// Writes `size` unknown bytes: vector arithmetic and what else caulk does not model.
    HavocMemory {
        to: ValueId,
        size: ValueId,
    },
    /// An unknown scalar.
    Havoc {
        scalar: Scalar,
    },

    /// Fresh stack memory: until the end of `scope` for a variable length array, until the
    /// function returns for `alloca`.
    Alloca {
        size: ValueId,
        align: u32,
        scope: Option<ScopeId>,
    },

    Call(CallId),
    VaStart {
        list: ValueId,
    },
    VaEnd {
        list: ValueId,
    },
    VaCopy {
        to: ValueId,
        from: ValueId,
    },
    /// The next variable argument: a scalar result, or an aggregate copied to `into`.
    VaArg {
        list: ValueId,
        ty: TypeId,
        scalar: Option<Scalar>,
        into: Option<ValueId>,
    },

    /// Atomically replaces `*to`; the result is what was there.
    AtomicRmw {
        op: RmwOp,
        to: ValueId,
        value: ValueId,
    },
    /// Atomically stores `desired` if `*to == expected`; the result is what was there.
    CompareExchange {
        to: ValueId,
        expected: ValueId,
        desired: ValueId,
    },
    Fence,

    Asm(AsmId),

    /// The scope's variables begin a new life: slots are fresh and uninitialised.
    ScopeBegin(ScopeId),
    /// The scope is left: its variables die here. On every way out, innermost first.
    ScopeEnd(ScopeId),
    /// The source variable `var` holds `value` from here on; no effect at run time. Only for
    /// variables that live in SSA values: it tells which statement overwrote a reference.
    Set {
        var: VarId,
        value: ValueId,
    },
}

/// A bit-field's place: `width` bits from bit `first` of the byte at the address, in the
/// target's bit order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitRange {
    pub first: u8,
    pub width: u8,
    pub signed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Two's complement negation; `NegS`: overflow is undefined in C.
    Neg,
    NegS,
    Not,
    FNeg,
    FAbs,
    AbsS,
    LeadingZeros,
    TrailingZeros,
    Ones,
    FirstSet,
    RedundantSign,
    ByteSwap,
    /// The sign bit of a float, as `i1`.
    SignBit,
}

/// `…S` operations are on signed integers, where C leaves overflow undefined; `…U` and the bare
/// ones wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    AddS,
    Sub,
    SubS,
    Mul,
    MulS,
    DivS,
    DivU,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    Shl,
    ShlS,
    ShrS,
    ShrU,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// The magnitude of the left, the sign of the right.
    CopySign,
    /// The distance in bytes from the right pointer to the left, as the target's word.
    PtrDiff,
}

/// Float comparisons other than `FNe` are false when an operand is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    LtS,
    LeS,
    GtS,
    GeS,
    LtU,
    LeU,
    GtU,
    GeU,
    FEq,
    FNe,
    FLt,
    FLe,
    FGt,
    FGe,
    FUnordered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvertOp {
    Trunc,
    SignExtend,
    ZeroExtend,
    /// Between float formats.
    Float,
    FloatToSigned,
    FloatToUnsigned,
    SignedToFloat,
    UnsignedToFloat,
    PtrToInt,
    IntToPtr,
    /// The same bytes as another scalar of the same size.
    Bits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowPart {
    Result,
    Flag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
}

/// An assembly statement: what it may read and write, not what it does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asm {
    pub template: String,
    pub outputs: Vec<AsmOutput>,
    pub inputs: Vec<AsmInput>,
    /// It says that it changes memory that no operand names.
    pub clobbers_memory: bool,
}

/// Storage that the assembly writes; `address` points to a value of type `ty`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AsmOutput {
    pub constraint: String,
    pub address: ValueId,
    pub ty: TypeId,
    /// `+`: read as well.
    pub read: bool,
}

/// A value that the assembly reads, or an address whose memory it reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AsmInput {
    pub constraint: String,
    pub value: ValueId,
    pub memory: bool,
}

impl UnaryOp {
    pub const ALL: [(UnaryOp, &'static str); 13] = [
        (UnaryOp::Neg, "neg"),
        (UnaryOp::NegS, "neg.s"),
        (UnaryOp::Not, "not"),
        (UnaryOp::FNeg, "fneg"),
        (UnaryOp::FAbs, "fabs"),
        (UnaryOp::AbsS, "abs.s"),
        (UnaryOp::LeadingZeros, "clz"),
        (UnaryOp::TrailingZeros, "ctz"),
        (UnaryOp::Ones, "popcount"),
        (UnaryOp::FirstSet, "ffs"),
        (UnaryOp::RedundantSign, "clrsb"),
        (UnaryOp::ByteSwap, "bswap"),
        (UnaryOp::SignBit, "signbit"),
    ];
}

impl BinaryOp {
    pub const ALL: [(BinaryOp, &'static str); 23] = [
        (BinaryOp::Add, "add"),
        (BinaryOp::AddS, "add.s"),
        (BinaryOp::Sub, "sub"),
        (BinaryOp::SubS, "sub.s"),
        (BinaryOp::Mul, "mul"),
        (BinaryOp::MulS, "mul.s"),
        (BinaryOp::DivS, "div.s"),
        (BinaryOp::DivU, "div.u"),
        (BinaryOp::RemS, "rem.s"),
        (BinaryOp::RemU, "rem.u"),
        (BinaryOp::And, "and"),
        (BinaryOp::Or, "or"),
        (BinaryOp::Xor, "xor"),
        (BinaryOp::Shl, "shl"),
        (BinaryOp::ShlS, "shl.s"),
        (BinaryOp::ShrS, "shr.s"),
        (BinaryOp::ShrU, "shr.u"),
        (BinaryOp::FAdd, "fadd"),
        (BinaryOp::FSub, "fsub"),
        (BinaryOp::FMul, "fmul"),
        (BinaryOp::FDiv, "fdiv"),
        (BinaryOp::CopySign, "copysign"),
        (BinaryOp::PtrDiff, "ptrdiff"),
    ];
}

impl CompareOp {
    pub const ALL: [(CompareOp, &'static str); 17] = [
        (CompareOp::Eq, "eq"),
        (CompareOp::Ne, "ne"),
        (CompareOp::LtS, "lt.s"),
        (CompareOp::LeS, "le.s"),
        (CompareOp::GtS, "gt.s"),
        (CompareOp::GeS, "ge.s"),
        (CompareOp::LtU, "lt.u"),
        (CompareOp::LeU, "le.u"),
        (CompareOp::GtU, "gt.u"),
        (CompareOp::GeU, "ge.u"),
        (CompareOp::FEq, "feq"),
        (CompareOp::FNe, "fne"),
        (CompareOp::FLt, "flt"),
        (CompareOp::FLe, "fle"),
        (CompareOp::FGt, "fgt"),
        (CompareOp::FGe, "fge"),
        (CompareOp::FUnordered, "funordered"),
    ];
}

impl ConvertOp {
    pub const ALL: [(ConvertOp, &'static str); 11] = [
        (ConvertOp::Trunc, "trunc"),
        (ConvertOp::SignExtend, "sext"),
        (ConvertOp::ZeroExtend, "zext"),
        (ConvertOp::Float, "fconv"),
        (ConvertOp::FloatToSigned, "ftos"),
        (ConvertOp::FloatToUnsigned, "ftou"),
        (ConvertOp::SignedToFloat, "stof"),
        (ConvertOp::UnsignedToFloat, "utof"),
        (ConvertOp::PtrToInt, "ptrtoint"),
        (ConvertOp::IntToPtr, "inttoptr"),
        (ConvertOp::Bits, "bits"),
    ];
}

impl RmwOp {
    pub const ALL: [(RmwOp, &'static str); 7] = [
        (RmwOp::Exchange, "exchange"),
        (RmwOp::Add, "add"),
        (RmwOp::Sub, "sub"),
        (RmwOp::And, "and"),
        (RmwOp::Nand, "nand"),
        (RmwOp::Or, "or"),
        (RmwOp::Xor, "xor"),
    ];
}

impl OverflowOp {
    pub const ALL: [(OverflowOp, &'static str); 3] =
        [(OverflowOp::Add, "add"), (OverflowOp::Sub, "sub"), (OverflowOp::Mul, "mul")];
}

macro_rules! spelled_by_table {
    ($($op:ident),*) => {$(
        impl $op {
            #[must_use]
            pub fn name(self) -> &'static str {
                Self::ALL[self as usize].1
            }

            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|(_, text)| *text == name).map(|&(op, _)| op)
            }
        }
    )*};
}

spelled_by_table!(UnaryOp, BinaryOp, CompareOp, ConvertOp, RmwOp, OverflowOp);

impl Inst {
    /// Calls `visit` on every value operand, calls and assembly excepted: their operands are in
    /// the body's tables (see `Body::operands`).
    pub fn visit_operands(&self, mut visit: impl FnMut(ValueId)) {
        let mut copy = *self;
        copy.visit_operands_mut(|value| visit(*value));
    }

    pub fn visit_operands_mut(&mut self, mut visit: impl FnMut(&mut ValueId)) {
        match self {
            Inst::Load { from, .. } | Inst::LoadBits { from, .. } => visit(from),
            Inst::Store { to, value, .. }
            | Inst::StoreBits { to, value, .. }
            | Inst::AtomicRmw { to, value, .. } => {
                visit(to);
                visit(value);
            }
            Inst::Unary { value, .. } | Inst::Convert { value, .. } | Inst::Set { value, .. } => {
                visit(value);
            }
            Inst::Binary { lhs, rhs, .. }
            | Inst::Compare { lhs, rhs, .. }
            | Inst::Overflow { lhs, rhs, .. } => {
                visit(lhs);
                visit(rhs);
            }
            Inst::Field { base, .. } => visit(base),
            Inst::Index { base, index, .. } => {
                visit(base);
                visit(index);
            }
            Inst::Copy { to, from, size, .. } => {
                visit(to);
                visit(from);
                visit(size);
            }
            Inst::Fill { to, byte, size } => {
                visit(to);
                visit(byte);
                visit(size);
            }
            Inst::HavocMemory { to, size } => {
                visit(to);
                visit(size);
            }
            Inst::Alloca { size, .. } => visit(size),
            Inst::VaStart { list } | Inst::VaEnd { list } => visit(list),
            Inst::VaCopy { to, from } => {
                visit(to);
                visit(from);
            }
            Inst::VaArg { list, into, .. } => {
                visit(list);
                if let Some(into) = into {
                    visit(into);
                }
            }
            Inst::CompareExchange { to, expected, desired } => {
                visit(to);
                visit(expected);
                visit(desired);
            }
            Inst::Havoc { .. }
            | Inst::Call(_)
            | Inst::Fence
            | Inst::Asm(_)
            | Inst::ScopeBegin(_)
            | Inst::ScopeEnd(_) => {}
        }
    }
}
