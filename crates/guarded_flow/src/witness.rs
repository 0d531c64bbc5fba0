//! From a judgement to a finding: what is said, how sure it is, and the way that leads there.

use caulk_finding::{Confidence, Finding, Harm, Kind, Replay, Role, Step, Suggestion};
use caulk_flow::{DeathKind, Last, Point};
use caulk_guard::Assignment;
use caulk_ir::{Inst, InstId, Terminator};
use caulk_models::{Effect, Resource};
use caulk_program::InstanceId;

use crate::class::Class;
use crate::double_free::{Double, Sink};
use crate::judge::{Judge, Judgement, Leak};
use crate::losses::{Evidence, Loss, evidence, handed_over};
use crate::paths::{Doubt, Made, Taken, Tried, Way, made, released_twice, tried};
use crate::steps::{branch_steps, decision_steps, first_branch, first_condition, flow_steps};
use crate::telling::told;
use crate::turns::needs_another_turn;
use crate::world::World;

/// The leak and the double frees of a site.
pub(crate) fn findings(judge: &mut Judge, judgement: &Judgement) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(leak) = judgement.leak.as_ref().filter(|_| shows(judge.world, judgement)) {
        found.extend(leak_finding(judge, judgement, leak));
    }
    if judgement.leak.is_none() && judge.world.configuration.show.contains(&judgement.class) {
        found.extend(class_finding(judge.world, judgement));
    }
    found.extend(judgement.doubles.iter().filter_map(|it| double_finding(judge, judgement, it)));
    found
}

/// A site that nothing is claimed of, because it was asked for.
fn class_finding(world: &World, judgement: &Judgement) -> Option<Finding> {
    let (kind, why) = match judgement.class {
        Class::NeverFreedNotLocal => {
            (Kind::NeverFreed, "reaches no release, and memory that may live on has it")
        }
        Class::UnknownNotLocal => {
            (Kind::SomePath, "reaches a release, and memory that is not followed has it, too")
        }
        Class::UnknownFormula => (Kind::SomePath, "is released under conditions past the bound"),
        Class::UnknownSlice => (Kind::SomePath, "goes to more places than the bound allows"),
        _ => return None,
    };
    let reason =
        format!("sites of class {} are shown because they were asked for", judgement.class.id());
    Some(Finding {
        confidence: Confidence::Low,
        reason,
        message: format!("{} {why}", title(world, judgement)),
        path: allocation(world, judgement, &[]),
        ..blank(world, judgement, kind)
    })
}

fn shows(world: &World, judgement: &Judgement) -> bool {
    world.configuration.shows(judgement.class)
}

fn leak_finding(judge: &mut Judge, judgement: &Judgement, leak: &Leak) -> Option<Finding> {
    let world = judge.world;
    let tried = match world.configuration.paths {
        true if needs_path(judgement) => tried(world, judgement, leak),
        true => match made(world, judgement, leak) {
            Made::Never => Tried::Kept,
            // All paths lose it; one of them tells where.
            Made::Possibly => match tried(world, judgement, leak) {
                Tried::Lost(way) => Tried::Lost(way),
                _ => Tried::Unknown,
            },
            Made::Doubtful(doubt) => Tried::Undecided(doubt),
        },
        false => Tried::Unknown,
    };
    let (way, doubt) = match tried {
        Tried::Kept => return None,
        Tried::Lost(way) => (Some(way), None),
        Tried::Undecided(doubt) => (None, Some(doubt)),
        Tried::Unknown => (None, None),
    };
    let (loss, assignment) = match evidence(judge, judgement, leak, way.as_ref()) {
        Evidence::Lost(loss, assignment) => {
            (Some(handed_over(world, judgement, leak).unwrap_or(*loss)), assignment)
        }
        // An owner that is itself lost takes what it holds with it, and holders do not tell.
        Evidence::Held if world.configuration.holders && !is_in_memory(judgement) => return None,
        Evidence::Held | Evidence::None => (None, leak.assignment.clone()),
    };
    judge.undecided += u64::from(doubt == Some(Doubt::Unfollowed));
    let goes_round = world.configuration.turns && needs_another_turn(judge, judgement, leak);
    let branches = way.as_ref().map(|way| told(world, judgement, leak, way, loss.as_ref()));
    let told = Told { world, judgement, leak, loss, assignment, goes_round, doubt, way, branches };
    Some(told.finding())
}

/// What nobody releases and no memory has needs no path: all of them lose it.
fn needs_path(judgement: &Judgement) -> bool {
    match judgement.class {
        Class::NeverFreedLocal => is_in_memory(judgement),
        class => class.is_likely_error(),
    }
}

/// All that a leak's finding is made from.
struct Told<'a, 'w, 'f, 'm, 'p> {
    world: &'w World<'f, 'm, 'p>,
    judgement: &'a Judgement,
    leak: &'a Leak,
    loss: Option<Loss>,
    assignment: Assignment,
    /// Another turn of the loop is needed.
    goes_round: bool,
    /// Why no path was found that surely loses it.
    doubt: Option<Doubt>,
    /// A path that loses it, where paths were tried.
    way: Option<Way>,
    /// The branches of that path which matter.
    branches: Option<Vec<Taken>>,
}

impl Told<'_, '_, '_, '_, '_> {
    fn finding(&self) -> Finding {
        let kind = self.kind();
        let (confidence, reason) = self.confidence();
        let base = blank(self.world, self.judgement, kind);
        Finding {
            confidence,
            reason,
            message: self.message(kind),
            path: self.path(),
            suggestion: self.suggestion(),
            ..base
        }
    }

    fn kind(&self) -> Kind {
        let sure = |loss: &&Loss| !matches!(loss.death.last, Last::Unless(_));
        match self.loss.as_ref().filter(sure).map(|loss| loss.death.kind) {
            Some(DeathKind::Overwritten) => Kind::Overwritten,
            Some(DeathKind::LostWithOwner(_)) => Kind::LostWithOwner,
            _ if self.is_never() => Kind::NeverFreed,
            _ => Kind::SomePath,
        }
    }

    fn is_never(&self) -> bool {
        matches!(self.judgement.class, Class::NeverFreedLocal | Class::NeverFreedMain)
    }

    fn confidence(&self) -> (Confidence, String) {
        let said = |confidence, reason: &str| (confidence, reason.to_string());
        if !self.judgement.class.is_likely_error() {
            return said(Confidence::Low, "sites of this class are often meant to be so");
        }
        if self.judgement.ends.unknown {
            return said(Confidence::Low, "a function that nothing is known of may take it");
        }
        if self.goes_round {
            let why = "another turn of the loop is needed, and may take other branches";
            return said(Confidence::Low, why);
        }
        match self.doubt {
            Some(Doubt::Unfollowed) => {
                return said(Confidence::Low, "no path that loses it was followed to its end");
            }
            Some(Doubt::Given) => {
                let why = "it is made only if an argument is NULL, and nothing says that it is";
                return said(Confidence::Low, why);
            }
            Some(Doubt::Changed) => {
                let why = "it takes a function that changes memory which it is not given";
                return said(Confidence::Low, why);
            }
            None => {}
        }
        match (self.is_never(), is_in_memory(self.judgement)) {
            (_, true) if !self.is_surely_lost() && self.is_in_entry() => said(
                Confidence::Low,
                "a list or a table has it, and no statement surely loses the last reference",
            ),
            (true, true) if self.loss.is_none() => {
                said(Confidence::Low, "memory has it, and no statement is known to lose it")
            }
            (true, false) => said(Confidence::High, "no release is reached, on any path"),
            (true, true) => said(Confidence::Medium, "no release is reached through memory"),
            (false, _) => {
                said(Confidence::Medium, "the branches of the path were found consistent")
            }
        }
    }

    fn is_surely_lost(&self) -> bool {
        self.loss.as_ref().is_some_and(|loss| loss.death.last == Last::Surely)
    }

    fn is_in_entry(&self) -> bool {
        self.judgement.reach.as_ref().is_some_and(|reach| self.world.is_in_entry(reach))
    }

    fn message(&self, kind: Kind) -> String {
        let what = title(self.world, self.judgement);
        match kind {
            Kind::Overwritten => match self.holder() {
                Some(name) => format!("{what} is lost when `{name}` is overwritten"),
                None => format!("{what} is lost when its last reference is overwritten"),
            },
            Kind::LostWithOwner => format!("{what} is lost with the object that holds it"),
            Kind::NeverFreed => format!("{what} is never released"),
            _ => match self.condition() {
                Some(condition) => format!("{what} is not released when `{condition}`"),
                None => format!("{what} is not released on some path"),
            },
        }
    }

    /// The one branch that it takes.
    fn condition(&self) -> Option<String> {
        match &self.branches {
            Some(branches) => first_branch(self.world, branches),
            None => first_condition(self.world, &self.assignment),
        }
    }

    fn holder(&self) -> Option<String> {
        let loss = self.loss.as_ref()?;
        self.world.places().holder(loss.instance, loss.death.holder)
    }

    fn path(&self) -> Vec<Step> {
        let calls = self.way.as_ref().map_or(&[][..], |way| &way.calls);
        let mut path = allocation(self.world, self.judgement, calls);
        let end = self.loss.as_ref().map_or(self.judgement.site.instance, |loss| loss.instance);
        path.extend(flow_steps(self.world, &self.leak.forward, end));
        match &self.branches {
            Some(branches) => path.extend(branch_steps(self.world, branches)),
            None => path.extend(decision_steps(self.world, &self.assignment)),
        }
        path.extend(self.loss_step());
        path
    }

    fn loss_step(&self) -> Option<Step> {
        let places = self.world.places();
        let Some(loss) = &self.loss else {
            let (instance, point, message) = self.untold_loss()?;
            let location = places.location(instance, point);
            return Some(Step { role: Role::Loss, location, message: message.to_string() });
        };
        let location = places.location(loss.instance, loss.death.point);
        let name = self.holder().map(|name| format!("`{name}`"));
        let who = name.unwrap_or_else(|| "the last reference".to_string());
        let message = match loss.death.kind {
            DeathKind::Overwritten => format!("{who} is overwritten here"),
            DeathKind::GlobalCleared => format!("{who} is cleared here"),
            DeathKind::EndOfScope => format!("{who} goes out of scope here"),
            DeathKind::LostWithOwner(_) => "the object that holds it is released here".to_string(),
            _ => "nothing keeps the reference after this".to_string(),
        };
        Some(Step { role: Role::Loss, location, message })
    }

    /// The end of the path where holders do not tell which reference is the last.
    fn untold_loss(&self) -> Option<(InstanceId, Point, &'static str)> {
        let ends = "the function ends here, and the release is missing";
        if let Some(way) = &self.way {
            if let Some(&(instance, inst)) = way.dropped.last() {
                return Some((instance, Point::Inst(inst), "what has it is overwritten here"));
            }
            let (instance, block) = way.end?;
            return Some((instance, Point::Terminator(block), ends));
        }
        let instance = self.judgement.site.instance;
        Some((instance, last_return(self.world, instance)?, ends))
    }

    /// Before the loss, by the variable that still has it there.
    fn suggestion(&self) -> Option<Suggestion> {
        let loss = self.loss.as_ref()?;
        let caulk_flow::Holder::Variable(_) = loss.death.holder else { return None };
        let release = release_name(self.world, self.judgement)?;
        let location = self.world.places().location(loss.instance, loss.death.point);
        Some(Suggestion { location, code: format!("{release} ({});", self.holder()?) })
    }
}

fn is_in_memory(judgement: &Judgement) -> bool {
    judgement.reach.as_ref().is_some_and(|reach| reach.escapes.memory)
}

fn release_name(world: &World, judgement: &Judgement) -> Option<String> {
    let source = &world.sources.allocations[judgement.site.source];
    let model = world.memory().input().externals.of(source.external)?;
    model.effects.iter().find_map(|effect| match effect {
        Effect::Allocates { releases, .. } | Effect::Reallocates { releases, .. } => {
            releases.first().cloned()
        }
        _ => None,
    })
}

fn last_return(world: &World, instance: InstanceId) -> Option<Point> {
    let blocks = world.memory().body(instance).blocks.iter();
    let mut returns = blocks.filter(|(_, row)| matches!(row.terminator, Terminator::Return(_)));
    returns.next_back().map(|(block, _)| Point::Terminator(block))
}

/// `memory allocated by `f` in `p``.
fn title(world: &World, judgement: &Judgement) -> String {
    let places = world.places();
    let (instance, call) = judgement.owner;
    let callee = places.callee(instance, call);
    let what = resource(world, judgement);
    let body = world.memory().body(judgement.site.instance);
    let result = body.results[judgement.site.inst];
    let variable = result.and_then(|it| places.value_variable(judgement.site.instance, it));
    let made = if what.is_memory() { "allocated" } else { "acquired" };
    match variable.filter(|_| instance == judgement.site.instance) {
        Some(name) => format!("{what} {made} by `{callee}` in `{name}`"),
        None => format!("{what} {made} by `{callee}`"),
    }
}

fn resource(world: &World, judgement: &Judgement) -> Resource {
    world.sources.allocations[judgement.site.source].resource.clone()
}

fn call_point(world: &World, judgement: &Judgement) -> (InstanceId, Point) {
    let (instance, call) = judgement.owner;
    if (instance, call) == (judgement.site.instance, judgement.site.call) {
        return (instance, judgement.site.point());
    }
    let body = world.memory().body(instance);
    let is_it = |inst: &Inst| *inst == Inst::Call(call);
    let found = body.insts.iter().find(|(_, inst)| is_it(inst));
    found.map_or((instance, Point::Entry), |(inst, _)| (instance, Point::Inst(inst)))
}

/// The call that a programmer would look at, and what it leads to: on a path, the next call of it.
fn allocation(world: &World, judgement: &Judgement, calls: &[(InstanceId, InstId)]) -> Vec<Step> {
    let places = world.places();
    let (instance, point) = call_point(world, judgement);
    let step = |instance, point, message: String| {
        let location = places.location(instance, point);
        Step { role: Role::Allocation, location, message }
    };
    let callee = places.callee(instance, judgement.owner.1);
    let mut steps = vec![step(instance, point, format!("`{callee}` allocates"))];
    let source = &world.sources.allocations[judgement.site.source];
    let is_it = |at: &(InstanceId, InstId)| (at.0, Point::Inst(at.1)) == (instance, point);
    let next = calls.iter().skip_while(|at| !is_it(at)).nth(1).copied();
    let (inner, inst) = next.unwrap_or((source.instance, source.inst));
    if inner != instance
        && let Inst::Call(call) = world.memory().body(inner).insts[inst]
    {
        let by = format!("by calling `{}`", places.callee(inner, call));
        steps.push(step(inner, Point::Inst(inst), by));
    }
    steps
}

pub(crate) fn location(world: &World, judgement: &Judgement) -> caulk_finding::Location {
    let (instance, point) = call_point(world, judgement);
    world.places().location(instance, point)
}

fn harm(world: &World, judgement: &Judgement) -> Harm {
    let (instance, point) = call_point(world, judgement);
    let facts = world.memory().facts(instance);
    let in_loop = match point {
        Point::Inst(inst) => facts.cfg().loops().innermost(facts.block_of(inst)).is_some(),
        _ => false,
    };
    match (in_loop, world.places().is_main(instance)) {
        (true, _) => Harm::PerIteration,
        (false, true) => Harm::PerProcess,
        (false, false) => Harm::PerCall,
    }
}

fn blank(world: &World, judgement: &Judgement, kind: Kind) -> Finding {
    Finding {
        kind,
        confidence: Confidence::Low,
        reason: String::new(),
        harm: harm(world, judgement),
        resource: resource(world, judgement).name().to_string(),
        message: String::new(),
        primary: location(world, judgement),
        path: Vec::new(),
        suggestion: None,
        function: world.places().function(judgement.owner.0).to_string(),
        engine: world.configuration.engine,
        shared_doubt: caulk_finding::Sharing::Nobody,
        fingerprint: String::new(),
        replay: Replay::default(),
    }
}

fn double_finding(judge: &mut Judge, judgement: &Judgement, double: &Double) -> Option<Finding> {
    let world = judge.world;
    let tried = match world.configuration.paths {
        true => released_twice(world, judgement, double),
        false => Tried::Unknown,
    };
    let is_undecided = matches!(tried, Tried::Undecided(_));
    judge.undecided += u64::from(is_undecided);
    let decisions = match tried {
        Tried::Kept => return None,
        Tried::Lost(way) => {
            let mut branches = way.branches;
            branches.retain(|it| !it.is_known);
            branch_steps(world, &branches)
        }
        Tried::Undecided(_) | Tried::Unknown => decision_steps(world, &double.assignment),
    };
    let (confidence, reason) = match double.first == double.second {
        true => (Confidence::Low, "one release is reached again by a loop"),
        false if double.is_called_back => {
            (Confidence::Low, "a library calls the function of one release back, or does not")
        }
        false if is_undecided => {
            (Confidence::Low, "no path to both releases was followed to its end")
        }
        false => (Confidence::Medium, "the branches to both releases were found consistent"),
    };
    Some(Finding {
        confidence,
        reason: reason.to_string(),
        message: format!("{} is released twice", title(world, judgement)),
        path: double_path(world, judgement, double, decisions),
        ..blank(world, judgement, Kind::DoubleFree)
    })
}

fn double_path(
    world: &World,
    judgement: &Judgement,
    double: &Double,
    decisions: Vec<Step>,
) -> Vec<Step> {
    let release = |(instance, inst): Sink, message: &str| Step {
        role: Role::Release,
        location: world.places().location(instance, Point::Inst(inst)),
        message: message.to_string(),
    };
    let again = double.first == double.second;
    let mut path = allocation(world, judgement, &[]);
    path.extend(decisions);
    path.push(release(double.first, "released here"));
    let message = if again { "and again in the next turn of the loop" } else { "and here" };
    path.push(release(double.second, message));
    path
}
