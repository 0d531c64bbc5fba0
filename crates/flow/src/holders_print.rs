//! Holders for people: for each object who holds it along each function, one line wherever that
//! changes, and where references die.
//!
//! `p!` must hold it, `q` may; `^` marks an older object of the site. Objects come in the order
//! of their allocations, functions in that of their ids.

use std::fmt::{self, Write};

use caulk_pointer::{Items, Names, ObjId};
use caulk_program::InstanceId;

use crate::graph::Flow;
use crate::holders::{Death, Holder, Holders};
use crate::holders_names::HolderNames;
use crate::holders_step::{HOLD, NEW, State};
use crate::holders_tracked::Tracked;
use crate::locals::Precision;
use crate::node::Point;
use crate::print::{Format, Shown, steps};
use crate::print_dot::escaped;
use crate::print_json::{lines, quoted};
use crate::reach::Reachability;
use crate::sources::Sources;

/// Of all functions, or of those of one name.
///
/// # Errors
/// Those of the writer.
pub fn print_holders(
    flow: &Flow,
    names: &Names,
    sources: &Sources,
    shown: Shown,
    out: &mut dyn Write,
) -> fmt::Result {
    let names = HolderNames { flow, names };
    print_objects(names, sources, shown, "holders", out, |title, tracked, instance| {
        let holders = Holders::new(flow, tracked, instance);
        Part { names, title, instance, holders: &holders }.print(shown.format)
    })
}

/// Functions in which one object of a whole program is shown.
const FUNCTIONS: usize = 100;

/// One part for each object and each function that it comes through, in the order of the
/// allocations.
pub(crate) fn print_objects(
    names: HolderNames,
    sources: &Sources,
    shown: Shown,
    graph: &str,
    out: &mut dyn Write,
    part: impl Fn(&str, &Tracked, InstanceId) -> String,
) -> fmt::Result {
    let mut parts = Parts::begin(shown.format, graph, out)?;
    for_each_object(names.flow, sources, shown.function, |object, tracked| {
        let title = names.names.object(object);
        let instances = tracked.and_then(|it| shown_instances(names, it, shown.function));
        let (Some(tracked), Some(instances)) = (tracked, instances) else {
            return parts.add(&too_large(&title, shown.format));
        };
        instances.into_iter().try_for_each(|it| parts.add(&part(&title, tracked, it)))
    })?;
    parts.end()
}

/// The functions to show an object in; none if there are too many.
fn shown_instances(
    names: HolderNames,
    tracked: &Tracked,
    function: Option<&str>,
) -> Option<Vec<InstanceId>> {
    let mut instances = tracked.instances(names.flow);
    if function.is_none() && instances.len() > FUNCTIONS {
        return None;
    }
    instances.retain(|&instance| names.is_of(instance, function));
    Some(instances)
}

/// The objects of the sources in their order; none in place of one that goes too far.
fn for_each_object(
    flow: &Flow,
    sources: &Sources,
    function: Option<&str>,
    mut visit: impl FnMut(ObjId, Option<&Tracked>) -> fmt::Result,
) -> fmt::Result {
    let points_to = flow.memory.input().points_to;
    let reachability = Reachability::new(flow, Precision::Full, steps(None));
    let mut seen = caulk_base::FxHashSet::default();
    for source in sources.allocations.rows() {
        for object in points_to.heap_objects(source.instance, source.call) {
            if !seen.insert(object) {
                continue;
            }
            let tracked = match function {
                Some(_) => Tracked::new(&reachability, sources, object),
                None => Tracked::matched(&reachability, sources, object),
            };
            match tracked {
                Ok(Some(tracked)) => visit(object, Some(&tracked))?,
                Ok(None) => {}
                Err(_) => visit(object, None)?,
            }
        }
    }
    Ok(())
}

fn too_large(title: &str, format: Format) -> String {
    match format {
        Format::Text => format!("{title}: goes to too many places\n"),
        Format::Dot => String::new(),
        Format::Json => format!("{{\"object\": {}, \"too_large\": true}}", quoted(title)),
    }
}

/// The parts, one after the other as they are made.
enum Parts<'a> {
    Text(&'a mut dyn Write),
    Dot(&'a mut dyn Write),
    Json(Items<'a>),
}

impl<'a> Parts<'a> {
    fn begin(format: Format, graph: &str, out: &'a mut dyn Write) -> Result<Self, fmt::Error> {
        match format {
            Format::Text => Ok(Self::Text(out)),
            Format::Dot => {
                writeln!(out, "digraph {graph} {{\n  node [shape=box, fontname=\"monospace\"];")?;
                Ok(Self::Dot(out))
            }
            Format::Json => Ok(Self::Json(Items::begin(out)?)),
        }
    }

    fn add(&mut self, part: &str) -> fmt::Result {
        match self {
            Self::Text(out) | Self::Dot(out) => out.write_str(part),
            Self::Json(items) => items.add(part),
        }
    }

    fn end(self) -> fmt::Result {
        match self {
            Self::Text(_) => Ok(()),
            Self::Dot(out) => out.write_str("}\n"),
            Self::Json(items) => items.end_line(),
        }
    }
}

/// One object in one function.
struct Part<'a, 'm, 'p> {
    names: HolderNames<'a, 'm, 'p>,
    title: &'a str,
    instance: InstanceId,
    holders: &'a Holders<'a, 'm, 'p>,
}

/// Where the holders change, and to what.
struct Change {
    point: Point,
    text: String,
}

impl Part<'_, '_, '_> {
    fn print(&self, format: Format) -> String {
        let (changes, deaths) = (self.changes(), self.holders.deaths());
        match format {
            Format::Text => self.text(&changes, &deaths),
            Format::Dot => self.dot(&changes, &deaths),
            Format::Json => self.json(&changes, &deaths),
        }
    }

    fn function(&self) -> String {
        self.names.names.instance(self.instance)
    }

    fn changes(&self) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        let mut last = String::from("nobody");
        self.holders.walk(|point, state| {
            let text = self.state(state);
            if text != last {
                last.clone_from(&text);
                changes.push(Change { point, text });
            }
        });
        changes
    }

    fn state(&self, state: &State) -> String {
        if !state.exists {
            return "no object".to_string();
        }
        let set = |wanted: &dyn Fn(u8) -> bool| self.holders.holders(state, wanted);
        let (must, newest) = (set(&|bits| bits == NEW), set(&|bits| bits & NEW != 0));
        let name = |&holder: &Holder| {
            let sure = if must.contains(&holder) { "!" } else { "" };
            let older = if newest.contains(&holder) { "" } else { "^" };
            format!("{}{sure}{older}", self.names.holder(self.instance, holder))
        };
        let all: Vec<String> = set(&|bits| bits & HOLD != 0).iter().map(name).collect();
        if all.is_empty() { "nobody".to_string() } else { all.join(", ") }
    }

    fn place(&self, point: Point) -> String {
        let place = self.names.place(self.instance, point);
        match point {
            Point::Start(block) => format!("{place} {block}"),
            _ => place,
        }
    }

    fn death(&self, death: &Death) -> String {
        let holder = self.names.holder(self.instance, death.holder);
        let kind = self.names.kind(death.kind);
        format!("{holder} {kind}, {}", self.names.claim(self.instance, death))
    }

    fn text(&self, changes: &[Change], deaths: &[Death]) -> String {
        let mut text = format!("{} in {}:\n", self.title, self.function());
        for change in changes {
            let _ = writeln!(text, "  {}: {}", self.place(change.point), change.text);
        }
        for death in deaths {
            let _ = writeln!(text, "  dies {}: {}", self.place(death.point), self.death(death));
        }
        text
    }

    /// A chain of changes beside the deaths: the holders have no graph of their own.
    fn dot(&self, changes: &[Change], deaths: &[Death]) -> String {
        let rows = changes.iter().map(|it| format!("{}: {}", self.place(it.point), it.text));
        let dies =
            deaths.iter().map(|it| format!("dies {}: {}", self.place(it.point), self.death(it)));
        let all: Vec<String> = rows.chain(dies).collect();
        let label = escaped(&format!("{} in {}\n{}", self.title, self.function(), all.join("\n")));
        format!(
            "  \"{}\" [label=\"{label}\"];\n",
            escaped(&format!("{}{}", self.title, self.instance))
        )
    }

    fn json(&self, changes: &[Change], deaths: &[Death]) -> String {
        let change = |it: &Change| {
            let (place, held) = (quoted(&self.place(it.point)), quoted(&it.text));
            format!("{{\"place\": {place}, \"holders\": {held}}}")
        };
        let death = |it: &Death| {
            let holder = quoted(&self.names.holder(self.instance, it.holder));
            let kind = quoted(&self.names.kind(it.kind));
            let claim = quoted(&self.names.claim(self.instance, it));
            let place = quoted(&self.place(it.point));
            format!(
                "{{\"place\": {place}, \"holder\": {holder}, \"kind\": {kind}, \"last\": {claim}}}"
            )
        };
        let changes: Vec<String> = changes.iter().map(change).collect();
        let deaths: Vec<String> = deaths.iter().map(death).collect();
        let (object, function) = (quoted(self.title), quoted(&self.function()));
        format!(
            "{{\"object\": {object}, \"function\": {function},\n\"changes\": [{}],\n\"deaths\": [{}]}}",
            lines(&changes),
            lines(&deaths)
        )
    }
}
