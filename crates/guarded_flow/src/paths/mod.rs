//! Leaks that no path shows (switch `paths`).
//!
//! A guard is about branches, and a branch in a loop is one atom for all turns (F6): its satisfying
//! assignments need not be paths. Here the paths from the allocation are followed one by one, with
//! the values that variables and memory have on them: numbers, NULL, equal values, the object itself
//! and what is computed from it. Functions that are given the object are entered. A path ends where
//! the outermost function returns, or goes on in its caller if that has the object then.
//!
//! A leak that is lost on one of them is believed, if there is a path from the entry of its outermost
//! function that does the same, with the values from there: that is the one that is told. One that no
//! path loses is none; what paths leave in doubt is of low confidence ([`Doubt`]). The same decides
//! whether an object is released twice.
//!
//! | what | file |
//! |---|---|
//! | values and terms | `value` |
//! | what is known of terms | `facts`, `differences` |
//! | frames and memory | `state` |
//! | the first state | `start` |
//! | instructions and branches | `step` |
//! | calls | `call`, `external` |
//! | returns of the outermost function | `climb`, `held` |
//! | from the entry to the allocation | `run_up` |

mod call;
mod climb;
mod counts;
mod differences;
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
use caulk_guard::{Assignment, AtomId, Decision};
use caulk_ir::{BlockId, InstId};
use caulk_program::InstanceId;

use crate::class::Class;
use crate::double_free::Double;
use crate::freed::relevant;
use crate::judge::{Judgement, Leak};
use crate::world::World;
pub(crate) use run_up::Made;
use run_up::Route;
use state::State;
pub(crate) use state::{Passed, Taken};
use value::Terms;

/// Instructions that are followed for one leak.
const STEPS: u32 = 20_000;

/// Of them, in search of a short path.
const SHORT: u32 = 5_000;

/// Paths that wait to be followed.
const WAITING: usize = 400;

/// Calls, each in a function of its own that calls another one, or is called by it.
pub(crate) type Calls = Vec<(InstanceId, InstId)>;

/// What became of the paths.
pub(crate) enum Tried {
    /// One of them loses the object.
    Lost(Way),
    /// None of them does.
    Kept,
    /// None of those that were followed to the end surely does.
    Undecided(Doubt),
    /// Where the object is first is not known.
    Unknown,
}

/// Why paths do not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// They were not followed to their end.
    Unfollowed,
    /// The object is made only if an argument is NULL, and nothing says that it is.
    Given,
    /// One does, if a function changes memory that it is not given.
    Changed,
}

/// How it is lost.
pub(crate) struct Way {
    pub branches: Vec<Taken>,
    pub passed: Vec<Passed>,
    /// The stores that overwrote what had the object.
    pub dropped: Vec<(InstanceId, InstId)>,
    /// The functions that had it in a variable.
    pub had: Vec<InstanceId>,
    /// The return that leaves nobody with it.
    pub end: Option<(InstanceId, BlockId)>,
    /// The calls that led to the allocation, which is the last.
    pub calls: Calls,
}

/// What a path is wanted to do.
#[derive(Clone, Copy)]
enum Aim<'a> {
    Leak(&'a Leak),
    Double(&'a Double),
}

impl<'a> Aim<'a> {
    fn assignment(self) -> &'a Assignment {
        match self {
            Aim::Leak(leak) => &leak.assignment,
            Aim::Double(double) => &double.assignment,
        }
    }
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
    aim: Aim<'a>,
    /// What the solver chose: the way to try first.
    chosen: FxHashMap<AtomId, bool>,
    /// The branches of a path that is wanted once more, from the entry on.
    guide: FxHashMap<(InstanceId, BlockId), usize>,
    /// Functions that are given the object and neither release nor keep it.
    lookers: FxHashSet<InstanceId>,
    terms: Terms,
    waiting: Vec<State>,
    frames: u32,
    steps: u32,
    limit: u32,
    /// Whether the shortest way to a return is tried first, instead of what the solver chose.
    is_short: bool,
    /// How many edges it takes to return from blocks, by function.
    far: FxHashMap<InstanceId, FxHashMap<BlockId, u32>>,
    unsure: Option<Doubt>,
    /// Where the path has to come by first.
    route: Route,
    /// Whether functions that are not entered leave memory alone that they are not given.
    is_steady: bool,
    /// Whether that made a difference.
    was_steady: bool,
    /// Whether it is asked only if there is an allocation.
    only_made: bool,
    /// Routes on which no path was found, and what doubt there is.
    vain: Vec<(Calls, Option<Doubt>)>,
}

pub(crate) fn tried(world: &World, judgement: &Judgement, leak: &Leak) -> Tried {
    Walk::new(world, judgement, Aim::Leak(leak)).decide()
}

/// Whether there is an allocation at all: its function may ask for one only if it is called otherwise.
pub(crate) fn made(world: &World, judgement: &Judgement, leak: &Leak) -> Made {
    let mut walk = Walk::new(world, judgement, Aim::Leak(leak));
    walk.only_made = true;
    walk.made()
}

/// Whether a path releases the object twice, by these releases.
pub(crate) fn released_twice(world: &World, judgement: &Judgement, double: &Double) -> Tried {
    Walk::new(world, judgement, Aim::Double(double)).decide()
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
    fn new(world: &'a World<'f, 'm, 'p>, judgement: &'a Judgement, aim: Aim<'a>) -> Self {
        let branches = aim.assignment().decisions().iter().filter_map(|it| match it {
            Decision::Branch { atom, taken } => Some((*atom, *taken)),
            Decision::Switch { .. } => None,
        });
        Self {
            world,
            judgement,
            aim,
            chosen: branches.collect(),
            guide: FxHashMap::default(),
            lookers: match aim {
                Aim::Leak(leak) => lookers(world, judgement, leak),
                Aim::Double(_) => FxHashSet::default(),
            },
            terms: Terms::default(),
            waiting: Vec::new(),
            frames: 0,
            steps: 0,
            limit: STEPS,
            is_short: false,
            far: FxHashMap::default(),
            unsure: None,
            route: Route::default(),
            is_steady: true,
            was_steady: false,
            only_made: false,
            vain: Vec::new(),
        }
    }

    /// Short paths first: they claim least. The solver's way, if there are too many.
    fn decide(&mut self) -> Tried {
        self.waiting = self.starts();
        if self.waiting.is_empty() {
            return Tried::Unknown;
        }
        self.is_short = true;
        self.limit = SHORT;
        match self.run() {
            Tried::Kept if self.was_steady => self.unsteady(),
            Tried::Undecided(_) if self.steps >= SHORT => self.by_solver(),
            tried => tried,
        }
    }

    fn by_solver(&self) -> Tried {
        let mut walk = Walk::new(self.world, self.judgement, self.aim);
        walk.waiting = walk.starts();
        match walk.run() {
            Tried::Kept if walk.was_steady => walk.unsteady(),
            tried => tried,
        }
    }

    /// Once more, and functions may change what memory they like.
    fn unsteady(&self) -> Tried {
        let mut walk = Walk::new(self.world, self.judgement, self.aim);
        walk.is_steady = false;
        walk.waiting = walk.starts();
        match walk.run() {
            Tried::Lost(_) => Tried::Undecided(Doubt::Changed),
            tried => tried,
        }
    }

    fn run(&mut self) -> Tried {
        while let Some(mut state) = self.waiting.pop() {
            match self.follow(&mut state) {
                Go::Lost if self.route.is_empty() => match self.arrival(&state) {
                    Tried::Lost(way) => return Tried::Lost(way),
                    Tried::Kept => {}
                    Tried::Undecided(doubt) => self.unsure = Some(doubt),
                    Tried::Unknown => self.unsure = Some(Doubt::Unfollowed),
                },
                Go::Lost if state.is_given => self.unsure = Some(Doubt::Given),
                Go::Lost => {
                    return Tried::Lost(Way {
                        branches: state.branches,
                        passed: state.passed,
                        dropped: state.dropped,
                        had: state.had,
                        end: state.end,
                        calls: self.route.calls(),
                    });
                }
                Go::Unsure => self.unsure = Some(Doubt::Unfollowed),
                Go::On | Go::Over => {}
            }
            if self.steps >= self.limit {
                return Tried::Undecided(self.unsure.unwrap_or(Doubt::Unfollowed));
            }
        }
        self.unsure.map_or(Tried::Kept, Tried::Undecided)
    }

    /// A path that is followed later.
    fn later(&mut self, state: State) {
        match self.waiting.len() < WAITING {
            true => self.waiting.push(state),
            false => self.unsure = Some(Doubt::Unfollowed),
        }
    }
}
