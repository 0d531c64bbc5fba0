//! Text into numbers: `strtol`, `strtod`, `atoi` and their kin; integer arithmetic of stdlib.

use super::ctype::is_space;
use super::{Args, LibraryFn, ZERO};
use crate::arithmetic::split;
use crate::decimal;
use crate::fault::Step;
use crate::machine::Machine;
use crate::softfloat::{self, F32, F64, F80, Format, Soft};
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("atoi", |machine, args| atol(machine, args)),
    ("atol", |machine, args| atol(machine, args)),
    ("atoll", |machine, args| atol(machine, args)),
    ("atof", atof),
    ("strtol", strtol),
    ("strtoll", strtol),
    ("strtoimax", strtol),
    ("strtoq", strtol),
    ("strtoul", strtoul),
    ("strtoull", strtoul),
    ("strtoumax", strtoul),
    ("strtouq", strtoul),
    ("strtod", strtod),
    ("strtof", strtof),
    ("strtold", strtold),
    ("strtod_l", strtod),
    ("abs", |_, args| Ok(Value::i32(args.i32(0).wrapping_abs()))),
    ("labs", |_, args| Ok(Value::int(args.i64(0).unsigned_abs()))),
    ("llabs", |_, args| Ok(Value::int(args.i64(0).unsigned_abs()))),
    ("imaxabs", |_, args| Ok(Value::int(args.i64(0).unsigned_abs()))),
    ("div", div),
    ("ldiv", ldiv),
    ("lldiv", ldiv),
    ("imaxdiv", ldiv),
    ("ffs", |_, args| Ok(first_set(u64::from(args.i32(0) as u32)))),
    ("ffsl", |_, args| Ok(first_set(args.u64(0)))),
    ("ffsll", |_, args| Ok(first_set(args.u64(0)))),
    ("a64l", |_, _| Ok(ZERO)),
];

const ERANGE: i32 = 34;
const EINVAL: i32 = 22;

fn first_set(bits: u64) -> Value {
    Value::i32(if bits == 0 { 0 } else { bits.trailing_zeros() as i32 + 1 })
}

/// A number read from text.
pub struct Parsed {
    pub negative: bool,
    pub magnitude: u64,
    pub overflow: bool,
    /// Bytes used; 0 if there is no number.
    pub used: usize,
}

/// Reads an integer as `strtol` does.
pub fn parse_int(text: &[u8], base: u32) -> Parsed {
    let mut at = text.iter().take_while(|&&byte| is_space(byte)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let mut base = base;
    let hex = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    if hex && (base == 0 || base == 16) {
        at += 2;
        base = 16;
    }
    if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    let (mut magnitude, mut overflow, start) = (0_u64, false, at);
    while let Some(digit) = text.get(at).and_then(|&byte| char::from(byte).to_digit(36))
        && digit < base
    {
        let next = magnitude.checked_mul(u64::from(base));
        match next.and_then(|value| value.checked_add(u64::from(digit))) {
            Some(value) => magnitude = value,
            None => overflow = true,
        }
        at += 1;
    }
    let used = if at == start { 0 } else { at };
    Parsed { negative, magnitude, overflow, used }
}

fn atol(machine: &mut Machine, args: &Args) -> Step<Value> {
    let parsed = parse_int(machine.memory.string(args.get(0))?, 10);
    Ok(Value::int(to_signed(&parsed).0 as u64))
}

/// The value in range, and whether it had to be clamped.
pub fn to_signed(parsed: &Parsed) -> (i64, bool) {
    let limit = if parsed.negative { 1 << 63 } else { i64::MAX as u64 };
    if parsed.overflow || parsed.magnitude > limit {
        return (if parsed.negative { i64::MIN } else { i64::MAX }, true);
    }
    let value = parsed.magnitude as i64;
    (if parsed.negative { value.wrapping_neg() } else { value }, false)
}

/// The value as `strtoul` has it, and whether it had to be clamped.
pub fn to_unsigned(parsed: &Parsed) -> (u64, bool) {
    let value = parsed.magnitude;
    match (parsed.overflow, parsed.negative) {
        (true, _) => (u64::MAX, true),
        (false, true) => (value.wrapping_neg(), false),
        (false, false) => (value, false),
    }
}

fn put_end(machine: &mut Machine, args: &Args, used: usize) -> Step<()> {
    if args.u64(1) != 0 {
        machine.memory.put::<8>(args.get(1), args.get(0).moved(used as i64))?;
    }
    Ok(())
}

fn read_int(machine: &mut Machine, args: &Args) -> Step<Option<Parsed>> {
    let base = args.i32(2);
    if base < 0 || base == 1 || base > 36 {
        machine.set_errno(EINVAL);
        return Ok(None);
    }
    let parsed = parse_int(machine.memory.string(args.get(0))?, base as u32);
    put_end(machine, args, parsed.used)?;
    Ok(Some(parsed))
}

fn strtol(machine: &mut Machine, args: &Args) -> Step<Value> {
    let Some(parsed) = read_int(machine, args)? else { return Ok(ZERO) };
    let (value, clamped) = to_signed(&parsed);
    if clamped {
        machine.set_errno(ERANGE);
    }
    Ok(Value::int(value as u64))
}

fn strtoul(machine: &mut Machine, args: &Args) -> Step<Value> {
    let Some(parsed) = read_int(machine, args)? else { return Ok(ZERO) };
    let (value, clamped) = to_unsigned(&parsed);
    if clamped {
        machine.set_errno(ERANGE);
    }
    Ok(Value::int(value))
}

/// Reads a float as `strtod` does: its bits in the format, and the bytes used.
pub fn parse_float(format: Format, text: &[u8]) -> (u128, usize) {
    let mut at = text.iter().take_while(|&&byte| is_space(byte)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let rest = &text[at..];
    let starts =
        |word: &[u8]| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word);
    let pack = |soft| softfloat::pack(format, soft, false);
    if starts(b"infinity") {
        return (pack(Soft::infinity(negative)), at + 8);
    }
    if starts(b"inf") {
        return (pack(Soft::infinity(negative)), at + 3);
    }
    if starts(b"nan") {
        return (pack(Soft { negative, ..Soft::NAN }), at + 3 + nan_tail(&rest[3..]));
    }
    if starts(b"0x") && parse_hex(format, negative, &rest[2..]).1 > 0 {
        let (bits, used) = parse_hex(format, negative, &rest[2..]);
        return (bits, at + used + 2);
    }
    match read_decimal(rest) {
        Some(decimal) => (decimal.to_bits(format, negative), at + decimal.used),
        None => (pack(Soft::zero(false)), 0),
    }
}

/// The bytes that `parse_float` uses, without its arithmetic.
pub fn float_len(text: &[u8]) -> usize {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    match text.get(sign) {
        Some(b'1'..=b'9' | b'.') => read_decimal(&text[sign..]).map_or(0, |it| it.used + sign),
        _ => parse_float(F64, text).1,
    }
}

/// `(123)` after `nan`.
fn nan_tail(text: &[u8]) -> usize {
    let inside = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    match text.split_first() {
        Some((b'(', rest)) => {
            let len = rest.iter().take_while(inside).count();
            if rest.get(len) == Some(&b')') { len + 2 } else { 0 }
        }
        _ => 0,
    }
}

/// `digits * 10^scale`, read from so many bytes.
struct Decimal {
    digits: Vec<u8>,
    scale: i32,
    used: usize,
}

/// Digits beyond these only tell that the number is not exactly in the middle of two floats.
const TELLING_DIGITS: usize = 12_000;

impl Decimal {
    fn to_bits(&self, format: Format, negative: bool) -> u128 {
        let mut digits = self.digits.clone();
        let mut scale = self.scale;
        if digits.len() > TELLING_DIGITS {
            scale = scale.saturating_add((digits.len() - TELLING_DIGITS) as i32);
            let more = digits[TELLING_DIGITS..].iter().any(|&digit| digit != b'0');
            digits.truncate(TELLING_DIGITS);
            digits[TELLING_DIGITS - 1] |= u8::from(more);
        }
        // Far out of any format's range: spare the big arithmetic.
        let scale = if digits.is_empty() { 0 } else { scale.clamp(-40_000, 40_000) };
        decimal::parse(format, negative, &digits, scale)
    }
}

fn read_decimal(text: &[u8]) -> Option<Decimal> {
    let (mut digits, mut at, mut scale) = (Vec::new(), 0, 0_i32);
    let mut after_point = false;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'0'..=b'9' => {
                digits.push(byte);
                scale -= i32::from(after_point);
            }
            b'.' if !after_point => after_point = true,
            _ => break,
        }
        at += 1;
    }
    if digits.is_empty() {
        return None;
    }
    let (exponent, used) = parse_exponent(&text[at..], b'e');
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.drain(..zeros);
    Some(Decimal { digits, scale: scale.saturating_add(exponent), used: at + used })
}

/// `e+12`: the exponent, and the bytes it takes (0 if it is not one).
fn parse_exponent(text: &[u8], letter: u8) -> (i32, usize) {
    if text.first().map(u8::to_ascii_lowercase) != Some(letter) {
        return (0, 0);
    }
    let sign = usize::from(matches!(text.get(1), Some(b'+' | b'-')));
    let digits = text[1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return (0, 0);
    }
    let number = text[1 + sign..1 + sign + digits].iter().fold(0_i32, |value, &digit| {
        value.saturating_mul(10).saturating_add(i32::from(digit - b'0'))
    });
    let number = number.min(1_000_000);
    (if text[1] == b'-' { -number } else { number }, 1 + sign + digits)
}

fn parse_hex(format: Format, negative: bool, text: &[u8]) -> (u128, usize) {
    let (mut mantissa, mut scale, mut sticky, mut seen) = (0_u128, 0_i32, false, 0);
    let (mut at, mut after_point) = (0, false);
    while let Some(&byte) = text.get(at) {
        match char::from(byte).to_digit(16) {
            Some(digit) if mantissa >> 120 == 0 => {
                mantissa = mantissa << 4 | u128::from(digit);
                scale -= 4 * i32::from(after_point);
                seen += 1;
            }
            Some(digit) => {
                sticky |= digit != 0;
                scale += 4 * i32::from(!after_point);
                seen += 1;
            }
            None if byte == b'.' && !after_point => after_point = true,
            None => break,
        }
        at += 1;
    }
    if seen == 0 {
        return (0, 0);
    }
    let (exponent, used) = parse_exponent(&text[at..], b'p');
    let soft = Soft::scaled(negative, mantissa, scale.saturating_add(exponent));
    (softfloat::pack(format, soft, sticky), at + used)
}

fn read_float(machine: &mut Machine, args: &Args, format: Format) -> Step<u128> {
    let text = machine.memory.string_vec(args.get(0))?;
    let (bits, used) = parse_float(format, &text);
    put_end(machine, args, used)?;
    let soft = softfloat::unpack(format, bits);
    let letters = text[..used].iter().any(|byte| matches!(byte, b'i' | b'I'));
    let subnormal = soft.class == softfloat::Class::Finite && soft.exponent <= -format.max_exponent;
    let tiny = (soft.class == softfloat::Class::Zero || subnormal)
        && text[..used]
            .iter()
            .take_while(|byte| !matches!(byte, b'e' | b'E'))
            .any(|byte| (b'1'..=b'9').contains(byte));
    if soft.class == softfloat::Class::Infinite && !letters || tiny {
        machine.set_errno(ERANGE);
    }
    Ok(bits)
}

fn strtod(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(read_float(machine, args, F64)? as u64))
}

fn strtof(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(read_float(machine, args, F32)? as u64))
}

fn strtold(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (low, high) = split(read_float(machine, args, F80)?);
    machine.high = high;
    Ok(low)
}

fn atof(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(0))?;
    Ok(Value::int(parse_float(F64, &text).0 as u64))
}

fn div(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (lhs, rhs) = (args.i32(0), args.i32(1));
    let (Some(quotient), Some(rest)) = (lhs.checked_div(rhs), lhs.checked_rem(rhs)) else {
        return super::bad_argument("division by zero");
    };
    if let Some(into) = args.into {
        machine.memory.put::<4>(into, Value::i32(quotient))?;
        machine.memory.put::<4>(into.moved(4), Value::i32(rest))?;
    }
    Ok(ZERO)
}

fn ldiv(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (lhs, rhs) = (args.i64(0), args.i64(1));
    let (Some(quotient), Some(rest)) = (lhs.checked_div(rhs), lhs.checked_rem(rhs)) else {
        return super::bad_argument("division by zero");
    };
    if let Some(into) = args.into {
        machine.memory.put::<8>(into, Value::int(quotient as u64))?;
        machine.memory.put::<8>(into.moved(8), Value::int(rest as u64))?;
    }
    Ok(ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, value: f64, used: usize) {
        let (bits, len) = parse_float(F64, text.as_bytes());
        assert_eq!((f64::from_bits(bits as u64), len), (value, used), "{text:.20}");
        assert_eq!(float_len(text.as_bytes()), used, "{text:.20}");
    }

    #[test]
    fn floats_end_where_their_grammar_does() {
        check("-2.5e3x", -2500.0, 6);
        check("1e+", 1.0, 1);
        check(".", 0.0, 0);
        check("0x1.8p1", 3.0, 7);
        check("0x", 0.0, 1);
        assert_eq!(float_len(b"nan(12)x"), 7);
        assert_eq!(float_len(b"nan(12"), 3);
    }

    #[test]
    fn a_million_digits_are_read_soon_and_right() {
        let threes = "3".repeat(1_000_000);
        check(&format!("3.{threes}"), 10.0 / 3.0, 1_000_002);
        check(&format!("{threes}e-999999"), 10.0 / 3.0, 1_000_008);
    }
}
