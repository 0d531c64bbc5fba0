//! `string.h`: bytes and strings.

use super::{Args, LibraryFn, ZERO};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("memcpy", memcpy),
    ("memmove", memcpy),
    ("mempcpy", mempcpy),
    ("memccpy", memccpy),
    ("bcopy", bcopy),
    ("memset", memset),
    ("explicit_bzero", bzero),
    ("bzero", bzero),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("rawmemchr", rawmemchr),
    ("memrchr", memrchr),
    ("memmem", memmem),
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcpy", strcpy),
    ("stpcpy", stpcpy),
    ("strncpy", strncpy),
    ("stpncpy", stpncpy),
    ("strlcpy", strlcpy),
    ("strlcat", strlcat),
    ("strcat", strcat),
    ("strncat", strncat),
    ("strcmp", strcmp),
    ("strcoll", strcmp),
    ("strncmp", strncmp),
    ("strcasecmp", strcasecmp),
    ("strncasecmp", strncasecmp),
    ("strchr", strchr),
    ("index", strchr),
    ("strchrnul", strchrnul),
    ("strrchr", strrchr),
    ("rindex", strrchr),
    ("strstr", strstr),
    ("strcasestr", strcasestr),
    ("strspn", strspn),
    ("strcspn", strcspn),
    ("strpbrk", strpbrk),
    ("strxfrm", strxfrm),
    ("swab", swab),
];

fn memcpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.memory.copy(args.get(0), args.get(1), args.u64(2))?;
    Ok(args.get(0))
}

fn mempcpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    memcpy(machine, args)?;
    Ok(args.get(0).moved(args.i64(2)))
}

fn memccpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    let stop = args.u64(2) as u8;
    for at in 0..args.i64(3) {
        let byte = machine.memory.load::<1>(args.get(1).moved(at))?;
        machine.memory.put::<1>(args.get(0).moved(at), byte)?;
        if byte.bits as u8 == stop {
            return Ok(args.get(0).moved(at + 1));
        }
    }
    Ok(ZERO)
}

fn bcopy(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.memory.copy(args.get(1), args.get(0), args.u64(2))?;
    Ok(ZERO)
}

fn memset(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.memory.fill(args.get(0), args.get(1), args.u64(2))?;
    Ok(args.get(0))
}

fn bzero(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.memory.fill(args.get(0), ZERO, args.u64(1))?;
    Ok(ZERO)
}

fn order(lhs: &[u8], rhs: &[u8]) -> Value {
    let difference = lhs.iter().zip(rhs).find(|(a, b)| a != b);
    Value::i32(difference.map_or(0, |(&a, &b)| i32::from(a) - i32::from(b)))
}

fn memcmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    let len = args.u64(2);
    let lhs = machine.memory.read_raw(args.get(0), len)?;
    let rhs = machine.memory.read_raw(args.get(1), len)?;
    Ok(order(lhs, rhs))
}

/// Finds among the bytes up to the end of the object; only those up to the find must exist.
fn memchr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (at, len) = (args.get(0), args.u64(2));
    if len == 0 {
        return Ok(ZERO);
    }
    let (id, offset) = machine.memory.check(at, 1, false)?;
    let object = machine.memory.object(id);
    let rest = &object.bytes[offset..];
    let window = &rest[..rest.len().min(usize::try_from(len).unwrap_or(usize::MAX))];
    match window.iter().position(|&byte| byte == args.u64(1) as u8) {
        Some(found) => Ok(at.moved(found as i64)),
        None if (window.len() as u64) < len => Err(machine.memory.explain(at, len, false).into()),
        None => Ok(ZERO),
    }
}

fn rawmemchr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut at = args.get(0);
    while machine.memory.load::<1>(at)?.bits as u8 != args.u64(1) as u8 {
        at = at.moved(1);
    }
    Ok(at)
}

fn memrchr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let bytes = machine.memory.read_raw(args.get(0), args.u64(2))?;
    let found = bytes.iter().rposition(|&byte| byte == args.u64(1) as u8);
    Ok(found.map_or(ZERO, |at| args.get(0).moved(at as i64)))
}

fn memmem(machine: &mut Machine, args: &Args) -> Step<Value> {
    let needle = machine.memory.read_raw(args.get(2), args.u64(3))?.to_vec();
    let hay = machine.memory.read_raw(args.get(0), args.u64(1))?;
    Ok(find(hay, &needle).map_or(ZERO, |at| args.get(0).moved(at as i64)))
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    hay.windows(needle.len()).position(|window| window == needle)
}

fn strlen(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(machine.memory.string(args.get(0))?.len() as u64))
}

fn strnlen(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(machine.memory.string_up_to(args.get(0), args.u64(1))?.len() as u64))
}

fn strcpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    let len = machine.memory.string(args.get(1))?.len() as u64 + 1;
    machine.memory.copy(args.get(0), args.get(1), len)?;
    Ok(args.get(0))
}

fn stpcpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    let len = machine.memory.string(args.get(1))?.len() as i64;
    strcpy(machine, args)?;
    Ok(args.get(0).moved(len))
}

fn strncpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    let limit = args.u64(2);
    let len = machine.memory.string_up_to(args.get(1), limit)?.len() as u64;
    machine.memory.copy(args.get(0), args.get(1), len)?;
    machine.memory.fill(args.get(0).moved(len as i64), ZERO, limit - len)?;
    Ok(args.get(0))
}

fn stpncpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    let len = machine.memory.string_up_to(args.get(1), args.u64(2))?.len() as i64;
    strncpy(machine, args)?;
    Ok(args.get(0).moved(len))
}

fn strlcpy(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(1))?;
    if args.u64(2) > 0 {
        let kept = text.len().min(args.u64(2) as usize - 1);
        machine.memory.write_string(args.get(0), &text[..kept])?;
    }
    Ok(Value::int(text.len() as u64))
}

fn strlcat(machine: &mut Machine, args: &Args) -> Step<Value> {
    let size = args.u64(2);
    let before = machine.memory.string_up_to(args.get(0), size)?.len() as u64;
    let text = machine.memory.string_vec(args.get(1))?;
    if before < size {
        let kept = text.len().min((size - before) as usize - 1);
        machine.memory.write_string(args.get(0).moved(before as i64), &text[..kept])?;
    }
    Ok(Value::int(before + text.len() as u64))
}

fn strcat(machine: &mut Machine, args: &Args) -> Step<Value> {
    let before = machine.memory.string(args.get(0))?.len() as i64;
    let len = machine.memory.string(args.get(1))?.len() as u64 + 1;
    machine.memory.copy(args.get(0).moved(before), args.get(1), len)?;
    Ok(args.get(0))
}

fn strncat(machine: &mut Machine, args: &Args) -> Step<Value> {
    let before = machine.memory.string(args.get(0))?.len() as i64;
    let text = machine.memory.string_up_to(args.get(1), args.u64(2))?.to_vec();
    machine.memory.write_string(args.get(0).moved(before), &text)?;
    Ok(args.get(0))
}

/// Compares two strings byte by byte up to the first difference, `limit` bytes at most.
fn compare(machine: &mut Machine, args: &Args, limit: u64, fold: fn(u8) -> u8) -> Step<Value> {
    let (lhs, rhs) = (args.get(0), args.get(1));
    let mut at = 0;
    while (at as u64) < limit {
        let a = defined_byte(machine, lhs.moved(at))?;
        let b = defined_byte(machine, rhs.moved(at))?;
        let (x, y) = (fold(a), fold(b));
        if x != y {
            return Ok(Value::i32(i32::from(x) - i32::from(y)));
        }
        if a == 0 {
            break;
        }
        at += 1;
    }
    Ok(ZERO)
}

fn defined_byte(machine: &mut Machine, at: Value) -> Step<u8> {
    Ok(machine.memory.read(at, 1)?[0])
}

fn strcmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    compare(machine, args, u64::MAX >> 1, |byte| byte)
}

fn strncmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    compare(machine, args, args.u64(2), |byte| byte)
}

fn strcasecmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    compare(machine, args, u64::MAX >> 1, |byte| byte.to_ascii_lowercase())
}

fn strncasecmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    compare(machine, args, args.u64(2), |byte| byte.to_ascii_lowercase())
}

fn position(machine: &mut Machine, args: &Args) -> Step<(Option<usize>, usize)> {
    let text = machine.memory.string(args.get(0))?;
    let wanted = args.u64(1) as u8;
    let end = text.len();
    let found = text.iter().position(|&byte| byte == wanted);
    Ok((found.or((wanted == 0).then_some(end)), end))
}

fn strchr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (found, _) = position(machine, args)?;
    Ok(found.map_or(ZERO, |at| args.get(0).moved(at as i64)))
}

fn strchrnul(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (found, end) = position(machine, args)?;
    Ok(args.get(0).moved(found.unwrap_or(end) as i64))
}

fn strrchr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string(args.get(0))?;
    let wanted = args.u64(1) as u8;
    let found =
        if wanted == 0 { Some(text.len()) } else { text.iter().rposition(|&byte| byte == wanted) };
    Ok(found.map_or(ZERO, |at| args.get(0).moved(at as i64)))
}

fn strstr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let needle = machine.memory.string_vec(args.get(1))?;
    let hay = machine.memory.string(args.get(0))?;
    Ok(find(hay, &needle).map_or(ZERO, |at| args.get(0).moved(at as i64)))
}

fn strcasestr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let needle = machine.memory.string_vec(args.get(1))?.to_ascii_lowercase();
    let hay = machine.memory.string_vec(args.get(0))?.to_ascii_lowercase();
    Ok(find(&hay, &needle).map_or(ZERO, |at| args.get(0).moved(at as i64)))
}

/// How many bytes from the start are in the set (or are not).
fn span(machine: &mut Machine, args: &Args, inside: bool) -> Step<(usize, usize)> {
    let set = machine.memory.string_vec(args.get(1))?;
    let text = machine.memory.string(args.get(0))?;
    let len = text.iter().take_while(|byte| set.contains(byte) == inside).count();
    Ok((len, text.len()))
}

fn strspn(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(span(machine, args, true)?.0 as u64))
}

fn strcspn(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(span(machine, args, false)?.0 as u64))
}

fn strpbrk(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (len, end) = span(machine, args, false)?;
    Ok(if len == end { ZERO } else { args.get(0).moved(len as i64) })
}

fn strxfrm(machine: &mut Machine, args: &Args) -> Step<Value> {
    strlcpy(machine, args)
}

fn swab(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut bytes = machine.memory.read_raw(args.get(0), args.u64(2) & !1)?.to_vec();
    bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    machine.memory.write(args.get(1), &bytes)?;
    Ok(ZERO)
}
