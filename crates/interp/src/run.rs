//! Running a program: options, the outcome, and what happens before and after `main`.

use caulk_ir::{RelocationTarget, ValueId};

use crate::decode::Addresses;
use crate::event::Listener;
use crate::fault::{Budget, Fault, Report, Step, Stop};
use crate::holders::Holders;
use crate::leaks::Leak;
use crate::library::{LibraryState, Output};
use crate::link::Program;
use crate::look::Watcher;
use crate::machine::Machine;
use crate::memory::{Memory, ObjectKind};
use crate::trace::Fact;
use crate::value::{Value, mask};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    pub steps: u64,
    pub memory: u64,
    /// Activations at once.
    pub depth: usize,
}

impl Default for Budgets {
    fn default() -> Self {
        Self { steps: u64::MAX, memory: 4 << 30, depth: 100_000 }
    }
}

/// What a call of a function does that nothing models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    #[default]
    Stop,
    /// It does nothing and returns 0.
    Havoc,
    /// If it takes and returns nothing but numbers, it returns the next of the given answers, and
    /// 0 when there are no more; else the run ends.
    Answer,
}

/// What happens when a value that was never set decides a branch or switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uninitialised {
    #[default]
    Stop,
    /// It is reported once per place, and the run goes on.
    Report,
    /// Memory that was never written reads as zero, and nothing is said.
    Ignore,
}

pub struct RunOptions<'a> {
    /// The program's arguments; the first is its name.
    pub args: Vec<Vec<u8>>,
    /// The function that is run instead of `main`, and the numbers that it is given.
    pub start: Option<(u32, Vec<i64>)>,
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    pub stdin: Vec<u8>,
    /// The file system at the start.
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
    /// The allocation that fails, counted from 1.
    pub fail_alloc: Option<u64>,
    pub budgets: Budgets,
    /// Note where each cell's last reference dies.
    pub watch_heap: bool,
    pub trace: Option<&'a mut dyn FnMut(&Fact)>,
    /// Told exactly what happens, by the ids that analyses use.
    pub events: Option<Listener<'a>>,
    /// Shown memory whenever a function of the program begins and returns.
    pub watcher: Option<Watcher<'a>>,
    /// In a watched run with a listener: every so many blocks it is told what holds each cell.
    pub sample: Option<u64>,
    pub unknown: Unknown,
    /// For [`Unknown::Answer`].
    pub answers: Vec<i64>,
    /// Seconds that the run begins later than others.
    pub later: u64,
    pub uninitialised: Uninitialised,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self {
            args: vec![b"program".to_vec()],
            start: None,
            env: Vec::new(),
            stdin: Vec::new(),
            files: Vec::new(),
            fail_alloc: None,
            budgets: Budgets::default(),
            watch_heap: false,
            trace: None,
            events: None,
            watcher: None,
            sample: None,
            unknown: Unknown::Stop,
            answers: Vec::new(),
            later: 0,
            uninitialised: Uninitialised::Stop,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Exit(i32),
    Signal(i32),
    Error(Report),
    UnknownExternal(String),
    OutOfBudget(Budget),
    /// No function `main` is defined.
    NoMain,
}

impl Status {
    /// What a shell would see.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        match self {
            Status::Exit(code) => Some(code & 0xff),
            Status::Signal(signal) => Some(128 + signal),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub status: Status,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files as they are in the end.
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
    pub leaks: Vec<Leak>,
    pub reports: Vec<Report>,
    pub steps: u64,
    pub allocations: u64,
    pub peak_memory: u64,
}

impl Outcome {
    /// A run that did not begin.
    fn empty(status: Status) -> Self {
        Self {
            status,
            stdout: Vec::new(),
            stderr: Vec::new(),
            files: Vec::new(),
            leaks: Vec::new(),
            reports: Vec::new(),
            steps: 0,
            allocations: 0,
            peak_memory: 0,
        }
    }
}

/// Runs the program from its constructors to its exit handlers.
pub fn run<'a>(program: &'a Program, mut options: RunOptions<'a>) -> Outcome {
    let args = std::mem::take(&mut options.args);
    let start = options.start.take();
    let Some(mut machine) = set_up(program, options) else {
        return Outcome::empty(Status::OutOfBudget(Budget::Memory));
    };
    let status = match start {
        None => machine.whole_run(args),
        Some((function, numbers)) => machine.run_of(function, &numbers),
    };
    machine.outcome(status)
}

/// A machine with the program in its memory; none when that is too large.
pub fn set_up<'a>(program: &'a Program, options: RunOptions<'a>) -> Option<Machine<'a>> {
    let total = program.objects.iter().fold(0_u64, |sum, row| sum.saturating_add(row.size));
    if total > options.budgets.memory {
        return None;
    }
    let mut memory = Memory::new(options.budgets.memory);
    memory.track_undefined = options.uninitialised != Uninitialised::Ignore;
    let addresses = place_program(program, &mut memory);
    let mut library = LibraryState::new(&mut memory, &options);
    let objects: Vec<(String, Value)> = library.objects(&mut memory);
    let mut addresses = addresses;
    bind_library_objects(program, &mut addresses, &objects);
    fill_globals(program, &addresses, &mut memory);
    let mut machine = Machine::new(program, memory, addresses, library, options.budgets);
    machine.index_functions();
    machine.watch = options.watch_heap;
    machine.unknown = options.unknown;
    machine.answers = options.answers.into_iter();
    machine.uninitialised = options.uninitialised;
    if options.watch_heap {
        machine.memory.holders = Some(Box::new(Holders::default()));
    }
    if options.trace.is_some() || options.events.is_some() {
        machine.memory.trace = Some(Vec::new());
    }
    machine.trace = options.trace;
    machine.events = options.events;
    machine.watcher = options.watcher;
    machine.sample = options.sample;
    machine.tell_statics();
    Some(machine)
}

impl Machine<'_> {
    fn whole_run(&mut self, args: Vec<Vec<u8>>) -> Status {
        let Some(main) = self.program.function_named("main") else { return Status::NoMain };
        if !self.program.functions[main as usize].defined {
            return Status::NoMain;
        }
        let result = self.start(main, args);
        let result = match result {
            Err(stop) => match *stop {
                Stop::Exit(code) => self.handlers().map(|()| code),
                _ => Err(stop),
            },
            Ok(code) => self.handlers().map(|()| code),
        };
        self.flush_all();
        self.status(result)
    }

    /// One function with numbers; what it returns is its caller's.
    fn run_of(&mut self, function: u32, numbers: &[i64]) -> Status {
        let Some(body) = self.program.body(function) else { return Status::NoMain };
        let width = |param: &ValueId| body.values[*param].scalar.int_bits().unwrap_or(64);
        let given = body.params.iter().zip(numbers.iter().chain(std::iter::repeat(&0)));
        let cut = |(param, &number): (&ValueId, &i64)| {
            let bits = number as u64;
            Value::int(if width(param) < 64 { bits & mask(width(param)) } else { bits })
        };
        let args: Vec<Value> = given.map(cut).collect();
        let result = self.call_function(function, &args);
        let result = result.map(|value| self.returned = value.origin());
        self.status(result.map(|()| 0))
    }

    fn start(&mut self, main: u32, args: Vec<Vec<u8>>) -> Step<i32> {
        let program = self.program;
        for &constructor in &program.constructors {
            self.call_function(constructor, &[])?;
        }
        let (count, table) = self.argument_vector(args)?;
        let environment = self.library.environ;
        self.call_function(main, &[count, table, environment]).map(Value::as_i32)
    }

    /// `argc` and `argv`.
    fn argument_vector(&mut self, args: Vec<Vec<u8>>) -> Step<(Value, Value)> {
        let table = self.memory.add_global((args.len() as u64 + 1) * 8, 8, ObjectKind::Library);
        let table = self.memory.address(table);
        for (index, arg) in args.iter().enumerate() {
            let text = self.memory.add_global(arg.len() as u64 + 1, 1, ObjectKind::Library);
            let text = self.memory.address(text);
            self.memory.write_string(text, arg)?;
            self.memory.store::<8>(table.moved(index as i64 * 8), text)?;
        }
        Ok((Value::i32(args.len() as i32), table))
    }

    /// `atexit` handlers in reverse, then destructors.
    fn handlers(&mut self) -> Step<()> {
        while let Some((handler, arg)) = self.library.at_exit.pop() {
            match self.call_pointer(handler, &[arg]) {
                Err(stop) if matches!(*stop, Stop::Exit(_)) => {}
                other => drop(other?),
            }
        }
        let program = self.program;
        for &destructor in &program.destructors {
            self.call_function(destructor, &[])?;
        }
        Ok(())
    }

    pub fn status(&mut self, result: Step<i32>) -> Status {
        match result {
            Ok(code) => Status::Exit(code),
            Err(stop) => match *stop {
                Stop::Fault(fault) => Status::Error(self.report(&fault)),
                Stop::Exit(code) | Stop::ExitNow(code) => Status::Exit(code),
                Stop::Signal(signal) => Status::Signal(signal),
                Stop::UnknownExternal(name) => Status::UnknownExternal(name),
                Stop::OutOfBudget(budget) => Status::OutOfBudget(budget),
                Stop::LongJump { .. } => {
                    let fault = Fault::new(crate::fault::FaultKind::BadJump, "longjmp to nowhere");
                    Status::Error(self.report(&fault))
                }
            },
        }
    }

    fn outcome(mut self, status: Status) -> Outcome {
        let leaks = match status {
            Status::Exit(_) => self.leaks(),
            _ => Vec::new(),
        };
        let allocations = self.library.allocations;
        let Output { stdout, stderr, files } = self.library.take_output();
        Outcome {
            status,
            stdout,
            stderr,
            files,
            leaks,
            reports: self.reports,
            steps: self.steps,
            allocations,
            peak_memory: self.memory.peak,
        }
    }

    fn index_functions(&mut self) {
        for (number, address) in self.addresses.functions.iter().enumerate() {
            self.by_address.insert(address.bits, number as u32);
        }
    }
}

/// Gives every function and object its address.
fn place_program(program: &Program, memory: &mut Memory) -> Addresses {
    let mut functions: Vec<Value> = (0..program.functions.len() as u32)
        .map(|function| {
            let row = &program.functions[function as usize];
            if !row.defined && row.weak && crate::library::find(&row.name).is_none() {
                return Value::int(0);
            }
            let labels = program.body(function).map_or(0, |body| body.labels.len() as u64);
            let id = memory.add_function(function, labels + 1);
            memory.address(id)
        })
        .collect();
    for (number, row) in program.functions.iter().enumerate() {
        if let Some(target) = row.alias_of {
            functions[number] = functions[target as usize];
        }
    }
    let objects = program
        .objects
        .iter()
        .enumerate()
        .map(|(number, row)| {
            if !row.defined {
                return Value::int(0);
            }
            let object = &program.modules[row.module].objects[row.id];
            let kind = match object.kind {
                caulk_ir::ObjectKind::StringLiteral => ObjectKind::Literal,
                _ => ObjectKind::Global(number as u32),
            };
            let id = memory.add_global(row.size.max(object.size), object.align.max(1), kind);
            memory.address(id)
        })
        .collect();
    Addresses { functions, objects }
}

/// `stdin`, `environ` and the like belong to the library where the program only declares them.
fn bind_library_objects(program: &Program, addresses: &mut Addresses, objects: &[(String, Value)]) {
    for (row, address) in program.objects.iter().zip(&mut addresses.objects) {
        let Some(name) = row.name.as_deref().filter(|_| !row.defined) else { continue };
        if let Some((_, found)) = objects.iter().find(|(known, _)| known == name) {
            *address = *found;
        }
    }
}

fn fill_globals(program: &Program, addresses: &Addresses, memory: &mut Memory) {
    for (number, row) in program.objects.iter().enumerate().filter(|(_, row)| row.defined) {
        let module = &program.modules[row.module];
        let object = &module.objects[row.id];
        let address = addresses.objects[number];
        if let Some(init) = &object.init {
            fill_global(program, addresses, memory, row.module, address, init);
        }
        if object.constant || object.kind == caulk_ir::ObjectKind::StringLiteral {
            memory.object_mut(address.origin()).writable = 0;
        }
    }
}

/// Writes the initial bytes. The verifier keeps them within the object, so the writes succeed.
fn fill_global(
    program: &Program,
    addresses: &Addresses,
    memory: &mut Memory,
    index: usize,
    address: Value,
    init: &caulk_ir::Init,
) {
    let size = memory.object(address.origin()).size as usize;
    let _ = memory.write(address, &init.bytes[..init.bytes.len().min(size)]);
    for relocation in &init.relocations {
        let function_at = |id| addresses.functions[program.function_number(index, id) as usize];
        let target = match relocation.target {
            RelocationTarget::Object(id) => {
                addresses.objects[program.object_number(index, id) as usize]
            }
            RelocationTarget::Function(id) => function_at(id),
            RelocationTarget::Label { function, label } => {
                function_at(function).moved(i64::from(label) + 1)
            }
            RelocationTarget::LabelDistance { label, base, .. } => {
                Value::int(u64::from(label).wrapping_sub(u64::from(base)))
            }
        };
        let value = target.moved(relocation.addend);
        let at = address.moved(relocation.offset as i64);
        let _ = memory.store_sized(at, value, usize::from(relocation.size));
    }
}
