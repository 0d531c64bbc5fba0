//! Leaks that no path shows (switch `paths`).
//!
//! A guard is about branches, and a branch in a loop is one atom for all turns (F6): its satisfying
//! assignments need not be paths. Here the paths from the allocation are followed one by one, with
//! the values that variables and memory have on them: numbers, NULL, equal values, the object itself
//! and what is computed from it. Functions that are given the object are entered. A path ends where
//! the outermost function returns, or goes on in its caller if that has the object then.
//!
//! A leak that is lost on one of them is believed, if that can be a path from the entry of its
//! outermost function, with the values from there. One that no path loses is none; if some were not
//! followed to their end, it is of low confidence.
//!
//! | what | file |
//! |---|---|
//! | values and terms | `value` |
//! | what is known of terms | `facts` |
//! | frames and memory | `state` |
//! | the first state | `start` |
//! | instructions and branches | `step` |
//! | calls | `call`, `external` |
//! | returns of the outermost function | `climb`, `held` |
//! | from the entry to the allocation | `run_up` |

mod call;
mod climb;
mod external;
mod facts;
mod held;
mod run_up;
mod start;
mod state;
mod step;
mod value;

use caulk_base::{FxHashMap, FxHashSet};
use caulk_flow::{Node, NodeId};
use caulk_guard::{AtomId, Decision};
use caulk_ir::InstId;
use caulk_program::InstanceId;

use crate::class::Class;
use crate::freed::relevant;
use crate::judge::{Judgement, Leak};
use crate::world::World;
use run_up::Route;
use state::State;
pub(crate) use state::Taken;
use value::Terms;

/// Instructions that are followed for one leak.
const STEPS: u32 = 20_000;

/// Paths that wait to be followed.
const WAITING: usize = 400;

/// What became of the paths.
pub(crate) enum Tried {
    /// One of them loses the object.
    Lost(Way),
    /// None of them does.
    Kept,
    /// None of those that were followed to the end does.
    Undecided,
    /// Where the object is first is not known.
    Unknown,
}

/// How it is lost.
pub(crate) struct Way {
    pub branches: Vec<Taken>,
    pub passed: Vec<(InstanceId, caulk_ir::BlockId)>,
}

/// How a path goes on.
enum Go {
    On,
    /// Nothing is lost on it.
    Over,
    /// Perhaps nothing is lost on it.
    Unsure,
    Lost,
}

struct Walk<'a, 'f, 'm, 'p> {
    world: &'a World<'f, 'm, 'p>,
    judgement: &'a Judgement,
    leak: &'a Leak,
    /// What the solver chose: the way to try first.
    chosen: FxHashMap<AtomId, bool>,
    /// Functions that are given the object and neither release nor keep it.
    lookers: FxHashSet<InstanceId>,
    terms: Terms,
    waiting: Vec<State>,
    frames: u32,
    steps: u32,
    unsure: bool,
    /// Where the path has to come by first.
    route: Route,
    /// Whether it is asked only if there is an allocation.
    only_made: bool,
    /// Routes that no path takes.
    unreached: Vec<Vec<(InstanceId, InstId)>>,
}

pub(crate) fn tried(world: &World, judgement: &Judgement, leak: &Leak) -> Tried {
    let mut walk = Walk::new(world, judgement, leak);
    walk.waiting = walk.starts();
    if walk.waiting.is_empty() {
        return Tried::Unknown;
    }
    walk.run()
}

/// Whether there is an allocation at all: its function may ask for one only if it is called otherwise.
pub(crate) fn is_made(world: &World, judgement: &Judgement, leak: &Leak) -> bool {
    let mut walk = Walk::new(world, judgement, leak);
    walk.only_made = true;
    walk.is_made()
}

fn lookers(world: &World, judgement: &Judgement, leak: &Leak) -> FxHashSet<InstanceId> {
    if judgement.class != Class::FreedConditional {
        return FxHashSet::default();
    }
    let relevant = relevant(world, &leak.forward);
    let nodes = || leak.forward.nodes().iter();
    let does_more =
        |(id, node): &(NodeId, &Node)| relevant.contains(*id) || !matches!(node, Node::Value(..));
    let doers: FxHashSet<InstanceId> =
        nodes().filter(does_more).map(|it| it.1.instance()).collect();
    nodes().map(|it| it.1.instance()).filter(|it| !doers.contains(it)).collect()
}

impl<'a, 'f, 'm, 'p> Walk<'a, 'f, 'm, 'p> {
    fn new(world: &'a World<'f, 'm, 'p>, judgement: &'a Judgement, leak: &'a Leak) -> Self {
        let branches = leak.assignment.decisions().iter().filter_map(|it| match it {
            Decision::Branch { atom, taken } => Some((*atom, *taken)),
            Decision::Switch { .. } => None,
        });
        Self {
            world,
            judgement,
            leak,
            chosen: branches.collect(),
            lookers: lookers(world, judgement, leak),
            terms: Terms::default(),
            waiting: Vec::new(),
            frames: 0,
            steps: 0,
            unsure: false,
            route: Route::default(),
            only_made: false,
            unreached: Vec::new(),
        }
    }

    fn run(&mut self) -> Tried {
        while let Some(mut state) = self.waiting.pop() {
            match self.follow(&mut state) {
                Go::Lost if self.route.is_empty() && !self.is_reached(&state) => {}
                Go::Lost => {
                    return Tried::Lost(Way { branches: state.branches, passed: state.passed });
                }
                Go::Unsure => self.unsure = true,
                Go::On | Go::Over => {}
            }
            if self.steps >= STEPS {
                return Tried::Undecided;
            }
        }
        if self.unsure { Tried::Undecided } else { Tried::Kept }
    }

    /// A path that is followed later.
    fn later(&mut self, state: State) {
        match self.waiting.len() < WAITING {
            true => self.waiting.push(state),
            false => self.unsure = true,
        }
    }
}
