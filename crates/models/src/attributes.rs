//! Models from attributes in the source, which say a part of what a model file can.
//!
//! Absent on purpose: `nonnull`, `access`, `format` and `fd_arg` restrict callers and say
//! nothing of what is kept.

use std::collections::BTreeMap;

use caulk_base::Name;
use caulk_ir::{Attribute, Function, FunctionId, Module, Type};

use crate::complete::complete;
use crate::model::{
    Args, Effect, Freed, FunctionModel, ResultKind, Returns, Target, Unmentioned, When,
};
use crate::resource::Resource;

/// What a declaration's own attributes say; none when they say nothing of interest.
#[must_use]
pub fn from_attributes(module: &Module, function: &Function) -> Option<FunctionModel> {
    let mut model = FunctionModel::harmless();
    model.unmentioned = Unmentioned::Unknown;
    model.result = ResultKind::Unknown;
    let untold = model.clone();
    for attribute in &function.attributes {
        apply(module, attribute, &mut model);
    }
    let releases = releases(module, function);
    if makes_memory(module, function) && returns_pointer(module, function) {
        let resource = made(module, function).unwrap_or_else(Resource::memory);
        model.effects.push(allocation(resource, releases, !model.nonnull));
    }
    let is_number = model.pure && !returns_pointer(module, function);
    complete(&mut model, Some(if is_number { ResultKind::Plain } else { ResultKind::Unknown }));
    (model != untold).then_some(model)
}

/// The models of all functions of a module whose attributes say something, with those that an
/// allocator's `malloc(release)` names.
#[must_use]
pub fn all_from_attributes(module: &Module) -> BTreeMap<FunctionId, FunctionModel> {
    let own = |(id, function)| Some((id, from_attributes(module, function)?));
    let mut models: BTreeMap<_, _> = module.functions.iter().filter_map(own).collect();
    let released = released_by_name(module);
    for (id, function) in module.functions.iter() {
        for effect in released.get(&function.name).into_iter().flatten() {
            let model = models.entry(id).or_insert_with(unknown);
            if !model.effects.contains(effect) {
                model.effects.push(effect.clone());
            }
        }
    }
    models
}

fn unknown() -> FunctionModel {
    FunctionModel {
        result: ResultKind::Unknown,
        unmentioned: Unmentioned::Unknown,
        ..FunctionModel::harmless()
    }
}

fn apply(module: &Module, attribute: &Attribute, model: &mut FunctionModel) {
    match attribute {
        Attribute::Noreturn => model.returns = Returns::Never,
        Attribute::ReturnsTwice => model.returns_twice = true,
        Attribute::ReturnsNonNull => model.nonnull = true,
        Attribute::Pure | Attribute::Const => {
            model.pure = true;
            model.reads_memory |= *attribute == Attribute::Pure;
            model.unmentioned = Unmentioned::Used;
        }
        Attribute::OwnershipTakes { class, arguments } => {
            let resource = resource_of_class(module.names.text(*class));
            let freed = arguments.iter().filter_map(|argument| argument.checked_sub(1));
            model.effects.extend(freed.map(|arg| release(arg, resource.clone())));
        }
        Attribute::OwnershipHolds { arguments, .. } => {
            let kept = arguments.iter().filter_map(|argument| argument.checked_sub(1));
            let keep = |arg| Effect::Keeps { args: Args::one(arg), when: When::Always };
            model.effects.extend(kept.map(keep));
        }
        _ => {}
    }
}

fn release(arg: u32, resource: Resource) -> Effect {
    let (args, what, when) = (Args::one(arg), Freed::Argument, When::Always);
    Effect::Frees { args, what, resource, others: Vec::new(), when }
}

fn allocation(resource: Resource, releases: Vec<String>, may_fail: bool) -> Effect {
    let (to, zeroed) = (Target::Result, false);
    let when = if may_fail { When::OnSuccess } else { When::Always };
    Effect::Allocates { to, resource, releases, zeroed, may_fail, when }
}

fn makes_memory(module: &Module, function: &Function) -> bool {
    function.attributes.iter().any(|attribute| match attribute {
        Attribute::Malloc | Attribute::MallocDealloc { .. } => true,
        Attribute::OwnershipReturns { .. } => true,
        Attribute::AllocSize { .. } => !takes_pointer(module, function),
        _ => false,
    })
}

fn returns_pointer(module: &Module, function: &Function) -> bool {
    let types = &module.types;
    matches!(types.types[types.signatures[function.signature].result], Type::Pointer { .. })
}

/// With `alloc_size` alone, a pointer argument is the old block of a reallocation, or a pool
/// that keeps what it hands out.
fn takes_pointer(module: &Module, function: &Function) -> bool {
    let types = &module.types;
    let params = &types.signatures[function.signature].params;
    params.iter().any(|param| matches!(types.types[*param], Type::Pointer { to_const: false, .. }))
}

/// The names of the functions that release what an allocator's attributes say it makes.
fn releases(module: &Module, function: &Function) -> Vec<String> {
    let told: Vec<String> =
        deallocators(function).map(|(name, _)| plain(module, name).to_string()).collect();
    if told.is_empty() { vec!["free".to_string()] } else { told }
}

/// The name of a function, also where the compiler's own name for it is given.
fn plain(module: &Module, name: Name) -> &str {
    let name = module.names.text(name);
    name.strip_prefix("__builtin_").unwrap_or(name)
}

fn deallocators(function: &Function) -> impl Iterator<Item = (Name, u32)> {
    function.attributes.iter().filter_map(|attribute| match attribute {
        Attribute::MallocDealloc { function, argument } => Some((*function, *argument)),
        _ => None,
    })
}

/// The resource that an allocator makes: by its ownership class, else by its release function.
fn made(module: &Module, function: &Function) -> Option<Resource> {
    let class = function.attributes.iter().find_map(|attribute| match attribute {
        Attribute::OwnershipReturns { class } => Some(resource_of_class(module.names.text(*class))),
        _ => None,
    });
    let mut names = deallocators(function).map(|(name, _)| plain(module, name));
    class.or_else(|| {
        let first = names.next()?;
        let is_memory = first == "free" || names.any(|name| name == "free");
        Some(if is_memory { Resource::memory() } else { Resource::new(first) })
    })
}

/// Clang's class `malloc` is what this crate calls memory.
fn resource_of_class(class: &str) -> Resource {
    Resource::new(if class == "malloc" { Resource::MEMORY } else { class })
}

/// For each function that an allocator names as its release, what it frees.
fn released_by_name(module: &Module) -> BTreeMap<Name, Vec<Effect>> {
    let mut released: BTreeMap<Name, Vec<Effect>> = BTreeMap::new();
    for function in module.functions.rows() {
        for (name, argument) in deallocators(function) {
            let resource = made(module, function).unwrap_or_else(Resource::memory);
            let effect = argument.checked_sub(1).map(|arg| release(arg, resource));
            released.entry(name).or_default().extend(effect);
        }
    }
    released
}
