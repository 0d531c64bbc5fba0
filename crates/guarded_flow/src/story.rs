//! Why a site is in its class, in words: what `caulk why` tells.

use caulk_finding::Site as Row;
use caulk_flow::{End, Node};

use crate::class::Class;
use crate::judge::{Judge, Judgement};
use crate::witness::location;
use crate::world::World;

pub(crate) fn row(world: &World, judgement: &Judgement) -> Row {
    let places = world.places();
    let (instance, call) = judgement.owner;
    Row {
        location: location(world, judgement),
        function: places.function(instance).to_string(),
        callee: places.callee(instance, call),
        class: judgement.class.id(),
        story: story(world, judgement),
    }
}

fn story(world: &World, judgement: &Judgement) -> Vec<String> {
    let mut lines = vec![reason(world, judgement).to_string()];
    if Judge::is_inside(&judgement.site) {
        lines.push("the function is an allocator: its callers are judged by themselves".into());
    }
    lines.extend(ends(world, judgement));
    lines
}

fn reason(world: &World, judgement: &Judgement) -> &'static str {
    let full = world.configuration.precision == caulk_flow::Precision::Full;
    match judgement.class {
        Class::NeverFreedNotLocal if full => {
            "no release is reached, but a global variable, a caller or a library has it"
        }
        Class::NeverFreedNotLocal => "no release is reached, but it gets into memory",
        Class::NeverFreedMain => "no release is reached; it is main's and may be meant to stay",
        Class::NeverFreedLocal => "no release is reached and nobody else can have it",
        Class::FreedAlways => "every path releases it, hands it on or ends the process",
        Class::FreedConditional => "some path neither releases it nor hands it on",
        Class::UnknownFormula => "the conditions of its releases are too large",
        Class::UnknownNotLocal if full => "a global variable, a caller or a library may have it",
        Class::UnknownNotLocal => "it gets into memory, which is not followed",
        Class::UnknownSlice => "it goes to too many places",
    }
}

/// Where the flow ends.
fn ends(world: &World, judgement: &Judgement) -> Vec<String> {
    let name = |id| world.memory().input().program.externals[id].name.as_str();
    let all = judgement.reach.iter().flat_map(|reach| reach.ends());
    let mut lines: Vec<String> = all
        .map(|(instance, point, end)| {
            let place = world.places().location(instance, point);
            let node = Node::End(instance, point, end);
            let when = judgement.conditions.iter().find(|it| it.0 == node);
            let when = when.map_or_else(String::new, |it| format!(", if {}", it.1));
            match end {
                End::Released => format!("released at {place}{when}"),
                End::Kept(external) => format!("kept by `{}` at {place}", name(external)),
                End::Unknown(Some(external)) => {
                    format!("handed to `{}`, of which nothing is known, at {place}", name(external))
                }
                End::Unknown(None) => format!("handed to something unknown at {place}"),
                End::Caller => format!("handed to a caller at {place}"),
            }
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines
}
