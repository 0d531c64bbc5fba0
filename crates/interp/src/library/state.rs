//! What the library remembers during a run.

use caulk_base::FxHashMap;

use super::Args;
use super::descriptors::{Descriptors, Output};
use super::random::Random;
use super::streams::{STDERR, STDIN, STDOUT, Stream};
use super::time::NOW;
use crate::memory::{Memory, ObjectKind};
use crate::run::RunOptions;
use crate::value::{Origin, Value};

pub struct LibraryState {
    pub errno: Value,
    pub environ: Value,
    /// The variable `environ`, which points to the table.
    environ_at: Value,
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Strings that `putenv` made part of the environment.
    pub env_texts: Vec<Value>,
    pub at_exit: Vec<(Value, Value)>,
    pub at_quick_exit: Vec<Value>,
    pub allocations: u64,
    pub fail_alloc: Option<u64>,
    pub texts: FxHashMap<Vec<u8>, Value>,
    pub buffers: FxHashMap<&'static str, Value>,
    pub descriptors: Descriptors,
    pub streams: Vec<Stream>,
    pub random: Random,
    pub strtok: Value,
    pub rand48: u64,
    pub signals: FxHashMap<i32, Value>,
    pub keys: Vec<Value>,
    pub clock: u64,
    later: u64,
    spare: Vec<Args>,
}

impl LibraryState {
    pub fn new(memory: &mut Memory, options: &RunOptions) -> Self {
        let errno = memory.add_global(4, 4, ObjectKind::Library);
        let environ_at = memory.add_global(8, 8, ObjectKind::Library);
        let mut state = Self {
            errno: memory.address(errno),
            environ: Value::int(0),
            environ_at: memory.address(environ_at),
            env: options.env.clone(),
            env_texts: Vec::new(),
            at_exit: Vec::new(),
            at_quick_exit: Vec::new(),
            allocations: 0,
            fail_alloc: options.fail_alloc,
            texts: FxHashMap::default(),
            buffers: FxHashMap::default(),
            descriptors: Descriptors::new(&options.stdin, &options.files, options.budgets.memory),
            streams: Vec::new(),
            random: Random::new(1),
            strtok: Value::int(0),
            rand48: 0x1234_abcd_330e,
            signals: FxHashMap::default(),
            keys: Vec::new(),
            clock: 0,
            later: options.later,
            spare: Vec::new(),
        };
        state.make_environ(memory);
        for descriptor in [STDIN, STDOUT, STDERR] {
            state.open_stream(memory, descriptor, descriptor == STDIN, descriptor != STDIN);
        }
        state
    }

    /// Seconds since the epoch.
    pub fn now(&self) -> i64 {
        NOW.saturating_add_unsigned(self.later)
    }

    fn make_environ(&mut self, memory: &mut Memory) {
        let table = memory.add_global((self.env.len() as u64 + 1) * 8, 8, ObjectKind::Library);
        let table = memory.address(table);
        for (index, (name, value)) in self.env.iter().enumerate() {
            let text = [&name[..], b"=", &value[..]].concat();
            let at = memory.add_global(text.len() as u64 + 1, 1, ObjectKind::Library);
            let at = memory.address(at);
            // Fresh library objects of the right size: the writes succeed.
            let _ = memory.write_string(at, &text);
            let _ = memory.store::<8>(table.moved(index as i64 * 8), at);
        }
        self.environ = table;
        let _ = memory.store::<8>(self.environ_at, table);
    }

    pub fn open_stream(
        &mut self,
        memory: &mut Memory,
        descriptor: usize,
        read: bool,
        write: bool,
    ) -> Value {
        let number = self.streams.len() as u32;
        let id = memory.add_global(216, 8, ObjectKind::File(number));
        let handle = memory.address(id);
        self.streams.push(Stream::new(descriptor, handle, read, write));
        handle
    }

    /// Objects that the library defines, by name.
    pub fn objects(&mut self, memory: &mut Memory) -> Vec<(String, Value)> {
        let mut objects = Vec::new();
        for (index, name) in ["stdin", "stdout", "stderr"].into_iter().enumerate() {
            let id = memory.add_global(8, 8, ObjectKind::Library);
            let at = memory.address(id);
            let _ = memory.store::<8>(at, self.streams[index].handle);
            objects.push((name.to_string(), at));
        }
        for name in ["environ", "__environ", "_environ"] {
            objects.push((name.to_string(), self.environ_at));
        }
        for name in [
            "program_invocation_name",
            "program_invocation_short_name",
            "__progname",
            "optarg",
            "optind",
            "opterr",
            "optopt",
            "timezone",
            "daylight",
            "tzname",
            "signgam",
            "sys_siglist",
        ] {
            let id = memory.add_global(64, 8, ObjectKind::Library);
            let at = memory.address(id);
            let first = match name {
                "optind" | "opterr" => Value::int(1),
                _ => Value::int(0),
            };
            let _ = memory.store::<8>(at, first);
            objects.push((name.to_string(), at));
            if name.starts_with("opt") {
                self.buffers.insert(name, at);
            }
        }
        objects
    }

    pub fn take_args(&mut self) -> Args {
        self.spare.pop().unwrap_or_default()
    }

    pub fn give_args(&mut self, mut args: Args) {
        args.clear();
        self.spare.push(args);
    }

    /// Cells that the library itself keeps hold of.
    pub fn roots(&self) -> Vec<Origin> {
        let handlers = self.at_exit.iter().flat_map(|&(handler, arg)| [handler, arg]);
        handlers
            .chain(self.keys.iter().copied())
            .chain(self.env_texts.iter().copied())
            .chain([self.strtok])
            .chain(self.streams.iter().flat_map(|stream| stream.kept()))
            .map(Value::origin)
            .filter(|&origin| origin != 0)
            .collect()
    }

    /// Standard output, standard error and all files.
    pub fn take_output(self) -> Output {
        self.descriptors.into_output()
    }
}
