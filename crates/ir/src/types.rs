//! C types with their layouts, and the scalars that SSA values have.
//!
//! A value has a [`Scalar`]; objects, fields, parameters and results have a [`Type`]. Layouts
//! are the compiler's: sizes and offsets are bytes on the module's target.

use caulk_base::{Name, Table, define_id};

define_id!(pub TypeId, "t", "A C type.");
define_id!(pub RecordId, "rec", "A struct or union.");
define_id!(pub EnumId, "enum", "An enumeration.");
define_id!(pub SignatureId, "sig", "A function type.");

/// What an SSA value is. Signedness is in the operations, as in LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// A truth value; in memory one byte, 0 or 1.
    I1,
    I8,
    I16,
    I32,
    I64,
    I128,
    F16,
    F32,
    F64,
    /// The x87 extended format: ten bytes in memory, the padding after them untouched.
    F80,
    F128,
    Ptr,
}

impl Scalar {
    pub const ALL: [Scalar; 12] = [
        Scalar::I1,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::I128,
        Scalar::F16,
        Scalar::F32,
        Scalar::F64,
        Scalar::F80,
        Scalar::F128,
        Scalar::Ptr,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scalar::I1 => "i1",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::I128 => "i128",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
            Scalar::F80 => "f80",
            Scalar::F128 => "f128",
            Scalar::Ptr => "ptr",
        }
    }

    /// The integer of this many bits.
    #[must_use]
    pub fn int(bits: u32) -> Option<Scalar> {
        match bits {
            1 => Some(Scalar::I1),
            8 => Some(Scalar::I8),
            16 => Some(Scalar::I16),
            32 => Some(Scalar::I32),
            64 => Some(Scalar::I64),
            128 => Some(Scalar::I128),
            _ => None,
        }
    }

    /// The width of an integer's value, none for the others.
    #[must_use]
    pub fn int_bits(self) -> Option<u32> {
        match self {
            Scalar::I1 => Some(1),
            Scalar::I8 => Some(8),
            Scalar::I16 => Some(16),
            Scalar::I32 => Some(32),
            Scalar::I64 => Some(64),
            Scalar::I128 => Some(128),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_int(self) -> bool {
        self.int_bits().is_some()
    }

    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F80 | Scalar::F128)
    }

    /// How many bytes a load or store of it touches.
    #[must_use]
    pub fn bytes(self, pointer_bytes: u32) -> u32 {
        match self {
            Scalar::I1 | Scalar::I8 => 1,
            Scalar::I16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::F64 => 8,
            Scalar::F80 => 10,
            Scalar::I128 | Scalar::F128 => 16,
            Scalar::Ptr => pointer_bytes,
        }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A C type without its typedef names. Top-level qualifiers are dropped, except that a pointer
/// keeps whether what it points to is `const`: an unknown function cannot keep or free through
/// a pointer to constant plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// `_Bool`, integers and floats. `signed` is meaningless for floats and then true.
    Scalar {
        scalar: Scalar,
        signed: bool,
    },
    Enum(EnumId),
    Pointer {
        to: TypeId,
        to_const: bool,
    },
    /// `len` is none for a flexible or incomplete array and for a variable length.
    Array {
        element: TypeId,
        len: Option<u64>,
    },
    Vector {
        element: TypeId,
        len: u32,
    },
    Record(RecordId),
    Function(SignatureId),
    /// A type whose values caulk does not model (`_Complex`, `_BitInt`, decimal floats): bytes.
    Opaque {
        name: Name,
        size: u64,
        align: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub kind: RecordKind,
    /// The tag, or the typedef name of an untagged record; none for an anonymous one.
    pub name: Option<Name>,
    /// False for `struct s;`: then size, alignment and fields mean nothing.
    pub complete: bool,
    pub size: u64,
    pub align: u64,
    pub fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// None for an anonymous member and for an unnamed bit-field.
    pub name: Option<Name>,
    pub ty: TypeId,
    /// In bytes; for a bit-field the byte that holds its first bit.
    pub offset: u64,
    /// First bit within that byte, and width, of a bit-field.
    pub bits: Option<(u8, u8)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumType {
    pub name: Option<Name>,
    pub scalar: Scalar,
    pub signed: bool,
    pub enumerators: Vec<Enumerator>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumerator {
    pub name: Name,
    pub value: i128,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub result: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// False for `f()` before C23: the parameters are unknown.
    pub prototyped: bool,
}

/// The types of one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    pub types: Table<TypeId, Type>,
    pub records: Table<RecordId, Record>,
    pub enums: Table<EnumId, EnumType>,
    pub signatures: Table<SignatureId, Signature>,
}

impl Types {
    /// Whether values of the type are memory and not a scalar: structs, unions, arrays, vectors
    /// and opaque types are passed, returned and assigned by address.
    #[must_use]
    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(
            self.types[ty],
            Type::Record(_) | Type::Array { .. } | Type::Vector { .. } | Type::Opaque { .. }
        )
    }

    /// What a value of the type is in SSA, for those that are scalars.
    #[must_use]
    pub fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        match self.types[ty] {
            Type::Scalar { scalar, .. } => Some(scalar),
            Type::Enum(id) => Some(self.enums[id].scalar),
            Type::Pointer { .. } => Some(Scalar::Ptr),
            _ => None,
        }
    }
}
