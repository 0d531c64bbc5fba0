//! All sites of a program, on several threads. The result does not depend on their number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use caulk_base::FxHashMap;
use caulk_finding::{Finding, Site as Row, Verdicts};
use caulk_flow::{Atoms, End, Flow, Sources};
use caulk_memory::Memory;
use caulk_program::Wrappers;

use crate::configuration::Configuration;
use crate::judge::{Judge, Judgement};
use crate::sites::{Site, sites};
use crate::story::row;
use crate::tables::{Counts, sections};
use crate::witness::findings;
use crate::world::World;

/// The facts that the engine stands on.
#[derive(Clone, Copy)]
pub struct Input<'m, 'p> {
    pub memory: &'m Memory<'p>,
    pub wrappers: &'m Wrappers,
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
    let world = World::new(configuration, &flow, &sources, &atoms);
    let (outcomes, counts) = judge_all(&world, &sites(&world));
    collect(outcomes, &counts, input.wrappers)
}

fn judge_all(world: &World, sites: &[Site]) -> (Vec<Outcome>, Counts) {
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
    (rows.into_iter().map(|row| row.1).collect(), counts)
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
    (rows, Counts { pairs: judge.pairs, doubles, solver: *judge.statistics() })
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
