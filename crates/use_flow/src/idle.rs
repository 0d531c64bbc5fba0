//! Decisions of a found path that change nothing: whichever way is taken there, the object is lost
//! (K5).
//!
//! A path has a way out of every block that it comes through, also where both lead to the loss. To tell
//! such a decision asks the reader to believe more than the loss needs, and to look for a reason where
//! there is none. Here, all ways around a decision are followed back to the path; it is idle if each of
//! them goes on as the path does, to the same loss.

use caulk_ir::{BlockId, InstId};

use crate::explore::{End, at_return, is_lost, is_lost_in_turn};
use crate::paths::{Found, Stop};
use crate::state::State;
use crate::step::{Exec, Way};
use crate::witness::is_lost_with_owner;

/// States that go along the path at once, by what calls do.
const MOST_STATES: usize = 4;
/// Blocks that may be executed for one path.
const MOST_BLOCKS: usize = 800;
/// Blocks of the ways around one decision, without what follows of the path.
const MOST_AROUND: usize = 40;
/// How often such a way may come to a block.
const MOST_VISITS: usize = 2;

/// Which stops of the path are decisions that change nothing.
pub fn idle(exec: &mut Exec<'_>, found: &Found) -> Vec<bool> {
    let path = &found.path;
    if path.iter().any(|stop| stop.skips) {
        return vec![false; path.len()];
    }
    let mut around = Around { found, left: MOST_BLOCKS, kinds: vec![Kind::Plain; path.len()] };
    let others = around.others(exec);
    for (number, others) in others.into_iter().enumerate().rev() {
        if others.is_empty() {
            continue;
        }
        around.kinds[number] = Kind::Decides;
        // What is decided only on the way that the path takes is idle with it.
        if let Some(Back { at, also }) = around.back(exec, number, others) {
            around.kinds[number..at].fill(Kind::Idle);
            also.into_iter().for_each(|number| around.kinds[number] = Kind::Idle);
        }
    }
    around.kinds.iter().map(|&it| it == Kind::Idle).collect()
}

/// Where the ways around a decision are back on the path.
#[derive(Default)]
struct Back {
    at: usize,
    /// Stops that they leave otherwise than the path, which had no choice there.
    also: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// There was no other way.
    Plain,
    Decides,
    Idle,
}

struct Around<'f> {
    found: &'f Found,
    left: usize,
    kinds: Vec<Kind>,
}

impl Around<'_> {
    /// The ways that the path does not take, for each stop.
    fn others(&mut self, exec: &mut Exec<'_>) -> Vec<Vec<(BlockId, State)>> {
        let path = &self.found.path;
        let mut others = vec![Vec::new(); path.len()];
        let mut states = vec![exec.start()];
        for (number, pair) in path.windows(2).enumerate() {
            let before = std::mem::take(&mut states);
            let Some(edges) = self.leave(exec, pair[0].block, before) else { break };
            for (slot, to, state) in edges {
                match is_taken(pair, slot, to) {
                    true => states.push(state),
                    false => others[number].push((to, state)),
                }
            }
            // Paths on which the object is there already come first.
            states.sort_by_key(|it| it.focus.is_none());
            states.truncate(MOST_STATES);
        }
        others
    }

    /// All edges by which states leave a block; none when that takes too long, or a way ends there.
    fn leave(
        &mut self,
        exec: &mut Exec<'_>,
        block: BlockId,
        states: Vec<State>,
    ) -> Option<Vec<(usize, BlockId, State)>> {
        let mut edges = Vec::new();
        for way in self.ways(exec, block, states)? {
            match way {
                Way::Edge { slot, to, state } => edges.push((slot, to, state)),
                Way::Resume { .. } | Way::Return { .. } | Way::Trouble { .. } => {}
            }
        }
        Some(edges)
    }

    /// How states leave a block, whatever the calls in it do.
    fn ways(
        &mut self,
        exec: &mut Exec<'_>,
        block: BlockId,
        states: Vec<State>,
    ) -> Option<Vec<Way>> {
        let first = exec.body.blocks[block].first;
        let mut open: Vec<(InstId, State)> = states.into_iter().map(|it| (first, it)).collect();
        let mut ways = Vec::new();
        while let Some((at, state)) = open.pop() {
            self.left = self.left.checked_sub(1)?;
            for way in exec.run_block(block, at, state, false) {
                match way {
                    Way::Resume { at, state } => open.push((at, state)),
                    way => ways.push(way),
                }
            }
        }
        Some(ways)
    }

    /// Where the path goes on once all ways by others are back, if each goes on as it does.
    fn back(
        &mut self,
        exec: &mut Exec<'_>,
        number: usize,
        others: Vec<(BlockId, State)>,
    ) -> Option<Back> {
        let mut visits: Vec<BlockId> = Vec::new();
        let mut open = others;
        let mut back = Back::default();
        while let Some((block, state)) = open.pop() {
            if let Some(at) = self.index_after(number, block) {
                if self.kinds[number + 1..at].contains(&Kind::Decides) {
                    return None;
                }
                self.go_on(exec, at, state, &mut back)?;
                back.at = back.at.max(at);
                continue;
            }
            visits.push(block);
            let again = visits.iter().filter(|&&it| it == block).count();
            if visits.len() > MOST_AROUND || again > MOST_VISITS {
                return None;
            }
            for way in self.ways(exec, block, vec![state])? {
                let Way::Edge { to, state, .. } = way else { return None };
                open.push((to, state));
            }
        }
        (back.at > 0).then_some(back)
    }

    /// Where the path comes to a block after a stop.
    fn index_after(&self, number: usize, block: BlockId) -> Option<usize> {
        let later = &self.found.path[number + 1..];
        later.iter().position(|stop| stop.block == block).map(|at| number + 1 + at)
    }

    /// Follows a state to the path's end by those decisions of the path that are not idle; none if the
    /// object is not lost there as it is on the path.
    fn go_on(
        &mut self,
        exec: &mut Exec<'_>,
        from: usize,
        state: State,
        back: &mut Back,
    ) -> Option<()> {
        let path = &self.found.path;
        let mut waiting: Vec<Vec<State>> = vec![Vec::new(); path.len()];
        waiting[from].push(state);
        for (number, pair) in path.windows(2).enumerate().skip(from) {
            let mut states = std::mem::take(&mut waiting[number]);
            states.truncate(MOST_STATES);
            let edges = self.leave(exec, pair[0].block, states)?;
            let is_along = |edge: &(usize, BlockId, State)| is_taken(pair, edge.0, edge.1);
            let (along, aside): (Vec<_>, Vec<_>) = edges.into_iter().partition(is_along);
            let may_turn = match self.kinds[number] {
                Kind::Idle => true,
                Kind::Plain => along.is_empty() && !aside.is_empty(),
                Kind::Decides => false,
            };
            waiting[number + 1].extend(along.into_iter().map(|it| it.2));
            if may_turn {
                back.also.push(number);
                for (_, to, state) in aside {
                    self.come_back(exec, number, (to, state), &mut waiting)?;
                }
            }
        }
        let last = path.last()?.block;
        let ways = self.ways(exec, last, waiting.pop()?)?;
        ways.into_iter().any(|way| self.is_same_loss(exec, last, way)).then_some(())
    }

    /// Ways around an idle decision, to where they meet the path again.
    fn come_back(
        &mut self,
        exec: &mut Exec<'_>,
        number: usize,
        start: (BlockId, State),
        waiting: &mut [Vec<State>],
    ) -> Option<()> {
        let mut open = vec![start];
        let mut left = MOST_AROUND;
        while let Some((block, state)) = open.pop() {
            if let Some(back) = self.index_after(number, block) {
                waiting[back].push(state);
                continue;
            }
            left = left.checked_sub(1)?;
            let edges = self.leave(exec, block, vec![state])?;
            open.extend(edges.into_iter().map(|(_, to, state)| (to, state)));
        }
        Some(())
    }

    fn is_same_loss(&self, exec: &mut Exec<'_>, block: BlockId, way: Way) -> bool {
        let state = match (&self.found.end, way) {
            (End::Return(_), Way::Return { state, value }) => {
                let state = at_return(exec, state, value);
                is_lost(exec, &state).then_some(state)
            }
            (End::Turn { header, .. }, Way::Edge { to, state, .. }) if *header == to => {
                is_lost_in_turn(exec, block, to, &state).then_some(state)
            }
            (End::Trouble { trouble, .. }, Way::Trouble { trouble: other, state }) => {
                (*trouble == other).then_some(state)
            }
            _ => None,
        };
        let known = &self.found.state;
        state.is_some_and(|it| {
            let is_alike = it.loss == known.loss && it.failed == known.failed;
            let is_told =
                matches!(self.found.end, End::Trouble { .. }) || !is_lost_with_owner(exec, &it);
            is_alike && is_told
        })
    }
}

/// Whether an edge leads from the first of two stops to the second as the path does.
fn is_taken(pair: &[Stop], slot: usize, to: BlockId) -> bool {
    pair[0].slot == Some(slot) && pair[1].block == to
}
