//! Floats of any format, exact and rounded to nearest even: the x87 extended format and the
//! 128-bit format have no counterpart in Rust, and the 16-bit one none that is stable.
//!
//! A finite number is `mantissa / 2^127 * 2^exponent`, with the mantissa's top bit set.

use std::cmp::Ordering;

use caulk_ir::Scalar;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the mantissa, the leading one included.
    pub precision: u32,
    pub max_exponent: i32,
    exponent_bits: u32,
    /// The leading one is stored.
    explicit: bool,
}

pub const F16: Format =
    Format { precision: 11, max_exponent: 15, exponent_bits: 5, explicit: false };
pub const F32: Format =
    Format { precision: 24, max_exponent: 127, exponent_bits: 8, explicit: false };
pub const F64: Format =
    Format { precision: 53, max_exponent: 1023, exponent_bits: 11, explicit: false };
pub const F80: Format =
    Format { precision: 64, max_exponent: 16383, exponent_bits: 15, explicit: true };
pub const F128: Format =
    Format { precision: 113, max_exponent: 16383, exponent_bits: 15, explicit: false };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Zero,
    Finite,
    Infinite,
    Nan,
}

#[derive(Clone, Copy, Debug)]
pub struct Soft {
    pub negative: bool,
    pub class: Class,
    pub exponent: i32,
    pub mantissa: u128,
}

const TOP: u128 = 1 << 127;

pub fn format_of(scalar: Scalar) -> Format {
    match scalar {
        Scalar::F16 => F16,
        Scalar::F32 => F32,
        Scalar::F80 => F80,
        Scalar::F128 => F128,
        _ => F64,
    }
}

impl Format {
    fn stored_bits(self) -> u32 {
        if self.explicit { self.precision } else { self.precision - 1 }
    }

    fn exponent_mask(self) -> u128 {
        (1 << self.exponent_bits) - 1
    }

    fn min_exponent(self) -> i32 {
        1 - self.max_exponent
    }
}

impl Soft {
    pub const NAN: Soft = Soft { negative: false, class: Class::Nan, exponent: 0, mantissa: 0 };

    pub fn zero(negative: bool) -> Self {
        Self { negative, class: Class::Zero, exponent: 0, mantissa: 0 }
    }

    pub fn infinity(negative: bool) -> Self {
        Self { negative, class: Class::Infinite, exponent: 0, mantissa: 0 }
    }

    /// `mantissa * 2^exponent`, for any mantissa.
    pub fn scaled(negative: bool, mantissa: u128, exponent: i32) -> Self {
        if mantissa == 0 {
            return Self::zero(negative);
        }
        let shift = mantissa.leading_zeros();
        let exponent = exponent + 127 - shift as i32;
        Self { negative, class: Class::Finite, exponent, mantissa: mantissa << shift }
    }

    pub fn from_f64(value: f64) -> Self {
        unpack(F64, u128::from(value.to_bits()))
    }

    pub fn to_f64(self) -> f64 {
        f64::from_bits(pack(F64, self, false) as u64)
    }

    pub fn from_signed(value: i128) -> Self {
        Self::scaled(value < 0, value.unsigned_abs(), 0)
    }

    /// The integer part; `None` if it does not fit in 128 bits.
    pub fn truncated(self) -> Option<(bool, u128)> {
        match self.class {
            Class::Zero => Some((self.negative, 0)),
            Class::Finite if self.exponent < 0 => Some((self.negative, 0)),
            Class::Finite if self.exponent < 128 => {
                Some((self.negative, self.mantissa >> (127 - self.exponent)))
            }
            _ => None,
        }
    }

    pub fn negated(self) -> Self {
        Self { negative: !self.negative, ..self }
    }

    fn magnitude(self) -> (i32, u128) {
        match self.class {
            Class::Zero => (i32::MIN, 0),
            Class::Infinite => (i32::MAX, 0),
            _ => (self.exponent, self.mantissa),
        }
    }

    /// None if either is not a number.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        if self.class == Class::Nan || other.class == Class::Nan {
            return None;
        }
        if self.class == Class::Zero && other.class == Class::Zero {
            return Some(Ordering::Equal);
        }
        let sign = |soft: Self| soft.class != Class::Zero && soft.negative;
        let order = self.magnitude().cmp(&other.magnitude());
        Some(match (sign(self), sign(other)) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => order,
            (true, true) => order.reverse(),
        })
    }
}

pub fn unpack(format: Format, bits: u128) -> Soft {
    let stored = format.stored_bits();
    let fraction = bits & ((1 << stored) - 1);
    let biased = (bits >> stored) & format.exponent_mask();
    let negative = bits >> (stored + format.exponent_bits) & 1 == 1;
    let fraction_only = if format.explicit { fraction & !(1 << (stored - 1)) } else { fraction };
    if biased == format.exponent_mask() {
        let class = if fraction_only == 0 { Class::Infinite } else { Class::Nan };
        return Soft { negative, class, exponent: 0, mantissa: 0 };
    }
    let lowest = format.min_exponent() - (format.precision as i32 - 1);
    if biased == 0 {
        return Soft::scaled(negative, fraction, lowest);
    }
    let whole = if format.explicit { fraction } else { fraction | 1 << stored };
    Soft::scaled(negative, whole, lowest + biased as i32 - 1)
}

/// The nearest number of the format; `sticky` says that the exact value is a little larger.
pub fn pack(format: Format, soft: Soft, sticky: bool) -> u128 {
    let stored = format.stored_bits();
    let sign = u128::from(soft.negative) << (stored + format.exponent_bits);
    let leading = if format.explicit { 1 << (stored - 1) } else { 0 };
    let infinity = sign | format.exponent_mask() << stored | leading;
    match soft.class {
        Class::Zero => return sign,
        Class::Infinite => return infinity,
        Class::Nan => return infinity | 1 << (format.precision - 2),
        Class::Finite => {}
    }
    let below = format.min_exponent().saturating_sub(soft.exponent).max(0) as u32;
    let drop = (128 - format.precision).saturating_add(below);
    let (mut kept, round_up) = round(soft.mantissa, drop, sticky);
    kept += u128::from(round_up);
    let mut exponent = soft.exponent.max(format.min_exponent());
    if kept >> format.precision != 0 {
        kept >>= 1;
        exponent += 1;
    }
    if exponent > format.max_exponent {
        return infinity;
    }
    let is_normal = kept >> (format.precision - 1) != 0;
    let biased = if is_normal { (exponent + format.max_exponent) as u128 } else { 0 };
    let fraction = if format.explicit { kept } else { kept & !(1 << (format.precision - 1)) };
    sign | biased << stored | fraction
}

/// The mantissa without its low `drop` bits, and whether to round up.
fn round(mantissa: u128, drop: u32, sticky: bool) -> (u128, bool) {
    if drop > 128 {
        return (0, false);
    }
    let kept = if drop == 128 { 0 } else { mantissa >> drop };
    let half = 1_u128 << (drop - 1);
    let rest = if drop == 128 { mantissa } else { mantissa & ((1 << drop) - 1) };
    let up = match rest.cmp(&half) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => sticky || kept & 1 == 1,
    };
    (kept, up)
}

pub fn add(format: Format, lhs: Soft, rhs: Soft) -> u128 {
    match (lhs.class, rhs.class) {
        (Class::Nan, _) | (_, Class::Nan) => pack(format, Soft::NAN, false),
        (Class::Infinite, Class::Infinite) if lhs.negative != rhs.negative => {
            pack(format, Soft { negative: true, ..Soft::NAN }, false)
        }
        (Class::Infinite, _) => pack(format, lhs, false),
        (_, Class::Infinite) => pack(format, rhs, false),
        (Class::Zero, Class::Zero) => pack(format, Soft::zero(lhs.negative && rhs.negative), false),
        (Class::Zero, _) => pack(format, rhs, false),
        (_, Class::Zero) => pack(format, lhs, false),
        _ => add_finite(format, lhs, rhs),
    }
}

fn add_finite(format: Format, lhs: Soft, rhs: Soft) -> u128 {
    let (large, small) = if lhs.magnitude() >= rhs.magnitude() { (lhs, rhs) } else { (rhs, lhs) };
    let distance = (large.exponent - small.exponent) as u32;
    let (high, low, lost) = shift_right(small.mantissa, distance);
    if large.negative == small.negative {
        let (sum, carry) = large.mantissa.overflowing_add(high);
        if !carry {
            let soft = Soft { mantissa: sum, ..large };
            return pack(format, soft, low != 0 || lost);
        }
        let sticky = sum & 1 == 1 || low != 0 || lost;
        let soft = Soft { mantissa: sum >> 1 | TOP, exponent: large.exponent + 1, ..large };
        return pack(format, soft, sticky);
    }
    // The exact difference is (large - high, -low): borrow for what lies below.
    let borrow = low != 0 || lost;
    let mut low = 0_u128.wrapping_sub(low);
    if lost {
        low = low.wrapping_sub(1);
    }
    let high = large.mantissa - high - u128::from(borrow);
    if high == 0 && low == 0 && !lost {
        return pack(format, Soft::zero(false), false);
    }
    let shift = if high == 0 { 128 + low.leading_zeros() } else { high.leading_zeros() };
    let (mantissa, rest) = match shift {
        0 => (high, low),
        1..128 => (high << shift | low >> (128 - shift), low << shift),
        _ => (low.checked_shl(shift - 128).unwrap_or(0), 0),
    };
    let soft = Soft { mantissa, exponent: large.exponent - shift as i32, ..large };
    pack(format, soft, rest != 0 || lost)
}

/// The mantissa moved right: its high and low 128 bits, and whether more was lost.
fn shift_right(mantissa: u128, distance: u32) -> (u128, u128, bool) {
    match distance {
        0 => (mantissa, 0, false),
        1..128 => (mantissa >> distance, mantissa << (128 - distance), false),
        128 => (0, mantissa, false),
        129..256 => {
            let by = distance - 128;
            (0, mantissa >> by, mantissa & ((1 << by) - 1) != 0)
        }
        _ => (0, 0, true),
    }
}

pub fn mul(format: Format, lhs: Soft, rhs: Soft) -> u128 {
    let negative = lhs.negative != rhs.negative;
    let soft = match (lhs.class, rhs.class) {
        (Class::Nan, _) | (_, Class::Nan) => Soft::NAN,
        (Class::Infinite, Class::Zero) | (Class::Zero, Class::Infinite) => {
            Soft { negative: true, ..Soft::NAN }
        }
        (Class::Infinite, _) | (_, Class::Infinite) => Soft::infinity(negative),
        (Class::Zero, _) | (_, Class::Zero) => Soft::zero(negative),
        _ => {
            let (high, low) = wide_product(lhs.mantissa, rhs.mantissa);
            let exponent = lhs.exponent + rhs.exponent + 1;
            let (mantissa, rest, exponent) = if high & TOP == 0 {
                (high << 1 | low >> 127, low << 1, exponent - 1)
            } else {
                (high, low, exponent)
            };
            let soft = Soft { negative, class: Class::Finite, exponent, mantissa };
            return pack(format, soft, rest != 0);
        }
    };
    pack(format, soft, false)
}

fn wide_product(lhs: u128, rhs: u128) -> (u128, u128) {
    let half = |value: u128| (value >> 64, value & u128::from(u64::MAX));
    let ((a, b), (c, d)) = (half(lhs), half(rhs));
    let (mid, carry) = (a * d).overflowing_add(b * c);
    let (low, more) = (b * d).overflowing_add(mid << 64);
    let high = a * c + (mid >> 64) + (u128::from(carry) << 64) + u128::from(more);
    (high, low)
}

pub fn div(format: Format, lhs: Soft, rhs: Soft) -> u128 {
    let negative = lhs.negative != rhs.negative;
    let soft = match (lhs.class, rhs.class) {
        (Class::Nan, _) | (_, Class::Nan) => Soft::NAN,
        (Class::Infinite, Class::Infinite) | (Class::Zero, Class::Zero) => {
            Soft { negative: true, ..Soft::NAN }
        }
        (Class::Infinite, _) | (_, Class::Zero) => Soft::infinity(negative),
        (Class::Zero, _) | (_, Class::Infinite) => Soft::zero(negative),
        _ => return div_finite(format, negative, lhs, rhs),
    };
    pack(format, soft, false)
}

/// Long division, one bit at a time.
fn div_finite(format: Format, negative: bool, lhs: Soft, rhs: Soft) -> u128 {
    let mut exponent = lhs.exponent - rhs.exponent;
    let (mut rest, mut over) = (lhs.mantissa, false);
    if rest < rhs.mantissa {
        exponent -= 1;
        over = rest & TOP != 0;
        rest <<= 1;
    }
    let mut quotient = 0_u128;
    for _ in 0..128 {
        let fits = over || rest >= rhs.mantissa;
        if fits {
            rest = rest.wrapping_sub(rhs.mantissa);
        }
        quotient = quotient << 1 | u128::from(fits);
        over = rest & TOP != 0;
        rest <<= 1;
    }
    let soft = Soft { negative, class: Class::Finite, exponent, mantissa: quotient };
    pack(format, soft, rest != 0 || over)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random floats of all magnitudes, specials included.
    fn samples() -> Vec<f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut all =
            vec![0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::MIN_POSITIVE, 5e-324, f64::MAX];
        for round in 0..120 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let value = f64::from_bits(state);
            all.push(if round % 3 == 0 { value } else { (state >> 40) as f64 / 1024.0 });
        }
        all
    }

    fn check(op: fn(Format, Soft, Soft) -> u128, native: fn(f64, f64) -> f64) {
        for &lhs in &samples() {
            for &rhs in &samples() {
                let got = op(F64, Soft::from_f64(lhs), Soft::from_f64(rhs)) as u64;
                let want = native(lhs, rhs);
                let same = got == want.to_bits() || want.is_nan() && f64::from_bits(got).is_nan();
                assert!(same, "{lhs:e} {rhs:e}: {:e} is not {want:e}", f64::from_bits(got));
            }
        }
    }

    #[test]
    fn arithmetic_is_that_of_the_machine() {
        check(add, |lhs, rhs| lhs + rhs);
        check(mul, |lhs, rhs| lhs * rhs);
        check(div, |lhs, rhs| lhs / rhs);
        check(|format, lhs, rhs| add(format, lhs, rhs.negated()), |lhs, rhs| lhs - rhs);
    }

    #[test]
    fn narrowing_is_that_of_the_machine() {
        for value in samples() {
            let got = pack(F32, Soft::from_f64(value), false) as u32;
            let want = value as f32;
            assert!(got == want.to_bits() || want.is_nan(), "{value:e}");
        }
    }

    #[test]
    fn extended_numbers_keep_64_bits() {
        let one = Soft::from_f64(1.0);
        let three = Soft::from_f64(3.0);
        assert_eq!(div(F80, one, three), 0x3ffd_aaaa_aaaa_aaaa_aaab);
        let third = unpack(F80, 0x3ffd_aaaa_aaaa_aaaa_aaab);
        assert_eq!(third.to_f64(), 1.0 / 3.0);
    }
}
