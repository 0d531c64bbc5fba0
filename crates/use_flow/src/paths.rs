//! The search that follows single paths: candidates become concrete sequences of blocks (K5), each
//! decided with all it knows, first by the linear filter while it grows (K6), at its end by the
//! solver (K7).

use std::time::Duration;

use caulk_base::{FxHashSet, Table};
use caulk_guard::bits::{Answer, Budget as SolverBudget, TermId, satisfy};
use caulk_ir::{BlockId, InstId};

use crate::explore::{End, at_return, is_lost, is_lost_in_turn};
use crate::skip::{self, Exit};
use crate::space::{Origin, Query};
use crate::state::{Phase, State};
use crate::steady::needs_unseen_change;
use crate::step::{Exec, Way};
use crate::witness::is_lost_with_owner;

/// One step of a path: the block, and the way it was left by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    pub block: BlockId,
    /// The edge of the terminator; none at the end.
    pub slot: Option<usize>,
    /// There was no other way out of the block.
    pub forced: bool,
    /// The start of a loop whose further turns were not followed one by one.
    pub skips: bool,
}

impl Stop {
    fn at(block: BlockId) -> Self {
        Self { block, slot: None, forced: true, skips: false }
    }
}

pub struct Found {
    pub path: Vec<Stop>,
    pub state: State,
    pub end: End,
    /// The solver found values for it; else it gave up.
    pub decided: bool,
    /// Memory must change on the way where nobody is known to change it.
    pub needs_change: bool,
    /// A value of an enumeration must be one that it does not name.
    pub needs_nameless: bool,
    /// Stops at which every way leads to the same end, once it is told.
    pub idle: Vec<bool>,
    /// What the path asks to believe.
    strain: u32,
}

impl Found {
    /// It rests on what callers do not expect of a callee, or on a value that nobody expects.
    fn is_doubtful(&self) -> bool {
        self.needs_change || self.needs_nameless || self.state.refused.is_some()
    }
}

pub enum Outcome {
    Found(Box<Found>),
    /// No path leads there.
    Refuted,
    OutOfBudget,
}

impl Outcome {
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Found(found) if found.decided => "found",
            Outcome::Found(_) => "not decided",
            Outcome::Refuted => "refuted",
            Outcome::OutOfBudget => "out of budget",
        }
    }
}

/// A path with more conditions is not followed: nobody would read it.
const MOST_CONDITIONS: usize = 80;
/// Terms that the paths of one candidate may make.
const MOST_TERMS: usize = 30_000;

/// How many turns of a loop a path may take, besides those that it cannot leave earlier.
const TURNS: u32 = 2;
/// How often a path may come to a block in all.
const VISITS: u32 = 8;
/// The turns when no shorter path was found, within what is left of the budget, for an object that
/// is made once: summaries follow lists that a loop makes for a few cells only.
const MORE_TURNS: u32 = 40;
/// Those for an object that a turn of the loop makes and a later one loses: one more, for what every
/// other turn does.
const TURNS_OF_MAKER: u32 = 3;

/// What the stages did (K10).
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub blocks: usize,
    pub solved: usize,
    pub refuted_by_solver: usize,
    pub undecided: usize,
    /// Processor time of the solver.
    pub solving: Duration,
    /// The paths of the last search that were given to the solver.
    pub tried: Vec<Tried>,
}

/// A path that reached an end, and what the solver says of it.
#[derive(Clone, Debug)]
pub struct Tried {
    pub path: Vec<Stop>,
    pub end: End,
    pub conditions: Vec<TermId>,
    pub answer: Answer,
}

pub fn search(exec: &mut Exec<'_>, ends: &[End], blocks: usize, counts: &mut Counts) -> Outcome {
    counts.tried.clear();
    exec.space.remember_before();
    let Some(mut search) = Search::new(exec, ends, blocks, counts, &|_, _| true) else {
        return Outcome::Refuted;
    };
    let outcome = match search.lengthening(exec) {
        Outcome::OutOfBudget => search.again(exec, blocks),
        outcome => outcome,
    };
    match search.doubtful {
        Some(found) if !matches!(outcome, Outcome::Found(_)) => Outcome::Found(found),
        _ => outcome,
    }
}

/// Blocks that the search for an easier path may execute.
const MORE_BLOCKS: usize = 150;
/// How much longer such a path may be: with each step there is more to believe, too.
const FARTHER: usize = 8;

/// Whether what a path tells is as good as what another did.
type Accepts<'s> = dyn Fn(&Exec<'_>, &Found) -> bool + 's;

/// The same end, by a path that asks its reader to believe less, if there is one nearby.
pub fn easier(
    exec: &mut Exec<'_>,
    mut found: Box<Found>,
    counts: &mut Counts,
    accepts: &Accepts<'_>,
) -> Box<Found> {
    if found.strain == 0 || found.is_doubtful() {
        return found;
    }
    let ends = [found.end.clone()];
    let Some(mut search) = Search::new(exec, &ends, MORE_BLOCKS, counts, accepts) else {
        return found;
    };
    search.turns = TURNS;
    search.longest = found.path.len() + FARTHER;
    while let Some(most) = found.strain.checked_sub(1) {
        search.most = most;
        match search.run(exec) {
            Outcome::Found(other) => found = other,
            Outcome::Refuted | Outcome::OutOfBudget => break,
        }
    }
    found
}

fn goal(end: &End) -> BlockId {
    match end {
        End::Return(block) | End::Trouble { block, .. } => *block,
        End::Turn { from, .. } => *from,
    }
}

/// How many edges lead from each block to the nearest goal.
pub fn distances(exec: &Exec<'_>, goals: &[BlockId]) -> Table<BlockId, Option<u32>> {
    let graph = exec.facts.cfg().graph();
    let mut found: Table<BlockId, Option<u32>> = Table::filled(None, exec.body.blocks.len());
    let mut queue: Vec<BlockId> = Vec::new();
    for &goal in goals {
        if found[goal].replace(0).is_none() {
            queue.push(goal);
        }
    }
    let mut next = 0;
    while let Some(&block) = queue.get(next) {
        next += 1;
        let distance = found[block].map_or(0, |it| it + 1);
        for predecessor in graph.predecessors(block) {
            if found[predecessor].is_none() {
                found[predecessor] = Some(distance);
                queue.push(predecessor);
            }
        }
    }
    found
}

struct Search<'s> {
    made_in: BlockId,
    ends: &'s [End],
    before: Table<BlockId, Option<u32>>,
    after: Table<BlockId, Option<u32>>,
    counts: &'s mut Counts,
    left: usize,
    most_terms: usize,
    /// Of the outcomes of a call, those are followed first that are last otherwise.
    failures_first: bool,
    path: Vec<Stop>,
    /// How many turns of a loop a path may take, and whether one was left for that.
    turns: u32,
    cut: bool,
    /// Only losses at the end of a turn are wanted.
    only_turns: bool,
    /// A path that rests on what callers do not expect of a callee, in case there is no other.
    doubtful: Option<Box<Found>>,
    /// Conditions that the solver refuted together: no path comes further that has them (K5).
    refuted: Vec<Vec<TermId>>,
    /// What is known where loops are left that were not followed to their ends.
    leaving: FxHashSet<TermId>,
    /// What a path may ask to believe, and how long it may be.
    most: u32,
    longest: usize,
    accepts: &'s Accepts<'s>,
}

/// A block to execute, `depth` steps from the start.
struct Frame {
    depth: usize,
    block: BlockId,
    /// How the block before it was left.
    slot: usize,
    forced: bool,
    /// A call of the block had several outcomes.
    chosen: bool,
    /// What the path asks to believe so far.
    strain: u32,
    /// Where to go on in the block, if not at its start.
    at: Option<InstId>,
    /// The loop that was not followed to its end.
    skipped: Option<Skipped>,
    state: State,
}

#[derive(Clone, Copy)]
struct Skipped {
    /// How the block before the loop was left.
    slot: usize,
    header: BlockId,
    /// The block that leaves it.
    from: BlockId,
}

/// How a block is left.
#[derive(Clone, Copy)]
struct Leaving {
    block: BlockId,
    forced: bool,
    /// There was no choice, neither of a branch nor of a call's outcome.
    single: bool,
    strain: u32,
}

impl<'s> Search<'s> {
    fn new(
        exec: &Exec<'_>,
        ends: &'s [End],
        blocks: usize,
        counts: &'s mut Counts,
        accepts: &'s Accepts<'s>,
    ) -> Option<Self> {
        let made_in = exec.facts.block_of(exec.focus?.call);
        let goals: Vec<BlockId> = ends.iter().map(goal).collect();
        Some(Self {
            made_in,
            ends,
            before: distances(exec, &[made_in]),
            after: distances(exec, &goals),
            counts,
            left: blocks,
            most_terms: MOST_TERMS,
            failures_first: false,
            path: Vec::new(),
            turns: 1,
            cut: false,
            only_turns: false,
            doubtful: None,
            refuted: Vec::new(),
            leaving: FxHashSet::default(),
            most: u32::MAX,
            longest: usize::MAX,
            accepts,
        })
    }

    /// A choice that was made early may lead into a long branch, out of which a search in depth comes too
    /// late to choose otherwise: the same with the other choice first, for half as long.
    fn again(&mut self, exec: &mut Exec<'_>, blocks: usize) -> Outcome {
        (self.left, self.most_terms) = (blocks / 2, exec.space.terms.len() + MOST_TERMS / 2);
        (self.turns, self.failures_first) = (1, true);
        match self.run(exec) {
            Outcome::Found(found) => Outcome::Found(found),
            Outcome::Refuted | Outcome::OutOfBudget => Outcome::OutOfBudget,
        }
    }

    /// The shortest way is the one that people read.
    fn lengthening(&mut self, exec: &mut Exec<'_>) -> Outcome {
        let outcome = self.run(exec);
        if !matches!(outcome, Outcome::Refuted) || !self.cut {
            return outcome;
        }
        (self.turns, self.cut) = (TURNS, false);
        let outcome = self.run(exec);
        let in_loop = exec.facts.cfg().loops().innermost(self.made_in).is_some();
        if !matches!(outcome, Outcome::Refuted) || !self.cut {
            return outcome;
        }
        if !in_loop {
            self.turns = MORE_TURNS;
            return self.run(exec);
        }
        self.only_turns = true;
        match self.ends.iter().any(|end| matches!(end, End::Turn { .. })) {
            true => {
                self.turns = TURNS_OF_MAKER;
                self.run(exec)
            }
            false => outcome,
        }
    }

    fn run(&mut self, exec: &mut Exec<'_>) -> Outcome {
        self.path.clear();
        let mut stack = vec![Frame {
            depth: 0,
            block: BlockId::ENTRY,
            slot: 0,
            forced: true,
            chosen: false,
            strain: 0,
            at: None,
            skipped: None,
            state: exec.start(),
        }];
        while let Some(frame) = stack.pop() {
            if self.left == 0 || exec.space.terms.len() > self.most_terms {
                return Outcome::OutOfBudget;
            }
            self.left -= 1;
            self.counts.blocks += 1;
            self.path.truncate(frame.depth);
            if let Some(skipped) = frame.skipped {
                self.pass_loop(skipped);
            }
            if frame.at.is_none() {
                if let Some(last) = self.path.last_mut() {
                    last.slot = Some(frame.slot);
                    last.forced = frame.forced;
                }
                self.path.push(Stop::at(frame.block));
            }
            let mut next = Vec::new();
            let from = frame.at.unwrap_or(exec.body.blocks[frame.block].first);
            let ways = exec.run_block(frame.block, from, frame.state, false);
            // Which outcome a call has is a choice like that of a branch, where short ways are
            // sought; else loops with a fixed number of turns would never end.
            let chosen = frame.chosen || ways.iter().any(|way| matches!(way, Way::Resume { .. }));
            let edges = ways.iter().filter(|way| matches!(way, Way::Edge { .. })).count();
            let forced = edges < 2 && !(chosen && self.turns == 1);
            let single = edges < 2 && !chosen;
            let leaving = Leaving { block: frame.block, forced, single, strain: frame.strain };
            for way in ways {
                match self.take(exec, leaving, way, &mut next).map(Box::new) {
                    Some(found) if found.is_doubtful() => {
                        self.doubtful.get_or_insert(found);
                    }
                    Some(found) if (self.accepts)(exec, &found) => return Outcome::Found(found),
                    _ => {}
                }
            }
            // The nearest to the goal is taken first: it goes last on the stack. Of equals, the
            // one on which no allocation failed.
            next.sort_by_key(|(distance, frame)| {
                let is_later = frame.state.failed.is_some() != self.failures_first;
                let slot = if self.failures_first { usize::MAX - frame.slot } else { frame.slot };
                std::cmp::Reverse((*distance, is_later, slot))
            });
            stack.extend(next.into_iter().map(|(_, frame)| frame));
        }
        Outcome::Refuted
    }

    fn take(
        &mut self,
        exec: &mut Exec<'_>,
        leaving: Leaving,
        way: Way,
        next: &mut Vec<(u32, Frame)>,
    ) -> Option<Found> {
        let Leaving { block, forced, single, strain } = leaving;
        match way {
            Way::Edge { slot, to, state } => {
                let asked = if single { 0 } else { exec.strain(&self.path, slot) };
                let strain = strain + asked;
                if strain > self.most || self.path.len() >= self.longest {
                    return None;
                }
                let turn = End::Turn { from: block, header: to };
                if self.ends.contains(&turn)
                    && is_lost_in_turn(exec, block, to, &state)
                    && !is_lost_with_owner(exec, &state)
                {
                    return self.decide(exec, state, turn, strain);
                }
                if let Some(distance) = self.distance(to, forced, &state) {
                    let depth = self.path.len();
                    next.push((
                        distance,
                        Frame {
                            depth,
                            block: to,
                            slot,
                            forced,
                            chosen: false,
                            strain,
                            at: None,
                            skipped: None,
                            state,
                        },
                    ));
                } else if self.is_long_loop(to, forced) {
                    self.skip_loop(exec, (slot, to), (&state, strain), next);
                }
                None
            }
            Way::Resume { at, state } => {
                // The path stays as it is: the block is on it already.
                let depth = self.path.len();
                let slot = next.len();
                let (at, skipped) = (Some(at), None);
                let (forced, chosen) = (true, true);
                let frame =
                    Frame { depth, block, slot, forced, chosen, strain, at, skipped, state };
                next.push((0, frame));
                None
            }
            Way::Return { state, value } => {
                let end = End::Return(block);
                let state = at_return(exec, state, value);
                let wanted = !self.only_turns
                    && self.ends.contains(&end)
                    && is_lost(exec, &state)
                    && !is_lost_with_owner(exec, &state);
                wanted.then(|| self.decide(exec, state, end, strain)).flatten()
            }
            Way::Trouble { trouble, state } => {
                let end = End::Trouble { block, trouble };
                let wanted = self.ends.contains(&end);
                wanted.then(|| self.decide(exec, state, end, strain)).flatten()
            }
        }
    }

    /// Whether the path goes round a loop as often as it may, and nothing was decided in the turns.
    fn is_long_loop(&self, to: BlockId, forced: bool) -> bool {
        let visits = self.path.iter().filter(|stop| stop.block == to).count();
        self.turns == MORE_TURNS && visits == MORE_TURNS as usize && self.turns(to, forced) == 0
    }

    /// Goes on behind a loop.
    fn skip_loop(
        &mut self,
        exec: &mut Exec<'_>,
        (slot, header): (usize, BlockId),
        (state, strain): (&State, u32),
        next: &mut Vec<(u32, Frame)>,
    ) {
        for Exit { from, slot: leaving, to, state } in skip::exits(exec, header, state) {
            let Some(distance) = self.distance(to, false, &state) else { continue };
            self.leaving.extend(state.facts.conditions());
            let frame = Frame {
                depth: self.path.len(),
                block: to,
                slot: leaving,
                forced: false,
                chosen: false,
                strain,
                at: None,
                skipped: Some(Skipped { slot, header, from }),
                state,
            };
            next.push((distance, frame));
        }
    }

    fn pass_loop(&mut self, skipped: Skipped) {
        if let Some(last) = self.path.last_mut() {
            last.slot = Some(skipped.slot);
        }
        self.path.push(Stop { skips: true, ..Stop::at(skipped.header) });
        if skipped.from != skipped.header {
            self.path.push(Stop::at(skipped.from));
        }
    }

    /// The path without the turns of loops that were followed in vain.
    fn told(&self) -> Vec<Stop> {
        let mut told: Vec<Stop> = Vec::with_capacity(self.path.len());
        for &stop in &self.path {
            if stop.skips {
                let first = told.iter().position(|it| it.block == stop.block);
                told.truncate(first.unwrap_or(told.len()));
            }
            told.push(stop);
        }
        told
    }

    /// None for a step that leads nowhere.
    fn distance(&mut self, to: BlockId, forced: bool, state: &State) -> Option<u32> {
        if state.facts.len() > MOST_CONDITIONS || self.is_refuted(state) {
            return None;
        }
        let visits = self.path.iter().filter(|stop| stop.block == to).count();
        if visits >= VISITS.max(self.turns) as usize || self.turns(to, forced) >= self.turns {
            self.cut = true;
            return None;
        }
        let Some(focus) = state.focus else { return self.before[to] };
        let dead = match state.phase(focus) {
            Phase::Live => false,
            Phase::Released => !self.ends.iter().any(|end| matches!(end, End::Trouble { .. })),
            Phase::Kept => true,
        };
        if dead { None } else { self.after[to] }
    }

    fn is_refuted(&self, state: &State) -> bool {
        self.refuted.iter().any(|core| state.facts.has_all(core))
    }

    /// How often the path came to the block, without the turns in which nothing was decided: the
    /// bound of such a loop is a number.
    fn turns(&self, to: BlockId, forced: bool) -> u32 {
        let mut turns = 0;
        let mut decided = !forced;
        for (at, stop) in self.path.iter().enumerate().rev() {
            decided |= !stop.forced && at + 1 < self.path.len();
            if stop.block == to {
                turns += u32::from(decided);
                decided = false;
            }
        }
        turns
    }

    /// Whether the path depends on what the turns made of something, and nobody followed them.
    fn asks_what_loops_did(&self, exec: &Exec<'_>, state: &State) -> bool {
        let space = &exec.space;
        let is_of_turns = &mut |it| matches!(space.origin(it), Some(Origin::Join(..)));
        let later = state.facts.conditions().iter().filter(|it| !self.leaving.contains(it));
        !self.leaving.is_empty() && later.copied().any(|it| space.any_symbol(it, is_of_turns))
    }

    fn decide(
        &mut self,
        exec: &mut Exec<'_>,
        state: State,
        end: End,
        strain: u32,
    ) -> Option<Found> {
        let needs_nameless = exec.needs_nameless(&self.path);
        let needs_change = needs_unseen_change(&mut exec.space, &state);
        // A second path in doubt would be of no use.
        let is_doubtful = state.refused.is_some() || needs_nameless || needs_change;
        let is_vain = is_doubtful && self.doubtful.is_some();
        if is_vain || self.is_refuted(&state) || self.asks_what_loops_did(exec, &state) {
            return None;
        }
        self.counts.solved += 1;
        let conditions: Vec<TermId> = state.facts.conditions().to_vec();
        if let Some(asked) = &mut exec.space.asked {
            asked.push(Query { conditions: conditions.clone(), refuted_by_filter: false });
        }
        let clock = exec.context.clock;
        let before = clock();
        let answer = satisfy(&exec.space.terms, &conditions, &SolverBudget::default());
        self.counts.solving += clock().saturating_sub(before);
        let path = self.told();
        let tried = Tried { path: path.clone(), end: end.clone(), conditions, answer };
        self.counts.tried.push(tried.clone());
        let decided = match &tried.answer {
            Answer::Sat(_) => true,
            Answer::Unsat(core) => {
                self.counts.refuted_by_solver += 1;
                let core = core.iter().filter_map(|&at| tried.conditions.get(at).copied());
                self.refuted.push(core.collect());
                return None;
            }
            Answer::Unknown(_) => {
                self.counts.undecided += 1;
                false
            }
        };
        if !exec.is_called_so(&state) {
            return None;
        }
        let idle = Vec::new();
        Some(Found { path, state, end, decided, needs_change, needs_nameless, idle, strain })
    }
}
