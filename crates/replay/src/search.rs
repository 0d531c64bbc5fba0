//! The search for inputs: states are followed one after the other, each to its end; where a value
//! from outside decides, the other ways wait on a stack. In the outermost function the finding's
//! route is followed where the engine gave one; else the ways that lead to the allocation come
//! first, and then the shortest to a return.
//!
//! Every bound is a number of steps, states or queries, so that a replay ends the same way on every
//! machine. What the search leaves out is remembered as a doubt: a finding is refuted only when
//! there is none.

use std::cmp::Reverse;
use std::rc::Rc;

use caulk_base::{FxHashMap, FxHashSet, Id, Table};
use caulk_guard::bits::{Budget, TermId};
use caulk_interp::Program;
use caulk_ir::{BlockId, Body, InstId, Terminator};

use crate::blame::Blame;
use crate::numbers::Numbers;
use crate::object::Made;
use crate::questions::{Possible, Questions};
use crate::state::State;
use crate::step::{End, Flow};
use crate::target::{Target, Wish};
use crate::value::{Space, Value};
use crate::world::World;

/// Why a state is not followed any further.
#[derive(Clone, Copy, Debug)]
pub struct Stuck {
    pub why: &'static str,
    /// The state was left out; otherwise no run comes further.
    pub is_doubt: bool,
}

impl Stuck {
    pub fn quiet(why: &'static str) -> Self {
        Self { why, is_doubt: false }
    }

    pub fn loud(why: &'static str) -> Self {
        Self { why, is_doubt: true }
    }
}

pub type Done<T> = Result<T, Stuck>;

/// What a search may cost.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Steps: an instruction is one, a way so many as [`OF_WAY`] says, and the solver's work is counted
    /// in them.
    pub steps: u64,
    pub terms: usize,
    /// How often an open decision may lead to one block of an activation.
    pub visits: u32,
    /// What one question to the solver may cost.
    pub query: Budget,
}

impl Limits {
    /// The same in a program of so many instructions, but never less than some steps. In a small one the
    /// search comes to everything in the end; in a large one it sees a few ways however long it goes
    /// on, and what it finds it finds early.
    pub fn in_program(self, size: u64, least: u64) -> Self {
        let steps = self.steps.saturating_mul(SMALL) / size.max(SMALL);
        Self { steps: steps.max(least), ..self }
    }
}

/// Instructions of a program in which nothing is spared.
const SMALL: u64 = 1_000;

pub const QUERY: Budget = Budget { gates: 40_000, conflicts: 300 };

/// What one finding may cost, some half a second.
pub const FOR_FINDING: Limits = Limits { steps: 500_000, terms: 200_000, visits: 6, query: QUERY };
/// The same for one that nobody asked to run.
pub const FOR_DOUBT: Limits =
    Limits { steps: 60_000, query: Budget { gates: 20_000, conflicts: 60 }, ..FOR_FINDING };
/// Its steps in a large program.
pub const LEAST_FOR_DOUBT: u64 = 20_000;
/// What taking up a way costs.
const OF_WAY: u64 = 80;
/// So much of the solver's work is one step.
const SOLVED: u64 = 8;
/// States that wait while a function is explored.
const MOST_WAITING: usize = 300;
/// Ways that are followed one behind the other before short ones get their turn.
const STRAIGHT: u32 = 60;
/// How often an open decision may lead to one block of a library function: words are compared letter
/// by letter there.
const LONGEST_WORD: u32 = 40;
/// Values that are chosen where a number is needed.
const MOST_CHOICES: u32 = 100;

/// A state in which the finding has come true, with values for its symbols.
pub struct Candidate {
    pub state: State,
    /// What the function returns, unless the run ended before.
    pub result: Option<Value>,
    pub model: Rc<Numbers>,
}

pub enum Next {
    Candidate(Box<Candidate>),
    /// All ways were tried.
    Exhausted,
    OutOfBudget,
}

type Distances = Table<BlockId, Option<u32>>;

pub struct Seeker<'a> {
    pub world: &'a World,
    pub target: &'a Target,
    pub space: Space,
    /// The program may start with this function: static storage is as it was initialised.
    pub at_start: bool,
    /// What was left out.
    pub doubts: Vec<&'static str>,
    /// Runs that came to their end otherwise.
    pub others: u32,
    /// The instruction has changed nothing yet that doing it again would spoil.
    pub may_fork: bool,
    choices: u32,
    stack: Vec<State>,
    /// The calls that made what candidates lost, where anything is looked for.
    seen: FxHashSet<Vec<(u32, InstId)>>,
    /// The state on top of the stack is what became of the last.
    is_on_its_way: bool,
    /// Those that came to an end.
    ways: u32,
    /// How often a state was taken up at each block.
    picked: FxHashMap<(u32, BlockId), u32>,
    limits: Limits,
    steps: u64,
    states: u32,
    questions: Questions,
    pub blame: Blame,
    to_return: FxHashMap<u32, Rc<Distances>>,
    to_site: Rc<Distances>,
    to_wanted: FxHashMap<BlockId, Rc<Distances>>,
}

impl<'a> Seeker<'a> {
    pub fn new(world: &'a World, target: &'a Target) -> Self {
        let to_site = match world.program.body(target.start) {
            Some(body) => distances(body, &target.site_blocks),
            None => Table::new(),
        };
        Self {
            world,
            target,
            space: Space::default(),
            at_start: target.is_main || target.wish == Wish::Any,
            doubts: Vec::new(),
            others: 0,
            may_fork: false,
            choices: 0,
            stack: Vec::new(),
            seen: FxHashSet::default(),
            is_on_its_way: false,
            ways: 0,
            picked: FxHashMap::default(),
            limits: FOR_FINDING,
            steps: 0,
            states: 0,
            questions: Questions::within(QUERY),
            blame: Blame::default(),
            to_return: FxHashMap::default(),
            to_site: Rc::new(to_site),
            to_wanted: FxHashMap::default(),
        }
    }

    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.questions = Questions::within(limits.query);
        self
    }

    pub fn program(&self) -> &'a Program {
        &self.world.program
    }

    pub fn push(&mut self, state: State) {
        self.stack.push(state);
    }

    pub fn doubt(&mut self, why: &'static str) {
        if !self.doubts.contains(&why) {
            self.doubts.push(why);
        }
    }

    /// The next state in which the finding has come true.
    pub fn next(&mut self) -> Next {
        while let Some(mut state) = self.pick() {
            self.states += 1;
            if self.is_spent() {
                return Next::OutOfBudget;
            }
            if !self.is_possible(&mut state) {
                self.is_on_its_way = true;
                continue;
            }
            if let Some(candidate) = self.follow(state) {
                return Next::Candidate(Box::new(candidate));
            }
        }
        if self.is_spent() { Next::OutOfBudget } else { Next::Exhausted }
    }

    fn pick(&mut self) -> Option<State> {
        match self.target.wish {
            Wish::Any => self.anywhere(),
            _ => self.nearest(),
        }
    }

    /// The way that was left last, of those that did least of what led into dead ends ([`blame`]); and
    /// after a while in turn with others: of those furthest on the route the one with the fewest
    /// decisions, and those that wait where the search was least, near the route's end or anywhere. So
    /// a callee with many ways does not hold up the search.
    ///
    /// [`blame`]: crate::blame
    fn nearest(&mut self) -> Option<State> {
        let rule = if self.states < STRAIGHT { 0 } else { self.states % 4 };
        let rows = self.stack.iter().enumerate();
        let picked = |state: &State| place(state).and_then(|at| self.picked.get(&at)).unwrap_or(&0);
        let best = match rule {
            1 => rows.min_by_key(|(_, it)| (Reverse(it.on_route), it.detours, it.decided.len()))?.0,
            2 => rows.rev().min_by_key(|(_, it)| (it.detours, Reverse(it.on_route), picked(it)))?.0,
            3 => rows.rev().min_by_key(|(_, it)| picked(it))?.0,
            _ => rows.rev().min_by_key(|(_, it)| it.detours)?.0,
        };
        Some(self.taken(best))
    }

    /// A waiting state, whose place counts as looked at.
    fn taken(&mut self, number: usize) -> State {
        let state = self.stack.remove(number);
        if let Some(at) = place(&state) {
            *self.picked.entry(at).or_default() += 1;
        }
        state
    }

    /// A way is followed to its end. Then the next one begins where the last decision was open, where
    /// the search was least, or after the fewest decisions, in turn.
    fn anywhere(&mut self) -> Option<State> {
        if std::mem::take(&mut self.is_on_its_way) {
            return self.stack.pop();
        }
        self.ways += 1;
        self.forget_longest();
        let picked = |state: &State| place(state).and_then(|at| self.picked.get(&at)).copied();
        let rows = self.stack.iter().enumerate().rev();
        let best = match self.ways % 3 {
            0 => self.stack.len().checked_sub(1)?,
            1 => rows.min_by_key(|(_, state)| picked(state).unwrap_or(0))?.0,
            _ => rows.min_by_key(|(_, state)| state.decided.len())?.0,
        };
        Some(self.taken(best))
    }

    /// Waiting states cost memory; those with the most decisions behind them promise least.
    fn forget_longest(&mut self) {
        if self.stack.len() > MOST_WAITING {
            self.stack.sort_by_key(|state| state.decided.len());
            self.stack.truncate(MOST_WAITING / 2);
            self.stack.reverse();
        }
    }

    /// What the search has cost.
    pub fn spent(&self) -> u64 {
        self.steps + u64::from(self.states) * OF_WAY + self.questions.work() / SOLVED
    }

    fn is_spent(&self) -> bool {
        self.spent() > self.limits.steps || self.space.terms.len() > self.limits.terms
    }

    pub fn possible(&mut self, state: &mut State) -> Possible {
        self.questions.ask(&self.space.terms, state)
    }

    /// Whether the state's conditions can hold together; its model is one that satisfies them.
    pub fn is_possible(&mut self, state: &mut State) -> bool {
        match self.possible(state) {
            Possible::Yes => true,
            Possible::No => false,
            Possible::Unknown => {
                self.doubt("the solver gave up");
                false
            }
        }
    }

    /// Chooses one value for a term where the search needs a number; the others wait on the stack
    /// where the instruction can be done again.
    pub fn settle(&mut self, state: &mut State, term: TermId) -> Done<i64> {
        if !self.is_possible(state) {
            return Err(Stuck::quiet("no input comes here"));
        }
        let width = self.space.terms.width(term);
        let bits = self.space.terms.evaluate(term, &*state.model);
        let number = self.space.terms.constant(bits, width);
        let is_that = self.space.terms.eq(term, number);
        if self.may_fork && self.choices < MOST_CHOICES {
            self.choices += 1;
            let mut other = state.clone();
            other.assume(self.space.terms.not(is_that));
            self.stack.push(other);
        } else {
            self.doubt("an offset or a size was chosen among several");
        }
        state.assume(is_that);
        state.checked = state.conditions.len();
        self.space.constant(number).ok_or(Stuck::loud("a size is not known"))
    }

    fn follow(&mut self, mut state: State) -> Option<Candidate> {
        loop {
            self.steps += 1;
            if self.is_spent() {
                return None;
            }
            match self.step(&mut state) {
                Ok(Flow::Go) => {}
                Ok(Flow::Split(mut states)) => {
                    states.reverse();
                    self.is_on_its_way = !states.is_empty();
                    self.stack.extend(states);
                    return None;
                }
                Ok(Flow::Ended(end)) => return self.ended(state, &end),
                Err(stuck) => {
                    if state.is_done {
                        return self.candidate(state, None);
                    }
                    if stuck.is_doubt {
                        self.doubt(stuck.why);
                    }
                    self.dead_end(&state);
                    return None;
                }
            }
        }
    }

    fn ended(&mut self, mut state: State, end: &End) -> Option<Candidate> {
        let has_come_true = match (end, self.target.wish) {
            (End::Return(result), Wish::Leak) => {
                state.loses_wanted(*result, self.target.is_direct)
                    || self.loses_handle(&mut state, *result)
            }
            (End::Return(result), Wish::Any) => self.is_news(state.lost(*result)),
            (End::Return(_), Wish::AtExit) => !self.target.by_exit && state.has_wanted(),
            (End::Exit, Wish::AtExit) => self.target.by_exit && state.has_wanted(),
            _ => false,
        };
        if has_come_true {
            let result = if let End::Return(result) = end { *result } else { None };
            return self.candidate(state, result);
        }
        self.others += u32::from(state.is_made);
        if let End::Exit = end {
            self.dead_end(&state);
        }
        None
    }

    /// Whether something is among the lost that no candidate lost before.
    fn is_news(&mut self, lost: Vec<Rc<Made>>) -> bool {
        lost.into_iter().filter(|made| self.seen.insert(made.stack.clone())).count() > 0
    }

    fn candidate(&mut self, mut state: State, result: Option<Value>) -> Option<Candidate> {
        let is_possible = self.is_possible(&mut state);
        is_possible.then(|| Candidate { model: state.model.clone(), state, result })
    }

    /// Whether an open decision of the outermost activation may lead to a block. A way that left the
    /// route, as a loop that runs more often than the engine followed it, may do anything to return.
    pub fn is_on_route(&self, state: &State, to: BlockId) -> bool {
        if state.frames.len() != 1 || state.is_astray {
            return true;
        }
        self.wanted(state).is_none_or(|wanted| wanted == to)
    }

    /// The next block of the route.
    pub fn wanted(&self, state: &State) -> Option<BlockId> {
        self.target.route.get(state.on_route + 1).copied()
    }

    fn distances_to_wanted(&mut self, wanted: BlockId) -> Rc<Distances> {
        if let Some(known) = self.to_wanted.get(&wanted) {
            return known.clone();
        }
        let body = self.program().body(self.target.start);
        let found = Rc::new(body.map_or_else(Table::new, |body| distances(body, &[wanted])));
        self.to_wanted.insert(wanted, found.clone());
        found
    }

    /// Whether the route can be reached again from a block.
    pub fn leads_back(&mut self, state: &State, to: BlockId) -> bool {
        match self.wanted(state) {
            Some(wanted) => self.distances_to_wanted(wanted).get(to).copied().flatten().is_some(),
            None => true,
        }
    }

    /// The smaller, the earlier a way is tried; none for a way that is left out.
    pub fn rank(&mut self, state: &mut State, to: BlockId) -> Option<(u32, u32)> {
        if !self.is_on_route(state, to) {
            return None;
        }
        let is_outermost = state.frames.len() == 1;
        let is_led = is_outermost && state.on_route + 1 < self.target.route.len();
        let function = state.frame().function;
        let visits = state.frame().visits.get(&to).copied().unwrap_or(0);
        let is_word = !self.world.is_own(function) && self.target.wish != Wish::Any;
        let most = if is_word { LONGEST_WORD } else { self.limits.visits };
        if visits >= most && (!is_led || state.is_astray) {
            self.doubt("a loop would have to be left later");
            return None;
        }
        if let Some(wanted) = self.wanted(state).filter(|_| is_led) {
            let distance = self.distances_to_wanted(wanted).get(to).copied().flatten();
            return distance.map(|distance| (visits, distance));
        }
        let distance = if is_outermost && !state.is_made && !self.target.site_blocks.is_empty() {
            self.to_site.get(to).copied().flatten()
        } else {
            Some(self.distances_to_return(function).get(to).copied().flatten().unwrap_or(u32::MAX))
        };
        distance.map(|distance| (visits, distance))
    }

    pub fn distances_to_return(&mut self, function: u32) -> Rc<Distances> {
        if let Some(known) = self.to_return.get(&function) {
            return known.clone();
        }
        let found = self.program().body(function).map_or_else(Table::new, |body| {
            let returns = |(_, block): &(BlockId, &caulk_ir::Block)| {
                matches!(block.terminator, Terminator::Return(_))
            };
            let goals: Vec<BlockId> = body.blocks.iter().filter(returns).map(|it| it.0).collect();
            distances(body, &goals)
        });
        let found = Rc::new(found);
        self.to_return.insert(function, found.clone());
        found
    }
}

fn place(state: &State) -> Option<(u32, BlockId)> {
    state.frames.last().map(|frame| (frame.function, frame.block))
}

/// How many edges lead from each block to the nearest goal.
fn distances(body: &Body, goals: &[BlockId]) -> Distances {
    let mut before: Vec<Vec<BlockId>> = vec![Vec::new(); body.blocks.len()];
    for (id, block) in body.blocks.iter() {
        block.terminator.edges().for_each(|edge| before[edge.to.index()].push(id));
    }
    let mut found: Distances = Table::filled(None, body.blocks.len());
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
        for &predecessor in &before[block.index()] {
            if found[predecessor].is_none() {
                found[predecessor] = Some(distance);
                queue.push(predecessor);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_program_is_searched_less() {
        let steps = |size| FOR_DOUBT.in_program(size, LEAST_FOR_DOUBT).steps;
        assert_eq!(steps(10), FOR_DOUBT.steps);
        assert_eq!(steps(2 * SMALL), FOR_DOUBT.steps / 2);
        assert_eq!(steps(u64::MAX), LEAST_FOR_DOUBT);
    }
}
