//! The allocation sites: calls that allocate, and calls of allocators (F8, section 5.6).
//!
//! "If the traversal for an allocation in a function f reveals a value flow path to the return of
//! f, and that path consists only of local variables and parameters, then f is marked as an
//! allocator. All of the call sites of f are marked as allocation sites." A worklist does so, until
//! no more are found. Each allocator has one slice inside, with its return as the sink, and one
//! for each call, which assumes that the call returned the fresh object.
//!
//! Of a procedure that has copies (`program::Instances`), what stays inside a copy is a site of
//! the base instance alone: [`Site::owner`].

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use caulk_base::{FxHashMap, FxHashSet};
use caulk_flow::{End, Exit, Node, Point, Precision, Reach, SourceId, TooLarge};
use caulk_ir::{CallId, Callee, InstId, Scalar};
use caulk_models::{Effect, FunctionModel, Resource};
use caulk_pointer::Target;
use caulk_program::InstanceId;

use crate::losses::Loss;
use crate::world::World;

#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// What makes the object in the end.
    pub source: SourceId,
    /// The call: of an allocating function, or of an allocator.
    pub instance: InstanceId,
    pub inst: InstId,
    pub call: CallId,
    /// Where the flow begins.
    pub nodes: Vec<Node>,
    pub scope: Scope,
    /// Where its last reference may die, once somebody asked; shared by all looks at the site.
    pub losses: Arc<OnceLock<Option<Vec<Loss>>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scope {
    /// As far as the value goes.
    Whole,
    /// Inside an allocator: to return it is to have done with it.
    Inside,
}

impl Site {
    pub fn point(&self) -> Point {
        Point::Inst(self.inst)
    }

    pub fn reach(&self, world: &World) -> Result<Reach, TooLarge> {
        match self.scope {
            Scope::Whole => world.reachability().forward(&self.nodes),
            Scope::Inside => world.reachability().within(&self.nodes).map(|found| found.0),
        }
    }

    /// All that the object comes to, memory included. What FastCheck reports does not get into memory,
    /// and what leaves an allocator is its caller's: there is no search through memory then.
    pub fn everywhere(&self, world: &World) -> Result<Reach, TooLarge> {
        let known = match world.configuration.precision {
            Precision::Locals => self.reach(world).ok(),
            Precision::Full => None,
        };
        match known.filter(|reach| !reach.escapes.memory) {
            Some(reach) => Ok(reach),
            None => world.searches.full.forward(&self.nodes),
        }
    }

    /// The call that a programmer would look at, if the site is not the copy of another one: in
    /// the outermost of the enclosing allocators that the value comes to.
    pub fn owner(&self, world: &World, reach: &Reach) -> Option<(InstanceId, CallId)> {
        let instances = world.memory().input().instances;
        let touched: FxHashSet<InstanceId> = reach.nodes.iter().map(|it| it.instance()).collect();
        let mut found = (self.instance, self.call);
        let mut at = self.instance;
        while let Some((caller, call)) = instances.rows[at].made_for {
            at = caller;
            if touched.contains(&caller) {
                found = (caller, call);
            }
        }
        instances.rows[found.0].made_for.is_none().then_some(found)
    }
}

/// All sites, in the order in which they are found.
pub(crate) fn sites(world: &World) -> Vec<Site> {
    let mut work: VecDeque<Site> = direct_sites(world).into();
    let mut seen: FxHashSet<(InstanceId, CallId)> =
        work.iter().map(|site| (site.instance, site.call)).collect();
    let mut makers: FxHashSet<InstanceId> = FxHashSet::default();
    let (mut found, mut waiting) = (Vec::new(), Vec::new());
    loop {
        while let Some(site) = work.pop_front() {
            if !all_make(world, &makers, &site) {
                waiting.push(site);
                continue;
            }
            let (site, calls) = with_callers(world, site, &mut makers);
            work.extend(calls.into_iter().filter(|it| seen.insert((it.instance, it.call))));
            found.push(site);
        }
        work.extend(waiting.extract_if(.., |site| all_make(world, &makers, site)));
        if work.is_empty() {
            return found;
        }
    }
}

/// The calls that make what allocators return.
pub(crate) fn made_in(sites: &[Site]) -> FxHashMap<InstanceId, Vec<InstId>> {
    let mut found: FxHashMap<InstanceId, Vec<InstId>> = FxHashMap::default();
    for site in sites.iter().filter(|site| site.scope == Scope::Inside) {
        found.entry(site.instance).or_default().push(site.inst);
    }
    found
}

/// Of a site in an allocator, the calls of that allocator.
fn with_callers(
    world: &World,
    site: Site,
    makers: &mut FxHashSet<InstanceId>,
) -> (Site, Vec<Site>) {
    if !returns_it(world, &site) {
        return (site, Vec::new());
    }
    makers.insert(site.instance);
    let calls = match world.flow.is_plain_allocator(site.instance) {
        // The calls are sources by themselves.
        true => Vec::new(),
        false => allocator_calls(world, &site),
    };
    (Site { scope: Scope::Inside, ..site }, calls)
}

fn direct_sites(world: &World) -> Vec<Site> {
    // A name with several definitions is several allocators, but one call.
    let mut starts: FxHashSet<(InstanceId, CallId, &[Node])> = FxHashSet::default();
    let mut found = Vec::new();
    for (source, row) in world.sources.allocations.iter() {
        let start = (row.instance, row.call, &row.nodes[..]);
        if is_wanted(world, &row.resource) && starts.insert(start) {
            let (instance, inst, call) = (row.instance, row.inst, row.call);
            let (nodes, scope, losses) = (row.nodes.clone(), Scope::Whole, Arc::default());
            found.push(Site { source, instance, inst, call, nodes, scope, losses });
        }
    }
    found
}

/// Whether whatever the call may enter allocates. To assume the fresh object (F8) at a call through
/// a pointer, of which one of many functions allocates, would blame all who call the others.
fn all_make(world: &World, makers: &FxHashSet<InstanceId>, site: &Site) -> bool {
    let input = world.memory().input();
    let callee = world.memory().body(site.instance).calls[site.call].callee;
    if !matches!(callee, Callee::Pointer(_)) {
        return true;
    }
    let targets = input.points_to.callees(site.instance, site.call);
    let makes = |target: &Target| match *target {
        Target::External(external) => input.externals.of(external).is_some_and(allocates),
        Target::Instance(callee) => {
            makers.contains(&callee) || world.flow.is_plain_allocator(callee)
        }
        Target::Unknown => false,
    };
    targets.iter().all(makes)
}

fn allocates(model: &FunctionModel) -> bool {
    let makes = |it: &Effect| matches!(it, Effect::Allocates { .. } | Effect::Reallocates { .. });
    model.effects.iter().any(makes)
}

fn is_wanted(world: &World, resource: &Resource) -> bool {
    world.configuration.resources || resource.is_memory()
}

/// Whether the procedure is an allocator by this site: its result is the object, by way of locals
/// only. What memory that lives on or a library has as well is not the caller's to release.
fn returns_it(world: &World, site: &Site) -> bool {
    if site.nodes.is_empty() {
        return false;
    }
    let Ok((reach, exits)) = world.searches.locals.within(&site.nodes) else { return false };
    let kept = |end| matches!(end, End::Kept(_) | End::Unknown(_));
    match world.configuration.precision {
        _ if !exits.contains(&Exit::Result) => false,
        _ if reach.ends().any(|(_, _, end)| kept(end)) => false,
        Precision::Locals => !reach.escapes.memory,
        Precision::Full => !reach.escapes.memory || stays_inside(world, site),
    }
}

/// Whether memory that lives on does not have it.
fn stays_inside(world: &World, site: &Site) -> bool {
    world.searches.full.within(&site.nodes).is_ok_and(|(reach, exits)| {
        let result_only = exits.iter().all(|exit| matches!(exit, Exit::Result));
        result_only && !reach.escapes.global && !reach.escapes.outside
    })
}

fn allocator_calls(world: &World, site: &Site) -> Vec<Site> {
    let callers = world.memory().callers(site.instance);
    let mut found = Vec::new();
    for &at in callers {
        let edges = world.flow.returned(site.instance, Exit::Result, at);
        let nodes: Vec<Node> = edges.into_iter().map(|edge| edge.to).collect();
        if nodes.iter().all(|&node| holds_address(world, node)) && !nodes.is_empty() {
            let (instance, inst, call) = (at.caller, at.inst, at.call);
            let (source, scope, losses) = (site.source, Scope::Whole, Arc::default());
            found.push(Site { source, instance, inst, call, nodes, scope, losses });
        }
    }
    found
}

/// Whether an address fits: a call through a pointer may seem to enter functions of other types.
fn holds_address(world: &World, node: Node) -> bool {
    let Node::Value(instance, value) = node else { return false };
    let scalar = world.memory().body(instance).values[value].scalar;
    matches!(scalar, Scalar::Ptr | Scalar::I64)
}
