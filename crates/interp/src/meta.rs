//! Where the result of an operation comes from, and which of its bytes are undefined. The
//! quick functions handle plain numbers and leave the rest to the cold ones.

use crate::value::{Origin, Value};

#[inline(always)]
pub fn sum_meta(a: Value, b: Value) -> u64 {
    if (a.meta | b.meta) == 0 { 0 } else { mixed_meta(a, b, true) }
}

#[inline(always)]
pub fn sub_meta(a: Value, b: Value) -> u64 {
    if (a.meta | b.meta) == 0 { 0 } else { difference_meta(a, b) }
}

#[inline(always)]
pub fn plain_meta(a: Value, b: Value) -> u64 {
    if (a.meta | b.meta) >> 32 == 0 { 0 } else { Value::UNDEF.meta }
}

#[inline(always)]
pub fn and_meta(a: Value, b: Value) -> u64 {
    if (a.meta | b.meta) == 0 {
        return 0;
    }
    bitwise_meta(a, b, bytes_equal_to(a, 0) | bytes_equal_to(b, 0))
}

#[inline(always)]
pub fn or_meta(a: Value, b: Value) -> u64 {
    if (a.meta | b.meta) == 0 {
        return 0;
    }
    bitwise_meta(a, b, bytes_equal_to(a, 0xff) | bytes_equal_to(b, 0xff))
}

#[inline(always)]
pub fn xor_meta(a: Value, b: Value) -> u64 {
    if (a.meta | b.meta) == 0 { 0 } else { bitwise_meta(a, b, 0) }
}

#[inline(always)]
pub fn shift_meta(a: Value, imm: i32) -> u64 {
    if a.meta >> 32 == 0 { 0 } else { u64::from(a.undefined() >> (imm / 8).min(7)) << 32 }
}

/// The meta of a result that every bit of both operands may reach, as in a sum.
#[cold]
pub fn mixed_meta(lhs: Value, rhs: Value, keep_origin: bool) -> u64 {
    let lowest = (lhs.undefined() | rhs.undefined()).trailing_zeros();
    let undefined = if lowest >= 8 { 0 } else { (0xff_u64 << lowest) & 0xff };
    let origin = if keep_origin { one_origin(lhs, rhs) } else { 0 };
    u64::from(origin) | undefined << 32
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
    u64::from(one_origin(lhs, rhs)) | u64::from(undefined) << 32
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
