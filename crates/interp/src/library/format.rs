//! `printf`'s language, as glibc speaks it.

use super::{Arg, Args};
use crate::arithmetic::to_soft;
use crate::decimal;
use crate::fault::{Fault, FaultKind, Step};
use crate::machine::Machine;
use crate::softfloat::{Class, Soft};
use crate::special::ARGUMENT;
use crate::value::Value;
use caulk_ir::Scalar;

/// Where the arguments come from.
pub enum Source<'a> {
    Args { args: &'a Args, first: usize },
    List(Value),
}

impl<'a> Source<'a> {
    pub fn args(args: &'a Args, first: usize) -> Self {
        Source::Args { args, first }
    }

    pub fn list(list: Value) -> Self {
        Source::List(list)
    }
}

/// The arguments being consumed.
pub struct Arguments<'a> {
    source: Source<'a>,
    /// The first argument of a list.
    base: Value,
    next: usize,
}

impl<'a> Arguments<'a> {
    pub fn new(machine: &mut Machine, source: Source<'a>) -> Step<Self> {
        let base = match source {
            Source::List(list) => machine.memory.load::<8>(list)?,
            Source::Args { .. } => Value::int(0),
        };
        Ok(Self { source, base, next: 0 })
    }

    pub fn next(&mut self, machine: &mut Machine) -> Step<Arg> {
        self.next += 1;
        self.at(machine, self.next - 1)
    }

    /// The argument of this number, from 0.
    pub fn at(&self, machine: &mut Machine, index: usize) -> Step<Arg> {
        let (value, high) = match &self.source {
            Source::Args { args, first } => match args.arg(first + index) {
                Some(arg) => return Ok(arg),
                None => {
                    return super::bad_argument(
                        "the format asks for more arguments than there are",
                    );
                }
            },
            Source::List(_) => {
                let at = self.base.moved((index as u64 * ARGUMENT) as i64);
                (machine.memory.load::<8>(at)?, machine.memory.load::<8>(at.moved(8))?)
            }
        };
        Ok(Arg { value, high, scalar: Scalar::I64, aggregate: None })
    }
}

/// One conversion: `%[flags][width][.precision][length]letter`.
#[derive(Clone, Copy, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    grouped: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer.
    size: usize,
    long_double: bool,
    letter: u8,
}

impl Machine<'_> {
    pub fn format(&mut self, format: Value, source: Source) -> Step<Vec<u8>> {
        let text = self.memory.string_vec(format)?;
        let arguments = Arguments::new(self, source)?;
        let mut printer = Printer { text: &text, at: 0, arguments, out: Vec::new() };
        printer.run(self)?;
        Ok(printer.out)
    }
}

struct Printer<'a> {
    text: &'a [u8],
    at: usize,
    arguments: Arguments<'a>,
    out: Vec<u8>,
}

impl Printer<'_> {
    fn run(&mut self, machine: &mut Machine) -> Step<()> {
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1;
            if byte != b'%' {
                self.out.push(byte);
                continue;
            }
            let start = self.at - 1;
            let position = self.position();
            let mut spec = Spec::default();
            self.flags(&mut spec);
            self.width(machine, &mut spec)?;
            self.precision(machine, &mut spec)?;
            self.length(&mut spec);
            let Some(&letter) = self.text.get(self.at) else { break };
            self.at += 1;
            spec.letter = letter;
            self.conversion(machine, spec, position, start)?;
        }
        Ok(())
    }

    /// `3$`: the argument's number.
    fn position(&mut self) -> Option<usize> {
        let digits = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || self.text.get(self.at + digits) != Some(&b'$') {
            return None;
        }
        let number = self.number();
        self.at += 1;
        number.checked_sub(1)
    }

    fn number(&mut self) -> usize {
        let mut number = 0_usize;
        while let Some(byte) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            number = number.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
            self.at += 1;
        }
        number.min(1 << 20)
    }

    fn flags(&mut self, spec: &mut Spec) {
        loop {
            match self.text.get(self.at) {
                Some(b'-') => spec.left = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'#') => spec.alternate = true,
                Some(b'0') => spec.zero = true,
                Some(b'\'') => spec.grouped = true,
                Some(b'I') => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn star(&mut self, machine: &mut Machine) -> Step<i32> {
        self.at += 1;
        let arg = match self.position() {
            Some(index) => self.arguments.at(machine, index)?,
            None => self.arguments.next(machine)?,
        };
        Ok(arg.value.as_i32())
    }

    fn width(&mut self, machine: &mut Machine, spec: &mut Spec) -> Step<()> {
        if self.text.get(self.at) == Some(&b'*') {
            let width = self.star(machine)?;
            spec.left |= width < 0;
            spec.width = (width.unsigned_abs() as usize).min(1 << 20);
        } else {
            spec.width = self.number();
        }
        Ok(())
    }

    fn precision(&mut self, machine: &mut Machine, spec: &mut Spec) -> Step<()> {
        if self.text.get(self.at) != Some(&b'.') {
            return Ok(());
        }
        self.at += 1;
        spec.precision = if self.text.get(self.at) == Some(&b'*') {
            usize::try_from(self.star(machine)?).ok().map(|precision| precision.min(1 << 20))
        } else {
            Some(self.number())
        };
        Ok(())
    }

    fn length(&mut self, spec: &mut Spec) {
        spec.size = 4;
        loop {
            match self.text.get(self.at) {
                Some(b'h') => spec.size = if spec.size == 2 { 1 } else { 2 },
                Some(b'l' | b'j' | b'z' | b't' | b'q' | b'Z') => spec.size = 8,
                Some(b'L') => {
                    spec.size = 8;
                    spec.long_double = true;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    fn conversion(
        &mut self,
        machine: &mut Machine,
        spec: Spec,
        position: Option<usize>,
        start: usize,
    ) -> Step<()> {
        if spec.letter == b'%' {
            self.out.push(b'%');
            return Ok(());
        }
        if spec.letter == b'm' {
            let code = machine.memory.load::<4>(machine.library.errno)?.as_i32();
            self.padded(spec, super::text::error_text(code).as_bytes());
            return Ok(());
        }
        if !b"diuoxXbBcCsSpneEfFgGaA".contains(&spec.letter) {
            self.out.extend_from_slice(&self.text[start..self.at]);
            return Ok(());
        }
        let arg = match position {
            Some(index) => self.arguments.at(machine, index)?,
            None => self.arguments.next(machine)?,
        };
        if !arg.value.is_defined() {
            return Err(
                Fault::new(FaultKind::Uninitialised, "an uninitialised value is printed").into()
            );
        }
        match spec.letter {
            b'd' | b'i' => self.signed(spec, arg.value),
            b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => self.unsigned(spec, arg.value),
            b'c' | b'C' if spec.size == 8 => {
                self.padded(spec, &super::wide::encode(arg.value.bits as u32))
            }
            b'c' | b'C' => self.padded(spec, &[arg.value.bits as u8]),
            b's' | b'S' => self.string(machine, spec, arg.value)?,
            b'p' => self.pointer(spec, arg.value),
            b'n' => {
                let count = Value::int(self.out.len() as u64);
                machine.memory.store_sized(arg.value, count, spec.size)?;
            }
            _ => self.float(spec, &arg),
        }
        Ok(())
    }

    fn padded(&mut self, spec: Spec, text: &[u8]) {
        let fill = spec.width.saturating_sub(text.len());
        if !spec.left {
            self.out.extend(std::iter::repeat_n(b' ', fill));
        }
        self.out.extend_from_slice(text);
        if spec.left {
            self.out.extend(std::iter::repeat_n(b' ', fill));
        }
    }

    /// A number: prefix, then zeros if they pad, then digits.
    fn number_text(&mut self, spec: Spec, prefix: &[u8], digits: &[u8], zero_pads: bool) {
        let mut text = prefix.to_vec();
        if spec.zero && !spec.left && zero_pads {
            let fill = spec.width.saturating_sub(prefix.len() + digits.len());
            text.extend(std::iter::repeat_n(b'0', fill));
        }
        text.extend_from_slice(digits);
        self.padded(spec, &text);
    }

    fn digits(spec: Spec, magnitude: u64, radix: u64) -> Vec<u8> {
        let mut digits = Vec::new();
        let mut rest = magnitude;
        while rest > 0 {
            let digit = char::from_digit((rest % radix) as u32, radix as u32).unwrap_or('0');
            digits.push(if spec.letter == b'X' { digit.to_ascii_uppercase() } else { digit } as u8);
            rest /= radix;
        }
        let least = spec.precision.unwrap_or(1);
        while digits.len() < least {
            digits.push(b'0');
        }
        digits.reverse();
        digits
    }

    fn signed(&mut self, spec: Spec, value: Value) {
        let number = crate::value::signed(value.bits, spec.size as u32 * 8);
        let prefix: &[u8] = match number {
            ..0 => b"-",
            _ if spec.plus => b"+",
            _ if spec.space => b" ",
            _ => b"",
        };
        let digits = Self::digits(spec, number.unsigned_abs(), 10);
        self.number_text(spec, prefix, &digits, spec.precision.is_none());
    }

    fn unsigned(&mut self, spec: Spec, value: Value) {
        let number = value.bits & crate::value::mask(spec.size as u32 * 8);
        let radix = match spec.letter {
            b'o' => 8,
            b'x' | b'X' => 16,
            b'b' | b'B' => 2,
            _ => 10,
        };
        let mut digits = Self::digits(spec, number, radix);
        let prefix: &[u8] = match spec.letter {
            b'x' if spec.alternate && number != 0 => b"0x",
            b'X' if spec.alternate && number != 0 => b"0X",
            b'b' if spec.alternate && number != 0 => b"0b",
            b'B' if spec.alternate && number != 0 => b"0B",
            _ => b"",
        };
        if spec.letter == b'o' && spec.alternate && digits.first() != Some(&b'0') {
            digits.insert(0, b'0');
        }
        self.number_text(spec, prefix, &digits, spec.precision.is_none());
    }

    fn pointer(&mut self, spec: Spec, value: Value) {
        if value.bits == 0 {
            return self.padded(spec, b"(nil)");
        }
        self.padded(spec, format!("{:#x}", value.bits).as_bytes());
    }

    fn string(&mut self, machine: &mut Machine, spec: Spec, at: Value) -> Step<()> {
        if at.bits == 0 {
            let text: &[u8] =
                if spec.precision.is_none_or(|precision| precision >= 6) { b"(null)" } else { b"" };
            self.padded(spec, text);
            return Ok(());
        }
        let limit = spec.precision.map_or(u64::MAX, |precision| precision as u64);
        let text = if spec.size == 8 || spec.letter == b'S' {
            super::wide::narrow(machine, at, limit)?
        } else {
            machine.memory.string_up_to(at, limit)?.to_vec()
        };
        self.padded(spec, &text);
        Ok(())
    }

    fn float(&mut self, spec: Spec, arg: &Arg) {
        let soft = if spec.long_double {
            to_soft(Scalar::F80, (arg.value, arg.high))
        } else {
            Soft::from_f64(arg.value.as_f64())
        };
        let prefix: &[u8] = match soft.negative {
            true => b"-",
            false if spec.plus => b"+",
            false if spec.space => b" ",
            false => b"",
        };
        let upper = spec.letter.is_ascii_uppercase();
        let special = match soft.class {
            Class::Nan => Some("nan"),
            Class::Infinite => Some("inf"),
            _ => None,
        };
        if let Some(text) = special {
            let text = if upper { text.to_ascii_uppercase() } else { text.to_string() };
            return self.number_text(spec, prefix, text.as_bytes(), false);
        }
        let precision = spec.precision.unwrap_or(6);
        let mut text = match spec.letter.to_ascii_lowercase() {
            b'f' => fixed(soft, precision, spec.alternate),
            b'e' => scientific(soft, precision, spec.alternate),
            b'g' => general(soft, precision.max(1), spec.alternate),
            _ => hexadecimal(soft, spec.precision, spec.alternate, spec.long_double),
        };
        let mut prefix = prefix.to_vec();
        if spec.letter.eq_ignore_ascii_case(&b'a') {
            prefix.extend_from_slice(if upper { b"0X" } else { b"0x" });
        }
        if upper {
            text.make_ascii_uppercase();
        }
        self.number_text(spec, &prefix, &text, true);
    }
}

fn fixed(soft: Soft, precision: usize, alternate: bool) -> Vec<u8> {
    let (mut text, after) = decimal::fixed(soft, precision);
    if !after.is_empty() || alternate {
        text.push(b'.');
    }
    text.extend_from_slice(&after);
    text
}

fn scientific(soft: Soft, precision: usize, alternate: bool) -> Vec<u8> {
    let (digits, exponent) = decimal::scientific(soft, precision + 1);
    with_exponent(&digits, exponent, alternate)
}

fn with_exponent(digits: &[u8], exponent: i32, alternate: bool) -> Vec<u8> {
    let mut text = vec![digits[0]];
    if digits.len() > 1 || alternate {
        text.push(b'.');
    }
    text.extend_from_slice(&digits[1..]);
    let sign = if exponent < 0 { '-' } else { '+' };
    text.extend_from_slice(format!("e{sign}{:02}", exponent.unsigned_abs()).as_bytes());
    text
}

fn general(soft: Soft, precision: usize, alternate: bool) -> Vec<u8> {
    let (mut digits, exponent) = decimal::scientific(soft, precision);
    let is_fixed = exponent >= -4 && exponent < precision as i32;
    if !alternate {
        while digits.len() > 1 && digits.last() == Some(&b'0') {
            digits.pop();
        }
    }
    if !is_fixed {
        return with_exponent(&digits, exponent, alternate);
    }
    let mut text = Vec::new();
    if exponent < 0 {
        text.extend_from_slice(b"0.");
        text.extend(std::iter::repeat_n(b'0', (-exponent - 1) as usize));
        text.extend_from_slice(&digits);
        return text;
    }
    let whole = exponent as usize + 1;
    while digits.len() < whole {
        digits.push(b'0');
    }
    text.extend_from_slice(&digits[..whole]);
    if digits.len() > whole || alternate {
        text.push(b'.');
        text.extend_from_slice(&digits[whole..]);
    }
    text
}

/// `%a` without its `0x`: a double leads with 1, a long double with its top four bits.
fn hexadecimal(soft: Soft, precision: Option<usize>, alternate: bool, long: bool) -> Vec<u8> {
    let lead = if long { 4 } else { 1 };
    let (mut mantissa, mut exponent) = (soft.mantissa, soft.exponent - (lead - 1));
    if soft.class == Class::Zero {
        (mantissa, exponent) = (0, 0);
    } else if !long && soft.exponent < -1022 {
        mantissa >>= (-1022 - soft.exponent).min(127);
        exponent = -1022;
    }
    let fraction_bits = 128 - lead as u32;
    let (mut whole, mut fraction) = (mantissa >> fraction_bits, mantissa << lead);
    if let Some(digits) = precision
        && digits < 31
    {
        let drop = 128 - 4 * digits as u32;
        let (kept, rest) =
            if drop == 128 { (0, fraction) } else { (fraction >> drop, fraction << (4 * digits)) };
        let half = 1_u128 << 127;
        let odd = if digits == 0 { whole & 1 } else { kept & 1 } == 1;
        let up = rest > half || rest == half && odd;
        let kept = kept + u128::from(up);
        if digits == 0 {
            whole += u128::from(up);
            fraction = 0;
        } else if kept >> (4 * digits) != 0 {
            whole += 1;
            fraction = 0;
        } else {
            fraction = kept << drop;
        }
    }
    let mut digits: Vec<u8> = Vec::new();
    while fraction != 0 {
        let digit = (fraction >> 124) as u32;
        digits.push(char::from_digit(digit, 16).unwrap_or('0') as u8);
        fraction <<= 4;
    }
    if let Some(precision) = precision {
        digits.resize(precision, b'0');
    }
    let mut text = format!("{whole:x}").into_bytes();
    if !digits.is_empty() || alternate {
        text.push(b'.');
    }
    text.extend_from_slice(&digits);
    text.extend_from_slice(format!("p{exponent:+}").as_bytes());
    text
}
