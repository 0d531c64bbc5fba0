//! The process: exit, abort, signals, the environment, assertions, threads as the one there is.

use super::streams::STDERR;
use super::{Args, LibraryFn, ZERO, succeed, unsupported};
use crate::fault::{Fault, FaultKind, Step, Stop};
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("exit", |_, a| Err(Box::new(Stop::Exit(a.i32(0))))),
    ("_exit", exit_now),
    ("_Exit", exit_now),
    ("quick_exit", quick_exit),
    ("abort", |m, _| die(m, 6)),
    ("atexit", atexit),
    ("at_quick_exit", at_quick_exit),
    ("on_exit", atexit),
    ("__cxa_atexit", cxa_atexit),
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__stack_chk_fail", |m, _| die(m, 6)),
    ("__chk_fail", |m, _| die(m, 6)),
    ("raise", raise),
    ("kill", |m, a| if a.i32(0) == 1000 { raise_signal(m, a.i32(1)) } else { m.fail(3) }),
    ("signal", signal),
    ("__sysv_signal", signal),
    ("sigaction", sigaction),
    ("sigemptyset", succeed),
    ("sigfillset", succeed),
    ("sigaddset", succeed),
    ("sigdelset", succeed),
    ("sigismember", succeed),
    ("sigprocmask", succeed),
    ("sigaltstack", succeed),
    ("siginterrupt", succeed),
    ("alarm", succeed),
    ("getenv", getenv),
    ("secure_getenv", getenv),
    ("setenv", setenv),
    ("putenv", putenv),
    ("unsetenv", unsetenv),
    ("system", |_, _| Ok(Value::int(0))),
    ("fork", unsupported),
    ("vfork", unsupported),
    ("execve", unsupported),
    ("execvp", unsupported),
    ("execv", unsupported),
    ("waitpid", unsupported),
    ("wait", unsupported),
    ("__errno_location", |m, _| Ok(m.library.errno)),
    ("pthread_mutex_init", succeed),
    ("pthread_mutex_destroy", succeed),
    ("pthread_mutex_lock", succeed),
    ("pthread_mutex_trylock", succeed),
    ("pthread_mutex_unlock", succeed),
    ("pthread_mutexattr_init", succeed),
    ("pthread_mutexattr_settype", succeed),
    ("pthread_mutexattr_destroy", succeed),
    ("pthread_rwlock_init", succeed),
    ("pthread_rwlock_rdlock", succeed),
    ("pthread_rwlock_wrlock", succeed),
    ("pthread_rwlock_unlock", succeed),
    ("pthread_rwlock_destroy", succeed),
    ("pthread_cond_init", succeed),
    ("pthread_cond_destroy", succeed),
    ("pthread_cond_signal", succeed),
    ("pthread_cond_broadcast", succeed),
    ("pthread_self", |_, _| Ok(Value::int(1))),
    ("pthread_equal", |_, a| Ok(Value::i32(i32::from(a.u64(0) == a.u64(1))))),
    ("pthread_once", pthread_once),
    ("pthread_create", |_, _| Ok(Value::i32(11))),
    ("pthread_join", |_, _| Ok(Value::i32(3))),
    ("pthread_key_create", key_create),
    ("pthread_key_delete", succeed),
    ("pthread_getspecific", |m, a| {
        Ok(m.library.keys.get(a.u64(0) as u32 as usize).copied().unwrap_or(ZERO))
    }),
    ("pthread_setspecific", set_specific),
    ("pthread_setcancelstate", succeed),
    ("pthread_sigmask", succeed),
    ("dlopen", |_, _| Ok(ZERO)),
    ("dlsym", |_, _| Ok(ZERO)),
    ("dlclose", succeed),
    ("dlerror", |m, _| m.static_text(b"dynamic loading is not supported")),
    ("backtrace", succeed),
    ("__builtin_ia32_xstate", succeed),
    ("__builtin_unwind_init", succeed),
    ("err", |m, a| warn(m, a, Some(a.i32(0)), 1, true)),
    ("errx", |m, a| warn(m, a, Some(a.i32(0)), 1, false)),
    ("warn", |m, a| warn(m, a, None, 0, true)),
    ("warnx", |m, a| warn(m, a, None, 0, false)),
    ("error", error),
];

fn exit_now(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.lose_buffers();
    Err(Box::new(Stop::ExitNow(args.i32(0))))
}

fn quick_exit(machine: &mut Machine, args: &Args) -> Step<Value> {
    while let Some(handler) = machine.library.at_quick_exit.pop() {
        machine.call_pointer(handler, &[])?;
    }
    exit_now(machine, args)
}

fn at_quick_exit(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.at_quick_exit.push(args.get(0));
    Ok(ZERO)
}

/// The program dies of a signal that nothing handles.
fn die(machine: &mut Machine, signal: i32) -> Step<Value> {
    machine.lose_buffers();
    Err(Box::new(Stop::Signal(signal)))
}

fn atexit(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.at_exit.push((args.get(0), ZERO));
    Ok(ZERO)
}

fn cxa_atexit(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.at_exit.push((args.get(0), args.get(1)));
    Ok(ZERO)
}

fn assert_fail(machine: &mut Machine, args: &Args) -> Step<Value> {
    let [text, file, function] = [args.get(0), args.get(1), args.get(3)].map(|at| {
        machine
            .memory
            .string_vec(at)
            .map_or(String::new(), |text| String::from_utf8_lossy(&text).into_owned())
    });
    let message =
        format!("program: {file}:{}: {function}: Assertion `{text}' failed.\n", args.i32(2));
    machine.stream_write(STDERR, message.as_bytes())?;
    raise_signal(machine, 6)
}

fn raise(machine: &mut Machine, args: &Args) -> Step<Value> {
    raise_signal(machine, args.i32(0))
}

fn raise_signal(machine: &mut Machine, signal: i32) -> Step<Value> {
    let handler = machine.library.signals.get(&signal).copied().unwrap_or(ZERO);
    match handler.bits {
        1 => {}
        0 if matches!(signal, 17 | 18 | 23 | 28) => {}
        0 => return die(machine, signal),
        _ => {
            machine.call_pointer(handler, &[Value::i32(signal)])?;
        }
    }
    if signal == 6 && handler.bits != 1 { die(machine, 6) } else { Ok(ZERO) }
}

fn signal(machine: &mut Machine, args: &Args) -> Step<Value> {
    let old = machine.library.signals.insert(args.i32(0), args.get(1));
    Ok(old.unwrap_or(ZERO))
}

fn sigaction(machine: &mut Machine, args: &Args) -> Step<Value> {
    let old = machine.library.signals.get(&args.i32(0)).copied().unwrap_or(ZERO);
    if args.u64(2) != 0 {
        machine.memory.fill(args.get(2), ZERO, 152)?;
        machine.memory.put::<8>(args.get(2), old)?;
    }
    if args.u64(1) != 0 {
        let handler = machine.memory.load::<8>(args.get(1))?;
        machine.library.signals.insert(args.i32(0), handler);
    }
    Ok(ZERO)
}

fn getenv(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    let value = machine
        .library
        .env
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value.clone());
    match value {
        Some(value) => machine.static_text(&value),
        None => Ok(ZERO),
    }
}

fn setenv(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    let value = machine.memory.string_vec(args.get(1))?;
    put_variable(machine, name, value, args.i32(2) != 0);
    Ok(ZERO)
}

/// The environment keeps the string itself; its later changes are not seen.
fn putenv(machine: &mut Machine, args: &Args) -> Step<Value> {
    let text = machine.memory.string_vec(args.get(0))?;
    match text.iter().position(|&byte| byte == b'=') {
        Some(at) => put_variable(machine, text[..at].to_vec(), text[at + 1..].to_vec(), true),
        None => machine.library.env.retain(|(known, _)| *known != text),
    }
    machine.library.env_texts.push(args.get(0));
    Ok(ZERO)
}

fn put_variable(machine: &mut Machine, name: Vec<u8>, value: Vec<u8>, replace: bool) {
    let env = &mut machine.library.env;
    match env.iter_mut().find(|(known, _)| *known == name) {
        Some((_, old)) if replace => *old = value,
        Some(_) => {}
        None => env.push((name, value)),
    }
}

fn unsetenv(machine: &mut Machine, args: &Args) -> Step<Value> {
    let name = machine.memory.string_vec(args.get(0))?;
    machine.library.env.retain(|(known, _)| *known != name);
    Ok(ZERO)
}

fn pthread_once(machine: &mut Machine, args: &Args) -> Step<Value> {
    if machine.memory.load::<4>(args.get(0))?.bits == 0 {
        machine.memory.put::<4>(args.get(0), Value::int(2))?;
        machine.call_pointer(args.get(1), &[])?;
    }
    Ok(ZERO)
}

fn key_create(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.library.keys.push(ZERO);
    let key = Value::int(machine.library.keys.len() as u64 - 1);
    machine.memory.put::<4>(args.get(0), key)?;
    Ok(ZERO)
}

fn set_specific(machine: &mut Machine, args: &Args) -> Step<Value> {
    match machine.library.keys.get_mut(args.u64(0) as u32 as usize) {
        Some(place) => *place = args.get(1),
        None => return Err(Fault::new(FaultKind::BadArgument, "no such thread key").into()),
    }
    Ok(ZERO)
}

fn warn(
    machine: &mut Machine,
    args: &Args,
    exit: Option<i32>,
    at: usize,
    with_errno: bool,
) -> Step<Value> {
    let code = machine.memory.load::<4>(machine.library.errno)?.as_i32();
    let mut text = b"program: ".to_vec();
    if args.u64(at) != 0 {
        text.extend(machine.format(args.get(at), super::format::Source::args(args, at + 1))?);
    }
    if with_errno {
        text.extend_from_slice(format!(": {}", super::text::error_text(code)).as_bytes());
    }
    text.push(b'\n');
    machine.stream_write(STDERR, &text)?;
    match exit {
        Some(code) => Err(Box::new(Stop::Exit(code))),
        None => Ok(ZERO),
    }
}

fn error(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut text = b"program: ".to_vec();
    text.extend(machine.format(args.get(2), super::format::Source::args(args, 3))?);
    if args.i32(1) != 0 {
        text.extend_from_slice(format!(": {}", super::text::error_text(args.i32(1))).as_bytes());
    }
    text.push(b'\n');
    machine.stream_write(STDERR, &text)?;
    if args.i32(0) != 0 { Err(Box::new(Stop::Exit(args.i32(0)))) } else { Ok(ZERO) }
}
