//! The search that follows single paths: candidates become concrete sequences of blocks (K5), each
//! decided with all it knows, first by the linear filter while it grows (K6), at its end by the
//! solver (K7).

use caulk_base::Table;
use caulk_guard::bits::{Answer, Budget as SolverBudget, TermId, solve};
use caulk_ir::{BlockId, InstId};

use crate::explore::{End, at_return, is_lost, is_lost_in_turn};
use crate::state::{Phase, State};
use crate::step::{Exec, Way};

/// One step of a path: the block, and the way it was left by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    pub block: BlockId,
    /// The edge of the terminator; none at the end.
    pub slot: Option<usize>,
}

pub struct Found {
    pub path: Vec<Stop>,
    pub state: State,
    pub end: End,
    /// The solver found values for it; else it gave up.
    pub decided: bool,
}

pub enum Outcome {
    Found(Box<Found>),
    /// No path leads there.
    Refuted,
    OutOfBudget,
}

/// Terms that the paths of one candidate may make.
const MOST_TERMS: usize = 60_000;

/// How many turns of a loop a path may take.
const TURNS: u32 = 2;

/// Counts of the stages (K10).
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub blocks: usize,
    pub solved: usize,
    pub refuted_by_solver: usize,
    pub undecided: usize,
}

pub fn search(exec: &mut Exec<'_>, ends: &[End], blocks: usize, counts: &mut Counts) -> Outcome {
    let Some(focus) = exec.focus else { return Outcome::Refuted };
    let made_in = exec.facts.block_of(focus.call);
    let goals: Vec<BlockId> = ends.iter().map(goal).collect();
    let before = distances(exec, &[made_in]);
    let after = distances(exec, &goals);
    let mut search = Search { ends, before, after, counts, left: blocks, path: Vec::new() };
    let start = exec.start();
    search.run(exec, start)
}

fn goal(end: &End) -> BlockId {
    match end {
        End::Return(block) | End::Trouble { block, .. } => *block,
        End::Turn { from, .. } => *from,
    }
}

/// How many edges lead from each block to the nearest goal.
fn distances(exec: &Exec<'_>, goals: &[BlockId]) -> Table<BlockId, Option<u32>> {
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
    ends: &'s [End],
    before: Table<BlockId, Option<u32>>,
    after: Table<BlockId, Option<u32>>,
    counts: &'s mut Counts,
    left: usize,
    path: Vec<Stop>,
}

/// A block to execute, `depth` steps from the start.
struct Frame {
    depth: usize,
    block: BlockId,
    /// How the block before it was left.
    slot: usize,
    /// Where to go on in the block, if not at its start.
    at: Option<InstId>,
    state: State,
}

impl Search<'_> {
    fn run(&mut self, exec: &mut Exec<'_>, start: State) -> Outcome {
        let mut stack = vec![Frame { depth: 0, block: BlockId::ENTRY, slot: 0, at: None, state: start }];
        while let Some(frame) = stack.pop() {
            if self.left == 0 || exec.space.terms.len() > MOST_TERMS {
                return Outcome::OutOfBudget;
            }
            self.left -= 1;
            self.counts.blocks += 1;
            self.path.truncate(frame.depth);
            if frame.at.is_none() {
                if let Some(last) = self.path.last_mut() {
                    last.slot = Some(frame.slot);
                }
                self.path.push(Stop { block: frame.block, slot: None });
            }
            let mut next = Vec::new();
            let from = frame.at.unwrap_or(exec.body.blocks[frame.block].first);
            for way in exec.run_block(frame.block, from, frame.state, false) {
                if let Some(found) = self.take(exec, frame.block, way, &mut next) {
                    return Outcome::Found(Box::new(found));
                }
            }
            // The nearest to the goal is taken first: it goes last on the stack.
            next.sort_by_key(|(distance, frame)| std::cmp::Reverse((*distance, frame.slot)));
            stack.extend(next.into_iter().map(|(_, frame)| frame));
        }
        Outcome::Refuted
    }

    fn take(
        &mut self,
        exec: &mut Exec<'_>,
        block: BlockId,
        way: Way,
        next: &mut Vec<(u32, Frame)>,
    ) -> Option<Found> {
        match way {
            Way::Edge { slot, to, state } => {
                let turn = End::Turn { from: block, header: to };
                if self.ends.contains(&turn) && is_lost_in_turn(exec, block, to, &state) {
                    return self.decide(exec, state, turn);
                }
                if let Some(distance) = self.distance(exec, to, &state) {
                    let depth = self.path.len();
                    next.push((distance, Frame { depth, block: to, slot, at: None, state }));
                }
                None
            }
            Way::Resume { at, state } => {
                // The path stays as it is: the block is on it already.
                let depth = self.path.len();
                let slot = next.len();
                next.push((0, Frame { depth, block, slot, at: Some(at), state }));
                None
            }
            Way::Return { state, value } => {
                let end = End::Return(block);
                let state = at_return(exec, state, value);
                let wanted = self.ends.contains(&end) && is_lost(exec, &state);
                wanted.then(|| self.decide(exec, state, end)).flatten()
            }
            Way::Trouble { trouble, state } => {
                let end = End::Trouble { block, trouble };
                self.ends.contains(&end).then(|| self.decide(exec, state, end)).flatten()
            }
        }
    }

    /// None for a step that leads nowhere.
    fn distance(&self, exec: &Exec<'_>, to: BlockId, state: &State) -> Option<u32> {
        let turns = self.path.iter().filter(|stop| stop.block == to).count();
        if turns >= TURNS as usize {
            return None;
        }
        let Some(focus) = state.focus else { return self.before[to] };
        let dead = match state.phase(focus) {
            Phase::Live => false,
            Phase::Released => !self.ends.iter().any(|end| matches!(end, End::Trouble { .. })),
            Phase::Kept => true,
        };
        let _ = exec;
        if dead { None } else { self.after[to] }
    }

    fn decide(&mut self, exec: &mut Exec<'_>, state: State, end: End) -> Option<Found> {
        self.counts.solved += 1;
        let conditions: Vec<TermId> = state.facts.conditions().to_vec();
        let decided = match solve(&exec.space.terms, &conditions, &SolverBudget::default()) {
            Answer::Sat(_) => true,
            Answer::Unsat(_) => {
                self.counts.refuted_by_solver += 1;
                return None;
            }
            Answer::Unknown(_) => {
                self.counts.undecided += 1;
                false
            }
        };
        Some(Found { path: self.path.clone(), state, end, decided })
    }
}
