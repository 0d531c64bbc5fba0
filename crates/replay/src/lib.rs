//! Replay: findings are proven by running them.
//!
//! For one finding, whatever engine made it, [`Player::outcome`] looks for inputs under which the
//! function does what the finding says, and lets the interpreter run it with them.
//!
//! 1. [`target`]: the function to run, the call that makes the object, the blocks to come through.
//! 2. [`search`]: the function is followed with symbols for everything that comes from outside:
//!    parameters, memory behind them, static storage, results of external functions. Objects behind
//!    pointers are made when they are followed (lazy initialisation), and are all different.
//!    External functions follow their models ([`external`]); string functions run as they are
//!    (`prelude/`). Where the finding has a route, the outermost function keeps to it.
//! 3. [`scene`]: the solver's values make a scenario: memory, arguments, and the answers of external
//!    functions in order.
//! 4. The interpreter plays it. Its checked memory tells whether the object was lost, freed twice or
//!    used after its release; only its word confirms a finding.
//! 5. What the run was given must be possible: [`scene::supposed`] names memory that the program may never
//!    make, [`setup`] what `main` has set by then, and [`support`] asks the callers.
//!
//! A finding is refuted when every way along its route was followed to its end, nothing was left
//! out, and none did what it says. Everything else is not replayable, with the reason.
//!
//! Without a finding, [`explore`] follows a function with the same search and [`rehearse`] runs the
//! whole program with made-up inputs.

mod blame;
mod callers;
mod compute;
mod error_codes;
mod explore;
mod external;
mod guess;
mod handles;
mod hooks;
mod input;
mod memory;
mod names;
mod numbers;
mod object;
mod overflow;
mod part;
mod passed;
mod questions;
mod rehearse;
mod scene;
mod search;
mod set;
mod setup;
mod start;
mod state;
mod step;
mod stores;
mod support;
mod tables;
mod target;
mod told;
mod value;
mod vocabulary;
mod world;
mod written;

use caulk_finding::{Finding, Outcome, Proof, Station};
use caulk_interp::scenario::{CellEnd, Ended, Fate, Played, play};
use caulk_interp::{Budgets, FaultKind, LinkError, Position, Program};
use caulk_ir::Module;
use caulk_models::Models;

use crate::callers::Site;
pub use crate::explore::{Fault, Sight};
use crate::search::{Candidate, FOR_DOUBT, FOR_FINDING, LEAST_FOR_DOUBT, Limits, Next, Seeker};
use crate::support::{Support, support};
pub use crate::target::is_same_start;
use crate::target::{Target, Wish};
pub use crate::told::Place;
use crate::world::World;

/// What one run may cost.
const BUDGETS: Budgets = Budgets { steps: 3_000_000, memory: 256 << 20, depth: 2_000 };
/// Runs that may turn out otherwise than the search expects.
const MOST_RUNS: u32 = 6;

/// What a second way to show a finding may cost at least, of what the first may.
const LEAST_SHARE: u64 = 4;

/// Pointers that are told with a conditional run.
const MOST_SUPPOSED: usize = 3;

/// Runs findings of one program.
pub struct Player {
    world: World,
}

impl Player {
    /// Whether the interpreter knows the machine that the program is for.
    #[must_use]
    pub fn can_play(modules: &[Module]) -> bool {
        Program::can_link(modules).is_ok()
    }

    /// # Errors
    /// When the program is for a machine that the interpreter does not know.
    pub fn new(modules: Vec<Module>, models: &Models) -> Result<Self, LinkError> {
        Ok(Self { world: World::new(modules, models)? })
    }

    /// Gives the modules back.
    #[must_use]
    pub fn into_modules(self) -> Vec<Module> {
        self.world.into_modules()
    }

    #[must_use]
    pub fn outcome(&self, finding: &Finding) -> Outcome {
        self.outcome_of(finding, false, FOR_FINDING)
    }

    /// The same at a fraction of the cost, for an object that nobody else that is lost leads to.
    #[must_use]
    pub fn direct_outcome(&self, finding: &Finding) -> Outcome {
        let limits = FOR_DOUBT.in_program(self.world.size(), LEAST_FOR_DOUBT);
        self.outcome_of(finding, true, limits)
    }

    fn outcome_of(&self, finding: &Finding, is_direct: bool, limits: Limits) -> Outcome {
        let targets = match target::targets(&self.world, finding) {
            Ok(targets) => targets.into_iter().map(|it| Target { is_direct, ..it }),
            Err(why) => return verdict(Proof::NotReplayable, why),
        };
        let mut best: Option<Outcome> = None;
        let mut left = limits.steps;
        for target in targets {
            let limits = Limits { steps: left, ..limits };
            let (outcome, spent) = Trial { world: &self.world, target: &target, limits }.outcome();
            left = left.saturating_sub(spent).max(limits.steps / LEAST_SHARE);
            // The finding's own way comes first: what it showed counts, unless another shows more.
            if best.as_ref().is_none_or(|best| shows(&outcome) > shows(best)) {
                best = Some(outcome);
            }
            if best.as_ref().is_some_and(|best| shows(best) > 0) {
                break;
            }
        }
        best.unwrap_or_else(|| verdict(Proof::NotReplayable, "there is nothing to run"))
    }
}

/// How much a run showed of what the finding says.
fn shows(outcome: &Outcome) -> u32 {
    match outcome.proof {
        Proof::Confirmed => 2,
        Proof::Conditional => 1,
        Proof::Refuted | Proof::NotReplayable => 0,
    }
}

struct Trial<'t> {
    world: &'t World,
    target: &'t Target,
    limits: Limits,
}

impl Trial<'_> {
    /// What the runs show, and what the search has cost.
    fn outcome(&self) -> (Outcome, u64) {
        let mut seeker = Seeker::new(self.world, self.target).within(self.limits);
        let outcome = match seeker.begin() {
            Ok(()) => self.sought(&mut seeker),
            Err(stuck) => verdict(Proof::NotReplayable, stuck.why),
        };
        (outcome, seeker.spent())
    }

    fn sought(&self, seeker: &mut Seeker<'_>) -> Outcome {
        let (mut astray, mut conditional) = (None, None);
        for _ in 0..MOST_RUNS {
            let outcome = match seeker.next() {
                Next::Candidate(candidate) => {
                    match self.run(seeker, &candidate) {
                        Ok(outcome) if outcome.proof == Proof::Confirmed => return outcome,
                        Ok(outcome) => drop(conditional.get_or_insert(outcome)),
                        Err(why) => drop(astray.get_or_insert(why)),
                    }
                    continue;
                }
                Next::Exhausted => self.exhausted(seeker, astray.take()),
                Next::OutOfBudget => {
                    let why = format!("no inputs were found within {} steps", self.limits.steps);
                    verdict(Proof::NotReplayable, &astray.take().unwrap_or(why))
                }
            };
            return conditional.unwrap_or(outcome);
        }
        let outcome = verdict(Proof::NotReplayable, &astray.unwrap_or_default());
        conditional.unwrap_or(outcome)
    }

    fn exhausted(&self, seeker: &Seeker<'_>, astray: Option<String>) -> Outcome {
        if let Some(why) = astray {
            return verdict(Proof::NotReplayable, &why);
        }
        if let Some(doubt) = seeker.doubts.first() {
            return verdict(Proof::NotReplayable, &format!("no inputs were found: {doubt}"));
        }
        match seeker.others {
            0 => verdict(Proof::Refuted, "no input takes this path"),
            _ => verdict(Proof::Refuted, self.contrary()),
        }
    }

    fn contrary(&self) -> &'static str {
        match self.target.wish {
            Wish::Leak | Wish::AtExit => {
                "on every run along this path it is released or still held at the end"
            }
            Wish::DoubleFree => "no run along this path releases it twice",
            Wish::UseAfterFree => "no run along this path uses it after its release",
            Wish::Any | Wish::Call => "no run does anything wrong",
        }
    }

    /// Plays a candidate; why it went otherwise, if it did.
    fn run(&self, seeker: &mut Seeker<'_>, candidate: &Candidate) -> Result<Outcome, String> {
        let scenario = scene::scenario(seeker, candidate);
        let played = play(&self.world.program, scenario, BUDGETS);
        let stack = self.proof(&played)?;
        let stack = stack.into_iter().map(station).collect();
        let inputs = scene::given(seeker, candidate);
        let mut supposed = scene::supposed(seeker, candidate);
        // Who asked for nothing is told only what no call has to allow.
        if self.target.is_direct {
            supposed.extend(scene::passed(seeker, candidate));
        }
        let function = self.world.program.function_name(self.target.start);
        if supposed.is_empty() && support(seeker, candidate) == Support::Refused {
            let why = format!(
                "a run of `{function}` shows it, but no call of it was found that gives this"
            );
            return Ok(Outcome { proof: Proof::Conditional, why, inputs, stack });
        }
        let why = match supposed.as_slice() {
            [] => format!("a run of `{function}` shows it"),
            rows => {
                let rows = &rows[..rows.len().min(MOST_SUPPOSED)];
                let memory = rows.join(", ");
                format!("a run of `{function}` shows it, if memory can be like this: {memory}")
            }
        };
        let proof = if supposed.is_empty() { Proof::Confirmed } else { Proof::Conditional };
        Ok(Outcome { proof, why, inputs, stack })
    }

    /// Where the run did what the finding says.
    fn proof(&self, played: &Played) -> Result<Vec<Position>, String> {
        match (&played.ended, self.target.wish) {
            (Ended::Returned, Wish::Leak) => {
                let lost = played.cells.iter().filter(|cell| self.is_wanted(&cell.made));
                let mut loss = lost.filter_map(|cell| match &cell.fate {
                    Fate::Lost(loss) => Some(loss),
                    _ => None,
                });
                let loss = loss.next_back().ok_or("the run kept or released it")?;
                Ok(loss.as_ref().map_or_else(Vec::new, |loss| loss.stack.clone()))
            }
            (Ended::Returned, Wish::AtExit) if self.target.by_exit => {
                Err("the run returned".to_owned())
            }
            (Ended::Exited, Wish::AtExit) if !self.target.by_exit => {
                Err("the run ended before".to_owned())
            }
            (Ended::Returned | Ended::Exited, Wish::AtExit) => {
                let is_left =
                    |cell: &CellEnd| self.is_wanted(&cell.made) && cell.fate != Fate::Freed;
                match played.cells.iter().any(is_left) {
                    true => Ok(Vec::new()),
                    false => Err("the run released it".to_owned()),
                }
            }
            (Ended::Fault(report), wish) => {
                let wanted = match wish {
                    Wish::DoubleFree => report.kind == FaultKind::DoubleFree,
                    Wish::UseAfterFree => report.kind == FaultKind::UseAfterFree,
                    _ => false,
                };
                let is_its = report.allocated.as_ref().is_some_and(|made| self.is_wanted(made));
                if wanted && is_its {
                    return Ok(report.stack.clone());
                }
                let at = report.stack.first().map_or(String::new(), |at| format!(" in {at}"));
                Err(format!("the run came to an error first: {}{at}", report.message))
            }
            (Ended::Astray(why), _) => Err(format!("the run went astray: {why}")),
            (Ended::Returned | Ended::Exited, _) => Err("the run ended otherwise".to_owned()),
        }
    }

    /// Whether a call stack comes through the calls that the finding speaks of.
    fn is_wanted(&self, made: &[Position]) -> bool {
        let program = &self.world.program;
        let is_in = |&(function, call): &Site| {
            let body = program.body(function);
            body.is_some_and(|body| {
                made.contains(&program.position(function, body.inst_spans[call]))
            })
        };
        let mut calls = self.target.calls.iter().map(|&call| (self.target.site, call));
        calls.any(|site| is_in(&site))
            && self.target.made_by.as_ref().is_none_or(|sites| sites.iter().any(is_in))
    }
}

fn verdict(proof: Proof, why: &str) -> Outcome {
    Outcome { proof, why: why.to_owned(), inputs: Vec::new(), stack: Vec::new() }
}

fn station(position: Position) -> Station {
    let place = format!("{}:{}:{}", position.file, position.line, position.column);
    Station { function: position.function, place }
}
