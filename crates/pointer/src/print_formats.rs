//! Points-to sets for Graphviz and as JSON.

use std::fmt::Write;

use caulk_base::FxHashSet;
use caulk_program::InstanceId;
use serde_json::{Value, json};

use crate::location::LocId;
use crate::points_to::SetId;
use crate::print::Names;

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
#[must_use]
pub fn print_json(names: Names, function: Option<&str>) -> String {
    let mut seen = FxHashSet::default();
    let mut functions = Vec::new();
    for instance in instances(names, function) {
        let body = names.input.instances.body(names.input.program, instance);
        let mut values = serde_json::Map::new();
        for value in body.values.ids() {
            let set = names.points_to.value(instance, value);
            if set != SetId::EMPTY {
                seen.extend(followed(names, set));
                values.insert(value.to_string(), json!(members(names, set)));
            }
        }
        let name = names.instance(instance);
        functions.push(json!({"id": instance.to_string(), "name": name, "values": values}));
    }
    let locations: Vec<Value> = reached(names, seen)
        .into_iter()
        .filter(|&loc| names.points_to.contents(loc) != SetId::EMPTY)
        .map(|loc| {
            let holds = members(names, names.points_to.contents(loc));
            json!({"id": loc.to_string(), "name": names.location(loc), "holds": holds})
        })
        .collect();
    let wild = listed(names, names.points_to.wild());
    let all = json!({"functions": functions, "locations": locations, "wild": wild});
    format!("{all:#}\n")
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

#[must_use]
pub fn print_dot(names: Names, function: Option<&str>) -> String {
    let mut text = "digraph points_to {\n  node [shape=box];\n".to_string();
    let mut seen = FxHashSet::default();
    for instance in instances(names, function) {
        let body = names.input.instances.body(names.input.program, instance);
        for value in body.values.ids() {
            let from = format!("{} {value}", names.instance(instance));
            let set = names.points_to.value(instance, value);
            seen.extend(followed(names, set));
            members(names, set).iter().for_each(|to| edge(&mut text, &from, to));
        }
    }
    for loc in reached(names, seen) {
        for to in members(names, names.points_to.contents(loc)) {
            edge(&mut text, &names.location(loc), &to);
        }
    }
    text + "}\n"
}

fn edge(text: &mut String, from: &str, to: &str) {
    let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "  \"{}\" -> \"{}\";", quoted(from), quoted(to));
}
