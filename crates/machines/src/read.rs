//! A machine file: `[machines.NAME]` with its resources, states and errors.
//!
//! What is checked: names mean something, every state can be reached, an error has a kind and a
//! message that reads as a clause, and no two machines of the file want one resource.

use std::collections::BTreeMap;

use caulk_base::Table;
use caulk_models::document::{Node, Read, Source, choices, one_or_many};
use toml::de::DeTable;

use crate::event::{Event, Fault};
use crate::machine::{ErrorState, Machine, Owner, State, StateId};

const KEYS: &[&str] = &["noun", "resources", "owner", "start", "ends", "states", "errors"];
const MESSAGE: &str = "a message of one line without a full stop, like \"{noun} is not closed\"";
const NOUN: &str = "a noun with its article, like \"a file\"";
/// What may stand in braces.
const PLACES: &[&str] = &["noun", "resource"];

/// The machines of a file, in the order of their names.
pub fn file(file: &str, text: &str) -> Read<Vec<Machine>> {
    let source = Source { file, text };
    let document = DeTable::parse(text).map_err(|error| {
        let byte = error.span().map_or(text.len(), |span| span.start);
        source.error(byte, error.message().to_string())
    })?;
    source.only_keys(document.get_ref(), &["machines"])?;
    let Some(node) = document.get_ref().get("machines") else { return Ok(Vec::new()) };
    let mut machines = Vec::new();
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for (name, node) in source.table("a table of machines", node)? {
        let machine = machine(source, name.get_ref(), node)?;
        claim(source, node, &machine, &mut taken)?;
        machines.push(machine);
    }
    machines.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(machines)
}

/// Enters the resources of a machine, which no other machine of the file may have.
fn claim(
    source: Source<'_>,
    node: &Node<'_>,
    machine: &Machine,
    taken: &mut BTreeMap<String, String>,
) -> Read<()> {
    for resource in &machine.resources {
        if let Some(other) = taken.insert(resource.clone(), machine.name.clone()) {
            let name = &machine.name;
            let message = format!("`{other}` and `{name}` both have the resource `{resource}`");
            return Err(source.error_at(source.required(node, "resources")?, message));
        }
    }
    Ok(())
}

fn machine(source: Source<'_>, name: &str, node: &Node<'_>) -> Read<Machine> {
    let table = source.record("a table that describes a machine", node, KEYS)?;
    let owner = table.get("owner").map(|node| owner(source, node)).transpose()?;
    let mut names = Names { source, places: BTreeMap::new(), states: Table::new() };
    names.declare(node)?;
    let start = source.required(node, "start")?;
    let start = names.inner(start)?;
    names.mark_ends(source.required(node, "ends")?)?;
    names.connect(node)?;
    names.check_reachable(start)?;
    let resources = source.required(node, "resources")?;
    Ok(Machine {
        name: name.to_string(),
        noun: noun(source, source.required(node, "noun")?)?,
        resources: source.texts("the name of a resource", resources)?,
        owner: owner.unwrap_or_default(),
        start,
        states: names.states,
    })
}

fn owner(source: Source<'_>, node: &Node<'_>) -> Read<Owner> {
    let words = Owner::ALL.map(Owner::name);
    let expected = || source.expected(&choices(&words), node);
    let word = node.get_ref().as_str().ok_or_else(expected)?;
    Owner::ALL.into_iter().find(|owner| owner.name() == word).ok_or_else(expected)
}

fn noun(source: Source<'_>, node: &Node<'_>) -> Read<String> {
    let text = clause(source, NOUN, node)?;
    if text.contains("{noun}") {
        return Err(source.expected(NOUN, node));
    }
    Ok(text)
}

/// A text that fits into a sentence, with nothing in braces but what is known.
fn clause(source: Source<'_>, what: &str, node: &Node<'_>) -> Read<String> {
    let text = source.text(what, node)?;
    let trimmed = text.trim() == text && !text.is_empty();
    if !trimmed || text.ends_with('.') || text.chars().any(char::is_control) {
        return Err(source.expected(what, node));
    }
    for piece in text.split('{').skip(1) {
        let place = piece.split_once('}').map_or(piece, |(place, _)| place);
        if !PLACES.contains(&place) {
            let message = format!("unknown place {{{place}}}, expected {}", choices(PLACES));
            return Err(source.error_at(node, message));
        }
    }
    Ok(text.to_string())
}

/// The states of a machine while it is read.
struct Names<'a> {
    source: Source<'a>,
    /// Of each state, its id and where it is declared.
    places: BTreeMap<String, (StateId, usize)>,
    states: Table<StateId, State>,
}

impl Names<'_> {
    /// Enters the states and the errors, each staying as it is at every event.
    fn declare(&mut self, machine: &Node<'_>) -> Read<()> {
        let source = self.source;
        let states = source.required(machine, "states")?;
        for (name, _) in by_name(source.table("a table of states", states)?) {
            self.enter(name.get_ref(), name.span().start, None)?;
        }
        let errors = source.required(machine, "errors")?;
        for (name, node) in by_name(source.table("a table of errors", errors)?) {
            let error = error_state(source, node)?;
            self.enter(name.get_ref(), name.span().start, Some(error))?;
        }
        Ok(())
    }

    fn enter(&mut self, name: &str, byte: usize, error: Option<ErrorState>) -> Read<()> {
        let id = self.states.next_id();
        if self.places.insert(name.to_string(), (id, byte)).is_some() {
            let message = format!("`{name}` is a state, and cannot be an error as well");
            return Err(self.source.error(byte, message));
        }
        let next = [id; Event::ALL.len()];
        self.states.push(State { name: name.to_string(), is_end: false, error, next });
        Ok(())
    }

    fn connect(&mut self, machine: &Node<'_>) -> Read<()> {
        let source = self.source;
        let states = source.table("a table of states", source.required(machine, "states")?)?;
        let events = Event::ALL.map(Event::name);
        for (name, node) in by_name(states) {
            let (from, _) = self.places[name.get_ref().as_ref()];
            let table = source.record("a table of events and next states", node, &events)?;
            for event in Event::ALL {
                if let Some(node) = table.get(event.name()) {
                    self.states[from].next[event.index()] = self.known(node)?;
                }
            }
        }
        Ok(())
    }

    fn mark_ends(&mut self, node: &Node<'_>) -> Read<()> {
        let ends = one_or_many(node);
        if ends.is_empty() {
            return Err(self.source.expected("a state in which nothing is owed", node));
        }
        for end in ends {
            let id = self.inner(end)?;
            self.states[id].is_end = true;
        }
        Ok(())
    }

    fn known(&self, node: &Node<'_>) -> Read<StateId> {
        let name = self.source.text("the name of a state", node)?;
        self.places.get(name).map(|&(id, _)| id).ok_or_else(|| self.unknown(name, node))
    }

    /// A state that is no error.
    fn inner(&self, node: &Node<'_>) -> Read<StateId> {
        let id = self.known(node)?;
        if self.states[id].error.is_some() {
            let message = format!("`{}` is an error, expected another state", self.states[id].name);
            return Err(self.source.error_at(node, message));
        }
        Ok(id)
    }

    fn unknown(&self, name: &str, node: &Node<'_>) -> caulk_models::ModelError {
        let names: Vec<&str> = self.places.keys().map(String::as_str).collect();
        let message = format!("unknown state `{name}`, expected {}", choices(&names));
        self.source.error_at(node, message)
    }

    fn check_reachable(&self, start: StateId) -> Read<()> {
        let mut reached = Table::<StateId, bool>::filled(false, self.states.len());
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            if !reached[id] {
                reached[id] = true;
                open.extend(self.states[id].next);
            }
        }
        let unreached = self.places.iter().filter(|(_, (id, _))| !reached[*id]);
        let Some((name, &(_, byte))) = unreached.min_by_key(|(_, (_, byte))| *byte) else {
            return Ok(());
        };
        let start = &self.states[start].name;
        Err(self.source.error(byte, format!("no event leads from `{start}` to `{name}`")))
    }
}

/// The entries of a table by name, so that ids do not depend on the table's own order.
fn by_name<'n, 'a>(
    table: &'n DeTable<'a>,
) -> Vec<(&'n toml::Spanned<std::borrow::Cow<'a, str>>, &'n Node<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.get_ref().cmp(b.get_ref()));
    entries
}

fn error_state(source: Source<'_>, node: &Node<'_>) -> Read<ErrorState> {
    source.record(
        "a table like { kind = \"leak\", message = \"…\" }",
        node,
        &["kind", "message"],
    )?;
    let kind = source.required(node, "kind")?;
    let words = Fault::ALL.map(Fault::name);
    let expected = || source.expected(&choices(&words), kind);
    let word = kind.get_ref().as_str().ok_or_else(expected)?;
    let fault = Fault::ALL.into_iter().find(|fault| fault.name() == word).ok_or_else(expected)?;
    let message = clause(source, MESSAGE, source.required(node, "message")?)?;
    Ok(ErrorState { fault, message })
}
