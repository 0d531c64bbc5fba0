//! The heap. Every allocation counts, so that the nth can be made to fail.

use super::{Args, LibraryFn, ZERO, succeed};
use crate::event::Birth;
use crate::fault::{Budget, Checked, Fault, FaultKind, Step, Stop};
use crate::machine::Machine;
use crate::memory::{ObjectKind, State};
use crate::trace::FactKind;
use crate::value::{Origin, Value};

pub const TABLE: &[(&str, LibraryFn)] = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("reallocarray", reallocarray),
    ("free", free),
    ("cfree", free),
    ("free_sized", free),
    ("free_aligned_sized", free),
    ("aligned_alloc", aligned_alloc),
    ("memalign", aligned_alloc),
    ("valloc", valloc),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", usable_size),
    ("malloc_trim", succeed),
    ("mallopt", succeed),
    ("strdup", strdup),
    ("strndup", strndup),
];

const ENOMEM: i32 = 12;
/// What glibc refuses: more than `PTRDIFF_MAX`.
const LARGEST: u64 = i64::MAX as u64;
/// An alignment that no machine would grant.
const LARGEST_ALIGN: u64 = 1 << 30;

impl Machine<'_> {
    /// A new cell, or none where the allocation is to fail.
    pub fn allocate(&mut self, size: u64, align: u64, zeroed: bool) -> Step<Option<Value>> {
        self.library.allocations += 1;
        let fails = self.library.fail_alloc == Some(self.library.allocations);
        if fails || size > LARGEST || align > LARGEST_ALIGN {
            self.set_errno(ENOMEM);
            return Ok(None);
        }
        if self.memory.is_exhausted(size) {
            // A request that no machine would grant fails; one that the budget forbids stops.
            if size > 1 << 40 {
                self.set_errno(ENOMEM);
                return Ok(None);
            }
            return Err(Box::new(Stop::OutOfBudget(Budget::Memory)));
        }
        let id = self.memory.add_cell(size, align, zeroed);
        let made_at = self.stack_now();
        self.memory.object_mut(id).made_at = made_at;
        if let Some(holders) = &mut self.memory.holders {
            holders.watch(id);
        }
        self.tell_here(FactKind::Alloc { object: id, size });
        self.tell_birth(id, Birth::Heap);
        Ok(Some(self.memory.address(id)))
    }

    /// A new cell that holds these bytes.
    pub fn allocate_bytes(&mut self, bytes: &[u8]) -> Step<Value> {
        let Some(at) = self.allocate(bytes.len() as u64, 16, false)? else { return Ok(ZERO) };
        self.memory.write(at, bytes)?;
        Ok(at)
    }

    /// The cell that a pointer may free.
    fn cell(&self, pointer: Value) -> Checked<Origin> {
        let found = self.memory.locate(pointer);
        let Some((id, offset)) = found else {
            return Err(Fault::new(FaultKind::InvalidFree, "free of what is no object"));
        };
        let object = self.memory.object(id);
        match (object.kind, object.state) {
            (ObjectKind::Heap, State::Freed) => {
                Err(Fault::on(FaultKind::DoubleFree, id, "free of freed memory"))
            }
            (ObjectKind::Heap, State::Live) if offset == 0 => Ok(id),
            (ObjectKind::Heap, _) => {
                let message = format!("free of a pointer into a cell, at offset {}", offset as i64);
                Err(Fault::on(FaultKind::InvalidFree, id, message))
            }
            _ => Err(Fault::on(FaultKind::InvalidFree, id, "free of what malloc did not return")),
        }
    }

    pub fn release(&mut self, pointer: Value) -> Step<()> {
        if pointer.bits == 0 {
            return Ok(());
        }
        let id = self.cell(pointer)?;
        let freed_at = self.stack_now();
        if let Some(holders) = &mut self.memory.holders {
            holders.freed(id);
        }
        self.memory.end_cell(id, freed_at);
        self.tell_here(FactKind::Free { object: id });
        Ok(())
    }

    fn resize(&mut self, pointer: Value, size: u64) -> Step<Value> {
        if pointer.bits == 0 {
            return Ok(self.allocate(size, 16, false)?.unwrap_or(ZERO));
        }
        let old = self.cell(pointer)?;
        if size == 0 {
            self.release(pointer)?;
            return Ok(ZERO);
        }
        let Some(new) = self.allocate(size, 16, false)? else { return Ok(ZERO) };
        let kept = self.memory.object(old).size.min(size);
        self.memory.copy(new, pointer, kept)?;
        self.release(pointer)?;
        Ok(new)
    }
}

fn malloc(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(machine.allocate(args.u64(0), 16, false)?.unwrap_or(ZERO))
}

fn calloc(machine: &mut Machine, args: &Args) -> Step<Value> {
    let size = args.u64(0).saturating_mul(args.u64(1));
    Ok(machine.allocate(size, 16, true)?.unwrap_or(ZERO))
}

fn realloc(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.resize(args.get(0), args.u64(1))
}

fn reallocarray(machine: &mut Machine, args: &Args) -> Step<Value> {
    let size = args.u64(1).saturating_mul(args.u64(2));
    if size == u64::MAX {
        return machine.fail_null(ENOMEM);
    }
    machine.resize(args.get(0), size)
}

fn free(machine: &mut Machine, args: &Args) -> Step<Value> {
    machine.release(args.get(0))?;
    Ok(ZERO)
}

fn aligned_alloc(machine: &mut Machine, args: &Args) -> Step<Value> {
    let align = args.u64(0);
    if !align.is_power_of_two() {
        return machine.fail_null(22);
    }
    Ok(machine.allocate(args.u64(1), align, false)?.unwrap_or(ZERO))
}

fn valloc(machine: &mut Machine, args: &Args) -> Step<Value> {
    Ok(machine.allocate(args.u64(0), 4096, false)?.unwrap_or(ZERO))
}

fn posix_memalign(machine: &mut Machine, args: &Args) -> Step<Value> {
    let align = args.u64(1);
    if !align.is_power_of_two() || align < 8 {
        return Ok(Value::i32(22));
    }
    let Some(cell) = machine.allocate(args.u64(2), align, false)? else {
        return Ok(Value::i32(ENOMEM));
    };
    machine.memory.put::<8>(args.get(0), cell)?;
    Ok(ZERO)
}

fn usable_size(machine: &mut Machine, args: &Args) -> Step<Value> {
    if args.u64(0) == 0 {
        return Ok(ZERO);
    }
    let id = machine.cell(args.get(0))?;
    Ok(Value::int(machine.memory.object(id).size))
}

fn strdup(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut text = machine.memory.string_vec(args.get(0))?;
    text.push(0);
    machine.allocate_bytes(&text)
}

fn strndup(machine: &mut Machine, args: &Args) -> Step<Value> {
    let mut text = machine.memory.string_up_to(args.get(0), args.u64(1))?.to_vec();
    text.push(0);
    machine.allocate_bytes(&text)
}
