//! Modules into one program.
//!
//! Every definition is kept. A name stands for the definition in its own unit, else for the one
//! of the same link target when that is known, else for all candidates: a compile database often
//! holds many programs, each with its own `main` and `usage`. Of those, a definition that takes other
//! arguments than the declaration is another program's, and of units that define the same functions
//! (`twins`) a caller has the nearest. A strong definition hides weak ones. Objects of one external name are one object, whatever number of programs define it:
//! taking two programs' globals for one can only add flow, and every flow that exists is kept.

use caulk_base::{FxHashMap, FxHashSet, Name, Table};
use caulk_ir::{
    Attribute, Definition, Function, FunctionBody, FunctionId, Linkage, Module, Object, ObjectId,
    Signature,
};

use crate::program::{
    Binding, External, ExternalId, ModuleId, Proc, ProcId, Program, StaticId, StaticObject,
};
use crate::twins::Twins;

/// A module, and the program or library that it is linked into, when the build tells.
#[derive(Clone, Debug)]
pub struct LinkUnit {
    pub module: Module,
    pub target: Option<String>,
}

#[must_use]
pub fn link(units: Vec<LinkUnit>) -> Program {
    let mut modules = Table::new();
    let mut targets: Table<ModuleId, Option<String>> = Table::new();
    for unit in units {
        modules.push(unit.module);
        targets.push(unit.target);
    }
    let (procs, proc_of) = definitions(&modules);
    let (statics, static_of) = link_objects(&modules);
    let candidates = candidates(&modules, &procs);
    let mut linker = Linker {
        modules: &modules,
        targets: &targets,
        twins: twins(&modules, &procs, &candidates),
        candidates,
        procs: &procs,
        proc_of: &proc_of,
        externals: Table::new(),
        external_by_name: FxHashMap::default(),
        elsewhere: FxHashMap::default(),
    };
    let bindings = modules.ids().map(|module| linker.bind_module(module)).collect();
    let Linker { externals, elsewhere, twins, .. } = linker;
    Program { procs, externals, statics, bindings, elsewhere, twins, static_of, modules }
}

type ProcOf = Table<ModuleId, Table<FunctionId, Option<ProcId>>>;

fn definitions(modules: &Table<ModuleId, Module>) -> (Table<ProcId, Proc>, ProcOf) {
    let mut procs = Table::new();
    let proc_of = modules
        .iter()
        .map(|(id, module)| {
            let number = |(function, row)| define(id, module, function, row, &mut procs);
            module.functions.iter().map(number).collect()
        })
        .collect();
    (procs, proc_of)
}

/// A program that brings its own `malloc` still allocates by calling it, and the insides of that
/// `malloc` (free lists in memory from the kernel) tell nothing: calls of these names go to the
/// model, the definitions are analysed like any other function.
const BASE_ALLOCATORS: &[&str] = &[
    "aligned_alloc",
    "calloc",
    "cfree",
    "free",
    "malloc",
    "memalign",
    "posix_memalign",
    "realloc",
    "reallocarray",
    "valloc",
];

fn define(
    module_id: ModuleId,
    module: &Module,
    function: FunctionId,
    row: &Function,
    procs: &mut Table<ProcId, Proc>,
) -> Option<ProcId> {
    let FunctionBody::Defined(_) = row.body else { return None };
    let name = linker_name(module, row.name, &row.attributes).to_string();
    let exported = row.linkage == Linkage::External;
    Some(procs.push(Proc { module: module_id, function, name, exported }))
}

/// The exported definitions of each name; those without a body are none.
type Candidates = FxHashMap<String, Vec<Candidate>>;

#[derive(Clone, Copy)]
struct Candidate {
    proc: ProcId,
    weak: bool,
}

fn candidates(modules: &Table<ModuleId, Module>, procs: &Table<ProcId, Proc>) -> Candidates {
    let mut found = Candidates::default();
    for (proc, row) in procs.iter().filter(|(_, row)| row.exported) {
        let weak =
            modules[row.module].functions[row.function].attributes.contains(&Attribute::Weak);
        found.entry(row.name.clone()).or_default().push(Candidate { proc, weak });
    }
    found
}

fn twins(
    modules: &Table<ModuleId, Module>,
    procs: &Table<ProcId, Proc>,
    candidates: &Candidates,
) -> Twins {
    let module_of = |it: &Candidate| procs[it.proc].module;
    let defining =
        candidates.iter().map(|(name, list)| (name.as_str(), list.iter().map(module_of).collect()));
    Twins::new(modules, defining)
}

struct Linker<'m> {
    modules: &'m Table<ModuleId, Module>,
    targets: &'m Table<ModuleId, Option<String>>,
    candidates: Candidates,
    twins: Twins,
    procs: &'m Table<ProcId, Proc>,
    proc_of: &'m ProcOf,
    externals: Table<ExternalId, External>,
    external_by_name: FxHashMap<String, ExternalId>,
    elsewhere: FxHashMap<(ModuleId, FunctionId), Vec<ProcId>>,
}

impl Linker<'_> {
    fn bind_module(&mut self, module: ModuleId) -> Table<FunctionId, Binding> {
        self.modules[module].functions.ids().map(|id| self.bind(module, id)).collect()
    }

    fn bind(&mut self, module: ModuleId, function: FunctionId) -> Binding {
        let row = &self.modules[module].functions[function];
        let name = linker_name(&self.modules[module], row.name, &row.attributes);
        if row.linkage == Linkage::External && BASE_ALLOCATORS.contains(&name) {
            return Binding::External(self.external(module, function, name.to_string()));
        }
        if let Some(proc) = self.proc_of[module][function] {
            return Binding::Procs(vec![proc]);
        }
        if let Some(target) = self.alias_target(module, row) {
            return self.bind(module, target);
        }
        let procs = match row.linkage {
            Linkage::External => self.choose(module, function, name),
            _ => Vec::new(),
        };
        if !procs.is_empty() {
            return Binding::Procs(self.together(module, function, procs));
        }
        let name = name.to_string();
        Binding::External(self.external(module, function, name))
    }

    /// `__attribute__((alias("target")))` names a definition of the same unit.
    fn alias_target(&self, module: ModuleId, row: &Function) -> Option<FunctionId> {
        let rows = &self.modules[module];
        let target = row.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Alias(name) => Some(*name),
            _ => None,
        })?;
        let is_target = |&(id, row): &(FunctionId, &Function)| {
            self.proc_of[module][id].is_some()
                && linker_name(rows, row.name, &row.attributes) == rows.names.text(target)
        };
        rows.functions.iter().find(is_target).map(|(id, _)| id)
    }

    fn choose(&self, module: ModuleId, function: FunctionId, name: &str) -> Vec<ProcId> {
        let Some(all) = self.candidates.get(name) else { return Vec::new() };
        let is_near = |it: &Candidate| self.same_target(module, self.procs[it.proc].module);
        let near = some_or_all(all, is_near);
        let chosen = some_or_all(&near, |it| self.takes_the_same(module, function, it.proc));
        let any_strong = chosen.iter().any(|candidate| !candidate.weak);
        chosen
            .iter()
            .filter(|candidate| !(any_strong && candidate.weak))
            .map(|candidate| candidate.proc)
            .collect()
    }

    /// The definitions that one program has; the others are remembered.
    fn together(
        &mut self,
        module: ModuleId,
        function: FunctionId,
        procs: Vec<ProcId>,
    ) -> Vec<ProcId> {
        if procs.len() < 2 {
            return procs;
        }
        let units: Vec<ModuleId> = procs.iter().map(|&proc| self.procs[proc].module).collect();
        let units = self.twins.together(self.modules, module, &units);
        let is_ours = |&proc: &ProcId| units.contains(&self.procs[proc].module);
        let (ours, others): (Vec<ProcId>, Vec<ProcId>) = procs.into_iter().partition(is_ours);
        if !others.is_empty() {
            self.elsewhere.insert((module, function), others);
        }
        ours
    }

    /// Whether a definition has the parameters that a declaration promises, as far as both tell.
    fn takes_the_same(&self, module: ModuleId, function: FunctionId, proc: ProcId) -> bool {
        let defined = &self.procs[proc];
        let promised = signature(&self.modules[module], function);
        let taken = signature(&self.modules[defined.module], defined.function);
        let shape = |it: &Signature| (it.params.len(), it.variadic);
        !promised.prototyped || shape(promised) == shape(taken)
    }

    fn same_target(&self, a: ModuleId, b: ModuleId) -> bool {
        self.targets[a].is_some() && self.targets[a] == self.targets[b]
    }

    /// A static function without a body is external to the analysis, under its own name: its
    /// definition was refused.
    fn external(&mut self, module: ModuleId, function: FunctionId, name: String) -> ExternalId {
        let row = &self.modules[module].functions[function];
        let refused = matches!(row.body, FunctionBody::Refused(_));
        let key = match row.linkage {
            Linkage::External => name.clone(),
            _ => format!("{name} in {module}"),
        };
        let externals = &mut self.externals;
        let id = *self
            .external_by_name
            .entry(key)
            .or_insert_with(|| externals.push(External { name, module, function, refused: false }));
        externals[id].refused |= refused;
        id
    }
}

type StaticOf = Table<ModuleId, Table<ObjectId, StaticId>>;

fn link_objects(modules: &Table<ModuleId, Module>) -> (Table<StaticId, StaticObject>, StaticOf) {
    let mut statics = Table::new();
    let mut by_name: FxHashMap<String, StaticId> = FxHashMap::default();
    let aliases = object_aliases(modules);
    let mut static_of = StaticOf::new();
    for (id, module) in modules.iter() {
        let link = |object| {
            let name = object_name(&aliases, id, module, object);
            link_object(&mut statics, &mut by_name, name, (id, object), &module.objects[object])
        };
        static_of.push(module.objects.ids().map(link).collect());
    }
    (statics, static_of)
}

/// Objects that are another by `__attribute__((alias("target")))`.
#[derive(Default)]
struct ObjectAliases {
    /// The name of the target, by that of the alias.
    targets: FxHashMap<String, String>,
    /// Targets that only their own unit can name.
    inside: FxHashSet<(ModuleId, ObjectId)>,
}

fn object_aliases(modules: &Table<ModuleId, Module>) -> ObjectAliases {
    let mut aliases = ObjectAliases::default();
    for (id, module) in modules.iter() {
        for row in module.objects.rows() {
            let target = row.attributes.iter().find_map(|attribute| match attribute {
                Attribute::Alias(name) => Some(module.names.text(*name)),
                _ => None,
            });
            if let (Some(name), Some(target)) = (own_name(module, row), target)
                && let Some((object, found)) =
                    module.objects.iter().find(|(_, row)| own_name(module, row) == Some(target))
            {
                let key = match found.linkage {
                    Linkage::External => target.to_string(),
                    _ => inner_name(target, id),
                };
                aliases.targets.entry(name.to_string()).or_insert(key);
                if found.linkage != Linkage::External {
                    aliases.inside.insert((id, object));
                }
            }
        }
    }
    aliases
}

fn own_name<'m>(module: &'m Module, row: &Object) -> Option<&'m str> {
    row.name.map(|name| linker_name(module, name, &row.attributes))
}

fn inner_name(name: &str, module: ModuleId) -> String {
    format!("{name} in {module}")
}

/// The name under which an object is one with others; none if it is itself alone.
fn object_name(
    aliases: &ObjectAliases,
    id: ModuleId,
    module: &Module,
    object: ObjectId,
) -> Option<String> {
    let row = &module.objects[object];
    let name = own_name(module, row)?;
    if aliases.inside.contains(&(id, object)) {
        return Some(inner_name(name, id));
    }
    let is_alias = row.attributes.iter().any(|it| matches!(it, Attribute::Alias(_)));
    (row.linkage == Linkage::External || is_alias)
        .then(|| aliases.targets.get(name).map_or(name, String::as_str).to_string())
}

fn link_object(
    statics: &mut Table<StaticId, StaticObject>,
    by_name: &mut FxHashMap<String, StaticId>,
    name: Option<String>,
    place: (ModuleId, ObjectId),
    row: &Object,
) -> StaticId {
    let exported = row.linkage == Linkage::External;
    let defined = row.definition != Definition::Declared;
    let Some(&known) = name.as_ref().and_then(|name| by_name.get(name)) else {
        let id = statics.push(StaticObject { rows: vec![place], exported, defined });
        by_name.extend(name.map(|name| (name, id)));
        return id;
    };
    let linked = &mut statics[known];
    linked.rows.push(place);
    linked.exported |= exported;
    // An initialised definition tells most, then any definition, then the first declaration.
    if defined && (!linked.defined || row.definition == Definition::Defined) {
        let last = linked.rows.len() - 1;
        linked.rows.swap(0, last);
    }
    linked.defined |= defined;
    known
}

/// Those that are wanted; all if none is.
fn some_or_all(all: &[Candidate], is_wanted: impl Fn(&Candidate) -> bool) -> Vec<Candidate> {
    let wanted: Vec<Candidate> = all.iter().copied().filter(is_wanted).collect();
    if wanted.is_empty() { all.to_vec() } else { wanted }
}

fn signature(module: &Module, function: FunctionId) -> &Signature {
    &module.types.signatures[module.functions[function].signature]
}

/// The name that the linker sees.
fn linker_name<'m>(module: &'m Module, name: Name, attributes: &[Attribute]) -> &'m str {
    let symbol = attributes.iter().find_map(|attribute| match attribute {
        Attribute::Symbol(symbol) => Some(*symbol),
        _ => None,
    });
    module.names.text(symbol.unwrap_or(name))
}
