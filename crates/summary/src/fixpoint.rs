//! Fixpoint iteration over the blocks of a procedure (section 4): widening at loop heads, then one
//! descending pass.

use std::collections::{BTreeMap, BTreeSet};

use caulk_base::{Id, Table};
use caulk_ir::{BlockId, Terminator, ValueId};
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

/// Visits of a loop head before its numbers are widened.
const PATIENCE: usize = 2;

struct Iteration {
    /// The states at the edges of the graph.
    edges: Table<EdgeId, Option<State>>,
    starts: Table<BlockId, Option<State>>,
    visits: Table<BlockId, usize>,
    exits: BTreeMap<BlockId, Exit>,
}

impl Exec<'_> {
    pub fn iterate(&mut self) -> Found {
        let graph = self.facts.cfg().graph();
        let mut run = Iteration {
            edges: Table::filled(None, graph.edge_count()),
            starts: Table::filled(None, graph.node_count()),
            visits: Table::filled(0, graph.node_count()),
            exits: BTreeMap::new(),
        };
        let order = self.facts.cfg().order();
        let mut pending: BTreeSet<usize> = BTreeSet::from([0]);
        let mut gave_up = false;
        while let Some(place) = pending.pop_first() {
            let block = order.reverse_post_order()[place];
            run.visits[block] += 1;
            if run.visits[block] > self.options().budget.visits || self.is_out_of_budget() {
                gave_up = true;
                break;
            }
            let Some(start) = self.start(block, &run) else { continue };
            if run.starts[block].as_ref() == Some(&start) {
                continue;
            }
            run.starts[block] = Some(start.clone());
            self.execute(block, start, &mut run);
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
        for (block, exit) in std::mem::take(&mut run.exits) {
            let states: Vec<State> =
                graph.in_edges(block).iter().filter_map(|&edge| run.edges[edge].clone()).collect();
            if states.len() < 2 || !self.options().exits_by_way || !self.returns_parameter(block) {
                all.push((block, exit));
                continue;
            }
            for state in states {
                self.execute(block, state, &mut run);
                all.extend(run.exits.remove(&block).map(|exit| (block, exit)));
            }
        }
        // What is wrong at an instruction was found out for all ways together.
        self.events = events;
        all
    }

    fn returns_parameter(&self, block: BlockId) -> bool {
        let row = &self.body.blocks[block];
        matches!(row.terminator, Terminator::Return(Some(value)) if row.params.contains(&value))
    }

    /// One more pass without widening: bounds that went too far come back.
    fn descend(&mut self, run: &mut Iteration) {
        run.exits.clear();
        self.events.clear();
        for &block in self.facts.cfg().order().reverse_post_order() {
            if run.starts[block].is_none() {
                continue;
            }
            let Some(start) = self.joined(block, &run.edges) else { continue };
            run.starts[block] = Some(start.clone());
            self.execute(block, start, run);
        }
    }

    fn start(&mut self, block: BlockId, run: &Iteration) -> Option<State> {
        let mut next = self.joined(block, &run.edges)?;
        if let Some(before) = &run.starts[block]
            && run.visits[block] > PATIENCE
            && self.facts.cfg().loops().ids().any(|id| self.facts.cfg().loops().header(id) == block)
        {
            widen(&before.memory, &mut next.memory);
            widen(&before.values, &mut next.values);
        }
        Some(next)
    }

    /// The states of all ways into a block, joined.
    fn joined(&mut self, block: BlockId, edges: &Table<EdgeId, Option<State>>) -> Option<State> {
        if block == BlockId::ENTRY {
            return Some(State::default());
        }
        let graph = self.facts.cfg().graph();
        let ways: Vec<(EdgeId, &State)> = graph
            .in_edges(block)
            .iter()
            .filter_map(|&edge| Some((edge, edges[edge].as_ref()?)))
            .collect();
        let mut states = ways.iter().map(|way| way.1);
        let mut all = states.next()?.clone();
        for state in states {
            self.join(&mut all, state, Point::Join(block));
        }
        if self.options().loops_run {
            self.follow_iterations(block, &ways, &mut all);
        }
        Some(all)
    }

    /// Once a loop has come around, the sets are those of its iterations (Figure 13).
    fn follow_iterations(&self, block: BlockId, ways: &[(EdgeId, &State)], all: &mut State) {
        let (graph, dominators) = (self.facts.cfg().graph(), self.facts.cfg().dominators());
        let is_back = |edge: EdgeId| dominators.dominates(block, graph.source(edge));
        let mut back = ways.iter().filter(|way| is_back(way.0)).map(|way| way.1);
        let Some(first) = back.next() else { return };
        let mut sets = State {
            allocated: first.allocated.clone(),
            freed: first.freed.clone(),
            freed_always: first.freed_always.clone(),
            ..State::default()
        };
        back.for_each(|other| sets.join_sets(other));
        all.allocated = sets.allocated;
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

    fn execute(&mut self, block: BlockId, start: State, run: &mut Iteration) {
        self.values.clear();
        for (id, value) in start.values.iter() {
            self.values.insert(id, value.clone());
        }
        let mut state = start;
        state.values = Map::default();
        let graph = self.facts.cfg().graph();
        for edge in graph.out_edges(block) {
            run.edges[edge] = None;
        }
        run.exits.remove(&block);
        for at in self.body.blocks[block].insts() {
            if !self.step(at, &mut state) || self.is_out_of_budget() {
                return;
            }
        }
        if let Terminator::Return(value) = self.body.blocks[block].terminator {
            let value = value.map(|value| self.value(value));
            run.exits.insert(block, Exit { state, value });
            return;
        }
        for edge in graph.out_edges(block) {
            run.edges[edge] = self.leave(block, graph.slot(edge), &state);
        }
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
