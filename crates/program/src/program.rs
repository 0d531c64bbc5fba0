//! What a linked program is made of.

use caulk_base::{FxHashMap, SpanId, Table, define_id};
use caulk_ir::{Body, Function, FunctionBody, FunctionId, Module, Object, ObjectId};

use crate::twins::Twins;

define_id!(pub ModuleId, "m", "A translation unit of the program.");
define_id!(pub ProcId, "p", "A function with a body.");
define_id!(pub ExternalId, "x", "A function that no unit defines.");
define_id!(pub StaticId, "g", "An object of static storage, after linking.");

#[derive(Debug)]
pub struct Program {
    pub modules: Table<ModuleId, Module>,
    pub procs: Table<ProcId, Proc>,
    pub externals: Table<ExternalId, External>,
    pub statics: Table<StaticId, StaticObject>,
    pub(crate) bindings: Table<ModuleId, Table<FunctionId, Binding>>,
    /// What functions stand for in other programs of the compile database, where that is something else.
    pub(crate) elsewhere: FxHashMap<(ModuleId, FunctionId), Vec<ProcId>>,
    pub(crate) twins: Twins,
    pub(crate) static_of: Table<ModuleId, Table<ObjectId, StaticId>>,
}

/// A function with a body. Several may share one name: a compile database holds many programs.
#[derive(Clone, Debug)]
pub struct Proc {
    pub module: ModuleId,
    pub function: FunctionId,
    /// The linker's name.
    pub name: String,
    /// Other units can name it.
    pub exported: bool,
}

/// A function that no unit defines, or whose definitions were all refused.
#[derive(Clone, Debug)]
pub struct External {
    /// The linker's name.
    pub name: String,
    /// The first unit that declares it, for its type and attributes.
    pub module: ModuleId,
    pub function: FunctionId,
    /// A definition exists, but could not be lowered.
    pub refused: bool,
}

/// One object of static storage; all units that name it mean this one.
#[derive(Clone, Debug)]
pub struct StaticObject {
    /// The rows that stand for it, the one that defines it first.
    pub rows: Vec<(ModuleId, ObjectId)>,
    /// Other units, also those that caulk does not see, can name it.
    pub exported: bool,
    /// Some unit of this program defines it.
    pub defined: bool,
}

/// What a function of a module stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    /// One definition, or several when the program cannot be told from the compile database.
    Procs(Vec<ProcId>),
    External(ExternalId),
}

impl Program {
    #[must_use]
    pub fn module_of(&self, proc: ProcId) -> &Module {
        &self.modules[self.procs[proc].module]
    }

    #[must_use]
    pub fn function(&self, proc: ProcId) -> &Function {
        let row = &self.procs[proc];
        &self.modules[row.module].functions[row.function]
    }

    #[must_use]
    pub fn body(&self, proc: ProcId) -> &Body {
        match &self.function(proc).body {
            FunctionBody::Defined(body) => body,
            _ => unreachable!("a procedure has a body"),
        }
    }

    #[must_use]
    pub fn binding(&self, module: ModuleId, function: FunctionId) -> &Binding {
        &self.bindings[module][function]
    }

    /// Whether a program has one of two units and not the other: they define the same functions.
    #[must_use]
    pub fn are_twins(&self, a: ModuleId, b: ModuleId) -> bool {
        self.twins.are_twins(a, b)
    }

    /// The definitions that a name may stand for in another program of the compile database: a caller knows
    /// nothing of them, but they are called.
    pub(crate) fn elsewhere(&self, module: ModuleId, function: FunctionId) -> &[ProcId] {
        self.elsewhere.get(&(module, function)).map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub fn static_of(&self, module: ModuleId, object: ObjectId) -> StaticId {
        self.static_of[module][object]
    }

    /// The row that tells most of the object: its definition where there is one.
    #[must_use]
    pub fn object(&self, id: StaticId) -> (ModuleId, &Object) {
        let (module, object) = self.statics[id].rows[0];
        (module, &self.modules[module].objects[object])
    }

    #[must_use]
    pub fn external_function(&self, id: ExternalId) -> &Function {
        let row = &self.externals[id];
        &self.modules[row.module].functions[row.function]
    }

    /// `path:line` of a span, for people; nothing for what no source text stands for.
    #[must_use]
    pub fn place(&self, module: ModuleId, span: SpanId) -> Option<String> {
        let module = &self.modules[module];
        let start = module.spans.get(span)?.start;
        let file = module.files.get(start.file)?;
        Some(format!("{}:{}", file.path.display(), start.line))
    }
}
