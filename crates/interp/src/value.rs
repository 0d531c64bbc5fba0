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
