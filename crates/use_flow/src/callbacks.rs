//! Functions that callers pass by name: whom a call of a parameter reaches.
//!
//! A parameter that gets nothing but names of functions, at all calls of its function, may be each of
//! them. One that also gets something else, or whose function is called through pointers, is left
//! unknown.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_ir::{Body, CallId, Callee, Constant, FunctionId, ValueId, ValueKind};
use caulk_program::{Binding, DirectCalls, ExternalId, IndirectTargets, ModuleId, ProcId, Program};

/// A call that may enter more functions is followed into none.
const MOST_TARGETS: usize = 6;

/// A parameter of a function, by its number.
type Parameter = (ProcId, u32);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Passed {
    procs: Vec<ProcId>,
    externals: Vec<ExternalId>,
    unknown: bool,
}

impl Passed {
    fn add(&mut self, other: &Passed) {
        add_new(&mut self.procs, &other.procs);
        add_new(&mut self.externals, &other.externals);
        self.unknown |= other.unknown;
    }
}

fn add_new<T: Copy + PartialEq>(all: &mut Vec<T>, others: &[T]) {
    for other in others {
        if !all.contains(other) {
            all.push(*other);
        }
    }
}

/// The targets that are known already, and those of calls of parameters.
pub fn with_callbacks(
    program: &Program,
    calls: &DirectCalls,
    known: &IndirectTargets,
) -> IndirectTargets {
    let called = called_parameters(program);
    let mut targets = known.clone();
    let passed = match called.is_empty() {
        true => FxHashMap::default(),
        false => passed(program, calls),
    };
    for (proc, call, number) in called {
        let Some(row) = passed.get(&(proc, number)).filter(|it| !it.unknown) else { continue };
        if calls.is_address_taken(proc) {
            continue;
        }
        if !row.procs.is_empty() {
            let mut procs = row.procs.clone();
            procs.sort_unstable();
            targets.procs.insert((proc, call), procs);
        }
        if !row.externals.is_empty() {
            let mut externals = row.externals.clone();
            externals.sort_unstable();
            targets.externals.insert((proc, call), externals);
        }
    }
    drop_unfollowed(&mut targets);
    targets
}

/// Calls that may enter too many, or functions of the program and others, are followed into none: they
/// do not make those who call each other only by them a recursion either.
fn drop_unfollowed(targets: &mut IndirectTargets) {
    let IndirectTargets { procs, externals } = targets;
    let is_followed =
        |key: &_, procs: &[ProcId]| procs.len() <= MOST_TARGETS && !externals.contains_key(key);
    let dropped: Vec<(ProcId, CallId)> =
        procs.iter().filter(|(key, procs)| !is_followed(key, procs)).map(|(key, _)| *key).collect();
    externals.retain(|key, them| them.len() == 1 && !procs.contains_key(key));
    for key in dropped {
        procs.remove(&key);
    }
}

fn called_parameters(program: &Program) -> Vec<(ProcId, CallId, u32)> {
    let mut found = Vec::new();
    for proc in program.procs.ids() {
        let body = program.body(proc);
        for (id, call) in body.calls.iter() {
            if let Callee::Pointer(pointer) = call.callee
                && let ValueKind::Param(number) = body.values[pointer].kind
            {
                found.push((proc, id, number));
            }
        }
    }
    found
}

/// What every parameter gets, to a fixpoint over functions that pass their own parameters on.
fn passed(program: &Program, calls: &DirectCalls) -> FxHashMap<Parameter, Passed> {
    let mut rows: FxHashMap<Parameter, Passed> = FxHashMap::default();
    let mut handed_on: Vec<(Parameter, Parameter)> = Vec::new();
    for caller in program.procs.ids() {
        let body = program.body(caller);
        let module = program.procs[caller].module;
        for &(call, callee) in calls.of(caller) {
            for (number, argument) in (0u32..).zip(&body.calls[call].args) {
                match body.values[argument.value].kind {
                    ValueKind::Param(own) => handed_on.push(((caller, own), (callee, number))),
                    _ => {
                        let one = one(program, module, body, argument.value);
                        rows.entry((callee, number)).or_default().add(&one);
                    }
                }
            }
        }
    }
    hand_on(&mut rows, &handed_on, calls);
    rows
}

fn hand_on(
    rows: &mut FxHashMap<Parameter, Passed>,
    handed_on: &[(Parameter, Parameter)],
    calls: &DirectCalls,
) {
    let called: FxHashSet<Parameter> = rows.keys().copied().collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (from, to) in handed_on {
            let nobody = !called.contains(from) && !rows.contains_key(from);
            let mut given = rows.get(from).cloned().unwrap_or_default();
            given.unknown |= nobody || calls.is_address_taken(from.0);
            let row = rows.entry(*to).or_default();
            let before = row.clone();
            row.add(&given);
            changed |= *row != before;
        }
    }
}

fn one(program: &Program, module: ModuleId, body: &Body, value: ValueId) -> Passed {
    match body.constant(value) {
        Some(Constant::Function(function)) => named(program, module, function),
        Some(Constant::Int(0)) => Passed::default(),
        _ => Passed { unknown: true, ..Passed::default() },
    }
}

fn named(program: &Program, module: ModuleId, function: FunctionId) -> Passed {
    match program.binding(module, function) {
        Binding::Procs(procs) => Passed { procs: procs.clone(), ..Passed::default() },
        Binding::External(external) => Passed { externals: vec![*external], ..Passed::default() },
    }
}
