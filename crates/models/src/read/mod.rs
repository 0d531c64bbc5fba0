//! A model file: `[resources]`, `[functions]`, and `[[group]]`s of functions with one model.
//!
//! The document is walked by hand and not by derived deserialisers, so that each mistake is
//! told with its place and with what was expected there.

pub mod document;
mod effect;
mod function;
mod place;

use std::collections::BTreeMap;

use toml::de::DeTable;

use crate::error::ModelError;
use crate::model::FunctionModel;
use crate::resources::Resources;
use document::{Node, Read, Source, one_or_many};
use effect::Context;

/// The functions of a file, and `resources` with those that it declares.
pub fn file(
    file: &str,
    text: &str,
    resources: &mut Resources,
) -> Result<BTreeMap<String, FunctionModel>, ModelError> {
    let source = Source { file, text };
    let document = DeTable::parse(text).map_err(|error| {
        let byte = error.span().map_or(text.len(), |span| span.start);
        source.error(byte, error.message().to_string())
    })?;
    let document = document.get_ref();
    source.only_keys(document, &["resources", "functions", "group"])?;
    if let Some(node) = document.get("resources") {
        declare(source, node, resources)?;
    }
    let mut entries = named_functions(source, document)?;
    entries.extend(groups(source, document)?);
    models(source, resources, entries)
}

fn declare(source: Source<'_>, node: &Node<'_>, resources: &mut Resources) -> Read<()> {
    for (name, node) in source.table("a table of resources", node)? {
        let releases = source.texts("the names of release functions", node)?;
        resources.declare(name.get_ref(), releases);
    }
    Ok(())
}

/// A name, where it stands, and the table that describes it.
struct Entry<'n, 'a> {
    name: &'n str,
    byte: usize,
    table: &'n DeTable<'a>,
}

fn named_functions<'n, 'a>(
    source: Source<'_>,
    document: &'n DeTable<'a>,
) -> Read<Vec<Entry<'n, 'a>>> {
    let Some(node) = document.get("functions") else { return Ok(Vec::new()) };
    let keys = function::keys();
    let mut entries = Vec::new();
    for (name, node) in source.table("a table of functions", node)? {
        let table = source.record("a table that says what the function does", node, &keys)?;
        entries.push(Entry { name: name.get_ref(), byte: name.span().start, table });
        entries.extend(names(source, table, "aliases", table)?);
    }
    Ok(entries)
}

fn groups<'n, 'a>(source: Source<'_>, document: &'n DeTable<'a>) -> Read<Vec<Entry<'n, 'a>>> {
    let nodes = document.get("group").map(one_or_many).unwrap_or_default();
    let mut keys = function::keys();
    keys.push("names");
    let mut entries = Vec::new();
    for node in nodes {
        let table = source.record("a table with the `names` of functions", node, &keys)?;
        source.required(node, "names")?;
        for key in ["names", "aliases"] {
            entries.extend(names(source, table, key, table)?);
        }
    }
    Ok(entries)
}

/// An entry for each name in the list under a key.
fn names<'n, 'a>(
    source: Source<'_>,
    from: &'n DeTable<'a>,
    key: &str,
    table: &'n DeTable<'a>,
) -> Read<Vec<Entry<'n, 'a>>> {
    let nodes = from.get(key).map(one_or_many).unwrap_or_default();
    let entry = |node: &'n Node<'a>| {
        let name = source.text("the name of a function", node)?;
        Ok(Entry { name, byte: node.span().start, table })
    };
    nodes.into_iter().map(entry).collect()
}

/// Reads each table once for each of its names: what is freed can depend on the name.
fn models(
    source: Source<'_>,
    resources: &Resources,
    mut entries: Vec<Entry<'_, '_>>,
) -> Read<BTreeMap<String, FunctionModel>> {
    entries.sort_by_key(|entry| entry.byte);
    let mut models = BTreeMap::new();
    for Entry { name, byte, table } in entries {
        let context = Context { source, resources, function: name };
        let model = function::function(context, table)?;
        if models.insert(name.to_string(), model).is_some() {
            let message = format!("`{name}` is described twice in this file");
            return Err(source.error(byte, message));
        }
    }
    Ok(models)
}
