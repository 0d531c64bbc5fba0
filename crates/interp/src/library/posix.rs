//! POSIX calls on the in-memory file system, and facts about a machine that is not there.

use super::descriptors::{Open, Target};
use super::{Args, LibraryFn, ZERO, succeed, unsupported};
use crate::fault::Step;
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("open", open),
    ("open64", open),
    ("creat", |m, a| open_path(m, a.get(0), O_CREAT | O_WRONLY | O_TRUNC)),
    ("openat", |m, a| open_path(m, a.get(1), a.i32(2))),
    ("close", close),
    ("read", read),
    ("write", write),
    ("pread", pread),
    ("pread64", pread),
    ("pwrite", pwrite),
    ("pwrite64", pwrite),
    ("lseek", lseek),
    ("lseek64", lseek),
    ("dup", dup),
    ("isatty", |m, _| {
        m.set_errno(25);
        Ok(ZERO)
    }),
    ("unlink", unlink),
    ("remove", unlink),
    ("rename", rename),
    ("access", access),
    ("stat", |m, a| stat(m, a.get(0), a.get(1))),
    ("lstat", |m, a| stat(m, a.get(0), a.get(1))),
    ("__xstat", |m, a| stat(m, a.get(1), a.get(2))),
    ("__lxstat", |m, a| stat(m, a.get(1), a.get(2))),
    ("fstat", |m, a| fstat(m, a.i32(0), a.get(1))),
    ("__fxstat", |m, a| fstat(m, a.i32(1), a.get(2))),
    ("ftruncate", ftruncate),
    ("ftruncate64", ftruncate),
    ("truncate", succeed),
    ("fsync", succeed),
    ("fdatasync", succeed),
    ("fcntl", fcntl),
    ("fcntl64", fcntl),
    ("ioctl", |m, _| m.fail(25)),
    ("chmod", succeed),
    ("fchmod", succeed),
    ("chown", succeed),
    ("fchown", succeed),
    ("utime", succeed),
    ("utimes", succeed),
    ("futimens", succeed),
    ("umask", |_, _| Ok(Value::int(0o022))),
    ("mkdir", mkdir),
    ("rmdir", rmdir),
    ("readlink", |m, _| m.fail(22)),
    ("symlink", unsupported),
    ("link", unsupported),
    ("realpath", realpath),
    ("getcwd", getcwd),
    ("chdir", succeed),
    ("mkstemp", mkstemp),
    ("mkstemp64", mkstemp),
    ("tmpnam", tmpnam),
    ("pipe", unsupported),
    ("mmap", |m, _| m.fail(38)),
    ("munmap", succeed),
    ("mremap", |m, _| m.fail(38)),
    ("msync", succeed),
    ("opendir", |m, _| m.fail_null(2)),
    ("getpid", |_, _| Ok(Value::i32(1000))),
    ("getppid", |_, _| Ok(Value::i32(1))),
    ("getuid", |_, _| Ok(Value::i32(1000))),
    ("geteuid", |_, _| Ok(Value::i32(1000))),
    ("getgid", |_, _| Ok(Value::i32(1000))),
    ("getegid", |_, _| Ok(Value::i32(1000))),
    ("getpwuid", |_, _| Ok(ZERO)),
    ("getpwnam", |_, _| Ok(ZERO)),
    ("getpagesize", |_, _| Ok(Value::i32(4096))),
    ("sysconf", sysconf),
    ("pathconf", |_, _| Ok(Value::int(4096))),
    ("fpathconf", |_, _| Ok(Value::int(4096))),
    ("getrlimit", getrlimit),
    ("setrlimit", succeed),
    ("getrusage", |m, a| {
        m.memory.fill(a.get(1), ZERO, 144)?;
        Ok(ZERO)
    }),
    ("gethostname", |m, a| {
        m.memory.write_string(a.get(0), b"host")?;
        Ok(ZERO)
    }),
    ("sched_yield", succeed),
    ("poll", succeed),
    ("select", succeed),
];

const O_WRONLY: i32 = 1;
const O_RDWR: i32 = 2;
const O_CREAT: i32 = 0o100;
const O_EXCL: i32 = 0o200;
const O_TRUNC: i32 = 0o1000;
const O_APPEND: i32 = 0o2000;

const ENOENT: i32 = 2;
const EBADF: i32 = 9;
const EEXIST: i32 = 17;
const EISDIR: i32 = 21;
const EINVAL: i32 = 22;
const EFBIG: i32 = 27;

fn open(machine: &mut Machine, args: &Args) -> Step<Value> {
    open_path(machine, args.get(0), args.i32(1))
}

fn open_path(machine: &mut Machine, path: Value, flags: i32) -> Step<Value> {
    let name = machine.memory.string_vec(path)?;
    let files = &mut machine.library.descriptors;
    let access = flags & 3;
    let target = match files.find(&name) {
        _ if name == b"/dev/null" => Target::Null,
        Some(_) if flags & O_CREAT != 0 && flags & O_EXCL != 0 => return machine.fail(EEXIST),
        Some(file) => Target::File(file),
        None if files.is_folder(&name) && !name.is_empty() => {
            if access != 0 {
                return machine.fail(EISDIR);
            }
            Target::Null
        }
        None if flags & O_CREAT != 0 && files.has_parent(&name) => {
            Target::File(files.create(&name))
        }
        None => return machine.fail(ENOENT),
    };
    if let (Target::File(file), true) = (target, flags & O_TRUNC != 0 && access != 0) {
        files.set_length(file, 0);
    }
    let open = Open {
        target,
        position: 0,
        append: flags & O_APPEND != 0,
        readable: access != O_WRONLY,
        writable: access == O_WRONLY || access == O_RDWR,
    };
    Ok(Value::i32(files.add(open) as i32))
}

fn close(machine: &mut Machine, args: &Args) -> Step<Value> {
    if machine.library.descriptors.close(args.i32(0) as u32 as usize) {
        Ok(ZERO)
    } else {
        machine.fail(EBADF)
    }
}

fn read(machine: &mut Machine, args: &Args) -> Step<Value> {
    match machine.library.descriptors.read(args.i32(0) as u32 as usize, args.u64(2) as usize) {
        Some(bytes) => {
            machine.memory.write(args.get(1), &bytes)?;
            Ok(Value::int(bytes.len() as u64))
        }
        None => machine.fail(EBADF),
    }
}

fn write(machine: &mut Machine, args: &Args) -> Step<Value> {
    let bytes = machine.memory.read(args.get(1), args.u64(2))?.to_vec();
    let descriptor = args.i32(0) as u32 as usize;
    if !machine.library.descriptors.write(descriptor, &bytes) {
        return machine.fail(EBADF);
    }
    Ok(args.get(2))
}

/// Runs an access at another position, which stays where it was.
fn elsewhere(
    machine: &mut Machine,
    args: &Args,
    access: impl FnOnce(&mut Machine, &Args) -> Step<Value>,
) -> Step<Value> {
    let descriptor = args.i32(0) as u32 as usize;
    let Some(before) = machine.library.descriptors.get(descriptor).map(|open| open.position) else {
        return machine.fail(EBADF);
    };
    machine.library.descriptors.seek(descriptor, args.i64(3), 0);
    let result = access(machine, args);
    machine.library.descriptors.seek(descriptor, before as i64, 0);
    result
}

fn pread(machine: &mut Machine, args: &Args) -> Step<Value> {
    elsewhere(machine, args, read)
}

fn pwrite(machine: &mut Machine, args: &Args) -> Step<Value> {
    elsewhere(machine, args, write)
}

fn lseek(machine: &mut Machine, args: &Args) -> Step<Value> {
    let descriptor = args.i32(0) as u32 as usize;
    match machine.library.descriptors.seek(descriptor, args.i64(1), args.i32(2)) {
        Some(at) => Ok(Value::int(at)),
        None => machine.fail(29),
    }
}

fn dup(machine: &mut Machine, args: &Args) -> Step<Value> {
    match machine.library.descriptors.get(args.i32(0) as u32 as usize).cloned() {
        Some(open) => Ok(Value::i32(machine.library.descriptors.add(open) as i32)),
        None => machine.fail(EBADF),
    }
}

fn unlink(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    if machine.library.descriptors.remove(&name) { Ok(ZERO) } else { machine.fail(ENOENT) }
}

fn rename(machine: &mut Machine, args: &Args) -> Step<Value> {
    let from = machine.memory.string_vec(args.get(0))?;
    let to = machine.memory.string_vec(args.get(1))?;
    if machine.library.descriptors.rename(&from, &to) { Ok(ZERO) } else { machine.fail(ENOENT) }
}

fn access(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    let files = &machine.library.descriptors;
    if files.find(&name).is_some() || files.is_folder(&name) {
        Ok(ZERO)
    } else {
        machine.fail(ENOENT)
    }
}

const FOLDER: u64 = 0o040_755;
const REGULAR: u64 = 0o100_644;
const PIPE: u64 = 0o010_600;

/// `struct stat` of x86-64: the fields that programs look at.
fn put_stat(machine: &mut Machine, at: Value, mode: u64, size: u64, inode: u64) -> Step<Value> {
    machine.memory.fill(at, ZERO, 144)?;
    let words = [(0, 1), (8, inode), (16, 1), (48, size), (56, 4096), (64, size.div_ceil(512))];
    for (offset, value) in words {
        machine.memory.put::<8>(at.moved(offset), Value::int(value))?;
    }
    for (offset, value) in [(24, mode), (28, 1000), (32, 1000)] {
        machine.memory.put::<4>(at.moved(offset), Value::int(value))?;
    }
    Ok(ZERO)
}

fn stat(machine: &mut Machine, path: Value, at: Value) -> Step<Value> {
    let name = machine.memory.string_vec(path)?;
    let files = &machine.library.descriptors;
    match files.find(&name) {
        Some(file) => {
            let size = files.contents(Target::File(file)).len() as u64;
            put_stat(machine, at, REGULAR, size, file as u64 + 100)
        }
        None if files.is_folder(&name) && !name.is_empty() => {
            put_stat(machine, at, FOLDER, 4096, 2)
        }
        None => machine.fail(ENOENT),
    }
}

fn fstat(machine: &mut Machine, descriptor: i32, at: Value) -> Step<Value> {
    let files = &machine.library.descriptors;
    match files.get(descriptor as u32 as usize).map(|open| open.target) {
        Some(Target::File(file)) => {
            let size = files.contents(Target::File(file)).len() as u64;
            put_stat(machine, at, REGULAR, size, file as u64 + 100)
        }
        Some(_) => put_stat(machine, at, PIPE, 0, 3),
        None => machine.fail(EBADF),
    }
}

fn ftruncate(machine: &mut Machine, args: &Args) -> Step<Value> {
    match machine.library.descriptors.get(args.i32(0) as u32 as usize).map(|open| open.target) {
        Some(Target::File(file)) => {
            if machine.library.descriptors.set_length(file, args.u64(1)) {
                Ok(ZERO)
            } else {
                machine.fail(EFBIG)
            }
        }
        _ => machine.fail(EINVAL),
    }
}

fn fcntl(machine: &mut Machine, args: &Args) -> Step<Value> {
    const F_DUPFD: i32 = 0;
    const F_DUPFD_CLOEXEC: i32 = 1030;
    match args.i32(1) {
        F_DUPFD | F_DUPFD_CLOEXEC => dup(machine, args),
        _ => Ok(ZERO),
    }
}

fn mkdir(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    if machine.library.descriptors.is_folder(&name) {
        return machine.fail(EEXIST);
    }
    machine.library.descriptors.add_folder(&name);
    Ok(ZERO)
}

fn rmdir(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    if machine.library.descriptors.remove_folder(&name) { Ok(ZERO) } else { machine.fail(ENOENT) }
}

fn realpath(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut name = machine.memory.string_vec(args.get(0))?;
    if name.first() != Some(&b'/') {
        name = [b"/", &name[..]].concat();
    }
    name.push(0);
    if args.u64(1) == 0 {
        return machine.allocate_bytes(&name);
    }
    machine.memory.write(args.get(1), &name)?;
    Ok(args.get(1))
}

fn getcwd(machine: &mut Machine, args: &Args) -> Step<Value> {
    if args.u64(0) == 0 {
        return machine.allocate_bytes(b"/\0");
    }
    machine.memory.write_string(args.get(0), b"/")?;
    Ok(args.get(0))
}

fn mkstemp(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut name = machine.memory.string_vec(args.get(0))?;
    let len = name.len();
    if len < 6 {
        return machine.fail(EINVAL);
    }
    machine.library.clock += 1;
    name[len - 6..].copy_from_slice(format!("{:06}", machine.library.clock % 1_000_000).as_bytes());
    machine.memory.write_string(args.get(0), &name)?;
    open_path(machine, args.get(0), O_CREAT | O_RDWR)
}

fn tmpnam(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.clock += 1;
    let name = format!("/tmp/file{:06}", machine.library.clock);
    let at = if args.u64(0) == 0 { machine.static_buffer("tmpnam", 32) } else { args.get(0) };
    machine.memory.write_string(at, name.as_bytes())?;
    Ok(at)
}

fn sysconf(_: &mut Machine, args: &Args) -> Step<Value> {
    Ok(Value::int(match args.i32(0) {
        30 => 4096,
        83 | 84 => 1,
        2 => 100,
        4 => 1024,
        85 => 1 << 20,
        _ => u64::MAX,
    }))
}

fn getrlimit(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.memory.put::<8>(args.get(1), Value::int(8 << 20))?;
    machine.memory.put::<8>(args.get(1).moved(8), Value::int(u64::MAX))?;
    Ok(ZERO)
}
