//! Fixpoint iteration over the blocks of a procedure (section 4): widening at loop heads, then one
//! descending pass.

use std::collections::{BTreeMap, BTreeSet};

use caulk_base::{FxHashMap, Id, Table};
use caulk_ir::{Block, BlockId, InstId, Terminator, ValueId};
use caulk_ssa::EdgeId;

use crate::exec::{Exec, Point};
use crate::location::LocId;
use crate::prune::Branch;
use crate::sorted::Map;
use crate::state::State;
use crate::value::Value;

/// The memory at a return, and what is returned.
#[derive(Clone, Debug)]
pub struct Exit {
    pub state: State,
    pub value: Option<Value>,
}

/// What iteration found.
pub struct Found {
    /// By the block of the return; several where several ways lead to it.
    pub exits: Vec<(BlockId, Exit)>,
    pub gave_up: bool,
}

/// States of one block that are kept apart while an object is in focus.
const MOST_APART: usize = 6;

/// Visits of a loop head before its numbers are widened.
const PATIENCE: usize = 2;

/// States are kept apart by what became of the object in focus; without one there is one each.
struct Iteration {
    /// The states at the edges of the graph.
    edges: Table<EdgeId, Vec<State>>,
    starts: Table<BlockId, Vec<State>>,
    visits: Table<BlockId, usize>,
    exits: BTreeMap<BlockId, Vec<Exit>>,
}

/// A state on its way through a block.
struct Way {
    values: FxHashMap<ValueId, Value>,
    state: State,
    /// The next instruction.
    first: InstId,
}

impl Way {
    fn new(mut start: State, block: &Block) -> Self {
        let values = std::mem::take(&mut start.values);
        let values = values.iter().map(|(id, value)| (id, value.clone())).collect();
        Self { values, state: start, first: block.first }
    }
}

/// What tells states apart that are not joined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    is_first_round: bool,
    is_allocated: bool,
    is_freed: bool,
    /// A reallocation gave it up, and may fail.
    is_moved: bool,
}

impl Exec<'_> {
    pub fn iterate(&mut self) -> Found {
        let graph = self.facts.cfg().graph();
        let mut run = Iteration {
            edges: Table::filled(Vec::new(), graph.edge_count()),
            starts: Table::filled(Vec::new(), graph.node_count()),
            visits: Table::filled(0, graph.node_count()),
            exits: BTreeMap::new(),
        };
        let order = self.facts.cfg().loop_order();
        let mut pending: BTreeSet<usize> = BTreeSet::from([0]);
        let mut gave_up = false;
        while let Some(place) = pending.pop_first() {
            let block = order.nodes()[place];
            run.visits[block] += 1;
            if run.visits[block] > self.options().budget.visits || self.is_out_of_budget() {
                gave_up = true;
                break;
            }
            let starts = self.starts(block, &run);
            if starts.is_empty() || run.starts[block] == starts {
                continue;
            }
            run.starts[block].clone_from(&starts);
            self.execute(block, starts, &mut run);
            let next = graph.successors(block).iter().filter_map(|&to| order.position(to));
            pending.extend(next);
        }
        if !gave_up && self.facts.cfg().loops().count() > 0 {
            self.descend(&mut run);
        }
        // A block that ran out of budget was left in its middle.
        gave_up |= self.is_out_of_budget();
        let exits = if gave_up { Vec::new() } else { self.exits_by_way(run) };
        Found { exits, gave_up }
    }

    /// A return of what several ways bring along is as many returns: `return ok ? 0 : -1` is two.
    fn exits_by_way(&mut self, mut run: Iteration) -> Vec<(BlockId, Exit)> {
        let graph = self.facts.cfg().graph();
        let events = self.events.clone();
        let mut all = Vec::new();
        for (block, exits) in std::mem::take(&mut run.exits) {
            let edges = graph.in_edges(block);
            let states: Vec<State> =
                edges.iter().flat_map(|&edge| run.edges[edge].clone()).collect();
            let is_one = states.len() < 2 || !self.options().exits_by_way;
            if is_one || !self.returns_several(block, &states) {
                all.extend(exits.into_iter().map(|exit| (block, exit)));
                continue;
            }
            self.execute(block, states, &mut run);
            let exits = run.exits.remove(&block).unwrap_or_default();
            all.extend(exits.into_iter().map(|exit| (block, exit)));
        }
        // What is wrong at an instruction was found out for all ways together.
        self.events = events;
        all
    }

    /// What is returned depends on the way to the return: by a parameter of the block, or by what
    /// branches on the ways said of it.
    fn returns_several(&self, block: BlockId, states: &[State]) -> bool {
        let row = &self.body.blocks[block];
        let Terminator::Return(Some(value)) = row.terminator else { return false };
        let mut known = states.iter().map(|state| state.values.get(value));
        let first = known.next();
        row.params.contains(&value) || known.any(|other| Some(other) != first)
    }

    /// One more pass without widening: bounds that went too far come back.
    fn descend(&mut self, run: &mut Iteration) {
        run.exits.clear();
        self.events.clear();
        for &block in self.facts.cfg().loop_order().nodes() {
            if run.starts[block].is_empty() {
                continue;
            }
            let starts = self.joined(block, &run.edges);
            if starts.is_empty() {
                continue;
            }
            run.starts[block].clone_from(&starts);
            self.execute(block, starts, run);
        }
    }

    fn starts(&mut self, block: BlockId, run: &Iteration) -> Vec<State> {
        let mut all = self.joined(block, &run.edges);
        let loops = self.facts.cfg().loops();
        if run.visits[block] > PATIENCE && loops.ids().any(|id| loops.header(id) == block) {
            for next in &mut all {
                let key = self.key(next);
                let before = run.starts[block].iter().find(|before| self.key(before) == key);
                if let Some(before) = before {
                    widen(&before.memory, &mut next.memory);
                    widen(&before.values, &mut next.values);
                }
            }
        }
        all
    }

    fn key(&self, state: &State) -> Option<Key> {
        let focus = self.focus?;
        let mut moved = state.replaced.iter().map(|row| row.1);
        Some(Key {
            is_moved: moved.any(|old| old.addresses().contains(&focus)),
            is_first_round: state.is_first_round,
            is_allocated: state.allocated.contains(focus),
            is_freed: state.freed.contains(focus) || state.freed_always.get(focus).is_some(),
        })
    }

    /// The states of all ways into a block, those of one kind joined.
    fn joined(&mut self, block: BlockId, edges: &Table<EdgeId, Vec<State>>) -> Vec<State> {
        if block == BlockId::ENTRY {
            return vec![State::default()];
        }
        let graph = self.facts.cfg().graph();
        let ways: Vec<(EdgeId, &State)> = graph
            .in_edges(block)
            .iter()
            .flat_map(|&edge| edges[edge].iter().map(move |state| (edge, state)))
            .collect();
        if self.focus.is_some() {
            return self.joined_by_key(block, &ways);
        }
        let mut states = ways.iter().map(|way| way.1);
        let Some(first) = states.next() else { return Vec::new() };
        let mut all = first.clone();
        for state in states {
            self.join(&mut all, state, Point::Join(block));
        }
        if self.options().loops_run {
            self.follow_iterations(block, &ways, &mut all);
        }
        vec![all]
    }

    /// With an object in focus: apart while they are few, and at the heads of loops by kind.
    fn joined_by_key(&mut self, block: BlockId, ways: &[(EdgeId, &State)]) -> Vec<State> {
        let is_header = ways.iter().any(|way| self.is_back_edge(block, way.0));
        let mut all: Vec<State> = Vec::new();
        for &(edge, state) in ways {
            let mut state = state.clone();
            state.is_first_round = is_header && !self.is_back_edge(block, edge);
            if !all.contains(&state) {
                all.push(state);
            }
        }
        if is_header || all.len() > MOST_APART {
            all = self.of_one_kind(block, all);
        }
        all.sort_by_key(|state| self.key(state));
        all
    }

    fn of_one_kind(&mut self, block: BlockId, states: Vec<State>) -> Vec<State> {
        let mut all: Vec<State> = Vec::new();
        for state in states {
            let key = self.key(&state);
            match all.iter().position(|known| self.key(known) == key) {
                Some(at) => {
                    let mut known = std::mem::take(&mut all[at]);
                    self.join(&mut known, &state, Point::Join(block));
                    all[at] = known;
                }
                None => all.push(state),
            }
        }
        all
    }

    fn is_back_edge(&self, header: BlockId, edge: EdgeId) -> bool {
        self.comes_around(header, self.facts.cfg().graph().source(edge))
    }

    fn comes_around(&self, header: BlockId, from: BlockId) -> bool {
        self.facts.cfg().dominators().dominates(header, from)
    }

    /// The values of a loop are others in its next round.
    fn forget_loop(&self, state: &mut State, header: BlockId) {
        let loops = self.facts.cfg().loops();
        let Some(own) = loops.ids().find(|&id| loops.header(id) == header) else { return };
        let mut values = Vec::new();
        for &block in loops.body(own) {
            let row = &self.body.blocks[block];
            values.extend(&row.params);
            values.extend(row.insts().filter_map(|at| self.body.results[at]));
        }
        self.forget_values(state, &values);
    }

    /// Once a loop has come around, the sets are those of its iterations (Figure 13).
    fn follow_iterations(&self, block: BlockId, ways: &[(EdgeId, &State)], all: &mut State) {
        let mut back = ways.iter().filter(|way| self.is_back_edge(block, way.0)).map(|way| way.1);
        let Some(first) = back.next() else { return };
        let mut sets = State {
            allocated: first.allocated.clone(),
            surely: first.surely.clone(),
            freed: first.freed.clone(),
            freed_always: first.freed_always.clone(),
            ..State::default()
        };
        back.for_each(|other| sets.join_sets(other));
        all.allocated = sets.allocated;
        all.surely = sets.surely;
        all.freed = sets.freed;
        all.freed_always = sets.freed_always;
    }

    pub fn join(&mut self, all: &mut State, other: &State, point: Point) {
        if !all.values.is_same(&other.values) {
            let both = all.values.merged(&other.values, |_, a, b| joined_values(a, b));
            all.values = both;
        }
        if !all.memory.is_same(&other.memory) {
            let (left, right) = (all.clone(), other);
            let mut memory = left.memory.merged(&right.memory, |cell, a, b| {
                self.joined_cell(cell, (&left, a), (right, b), point)
            });
            self.bound_memory(&mut memory, all);
            all.memory = memory;
        }
        let backgrounds = all.background.merged(&other.background, |_, a, _| a.copied());
        for (object, _) in backgrounds.merged(&other.background, |_, _, b| b.copied()).iter() {
            let most = self.background(all, object).max(self.background(other, object));
            all.background.insert(object, most);
        }
        all.join_sets(other);
    }

    /// A location that only one way knows holds on the other what nobody wrote to.
    fn joined_cell(
        &mut self,
        cell: LocId,
        left: (&State, Option<&Value>),
        right: (&State, Option<&Value>),
        point: Point,
    ) -> Option<Value> {
        self.steps += 1;
        if let (Some(a), Some(b)) = (left.1, right.1) {
            return joined_values(Some(a), Some(b));
        }
        let (known, missing) = match (left.1, right.1) {
            (Some(known), _) => (known, right.0),
            (None, known) => (known?, left.0),
        };
        if cell == self.global {
            return Some(known.clone());
        }
        let unwritten = self.unwritten(missing, cell, point);
        joined_values(Some(known), unwritten.as_ref())
    }

    fn bound_memory(&mut self, memory: &mut Map<LocId, Value>, state: &mut State) {
        let most = self.options().budget.addresses;
        let is_long = |&(cell, value): &(LocId, &Value)| {
            cell != self.global && value.addresses().len() > most
        };
        let long: Vec<(LocId, Value)> =
            memory.iter().filter(is_long).map(|(cell, value)| (cell, value.clone())).collect();
        for (cell, mut value) in long {
            state.memory = memory.clone();
            self.bound_addresses(state, &mut value);
            state.memory.insert(cell, value);
            *memory = state.memory.clone();
        }
    }

    fn execute(&mut self, block: BlockId, starts: Vec<State>, run: &mut Iteration) {
        let graph = self.facts.cfg().graph();
        for edge in graph.out_edges(block) {
            run.edges[edge].clear();
        }
        run.exits.remove(&block);
        let mut events = BTreeMap::new();
        let row = &self.body.blocks[block];
        let mut pending: Vec<Way> = starts.into_iter().rev().map(|it| Way::new(it, row)).collect();
        while let Some(way) = pending.pop() {
            pending.extend(self.execute_one(block, way, run));
            let own = self.events.range((row.first, LocId(0))..(row.end, LocId(0)));
            events.extend(own.map(|(key, event)| (*key, event.clone())));
        }
        self.events.append(&mut events);
    }

    /// The ways that part from this one inside the block.
    fn execute_one(&mut self, block: BlockId, way: Way, run: &mut Iteration) -> Vec<Way> {
        let Way { values, mut state, first } = way;
        self.values = values;
        let mut others = Vec::new();
        for at in (first.0..self.body.blocks[block].end.0).map(InstId) {
            if !self.step(at, &mut state) || self.is_out_of_budget() {
                return others;
            }
            others.extend(self.other_outcome(at, &mut state));
        }
        if let Terminator::Return(value) = self.body.blocks[block].terminator {
            let value = value.map(|value| self.value(value));
            run.exits.entry(block).or_default().push(Exit { state, value });
            return others;
        }
        let graph = self.facts.cfg().graph();
        let stays = self.must_enter_loop(block, &state, run);
        for edge in graph.out_edges(block) {
            if stays && !self.is_in_loop_of(block, graph.target(edge)) {
                continue;
            }
            let left = self.leave(block, graph.slot(edge), &state);
            run.edges[edge].extend(left);
        }
        others
    }

    /// With an object in focus, the call that makes it has two outcomes that stay apart: whatever
    /// is computed from its result, and wherever that is kept, is of one of them.
    fn other_outcome(&mut self, at: InstId, state: &mut State) -> Option<Way> {
        let focus = self.focus.filter(|&it| state.allocated.contains(it))?;
        if self.made_at(focus) != at || !self.options().null_means_failed {
            return None;
        }
        let result = self.body.results[at]?;
        let tie = self.ties.get(&result)?.iter().find(|tie| tie.regions == [focus])?.clone();
        let value = self.value(result);
        let (made, rest) = (tie.part(&value), tie.rest(&value));
        if made.is_none() || rest.is_none() {
            return None;
        }
        let mut failed = state.clone();
        self.values.insert(result, rest);
        self.unmake_all(&mut failed, focus);
        let values = self.values.clone();
        self.values.insert(result, made);
        Some(Way { values, state: failed, first: InstId(at.0 + 1) })
    }

    /// With an object in focus, a loop that comes around is not left before its first round
    /// (Figure 13).
    fn must_enter_loop(&self, block: BlockId, state: &State, run: &Iteration) -> bool {
        let edges = self.facts.cfg().graph().in_edges(block);
        let comes_around =
            |&edge: &EdgeId| self.is_back_edge(block, edge) && !run.edges[edge].is_empty();
        self.options().loops_run && state.is_first_round && edges.iter().any(comes_around)
    }

    fn is_in_loop_of(&self, header: BlockId, block: BlockId) -> bool {
        let loops = self.facts.cfg().loops();
        let own = loops.ids().find(|&id| loops.header(id) == header);
        own.is_some_and(|id| loops.contains(id, block))
    }

    /// The state at an edge, if its condition can hold.
    fn leave(&mut self, block: BlockId, slot: usize, state: &State) -> Option<State> {
        let mut branch = Branch { state: state.clone(), refined: Vec::new() };
        let terminator = &self.body.blocks[block].terminator;
        let possible = match terminator {
            Terminator::Branch { cond, .. } => self.assume(&mut branch, *cond, slot == 0),
            Terminator::Switch { value, cases, .. } => {
                self.assume_case(&mut branch, *value, cases.get(slot), cases)
            }
            _ => true,
        };
        if !possible {
            return None;
        }
        let edge = terminator.edges().nth(slot)?;
        let mut rows: Vec<(ValueId, Value)> = Vec::new();
        for &id in self.facts.liveness().at_start(edge.to) {
            rows.push((id, self.refined(&branch, id)));
        }
        for (&param, &argument) in self.body.blocks[edge.to].params.iter().zip(&edge.args) {
            rows.push((param, self.refined(&branch, argument)));
        }
        rows.sort_unstable_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        let mut state = branch.state;
        for (_, value) in &mut rows {
            self.bound_addresses(&mut state, value);
        }
        state.values = Map::from_sorted(rows);
        if !state.facts.is_empty() && self.comes_around(edge.to, block) {
            self.forget_loop(&mut state, edge.to);
        }
        Some(state)
    }
}

fn joined_values(a: Option<&Value>, b: Option<&Value>) -> Option<Value> {
    let (mut all, other) = match (a, b) {
        (Some(a), other) => (a.clone(), other),
        (None, other) => (other?.clone(), None),
    };
    other.iter().for_each(|other| all.join(other));
    Some(all)
}

fn widen<K: Copy + Ord + Id>(before: &Map<K, Value>, next: &mut Map<K, Value>) {
    let widened = before.merged(next, |_, a, b| {
        let mut all = a.or(b)?.clone();
        b.iter().for_each(|b| all.widen(b));
        b.is_some().then_some(all)
    });
    *next = widened;
}
