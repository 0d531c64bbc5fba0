//! All sites of a program, on several threads. The result does not depend on their number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use caulk_base::FxHashMap;
use caulk_finding::{Confidence, Finding, Kind, Site as Row, Verdicts};
use caulk_flow::{Atoms, End, Flow, Sources};
use caulk_memory::Memory;
use caulk_program::{DirectCalls, Wrappers};

use crate::configuration::Configuration;
use crate::judge::{Judge, Judgement};
use crate::sites::{Site, made_in, sites};
use crate::story::row;
use crate::tables::{Counts, sections};
use crate::witness::findings;
use crate::world::{Searches, World};

/// The facts that the engine stands on.
#[derive(Clone, Copy)]
pub struct Input<'m, 'p> {
    pub memory: &'m Memory<'p>,
    pub wrappers: &'m Wrappers,
    pub calls: &'m DirectCalls,
}

/// What became of one site.
struct Outcome {
    row: Row,
    findings: Vec<Finding>,
    /// Functions that nothing is known of and that took the object.
    unknown: Vec<String>,
}

#[must_use]
pub fn check(input: Input<'_, '_>, configuration: &Configuration) -> Verdicts {
    let flow = Flow::new(input.memory);
    let sources = Sources::new(&flow);
    let program = input.memory.input().program;
    let atoms = match configuration.correlated {
        true => Atoms::correlated(program),
        false => Atoms::new(program),
    };
    let searches = Searches::new(&flow, configuration.search_limit);
    let mut world = World::new(configuration, (&flow, input.calls), &sources, &atoms, &searches);
    let sites = sites(&world);
    world.made_in = made_in(&sites);
    let (mut outcomes, counts) = judge_all(&world, &sites);
    if configuration.second_look {
        look_again(&world, &sites, &mut outcomes);
    }
    let outcomes = outcomes.into_iter().map(|row| row.1).collect();
    collect(outcomes, &counts, input.wrappers)
}

/// What the improving switches take away is of low confidence; what they leave is told as they tell it:
/// the branches of a path, and where that loses the object.
fn look_again(world: &World, sites: &[Site], outcomes: &mut [(usize, Outcome)]) {
    let reported = outcomes.iter_mut().filter(|row| !row.1.findings.is_empty());
    let reported: Vec<&mut (usize, Outcome)> = reported.collect();
    if reported.is_empty() {
        return;
    }
    let mut configuration = world.configuration.clone();
    configuration.improve(true);
    let atoms = Atoms::correlated(world.memory().input().program);
    let mut world = World::new(
        &configuration,
        (world.flow, world.calls),
        world.sources,
        &atoms,
        world.searches,
    );
    world.made_in = made_in(sites);
    let again: Vec<Site> = reported.iter().map(|row| sites[row.0].clone()).collect();
    let mut found: FxHashMap<usize, Outcome> = judge_all(&world, &again).0.into_iter().collect();
    for (at, row) in reported.into_iter().enumerate() {
        let second = found.remove(&at).map(|outcome| outcome.findings).unwrap_or_default();
        row.1.findings.iter_mut().for_each(|finding| doubt(finding, &second));
    }
}

fn doubt(finding: &mut Finding, second: &[Finding]) {
    let is_double = |it: &Finding| it.kind == Kind::DoubleFree;
    let end = |it: &Finding| it.path.last().map(|step| step.location.clone());
    let is_it = |it: &&Finding| match is_double(finding) {
        true => is_double(it) && end(it) == end(finding),
        false => !is_double(it),
    };
    match second.iter().find(is_it) {
        Some(again) if again.confidence <= finding.confidence => *finding = again.clone(),
        Some(again) => {
            let (confidence, reason) = (finding.confidence, finding.reason.clone());
            *finding = Finding { confidence, reason, ..again.clone() };
        }
        None => {
            finding.confidence = Confidence::Low;
            finding.reason = "with the switch `improved` it is not found".to_string();
        }
    }
}

/// In the order of the sites, each with its number.
fn judge_all(world: &World, sites: &[Site]) -> (Vec<(usize, Outcome)>, Counts) {
    let next = AtomicUsize::new(0);
    let done: Mutex<(Vec<(usize, Outcome)>, Counts)> = Mutex::default();
    let work = || {
        let (rows, counts) = judge_some(world, sites, &next);
        let mut done = done.lock().expect("no thread panics with the lock");
        done.0.extend(rows);
        done.1.add(&counts);
    };
    std::thread::scope(|scope| {
        for _ in 1..world.configuration.threads {
            scope.spawn(work);
        }
        work();
    });
    let (mut rows, counts) = done.into_inner().expect("no thread panics with the lock");
    rows.sort_by_key(|row| row.0);
    (rows, counts)
}

/// Whatever the other threads leave.
fn judge_some(
    world: &World,
    sites: &[Site],
    next: &AtomicUsize,
) -> (Vec<(usize, Outcome)>, Counts) {
    let mut judge = Judge::new(world);
    let mut rows = Vec::new();
    let mut doubles = 0;
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(site) = sites.get(at) else { break };
        if let Some(judgement) = judge.judge(site) {
            doubles += judgement.doubles.len() as u64;
            rows.push((at, outcome(&mut judge, &judgement)));
        }
    }
    (
        rows,
        Counts {
            pairs: judge.pairs,
            undecided: judge.undecided,
            doubles,
            solver: *judge.statistics(),
        },
    )
}

fn outcome(judge: &mut Judge, judgement: &Judgement) -> Outcome {
    let findings = findings(judge, judgement);
    Outcome { row: row(judge.world, judgement), findings, unknown: unknown(judge.world, judgement) }
}

fn unknown(world: &World, judgement: &Judgement) -> Vec<String> {
    let program = world.memory().input().program;
    let ends = judgement.reach.iter().flat_map(|reach| reach.ends());
    let mut names: Vec<String> = ends
        .filter_map(|(_, _, end)| match end {
            End::Unknown(Some(external)) => Some(program.externals[external].name.clone()),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

fn collect(outcomes: Vec<Outcome>, counts: &Counts, wrappers: &Wrappers) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let mut unknown: FxHashMap<String, u64> = FxHashMap::default();
    for outcome in outcomes {
        verdicts.sites.push(outcome.row);
        verdicts.findings.extend(outcome.findings);
        outcome.unknown.into_iter().for_each(|name| *unknown.entry(name).or_default() += 1);
    }
    verdicts.unknown = unknown.into_iter().collect();
    verdicts.unknown.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sort(&mut verdicts);
    let classes: Vec<&'static str> = verdicts.sites.iter().map(|site| site.class).collect();
    verdicts.statistics = sections(&classes, wrappers, counts);
    verdicts
}

/// By place, so that the order of the input does not matter; the same finding once.
fn sort(verdicts: &mut Verdicts) {
    verdicts
        .sites
        .sort_by(|a, b| (&a.location, a.class, &a.story).cmp(&(&b.location, b.class, &b.story)));
    let key = |it: &Finding| (it.primary.clone(), it.kind, it.message.clone());
    verdicts.findings.sort_by_key(key);
    verdicts.findings.dedup_by(|a, b| key(a) == key(b));
}
