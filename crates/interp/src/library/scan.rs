//! `scanf`'s language.

use super::ctype::is_space;
use super::format::{Arguments, Source};
use super::numbers::{float_len, parse_float, parse_int, to_signed, to_unsigned};
use super::{Args, LibraryFn};
use crate::arithmetic::split;
use crate::fault::Step;
use crate::machine::Machine;
use crate::softfloat::{F32, F64, F80};
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("scanf", |m, a| from_stream(m, 0, a.get(0), Source::args(a, 1))),
    ("vscanf", |m, a| from_stream(m, 0, a.get(0), Source::list(a.get(1)))),
    ("fscanf", |m, a| {
        let n = m.stream(a.get(0))?;
        from_stream(m, n, a.get(1), Source::args(a, 2))
    }),
    ("vfscanf", |m, a| {
        let n = m.stream(a.get(0))?;
        from_stream(m, n, a.get(1), Source::list(a.get(2)))
    }),
    ("sscanf", |m, a| from_text(m, a, Source::args(a, 2))),
    ("vsscanf", |m, a| from_text(m, a, Source::list(a.get(2)))),
];

fn from_text(machine: &mut Machine, args: &Args, source: Source) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(0))?;
    scan(machine, Input { text, at: 0, stream: None, ended: false }, args.get(1), source)
}

fn from_stream(machine: &mut Machine, number: usize, format: Value, source: Source) -> Step<Value> {
    scan(
        machine,
        Input { text: Vec::new(), at: 0, stream: Some(number), ended: false },
        format,
        source,
    )
}

/// Bytes to scan; those of a stream are fetched as they are looked at.
struct Input {
    text: Vec<u8>,
    at: usize,
    stream: Option<usize>,
    ended: bool,
}

impl Input {
    fn peek(&mut self, machine: &mut Machine) -> Option<u8> {
        if self.at == self.text.len()
            && !self.ended
            && let Some(number) = self.stream
        {
            match machine.stream_byte(number) {
                Some(byte) => self.text.push(byte),
                None => self.ended = true,
            }
        }
        self.text.get(self.at).copied()
    }

    fn next(&mut self, machine: &mut Machine) -> Option<u8> {
        let byte = self.peek(machine)?;
        self.at += 1;
        Some(byte)
    }

    fn skip_space(&mut self, machine: &mut Machine) {
        while self.peek(machine).is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// Gives back what was fetched and not used.
    fn finish(mut self, machine: &mut Machine) {
        if let Some(number) = self.stream {
            while self.text.len() > self.at {
                if let Some(byte) = self.text.pop() {
                    machine.push_back(number, byte);
                }
            }
        }
    }
}

struct Conversion {
    ignore: bool,
    allocate: bool,
    width: usize,
    size: usize,
    long_double: bool,
}

fn scan(machine: &mut Machine, mut input: Input, format: Value, source: Source) -> Step<Value> {
    let format = machine.memory.string_vec(format)?;
    let mut arguments = Arguments::new(machine, source)?;
    let (mut at, mut assigned, mut failed_early) = (0, 0, false);
    while at < format.len() {
        let byte = format[at];
        at += 1;
        if is_space(byte) {
            input.skip_space(machine);
            continue;
        }
        if byte != b'%' {
            if input.peek(machine) != Some(byte) {
                failed_early = input.peek(machine).is_none();
                break;
            }
            input.at += 1;
            continue;
        }
        let mut conversion = read_conversion(&format, &mut at);
        let Some(&letter) = format.get(at) else { break };
        at += 1;
        if !b"c[n%".contains(&letter) {
            input.skip_space(machine);
        }
        if letter == b'%' {
            input.skip_space(machine);
            if input.peek(machine) != Some(b'%') {
                break;
            }
            input.at += 1;
            continue;
        }
        if letter == b'n' {
            if !conversion.ignore {
                let to = arguments.next(machine)?.value;
                machine.memory.store_sized(to, Value::int(input.at as u64), conversion.size)?;
            }
            continue;
        }
        let set = if letter == b'[' { Some(read_set(&format, &mut at)) } else { None };
        if input.peek(machine).is_none() {
            failed_early = true;
            break;
        }
        let start = input.at;
        let done = match (letter, set) {
            (b'[', Some((set, inverted))) => {
                let inside = |byte: u8| set.contains(&byte) != inverted;
                take_while(machine, &mut input, conversion.width, inside) > 0
            }
            (b's', _) => {
                take_while(machine, &mut input, conversion.width, |byte| !is_space(byte)) > 0
            }
            (b'c', _) => {
                let wanted = if conversion.width == usize::MAX { 1 } else { conversion.width };
                take_while(machine, &mut input, wanted, |_| true) > 0
            }
            (b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A', _) => {
                take_float(machine, &mut input, conversion.width)
            }
            _ => take_int(machine, &mut input, letter, conversion.width),
        };
        if !done {
            failed_early = start == input.text.len() && input.ended;
            break;
        }
        if conversion.ignore {
            continue;
        }
        let text = input.text[start..input.at].to_vec();
        let to = arguments.next(machine)?.value;
        if letter == b'p' {
            conversion.size = 8;
        }
        assign(machine, letter, &conversion, &text, to)?;
        assigned += 1;
    }
    input.finish(machine);
    Ok(Value::i32(if failed_early && assigned == 0 { -1 } else { assigned }))
}

fn read_conversion(format: &[u8], at: &mut usize) -> Conversion {
    let mut conversion = Conversion {
        ignore: false,
        allocate: false,
        width: usize::MAX,
        size: 4,
        long_double: false,
    };
    let mut width = 0_usize;
    while let Some(&byte) = format.get(*at) {
        match byte {
            b'*' => conversion.ignore = true,
            b'm' => conversion.allocate = true,
            b'\'' => {}
            b'0'..=b'9' => {
                width = width.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
                conversion.width = width.max(1);
            }
            b'h' => conversion.size = if conversion.size == 2 { 1 } else { 2 },
            b'l' | b'j' | b'z' | b't' | b'q' => conversion.size = 8,
            b'L' => {
                conversion.size = 8;
                conversion.long_double = true;
            }
            _ => break,
        }
        *at += 1;
    }
    conversion
}

/// `[a-z]`: the set, and whether it is inverted.
fn read_set(format: &[u8], at: &mut usize) -> (Vec<u8>, bool) {
    let inverted = format.get(*at) == Some(&b'^');
    *at += usize::from(inverted);
    let mut set = Vec::new();
    let start = *at;
    while let Some(&byte) = format.get(*at) {
        *at += 1;
        if byte == b']' && *at - 1 > start {
            break;
        }
        let is_range =
            format.get(*at) == Some(&b'-') && format.get(*at + 1).is_some_and(|&end| end != b']');
        if is_range {
            set.extend(byte..=format[*at + 1]);
            *at += 2;
        } else {
            set.push(byte);
        }
    }
    (set, inverted)
}

fn take_while(
    machine: &mut Machine,
    input: &mut Input,
    limit: usize,
    keep: impl Fn(u8) -> bool,
) -> usize {
    let start = input.at;
    while input.at - start < limit
        && let Some(byte) = input.peek(machine)
        && keep(byte)
    {
        input.at += 1;
    }
    input.at - start
}

/// The longest prefix of an integer; false if there is no digit.
fn take_int(machine: &mut Machine, input: &mut Input, letter: u8, limit: usize) -> bool {
    let start = input.at;
    let left = |input: &Input| limit.saturating_sub(input.at - start);
    if left(input) > 0 && matches!(input.peek(machine), Some(b'+' | b'-')) {
        input.next(machine);
    }
    let mut base = match letter {
        b'd' | b'u' => 10,
        b'o' => 8,
        b'x' | b'X' | b'p' => 16,
        _ => 0,
    };
    let mut digits = 0;
    if left(input) > 0 && (base == 0 || base == 16) && input.peek(machine) == Some(b'0') {
        input.next(machine);
        digits = 1;
        if left(input) > 0 && matches!(input.peek(machine), Some(b'x' | b'X')) {
            input.next(machine);
            base = 16;
        } else if base == 0 {
            base = 8;
        }
    }
    let base = if base == 0 { 10 } else { base };
    let room = left(input);
    digits += take_while(machine, input, room, |byte| char::from(byte).is_digit(base));
    digits > 0
}

fn take_float(machine: &mut Machine, input: &mut Input, limit: usize) -> bool {
    let start = input.at;
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    // The longest prefix that could still become a number; then as much as is one.
    while input.at - start < limit
        && let Some(byte) = input.peek(machine)
        && keep(byte)
    {
        input.at += 1;
        let text = &input.text[start..input.at];
        let hopeful = float_len(text) == text.len() || could_grow(text);
        if !hopeful {
            input.at -= 1;
            break;
        }
    }
    float_len(&input.text[start..input.at]) > 0
}

/// A prefix such as `1e`, `1e+`, `.`, `-`, `0x`, `in`, `na`, `nan(`.
fn could_grow(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let body = lower.strip_prefix(b"-").or_else(|| lower.strip_prefix(b"+")).unwrap_or(&lower);
    let word = |whole: &[u8]| whole.starts_with(body);
    let unsigned = body.strip_suffix(b"+").or_else(|| body.strip_suffix(b"-")).unwrap_or(body);
    let letter = if body.starts_with(b"0x") { b'p' } else { b'e' };
    let dangling = unsigned.strip_suffix(&[letter]).is_some_and(|number| {
        !number.contains(&letter) && float_len(number) == number.len() && !number.is_empty()
    });
    let start = body == b"." || body == b"0x" || body == b"0x.";
    start || word(b"infinity") || word(b"nan") || dangling
}

fn assign(
    machine: &mut Machine,
    letter: u8,
    conversion: &Conversion,
    text: &[u8],
    to: Value,
) -> Step<()> {
    match letter {
        b's' | b'[' | b'c' => assign_text(machine, letter, conversion, text, to),
        b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => {
            if conversion.long_double {
                let (low, high) = split(parse_float(F80, text).0);
                machine.memory.store_wide(to, low, high, 10)?;
            } else if conversion.size == 8 {
                machine.memory.put::<8>(to, Value::int(parse_float(F64, text).0 as u64))?;
            } else {
                machine.memory.put::<4>(to, Value::int(parse_float(F32, text).0 as u64))?;
            }
            Ok(())
        }
        _ => {
            let base = match letter {
                b'd' | b'u' => 10,
                b'o' => 8,
                b'x' | b'X' | b'p' => 16,
                _ => 0,
            };
            let parsed = parse_int(text, base);
            let value = if letter == b'd' || letter == b'i' {
                to_signed(&parsed).0 as u64
            } else {
                to_unsigned(&parsed).0
            };
            machine.memory.store_sized(to, Value::int(value), conversion.size)?;
            Ok(())
        }
    }
}

fn assign_text(
    machine: &mut Machine,
    letter: u8,
    conversion: &Conversion,
    text: &[u8],
    to: Value,
) -> Step<()> {
    let mut bytes = text.to_vec();
    if letter != b'c' {
        bytes.push(0);
    }
    if conversion.allocate {
        let cell = machine.allocate_bytes(&bytes)?;
        machine.memory.put::<8>(to, cell)?;
        return Ok(());
    }
    machine.memory.write(to, &bytes)?;
    Ok(())
}
