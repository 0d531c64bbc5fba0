//! Loops with more turns than a path can follow: what they leave behind is computed by joining turns
//! until nothing changes, as the search for candidates does, and the path goes on behind the loop.

use std::collections::BTreeSet;

use caulk_base::FxHashMap;
use caulk_ir::BlockId;
use caulk_ssa::LoopId;

use crate::join::join;
use crate::state::State;
use crate::step::{Exec, Way};

/// A way out of a loop.
pub struct Exit {
    pub from: BlockId,
    pub slot: usize,
    pub to: BlockId,
    pub state: State,
}

/// Blocks of a loop that may be executed.
const MOST_BLOCKS: usize = 60;

/// The ways out of the loop that starts at the block, after some more turns; none where the loop does
/// something with the followed object, or does not settle.
pub fn exits(exec: &mut Exec<'_>, header: BlockId, state: &State) -> Vec<Exit> {
    let Some(id) = loop_of(exec, header) else { return Vec::new() };
    let mut turns = Turns::starting_with(header, state.clone());
    for _ in 0..MOST_BLOCKS {
        let Some((_, block)) = turns.pending.pop_first() else { return turns.exits(exec, state) };
        turns.execute(exec, id, block);
    }
    Vec::new()
}

fn loop_of(exec: &Exec<'_>, header: BlockId) -> Option<LoopId> {
    let loops = exec.facts.cfg().loops();
    loops.innermost(header).filter(|&id| loops.header(id) == header)
}

struct Turns {
    /// What is known at the start of each block, whichever turn it is.
    states: FxHashMap<BlockId, State>,
    pending: BTreeSet<(usize, BlockId)>,
    /// Those of the last execution of each block.
    exits: Vec<Exit>,
}

impl Turns {
    fn starting_with(header: BlockId, state: State) -> Self {
        let states = FxHashMap::from_iter([(header, state)]);
        Self { states, pending: BTreeSet::from([(0, header)]), exits: Vec::new() }
    }

    fn execute(&mut self, exec: &mut Exec<'_>, id: LoopId, block: BlockId) {
        self.exits.retain(|exit| exit.from != block);
        let Some(state) = self.states.get(&block).cloned() else { return };
        let first = exec.body.blocks[block].first;
        for way in exec.run_block(block, first, state, true) {
            // What ends here is no way out of the loop, and is found on paths with fewer turns.
            let Way::Edge { slot, to, state } = way else { continue };
            match exec.facts.cfg().loops().contains(id, to) {
                true => self.arrive(exec, to, state),
                false => self.exits.push(Exit { from: block, slot, to, state }),
            }
        }
    }

    fn arrive(&mut self, exec: &mut Exec<'_>, block: BlockId, state: State) {
        let joined = match self.states.get(&block) {
            Some(known) => join(&mut exec.space, block, known, &state),
            None => state,
        };
        if self.states.get(&block) != Some(&joined) {
            self.states.insert(block, joined);
            let place = exec.facts.cfg().loop_order().position(block).unwrap_or(usize::MAX);
            self.pending.insert((place, block));
        }
    }

    /// None if a turn changed what became of the followed object, or who has it.
    fn exits(self, exec: &Exec<'_>, before: &State) -> Vec<Exit> {
        let fate = |state: &State| {
            let focus = state.focus?;
            let is_held = state.is_held(&exec.space, focus);
            Some((focus, state.phase(focus), is_held, state.loss))
        };
        let untouched = self.exits.iter().all(|exit| fate(&exit.state) == fate(before));
        if untouched { self.exits } else { Vec::new() }
    }
}
