//! The stages in order, over all functions of a program.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_finding::{Confidence, Kind, Sharing, Site, Verdicts};
use caulk_ir::{BlockId, Inst, InstId};
use caulk_machines::{Fault, Machines};
use caulk_program::{
    DirectCalls, Endings, Entries, ExternalModels, IndirectTargets, ProcId, Program,
};
use caulk_ssa::FunctionFacts;
use rayon::prelude::*;

use crate::callbacks::with_callbacks;
use crate::callers::Callers;
use crate::closed::closed;
use crate::constants::Constants;
use crate::demand::Demand;
use crate::exits::returns_pointer;
use crate::explore::{Budget, End, Explored, Start, explore};
use crate::export::export;
use crate::foreign::Numbers;
use crate::idle::idle;
use crate::paths::{Found, Outcome, easier, search};
use crate::policies::Policies;
use crate::replay::{self, Replayed};
use crate::report::{Report, Totals, verdicts};
use crate::returning::returning;
use crate::specialise::{self, Passed};
use crate::step::{By, Context, Exec, Focus};
use crate::story;
use crate::summaries::Summaries;
use crate::summary::Summary;
use crate::trace::{self, Asked, ObjectTrace};
use crate::twice::{self, Twice};
use crate::witness;

/// What the engine asks of a program.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub program: &'a Program,
    pub externals: &'a ExternalModels,
    pub machines: &'a Machines,
    pub calls: &'a DirectCalls,
    pub entries: &'a Entries,
    pub indirect: &'a IndirectTargets,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Resources other than memory are looked at too.
    pub resources: bool,
    /// Blocks that the summary of one function may execute.
    pub summary_blocks: usize,
    /// Blocks that the search for candidates of one object may execute.
    pub object_blocks: usize,
    /// Terms that the summary of one function may make: what is cut short is told, and callers do with
    /// the rest.
    pub summary_terms: usize,
    /// The same of a function that at most one call may enter, and that returns nothing of what it makes: what
    /// it is about concerns few.
    pub rare_terms: usize,
    /// Terms that the search for one object may make.
    pub terms: usize,
    /// Terms that the searches for all objects of one function may make.
    pub function_terms: usize,
    /// Blocks that all paths of one candidate may execute.
    pub path_blocks: usize,
    pub policies: Policies,
    /// Processor time of the calling thread, for the table of stages.
    pub clock: fn() -> Duration,
    /// Keep what the stages did with each object, and what they asked.
    pub trace: bool,
    /// Raised when the functions that are left are not to be looked at.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Options {
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            resources: true,
            summary_blocks: 4_000,
            object_blocks: 1_500,
            path_blocks: 500,
            summary_terms: 3_000,
            rare_terms: 1_000,
            terms: 2_500,
            function_terms: 5_000,
            policies: Policies::default(),
            clock: || Duration::ZERO,
            trace: false,
            cancel: None,
        }
    }
}

/// Searches that were cut short, the first look at the function among them, halve the budget of those that
/// follow there; after so many, none follows.
const MOST_CUT_SHORT: usize = 4;

/// A recursion is looked at this often; what it still learns then is lost.
const ROUNDS: usize = 3;

/// A function of a recursion that took more terms than these so far is not looked at again.
const MOST_TERMS_OF_ROUNDS: usize = 1_500;

pub fn check(input: Input<'_>, options: &Options) -> Verdicts {
    let (rows, totals) = run(input, options, None);
    verdicts(rows, &totals)
}

/// What the stages did with each object of the functions with the name, or of all.
pub fn traces(input: Input<'_>, options: &Options, function: Option<&str>) -> Vec<ObjectTrace> {
    let options = Options { trace: true, ..options.clone() };
    let (rows, _) = run(input, &options, function);
    rows.into_iter().flat_map(|row| row.traces).collect()
}

/// Everything that the stages asked about conditions.
pub fn queries(input: Input<'_>, options: &Options) -> Vec<Asked> {
    let options = Options { trace: true, ..options.clone() };
    let (rows, _) = run(input, &options, None);
    rows.into_iter().flat_map(|row| row.asked).collect()
}

/// Whether the stages let paths pass that runs took, each the blocks of one activation (Stage 2
/// never refutes a real path).
pub fn replay(
    input: Input<'_>,
    options: &Options,
    paths: &[(ProcId, Vec<BlockId>)],
) -> Vec<Replayed> {
    with_summaries(input, options, (Demand::All, &|_| false), |context, _| {
        let one = |(proc, path): &(ProcId, Vec<BlockId>)| {
            let facts = FunctionFacts::new(context.program.body(*proc));
            replay::path(&mut Exec::new(context, *proc, &facts), path)
        };
        paths.par_iter().map(one).collect()
    })
}

fn run(input: Input<'_>, options: &Options, wanted: Option<&str>) -> (Vec<Report>, Totals) {
    let is_wanted = |id: &ProcId| wanted.is_none_or(|name| input.program.procs[*id].name == name);
    let demand = Demand::OfObjects(input.externals);
    with_summaries(input, options, (demand, &is_wanted), |context, mut totals| {
        let mut rows = std::mem::take(&mut totals.reports);
        let done: FxHashSet<ProcId> = rows.iter().map(|row| row.0).collect();
        let is_left = |id: &ProcId| is_wanted(id) && !done.contains(id);
        let left: Vec<ProcId> = input.program.procs.ids().filter(is_left).collect();
        let one = |&proc: &ProcId| (proc, function(context, input, proc, options));
        rows.extend(left.par_iter().map(one).collect::<Vec<_>>());
        rows.sort_by_key(|row| row.0);
        (rows.into_iter().map(|row| row.1).collect(), totals)
    })
}

/// Summarises the functions that are asked for, then goes on with what is known by then. Of those that
/// are wanted, most objects are decided on the way.
fn with_summaries<T>(
    input: Input<'_>,
    options: &Options,
    (demand, is_wanted): (Demand<'_>, &(dyn Fn(&ProcId) -> bool + Sync)),
    then: impl FnOnce(Context<'_>, Totals) -> T,
) -> T {
    let indirect = with_callbacks(input.program, input.calls, input.indirect);
    let summaries = Summaries::new(input.program, input.calls, &indirect, demand);
    let constants = Constants::new(input.program);
    let endings = Endings::new(input.program, input.externals, input.calls);
    let callers = Callers::new(input.program, input.calls, input.entries);
    let context = Context {
        program: input.program,
        externals: input.externals,
        indirect: &indirect,
        summaries: &summaries,
        constants: &constants,
        callers: &callers,
        endings: &endings,
        machines: input.machines,
        policies: options.policies,
        clock: options.clock,
        finished: false,
    };
    let mut totals = Totals::default();
    for wave in summaries.waves() {
        let one = |&scc: &caulk_ssa::SccId| first_look(context, input, scc, is_wanted, options);
        totals = wave.par_iter().map(one).reduce(Totals::default, Totals::plus).plus(totals);
    }
    then(Context { finished: true, ..context }, totals)
}

/// A function that was looked at once, for its summary: the states before the calls that make something
/// are known, and which objects need a look of their own.
struct Look<'a> {
    exec: Exec<'a>,
    sites: Vec<Focus>,
    suspects: Vec<(InstId, Numbers)>,
    rough: bool,
    gave_up: bool,
}

impl<'a> Look<'a> {
    /// None where nobody asks for a summary and nothing is made. What only computes has no objects to look
    /// at.
    fn new(
        context: Context<'a>,
        facts: &'a FunctionFacts<'a>,
        proc: ProcId,
        is_wanted: bool,
        options: &Options,
    ) -> Option<(Option<Self>, Summarised)> {
        let mut exec = Exec::new(context, proc, facts);
        exec.space.summarising = true;
        let sites = if is_wanted { sites(&mut exec) } else { Vec::new() };
        if sites.is_empty() && !context.summaries.is_wanted(proc) {
            return None;
        }
        if let Some(summary) = closed(&mut exec) {
            return Some((None, Summarised { summary, gave_up: false, terms: 0 }));
        }
        exec.space.doubts.wanted = !sites.is_empty();
        exec.watched = sites.iter().map(|focus| (focus.call, None)).collect();
        exec.seeks_suspects = is_wanted && exec.releases_opaque();
        let summarised = summary_from(&mut exec, &[], Detail::Plain, options);
        let suspects = summarised.summary.suspects.clone();
        let (rough, gave_up) = (summarised.summary.rough, summarised.gave_up);
        Some((Some(Self { exec, sites, suspects, rough, gave_up }), summarised))
    }

    /// What becomes of the objects; none if the look does not tell enough.
    fn report(mut self, input: Input<'_>, options: &Options) -> Option<Report> {
        let exec = &mut self.exec;
        let is_cut_short = self.gave_up && exec.watched.values().any(Option::is_none);
        if exec.met_later || is_cut_short {
            return None;
        }
        exec.space.summarising = false;
        exec.space.doubts.wanted = false;
        if self.gave_up {
            exec.space.doubts.doubt_all(self.sites.iter().map(|it| (it.call, it.index)));
        }
        exec.suspects.extend(self.suspects);
        exec.knows_suspects = !self.rough;
        let given_up = usize::from(self.gave_up);
        let mut report = Report { given_up, ..Report::default() };
        objects(exec, input, self.sites, options, &mut report);
        Some(report)
    }
}

/// Summarises functions that call each other, or one that does not call itself, and decides what becomes of
/// the objects that they make, if they are wanted. What they need of others is known by then, unless a
/// pointer leads to who comes later.
fn first_look(
    context: Context<'_>,
    input: Input<'_>,
    scc: caulk_ssa::SccId,
    is_wanted: &(dyn Fn(&ProcId) -> bool + Sync),
    options: &Options,
) -> Totals {
    if options.is_cancelled() {
        return Totals::default();
    }
    let before = (options.clock)();
    let (program, summaries) = (context.program, context.summaries);
    let members = summaries.members(scc);
    let facts: Vec<FunctionFacts<'_>> =
        members.iter().map(|&proc| FunctionFacts::new(program.body(proc))).collect();
    let mut looks: Vec<Option<Look<'_>>> = members.iter().map(|_| None).collect();
    let rounds = if summaries.is_cyclic(scc) { ROUNDS } else { 1 };
    let mut given_up: FxHashSet<ProcId> = FxHashSet::default();
    let mut spent: FxHashMap<ProcId, usize> = FxHashMap::default();
    // What a summary says depends on nothing but the summaries of those it calls.
    let mut stale: FxHashSet<ProcId> = members.iter().copied().collect();
    for _ in 0..rounds {
        for (number, &proc) in members.iter().enumerate() {
            let is_looked_into = is_wanted(&proc) && !program.function(proc).system;
            // What took too long would take longer with more that callees do.
            let is_spent = spent.get(&proc).is_some_and(|&terms| terms > MOST_TERMS_OF_ROUNDS);
            if !stale.contains(&proc) || is_spent {
                continue;
            }
            stale.remove(&proc);
            let look = Look::new(context, &facts[number], proc, is_looked_into, options);
            let Some((look, summarised)) = look else { continue };
            looks[number] = look.filter(|_| is_looked_into);
            *spent.entry(proc).or_default() += summarised.terms;
            if summarised.gave_up {
                given_up.insert(proc);
                spent.insert(proc, usize::MAX);
            }
            if summaries.of(proc).as_deref() != Some(&summarised.summary) {
                stale.extend(summaries.callers(proc));
                summaries.set(proc, Arc::new(summarised.summary));
            }
        }
    }
    if summaries.is_cyclic(scc) {
        for proc in complete(context, summaries, members) {
            stale.extend(summaries.callers(proc));
        }
    }
    let summarising = (options.clock)().saturating_sub(before);
    let looks = members.iter().zip(looks).filter(|(proc, _)| !stale.contains(proc));
    let reports = looks.filter_map(|(&proc, look)| Some((proc, look?.report(input, options)?)));
    let reports = reports.collect();
    let has_summary = |proc: &&ProcId| summaries.of(**proc).is_some();
    let summarised = members.iter().filter(has_summary).count();
    Totals { summaries: summarised, summaries_given_up: given_up.len(), summarising, reports }
}

/// What returns and was not seen to do so within the rounds does nobody knows what. These functions.
fn complete(context: Context<'_>, summaries: &Summaries, members: &[ProcId]) -> Vec<ProcId> {
    let is_open = |proc: &&ProcId| summaries.of(**proc).is_some_and(|it| it.cases.is_empty());
    let mut open: Vec<ProcId> = members.iter().filter(is_open).copied().collect();
    if open.is_empty() {
        return open;
    }
    let returning = returning(context, members);
    open.retain(|proc| returning.contains(proc));
    for &proc in &open {
        let facts = FunctionFacts::new(context.program.body(proc));
        let unknown = Exec::new(context, proc, &facts).unknown_summary();
        summaries.set(proc, Arc::new(unknown));
    }
    open
}

pub struct Summarised {
    pub summary: Summary,
    pub gave_up: bool,
    terms: usize,
}

/// How closely a function is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    Plain,
    /// With four times the room: for one call of which something is to be reported.
    Fine,
}

/// What a function does where some of its parameters are known.
pub fn summary_from(
    exec: &mut Exec<'_>,
    known: &[Passed],
    detail: Detail,
    options: &Options,
) -> Summarised {
    exec.space.summarising = true;
    let mut start = exec.start();
    for &(number, value) in known {
        let Some(&param) = exec.body.params.get(number) else { continue };
        let width = exec.space.width(exec.body.values[param].scalar);
        start.values.insert(param, exec.space.terms.constant(value as u64, width));
    }
    let size = exec.body.blocks.len();
    let blocks = options.summary_blocks.min(100 + 16 * size);
    // A case that is missing misleads all callers: loops are followed further than for one object.
    let is_maker = returns_pointer(exec) && !exec.watched.is_empty();
    let is_rare = detail == Detail::Plain && !is_maker && exec.context.summaries.is_rare(exec.proc);
    let terms = match is_rare {
        true => options.rare_terms.min(options.summary_terms).min(600 + 15 * size),
        false => options.summary_terms.min(1_500 + 60 * size),
    };
    let budget = match detail {
        Detail::Plain => Budget { blocks, states: 5, visits: 2, changes: 6, terms },
        Detail::Fine => {
            Budget { blocks: 4 * blocks, states: 16, visits: 3, changes: 8, terms: 4 * terms }
        }
    };
    let explored = explore(exec, vec![Start::entry(start)], &budget);
    let gave_up = explored.gave_up;
    if gave_up && explored.returns.is_empty() {
        let terms = exec.space.terms.len();
        return Summarised { summary: exec.unknown_summary(), gave_up, terms };
    }
    let summary = export(exec, explored);
    Summarised { summary, gave_up, terms: exec.space.terms.len() }
}

fn function(context: Context<'_>, input: Input<'_>, proc: ProcId, options: &Options) -> Report {
    let mut report = Report::default();
    let function = context.program.function(proc);
    if function.system {
        return report;
    }
    if options.is_cancelled() {
        report.not_reached = 1;
        return report;
    }
    let facts = FunctionFacts::new(context.program.body(proc));
    let mut before = Exec::new(context, proc, &facts);
    let sites = sites(&mut before);
    let summary = context.summaries.of(proc);
    before.suspects.extend(summary.iter().flat_map(|it| it.suspects.iter().copied()));
    before.knows_suspects = summary.as_ref().is_some_and(|it| !it.rough);
    before.seeks_suspects = match summary {
        Some(_) => before.releases_opaque(),
        None => before.has_releasing_calls(),
    };
    if sites.is_empty() && !before.seeks_suspects && before.suspects.is_empty() {
        return report;
    }
    before.watched = sites.iter().map(|focus| (focus.call, None)).collect();
    let start = before.start();
    let blocks = options.object_blocks.min(100 + 8 * facts.body().blocks.len());
    let budget = Budget { blocks, states: 1, visits: 1, changes: 2, terms: options.terms };
    let clock = (options.clock)();
    if before.seeks_suspects || !sites.is_empty() {
        let explored = explore(&mut before, vec![Start::entry(start)], &budget);
        report.given_up += usize::from(explored.gave_up);
    }
    report.exploring += (options.clock)().saturating_sub(clock);
    before.space.doubts.doubt_all(sites.iter().map(|focus| (focus.call, focus.index)));
    objects(&mut before, input, sites, options, &mut report);
    report
}

/// What becomes of the objects of a function, once the states before the calls that make them are known.
fn objects(
    exec: &mut Exec<'_>,
    input: Input<'_>,
    mut sites: Vec<Focus>,
    options: &Options,
    report: &mut Report,
) {
    let first = exec.space.terms.len();
    sites.extend(suspects(exec));
    for focus in sites {
        let made = Some(focus).filter(|it| it.by == By::Making);
        if made.is_some() && exec.watched.get(&focus.call).is_none_or(Option::is_none) {
            continue;
        }
        let site = (focus.call, focus.index);
        if made.is_some() && !options.trace && !exec.space.doubts.is_open(site) {
            let seen = exec.space.doubts.take_fates(site);
            report.unknown.extend(story::unknown_keepers(exec, &seen));
            let class = if story::is_out_of_sight(exec, &seen) { "out of sight" } else { "safe" };
            report.sites.extend(site_with_story(exec, focus, &seen, true, class));
            continue;
        }
        let has_room = exec.space.terms.len() <= first + options.function_terms;
        if !has_room || report.given_up >= MOST_CUT_SHORT {
            report.given_up += 1;
            let why = match has_room {
                true => "other searches in the function were cut short before",
                false => "the function used up its budget before",
            };
            report.cut_short(exec, focus, why);
            report.sites.extend(made.and_then(|it| witness::site(exec, it, "given up")));
            continue;
        }
        object(exec, input, focus, options, report);
    }
    report.unresolved = exec.unresolved.len();
}

/// The calls that make something.
fn sites(exec: &mut Exec<'_>) -> Vec<Focus> {
    let (body, facts) = (exec.body, exec.facts);
    let mut found = Vec::new();
    for (call, inst) in body.insts.iter() {
        let Inst::Call(id) = *inst else { continue };
        if !facts.cfg().is_reachable(facts.block_of(call)) {
            continue;
        }
        let most = exec.most_made(id);
        let in_loop = facts.cfg().loops().innermost(facts.block_of(call)).is_some();
        if most == 0 || !in_loop && exec.only_sets_statics(call, id) {
            continue;
        }
        found.extend((0..most).map(|index| Focus { call, index, by: By::Making }));
    }
    found
}

/// What calls released that is touched again, perhaps.
fn suspects(exec: &mut Exec<'_>) -> Vec<Focus> {
    const MOST: usize = 8;
    let mut found = Vec::new();
    for (call, numbers) in std::mem::take(&mut exec.suspects) {
        let Some(Inst::Call(id)) = exec.body.insts.get(call).copied() else { continue };
        let indices = exec.followed_from(id).of_both(numbers);
        found.extend(indices.map(|index| Focus { call, index, by: By::Releasing }));
    }
    found.truncate(MOST);
    found
}

/// What a search may cost, as a part of the whole: leaks are what is sought, and what was not made here
/// is none.
fn share(focus: Focus) -> usize {
    match focus.by {
        By::Making => 1,
        By::Releasing => 4,
    }
}

/// Where the search for an object begins: at the call that makes it, or, since joined values have no
/// name of the caller's any more, at the start of the function that releases it.
fn start(exec: &mut Exec<'_>, focus: Focus) -> Option<Start> {
    match focus.by {
        By::Releasing => Some(Start::entry(exec.start())),
        By::Making => {
            let state = exec.watched.get(&focus.call).cloned()??;
            Some(Start { block: exec.facts.block_of(focus.call), at: focus.call, state })
        }
    }
}

fn object(
    exec: &mut Exec<'_>,
    input: Input<'_>,
    focus: Focus,
    options: &Options,
    report: &mut Report,
) {
    let (context, proc, facts) = (exec.context, exec.proc, exec.facts);
    let Some(start) = start(exec, focus) else { return };
    exec.focus = Some(focus);
    exec.space.nullable = true;
    let blocks = options.object_blocks.min(100 + 8 * facts.body().blocks.len());
    // What took too long for some objects takes as long for the others: they get a coarser search.
    let terms = options.terms >> report.given_up;
    let share = share(focus);
    let (blocks, terms) = (blocks / share, terms / share);
    let budget = Budget { blocks, states: 2, visits: 2, changes: 3, terms };
    let before = (options.clock)();
    let explored = explore(exec, vec![start], &budget);
    report.exploring += (options.clock)().saturating_sub(before);
    report.unknown.extend(story::unknown_keepers(exec, &explored));
    if explored.gave_up {
        report.given_up += 1;
        report.cut_short(exec, focus, "the search for candidates used up its budget");
    }
    let (leaks, troubles): (Vec<End>, Vec<End>) =
        explored.ends.iter().cloned().partition(|end| !matches!(end, End::Trouble { .. }));
    // A function that only acquires, for its caller, owes nothing.
    let owes = explored.released || !explored.owed_by_function;
    let leaks = if owes { leaks } else { Vec::new() };
    let mut class = match explored.ends.is_empty() {
        true if explored.gave_up => "out of budget",
        true if story::is_out_of_sight(exec, &explored) => "out of sight",
        true => "safe",
        false => "refuted",
    };
    let mut groups: Vec<Vec<End>> = vec![leaks];
    groups.extend(one_per_kind(troubles));
    let mut traced = Vec::new();
    for ends in groups.into_iter().filter(|ends| !ends.is_empty()) {
        report.candidates += 1;
        let mut exec = Exec::new(context, proc, facts);
        exec.focus = Some(focus);
        exec.space.asked = options.trace.then(Vec::new);
        let before = (options.clock)();
        let outcome = match search(&mut exec, &ends, options.path_blocks, &mut report.counts) {
            Outcome::Found(found) => {
                let worth = |exec: &Exec<'_>, found: &Found| {
                    witness::worth(exec, input, focus, found, &explored)
                };
                let first = worth(&exec, &found);
                let accepts = |exec: &Exec<'_>, found: &Found| worth(exec, found) == first;
                let is_asked = first.0 != Kind::SecondFailure && first.2 != Sharing::Everybody;
                if is_asked && specialise::refutes(&exec, focus, &found, &ends, options) {
                    Outcome::Refuted
                } else {
                    // Only a run shows what is of low confidence, and it takes the shortest way best.
                    Outcome::Found(match first.1 {
                        Confidence::Low => found,
                        _ => easier(&mut exec, found, &mut report.counts, &accepts),
                    })
                }
            }
            outcome => outcome,
        };
        report.following += (options.clock)().saturating_sub(before);
        report.filtered += usize::from(report.counts.tried.is_empty());
        if options.trace {
            report.asked.extend(Asked::of(&mut exec));
            traced.push(trace::candidate(&exec, &ends, &report.counts.tried, outcome.name()));
        }
        match outcome {
            Outcome::Found(mut found) => {
                let before = (options.clock)();
                found.idle = idle(&mut exec, &found);
                report.telling += (options.clock)().saturating_sub(before);
                let finding = witness::finding(&mut exec, input, focus, &found, &explored);
                if finding.as_ref().is_some_and(|it| options.resources || it.resource == "memory") {
                    class = "reported";
                    let by = twice::blame(&exec, &found.end);
                    report.twice.extend(by.map(|by| Twice { finding: report.findings.len(), by }));
                    report.findings.extend(finding);
                }
            }
            Outcome::Refuted => {}
            Outcome::OutOfBudget => {
                report.out_of_budget += 1;
                class = "out of budget";
                report.cut_short(&exec, focus, "its paths used up their budget");
            }
        }
    }
    if options.trace {
        report.traces.push(trace::object(exec, focus, class, traced));
    }
    if focus.by == By::Releasing {
        exec.forget_foreign();
        return;
    }
    report.sites.extend(site_with_story(exec, focus, &explored, owes, class));
}

fn site_with_story(
    exec: &Exec<'_>,
    focus: Focus,
    explored: &Explored,
    owes: bool,
    class: &'static str,
) -> Option<Site> {
    let story = story::story(exec, focus, explored, owes, class);
    witness::site(exec, focus, class).map(|site| Site { story, ..site })
}

fn one_per_kind(troubles: Vec<End>) -> Vec<Vec<End>> {
    let mut kinds: BTreeMap<Fault, Vec<End>> = BTreeMap::new();
    for end in troubles {
        let End::Trouble { trouble, .. } = &end else { continue };
        kinds.entry(trouble.fault).or_default().push(end);
    }
    kinds.into_values().collect()
}
