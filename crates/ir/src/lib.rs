//! The representation every analysis reads.
//!
//! Partial SSA, as in LLVM: a scalar local whose address is never taken lives in SSA values;
//! everything else is a memory object reached by load and store. It is complete enough to be
//! run, and it keeps what a report needs: C layouts, source variables, scopes and their ends,
//! and a span for every instruction.
//!
//! Knows nothing of C syntax and nothing of analysis. A module comes from `lower`, or from its
//! text form, which round-trips (`print` and `parse`).

pub mod attribute;
mod attribute_text;
pub mod body;
pub mod inst;
pub mod module;
pub mod parse;
pub mod print;
pub mod result;
mod text;
pub mod types;
mod uses;
pub mod verify;

pub use attribute::Attribute;
pub use body::{
    Block, BlockId, Body, Call, CallArg, CallId, Callee, Constant, Edge, Scope, ScopeId, Slot,
    SlotId, SwitchCase, Terminator, Unreachable, Value, ValueId, ValueKind, Var, VarHome, VarId,
};
pub use inst::{
    Asm, AsmId, AsmInput, AsmOutput, BinaryOp, BitRange, CompareOp, ConvertOp, Inst, InstId,
    OverflowOp, OverflowPart, RmwOp, UnaryOp,
};
pub use module::{
    Definition, Function, FunctionBody, FunctionId, Init, Linkage, Module, Object, ObjectId,
    ObjectKind, Refusal, Relocation, RelocationTarget, Target,
};
pub use types::{
    EnumId, EnumType, Enumerator, Field, Record, RecordId, RecordKind, Scalar, Signature,
    SignatureId, Type, TypeId, Types,
};
