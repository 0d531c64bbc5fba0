//! Exploration: a function is run with nothing in mind, and whatever it loses, frees twice or uses
//! after its release is seen.
//!
//! The search and the interpreter are those of a replay, and here too only the interpreter's word
//! counts. Nothing is said about ways that were not taken, so this finds, and refutes nothing.
//! Allocations of memory do not fail here: which of them matter is for those who search paths.

use std::rc::Rc;

use caulk_finding::{Outcome, Proof};
use caulk_interp::scenario::{Ended, Fate, Played, play};
use caulk_interp::{Budgets, FaultKind, Position};
use caulk_ir::{InstId, Linkage, Scalar, ValueId};

use crate::object::Made;
use crate::rehearse::calls_at;
use crate::search::{Candidate, Limits, Next, QUERY, Seeker};
use crate::target::anything;
use crate::world::World;
use crate::{Player, scene, station};

const LIMITS: Limits = Limits { steps: 300_000, terms: 60_000, visits: 20, query: QUERY };
/// Its steps in a large program.
const LEAST_STEPS: u64 = 20_000;
const RUN: Budgets = Budgets { steps: 1_000_000, memory: 16 << 20, depth: 500 };
/// Runs of one function.
const MOST_RUNS: u32 = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    Lost,
    FreedTwice,
    UsedAfterFree,
}

/// Function, instruction, position.
pub type Calls = Vec<(u32, InstId, Position)>;

/// What went wrong with one object in a run.
#[derive(Clone, Debug)]
pub struct Sight {
    pub fault: Fault,
    /// The calls that made the object, outermost first.
    pub made: Calls,
    pub resource: String,
    /// Where it happened, outermost first; empty where the run did not tell.
    pub stack: Vec<Position>,
    pub outcome: Outcome,
    /// Other objects that the same calls made were freed: the program means to free them.
    pub others_freed: bool,
    /// The calls that made what is lost with the object, each outermost first.
    pub along: Vec<Calls>,
}

impl Player {
    /// Where exploration starts: with `main`, or in a library with whatever a program may call
    /// first and give only numbers. What is behind pointers has rules that the search would break.
    #[must_use]
    pub fn starts(&self) -> Vec<u32> {
        let mains = self.world.named("main");
        if !mains.is_empty() {
            return mains.to_vec();
        }
        let all = self.world.own_functions();
        all.filter(|&it| is_exported(&self.world, it) && takes_numbers(&self.world, it)).collect()
    }

    #[must_use]
    pub fn name(&self, function: u32) -> &str {
        self.world.program.function_name(function)
    }

    /// What goes wrong in runs of a function, one sight for each stack of calls that made an object.
    #[must_use]
    pub fn explore(&self, function: u32) -> Vec<Sight> {
        let target = anything(&self.world, function);
        let limits = LIMITS.in_program(self.world.size(), LEAST_STEPS);
        let mut seeker = Seeker::new(&self.world, &target).within(limits);
        let mut sights: Vec<Sight> = Vec::new();
        if seeker.begin().is_err() {
            return sights;
        }
        for _ in 0..MOST_RUNS {
            let Next::Candidate(candidate) = seeker.next() else { break };
            for sight in seen(&self.world, &mut seeker, &candidate) {
                let is_known = |it: &Sight| it.fault == sight.fault && it.made == sight.made;
                if !sights.iter().any(is_known) {
                    sights.push(sight);
                }
            }
        }
        sights
    }
}

fn is_exported(world: &World, function: u32) -> bool {
    let row = &world.program.functions[function as usize];
    world.program.modules[row.module].functions[row.id].linkage == Linkage::External
}

fn takes_numbers(world: &World, function: u32) -> bool {
    world.program.body(function).is_some_and(|body| {
        let is_number = |&param: &ValueId| body.values[param].scalar != Scalar::Ptr;
        body.result_into.is_none() && body.params.iter().all(is_number)
    })
}

/// Plays a candidate and looks at what became of its objects. Memory that may never be like this
/// shows nothing.
fn seen(world: &World, seeker: &mut Seeker<'_>, candidate: &Candidate) -> Vec<Sight> {
    if !scene::supposed(seeker, candidate).is_empty() {
        return Vec::new();
    }
    let scenario = scene::scenario(seeker, candidate);
    let played = play(&world.program, scenario, RUN);
    let inputs = scene::given(seeker, candidate);
    let made: Vec<Rc<Made>> = made(candidate);
    let sight = |fault, made: &Made, stack: &[Position]| {
        let start = world.program.function_name(made.stack[0].0);
        let outcome = Outcome {
            proof: Proof::Confirmed,
            why: format!("a run of `{start}` shows it"),
            inputs: inputs.clone(),
            stack: stack.iter().cloned().map(station).collect(),
        };
        let made_at = placed(world, &made.stack);
        let resource = made.resource.name().to_owned();
        let stack = stack.iter().rev().cloned().collect();
        let (others_freed, along) = (false, Vec::new());
        Sight { fault, made: made_at, resource, stack, outcome, others_freed, along }
    };
    match &played.ended {
        Ended::Returned => {
            let lost = made.iter().filter_map(|it| Some((it, lost_at(world, &played, it)?)));
            let mut sights: Vec<Sight> =
                lost.map(|(it, stack)| sight(Fault::Lost, it, &stack)).collect();
            // Of several it is not known which of them leads to the rest.
            if let [only] = sights.as_mut_slice() {
                only.along = lost_along(world, &played, &only.made);
            }
            sights
        }
        Ended::Fault(report) => {
            let fault = match report.kind {
                FaultKind::DoubleFree => Fault::FreedTwice,
                FaultKind::UseAfterFree => Fault::UsedAfterFree,
                _ => return Vec::new(),
            };
            let is_it =
                |it: &&Rc<Made>| report.allocated.as_deref() == Some(&*positions(world, it));
            let found = made.iter().find(is_it);
            found.map(|it| sight(fault, it, &report.stack)).into_iter().collect()
        }
        Ended::Exited | Ended::Astray(_) => Vec::new(),
    }
}

/// How the objects that the search saw lost were made; all of them where it saw a fault.
fn made(candidate: &Candidate) -> Vec<Rc<Made>> {
    let state = &candidate.state;
    match state.is_done {
        true => state.objects.iter().filter_map(|object| object.made.clone()).collect(),
        false => state.lost(candidate.result),
    }
}

/// Where the run lost what was made so.
fn lost_at(world: &World, played: &Played, made: &Made) -> Option<Vec<Position>> {
    let positions = positions(world, made);
    played.cells.iter().filter(|cell| cell.made == positions).find_map(|cell| match &cell.fate {
        Fate::Lost(loss) => Some(loss.as_ref().map_or_else(Vec::new, |loss| loss.stack.clone())),
        _ => None,
    })
}

/// The calls that made what the run lost besides.
fn lost_along(world: &World, played: &Played, head: &Calls) -> Vec<Calls> {
    let mut along: Vec<Calls> = Vec::new();
    for cell in played.cells.iter().filter(|cell| matches!(cell.fate, Fate::Lost(_))) {
        let calls = calls_at(world, &cell.made).filter(|it| it != head && !along.contains(it));
        along.extend(calls);
    }
    along
}

fn placed(world: &World, stack: &[(u32, InstId)]) -> Vec<(u32, InstId, Position)> {
    let position = |&(function, inst): &(u32, InstId)| {
        let body = world.program.body(function)?;
        Some((function, inst, world.program.position(function, body.inst_spans[inst])))
    };
    stack.iter().filter_map(position).collect()
}

/// Innermost first, as the interpreter tells stacks.
fn positions(world: &World, made: &Made) -> Vec<Position> {
    placed(world, &made.stack).into_iter().rev().map(|row| row.2).collect()
}
