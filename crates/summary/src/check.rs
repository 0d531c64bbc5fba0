//! All procedures of a program: their summaries bottom up, and what is wrong in each.

use std::sync::Arc;

use caulk_base::{FxHashMap, FxHashSet, Table};
use caulk_finding::{Finding, Incomplete, Location, Section, Site, Subject, Verdicts};
use caulk_ir::InstId;
use caulk_program::{DirectCalls, Entries, ExternalModels, IndirectTargets, ProcId, Program};
use caulk_ssa::{FunctionFacts, SccId};
use rayon::prelude::*;

use crate::asked::Question;
use crate::categories::{Filled, NAMES};
use crate::exec::{Context, Exec};
use crate::kept::{Kept, Looked, Names, Store};
use crate::options::Options;
use crate::schedule::{Printed, Schedule};
use crate::summary::Summary;

/// What the engine asks of a program.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub program: &'a Program,
    pub externals: &'a ExternalModels,
    pub calls: &'a DirectCalls,
    pub entries: &'a Entries,
    pub indirect: &'a IndirectTargets,
    /// Where summaries of earlier runs are.
    pub store: Option<&'a dyn Store>,
}

/// The summary of every procedure.
pub type Summaries = Table<ProcId, Arc<Summary>>;

/// What one procedure adds to the verdicts.
#[derive(Default)]
pub struct Report {
    pub findings: Vec<Finding>,
    pub sites: Vec<Site>,
    pub unknown: Vec<String>,
    pub gave_up: bool,
    /// Not even its leaks are known.
    pub cut_short: bool,
    pub steps: usize,
    /// Instructions of others that the findings lead to.
    pub origins: Vec<(ProcId, InstId)>,
    /// What its summary has something of, where that is counted.
    pub categories: Filled,
}

/// What was found out about a procedure, or about a cycle of calls as one.
struct Component {
    reports: Vec<(ProcId, Report)>,
    /// The summaries of a cycle still changed after the last round.
    is_open: bool,
}

#[must_use]
pub fn check(input: Input<'_>, options: &Options) -> Verdicts {
    check_some(input, options, Question::EVERYTHING)
}

/// The same, as far as somebody asks for it.
#[must_use]
pub fn check_some(input: Input<'_>, options: &Options, question: Question<'_>) -> Verdicts {
    let Input { program, calls, indirect, .. } = input;
    let schedule = Schedule::new(program, calls, indirect, question, &options.budget);
    let components = run(input, options, &schedule);
    verdicts(input.program, options, components)
}

#[must_use]
pub fn summarise_all(input: Input<'_>, options: &Options) -> Summaries {
    let Input { program, calls, indirect, .. } = input;
    let everything = Question::EVERYTHING;
    let schedule = Schedule::new(program, calls, indirect, everything, &options.budget);
    run(input, options, &schedule);
    let summary = |proc| schedule.of(proc).map(|row| row.summary.clone()).unwrap_or_default();
    input.program.procs.ids().map(|proc| Arc::new(summary(proc))).collect()
}

fn run(input: Input<'_>, options: &Options, schedule: &Schedule) -> Vec<Component> {
    let inside = crate::external::resources_inside(input.program, input.externals);
    let context = Context {
        program: input.program,
        externals: input.externals,
        indirect: input.indirect,
        schedule,
        options,
        inside: &inside,
    };
    let names = input.store.map(|_| Names::new(input.program));
    let kept = match (input.store, &names) {
        (Some(store), Some(names)) => Some(Kept::new(context, input.entries, names, store)),
        _ => None,
    };
    let mut components = Vec::new();
    for wave in schedule.waves() {
        let one = |&scc: &SccId| component(context, input, kept.as_ref(), scc);
        components.extend(wave.par_iter().map(one).collect::<Vec<_>>());
    }
    kept.into_iter().for_each(Kept::save);
    components
}

/// A cycle of calls is one fixpoint: its members are summarised until nothing changes. One whose
/// callees say what they said before is not looked at again, nor is one that was too large: what
/// its callees say only grows.
fn component(
    context: Context<'_>,
    input: Input<'_>,
    kept: Option<&Kept<'_>>,
    scc: SccId,
) -> Component {
    let schedule = context.schedule;
    let rounds = if schedule.is_cyclic(scc) { context.options.budget.rounds } else { 1 };
    let mut reports: FxHashMap<ProcId, Report> = FxHashMap::default();
    let mut stale: FxHashSet<ProcId> = schedule.members(scc).iter().copied().collect();
    for round in 0..rounds {
        for &proc in schedule.members(scc) {
            if !stale.remove(&proc) || reports.get(&proc).is_some_and(|before| before.cut_short) {
                continue;
            }
            let look = || procedure(context, input, proc);
            let (summary, report) = match kept {
                Some(kept) => kept.procedure(proc, look),
                None => not_kept(look()),
            };
            reports.insert(proc, report);
            let before = schedule.of(proc);
            let summary = match &before {
                Some(before) if round >= PATIENT_ROUNDS => widened(before, summary, kept),
                _ => summary,
            };
            if before.is_none_or(|before| before.summary != summary.summary) {
                stale.extend(schedule.callers(proc));
                schedule.set(proc, summary);
            }
        }
    }
    let is_open = stale.iter().any(|proc| !reports[proc].cut_short);
    let mut reports: Vec<(ProcId, Report)> = reports.into_iter().collect();
    reports.sort_by_key(|row| row.0);
    Component { reports, is_open }
}

/// In a cycle of calls, numbers that still move after so many rounds go to infinity.
const PATIENT_ROUNDS: usize = 2;

fn widened(before: &Summary, now: Printed, kept: Option<&Kept<'_>>) -> Printed {
    let mut summary = now.summary.clone();
    summary.widen(before);
    match kept {
        _ if summary == now.summary => now,
        Some(kept) => kept.printed(summary),
        None => Printed { print: 0, summary },
    }
}

fn not_kept((summary, report): (Summary, Report)) -> Looked {
    (Printed { print: 0, summary }, report)
}

fn procedure(context: Context<'_>, input: Input<'_>, proc: ProcId) -> (Summary, Report) {
    let facts = FunctionFacts::new(context.program.body(proc));
    let mut exec = Exec::new(context, proc, &facts);
    let found = exec.iterate();
    exec.first_steps = exec.steps;
    let mut report = Report { gave_up: found.gave_up, steps: exec.steps, ..Report::default() };
    report.unknown.append(&mut exec.unknown);
    if found.gave_up {
        report.cut_short = true;
        let written = exec.written_in_text();
        return (Summary { written, ..Summary::coarse() }, report);
    }
    let asked = &context.schedule.asked;
    let summary = if asked.is_read(proc) { exec.summarise(&found) } else { Summary::default() };
    report.gave_up |= summary.coarse;
    if context.options.counts_categories {
        report.categories = summary.categories().filled();
    }
    if asked.is_asked(proc) && !context.program.function(proc).system {
        let mut leaks = exec.leaks(&found);
        leaks.retain(|leak| !exec.is_settled(leak));
        let leaks = exec.confirmed(leaks);
        report.sites = exec.sites(&leaks);
        report.findings = exec.tell(input.entries, &leaks);
        report.origins = exec.origins(&leaks);
    }
    (summary, report)
}

fn verdicts(program: &Program, options: &Options, components: Vec<Component>) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let mut unknown: FxHashMap<String, u64> = FxHashMap::default();
    let (mut coarse, mut open, mut steps) = (0, 0, 0);
    let mut rows = Vec::new();
    for component in components {
        open += u64::from(component.is_open);
        rows.extend(component.reports);
    }
    rows.sort_by_key(|row| row.0);
    let mut categories = NAMES.map(|name| (name, 0));
    let looked = rows.len();
    for (proc, report) in rows {
        let counts = categories.iter_mut().zip(report.categories);
        counts.for_each(|(row, is_filled)| row.1 += u64::from(is_filled));
        steps += report.steps as u64;
        if report.gave_up {
            coarse += 1;
            verdicts.incomplete.push(too_large(program, proc));
        }
        verdicts.findings.extend(report.findings);
        verdicts.sites.extend(report.sites);
        for name in report.unknown {
            *unknown.entry(name).or_default() += 1;
        }
    }
    verdicts.unknown = unknown.into_iter().collect();
    verdicts.unknown.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut table = vec![
        ("procedures", looked as u64),
        ("procedures with a coarse summary", coarse),
        ("cycles of calls that still changed", open),
        ("steps", steps),
    ];
    if options.counts_categories {
        table.extend(categories);
    }
    table.push(("findings", verdicts.findings.len() as u64));
    verdicts.statistics.push(Section { title: "Procedural summaries (P4)", rows: table });
    verdicts
}

fn too_large(program: &Program, proc: ProcId) -> Incomplete {
    let module = program.module_of(proc);
    let function = program.function(proc);
    let span = module.spans.get(function.span);
    let what = Subject::Function {
        name: module.names.text(function.name).to_string(),
        unit: module.name.clone(),
    };
    let why = "too large for the summary engine: its arguments are taken as given away".to_string();
    let place = span.and_then(|span| Location::of_span(&span, &module.files));
    Incomplete { what, place, why }
}
