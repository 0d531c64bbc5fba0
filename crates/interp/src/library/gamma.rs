//! The gamma and error functions, which Rust does not have: right to about 13 digits.

use std::f64::consts::PI;

/// Lanczos' approximation with g = 7.
const TERMS: [f64; 8] = [
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];

fn lanczos(x: f64) -> f64 {
    let terms = TERMS.iter().zip(0_u8..);
    terms.fold(0.999_999_999_999_809_9, |sum, (term, at)| sum + term / (x + f64::from(at)))
}

pub fn gamma(x: f64) -> f64 {
    if x == x.floor() && (1.0..=23.0).contains(&x) {
        return (1..x as u64).map(|factor| factor as f64).product();
    }
    if x < 0.5 {
        return PI / ((PI * x).sin() * gamma(1.0 - x));
    }
    let t = x + 6.5;
    (2.0 * PI).sqrt() * t.powf(x - 0.5) * (-t).exp() * lanczos(x)
}

/// The logarithm of the magnitude, also where the magnitude itself is too large.
pub fn log_gamma(x: f64) -> f64 {
    if x.is_infinite() || x <= 0.0 && x == x.floor() {
        return f64::INFINITY;
    }
    if x < 0.5 {
        return (PI / (PI * x).sin()).abs().ln() - log_gamma(1.0 - x);
    }
    let t = x + 6.5;
    (2.0 * PI).ln() / 2.0 + (x - 0.5) * t.ln() - t + lanczos(x).ln()
}

/// Where the series gives way to the continued fraction.
const FAR: f64 = 2.0;

pub fn erf(x: f64) -> f64 {
    if x.abs() >= FAR {
        return (1.0 - far_erfc(x.abs())).copysign(x);
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..60 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

pub fn erfc(x: f64) -> f64 {
    if x >= FAR { far_erfc(x) } else { 1.0 - erf(x) }
}

/// `erfc` by its continued fraction, for large numbers.
fn far_erfc(x: f64) -> f64 {
    let rest = (1..=120).rev().fold(0.0, |rest, n| f64::from(n) / 2.0 / (x + rest));
    (-x * x).exp() / PI.sqrt() / (x + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(got: f64, want: f64) {
        assert!((got - want).abs() <= want.abs() * 1e-12, "{got:e} is not {want:e}");
    }

    #[test]
    fn values_are_those_of_glibc() {
        check(gamma(5.5), 52.342_777_784_553_52);
        check(log_gamma(100.5), 361.435_540_467_777_6);
        check(log_gamma(1e5), 1_051_287.708_973_656_8);
        check(log_gamma(-0.5), 1.265_512_123_484_645_4);
        check(erf(0.5), 0.520_499_877_813_046_5);
        check(erf(-3.0), -0.999_977_909_503_001_4);
        check(erfc(5.0), 1.537_459_794_428_035e-12);
        assert_eq!((erf(f64::INFINITY), erfc(f64::INFINITY)), (1.0, 0.0));
        assert!(erf(f64::NAN).is_nan() && log_gamma(f64::NAN).is_nan());
    }
}
