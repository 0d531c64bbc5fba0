//! How a block is left: the branches that a state may take, with what it knows then.

use caulk_guard::bits::{Binary, Compare, TermId};
use caulk_ir::{Edge, SwitchCase, Terminator, ValueId};

use crate::map::Map;
use crate::state::State;
use crate::step::{Exec, Way};

impl<'a> Exec<'a> {
    pub fn leave(&mut self, terminator: &'a Terminator, state: State, ways: &mut Vec<Way>) {
        match terminator {
            Terminator::Jump(edge) => self.follow(edge, 0, state, ways),
            Terminator::Branch { cond, then, otherwise } => {
                let condition = self.value(&state, *cond);
                let negated = self.space.terms.not(condition);
                let mut other = state.clone();
                let mut state = state;
                if state.assume(&mut self.space, condition) {
                    self.keep_equal(&mut state, condition);
                    self.leave_to_others(&mut state, condition);
                    self.follow(then, 0, state, ways);
                }
                if other.assume(&mut self.space, negated) {
                    self.keep_equal(&mut other, negated);
                    self.leave_to_others(&mut other, negated);
                    self.follow(otherwise, 1, other, ways);
                }
            }
            Terminator::Switch { value, signed, cases, default } => {
                self.switch(*value, *signed, cases, default, state, ways);
            }
            Terminator::Indirect { edges, .. } => {
                for (slot, edge) in edges.iter().enumerate() {
                    self.follow(edge, slot, state.clone(), ways);
                }
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.value(&state, value));
                ways.push(Way::Return { state, value });
            }
            Terminator::Unreachable(_) => {}
        }
    }

    fn switch(
        &mut self,
        value: ValueId,
        signed: bool,
        cases: &'a [SwitchCase],
        default: &'a Edge,
        state: State,
        ways: &mut Vec<Way>,
    ) {
        let value = self.value(&state, value);
        let mut rest = state.clone();
        let mut left = true;
        for (slot, case) in cases.iter().enumerate() {
            let condition = self.in_range(value, signed, case);
            let mut taken = state.clone();
            if taken.assume(&mut self.space, condition) {
                self.follow(&case.edge, slot, taken, ways);
            }
            let negated = self.space.terms.not(condition);
            left = left && rest.assume(&mut self.space, negated);
        }
        if left {
            self.follow(default, cases.len(), rest, ways);
        }
    }

    pub fn in_range(&mut self, value: TermId, signed: bool, case: &SwitchCase) -> TermId {
        let width = self.space.terms.width(value);
        let low = self.space.terms.constant(case.low as u64, width);
        if case.low == case.high {
            return self.space.terms.compare(Compare::Eq, value, low);
        }
        let high = self.space.terms.constant(case.high as u64, width);
        let op = if signed { Compare::LeS } else { Compare::LeU };
        let above = self.space.terms.compare(op, low, value);
        let below = self.space.terms.compare(op, value, high);
        self.space.terms.binary(Binary::And, above, below)
    }

    fn follow(&mut self, edge: &'a Edge, slot: usize, state: State, ways: &mut Vec<Way>) {
        let state = self.passed(edge, state);
        ways.push(Way::Edge { slot, to: edge.to, state });
    }

    /// Passes the edge's arguments, and forgets the values that nobody reads any more.
    pub fn passed(&mut self, edge: &'a Edge, mut state: State) -> State {
        let target = &self.body.blocks[edge.to];
        let live = self.facts.liveness().at_start(edge.to);
        if edge.args.is_empty() {
            state.values.retain(|id, _| live.binary_search(id).is_ok());
            return state;
        }
        let arguments: Vec<TermId> =
            edge.args.iter().map(|&value| self.value(&state, value)).collect();
        let mut rows: Vec<(ValueId, TermId)> = Vec::with_capacity(live.len() + arguments.len());
        let kept = |&id: &ValueId| state.values.get(id).map(|&term| (id, term));
        rows.extend(live.iter().filter_map(kept));
        rows.extend(target.params.iter().copied().zip(arguments));
        rows.sort_unstable_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        state.values = Map::from_sorted(rows);
        state
    }
}
