//! The typed tree, as the rest of caulk sees it.
//!
//! These names are the whole contract that a replacement front end would have to meet: they are
//! re-exported from the `rucc-*` crates, and no other crate may name those. What is not in the
//! tree itself (positions, dropped attributes, damage) is answered by [`crate::Tree`].
//!
//! Traps for whoever walks it:
//! - It is a graph: `a ?: b` and compound assignments share nodes. Lower each node once.
//! - A block-scope `int f();` is the file-scope declaration.
//! - The sizes of variable length arrays hang off their types (`Tast::vla_size`), not off the
//!   declarations.
//! - `sizeof` operands, enumerators and some builtin calls have been folded away.
//! - [`ExprKind::Error`] has no children: what stood inside is lost.

pub use rucc_ast::{BinaryOp, UnaryOp};
pub use rucc_base::float::{Float, Format};
pub use rucc_base::{Idx, IdxRange, Interner, Symbol};
pub use rucc_diag::Span;
pub use rucc_lex::{Encoding, StringLiteral};
pub use rucc_sema::{
    Address, AllocSize, Asm, AsmId, AsmOperand, AsmOperandList, AtomicOp, Base, BitCount, Case,
    CaseId, CaseList, Category, Classify, Const, ConstId, Conversion, CpuObject, CpuTest, Decl,
    DeclFlags, DeclId, DeclKind, DeclList, DeclRef, Definition, Effects, Elementwise, Emission,
    Eval, Expr, ExprId, ExprKind, ExprList, ExprRef, FileAsm, FrameAsk, InitEntry, InitList,
    JumpAsk, Label, LabelId, LabelList, LabelRef, Linkage, NotConstant, Ordering, OverflowOp,
    Priority, Rmw, Sign, Startup, Stmt, StmtId, StmtList, StmtRef, StorageDuration, StrId, StrList,
    StrRef, Tast, Visibility, XStateOp, in_a_register, library_name, reverse_ordered,
    unchecked_name,
};
pub use rucc_target::TargetInfo;
pub use rucc_types::{
    ArrayLen, EnumId, EnumInfo, Enumerator, Extent, Field, FloatKind, FunctionId, FunctionType,
    IntKind, IntegerInfo, Layout, LayoutError, Qualifiers, RecordId, RecordInfo, RecordKind,
    RecordLayout, Type, TypeId, TypeKind, Types, VariableLayout, VlaId, align, declare, element,
    float_format, float_width, int_width, integer_info, is_aggregate, is_arithmetic, is_array,
    is_atomic, is_complete, is_complex, is_floating, is_function, is_integer, is_object,
    is_pointer, is_record, is_scalar, is_vector, is_void, lanes, layout, pointee, promote,
    real_part, spell, usual_arithmetic,
};
