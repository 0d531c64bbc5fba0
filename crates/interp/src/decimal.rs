//! Exact conversion between binary floats and decimal digits.
//!
//! A finite float is an integer times a power of two, so its decimal expansion ends: with `k`
//! bits after the point it is `mantissa * 5^k` with `k` decimals. Rounding that string half to
//! even gives what glibc prints.

use crate::softfloat::{Class, Format, Soft, pack};

/// A natural number, low limb first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Big(Vec<u32>);

impl Big {
    fn new(value: u128) -> Self {
        let limbs = (0..4).map(|at| (value >> (32 * at)) as u32).collect();
        Self(limbs).trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn mul_add(&mut self, factor: u32, carry: u32) {
        let mut carry = u64::from(carry);
        for limb in &mut self.0 {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn mul_power(&mut self, base: u32, mut exponent: u32) {
        let (mut step, mut count) = (base, 1);
        while let Some(next) = step.checked_mul(base) {
            (step, count) = (next, count + 1);
        }
        while exponent >= count {
            self.mul_add(step, 0);
            exponent -= count;
        }
        (0..exponent).for_each(|_| self.mul_add(base, 0));
    }

    fn shl(&mut self, bits: u32) {
        let small = bits % 32;
        if small > 0 {
            self.mul_add(1 << small, 0);
        }
        if !self.0.is_empty() {
            let zeros = vec![0; (bits / 32) as usize];
            self.0.splice(0..0, zeros);
        }
    }

    /// Divides in place; the remainder.
    fn div_small(&mut self, divisor: u32) -> u32 {
        let mut rest = 0_u64;
        for limb in self.0.iter_mut().rev() {
            let value = rest << 32 | u64::from(*limb);
            *limb = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest as u32
    }

    fn digits(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        while !self.0.is_empty() {
            let mut group = self.div_small(1_000_000_000);
            for _ in 0..9 {
                out.push(b'0' + (group % 10) as u8);
                group /= 10;
            }
        }
        while out.last() == Some(&b'0') {
            out.pop();
        }
        out.reverse();
        out
    }

    fn bits(&self) -> u32 {
        self.0.last().map_or(0, |top| self.0.len() as u32 * 32 - top.leading_zeros())
    }

    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let lengths = self.0.len().cmp(&other.0.len());
        lengths.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0_i64;
        for at in 0..self.0.len() {
            let theirs = other.0.get(at).copied().unwrap_or(0);
            let value = i64::from(self.0[at]) - i64::from(theirs) - borrow;
            borrow = i64::from(value < 0);
            self.0[at] = value as u32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// The exact digits of a finite number, and how many of them stand after the point.
fn expansion(soft: Soft) -> (Vec<u8>, usize) {
    if soft.class != Class::Finite {
        return (Vec::new(), 0);
    }
    let zeros = soft.mantissa.trailing_zeros();
    let mut number = Big::new(soft.mantissa >> zeros);
    let exponent = soft.exponent - 127 + zeros as i32;
    if exponent >= 0 {
        number.shl(exponent as u32);
        return (number.digits(), 0);
    }
    let decimals = exponent.unsigned_abs();
    number.mul_power(5, decimals);
    (number.digits(), decimals as usize)
}

/// Rounds half to even to the first `keep` digits; true if that made one digit more.
fn round_digits(digits: &mut Vec<u8>, keep: usize) -> bool {
    if keep >= digits.len() {
        return false;
    }
    let rest = &digits[keep..];
    let above = rest[0] > b'5' || rest[0] == b'5' && rest[1..].iter().any(|&digit| digit != b'0');
    let odd = keep > 0 && digits[keep - 1] % 2 == 1;
    let up = above || rest[0] == b'5' && odd;
    digits.truncate(keep);
    if !up {
        return false;
    }
    for digit in digits.iter_mut().rev() {
        if *digit == b'9' {
            *digit = b'0';
        } else {
            *digit += 1;
            return false;
        }
    }
    digits.insert(0, b'1');
    true
}

/// The number with `precision` decimals: digits before the point, and after it.
pub fn fixed(soft: Soft, precision: usize) -> (Vec<u8>, Vec<u8>) {
    let (mut digits, decimals) = expansion(soft);
    // Align so that there is a digit for every place that is kept.
    if digits.len() < decimals {
        let missing = decimals - digits.len();
        digits.splice(0..0, vec![b'0'; missing]);
    }
    let whole = digits.len() - decimals;
    let grew = round_digits(&mut digits, whole + precision);
    let whole = whole + usize::from(grew);
    let mut after = digits.split_off(whole.min(digits.len()));
    after.resize(precision, b'0');
    if digits.is_empty() {
        digits.push(b'0');
    }
    (digits, after)
}

/// `count` significant digits, and the decimal exponent of the first.
pub fn scientific(soft: Soft, count: usize) -> (Vec<u8>, i32) {
    let (mut digits, decimals) = expansion(soft);
    if digits.is_empty() {
        return (vec![b'0'; count], 0);
    }
    let mut exponent = digits.len() as i32 - 1 - decimals as i32;
    if round_digits(&mut digits, count) {
        exponent += 1;
        digits.truncate(count);
    }
    digits.resize(count, b'0');
    (digits, exponent)
}

/// The float of a format nearest to `digits * 10^exponent`.
pub fn parse(format: Format, negative: bool, digits: &[u8], exponent: i32) -> u128 {
    let mut number = Big(Vec::new());
    for &digit in digits {
        if number.0.is_empty() {
            number = Big::new(u128::from(digit - b'0'));
        } else {
            number.mul_add(10, u32::from(digit - b'0'));
        }
    }
    if number.0.is_empty() || exponent < -30_000 {
        return pack(format, Soft::zero(negative), false);
    }
    if exponent > 30_000 {
        return pack(format, Soft::infinity(negative), false);
    }
    let mut divisor = Big::new(1);
    if exponent >= 0 {
        number.mul_power(10, exponent as u32);
    } else {
        divisor.mul_power(10, exponent.unsigned_abs());
    }
    quotient(format, negative, number, divisor)
}

/// `number / divisor`, one bit of the mantissa at a time.
fn quotient(format: Format, negative: bool, mut number: Big, mut divisor: Big) -> u128 {
    let mut exponent = number.bits() as i32 - divisor.bits() as i32;
    if exponent >= 0 {
        divisor.shl(exponent.unsigned_abs());
    } else {
        number.shl(exponent.unsigned_abs());
    }
    if number.compare(&divisor).is_lt() {
        number.mul_add(2, 0);
        exponent -= 1;
    }
    let mut mantissa = 0_u128;
    for _ in 0..128 {
        mantissa <<= 1;
        if number.compare(&divisor).is_ge() {
            number.subtract(&divisor);
            mantissa |= 1;
        }
        number.mul_add(2, 0);
    }
    let soft = Soft { negative, class: Class::Finite, exponent, mantissa };
    pack(format, soft, !number.0.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::softfloat::F64;

    fn shown(value: f64, precision: usize) -> String {
        let (whole, after) = fixed(Soft::from_f64(value), precision);
        format!("{}.{}", String::from_utf8(whole).unwrap(), String::from_utf8(after).unwrap())
    }

    #[test]
    fn fixed_rounds_half_to_even_on_the_exact_value() {
        assert_eq!(shown(0.1, 20), "0.10000000000000000555");
        assert_eq!(shown(2.5, 0), "2.");
        assert_eq!(shown(3.5, 0), "4.");
        assert_eq!(shown(999.996, 2), "1000.00");
        assert_eq!(shown(0.004, 2), "0.00");
        assert_eq!(shown(0.096, 1), "0.1");
    }

    #[test]
    fn scientific_keeps_the_asked_digits() {
        let (digits, exponent) = scientific(Soft::from_f64(9.996e22), 3);
        assert_eq!((digits, exponent), (b"100".to_vec(), 23));
        assert_eq!(scientific(Soft::from_f64(5e-324), 2), (b"49".to_vec(), -324));
    }

    #[test]
    fn reading_is_that_of_rust() {
        for text in ["1", "0.1", "123456789.125", "1e308", "4.9e-324", "1.7976931348623157e308"] {
            let value: f64 = text.parse().unwrap();
            let (digits, decimals) = expansion(Soft::from_f64(value));
            let got = parse(F64, false, &digits, -(decimals as i32));
            assert_eq!(f64::from_bits(got as u64), value, "{text}");
        }
        assert_eq!(f64::from_bits(parse(F64, false, b"17", -1) as u64), 1.7);
        assert_eq!(f64::from_bits(parse(F64, false, b"3", -324) as u64), 5e-324);
    }
}
