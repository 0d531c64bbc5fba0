//! Where the last reference dies: the end of the way that a finding tells.
//!
//! Of the deaths that holders know, the surest that the decisions of the leak allow is told.

use caulk_flow::{
    Age, Cross, Death, DeathKind, Guards, Holder, Holders, Last, Node, Point, Target, Tracked,
};
use caulk_guard::{Answer, Assignment, GuardId};
use caulk_program::InstanceId;

use crate::judge::{Judge, Judgement, Leak};
use crate::paths::Way;
use crate::sites::Site;
use crate::world::World;

#[derive(Clone, Debug)]
pub(crate) struct Loss {
    pub instance: InstanceId,
    pub death: Death,
}

/// The instances that are looked into for one site.
const INSTANCES: usize = 12;

/// The deaths of one site that a solver is asked about.
const DEATHS: usize = 16;

/// What holders have to say about a leak.
pub(crate) enum Evidence {
    /// Nothing: the object is none that holders follow.
    None,
    /// Nowhere does a last reference die.
    Held,
    /// It dies here, by these decisions.
    Lost(Box<Loss>, Assignment),
}

/// What a path that loses the object passes is preferred.
pub(crate) fn evidence(
    judge: &mut Judge,
    judgement: &Judgement,
    leak: &Leak,
    way: Option<&Way>,
) -> Evidence {
    let world = judge.world;
    let known = judgement.site.losses.get_or_init(|| deaths(world, &judgement.site));
    let Some(deaths) = known else { return Evidence::None };
    if let Some(way) = way {
        return match passed(world, judgement, deaths, way) {
            Some(at) => Evidence::Lost(Box::new(deaths[at].clone()), leak.assignment.clone()),
            None => Evidence::None,
        };
    }
    for loss in deaths.iter().take(DEATHS) {
        let there = arrives(judge, judgement, leak, loss);
        let both = judge.guards.formulas.and(leak.guard, there);
        if let Answer::Sat(assignment) = judge.solver.satisfiable(&judge.guards.formulas, both) {
            return Evidence::Lost(Box::new(loss.clone()), assignment);
        }
    }
    Evidence::Held
}

/// The surest place on a path.
fn passed(world: &World, judgement: &Judgement, deaths: &[Loss], way: &Way) -> Option<usize> {
    let places = world.places();
    let (site, facts) = (&judgement.site, world.memory().facts(judgement.site.instance));
    let made_in = (site.instance, facts.block_of(site.inst));
    deaths.iter().position(|loss| {
        let Some(block) = places.block(loss.instance, loss.death.point) else { return false };
        let is_older = loss.death.age == Age::Older;
        let is_before = match loss.death.point {
            Point::Inst(inst) => inst <= site.inst || is_older,
            _ => false,
        } && (loss.instance, block) == made_in;
        // What comes before the allocation, or needs an older object, is passed if control comes again.
        let turns = way
            .passed
            .iter()
            .filter(|it| (it.instance, it.block) == (loss.instance, block))
            .count();
        turns > usize::from(is_before) && agrees(loss, way)
    })
}

/// Whether the path lets the reference die here, as far as it tells: it knows what its stores
/// overwrite, and which functions had the object in a variable.
fn agrees(loss: &Loss, way: &Way) -> bool {
    match (loss.death.holder, loss.death.kind, loss.death.point) {
        (Holder::Variable(_), ..) => way.had.contains(&loss.instance),
        (_, DeathKind::Overwritten | DeathKind::GlobalCleared, Point::Inst(inst)) => {
            way.dropped.contains(&(loss.instance, inst))
        }
        _ => true,
    }
}

/// What is passed to a function at once, is never stored or released and does not come back, is lost
/// when that function returns, wherever it does.
pub(crate) fn handed_over(world: &World, judgement: &Judgement, leak: &Leak) -> Option<Loss> {
    let own = judgement.site.instance;
    if !judgement.class.is_never_freed() || judgement.reach.as_ref()?.escapes.memory {
        return None;
    }
    let mut call = None;
    for edge in leak.forward.all_edges() {
        match edge.cross {
            Cross::Call(at) if at.caller == own && call.is_none_or(|it| it == at.inst) => {
                call = Some(at.inst);
            }
            Cross::Call(at) | Cross::Return(at) if at.caller == own => return None,
            _ => {}
        }
    }
    let nodes = leak.forward.nodes().iter();
    let mut values = nodes.filter_map(|(_, node)| match *node {
        Node::Value(instance, value) if instance == own => Some(value),
        _ => None,
    });
    let (value, None) = (values.next()?, values.next()) else { return None };
    let body = world.memory().body(own);
    if body.values[value].var.is_some() {
        return None;
    }
    let death = Death {
        point: Point::Inst(call?),
        kind: DeathKind::Dropped,
        holder: Holder::Temporary(value),
        last: Last::Surely,
        age: Age::Newest,
        may_be_freed: false,
    };
    Some(Loss { instance: own, death })
}

/// All places where a reference may be the last to die, the surest first; none if nobody knows.
fn deaths(world: &World, site: &Site) -> Option<Vec<Loss>> {
    let source = &world.sources.allocations[site.source];
    let points_to = world.memory().input().points_to;
    let object = points_to.heap_objects(source.instance, source.call).next()?;
    let reach = site.everywhere(world).ok()?;
    let tracked = Tracked::from(world.flow, world.sources, object, reach)?;
    let mut found = Vec::new();
    for instance in instances(site, &tracked) {
        let holders = Holders::new(world.flow, &tracked, instance);
        let dies = holders.deaths().into_iter().filter(|it| !it.kind.is_transfer());
        found.extend(dies.map(|death| Loss { instance, death }));
    }
    found.sort_by_key(|loss| rank(site, loss));
    Some(found)
}

/// The instances that the object comes to from this site, its own first.
fn instances(site: &Site, tracked: &Tracked) -> Vec<InstanceId> {
    let own = site.instance;
    let mut all: Vec<InstanceId> =
        tracked.reach.nodes.iter().map(|node| node.instance()).filter(|&it| it != own).collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(INSTANCES);
    all.insert(0, own);
    all
}

/// Smaller is a better end of the story.
fn rank(site: &Site, loss: &Loss) -> (u8, bool, bool, u8) {
    let last = match loss.death.last {
        Last::Surely => 0,
        Last::Maybe => 1,
        Last::Unless(_) => 2,
    };
    let kind = match loss.death.kind {
        DeathKind::Overwritten | DeathKind::LostWithOwner(_) | DeathKind::GlobalCleared => 0,
        DeathKind::EndOfScope => 1,
        _ => 2,
    };
    let elsewhere = loss.instance != site.instance;
    (last, loss.death.age == Age::Older, elsewhere, kind)
}

/// When control comes from the allocation to the death, or from the beginning of the death's function;
/// true where only parts are known.
fn arrives(judge: &mut Judge, judgement: &Judgement, leak: &Leak, loss: &Loss) -> GuardId {
    let site = &judgement.site;
    let from = match loss.instance == site.instance {
        true => site.point(),
        false => Point::Entry,
    };
    let proc = judge.world.memory().input().instances.proc(loss.instance);
    let target = Target::Point(loss.death.point);
    let guards: &mut Guards = &mut judge.guards;
    match guards.cguard(proc, from, &target, &leak.decisions) {
        GuardId::TOO_LARGE => GuardId::TRUE,
        guard => guard,
    }
}
