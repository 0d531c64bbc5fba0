//! `math.h`. Doubles use Rust's functions, which are the system's; `float` versions compute in
//! double and round; `long double` versions are exact for what is exact (rounding, `fabs`,
//! `fmod`, scaling) and computed in double otherwise.

use super::gamma::{erf, erfc, gamma, log_gamma};
use super::{LibraryFn, ZERO};
use crate::arithmetic::{from_soft, to_soft};
use crate::fault::Step;
use crate::machine::Machine;
use crate::softfloat::{Class, Soft};
use crate::value::Value;
use caulk_ir::Scalar;

macro_rules! one {
    ($($name:literal $float:literal => $function:expr),* $(,)?) => {
        &[$(
            ($name, |m, a| { let x = a.f64(0); let y: f64 = ($function)(x); note(m, x, y); Ok(Value::f64(y)) }),
            ($float, |_, a| Ok(Value::f32(($function)(f64::from(a.get(0).as_f32())) as f32))),
        )*]
    };
}

macro_rules! two {
    ($($name:literal $float:literal => $function:expr),* $(,)?) => {
        &[$(
            ($name, |m, a| {
                let (x, y) = (a.f64(0), a.f64(1));
                let z: f64 = ($function)(x, y);
                note(m, x + y, z);
                Ok(Value::f64(z))
            }),
            ($float, |_, a| {
                let (x, y) = (f64::from(a.get(0).as_f32()), f64::from(a.get(1).as_f32()));
                Ok(Value::f32(($function)(x, y) as f32))
            }),
        )*]
    };
}

const ONE: &[(&str, LibraryFn)] = one! {
    "sin" "sinf" => f64::sin,
    "cos" "cosf" => f64::cos,
    "tan" "tanf" => f64::tan,
    "asin" "asinf" => f64::asin,
    "acos" "acosf" => f64::acos,
    "atan" "atanf" => f64::atan,
    "sinh" "sinhf" => f64::sinh,
    "cosh" "coshf" => f64::cosh,
    "tanh" "tanhf" => f64::tanh,
    "asinh" "asinhf" => f64::asinh,
    "acosh" "acoshf" => f64::acosh,
    "atanh" "atanhf" => f64::atanh,
    "exp" "expf" => f64::exp,
    "exp2" "exp2f" => f64::exp2,
    "expm1" "expm1f" => f64::exp_m1,
    "exp10" "exp10f" => |x: f64| 10_f64.powf(x),
    "log" "logf" => f64::ln,
    "log2" "log2f" => f64::log2,
    "log10" "log10f" => f64::log10,
    "log1p" "log1pf" => f64::ln_1p,
    "sqrt" "sqrtf" => f64::sqrt,
    "cbrt" "cbrtf" => f64::cbrt,
    "fabs" "fabsf" => f64::abs,
    "floor" "floorf" => f64::floor,
    "ceil" "ceilf" => f64::ceil,
    "trunc" "truncf" => f64::trunc,
    "round" "roundf" => f64::round,
    "rint" "rintf" => f64::round_ties_even,
    "nearbyint" "nearbyintf" => f64::round_ties_even,
    "logb" "logbf" => logb,
    "tgamma" "tgammaf" => gamma,
    "lgamma" "lgammaf" => log_gamma,
    "erf" "erff" => erf,
    "erfc" "erfcf" => erfc,
};

const TWO: &[(&str, LibraryFn)] = two! {
    "pow" "powf" => f64::powf,
    "fmod" "fmodf" => |x: f64, y: f64| x % y,
    "remainder" "remainderf" => remainder,
    "drem" "dremf" => remainder,
    "atan2" "atan2f" => f64::atan2,
    "hypot" "hypotf" => f64::hypot,
    "fmax" "fmaxf" => f64::max,
    "fmin" "fminf" => f64::min,
    "fdim" "fdimf" => |x: f64, y: f64| if x > y { x - y } else { 0.0 },
    "copysign" "copysignf" => f64::copysign,
};

const OTHERS: &[(&str, LibraryFn)] = &[
    ("frexp", |m, a| {
        let (x, e) = frexp(a.f64(0));
        put_int(m, a.get(1), e)?;
        Ok(Value::f64(x))
    }),
    ("frexpf", |m, a| {
        let (x, e) = frexp(f64::from(a.get(0).as_f32()));
        put_int(m, a.get(1), e)?;
        Ok(Value::f32(x as f32))
    }),
    ("ldexp", |m, a| {
        let x = scale(a.f64(0), a.i32(1));
        note(m, a.f64(0), x);
        Ok(Value::f64(x))
    }),
    ("scalbn", |_, a| Ok(Value::f64(scale(a.f64(0), a.i32(1))))),
    ("scalbln", |_, a| Ok(Value::f64(scale(a.f64(0), a.i32(1))))),
    ("ldexpf", |_, a| Ok(Value::f32(scale(f64::from(a.get(0).as_f32()), a.i32(1)) as f32))),
    ("scalbnf", |_, a| Ok(Value::f32(scale(f64::from(a.get(0).as_f32()), a.i32(1)) as f32))),
    ("modf", |m, a| {
        let x = a.f64(0);
        m.memory.store::<8>(a.get(1), Value::f64(x.trunc()))?;
        let rest = if x.is_infinite() { 0.0 } else { x - x.trunc() };
        Ok(Value::f64(rest.copysign(x)))
    }),
    ("modff", |m, a| {
        let x = a.get(0).as_f32();
        m.memory.store::<4>(a.get(1), Value::f32(x.trunc()))?;
        Ok(Value::f32((x - x.trunc()).copysign(x)))
    }),
    ("lround", |_, a| Ok(Value::int(a.f64(0).round() as i64 as u64))),
    ("llround", |_, a| Ok(Value::int(a.f64(0).round() as i64 as u64))),
    ("lrint", |_, a| Ok(Value::int(a.f64(0).round_ties_even() as i64 as u64))),
    ("llrint", |_, a| Ok(Value::int(a.f64(0).round_ties_even() as i64 as u64))),
    ("lroundf", |_, a| Ok(Value::int(a.get(0).as_f32().round() as i64 as u64))),
    ("lrintf", |_, a| Ok(Value::int(a.get(0).as_f32().round_ties_even() as i64 as u64))),
    ("ilogb", |_, a| Ok(Value::i32(frexp(a.f64(0)).1 - 1))),
    ("fma", |_, a| Ok(Value::f64(a.f64(0).mul_add(a.f64(1), a.f64(2))))),
    ("fmaf", |_, a| {
        Ok(Value::f32(a.get(0).as_f32().mul_add(a.get(1).as_f32(), a.get(2).as_f32())))
    }),
    ("nextafter", |_, a| Ok(Value::f64(next_after(a.f64(0), a.f64(1))))),
    ("nan", |_, _| Ok(Value::f64(f64::NAN))),
    ("nanf", |_, _| Ok(Value::f32(f32::NAN))),
    ("inf", |_, _| Ok(Value::f64(f64::INFINITY))),
    ("inff", |_, _| Ok(Value::f32(f32::INFINITY))),
    ("huge_val", |_, _| Ok(Value::f64(f64::INFINITY))),
    ("huge_valf", |_, _| Ok(Value::f32(f32::INFINITY))),
    ("isnan", |_, a| Ok(Value::i32(i32::from(a.f64(0).is_nan())))),
    ("isinf", |_, a| {
        Ok(Value::i32(if a.f64(0).is_infinite() { if a.f64(0) > 0.0 { 1 } else { -1 } } else { 0 }))
    }),
    ("finite", |_, a| Ok(Value::i32(i32::from(a.f64(0).is_finite())))),
    ("__isnanf", |_, a| Ok(Value::i32(i32::from(a.get(0).as_f32().is_nan())))),
    ("__isinff", |_, a| Ok(Value::i32(i32::from(a.get(0).as_f32().is_infinite())))),
    ("__finitef", |_, a| Ok(Value::i32(i32::from(a.get(0).as_f32().is_finite())))),
    ("__signbit", |_, a| Ok(Value::i32(i32::from(a.f64(0).is_sign_negative())))),
    ("__fpclassify", |_, a| Ok(Value::i32(classify(a.f64(0))))),
    ("fegetround", |_, _| Ok(ZERO)),
    ("fesetround", |_, _| Ok(ZERO)),
    ("feclearexcept", |_, _| Ok(ZERO)),
    ("fetestexcept", |_, _| Ok(ZERO)),
    ("sincos", |m, a| {
        m.memory.store::<8>(a.get(1), Value::f64(a.f64(0).sin()))?;
        m.memory.store::<8>(a.get(2), Value::f64(a.f64(0).cos()))?;
        Ok(ZERO)
    }),
];

macro_rules! long {
    ($($name:literal => $function:expr),* $(,)?) => {
        &[$(($name, |m, a| {
            let (x, y) = (to_soft(Scalar::F80, a.wide(0)), to_soft(Scalar::F80, a.wide(1)));
            let result: fn(Soft, Soft) -> Soft = $function;
            put_long(m, result(x, y))
        })),*]
    };
}

const LONG: &[(&str, LibraryFn)] = long! {
    "fabsl" => |x, _| Soft { negative: false, ..x },
    "floorl" => |x, _| integral(x, |negative, whole, rest| whole + u128::from(negative && rest)),
    "ceill" => |x, _| integral(x, |negative, whole, rest| whole + u128::from(!negative && rest)),
    "truncl" => |x, _| integral(x, |_, whole, _| whole),
    "copysignl" => |x, y| Soft { negative: y.negative, ..x },
    "fmaxl" => |x, y| if x.compare(y).is_none_or(std::cmp::Ordering::is_lt) && y.class != Class::Nan { y } else { x },
    "fminl" => |x, y| if x.compare(y).is_none_or(std::cmp::Ordering::is_gt) && y.class != Class::Nan { y } else { x },
    "sqrtl" => |x, _| square_root(x),
    "powl" => |x, y| Soft::from_f64(x.to_f64().powf(y.to_f64())),
    "expl" => |x, _| Soft::from_f64(x.to_f64().exp()),
    "logl" => |x, _| Soft::from_f64(x.to_f64().ln()),
    "log2l" => |x, _| Soft::from_f64(x.to_f64().log2()),
    "log10l" => |x, _| Soft::from_f64(x.to_f64().log10()),
    "sinl" => |x, _| Soft::from_f64(x.to_f64().sin()),
    "cosl" => |x, _| Soft::from_f64(x.to_f64().cos()),
    "tanl" => |x, _| Soft::from_f64(x.to_f64().tan()),
    "atanl" => |x, _| Soft::from_f64(x.to_f64().atan()),
    "fmodl" => |x, y| Soft::from_f64(x.to_f64() % y.to_f64()),
    "roundl" => |x, _| Soft::from_f64(x.to_f64().round()),
};

/// All families of the header.
pub const TABLES: [&[(&str, LibraryFn)]; 4] = [ONE, TWO, OTHERS, LONG];

fn logb(x: f64) -> f64 {
    match x.classify() {
        std::num::FpCategory::Zero => f64::NEG_INFINITY,
        std::num::FpCategory::Infinite => f64::INFINITY,
        std::num::FpCategory::Nan => x,
        _ => f64::from(frexp(x).1 - 1),
    }
}

/// The root to 64 bits, and below them whether the rest is more than a half.
fn square_root(x: Soft) -> Soft {
    if x.class != Class::Finite || x.negative {
        return Soft::from_f64(x.to_f64().sqrt());
    }
    // An even power of two; the lowest bit of the mantissa of a long double is 0.
    let scale = x.exponent - 127;
    let (square, scale) =
        if scale % 2 == 0 { (x.mantissa, scale) } else { (x.mantissa >> 1, scale + 1) };
    let root = square.isqrt();
    let rest = square - root * root;
    let below = u128::from(rest > root) << 63 | u128::from(rest > 0);
    Soft::scaled(false, root << 64 | below, scale / 2 - 64)
}

fn put_long(machine: &mut Machine, soft: Soft) -> Step<Value> {
    let (low, high) = from_soft(Scalar::F80, soft);
    machine.high = high;
    Ok(low)
}

/// A finite number replaced by an integer made from its sign, whole part and whether it has a
/// fraction.
fn integral(x: Soft, make: fn(bool, u128, bool) -> u128) -> Soft {
    if x.class != Class::Finite || x.exponent >= 127 {
        return x;
    }
    let whole = x.truncated().map_or(0, |(_, whole)| whole);
    let fraction = x.exponent < 0 || x.mantissa << (x.exponent + 1) != 0;
    Soft::scaled(x.negative, make(x.negative, whole, fraction), 0)
}

/// `errno` as glibc sets it: a domain error makes a NaN from numbers, a range error an infinity.
fn note(machine: &mut Machine, input: f64, output: f64) {
    if output.is_nan() && !input.is_nan() {
        machine.set_errno(33);
    } else if output.is_infinite() && input.is_finite() {
        machine.set_errno(34);
    }
}

fn put_int(machine: &mut Machine, at: Value, value: i32) -> Step<()> {
    machine.memory.put::<4>(at, Value::i32(value))?;
    Ok(())
}

fn frexp(x: f64) -> (f64, i32) {
    let soft = Soft::from_f64(x);
    if soft.class != Class::Finite {
        return (x, 0);
    }
    (Soft { exponent: -1, ..soft }.to_f64(), soft.exponent + 1)
}

fn scale(x: f64, by: i32) -> f64 {
    let soft = Soft::from_f64(x);
    Soft { exponent: soft.exponent.saturating_add(by).clamp(-100_000, 100_000), ..soft }.to_f64()
}

fn remainder(x: f64, y: f64) -> f64 {
    if y.is_infinite() && x.is_finite() {
        return x;
    }
    let mut rest = x.abs() % (2.0 * y.abs());
    let half = y.abs() / 2.0;
    if rest > half {
        rest -= y.abs();
        if rest >= half {
            rest -= y.abs();
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

fn next_after(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if y > x {
        x.next_up()
    } else if y < x {
        x.next_down()
    } else {
        y
    }
}

fn classify(x: f64) -> i32 {
    match x.classify() {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}
