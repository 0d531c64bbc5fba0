//! The program that is run: its modules, those functions of the C library that only read and write
//! the memory they are given, and the models of all others.

use std::collections::BTreeMap;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_interp::{LinkError, Program, ProgramFunction};
use caulk_ir::{Callee, Constant, FunctionBody, FunctionId, Inst, Module, RelocationTarget, parse};
use caulk_models::{Effect, FunctionModel, Models, Resource, Target, all_from_attributes};

use crate::callers::Callers;
use crate::names;
use crate::passed::Passed;
use crate::set::{self, Set};
use crate::stores::Stores;
use crate::value::Member;

/// The library functions that run as they are, lowest first.
const PRELUDE: [&str; 3] = [
    include_str!("../prelude/memory.ir"),
    include_str!("../prelude/strings.ir"),
    include_str!("../prelude/characters.ir"),
];

pub struct World {
    pub program: Program,
    /// How many of its modules are the user's.
    own: usize,
    /// How many instructions the user's functions have.
    size: u64,
    /// By the numbers of the program's functions.
    models: Vec<Option<FunctionModel>>,
    /// The functions with a body, by the source's name.
    by_name: FxHashMap<String, Vec<u32>>,
    /// The functions that the program puts into members of records.
    tables: FxHashMap<Member, Vec<u32>>,
    pub stores: Stores,
    pub callers: Callers,
    pub passed: Passed,
    pub set: Set,
    inside: Vec<Resource>,
    /// The functions that the user's program calls by name.
    called: FxHashSet<u32>,
}

impl World {
    pub fn new(mut modules: Vec<Module>, models: &Models) -> Result<Self, LinkError> {
        let own = modules.len();
        modules.extend(PRELUDE.iter().filter_map(|text| parse::module(text).ok()));
        let all = modules.len();
        let mut program = Program::link(modules)?;
        (own..all).for_each(|module| program.stand_in(module));
        let models = models_of(&program, models);
        let tables = tables(&program);
        let callers = Callers::new(&program);
        let stores = Stores::new(&program, &models, &callers);
        let passed = Passed::new(&program, &callers);
        let set = Set::new(&program);
        let (by_name, inside) = (FxHashMap::default(), inside(&models));
        let called = called(&program, own);
        let mut world = Self {
            program,
            own,
            size: 0,
            models,
            by_name,
            tables,
            stores,
            callers,
            passed,
            set,
            inside,
            called,
        };
        let own: Vec<u32> = world.own_functions().collect();
        let bodies = own.iter().filter_map(|&number| world.program.body(number));
        world.size = bodies.map(|body| body.insts.len() as u64).sum();
        for number in own {
            let name = world.program.function_name(number).to_owned();
            world.by_name.entry(name).or_default().push(number);
        }
        Ok(world)
    }

    pub fn into_modules(self) -> Vec<Module> {
        let mut modules = self.program.modules;
        modules.truncate(self.own);
        modules
    }

    pub fn model(&self, function: u32) -> Option<&FunctionModel> {
        self.models[function as usize].as_ref()
    }

    /// Whether a release of such a resource leaves the object that holds it: `regfree`.
    pub fn is_inside(&self, resource: &Resource) -> bool {
        self.inside.contains(resource)
    }

    /// Whether calls in the program tell what a function is given.
    pub fn is_called(&self, function: u32) -> bool {
        self.called.contains(&function)
    }

    /// What a member of a record may point to.
    pub fn functions_in(&self, member: &Member) -> &[u32] {
        self.tables.get(member).map_or(&[], Vec::as_slice)
    }

    /// How many instructions the user's functions have.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether a function is the user's, and not of the library that runs along.
    pub fn is_own(&self, function: u32) -> bool {
        self.program.functions[function as usize].module < self.own
    }

    /// The user's functions with a body.
    pub fn own_functions(&self) -> impl Iterator<Item = u32> {
        let rows = self.program.functions.iter().zip(0..);
        let is_own =
            |row: &ProgramFunction| row.defined && row.alias_of.is_none() && row.module < self.own;
        rows.filter(move |(row, _)| is_own(row)).map(|(_, number)| number)
    }

    /// The modules that are the user's.
    pub fn own_modules(&self) -> &[Module] {
        &self.program.modules[..self.own]
    }

    pub fn named(&self, name: &str) -> &[u32] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The resources that live inside objects of the program.
fn inside(models: &[Option<FunctionModel>]) -> Vec<Resource> {
    let effects = models.iter().flatten().flat_map(|model| &model.effects);
    let resource = |effect: &Effect| match effect {
        Effect::Allocates { to: Target::Inside(_), resource, .. } => Some(resource.clone()),
        _ => None,
    };
    effects.filter_map(resource).collect()
}

fn called(program: &Program, own: usize) -> FxHashSet<u32> {
    let mut called = FxHashSet::default();
    for (number, module) in program.modules[..own].iter().enumerate() {
        let bodies = module.functions.rows().iter().filter_map(|row| match &row.body {
            FunctionBody::Defined(body) => Some(body),
            _ => None,
        });
        for call in bodies.flat_map(|body| body.calls.rows()) {
            if let Callee::Function(id) = call.callee {
                called.insert(program.function_number(number, id));
            }
        }
    }
    called
}

/// What assignments put there, then what initialisers do: those come first in a program's life.
fn tables(program: &Program) -> FxHashMap<Member, Vec<u32>> {
    let mut tables: FxHashMap<Member, Vec<u32>> = FxHashMap::default();
    for function in 0..program.functions.len() as u32 {
        let module = program.functions[function as usize].module;
        let Some(body) = program.body(function) else { continue };
        for inst in body.insts.rows() {
            let Inst::Store { to, value, .. } = *inst else { continue };
            let Some(Constant::Function(id)) = body.constant(value) else { continue };
            let Some(member) = set::member(program, module, body, to) else { continue };
            put(&mut tables, member, program.function_number(module, id));
        }
    }
    for (number, module) in program.modules.iter().enumerate() {
        for (_, object) in module.objects.iter() {
            let rows = object.init.iter().flat_map(|init| &init.relocations);
            for row in rows {
                let RelocationTarget::Function(id) = row.target else { continue };
                let at = row.offset as i64;
                let Some(member) = names::member_at(program, (number, object.ty), at) else {
                    continue;
                };
                put(&mut tables, member, program.function_number(number, id));
            }
        }
    }
    tables
}

fn put(tables: &mut FxHashMap<Member, Vec<u32>>, member: Member, function: u32) {
    let known = tables.entry(member).or_default();
    if !known.contains(&function) {
        known.push(function);
    }
}

type ByFunction = BTreeMap<FunctionId, FunctionModel>;

/// The user's and the bundled models, then the attributes of declarations.
fn models_of(program: &Program, models: &Models) -> Vec<Option<FunctionModel>> {
    let mut declared: FxHashMap<usize, ByFunction> = FxHashMap::default();
    let mut model = |row: &ProgramFunction| {
        if row.defined {
            return None;
        }
        let module = &program.modules[row.module];
        if let Some(found) = models.of_declaration(module, row.id, &row.name) {
            return Some(found.clone());
        }
        let read = || all_from_attributes(module);
        declared.entry(row.module).or_insert_with(read).get(&row.id).cloned()
    };
    program.functions.iter().map(&mut model).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prelude_is_valid() {
        for text in PRELUDE {
            let module = parse::module(text).unwrap();
            assert_eq!(caulk_ir::verify::module(&module), Vec::new());
        }
    }
}
