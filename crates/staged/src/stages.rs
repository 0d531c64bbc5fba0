//! The stages, each seeing what those before it left open.

use std::path::Path;
use std::time::Duration;

use caulk_base::FxHashSet;
use caulk_finding::{Cause, Confidence, Finding, Location, Site, Verdicts, cause};
use caulk_machines::Machines;
use caulk_program::{DirectCalls, Entries, ExternalModels, IndirectTargets, ProcId, Program};

use crate::habits::lower_habits;
use crate::weigh::{DECIDED, SETTLED, matters_to_conditions, matters_to_summaries, weigh};

/// What the engines ask of a program.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub program: &'a Program,
    pub externals: &'a ExternalModels,
    pub machines: &'a Machines,
    pub calls: &'a DirectCalls,
    pub entries: &'a Entries,
    pub indirect: &'a IndirectTargets,
    /// Where summaries of earlier runs are.
    pub store: Option<&'a dyn caulk_summary::Store>,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub paths: caulk_use_flow::Options,
    pub structures: caulk_summary::Options,
    pub conditions: caulk_symbolic_heap::Options,
    /// Processor time of all threads, for the table of stages.
    pub clock: fn() -> Duration,
}

impl Default for Options {
    fn default() -> Self {
        let mut structures = caulk_summary::Options::default();
        // Here summaries only add to what paths tell: what they take long for is not worth it.
        structures.budget.steps = MOST_STEPS;
        structures.budget.far = 1_000;
        structures.budget.below = 10_000;
        structures.budget.locations = 2_000;
        structures.budget.again = 3;
        // Nor what only statistics tell: they are in those of the summary engine itself.
        structures.counts_categories = false;
        // Nor is it evidence that a function is past its budget.
        let conditions = caulk_symbolic_heap::Options {
            work: 30_000,
            tells_undecided: false,
            ..Default::default()
        };
        Self { paths: Default::default(), structures, conditions, clock: || Duration::ZERO }
    }
}

#[must_use]
pub fn check(input: Input<'_>, options: &Options) -> Verdicts {
    let mut verdicts = weighed(input, options);
    let program = input.program;
    let modelled = program.externals.ids().filter(|&id| input.externals.of(id).is_some());
    let modelled: FxHashSet<&str> =
        modelled.map(|id| program.externals[id].name.as_str()).collect();
    lower_habits(&mut verdicts.findings, &verdicts.sites, &|name| !modelled.contains(name));
    verdicts
}

fn weighed(input: Input<'_>, options: &Options) -> Verdicts {
    let paths = paths(input, options);
    if options.paths.is_cancelled() {
        return weigh(paths, &Verdicts::default(), &Verdicts::default(), alone(options));
    }
    let clock = options.clock;
    let before = clock();
    let structures = structures(input, options, &paths);
    let between = clock();
    let conditions = conditions(input, options, &unsupported(&paths, &structures));
    let after = clock();
    let mut verdicts = weigh(paths, &structures, &conditions, alone(options));
    verdicts.times.push(("structures", between.saturating_sub(before)));
    verdicts.times.push(("conditions", after.saturating_sub(between)));
    verdicts
}

/// What the summary of one procedure may take, between these by the size of the program: nobody waits
/// longer for one function of a small library than for all of its others.
const LEAST_STEPS: usize = 20_000;
const MOST_STEPS: usize = 60_000;
const STEPS_PER_INSTRUCTION: usize = 3;

fn steps(program: &Program) -> usize {
    let instructions =
        program.procs.ids().map(|proc| program.body(proc).insts.len()).sum::<usize>();
    (STEPS_PER_INSTRUCTION * instructions).clamp(LEAST_STEPS, MOST_STEPS)
}

/// What summaries alone say of what the path search lost sight of is in doubt, and only runs make something
/// of that. They are made of a few findings: where this many sites are so, the question is not worth it.
const MOST_OUT_OF_SIGHT: usize = 400;

/// What summaries are asked: about the functions in which the path search finds something that they can
/// say more of, or came to no end, or in a smaller program lost sight of what is made.
struct Open<'a> {
    functions: FxHashSet<Named<'a>>,
    /// Those in which it finds something.
    suspect: FxHashSet<Named<'a>>,
    /// Where nothing is open.
    settled: FxHashSet<&'a Location>,
}

impl<'a> Open<'a> {
    fn new(paths: &'a Verdicts) -> Self {
        let is_settled = |site: &Site| SETTLED.contains(&site.class);
        let is_decided = |site: &Site| DECIDED.contains(&site.class);
        let is_out_of_sight = |site: &&Site| is_decided(site) && !is_settled(site);
        let out_of_sight = paths.sites.iter().filter(is_out_of_sight).count();
        let is_asked = out_of_sight <= MOST_OUT_OF_SIGHT;
        let is_open = |site: &&Site| !is_decided(site) || is_asked && !is_settled(site);
        let (open, closed): (Vec<&Site>, Vec<&Site>) = paths.sites.iter().partition(is_open);
        let found = paths.findings.iter().filter(|it| matters_to_summaries(it)).map(named);
        let undecided = open.iter().map(|it| (it.function.as_str(), it.location.path.as_path()));
        let mut settled: FxHashSet<&Location> = closed.iter().map(|it| &it.location).collect();
        // One call may make several things.
        open.iter().for_each(|it| _ = settled.remove(&it.location));
        paths.findings.iter().for_each(|it| _ = settled.remove(&it.primary));
        let suspect: FxHashSet<Named<'_>> = found.collect();
        let functions = suspect.iter().copied().chain(undecided).collect();
        Self { functions, suspect, settled }
    }
}

/// The functions of which conditions are asked: those in which the path search finds something that
/// summaries do not say too, and that it matters for who else does.
fn unsupported<'a>(paths: &'a Verdicts, structures: &Verdicts) -> FxHashSet<Named<'a>> {
    let supported: FxHashSet<Cause> = structures.findings.iter().map(cause).collect();
    let is_open = |it: &&Finding| matters_to_conditions(it) && !supported.contains(&cause(it));
    paths.findings.iter().filter(is_open).map(named).collect()
}

/// The other engines and the runs know nothing of a user's policies: what the path search says then
/// cannot be expected of them.
fn alone(options: &Options) -> Confidence {
    match options.paths.policies == caulk_use_flow::Policies::default() {
        true => Confidence::Low,
        false => Confidence::Medium,
    }
}

fn structures(input: Input<'_>, options: &Options, paths: &Verdicts) -> Verdicts {
    let program = input.program;
    let open = Open::new(paths);
    let question = caulk_summary::Question {
        is_asked: &|proc| is_named(program, proc, &open.functions),
        is_settled: &|place| open.settled.contains(place),
        is_suspect: &|proc| is_named(program, proc, &open.suspect),
        wants_summaries: false,
    };
    let input = caulk_summary::Input {
        program: input.program,
        externals: input.externals,
        calls: input.calls,
        entries: input.entries,
        indirect: input.indirect,
        store: input.store,
    };
    let mut options = options.structures.clone();
    options.budget.steps = options.budget.steps.min(steps(program));
    caulk_summary::check_some(input, &options, question)
}

fn paths(input: Input<'_>, options: &Options) -> Verdicts {
    let input = caulk_use_flow::Input {
        program: input.program,
        externals: input.externals,
        machines: input.machines,
        calls: input.calls,
        entries: input.entries,
        indirect: input.indirect,
    };
    caulk_use_flow::check(input, &options.paths)
}

/// A function by its name and file: many files of one program may have a `decode_init`.
type Named<'a> = (&'a str, &'a Path);

fn conditions(input: Input<'_>, options: &Options, named: &FxHashSet<Named<'_>>) -> Verdicts {
    let program = input.program;
    let input =
        caulk_symbolic_heap::Input { program, externals: input.externals, calls: input.calls };
    let is_asked = |proc| is_named(program, proc, named);
    caulk_symbolic_heap::check_some(input, &options.conditions, &is_asked)
}

fn is_named(program: &Program, proc: ProcId, named: &FxHashSet<Named<'_>>) -> bool {
    let name = program.procs[proc].name.as_str();
    file_of(program, proc).is_some_and(|file| named.contains(&(name, file)))
}

fn file_of(program: &Program, proc: ProcId) -> Option<&Path> {
    let module = program.module_of(proc);
    let span = module.spans.get(program.function(proc).span)?;
    Some(&module.files.get(span.start.file)?.path)
}

fn named(finding: &Finding) -> Named<'_> {
    (&finding.function, &finding.primary.path)
}
