//! What a finding asks of a run: where it starts, which way it takes, what has to come true.

use caulk_finding::{Finding, Kind, Location, Role};
use caulk_ir::{BlockId, Body, Inst, InstId, Terminator};

use crate::callers::Site;
use crate::world::World;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The object is neither freed nor reachable when the function returns.
    Leak,
    /// The object is not freed when the process ends.
    AtExit,
    DoubleFree,
    UseAfterFree,
    /// Whatever goes wrong with any object: nothing is sought, everything is looked at.
    Any,
    /// The outermost function comes to one of the calls.
    Call,
}

impl Wish {
    pub fn is_use(self) -> bool {
        matches!(self, Wish::UseAfterFree | Wish::Any)
    }

    pub fn is_double_free(self) -> bool {
        matches!(self, Wish::DoubleFree | Wish::Any)
    }
}

#[derive(Clone, Debug)]
pub struct Target {
    /// The function that is run.
    pub start: u32,
    pub is_main: bool,
    /// The blocks that it has to come through; empty where the finding does not tell.
    pub route: Vec<BlockId>,
    /// The calls that make the object, and the function they are in.
    pub site: u32,
    pub calls: Vec<InstId>,
    /// One of these calls has to make it inside of them; none where any object counts.
    pub made_by: Option<Vec<Site>>,
    /// Their blocks, where they are in the function that is run.
    pub site_blocks: Vec<BlockId>,
    pub wish: Wish,
    /// The finding's path ends with the process and not with a return.
    pub by_exit: bool,
    /// What is lost together with its holder does not count.
    pub is_direct: bool,
}

/// A run that looks at whatever happens.
pub fn anything(world: &World, start: u32) -> Target {
    Target {
        start,
        is_main: world.program.function_name(start) == "main",
        route: Vec::new(),
        site: start,
        calls: Vec::new(),
        made_by: None,
        site_blocks: Vec::new(),
        wish: Wish::Any,
        by_exit: false,
        is_direct: true,
    }
}

/// The way from the start of a function to a call in it.
pub fn call(world: &World, (start, call): Site) -> Target {
    let body = world.program.body(start);
    Target {
        calls: vec![call],
        site_blocks: body.map_or_else(Vec::new, |body| blocks_of(body, &[call])),
        wish: Wish::Call,
        ..anything(world, start)
    }
}

/// The runs that could show the finding, the most promising first; none with the reason.
pub fn targets(world: &World, finding: &Finding) -> Result<Vec<Target>, &'static str> {
    let wish = match finding.kind {
        Kind::AtExit => Wish::AtExit,
        Kind::DoubleFree => Wish::DoubleFree,
        Kind::UseAfterFree => Wish::UseAfterFree,
        Kind::MismatchedRelease => return Err("a run cannot tell who should release what"),
        Kind::InvalidRelease => return Err("a run that releases what it did not acquire ends"),
        Kind::DoubleAcquire => return Err("a run that waits for itself does not end"),
        _ => Wish::Leak,
    };
    let Some((site, calls)) = site(world, finding) else {
        return Err("the function is defined more than once, or not by this program");
    };
    let along = |start| target(world, finding, start, site, &calls, wish);
    if finding.replay.route.is_empty() {
        let lost_in = lost_in(world, finding, site).filter(|&it| it != site);
        return Ok(lost_in.into_iter().chain([site]).map(along).collect());
    }
    // Another way than the engine's may lose it, too.
    let led = along(site);
    let free = Target { route: Vec::new(), ..led.clone() };
    Ok(vec![led, free])
}

fn target(
    world: &World,
    finding: &Finding,
    start: u32,
    site: u32,
    calls: &[InstId],
    wish: Wish,
) -> Target {
    let is_main = world.program.function_name(start) == "main";
    let is_own = start == site;
    let body = world.program.body(site).filter(|_| is_own);
    let route = finding.replay.route.iter().filter(|_| is_own).map(|&block| BlockId(block));
    let route: Vec<BlockId> = route.collect();
    let last = route.last().and_then(|&block| body?.blocks.get(block));
    let by_exit = last.is_some_and(|block| !matches!(block.terminator, Terminator::Return(_)));
    Target {
        start,
        is_main,
        route,
        by_exit,
        site,
        calls: calls.to_vec(),
        made_by: finding.replay.made_at.as_ref().map(|place| sites_at(world, place)),
        site_blocks: body.map_or_else(Vec::new, |body| blocks_of(body, calls)),
        wish,
        is_direct: false,
    }
}

/// The function and the calls at the finding's place.
fn site(world: &World, finding: &Finding) -> Option<(u32, Vec<InstId>)> {
    world.named(&finding.function).iter().find_map(|&function| {
        let calls = calls_at(world, function, &finding.primary);
        (!calls.is_empty()).then_some((function, calls))
    })
}

/// The calls of the whole program at a place.
fn sites_at(world: &World, place: &Location) -> Vec<Site> {
    let rows = world.own_functions();
    rows.flat_map(|it| calls_at(world, it, place).into_iter().map(move |call| (it, call))).collect()
}

fn calls_at(world: &World, function: u32, place: &Location) -> Vec<InstId> {
    let Some(body) = world.program.body(function) else { return Vec::new() };
    let calls = body.insts.iter().filter(|(_, inst)| matches!(inst, Inst::Call(_)));
    let at = |id: InstId| location(world, function, body.inst_spans[id]);
    let near: Vec<InstId> = calls
        .map(|(id, _)| id)
        .filter(|&id| at(id).is_some_and(|it| is_same_start(&it, place)))
        .collect();
    // A macro may spell several calls at one place.
    let exact: Vec<InstId> =
        near.iter().copied().filter(|&id| at(id).as_ref() == Some(place)).collect();
    if exact.is_empty() { near } else { exact }
}

fn location(world: &World, function: u32, span: caulk_base::SpanId) -> Option<Location> {
    let module = world.program.module_of(function);
    Location::of_span(&module.spans.get(span)?, &module.files)
}

/// Whether two places start alike: engines and runs may tell different ends.
#[must_use]
pub fn is_same_start(left: &Location, right: &Location) -> bool {
    let start = |location: &Location| location.range.map(|range| range.start);
    left.path == right.path && start(left) == start(right)
}

fn blocks_of(body: &Body, insts: &[InstId]) -> Vec<BlockId> {
    let holds =
        |block: &caulk_ir::Block| insts.iter().any(|&it| block.first <= it && it < block.end);
    body.blocks.iter().filter(|(_, block)| holds(block)).map(|(id, _)| id).collect()
}

/// The function of the same unit in which the finding's path ends.
fn lost_in(world: &World, finding: &Finding, site: u32) -> Option<u32> {
    let is_end = |role| matches!(role, Role::Loss | Role::Release);
    let end = finding.path.iter().rev().find(|step| is_end(step.role))?;
    let module = world.program.functions[site as usize].module;
    let functions = 0..world.program.functions.len() as u32;
    functions
        .filter(|&it| world.program.functions[it as usize].module == module)
        .find(|&it| holds(world, it, &end.location))
}

fn holds(world: &World, function: u32, place: &Location) -> bool {
    let Some(body) = world.program.body(function) else { return false };
    let insts = body.inst_spans.rows().iter();
    let ends = body.blocks.rows().iter().map(|block| &block.terminator_span);
    insts
        .chain(ends)
        .any(|&span| location(world, function, span).is_some_and(|it| is_same_start(&it, place)))
}
