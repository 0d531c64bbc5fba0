//! Each kind of effect, from the value under its key.

use toml::de::DeTable;

use super::document::{Node, Read, Source, choices, one_or_many};
use super::place::{argument, arguments, index_of_text, target, when, word};
use crate::model::{CallbackArgument, CallbackResult, Effect, Freed, Target, When};
use crate::resource::Resource;
use crate::resources::Resources;

/// What reading an effect of one function needs to know.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub source: Source<'a>,
    pub resources: &'a Resources,
    pub function: &'a str,
}

type ReadEffect = for<'n> fn(Context<'_>, &Node<'n>) -> Read<Effect>;

/// The keys of a function that are effects, in the order in which effects are listed.
pub const EFFECTS: &[(&str, ReadEffect)] = &[
    ("frees", frees),
    ("reallocates", reallocates),
    ("allocates", allocates),
    ("retains", retains),
    ("stores", stores),
    ("copies", copies),
    ("keeps", keeps),
    ("reads", reads),
    ("writes", writes),
    ("fills", fills),
    ("clears", clears),
    ("calls", calls),
];

fn when_of(context: Context<'_>, table: &DeTable<'_>) -> Read<Option<When>> {
    table.get("when").map(|node| when(context.source, node)).transpose()
}

fn allocates(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let Context { source, .. } = context;
    if node.get_ref().is_str() {
        let (resource, releases) = context.made(Some(node), None)?;
        return Ok(allocation(Target::Result, resource, releases));
    }
    let keys = ["to", "resource", "released-by", "zeroed", "fails", "when"];
    let table = source.record("a resource's name or a table", node, &keys)?;
    let (resource, releases) = context.made(table.get("resource"), table.get("released-by"))?;
    let may_fail = source.flag(table, "fails", true)?;
    let always = if may_fail { When::OnSuccess } else { When::Always };
    Ok(Effect::Allocates {
        to: table.get("to").map_or(Ok(Target::Result), |node| target(source, node))?,
        resource,
        releases,
        zeroed: source.flag(table, "zeroed", false)?,
        may_fail,
        when: when_of(context, table)?.unwrap_or(always),
    })
}

fn allocation(to: Target, resource: Resource, releases: Vec<String>) -> Effect {
    let when = When::OnSuccess;
    Effect::Allocates { to, resource, releases, zeroed: false, may_fail: true, when }
}

const FREED: &[(&str, Freed)] = &[
    ("argument", Freed::Argument),
    ("pointee", Freed::Pointee),
    ("argument-and-elements", Freed::ArgumentAndElements),
    ("inside", Freed::Inside),
];

fn frees(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    let Some(table) = node.get_ref().as_table() else {
        let (args, resource) = (arguments(source, node)?, context.released(node, None)?);
        let (what, others, when) = (Freed::Argument, Vec::new(), When::Always);
        return Ok(Effect::Frees { args, what, resource, others, when });
    };
    source.only_keys(table, &["argument", "what", "resource", "when"])?;
    Ok(Effect::Frees {
        args: arguments(source, source.required(node, "argument")?)?,
        what: table.get("what").map_or(Ok(Freed::Argument), |node| word(source, node, FREED))?,
        resource: context.released(node, table.get("resource"))?,
        others: Vec::new(),
        when: when_of(context, table)?.unwrap_or(When::Always),
    })
}

/// Adds an effect. The same argument freed as two resources is one release, of either.
pub fn add(effects: &mut Vec<Effect>, effect: Effect) {
    let known = effects.iter_mut().find_map(|known| other_resources(known, &effect));
    match (known, effect) {
        (Some(others), Effect::Frees { resource, .. }) => others.push(resource),
        (_, effect) => effects.push(effect),
    }
}

/// Where an effect lists what it may release instead, when the second is the same release.
fn other_resources<'e>(known: &'e mut Effect, second: &Effect) -> Option<&'e mut Vec<Resource>> {
    let Effect::Frees { args, what, when, others, .. } = known else { return None };
    match second {
        Effect::Frees { args: a, what: b, when: c, .. } => {
            ((&*args, &*what, &*when) == (a, b, c)).then_some(others)
        }
        _ => None,
    }
}

fn reallocates(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    let keys = ["argument", "through", "to", "size", "resource", "released-by", "fails"];
    let table = source.record("a table like { argument = 1, size = 2 }", node, &keys)?;
    let arg = argument(source, source.required(node, "argument")?)?;
    let through = source.flag(table, "through", false)?;
    let to = if through { Target::Pointee(arg) } else { Target::Result };
    let (resource, releases) = context.made(table.get("resource"), table.get("released-by"))?;
    Ok(Effect::Reallocates {
        arg,
        through,
        to: table.get("to").map_or(Ok(to), |node| target(source, node))?,
        size: sizes(source, table)?,
        resource,
        releases,
        may_fail: source.flag(table, "fails", true)?,
    })
}

fn sizes(source: Source<'_>, table: &DeTable<'_>) -> Read<Vec<u32>> {
    let nodes = table.get("size").map(one_or_many).unwrap_or_default();
    nodes.into_iter().map(|node| argument(source, node)).collect()
}

fn retains(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    Ok(Effect::Retains { arg: argument(context.source, node)? })
}

fn stores(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    let keys = ["argument", "into", "interior", "offset"];
    let table = source.record("a table like { argument = 1, into = 2 }", node, &keys)?;
    Ok(Effect::StoresArgument {
        arg: argument(source, source.required(node, "argument")?)?,
        interior: source.flag(table, "interior", false)?,
        into: argument(source, source.required(node, "into")?)?,
        offset: table.get("offset").map(|node| offset(source, node)).transpose()?,
    })
}

fn offset(source: Source<'_>, node: &Node<'_>) -> Read<u64> {
    const OFFSET: &str = "a number of bytes";
    let offset = u64::try_from(source.integer(OFFSET, node)?);
    offset.map_err(|_| source.expected(OFFSET, node))
}

fn copies(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    let keys = ["from", "to", "bytes"];
    let table = source.record("a table like { from = 2, to = 1, bytes = 3 }", node, &keys)?;
    Ok(Effect::CopiesMemory {
        to: argument(source, source.required(node, "to")?)?,
        from: argument(source, source.required(node, "from")?)?,
        bytes: table.get("bytes").map(|node| argument(source, node)).transpose()?,
    })
}

fn keeps(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    let Some(table) = node.get_ref().as_table() else {
        return Ok(Effect::Keeps { args: arguments(source, node)?, when: When::Always });
    };
    source.only_keys(table, &["argument", "when"])?;
    let args = arguments(source, source.required(node, "argument")?)?;
    Ok(Effect::Keeps { args, when: when_of(context, table)?.unwrap_or(When::Always) })
}

fn reads(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    Ok(Effect::Reads { args: arguments(context.source, node)? })
}

fn writes(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    Ok(Effect::Writes { args: arguments(context.source, node)? })
}

fn fills(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    let keys = ["argument", "byte", "bytes"];
    let table = source.record("a table like { argument = 1, byte = 2, bytes = 3 }", node, &keys)?;
    Ok(Effect::Fills {
        arg: argument(source, source.required(node, "argument")?)?,
        byte: table.get("byte").map(|node| argument(source, node)).transpose()?,
        bytes: argument(source, source.required(node, "bytes")?)?,
    })
}

fn clears(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    Ok(Effect::Clears { arg: argument(context.source, node)? })
}

const CALLBACK_RESULTS: &[(&str, CallbackResult)] = &[
    ("ignored", CallbackResult::Ignored),
    ("returned", CallbackResult::Returned),
    ("kept", CallbackResult::Kept),
];

fn calls(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    let keys = ["argument", "through", "with", "result", "later"];
    let table = source.record("a table like { argument = 4, with = [1] }", node, &keys)?;
    let with = table.get("with").map(one_or_many).unwrap_or_default();
    let result = table.get("result");
    Ok(Effect::CallsBack {
        function: argument(source, source.required(node, "argument")?)?,
        through: source.flag(table, "through", false)?,
        arguments: with.into_iter().map(|n| passed(source, n)).collect::<Read<_>>()?,
        result: result
            .map_or(Ok(CallbackResult::Ignored), |n| word(source, n, CALLBACK_RESULTS))?,
        entry: source.flag(table, "later", false)?,
    })
}

/// `1`, `"into 1"`, `"from 1"` or `"unknown"`.
fn passed(source: Source<'_>, node: &Node<'_>) -> Read<CallbackArgument> {
    const PASSED: &str = "an argument's number, \"into 1\", \"from 1\" or \"unknown\"";
    let Some(text) = node.get_ref().as_str() else {
        return argument(source, node).map(CallbackArgument::Argument);
    };
    let passed = match text.split_once(' ') {
        Some(("into", rest)) => index_of_text(rest).map(CallbackArgument::PointsInto),
        Some(("from", rest)) => index_of_text(rest).map(CallbackArgument::LoadedFrom),
        _ => (text == "unknown").then_some(CallbackArgument::Unknown),
    };
    passed.ok_or_else(|| source.expected(PASSED, node))
}

impl Context<'_> {
    /// The resource that an effect makes, and who releases it.
    fn made(
        &self,
        name: Option<&Node<'_>>,
        released_by: Option<&Node<'_>>,
    ) -> Read<(Resource, Vec<String>)> {
        let told = |node| self.source.texts("the name of a release function", node);
        let told = released_by.map(told).transpose()?;
        let resource = match name {
            None => Resource::memory(),
            Some(node) if told.is_some() => Resource::new(self.source.text("a name", node)?),
            Some(node) => self.declared(node)?,
        };
        let releases = told.unwrap_or_else(|| self.resources.releases(resource.name()).to_vec());
        Ok((resource, releases))
    }

    /// The resource that an effect releases: the one told, else the one whose release
    /// function this is, else memory.
    fn released(&self, node: &Node<'_>, name: Option<&Node<'_>>) -> Read<Resource> {
        if let Some(node) = name {
            return self.declared(node);
        }
        match self.resources.released_by(self.function).as_slice() {
            [] => Ok(Resource::memory()),
            [name] => Ok(Resource::new(name)),
            several => {
                let function = self.function;
                let names = choices(several);
                let message = format!(
                    "{function} releases several resources, expected a key `resource` with {names}"
                );
                Err(self.source.error_at(node, message))
            }
        }
    }

    fn declared(&self, node: &Node<'_>) -> Read<Resource> {
        let name = self.source.text("the name of a resource", node)?;
        if self.resources.contains(name) {
            return Ok(Resource::new(name));
        }
        let message = format!(
            "unknown resource `{name}`, expected one that [resources] names: {}",
            self.resources.names().collect::<Vec<_>>().join(", ")
        );
        Err(self.source.error_at(node, message))
    }
}
