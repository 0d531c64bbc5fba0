//! Figure 4 where branches can be met again: the set E of edges taken is part of the question.
//!
//! A cyclic component is first reduced to its branches: blocks with one way out are skipped, and
//! each edge of a branch leads to a branch of the component or to a guard outside. The search then
//! asks for the guard of (branch, E), and remembers answers.
//!
//! Answers are shared because E is reduced to what still matters: the edges of the branches that
//! can be reached from here along edges not used up. Past the head of a `while` loop, with the
//! edge into its body taken, the rest of the body leads to the head and out of the loop. So the
//! branches of the body that were passed cannot be met again, and are forgotten: structured loops
//! of any size need few questions. A loop that is left from its middle can be gone round while one
//! of its branches has an edge left, in as many ways as it has paths: for large ones the budget
//! ends the search, and the guard is too large.

use caulk_base::FxHashMap;
use caulk_guard::GuardId;
use caulk_ir::BlockId;
use caulk_ssa::{EdgeId, SccId};

use crate::guards_paths::Walk;

/// A branch of the component, by its number in it.
type Place = usize;

/// An edge of a branch.
struct Way {
    condition: GuardId,
    to: Result<GuardId, Place>,
}

/// How often the ways that stay inside were taken, by their numbers; sorted, without zeros.
type Taken = Vec<(u32, u8)>;

pub(crate) struct Cycle {
    /// The branches that blocks lead to.
    places: FxHashMap<BlockId, Result<GuardId, Place>>,
    /// Per branch where its ways begin; one more at the end.
    first_way: Vec<usize>,
    ways: Vec<Way>,
    /// The branch of each way.
    branches: Vec<Place>,
    known: FxHashMap<(Place, Taken), GuardId>,
    /// Scratch: the search in which a branch was last seen.
    seen: Vec<u32>,
    /// Scratch: the branches that a search has still to look at.
    pending: Vec<Place>,
    searches: u32,
}

/// A question under way.
struct Frame {
    place: Place,
    taken: Taken,
    next: usize,
    ways: Vec<(GuardId, GuardId)>,
}

impl Cycle {
    pub fn new(walk: &mut Walk<'_>, component: SccId) -> Self {
        let members = walk.components.members(component).to_vec();
        let mut cycle = Self {
            places: FxHashMap::default(),
            first_way: vec![0],
            ways: Vec::new(),
            branches: Vec::new(),
            known: FxHashMap::default(),
            seen: Vec::new(),
            pending: Vec::new(),
            searches: 0,
        };
        let branches: Vec<BlockId> =
            members.iter().copied().filter(|&block| is_branch(walk, block)).collect();
        for (place, &block) in branches.iter().enumerate() {
            cycle.places.insert(block, Err(place));
        }
        for &block in &members {
            cycle.find_place(walk, component, block);
        }
        for &block in &branches {
            cycle.add_ways(walk, component, block);
        }
        cycle.seen = vec![0; branches.len()];
        cycle
    }

    /// Follows blocks with one way out to a branch or out of the component.
    fn find_place(&mut self, walk: &Walk<'_>, component: SccId, block: BlockId) {
        let graph = walk.map.journey.graph;
        let mut chain = Vec::new();
        let mut at = block;
        let place = loop {
            if let Some(&known) = self.places.get(&at) {
                break known;
            }
            // Round and round without a branch, nobody arrives: such a chain ends here again.
            self.places.insert(at, Ok(GuardId::FALSE));
            chain.push(at);
            let Some(edge) = graph.out_edges(at).next() else { break Ok(GuardId::FALSE) };
            match stays(walk, component, edge) {
                Some(next) => at = next,
                None => break Ok(walk.guard_after(edge)),
            }
        };
        for block in chain {
            self.places.insert(block, place);
        }
    }

    fn add_ways(&mut self, walk: &mut Walk<'_>, component: SccId, block: BlockId) {
        for edge in walk.map.journey.graph.out_edges(block) {
            let to = match stays(walk, component, edge) {
                Some(next) => self.places[&next],
                None => Ok(walk.guard_after(edge)),
            };
            if to != Ok(GuardId::FALSE) {
                let condition = walk.conditions.condition(edge, walk.formulas);
                self.ways.push(Way { condition, to });
                self.branches.push(self.first_way.len() - 1);
            }
        }
        self.first_way.push(self.ways.len());
    }

    /// cg(n, m, ∅)
    pub fn guard(&mut self, walk: &mut Walk<'_>, block: BlockId) -> GuardId {
        let place = match self.places[&block] {
            Ok(guard) => return guard,
            Err(place) => place,
        };
        let mut frames = Vec::new();
        let mut answer = self.ask(walk, place, Taken::new(), &mut frames);
        while let Some(mut frame) = frames.pop() {
            // What is asked lies on paths from here, whose guard is too large with theirs.
            if walk.work_left == 0 || answer == Some(GuardId::TOO_LARGE) {
                return GuardId::TOO_LARGE;
            }
            if let Some(after) = answer.take() {
                let condition = self.condition(&frame, frame.next);
                frame.ways.push((condition, after));
                frame.next += 1;
            }
            answer = self.go_on(walk, frame, &mut frames);
        }
        answer.unwrap_or(GuardId::TOO_LARGE)
    }

    /// Looks at the ways of a branch, up to the first whose guard is not known.
    fn go_on(
        &mut self,
        walk: &mut Walk<'_>,
        mut frame: Frame,
        frames: &mut Vec<Frame>,
    ) -> Option<GuardId> {
        let bound = walk.map.journey.options.loop_bound;
        while frame.next < self.first_way[frame.place + 1] {
            walk.work_left = walk.work_left.saturating_sub(1);
            let way = frame.next;
            let to = match self.ways[way].to {
                Ok(guard) => {
                    frame.ways.push((self.condition(&frame, way), guard));
                    frame.next += 1;
                    continue;
                }
                Err(place) => place,
            };
            if count(&frame.taken, way) >= bound {
                frame.next += 1;
                continue;
            }
            let taken = with(&frame.taken, way);
            frames.push(frame);
            return self.ask(walk, to, taken, frames);
        }
        let guard = walk.any_way(frame.ways);
        self.known.insert((frame.place, frame.taken), guard);
        Some(guard)
    }

    /// The guard, if it is known; else the question is put on the stack.
    fn ask(
        &mut self,
        walk: &mut Walk<'_>,
        place: Place,
        taken: Taken,
        frames: &mut Vec<Frame>,
    ) -> Option<GuardId> {
        let Some(taken) = self.still_matters(walk, place, taken) else {
            return Some(GuardId::FALSE);
        };
        let key = (place, taken);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let (place, taken) = key;
        frames.push(Frame { place, taken, next: self.first_way[place], ways: Vec::new() });
        None
    }

    /// The part of E that concerns branches still to be met; none if no way leads out any more.
    fn still_matters(&mut self, walk: &mut Walk<'_>, place: Place, taken: Taken) -> Option<Taken> {
        let bound = walk.map.journey.options.loop_bound;
        self.searches += 1;
        let mut leads_out = false;
        self.pending.push(place);
        self.seen[place] = self.searches;
        while let Some(place) = self.pending.pop() {
            let ways = self.first_way[place]..self.first_way[place + 1];
            walk.work_left = walk.work_left.saturating_sub(1 + ways.len() as u32);
            for way in ways {
                match self.ways[way].to {
                    Ok(_) => leads_out = true,
                    Err(_) if count(&taken, way) >= bound => {}
                    Err(next) if self.seen[next] == self.searches => {}
                    Err(next) => {
                        self.seen[next] = self.searches;
                        self.pending.push(next);
                    }
                }
            }
        }
        let met = |way: u32| self.seen[self.branches[way as usize]] == self.searches;
        leads_out.then(|| taken.into_iter().filter(|&(way, _)| met(way)).collect())
    }

    /// cond(n, nᵢ, E): only the first decision of a branch counts.
    fn condition(&self, frame: &Frame, way: usize) -> GuardId {
        let ways = self.first_way[frame.place]..self.first_way[frame.place + 1];
        let again = frame.taken.iter().any(|&(taken, _)| ways.contains(&(taken as usize)));
        if again { GuardId::TRUE } else { self.ways[way].condition }
    }
}

/// The target of an edge, if that is in the component.
fn stays(walk: &Walk<'_>, component: SccId, edge: EdgeId) -> Option<BlockId> {
    let target = walk.map.after(edge).err()?;
    (walk.components.component(target) == component).then_some(target)
}

/// Whether a block is a branch: also when tests that are decided leave one way (E counts it).
fn is_branch(walk: &Walk<'_>, block: BlockId) -> bool {
    walk.map.journey.graph.out_edges(block).len() > 1
}

fn count(taken: &Taken, way: usize) -> u8 {
    taken.binary_search_by_key(&(way as u32), |entry| entry.0).map_or(0, |at| taken[at].1)
}

fn with(taken: &Taken, way: usize) -> Taken {
    let mut taken = taken.clone();
    match taken.binary_search_by_key(&(way as u32), |entry| entry.0) {
        Ok(at) => taken[at].1 += 1,
        Err(at) => taken.insert(at, (way as u32, 1)),
    }
    taken
}
