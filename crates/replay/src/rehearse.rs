//! Whole runs: the program itself, from `main` to its end, with made-up inputs.
//!
//! The search with symbols ([`crate::search`]) decides few branches exactly; runs with numbers decide
//! many at a thousandth of the cost. Structures that only fill up after several turns, keys that come
//! twice and texts that are taken apart are met here. What takes the program to a new place is kept
//! and changed further. The library is the interpreter's, and its checked memory tells what leaked.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_finding::{Given, Outcome as Shown, Proof};
use caulk_interp::{
    Budgets, Event, EventKind, FaultKind, Leak, Outcome, Position, RunOptions, Status, Unknown, run,
};
use caulk_ir::{BlockId, Inst, InstId};

use crate::explore::{Calls, Fault, Sight};
use crate::input::{Chance, FILE, Input, Maker};
use crate::vocabulary::Vocabulary;
use crate::world::World;
use crate::{Player, station};

const RUN: Budgets = Budgets { steps: 60_000, memory: 16 << 20, depth: 500 };
/// Runs from one start; those that see nothing new before it is enough; and steps of all. Where runs of
/// so many steps all went as the first, what they are given makes no difference.
struct Limits {
    runs: u32,
    vain: u32,
    steps: u64,
    alike: u64,
}
const OF_PROGRAM: Limits = Limits { runs: 600, vain: 250, steps: 4_000_000, alike: 800_000 };
const OF_FUNCTION: Limits = Limits { runs: 60, vain: 25, steps: 200_000, alike: 200_000 };
/// What it costs to set up a run, in steps for each function and object.
const SET_UP: u64 = 40;
/// Characters of an input that are told.
const MOST_TOLD: usize = 60;

impl Player {
    /// What goes wrong in whole runs from `main`, or of a function that takes only numbers.
    #[must_use]
    pub fn rehearse(&self, start: u32) -> Vec<Sight> {
        let mains = self.world.named("main");
        if mains.len() > 1 {
            return Vec::new();
        }
        let vocabulary = Vocabulary::new(&self.world, start);
        let mut rehearsal = Rehearsal {
            world: &self.world,
            start: Some(start).filter(|start| !mains.contains(start)),
            vocabulary: &vocabulary,
            reached: FxHashSet::default(),
            kept: Vec::new(),
            sights: Vec::new(),
            seen: FxHashSet::default(),
            seen_along: FxHashSet::default(),
            steps: 0,
        };
        rehearsal.all();
        rehearsal.sights
    }
}

/// A block, and how often it was come to: once, twice, a few times, often.
type Reached = (u32, BlockId, u32);

struct Rehearsal<'w> {
    world: &'w World,
    /// None for `main`.
    start: Option<u32>,
    vocabulary: &'w Vocabulary,
    reached: FxHashSet<Reached>,
    /// The inputs that came to new places.
    kept: Vec<Input>,
    sights: Vec<Sight>,
    /// With whether others of the same calls were freed.
    seen: FxHashSet<(Fault, Vec<Position>, bool)>,
    /// What was seen to be lost with something else.
    seen_along: FxHashSet<Calls>,
    steps: u64,
}

impl Rehearsal<'_> {
    fn all(&mut self) {
        let mut maker = Maker { vocabulary: self.vocabulary, chance: Chance::new() };
        let limits = if self.start.is_none() { OF_PROGRAM } else { OF_FUNCTION };
        let mut vain = 0;
        for number in 0..limits.runs {
            let input = match number {
                0 => Input::default(),
                _ => self.next(&mut maker),
            };
            let is_new = self.one(&input);
            vain = if is_new { 0 } else { vain + 1 };
            if is_new {
                self.kept.push(input);
            }
            let most = if self.kept.len() > 1 { limits.steps } else { limits.alike };
            if vain >= limits.vain || self.steps > most || self.has_no_input() {
                return;
            }
        }
    }

    fn has_no_input(&self) -> bool {
        let Vocabulary { takes_arguments, takes_numbers, reads, asks, has_clock, .. } =
            *self.vocabulary;
        !(takes_arguments || takes_numbers || reads || asks || has_clock)
    }

    /// Mostly a change of what came far, the last the more often.
    fn next(&self, maker: &mut Maker<'_>) -> Input {
        if self.kept.is_empty() || maker.chance.one_in(3) {
            return maker.fresh();
        }
        let back = maker.chance.below(self.kept.len() as u64);
        let back = maker.chance.below(back + 1) as usize;
        maker.changed(&self.kept[self.kept.len() - 1 - back])
    }

    fn options<'a>(&self, input: &Input) -> RunOptions<'a> {
        let args = std::iter::once(b"program".to_vec()).chain(input.args.iter().cloned());
        let files = match self.vocabulary.opens {
            true => vec![(FILE.to_vec(), input.text())],
            false => Vec::new(),
        };
        RunOptions {
            args: args.collect(),
            start: self.start.map(|start| (start, input.numbers.clone())),
            stdin: input.text(),
            files,
            budgets: RUN,
            unknown: Unknown::Answer,
            answers: input.answers.clone(),
            later: input.time,
            ..RunOptions::default()
        }
    }

    /// Whether the run came to a new place.
    fn one(&mut self, input: &Input) -> bool {
        let mut visits = Visits::default();
        let mut listen = |event: &Event| visits.hear(event);
        let options = RunOptions { events: Some(&mut listen), ..self.options(input) };
        let outcome = run(&self.world.program, options);
        let size = self.world.program.functions.len() + self.world.program.objects.len();
        self.steps += outcome.steps + SET_UP * size as u64;
        if has_fault(&outcome) {
            self.look(input);
        }
        let before = self.reached.len();
        self.reached.extend(visits.reached());
        self.reached.len() > before
    }

    /// The same run again, watched.
    fn look(&mut self, input: &Input) {
        let options = RunOptions { watch_heap: true, ..self.options(input) };
        let outcome = run(&self.world.program, options);
        // Functions have rules for what they are given: `realloc` to no bytes at all frees twice.
        if let (Status::Error(report), None) = (&outcome.status, self.start) {
            let made = report.allocated.clone().unwrap_or_default();
            let fault = match report.kind {
                FaultKind::DoubleFree => Some(Fault::FreedTwice),
                FaultKind::UseAfterFree => Some(Fault::UsedAfterFree),
                _ => None,
            };
            let is_new = |fault: &Fault| self.seen.insert((*fault, made.clone(), false));
            let sight = fault.filter(is_new);
            let sight = sight.and_then(|fault| self.sight(fault, &made, &report.stack, input));
            self.sights.extend(sight);
        }
        for (number, leak) in outcome.leaks.iter().enumerate().filter(|it| it.1.with.is_none()) {
            let stack = leak.lost.as_ref().map_or(&[][..], |loss| &loss.stack);
            let along = self.along(&outcome.leaks, number);
            let is_new = self.seen.insert((Fault::Lost, leak.allocated.clone(), leak.others_freed));
            let is_more = along.iter().filter(|it| self.seen_along.insert((*it).clone())).count();
            if is_new || is_more > 0 {
                let others_freed = leak.others_freed;
                let sight = self.sight(Fault::Lost, &leak.allocated, stack, input);
                self.sights.extend(sight.map(|sight| Sight { others_freed, along, ..sight }));
            }
        }
    }

    /// What is lost with a leak, by the calls that made it.
    fn along(&self, leaks: &[Leak], head: usize) -> Vec<Calls> {
        let mut told = FxHashSet::from_iter([&leaks[head].allocated]);
        let with = leaks.iter().filter(|leak| leak.with == Some(head));
        let other = with.filter(|leak| told.insert(&leak.allocated));
        other.filter_map(|leak| calls_at(self.world, &leak.allocated)).collect()
    }

    /// None where the program does not tell who made it; `made` and `stack` are innermost first.
    fn sight(
        &self,
        fault: Fault,
        made: &[Position],
        stack: &[Position],
        input: &Input,
    ) -> Option<Sight> {
        let made = calls_at(self.world, made)?;
        let outcome = Shown {
            proof: Proof::Confirmed,
            why: String::from("a run of the program shows it"),
            inputs: told(self.vocabulary, input),
            stack: stack.iter().cloned().map(station).collect(),
        };
        let resource = String::from("memory");
        let stack = stack.iter().rev().cloned().collect();
        let (others_freed, along) = (false, Vec::new());
        Some(Sight { fault, made, resource, stack, outcome, others_freed, along })
    }
}

fn has_fault(outcome: &Outcome) -> bool {
    match &outcome.status {
        Status::Error(report) => {
            matches!(report.kind, FaultKind::DoubleFree | FaultKind::UseAfterFree)
        }
        _ => !outcome.leaks.is_empty(),
    }
}

fn told(vocabulary: &Vocabulary, input: &Input) -> Vec<Given> {
    let text = |bytes: &[u8]| -> String {
        let text: String = String::from_utf8_lossy(bytes).escape_default().collect();
        text.chars().take(MOST_TOLD).collect()
    };
    let mut given = Vec::new();
    if !input.args.is_empty() {
        let words: Vec<String> = input.args.iter().map(|arg| text(arg)).collect();
        given.push(Given { name: String::from("arguments"), value: words.join(" ") });
    }
    if !input.numbers.is_empty() {
        let numbers: Vec<String> = input.numbers.iter().map(i64::to_string).collect();
        given.push(Given { name: String::from("arguments"), value: numbers.join(" ") });
    }
    if !input.lines.is_empty() {
        let name = if vocabulary.opens { "standard input and file `a`" } else { "standard input" };
        given.push(Given { name: name.to_owned(), value: text(&input.text()) });
    }
    if !input.answers.is_empty() {
        let numbers: Vec<String> = input.answers.iter().map(i64::to_string).collect();
        let name = String::from("answers of unknown functions");
        given.push(Given { name, value: numbers.join(" ") });
    }
    given
}

/// The calls of the program at a stack that is innermost first; the innermost may be in a function of the
/// library.
pub fn calls_at(world: &World, made: &[Position]) -> Option<Calls> {
    let calls = made.iter().map(|at| call_at(world, at)).skip_while(Option::is_none);
    let mut calls = calls.collect::<Option<Calls>>().filter(|it| !it.is_empty())?;
    calls.reverse();
    Some(calls)
}

/// The call of the user's program at a place.
fn call_at(world: &World, at: &Position) -> Option<(u32, InstId, Position)> {
    world.named(&at.function).iter().find_map(|&function| {
        let body = world.program.body(function)?;
        let is_it = |id: InstId| world.program.position(function, body.inst_spans[id]) == *at;
        let mut calls = body.insts.iter().filter(|(_, inst)| matches!(inst, Inst::Call(_)));
        let (id, _) = calls.find(|&(id, _)| is_it(id))?;
        Some((function, id, at.clone()))
    })
}

/// Counts the blocks of a run.
#[derive(Default)]
struct Visits {
    functions: Vec<u32>,
    counts: FxHashMap<(u32, BlockId), u32>,
}

impl Visits {
    fn hear(&mut self, event: &Event) {
        match event.kind {
            EventKind::Enter { function } => {
                self.functions.truncate(event.depth.saturating_sub(1));
                self.functions.push(function);
                *self.counts.entry((function, BlockId::ENTRY)).or_default() += 1;
            }
            EventKind::Block { block } => {
                self.functions.truncate(event.depth);
                if let Some(&function) = self.functions.last() {
                    *self.counts.entry((function, block)).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    fn reached(self) -> impl Iterator<Item = Reached> {
        self.counts.into_iter().map(|((function, block), count)| (function, block, size(count)))
    }
}

fn size(count: u32) -> u32 {
    match count {
        0..=3 => count,
        4..=7 => 4,
        8..=31 => 8,
        _ => 32,
    }
}
