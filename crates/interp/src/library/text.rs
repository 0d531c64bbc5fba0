//! Strings with state or tables behind them: `strtok`, `strsep`, `strerror`, `strsignal`.

use super::{Args, LibraryFn, ZERO};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("strsep", strsep),
    ("strerror", strerror),
    ("strerror_l", strerror),
    ("strerror_r", strerror_gnu),
    ("__xpg_strerror_r", strerror_posix),
    ("strsignal", strsignal),
    ("basename", basename),
    ("__xpg_basename", basename),
    ("dirname", dirname),
];

/// The next token from `start`: the token and where the search goes on.
fn token(machine: &mut Machine, start: Value, set: Value) -> Step<(Value, Value)> {
    let set = machine.memory.string_vec(set)?;
    let text = machine.memory.string_vec(start)?;
    let skip = text.iter().take_while(|byte| set.contains(byte)).count();
    if skip == text.len() {
        return Ok((ZERO, start.moved(skip as i64)));
    }
    let len = text[skip..].iter().take_while(|byte| !set.contains(byte)).count();
    let end = start.moved((skip + len) as i64);
    let next = if skip + len == text.len() {
        end
    } else {
        machine.memory.put::<1>(end, ZERO)?;
        end.moved(1)
    };
    Ok((start.moved(skip as i64), next))
}

fn strtok(machine: &mut Machine, args: &Args) -> Step<Value> {
    let start = if args.u64(0) == 0 { machine.library.strtok } else { args.get(0) };
    if start.bits == 0 {
        return Ok(ZERO);
    }
    let (found, next) = token(machine, start, args.get(1))?;
    machine.library.strtok = next;
    Ok(found)
}

fn strtok_r(machine: &mut Machine, args: &Args) -> Step<Value> {
    let start = if args.u64(0) == 0 { machine.memory.load::<8>(args.get(2))? } else { args.get(0) };
    if start.bits == 0 {
        return Ok(ZERO);
    }
    let (found, next) = token(machine, start, args.get(1))?;
    machine.memory.put::<8>(args.get(2), next)?;
    Ok(found)
}

fn strsep(machine: &mut Machine, args: &Args) -> Step<Value> {
    let start = machine.memory.load::<8>(args.get(0))?;
    if start.bits == 0 {
        return Ok(ZERO);
    }
    let set = machine.memory.string_vec(args.get(1))?;
    let text = machine.memory.string_vec(start)?;
    let next = match text.iter().position(|byte| set.contains(byte)) {
        Some(at) => {
            machine.memory.put::<1>(start.moved(at as i64), ZERO)?;
            start.moved(at as i64 + 1)
        }
        None => ZERO,
    };
    machine.memory.put::<8>(args.get(0), next)?;
    Ok(start)
}

fn strerror(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = error_text(args.i32(0));
    machine.static_text(text.as_bytes())
}

fn strerror_gnu(machine: &mut Machine, args: &Args) -> Step<Value> {
    strerror(machine, args)
}

fn strerror_posix(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = error_text(args.i32(0));
    let kept = text.len().min((args.u64(2) as usize).saturating_sub(1));
    machine.memory.write_string(args.get(1), &text.as_bytes()[..kept])?;
    Ok(ZERO)
}

/// glibc's text for an error number.
pub fn error_text(code: i32) -> String {
    let known = match code {
        0 => "Success",
        1 => "Operation not permitted",
        2 => "No such file or directory",
        3 => "No such process",
        4 => "Interrupted system call",
        5 => "Input/output error",
        7 => "Argument list too long",
        8 => "Exec format error",
        9 => "Bad file descriptor",
        10 => "No child processes",
        11 => "Resource temporarily unavailable",
        12 => "Cannot allocate memory",
        13 => "Permission denied",
        14 => "Bad address",
        16 => "Device or resource busy",
        17 => "File exists",
        18 => "Invalid cross-device link",
        20 => "Not a directory",
        21 => "Is a directory",
        22 => "Invalid argument",
        24 => "Too many open files",
        25 => "Inappropriate ioctl for device",
        27 => "File too large",
        28 => "No space left on device",
        29 => "Illegal seek",
        30 => "Read-only file system",
        32 => "Broken pipe",
        33 => "Numerical argument out of domain",
        34 => "Numerical result out of range",
        36 => "File name too long",
        38 => "Function not implemented",
        39 => "Directory not empty",
        40 => "Too many levels of symbolic links",
        75 => "Value too large for defined data type",
        84 => "Invalid or incomplete multibyte or wide character",
        95 => "Operation not supported",
        110 => "Connection timed out",
        _ => return format!("Unknown error {code}"),
    };
    known.to_string()
}

fn strsignal(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = match args.i32(0) {
        2 => "Interrupt",
        6 => "Aborted",
        8 => "Floating point exception",
        9 => "Killed",
        11 => "Segmentation fault",
        15 => "Terminated",
        _ => "Unknown signal",
    };
    machine.static_text(text.as_bytes())
}

fn basename(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(0))?;
    let at = text.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    Ok(args.get(0).moved(at as i64))
}

fn dirname(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(0))?;
    match text.iter().rposition(|&byte| byte == b'/') {
        None => machine.static_text(b"."),
        Some(0) => machine.static_text(b"/"),
        Some(slash) => {
            machine.memory.put::<1>(args.get(0).moved(slash as i64), ZERO)?;
            Ok(args.get(0))
        }
    }
}
