//! The search that joins states: all paths of a function at polynomial cost.
//!
//! States of a block are kept apart by what became of the objects (their *signature*) and joined
//! otherwise: union at merges, as in K3, over pairs of a block and a signature.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use caulk_base::{BitSet, FxHasher, Table};
use caulk_guard::bits::{Compare, Facts, Term, TermId, Unary};
use caulk_ir::{BlockId, InstId, Terminator, ValueId};

use crate::exits::{Class, class_of};
use crate::join::join;
use crate::memory::Cell;
use crate::paths::distances;
use crate::space::{Home, Origin};
use crate::state::{Phase, State};
use crate::step::{Exec, Trouble, Way};

/// The name under which a returned value is kept in a state.
pub const RETURNED: ValueId = ValueId(u32::MAX);

/// What a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Executions of blocks.
    pub blocks: usize,
    /// States of one block before they are joined more coarsely.
    pub states: usize,
    /// How often one state of one block may change before only null tests are known of it.
    pub visits: u32,
    /// How often it may change in all.
    pub changes: u32,
    /// Terms that may be made: what the work on states comes down to.
    pub terms: usize,
}

impl Budget {
    /// The number of states that are told apart shrinks while the budget does, so that a search
    /// that takes long ends coarsely instead of not at all.
    fn states_after(&self, steps: usize, terms: usize) -> usize {
        (self.states >> self.quarters(steps, terms)).max(1)
    }

    /// The same of how often a state may change, where all objects are looked at: what is left is for
    /// blocks that nobody saw yet.
    fn changes_after(&self, steps: usize, terms: usize) -> u32 {
        (self.changes >> self.quarters(steps, terms)).max(1)
    }

    fn quarters(&self, steps: usize, terms: usize) -> usize {
        (4 * steps / self.blocks.max(1)).max(4 * terms / self.terms.max(1))
    }
}

/// A point at which the followed object is in an error state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nobody has it any more when the function returns.
    Return(BlockId),
    /// Nobody has it any more when the loop starts over.
    Turn {
        from: BlockId,
        header: BlockId,
    },
    Trouble {
        block: BlockId,
        trouble: Trouble,
    },
}

#[derive(Default)]
pub struct Explored {
    /// The states at the returns, with the returned value under [`RETURNED`].
    pub returns: Vec<State>,
    pub ends: Vec<End>,
    pub gave_up: bool,
    /// States were joined that are usually told apart.
    pub coarse: bool,
    /// A state was still changing when it was left.
    pub unsettled: bool,
    /// The followed object was released, or kept, somewhere.
    pub released: bool,
    pub kept: bool,
    /// Where that was done, and the returns at which somebody else still had it.
    pub fates: BTreeSet<(Whereabouts, u32)>,
    /// The same before the call made another object.
    pub first_fates: BTreeSet<(Whereabouts, u32)>,
    /// The followed object is what the call returns.
    pub by_result: bool,
    /// The followed object is none whose release is owed by who has a reference.
    pub owed_by_function: bool,
}

/// What became of the followed object on some way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whereabouts {
    /// By this instruction.
    Released,
    Kept,
    /// By the caller or static storage, at the return of this block.
    Held,
}

struct Row {
    signature: u64,
    state: State,
    visits: u32,
}

/// Where a search starts: at an instruction of a block.
pub struct Start {
    pub block: BlockId,
    pub at: InstId,
    pub state: State,
}

impl Start {
    pub fn entry(state: State) -> Self {
        Self { block: BlockId::ENTRY, at: InstId(0), state }
    }
}

pub fn explore(exec: &mut Exec<'_>, start: Vec<Start>, budget: &Budget) -> Explored {
    let mut search = Search {
        rows: exec.body.blocks.ids().map(|_| Vec::new()).collect(),
        pending: BTreeSet::new(),
        budget: *budget,
        found: Explored::default(),
        before: blocks_before(exec),
        states: budget.states,
    };
    exec.kept.clear();
    for Start { block, at, state } in start {
        search.step(exec, block, at, state);
    }
    let mut steps = 0;
    let first_term = exec.space.terms.len();
    while let Some((place, block, row)) = search.pending.pop_first() {
        steps += 1;
        let terms = exec.space.terms.len() - first_term;
        if steps > budget.blocks || terms > budget.terms {
            search.found.gave_up = true;
            search.pending.insert((place, block, row));
            search.finish(exec, budget);
            break;
        }
        search.states = budget.states_after(steps, terms);
        if exec.focus.is_none() {
            search.budget.changes = budget.changes_after(steps, terms);
        }
        let state = search.rows[block][row].state.clone();
        let first = exec.body.blocks[block].first;
        search.step(exec, block, first, state);
    }
    search.found.coarse = search.states < budget.states;
    search.found.kept |= !exec.kept.is_empty();
    let kept = exec.kept.iter().map(|at| (Whereabouts::Kept, at.0));
    search.found.first_fates.extend(kept.clone());
    search.found.fates.extend(kept);
    search.found
}

struct Search {
    /// The states of each block, a few.
    rows: Table<BlockId, Vec<Row>>,
    /// The changed ones, by their places: a block waits for those before it.
    pending: BTreeSet<(usize, BlockId, usize)>,
    budget: Budget,
    /// Those of one block that are told apart now.
    states: usize,
    found: Explored,
    /// The blocks from which the call is reached that makes the followed object, or one of those
    /// whose states are wanted.
    before: Option<BitSet<BlockId>>,
}

/// Of what a search may cost, the part that is left for ways near an end when it was used up.
const SHARE_OF_LAST: usize = 8;

impl Search {
    /// What waits near a return is still looked at, the nearest first: a short way past a long branch waits
    /// for that, and would never have its turn.
    fn finish(&mut self, exec: &mut Exec<'_>, budget: &Budget) {
        if exec.focus.is_none() {
            return;
        }
        let left = distances(exec, &returns(exec));
        let first = exec.space.terms.len();
        for _ in 0..budget.blocks / SHARE_OF_LAST {
            let near = |&(_, block, row): &(usize, BlockId, usize)| {
                (left[block].unwrap_or(u32::MAX), block, row)
            };
            let Some(nearest) = self.pending.iter().copied().min_by_key(near) else { return };
            self.pending.remove(&nearest);
            if exec.space.terms.len() - first > budget.terms / SHARE_OF_LAST {
                return;
            }
            let (_, block, row) = nearest;
            let state = self.rows[block][row].state.clone();
            let from = exec.body.blocks[block].first;
            self.step(exec, block, from, state);
        }
    }

    fn step(&mut self, exec: &mut Exec<'_>, block: BlockId, first: InstId, state: State) {
        for way in exec.run_block(block, first, state, true) {
            match way {
                Way::Edge { to, state, .. } => {
                    if is_lost_in_turn(exec, block, to, &state) {
                        self.end(End::Turn { from: block, header: to });
                    } else if !self.is_over(exec, to, &state) {
                        self.arrive(exec, to, state);
                    }
                }
                Way::Return { state, value } => self.leave(exec, block, state, value),
                Way::Resume { .. } => {}
                Way::Trouble { trouble, .. } => self.end(End::Trouble { block, trouble }),
            }
        }
    }

    /// Whether a block leads to what the search is for.
    fn is_before(&self, block: BlockId) -> bool {
        self.before.as_ref().is_none_or(|before| before.contains(block))
    }

    /// Whether nothing can happen to the followed object any more, or it is not there and will not
    /// be made.
    fn is_over(&mut self, exec: &Exec<'_>, to: BlockId, state: &State) -> bool {
        let Some(focus) = state.focus else { return !self.is_before(to) };
        self.note_fate(exec, state, focus);
        match state.phase(focus) {
            Phase::Live => false,
            Phase::Kept => {
                self.found.kept = true;
                true
            }
            Phase::Released => {
                self.found.released = true;
                !state.is_known(&exec.space, focus)
            }
        }
    }

    fn note_fate(&mut self, exec: &Exec<'_>, state: &State, focus: TermId) {
        self.found.by_result |= exec.by_result.contains(&focus);
        let Some(mark) = state.marks.get(focus) else { return };
        match mark.phase {
            Phase::Live => {}
            Phase::Released => self.note(state, Whereabouts::Released, mark.at.0),
            Phase::Kept => self.note(state, Whereabouts::Kept, mark.at.0),
        }
    }

    fn note(&mut self, state: &State, whereabouts: Whereabouts, at: u32) {
        self.found.fates.insert((whereabouts, at));
        if !state.remade {
            self.found.first_fates.insert((whereabouts, at));
        }
    }

    fn end(&mut self, end: End) {
        if !self.found.ends.contains(&end) {
            self.found.ends.push(end);
        }
    }

    fn leave(&mut self, exec: &mut Exec<'_>, block: BlockId, state: State, value: Option<TermId>) {
        let state = at_return(exec, state, value);
        exec.note_return(block, &state);
        if let Some(focus) = state.focus {
            self.found.owed_by_function |= exec.is_owed_by_function(focus);
            self.note_fate(exec, &state, focus);
            match state.phase(focus) {
                Phase::Released => self.found.released = true,
                Phase::Kept => self.found.kept = true,
                Phase::Live if state.is_held(&exec.space, focus) => {
                    self.found.kept = true;
                    self.note(&state, Whereabouts::Held, block.0);
                }
                Phase::Live => {}
            }
        }
        if is_lost(exec, &state) {
            self.end(End::Return(block));
        }
        if exec.focus.is_none() {
            self.found.returns.push(state);
        }
    }

    fn arrive(&mut self, exec: &mut Exec<'_>, block: BlockId, state: State) {
        let result = returned(exec, block, &state);
        let signature = self.signature(exec, block, &state, result);
        let place = place(exec, block).unwrap_or(usize::MAX);
        let rows = &mut self.rows[block];
        let at = rows.iter().position(|row| row.signature == signature).unwrap_or(rows.len());
        match rows.get_mut(at) {
            None => rows.push(Row { signature, state, visits: 1 }),
            // The state that the search started from stands for all that come to the call: those
            // that come back to it need no more than a second look.
            Some(_) if exec.follows_made() && state.focus.is_none() => return,
            Some(row) => {
                let place = exec.join_place(block.0);
                let mut joined = join(&mut exec.space, place, &row.state, &state);
                let is_late = row.visits > self.budget.visits;
                if is_late {
                    joined.facts = null_tests(exec, &joined, Some(&row.state.facts));
                }
                if joined == row.state {
                    return;
                }
                row.state = joined;
                row.visits += 1;
                if !is_late && row.visits > self.budget.visits {
                    row.state.facts = null_tests(exec, &row.state, None);
                }
                if row.visits > self.budget.changes {
                    self.found.unsettled = true;
                    exec.space.doubt_all_owed(&row.state);
                    return;
                }
            }
        }
        self.pending.insert((place, block, at));
    }

    /// The finest signature that the number of states of the block allows.
    fn signature(
        &self,
        exec: &Exec<'_>,
        block: BlockId,
        state: &State,
        result: Option<bool>,
    ) -> u64 {
        let rows = &self.rows[block];
        let is_there = |signature| rows.iter().any(|row| row.signature == signature);
        let most = [
            (Grain::Fine, self.states),
            (Grain::Middle, self.states + self.states.div_ceil(2)),
            (Grain::Coarse, 2 * self.states),
        ];
        for (grain, most) in most {
            let mut signature = signature(exec, state, grain);
            if let Some(is_zero) = result.filter(|_| grain != Grain::Coarse) {
                let mut hasher = FxHasher::default();
                (signature, is_zero).hash(&mut hasher);
                signature = hasher.finish();
            }
            if rows.len() < most || is_there(signature) {
                return signature;
            }
        }
        match state.focus {
            Some(focus) => 1 + state.phase(focus) as u64,
            None => who_is_called(exec, state),
        }
    }
}

/// The blocks that return.
fn returns(exec: &Exec<'_>) -> Vec<BlockId> {
    let is_return =
        |block: &BlockId| matches!(exec.body.blocks[*block].terminator, Terminator::Return(_));
    exec.body.blocks.ids().filter(is_return).collect()
}

/// Whether the result that a block returns is zero: what goes with it is told apart by that.
fn returned(exec: &mut Exec<'_>, block: BlockId, state: &State) -> Option<bool> {
    let Terminator::Return(Some(value)) = exec.body.blocks[block].terminator else { return None };
    let result = state.values.get(value).filter(|_| exec.focus.is_none())?;
    match class_of(exec, state, *result) {
        Class::Constant(0) | Class::Zero => Some(true),
        Class::Constant(_) | Class::Negative | Class::NotZero => Some(false),
        Class::Nothing | Class::Any => None,
    }
}

/// The facts on what is zero or not, and who is called, alone: ranges may grow for long. `last` are
/// those of the block's state before, which often are the same.
fn null_tests(exec: &mut Exec<'_>, state: &State, last: Option<&Rc<Facts>>) -> Rc<Facts> {
    let tests = tests_of(exec, state);
    let kept = last.filter(|last| {
        let known = last.conditions();
        !last.is_contradictory() && tests.starts_with(known)
    });
    if let Some(kept) = kept.filter(|kept| kept.len() == tests.len()) {
        return kept.clone();
    }
    let mut facts =
        kept.map_or_else(|| Facts::with_capacity(tests.len()), |kept| Facts::clone(kept));
    for &test in &tests[facts.len()..] {
        facts.note(&mut exec.space.terms, test);
    }
    Rc::new(facts)
}

fn tests_of(exec: &mut Exec<'_>, state: &State) -> Vec<TermId> {
    let mut tests: Vec<TermId> = Vec::with_capacity(state.facts.len());
    let terms = &mut exec.space.terms;
    for &condition in state.facts.conditions() {
        let tested = match *terms.get(condition) {
            Term::Unary(Unary::Not, of) => of,
            _ => condition,
        };
        if let Term::Compare(Compare::Eq, left, right) = *terms.get(tested)
            && (terms.as_constant(left) == Some(0)
                || terms.as_constant(right) == Some(0)
                || exec.callees.contains(&condition))
        {
            tests.push(condition);
        }
    }
    for (_, &value) in state.values.iter() {
        let is_zero = terms.is_zero(value);
        if terms.as_constant(is_zero).is_some() {
            continue;
        }
        if let Some(known) = state.facts.decide(terms, is_zero) {
            let condition = if known { is_zero } else { terms.not(is_zero) };
            if !tests.contains(&condition) {
                tests.push(condition);
            }
        }
    }
    tests
}

/// When a block's turn comes. A summary also has a case for those ways that leave a loop before what
/// its turns do is joined, so that there what follows a loop is not made to wait for it.
fn place(exec: &Exec<'_>, block: BlockId) -> Option<usize> {
    let cfg = exec.facts.cfg();
    match exec.space.summarising {
        true => cfg.order().position(block),
        false => cfg.loop_order().position(block),
    }
}

fn blocks_before(exec: &Exec<'_>) -> Option<BitSet<BlockId>> {
    let calls = match exec.focus {
        Some(focus) => vec![focus.call],
        None if exec.seeks_suspects || exec.space.summarising => return None,
        None => exec.watched.keys().copied().collect(),
    };
    if calls.is_empty() {
        return None;
    }
    let graph = exec.facts.cfg().graph();
    let mut open: Vec<BlockId> = calls.iter().map(|&it| exec.facts.block_of(it)).collect();
    let mut found = BitSet::new(exec.body.blocks.len());
    while let Some(block) = open.pop() {
        if found.insert(block) {
            open.extend(graph.predecessors(block));
        }
    }
    Some(found)
}

/// The state as the caller sees it: the activation is gone.
pub fn at_return(exec: &mut Exec<'_>, mut state: State, value: Option<TermId>) -> State {
    state.values = crate::map::Map::new();
    if let Some(value) = value {
        state.values.insert(RETURNED, value);
    }
    let space = &exec.space;
    let is_local = |cell: &&Cell| space.home(cell.base) == Home::Local;
    let mut gone: Vec<TermId> = state.memory.iter().filter(is_local).map(|it| it.base).collect();
    gone.dedup();
    for base in gone {
        state.drop_holder(space, base);
    }
    state
}

/// Whether the followed object is still to be released, and nobody can.
pub fn is_lost(exec: &mut Exec<'_>, state: &State) -> bool {
    let Some(focus) = state.focus else { return false };
    state.phase(focus) == Phase::Live
        && match exec.is_owed_by_function(focus) {
            true => !is_handed_over(exec, state, focus),
            false => !state.is_held(&exec.space, focus),
        }
        && exec.error_of_loss(state, focus).is_some()
        && !is_standard_stream(exec, state, focus)
}

/// Whether a lock is inside an object that the caller gets, by the result or where it wants it to be left:
/// it is the caller's to release.
fn is_handed_over(exec: &Exec<'_>, state: &State, lock: TermId) -> bool {
    let space = &exec.space;
    let base = |value: TermId| space.address(value).map(|it| it.base);
    let is_given = |object: TermId| {
        let is_result = state.values.get(RETURNED).is_some_and(|&it| base(it) == Some(object));
        let is_new = |cell: &Cell| match space.origin(cell.value) {
            Some(Origin::Initial { address, .. }) => address != cell.address,
            _ => true,
        };
        let is_wanted = |cell: &Cell| {
            matches!(space.origin(cell.address), Some(Origin::Param(_))) && is_new(cell)
        };
        is_result || state.memory.iter().any(|it| is_wanted(it) && base(it.value) == Some(object))
    };
    state.memory.iter().any(|cell| cell.value == lock && is_given(cell.base))
}

/// Descriptors 0 to 2 stay open on purpose.
fn is_standard_stream(exec: &mut Exec<'_>, state: &State, focus: TermId) -> bool {
    if exec.space.is_pointer_wide(focus) {
        return false;
    }
    let two = exec.space.terms.constant(2, exec.space.terms.width(focus));
    let small = exec.space.terms.compare(Compare::LeS, focus, two);
    state.facts.decide(&exec.space.terms, small) == Some(true)
}

/// Whether a loop starts over without anybody having the object that it made.
pub fn is_lost_in_turn(exec: &mut Exec<'_>, from: BlockId, to: BlockId, state: &State) -> bool {
    let Some(focus) = exec.focus.filter(|_| state.focus.is_some()) else { return false };
    if state.focus.is_some_and(|it| exec.is_owed_by_function(it)) {
        return false;
    }
    let cfg = exec.facts.cfg();
    if !cfg.dominators().dominates(to, from) {
        return false;
    }
    let made_in = exec.facts.block_of(focus.call);
    let loops = cfg.loops();
    let inside = loops.ids().any(|id| loops.header(id) == to && loops.contains(id, made_in));
    inside && is_lost(exec, state)
}

/// How closely a signature looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grain {
    /// Who has what, and which arguments are NULL.
    Fine,
    /// What somebody has that was made here.
    Middle,
    /// What was released or kept.
    Coarse,
}

pub fn signature(exec: &Exec<'_>, state: &State, grain: Grain) -> u64 {
    let mut hasher = FxHasher::default();
    match state.focus {
        Some(focus) => {
            let mark = state.marks.get(focus).map(|mark| (mark.certainty, mark.state));
            (1, state.phase(focus), mark).hash(&mut hasher);
            state.is_held(&exec.space, focus).hash(&mut hasher);
            if grain == Grain::Fine {
                state.hash_holders(&exec.space, focus, &mut hasher);
            }
        }
        None if exec.focus.is_some() => 2.hash(&mut hasher),
        None => of_all(exec, state, grain).hash(&mut hasher),
    }
    hasher.finish()
}

/// Which function a parameter stands for, by its number; 0 while that is open.
fn who_is_called(exec: &Exec<'_>, state: &State) -> u64 {
    let is_it = |&callee: &TermId| state.facts.decide(&exec.space.terms, callee) == Some(true);
    exec.callees.iter().position(is_it).map_or(0, |at| 1 + at as u64)
}

/// An object, what became of it or who has it, and where.
type Fate = (u32, u32, u32, u32);

/// What became of all that was made, and of what the caller handed in.
fn of_all(exec: &Exec<'_>, state: &State, grain: Grain) -> Vec<Fate> {
    let mut rows: Vec<Fate> = Vec::with_capacity(32);
    for (&symbol, mark) in state.marks.iter() {
        match exec.space.origin(symbol) {
            Some(Origin::Made { call, index, .. }) => {
                rows.push((call.0, u32::from(index), mark.phase as u32, 0));
            }
            _ if exec.space.is_from_caller(symbol)
                && (mark.phase == Phase::Released || exec.space.load_depth(symbol) == 0) =>
            {
                rows.push((u32::MAX, symbol.0, mark.phase as u32, 0));
            }
            _ => {}
        }
    }
    rows.extend(state.again.iter().map(|symbol| (u32::MAX - 2, symbol.0, 0, 0)));
    rows.push((u32::MAX - 3, who_is_called(exec, state) as u32, 0, 0));
    if grain == Grain::Middle {
        rows.extend(held(exec, state).map(|(call, index)| (call.0, u32::from(index), 9, 0)));
    }
    if grain == Grain::Fine {
        for (number, &param) in (0u32..).zip(exec.nulls.iter()) {
            if let Some(known) = state.facts.decide(&exec.space.terms, param) {
                rows.push((u32::MAX - 1, number, u32::from(known), 0));
            }
        }
        push_holders(exec, state, &mut rows);
    }
    if grain == Grain::Fine {
        rows.extend(numbers_in_made(exec, state).map(|number| (u32::MAX - 4, number.0, 0, 0)));
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The objects made here that values or memory lead to.
fn held<'s>(exec: &'s Exec<'_>, state: &'s State) -> impl Iterator<Item = (InstId, u16)> + 's {
    let values = state.values.iter().map(|(_, &value)| value);
    let cells = state.memory.iter().map(|cell| cell.value);
    values.chain(cells).filter_map(|value| {
        let Some((base, Home::Made)) = exec.space.object(value) else { return None };
        match exec.space.origin(base) {
            Some(Origin::Made { call, index, .. }) if state.phase(base) == Phase::Live => {
                Some((call, index))
            }
            _ => None,
        }
    })
}

/// Who has what was made, and which arguments variables stand for.
fn push_holders(exec: &Exec<'_>, state: &State, rows: &mut Vec<Fate>) {
    let space = &exec.space;
    let mut held: Vec<(TermId, Fate)> = Vec::new();
    // Who has besides what a static holds would keep apart too many states.
    let mut in_static: Vec<TermId> = Vec::new();
    let values = state.values.iter().map(|(_, &value)| (value, None));
    let cells = state.memory.iter().map(|cell| (cell.value, Some(cell)));
    for (value, cell) in values.chain(cells) {
        let Some((base, Home::Made | Home::Caller)) = space.object(value) else { continue };
        match space.origin(base) {
            Some(Origin::Made { call, index, .. }) if state.phase(base) == Phase::Live => {
                if cell.is_some_and(|it| space.home(it.base) == Home::Static) {
                    in_static.push(base);
                    continue;
                }
                let (holder, place) = cell.map_or((9, 0), |it| holder(exec, state, it));
                held.push((base, (call.0, u32::from(index), holder, place)));
            }
            // Which argument a variable stands for where branches meet.
            Some(Origin::Param(_)) if space.is_pointer(base) => {
                rows.push((u32::MAX, base.0, 9, 0));
            }
            _ => {}
        }
    }
    held.retain(|(base, _)| !in_static.contains(base));
    rows.extend(held.into_iter().map(|(_, fate)| fate));
}

/// What a holder in memory is, and where.
fn holder(exec: &Exec<'_>, state: &State, cell: &Cell) -> (u32, u32) {
    // A value with a tag is something else under another tag.
    let tag = state.tag(&exec.space, cell.base).unwrap_or(0) as u32 & 0xffff;
    match exec.space.home(cell.base) {
        Home::Caller => (10 | tag << 8, cell.address.0),
        _ => (9 | tag << 8, 0),
    }
}

/// The caller's numbers, perhaps descriptors, that something made here has.
fn numbers_in_made<'s>(exec: &'s Exec<'_>, state: &'s State) -> impl Iterator<Item = TermId> + 's {
    let space = &exec.space;
    let cells = state.memory.iter().filter(|cell| space.home(cell.base) == Home::Made);
    let numbers = cells.map(|cell| cell.value).filter(|&it| space.terms.width(it) == 32);
    numbers.filter(|&it| space.is_from_start(it))
}
