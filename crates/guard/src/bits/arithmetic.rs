//! Two's complement arithmetic on up to 64 bits, total as [`super`] says.

use super::{Binary, Compare, Unary};

/// All bits of a width.
#[must_use]
pub fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The sign bit of a width.
#[must_use]
pub fn sign_bit(width: u8) -> u64 {
    1 << (width.clamp(1, 64) - 1)
}

/// A value of a width read as a signed number.
#[must_use]
pub fn signed(value: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width.clamp(1, 64));
    (value << shift).cast_signed() >> shift
}

/// The least and the greatest signed number of a width.
#[must_use]
pub fn signed_range(width: u8) -> (i64, i64) {
    let sign = sign_bit(width);
    (signed(sign, width), (sign - 1).cast_signed())
}

pub(super) fn divides(operator: Binary) -> bool {
    matches!(operator, Binary::DivU | Binary::DivS | Binary::RemU | Binary::RemS)
}

pub(super) fn unary(operator: Unary, of: u64, width: u8) -> u64 {
    let result = match operator {
        Unary::Not => !of,
        Unary::Neg => of.wrapping_neg(),
    };
    result & mask(width)
}

pub(super) fn binary(operator: Binary, left: u64, right: u64, width: u8) -> u64 {
    let result = match operator {
        Binary::Add => left.wrapping_add(right),
        Binary::Sub => left.wrapping_sub(right),
        Binary::Mul => left.wrapping_mul(right),
        Binary::DivU => left.checked_div(right).unwrap_or(u64::MAX),
        Binary::RemU => left.checked_rem(right).unwrap_or(left),
        Binary::DivS => divide_signed(signed(left, width), signed(right, width)),
        Binary::RemS => remainder_signed(signed(left, width), signed(right, width)),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::Shl => shift_count(right, width).map_or(0, |count| left << count),
        Binary::ShrU => shift_count(right, width).map_or(0, |count| left >> count),
        Binary::ShrS => {
            let count = shift_count(right, width).unwrap_or(u32::from(width) - 1);
            (signed(left, width) >> count).cast_unsigned()
        }
    };
    result & mask(width)
}

fn shift_count(count: u64, width: u8) -> Option<u32> {
    u32::try_from(count).ok().filter(|&count| count < u32::from(width))
}

fn divide_signed(left: i64, right: i64) -> u64 {
    match (right, left < 0) {
        (0, true) => 1,
        (0, false) => u64::MAX,
        _ => left.wrapping_div(right).cast_unsigned(),
    }
}

fn remainder_signed(left: i64, right: i64) -> u64 {
    if right == 0 { left.cast_unsigned() } else { left.wrapping_rem(right).cast_unsigned() }
}

pub(super) fn compare(operator: Compare, left: u64, right: u64, width: u8) -> bool {
    match operator {
        Compare::Eq => left == right,
        Compare::LtU => left < right,
        Compare::LeU => left <= right,
        Compare::LtS => signed(left, width) < signed(right, width),
        Compare::LeS => signed(left, width) <= signed(right, width),
    }
}

/// The factor that an odd number has to be multiplied by to give one, modulo 2^64 and so modulo
/// every smaller power (Newton's method; each step doubles the number of right bits).
pub(super) fn inverse(odd: u64) -> u64 {
    let two = 2u64;
    (0..6).fold(odd, |guess, _| guess.wrapping_mul(two.wrapping_sub(odd.wrapping_mul(guess))))
}
