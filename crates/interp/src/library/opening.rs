//! Opening and closing streams.

use super::descriptors::{Open, Target};
use super::{Args, LibraryFn, ZERO};
use crate::event::Birth;
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("fopen", fopen),
    ("freopen", freopen),
    ("fdopen", fdopen),
    ("tmpfile", tmpfile),
    ("fmemopen", fmemopen),
    ("fclose", fclose),
    ("pclose", fclose),
    ("open_memstream", |m, a| m.open_memory_stream(a.get(0), a.get(1))),
    ("popen", |m, _| m.fail_null(38)),
];

/// What a mode string asks for: read, write, append, truncate, exclusive.
struct Mode {
    readable: bool,
    writable: bool,
    append: bool,
    truncate: bool,
    exclusive: bool,
}

fn mode(text: &[u8]) -> Option<Mode> {
    let plus = text.contains(&b'+');
    let (readable, writable, append, truncate) = match text.first()? {
        b'r' => (true, plus, false, false),
        b'w' => (plus, true, false, true),
        b'a' => (plus, true, true, false),
        _ => return None,
    };
    Some(Mode { readable, writable, append, truncate, exclusive: text.contains(&b'x') })
}

const ENOENT: i32 = 2;
const EEXIST: i32 = 17;
const EISDIR: i32 = 21;
const EINVAL: i32 = 22;

/// Opens a file by name: the open description, or an error number.
fn open_named(machine: &mut Machine, name: &[u8], mode: &Mode) -> Result<Open, i32> {
    let files = &mut machine.library.descriptors;
    let known = files.find(name);
    let target = match known {
        _ if name == b"/dev/null" => Target::Null,
        Some(_) if mode.exclusive && mode.truncate => return Err(EEXIST),
        Some(file) => Target::File(file),
        None if files.is_folder(name) && !name.is_empty() => {
            if mode.writable {
                return Err(EISDIR);
            }
            Target::Null
        }
        None if (mode.truncate || mode.append) && files.has_parent(name) => {
            Target::File(files.create(name))
        }
        None => return Err(ENOENT),
    };
    if let (Target::File(file), true) = (target, mode.truncate) {
        files.set_length(file, 0);
    }
    Ok(Open {
        target,
        position: 0,
        append: mode.append,
        readable: mode.readable,
        writable: mode.writable,
    })
}

fn fopen(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    let text = machine.memory.string_vec(args.get(1))?;
    let Some(mode) = mode(&text) else { return machine.fail_null(EINVAL) };
    match open_named(machine, &name, &mode) {
        Ok(open) => Ok(machine.open_stream(open)),
        Err(code) => machine.fail_null(code),
    }
}

fn freopen(machine: &mut Machine, args: &Args) -> Step<Value> {
    let number = machine.stream(args.get(2))?;
    let text = machine.memory.string_vec(args.get(1))?;
    let Some(mode) = mode(&text) else { return machine.fail_null(EINVAL) };
    if args.u64(0) == 0 {
        return Ok(args.get(2));
    }
    let name = machine.memory.string_vec(args.get(0))?;
    match open_named(machine, &name, &mode) {
        Ok(open) => {
            let (readable, writable) = (open.readable, open.writable);
            let descriptor = machine.library.streams[number].descriptor;
            machine.library.descriptors.open[descriptor] = Some(open);
            let stream = &mut machine.library.streams[number];
            (stream.readable, stream.writable, stream.eof, stream.error) =
                (readable, writable, false, false);
            Ok(args.get(2))
        }
        Err(code) => machine.fail_null(code),
    }
}

fn fdopen(machine: &mut Machine, args: &Args) -> Step<Value> {
    let descriptor = args.i32(0) as usize;
    let Some(open) = machine.library.descriptors.get(descriptor) else {
        return machine.fail_null(9);
    };
    let (readable, writable) = (open.readable, open.writable);
    let handle = machine.library.open_stream(&mut machine.memory, descriptor, readable, writable);
    machine.tell_birth(handle.origin(), Birth::Heap);
    Ok(handle)
}

fn tmpfile(machine: &mut Machine, _: &Args) -> Step<Value> {
    let file = machine.library.descriptors.create_unnamed();
    let target = Target::File(file);
    Ok(machine.open_stream(Open {
        target,
        position: 0,
        append: false,
        readable: true,
        writable: true,
    }))
}

/// A stream over a copy of the buffer: right for reading; writes stay in the copy.
fn fmemopen(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(2))?;
    let Some(mode) = mode(&text) else { return machine.fail_null(EINVAL) };
    let file = machine.library.descriptors.create_unnamed();
    let target = Target::File(file);
    let open = Open {
        target,
        position: 0,
        append: mode.append,
        readable: mode.readable,
        writable: mode.writable,
    };
    if mode.readable && !mode.truncate {
        let bytes = machine.memory.read_raw(args.get(0), args.u64(1))?.to_vec();
        let fill = Open { target, position: 0, append: false, readable: false, writable: true };
        let descriptor = machine.library.descriptors.add(fill);
        machine.library.descriptors.write(descriptor, &bytes);
        machine.library.descriptors.close(descriptor);
    }
    Ok(machine.open_stream(open))
}

fn fclose(machine: &mut Machine, args: &Args) -> Step<Value> {
    let number = machine.stream(args.get(0))?;
    machine.flush(number)?;
    let stream = &mut machine.library.streams[number];
    stream.closed = true;
    let descriptor = stream.descriptor;
    machine.library.descriptors.close(descriptor);
    Ok(ZERO)
}
