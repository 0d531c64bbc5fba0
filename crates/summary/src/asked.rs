//! Which procedures somebody asks about, and how far below them the others are.

use std::collections::BTreeSet;

use caulk_base::{FxHashMap, FxHashSet, Table};
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
    /// Of the procedures that are asked about, those with a fault that somebody has told already: the
    /// answer counts for more than elsewhere.
    pub is_suspect: &'a dyn Fn(ProcId) -> bool,
    /// The summaries of those are wanted, too, that nobody calls who is asked about.
    pub wants_summaries: bool,
}

impl Question<'_> {
    /// All that is wrong in any procedure.
    pub const EVERYTHING: Question<'static> = Question {
        is_asked: &|_| true,
        is_settled: &|_| false,
        is_suspect: &|_| true,
        wants_summaries: true,
    };
}

/// Calls by which one that is asked about without a suspicion is as good as further away.
const UNSUSPECTED: u32 = 3;

/// The answer to whom the question is about.
pub struct Asked {
    is_asked: Table<ProcId, bool>,
    /// Calls from a suspect to the procedure, by the shortest way; see [`UNSUSPECTED`].
    distances: Table<ProcId, Option<u32>>,
    /// Those whose summaries are read.
    is_read: Table<ProcId, bool>,
    /// Calls of procedures that are asked about which need no answer.
    settled: FxHashMap<ProcId, Vec<InstId>>,
}

impl Asked {
    /// `edges` are callers with those they call, in order.
    pub fn new(
        program: &Program,
        edges: &[(ProcId, ProcId)],
        question: Question<'_>,
        budget: &Budget,
    ) -> Self {
        let size = |proc: ProcId| program.body(proc).insts.len();
        let asked = worth_it(program.procs.ids().collect(), edges, question, (&size, budget.below));
        let mut is_asked = Table::filled(false, program.procs.len());
        asked.iter().for_each(|&proc| is_asked[proc] = true);
        let mut settled = FxHashMap::default();
        for &proc in &asked {
            let calls = settled_calls(program, proc, question);
            if !calls.is_empty() {
                settled.insert(proc, calls);
            }
        }
        let far = |&proc: &ProcId| match (question.is_suspect)(proc) {
            true => (proc, 0),
            false => (proc, UNSUSPECTED),
        };
        let from: Vec<(ProcId, u32)> = asked.iter().map(far).collect();
        let distances = distances(program.procs.len(), edges, &from);
        let mut is_read = Table::filled(question.wants_summaries, program.procs.len());
        let needed = edges.iter().filter(|row| distances[row.0].is_some());
        needed.for_each(|row| is_read[row.1] = true);
        Self { is_asked, distances, is_read, settled }
    }

    pub fn is_asked(&self, proc: ProcId) -> bool {
        self.is_asked[proc]
    }

    /// Somebody who is asked about calls it, or everybody's summary is wanted.
    pub fn is_read(&self, proc: ProcId) -> bool {
        self.is_read[proc]
    }

    pub fn is_settled(&self, proc: ProcId, at: InstId) -> bool {
        self.settled_in(proc).contains(&at)
    }

    pub fn settled_in(&self, proc: ProcId) -> &[InstId] {
        self.settled.get(&proc).map_or(&[], Vec::as_slice)
    }

    /// What a procedure may take: from the second call on, half as much with each that it is further away,
    /// and a quarter of that from the third on, down to a bound.
    pub fn steps(&self, proc: ProcId, budget: &Budget) -> usize {
        let distance = self.distances[proc].unwrap_or(0);
        let halvings = if distance < 3 { distance.saturating_sub(1) } else { distance + 1 };
        let share = budget.steps.checked_shr(halvings).unwrap_or(0);
        share.max(budget.far).min(budget.steps)
    }
}

/// Of the procedures that are asked about, the suspects, and those that call no more than so much that no
/// suspect calls: of what is above half of the program, the answer is too rough to count alone.
fn worth_it(
    mut asked: Vec<ProcId>,
    edges: &[(ProcId, ProcId)],
    question: Question<'_>,
    (size, most): (&dyn Fn(ProcId) -> usize, usize),
) -> Vec<ProcId> {
    asked.retain(|&proc| (question.is_asked)(proc));
    if most == usize::MAX {
        return asked;
    }
    let is_suspect = |proc: &ProcId| (question.is_suspect)(*proc);
    let mut needed: FxHashSet<ProcId> = FxHashSet::default();
    for &proc in asked.iter().filter(|proc| is_suspect(proc)) {
        below(edges, proc, |proc| needed.insert(proc));
    }
    let is_small = |&proc: &ProcId| {
        let mut left = most;
        let mut seen: FxHashSet<ProcId> = FxHashSet::default();
        below(edges, proc, |proc| {
            let is_new = left > 0 && !needed.contains(&proc) && seen.insert(proc);
            left = left.saturating_sub(if is_new { size(proc) } else { 0 });
            is_new
        });
        left > 0
    };
    asked.retain(|proc| is_suspect(proc) || is_small(proc));
    asked
}

/// Tells of the procedure, and of what it calls as long as somebody goes on from it.
fn below(edges: &[(ProcId, ProcId)], from: ProcId, mut goes_on: impl FnMut(ProcId) -> bool) {
    let mut pending = vec![from];
    while let Some(proc) = pending.pop() {
        if goes_on(proc) {
            pending.extend(callees(edges, proc));
        }
    }
}

fn callees(edges: &[(ProcId, ProcId)], caller: ProcId) -> impl Iterator<Item = ProcId> {
    let first = edges.partition_point(|row| row.0 < caller);
    edges[first..].iter().take_while(move |row| row.0 == caller).map(|row| row.1)
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
    from: &[(ProcId, u32)],
) -> Table<ProcId, Option<u32>> {
    let mut distances: Table<ProcId, Option<u32>> = Table::filled(None, procs);
    let mut pending: BTreeSet<(u32, ProcId)> = from.iter().map(|row| (row.1, row.0)).collect();
    while let Some((distance, proc)) = pending.pop_first() {
        if distances[proc].is_some() {
            continue;
        }
        distances[proc] = Some(distance);
        pending.extend(callees(edges, proc).map(|callee| (distance + 1, callee)));
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cycle of four with a shortcut, and one above it.
    const EDGES: [(ProcId, ProcId); 6] = [
        (ProcId(0), ProcId(1)),
        (ProcId(0), ProcId(2)),
        (ProcId(1), ProcId(2)),
        (ProcId(2), ProcId(3)),
        (ProcId(3), ProcId(0)),
        (ProcId(4), ProcId(0)),
    ];

    #[test]
    fn the_shortest_way_counts_and_each_call_after_the_first_halves_the_budget() {
        let distances = distances(5, &EDGES, &[(ProcId(0), 0)]);
        assert_eq!(distances.rows(), [Some(0), Some(1), Some(1), Some(2), None]);
        let asked = Asked {
            is_asked: Table::filled(false, 5),
            distances,
            is_read: Table::filled(false, 5),
            settled: FxHashMap::default(),
        };
        let budget = Budget { steps: 1000, far: 100, ..Budget::default() };
        let steps = [0, 1, 3].map(|proc| asked.steps(ProcId(proc), &budget));
        assert_eq!(steps, [1000, 1000, 500]);
        let least = Budget { far: 700, ..budget };
        assert_eq!(asked.steps(ProcId(3), &least), 700);
        let even = Budget { far: usize::MAX, ..budget };
        assert_eq!(asked.steps(ProcId(3), &even), 1000);
    }

    #[test]
    fn who_is_no_suspect_is_as_far_as_if_it_were_called() {
        let distances = distances(5, &EDGES, &[(ProcId(2), 0), (ProcId(4), UNSUSPECTED)]);
        assert_eq!(distances.rows(), [Some(2), Some(3), Some(0), Some(1), Some(UNSUSPECTED)]);
    }

    /// Each has ten instructions.
    #[test]
    fn who_is_no_suspect_is_asked_about_where_little_is_below() {
        let edges = &EDGES[..4];
        let asked = |suspect: u32, most: usize| {
            let question = Question {
                is_asked: &|_| true,
                is_suspect: &|proc| proc == ProcId(suspect),
                ..Question::EVERYTHING
            };
            let procs = (0..4).map(ProcId).collect();
            let asked = worth_it(procs, edges, question, (&|_| 10, most));
            asked.into_iter().map(|proc| proc.0).collect::<Vec<_>>()
        };
        assert_eq!(asked(3, 11), [2, 3]);
        assert_eq!(asked(3, 21), [1, 2, 3]);
        assert_eq!(asked(2, 11), [1, 2, 3]);
        assert_eq!(asked(0, 1), [0, 1, 2, 3]);
    }
}
