//! Wide and multibyte characters: in the C locale, bytes.

use super::{Args, LibraryFn, ZERO};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("wcslen", wcslen),
    ("wcscpy", wcscpy),
    ("wcscmp", wcscmp),
    ("wmemcpy", |m, a| {
        m.memory.copy(a.get(0), a.get(1), a.u64(2).saturating_mul(4))?;
        Ok(a.get(0))
    }),
    ("mbtowc", mbtowc),
    ("wctomb", wctomb),
    ("mblen", |m, a| mblen(m, a)),
    ("mbrtowc", mbtowc),
    ("btowc", |_, a| Ok(a.get(0))),
    ("wctob", |_, a| Ok(a.get(0))),
    ("mbsinit", |_, _| Ok(Value::i32(1))),
    ("towlower", |_, a| Ok(fold(a, u8::to_ascii_lowercase))),
    ("towupper", |_, a| Ok(fold(a, u8::to_ascii_uppercase))),
    ("iswalpha", |_, a| Ok(class(a, u8::is_ascii_alphabetic))),
    ("iswdigit", |_, a| Ok(class(a, u8::is_ascii_digit))),
    ("iswalnum", |_, a| Ok(class(a, u8::is_ascii_alphanumeric))),
    ("iswspace", |_, a| Ok(class(a, |byte| super::ctype::is_space(*byte)))),
    ("mbstowcs", mbstowcs),
    ("wcstombs", wcstombs),
];

fn fold(args: &Args, change: fn(&u8) -> u8) -> Value {
    match u8::try_from(args.i32(0)) {
        Ok(byte) => Value::i32(i32::from(change(&byte))),
        Err(_) => args.get(0),
    }
}

fn class(args: &Args, test: fn(&u8) -> bool) -> Value {
    Value::i32(i32::from(u8::try_from(args.i32(0)).is_ok_and(|byte| test(&byte))))
}

/// A character's bytes for `%lc`.
pub fn encode(character: u32) -> Vec<u8> {
    u8::try_from(character).map_or_else(|_| Vec::new(), |byte| vec![byte])
}

fn characters(machine: &mut Machine, at: Value, limit: u64) -> Step<Vec<u32>> {
    let mut all = Vec::new();
    while (all.len() as u64) < limit {
        let next = machine.memory.load::<4>(at.moved(all.len() as i64 * 4))?.bits as u32;
        if next == 0 {
            break;
        }
        all.push(next);
    }
    Ok(all)
}

/// A wide string as bytes, for `%ls`.
pub fn narrow(machine: &mut Machine, at: Value, limit: u64) -> Step<Vec<u8>> {
    Ok(characters(machine, at, limit)?.into_iter().flat_map(encode).collect())
}

fn wcslen(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(characters(machine, args.get(0), u64::MAX)?.len() as u64))
}

fn wcscpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    let len = characters(machine, args.get(1), u64::MAX)?.len() as u64;
    machine.memory.copy(args.get(0), args.get(1), (len + 1) * 4)?;
    Ok(args.get(0))
}

fn wcscmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    let lhs = characters(machine, args.get(0), u64::MAX)?;
    let rhs = characters(machine, args.get(1), u64::MAX)?;
    Ok(Value::i32(lhs.cmp(&rhs) as i32))
}

fn mbtowc(machine: &mut Machine, args: &Args) -> Step<Value> {
    if args.u64(1) == 0 {
        return Ok(ZERO);
    }
    let byte = machine.memory.read(args.get(1), 1)?[0];
    if byte >= 0x80 {
        return machine.fail(84);
    }
    if args.u64(0) != 0 {
        machine.memory.put::<4>(args.get(0), Value::int(u64::from(byte)))?;
    }
    Ok(Value::int(u64::from(byte != 0)))
}

fn mblen(machine: &mut Machine, args: &Args) -> Step<Value> {
    if args.u64(0) == 0 {
        return Ok(ZERO);
    }
    let byte = machine.memory.read(args.get(0), 1)?[0];
    Ok(Value::i32(i32::from(byte != 0)))
}

fn wctomb(machine: &mut Machine, args: &Args) -> Step<Value> {
    if args.u64(0) == 0 {
        return Ok(ZERO);
    }
    machine.memory.put::<1>(args.get(0), args.get(1))?;
    Ok(Value::i32(1))
}

fn mbstowcs(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(1))?;
    if args.u64(0) != 0 {
        for (index, byte) in text.iter().chain([&0]).take(args.u64(2) as usize).enumerate() {
            let at = args.get(0).moved(index as i64 * 4);
            machine.memory.put::<4>(at, Value::int(u64::from(*byte)))?;
        }
    }
    Ok(Value::int(text.len() as u64))
}

fn wcstombs(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut text = narrow(machine, args.get(1), u64::MAX)?;
    let len = text.len() as u64;
    if args.u64(0) != 0 {
        text.push(0);
        text.truncate(args.u64(2) as usize);
        machine.memory.write(args.get(0), &text)?;
    }
    Ok(Value::int(len))
}
