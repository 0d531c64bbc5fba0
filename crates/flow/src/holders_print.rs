//! Holders for people: for each object who holds it along each function, one line wherever that
//! changes, and where references die.
//!
//! `p!` must hold it, `q` may; `^` marks an older object of the site. Objects come in the order
//! of their allocations, functions in that of their ids.

use std::fmt::Write;

use caulk_pointer::{Names, ObjId};
use caulk_program::InstanceId;

use crate::graph::Flow;
use crate::holders::{Death, Holder, Holders};
use crate::holders_names::HolderNames;
use crate::holders_step::{HOLD, NEW, State};
use crate::holders_tracked::Tracked;
use crate::locals::Precision;
use crate::node::Point;
use crate::print::Format;
use crate::print_dot::escaped;
use crate::print_json::{lines, quoted};
use crate::reach::{DEFAULT_LIMIT, Reachability};
use crate::sources::Sources;

/// Of all functions, or of those of one name.
#[must_use]
pub fn print_holders(
    flow: &Flow,
    names: &Names,
    sources: &Sources,
    function: Option<&str>,
    format: Format,
) -> String {
    let names = HolderNames { flow, names };
    let mut parts = Vec::new();
    for_each_object(flow, sources, |object, tracked| {
        let title = names.names.object(object);
        let Some(tracked) = tracked else {
            parts.push(too_large(&title, format));
            return;
        };
        for instance in tracked.instances(flow) {
            if names.is_of(instance, function) {
                let holders = Holders::new(flow, tracked, instance);
                let part = Part { names, title: &title, instance, holders: &holders };
                parts.push(part.print(format));
            }
        }
    });
    joined(&parts, format, "holders")
}

/// The objects of the sources in their order; none in place of one that goes too far.
pub(crate) fn for_each_object(
    flow: &Flow,
    sources: &Sources,
    mut visit: impl FnMut(ObjId, Option<&Tracked>),
) {
    let points_to = flow.memory.input().points_to;
    let reachability = Reachability::new(flow, Precision::Full, DEFAULT_LIMIT);
    let mut seen = caulk_base::FxHashSet::default();
    for source in sources.allocations.rows() {
        for object in points_to.heap_objects(source.instance, source.call) {
            if !seen.insert(object) {
                continue;
            }
            match Tracked::new(&reachability, sources, object) {
                Ok(Some(tracked)) => visit(object, Some(&tracked)),
                Ok(None) => {}
                Err(_) => visit(object, None),
            }
        }
    }
}

pub(crate) fn too_large(title: &str, format: Format) -> String {
    match format {
        Format::Text => format!("{title}: goes to too many places\n"),
        Format::Dot => String::new(),
        Format::Json => format!("{{\"object\": {}, \"too_large\": true}}", quoted(title)),
    }
}

pub(crate) fn joined(parts: &[String], format: Format, graph: &str) -> String {
    match format {
        Format::Text => parts.concat(),
        Format::Dot => format!(
            "digraph {graph} {{\n  node [shape=box, fontname=\"monospace\"];\n{}}}\n",
            parts.concat()
        ),
        Format::Json => format!("[{}]\n", lines(parts)),
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
