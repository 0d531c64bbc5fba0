//! A sight of an exploration as a finding, told as engines tell theirs: the primary place is in the
//! function that had the object and let it go wrong.

use std::path::Path;

use caulk_finding::{Confidence, Finding, Harm, Kind, Location, Replay, Role, Step};
use caulk_interp::Position;
use caulk_ir::{Body, Callee, Inst, InstId};

use crate::Player;
use crate::explore::{Fault, Sight};
use crate::part::is_part;
use crate::target::is_same_start;
use crate::world::World;

/// A call that made an object.
pub struct Place {
    pub location: Location,
    /// The object is a part of another that the call made.
    pub is_part: bool,
}

impl Player {
    /// None where the source does not tell the place.
    #[must_use]
    pub fn finding(&self, sight: &Sight) -> Option<Finding> {
        let world = &self.world;
        let at = parting(sight);
        let (function, inst, _) = &sight.made[at];
        let primary = location(world, *function, *inst)?;
        let kind = kind(world, sight, at);
        let callee = callee(world, *function, *inst);
        Some(Finding {
            kind,
            confidence: Confidence::High,
            reason: String::from("a run shows it"),
            harm: if at == 0 { Harm::PerProcess } else { Harm::PerCall },
            resource: sight.resource.clone(),
            message: message(world, sight, kind, &callee, *function),
            path: path(world, sight, at, &primary, &callee),
            primary,
            suggestion: None,
            function: world.program.function_name(*function).to_owned(),
            engine: "run",
            shared_doubt: caulk_finding::Sharing::Nobody,
            fingerprint: String::new(),
            replay: Replay { outcome: Some(sight.outcome.clone()), ..Replay::default() },
        })
    }

    /// The places of all calls that made the object.
    #[must_use]
    pub fn places(&self, sight: &Sight) -> Vec<Place> {
        let parts = sight
            .made
            .iter()
            .map(|row| self.world.program.body(row.0).is_some_and(|body| is_part(body, row.1)));
        let parts: Vec<bool> = parts.collect();
        let place = |(at, row): (usize, &(u32, InstId, Position))| {
            let location = location(&self.world, row.0, row.1)?;
            Some(Place { location, is_part: parts[at + 1..].contains(&true) })
        };
        sight.made.iter().enumerate().filter_map(place).collect()
    }

    /// What is lost with the object: each at the first call that is not one of those that made it. What the
    /// call that the finding names at its `primary` place made as well is a part of it.
    #[must_use]
    pub fn along(&self, sight: &Sight, primary: &Location) -> Vec<Step> {
        let is_named = |row: &(u32, InstId, Position)| {
            location(&self.world, row.0, row.1).is_some_and(|it| is_same_start(&it, primary))
        };
        let named = sight.made.iter().position(is_named).unwrap_or_else(|| parting(sight));
        let steps = sight.along.iter().filter_map(|calls| {
            let same =
                calls.iter().zip(&sight.made).take_while(|(one, other)| one == other).count();
            let (function, inst, _) = calls.get(same).filter(|_| same <= named)?;
            let location = location(&self.world, *function, *inst)?;
            let callee = callee(&self.world, *function, *inst);
            let message = format!("lost with it: {} from `{callee}`", sight.resource);
            Some(Step { role: Role::Along, location, message })
        });
        steps.collect()
    }

    /// Where it went wrong: the place in each function that was active then.
    #[must_use]
    pub fn stack(&self, sight: &Sight) -> Vec<Location> {
        sight.stack.iter().map(point).collect()
    }
}

/// The innermost activation that was there when the object was made and when it went wrong.
fn parting(sight: &Sight) -> usize {
    let pairs = sight.made.iter().zip(&sight.stack);
    let common = pairs.take_while(|(made, position)| made.2 == **position).count();
    common.min(sight.made.len() - 1)
}

fn kind(world: &World, sight: &Sight, at: usize) -> Kind {
    match sight.fault {
        Fault::FreedTwice => return Kind::DoubleFree,
        Fault::UsedAfterFree => return Kind::UseAfterFree,
        Fault::Lost => {}
    }
    let Some(last) = sight.stack.last() else { return Kind::SomePath };
    let function = sight.made[at].0;
    let is_here = at + 1 == sight.stack.len();
    let is_at_end = is_here
        && world
            .program
            .body(function)
            .is_some_and(|body| ends(world, function, body).any(|position| position == *last));
    match (is_at_end, world.program.function_name(function)) {
        (true, "main") if !sight.others_freed => Kind::AtExit,
        (true, _) => Kind::SomePath,
        (false, _) if is_release(world, last) => Kind::LostWithOwner,
        (false, _) => Kind::Overwritten,
    }
}

/// Where the function returns.
fn ends<'w>(
    world: &'w World,
    function: u32,
    body: &'w Body,
) -> impl Iterator<Item = Position> + 'w {
    let returns =
        |block: &&caulk_ir::Block| matches!(block.terminator, caulk_ir::Terminator::Return(_));
    let blocks = body.blocks.rows().iter().filter(returns);
    blocks.map(move |block| world.program.position(function, block.terminator_span))
}

/// Whether a call stands there.
fn is_release(world: &World, place: &Position) -> bool {
    world.named(&place.function).iter().any(|&function| {
        let Some(body) = world.program.body(function) else { return false };
        body.insts.iter().any(|(id, inst)| {
            matches!(inst, Inst::Call(_))
                && world.program.position(function, body.inst_spans[id]) == *place
        })
    })
}

fn point(at: &Position) -> Location {
    Location::point(Path::new(&at.file), at.line, at.column)
}

fn location(world: &World, function: u32, inst: InstId) -> Option<Location> {
    let module = world.program.module_of(function);
    let span = world.program.body(function)?.inst_spans[inst];
    Location::of_span(&module.spans.get(span)?, &module.files)
}

fn callee(world: &World, function: u32, inst: InstId) -> String {
    let called = world.program.body(function).and_then(|body| match body.insts[inst] {
        Inst::Call(id) => match body.calls[id].callee {
            Callee::Function(id) => Some(id),
            Callee::Pointer(_) => None,
        },
        _ => None,
    });
    let module = world.program.functions[function as usize].module;
    let number = called.map(|id| world.program.function_number(module, id));
    number.map_or_else(
        || String::from("a function pointer"),
        |number| world.program.function_name(number).to_owned(),
    )
}

fn message(world: &World, sight: &Sight, kind: Kind, callee: &str, function: u32) -> String {
    let subject = format!("{} from `{callee}`", sight.resource);
    let function = world.program.function_name(function);
    match kind {
        Kind::DoubleFree => format!("{subject} is freed twice"),
        Kind::UseAfterFree => format!("{subject} is used after its release"),
        Kind::LostWithOwner => {
            format!("{subject} is not freed when the object that holds it is released")
        }
        Kind::Overwritten => format!("{subject} is lost when its last reference is overwritten"),
        _ => format!("{subject} is not freed when `{function}` returns"),
    }
}

fn path(world: &World, sight: &Sight, at: usize, primary: &Location, callee: &str) -> Vec<Step> {
    let step = |role, location, message| Step { role, location, message };
    let made = format!("{} from `{callee}`", sight.resource);
    let mut path = vec![step(Role::Allocation, primary.clone(), made)];
    for (function, inst, _) in &sight.made[at + 1..] {
        let name = world.program.function_name(*function);
        let message = format!("made by `{}` in `{name}`", self::callee(world, *function, *inst));
        path.extend(location(world, *function, *inst).map(|it| step(Role::Flow, it, message)));
    }
    if let Some(last) = sight.stack.last() {
        let place = point(last);
        let (role, message) = match sight.fault {
            Fault::Lost => (Role::Loss, "lost: nothing leads to it any more"),
            Fault::FreedTwice => (Role::Release, "released again"),
            Fault::UsedAfterFree => (Role::Loss, "used after its release"),
        };
        path.push(step(role, place, message.to_owned()));
    }
    path
}
