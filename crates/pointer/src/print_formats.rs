//! Points-to sets for Graphviz and as JSON.

use std::fmt::{self, Write};

use caulk_base::FxHashSet;
use caulk_ir::ValueId;
use caulk_program::InstanceId;
use serde_json::json;

use crate::location::LocId;
use crate::points_to::SetId;
use crate::print::Names;
use crate::print_out::Items;

fn instances<'a>(
    names: Names<'a>,
    function: Option<&'a str>,
) -> impl Iterator<Item = InstanceId> + 'a {
    let input = names.input;
    input.instances.rows.iter().filter_map(move |(id, row)| {
        let name = &input.program.procs[row.proc].name;
        function.is_none_or(|wanted| name == wanted).then_some(id)
    })
}

/// The locations of a set, by name.
fn members(names: Names, set: SetId) -> Vec<String> {
    match names.points_to.is_wild(set) {
        true => vec!["wild".to_string()],
        false => listed(names, set),
    }
}

/// The locations to follow: none behind a wild pointer, which leads almost everywhere.
fn followed<'a>(names: Names<'a>, set: SetId) -> &'a [LocId] {
    match names.points_to.is_wild(set) {
        true => &[],
        false => names.points_to.set(set),
    }
}

fn listed(names: Names, set: SetId) -> Vec<String> {
    names.points_to.set(set).iter().map(|&loc| names.location(loc)).collect()
}

/// Per function the values that point somewhere, then the locations that hold a pointer, as far
/// as the functions shown reach them.
///
/// # Errors
/// Those of the writer.
pub fn print_json(names: Names, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
    let mut seen = FxHashSet::default();
    out.write_str("{\"functions\": ")?;
    let mut functions = Items::begin(out)?;
    for instance in instances(names, function) {
        let mut values = serde_json::Map::new();
        for (value, set) in pointers(names, instance) {
            seen.extend(followed(names, set));
            values.insert(value.to_string(), json!(members(names, set)));
        }
        let name = names.instance(instance);
        let row = json!({"id": instance.to_string(), "name": name, "values": values});
        functions.add(&row.to_string())?;
    }
    functions.end()?;
    out.write_str(",\n\"locations\": ")?;
    let mut locations = Items::begin(out)?;
    for loc in reached(names, seen) {
        if names.points_to.contents(loc) != SetId::EMPTY {
            let holds = members(names, names.points_to.contents(loc));
            let row = json!({"id": loc.to_string(), "name": names.location(loc), "holds": holds});
            locations.add(&row.to_string())?;
        }
    }
    locations.end()?;
    writeln!(out, ",\n\"wild\": {}}}", json!(listed(names, names.points_to.wild())))
}

/// The values of an instance that point somewhere.
fn pointers(names: Names<'_>, instance: InstanceId) -> impl Iterator<Item = (ValueId, SetId)> {
    let body = names.input.instances.body(names.input.program, instance);
    let set = move |value| (value, names.points_to.value(instance, value));
    body.values.ids().map(set).filter(|&(_, set)| set != SetId::EMPTY)
}

/// All locations that can be reached from these, in order.
fn reached(names: Names, mut seen: FxHashSet<LocId>) -> Vec<LocId> {
    let mut open: Vec<LocId> = seen.iter().copied().collect();
    while let Some(loc) = open.pop() {
        for &next in followed(names, names.points_to.contents(loc)) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    let mut all: Vec<LocId> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// # Errors
/// Those of the writer.
pub fn print_dot(names: Names, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
    out.write_str("digraph points_to {\n  node [shape=box];\n")?;
    let mut seen = FxHashSet::default();
    for instance in instances(names, function) {
        for (value, set) in pointers(names, instance) {
            seen.extend(followed(names, set));
            edges(&format!("{} {value}", names.instance(instance)), &members(names, set), out)?;
        }
    }
    for loc in reached(names, seen) {
        edges(&names.location(loc), &members(names, names.points_to.contents(loc)), out)?;
    }
    out.write_str("}\n")
}

fn edges(from: &str, targets: &[String], out: &mut dyn Write) -> fmt::Result {
    let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
    for to in targets {
        writeln!(out, "  \"{}\" -> \"{}\";", quoted(from), quoted(to))?;
    }
    Ok(())
}
