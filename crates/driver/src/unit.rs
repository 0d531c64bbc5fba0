//! One unit through all stages: read, parse, check, lower, verify, visit.

use std::time::Duration;

use caulk_cfront::{FrontUnit, Limits, Tree, read_unit};
use caulk_finding::{Counts, Incomplete, UnitState};
use caulk_ir::verify::Violation;
use caulk_ir::{FunctionBody, FunctionId, Module, Refusal, verify};
use caulk_lower::{Output, lower};
use caulk_project::{Dependencies, SourceFiles, Unit};

use crate::cached::{self, Loaded};
use crate::incomplete::{errors_of, notes_of, refusals_of, unit_failed};
use crate::options::Options;
use crate::sites::count_sites;
use crate::times::{StageTimes, timed};

/// Takes what it needs of each unit, on the threads that make them.
pub trait UnitVisitor: Send + Sync + 'static {
    type Output: Send + 'static;

    /// Sees the typed tree; a result ends the unit here.
    fn tree(&self, _unit: &Unit, _tree: &Tree) -> Option<Self::Output> {
        None
    }

    /// Receives the lowered and verified unit, to keep or to drop.
    fn module(&self, unit: &Unit, module: Module) -> Self::Output;
}

/// What became of a unit.
#[derive(Clone, Debug)]
pub struct UnitOutcome<T> {
    pub state: UnitState,
    /// What the visitor made of it, unless the unit failed.
    pub output: Option<T>,
    pub incomplete: Vec<Incomplete>,
    pub notes: Vec<String>,
    pub counts: Counts,
    pub times: StageTimes,
    /// An earlier run had kept it: it was not read again.
    pub from_cache: bool,
    /// A hash of what the cache keeps of it, which is all of the module.
    pub print: Option<String>,
}

impl<T> UnitOutcome<T> {
    pub(crate) fn empty() -> Self {
        Self {
            state: UnitState::NotReached,
            output: None,
            incomplete: Vec::new(),
            notes: Vec::new(),
            counts: Counts::default(),
            times: StageTimes::default(),
            from_cache: false,
            print: None,
        }
    }

    pub(crate) fn failed(incomplete: Incomplete) -> Self {
        Self { state: UnitState::Failed, incomplete: vec![incomplete], ..Self::empty() }
    }
}

/// Runs all stages. A unit without a result is told in `incomplete`.
pub(crate) fn analyse<V: UnitVisitor>(
    unit: &Unit,
    files: &SourceFiles,
    options: &Options,
    visitor: &V,
) -> UnitOutcome<V::Output> {
    if let Some(outcome) = from_cache(unit, files, options, visitor) {
        return outcome;
    }
    let mut outcome = UnitOutcome::empty();
    let FrontUnit { tree, files_read, files_absent, .. } =
        read(unit, files, &options.limits, &mut outcome);
    let keep = |module: &Module, outcome: &UnitOutcome<V::Output>| {
        let told = !outcome.incomplete.is_empty() || !outcome.notes.is_empty();
        let cache = options.cache.as_ref().filter(|_| !told)?;
        let dependencies = Dependencies { read: &files_read, absent: &files_absent };
        Some(cached::store(cache, unit, dependencies, (module, &outcome.counts), files))
    };
    outcome.output =
        tree.and_then(|tree| lower_and_visit(unit, tree, options, visitor, &mut outcome, &keep));
    outcome.state = match (&outcome.output, outcome.incomplete.is_empty()) {
        (None, _) => UnitState::Failed,
        (Some(_), true) => UnitState::Whole,
        (Some(_), false) => UnitState::Partial,
    };
    outcome
}

fn from_cache<V: UnitVisitor>(
    unit: &Unit,
    files: &SourceFiles,
    options: &Options,
    visitor: &V,
) -> Option<UnitOutcome<V::Output>> {
    let mut outcome = UnitOutcome::empty();
    let cache = options.cache.as_ref()?;
    let times = &mut outcome.times;
    let Loaded { module, counts, print } =
        timed(&mut times.reading, || cached::load(cache, unit, files))?;
    outcome.output = Some(timed(&mut times.visiting, || visitor.module(unit, module)));
    let print = Some(print);
    Some(UnitOutcome { state: UnitState::Whole, counts, from_cache: true, print, ..outcome })
}

fn read<T>(
    unit: &Unit,
    files: &SourceFiles,
    limits: &Limits,
    outcome: &mut UnitOutcome<T>,
) -> FrontUnit {
    let front = read_unit(unit, files, limits);
    outcome.times.reading = front.costs.reading;
    outcome.times.parsing = front.costs.parsing;
    outcome.times.checking = front.costs.checking;
    outcome.incomplete = errors_of(unit, &front);
    outcome.notes = notes_of(&front);
    front
}

/// Keeps a module for the next run, if nothing is to be told of it; a hash of what is kept.
type Keep<'a, T> = dyn Fn(&Module, &UnitOutcome<T>) -> Option<String> + 'a;

fn lower_and_visit<V: UnitVisitor>(
    unit: &Unit,
    tree: Tree,
    options: &Options,
    visitor: &V,
    outcome: &mut UnitOutcome<V::Output>,
    keep: &Keep<'_, V::Output>,
) -> Option<V::Output> {
    let times = &mut outcome.times;
    if let Some(output) = timed(&mut times.visiting, || visitor.tree(unit, &tree)) {
        return Some(output);
    }
    let name = unit.display.to_string_lossy();
    let Output { mut module, unused_functions } =
        timed(&mut times.lowering, || lower(&tree, &name, &caulk_lower::Options::default()));
    timed(&mut times.releasing, || drop(tree));
    let sound = timed(&mut times.verifying, || refuse_broken(&mut module, options.keep_broken));
    outcome.counts = count(&module, unused_functions, &mut times.visiting);
    outcome.incomplete.extend(refusals_of(unit, &module));
    if let Err(violation) = sound {
        let why = format!("internal error: the lowered unit is malformed: {violation}");
        outcome.incomplete.push(unit_failed(unit, why));
        if !options.keep_broken {
            return None;
        }
    }
    outcome.print = keep(&module, outcome);
    Some(timed(&mut outcome.times.visiting, || visitor.module(unit, module)))
}

fn count(module: &Module, unused: usize, time: &mut Duration) -> Counts {
    timed(time, || {
        let mut counts = Counts { unused, ..Counts::default() };
        for (_, _, body) in module.bodies() {
            counts.lowered += 1;
            counts.blocks += body.blocks.len();
            counts.instructions += body.insts.len();
        }
        let refused =
            |function: &&caulk_ir::Function| matches!(function.body, FunctionBody::Refused(_));
        counts.refused = module.functions.rows().iter().filter(refused).count();
        (counts.allocations, counts.frees) = count_sites(module);
        counts
    })
}

/// Makes refusals of the functions that the verifier rejects: engines must be able to rely on
/// what they read. An error if the module is broken beyond its functions' bodies.
fn refuse_broken(module: &mut Module, keep: bool) -> Result<(), Violation> {
    let violations = verify::module(module);
    if violations.is_empty() {
        return Ok(());
    }
    if keep {
        return violations.into_iter().next().map_or(Ok(()), Err);
    }
    for violation in violations {
        match violation.function {
            Some(function) => refuse(module, function, &violation),
            None => return Err(violation),
        }
    }
    // Something else may refer to a body that is gone.
    verify::module(module).into_iter().next().map_or(Ok(()), Err)
}

fn refuse(module: &mut Module, id: FunctionId, violation: &Violation) {
    let function = &mut module.functions[id];
    if let FunctionBody::Defined(_) = function.body {
        let reason = format!("internal error: its lowered form is malformed: {violation}");
        function.body = FunctionBody::Refused(Refusal { reason, span: function.span });
    }
}
