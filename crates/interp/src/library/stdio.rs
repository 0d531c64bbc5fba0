//! `stdio.h` without formatted input: streams, characters, lines, blocks, positions.

use super::descriptors::Target;
use super::format::Source;
use super::streams::{Buffering, STDOUT};
use super::{Args, LibraryFn, ZERO, succeed};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("printf", |m, a| print(m, STDOUT, a.get(0), Source::args(a, 1))),
    ("vprintf", |m, a| print(m, STDOUT, a.get(0), Source::list(a.get(1)))),
    ("fprintf", |m, a| print_to(m, a.get(0), a.get(1), Source::args(a, 2))),
    ("vfprintf", |m, a| print_to(m, a.get(0), a.get(1), Source::list(a.get(2)))),
    ("dprintf", |m, a| print_descriptor(m, a.i32(0), a.get(1), Source::args(a, 2))),
    ("vdprintf", |m, a| print_descriptor(m, a.i32(0), a.get(1), Source::list(a.get(2)))),
    ("sprintf", |m, a| print_string(m, a.get(0), u64::MAX, a.get(1), Source::args(a, 2))),
    ("vsprintf", |m, a| print_string(m, a.get(0), u64::MAX, a.get(1), Source::list(a.get(2)))),
    ("snprintf", |m, a| print_string(m, a.get(0), a.u64(1), a.get(2), Source::args(a, 3))),
    ("vsnprintf", |m, a| print_string(m, a.get(0), a.u64(1), a.get(2), Source::list(a.get(3)))),
    ("asprintf", |m, a| print_cell(m, a.get(0), a.get(1), Source::args(a, 2))),
    ("vasprintf", |m, a| print_cell(m, a.get(0), a.get(1), Source::list(a.get(2)))),
    ("__printf_chk", |m, a| print(m, STDOUT, a.get(1), Source::args(a, 2))),
    ("__vprintf_chk", |m, a| print(m, STDOUT, a.get(1), Source::list(a.get(2)))),
    ("__fprintf_chk", |m, a| print_to(m, a.get(0), a.get(2), Source::args(a, 3))),
    ("__vfprintf_chk", |m, a| print_to(m, a.get(0), a.get(2), Source::list(a.get(3)))),
    ("__sprintf_chk", |m, a| print_string(m, a.get(0), u64::MAX, a.get(3), Source::args(a, 4))),
    ("__vsprintf_chk", |m, a| {
        print_string(m, a.get(0), u64::MAX, a.get(3), Source::list(a.get(4)))
    }),
    ("__snprintf_chk", |m, a| print_string(m, a.get(0), a.u64(1), a.get(4), Source::args(a, 5))),
    ("__vsnprintf_chk", |m, a| {
        print_string(m, a.get(0), a.u64(1), a.get(4), Source::list(a.get(5)))
    }),
    ("__asprintf_chk", |m, a| print_cell(m, a.get(0), a.get(2), Source::args(a, 3))),
    ("__vasprintf_chk", |m, a| print_cell(m, a.get(0), a.get(2), Source::list(a.get(3)))),
    ("putchar", |m, a| put_byte(m, STDOUT, a.get(0))),
    ("putchar_unlocked", |m, a| put_byte(m, STDOUT, a.get(0))),
    ("putc", fputc),
    ("fputc", fputc),
    ("putc_unlocked", fputc),
    ("_IO_putc", fputc),
    ("puts", puts),
    ("fputs", fputs),
    ("fwrite", fwrite),
    ("getchar", |m, _| get_byte(m, 0)),
    ("getchar_unlocked", |m, _| get_byte(m, 0)),
    ("getc", fgetc),
    ("fgetc", fgetc),
    ("getc_unlocked", fgetc),
    ("_IO_getc", fgetc),
    ("ungetc", ungetc),
    ("fgets", fgets),
    ("gets", gets),
    ("fread", fread),
    ("getline", |m, a| getdelim(m, a.get(0), a.get(1), b'\n', a.get(2))),
    ("getdelim", |m, a| getdelim(m, a.get(0), a.get(1), a.u64(2) as u8, a.get(3))),
    ("fflush", fflush),
    ("feof", |m, a| {
        let n = m.stream(a.get(0))?;
        Ok(truth(m.library.streams[n].eof))
    }),
    ("ferror", |m, a| {
        let n = m.stream(a.get(0))?;
        Ok(truth(m.library.streams[n].error))
    }),
    ("clearerr", clearerr),
    ("fileno", |m, a| {
        let n = m.stream(a.get(0))?;
        Ok(Value::int(m.library.streams[n].descriptor as u64))
    }),
    ("fseek", fseek),
    ("fseeko", fseek),
    ("ftell", ftell),
    ("ftello", ftell),
    ("rewind", rewind),
    ("fgetpos", fgetpos),
    ("fsetpos", fsetpos),
    ("setvbuf", setvbuf),
    ("setbuf", setbuf),
    ("setlinebuf", |m, a| set_buffering(m, a.get(0), Buffering::Line)),
    ("flockfile", succeed),
    ("funlockfile", succeed),
    ("perror", perror),
];

const EINVAL: i32 = 22;
const EOF: Value = Value { bits: u64::MAX, meta: 0 };

fn truth(holds: bool) -> Value {
    Value::i32(i32::from(holds))
}

fn print(machine: &mut Machine, number: usize, format: Value, source: Source) -> Step<Value> {
    let text = machine.format(format, source)?;
    let taken = machine.stream_write(number, &text)?;
    Ok(if taken { Value::i32(text.len() as i32) } else { EOF })
}

fn print_to(machine: &mut Machine, stream: Value, format: Value, source: Source) -> Step<Value> {
    let number = machine.stream(stream)?;
    print(machine, number, format, source)
}

fn print_descriptor(
    machine: &mut Machine,
    descriptor: i32,
    format: Value,
    source: Source,
) -> Step<Value> {
    let text = machine.format(format, source)?;
    let taken = machine.library.descriptors.write(descriptor as usize, &text);
    Ok(if taken { Value::i32(text.len() as i32) } else { EOF })
}

fn print_string(
    machine: &mut Machine,
    to: Value,
    size: u64,
    format: Value,
    source: Source,
) -> Step<Value> {
    let text = machine.format(format, source)?;
    if size > 0 {
        let kept = (text.len() as u64).min(size - 1) as usize;
        machine.memory.write_string(to, &text[..kept])?;
    }
    Ok(Value::i32(text.len() as i32))
}

fn print_cell(machine: &mut Machine, to: Value, format: Value, source: Source) -> Step<Value> {
    let mut text = machine.format(format, source)?;
    text.push(0);
    let cell = machine.allocate_bytes(&text)?;
    if cell.bits == 0 {
        return Ok(EOF);
    }
    machine.memory.put::<8>(to, cell)?;
    Ok(Value::i32(text.len() as i32 - 1))
}

fn put_byte(machine: &mut Machine, number: usize, byte: Value) -> Step<Value> {
    let byte = byte.bits as u8;
    let taken = machine.stream_write(number, &[byte])?;
    Ok(if taken { Value::i32(i32::from(byte)) } else { EOF })
}

fn fputc(machine: &mut Machine, args: &Args) -> Step<Value> {
    let number = machine.stream(args.get(1))?;
    put_byte(machine, number, args.get(0))
}

fn puts(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut text = machine.memory.string_vec(args.get(0))?;
    text.push(b'\n');
    let taken = machine.stream_write(STDOUT, &text)?;
    Ok(if taken { Value::i32(text.len() as i32) } else { EOF })
}

fn fputs(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(0))?;
    let number = machine.stream(args.get(1))?;
    let taken = machine.stream_write(number, &text)?;
    Ok(if taken { Value::i32(1) } else { EOF })
}

fn fwrite(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (size, count) = (args.u64(1), args.u64(2));
    let number = machine.stream(args.get(3))?;
    let bytes = machine.memory.read(args.get(0), size.saturating_mul(count))?.to_vec();
    let taken = size != 0 && machine.stream_write(number, &bytes)?;
    Ok(Value::int(if taken { count } else { 0 }))
}

fn get_byte(machine: &mut Machine, number: usize) -> Step<Value> {
    Ok(machine.stream_byte(number).map_or(EOF, |byte| Value::i32(i32::from(byte))))
}

fn fgetc(machine: &mut Machine, args: &Args) -> Step<Value> {
    let number = machine.stream(args.get(0))?;
    get_byte(machine, number)
}

fn ungetc(machine: &mut Machine, args: &Args) -> Step<Value> {
    let number = machine.stream(args.get(1))?;
    if args.i32(0) == -1 {
        return Ok(EOF);
    }
    machine.push_back(number, args.u64(0) as u8);
    Ok(Value::i32(i32::from(args.u64(0) as u8)))
}

/// Bytes up to and with the delimiter, `limit` at most.
fn read_until(machine: &mut Machine, number: usize, delimiter: u8, limit: usize) -> Vec<u8> {
    let mut line = Vec::new();
    while line.len() < limit
        && let Some(byte) = machine.stream_byte(number)
    {
        line.push(byte);
        if byte == delimiter {
            break;
        }
    }
    line
}

fn fgets(machine: &mut Machine, args: &Args) -> Step<Value> {
    let number = machine.stream(args.get(2))?;
    let limit = args.i32(1);
    if limit <= 0 {
        return Ok(ZERO);
    }
    let line = read_until(machine, number, b'\n', limit as usize - 1);
    if line.is_empty() && limit > 1 {
        return Ok(ZERO);
    }
    machine.memory.write_string(args.get(0), &line)?;
    Ok(args.get(0))
}

fn gets(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut line = read_until(machine, 0, b'\n', usize::MAX);
    if line.is_empty() {
        return Ok(ZERO);
    }
    line.pop_if(|byte| *byte == b'\n');
    machine.memory.write_string(args.get(0), &line)?;
    Ok(args.get(0))
}

fn getdelim(
    machine: &mut Machine,
    to: Value,
    size: Value,
    delimiter: u8,
    stream: Value,
) -> Step<Value> {
    let number = machine.stream(stream)?;
    let line = read_until(machine, number, delimiter, usize::MAX);
    if line.is_empty() {
        return Ok(EOF);
    }
    let mut buffer = machine.memory.load::<8>(to)?;
    let room = if buffer.bits == 0 { 0 } else { machine.memory.load::<8>(size)?.bits };
    if room < line.len() as u64 + 1 {
        let wanted = (line.len() as u64 + 1).max(120).max(room.saturating_mul(2));
        let Some(cell) = machine.allocate(wanted, 16, false)? else { return Ok(EOF) };
        machine.release(buffer)?;
        buffer = cell;
        machine.memory.put::<8>(to, cell)?;
        machine.memory.put::<8>(size, Value::int(wanted))?;
    }
    machine.memory.write_string(buffer, &line)?;
    Ok(Value::int(line.len() as u64))
}

fn fread(machine: &mut Machine, args: &Args) -> Step<Value> {
    let (size, count) = (args.u64(1), args.u64(2));
    let number = machine.stream(args.get(3))?;
    let wanted = size.saturating_mul(count);
    if wanted == 0 {
        return Ok(ZERO);
    }
    let bytes = read_block(machine, number, wanted as usize);
    machine.memory.write(args.get(0), &bytes)?;
    Ok(Value::int(bytes.len() as u64 / size))
}

fn read_block(machine: &mut Machine, number: usize, wanted: usize) -> Vec<u8> {
    let stream = &mut machine.library.streams[number];
    let mut bytes = Vec::new();
    while bytes.len() < wanted
        && let Some(byte) = stream.pushed.pop()
    {
        bytes.push(byte);
    }
    if stream.readable {
        let more = machine.library.descriptors.read(stream.descriptor, wanted - bytes.len());
        bytes.extend(more.unwrap_or_default());
    } else {
        stream.error = true;
    }
    if bytes.len() < wanted {
        stream.eof = stream.readable;
    }
    bytes
}

fn fflush(machine: &mut Machine, args: &Args) -> Step<Value> {
    if args.u64(0) == 0 {
        machine.flush_all();
        return Ok(ZERO);
    }
    let number = machine.stream(args.get(0))?;
    machine.flush(number)?;
    Ok(ZERO)
}

fn clearerr(machine: &mut Machine, args: &Args) -> Step<Value> {
    let number = machine.stream(args.get(0))?;
    let stream = &mut machine.library.streams[number];
    (stream.eof, stream.error) = (false, false);
    Ok(ZERO)
}

fn seek(machine: &mut Machine, stream: Value, offset: i64, whence: i32) -> Step<Value> {
    let number = machine.stream(stream)?;
    let stream = &mut machine.library.streams[number];
    let back = if whence == 1 { stream.pushed.len() as i64 } else { 0 };
    let descriptor = stream.descriptor;
    if machine.library.descriptors.seek(descriptor, offset.saturating_sub(back), whence).is_none() {
        let piped = machine
            .library
            .descriptors
            .get(descriptor)
            .is_some_and(|open| !matches!(open.target, Target::File(_)));
        return machine.fail(if piped { 29 } else { EINVAL });
    }
    let stream = &mut machine.library.streams[number];
    stream.pushed.clear();
    stream.eof = false;
    if stream.memory.is_some() {
        machine.flush(number)?;
    }
    Ok(ZERO)
}

fn fseek(machine: &mut Machine, args: &Args) -> Step<Value> {
    seek(machine, args.get(0), args.i64(1), args.i32(2))
}

fn position(machine: &mut Machine, stream: Value) -> Step<Option<u64>> {
    let number = machine.stream(stream)?;
    let stream = &machine.library.streams[number];
    let open = machine.library.descriptors.get(stream.descriptor);
    let files = &machine.library.descriptors;
    Ok(open.filter(|open| matches!(open.target, Target::File(_) | Target::Null)).map(|open| {
        let at = if open.append && !open.readable && open.position == 0 {
            files.contents(open.target).len() as u64
        } else {
            open.position
        };
        at.saturating_sub(stream.pushed.len() as u64)
    }))
}

fn ftell(machine: &mut Machine, args: &Args) -> Step<Value> {
    match position(machine, args.get(0))? {
        Some(at) => Ok(Value::int(at)),
        None => machine.fail(29),
    }
}

fn rewind(machine: &mut Machine, args: &Args) -> Step<Value> {
    seek(machine, args.get(0), 0, 0)?;
    clearerr(machine, args)
}

fn fgetpos(machine: &mut Machine, args: &Args) -> Step<Value> {
    let at = position(machine, args.get(0))?.unwrap_or(0);
    machine.memory.put::<8>(args.get(1), Value::int(at))?;
    Ok(ZERO)
}

fn fsetpos(machine: &mut Machine, args: &Args) -> Step<Value> {
    let at = machine.memory.load::<8>(args.get(1))?;
    seek(machine, args.get(0), at.as_i64(), 0)
}

fn set_buffering(machine: &mut Machine, stream: Value, buffering: Buffering) -> Step<Value> {
    let number = machine.stream(stream)?;
    machine.library.streams[number].buffering = buffering;
    Ok(ZERO)
}

fn setvbuf(machine: &mut Machine, args: &Args) -> Step<Value> {
    let buffering = match args.i32(2) {
        0 => Buffering::Full,
        1 => Buffering::Line,
        _ => Buffering::None,
    };
    set_buffering(machine, args.get(0), buffering)
}

fn setbuf(machine: &mut Machine, args: &Args) -> Step<Value> {
    let buffering = if args.u64(1) == 0 { Buffering::None } else { Buffering::Full };
    set_buffering(machine, args.get(0), buffering)
}

fn perror(machine: &mut Machine, args: &Args) -> Step<Value> {
    let code = machine.memory.load::<4>(machine.library.errno)?.as_i32();
    let mut text = Vec::new();
    if args.u64(0) != 0 {
        text = machine.memory.string_vec(args.get(0))?;
        if !text.is_empty() {
            text.extend_from_slice(b": ");
        }
    }
    text.extend_from_slice(super::text::error_text(code).as_bytes());
    text.push(b'\n');
    machine.stream_write(super::streams::STDERR, &text)?;
    Ok(ZERO)
}
