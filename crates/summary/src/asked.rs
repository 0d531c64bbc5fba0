//! Which procedures somebody asks about, and how far below them the others are.

use std::collections::VecDeque;

use caulk_base::{FxHashMap, Table};
use caulk_finding::Location;
use caulk_ir::{Inst, InstId};
use caulk_program::{ProcId, Program};

use crate::options::Budget;

/// What somebody wants to know of a program.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The procedures whose faults are told. Those that they call are summarised, and nothing is told
    /// of them.
    pub is_asked: &'a dyn Fn(ProcId) -> bool,
    /// Of what is made by the call at a place, somebody knows already that it is not lost.
    pub is_settled: &'a dyn Fn(&Location) -> bool,
}

impl Question<'_> {
    /// All that is wrong in any procedure.
    pub const EVERYTHING: Question<'static> =
        Question { is_asked: &|_| true, is_settled: &|_| false };
}

/// The answer to whom the question is about.
pub struct Asked {
    /// Calls from one that is asked about to the procedure, by the shortest way.
    distances: Table<ProcId, Option<u32>>,
    /// Calls of procedures that are asked about which need no answer.
    settled: FxHashMap<ProcId, Vec<InstId>>,
}

impl Asked {
    /// `edges` are callers with those they call, in order.
    pub fn new(program: &Program, edges: &[(ProcId, ProcId)], question: Question<'_>) -> Self {
        let asked: Vec<ProcId> =
            program.procs.ids().filter(|&proc| (question.is_asked)(proc)).collect();
        let mut settled = FxHashMap::default();
        for &proc in &asked {
            let calls = settled_calls(program, proc, question);
            if !calls.is_empty() {
                settled.insert(proc, calls);
            }
        }
        Self { distances: distances(program.procs.len(), edges, &asked), settled }
    }

    pub fn is_asked(&self, proc: ProcId) -> bool {
        self.distances[proc] == Some(0)
    }

    pub fn is_settled(&self, proc: ProcId, at: InstId) -> bool {
        self.settled_in(proc).contains(&at)
    }

    pub fn settled_in(&self, proc: ProcId) -> &[InstId] {
        self.settled.get(&proc).map_or(&[], Vec::as_slice)
    }

    /// What a procedure may take: from the second call on, half as much with each that it is further
    /// away, down to a bound.
    pub fn steps(&self, proc: ProcId, budget: &Budget) -> usize {
        let distance = self.distances[proc].unwrap_or(0);
        let share = budget.steps.checked_shr(distance.saturating_sub(1)).unwrap_or(0);
        share.max(budget.far).min(budget.steps)
    }
}

fn settled_calls(program: &Program, proc: ProcId, question: Question<'_>) -> Vec<InstId> {
    let (module, body) = (program.module_of(proc), program.body(proc));
    let is_settled = |at: InstId| {
        let span = module.spans.get(body.inst_spans[at]);
        let place = span.and_then(|span| Location::of_span(&span, &module.files));
        place.is_some_and(|place| (question.is_settled)(&place))
    };
    let calls = body.insts.iter().filter(|(_, inst)| matches!(inst, Inst::Call(_)));
    calls.map(|(at, _)| at).filter(|&at| is_settled(at)).collect()
}

fn distances(
    procs: usize,
    edges: &[(ProcId, ProcId)],
    asked: &[ProcId],
) -> Table<ProcId, Option<u32>> {
    let mut distances: Table<ProcId, Option<u32>> = Table::filled(None, procs);
    let mut pending: VecDeque<(ProcId, u32)> = asked.iter().map(|&proc| (proc, 0)).collect();
    while let Some((proc, distance)) = pending.pop_front() {
        if distances[proc].is_some() {
            continue;
        }
        distances[proc] = Some(distance);
        let first = edges.partition_point(|&(caller, _)| caller < proc);
        let callees = edges[first..].iter().take_while(|&&(caller, _)| caller == proc);
        pending.extend(callees.map(|&(_, callee)| (callee, distance + 1)));
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_way_counts_and_each_call_after_the_first_halves_the_budget() {
        let edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 0)].map(|(a, b)| (ProcId(a), ProcId(b)));
        let distances = distances(5, &edges, &[ProcId(0)]);
        assert_eq!(distances.rows(), [Some(0), Some(1), Some(1), Some(2), None]);
        let asked = Asked { distances, settled: FxHashMap::default() };
        let budget = Budget { steps: 1000, far: 300, ..Budget::default() };
        let steps = [0, 1, 3].map(|proc| asked.steps(ProcId(proc), &budget));
        assert_eq!(steps, [1000, 1000, 500]);
        let least = Budget { far: 700, ..budget };
        assert_eq!(asked.steps(ProcId(3), &least), 700);
        let even = Budget { far: usize::MAX, ..budget };
        assert_eq!(asked.steps(ProcId(3), &even), 1000);
    }
}
