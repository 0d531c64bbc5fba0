//! A register: 64 bits, where they came from, and which of their bytes are defined.
//!
//! Integers are kept zero-extended from their width. Scalars wider than 64 bits take two
//! registers, the low half first. The origin is the object that a pointer (or an integer made
//! from one) belongs to; 0 is none. `meta` packs both so that one test finds plain numbers.

/// The object a value points into; 0 for none.
pub type Origin = u32;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    pub bits: u64,
    /// The origin in the low half; above it one bit per undefined byte.
    pub meta: u64,
}

const UNDEFINED_SHIFT: u32 = 32;
const ALL_UNDEFINED: u64 = 0xff << UNDEFINED_SHIFT;

impl Value {
    pub const UNDEF: Value = Value { bits: 0, meta: ALL_UNDEFINED };

    #[inline(always)]
    pub fn int(bits: u64) -> Self {
        Self { bits, meta: 0 }
    }

    #[inline(always)]
    pub fn pointer(bits: u64, origin: Origin) -> Self {
        Self { bits, meta: u64::from(origin) }
    }

    pub fn f64(value: f64) -> Self {
        Self::int(value.to_bits())
    }

    pub fn f32(value: f32) -> Self {
        Self::int(u64::from(value.to_bits()))
    }

    pub fn i32(value: i32) -> Self {
        Self::int(u64::from(value as u32))
    }

    #[inline(always)]
    pub fn origin(self) -> Origin {
        self.meta as u32
    }

    #[inline(always)]
    pub fn undefined(self) -> u8 {
        (self.meta >> UNDEFINED_SHIFT) as u8
    }

    #[inline(always)]
    pub fn with_undefined(self, mask: u8) -> Self {
        let meta = self.meta & u64::from(u32::MAX) | u64::from(mask) << UNDEFINED_SHIFT;
        Self { bits: self.bits, meta }
    }

    pub fn is_defined(self) -> bool {
        self.undefined() == 0
    }

    pub fn as_i32(self) -> i32 {
        self.bits as i32
    }

    pub fn as_i64(self) -> i64 {
        self.bits as i64
    }

    pub fn as_f64(self) -> f64 {
        f64::from_bits(self.bits)
    }

    pub fn as_f32(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    /// The same address moved by some bytes.
    #[inline(always)]
    pub fn moved(self, by: i64) -> Self {
        Self { bits: self.bits.wrapping_add(by as u64), meta: self.meta }
    }
}

/// The meta of a result that every bit of both operands may reach, as in a sum.
#[cold]
pub fn mixed_meta(lhs: Value, rhs: Value, keep_origin: bool) -> u64 {
    let lowest = (lhs.undefined() | rhs.undefined()).trailing_zeros();
    let undefined = if lowest >= 8 { 0 } else { (0xff_u64 << lowest) & 0xff };
    let origin = if keep_origin { one_origin(lhs, rhs) } else { 0 };
    u64::from(origin) | undefined << UNDEFINED_SHIFT
}

/// The meta of `lhs - rhs`: the distance of two pointers belongs to no object.
#[cold]
pub fn difference_meta(lhs: Value, rhs: Value) -> u64 {
    let mixed = mixed_meta(lhs, rhs, false);
    let origin = if rhs.origin() == 0 { lhs.origin() } else { 0 };
    mixed | u64::from(origin)
}

/// The meta of a bitwise operation: bytes stay apart. `settled` has a bit per byte that one
/// operand alone decides.
#[cold]
pub fn bitwise_meta(lhs: Value, rhs: Value, settled: u8) -> u64 {
    let undefined = (lhs.undefined() | rhs.undefined()) & !settled;
    u64::from(one_origin(lhs, rhs)) | u64::from(undefined) << UNDEFINED_SHIFT
}

/// The origin of the one operand that has one. Two different ones cancel out; the objects were
/// exposed when their addresses became integers, so a later use finds them by address.
fn one_origin(lhs: Value, rhs: Value) -> Origin {
    match (lhs.origin(), rhs.origin()) {
        (only, 0) | (0, only) => only,
        (left, right) if left == right => left,
        _ => 0,
    }
}

/// One bit per defined byte of `value` that is `byte` throughout.
pub fn bytes_equal_to(value: Value, byte: u8) -> u8 {
    let bytes = value.bits.to_le_bytes();
    let equal = (0..8).filter(|&at| bytes[at] == byte).fold(0_u8, |mask, at| mask | 1 << at);
    equal & !value.undefined()
}

/// The bits of an integer of `width` bits.
#[inline(always)]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// An integer of `width` bits, sign-extended.
#[inline(always)]
pub fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width.min(64);
    ((bits << unused) as i64) >> unused
}
