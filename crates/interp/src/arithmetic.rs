//! Every operation on scalars of any width, as values: `(low, high)` halves, the high one
//! meaningless up to 64 bits. The inner loop has quick versions of the common ones.

use std::cmp::Ordering;

use caulk_ir::{BinaryOp, CompareOp, ConvertOp, OverflowOp, Scalar, UnaryOp};

use crate::decode::is_wide;
use crate::fault::{Checked, Fault, FaultKind};
use crate::meta::{bitwise_meta, bytes_equal_to, difference_meta, mixed_meta};
use crate::softfloat::{self, Class, Soft};
use crate::value::{Value, mask, signed};

/// A scalar of up to 128 bits.
pub type Wide = (Value, Value);

pub fn join(wide: Wide) -> u128 {
    u128::from(wide.0.bits) | u128::from(wide.1.bits) << 64
}

pub fn split(bits: u128) -> Wide {
    (Value::int(bits as u64), Value::int((bits >> 64) as u64))
}

/// The bits of a scalar, extended with zeros.
fn bits_of(wide: Wide, scalar: Scalar) -> u128 {
    if is_wide(scalar) { join(wide) } else { u128::from(wide.0.bits) }
}

fn any_undefined(scalar: Scalar, wide: Wide) -> bool {
    !wide.0.is_defined() || is_wide(scalar) && !wide.1.is_defined()
}

/// The integer in its sign.
pub fn signed_wide(wide: Wide, scalar: Scalar) -> i128 {
    match scalar.int_bits() {
        Some(128) => join(wide) as i128,
        Some(bits) => i128::from(signed(wide.0.bits, bits)),
        None => i128::from(wide.0.bits as i64),
    }
}

fn in_width(bits: u128, scalar: Scalar) -> Wide {
    match scalar.int_bits() {
        Some(128) => split(bits),
        Some(width) => (Value::int(bits as u64 & mask(width)), Value::int(0)),
        None => (Value::int(bits as u64), Value::int(0)),
    }
}

pub fn binary(op: BinaryOp, scalar: Scalar, lhs: Wide, rhs: Wide) -> Checked<Wide> {
    let mut result = match op {
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::CopySign => {
            float_binary(op, scalar, lhs, rhs)
        }
        _ => int_binary(op, scalar, lhs, rhs)?,
    };
    if is_wide(scalar) {
        let meta = if any_undefined(scalar, lhs) || any_undefined(scalar, rhs) {
            Value::UNDEF.meta
        } else {
            0
        };
        result.0.meta |= meta;
        result.1.meta |= meta;
    } else if (lhs.0.meta | rhs.0.meta) != 0 {
        result.0.meta = binary_meta(op, lhs.0, rhs.0);
    }
    Ok(result)
}

#[cold]
fn binary_meta(op: BinaryOp, lhs: Value, rhs: Value) -> u64 {
    match op {
        BinaryOp::And => {
            let settled = bytes_equal_to(lhs, 0) | bytes_equal_to(rhs, 0);
            bitwise_meta(lhs, rhs, settled)
        }
        BinaryOp::Or => {
            let settled = bytes_equal_to(lhs, 0xff) | bytes_equal_to(rhs, 0xff);
            bitwise_meta(lhs, rhs, settled)
        }
        BinaryOp::Xor => bitwise_meta(lhs, rhs, 0),
        BinaryOp::Sub | BinaryOp::SubS | BinaryOp::PtrDiff => difference_meta(lhs, rhs),
        BinaryOp::Add | BinaryOp::AddS => mixed_meta(lhs, rhs, true),
        BinaryOp::ShrU | BinaryOp::ShrS if rhs.is_defined() => {
            let left = u64::from(lhs.undefined());
            u64::from((left >> (rhs.bits / 8).min(8)) as u8) << 32
        }
        _ if lhs.is_defined() && rhs.is_defined() => 0,
        _ => Value::UNDEF.meta,
    }
}

fn int_binary(op: BinaryOp, scalar: Scalar, lhs: Wide, rhs: Wide) -> Checked<Wide> {
    let (a, b) = (bits_of(lhs, scalar), bits_of(rhs, scalar));
    let width = scalar.int_bits().unwrap_or(64);
    let count = (b as u32) % width.max(8);
    let bits = match op {
        BinaryOp::Add | BinaryOp::AddS => a.wrapping_add(b),
        BinaryOp::Sub | BinaryOp::SubS | BinaryOp::PtrDiff => a.wrapping_sub(b),
        BinaryOp::Mul | BinaryOp::MulS => a.wrapping_mul(b),
        BinaryOp::DivS | BinaryOp::RemS | BinaryOp::DivU | BinaryOp::RemU => {
            divide(op, scalar, lhs, rhs)?
        }
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl | BinaryOp::ShlS => a << count,
        BinaryOp::ShrU => a >> count,
        _ => (signed_wide(lhs, scalar) >> count) as u128,
    };
    Ok(in_width(bits, scalar))
}

fn divide(op: BinaryOp, scalar: Scalar, lhs: Wide, rhs: Wide) -> Checked<u128> {
    if any_undefined(scalar, rhs) {
        return Err(Fault::new(FaultKind::Uninitialised, "division by an uninitialised value"));
    }
    if bits_of(rhs, scalar) == 0 {
        return Err(Fault::new(FaultKind::DivisionByZero, "division by zero"));
    }
    let (a, b) = (bits_of(lhs, scalar), bits_of(rhs, scalar));
    match op {
        BinaryOp::DivU => return Ok(a / b),
        BinaryOp::RemU => return Ok(a % b),
        _ => {}
    }
    let (a, b) = (signed_wide(lhs, scalar), signed_wide(rhs, scalar));
    let width = scalar.int_bits().unwrap_or(64);
    if b == -1 && a == i128::MIN >> (128 - width) {
        return Err(Fault::new(FaultKind::DivisionOverflow, "the quotient does not fit its type"));
    }
    Ok(if op == BinaryOp::DivS { a / b } else { a % b } as u128)
}

fn float_binary(op: BinaryOp, scalar: Scalar, lhs: Wide, rhs: Wide) -> Wide {
    if op == BinaryOp::CopySign {
        return copy_sign(scalar, lhs, rhs);
    }
    match scalar {
        Scalar::F64 => (Value::f64(native(op, lhs.0.as_f64(), rhs.0.as_f64())), Value::int(0)),
        Scalar::F32 => {
            // Twice the precision and two bits more: rounding twice is rounding once.
            let wide = native(op, f64::from(lhs.0.as_f32()), f64::from(rhs.0.as_f32()));
            (Value::f32(wide as f32), Value::int(0))
        }
        _ => {
            let format = softfloat::format_of(scalar);
            let left = softfloat::unpack(format, bits_of(lhs, scalar));
            let right = softfloat::unpack(format, bits_of(rhs, scalar));
            split(match op {
                BinaryOp::FAdd => softfloat::add(format, left, right),
                BinaryOp::FSub => softfloat::add(format, left, right.negated()),
                BinaryOp::FMul => softfloat::mul(format, left, right),
                _ => softfloat::div(format, left, right),
            })
        }
    }
}

fn native(op: BinaryOp, lhs: f64, rhs: f64) -> f64 {
    match op {
        BinaryOp::FAdd => lhs + rhs,
        BinaryOp::FSub => lhs - rhs,
        BinaryOp::FMul => lhs * rhs,
        _ => lhs / rhs,
    }
}

fn sign_bit(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::F16 => 15,
        Scalar::F32 => 31,
        Scalar::F80 => 79,
        Scalar::F128 => 127,
        _ => 63,
    }
}

fn copy_sign(scalar: Scalar, lhs: Wide, rhs: Wide) -> Wide {
    let sign = 1_u128 << sign_bit(scalar);
    split(bits_of(lhs, scalar) & !sign | bits_of(rhs, scalar) & sign)
}

pub fn unary(op: UnaryOp, scalar: Scalar, value: Wide) -> Wide {
    let bits = bits_of(value, scalar);
    let width = scalar.int_bits().unwrap_or(64);
    let unused = 128 - width;
    let mut result = match op {
        UnaryOp::Neg | UnaryOp::NegS => in_width(bits.wrapping_neg(), scalar),
        UnaryOp::Not => in_width(!bits, scalar),
        UnaryOp::AbsS => in_width(signed_wide(value, scalar).unsigned_abs(), scalar),
        UnaryOp::FNeg => split(bits ^ 1 << sign_bit(scalar)),
        UnaryOp::FAbs => split(bits & !(1 << sign_bit(scalar))),
        UnaryOp::SignBit => split(bits >> sign_bit(scalar) & 1),
        UnaryOp::LeadingZeros => {
            in_width(u128::from((bits << unused).leading_zeros().min(width)), scalar)
        }
        UnaryOp::TrailingZeros => in_width(u128::from(bits.trailing_zeros().min(width)), scalar),
        UnaryOp::Ones => in_width(u128::from(bits.count_ones()), scalar),
        UnaryOp::FirstSet => {
            let first = if bits == 0 { 0 } else { bits.trailing_zeros() + 1 };
            in_width(u128::from(first), scalar)
        }
        UnaryOp::RedundantSign => {
            let number = signed_wide(value, scalar);
            let folded = (if number < 0 { !number } else { number }) as u128;
            in_width(u128::from(folded.leading_zeros() - unused - 1), scalar)
        }
        UnaryOp::ByteSwap => in_width(bits.swap_bytes() >> unused, scalar),
    };
    if any_undefined(scalar, value) {
        result.0.meta |= Value::UNDEF.meta;
        result.1.meta |= Value::UNDEF.meta;
    } else if op == UnaryOp::Not {
        // Tag tricks complement an address and complement it back.
        result.0.meta = value.0.meta;
    }
    result
}

pub fn compare(op: CompareOp, scalar: Scalar, lhs: Wide, rhs: Wide) -> Value {
    let truth = if scalar.is_float() {
        let order = float_order(scalar, lhs, rhs);
        match op {
            CompareOp::FEq | CompareOp::Eq => order == Some(Ordering::Equal),
            CompareOp::FNe | CompareOp::Ne => order != Some(Ordering::Equal),
            CompareOp::FLt => order == Some(Ordering::Less),
            CompareOp::FLe => order.is_some_and(Ordering::is_le),
            CompareOp::FGt => order == Some(Ordering::Greater),
            CompareOp::FGe => order.is_some_and(Ordering::is_ge),
            _ => order.is_none(),
        }
    } else {
        int_compare(op, scalar, lhs, rhs)
    };
    let meta = if any_undefined(scalar, lhs) || any_undefined(scalar, rhs) {
        Value::UNDEF.meta
    } else {
        0
    };
    Value { bits: u64::from(truth), meta }
}

fn int_compare(op: CompareOp, scalar: Scalar, lhs: Wide, rhs: Wide) -> bool {
    let (a, b) = (bits_of(lhs, scalar), bits_of(rhs, scalar));
    let order = match op {
        CompareOp::LtS | CompareOp::LeS | CompareOp::GtS | CompareOp::GeS => {
            signed_wide(lhs, scalar).cmp(&signed_wide(rhs, scalar))
        }
        _ => a.cmp(&b),
    };
    match op {
        CompareOp::Eq => order.is_eq(),
        CompareOp::Ne => order.is_ne(),
        CompareOp::LtS | CompareOp::LtU => order.is_lt(),
        CompareOp::LeS | CompareOp::LeU => order.is_le(),
        CompareOp::GtS | CompareOp::GtU => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn float_order(scalar: Scalar, lhs: Wide, rhs: Wide) -> Option<Ordering> {
    match scalar {
        Scalar::F64 => lhs.0.as_f64().partial_cmp(&rhs.0.as_f64()),
        Scalar::F32 => lhs.0.as_f32().partial_cmp(&rhs.0.as_f32()),
        _ => to_soft(scalar, lhs).compare(to_soft(scalar, rhs)),
    }
}

pub fn to_soft(scalar: Scalar, value: Wide) -> Soft {
    softfloat::unpack(softfloat::format_of(scalar), bits_of(value, scalar))
}

pub fn from_soft(scalar: Scalar, soft: Soft) -> Wide {
    split(softfloat::pack(softfloat::format_of(scalar), soft, false))
}

pub fn convert(op: ConvertOp, from: Scalar, to: Scalar, value: Wide) -> Wide {
    let mut result = match op {
        ConvertOp::Trunc | ConvertOp::ZeroExtend => in_width(bits_of(value, from), to),
        ConvertOp::PtrToInt | ConvertOp::IntToPtr => in_width(bits_of(value, from), to),
        ConvertOp::SignExtend => in_width(signed_wide(value, from) as u128, to),
        ConvertOp::Bits => split(bits_of(value, from)),
        ConvertOp::Float => float_to_float(from, to, value),
        ConvertOp::FloatToSigned | ConvertOp::FloatToUnsigned => float_to_int(op, from, to, value),
        ConvertOp::SignedToFloat => from_soft(to, Soft::from_signed(signed_wide(value, from))),
        ConvertOp::UnsignedToFloat => from_soft(to, Soft::scaled(false, bits_of(value, from), 0)),
    };
    if value.0.meta != 0 || is_wide(from) && value.1.meta != 0 {
        let meta = convert_meta(op, from, to, value);
        result.0.meta = meta;
        result.1.meta = meta & !u64::from(u32::MAX);
    }
    result
}

fn float_to_float(from: Scalar, to: Scalar, value: Wide) -> Wide {
    match (from, to) {
        (Scalar::F64, Scalar::F32) => (Value::f32(value.0.as_f64() as f32), Value::int(0)),
        (Scalar::F32, Scalar::F64) => (Value::f64(f64::from(value.0.as_f32())), Value::int(0)),
        _ => from_soft(to, to_soft(from, value)),
    }
}

#[cold]
fn convert_meta(op: ConvertOp, from: Scalar, to: Scalar, value: Wide) -> u64 {
    let is_int = !from.is_float() && !to.is_float();
    if any_undefined(from, value) {
        let kept = match op {
            ConvertOp::Trunc => {
                let bytes = to.bytes(8).min(8);
                u64::from(value.0.undefined()) & ((1 << bytes) - 1)
            }
            ConvertOp::ZeroExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr | ConvertOp::Bits => {
                u64::from(value.0.undefined())
            }
            _ => 0xff,
        };
        return kept << 32 | u64::from(value.0.origin());
    }
    if is_int { u64::from(value.0.origin()) } else { 0 }
}

/// Out of range gives what gcc's code gives: narrow conversions go through `int`, `unsigned`
/// through `long`, and `unsigned long` takes 2^63 off what is not below it.
fn float_to_int(op: ConvertOp, from: Scalar, to: Scalar, value: Wide) -> Wide {
    let soft = to_soft(from, value);
    let unsigned = op == ConvertOp::FloatToUnsigned;
    let bits = match (to.int_bits().unwrap_or(64), unsigned) {
        (..32, _) | (32, false) => to_signed(soft, 32),
        (32, true) | (64, false) => to_signed(soft, 64),
        (64, true) => to_unsigned(soft),
        _ => to_wide(soft),
    };
    in_width(bits, to)
}

/// The processor's conversion: the smallest number stands for all that do not fit.
fn to_signed(soft: Soft, width: u32) -> u128 {
    let limit = 1_u128 << (width - 1);
    match soft.truncated() {
        Some((false, magnitude)) if magnitude < limit => magnitude,
        Some((true, magnitude)) if magnitude <= limit => magnitude.wrapping_neg(),
        _ => limit,
    }
}

fn to_unsigned(soft: Soft) -> u128 {
    const HALF: u128 = 1 << 63;
    match soft.truncated() {
        Some((false, magnitude)) if (HALF..2 * HALF).contains(&magnitude) => magnitude,
        Some((false, magnitude)) if magnitude >= HALF => 0,
        None if !soft.negative && soft.class != Class::Nan => 0,
        _ => to_signed(soft, 64),
    }
}

fn to_wide(soft: Soft) -> u128 {
    match soft.truncated() {
        Some((true, magnitude)) => magnitude.wrapping_neg(),
        Some((false, magnitude)) => magnitude,
        None => 1 << 127,
    }
}

/// Exact arithmetic put into `scalars[2]`: the wrapped result, and whether wrapping changed it.
pub fn overflow(
    op: OverflowOp,
    lhs: Wide,
    rhs: Wide,
    scalars: [Scalar; 3],
    signs: [bool; 3],
) -> (Wide, bool) {
    let (left, right) = (exact(lhs, scalars[0], signs[0]), exact(rhs, scalars[1], signs[1]));
    let sum = match op {
        OverflowOp::Add => left.add(right),
        OverflowOp::Sub => left.add(right.negated()),
        OverflowOp::Mul => left.mul(right),
    };
    let bits = sum.bits();
    let wrapped = in_width(bits, scalars[2]);
    (wrapped, exact(wrapped, scalars[2], signs[2]) != sum)
}

/// A sign and a magnitude that may have outgrown 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Exact {
    negative: bool,
    magnitude: u128,
    over: bool,
}

fn exact(value: Wide, scalar: Scalar, is_signed: bool) -> Exact {
    if is_signed {
        let number = signed_wide(value, scalar);
        return Exact { negative: number < 0, magnitude: number.unsigned_abs(), over: false };
    }
    Exact { negative: false, magnitude: bits_of(value, scalar), over: false }
}

impl Exact {
    fn negated(self) -> Self {
        Self { negative: !self.negative && self.magnitude != 0, ..self }
    }

    fn add(self, other: Self) -> Self {
        if self.negative == other.negative {
            let (magnitude, over) = self.magnitude.overflowing_add(other.magnitude);
            return Self { negative: self.negative, magnitude, over };
        }
        let (large, small) =
            if self.magnitude >= other.magnitude { (self, other) } else { (other, self) };
        let magnitude = large.magnitude - small.magnitude;
        Self { negative: large.negative && magnitude != 0, magnitude, over: false }
    }

    fn mul(self, other: Self) -> Self {
        let (magnitude, over) = self.magnitude.overflowing_mul(other.magnitude);
        let negative = self.negative != other.negative && (magnitude != 0 || over);
        Self { negative, magnitude, over }
    }

    fn bits(self) -> u128 {
        if self.negative { self.magnitude.wrapping_neg() } else { self.magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(value: f64, op: ConvertOp, to: Scalar) -> u64 {
        convert(op, Scalar::F64, to, (Value::f64(value), Value::int(0))).0.bits
    }

    #[test]
    fn floats_out_of_range_become_what_gcc_makes_of_them() {
        let (signed, unsigned) = (ConvertOp::FloatToSigned, ConvertOp::FloatToUnsigned);
        for value in [f64::NAN, f64::INFINITY, -1e20, 1e20] {
            assert_eq!(converted(value, signed, Scalar::I32), 1 << 31, "{value}");
            assert_eq!(converted(value, signed, Scalar::I64), 1 << 63, "{value}");
            assert_eq!(converted(value, unsigned, Scalar::I32), 0, "{value}");
        }
        assert_eq!(converted(-1.0, unsigned, Scalar::I32), 0xffff_ffff);
        assert_eq!(converted(f64::NAN, unsigned, Scalar::I64), 1 << 63);
        assert_eq!(converted(1e20, unsigned, Scalar::I64), 0);
        assert_eq!(converted(f64::INFINITY, unsigned, Scalar::I64), 0);
        assert_eq!(converted(-1.0, unsigned, Scalar::I64), u64::MAX);
        assert_eq!(converted(9.5e18, unsigned, Scalar::I64), 9_500_000_000_000_000_000);
    }
}
