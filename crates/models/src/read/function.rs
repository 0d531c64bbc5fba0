//! One function's table.

use toml::de::DeTable;

use super::document::{Node, Read, one_or_many};
use super::effect::{Context, EFFECTS, add};
use super::place::{argument, condition, success, when};
use crate::complete::complete;
use crate::model::{Effect, FunctionModel, ResultKind, Returns, Texts, When};

const OTHER_KEYS: &[&str] = &[
    "returns",
    "never-returns",
    "success",
    "pure",
    "text-of",
    "format",
    "parses",
    "compares",
    "follows",
    "non-null",
    "non-negative",
    "between",
    "returns-twice",
    "aliases",
];

/// The keys that a function's table may have.
pub fn keys() -> Vec<&'static str> {
    EFFECTS.iter().map(|(key, _)| *key).chain(OTHER_KEYS.iter().copied()).collect()
}

/// The model in a table whose keys are known to be good.
pub fn function(context: Context<'_>, table: &DeTable<'_>) -> Read<FunctionModel> {
    let source = context.source;
    let mut model = FunctionModel::harmless();
    for (key, read) in EFFECTS {
        let nodes = table.get(*key).map(one_or_many).unwrap_or_default();
        for node in nodes {
            add(&mut model.effects, read(context, node)?);
        }
    }
    model.text_of = table.get("text-of").map(|node| argument(source, node)).transpose()?;
    model.format = table.get("format").map(|node| argument(source, node)).transpose()?;
    model.parses = table.get("parses").map(|node| argument(source, node)).transpose()?;
    model.compares = table.get("compares").map(|node| texts(context, node)).transpose()?;
    let followed = table.get("follows").map(one_or_many).unwrap_or_default();
    model.follows = followed.into_iter().map(|it| argument(source, it)).collect::<Read<_>>()?;
    model.nonnull = source.flag(table, "non-null", false)?;
    model.nonnegative = source.flag(table, "non-negative", false)?;
    model.between = table.get("between").map(|node| between(context, node)).transpose()?;
    model.returns_twice = source.flag(table, "returns-twice", false)?;
    read_purity(context, table, &mut model)?;
    let told = read_result(context, table, &mut model)?;
    model.returns = returns(context, table)?;
    model.success = table.get("success").map(|node| success(source, node)).transpose()?;
    complete(&mut model, told);
    Ok(model)
}

fn read_purity(context: Context<'_>, table: &DeTable<'_>, model: &mut FunctionModel) -> Read<()> {
    let Some(node) = table.get("pure") else { return Ok(()) };
    model.reads_memory = node.get_ref().as_str() == Some("reads-memory");
    let told = || context.source.expected("true, false or \"reads-memory\"", node);
    model.pure = model.reads_memory || node.get_ref().as_bool().ok_or_else(told)?;
    Ok(())
}

fn texts(context: Context<'_>, node: &Node<'_>) -> Read<Texts> {
    match node.get_ref().as_str() {
        Some("texts") => Ok(Texts::Equal),
        Some("texts-without-case") => Ok(Texts::WithoutCase),
        _ => Err(context.source.expected("\"texts\" or \"texts-without-case\"", node)),
    }
}

fn between(context: Context<'_>, node: &Node<'_>) -> Read<(i64, i64)> {
    const BETWEEN: &str = "the least and the greatest result, like [-1, 255]";
    let numbers = one_or_many(node).into_iter().map(|it| context.source.integer(BETWEEN, it));
    match numbers.collect::<Read<Vec<i64>>>()?[..] {
        [least, greatest] if least <= greatest => Ok((least, greatest)),
        _ => Err(context.source.expected(BETWEEN, node)),
    }
}

const RETURNS: &str = "an argument's number, { argument = 1 }, { inside = 1 }, { inside = 1, below = 3 }, \
                       { loaded = 1 }, \
                       \"library\" or \"unknown\"";

/// Adds the effects under `returns`; the kind of the result where that is all there is to say.
fn read_result(
    context: Context<'_>,
    table: &DeTable<'_>,
    model: &mut FunctionModel,
) -> Read<Option<ResultKind>> {
    let mut kind = None;
    for node in table.get("returns").map(one_or_many).unwrap_or_default() {
        match node.get_ref().as_str() {
            Some("library") => kind = Some(ResultKind::Library),
            Some("unknown") => kind = Some(ResultKind::Unknown),
            Some(_) => return Err(context.source.expected(RETURNS, node)),
            None => model.effects.push(returned(context, node)?),
        }
    }
    Ok(kind)
}

fn returned(context: Context<'_>, node: &Node<'_>) -> Read<Effect> {
    let source = context.source;
    if node.get_ref().is_integer() {
        let arg = argument(source, node)?;
        return Ok(Effect::ReturnsArgument {
            arg,
            interior: false,
            below: None,
            when: When::Always,
        });
    }
    let table = source.record(RETURNS, node, &["argument", "inside", "below", "loaded", "when"])?;
    let when = table.get("when").map_or(Ok(When::Always), |node| when(source, node))?;
    let number = |key: &str| table.get(key).map(|node| argument(source, node)).transpose();
    let below = number("below")?;
    match (number("argument")?, number("inside")?, number("loaded")?) {
        (Some(arg), None, None) if below.is_none() => {
            Ok(Effect::ReturnsArgument { arg, interior: false, below, when })
        }
        (None, Some(arg), None) => Ok(Effect::ReturnsArgument { arg, interior: true, below, when }),
        (None, None, Some(arg)) if below.is_none() => Ok(Effect::ReturnsLoaded { arg }),
        _ => Err(source.expected(RETURNS, node)),
    }
}

fn returns(context: Context<'_>, table: &DeTable<'_>) -> Read<Returns> {
    const NEVER: &str = "true, false, \"success\" or a condition like { argument = 1, is-not = 0 }";
    match table.get("never-returns") {
        None => Ok(Returns::Always),
        Some(node) if node.get_ref().as_str() == Some("success") => Ok(Returns::OnlyOnFailure),
        Some(node) => match node.get_ref().as_bool() {
            Some(true) => Ok(Returns::Never),
            Some(false) => Ok(Returns::Always),
            None => condition(context.source, NEVER, node).map(Returns::NeverWhen),
        },
    }
}
