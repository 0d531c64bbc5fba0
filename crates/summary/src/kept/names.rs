//! Names of procedures and static objects that stay the same while the rest of the program changes:
//! by unit, name and, for what has no name, content. Those that are equal in all of it are counted.

use std::hash::{Hash, Hasher};

use caulk_base::{FxHashMap, Id, Table};
use caulk_ir::ObjectKind;
use caulk_program::{ProcId, Program, StaticId};

/// A hash that tells apart whatever differs.
pub type Stable = u128;

/// Collects what is hashed.
#[derive(Default)]
pub struct Digest(Vec<u8>);

impl Digest {
    pub fn of(value: &(impl Hash + ?Sized)) -> Stable {
        let mut digest = Self::default();
        value.hash(&mut digest);
        digest.stable()
    }

    pub fn of_bytes(bytes: &[u8]) -> Stable {
        let mut first = [0; 16];
        first.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Stable::from_le_bytes(first)
    }

    pub fn stable(&self) -> Stable {
        Self::of_bytes(&self.0)
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// For the trait alone: too short for a name.
    fn finish(&self) -> u64 {
        self.stable() as u64
    }
}

pub struct Names {
    procs: Both<ProcId>,
    statics: Both<StaticId>,
}

impl Names {
    pub fn new(program: &Program) -> Self {
        let proc_name = |id: ProcId| {
            let row = &program.procs[id];
            Digest::of(&(&program.module_of(id).name, &row.name, row.exported))
        };
        Self {
            procs: Both::new(program.procs.ids().map(proc_name)),
            statics: Both::new(program.statics.ids().map(|id| static_name(program, id))),
        }
    }

    pub fn of_proc(&self, id: ProcId) -> Stable {
        self.procs.names[id]
    }

    pub fn of_static(&self, id: StaticId) -> Stable {
        self.statics.names[id]
    }

    pub fn proc(&self, name: Stable) -> Option<ProcId> {
        self.procs.ids.get(&name).copied()
    }

    pub fn object(&self, name: Stable) -> Option<StaticId> {
        self.statics.ids.get(&name).copied()
    }
}

fn static_name(program: &Program, id: StaticId) -> Stable {
    let (module, object) = program.object(id);
    let module = &program.modules[module];
    let function = match object.kind {
        ObjectKind::StaticLocal(function) => Some(module.function_name(function)),
        _ => None,
    };
    let name = object.name.map(|name| module.names.text(name));
    // Texts are compared by what they say.
    let content = object.init.as_ref().filter(|_| name.is_none()).map(|init| &init.bytes);
    Digest::of(&(&module.name, name, function, content, object.linkage))
}

/// From ids to names and back.
struct Both<I> {
    names: Table<I, Stable>,
    ids: FxHashMap<Stable, I>,
}

impl<I: Id> Both<I> {
    fn new(names: impl Iterator<Item = Stable>) -> Self {
        let mut all = Self { names: Table::new(), ids: FxHashMap::default() };
        let mut seen: FxHashMap<Stable, u32> = FxHashMap::default();
        for name in names {
            let count = seen.entry(name).or_default();
            let name = if *count == 0 { name } else { Digest::of(&(name, *count)) };
            *count += 1;
            let id = all.names.push(name);
            all.ids.insert(name, id);
        }
        all
    }
}
