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

use caulk_base::FxHashSet;
use caulk_flow::{Exit, Node, Point, Precision, Reach, SourceId, TooLarge};
use caulk_ir::{CallId, InstId, Scalar};
use caulk_models::Resource;
use caulk_program::InstanceId;

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
            Scope::Whole => world.reachability.forward(&self.nodes),
            Scope::Inside => world.reachability.within(&self.nodes).map(|found| found.0),
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
    let mut work: VecDeque<Site> = VecDeque::new();
    // A name with several definitions is several allocators, but one call.
    let mut starts: FxHashSet<(InstanceId, CallId, &[Node])> = FxHashSet::default();
    for (source, row) in world.sources.allocations.iter() {
        let start = (row.instance, row.call, &row.nodes[..]);
        if is_wanted(world, &row.resource) && starts.insert(start) {
            let (instance, inst, call) = (row.instance, row.inst, row.call);
            let (nodes, scope) = (row.nodes.clone(), Scope::Whole);
            work.push_back(Site { source, instance, inst, call, nodes, scope });
        }
    }
    let mut seen: FxHashSet<(InstanceId, CallId)> =
        work.iter().map(|site| (site.instance, site.call)).collect();
    let mut found = Vec::new();
    while let Some(mut site) = work.pop_front() {
        if world.flow.is_plain_allocator(site.instance) && returns_it(world, &site) {
            // The calls are sources by themselves.
            site.scope = Scope::Inside;
        } else if returns_it(world, &site) {
            site.scope = Scope::Inside;
            let calls = allocator_calls(world, &site);
            work.extend(calls.into_iter().filter(|it| seen.insert((it.instance, it.call))));
        }
        found.push(site);
    }
    found
}

fn is_wanted(world: &World, resource: &Resource) -> bool {
    world.configuration.resources || resource.is_memory()
}

/// Whether the procedure is an allocator by this site: its result is the object, by way of locals
/// only. What memory that lives on has as well is not the caller's to release.
fn returns_it(world: &World, site: &Site) -> bool {
    if site.nodes.is_empty() {
        return false;
    }
    let Ok((reach, exits)) = world.locals.within(&site.nodes) else { return false };
    match world.configuration.precision {
        _ if !exits.contains(&Exit::Result) => false,
        Precision::Locals => !reach.escapes.memory,
        Precision::Full => !reach.escapes.memory || stays_inside(world, site),
    }
}

/// Whether memory that lives on does not have it.
fn stays_inside(world: &World, site: &Site) -> bool {
    world.full.within(&site.nodes).is_ok_and(|(reach, exits)| {
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
            let (source, scope) = (site.source, Scope::Whole);
            found.push(Site { source, instance, inst, call, nodes, scope });
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
