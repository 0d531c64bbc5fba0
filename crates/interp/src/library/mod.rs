//! The C library, modelled: one file per family, each with a table of names. Nothing here
//! touches the real file system, network, clock or processes.

mod alloc;
mod ctype;
mod descriptors;
mod format;
mod gamma;
mod jump;
mod locale;
mod math;
mod numbers;
mod opening;
mod posix;
mod process;
mod random;
mod scan;
mod search;
mod state;
mod stdio;
mod streams;
mod strings;
mod text;
mod time;
mod wide;

use caulk_ir::Scalar;

use crate::fault::{Checked, Fault, FaultKind, Step};
use crate::machine::Machine;
use crate::value::Value;

pub use descriptors::Output;
pub use state::LibraryState;

/// A modelled function. The result is cut to the width of the declared one.
pub type LibraryFn = fn(&mut Machine, &Args) -> Step<Value>;

type Table = &'static [(&'static str, LibraryFn)];

const TABLES: &[Table] = &[
    alloc::TABLE,
    ctype::TABLE,
    jump::TABLE,
    locale::TABLE,
    math::TABLES[0],
    math::TABLES[1],
    math::TABLES[2],
    math::TABLES[3],
    numbers::TABLE,
    opening::TABLE,
    posix::TABLE,
    process::TABLE,
    random::TABLE,
    scan::TABLE,
    search::TABLE,
    stdio::TABLE,
    strings::TABLE,
    text::TABLE,
    time::TABLE,
    wide::TABLE,
];

/// The function of this name, also under its fortified and versioned spellings.
#[must_use]
pub fn find(name: &str) -> Option<LibraryFn> {
    other_names(name).find_map(look_up)
}

fn look_up(name: &str) -> Option<LibraryFn> {
    TABLES
        .iter()
        .flat_map(|table| table.iter())
        .find(|(known, _)| *known == name)
        .map(|&(_, run)| run)
}

/// The name itself, and the plain name behind `__isoc99_sscanf`, `__memcpy_chk`, `fopen64`.
pub fn other_names(name: &str) -> impl Iterator<Item = &str> {
    const PREFIXES: [&str; 6] = ["__isoc99_", "__isoc23_", "__builtin_", "__libc_", "_IO_", "__"];
    const SUFFIXES: [&str; 4] = ["_chk", "64", "_unlocked", "_l"];
    fn ending(text: &str) -> Option<&str> {
        SUFFIXES.iter().find_map(|suffix| text.strip_suffix(suffix))
    }
    let base = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
    [Some(name), base, ending(name), base.and_then(ending)].into_iter().flatten()
}

/// Names of all modelled functions, for documentation and tests.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().flat_map(|table| table.iter().map(|(name, _)| *name))
}

#[derive(Clone, Copy, Debug)]
pub struct Arg {
    pub value: Value,
    pub high: Value,
    pub scalar: Scalar,
    pub aggregate: Option<u64>,
}

/// The arguments of a call.
#[derive(Default)]
pub struct Args {
    values: Vec<Arg>,
    /// Memory for an aggregate result.
    pub into: Option<Value>,
}

impl Args {
    pub fn plain(values: &[Value]) -> Self {
        let mut args = Self::default();
        values.iter().for_each(|&value| args.push(value, Value::int(0), Scalar::I64, None));
        args
    }

    pub fn push(&mut self, value: Value, high: Value, scalar: Scalar, aggregate: Option<u64>) {
        self.values.push(Arg { value, high, scalar, aggregate });
    }

    pub fn get(&self, index: usize) -> Value {
        self.values.get(index).map_or(Value::int(0), |arg| arg.value)
    }

    pub fn arg(&self, index: usize) -> Option<Arg> {
        self.values.get(index).copied()
    }

    pub fn wide(&self, index: usize) -> (Value, Value) {
        self.values.get(index).map_or_else(Default::default, |arg| (arg.value, arg.high))
    }

    pub fn i32(&self, index: usize) -> i32 {
        self.get(index).as_i32()
    }

    pub fn i64(&self, index: usize) -> i64 {
        self.get(index).as_i64()
    }

    pub fn u64(&self, index: usize) -> u64 {
        self.get(index).bits
    }

    pub fn f64(&self, index: usize) -> f64 {
        self.get(index).as_f64()
    }

    /// An argument that was never given a value must not leave the program.
    pub fn check_defined(&self) -> Checked<()> {
        match self.values.iter().position(|arg| !arg.value.is_defined()) {
            None => Ok(()),
            Some(index) => {
                let message = format!("argument {} is uninitialised", index + 1);
                Err(Fault::new(FaultKind::Uninitialised, message))
            }
        }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.into = None;
    }
}

/// The null pointer, and zero.
pub const ZERO: Value = Value { bits: 0, meta: 0 };

fn bad_argument<T>(message: impl Into<String>) -> Step<T> {
    Err(Fault::new(FaultKind::BadArgument, message).into())
}

/// A function that does nothing and succeeds.
fn succeed(_: &mut Machine, _: &Args) -> Step<Value> {
    Ok(ZERO)
}

/// A function that is not there in this world: it fails with `ENOSYS`.
fn unsupported(machine: &mut Machine, _: &Args) -> Step<Value> {
    machine.fail(38)
}

impl Machine<'_> {
    pub fn set_errno(&mut self, code: i32) {
        let at = self.library.errno;
        // The object is the library's own and always writable.
        let _ = self.memory.put::<4>(at, Value::i32(code));
    }

    /// Sets `errno` and returns -1.
    pub fn fail(&mut self, code: i32) -> Step<Value> {
        self.set_errno(code);
        Ok(Value::int(u64::MAX))
    }

    /// Sets `errno` and returns NULL.
    pub fn fail_null(&mut self, code: i32) -> Step<Value> {
        self.set_errno(code);
        Ok(ZERO)
    }

    /// A string in static storage of the library.
    pub fn static_text(&mut self, text: &[u8]) -> Step<Value> {
        if let Some(&known) = self.library.texts.get(text) {
            return Ok(known);
        }
        let id =
            self.memory.add_global(text.len() as u64 + 1, 1, crate::memory::ObjectKind::Library);
        let at = self.memory.address(id);
        self.memory.write_string(at, text)?;
        self.library.texts.insert(text.to_vec(), at);
        Ok(at)
    }

    /// The library's buffer of this name, zero at first.
    pub fn static_buffer(&mut self, name: &'static str, size: u64) -> Value {
        if let Some(&known) = self.library.buffers.get(name) {
            return known;
        }
        let id = self.memory.add_global(size, 16, crate::memory::ObjectKind::Library);
        let at = self.memory.address(id);
        self.library.buffers.insert(name, at);
        at
    }
}
