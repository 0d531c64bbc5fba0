//! A path that a run took, put through the feasibility stages: they must let it pass.

use caulk_guard::bits::{Answer, Budget, solve};
use caulk_ir::{BlockId, InstId};

use crate::state::State;
use crate::step::{Exec, Way};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    Possible,
    /// At this step the filter contradicts all that is left of the path.
    RefutedByFilter(usize),
    RefutedBySolver,
    /// There were too many outcomes of calls to follow them all, or the solver gave up.
    Undecided,
}

/// Outcomes of calls that are followed at once.
const MOST: usize = 64;

/// The path ends where its last block begins.
pub fn path(exec: &mut Exec<'_>, path: &[BlockId]) -> Replayed {
    let mut states = vec![exec.start()];
    let mut cut = false;
    for (step, pair) in path.windows(2).enumerate() {
        let before = std::mem::take(&mut states);
        for state in before {
            along(exec, pair[0], pair[1], state, &mut states);
        }
        cut |= states.len() > MOST;
        states.truncate(MOST);
        if states.is_empty() {
            return if cut { Replayed::Undecided } else { Replayed::RefutedByFilter(step) };
        }
    }
    let budget = Budget::default();
    let answers = states.iter().map(|it| solve(&exec.space.terms, it.facts.conditions(), &budget));
    let mut decided = !cut;
    for answer in answers {
        match answer {
            Answer::Sat(_) => return Replayed::Possible,
            Answer::Unknown(_) => decided = false,
            Answer::Unsat(_) => {}
        }
    }
    if decided { Replayed::RefutedBySolver } else { Replayed::Undecided }
}

/// All states in which the block goes on with the next one.
fn along(exec: &mut Exec<'_>, block: BlockId, next: BlockId, state: State, after: &mut Vec<State>) {
    let first = exec.body.blocks[block].first;
    let mut open: Vec<(InstId, State)> = vec![(first, state)];
    while let Some((at, state)) = open.pop() {
        for way in exec.run_block(block, at, state, false) {
            match way {
                Way::Edge { to, state, .. } if to == next => after.push(state),
                Way::Resume { at, state } if after.len() <= MOST => open.push((at, state)),
                _ => {}
            }
        }
    }
}
