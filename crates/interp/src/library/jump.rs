//! `setjmp` and `longjmp`. The buffer remembers the activation and where it goes on.

use super::{Args, LibraryFn, ZERO};
use crate::fault::{Fault, FaultKind, JumpTarget, Step, Stop};
use crate::machine::Machine;
use crate::value::Value;

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("setjmp", setjmp),
    ("_setjmp", setjmp),
    ("__sigsetjmp", setjmp),
    ("sigsetjmp", setjmp),
    ("__builtin_setjmp", setjmp),
    ("longjmp", longjmp),
    ("_longjmp", longjmp),
    ("__longjmp_chk", longjmp),
    ("siglongjmp", longjmp),
    ("__builtin_longjmp", longjmp_builtin),
];

/// Words of the buffer: depth, serial, program counter. The program may write over them, so
/// they are checked when they come back.
fn save(machine: &mut Machine, buffer: Value) -> Step<Value> {
    let depth = machine.frames.len().saturating_sub(1);
    let Some(frame) = machine.frames.last() else { return Ok(ZERO) };
    let words = [depth as u64, frame.serial, frame.pc as u64];
    for (index, word) in words.into_iter().enumerate() {
        machine.memory.put::<8>(buffer.moved(index as i64 * 8), Value::int(word))?;
    }
    Ok(ZERO)
}

fn setjmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    save(machine, args.get(0))
}

fn jump(machine: &mut Machine, buffer: Value, value: i32) -> Step<Value> {
    let mut words = [0; 3];
    for (index, word) in words.iter_mut().enumerate() {
        *word = machine.memory.load::<8>(buffer.moved(index as i64 * 8))?.bits;
    }
    let [depth, serial, pc] = words.map(|word| word as usize);
    let frame = machine.frames.get(depth).filter(|frame| frame.serial == serial as u64);
    let Some(frame) = frame else {
        return Err(
            Fault::new(FaultKind::BadJump, "longjmp to a function that has returned").into()
        );
    };
    let Some(call) = frame.code.call_before(pc) else {
        return Err(Fault::new(FaultKind::BadJump, "longjmp to what is no call").into());
    };
    let target = JumpTarget { depth, pc, dst: call.dst };
    Err(Box::new(Stop::LongJump { target, value: if value == 0 { 1 } else { value } }))
}

fn longjmp(machine: &mut Machine, args: &Args) -> Step<Value> {
    jump(machine, args.get(0), args.i32(1))
}

fn longjmp_builtin(machine: &mut Machine, args: &Args) -> Step<Value> {
    jump(machine, args.get(0), 1)
}
